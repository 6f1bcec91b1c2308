//! Types of StableHLO, and what they become.

use melior::ir::{
    OperationRef, Type, TypeLike, ValueLike,
    operation::OperationLike,
    r#type::{IntegerType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, array_type},
    cast::cast,
    description::static_sizes,
};

use super::unsupported;
use comb_kit::pass_error::PassError;

/// What operations on the elements of an array mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
}

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Element<'c> {
    pub(super) kind: Kind,
    pub(super) bits: u32,
    /// The type of the new elements.
    pub(super) r#type: Type<'c>,
}

/// An array as an op of StableHLO has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array<'c> {
    pub(super) element: Element<'c>,
    pub(super) sizes: Vec<u64>,
}

/// An array of which some sizes may be known only when the program runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Open<'c> {
    pub(super) element: Element<'c>,
    pub(super) sizes: Vec<Option<u64>>,
}

impl<'c> Open<'c> {
    /// The type of the new array.
    pub(super) fn r#type(&self) -> Type<'c> {
        array_type(&self.sizes, self.element.r#type)
    }

    pub(super) fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The array, if all sizes are known.
    pub(super) fn known(&self) -> Option<Array<'c>> {
        Some(Array {
            element: self.element,
            sizes: self.sizes.iter().copied().collect::<Option<_>>()?,
        })
    }
}

impl<'c> Array<'c> {
    /// The type of the new array.
    pub(super) fn r#type(&self) -> Type<'c> {
        let sizes: Vec<_> = self.sizes.iter().map(|&size| Some(size)).collect();
        array_type(&sizes, self.element.r#type)
    }

    pub(super) fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// How many elements it has.
    pub(super) fn count(&self) -> u64 {
        self.sizes.iter().product()
    }

    /// The sizes, to build with.
    pub(super) fn extents<'a>(&self) -> Vec<Size<'c, 'a>> {
        extents(&self.sizes)
    }
}

/// Sizes, to build with.
pub(super) fn extents<'c, 'a>(sizes: &[u64]) -> Vec<Size<'c, 'a>> {
    sizes
        .iter()
        .map(|&size| Size::Static(size as i64))
        .collect()
}

/// The array that a result of an op is, all sizes known.
pub(super) fn result<'c>(
    op: OperationRef<'c, '_>,
    index: usize,
) -> Result<Array<'c>, PassError<'c>> {
    known(op, open_result(op, index)?)
}

/// The array that an operand of an op is, all sizes known.
pub(super) fn operand<'c>(
    op: OperationRef<'c, '_>,
    index: usize,
) -> Result<Array<'c>, PassError<'c>> {
    known(op, open_operand(op, index)?)
}

/// The arrays that the results of an op are, all sizes known.
pub(super) fn results<'c>(op: OperationRef<'c, '_>) -> Result<Vec<Array<'c>>, PassError<'c>> {
    (0..op.result_count())
        .map(|index| result(op, index))
        .collect()
}

/// The array of a type, of which an op at hand speaks, all sizes known.
pub(super) fn array<'c>(
    op: OperationRef<'c, '_>,
    r#type: Type<'c>,
) -> Result<Array<'c>, PassError<'c>> {
    known(op, open(op, r#type)?)
}

/// The array that a result of an op is.
pub(super) fn open_result<'c>(
    op: OperationRef<'c, '_>,
    index: usize,
) -> Result<Open<'c>, PassError<'c>> {
    let result = op.result(index);
    let result = result.map_err(|_| unsupported(op, "has too few results"))?;
    open(op, result.r#type())
}

/// The array that an operand of an op is.
pub(super) fn open_operand<'c>(
    op: OperationRef<'c, '_>,
    index: usize,
) -> Result<Open<'c>, PassError<'c>> {
    let operand = op.operand(index);
    let operand = operand.map_err(|_| unsupported(op, "has too few operands"))?;
    open(op, operand.r#type())
}

/// The array of a type, of which an op at hand speaks.
pub(super) fn open<'c>(
    op: OperationRef<'c, '_>,
    r#type: Type<'c>,
) -> Result<Open<'c>, PassError<'c>> {
    let refused = |what| unsupported(op, &format!("has the type {}, {what}", r#type));
    let tensor = RankedTensorType::try_from(r#type)
        .map_err(|_| refused("where arrays of numbers are supported"))?;
    let element = element(op, tensor.element()).ok_or_else(|| {
        refused("whose elements are none of i1 to i64, ui8 to ui64, f16, bf16, f32, f64")
    })?;
    let sizes = static_sizes(&tensor).into_iter();
    let sizes = sizes.map(|size| size.map(|size| size as u64)).collect();
    Ok(Open { element, sizes })
}

fn known<'c>(op: OperationRef<'c, '_>, array: Open<'c>) -> Result<Array<'c>, PassError<'c>> {
    array.known().ok_or_else(|| {
        let what = format!(
            "has the type {}, whose sizes are not all known",
            array.r#type()
        );
        unsupported(op, &what)
    })
}

fn element<'c>(op: OperationRef<'c, '_>, r#type: Type<'c>) -> Option<Element<'c>> {
    if let Some(integer) = cast::<IntegerType>(r#type) {
        let kind = match integer.width() {
            1 => Kind::Bool,
            _ if integer.is_unsigned() => Kind::Unsigned,
            _ => Kind::Signed,
        };
        let builder = Builder::before(op)?;
        return matches!(integer.width(), 1 | 8 | 16 | 32 | 64).then(|| Element {
            kind,
            bits: integer.width(),
            r#type: builder.integer_type(integer.width()),
        });
    }
    let bits = match () {
        () if r#type.is_f64() => 64,
        () if r#type.is_f32() => 32,
        () if r#type.is_f16() || r#type.is_bf16() => 16,
        () => return None,
    };
    Some(Element {
        kind: Kind::Float,
        bits,
        r#type,
    })
}

/// Whether a type has to change.
pub(super) fn is_foreign(r#type: Type) -> bool {
    let element = cast::<RankedTensorType>(r#type).map_or(r#type, |tensor| tensor.element());
    cast::<IntegerType>(element).is_some_and(|integer| !integer.is_signless())
}
