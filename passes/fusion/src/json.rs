//! What is wrong with a JSON text, in words of JSON: where, in which field, and what is expected.
//!
//! The reader's own messages speak of the Rust types that it fills.

use serde::de::DeserializeOwned;

/// A text is no JSON, or has other fields.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}{}: {problem}", path_text(.path))]
pub struct JsonError {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in bytes.
    pub column: usize,
    /// The field, such as `nodes[3].id`; empty for the whole.
    pub path: String,
    /// What is wrong.
    pub problem: String,
}

fn path_text(path: &str) -> String {
    match path {
        "" => String::new(),
        path => format!(", in '{path}'"),
    }
}

/// Reads a text.
///
/// # Errors
///
/// If it is no JSON, or not of the type.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, JsonError> {
    check_object(text)?;
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let mut message = error.to_string();
        if let Some(end) = message.rfind(" at line ") {
            message.truncate(end);
        }
        JsonError {
            line,
            column,
            path: path(text, line, column),
            problem: problem(&message),
        }
    })
}

/// The reader would take a list of an object's values for it.
fn check_object(text: &str) -> Result<(), JsonError> {
    let before = &text[..text.len() - text.trim_start().len()];
    let problem = match text[before.len()..].bytes().next() {
        Some(b'{') => return Ok(()),
        Some(_) => "an object, { … }, is expected",
        None => "the text is empty",
    };
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    Err(JsonError {
        line: 1 + before.matches('\n').count(),
        column: 1 + before.len() - line_start,
        path: String::new(),
        problem: problem.to_owned(),
    })
}

/// What a message of the reader means.
fn problem(message: &str) -> String {
    if let Some(rest) = message.strip_prefix("missing field ") {
        return format!("the field {} is missing", quoted(rest));
    }
    if let Some(rest) = message.strip_prefix("duplicate field ") {
        return format!("the field {} is there twice", quoted(rest));
    }
    if let Some(rest) = message.strip_prefix("unknown field ") {
        return unknown("field", rest);
    }
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        return unknown("value", rest);
    }
    for kind in ["invalid type: ", "invalid value: ", "invalid length "] {
        if let Some((found, expected)) = message
            .strip_prefix(kind)
            .and_then(|rest| rest.split_once(", expected "))
        {
            let found = match kind {
                "invalid length " => format!("a list of {found}"),
                _ => value(found),
            };
            return format!("{found} where {} is expected", kind_of(expected));
        }
    }
    match message {
        "expected value" | "expected ident" => "no JSON value begins here".to_owned(),
        "trailing characters" => "the text goes on behind its end".to_owned(),
        "trailing comma" => "a comma without a value behind it".to_owned(),
        message if message.starts_with("EOF while parsing") => {
            "the text ends in the middle".to_owned()
        }
        message => message.replace('`', "'"),
    }
}

fn quoted(text: &str) -> String {
    text.replace('`', "'")
}

/// A name that is none of those that are listed behind it.
fn unknown(what: &str, rest: &str) -> String {
    let (name, known) = rest.split_once(", ").unwrap_or((rest, ""));
    let known = known
        .trim_start_matches("expected one of ")
        .trim_start_matches("expected ")
        .replace(" or ", ", ")
        .replace('`', "");
    match known.as_str() {
        "" | "there are no fields" => format!("the {what} {} is unknown", quoted(name)),
        known => format!("the {what} {} is unknown; known are: {known}", quoted(name)),
    }
}

/// What was found: `integer `1``, `map`, `string "x"`.
fn value(found: &str) -> String {
    let (kind, rest) = found.split_once(' ').unwrap_or((found, ""));
    let rest = quoted(rest).replace('\'', "");
    match (kind, rest.as_str()) {
        ("map", _) => "an object".to_owned(),
        ("sequence", _) => "a list".to_owned(),
        ("unit" | "null", _) => "null".to_owned(),
        ("string" | "integer" | "boolean", rest) => rest.to_owned(),
        ("floating", rest) => rest.trim_start_matches("point ").to_owned(),
        _ => quoted(found),
    }
}

