//! Results that go straight into their part of a concatenation.
//!
//! A result that only a `soac.concat` uses is computed in the memory of the whole.
//! That is allocated in front of the first combinator or cluster that gives a part, if
//! all sizes are known there ([`sizes_ahead`](super::sizes_ahead)), or else in front of
//! a later one. When the turn comes to the concatenation itself, what is not in its
//! place yet is copied there: by loops like any others, those of a `soac.map` that
//! gives what it gets.
//!
//! Cost: linear in the number of parts, and of ops between the first of them and the
//! concatenation.

use std::collections::{HashMap, HashSet};

use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size},
    view::{OpView, definition, op_name, set_operand, uses},
};

use super::{
    Memory, Options,
    applications::Site,
    destinations::{combined_size, complete, executable_before},
    emitter::{Emitted, Emitter, internal},
    op_key,
    sizes_ahead::SizesAhead,
};
use crate::transformations::Transformation;

/// The concatenations whose memory is there already, by op_key.
#[derive(Default)]
pub(super) struct Concats<'c, 'a> {
    wholes: HashMap<usize, Whole<'c, 'a>>,
    /// The map that copies a part at the moment.
    copying: Option<usize>,
}

/// The memory of a concatenation.
struct Whole<'c, 'a> {
    memory: Value<'c, 'a>,
    sizes: Vec<Size<'c, 'a>>,
    /// Where each part begins along the dimension in which they are joined.
    starts: Vec<Size<'c, 'a>>,
    /// The parts that are computed in their place.
    in_place: HashSet<usize>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Places results in the concatenations that they are only used for.
    pub fn place_in_concats(
        &mut self,
        op: OperationRef<'c, 'a>,
        concats: &mut Concats<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for result in 0..self.plan.yielded.len() {
            let Some(array) = self.movable_result(result) else {
                continue;
            };
            let Some((concat, part)) = concat_of(op, op.result(result)?.into()) else {
                continue;
            };
            let is_copy = concats.copying == Some(op_key(op));
            if !is_copy && !self.applies(Transformation::PartsOfConcats, Site::Array(array)) {
                continue;
            }
            if !concats.wholes.contains_key(&op_key(concat))
                && let Some(whole) = self.begin_concat(op, concat)?
            {
                concats.wholes.insert(op_key(concat), whole);
            }
            let Some(whole) = concats.wholes.get_mut(&op_key(concat)) else {
                continue;
            };
            let mut offsets = vec![Size::Static(0); whole.sizes.len()];
            offsets[dimension(concat)] = whole.starts[part];
            self.place_part(array, whole.memory, whole.sizes.clone(), offsets)?;
            whole.in_place.insert(part);
            self.elsewhere.insert(result);
        }
        Ok(())
    }

    /// Allocates the memory of a concatenation in front of an op that gives a part of it;
    /// not if it is not known here how large it is, or something may come in between.
    fn begin_concat(
        &mut self,
        op: OperationRef<'c, 'a>,
        concat: OperationRef<'c, 'a>,
    ) -> Emitted<'c, Option<Whole<'c, 'a>>> {
        let Some(executable) = executable_before(op, concat) else {
            return Ok(None);
        };
        for other in executable {
            self.front.move_here(other);
        }
        let parts: Vec<Value> = concat.operands().collect();
        let mut ahead = SizesAhead {
            front: self.front,
            op,
            plan: Some(self.plan),
            sizes: &mut HashMap::new(),
        };
        let shapes = parts.iter().map(|&part| ahead.shape(part));
        let Some(shapes) = shapes.collect::<Emitted<Option<Vec<_>>>>()? else {
            return Ok(None);
        };
        let (sizes, starts) = joined(&self.front, &shapes, dimension(concat))?;
        let element = RankedTensorType::try_from(parts[0].r#type())?.element();
        Ok(Some(Whole {
            memory: self.front.allocate(&sizes, element)?,
            sizes,
            starts,
            in_place: HashSet::new(),
        }))
    }
}

