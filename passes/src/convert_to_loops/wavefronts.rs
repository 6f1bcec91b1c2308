//! Sequential loops that threads go through at the same time, one behind the other.
//!
//! A table may be computed row by row, each from the one before, in its own memory
//! ([`in_place`](super::in_place)). A row is often too short to be shared. But where an
//! element needs nothing to the right of it, neither from its own row nor from rows above,
//! the left part of the next row can be computed before the right part of this one. So each
//! thread has a *range* of the columns, and goes through all rows; it follows the thread on
//! its left, at a distance. What is being computed is a wavefront through the table (Lamport,
//! The parallel execution of DO loops, 1974); loops with such threads are also called
//! doacross loops (Cytron, Doacross: beyond vectorization for multiprocessors, 1986).
//!
//! In general, iterations of an `scf.for` are *rounds*, each of which runs the loop of a plan.
//! That loop, or the only one in it that does not run once, is cut into ranges.
//!
//! 1. The sequential loop must have the form ([`Wavefront`]): it carries nothing but arrays
//!    that the plan updates in place; the rest of its body are numbers, and checks.
//! 2. No iteration may use an element that a later iteration of an earlier round writes, or
//!    write one that it uses ([`Rounds`](super::regions::Rounds)).
//! 3. Code asks sizes whether it is worth it ([`cuts`]). If not, the loop runs as it did ([`ranges`]).
//! 4. If it is, threads take ranges, and go through the rounds some at a time. Before these, a
//!    thread waits for the range on the left, and behind them, it tells the one on the right.
//!    What scans carry from range to range is in memory, a number for each range and round.
//!
//! Scans carry from range to range what they would carry on, and ranges are whole vectors. So
//! the bits of results are those of a loop in order, whatever the number of ranges, which
//! depends on the number of threads.
//!
//! Cost: linear in the size of the sequential loop, whose code is there twice; the square of
//! the number of places where a plan reads and writes an array.

mod cuts;
mod ranges;

use std::collections::HashSet;

use melior::ir::{
    BlockLike, BlockRef, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::{
    builder::Size,
    view::{argument_of, definition, op_name, uses},
};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter, internal},
    in_place::Part,
    op_key,
    plan::{Item, Kind, Leaf, Loop, Source},
    read::constant,
    regions::{Index, Regions, Rounds},
};
use crate::{
    checks::facts::key,
    fuse::effects::has_effects,
    transformations::Transformation,
    walk::{ancestors, first_block, in_block_from, operations},
};

/// A sequential loop that threads may go through at the same time.
pub(super) struct Wavefront<'c, 'a> {
    /// The cluster or combinator.
    op: OperationRef<'c, 'a>,
    /// The sequential loop around it.
    r#loop: OperationRef<'c, 'a>,
    step: i64,
    /// The size of the loop that threads share.
    length: Fixed<'c, 'a>,
    carried: Vec<Carried<'c, 'a>>,
    /// All that the plan gives.
    parts: Vec<Part<'c, 'a>>,
    /// The rest of the body: numbers, and checks.
    numbers: Vec<OperationRef<'c, 'a>>,
}

/// An array that a loop carries.
struct Carried<'c, 'a> {
    /// What it is in the loop.
    inside: Value<'c, 'a>,
    /// What it is in front of it.
    first: Value<'c, 'a>,
}

