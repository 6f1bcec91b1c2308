//! What reports call the arrays and ops of a block: as the program does.
//!
//! * A parameter or result of the function with the attribute `soac.name` has that
//!   name.
//! * Otherwise a value has its name in the text (`%xs` is `xs`), if the text is at
//!   hand ([`SourceText`]) and the name is no number. An op with several results
//!   has the name that they have together (`%p:2 = …` is `p`). Sugar that becomes several ops gives each the name
//!   of its result.
//! * Otherwise a parameter is `argN`.
//! * Otherwise an op has its mnemonic in the text, and a number. A check that the
//!   text does not have is named after what it is for.
//!
//! Of several ops that one of the text has become, the first that is the same op has
//! the plain name, or else the last: what sugar ends with. No
//! two nodes of a block have the same: what comes later gets a number.
//!
//! Cost: linear in the number of nodes, but for numbers of equal names, and for sugar of several arrays.

use std::collections::{BTreeSet, HashMap};

use comb_fusion::graph::NodeId;
use melior::ir::{Location, OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    parameters::{Side, explicit_name},
    text::shown,
    view::{argument_of, as_argument, as_result, op_name},
};

use super::problem::Meaning;
use comb_kit::walk::op_key;

/// The text of a program.
pub trait SourceText {
    /// What an op at a location is called, and its results.
    fn op(&self, location: Location) -> Option<Written>;

    /// What a block's argument at a location is called, unless it is a number.
    fn argument(&self, argument: Value) -> Option<String>;
}

/// No text is at hand.
pub struct NoText;

impl SourceText for NoText {
    fn op(&self, _: Location) -> Option<Written> {
        None
    }

    fn argument(&self, _: Value) -> Option<String> {
        None
    }
}

/// An op, as the text has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The op's name, such as `soac.map`.
    pub op: String,
    /// The names of its results, each for so many of them.
    pub results: Vec<(String, usize)>,
}

impl Written {
    /// The name of a result, of so many, unless it is a number.
    fn result(&self, number: usize, count: usize) -> Option<String> {
        let known: usize = self.results.iter().map(|&(_, count)| count).sum();
        if known != count {
            return None;
        }
        let mut first = 0;
        for (name, count) in &self.results {
            if number < first + count {
                return match count {
                    1 => as_word(name),
                    _ => as_word(name).map(|name| format!("{name}#{}", number - first)),
                };
            }
            first += count;
        }
        None
    }

    /// The name of all results together.
    fn together(&self) -> Option<String> {
        match self.results.as_slice() {
            [(name, _)] => as_word(name),
            _ => None,
        }
    }

    fn mnemonic(&self) -> &str {
        mnemonic(&self.op)
    }
}

fn as_word(name: &str) -> Option<String> {
    let first = name.chars().next()?;
    (!first.is_ascii_digit()).then(|| name.to_owned())
}

fn mnemonic(op: &str) -> &str {
    op.split_once('.').map_or(op, |(_, mnemonic)| mnemonic)
}

/// The name of a value that a function's last op returns, by its attribute.
pub fn of_result(end: OperationRef, position: usize) -> Option<String> {
    if op_name(end) != "func.return" {
        return None;
    }
    let function = end.parent_operation()?;
    explicit_name(function, Side::Results, position).map(|name| shown(&name))
}

/// The name of a block's argument.
pub fn of_argument(argument: Value, text: &dyn SourceText) -> Option<String> {
    let (parent, number) = argument_of(argument)?;
    let is_parameter = op_name(parent) == "func.func";
    if is_parameter && let Some(name) = explicit_name(parent, Side::Parameters, number) {
        return Some(shown(&name));
    }
    let in_text = text.argument(argument);
    in_text.or_else(|| is_parameter.then(|| format!("arg{number}")))
}

/// The names of all nodes.
pub fn names(
    meanings: &[Meaning],
    result_names: &HashMap<NodeId, String>,
    text: &dyn SourceText,
) -> Vec<String> {
    let naming = Naming {
        meanings,
        result_names,
        text,
    };
    naming.names()
}

/// What op the text has where an op is, if the text is at hand: sugar, perhaps.
pub fn op(op: OperationRef, text: &dyn SourceText) -> String {
    match written(op, text) {
        Some(written) => written.op,
        None => op_name(op).to_owned(),
    }
}

/// Whether the text has an op, and not only another one that it was made for. An assertion is a check.
pub fn is_written(op: OperationRef, text: &dyn SourceText) -> bool {
    let name = op_name(op);
    text.op(op.location()).is_some_and(|written| {
        written.op == name || (name == "soac.check" && written.op == "cf.assert")
    })
}

/// What the text has for an op, if it is that op, or sugar for combinators, or a front end's op that
/// has become combinators.
fn written(op: OperationRef, text: &dyn SourceText) -> Option<Written> {
    let written = text.op(op.location())?;
    let is_combinator = op_name(op).starts_with("soac.");
    let is_sugar = is_combinator
        && ["soac.", "jax.", "linalg.", "stablehlo.", "chlo.", "tensor."]
            .iter()
            .any(|dialect| written.op.starts_with(dialect));
    (is_sugar || op_name(op) == written.op).then_some(written)
}

/// Sugar that gives several arrays, and becomes an op for each.
const SPLIT: &[&str] = &["soac.cross", "soac.fill"];

struct Naming<'n, 'c, 'a> {
    meanings: &'n [Meaning<'c, 'a>],
    result_names: &'n HashMap<NodeId, String>,
    text: &'n dyn SourceText,
}

