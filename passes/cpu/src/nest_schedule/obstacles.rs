//! What speaks against computing several iterations of a loop at once, in lanes or by threads.
//!
//! Cost: quadratic in the accesses to arrays that a loop both reads and writes, unless all go on in equal steps; linear
//! in all else.

use std::collections::HashMap;

use melior::ir::r#type::{IntegerType, MemRefType, RankedTensorType};
use melior::ir::{
    BlockLike, OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::{
    cast::{cast, is_a},
    view::{OpView, definition, op_name, uses},
};
use thiserror::Error;

use super::{
    accesses::{Access, Reach, Slope, locals, slope},
    scatters,
    sums::stages,
};
use comb_fuse::fuse::captures::captured;
use comb_kit::{
    commutativity::is_commutative,
    element_types::{array_element, bits_in_memory},
    walk::operations,
};
use comb_nest::{
    elements::{accesses::Scope, numbers::Numbers},
    nests::Nest,
};

use crate::lanes::is_elementwise;

/// Why several iterations of a loop are not computed at once.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Obstacle {
    /// An op has no form for vectors.
    #[error("'{0}' has no form for vectors")]
    Op(String),
    /// A number has no vectors.
    #[error("there are no vectors of {0}")]
    Element(String),
    /// A scan or filter inside goes from element to element.
    #[error("a loop inside has a '{0}', which goes from element to element")]
    Inside(&'static str),
    /// It is in something that runs one iteration after the other.
    #[error("it is in a '{0}', and all in that runs one iteration after the other")]
    Around(String),
    /// There is a scan, filter or scatter in it.
    #[error("it has a '{0}'")]
    Has(&'static str),
    /// A loop stands in a branch.
    #[error("a loop inside stands in a '{0}'")]
    Branch(String),
    /// An iteration has an array of its own.
    #[error("each iteration has an array of its own")]
    Local,
    /// The length of a loop inside depends on the iteration.
    #[error("a loop inside is not as long in all iterations")]
    InnerLength,
    /// There is nothing to jam.
    #[error("there is no loop inside")]
    NoInnerLoop,
    /// A loop inside carries what the loop carries.
    #[error("a loop inside goes on with what this one carries")]
    GoesOnInside,
    /// A fold of the loop takes its elements in order.
    #[error("a fold over it and over loops inside takes elements in order")]
    Order,
    /// Where a filter puts its elements is used as a number.
    #[error("what is kept is not only written, side by side")]
    Position,
    /// An iteration may read what another one writes.
    #[error("an iteration may read, or write again, what another one has written")]
    ReadsWritten,
    /// Scans or filters depend on each other.
    #[error("of its scans and filters, each depends on another one")]
    Circular,
    /// A part of the loop is not summed up without writing anything.
    #[error("what it scans or filters is computed in a '{0}' that writes arrays, too")]
    WritesInside(String),
    /// A part of the loop is summed up before anything is written.
    #[error("what it scans or filters is read from an array that it has written before")]
    ReadsOwn,
    /// An array is neither local nor from outside.
    #[error("what it scans or filters is in an array that a '{0}' makes at each iteration")]
    Allocates(String),
    /// A number is changed in more than one way.
    #[error("what it carries is changed by more than one op, or together with something else")]
    ChangedTwice,
    /// A neutral element is not known before the loop.
    #[error("a neutral element is not known before the loop")]
    Neutral,
    /// An operator is not the same at all iterations.
    #[error("an operator uses what an iteration computes")]
    Operator,
    /// Another iteration may write the same.
    #[error("a 'nest.scatter' may write the same element in two iterations")]
    Scatters,
    /// The program wishes it so.
    #[error("the program wishes that a 'nest.scatter' is done in order")]
    InOrder,
    /// An operator allows no tables.
    #[error("the program wishes tables for a 'nest.scatter' whose operator allows none")]
    NoTables,
    /// Records are not counted.
    #[error(
        "it is not known before how many elements a 'nest.scatter' has, and tables would change its bits"
    )]
    Unbounded,
    /// A destination is small.
    #[error("what it scatters into is small, and tables would change its bits")]
    SmallDestination,
    /// A schedule does not say how.
    #[error("it has a 'nest.scatter', for which the schedule needs {0}")]
    Unsaid(&'static str),
}

/// What speaks against lanes.
pub fn to_lanes<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    stands_in_loops(nest)?;
    for op in nest.deep_ops() {
        if op_name(op) == "nest.local" {
            return Err(Obstacle::Local);
        }
        has_vector_form(nest, op)?;
    }
    for op in &nest.ops {
        keeps_side_by_side(*op)?;
    }
    is_put_together(nest)?;
    reads_no_written(nest)?;
    match nest.is_innermost() {
        true => Ok(()),
        false => around_loops(nest),
    }
}

