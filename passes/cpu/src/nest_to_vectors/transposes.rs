//! Reads that are a row apart from lane to lane, of elements that are next to each other: they are loaded along
//! the rows, and [transposed](crate::lanes::transposed).
//!
//! Jammed iterations of a loop have such reads, where the loop goes along the rows and the lanes do not. They
//! stand behind each other, with nothing between them that writes.
//!
//! Cost: linear in the ops of a block for the first read of each group, and for each that has none.

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{builder::Builder, cast::Parts, view::op_name};

use super::{Emitted, Vectors};
use comb_kit::{checks::facts::key, transformations::Transformation};
use comb_machine::tuning::forms::{FEWEST_TRANSPOSED, MOST_TRANSPOSED};
use comb_nest::elements::numbers::Numbers;

use crate::lanes::{
    Lanes, is_elementwise,
    memory::has_neighbours,
    transposed::{load_transposed, rows},
};

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// What an op reads, if it is a row apart from lane to lane, and other reads behind it are of the elements
    /// that come next.
    pub(super) fn transposed(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Option<Lanes<'c, 'a>>> {
        if let Some(lanes) = self.transposed.remove(&key(op.result(0)?.into())) {
            return Ok(Some(lanes));
        }
        let scope = self.scope;
        if !has_neighbours(memory.r#type()) {
            return Ok(None);
        }
        let Some(mut rows) = rows(builder, &scope, index)? else {
            return Ok(None);
        };
        let most = scope.width.min(MOST_TRANSPOSED) as usize;
        let [before, behind] = neighbours(op, most);
        let is_last = before.len() > behind.len();
        let group = if is_last { before } else { behind };
        let count = group.len() as u64;
        if count < FEWEST_TRANSPOSED || !self.applies(Transformation::Transposes, op) {
            return Ok(None);
        }
        if is_last {
            let back = builder.index(1 - count as i64)?;
            for last in rows.iter_mut().filter_map(|row| row.last_mut()) {
                *last = builder.arithmetic("arith.addi", &[*last, back])?;
            }
        }
        let mut loaded = load_transposed(builder, memory, &rows, count)?;
        if is_last {
            loaded.reverse();
        }
        for (&read, &value) in group.iter().zip(&loaded).skip(1) {
            let lanes = scope.lanes(value, false);
            self.transposed.insert(key(read.result(0)?.into()), lanes);
        }
        Ok(Some(scope.lanes(loaded[0], false)))
    }
}

/// A read, and later ones of the elements in front of it; and the same with those behind it. Both are as many
/// as a power of two.
fn neighbours<'c: 'a, 'a>(op: OperationRef<'c, 'a>, most: usize) -> [Vec<OperationRef<'c, 'a>>; 2] {
    let mut numbers = Numbers::at(op);
    let mut sides = [(); 2].map(|()| vec![None; most]);
    sides.iter_mut().for_each(|side| side[0] = Some(op));
    let mut next = op.next_in_block();
    while let Some(other) = next.filter(|&other| writes_nothing(other)) {
        if let Some(distance) = distance(&mut numbers, op, other) {
            let side = &mut sides[usize::from(distance > 0)];
            if let Some(place) = side.get_mut(distance.unsigned_abs() as usize) {
                place.get_or_insert(other);
            }
        }
        next = other.next_in_block();
    }
    sides.map(|side| {
        let mut reads: Vec<_> = side.into_iter().map_while(|read| read).collect();
        reads.truncate(1 << reads.len().ilog2());
        reads
    })
}

fn writes_nothing(op: OperationRef) -> bool {
    let name = op_name(op);
    matches!(name, "nest.read" | "memref.dim") || is_elementwise(name)
}

/// How many elements behind another read of the same row one is.
fn distance<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    op: OperationRef<'c, 'a>,
    other: OperationRef<'c, 'a>,
) -> Option<i64> {
    if op_name(other) != "nest.read" || other.operand_at(0) != op.operand_at(0) {
        return None;
    }
    let mut components = op.operands().zip(other.operands()).skip(1).peekable();
    while let Some((own, of_other)) = components.next() {
        let distance = numbers.of(of_other).checked_sub(&numbers.of(own))?;
        match components.peek() {
            None => return i64::try_from(distance.as_constant()?).ok(),
            Some(_) if distance.as_constant()? == 0 => {}
            Some(_) => return None,
        }
    }
    None
}
