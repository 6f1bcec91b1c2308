//! What each result of a structured op is: a map, or a fold with an op that is known to be associative.

use melior::ir::{
    BlockLike, OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::Values,
    view::{definition, op_name, uses},
};

use super::{
    body::Part,
    nest::Nest,
    reason::Reason,
    searches::{self, Search},
};
use comb_kit::{
    checks::affine::Expression, known_sizes::known_size, neutral::Neutral, walk::operations,
};

/// Results of one set of loops.
pub(super) struct Group<'c, 'a> {
    /// The loops that the results have as dimensions, in the order of the first of them.
    pub(super) kept: Vec<usize>,
    /// The loops that are folded.
    pub(super) folded: Vec<usize>,
    /// What is computed in each iteration.
    pub(super) part: Part<'c, 'a>,
    /// One for each value of the part.
    pub(super) outputs: Vec<Output<'c, 'a>>,
}

/// A result.
pub(super) struct Output<'c, 'a> {
    /// Its number.
    pub(super) number: usize,
    /// The loop that each dimension belongs to; none of a dimension of size 1.
    pub(super) dimensions: Vec<Option<usize>>,
    /// How iterations are combined.
    pub(super) accumulation: Accumulation<'c, 'a>,
}

/// How iterations that write the same element are combined.
pub(super) enum Accumulation<'c, 'a> {
    /// There is one for each element.
    None,
    /// By an op.
    Op(Combiner<'c, 'a>),
    /// As the best number of a search.
    Search(Search<'c, 'a>),
    /// As the place of that number, which is another result of the group.
    Place,
}

/// An op that combines what was accumulated with what an iteration computes.
#[derive(Clone, Copy)]
pub(super) struct Combiner<'c, 'a> {
    /// The op.
    pub(super) op: OperationRef<'c, 'a>,
    /// Whether what was accumulated is its first operand.
    pub(super) is_first: bool,
}

/// Results, in groups.
///
/// # Errors
///
/// Why combinators do not express one of them.
pub(super) fn groups<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<Vec<Group<'c, 'a>>, Reason> {
    if let Some(nested) = nested(nest) {
        return Err(nested);
    }
    let yielded: Values = match nest.block.terminator() {
        Some(end) => end.operands().collect(),
        None => vec![],
    };
    let searches = searches::all(nest, &yielded);
    let mut sets: Vec<Set> = vec![];
    for (number, &value) in yielded.iter().enumerate() {
        let (dimensions, kept) = written(nest, number)?;
        let (accumulation, computed) = accumulation(nest, &searches, (number, value), &kept)?;
        let output = Output {
            number,
            dimensions,
            accumulation,
        };
        match sets.iter_mut().find(|set| set.has_loops(&kept)) {
            Some(set) => {
                set.outputs.push(output);
                set.values.push(computed);
            }
            None => sets.push(Set {
                kept,
                outputs: vec![output],
                values: vec![computed],
            }),
        }
    }
    let groups: Vec<_> = sets.into_iter().map(|set| set.group(nest)).collect();
    require_own_accumulators(nest, &groups)?;
    Ok(groups)
}

/// Results of one set of loops, and what is computed for them.
struct Set<'c, 'a> {
    kept: Vec<usize>,
    outputs: Vec<Output<'c, 'a>>,
    values: Values<'c, 'a>,
}

impl<'c: 'a, 'a> Set<'c, 'a> {
    fn has_loops(&self, kept: &[usize]) -> bool {
        self.kept.len() == kept.len() && kept.iter().all(|r#loop| self.kept.contains(r#loop))
    }

    fn group(self, nest: &Nest<'c, 'a>) -> Group<'c, 'a> {
        let loops = 0..nest.loops();
        Group {
            folded: loops.filter(|r#loop| !self.kept.contains(r#loop)).collect(),
            part: Part::of(nest.block, &self.values),
            kept: self.kept,
            outputs: self.outputs,
        }
    }
}

/// How iterations that write the same element of a result are combined, and what each of them computes.
fn accumulation<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    searches: &[Search<'c, 'a>],
    (number, value): (usize, Value<'c, 'a>),
    kept: &[usize],
) -> Result<(Accumulation<'c, 'a>, Value<'c, 'a>), Reason> {
    if kept.len() == nest.loops() {
        return Ok((Accumulation::None, value));
    }
    require_reduction(nest, number, kept)?;
    if let Some(&search) = searches.iter().find(|search| search.best == number) {
        return Ok((Accumulation::Search(search), search.number));
    }
    if let Some(search) = searches.iter().find(|search| search.place == number) {
        return Ok((Accumulation::Place, search.own_place));
    }
    let (combiner, computed) = combiner(nest, number, value)?;
    Ok((Accumulation::Op(combiner), computed))
}

