//! The names of ops that begin as the word before the cursor does.
//!
//! MLIR's server completes behind a dialect's point only. So it is asked about a text without the letters
//! behind the point, which is then put back; what it says of that text ([`is_hidden`]) is nobody's concern.

use serde_json::{Value, json};

use crate::documentation::offset;

/// The version of a text that only the server sees.
const HIDDEN: i64 = -1;

/// A text that is open.
#[derive(Debug, Default)]
pub struct Text {
    /// All of it.
    pub content: String,
    /// What the client calls this state of it.
    pub version: Value,
}

/// The messages that ask for a completion at the end of `word`; none if the question is one that MLIR's
/// server answers as it is.
pub fn questions(message: &Value, text: &Text, word: &str) -> Option<[Value; 3]> {
    let (_, letters) = word.split_once('.')?;
    if letters.is_empty() {
        return None;
    }
    let parameters = &message["params"];
    let uri = parameters["textDocument"]["uri"].as_str()?;
    let number = |name: &str| parameters["position"][name].as_u64();
    let (line, character) = (number("line")?, number("character")?);
    let start = character.checked_sub(letters.len() as u64)?;
    let mut asked = message.clone();
    asked["params"]["position"]["character"] = json!(start);
    let shorter = without(&text.content, line as usize, start as usize, letters.len())?;
    Some([
        changed(uri, &json!(HIDDEN), &shorter),
        asked,
        changed(uri, &text.version, &text.content),
    ])
}

/// A text without some letters of a line.
fn without(text: &str, line: usize, start: usize, letters: usize) -> Option<String> {
    let before: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let from = before + offset(text[before..].split('\n').next()?, start);
    let rest = text.get(from + letters..)?;
    Some([&text[..from], rest].concat())
}

fn changed(uri: &str, version: &Value, text: &str) -> Value {
    json!({
        "jsonrpc": "2.0",
        "method": "textDocument/didChange",
        "params": {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": text}],
        },
    })
}

/// Whether a message of the server is about a text that the client does not have.
pub fn is_hidden(message: &Value) -> bool {
    message["params"]["version"].as_i64() == Some(HIDDEN)
}

/// Leaves the items that begin with what stands behind the point of a word.
pub fn narrow(items: &mut Vec<Value>, word: &str) {
    let letters = word.split_once('.').map_or("", |(_, letters)| letters);
    items.retain(|item| {
        let label = item["label"].as_str().unwrap_or_default();
        label.starts_with(letters) || label.starts_with(word)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_behind_the_point_are_taken_out_and_put_back() {
        let text = Text {
            content: "é𝄞\n  é𝄞 soac.ma x\nend".to_owned(),
            version: json!(4),
        };
        let position = json!({"line": 1, "character": 13});
        let message = json!({
            "id": 7,
            "params": {"textDocument": {"uri": "u"}, "position": position},
        });
        let [hidden, asked, restored] = questions(&message, &text, "soac.ma").unwrap();
        let content = |message: &Value| message["params"]["contentChanges"][0]["text"].clone();
        assert_eq!(content(&hidden), "é𝄞\n  é𝄞 soac. x\nend");
        assert!(is_hidden(&json!({"params": {"version": HIDDEN}})));
        assert_eq!(asked["params"]["position"]["character"], 11);
        assert_eq!(content(&restored), text.content);
        assert_eq!(restored["params"]["textDocument"]["version"], 4);
        assert_eq!(questions(&message, &text, "soac."), None);
        assert_eq!(questions(&message, &text, "ma"), None);
    }

    #[test]
    fn items_begin_with_the_letters() {
        let mut items = vec![json!({"label": "map"}), json!({"label": "fold"})];
        narrow(&mut items, "soac.ma");
        assert_eq!(items, [json!({"label": "map"})]);
        let mut items = vec![json!({"label": "barrier.arrive"}), json!({"label": "exit"})];
        narrow(&mut items, "nvvm.barrier.a");
        assert_eq!(items, [json!({"label": "barrier.arrive"})]);
    }
}
