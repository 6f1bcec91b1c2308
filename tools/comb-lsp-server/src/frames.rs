//! Messages of the Language Server Protocol: JSON behind headers that say how long it is.

use std::io::{self, BufRead, Write};

use serde_json::Value;

const LENGTH: &str = "content-length:";

/// A longer message is none of an editor.
const MOST_BYTES: usize = 1 << 30;

/// The next message; nothing at the end.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix(LENGTH) {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length
        .filter(|&length| length <= MOST_BYTES)
        .ok_or_else(|| io::Error::other("a message does not say how long it is"))?;
    let mut message = vec![0; length];
    input.read_exact(&mut message)?;
    Ok(Some(message))
}

/// Writes a message.
pub fn write(output: &mut impl Write, message: &[u8]) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n", message.len())?;
    output.write_all(message)?;
    output.flush()
}

/// A message, or what of it was changed.
pub fn bytes(message: &Value) -> Vec<u8> {
    message.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let mut bytes = vec![];
        write(&mut bytes, b"{}").unwrap();
        write(&mut bytes, "\"é\"".as_bytes()).unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input).unwrap().unwrap(), b"{}");
        assert_eq!(read(&mut input).unwrap().unwrap(), "\"é\"".as_bytes());
        assert_eq!(read(&mut input).unwrap(), None);
        let mut input = b"Content-Type: x\r\n\r\n{}".as_slice();
        assert!(read(&mut input).is_err());
    }
}
