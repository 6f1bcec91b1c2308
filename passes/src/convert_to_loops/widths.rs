//! How many iterations of a loop are computed at once.
//!
//! The innermost loops are made of vector code, if there is vector code for all
//! that is in them. A vector has as many lanes as fit 64 bytes, of the narrowest
//! numbers that are computed with, but of the widest ones no more than fit 128;
//! loops that only fold have four times as many, so that additions do not wait for
//! each other.

use comb_machine::tuning::{
    VECTOR_BITS,
    widths::{FOLDED_AT_ONCE, LITTLE, MORE, MOST_SCANNED, SHORTEST},
};
use melior::ir::{
    BlockLike, OperationRef, RegionLike, Type, TypeLike, ValueLike,
    operation::OperationLike,
    r#type::{IntegerType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::view::op_name;

use super::{
    applications::{Applications, Site},
    lanes::is_elementwise,
    plan::{Item, Kind, Leaf, Loop, Plan},
};
pub(super) use crate::element_types::{bits, bits_in_memory, element};
use crate::{
    commutativity::is_commutative, fuse::work::instructions, transformations::Transformation,
    walk::operations,
};

/// The number of lanes of a loop.
pub(super) fn width(applications: &Applications, r#loop: &Loop) -> u64 {
    let applies = |transformation| applications.applies(transformation, Site::Loop(r#loop.id));
    let (lanes, at_once) = possible_width(applications.plan, r#loop);
    if lanes == 1 || !applies(Transformation::Vectors) {
        return 1;
    }
    match at_once > 1 && applies(Transformation::Accumulators) {
        true => lanes * at_once,
        false => lanes,
    }
}

/// The number of lanes of a loop, and how many vectors it takes at once.
fn possible_width(plan: &Plan, r#loop: &Loop) -> (u64, u64) {
    const NO_VECTORS: (u64, u64) = (1, 1);
    let leaves: Option<Vec<&Leaf>> = r#loop
        .items
        .iter()
        .map(|item| match item {
            Item::Leaf(leaf) => Some(&plan.leaves[*leaf]),
            Item::Loop(_) => None,
        })
        .collect();
    let Some(leaves) = leaves else {
        return NO_VECTORS;
    };
    if r#loop
        .length
        .known()
        .is_some_and(|length| (length as i64) < SHORTEST)
    {
        return NO_VECTORS;
    }
    if !leaves.iter().all(|leaf| is_vectorizable(plan, leaf)) {
        return NO_VECTORS;
    }
    let lanes = lanes_of_numbers(&leaves);
    let folds_only = leaves.iter().all(|leaf| match leaf.kind {
        Kind::Fold => is_commutative(&leaf.view),
        Kind::Filter => false,
        _ => !leaf.is_scan(),
    });
    let has_fold = leaves.iter().any(|leaf| leaf.kind == Kind::Fold);
    let ops = ops_in(leaves.iter().copied());
    let at_once = match ops.max(float_instructions_in(&leaves)) {
        ops if folds_only && has_fold && ops <= LITTLE => FOLDED_AT_ONCE,
        ops if folds_only && has_fold && ops <= MORE => FOLDED_AT_ONCE / 2,
        _ => 1,
    };
    (lanes, at_once)
}

/// The number of lanes of a loop of vector code, without those that are there so that
/// additions do not wait for each other.
pub(super) fn vector_width(plan: &Plan, r#loop: &Loop) -> u64 {
    lanes_of_numbers(&plan.leaves_of(r#loop).collect::<Vec<_>>())
}

/// How many lanes a vector has of the numbers that combinators compute with.
pub(super) fn lanes_of_numbers(leaves: &[&Leaf]) -> u64 {
    let (narrow, wide) = bits_computed(leaves);
    let most = match leaves.iter().any(|leaf| leaf.is_scan()) {
        true => MOST_SCANNED,
        false => VECTOR_BITS,
    };
    (VECTOR_BITS / narrow).min(2 * VECTOR_BITS / wide).min(most)
}

/// How many ops the functions of combinators have.
pub(super) fn ops_in<'s, 'c: 'a, 'a: 's>(leaves: impl Iterator<Item = &'s Leaf<'c, 'a>>) -> usize {
    // Each ends with an op that only yields.
    leaves
        .map(|leaf| operations(leaf.op).len().saturating_sub(1))
        .sum()
}

/// How many additions the floating-point ops of combinators' functions take as long as. (Integers
/// are mostly of indices, of which few are computed for each lane.)
fn float_instructions_in(leaves: &[&Leaf]) -> usize {
    let ops = leaves.iter().flat_map(|leaf| operations(leaf.op));
    let floats = ops.filter(|op| {
        op.results()
            .any(|result| is_float(element(result.r#type())))
    });
    floats.map(instructions).sum::<f64>() as usize
}

/// Whether there is vector code for a combinator.
pub(super) fn is_vectorizable(plan: &Plan, leaf: &Leaf) -> bool {
    let in_memory = |r#type: Type| match RankedTensorType::try_from(r#type) {
        Ok(array) => has_vectors_in_memory(array.element()),
        Err(_) => true,
    };
    let arrays = leaf
        .view
        .operands
        .iter()
        .map(|operand| operand.r#type())
        .chain(leaf.results().map(|array| plan.arrays[array].r#type));
    !leaf.has_inner_arrays()
        && arrays.into_iter().all(in_memory)
        && operations(leaf.op).into_iter().all(has_vector_form)
}

/// Whether a vector of numbers is in memory as the numbers are one by one. That of `i1`
/// is made to be by `comb-expand-bool-vectors`. That of `bf16` is moved as integers
/// (`comb-expand-bf16-vectors`).
fn has_vectors_in_memory(element: Type) -> bool {
    match IntegerType::try_from(element) {
        Ok(integer) => matches!(integer.width(), 1 | 8 | 16 | 32 | 64),
        Err(_) => element.is_index() || is_float(element),
    }
}

fn has_vector_form(op: OperationRef) -> bool {
    let is_known = match op_name(op) {
        "soac.check" | "soac.yield" | "scf.if" | "scf.yield" => true,
        "tensor.extract" => op.operand(0).is_ok_and(|array| {
            RankedTensorType::try_from(array.r#type())
                .is_ok_and(|array| has_vectors_in_memory(array.element()))
        }),
        "tensor.dim" => return true,
        name => is_elementwise(name),
    };
    is_known
        && op
            .operands()
            .filter(|operand| RankedTensorType::try_from(operand.r#type()).is_err())
            .map(|operand| operand.r#type())
            .chain(op.results().map(|result| result.r#type()))
            .all(is_number)
}

fn is_number(r#type: Type) -> bool {
    match IntegerType::try_from(r#type) {
        Ok(integer) => integer.width() <= 64,
        Err(_) => r#type.is_index() || is_float(r#type),
    }
}

fn is_float(r#type: Type) -> bool {
    r#type.is_f16() || r#type.is_bf16() || r#type.is_f32() || r#type.is_f64()
}

/// The bits of the narrowest and of the widest numbers that combinators compute with.
fn bits_computed(leaves: &[&Leaf]) -> (u64, u64) {
    let mut bits: Vec<u64> = leaves.iter().flat_map(|leaf| bits_of(leaf)).collect();
    bits.retain(|&bits| bits >= 8);
    let narrow = bits.iter().copied().min().unwrap_or(64);
    (narrow, bits.into_iter().max().unwrap_or(64))
}

/// The bits of the numbers that a combinator computes with, without indices, most
/// of which are computed once for all lanes.
fn bits_of(leaf: &Leaf) -> Vec<u64> {
    let block = leaf
        .view
        .regions
        .first()
        .and_then(|region| region.first_block());
    let arguments = block.into_iter().flat_map(|block| {
        let arguments = 0..block.argument_count();
        let types = arguments.filter_map(move |position| block.argument(position).ok());
        types.map(|argument| argument.r#type()).collect::<Vec<_>>()
    });
    let arrays = leaf.view.operands.iter().map(|operand| operand.r#type());
    let results = leaf.view.result_types.iter().copied();
    let computed = operations(leaf.op)
        .into_iter()
        .filter(|&op| is_elementwise(op_name(op)) || op_name(op) == "tensor.extract")
        .flat_map(|op| {
            op.results()
                .map(|result| result.r#type())
                .collect::<Vec<_>>()
        });
    let in_memory = arrays
        .chain(results)
        .map(element)
        .filter(|element| !element.is_index())
        .map(bits_in_memory);
    arguments
        .map(element)
        .chain(computed)
        .map(bits)
        .chain(in_memory)
        .collect()
}