/// What speaks against lanes of a loop that holds loops, besides.
fn around_loops<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    for op in nest.deep_ops() {
        match op_name(op) {
            "nest.scan" => {
                let view = OpView::of(op);
                let accumulators = &view.operands[view.group(1)];
                if accumulators.iter().any(|&value| nest.carries(value)) {
                    return Err(Obstacle::Inside("nest.scan"));
                }
            }
            "nest.keep" => return Err(Obstacle::Inside("nest.keep")),
            "nest.scatter" => return Err(Obstacle::Inside("nest.scatter")),
            "nest.fold" => {
                let view = OpView::of(op);
                let accumulators = &view.operands[view.group(1)];
                let is_carried = accumulators.iter().any(|&value| nest.carries(value));
                if is_carried && !is_commutative(&view) {
                    return Err(Obstacle::Order);
                }
            }
            _ => {}
        }
    }
    inner_loops_are_alike(nest)
}

/// The loops inside stand in no branch, and are as long in all iterations.
fn inner_loops_are_alike<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    let mut loops: Vec<&Nest> = nest.inner.iter().collect();
    while let Some(inner) = loops.pop() {
        let around = inner.op.parent_operation().map_or("", |op| op_name(op));
        if around != "nest.loop" {
            return Err(Obstacle::Branch(around.to_owned()));
        }
        let length = inner.length();
        if length.is_some_and(|length| slope(nest, length) != Slope::Same) {
            return Err(Obstacle::InnerLength);
        }
        loops.extend(&inner.inner);
    }
    Ok(())
}

/// Nothing around it but loops of the kernel, filters and branches.
fn stands_in_loops<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    match nest.sequential_around() {
        Some(around) => Err(Obstacle::Around(around.to_owned())),
        None => Ok(()),
    }
}

/// What parts of the loop have carried can be put together.
fn is_put_together<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    if !nest.is_changed_once() {
        return Err(Obstacle::ChangedTwice);
    }
    let ops = nest.deep_ops().into_iter();
    let mut combining = ops.filter(|&op| matches!(op_name(op), "nest.fold" | "nest.scan"));
    let is_known = |value: Value<'c, 'a>| {
        let constant = definition(value).is_some_and(|op| op_name(op) == "arith.constant");
        constant || !nest.defines(value)
    };
    let are_known = combining.all(|op| {
        let view = OpView::of(op);
        view.operands[view.group(2)]
            .iter()
            .all(|&neutral| is_known(neutral))
    });
    if !are_known {
        return Err(Obstacle::Neutral);
    }
    let ops = nest.deep_ops().into_iter();
    let mut operators = ops.filter(|&op| match op_name(op) {
        "nest.fold" | "nest.scan" => {
            let view = OpView::of(op);
            let mut accumulators = view.operands[view.group(1)].iter();
            accumulators.any(|&value| nest.carries(value))
        }
        name => name == "nest.scatter",
    });
    match operators.all(|op| captured(op).into_iter().all(is_known)) {
        true => Ok(()),
        false => Err(Obstacle::Operator),
    }
}

