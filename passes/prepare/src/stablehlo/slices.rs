//! Parts of arrays: slices and updates at constant and at computed places, padding.

use melior::ir::{OperationRef, Value};
use soac_dialect::builder::{Builder, Size, Slice, Values, combinators::Bounds};

use super::{
    attributes::{integers, missing},
    element::{self, Kind, extents},
    gathers::{clamped, index, room},
    open_slices, unsupported,
};
use comb_kit::pass_error::PassError;

/// `stablehlo.slice`.
pub(super) fn slice<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (from, to) = (element::open_operand(op, 0)?, element::result(op, 0)?);
    let offsets = per_dimension(op, "start_indices", from.rank())?;
    let strides = per_dimension(op, "strides", from.rank())?;
    let limits = per_dimension(op, "limit_indices", from.rank())?;
    if from.rank() == 0 {
        return Ok(operands.to_vec());
    }
    let sizes = (0..from.rank()).map(|axis| {
        let length = limits[axis].checked_sub(offsets[axis])?;
        let is_range = offsets[axis] >= 0 && length >= 0 && strides[axis] > 0;
        is_range.then(|| length.unsigned_abs().div_ceil(strides[axis].unsigned_abs()))
    });
    if !sizes.eq(to.sizes.iter().map(|&size| Some(size))) {
        return Err(unsupported(
            op,
            "has a result of other sizes than its limits say",
        ));
    }
    let slice = Slice {
        offsets: constants(&offsets),
        sizes: to.extents(),
        strides: constants(&strides),
    };
    Ok(builder.slice(operands, &slice, Bounds::Checked)?)
}

/// `stablehlo.dynamic_slice`: the place moves as far as it has to be inside.
pub(super) fn dynamic_slice<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let to = element::result(op, 0)?;
    let sizes = per_dimension(op, "slice_sizes", to.rank())?;
    if !sizes
        .into_iter()
        .eq(to.sizes.iter().map(|&size| size as i64))
    {
        return Err(unsupported(op, "has a result of other sizes than it says"));
    }
    if to.rank() == 0 {
        return Ok(vec![operands[0]]);
    }
    let offsets = places(op, builder, operands, 1, &to.extents())?;
    let slice = Slice::contiguous(offsets, to.extents());
    Ok(builder.slice(&operands[..1], &slice, Bounds::Unchecked)?)
}

/// `stablehlo.dynamic_update_slice`: the place moves as far as it has to be inside.
pub(super) fn dynamic_update_slice<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let part = element::open_operand(op, 1)?;
    if part.rank() == 0 {
        return Ok(vec![operands[1]]);
    }
    let offsets = places(op, builder, operands, 2, &builder.sizes(operands[1])?)?;
    let ones = vec![Size::Static(1); part.rank()];
    let (source, destination) = (operands[1], operands[0]);
    Ok(builder.update(source, destination, &offsets, &ones, Bounds::Unchecked)?)
}

/// Where a part of an array begins, inside it; the operands that say so begin at `first`.
fn places<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    first: usize,
    part: &[Size<'c, 'a>],
) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
    let whole = builder.sizes(operands[0])?;
    let starts = operands.get(first..).unwrap_or_default();
    if starts.len() != whole.len() || part.len() != whole.len() {
        return Err(unsupported(op, "needs a start for each dimension"));
    }
    let mut places = vec![];
    for (axis, &start) in starts.iter().enumerate() {
        let room = room(op, builder, whole[axis], part[axis])?;
        let is_unsigned = element::operand(op, first + axis)?.element.kind == Kind::Unsigned;
        places.push(place(builder, start, is_unsigned, room)?);
    }
    Ok(places)
}

fn place<'c, 'a>(
    builder: &Builder<'c, 'a>,
    start: Value<'c, 'a>,
    is_unsigned: bool,
    room: Size<'c, 'a>,
) -> Result<Size<'c, 'a>, melior::Error> {
    if room.known() == Some(0) {
        return Ok(Size::Static(0));
    }
    let number = builder.extract(start, &[])?;
    let index = index(builder, number, is_unsigned)?;
    Ok(Size::Dynamic(clamped(builder, index, room, is_unsigned)?))
}

