//! Gathers at positions that are next to each other in memory, and are not looked at otherwise.
//!
//! Where the elements of a gather are loaded one after the other, as on AMD's CPUs, each lane's
//! position has to come out of a vector. That takes longer than to load it from memory. So each
//! lane loads its position, and then its element. (CPUs with fast instructions for gathers do not
//! lose much: these load one element after the other, too.)
//!
//! Positions that are checked are in a vector anyway. LLVM would see that they are those in memory,
//! and take them out of the vector all the same. So there are such gathers where positions were
//! [computed ahead](crate::nest_distribute), or are known to be right. Nor are positions loaded by lane if
//! anything may have been written since the vector was, or for lanes that are left over at the end
//! of a loop.
//!
//! Cost: a handful of ops for each lane.

use comb_machine::tuning::gathers_by_lane::MOST_LANES;
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{definition, dialect, op_name, uses},
};

use super::{
    Emitted, Scope,
    gathers::{Line, before_widening, unravelled},
    memory::element_type,
};
use comb_kit::element_types::bits;
use comb_kit::walk::{in_block_from, operations};

/// Dialects whose ops write nothing, and other such ops.
const ARITHMETIC: &[&str] = &["arith", "index", "math"];
const READING: &[&str] = &[
    "bufferization.to_buffer",
    "memref.load",
    "memref.prefetch",
    "scf.for",
    "scf.if",
    "scf.yield",
    "soac.check",
    "soac.needed",
    "tensor.dim",
    "tensor.extract",
    "vector.broadcast",
    "vector.extract",
    "vector.from_elements",
    "vector.gather",
    "vector.load",
    "vector.reduction",
    "vector.shuffle",
    "vector.step",
];

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// Where the positions of all lanes are: in this memory, from this index on.
pub struct Run<'c, 'a> {
    memory: Value<'c, 'a>,
    outer: Values<'c, 'a>,
    first: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Run<'c, 'a> {
    /// Where offsets are of which elements can be loaded lane by lane; nothing if they are not known
    /// to be in memory.
    pub fn of(
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        line: &Line<'c, 'a>,
        offsets: Value<'c, 'a>,
    ) -> Emitted<'c, Option<Self>> {
        let element = element_type(line.memory)?;
        Ok(run_of(builder, scope, offsets).filter(|_| bits(element) > 1))
    }

    /// Elements at these offsets, lane by lane.
    pub fn gathered(
        &self,
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
        line: &Line<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let element = element_type(line.memory)?;
        let index_type = builder.index_type();
        let mut lanes = vec![];
        for lane in 0..scope.width {
            let distance = builder.index(lane as i64)?;
            let last = builder.arithmetic("arith.addi", &[self.first, distance])?;
            let mut offset =
                builder.load(self.memory, &[self.outer.as_slice(), &[last]].concat())?;
            if element_type(self.memory)? != index_type {
                offset = builder.value("arith.index_cast", &[offset], index_type, &[])?;
            }
            let index = unravelled(builder, line, offset)?;
            lanes.push(builder.load(line.memory, &index)?);
        }
        let r#type = scope.r#type(builder, element);
        Ok(builder.value("vector.from_elements", &lanes, r#type, &[])?)
    }
}

/// Where offsets are in memory.
fn run_of<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    offsets: Value<'c, 'a>,
) -> Option<Run<'c, 'a>> {
    if scope.mask.is_some() || scope.width > MOST_LANES {
        return None;
    }
    let offsets = before_widening(offsets).map_or(offsets, |(narrow, _)| narrow);
    let load = definition(offsets).filter(|op| op_name(*op) == "vector.load")?;
    let operands: Values = load.operands().collect();
    let (&[memory, ref outer @ ..], first) =
        operands.split_last().map(|(last, all)| (all, *last))?
    else {
        return None;
    };
    let is_unused = uses(offsets)
        .into_iter()
        .all(|(user, _)| op_name(user) == "arith.index_cast");
    let is_here = load.block().is_some_and(|block| block == builder.block());
    let mut behind = in_block_from(load.next_in_block());
    (is_unused && is_here && behind.all(writes_nothing)).then(|| Run {
        memory,
        outer: outer.to_vec(),
        first,
    })
}

/// Whether neither an op nor those in it write to memory.
fn writes_nothing<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> bool {
    let mut all = operations(op).into_iter().chain([op]);
    all.all(|op| ARITHMETIC.contains(&dialect(op)) || READING.contains(&op_name(op)))
}
