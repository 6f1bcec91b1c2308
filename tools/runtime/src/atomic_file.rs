//! A file that appears under its name whole or not at all.
//!
//! The bytes go to a temporary beside the target, which then takes the
//! target's name. Dropping the file before that, a run-time failure, or an
//! interrupt (see [`crate::interrupt`]) removes the temporary. A target that
//! is no regular file (a device, a pipe, standard output) is written directly.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::files::{is_named_pipe, open_pipe};
use crate::interrupt::Registration;

/// A file being written; see the module.
pub struct AtomicFile {
    destination: Destination,
}

enum Destination {
    Direct(File),
    Replace {
        temporary: NamedTempFile<(File, Registration)>,
        target: PathBuf,
    },
}

/// Where bytes for a path go.
enum Target {
    Direct,
    Replace(PathBuf),
}

impl AtomicFile {
    /// Fails as [`AtomicFile::create`] would, as far as that can be known
    /// without creating anything.
    pub fn check_target(path: &Path) -> io::Result<()> {
        if let Target::Replace(target) = resolve(path)? {
            check_replaceable(&target)?;
        }
        Ok(())
    }

    /// Begins a file that is to appear at `path`.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        let destination = match resolve(path)? {
            Target::Direct => Destination::Direct(open_directly(path)?),
            Target::Replace(target) => {
                check_replaceable(&target)?;
                Destination::Replace {
                    temporary: create_temporary(&target)?,
                    target,
                }
            }
        };
        Ok(AtomicFile { destination })
    }

    /// Lets everybody who may read the file run it.
    pub fn make_executable(&self) -> io::Result<()> {
        if let Destination::Replace { temporary, .. } = &self.destination {
            let file = &temporary.as_file().0;
            let mut permissions = file.metadata()?.permissions();
            let readable = permissions.mode() & 0o444;
            permissions.set_mode(permissions.mode() | (readable >> 2));
            file.set_permissions(permissions)?;
        }
        Ok(())
    }

    /// Gives the file its name.
    pub fn commit(self) -> io::Result<()> {
        match self.destination {
            Destination::Direct(mut file) => file.flush(),
            Destination::Replace { temporary, target } => {
                if let Ok(existing) = fs::metadata(&target) {
                    temporary
                        .as_file()
                        .0
                        .set_permissions(existing.permissions())?;
                }
                temporary.persist(target).map_err(|error| error.error)?;
                Ok(())
            }
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.destination {
            Destination::Direct(file) => file.write(bytes),
            Destination::Replace { temporary, .. } => temporary.as_file_mut().0.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.destination {
            Destination::Direct(file) => file.flush(),
            Destination::Replace { temporary, .. } => temporary.as_file_mut().0.flush(),
        }
    }
}

fn open_directly(path: &Path) -> io::Result<File> {
    match is_named_pipe(path) {
        true => open_pipe(path),
        false => OpenOptions::new().append(true).open(path),
    }
}

/// Follows links, so that a link stays one and its target is replaced.
fn resolve(path: &Path) -> io::Result<Target> {
    if is_open_descriptor(path) {
        return Ok(Target::Direct);
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::Error::from_raw_os_error(libc::EISDIR)),
        Ok(metadata) if metadata.is_file() => Ok(Target::Replace(fs::canonicalize(path)?)),
        Ok(_) => Ok(Target::Direct),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(Target::Replace(path.to_owned()))
        }
        Err(error) => Err(error),
    }
}

/// Whether the path names a file this process has open, which is to be written
/// even where it is a regular file.
pub(crate) fn is_open_descriptor(path: &Path) -> bool {
    ["/dev/stdout", "/dev/stderr"]
        .iter()
        .any(|name| path == Path::new(name))
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc/self/fd")
}

fn check_replaceable(target: &Path) -> io::Result<()> {
    if target.file_name().is_none() {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    let directory = fs::metadata(directory_of(target))?;
    if !directory.is_dir() {
        return Err(io::Error::from_raw_os_error(libc::ENOTDIR));
    }
    if target.exists() {
        // Renaming over a file needs no permission to write it; ask for one.
        OpenOptions::new().write(true).open(target)?;
    }
    Ok(())
}

pub(crate) fn directory_of(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn create_temporary(target: &Path) -> io::Result<NamedTempFile<(File, Registration)>> {
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().unwrap_or_default());
    prefix.push(".");
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".tmp")
        .make_in(directory_of(target), |path| {
            let registration = Registration::new(path);
            let file = OpenOptions::new().write(true).create_new(true).open(path)?;
            Ok((file, registration))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<OsString> {
        let mut names: Vec<_> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_target_changes_only_on_commit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(directory.path()), ["out"]);
    }

    #[test]
    fn a_dropped_file_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let mut file = AtomicFile::create(&directory.path().join("out")).unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!(names(directory.path()).len(), 1);
        drop(file);
        assert!(names(directory.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let real = directory.path().join("real");
        let link = directory.path().join("link");
        fs::write(&real, "old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&real).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }
}
