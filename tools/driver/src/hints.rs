//! What the author of a program may have meant: notes that are added to MLIR's messages about
//! words that it does not know, and about syntax.
//!
//! Pure functions of a message, the line that it is about, and the words that there are.

use soac_dialect::reference;

use crate::diagnostics::{Diagnostic, Severity};

/// What other languages call types of elements.
const OTHER_TYPES: [(&str, &str); 22] = [
    ("float16", "f16"),
    ("half", "f16"),
    ("bfloat16", "bf16"),
    ("float32", "f32"),
    ("float", "f32"),
    ("float64", "f64"),
    ("double", "f64"),
    ("bool", "i1"),
    ("boolean", "i1"),
    ("char", "i8"),
    ("byte", "i8"),
    ("int8", "i8"),
    ("int16", "i16"),
    ("int32", "i32"),
    ("int", "i32"),
    ("int64", "i64"),
    ("long", "i64"),
    ("uint8", "i8 {soac.unsigned}"),
    ("uint16", "i16 {soac.unsigned}"),
    ("uint32", "i32 {soac.unsigned}"),
    ("uint64", "i64 {soac.unsigned}"),
    ("size_t", "index"),
];

/// What other languages call combinators.
const OTHER_COMBINATORS: [(&str, &str); 18] = [
    ("reduce", "fold"),
    ("sum", "fold"),
    ("foldl", "fold"),
    ("foldr", "fold"),
    ("scan", "scanl' or 'soac.scanr"),
    ("prefix_sum", "scanl"),
    ("cumsum", "scanl"),
    ("compress", "filter"),
    ("take_while", "filter"),
    ("where", "filter"),
    ("permute", "transpose"),
    ("scatter_add", "scatter"),
    ("histogram", "scatter"),
    ("broadcast", "replicate"),
    ("repeat", "replicate"),
    ("arange", "iota"),
    ("flip", "reverse"),
    ("roll", "rotate"),
];

const TYPES: [&str; 15] = [
    "tensor", "memref", "vector", "tuple", "complex", "index", "i1", "i8", "i16", "i32", "i64",
    "f16", "bf16", "f32", "f64",
];

/// The words that a program may use.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    /// The names of ops, with their dialects.
    pub ops: Vec<String>,
    /// The names of dialects, of which all ops may not be known.
    pub dialects: Vec<String>,
}

/// Adds to a message what may have been meant, if it is one that can be explained.
pub(crate) fn explain(diagnostic: &mut Diagnostic, vocabulary: impl FnOnce() -> Vocabulary) {
    let message = diagnostic.message.as_str();
    let note = if let Some(op) = unknown_op(message).map(str::to_owned) {
        let hint = artifact(&op).or_else(|| meant_op(&op, &vocabulary()));
        if hint.is_some() {
            // Upstream lists all dialects there.
            diagnostic.notes.clear();
        }
        diagnostic.message = format!("custom op '{op}' is unknown");
        hint
    } else if message.starts_with("'func.return' op expects parent op 'func.func'") {
        Some(ENDINGS.to_owned())
    } else if message.starts_with("expected non-function type")
        || message.starts_with("expected type")
    {
        word_at(diagnostic).and_then(|word| meant_type(&word))
    } else if let Some(scalar) = scalar_for_array(message) {
        Some(format!(
            "it is an array, if of rank 0: write tensor<{scalar}>, and take its element by \
             tensor.extract %array[]"
        ))
    } else if let Some(hint) = misused(message) {
        Some(hint.to_owned())
    } else if message == "dialect 'soac' provides no type parsing hook" {
        Some("soac has no types of its own: arrays are tensors, such as tensor<?xf32>".to_owned())
    } else if message.starts_with("expected") || message.starts_with("custom op 'soac.") {
        example_of_line(diagnostic)
    } else {
        None
    };
    if let Some(message) = note {
        diagnostic.notes.push(Diagnostic {
            severity: Severity::Note,
            position: None,
            message,
            notes: vec![],
        });
    }
}