/// What was expected, by the type that would be filled.
fn kind_of(expected: &str) -> String {
    match expected.split(' ').next().unwrap_or_default() {
        "struct" | "map" => "an object".to_owned(),
        "tuple" | "sequence" => "a list".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that is not negative".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "string" => "a text".to_owned(),
        "boolean" => "true or false".to_owned(),
        "enum" => "one of the known values".to_owned(),
        _ => match expected {
            "a string" => "a text".to_owned(),
            "a sequence" => "a list".to_owned(),
            "a map" => "an object".to_owned(),
            "a boolean" => "true or false".to_owned(),
            other => quoted(other),
        },
    }
}

/// The field that holds the place, which is behind what is wrong.
fn path(text: &str, line: usize, column: usize) -> String {
    let mut scanner = Scanner::default();
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let end = (start + column.saturating_sub(1)).min(text.len());
    text.as_bytes()[..end]
        .iter()
        .for_each(|&byte| scanner.step(byte));
    scanner.path()
}

/// Where a text is, as far as it was read.
#[derive(Default)]
struct Scanner {
    levels: Vec<Level>,
    /// What was read of a text in quotes.
    quoted: Option<Vec<u8>>,
    is_escaped: bool,
    last: Vec<u8>,
}

/// An object or a list.
enum Level {
    Object(Option<String>),
    List(usize),
}

impl Scanner {
    fn step(&mut self, byte: u8) {
        if let Some(text) = &mut self.quoted {
            match byte {
                b'"' if !self.is_escaped => self.last = self.quoted.take().unwrap_or_default(),
                _ => text.push(byte),
            }
            self.is_escaped = byte == b'\\' && !self.is_escaped;
            return;
        }
        match (byte, self.levels.last_mut()) {
            (b'"', _) => self.quoted = Some(vec![]),
            (b'{', _) => self.levels.push(Level::Object(None)),
            (b'[', _) => self.levels.push(Level::List(0)),
            (b'}' | b']', _) => {
                self.levels.pop();
            }
            (b':', Some(Level::Object(key))) => {
                *key = Some(String::from_utf8_lossy(&self.last).into_owned());
            }
            (b',', Some(Level::Object(key))) => *key = None,
            (b',', Some(Level::List(index))) => *index += 1,
            _ => {}
        }
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for level in &self.levels {
            match level {
                Level::Object(Some(key)) if path.is_empty() => path.push_str(key),
                Level::Object(Some(key)) => path.push_str(&format!(".{key}")),
                Level::Object(None) => {}
                Level::List(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only reading is tested")]
    struct File {
        name: Option<String>,
        nodes: Vec<Node>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only reading is tested")]
    struct Node {
        id: u64,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Map,
        Fold,
    }

    #[test]
    fn messages_name_the_field_and_what_is_expected() {
        for (text, message) in [
            (
                r#"{"nodes": [{"id": 1}, {}]}"#,
                "line 1, column 24, in 'nodes[1]': the field 'id' is missing",
            ),
            (
                "{\"name\": \"a\\\"}\",\n \"nods\": []}",
                "line 2, column 7: the field 'nods' is unknown; known are: name, nodes",
            ),
            (
                r#"{"nodes": [{"id": -1}]}"#,
                "line 1, column 20, in 'nodes[0].id': -1 where a whole number that is not negative is expected",
            ),
            (
                r#"{"nodes": [{"id": "x"}]}"#,
                "line 1, column 21, in 'nodes[0].id': \"x\" where a whole number that is not negative is expected",
            ),
            (
                r#"{"nodes": {}}"#,
                "line 1, column 10, in 'nodes': an object where a list is expected",
            ),
            (
                r#"{"nodes": [{"id": 1, "kind": "mop"}]}"#,
                "line 1, column 34, in 'nodes[0].kind': the value 'mop' is unknown; known are: map, fold",
            ),
            (" \n [7]", "line 2, column 2: an object, { … }, is expected"),
            ("\n", "line 2, column 1: the text is empty"),
            (
                r#"{"nodes": [,]}"#,
                "line 1, column 12, in 'nodes[0]': no JSON value begins here",
            ),
            (
                r#"{"nodes": ["#,
                "line 1, column 11, in 'nodes': the text ends in the middle",
            ),
        ] {
            assert_eq!(
                read::<File>(text).unwrap_err().to_string(),
                message,
                "{text}"
            );
        }
    }
}
