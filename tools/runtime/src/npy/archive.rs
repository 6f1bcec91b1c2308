//! The arrays of an `.npz` archive: `.npy` files in a zip file, compressed or not.

mod zip;

use std::io;
use std::path::{Path, PathBuf};

use zip::{Member, ZipError};

use super::error::NpyError;
use super::read::read_member;
use crate::files;
use crate::sign::Input;
use crate::signature::ParameterPlace;

/// The ending that NumPy gives a member and hides.
const ENDING: &str = ".npy";

/// Reads an array of an archive; without a name, the only one.
pub fn read_from_archive(
    path: &Path,
    name: Option<&str>,
    place: ParameterPlace<'_>,
) -> Result<Input, NpyError> {
    let unreadable = |source| NpyError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let damaged = |error| match error {
        ZipError::Io(source) => unreadable(source),
        ZipError::Bad(problem) => NpyError::BadArchive {
            path: path.to_owned(),
            problem,
        },
    };
    let mut file = files::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(unreadable(io::Error::from_raw_os_error(libc::EISDIR)));
    }
    let mut members = zip::members(&mut file).map_err(damaged)?;
    members.retain(|member| member.name.ends_with(ENDING));
    members.sort_by(|one, other| one.name.cmp(&other.name));
    let member = find(&members, path, name)?;
    let content = zip::content(file, member).map_err(damaged)?;
    read_member(content, &shown(path, short(member)), place)
}

/// The name without the ending.
fn short(member: &Member) -> &str {
    member.name.strip_suffix(ENDING).unwrap_or(&member.name)
}

fn find<'a>(
    members: &'a [Member],
    path: &Path,
    name: Option<&str>,
) -> Result<&'a Member, NpyError> {
    let wanted = |member: &&Member| match name {
        Some(name) => member.name == name || short(member) == name,
        None => members.len() == 1,
    };
    if let Some(found) = members.iter().find(wanted) {
        return Ok(found);
    }
    let arrays: Vec<&str> = members.iter().map(short).collect();
    Err(match name {
        Some(name) => NpyError::NoMember {
            path: path.to_owned(),
            name: name.to_owned(),
            arrays: listed(&arrays),
        },
        None => NpyError::WhichMember {
            path: path.to_owned(),
            arrays: listed(&arrays),
        },
    })
}

fn listed(arrays: &[&str]) -> String {
    match arrays {
        [] => "(none)".to_owned(),
        arrays => arrays.join(", "),
    }
}

/// The member as the command line has it.
fn shown(path: &Path, name: &str) -> PathBuf {
    let mut text = path.as_os_str().to_owned();
    text.push(":");
    text.push(name);
    text.into()
}