/// What speaks against unrolling a loop and jamming the loops inside.
pub fn to_jam<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    if nest.is_innermost() {
        return Err(Obstacle::NoInnerLoop);
    }
    for op in nest.deep_ops() {
        match op_name(op) {
            "nest.scan" => return Err(Obstacle::Has("nest.scan")),
            "nest.keep" => return Err(Obstacle::Has("nest.keep")),
            "nest.scatter" => return Err(Obstacle::Has("nest.scatter")),
            _ => {}
        }
    }
    let inits = nest
        .inner
        .iter()
        .flat_map(|inner| inner.op.operands().skip(1));
    let mut numbers = inits.filter(|init| !is_array(init.r#type()));
    if numbers.any(|init| nest.carries(init)) {
        return Err(Obstacle::GoesOnInside);
    }
    inner_loops_are_alike(nest)?;
    reads_no_written(nest)
}

/// What speaks against threads of a CPU that share the iterations.
pub fn to_threads<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    to_parts(nest)?;
    scatters::shared(nest).map(|_| ())
}

/// What speaks against threads that share the iterations, and scatter as soon as they can.
pub fn to_unordered_threads<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    to_parts(nest)?;
    scatters::in_any_order(nest)
}

/// What speaks against parts of the loop that run at once, but for scatters.
fn to_parts<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    stands_in_loops(nest)?;
    is_put_together(nest)?;
    reads_no_written(nest)?;
    stages(nest).map(|_| ())
}

/// What a loop writes is read, or written by another op, at the same iteration only.
fn reads_no_written<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    if nest.op.has_attribute(nest_dialect::INDEPENDENT) {
        return Ok(());
    }
    let locals = locals(nest);
    let mut scope = Scope {
        numbers: &mut Numbers::at(nest.op),
        op: nest.op,
    };
    let mut by_array: HashMap<usize, Vec<(usize, bool, Reach)>> = HashMap::new();
    for (number, op) in nest.deep_ops().into_iter().enumerate() {
        for access in Access::of(op) {
            if !locals.contains(&access.root()) {
                let reach = access.reach(&mut scope);
                let known = by_array.entry(access.root()).or_default();
                known.push((number, access.is_write, reach));
            }
        }
    }
    for accesses in by_array.values() {
        let all: Vec<&Reach> = accesses.iter().map(|(_, _, reach)| reach).collect();
        if Reach::are_apart(&all, &mut scope) {
            continue;
        }
        for (number, _, write) in accesses.iter().filter(|(_, is_write, _)| *is_write) {
            let mut others = accesses.iter().filter(|(other, ..)| other != number);
            if !others.all(|(_, _, access)| access.is_apart_from(write, &mut scope)) {
                return Err(Obstacle::ReadsWritten);
            }
        }
    }
    Ok(())
}

