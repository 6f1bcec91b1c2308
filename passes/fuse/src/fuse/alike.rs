//! Gathers that read at the same places are one, if what they read is computed from one array, and
//! one combinator reads what they give.
//!
//! Fusion gives each gather an order of its own, in which its source may be computed. So what two
//! gathers read can share a loop with them, but not what both of that is computed from, such as a map with
//! two results: that would have two orders. One gather of several arrays has one order.
//!
//! One gather is in one loop. So two become one only if nothing is lost by it:
//! * Some combinator reads what both give, directly or through maps, and nothing else in between makes one wait for the
//!   other.
//! * Or one map gives what both read, and gives it to nobody else, and nothing that depends on both waits for one of them.
//!
//! Two gathers read at the same places if they are given the same arrays of indices, or have the same
//! sizes and lambdas that do the same; equal values outside of lambdas are taken to be one value,
//! as after `cse`.
//!
//! Cost: linear in the size of the block, and in the square of the number of gathers whose sources
//! are computed from one array.

use std::collections::{BTreeSet, HashMap, HashSet};

use melior::ir::{
    BlockLike, BlockRef, OperationRef, Value, ValueLike, operation::OperationLike,
    r#type::ShapedTypeLike,
};
use soac_dialect::{
    builder::{Builder, Values},
    view::{OpView, definition, named_attributes, op_name, uses},
};

use super::captures::captured;
use comb_kit::{
    checks::facts::key,
    inline_copy::lambda_copy,
    pass_error::PassError,
    switches::Switches,
    transformations::Transformation,
    walk::{in_block_from, op_key},
};

use crate::fuse::wishes::is_bound;

/// Combinators that read operands in the order of their loops.
const READERS: &[&str] = &[
    "soac.filter",
    "soac.fold",
    "soac.map",
    "soac.scanl",
    "soac.scanr",
    "soac.scatter",
];

/// Makes one of gathers that read at the same places in a block, as long as there are such.
pub(super) fn merge<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    while let Some((first, second)) = Gathers::of(block).alike()
        && switches.applies(Transformation::AlikeGathers, second.location())
    {
        merge_two(first, second)?;
    }
    Ok(())
}

/// The gathers of a block, by number, and what depends on them.
struct Gathers<'c, 'a> {
    gathers: Vec<OperationRef<'c, 'a>>,
    /// For each gather: the combinators that its sources are computed by.
    origins: Vec<BTreeSet<usize>>,
    /// By op, in order: the gathers that it depends on.
    after: Sets,
    /// The gathers that a combinator reads, directly or through maps, and does not wait for otherwise.
    read: Vec<BTreeSet<usize>>,
    /// The gathers that a combinator depends on, and those of them that it waits for.
    needed: Vec<(BTreeSet<usize>, BTreeSet<usize>)>,
}

type Sets = HashMap<usize, BTreeSet<usize>>;

fn union(sets: &Sets, ops: &[usize]) -> BTreeSet<usize> {
    let sets = ops.iter().filter_map(|op| sets.get(op));
    sets.flatten().copied().collect()
}