/// The type of a scalar that stands for the result of a combinator.
fn scalar_for_array(message: &str) -> Option<&str> {
    let (op, rest) = message.split_once("' op result #")?;
    let (expected, found) = rest.split_once(", but got '")?;
    let is_scalar = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_lowercase())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let is_array = op.starts_with("'soac.") && expected.contains("array (ranked tensor");
    let found = found.strip_suffix('\'')?;
    (is_array && is_scalar(found)).then_some(found)
}

/// What combinators do that were given, or give, arrays of another rank than they should.
fn misused(message: &str) -> Option<&'static str> {
    if message.starts_with("'soac.replicate' op operand #0") {
        Some("soac.fill repeats a scalar: soac.fill %scalar [%n] gives an array of %n times it")
    } else if message.starts_with("'soac.fold' op has results (") {
        Some(
            "a fold reduces the innermost dimension; 'inner 2' behind the neutral elements reduces \
             two",
        )
    } else if message.starts_with("'soac.generate' op has a lambda of (") {
        Some("its lambda is given an index for each dimension of the array")
    } else {
        None
    }
}

/// The op that a message of the parser says is unknown.
fn unknown_op(message: &str) -> Option<&str> {
    let rest = match message.strip_prefix("custom op ") {
        Some(rest) => Some(rest).filter(|rest| rest.contains("is unknown"))?,
        None => {
            let rest = message.strip_prefix("Dialect `")?;
            rest.split_once("not found for custom op ")?.1
        }
    };
    rest.strip_prefix('\'')?.split('\'').next()
}

/// What to do about an op of a portable artifact in text.
fn artifact(op: &str) -> Option<String> {
    op.starts_with("vhlo.").then(|| {
        "ops of vhlo are read in bytecode, as 'jax.export' writes it; in text, those of stablehlo".to_owned()
    })
}

/// What may have been meant by the name of an op.
fn meant_op(op: &str, vocabulary: &Vocabulary) -> Option<String> {
    match op {
        "return" => return Some(ENDINGS.to_owned()),
        "module" => {
            return Some("a module stands at the top of a file, or in another module".to_owned());
        }
        _ => {}
    }
    let ops = || vocabulary.ops.iter().map(String::as_str);
    let meant = match op.split_once('.') {
        None => {
            let same: Vec<&str> = ops()
                .filter(|name| name.split_once('.').is_some_and(|(_, rest)| rest == op))
                .collect();
            match same.as_slice() {
                [] => nearest(op, ["return", "module", "func.func"].into_iter())?.to_owned(),
                same => same.join("' or '"),
            }
        }
        Some((dialect, rest)) => {
            let dialects = vocabulary.dialects.iter().map(String::as_str);
            let repaired = nearest(dialect, dialects).map(|dialect| format!("{dialect}.{rest}"));
            let named = repaired.as_deref().unwrap_or(op);
            other_combinator(named)
                .or_else(|| nearest_all(named, ops()))
                .or_else(|| nearest_suffix(rest, ops()).map(str::to_owned))?
        }
    };
    Some(format!("did you mean '{meant}'?"))
}

/// The combinator that other languages call as a program does.
fn other_combinator(op: &str) -> Option<String> {
    let word = op.strip_prefix("soac.")?;
    let known = OTHER_COMBINATORS.iter().find(|(other, _)| *other == word);
    known.map(|(_, meant)| format!("soac.{meant}"))
}

/// How bodies end.
const ENDINGS: &str = "a lambda ends with soac.yield, a body of scf with scf.yield, and only a function \
                       with return";

/// An op of another dialect, with the same name behind the dialect's.
fn nearest_suffix<'a>(rest: &str, mut ops: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    ops.find(|name| name.split_once('.').is_some_and(|(_, other)| other == rest))
}

/// What may have been meant by the name of a type.
fn meant_type(word: &str) -> Option<String> {
    let other = OTHER_TYPES.iter().find(|(other, _)| *other == word);
    let meant = match other {
        Some((_, meant)) => meant,
        None => nearest(word, TYPES.into_iter())?,
    };
    Some(format!("did you mean '{meant}'?"))
}