impl Naming<'_, '_, '_> {
    fn names(&self) -> Vec<String> {
        let wanted: Vec<Option<String>> = (0..self.meanings.len())
            .map(|node| self.wanted(node))
            .collect();
        let mut chief: HashMap<(&str, usize), NodeId> = HashMap::new();
        for (node, name) in wanted.iter().enumerate() {
            if let Some(name) = name {
                let known = chief.entry((name, self.origin(node))).or_insert(node);
                if !self.is_as_written(*known) {
                    *known = node;
                }
            }
        }
        let is_chief =
            |node: NodeId, name: &str| chief.get(&(name, self.origin(node))) == Some(&node);
        let mut names = vec![String::new(); self.meanings.len()];
        let mut taken = Taken::default();
        for first in [true, false] {
            for (node, name) in wanted.iter().enumerate() {
                if let Some(name) = name.as_ref().filter(|name| is_chief(node, name) == first) {
                    names[node] = taken.name(name);
                }
            }
        }
        let mut ops: HashMap<usize, NodeId> = HashMap::new();
        for node in 0..names.len() {
            if let Meaning::Op(op) = self.meanings[node] {
                ops.insert(op_key(op), node);
            }
            if names[node].is_empty() {
                names[node] = match self.meanings[node] {
                    Meaning::Result(op, number) => {
                        let whole = ops.get(&op_key(op));
                        let whole = whole.map_or("", |&whole| names[whole].as_str());
                        taken.name(&format!("{whole}#{number}"))
                    }
                    _ => taken.numbered(&self.mnemonic(node)),
                };
            }
        }
        names
    }

    /// The name that the program gives a node.
    fn wanted(&self, node: NodeId) -> Option<String> {
        if let Some(name) = self.result_names.get(&node) {
            return Some(name.clone());
        }
        match self.meanings[node] {
            Meaning::Input(array) => self.of_input(array),
            Meaning::Op(op) => match op.result_count() {
                0 => self.of_check(op),
                1 => {
                    let written = self.written(op)?;
                    written.result(0, 1).or_else(|| self.of_part(op, &written))
                }
                _ => self.written(op)?.together(),
            },
            Meaning::Result(op, number) => self.written(op)?.result(number, op.result_count()),
        }
    }

    /// The name of one of the arrays of sugar that has become one op for each, in order.
    fn of_part(&self, op: OperationRef, written: &Written) -> Option<String> {
        if !SPLIT.contains(&written.op.as_str()) {
            return None;
        }
        let location = op.location();
        let parts = self.meanings.iter().filter_map(|meaning| match *meaning {
            Meaning::Op(part) if part.location() == location => Some(op_key(part)),
            _ => None,
        });
        let parts: Vec<usize> = parts.collect();
        let number = parts.iter().position(|&part| part == op_key(op))?;
        written.result(number, parts.len())
    }

    fn of_input(&self, array: Value) -> Option<String> {
        if let Some(result) = as_result(array) {
            let op = result.owner();
            return self
                .written(op)?
                .result(result.result_number(), op.result_count());
        }
        of_argument(array, self.text)
    }

    fn written(&self, op: OperationRef) -> Option<Written> {
        written(op, self.text)
    }

    /// Whether a node's op is the same in the text.
    fn is_as_written(&self, node: NodeId) -> bool {
        let op = self.meanings[node].op();
        op.is_some_and(|op| {
            let written = self.text.op(op.location());
            written.is_some_and(|written| written.op == op_name(op))
        })
    }

    /// What a check is for, if the text does not have the check.
    fn of_check(&self, op: OperationRef) -> Option<String> {
        let written = self.text.op(op.location())?;
        if op_name(op) != "soac.check" || written.op == "soac.check" {
            return None;
        }
        let names = written.results.iter().filter_map(|(name, _)| as_word(name));
        let names: Vec<String> = names.collect();
        match names.is_empty() {
            true => None,
            false => Some(format!("check of {}", names.join(", "))),
        }
    }

    /// What a node without a name is numbered with.
    fn mnemonic(&self, node: NodeId) -> String {
        match self.meanings[node] {
            Meaning::Input(array) if as_argument(array).is_some() => "arg".to_owned(),
            Meaning::Input(_) => "array".to_owned(),
            Meaning::Op(op) | Meaning::Result(op, _) => {
                let written = self.written(op);
                let written = written.as_ref().map(Written::mnemonic);
                written.unwrap_or_else(|| mnemonic(op_name(op))).to_owned()
            }
        }
    }

    /// Where a node's op is in the text; a value is where it is by itself.
    fn origin(&self, node: NodeId) -> usize {
        match self.meanings[node] {
            Meaning::Input(value) => value.to_raw().ptr as usize,
            Meaning::Op(op) | Meaning::Result(op, _) => op.location().to_raw().ptr as usize,
        }
    }
}

/// The names that nodes have.
#[derive(Default)]
struct Taken {
    names: BTreeSet<String>,
    /// By word, the last number that was tried.
    numbers: HashMap<String, usize>,
}

impl Taken {
    /// A name, or else that with a number.
    fn name(&mut self, wanted: &str) -> String {
        match self.names.insert(wanted.to_owned()) {
            true => wanted.to_owned(),
            false => self.free(&format!("{wanted}."), 2),
        }
    }

    /// A word with a number.
    fn numbered(&mut self, word: &str) -> String {
        self.free(word, 1)
    }

    fn free(&mut self, word: &str, first: usize) -> String {
        let number = self.numbers.entry(word.to_owned()).or_insert(first);
        loop {
            let name = format!("{word}{number}");
            *number += 1;
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }
}