impl<'c: 'a, 'a> Gathers<'c, 'a> {
    fn of(block: BlockRef<'c, 'a>) -> Self {
        let mut found = Self {
            gathers: vec![],
            origins: vec![],
            after: HashMap::new(),
            read: vec![],
            needed: vec![],
        };
        let ops: Vec<OperationRef<'c, 'a>> = in_block_from(block.first_operation()).collect();
        if ops.iter().filter(|&&op| is_gather(op)).count() < 2 {
            return found;
        }
        let here: HashSet<usize> = ops.iter().map(|&op| op_key(op)).collect();
        let mut computed_by: Sets = HashMap::new();
        // The gathers whose elements an op's are computed from by maps, and those that it depends on
        // otherwise.
        let mut mapped: Sets = HashMap::new();
        let mut waits: Sets = HashMap::new();
        for (number, &op) in ops.iter().enumerate() {
            let definitions = |values: Values<'c, 'a>| {
                let ops = values.into_iter().filter_map(definition);
                ops.map(op_key)
                    .filter(|op| here.contains(op))
                    .collect::<Vec<_>>()
            };
            let read = definitions(op.operands().collect());
            let captured = definitions(captured(op));
            let mut after = union(&found.after, &read);
            after.extend(union(&found.after, &captured));
            let mut waiting = union(&waits, &read);
            waiting.extend(union(&found.after, &captured));
            let reached = union(&mapped, &read);
            if READERS.contains(&op_name(op)) {
                found
                    .read
                    .push(reached.difference(&waiting).copied().collect());
            }
            let mut origins = union(&computed_by, &read);
            if op_name(op).starts_with("soac.") {
                origins.insert(number);
                found.needed.push((after.clone(), waiting.clone()));
            }
            if is_gather(op) {
                let view = OpView::of(op);
                let sources = definitions(view.operands[view.group(0)].to_vec());
                mapped.insert(op_key(op), BTreeSet::from([found.gathers.len()]));
                waits.insert(op_key(op), after.clone());
                after.insert(found.gathers.len());
                found.gathers.push(op);
                found.origins.push(union(&computed_by, &sources));
            } else if is_map(op) {
                mapped.insert(op_key(op), reached);
                waits.insert(op_key(op), waiting);
            } else {
                waits.insert(op_key(op), after.clone());
            }
            found.after.insert(op_key(op), after);
            computed_by.insert(op_key(op), origins);
        }
        found
    }

    /// The first two that are to be one.
    fn alike(&self) -> Option<(OperationRef<'c, 'a>, OperationRef<'c, 'a>)> {
        let gathers = || self.gathers.iter().copied().enumerate();
        gathers()
            .flat_map(|first| {
                gathers()
                    .skip(first.0 + 1)
                    .map(move |second| (first, second))
            })
            .find(|&((one, first), (other, second))| {
                let both = [one, other];
                let depends = self.after[&op_key(second)].contains(&one);
                !depends
                    && !self.origins[one].is_disjoint(&self.origins[other])
                    && (self.are_read_together(both) || self.are_computed_together(both))
                    && read_alike(first, second)
                    && self.may_wait(one, first, second)
            })
            .map(|((_, first), (_, second))| (first, second))
    }

    /// Whether a combinator reads what two gathers give.
    fn are_read_together(&self, both: [usize; 2]) -> bool {
        let mut read = self.read.iter();
        read.any(|read| both.iter().all(|gather| read.contains(gather)))
    }

    /// Whether one map gives what two gathers read, only to them, and what depends on both waits for neither.
    fn are_computed_together(&self, both: [usize; 2]) -> bool {
        let sources = both.iter().flat_map(|&gather| {
            let view = OpView::of(self.gathers[gather]);
            view.operands[view.group(0)].to_vec()
        });
        let mut makers = sources.map(definition);
        let Some(map) = makers.next().flatten().filter(|&op| is_map(op)) else {
            return false;
        };
        let mut readers = map.results().flat_map(|result| uses(result.into()));
        makers.all(|maker| maker == Some(map))
            && readers.all(|(reader, _)| both.iter().any(|&gather| self.gathers[gather] == reader))
            && self.needed.iter().all(|(needed, waits)| {
                !both.iter().all(|gather| needed.contains(gather))
                    || !both.iter().any(|gather| waits.contains(gather))
            })
    }

    /// Whether what depends on a gather, up to another one, may stand behind that one.
    fn may_wait(
        &self,
        number: usize,
        gather: OperationRef<'c, 'a>,
        until: OperationRef<'c, 'a>,
    ) -> bool {
        waiting(gather, until, |op| {
            self.after[&op_key(op)].contains(&number)
        })
        .into_iter()
        .all(|op| {
            op_name(op).starts_with("soac.")
                && !matches!(op_name(op), "soac.check" | "soac.external")
        })
    }
}

/// The ops between two others for which something holds.
fn waiting<'c: 'a, 'a>(
    first: OperationRef<'c, 'a>,
    last: OperationRef<'c, 'a>,
    holds: impl Fn(OperationRef<'c, 'a>) -> bool,
) -> Vec<OperationRef<'c, 'a>> {
    in_block_from(first.next_in_block())
        .take_while(|&op| op != last)
        .filter(|&op| holds(op))
        .collect()
}

fn is_gather(op: OperationRef) -> bool {
    matches!(op_name(op), "soac.gather" | "soac.backpermute") && !is_bound(op)
}

fn is_map(op: OperationRef) -> bool {
    op_name(op) == "soac.map" && OpView::of(op).integer("outer").is_none()
}

