//! The text a program was read from.

use std::{fs, path::Path};

/// A program's text, or its bytecode.
#[derive(Debug)]
pub struct Source {
    name: String,
    bytes: Vec<u8>,
}

impl Source {
    /// A program that is called `name` in messages.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            bytes: bytes.into(),
        }
    }

    /// The name, usually the path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is to be parsed.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A line of a file, counted from 1. If the file is another one than this,
    /// as the locations in bytecode may say, it is looked up.
    pub fn line_of(&self, file: &str, line: usize) -> Option<String> {
        if file == self.name {
            return nth_line(&self.bytes, line);
        }
        let path = Path::new(file);
        path.is_file()
            .then(|| fs::read(path).ok())
            .flatten()
            .and_then(|bytes| nth_line(&bytes, line))
    }
}

fn nth_line(bytes: &[u8], line: usize) -> Option<String> {
    let text = bytes
        .split(|&byte| byte == b'\n')
        .nth(line.checked_sub(1)?)?;
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    String::from_utf8(text.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one() {
        let source = Source::new("a.mlir", "one\r\ntwo\n");
        assert_eq!(source.line_of("a.mlir", 1).as_deref(), Some("one"));
        assert_eq!(source.line_of("a.mlir", 2).as_deref(), Some("two"));
        assert_eq!(source.line_of("a.mlir", 0), None);
        assert_eq!(source.line_of("a.mlir", 9), None);
        assert_eq!(source.line_of("/no/such/file.mlir", 1), None);
    }
}
