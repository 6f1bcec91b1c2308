//! Where loops are cut because an index wraps around: *index-set splitting*.
//!
//! An index like `(i + k) mod n` goes up by one from one iteration to the next, until it wraps around. In
//! the pieces between, what is read at it are neighbours, and no vector has to be asked whether they are.
//! All indices of a loop that wrap around have to do so at the same iterations.
//!
//! Pieces that are shorter than vectors would mostly be masks, so they have to have [`FEWEST_VECTORS`]. The
//! limit says that when the program runs; there is code for both.
//!
//! Source: index-set splitting, Wolfe (High Performance Compilers for Parallel Computing, 1996), chapter 9.
//!
//! Cost: linear in the ops of a loop.

use comb_lmad::Polynomial;
use comb_machine::tuning::pieces::FEWEST_VECTORS;
use melior::ir::{OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use nest_dialect::schedule::Schedule;
use soac_dialect::{cast::Parts, view::op_name};
use thiserror::Error;

use super::{
    accesses::{Access, Slope, slope},
    packing::is_before,
};
use comb_kit::element_types::MOST_ELEMENTS;
use comb_nest::{elements::numbers::Numbers, nests::Nest};

/// Why a loop is not cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unsplit {
    /// There are loops inside.
    #[error("there are loops inside")]
    NotInnermost,
    /// No index wraps around.
    #[error("no index that goes up by one wraps around a limit that is known before the kernel")]
    Nothing,
    /// Indices wrap around at different iterations.
    #[error("its indices wrap around at different iterations")]
    Different,
    /// An index may overflow.
    #[error("an index may be negative, or too large")]
    Overflow,
}

/// How an index wraps around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// By `arith.andi`.
    Mask,
    /// By `arith.remui` or `arith.remsi`, of numbers that are not negative.
    Remainder,
}

/// Where a loop is cut.
pub struct Splitting<'c, 'a> {
    /// The ops that wrap an index around, all of them alike.
    pub ops: Vec<OperationRef<'c, 'a>>,
    /// How the index wraps around.
    pub wrap: Wrap,
    /// What goes up by one.
    pub index: Value<'c, 'a>,
    /// Where it wraps around.
    pub limit: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Splitting<'c, 'a> {
    /// Where a loop is cut.
    pub fn of(nest: &Nest<'c, 'a>) -> Result<Self, Unsplit> {
        if !nest.is_innermost() {
            return Err(Unsplit::NotInnermost);
        }
        let ops = nest.ops.iter().copied();
        let found = ops.filter_map(|op| wrapped(nest, op).map(|wrapped| (op, wrapped)));
        let mut found = found.filter(|(op, _)| is_read_at(nest, *op));
        let (first, (wrap, index, limit)) = found.next().ok_or(Unsplit::Nothing)?;
        let mut numbers = Numbers::at(nest.op);
        let sum = numbers.of(index);
        if wrap == Wrap::Remainder && !is_small(&numbers, &sum) {
            return Err(Unsplit::Overflow);
        }
        let mut ops = vec![first];
        for (op, (other_wrap, other, other_limit)) in found {
            if (other_wrap, other_limit) != (wrap, limit) || numbers.of(other) != sum {
                return Err(Unsplit::Different);
            }
            ops.push(op);
        }
        Ok(Self {
            ops,
            wrap,
            index,
            limit,
        })
    }
}

/// How long pieces have to be at least for a schedule.
pub fn least_piece(schedule: &Schedule) -> u64 {
    FEWEST_VECTORS * schedule.lanes_at_once()
}

/// What an op wraps around, and where, if that goes up by one.
fn wrapped<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Option<(Wrap, Value<'c, 'a>, Value<'c, 'a>)> {
    let wrap = match op_name(op) {
        "arith.andi" => Wrap::Mask,
        "arith.remui" | "arith.remsi" => Wrap::Remainder,
        _ => return None,
    };
    let [left, right] = [op.operand_at(0)?, op.operand_at(1)?];
    let goes_up = |value| slope(nest, value) == Slope::Step(1);
    let is_index = left.r#type().is_index() && op.parent_operation() == Some(nest.op);
    let pairs = match wrap {
        Wrap::Mask => vec![[left, right], [right, left]],
        Wrap::Remainder => vec![[left, right]],
    };
    let mut pairs = pairs.into_iter().filter(|_| is_index);
    let found = pairs.find(|&[index, limit]| goes_up(index) && is_before(limit));
    found.map(|[index, limit]| (wrap, index, limit))
}

/// Whether something is read at an index that an op wraps around.
fn is_read_at<'c: 'a, 'a>(nest: &Nest<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let accesses = nest.ops.iter().flat_map(|&op| Access::of(op));
    let wrapped: Vec<Value> = op.results().map(Into::into).collect();
    let mut reads = accesses.filter(|access| !access.is_write);
    reads.any(|read| {
        let last = read.index().last();
        last.is_some_and(|last| wrapped.contains(last))
    })
}

/// Whether a number is a sum of what is not negative, and not large.
fn is_small(numbers: &Numbers, number: &Polynomial) -> bool {
    let mut terms = number.terms();
    let are_positive = terms.all(|(coefficient, symbols)| {
        let mut symbols = symbols.into_iter();
        coefficient >= 0
            && symbols.all(|symbol| {
                numbers.bounds.has(symbol) && numbers.bounds.is_less(&(-1).into(), &symbol.into())
            })
    });
    are_positive && number.magnitude(MOST_ELEMENTS.into()) < 1 << 62
}
