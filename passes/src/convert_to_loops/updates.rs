//! Results that go straight into a new array, in place of the one that they update.
//!
//! A stencil computes the interior of a new array, and `soac.update` puts that into
//! the old one, which the stencil reads. So the old array cannot be overwritten while
//! the loops run, and the update would be a second pass over memory. Instead, the
//! loops write into new memory that is as large as the old array, and the border is
//! copied. That is worth it where the border is thin: the part begins at constant
//! indices, and is more than a row. What may be written into the old array's own memory is
//! in [`in_place`](super::in_place).
//!
//! What lies before and behind the part in the outermost dimension is copied in front
//! of the loops. What lies beside its rows is copied by the iteration that computes
//! the row, where it is in the same lines of the cache: alone, each of these elements
//! would cost a line, and threads would not share the work.
//!
//! Cost: linear in the number of ops between the cluster and the update.

use melior::ir::{
    OperationRef, Value,
    operation::OperationLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Slice},
    view::{DYNAMIC, OpView, definition, op_name, stands_before, uses},
};

use super::{
    applications::Site,
    destinations::{combined_size, complete, executable_before, part_of},
    emitter::{Emitted, Emitter, internal},
    lanes::Lanes,
    plan::{ArrayId, Component, Loop, Source},
};
use crate::{transformations::Transformation, walk::operations};

/// An update whose source is a result.
#[derive(Clone)]
pub(super) struct Update<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    /// Where the array is when all loops are over.
    memory: Value<'c, 'a>,
    /// What is copied there from the old array; nothing if it is there already.
    border: Option<Border<'c, 'a>>,
}

/// What an update leaves of an old array.
#[derive(Clone)]
struct Border<'c, 'a> {
    old: Value<'c, 'a>,
    /// Where the part begins that the update replaces.
    offsets: Vec<i64>,
    /// What iterations copy.
    beside: Vec<Slab<'c, 'a>>,
}

/// What lies before or behind a part of an array along one dimension: in the dimensions
/// before that one, as far as the part goes.
#[derive(Clone)]
struct Slab<'c, 'a> {
    dimension: usize,
    all: Slice<'c, 'a>,
}

impl<'c: 'a, 'a> Slab<'c, 'a> {
    /// What an iteration has of it, whose index in the part is given as far as to the
    /// dimension.
    fn at(&self, builder: &Builder<'c, 'a>, index: &[Value<'c, 'a>]) -> Emitted<'c, Slice<'c, 'a>> {
        let mut slice = self.all.clone();
        for (axis, &position) in index.iter().enumerate() {
            let (start, position) = (slice.offsets[axis], Size::Dynamic(position));
            slice.offsets[axis] = combined_size(builder, "arith.addi", start, position)?;
            slice.sizes[axis] = Size::Static(1);
        }
        Ok(slice)
    }
}

