//! The text a program was read from.

use std::{fs, iter, path::Path, sync::OnceLock};

/// A program's text, or its bytecode.
#[derive(Debug)]
pub struct Source {
    name: String,
    bytes: Vec<u8>,
    /// Where lines begin.
    starts: OnceLock<Vec<usize>>,
}

impl Source {
    /// A program that is called `name` in messages.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            bytes: bytes.into(),
            starts: OnceLock::new(),
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
            return self.own_line(line);
        }
        let path = Path::new(file);
        path.is_file()
            .then(|| fs::read(path).ok())
            .flatten()
            .and_then(|bytes| nth_line(&bytes, line))
    }
}

impl Source {
    /// A line of this text: lines are found once, since all may be asked for.
    fn own_line(&self, line: usize) -> Option<String> {
        let starts = self.starts.get_or_init(|| {
            let ends = self.bytes.iter().enumerate();
            let ends = ends.filter(|&(_, &byte)| byte == b'\n');
            iter::once(0).chain(ends.map(|(end, _)| end + 1)).collect()
        });
        let start = *starts.get(line.checked_sub(1)?)?;
        nth_line(&self.bytes[start..], 1)
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
