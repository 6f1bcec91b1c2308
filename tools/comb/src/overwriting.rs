//! What a command reads is not what it writes.

use std::{fs, path::Path};

use crate::failure::Failure;

/// Refuses to write to the program or graph that is read; other names of the file are found
/// out, too.
pub fn refuse(read: &Path, written: &Path) -> Result<(), Failure> {
    let file = |path| fs::canonicalize(path).ok().filter(|path| path.is_file());
    match (file(read), file(written)) {
        (Some(read), Some(to)) if read == to => Err(Failure::Overwriting {
            path: written.display().to_string(),
        }),
        _ => Ok(()),
    }
}