impl<'c: 'a, 'a> Update<'c, 'a> {
    /// An update in the memory of the old array.
    pub fn in_place(op: OperationRef<'c, 'a>, memory: Value<'c, 'a>) -> Self {
        Self {
            op,
            memory,
            border: None,
        }
    }

    /// Makes what is in memory the result of the update.
    pub fn complete(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, ()> {
        complete(builder, self.memory, self.op)
    }
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Places results in new memory for the arrays that they update, if they are only
    /// used for that.
    pub fn place_in_updates(&mut self, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        for result in 0..self.plan.yielded.len() {
            let Some(array) = self.movable_result(result) else {
                continue;
            };
            let Some((update, old, offsets)) = update_of(op, op.result(result)?.into()) else {
                continue;
            };
            if !self.applies(Transformation::UpdatesInNewArrays, Site::Array(array)) {
                continue;
            }
            for other in executable_before(op, update).unwrap_or_default() {
                self.front.move_here(other);
            }
            let computed = &self.plan.arrays[array];
            let all = self.front.sizes(old)?;
            let memory = self.front.allocate(&all, computed.element)?;
            self.place_part(array, memory, all, constants(&offsets))?;
            let update = Update {
                op: update,
                memory,
                border: Some(Border {
                    old,
                    offsets,
                    beside: vec![],
                }),
            };
            self.updates.insert(result, update);
        }
        Ok(())
    }

    /// Copies what updates leave of the old arrays, but for what iterations copy.
    pub fn copy_borders(&mut self) -> Emitted<'c, ()> {
        let front = self.front;
        for (result, mut update) in self.updates.clone() {
            let (Source::Computed(array), Some(border)) =
                (self.plan.yielded[result], &mut update.border)
            else {
                continue;
            };
            let part = self.plan.arrays[array].shape.clone();
            let all = self.input(border.old)?.sizes;
            let deepest = self.loops_one_by_one(array);
            for slab in self.border(&border.offsets, &part, &all)? {
                match slab.dimension {
                    1.. if slab.dimension <= deepest => border.beside.push(slab),
                    _ => self.copy_old(&front, border.old, update.memory, &slab.all)?,
                }
            }
            self.updates.insert(result, update);
        }
        Ok(())
    }

    /// Copies what lies beside the rows that the current iteration of a loop computes.
    pub fn copy_beside(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, ()> {
        if !self.reducing.is_empty() {
            return Ok(());
        }
        for (result, update) in self.updates.clone() {
            let (Source::Computed(array), Some(border)) =
                (self.plan.yielded[result], &update.border)
            else {
                continue;
            };
            let leaf = self.plan.arrays[array].leaf;
            if !self.leaves_in(r#loop).contains(&leaf) {
                continue;
            }
            let index = self.now.index.iter().map(|lanes| lanes.uniform());
            let index: Option<Vec<Value>> = index.collect();
            let slabs = border.beside.iter();
            for slab in slabs.filter(|slab| slab.dimension == r#loop.level) {
                let index = index.as_deref().ok_or_else(|| {
                    let location = self.plan.leaves[leaf].view.location;
                    internal(location, "a border is copied in several lanes")
                })?;
                let slice = slab.at(builder, index)?;
                self.copy_old(builder, border.old, update.memory, &slice)?;
            }
        }
        Ok(())
    }

    /// The same for `count` iterations from an index on.
    pub fn copy_beside_rows(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        count: u64,
        first: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let borders = self
            .updates
            .values()
            .filter_map(|update| update.border.as_ref());
        let mut slabs = borders.flat_map(|border| &border.beside);
        if !slabs.any(|slab| slab.dimension == r#loop.level) {
            return Ok(());
        }
        let count = builder.index(count as i64)?;
        builder.for_loop(count, &[], |builder, number, _| {
            let index = builder.arithmetic("arith.addi", &[first, number])?;
            self.now.index.push(Lanes::Uniform(index));
            let done = self.copy_beside(builder, r#loop);
            self.now.index.pop();
            done.map(|()| vec![])
        })?;
        Ok(())
    }

    fn copy_old(
        &mut self,
        builder: &Builder<'c, 'a>,
        old: Value<'c, 'a>,
        memory: Value<'c, 'a>,
        slice: &Slice<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let old = self.input(old)?;
        let from = part_of(builder, old.memory, slice)?;
        let to = part_of(builder, memory, slice)?;
        builder.op("memref.copy", &[from, to], &[], &[], vec![])?;
        Ok(())
    }

    /// How many of the outermost loops of an array go through its dimensions forwards,
    /// one iteration after the other, and have loops inside.
    fn loops_one_by_one(&self, array: ArrayId) -> usize {
        let leaf = &self.plan.leaves[self.plan.arrays[array].leaf];
        let inside = leaf.path.len().saturating_sub(1);
        let loops = leaf.components.iter().zip(&leaf.path[..inside]).enumerate();
        let forwards = loops.take_while(|(level, (component, id))| {
            let in_order = Component::Loop {
                position: *level,
                backwards: false,
            };
            let mut forms = [&self.forms, &self.forms_without_packing].into_iter();
            **component == in_order && !forms.any(|forms| forms.has_lanes(**id))
        });
        forwards.count()
    }

    /// The slabs around a part of an array. A part without elements may begin anywhere,
    /// also where there is nothing.
    fn border(
        &self,
        offsets: &[i64],
        part: &[Size<'c, 'a>],
        all: &[Size<'c, 'a>],
    ) -> Emitted<'c, Vec<Slab<'c, 'a>>> {
        let (mut starts, mut lengths) = (vec![], vec![]);
        let mut slabs = vec![];
        for (dimension, &whole) in all.iter().enumerate() {
            let offset = Size::Static(offsets[dimension]);
            let start = combined_size(&self.front, "arith.minsi", offset, whole)?;
            let end = combined_size(&self.front, "arith.addi", offset, part[dimension])?;
            let end = combined_size(&self.front, "arith.minsi", end, whole)?;
            let behind = combined_size(&self.front, "arith.subi", whole, end)?;
            for (first, length) in [(Size::Static(0), start), (end, behind)] {
                if length == Size::Static(0) {
                    continue;
                }
                let mut firsts: Vec<Size> = starts.clone();
                let mut sizes: Vec<Size> = lengths.clone();
                firsts.push(first);
                sizes.push(length);
                firsts.resize(all.len(), Size::Static(0));
                sizes.extend_from_slice(&all[dimension + 1..]);
                slabs.push(Slab {
                    dimension,
                    all: Slice::contiguous(firsts, sizes),
                });
            }
            starts.push(start);
            lengths.push(combined_size(&self.front, "arith.subi", end, start)?);
        }
        Ok(slabs)
    }
}

