//! How large arrays are that are computed later on, be it in another cluster or in a function of
//! the op at hand.
//!
//! The size of what a combinator gives follows from the sizes of what it gets, and so
//! on, until these are arrays and numbers that are there already.
//!
//! Cost: linear in the number of combinators that an array is computed from.

use std::collections::HashMap;

use melior::ir::{
    BlockLike, OperationRef, RegionLike, TypeLike, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size},
    description::describe,
    extent::Term,
    view::{OpView, argument_of, as_argument, as_result, definition, op_name, stands_before},
};

use super::{
    plan::{Plan, Source},
    read::{constant, rank, sizes::sum},
};
use crate::{checks::facts::key, pass_error::PassError, walk::ancestors};

/// Sizes that were asked for, of arrays that are there, by array and dimension.
pub(crate) type Sizes<'c, 'a> = HashMap<(usize, usize), Size<'c, 'a>>;

/// Sizes that are known in front of an op.
pub(crate) struct SizesAhead<'s, 'c, 'a> {
    /// In front of the op.
    pub front: Builder<'c, 'a>,
    pub op: OperationRef<'c, 'a>,
    /// What is known of the op itself.
    pub plan: Option<&'s Plan<'c, 'a>>,
    pub sizes: &'s mut Sizes<'c, 'a>,
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

impl<'c: 'a, 'a> SizesAhead<'_, 'c, 'a> {
    /// The shape of an array; nothing if it is not known in front of the op.
    pub fn shape(
        &mut self,
        array: Value<'c, 'a>,
    ) -> Result<Option<Vec<Size<'c, 'a>>>, PassError<'c>> {
        let axes = 0..rank(array.r#type());
        known(axes.map(|axis| self.size(array, axis)).collect())
    }

    /// The sizes of an array that are known in front of the op.
    pub fn known_sizes(
        &mut self,
        array: Value<'c, 'a>,
    ) -> Result<Vec<Option<Size<'c, 'a>>>, PassError<'c>> {
        let axes = 0..rank(array.r#type());
        axes.map(|axis| known(self.size(array, axis))).collect()
    }

    /// A number of type `index`, if it is known in front of the op.
    pub fn known_number(
        &mut self,
        number: Value<'c, 'a>,
    ) -> Result<Option<Size<'c, 'a>>, PassError<'c>> {
        known(self.number(number))
    }

    fn size(&mut self, array: Value<'c, 'a>, axis: usize) -> Found<'c, Size<'c, 'a>> {
        let r#type = RankedTensorType::try_from(array.r#type())?;
        if let DimSize::Static(size) = r#type.dim_size(axis)? {
            return Ok(Size::Static(size as i64));
        }
        if let Some(&size) = self.sizes.get(&(key(array), axis)) {
            return Ok(size);
        }
        if let Some((op, position)) = argument_of(array) {
            match op_name(op) {
                "soac.cluster" => return self.size(op.operand(position)?, axis),
                "soac.map" if !self.is_there(array) => {
                    let operand = op.operand(position)?;
                    let outer = rank(operand.r#type()) - rank(array.r#type());
                    return self.size(operand, outer + axis);
                }
                _ => {}
            }
        }
        if self.is_there(array) {
            let size = self.front.size(array, axis)?;
            self.sizes.insert((key(array), axis), size);
            return Ok(size);
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
    fn own_size(&mut self, position: usize, axis: usize) -> Found<'c, Size<'c, 'a>> {
        let plan = self.plan.ok_or(NotFound::Unknown)?;
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
        &mut self,
        op: OperationRef<'c, 'a>,
        position: usize,
        axis: usize,
    ) -> Found<'c, Size<'c, 'a>> {
        let view = OpView::of(op);
        let description = describe(&view).map_err(|_| NotFound::Unknown)?;
        let result = description.results.get(position).ok_or(NotFound::Unknown)?;
        let extent = result.sizes[axis].as_ref().ok_or(NotFound::Unknown)?;
        let front = self.front;
        sum(&front, extent, |term| match term {
            Term::Size { operand, axis } => self.size(view.operands[operand], axis),
            Term::Value { operand } => self.number(view.operands[operand]),
        })
    }

    /// A number that is there, is a size, or follows from such numbers by arithmetic that has a
    /// result whatever it gets.
    fn number(&mut self, number: Value<'c, 'a>) -> Found<'c, Size<'c, 'a>> {
        if let Some(constant) = constant(number) {
            return Ok(Size::Static(constant));
        }
        if !number.r#type().is_index() {
            return Err(NotFound::Unknown);
        }
        if self.is_there(number) {
            return Ok(Size::Dynamic(number));
        }
        let op = definition(number).ok_or(NotFound::Unknown)?;
        match op_name(op) {
            "tensor.dim" => {
                let array = op.operand(0)?;
                let axis = constant(op.operand(1)?).and_then(|axis| usize::try_from(axis).ok());
                let axis = axis.filter(|&axis| axis < rank(array.r#type()));
                self.size(array, axis.ok_or(NotFound::Unknown)?)
            }
            name @ ("arith.addi" | "arith.subi" | "arith.muli" | "arith.minsi" | "arith.maxsi") => {
                let operands = [self.number(op.operand(0)?)?, self.number(op.operand(1)?)?];
                let front = self.front;
                let [one, other] = operands.map(|operand| front.size_value(operand));
                Ok(Size::Dynamic(front.arithmetic(name, &[one?, other?])?))
            }
            _ => Err(NotFound::Unknown),
        }
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

/// What was found, if anything was.
fn known<'c, T>(found: Found<'c, T>) -> Result<Option<T>, PassError<'c>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(NotFound::Unknown) => Ok(None),
        Err(NotFound::Failed(error)) => Err(error),
    }
}
