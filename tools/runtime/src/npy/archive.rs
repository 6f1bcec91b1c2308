//! The arrays of an `.npz` archive: `.npy` files in a zip file, compressed or not.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

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
    let bad = |error| match error {
        ZipError::Io(source) => unreadable(source),
        error => NpyError::BadArchive {
            path: path.to_owned(),
            problem: problem(&error),
        },
    };
    let file = files::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(unreadable(io::Error::from_raw_os_error(libc::EISDIR)));
    }
    let mut archive = ZipArchive::new(file).map_err(bad)?;
    let members = members(&archive);
    let member = find(&members, path, name)?;
    let content = archive.by_index(member.index).map_err(bad)?;
    read_member(content, &shown(path, member.short()), place)
}

/// What is wrong with an archive.
fn problem(error: &ZipError) -> String {
    match error {
        ZipError::InvalidArchive(problem) => format!("it is damaged or cut short ({problem})"),
        error => error.to_string(),
    }
}

/// An array of an archive.
struct Member {
    /// Its number among the archive's files.
    index: usize,
    name: String,
}

impl Member {
    /// The name without the ending.
    fn short(&self) -> &str {
        self.name.strip_suffix(ENDING).unwrap_or(&self.name)
    }
}

/// The arrays of an archive whose name is text, by name.
fn members(archive: &ZipArchive<File>) -> Vec<Member> {
    let mut members: Vec<Member> = (0..archive.len())
        .filter_map(|index| {
            let name = archive.name_for_index(index)?.ok()?.into_owned();
            Some(Member { index, name })
        })
        .filter(|member| member.name.ends_with(ENDING))
        .collect();
    members.sort_by(|one, other| one.name.cmp(&other.name));
    members
}

fn find<'a>(
    members: &'a [Member],
    path: &Path,
    name: Option<&str>,
) -> Result<&'a Member, NpyError> {
    let wanted = |member: &&Member| match name {
        Some(name) => member.name == name || member.short() == name,
        None => members.len() == 1,
    };
    if let Some(found) = members.iter().find(wanted) {
        return Ok(found);
    }
    let arrays: Vec<&str> = members.iter().map(Member::short).collect();
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
