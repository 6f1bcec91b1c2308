//! How large arrays are that are computed later on, be it in another cluster.
//!
//! The size of what a combinator gives follows from the sizes of what it gets, and so
//! on, until these are arrays and numbers that are there already.
//!
//! Cost: linear in the number of combinators that an array is computed from.

use melior::ir::{
    BlockLike, OperationRef, RegionLike, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::Size,
    description::describe,
    extent::Term,
    view::{OpView, argument_of, as_argument, as_result, definition, op_name, stands_before},
};

use super::{
    emitter::{Emitted, Emitter},
    plan::Source,
    read::{constant, sizes::sum},
};
use crate::{bridge::PassError, walk::ancestors};

/// Sizes that are known in front of an op.
pub(super) struct SizesAhead<'e, 'p, 'c, 'a> {
    /// What is known of the op itself.
    emitter: &'e Emitter<'p, 'c, 'a>,
    op: OperationRef<'c, 'a>,
}

/// Why a size is not found.
enum NotFound<'c> {
    /// It depends on what is not there yet.
    Unknown,
    /// MLIR rejects what was built.
    Failed(PassError<'c>),
}

impl From<melior::Error> for NotFound<'_> {
    fn from(error: melior::Error) -> Self {
        Self::Failed(error.into())
    }
}

type Found<'c, T> = Result<T, NotFound<'c>>;

impl<'e, 'p, 'c: 'a, 'a> SizesAhead<'e, 'p, 'c, 'a> {
    pub fn new(emitter: &'e Emitter<'p, 'c, 'a>, op: OperationRef<'c, 'a>) -> Self {
        Self { emitter, op }
    }

    /// The shape of an array; nothing if it is not known in front of the op.
    pub fn shape(&self, array: Value<'c, 'a>) -> Emitted<'c, Option<Vec<Size<'c, 'a>>>> {
        let rank = RankedTensorType::try_from(array.r#type())?.rank();
        let shape: Found<Vec<Size>> = (0..rank).map(|axis| self.size(array, axis)).collect();
        match shape {
            Ok(shape) => Ok(Some(shape)),
            Err(NotFound::Unknown) => Ok(None),
            Err(NotFound::Failed(error)) => Err(error),
        }
    }

    fn size(&self, array: Value<'c, 'a>, axis: usize) -> Found<'c, Size<'c, 'a>> {
        let r#type = RankedTensorType::try_from(array.r#type())?;
        if let DimSize::Static(size) = r#type.dim_size(axis)? {
            return Ok(Size::Static(size as i64));
        }
        if let Some((cluster, position)) = argument_of(array)
            && op_name(cluster) == "soac.cluster"
        {
            return self.size(cluster.operand(position)?, axis);
        }
        if self.is_there(array) {
            return Ok(self.emitter.front.size(array, axis)?);
        }
        let result = as_result(array).ok_or(NotFound::Unknown)?;
        let (op, position) = (result.owner(), result.result_number());
        match op_name(op) {
            _ if op == self.op => self.own_size(position, axis),
            "tensor.cast" => self.size(op.operand(0)?, axis),
            "soac.cluster" => {
                let block = op.region(0)?.first_block().ok_or(NotFound::Unknown)?;
                let last = block.terminator().ok_or(NotFound::Unknown)?;
                self.size(last.operand(position)?, axis)
            }
            name if name.starts_with("soac.") => self.described_size(op, position, axis),
            _ => Err(NotFound::Unknown),
        }
    }

    /// The size of a result of the op itself.
    fn own_size(&self, position: usize, axis: usize) -> Found<'c, Size<'c, 'a>> {
        let plan = self.emitter.plan;
        match plan.yielded[position] {
            Source::Given(array) => self.size(array, axis),
            Source::Computed(array) if axis == 0 && plan.arrays[array].clock.is_some() => {
                Err(NotFound::Unknown)
            }
            Source::Computed(array) => Ok(plan.arrays[array].shape[axis]),
        }
    }

    /// The size of what a combinator gives.
    fn described_size(
        &self,
        op: OperationRef<'c, 'a>,
        position: usize,
        axis: usize,
    ) -> Found<'c, Size<'c, 'a>> {
        let view = OpView::of(op);
        let description = describe(&view).map_err(|_| NotFound::Unknown)?;
        let result = description.results.get(position).ok_or(NotFound::Unknown)?;
        let extent = result.sizes[axis].as_ref().ok_or(NotFound::Unknown)?;
        sum(&self.emitter.front, extent, |term| match term {
            Term::Size { operand, axis } => self.size(view.operands[operand], axis),
            Term::Value { operand } => {
                let value = view.operands[operand];
                match constant(value) {
                    Some(value) => Ok(Size::Static(value)),
                    None if self.is_there(value) => Ok(Size::Dynamic(value)),
                    None => Err(NotFound::Unknown),
                }
            }
        })
    }

    /// Whether a value is there in front of the op.
    fn is_there(&self, value: Value<'c, 'a>) -> bool {
        let mut around = std::iter::once(self.op).chain(ancestors(self.op));
        match definition(value) {
            Some(defining) => around.any(|op| stands_before(defining, op)),
            None => as_argument(value)
                .and_then(|_| argument_of(value))
                .is_some_and(|(parent, _)| ancestors(self.op).any(|op| op == parent)),
        }
    }
}