/// What an element has when an iteration begins is known if no other iteration writes it. Otherwise, only what
/// accumulates may read it.
fn require_own_accumulators(nest: &Nest, groups: &[Group]) -> Result<(), Reason> {
    let accumulated = groups.iter().filter(|group| !group.folded.is_empty());
    for output in accumulated.flat_map(|group| &group.outputs) {
        let argument = nest.inputs + output.number;
        if groups.iter().any(|group| group.part.needs(argument)) {
            return Err(Reason::Accumulator(output.number));
        }
    }
    Ok(())
}

/// Iterations that write the same element are those of loops that may combine what they write, and read what is
/// there.
fn require_reduction(nest: &Nest, number: usize, kept: &[usize]) -> Result<(), Reason> {
    let is_parallel = |r#loop: usize| {
        !kept.contains(&r#loop)
            && nest.parallel.contains(&r#loop)
            && nest.known_size(r#loop) != Some(1)
    };
    let accumulator = nest.argument(nest.inputs + number);
    let is_read = accumulator.is_some_and(|accumulator| !uses(accumulator).is_empty());
    match is_read && !(0..nest.loops()).any(is_parallel) {
        true => Ok(()),
        false => Err(Reason::Overwritten(number)),
    }
}

/// An op with loops of its own in the region.
fn nested(nest: &Nest) -> Option<Reason> {
    let owner = nest.block.parent_operation()?;
    let mut inside = operations(owner).into_iter();
    let found = inside.find(|&op| {
        op_name(op).starts_with("linalg.")
            && !matches!(op_name(op), "linalg.index" | "linalg.yield")
    })?;
    Some(Reason::Nested(op_name(found).to_owned()))
}

/// The loops that a result has as dimensions.
fn written(nest: &Nest, number: usize) -> Result<(Vec<Option<usize>>, Vec<usize>), Reason> {
    let operand = nest.inputs + number;
    let (mut dimensions, mut kept) = (vec![], vec![]);
    for (axis, index) in nest.indices[operand].iter().enumerate() {
        match index {
            Expression::Loop(r#loop) if !kept.contains(r#loop) => {
                kept.push(*r#loop);
                dimensions.push(Some(*r#loop));
            }
            Expression::Constant(0) if known_size(nest.operands[operand], axis) == Some(1) => {
                dimensions.push(None);
            }
            _ => return Err(Reason::Written(number)),
        }
    }
    Ok((dimensions, kept))
}

/// The op that accumulates a result, and what it accumulates.
fn combiner<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    number: usize,
    yielded: Value<'c, 'a>,
) -> Result<(Combiner<'c, 'a>, Value<'c, 'a>), Reason> {
    let accumulator = nest.argument(nest.inputs + number);
    let uses = uses(accumulator.ok_or(Reason::Overwritten(number))?);
    let unknown = |by: &str| {
        let by = by.to_owned();
        Err(Reason::Accumulation { result: number, by })
    };
    let Some(op) = definition(yielded).filter(|op| op.block() == Some(nest.block)) else {
        return unknown("a value that does not change");
    };
    let name = op_name(op);
    let element = RankedTensorType::try_from(nest.operands[nest.inputs + number].r#type());
    let element = element.map(|array| array.element());
    let is_known = element.is_ok_and(|element| Neutral::of(name, element).is_some());
    if !is_known {
        return unknown(&format!("'{name}'"));
    }
    match uses[..] {
        [(user, position)] if user == op => {
            let computed = op.operand(1 - position);
            let computed = computed.map_err(|_| Reason::Accumulator(number))?;
            let is_first = position == 0;
            Ok((Combiner { op, is_first }, computed))
        }
        [_] => unknown("more than one op"),
        _ => Err(Reason::Accumulator(number)),
    }
}
