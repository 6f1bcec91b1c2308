//! `stablehlo.dot_general`: maps of products, summed by folds.
//!
//! The result has the batch dimensions, what is left of the left array, and what is left of the
//! right one. Both arrays are brought to these dimensions and those that are summed, by gathers
//! of affine indices, so that nothing is stored.

use melior::ir::{OperationRef, Value};
use soac_dialect::builder::{Builder, Size, Values, combinators::Bounds};

use super::{
    attributes::dimensions_in,
    element::{self, Element, Kind, Open},
    open_shapes::same_size,
    reduce::zero,
    scalar::conversion,
    unsupported,
};
use comb_kit::pass_error::PassError;

/// The attribute that says which dimensions are which.
const DIMENSIONS: &str = "dot_dimension_numbers";

/// What is said of arrays whose dimensions differ.
const DO_NOT_FIT: &str = "has dimensions that do not fit";

/// Which dimensions of one of the arrays are which.
struct Side {
    batch: Vec<usize>,
    contracted: Vec<usize>,
    free: Vec<usize>,
}

/// A map of products, and a fold of them.
pub(super) fn dot_general<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let arrays = [element::open_operand(op, 0)?, element::open_operand(op, 1)?];
    let [left, right] =
        [("lhs", &arrays[0]), ("rhs", &arrays[1])].map(|(side, array)| Side::of(op, side, array));
    let (left, right) = (left?, right?);
    let to = element::open_result(op, 0)?;
    let sizes = [builder.sizes(operands[0])?, builder.sizes(operands[1])?];
    let common = [left.common(&sizes[0]), right.common(&sizes[1])];
    if common[0].len() != common[1].len() {
        return Err(unsupported(op, DO_NOT_FIT));
    }
    for (&one, &other) in common[0].iter().zip(&common[1]) {
        same_size(op, builder, one, other, DO_NOT_FIT)?;
    }
    let free = |side: &Side, sizes: &[Size<'c, 'a>]| -> Vec<_> {
        side.free.iter().map(|&axis| sizes[axis]).collect()
    };
    let (batches, summed) = common[0].split_at(left.batch.len());
    let all = [
        batches,
        &free(&left, &sizes[0]),
        &free(&right, &sizes[1]),
        summed,
    ]
    .concat();
    let batch = left.batch.len();
    let rank = to.rank();
    if rank != batch + left.free.len() + right.free.len() {
        return Err(unsupported(op, "has a result of another rank"));
    }
    let places = [
        left.places(batch, rank),
        right.places(batch + left.free.len(), rank),
    ];
    let wide = accumulator(builder, to.element);
    let mut spread = vec![];
    for (index, places) in places.iter().enumerate() {
        let array = converted(builder, operands[index], arrays[index].element, wide)?;
        spread.extend(
            builder.backpermute(&[array], &all, Bounds::Unchecked, |_, indices| {
                Ok(places.iter().map(|&place| indices[place]).collect())
            })?,
        );
    }
    let sums = sum_of_products(builder, &spread, summed.len(), wide)?;
    Ok(vec![converted(builder, sums[0], wide, to.element)?])
}

/// What products are summed as: floats of 16 bits as `f32`, so that only the sum is rounded to them.
pub(super) fn accumulator<'c>(builder: &Builder<'c, '_>, element: Element<'c>) -> Element<'c> {
    match (element.kind, element.bits) {
        (Kind::Float, 16) => Element {
            bits: 32,
            r#type: builder.f32_type(),
            ..element
        },
        _ => element,
    }
}

/// The products of two arrays' elements, summed over the inner dimensions.
pub(super) fn sum_of_products<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    arrays: &[Value<'c, 'a>],
    inner: usize,
    element: Element<'c>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (multiply, add) = match element.kind {
        Kind::Float => ("arith.mulf", "arith.addf"),
        Kind::Bool => ("arith.andi", "arith.ori"),
        Kind::Signed | Kind::Unsigned => ("arith.muli", "arith.addi"),
    };
    let products = builder.map(arrays, |builder, pair| {
        Ok(vec![builder.arithmetic(multiply, pair)?])
    })?;
    if inner == 0 {
        return Ok(products);
    }
    let neutral = zero(builder, element)?;
    Ok(
        builder.fold_inner(&products, &[neutral], inner, |builder, pair| {
            Ok(vec![builder.arithmetic(add, pair)?])
        })?,
    )
}

impl Side {
    fn of<'c>(
        op: OperationRef<'c, '_>,
        side: &str,
        array: &Open<'c>,
    ) -> Result<Self, PassError<'c>> {
        let list = |kind: &str| {
            let field = format!("{side}_{kind}_dimensions");
            dimensions_in(op, DIMENSIONS, &field, array.rank())
        };
        let (batch, contracted) = (list("batching")?, list("contracting")?);
        let free = 0..array.rank();
        let free = free.filter(|axis| !batch.contains(axis) && !contracted.contains(axis));
        Ok(Self {
            free: free.collect(),
            batch,
            contracted,
        })
    }

    /// The sizes of the dimensions that both arrays have.
    fn common<'c, 'a>(&self, sizes: &[Size<'c, 'a>]) -> Vec<Size<'c, 'a>> {
        let axes = self.batch.iter().chain(&self.contracted);
        axes.map(|&axis| sizes[axis]).collect()
    }

    /// Which dimension of result and sums each dimension of the array is; its free ones begin at
    /// `free`, the summed ones at `summed`.
    fn places(&self, free: usize, summed: usize) -> Vec<usize> {
        let mut places = vec![0; self.batch.len() + self.free.len() + self.contracted.len()];
        let groups = [
            (&self.batch, 0),
            (&self.free, free),
            (&self.contracted, summed),
        ];
        for (axes, first) in groups {
            for (index, &axis) in axes.iter().enumerate() {
                places[axis] = first + index;
            }
        }
        places
    }
}

/// An array with the elements of the result.
pub(super) fn converted<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    from: Element<'c>,
    to: Element<'c>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    if from.r#type == to.r#type {
        return Ok(array);
    }
    let scalar = conversion(from, to);
    let converted = builder.map(&[array], |builder, element| {
        Ok(vec![scalar.build(builder, element)?])
    })?;
    Ok(converted[0])
}
