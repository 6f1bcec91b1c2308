//! How many lanes a vector of a loop has: as many as fit 64 bytes, of the narrowest numbers that it computes with,
//! but of the widest no more than fit 128.
//!
//! Numbers that are the same in all lanes do not matter, nor those in which bits of masks are
//! [counted](super::counts).
//!
//! Cost: linear in the ops of a loop.

use comb_kit::element_types::{array_element, bits, bits_in_memory};
use comb_machine::tuning::{VECTOR_BITS, widths::MOST_SCANNED};
use comb_nest::nests::Nest;
use melior::ir::{OperationRef, Type, TypeLike, ValueLike, operation::OperationLike};
use soac_dialect::{
    cast::Parts,
    view::{definition, op_name},
};

use super::{
    accesses::{Slope, slope},
    counts::without_counts,
    reasons::Reason,
};

use crate::lanes::is_elementwise;

/// The bits of the numbers that a loop computes with.
pub struct Widths {
    narrow: u64,
    wide: u64,
    scans: bool,
}

impl Widths {
    /// Those of a loop whose iterations lanes may be.
    pub fn of<'c: 'a, 'a>(nest: &Nest<'c, 'a>, ops: &[OperationRef<'c, 'a>]) -> Self {
        let mut ops = without_counts(ops);
        ops.retain(|&op| !is_same_index(nest, op));
        let mut sizes: Vec<u64> = ops.iter().flat_map(|&op| bits_of(op)).collect();
        sizes.retain(|&bits| bits >= 8);
        Self {
            narrow: sizes.iter().copied().min().unwrap_or(64),
            wide: sizes.iter().copied().max().unwrap_or(64),
            scans: ops.iter().any(|&op| op_name(op) == "nest.scan"),
        }
    }

    /// How many lanes a vector has.
    pub fn lanes(&self) -> u64 {
        let most = if self.scans {
            MOST_SCANNED
        } else {
            VECTOR_BITS
        };
        (VECTOR_BITS / self.narrow)
            .min(2 * VECTOR_BITS / self.wide)
            .min(most)
    }

    /// Why there are so many lanes.
    pub fn reason(&self, lanes: u64) -> Reason {
        Reason::Lanes {
            lanes,
            narrow: self.narrow,
            wide: self.wide,
        }
    }
}

/// Whether an op makes a number of an index that is the same in all iterations of a loop.
fn is_same_index<'c: 'a, 'a>(nest: &Nest<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let operand = op.operand_at(0);
    let is_same = |value| slope(nest, value) == Slope::Same;
    match op_name(op) {
        "arith.index_cast" | "arith.index_castui" => operand.is_some_and(is_same),
        "arith.trunci" | "arith.extsi" | "arith.extui" | "arith.sitofp" | "arith.uitofp" => operand
            .and_then(definition)
            .is_some_and(|inner| is_same_index(nest, inner)),
        _ => false,
    }
}

/// The bits of numbers that an op computes, reads or writes, without indices, most of which are
/// computed once for all lanes.
pub fn bits_of(op: OperationRef) -> Vec<u64> {
    let is_number = |r#type: &Type| !r#type.is_index();
    match op_name(op) {
        "nest.write" | "nest.scatter" | "nest.read" | "memref.load" | "tensor.extract" => {
            let arrays = op.operands().map(|value| value.r#type());
            let elements = arrays.filter_map(array_element);
            elements.filter(is_number).map(bits_in_memory).collect()
        }
        name if is_elementwise(name) && name != "arith.constant" => {
            let results = op.results().map(|result| result.r#type());
            results.filter(is_number).map(bits).collect()
        }
        _ => vec![],
    }
}