/// `stablehlo.pad`: an update of a fill, with strides where there is padding between elements.
/// Negative padding takes elements away.
pub(super) fn pad<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let open = (element::open_operand(op, 0)?, element::open_result(op, 0)?);
    let low = per_dimension(op, "edge_padding_low", open.0.rank())?;
    let interior = per_dimension(op, "interior_padding", open.0.rank())?;
    if open.0.rank() == 0 {
        return Ok(vec![operands[0]]);
    }
    if interior.iter().any(|&padding| padding < 0) {
        return Err(missing(op, "interior_padding", "numbers from 0 on"));
    }
    if element::operand(op, 1)?.rank() != 0 {
        return Err(unsupported(op, "needs a number to pad with"));
    }
    let number = builder.extract(operands[1], &[])?;
    let strides: Vec<i64> = interior.iter().map(|&padding| padding + 1).collect();
    let high = per_dimension(op, "edge_padding_high", low.len())?;
    let (Some(from), Some(to)) = (open.0.known(), open.1.known()) else {
        let is_plain = interior.iter().all(|&padding| padding == 0)
            && low.iter().chain(&high).all(|&padding| padding >= 0);
        return match is_plain {
            true => open_slices::surrounded(builder, operands[0], (&low, &high), number),
            false => Err(unsupported(
                op,
                "takes elements away or pads between them, which is not supported where sizes are \
                 not known",
            )),
        };
    };
    let spread = |axis: usize| match from.sizes[axis] as i64 {
        0 => 0,
        size => (size - 1) * strides[axis] + 1,
    };
    let own = (0..from.rank()).map(|axis| low[axis] + spread(axis) + high[axis]);
    if !own.eq(to.sizes.iter().map(|&size| size as i64)) {
        return Err(unsupported(
            op,
            "has a result of other sizes than its padding says",
        ));
    }
    let sizes = (&from.sizes[..], &to.sizes[..]);
    Ok(vec![padded(
        builder,
        operands[0],
        sizes,
        (&low, &strides),
        number,
    )?])
}

/// An array in a larger one, from `low` on and with strides, and a number everywhere else.
pub(super) fn padded<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    (from, to): (&[u64], &[u64]),
    (low, strides): (&[i64], &[i64]),
    number: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, melior::Error> {
    let kept: Vec<Kept> = (0..from.len())
        .map(|axis| Kept::of(from[axis], to[axis], low[axis], strides[axis]))
        .collect();
    let filled = builder.fill(&[number], &extents(to))?[0];
    if kept.iter().any(|kept| kept.count == 0) {
        return Ok(filled);
    }
    let counts: Vec<u64> = kept.iter().map(|kept| kept.count).collect();
    let firsts: Vec<i64> = kept.iter().map(|kept| kept.first).collect();
    let part = match counts == from {
        true => array,
        false => {
            let slice = Slice::contiguous(constants(&firsts), extents(&counts));
            builder.slice(&[array], &slice, Bounds::Checked)?[0]
        }
    };
    let offsets: Vec<i64> = kept.iter().map(|kept| kept.offset).collect();
    let (offsets, strides) = (constants(&offsets), constants(strides));
    Ok(builder.update(part, filled, &offsets, &strides, Bounds::Checked)?[0])
}

/// The elements of a dimension that stay when it is padded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kept {
    first: i64,
    count: u64,
    /// Where the first of them is in the result.
    offset: i64,
}

impl Kept {
    /// Element `i` of `size` comes to place `low + i * stride` of `result`.
    fn of(size: u64, result: u64, low: i64, stride: i64) -> Self {
        let first = match low < 0 {
            true => low.unsigned_abs().div_ceil(stride.unsigned_abs()) as i64,
            false => 0,
        };
        let offset = low + first * stride;
        let room = result as i64 - offset;
        let fits = if room > 0 { (room - 1) / stride + 1 } else { 0 };
        let count = fits.min(size as i64 - first).max(0);
        Self {
            first,
            count: count as u64,
            offset,
        }
    }
}

/// A number for each dimension.
fn per_dimension<'c>(
    op: OperationRef<'c, '_>,
    name: &str,
    rank: usize,
) -> Result<Vec<i64>, PassError<'c>> {
    let numbers = integers(op, name)?;
    match numbers.len() == rank {
        true => Ok(numbers),
        false => Err(missing(op, name, "a number for each dimension")),
    }
}

pub(super) fn constants<'c, 'a>(numbers: &[i64]) -> Vec<Size<'c, 'a>> {
    numbers.iter().map(|&number| Size::Static(number)).collect()
}