/// Lowers a concatenation: copies the parts that are not in their place yet.
pub(super) fn lower<'c: 'a, 'a>(
    concat: OperationRef<'c, 'a>,
    options: Options,
    memory: &mut Memory<'c, 'a>,
) -> Emitted<'c, ()> {
    let front = Builder::before(concat).ok_or(melior::Error::OperationBuild)?;
    for (position, part) in concat.operands().enumerate().collect::<Vec<_>>() {
        let whole = memory.concats.wholes.get(&op_key(concat));
        let is_in_place = whole.is_some_and(|whole| whole.in_place.contains(&position));
        if is_in_place || !has_elements(concat, part) {
            continue;
        }
        let copy = front.map(&[part], |_, elements| Ok(vec![elements[0]]))?[0];
        set_operand(concat, position, copy);
        let copying = definition(copy).ok_or(melior::Error::OperationBuild)?;
        memory.concats.copying = Some(op_key(copying));
        let is_lowered = super::lower(copying, options, memory)?.is_ok();
        memory.concats.copying = None;
        let whole = memory.concats.wholes.get(&op_key(concat));
        if !is_lowered || !whole.is_some_and(|whole| whole.in_place.contains(&position)) {
            return Err(internal(concat.location(), "a part is not in its place"));
        }
    }
    match memory.concats.wholes.remove(&op_key(concat)) {
        Some(whole) => complete(&front, whole.memory, concat),
        None => {
            // No part has elements.
            let shapes = concat.operands().map(|part| Ok(front.sizes(part)?));
            let shapes = shapes.collect::<Emitted<Vec<_>>>()?;
            let (sizes, _) = joined(&front, &shapes, dimension(concat))?;
            let r#type = RankedTensorType::try_from(concat.result(0)?.r#type())?;
            let empty = front.empty(&sizes, r#type.element())?;
            let empty = front.cast(empty, r#type.into())?;
            front.replace(concat, &[empty]);
            Ok(())
        }
    }
}

/// The sizes of the whole, and where parts of these shapes begin in it.
fn joined<'c, 'a>(
    builder: &Builder<'c, 'a>,
    shapes: &[Vec<Size<'c, 'a>>],
    along: usize,
) -> Emitted<'c, (Vec<Size<'c, 'a>>, Vec<Size<'c, 'a>>)> {
    let mut starts = vec![];
    let mut end = Size::Static(0);
    for shape in shapes {
        starts.push(end);
        end = combined_size(builder, "arith.addi", end, shape[along])?;
    }
    let mut sizes: Vec<Size> = (0..shapes[0].len())
        .map(|axis| common_size(shapes, axis))
        .collect();
    sizes[along] = end;
    Ok((sizes, starts))
}

/// The concatenation that is all that a result of an op is used for, and which part of
/// it that is. MLIR has no view of a part that is known to be empty.
fn concat_of<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    result: Value<'c, 'a>,
) -> Option<(OperationRef<'c, 'a>, usize)> {
    let &[(concat, part)] = uses(result).as_slice() else {
        return None;
    };
    let is_concat = op_name(concat) == "soac.concat" && concat.block() == op.block();
    (is_concat && has_elements(concat, result)).then_some((concat, part))
}

/// Whether a part of a concatenation may have elements. If another part has none because
/// of its size in a dimension in which they are not joined, none has.
fn has_elements(concat: OperationRef, part: Value) -> bool {
    let along = dimension(concat);
    let is_none = |array: Value, axis: usize| {
        let size = RankedTensorType::try_from(array.r#type()).map(|array| array.dim_size(axis));
        matches!(size, Ok(Ok(DimSize::Static(0))))
    };
    let rank = RankedTensorType::try_from(part.r#type()).map_or(0, |array| array.rank());
    let mut others = (0..rank).filter(|&axis| axis != along);
    !is_none(part, along) && others.all(|axis| concat.operands().all(|array| !is_none(array, axis)))
}

/// The dimension along which arrays are joined.
fn dimension(concat: OperationRef) -> usize {
    let dimension = OpView::of(concat).integer("dim");
    dimension
        .and_then(|dimension| usize::try_from(dimension).ok())
        .unwrap_or(0)
}

/// The size that all shapes have along a dimension, as a constant if one of them says so.
fn common_size<'c, 'a>(shapes: &[Vec<Size<'c, 'a>>], axis: usize) -> Size<'c, 'a> {
    let mut sizes = shapes.iter().map(|shape| shape[axis]);
    let constant = sizes.find(|size| matches!(size, Size::Static(_)));
    constant.unwrap_or(shapes[0][axis])
}
