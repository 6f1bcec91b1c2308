//! Results that go straight into a larger array.
//!
//! A stencil computes the interior of a new array, and `soac.update` puts that into
//! the old one, which the stencil reads. So the old array cannot be overwritten while
//! the loops run, and the update would be a second pass over memory. Instead, the
//! loops write into new memory that is as large as the old array, and the border is
//! copied. That is worth it where the border is thin: the part begins at constant
//! indices, and is more than a row.
//!
//! This is the simplest case of short-circuiting (Munksgaard et al., Memory
//! Optimizations in an Array Language, SC 2022, section V).
//!
//! Cost: linear in the number of ops between the cluster and the update.

use std::collections::HashSet;

use melior::ir::{
    OperationRef, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, MemRefType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Size, Slice},
    view::{DYNAMIC, OpView, definition, op_name, stands_before, uses},
};

use super::{
    emitter::{Emitted, Emitter, Place},
    plan::ArrayId,
};
use crate::{
    checks::facts::key,
    fuse::{captures::captured, effects::has_effects},
    walk::operations,
};

/// An update whose source is a result.
#[derive(Clone)]
pub(super) struct Update<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    /// The new array.
    pub memory: Value<'c, 'a>,
    /// The old array.
    dest: Value<'c, 'a>,
    offsets: Vec<i64>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Memory of a result inside that of the array that it updates, if it is only
    /// used for that.
    pub fn place_in_update(
        &mut self,
        op: OperationRef<'c, 'a>,
        result: usize,
        array: ArrayId,
    ) -> Emitted<'c, Option<Place<'c, 'a>>> {
        let is_filtered = self.plan.arrays[array].clock.is_some();
        let found = update_of(op, op.result(result)?.into());
        let Some((update, dest, offsets)) = found.filter(|_| !is_filtered) else {
            return Ok(None);
        };
        for other in independent_between(op, update).unwrap_or_default() {
            self.front.move_here(other);
        }
        let computed = &self.plan.arrays[array];
        let all = self.front.sizes(dest)?;
        let memory = self.front.allocate(&all, computed.element)?;
        let part = Slice::contiguous(constants(&offsets), computed.shape.clone());
        let r#type = self.part_type(memory, &part)?;
        let place = Place {
            memory: self.front.part_of_memory(memory, &part, r#type)?,
            sizes: computed.shape.clone(),
            pitches: all,
            skipped: 0,
            is_read: false,
            is_aligned: false,
        };
        self.updates.insert(
            result,
            Update {
                op: update,
                memory,
                dest,
                offsets,
            },
        );
        Ok(Some(place))
    }

    /// Copies what updates leave of the old arrays.
    pub fn copy_borders(&mut self) -> Emitted<'c, ()> {
        for (result, update) in self.updates.clone() {
            let super::plan::Source::Computed(array) = self.plan.yielded[result] else {
                continue;
            };
            let part = self.plan.arrays[array].shape.clone();
            let old = self.input(update.dest)?;
            for slab in self.border(&update.offsets, &part, &old.sizes)? {
                let from = self.part_type(old.memory, &slab)?;
                let from = self.front.part_of_memory(old.memory, &slab, from)?;
                let to = self.part_type(update.memory, &slab)?;
                let to = self.front.part_of_memory(update.memory, &slab, to)?;
                self.front
                    .op("memref.copy", &[from, to], &[], &[], vec![])?;
            }
        }
        Ok(())
    }

    /// The slabs around a part of an array: along each dimension, what lies before
    /// and behind it; in the dimensions before that one, as far as the part goes. A
    /// part without elements may begin anywhere, also where there is nothing.
    fn border(
        &self,
        offsets: &[i64],
        part: &[Size<'c, 'a>],
        all: &[Size<'c, 'a>],
    ) -> Emitted<'c, Vec<Slice<'c, 'a>>> {
        let (mut starts, mut lengths) = (vec![], vec![]);
        let mut slabs = vec![];
        for (dimension, &whole) in all.iter().enumerate() {
            let offset = Size::Static(offsets[dimension]);
            let start = self.combined_size("arith.minsi", offset, whole)?;
            let end = self.combined_size("arith.addi", offset, part[dimension])?;
            let end = self.combined_size("arith.minsi", end, whole)?;
            let behind = self.combined_size("arith.subi", whole, end)?;
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
                slabs.push(Slice::contiguous(firsts, sizes));
            }
            starts.push(start);
            lengths.push(self.combined_size("arith.subi", end, start)?);
        }
        Ok(slabs)
    }

    /// The sum, difference or minimum of two sizes.
    fn combined_size(
        &self,
        name: &str,
        left: Size<'c, 'a>,
        right: Size<'c, 'a>,
    ) -> Emitted<'c, Size<'c, 'a>> {
        if let (Size::Static(left), Size::Static(right)) = (left, right) {
            return Ok(Size::Static(match name {
                "arith.addi" => left + right,
                "arith.subi" => left - right,
                _ => left.min(right),
            }));
        }
        if name == "arith.minsi" && left == Size::Static(0) {
            return Ok(left);
        }
        let operands = [self.front.size_value(left)?, self.front.size_value(right)?];
        Ok(Size::Dynamic(self.front.arithmetic(name, &operands)?))
    }

    /// The type of a part of contiguous memory.
    fn part_type(&self, memory: Value<'c, 'a>, part: &Slice<'c, 'a>) -> Emitted<'c, Type<'c>> {
        let memory = MemRefType::try_from(memory.r#type())?;
        let mut strides = vec![Some(1)];
        for axis in (1..memory.rank()).rev() {
            let inner = match memory.dim_size(axis)? {
                DimSize::Static(size) => Some(size as i64),
                DimSize::Dynamic => None,
            };
            let last = strides[strides.len() - 1];
            strides.push(
                last.zip(inner)
                    .map(|(last, inner): (i64, i64)| last * inner),
            );
        }
        strides.reverse();
        let offset = part
            .offsets
            .iter()
            .zip(&strides)
            .try_fold(0, |sum, pair| match pair {
                (Size::Static(0), _) => Some(sum),
                (Size::Static(start), Some(stride)) => Some(sum + start * stride),
                _ => None,
            });
        let text = |number: &Option<i64>| number.map_or("?".to_owned(), |n| n.to_string());
        let list: Vec<String> = strides.iter().map(text).collect();
        let layout = format!("strided<[{}], offset: {}>", list.join(", "), text(&offset));
        let layout = self.front.attribute(&layout)?;
        let sizes: Vec<i64> = part
            .sizes
            .iter()
            .map(|size| match size {
                Size::Static(size) => *size,
                Size::Dynamic(_) => DYNAMIC,
            })
            .collect();
        Ok(MemRefType::new(memory.element(), &sizes, Some(layout), None).into())
    }
}