fn constants<'c, 'a>(values: &[i64]) -> Vec<Size<'c, 'a>> {
    values.iter().map(|&value| Size::Static(value)).collect()
}

/// An update that can be computed where the part belongs, as far as its form tells.
pub(super) struct OnlyUse<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub view: OpView<'c, 'a>,
    pub part: RankedTensorType<'c>,
    pub dest: RankedTensorType<'c>,
    /// Where the part begins; what is computed is marked as such.
    pub offsets: Vec<i64>,
}

impl<'c: 'a, 'a> OnlyUse<'c, 'a> {
    /// The update that is all that a result of an op is used for: of a part without
    /// steps, that is not known to begin where nothing is.
    pub fn of(op: OperationRef<'c, 'a>, result: Value<'c, 'a>) -> Option<Self> {
        let &[(update, 0)] = uses(result).as_slice() else {
            return None;
        };
        if op_name(update) != "soac.update" || update.block() != op.block() {
            return None;
        }
        let view = OpView::of(update);
        let (part, dest) = (view.array(0)?, view.array(1)?);
        let offsets = view.integers("static_offsets");
        let strides = view.integers("static_strides");
        let has_form = part.rank() == dest.rank()
            && offsets.len() == part.rank()
            && (offsets.iter()).all(|&offset| offset == DYNAMIC || offset >= 0)
            && strides.iter().all(|&stride| stride == 1)
            && begins_inside(&offsets, &dest);
        has_form.then_some(Self {
            op: update,
            view,
            part,
            dest,
            offsets,
        })
    }
}

/// The update that is all that a result of an op is used for, with the old array
/// and where the part begins.
fn update_of<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    result: Value<'c, 'a>,
) -> Option<(OperationRef<'c, 'a>, Value<'c, 'a>, Vec<i64>)> {
    let update = OnlyUse::of(op, result)?;
    let old = update.view.operands[1];
    let is_inner =
        !update.offsets.contains(&DYNAMIC) && !has_single_row(&update.part, &update.dest);
    let is_read = std::iter::once(op)
        .chain(operations(op))
        .any(|op| op.operands().any(|operand| operand == old));
    let can_move = executable_before(op, update.op).is_some();
    (is_inner && is_read && can_move && is_before(old, op)).then_some((
        update.op,
        old,
        update.offsets,
    ))
}

/// Whether a part is not known to begin where there is nothing, as one without
/// elements may, and as MLIR does not allow.
fn begins_inside(offsets: &[i64], dest: &RankedTensorType) -> bool {
    offsets
        .iter()
        .enumerate()
        .all(|(axis, &offset)| match dest.dim_size(axis) {
            Ok(DimSize::Static(size)) => offset < size as i64,
            _ => true,
        })
}

/// Whether a part has one row of many.
fn has_single_row(part: &RankedTensorType, dest: &RankedTensorType) -> bool {
    (0..part.rank()).any(|axis| {
        let one = DimSize::Static(1);
        part.dim_size(axis).is_ok_and(|size| size == one)
            && dest.dim_size(axis).is_ok_and(|size| size != one)
    })
}

/// Whether a value is there in front of an op that is in the same block as all that
/// uses it.
pub(super) fn is_before<'c: 'a, 'a>(value: Value<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let Some(defining) = definition(value) else {
        return true;
    };
    defining.block() != op.block() || stands_before(defining, op)
}
