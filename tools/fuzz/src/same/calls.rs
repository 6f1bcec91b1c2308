//! The calls that comments of a program name.

use std::str::FromStr;

use super::SameError;

/// What a comment with a call begins with: FileCheck takes it for what the part of the output
/// begins with that belongs to the call. `{LITERAL}` may follow, without which FileCheck takes `[[` for a variable.
pub(super) const MARK: &str = "CALL-LABEL";

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// As it is written.
    pub(super) line: String,
    /// The function.
    pub(super) entry: String,
    /// What `comb run -i` takes after `NAME=`, in the order of the parameters. There are no spaces in it.
    pub(super) arguments: Vec<String>,
}

impl FromStr for Call {
    type Err = SameError;

    fn from_str(line: &str) -> Result<Self, SameError> {
        let mut words = line.split_whitespace().map(str::to_owned);
        Ok(Self {
            line: line.to_owned(),
            entry: words.next().ok_or(SameError::NoFunction)?,
            arguments: words.collect(),
        })
    }
}

/// The calls that a text names, in order.
pub(super) fn named(text: &str) -> Vec<Call> {
    text.lines().filter_map(in_comment).collect()
}

fn in_comment(line: &str) -> Option<Call> {
    let comment = line.trim_start().strip_prefix("//")?.trim_start();
    let rest = comment.strip_prefix(MARK)?;
    let rest = rest.strip_prefix("{LITERAL}").unwrap_or(rest);
    rest.strip_prefix(':')?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_comments() {
        let text = "// CALL-LABEL: f iota:i32[9] 3\n// GIVES: 7\n  // CALL-LABEL{LITERAL}: g [[1],[2]]\n\
                    // CALL: h\n// CALL-LABEL:\n";
        let words: Vec<_> = named(text)
            .into_iter()
            .map(|call| (call.entry, call.arguments))
            .collect();
        let owned = |words: &[&str]| {
            words
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words,
            [
                ("f".to_owned(), owned(&["iota:i32[9]", "3"])),
                ("g".to_owned(), owned(&["[[1],[2]]"]))
            ]
        );
    }
}
