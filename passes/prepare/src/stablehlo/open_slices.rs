//! Slices and padding of arrays whose sizes, or whose bounds, are known only when the program runs.

use melior::ir::{OperationRef, Value};
use soac_dialect::builder::{Builder, Predicate, Size, Slice, Values, combinators::Bounds};

use super::{
    element,
    open_shapes::{check, number_of},
    slices::constants,
    unsupported,
};
use comb_kit::pass_error::PassError;

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
    let number = |operand, axis| number_of(op, builder, (operand, operands[operand]), (axis, rank));
    let mut slice = Slice::contiguous(vec![], vec![]);
    for axis in 0..rank {
        let (offset, end, stride) = (number(1, axis)?, number(2, axis)?, number(3, axis)?);
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
    Ok(builder.slice(&operands[..1], &slice, Bounds::Checked)?)
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
    let number = |operand, axis| number_of(op, builder, (operand, operands[operand]), (axis, rank));
    let (zero, one) = (builder.index(0)?, builder.index(1)?);
    let (mut extents, mut offsets, mut strides) = (vec![], vec![], vec![]);
    for (axis, size) in builder.sizes(operands[0])?.into_iter().enumerate() {
        let (low, high, interior) = (number(2, axis)?, number(3, axis)?, number(4, axis)?);
        for padding in [low, high, interior] {
            let is_added = builder.compare(Predicate::Sge, padding, zero)?;
            check(
                op,
                builder,
                is_added,
                "takes elements away, which is not supported",
            )?;
        }
        let size = builder.size_value(size)?;
        let stride = builder.arithmetic("arith.addi", &[interior, one])?;
        let last = builder.arithmetic(
            "arith.maxsi",
            &[builder.arithmetic("arith.subi", &[size, one])?, zero],
        )?;
        let between = builder.arithmetic("arith.muli", &[last, interior])?;
        extents.push(builder.sum([size, between, low, high].map(Size::Dynamic))?);
        offsets.push(Size::Dynamic(low));
        strides.push(Size::Dynamic(stride));
    }
    let number = builder.extract(operands[1], &[])?;
    let filled = builder.fill(&[number], &extents)?[0];
    Ok(builder.update(operands[0], filled, &offsets, &strides, Bounds::Checked)?)
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
        *size = builder.sum([*size, Size::Static(low[axis] + high[axis])])?;
    }
    let filled = builder.fill(&[number], &extents)?[0];
    let ones = constants(&vec![1; low.len()]);
    Ok(builder.update(array, filled, &constants(low), &ones, Bounds::Checked)?)
}
