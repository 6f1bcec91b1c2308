//! Reads of elements that are close to each other, which are loaded together, with the first of them:
//!
//! * Those that lie [between each other](crate::lanes::interleaved), as the components of points.
//! * Those that are a row apart from lane to lane, and next to each other in their rows: vectors are loaded along
//!   the rows, and [transposed](crate::lanes::transposed). Jammed iterations of a loop have such reads, where the
//!   loop goes along the rows and the lanes do not.
//!
//! They stand behind each other, with nothing between them that writes.
//!
//! Cost: linear in the ops of a block for the first read of each group, and for each that has none.

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{builder::Builder, cast::Parts, view::op_name};

use super::{Emitted, Vectors};
use comb_kit::{checks::facts::key, transformations::Transformation};
use comb_machine::tuning::forms::{FEWEST_TRANSPOSED, MOST_TRANSPOSED};
use comb_nest::elements::numbers::Numbers;

use crate::lanes::{
    Lanes,
    interleaved::{Interleaved, apart},
    is_elementwise,
    memory::has_neighbours,
    transposed::{are_in_rows, load_transposed, rows},
};

/// A later read, and how many elements behind another one of the same row it is.
type Sibling<'c, 'a> = (i64, OperationRef<'c, 'a>);

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// What an op reads, if it was loaded with one before, or can be with others.
    pub(super) fn loaded_together(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Option<Lanes<'c, 'a>>> {
        if let Some(lanes) = self.together.remove(&key(op.result(0)?.into())) {
            return Ok(Some(lanes));
        }
        if !has_neighbours(memory.r#type()) {
            return Ok(None);
        }
        match self.interleaved(builder, op, memory, index)? {
            Some(lanes) => Ok(Some(lanes)),
            None => self.transposed(builder, op, memory, index),
        }
    }

    /// What an op reads, if its elements are close to each other, with what later ones read between them.
    fn interleaved(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Option<Lanes<'c, 'a>>> {
        let scope = self.scope;
        let Some((mut point, distance)) = apart(memory, index).filter(|_| scope.mask.is_none())
        else {
            return Ok(None);
        };
        let mut others = siblings(op);
        others.retain(|&(_, read)| self.is_to_be_loaded(read));
        let group = between(others, distance);
        let first = group.iter().map(|&(offset, _)| offset).fold(0, i64::min);
        let last = group.iter().map(|&(offset, _)| offset).fold(0, i64::max);
        if let Some(component) = point.last_mut() {
            *component = builder.arithmetic("arith.addi", &[*component, builder.index(first)?])?;
        }
        let interleaved = Interleaved {
            width: scope.width as i64,
            distance,
            span: last - first,
        };
        let offsets = group.iter().map(|&(offset, _)| offset - first);
        let offsets: Vec<i64> = std::iter::once(-first).chain(offsets).collect();
        let loaded = interleaved.load(builder, memory, &point, &offsets)?;
        let reads = group.into_iter().map(|(_, read)| read);
        self.keep_for(reads, &loaded[1..])?;
        Ok(Some(scope.lanes(loaded[0], false)))
    }

    fn is_to_be_loaded(&self, read: OperationRef<'c, 'a>) -> bool {
        let result = read.result_at(0);
        result.is_some_and(|result| !self.together.contains_key(&key(result.into())))
    }

    /// Keeps for later reads what was loaded for them.
    fn keep_for(
        &mut self,
        reads: impl Iterator<Item = OperationRef<'c, 'a>>,
        loaded: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        for (read, &value) in reads.zip(loaded) {
            let lanes = self.scope.lanes(value, false);
            self.together.insert(key(read.result(0)?.into()), lanes);
        }
        Ok(())
    }

    /// What an op reads, if it is a row apart from lane to lane, and other reads behind it are of the elements
    /// that come next.
    fn transposed(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Option<Lanes<'c, 'a>>> {
        let scope = self.scope;
        if !are_in_rows(&scope, index) {
            return Ok(None);
        }
        let most = scope.width.min(MOST_TRANSPOSED) as usize;
        let [before, behind] = neighbours(op, most);
        let is_last = before.len() > behind.len();
        let group = if is_last { before } else { behind };
        let count = group.len() as u64;
        if count < FEWEST_TRANSPOSED || !self.applies(Transformation::Transposes, op) {
            return Ok(None);
        }
        let mut rows = rows(builder, &scope, index)?;
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
        self.keep_for(group.into_iter().skip(1), &loaded[1..])?;
        Ok(Some(scope.lanes(loaded[0], false)))
    }
}

/// A read, and later ones of the elements in front of it; and the same with those behind it. Both are as many
/// as a power of two.
fn neighbours<'c: 'a, 'a>(op: OperationRef<'c, 'a>, most: usize) -> [Vec<OperationRef<'c, 'a>>; 2] {
    let mut sides = [(); 2].map(|()| vec![None; most]);
    sides.iter_mut().for_each(|side| side[0] = Some(op));
    for (distance, other) in siblings(op) {
        let side = &mut sides[usize::from(distance > 0)];
        if let Some(place) = side.get_mut(distance.unsigned_abs() as usize) {
            place.get_or_insert(other);
        }
    }
    sides.map(|side| {
        let mut reads: Vec<_> = side.into_iter().map_while(|read| read).collect();
        reads.truncate(1 << reads.len().ilog2());
        reads
    })
}

/// Those of some reads that are between the lanes of another one, and no farther from each other than lanes are.
fn between<'c, 'a>(siblings: Vec<Sibling<'c, 'a>>, distance: i64) -> Vec<Sibling<'c, 'a>> {
    let (mut first, mut last) = (0, 0);
    let mut found = vec![];
    for (offset, read) in siblings {
        let wide = last.max(offset) - first.min(offset);
        if wide < distance {
            (first, last) = (first.min(offset), last.max(offset));
            found.push((offset, read));
        }
    }
    found
}

/// The reads of the same row behind one, with nothing between them that writes.
fn siblings<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Sibling<'c, 'a>> {
    let mut numbers = Numbers::at(op);
    let later = std::iter::successors(op.next_in_block(), |op| op.next_in_block());
    let reading = later.take_while(|&other| writes_nothing(other));
    let reading: Vec<_> = reading.collect();
    let siblings = reading.into_iter();
    siblings
        .filter_map(|other| Some((distance(&mut numbers, op, other)?, other)))
        .collect()
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
