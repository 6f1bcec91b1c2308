//! Adds what ops of `soac` and `nest` do to the answers of MLIR's server: to what is shown under the cursor,
//! and to what names are completed to.
//!
//! For that, requests are remembered until they are answered, and texts as long as they are open. What the
//! server would not understand is put into other words ([`completion`]).

use std::collections::HashMap;

use serde_json::{Value, json};
use soac_dialect::reference::{documentation, summary};

use crate::completion::{self, Text};

/// A mark that some editors put in front of UTF-8.
const MARK: char = '\u{feff}';

/// What an answer is to.
#[derive(Debug, PartialEq, Eq)]
enum Question {
    /// What is this word?
    Hover(String),
    /// How does this beginning of a word go on?
    Completion(String),
}

/// What is known of the client's side.
#[derive(Debug, Default)]
pub struct Client {
    texts: HashMap<String, Text>,
    questions: HashMap<String, Question>,
}

impl Client {
    /// Looks at a message from the client: what the server is to be sent for it, if not the message itself.
    pub fn says(&mut self, message: &Value) -> Option<Vec<Value>> {
        let parameters = &message["params"];
        let uri = parameters["textDocument"]["uri"].as_str()?;
        match message["method"].as_str()? {
            "textDocument/didOpen" => self.opens(message, uri, "/params/textDocument/text"),
            // The server asks for whole texts.
            "textDocument/didChange" => {
                let last = parameters["contentChanges"]
                    .as_array()?
                    .len()
                    .checked_sub(1)?;
                self.opens(message, uri, &format!("/params/contentChanges/{last}/text"))
            }
            "textDocument/didClose" => {
                self.texts.remove(uri);
                None
            }
            "textDocument/hover" => {
                let (before, after) = self.word(uri, &parameters["position"]);
                self.asks(message, Question::Hover(before + &after));
                None
            }
            "textDocument/completion" => {
                let (before, _) = self.word(uri, &parameters["position"]);
                let messages = self
                    .texts
                    .get(uri)
                    .and_then(|text| completion::questions(message, text, &before));
                self.asks(message, Question::Completion(before));
                messages.map(Vec::from)
            }
            _ => None,
        }
    }

    /// A text, which is in some place of a message; the message with a space for UTF-8's mark, if it is there.
    fn opens(&mut self, message: &Value, uri: &str, place: &str) -> Option<Vec<Value>> {
        let text = message.pointer(place)?.as_str()?;
        let unmarked = text.strip_prefix(MARK).map(|rest| format!(" {rest}"));
        let text = Text {
            content: unmarked.clone().unwrap_or_else(|| text.to_owned()),
            version: message["params"]["textDocument"]["version"].clone(),
        };
        self.texts.insert(uri.to_owned(), text);
        let mut changed = message.clone();
        *changed.pointer_mut(place)? = json!(unmarked?);
        Some(vec![changed])
    }

    fn asks(&mut self, message: &Value, question: Question) {
        if !message["id"].is_null() {
            self.questions.insert(message["id"].to_string(), question);
        }
    }

    /// The parts of the word around a position before it and behind it.
    fn word(&self, uri: &str, position: &Value) -> (String, String) {
        let text = self.texts.get(uri).map_or("", |text| &text.content);
        let number = |name: &str| position[name].as_u64().unwrap_or(0) as usize;
        let line = text.split('\n').nth(number("line")).unwrap_or_default();
        let (before, after) = line.split_at(offset(line, number("character")));
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_.".contains(letter);
        let start = before.trim_end_matches(is_part).len();
        let end = after.len() - after.trim_start_matches(is_part).len();
        (before[start..].to_owned(), after[..end].to_owned())
    }

    /// An answer of the server with what is known besides, if there is anything.
    pub fn is_told(&mut self, message: &Value) -> Option<Value> {
        let question = self.questions.remove(&message["id"].to_string())?;
        let mut message = message.clone();
        let result = message.get_mut("result")?;
        match question {
            Question::Hover(word) => add_to_hover(result, &word)?,
            Question::Completion(word) => {
                let items = match result.get("items") {
                    Some(_) => &mut result["items"],
                    None => result,
                };
                let items = items.as_array_mut()?;
                completion::narrow(items, &word);
                for item in items {
                    add_to_item(item, &word);
                }
            }
        }
        Some(message)
    }
}

