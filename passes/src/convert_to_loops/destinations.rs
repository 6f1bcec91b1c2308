//! Memory of results inside larger arrays, into which nothing else puts them.
//!
//! A result that is only used as a part of a larger array is computed in its place
//! there, if that pays ([`updates`](super::updates)) or cannot hurt
//! ([`concats`](super::concats), [`in_place`](super::in_place)). The larger array's memory must exist before the
//! loops run, so what its size depends on, and its checks, are executed before them.
//!
//! These are the simplest cases of short-circuiting (Munksgaard et al., Memory
//! Optimizations in an Array Language, SC 2022, section V).
//!
//! Cost: linear in the number of ops between the loops and the op that puts the part
//! into the larger array.

use std::collections::HashSet;

use melior::ir::{
    OperationRef, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Slice},
    description::array_type,
    view::op_name,
};

use super::{
    emitter::{Emitted, Emitter, Place},
    layouts::{self, row_strides},
    plan::{ArrayId, Source},
};
use crate::{
    checks::facts::key,
    fuse::{captures::captured, effects::has_effects},
    walk::{in_block_from, operations},
};

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// The computed array that is a result and no other one, and has no memory yet. What
    /// a filter gives is none: its size is not known before.
    pub fn movable_result(&self, result: usize) -> Option<ArrayId> {
        let source = self.plan.yielded[result];
        let Source::Computed(array) = source else {
            return None;
        };
        let computed = &self.plan.arrays[array];
        let yielded = self.plan.yielded.iter();
        let is_only = yielded.filter(|&&other| other == source).count() == 1;
        let has_loops = !computed.shape.is_empty() && computed.clock.is_none();
        (is_only && has_loops && self.places[array].is_none()).then_some(array)
    }

    /// Places a computed array in the memory of a larger one, of the given sizes, where
    /// its part begins.
    pub fn place_part(
        &mut self,
        array: ArrayId,
        memory: Value<'c, 'a>,
        all: Vec<Size<'c, 'a>>,
        offsets: Vec<Size<'c, 'a>>,
    ) -> Emitted<'c, ()> {
        let sizes = self.plan.arrays[array].shape.clone();
        let is_read = self.plan.shared_loops(array).is_some();
        let skew = match offsets.last() {
            Some(&Size::Static(skew)) if all.len() > 1 => Some(skew),
            _ => None,
        };
        self.skews.extend(skew.map(|skew| (array, skew)));
        let part = Slice::contiguous(offsets, sizes.clone());
        self.places[array] = Some(Place {
            memory: part_of(&self.front, memory, &part)?,
            sizes,
            pitches: all,
            skipped: 0,
            is_read,
            is_aligned: skew.is_some() && !is_read,
        });
        Ok(())
    }

    /// What a result becomes that is in its place: nobody uses it any more.
    pub fn unused(
        &self,
        op: OperationRef<'c, 'a>,
        result: usize,
        array: ArrayId,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let computed = &self.plan.arrays[array];
        let unused = self.front.empty(&computed.shape, computed.element)?;
        Ok(self.front.cast(unused, op.result(result)?.r#type())?)
    }
}

/// All of a larger array, now that its parts are in memory, as an op's result.
pub(super) fn complete<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Emitted<'c, ()> {
    let r#type = array_type_of(memory)?;
    let array = builder.array_in(memory, r#type, true)?;
    let array = builder.cast(array, op.result(0)?.r#type())?;
    builder.replace(op, &[array]);
    Ok(())
}

/// The type of the array that is in contiguous memory.
fn array_type_of<'c>(memory: Value<'c, '_>) -> Emitted<'c, Type<'c>> {
    let memory = MemRefType::try_from(memory.r#type())?;
    let sizes = (0..memory.rank())
        .map(|axis| {
            Ok(match memory.dim_size(axis)? {
                DimSize::Static(size) => Some(size as i64),
                DimSize::Dynamic => None,
            })
        })
        .collect::<Emitted<Vec<_>>>()?;
    Ok(array_type(&sizes, memory.element()))
}

/// A part of contiguous memory.
pub(super) fn part_of<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    part: &Slice<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let r#type = part_type(builder, memory, part)?;
    Ok(builder.part_of_memory(memory, part, r#type)?)
}

/// The type of a part of contiguous memory.
fn part_type<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    part: &Slice<'c, 'a>,
) -> Emitted<'c, Type<'c>> {
    let memory = MemRefType::try_from(memory.r#type())?;
    let sizes = (0..memory.rank())
        .map(|axis| memory.dim_size(axis))
        .collect::<Result<Vec<_>, _>>()?;
    let strides = row_strides(sizes.iter().map(|size| match size {
        DimSize::Static(size) => i64::try_from(*size).ok(),
        DimSize::Dynamic => None,
    }));
    let offset = part
        .offsets
        .iter()
        .zip(&strides)
        .try_fold(0, |sum, pair| match pair {
            (Size::Static(0), _) => Some(sum),
            (Size::Static(start), Some(stride)) => Some(sum + start * stride),
            _ => None,
        });
    layouts::part_type(builder, memory.element(), &part.sizes, &strides, offset)
}

/// The sum, difference or minimum of two sizes.
pub(super) fn combined_size<'c, 'a>(
    builder: &Builder<'c, 'a>,
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
    match (name, left) {
        ("arith.minsi", Size::Static(0)) => return Ok(left),
        ("arith.addi", Size::Static(0)) => return Ok(right),
        _ => {}
    }
    let operands = [builder.size_value(left)?, builder.size_value(right)?];
    Ok(Size::Dynamic(builder.arithmetic(name, &operands)?))
}

/// The ops between two of a block that can be executed in front of the first one:
/// all checks, and what does not depend on combinators; nothing if a check does, or an
/// op does something that a check must not overtake.
pub(super) fn executable_before<'c: 'a, 'a>(
    first: OperationRef<'c, 'a>,
    last: OperationRef<'c, 'a>,
) -> Option<Vec<OperationRef<'c, 'a>>> {
    let mut dependent: HashSet<usize> = results_of(first).collect();
    let mut independent = vec![];
    let between = in_block_from(first.next_in_block());
    for op in between.take_while(|&op| op != last) {
        let mut used = op.operands().chain(captured(op));
        let depends = used.any(|value| dependent.contains(&key(value)));
        let is_check = op_name(op) == "soac.check";
        let stays = depends || op_name(op).starts_with("soac.") || has_effects(op);
        match is_check {
            true if depends => return None,
            true => independent.push(op),
            false if !only_checks(op) => return None,
            false if stays => dependent.extend(results_of(op)),
            false => independent.push(op),
        }
    }
    Some(independent)
}

/// Whether an op does nothing but compute and check.
fn only_checks<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> bool {
    let mut all = std::iter::once(op).chain(operations(op));
    all.all(|op| op.regions().next().is_some() || op_name(op) == "soac.check" || !has_effects(op))
}

fn results_of<'c, 'a>(op: OperationRef<'c, 'a>) -> impl Iterator<Item = usize> {
    let results: Vec<usize> = op.results().map(|result| key(result.into())).collect();
    results.into_iter()
}
