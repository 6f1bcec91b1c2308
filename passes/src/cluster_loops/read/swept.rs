//! What a combinator's function computes, and how often: the work of one iteration.
//!
//! Combinators and loops in a function are nests of loops, in whose functions there may be
//! others. How long they are is asked in front of the outermost op ([`SizesAhead`]); a length
//! that is not known there, because it depends on the iteration, counts as one.
//!
//! Cost: linear in the number of ops in the function, and the square of the number of nests.

use melior::ir::{BlockLike, BlockRef, OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Size,
    view::{OpView, op_name},
};

use super::{NotPlanned, Planned, Reader, combinators::kind, constant, sizes::outer_dimensions};
use crate::{
    cluster_loops::{plan::Kind, sizes_ahead::SizesAhead},
    fuse::work::instructions,
    walk::first_blocks,
};

/// With so many rounds, an iteration has work for a thread. More are not counted, so that products
/// of lengths do not wrap.
const MOST_ROUNDS: i64 = 1 << 20;

/// The work of an iteration.
#[derive(Default)]
pub(crate) struct Swept<'c, 'a> {
    /// The lengths of nests of loops, each outermost first. None is part of another.
    pub nests: Vec<Vec<Size<'c, 'a>>>,
    /// About how many instructions an iteration of a nest takes.
    pub instructions: f64,
}

impl<'c, 'a> Swept<'c, 'a> {
    /// Adds a nest, unless it is part of one that is there.
    pub fn add(&mut self, nest: Vec<Size<'c, 'a>>) {
        if self.nests.iter().any(|other| is_part_of(&nest, other)) {
            return;
        }
        self.nests.retain(|other| !is_part_of(other, &nest));
        self.nests.push(nest);
    }
}

/// Whether all loops of a nest are in another one, too.
fn is_part_of(nest: &[Size], other: &[Size]) -> bool {
    let mut left = other.to_vec();
    nest.iter().all(|size| {
        let found = left.iter().position(|other| other == size);
        found.map(|position| left.swap_remove(position)).is_some()
    })
}

impl<'c: 'a, 'a> Reader<'c, 'a> {
    /// The work of an iteration of a combinator.
    pub(super) fn swept(&mut self, op: OperationRef<'c, 'a>) -> Planned<Swept<'c, 'a>> {
        let mut walk = Walk {
            ahead: SizesAhead {
                front: self.front,
                op: self.outermost,
                plan: None,
                sizes: &mut self.sizes,
            },
            around: vec![],
            swept: Swept::default(),
        };
        walk.regions(op)?;
        Ok(walk.swept)
    }
}

struct Walk<'r, 'c, 'a> {
    ahead: SizesAhead<'r, 'c, 'a>,
    /// How long the loops around what is walked through are.
    around: Vec<Size<'c, 'a>>,
    swept: Swept<'c, 'a>,
}

impl<'c: 'a, 'a> Walk<'_, 'c, 'a> {
    fn regions(&mut self, op: OperationRef<'c, 'a>) -> Planned<()> {
        first_blocks(op)
            .into_iter()
            .flatten()
            .try_for_each(|block| self.block(block))
    }

    fn block(&mut self, block: BlockRef<'c, 'a>) -> Planned<()> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            self.op(op)?;
        }
        Ok(())
    }

    fn op(&mut self, op: OperationRef<'c, 'a>) -> Planned<()> {
        match op_name(op) {
            "soac.cluster" => self.regions(op),
            "scf.for" => {
                let rounds = self.rounds(op)?;
                self.nest(op, &[rounds])
            }
            _ => match kind(&OpView::of(op)) {
                Some(kind) => self.combinator(op, kind),
                None => {
                    self.swept.instructions += instructions(op);
                    self.regions(op)
                }
            },
        }
    }

    /// A combinator goes over an array, or makes one. A map of rows may call for loops over
    /// other arrays instead of what rows have left.
    fn combinator(&mut self, op: OperationRef<'c, 'a>, kind: Kind) -> Planned<()> {
        let view = OpView::of(op);
        let array: Value = match kind {
            Kind::Generate | Kind::Gather | Kind::Backpermute => op.result(0)?.into(),
            _ => op.operand(0)?,
        };
        let shape = self.sizes(array)?;
        let outer = match kind {
            Kind::Map => outer_dimensions(&view, shape.len()),
            _ => shape.len(),
        };
        self.nest(op, &shape[..outer])?;
        let known = shape.into_iter().flatten();
        let nest = self.around.iter().copied().chain(known).collect();
        self.swept.add(nest);
        Ok(())
    }

    /// A nest of loops around what is in an op.
    fn nest(&mut self, op: OperationRef<'c, 'a>, lengths: &[Option<Size<'c, 'a>>]) -> Planned<()> {
        let outside = self.around.len();
        self.around.extend(lengths.iter().flatten());
        self.swept.instructions += match lengths.contains(&None) {
            true => instructions(op),
            false => 1.0,
        };
        self.swept.add(self.around.clone());
        self.regions(op)?;
        self.around.truncate(outside);
        Ok(())
    }

    /// How often an `scf.for` runs.
    fn rounds(&mut self, op: OperationRef<'c, 'a>) -> Planned<Option<Size<'c, 'a>>> {
        let [first, end, step] = [0, 1, 2].map(|bound| op.operand(bound));
        let (first, end) = (self.number(first?)?, self.number(end?)?);
        let step = constant(step?).filter(|&step| step > 0);
        let (Some(first), Some(end), Some(step)) = (first, end, step) else {
            return Ok(None);
        };
        if let (Size::Static(first), Size::Static(end)) = (first, end) {
            let length = end.saturating_sub(first).max(0).unsigned_abs();
            let rounds = length.div_ceil(step.unsigned_abs());
            let rounds = rounds.min(MOST_ROUNDS.unsigned_abs());
            return Ok(Some(Size::Static(rounds.cast_signed())));
        }
        let front = self.ahead.front;
        let bounds = [front.size_value(end)?, front.size_value(first)?];
        let length = front.arithmetic("arith.subi", &bounds)?;
        let rounds = front.arithmetic("arith.ceildivsi", &[length, front.index(step)?])?;
        let most = front.index(MOST_ROUNDS)?;
        let rounds = front.arithmetic("arith.minsi", &[rounds, most])?;
        Ok(Some(Size::Dynamic(rounds)))
    }

    fn sizes(&mut self, array: Value<'c, 'a>) -> Planned<Vec<Option<Size<'c, 'a>>>> {
        self.ahead
            .known_sizes(array)
            .map_err(|_| NotPlanned::Invalid)
    }

    fn number(&mut self, number: Value<'c, 'a>) -> Planned<Option<Size<'c, 'a>>> {
        self.ahead
            .known_number(number)
            .map_err(|_| NotPlanned::Invalid)
    }
}
