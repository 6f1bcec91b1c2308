//! Splits PTX text into tokens.

use crate::error::LoadError;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// A name, directive, register or opcode with its modifiers: `ld.param.b64`, `.reg`, `%tid.x`.
    Word(String),
    /// A whole number, as 64 bits.
    Integer(u64),
    /// The bits of an `f32` literal.
    Single(u32),
    /// The bits of an `f64` literal.
    Double(u64),
    /// A string, without the quotes.
    Text(String),
    /// Any other character.
    Mark(char),
}

/// The tokens of a text, each with the number of its line.
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token, u32)>, LoadError> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
    };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn next(&mut self) -> Result<Option<(Token, u32)>, LoadError> {
        self.skip_blanks();
        if self.at >= self.bytes.len() || self.peek(0) == 0 {
            return Ok(None);
        }
        let line = self.line;
        let first = self.peek(0);
        let token = if first.is_ascii_digit() {
            self.number()?
        } else if is_word(first) || first == b'.' {
            Token::Word(self.word())
        } else if first == b'"' {
            self.string()?
        } else {
            self.at += 1;
            Token::Mark(char::from(first))
        };
        Ok(Some((token, line)))
    }

    fn skip_blanks(&mut self) {
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'\n', _) => {
                    self.line += 1;
                    self.at += 1;
                }
                (b' ' | b'\t' | b'\r', _) => self.at += 1,
                (b'/', b'/') => {
                    while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                (b'/', b'*') => {
                    while self.at < self.bytes.len() && (self.peek(0), self.peek(1)) != (b'*', b'/')
                    {
                        self.line += u32::from(self.peek(0) == b'\n');
                        self.at += 1;
                    }
                    self.at += 2;
                }
                _ => return,
            }
        }
    }

    fn word(&mut self) -> String {
        let start = self.at;
        loop {
            let next = self.peek(0);
            if is_word(next) || next == b'.' {
                self.at += 1;
            } else if next == b':' && self.peek(1) == b':' {
                self.at += 2;
            } else {
                break;
            }
        }
        String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned()
    }

    fn string(&mut self) -> Result<Token, LoadError> {
        let start = self.at + 1;
        self.at = start;
        while self.at < self.bytes.len() && self.peek(0) != b'"' {
            self.at += 1;
        }
        if self.at >= self.bytes.len() {
            return Err(LoadError::new(self.line, "a string has no end"));
        }
        let text = String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned();
        self.at += 1;
        Ok(Token::Text(text))
    }

    fn number(&mut self) -> Result<Token, LoadError> {
        let start = self.at;
        while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'.' || self.in_exponent() {
            self.at += 1;
        }
        let text = String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned();
        parse_number(&text)
            .ok_or_else(|| LoadError::new(self.line, format!("'{text}' is no number")))
    }

    /// Whether the sign of the exponent of a decimal number comes next: `1.5e-3`.
    fn in_exponent(&self) -> bool {
        matches!(self.peek(0), b'-' | b'+')
            && self.at > 0
            && matches!(self.bytes[self.at - 1], b'e' | b'E')
            && self.peek(1).is_ascii_digit()
            && self.number_so_far().contains('.')
    }

    fn number_so_far(&self) -> &str {
        let mut start = self.at;
        while start > 0
            && (self.bytes[start - 1].is_ascii_alphanumeric() || self.bytes[start - 1] == b'.')
        {
            start -= 1;
        }
        std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or("")
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%')
}

fn parse_number(text: &str) -> Option<Token> {
    let lower = text.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0f") {
        return u32::from_str_radix(hex, 16).ok().map(Token::Single);
    }
    if let Some(hex) = lower.strip_prefix("0d") {
        return u64::from_str_radix(hex, 16).ok().map(Token::Double);
    }
    if lower.contains('.') {
        return lower
            .parse::<f64>()
            .ok()
            .map(|value| Token::Double(value.to_bits()));
    }
    let digits = lower.trim_end_matches('u');
    let value = if let Some(hex) = digits.strip_prefix("0x") {
        u64::from_str_radix(hex, 16)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        u64::from_str_radix(binary, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    value.ok().map(Token::Integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_form() {
        let text = "12 0x1F 017 0b11 7U 0f3F800000 0d3FF0000000000000 1.5";
        let found: Vec<Token> = tokens(text)
            .unwrap()
            .into_iter()
            .map(|(token, _)| token)
            .collect();
        assert_eq!(
            found,
            [
                Token::Integer(12),
                Token::Integer(31),
                Token::Integer(15),
                Token::Integer(3),
                Token::Integer(7),
                Token::Single(0x3f80_0000),
                Token::Double(0x3ff0_0000_0000_0000),
                Token::Double(1.5f64.to_bits()),
            ]
        );
    }

    #[test]
    fn lines_are_counted_through_comments() {
        let found = tokens("// one\n/* two\n three */ ret;").unwrap();
        assert_eq!(found[0], (Token::Word("ret".into()), 3));
    }
}
