//! What the text of a program calls ops and their results.
//!
//! MLIR forgets the names of values, but not where ops are: the names are in front
//! of the place.

use comb_passes::fuse::{SourceText, Written};
use melior::ir::{Location, Value};
use soac_dialect::text::shown;

use crate::{diagnostics::position, signature::source_name, source::Source};

/// The text of a program, for names.
pub(crate) struct ProgramText<'s>(pub &'s Source);

/// An op's results are in so many lines above its own at most.
const MOST_LINES: usize = 8;

impl SourceText for ProgramText<'_> {
    fn op(&self, location: Location) -> Option<Written> {
        self.written(location).or_else(|| primitive(location))
    }

    fn argument(&self, argument: Value) -> Option<String> {
        source_name(argument, self.0).map(|name| shown(&name))
    }
}

impl ProgramText<'_> {
    /// What the text has at a place.
    fn written(&self, location: Location) -> Option<Written> {
        if is_of_jax(&location.to_string()) {
            return None;
        }
        let position = position(location, self.0)?;
        let line = position.text?;
        let start = position.column.checked_sub(1)?;
        let (mut front, rest) = (line.get(..start)?.to_owned(), line.get(start..)?);
        for line in (1..position.line).rev().take(MOST_LINES) {
            let above = self.0.line_of(&position.file, line)?;
            if !above.trim_end().ends_with(['=', ',']) {
                break;
            }
            front = format!("{above}\n{front}");
        }
        Some(Written {
            op: op_name(rest)?,
            results: results(&front).unwrap_or_default(),
        })
    }
}

/// How a place begins that JAX gives an op: a path from the function, such as `jit(f)/while/body/exp`.
const JAX: &str = "loc(\"jit(";

fn is_of_jax(location: &str) -> bool {
    location.starts_with(JAX)
}

/// What JAX calls an op: values are named after the ops they come from, as Python's names are lost.
fn primitive(location: Location) -> Option<Written> {
    let name = last_of_path(&location.to_string())?;
    Some(Written {
        op: format!("jax.{name}"),
        results: vec![(name, 1)],
    })
}

/// The end of JAX's path, if it is a word.
fn last_of_path(location: &str) -> Option<String> {
    if !is_of_jax(location) {
        return None;
    }
    let (path, _) = location.strip_prefix("loc(\"")?.split_once('"')?;
    let (_, name) = path.rsplit_once('/')?;
    let is_word = name
        .chars()
        .all(|next| next.is_ascii_alphanumeric() || next == '_');
    (is_word && !name.is_empty()).then(|| name.to_owned())
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || "$._-:".contains(character)
}

/// The name of the op that a text begins with.
fn op_name(text: &str) -> Option<String> {
    let text = text.strip_prefix('"').unwrap_or(text);
    let is_of_op = |character: char| character.is_ascii_alphanumeric() || "._$".contains(character);
    let name: String = text.chars().take_while(|&next| is_of_op(next)).collect();
    name.contains('.').then_some(name)
}

/// The results that a text ends with, each for so many values: `%a, %b:2 =`.
fn results(front: &str) -> Option<Vec<(String, usize)>> {
    let mut left = front.trim_end().strip_suffix('=')?;
    let mut results = vec![];
    loop {
        left = left.trim_end();
        let before = left.trim_end_matches(is_of_name);
        let word = &left[before.len()..];
        let before = before.strip_suffix('%')?;
        let (name, count) = match word.split_once(':') {
            Some((name, count)) => (name, count.parse().ok()?),
            None => (word, 1),
        };
        results.push((name.to_owned(), count));
        match before.trim_end().strip_suffix(',') {
            Some(more) => left = more,
            None => break,
        }
    }
    results.reverse();
    Some(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(front: &str) -> Vec<(String, usize)> {
        results(front).unwrap_or_default()
    }

    #[test]
    fn results_stand_in_front_of_their_op() {
        let one = |name: &str, count| (name.to_owned(), count);
        assert_eq!(named("  %xs = "), [one("xs", 1)]);
        assert_eq!(named("%a, %b:2 ="), [one("a", 1), one("b", 2)]);
        assert_eq!(
            named("soac.yield %z : f32 } %a,\n  %b-1 =\n  "),
            [one("a", 1), one("b-1", 1)]
        );
        assert_eq!(named("  %0 = "), [one("0", 1)]);
        assert!(named("  x = ").is_empty());
        assert!(named("  ").is_empty());
    }

    #[test]
    fn jax_names_ops_by_a_path() {
        let name = |text| last_of_path(text);
        assert_eq!(name("loc(\"jit(f)/exp\")").as_deref(), Some("exp"));
        assert_eq!(
            name("loc(\"jit(f)/while/reduce_sum\"(\"f.py\":1:2))").as_deref(),
            Some("reduce_sum")
        );
        assert_eq!(name("loc(\"jit(f)/jit(g)\")"), None);
        assert_eq!(name("loc(\"jit(f)\")"), None);
        assert_eq!(name("loc(\"f.py\":1:2)"), None);
    }

    #[test]
    fn an_op_may_be_in_quotes() {
        assert_eq!(op_name("soac.map %x").as_deref(), Some("soac.map"));
        assert_eq!(op_name("\"scf.for\"(%x)").as_deref(), Some("scf.for"));
        assert_eq!(op_name("return %x"), None);
    }
}
