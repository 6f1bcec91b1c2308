//! What is packed for loops over columns: reads whose elements lanes would find apart, and that are the
//! same for all rows.
//!
//! The product of a matrix with a transposed one, `a bᵀ`, reads rows of both. For lanes that are columns of
//! the result, the elements of b at one iteration are far apart. They are the same for all rows of a, so
//! they are copied once, into memory in which they are next to each other. That takes about as long as one
//! row without lanes, so it is worth it if there are [`FEWEST_ROWS`], and as many columns as are computed at
//! once. If that is not known before the program runs, there is code for both.
//!
//! In the product with a matrix that is not transposed, `a b`, lanes read neighbours. But each line of the
//! cache is in another page, if the matrix is wide. So b is copied as well, if it is large: one that fits
//! the caches is not worth it.
//!
//! Cost: quadratic in the reads of a loop and the loops around it.

use comb_machine::tuning::packing::FEWEST_ROWS;
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike, r#type::MemRefType};
use soac_dialect::{
    cast::is_a,
    view::{argument_of, definition, op_name},
};
use thiserror::Error;

use super::accesses::{Access, Neighbours, Slope, slope};
use comb_kit::{checks::facts::constant, walk::ancestors};
use comb_nest::nests::Nest;

/// Why nothing is packed for a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unpacked {
    /// There are no rows.
    #[error("there is no loop around it whose iterations read the same")]
    NoRows,
    /// There are loops of other kinds inside.
    #[error("not all that is in it is in innermost loops")]
    Inside,
    /// The length of a loop is computed in the kernel.
    #[error("the length of a loop is not known before the kernel")]
    Length,
    /// It is known that there are too few rows or columns.
    #[error("there are too few rows or columns")]
    Few,
    /// A check might fail before all is read.
    #[error("it has a 'soac.check'")]
    Check,
    /// Nothing is to be gained.
    #[error(
        "it reads nothing that is apart, and the same for all iterations of the loops around it"
    )]
    Nothing,
}

/// A loop over columns whose operands are packed.
pub struct Packing<'c, 'a> {
    /// What is read from copies.
    pub reads: Vec<OperationRef<'c, 'a>>,
    /// The lengths of the loops around it.
    pub rows: Vec<Value<'c, 'a>>,
    /// Whether lanes find neighbours, but one after the other in other pages.
    pub is_spread: bool,
}

impl<'c: 'a, 'a> Packing<'c, 'a> {
    /// What is packed for a loop.
    pub fn of(columns: &Nest<'c, 'a>) -> Result<Self, Unpacked> {
        let around = ancestors(columns.op).take_while(|&op| op_name(op) != "nest.kernel");
        let rows: Vec<Nest> = around.map(Nest::of).collect();
        let are_loops = rows.iter().all(|rows| op_name(rows.op) == "nest.loop");
        if rows.is_empty() || !are_loops {
            return Err(Unpacked::NoRows);
        }
        if columns.is_innermost() || !columns.inner.iter().all(Nest::is_innermost) {
            return Err(Unpacked::Inside);
        }
        let lengths = rows.iter().chain([columns]).chain(&columns.inner);
        let lengths: Option<Vec<Value>> = lengths.map(Nest::length).collect();
        let lengths = lengths.filter(|lengths| lengths.iter().all(|&length| is_before(length)));
        let lengths = lengths.ok_or(Unpacked::Length)?;
        if is_few(&rows) {
            return Err(Unpacked::Few);
        }
        let ops = columns.deep_ops();
        if ops.iter().any(|&op| op_name(op) == "soac.check") {
            return Err(Unpacked::Check);
        }
        let written: Vec<usize> = written_in_kernel(columns.op);
        let find = |is_spread: bool| {
            let reads = columns.inner.iter().flat_map(|inner| {
                let in_body = inner.ops.iter().copied();
                let in_body = in_body.filter(|op| op.parent_operation() == Some(inner.op));
                let is_packed = |&op: &OperationRef<'c, 'a>| {
                    is_packed(op, [columns, inner], is_spread, &written)
                };
                in_body.filter(is_packed).collect::<Vec<_>>()
            });
            Some(reads.collect::<Vec<_>>()).filter(|reads| !reads.is_empty())
        };
        let apart = find(false).map(|reads| (reads, false));
        let (reads, is_spread) = apart
            .or_else(|| find(true).map(|reads| (reads, true)))
            .ok_or(Unpacked::Nothing)?;
        Ok(Self {
            reads,
            rows: lengths[..rows.len()].to_vec(),
            is_spread,
        })
    }

    /// Whether an op reads from a copy.
    pub fn packs(&self, access: &Access<'c, 'a>) -> bool {
        self.reads.contains(&access.op)
    }
}

/// Whether it is known that there are too few rows.
fn is_few(rows: &[Nest]) -> bool {
    let known = rows.iter().map(Nest::known_length);
    let rows: Option<u64> = known.product();
    rows.is_some_and(|rows| rows < FEWEST_ROWS as u64)
}

fn written_in_kernel<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<usize> {
    let kernel = ancestors(op).find(|&op| op_name(op) == "nest.kernel");
    let ops = kernel
        .map_or(vec![], comb_kit::walk::operations)
        .into_iter();
    let accesses = ops.flat_map(Access::of);
    let writes = accesses.filter(|access| access.is_write);
    writes.map(|write| write.root()).collect()
}

/// Whether a read is at elements that lanes of the columns find apart, and those of the loop inside next to
/// each other, or the other way round if they are spread, and that are computed from the indices of these
/// two loops alone.
fn is_packed<'c: 'a, 'a>(
    read: OperationRef<'c, 'a>,
    [columns, inner]: [&Nest<'c, 'a>; 2],
    is_spread: bool,
    written: &[usize],
) -> bool {
    if op_name(read) != "nest.read" {
        return false;
    }
    let [apart, along] = match is_spread {
        true => [inner, columns],
        false => [columns, inner],
    };
    Access::of(read).iter().all(|access| {
        let mut index = access.index().iter();
        let last = access.index().last();
        access.neighbours(apart) == Neighbours::Apart
            && last.is_some_and(|&last| slope(along, last) == Slope::Step(1))
            && is_before(access.array())
            && !written.contains(&access.root())
            && index.all(|&component| is_computed_ahead(component, columns, inner))
    })
}

/// Whether a number is a sum of the indices of two loops and of numbers from outside the kernel.
fn is_computed_ahead<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    columns: &Nest<'c, 'a>,
    inner: &Nest<'c, 'a>,
) -> bool {
    const SUMS: &[&str] = &["arith.addi", "arith.constant", "arith.muli", "arith.subi"];
    if is_before(value) || [columns.index(), inner.index()].contains(&Some(value)) {
        return true;
    }
    definition(value).is_some_and(|op| {
        let mut operands = op.operands();
        SUMS.contains(&op_name(op))
            && operands.all(|operand| is_computed_ahead(operand, columns, inner))
    })
}

/// Whether a value is there before the kernel, or a constant.
pub fn is_before(value: Value) -> bool {
    let owner = definition(value).or_else(|| argument_of(value).map(|(op, _)| op));
    let is_array = is_a::<MemRefType>(value.r#type());
    !is_array && constant(value).is_some()
        || owner.is_none_or(|owner| {
            let mut around = std::iter::once(owner).chain(ancestors(owner));
            around.all(|op| op_name(op) != "nest.kernel")
        })
}