/// What a filter keeps goes next to each other in memory, and its place is nothing else.
fn keeps_side_by_side(op: OperationRef) -> Result<(), Obstacle> {
    if op_name(op) != "nest.keep" {
        return Ok(());
    }
    let view = OpView::of(op);
    let block = view.block().ok_or(Obstacle::Position)?;
    let position: Value = block.argument(0).map_err(|_| Obstacle::Position)?.into();
    let is_written = |(user, operand): (OperationRef, usize)| {
        let stands_in_it = user.parent_operation().is_some_and(|around| around == op);
        let is_all = operand == 2 && user.operand_count() == 3;
        op_name(user) == "nest.write" && is_all && stands_in_it
    };
    let is_only_written = uses(position).into_iter().all(is_written);
    let carries_numbers = view.operands[2..]
        .iter()
        .any(|value| !is_array(value.r#type()));
    match is_only_written && !carries_numbers {
        true => Ok(()),
        false => Err(Obstacle::Position),
    }
}

pub(super) fn is_array(r#type: Type) -> bool {
    is_a::<RankedTensorType>(r#type) || is_a::<MemRefType>(r#type)
}

/// Ops that have forms of their own.
const STRUCTURE: &[&str] = &[
    "memref.load",
    "nest.fold",
    "nest.keep",
    "nest.read",
    "nest.scan",
    "nest.scatter",
    "nest.write",
    "nest.yield",
    "scf.condition",
    "scf.if",
    "scf.yield",
    "soac.check",
    "tensor.extract",
];

/// Ops that are the same in all lanes.
const SIZES: &[&str] = &["memref.cast", "memref.dim", "tensor.dim"];

fn has_vector_form<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Obstacle> {
    let name = op_name(op);
    if SIZES.contains(&name) {
        return Ok(());
    }
    let is_plain_branch = || {
        let inside = operations(op);
        inside
            .iter()
            .all(|inner| !matches!(op_name(*inner), "scf.for" | "scf.forall" | "scf.while"))
    };
    let is_known = match name {
        "scf.if" => is_plain_branch(),
        "scf.for" => runs_alike(nest, op),
        "scf.while" => carries_numbers(op) && holds_no_loops(op),
        name => STRUCTURE.contains(&name) || is_elementwise(name),
    };
    if !is_known {
        return Err(Obstacle::Op(name.to_owned()));
    }
    let operands = op.operands().map(|value| value.r#type());
    let results = op.results().map(|result| result.r#type());
    for r#type in operands.chain(results) {
        has_vectors(r#type)?;
    }
    Ok(())
}

/// Whether an `scf.for` runs as often in all iterations of a loop, and carries numbers only.
fn runs_alike<'c: 'a, 'a>(nest: &Nest<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let operands: Vec<Value> = op.operands().collect();
    let (bounds, inits) = operands.split_at(operands.len().min(3));
    let is_same = |&bound: &Value<'c, 'a>| slope(nest, bound) == Slope::Same;
    let carries_arrays = inits.iter().any(|init| is_array(init.r#type()));
    bounds.iter().all(is_same) && !carries_arrays && holds_no_loops(op)
}

/// Whether no array goes from one round of an `scf.while` to the next, or from one of its blocks to the other.
fn carries_numbers(op: OperationRef) -> bool {
    let operands = op.operands().map(|value| value.r#type());
    let results = op.results().map(|result| result.r#type());
    !operands.chain(results).any(is_array)
}

fn holds_no_loops(op: OperationRef) -> bool {
    let mut inside = operations(op).into_iter();
    inside.all(|inner| op_name(inner) != "nest.loop")
}

fn has_vectors(r#type: Type) -> Result<(), Obstacle> {
    let of_array = array_element(r#type);
    let (element, in_memory) = (of_array.unwrap_or(r#type), of_array.is_some());
    let has_them = match cast::<IntegerType>(element) {
        Some(integer) if in_memory => matches!(integer.width(), 1 | 8 | 16 | 32 | 64),
        Some(integer) => integer.width() <= 64,
        None => element.is_index() || is_float(element),
    };
    match has_them {
        true => Ok(()),
        false => Err(Obstacle::Element(element.to_string())),
    }
}

fn is_float(r#type: Type) -> bool {
    r#type.is_f16() || r#type.is_bf16() || r#type.is_f32() || r#type.is_f64()
}

/// With so many lanes, LLVM 22 ends with a trap at what a filter keeps of bytes, for AVX-512.
pub const COMPRESSED: u64 = 8;

/// Whether a filter of a loop keeps numbers of 8 bits.
pub fn keeps_bytes(nest: &Nest) -> bool {
    let is_kept = |op: OperationRef| {
        let around = op.parent_operation();
        around.is_some_and(|around| op_name(around) == "nest.keep")
    };
    let mut writes = nest
        .ops
        .iter()
        .filter(|&&op| op_name(op) == "nest.write" && is_kept(op));
    writes.any(|op| {
        let value = op.operand(0).map(|value| bits_in_memory(value.r#type()));
        value.is_ok_and(|bits| bits == 8)
    })
}