fn constants<'c, 'a>(values: &[i64]) -> Vec<Size<'c, 'a>> {
    values.iter().map(|&value| Size::Static(value)).collect()
}

/// The update that is all that a result of an op is used for, with the old array
/// and where the part begins.
fn update_of<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    result: Value<'c, 'a>,
) -> Option<(OperationRef<'c, 'a>, Value<'c, 'a>, Vec<i64>)> {
    let &[(update, 0)] = uses(result).as_slice() else {
        return None;
    };
    if op_name(update) != "soac.update" || update.block() != op.block() {
        return None;
    }
    let view = OpView::of(update);
    let (part, dest) = (view.array(0)?, view.array(1)?);
    let old = view.operands[1];
    let offsets = view.integers("static_offsets");
    let is_inner = offsets.iter().all(|&offset| offset >= 0)
        && view
            .integers("static_strides")
            .iter()
            .all(|&stride| stride == 1)
        && part.rank() == dest.rank()
        && offsets.len() == part.rank()
        && !has_single_row(&part, &dest)
        && begins_inside(&offsets, &dest);
    let is_read = std::iter::once(op)
        .chain(operations(op))
        .any(|op| op.operands().any(|operand| operand == old));
    let can_move = independent_between(op, update).is_some();
    (is_inner && is_read && can_move && is_before(old, op)).then_some((update, old, offsets))
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

/// The ops between two of a block that do not depend on the first one's results, and
/// can move in front of it; nothing if one does something and has to stay, be it a
/// check or a write.
fn independent_between<'c: 'a, 'a>(
    first: OperationRef<'c, 'a>,
    last: OperationRef<'c, 'a>,
) -> Option<Vec<OperationRef<'c, 'a>>> {
    let mut dependent: HashSet<usize> = results_of(first).collect();
    let mut independent = vec![];
    let between = std::iter::successors(first.next_in_block(), |op| op.next_in_block());
    for op in between.take_while(|&op| op != last) {
        let used = op.operands().chain(captured(op));
        let depends = used
            .into_iter()
            .any(|value| dependent.contains(&key(value)));
        if has_effects(op) && (depends || op_name(op) != "soac.check") {
            return None;
        }
        if depends {
            dependent.extend(results_of(op));
        } else {
            independent.push(op);
        }
    }
    Some(independent)
}

fn results_of<'c, 'a>(op: OperationRef<'c, 'a>) -> impl Iterator<Item = usize> {
    let results: Vec<usize> = op.results().map(|result| key(result.into())).collect();
    results.into_iter()
}

/// Whether a value is there in front of an op that is in the same block as all that
/// uses it.
fn is_before<'c: 'a, 'a>(value: Value<'c, 'a>, op: OperationRef<'c, 'a>) -> bool {
    let Some(defining) = definition(value) else {
        return true;
    };
    defining.block() != op.block() || stands_before(defining, op)
}
