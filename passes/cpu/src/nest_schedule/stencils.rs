//! Which rows of arrays a loop reads: reads of one array at indices that differ by constants only.
//!
//! A bound that keeps an index inside an array does not matter here: this only says what is worth to be
//! fetched.
//!
//! Cost: quadratic in the reads of a loop.

use std::collections::BTreeMap;

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    cast::Parts,
    view::{definition, op_name},
};

use super::accesses::{Access, Slope, slope};
use comb_kit::checks::facts::{constant, key};
use comb_nest::nests::Nest;

/// Reads of one array, by the constants in their indices.
struct Stencil<'c, 'a> {
    array: usize,
    /// What the indices have in common.
    varying: Vec<usize>,
    reads: BTreeMap<Vec<i64>, OperationRef<'c, 'a>>,
}

/// Of each array that a loop reads several rows of, the reads that are farthest ahead in so many of the last
/// rows.
pub fn last_rows<'c: 'a, 'a>(nest: &Nest<'c, 'a>, rows: u64) -> Vec<OperationRef<'c, 'a>> {
    let mut found: Vec<Stencil> = vec![];
    let in_body = nest.ops.iter().copied();
    let reads =
        in_body.filter(|op| op_name(*op) == "nest.read" && op.parent_operation() == Some(nest.op));
    for read in reads
        .flat_map(Access::of)
        .filter(|read| goes_along(nest, read))
    {
        let parts = read.index().iter().map(|&value| without_constant(value));
        let (varying, constants): (Vec<Value>, Vec<i64>) = parts.unzip();
        let varying: Vec<usize> = varying.into_iter().map(key).collect();
        let array = read.root();
        let mut known = found.iter_mut();
        match known.find(|known| known.array == array && known.varying == varying) {
            Some(known) => {
                known.reads.insert(constants, read.op);
            }
            None => found.push(Stencil {
                array,
                varying,
                reads: BTreeMap::from([(constants, read.op)]),
            }),
        }
    }
    let stencils = found.iter();
    stencils.flat_map(|stencil| stencil.lasts(rows)).collect()
}

/// Whether a read goes along rows, but for bounds.
fn goes_along<'c: 'a, 'a>(nest: &Nest<'c, 'a>, read: &Access<'c, 'a>) -> bool {
    let last = read.index().last();
    last.is_some_and(|&last| slope(nest, without_constant(last).0) == Slope::Step(1))
}

impl<'c: 'a, 'a> Stencil<'c, 'a> {
    fn lasts(&self, rows: u64) -> Vec<OperationRef<'c, 'a>> {
        let mut lasts: BTreeMap<&[i64], OperationRef> = BTreeMap::new();
        for (constants, &read) in &self.reads {
            if let Some((_, row)) = constants.split_last() {
                lasts.insert(row, read);
            }
        }
        match lasts.len() {
            0 | 1 => vec![],
            _ => lasts.into_values().rev().take(rows as usize).collect(),
        }
    }
}

/// What a number is the sum of: another number and a constant.
fn without_constant<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> (Value<'c, 'a>, i64) {
    let mut sum = 0_i64;
    while let Some((next, constant)) = definition(value).and_then(less_constant) {
        (value, sum) = (next, sum.wrapping_add(constant));
    }
    (value, sum)
}

/// The operand of an op that adds a constant, or keeps a number within a bound.
fn less_constant<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, i64)> {
    let [left, right] = [op.operand_at(0)?, op.operand_at(1)?];
    match (op_name(op), constant(left), constant(right)) {
        ("arith.addi", _, Some(number)) => Some((left, number)),
        ("arith.addi", Some(number), _) => Some((right, number)),
        ("arith.subi", _, Some(number)) => Some((left, number.wrapping_neg())),
        ("arith.maxsi" | "arith.minsi", ..) => match is_in_loop(left) {
            true => Some((left, 0)),
            false => Some((right, 0)),
        },
        _ => None,
    }
}

/// Whether a number is computed in a loop of a kernel.
fn is_in_loop(value: Value) -> bool {
    definition(value).is_some_and(|op| {
        op.parent_operation()
            .is_some_and(|around| op_name(around) == "nest.loop")
    })
}