/// The word that is least far away, if it is near: the first of several.
fn nearest<'a>(word: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    near(word, words)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// The words that are least far away, if they are near; the first if they are many.
fn nearest_all<'a>(word: &str, words: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut near: Vec<_> = near(word, words).collect();
    near.sort_by_key(|(distance, _)| *distance);
    let least = near.first()?.0;
    near.retain(|(distance, _)| *distance == least);
    let words = near.iter().map(|(_, other)| *other);
    let shown = match near.len() {
        2 | 3 => words.collect::<Vec<_>>(),
        _ => words.take(1).collect(),
    };
    Some(shown.join("' or '"))
}

fn near<'a>(
    word: &str,
    words: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = (usize, &'a str)> {
    let most = (word.chars().count() / 3).max(1);
    words
        .map(move |other| (strsim::damerau_levenshtein(word, other), other))
        .filter(move |(distance, _)| *distance <= most)
}

/// The word at the place of a message.
fn word_at(diagnostic: &Diagnostic) -> Option<String> {
    let position = diagnostic.position.as_ref()?;
    let text = position
        .text
        .as_ref()?
        .get(position.column.checked_sub(1)?..)?
        .trim_start();
    let is_part = |letter: &char| letter.is_ascii_alphanumeric() || "_.".contains(*letter);
    let word: String = text.chars().take_while(is_part).collect();
    Some(word).filter(|word| !word.is_empty())
}

/// An example of the op of `soac` or `nest` that the line of a message writes in another way.
fn example_of_line(diagnostic: &Diagnostic) -> Option<String> {
    let position = diagnostic.position.as_ref()?;
    let text = position.text.as_ref()?;
    let before = text.get(..position.column - 1).unwrap_or(text);
    let dialects = ["soac.", "nest."].iter();
    let whole = match dialects.filter_map(|dialect| before.rfind(dialect)).max() {
        Some(start) => &before[start..],
        None => text.get(position.column - 1..)?,
    };
    let is_part = |letter: &char| letter.is_ascii_alphanumeric() || "_.".contains(*letter);
    let op: String = whole.chars().take_while(is_part).collect();
    let example = reference::example(&op)?;
    Some(format!("{op} is written as in\n{example}"))
}

/// The op that a message is about, if its place shows one.
fn op_at(diagnostic: &Diagnostic) -> Option<String> {
    word_at(diagnostic).filter(|word| word.contains('.') && !word.ends_with('.'))
}

