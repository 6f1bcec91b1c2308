//! Slices and padding of arrays whose sizes, or whose bounds, are known only when the program runs.

use melior::ir::{OperationRef, Value};
use soac_dialect::builder::{Builder, Predicate, Size, Slice, Values, combinators::Bounds};

use super::{
    element::{self, Kind},
    gathers::index,
    open_shapes::check,
    slices::constants,
    unsupported,
};
use crate::bridge::PassError;

/// `stablehlo.real_dynamic_slice`: a part whose begin, end and strides are computed.
pub(super) fn real_dynamic_slice<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let rank = element::open_operand(op, 0)?.rank();
    if operands.len() != 4 {
        return Err(unsupported(op, "needs a begin, an end and strides"));
    }
    if rank == 0 {
        return Ok(vec![operands[0]]);
    }
    let [offsets, ends, strides] =
        [1, 2, 3].map(|operand| computed(op, builder, (operand, operands[operand]), rank));
    let (offsets, ends, strides) = (offsets?, ends?, strides?);
    let mut slice = Slice::contiguous(vec![], vec![]);
    for axis in 0..rank {
        let (offset, end, stride) = (offsets[axis], ends[axis], strides[axis]);
        let zero = builder.index(0)?;
        let is_forward = builder.compare(Predicate::Sgt, stride, zero)?;
        check(op, builder, is_forward, "needs strides from 1 on")?;
        let is_inside = builder.compare(Predicate::Sge, end, offset)?;
        check(op, builder, is_inside, "ends before it begins")?;
        let length = builder.arithmetic("arith.subi", &[end, offset])?;
        let size = builder.arithmetic("arith.ceildivui", &[length, stride])?;
        slice.offsets.push(Size::Dynamic(offset));
        slice.sizes.push(Size::Dynamic(size));
        slice.strides.push(Size::Dynamic(stride));
    }
    let part = builder.slice(&operands[..1], &slice, Bounds::Checked)?;
    let to = element::open_result(op, 0)?;
    Ok(vec![builder.cast(part[0], to.r#type())?])
}

/// `stablehlo.dynamic_pad`: padding that is computed, of which none may be negative.
pub(super) fn dynamic_pad<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let rank = element::open_operand(op, 0)?.rank();
    if operands.len() != 5 || element::operand(op, 1)?.rank() != 0 {
        return Err(unsupported(op, "needs a number to pad with, and padding"));
    }
    if rank == 0 {
        return Ok(vec![operands[0]]);
    }
    let [low, high, interior] =
        [2, 3, 4].map(|operand| computed(op, builder, (operand, operands[operand]), rank));
    let (low, high, interior) = (low?, high?, interior?);
    let (zero, one) = (builder.index(0)?, builder.index(1)?);
    let (mut extents, mut strides) = (vec![], vec![]);
    for (axis, size) in builder.sizes(operands[0])?.into_iter().enumerate() {
        for padding in [low[axis], high[axis], interior[axis]] {
            let is_added = builder.compare(Predicate::Sge, padding, zero)?;
            check(
                op,
                builder,
                is_added,
                "takes elements away, which is not supported",
            )?;
        }
        let size = builder.size_value(size)?;
        let stride = builder.arithmetic("arith.addi", &[interior[axis], one])?;
        let last = builder.arithmetic(
            "arith.maxsi",
            &[builder.arithmetic("arith.subi", &[size, one])?, zero],
        )?;
        let between = builder.arithmetic("arith.muli", &[last, interior[axis]])?;
        let around = builder.arithmetic("arith.addi", &[low[axis], high[axis]])?;
        let inner = builder.arithmetic("arith.addi", &[size, between])?;
        extents.push(Size::Dynamic(
            builder.arithmetic("arith.addi", &[inner, around])?,
        ));
        strides.push(Size::Dynamic(stride));
    }
    let number = builder.extract(operands[1], &[])?;
    let filled = builder.fill(&[number], &extents)?[0];
    let low: Vec<Size> = low.into_iter().map(Size::Dynamic).collect();
    let padded = builder.update(operands[0], filled, &low, &strides, Bounds::Checked)?;
    let to = element::open_result(op, 0)?;
    Ok(vec![builder.cast(padded[0], to.r#type())?])
}

/// The numbers in an operand, one for each dimension.
fn computed<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    (operand, array): (usize, Value<'c, 'a>),
    rank: usize,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let form = element::operand(op, operand)?;
    if form.sizes != [rank as u64] {
        return Err(unsupported(op, "needs a number for each dimension"));
    }
    let is_unsigned = form.element.kind == Kind::Unsigned;
    (0..rank)
        .map(|axis| {
            let number = builder.extract(array, &[builder.index(axis as i64)?])?;
            Ok(index(builder, number, is_unsigned)?)
        })
        .collect()
}

/// An array of any sizes in a larger one, with so many times a number in front and behind.
pub(super) fn surrounded<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    (low, high): (&[i64], &[i64]),
    number: Value<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let mut extents = builder.sizes(array)?;
    for (axis, size) in extents.iter_mut().enumerate() {
        let added = low[axis] + high[axis];
        *size = match *size {
            Size::Static(size) => Size::Static(size + added),
            Size::Dynamic(size) => {
                let added = builder.index(added)?;
                Size::Dynamic(builder.arithmetic("arith.addi", &[size, added])?)
            }
        };
    }
    let filled = builder.fill(&[number], &extents)?[0];
    let ones = constants(&vec![1; low.len()]);
    Ok(builder.update(array, filled, &constants(low), &ones, Bounds::Checked)?)
}