impl<'p, 'c: 'a, 'a> Emitter<'p, 'c, 'a> {
    /// The sequential loop around an op, if its rounds may overlap, and nothing is known that
    /// makes this a waste.
    pub fn wavefront(&self, op: OperationRef<'c, 'a>) -> Emitted<'c, Option<Wavefront<'c, 'a>>> {
        let Some(r#loop) = ancestors(op)
            .next()
            .filter(|outer| op_name(*outer) == "scf.for")
        else {
            return Ok(None);
        };
        let Some(shared) = self.shared_by_ranges() else {
            return Ok(None);
        };
        let step = constant(r#loop.operand(2)?).filter(|&step| step > 0);
        let is_in_parallel = ancestors(op).any(|outer| op_name(outer) == "scf.parallel");
        let (Some(step), false) = (step, is_in_parallel) else {
            return Ok(None);
        };
        if !self.has_form(op) || !self.may_be_worth_it(shared, r#loop) {
            return Ok(None);
        }
        let parts = self.parts_of_old_arrays(op)?;
        if parts.len() < self.plan.yielded.len() {
            return Ok(None);
        }
        let Some(carried) = carried(r#loop, op, &parts)? else {
            return Ok(None);
        };
        let length = fixed(shared.length, r#loop, &carried);
        let (Some(numbers), Some(length)) = (numbers_beside(op, &parts), length) else {
            return Ok(None);
        };
        let wavefront = Wavefront {
            op,
            r#loop,
            step,
            length,
            carried,
            parts,
            numbers,
        };
        let is_possible =
            self.reads_fixed_arrays(&wavefront) && self.may_overlap(&wavefront, shared)?;
        let applies = || self.applies(Transformation::Wavefronts, Site::Plan);
        Ok((is_possible && applies()).then_some(wavefront))
    }

    /// The outermost loop that does not run only once, if all combinators are in it, and in
    /// no loop inside it.
    fn shared_by_ranges(&self) -> Option<&'p Loop<'c, 'a>> {
        let mut items = self.plan.items.as_slice();
        loop {
            let [Item::Loop(outermost)] = items else {
                return None;
            };
            let is_innermost = (outermost.items.iter()).all(|item| matches!(item, Item::Leaf(_)));
            match (outermost.length == Size::Static(1), is_innermost) {
                (false, true) => return Some(outermost),
                (true, false) => items = &outermost.items,
                _ => return None,
            }
        }
    }

    /// Whether iterations compute their elements from numbers, carry nothing but what scans
    /// do, and cannot fail.
    fn has_form(&self, op: OperationRef<'c, 'a>) -> bool {
        let plan = self.plan;
        let has_form = |leaf: &Leaf| {
            let is_checked = !self.options.unchecked && !leaf.view.flag("unchecked");
            !leaf.is_map_of_arrays()
                && match leaf.kind {
                    Kind::Generate | Kind::Map | Kind::ScanLeft | Kind::ScanRight => true,
                    Kind::Gather | Kind::Backpermute => !is_checked,
                    Kind::Fold | Kind::Filter | Kind::Scatter => false,
                }
        };
        plan.late.is_empty()
            && plan.leaves.iter().all(has_form)
            && (0..plan.arrays.len()).all(|array| self.plan.shared_loops(array).is_none())
            && operations(op)
                .iter()
                .all(|inner| op_name(*inner) != "soac.check")
    }

    /// Whether nothing else is read than what is updated, and arrays from outside the
    /// sequential loop.
    fn reads_fixed_arrays(&self, wavefront: &Wavefront<'c, 'a>) -> bool {
        let operands = self.plan.leaves.iter().flat_map(|leaf| &leaf.operands);
        operands.flatten().all(|source| match *source {
            Source::Given(array) => wavefront.carries(array) || is_outside(array, wavefront.r#loop),
            Source::Computed(_) => true,
        })
    }

    /// Whether no iteration uses what a later one of an earlier round writes, or writes what
    /// that one uses.
    fn may_overlap(
        &self,
        wavefront: &Wavefront<'c, 'a>,
        shared: &Loop<'c, 'a>,
    ) -> Emitted<'c, bool> {
        let computed = operations(wavefront.r#loop).into_iter();
        let computed = computed.flat_map(|op| {
            op.results()
                .map(|value| key(value.into()))
                .collect::<Vec<_>>()
        });
        let rounds = Rounds {
            index: index_of(wavefront.r#loop)?,
            step: wavefront.step,
            computed: computed.collect(),
            shared: shared.id,
        };
        let mut regions = Regions::of(self.plan);
        for &Carried { inside: array, .. } in &wavefront.carried {
            let parts = wavefront.parts.iter();
            let parts = parts.filter(|part| key(part.old) == key(array));
            let written: Vec<Index> = parts
                .map(|part| regions.written_at(part.array, &part.offsets))
                .collect();
            let read: Vec<Index> = regions
                .reads(array)
                .into_iter()
                .map(|read| read.index)
                .collect();
            for place in &written {
                let others = written.iter().chain(&read);
                for other in others {
                    if !regions.are_apart_in_rounds(place, other, &rounds)
                        || !regions.are_apart_in_rounds(other, place, &rounds)
                    {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}

impl<'c: 'a, 'a> Wavefront<'c, 'a> {
    fn carries(&self, array: Value<'c, 'a>) -> bool {
        let mut carried = self.carried.iter();
        carried.any(|carried| key(carried.inside) == key(array))
    }
}

/// The index of a sequential loop.
fn index_of<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
    Ok(body(r#loop)?.argument(0)?.into())
}

/// What a sequential loop carries, with what it is at first, if it is nothing but arrays that
/// an op updates. Nothing else may read these in the loop.
fn carried<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    op: OperationRef<'c, 'a>,
    parts: &[Part<'c, 'a>],
) -> Emitted<'c, Option<Vec<Carried<'c, 'a>>>> {
    let mut carried: Vec<Carried> = vec![];
    let updates: HashSet<usize> = parts.iter().map(|part| op_key(part.update)).collect();
    let may_use = |user: OperationRef<'c, 'a>| {
        op_name(user) == "tensor.dim"
            || updates.contains(&op_key(user))
            || user == op
            || ancestors(user).any(|outer| outer == op)
    };
    let block = body(r#loop)?;
    let Some(end) = block.terminator() else {
        return Ok(None);
    };
    for number in 0..end.operand_count() {
        let inside: Value = block.argument(number + 1)?.into();
        let first = r#loop.operand(number + 3)?;
        let after = end.operand(number)?;
        let is_updated = definition(after).is_some_and(|update| {
            let mut parts = parts.iter().filter(|part| key(part.old) == key(inside));
            parts.any(|part| op_key(part.update) == op_key(update)) && uses(after).len() == 1
        });
        let only_here = uses(inside).into_iter().all(|(user, _)| may_use(user));
        let not_inside = uses(first).into_iter().all(|(user, _)| {
            op_name(user) == "tensor.dim" || !ancestors(user).any(|outer| outer == r#loop)
        });
        let is_only = carried.iter().all(|other| key(other.first) != key(first));
        if !(is_updated && only_here && not_inside && is_only) {
            return Ok(None);
        }
        carried.push(Carried { inside, first });
    }
    Ok(Some(carried))
}

/// What stands beside an op and its updates, if these are numbers and checks.
fn numbers_beside<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    parts: &[Part<'c, 'a>],
) -> Option<Vec<OperationRef<'c, 'a>>> {
    let first = op.block()?.first_operation();
    let others = in_block_from(first)
        .filter(|&other| other != op && other.next_in_block().is_some())
        .filter(|&other| {
            parts
                .iter()
                .all(|part| op_key(part.update) != op_key(other))
        });
    others
        .map(|other| {
            let gives_numbers = other.results().all(|result| is_number(result.into()));
            let only_computes = op_name(other) == "soac.check" || !has_effects(other);
            let is_plain = gives_numbers && only_computes && other.regions().next().is_none();
            is_plain.then_some(other)
        })
        .collect()
}

fn is_number(value: Value) -> bool {
    !value.r#type().is_shaped()
}

/// A size that is the same in all rounds.
#[derive(Clone, Copy)]
enum Fixed<'c, 'a> {
    /// It is known in front of the loop.
    InFront(Size<'c, 'a>),
    /// A carried array has it, from the beginning.
    Of { array: Value<'c, 'a>, axis: usize },
}

/// What a size is in all rounds, if that is known to be the same.
fn fixed<'c: 'a, 'a>(
    size: Size<'c, 'a>,
    r#loop: OperationRef<'c, 'a>,
    carried: &[Carried<'c, 'a>],
) -> Option<Fixed<'c, 'a>> {
    let value = match size {
        Size::Dynamic(value) if !is_outside(value, r#loop) => value,
        _ => return Some(Fixed::InFront(size)),
    };
    let dim = definition(value).filter(|&op| op_name(op) == "tensor.dim")?;
    let (array, axis) = (dim.operand(0).ok()?, constant(dim.operand(1).ok()?)?);
    let mut carried = carried.iter();
    let carried = carried.find(|carried| key(carried.inside) == key(array))?;
    Some(Fixed::Of {
        array: carried.first,
        axis: usize::try_from(axis).ok()?,
    })
}

/// Whether a value is there in front of a loop.
fn is_outside<'c: 'a, 'a>(value: Value<'c, 'a>, r#loop: OperationRef<'c, 'a>) -> bool {
    let here = definition(value).or_else(|| Some(argument_of(value)?.0));
    here.is_some_and(|op| op != r#loop && !ancestors(op).any(|outer| outer == r#loop))
}

fn body<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> Emitted<'c, BlockRef<'c, 'a>> {
    let block = first_block(r#loop);
    block.ok_or_else(|| internal(r#loop.location(), "a loop has no body"))
}