/// Gives messages of MLIR's passes that name no op the name of the one at their place.
pub(crate) fn name_op(diagnostic: &mut Diagnostic) {
    const FREED: &str = "memory free side-effect on MemRef value not supported!";
    let op = || op_at(diagnostic).map_or_else(|| "an op".to_owned(), |op| format!("'{op}' op"));
    let message = match diagnostic.message.as_str() {
        "op was not bufferized" => format!(
            "{} was not bufferized: comb does not know how to compute it in memory",
            op()
        ),
        "ops with unknown memory side effects are not supported" => {
            format!("{} may do anything to memory, and cannot be compiled", op())
        }
        FREED => format!(
            "{} frees memory, which is not supported: arrays are freed when nobody needs them any \
             more",
            op()
        ),
        _ => return,
    };
    diagnostic.message = message;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Position;

    fn explained(message: &str, text: &str, column: usize) -> (String, Vec<String>) {
        let mut diagnostic = Diagnostic {
            severity: Severity::Error,
            position: Some(Position {
                file: "a.mlir".to_owned(),
                line: 1,
                column,
                text: Some(text.to_owned()),
            }),
            message: message.to_owned(),
            notes: vec![],
        };
        let words = |words: &str| words.split(' ').map(str::to_owned).collect();
        explain(&mut diagnostic, || Vocabulary {
            ops: words("soac.map soac.fold soac.filter tensor.dim arith.constant func.return"),
            dialects: words("soac tensor arith func llvm"),
        });
        let notes = diagnostic.notes.into_iter().map(|note| note.message);
        (diagnostic.message, notes.collect())
    }

    #[test]
    fn misspelt_ops_and_dialects_are_repaired() {
        for (op, meant) in [
            ("soac.mapp", "soac.map"),
            ("soac.fol", "soac.fold"),
            ("soac.Filter", "soac.filter"),
            ("arith.constnt", "arith.constant"),
        ] {
            let message = format!("custom op '{op}' is unknown");
            assert_eq!(
                explained(&message, "", 1),
                (message.clone(), vec![format!("did you mean '{meant}'?")])
            );
        }
        for (op, meant) in [
            ("tensr.dim", "tensor.dim"),
            ("tesnor.dmi", "tensor.dim"),
            ("sac.dim", "tensor.dim"),
        ] {
            let message = format!("Dialect `x' not found for custom op '{op}' ");
            let (_, notes) = explained(&message, "", 1);
            assert_eq!(notes, [format!("did you mean '{meant}'?")]);
        }
        let (_, notes) = explained("custom op 'soac.telephone' is unknown", "", 1);
        assert!(notes.is_empty());
    }

    #[test]
    fn ops_without_dialect_and_wrong_endings_are_explained() {
        let message = "Dialect `' not found for custom op 'return'  (tried '.return' as well)";
        let (message, notes) = explained(message, "", 1);
        assert_eq!(message, "custom op 'return' is unknown");
        assert_eq!(notes, [ENDINGS]);
        let message = "custom op 'dim' is unknown (tried 'func.dim' as well)";
        assert_eq!(explained(message, "", 1).1, ["did you mean 'tensor.dim'?"]);
        let message = "custom op 'retrun' is unknown (tried 'func.retrun' as well)";
        assert_eq!(explained(message, "", 1).1, ["did you mean 'return'?"]);
        let message = "'func.return' op expects parent op 'func.func'";
        assert_eq!(explained(message, "", 1).1, [ENDINGS]);
    }

    #[test]
    fn types_of_other_languages_are_known() {
        for (word, meant) in [
            ("float32", "f32"),
            ("tensro", "tensor"),
            ("uint8", "i8 {soac.unsigned}"),
        ] {
            let text = format!("(%x: {word}<3>)");
            let (_, notes) = explained("expected non-function type", &text, 5);
            assert_eq!(notes, [format!("did you mean '{meant}'?")]);
        }
    }

    #[test]
    fn misused_combinators_are_explained() {
        for (message, start) in [
            (
                "'soac.replicate' op operand #0 must be variadic of array (ranked tensor without \
                 encoding) of f32 values, but got 'f32'",
                "soac.fill repeats a scalar",
            ),
            (
                "'soac.fold' op has results (tensor<f32>), but its operands say (tensor<?xf32>)",
                "a fold reduces the innermost dimension",
            ),
            (
                "'soac.generate' op has a lambda of (i32), expected (index)",
                "its lambda is given an index",
            ),
        ] {
            let (_, notes) = explained(message, "", 1);
            assert!(notes.len() == 1 && notes[0].starts_with(start), "{notes:?}");
        }
    }

    #[test]
    fn results_of_combinators_are_arrays() {
        let message = "'soac.fold' op result #0 must be variadic of array (ranked tensor without \
                       encoding) of i1 to i64, but got 'f32'";
        let (_, notes) = explained(message, "", 1);
        assert!(notes[0].contains("write tensor<f32>"), "{notes:?}");
        let message = message.replace("'f32'", "'memref<?xf32>'");
        assert!(explained(&message, "", 1).1.is_empty());
    }

    #[test]
    fn syntax_errors_show_an_example() {
        let text = "%r = soac.fold %x init %z : f32";
        for (message, column) in [
            ("custom op 'soac.fold' expected 'neutral'", 6),
            ("expected SSA operand", 20),
        ] {
            let (_, notes) = explained(message, text, column);
            assert!(
                notes[0].starts_with("soac.fold is written as in\n"),
                "{notes:?}"
            );
            assert!(notes[0].contains("neutral"), "{notes:?}");
        }
        assert!(
            explained("expected SSA operand", "%r = arith.addf x", 17)
                .1
                .is_empty()
        );
    }
}