/// Positions count UTF-16's units.
pub fn offset(line: &str, units: usize) -> usize {
    let mut count = 0;
    for (offset, letter) in line.char_indices() {
        if count >= units {
            return offset;
        }
        count += letter.len_utf16();
    }
    line.len()
}

fn add_to_hover(result: &mut Value, word: &str) -> Option<()> {
    let documentation = documentation(word)?;
    let before = match result["contents"]["value"].as_str() {
        Some(text) => format!("{}\n\n---\n\n", text.trim_end()),
        None => String::new(),
    };
    if result.is_null() {
        *result = json!({});
    }
    result["contents"] = json!({
        "kind": "markdown",
        "value": format!("{before}`{word}`: {documentation}\n"),
    });
    Some(())
}

fn add_to_item(item: &mut Value, word: &str) {
    let Some(label) = item["label"].as_str() else {
        return;
    };
    let op = match word.split_once('.') {
        Some((dialect, _)) if !label.contains('.') => format!("{dialect}.{label}"),
        _ => label.to_owned(),
    };
    let Some(documentation) = documentation(&op) else {
        return;
    };
    item["documentation"] = json!({"kind": "markdown", "value": documentation});
    if let Some(summary) = summary(&op) {
        item["detail"] = json!(summary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module {\n  // é𝄞 soac.fold\n  %r = soac.ma\n}";

    fn client() -> Client {
        let mut client = Client::default();
        client.says(&json!({
            "method": "textDocument/didOpen",
            "params": {"textDocument": {"uri": "file:///a", "text": TEXT}},
        }));
        client
    }

    fn ask(client: &mut Client, method: &str, line: u64, character: u64) {
        client.says(&json!({
            "id": 7,
            "method": format!("textDocument/{method}"),
            "params": {
                "textDocument": {"uri": "file:///a"},
                "position": {"line": line, "character": character},
            },
        }));
    }

    #[test]
    fn hovers_have_documentation() {
        let mut client = client();
        ask(&mut client, "hover", 1, 13);
        let answer = client.is_told(&json!({"id": 7, "result": null})).unwrap();
        let text = answer["result"]["contents"]["value"].as_str().unwrap();
        assert!(text.starts_with("`soac.fold`: _"), "{text}");
        assert_eq!(client.is_told(&json!({"id": 7, "result": null})), None);
        ask(&mut client, "hover", 1, 13);
        let shown = json!({"contents": {"kind": "markdown", "value": "generic"}, "range": 1});
        let answer = client.is_told(&json!({"id": 7, "result": shown})).unwrap();
        let text = answer["result"]["contents"]["value"].as_str().unwrap();
        assert!(
            text.starts_with("generic\n\n---\n\n`soac.fold`: _"),
            "{text}"
        );
        assert_eq!(answer["result"]["range"], 1);
        ask(&mut client, "hover", 2, 3);
        assert_eq!(client.is_told(&json!({"id": 7, "result": null})), None);
    }

    #[test]
    fn completions_have_documentation() {
        let mut client = client();
        ask(&mut client, "completion", 2, 14);
        let items = json!({"items": [{"label": "map", "detail": "operation"}, {"label": "main"},
            {"label": "fold"}]});
        let answer = client.is_told(&json!({"id": 7, "result": items})).unwrap();
        let items = &answer["result"]["items"];
        assert_eq!(items[0]["detail"], summary("soac.map").unwrap());
        assert_eq!(
            items[0]["documentation"]["value"],
            documentation("soac.map").unwrap()
        );
        assert_eq!(items[1], json!({"label": "main"}));
        assert_eq!(items.as_array().unwrap().len(), 2);
    }

    #[test]
    fn the_mark_of_utf_8_is_a_space_for_the_server() {
        let mut client = Client::default();
        let open = |text: &str| {
            json!({
                "method": "textDocument/didOpen",
                "params": {"textDocument": {"uri": "file:///a", "version": 3, "text": text}},
            })
        };
        assert_eq!(
            client.says(&open("\u{feff}module {}")),
            Some(vec![open(" module {}")])
        );
        assert_eq!(client.says(&open("module {}")), None);
    }

    #[test]
    fn strange_messages_are_left_alone() {
        let mut client = client();
        for message in [json!(null), json!([]), json!({"id": 7, "method": 3})] {
            assert_eq!(client.says(&message), None);
            assert_eq!(client.is_told(&message), None);
        }
        ask(&mut client, "hover", 99, 99);
        assert_eq!(
            client.is_told(&json!({"id": 7, "error": {"code": 1}})),
            None
        );
    }
}
