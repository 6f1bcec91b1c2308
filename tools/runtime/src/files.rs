//! The files of a command: those that it reads, and those that it writes, which are to be
//! others, each one of its own.
//!
//! A file is known by device and number, so that links and other ways to write a path make no
//! difference; one that is yet to be made, by its folder and name. Devices such as
//! `/dev/null`, and what the process has open, take any number of outputs.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::atomic_file::{directory_of, is_open_descriptor};

/// How long a pipe's other end is waited for, in milliseconds.
const PATIENCE: i32 = 5000;

/// Two files of a command are one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// A file that is read would be written to.
    #[error("'{}' is what is read; write to another file", path.display())]
    IsRead {
        /// As the writer calls it.
        path: PathBuf,
    },
    /// Two files that are written would be one.
    #[error("'{}' and '{}' are one file, and both are to be written", first.display(), second.display())]
    WrittenTwice {
        /// As the first writer calls it.
        first: PathBuf,
        /// As the second one does.
        second: PathBuf,
    },
}

/// The files of a command.
#[derive(Debug, Default)]
pub struct Files {
    read: Vec<Identity>,
    written: Vec<(Identity, PathBuf)>,
}

/// What makes two paths one file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// Device and number.
    Existing(u64, u64),
    /// Those of the folder, and a name.
    New(u64, u64, OsString),
}

impl Files {
    /// Says that a file is read.
    pub fn reads(&mut self, path: &Path) {
        self.read.extend(identity(path));
    }

    /// Says that a file is written, after all that are read.
    ///
    /// # Errors
    ///
    /// If it is a file that is read, or written otherwise.
    pub fn writes(&mut self, path: &Path) -> Result<(), Conflict> {
        let Some(identity) = identity(path) else {
            return Ok(());
        };
        if self.read.contains(&identity) {
            return Err(Conflict::IsRead {
                path: path.to_owned(),
            });
        }
        let first = self.written.iter().find(|(other, _)| *other == identity);
        if let Some((_, first)) = first {
            return Err(Conflict::WrittenTwice {
                first: first.clone(),
                second: path.to_owned(),
            });
        }
        self.written.push((identity, path.to_owned()));
        Ok(())
    }
}

/// Nothing for what takes any number of outputs, and for what cannot be.
fn identity(path: &Path) -> Option<Identity> {
    if is_open_descriptor(path) {
        return None;
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.file_type().is_char_device() => None,
        Ok(metadata) => Some(Identity::Existing(metadata.dev(), metadata.ino())),
        Err(_) => {
            let folder = fs::metadata(directory_of(path)).ok()?;
            let name = path.file_name()?.to_owned();
            Some(Identity::New(folder.dev(), folder.ino(), name))
        }
    }
}

/// Opens a file to be read. A named pipe that nobody writes to is an error.
///
/// # Errors
///
/// If it cannot be read.
pub fn open(path: &Path) -> io::Result<File> {
    if !is_named_pipe(path) {
        return File::open(path);
    }
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(path)?;
    let mut poll = libc::pollfd {
        fd: file.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: it is one description, of a file that is open.
    match unsafe { libc::poll(&raw mut poll, 1, PATIENCE) } {
        ..=0 => Err(io::Error::other("no process writes to the pipe")),
        _ => wait_from_now_on(file),
    }
}

/// Opens a named pipe to be written to, which some process reads.
///
/// # Errors
///
/// If there is none.
pub(crate) fn open_pipe(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .write(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(path);
    match file {
        Err(error) if error.raw_os_error() == Some(libc::ENXIO) => {
            Err(io::Error::other("no process reads from the pipe"))
        }
        file => wait_from_now_on(file?),
    }
}

/// Whether a path is a pipe's that has a name in a folder.
pub fn is_named_pipe(path: &Path) -> bool {
    !is_open_descriptor(path)
        && fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

/// Reads and writes wait for the pipe's other end.
fn wait_from_now_on(file: File) -> io::Result<File> {
    // SAFETY: the file is open; only its flags change.
    let status = unsafe {
        let flags = libc::fcntl(file.as_raw_fd(), libc::F_GETFL);
        libc::fcntl(file.as_raw_fd(), libc::F_SETFL, flags & !libc::O_NONBLOCK)
    };
    match status {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        symlink("file", folder.path().join("link")).unwrap();
        fs::hard_link(folder.path().join("file"), folder.path().join("hard")).unwrap();
        symlink(".", folder.path().join("here")).unwrap();
        folder
    }

    #[test]
    fn what_is_read_is_not_written() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        for name in ["file", "./file", "link", "hard", "here/file"] {
            let mut files = Files::default();
            files.reads(&at("file"));
            let path = at(name);
            let expected = Conflict::IsRead { path: path.clone() };
            assert_eq!(files.writes(&path), Err(expected));
        }
    }

    #[test]
    fn each_file_is_written_once() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        for (first, second) in [("new", "./new"), ("new", "here/new"), ("file", "hard")] {
            let mut files = Files::default();
            let (first, second) = (at(first), at(second));
            assert_eq!(files.writes(&first), Ok(()));
            let expected = Conflict::WrittenTwice {
                first,
                second: second.clone(),
            };
            assert_eq!(files.writes(&second), Err(expected));
        }
        let mut files = Files::default();
        for path in ["/dev/null", "/dev/null", "/dev/stdout", "/dev/stdout"] {
            files.reads(Path::new(path));
            assert_eq!(files.writes(Path::new(path)), Ok(()));
        }
        for name in ["one", "other", "nowhere/one", "nowhere/one"] {
            assert_eq!(files.writes(&at(name)), Ok(()));
        }
    }

    #[test]
    fn nobody_waits_for_a_pipe_without_another_end() {
        let folder = folder();
        let path = folder.path().join("pipe");
        let name = std::ffi::CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: the name ends with a NUL.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        assert!(open_pipe(&path).is_err());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || io::read_to_string(open(&path).unwrap()).unwrap()
        });
        let mut writer = loop {
            match open_pipe(&path) {
                Ok(writer) => break writer,
                Err(_) => std::thread::yield_now(),
            }
        };
        io::Write::write_all(&mut writer, b"text").unwrap();
        drop(writer);
        assert_eq!(reader.join().unwrap(), "text");
    }
}
