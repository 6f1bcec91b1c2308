//! The texts that are to be solved.

use std::{
    io::{self, Read},
    path::Path,
};

use comb_runtime::{files, npy};

use crate::solve::SolveFailure;

/// A larger file is refused, so that none fills the memory.
const MOST_BYTES: u64 = 1 << 29;

/// What is in a file.
pub struct Text {
    /// What the file is called.
    pub file: String,
    /// Its name without folders and ending.
    pub stem: String,
    pub content: String,
}

impl Text {
    /// Reads a file, or standard input.
    pub fn read(path: &Path) -> Result<Self, SolveFailure> {
        let file = match path.to_str() {
            Some("-") => "standard input".to_owned(),
            _ => path.display().to_string(),
        };
        match read(path) {
            Ok(content) => Ok(Self {
                file,
                stem: path
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                content,
            }),
            Err(reason) => Err(SolveFailure::Read { file, reason }),
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    let reader: Box<dyn Read> = match path.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(files::open(path).map_err(|error| npy::reason(&error))?),
    };
    let mut bytes = vec![];
    reader
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| npy::reason(&error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("the file has more than {MOST_BYTES} bytes"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        format!("byte {place} is not UTF-8")
    })
}