/// Whether two gathers read at the same places.
fn read_alike<'c: 'a, 'a>(first: OperationRef<'c, 'a>, second: OperationRef<'c, 'a>) -> bool {
    let (one, other) = (OpView::of(first), OpView::of(second));
    let rank = |view: &OpView<'c, 'a>| view.array(view.group(0).start).map(|array| array.rank());
    let places = |view: &OpView<'c, 'a>| -> Vec<usize> {
        let places = &view.operands[view.group(1)];
        places.iter().map(|&value| key(value)).collect()
    };
    one.name == other.name
        && rank(&one) == rank(&other)
        && places(&one) == places(&other)
        && attributes(first) == attributes(second)
        && match (one.block(), other.block()) {
            (Some(one), Some(other)) => do_alike(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
}

/// What is said of a gather, but for how many arrays it reads.
fn attributes(op: OperationRef) -> Vec<(String, String)> {
    named_attributes(op)
        .into_iter()
        .filter(|&(name, _)| name != "operandSegmentSizes")
        .map(|(name, attribute)| (name.to_owned(), attribute.to_string()))
        .collect()
}

/// Whether two lambdas without regions do the same.
fn do_alike<'c: 'a, 'a>(first: BlockRef<'c, 'a>, second: BlockRef<'c, 'a>) -> bool {
    let mut same: HashMap<usize, usize> = HashMap::new();
    let count = first.argument_count();
    if count != second.argument_count() {
        return false;
    }
    for number in 0..count {
        if let (Ok(one), Ok(other)) = (first.argument(number), second.argument(number)) {
            same.insert(key(one.into()), key(other.into()));
        }
    }
    let mut ops = in_block_from(first.first_operation());
    let mut others = in_block_from(second.first_operation());
    loop {
        let (op, other) = match (ops.next(), others.next()) {
            (None, None) => return true,
            (Some(op), Some(other)) => (op, other),
            _ => return false,
        };
        let is_same = |(one, other): (Value<'c, 'a>, Value<'c, 'a>)| {
            same.get(&key(one)).copied().unwrap_or(key(one)) == key(other)
        };
        let alike = op_name(op) == op_name(other)
            && op.operand_count() == other.operand_count()
            && op.result_count() == other.result_count()
            && op.regions().next().is_none()
            && other.regions().next().is_none()
            && attributes(op) == attributes(other)
            && op.operands().zip(other.operands()).all(is_same);
        if !alike {
            return false;
        }
        for (one, other) in op.results().zip(other.results()) {
            let (one, other) = (Value::from(one), Value::from(other));
            if one.r#type() != other.r#type() {
                return false;
            }
            same.insert(key(one), key(other));
        }
    }
}

/// Makes one of two gathers, where the second one is; what depends on the first one follows.
fn merge_two<'c: 'a, 'a>(
    first: OperationRef<'c, 'a>,
    second: OperationRef<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(second) else {
        return Ok(());
    };
    let (one, other) = (OpView::of(first), OpView::of(second));
    let sources = [&one.operands[one.group(0)], &other.operands[other.group(0)]].concat();
    let places = &one.operands[one.group(1)];
    let segments = [sources.len() as i32, places.len() as i32];
    let mut attributes = named_attributes(first);
    attributes.retain(|&(name, _)| name != "operandSegmentSizes");
    attributes.push(("operandSegmentSizes", builder.segments(&segments)));
    let types = [&one.result_types[..], &other.result_types].concat();
    let regions = lambda_copy(&builder, first)?.into_iter().collect();
    let operands = [&sources, places].concat();
    let new = builder.op(one.name, &operands, &types, &attributes, regions)?;
    let results: Values = new.results().map(Value::from).collect();
    let dependent = dependents(first, second);
    for op in dependent {
        builder.move_here(op);
    }
    builder.replace(first, &results[..one.result_types.len()]);
    builder.replace(second, &results[one.result_types.len()..]);
    Ok(())
}

/// The ops between two others that depend on the first one, in order.
fn dependents<'c: 'a, 'a>(
    first: OperationRef<'c, 'a>,
    last: OperationRef<'c, 'a>,
) -> Vec<OperationRef<'c, 'a>> {
    let mut found: Vec<OperationRef<'c, 'a>> = vec![];
    let mut known: HashSet<usize> = HashSet::from([op_key(first)]);
    for op in in_block_from(first.next_in_block()).take_while(|&op| op != last) {
        let used = op.operands().chain(captured(op));
        if used
            .filter_map(definition)
            .any(|by| known.contains(&op_key(by)))
        {
            known.insert(op_key(op));
            found.push(op);
        }
    }
    found
}
