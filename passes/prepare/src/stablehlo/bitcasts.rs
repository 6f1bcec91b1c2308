//! `stablehlo.bitcast_convert` between elements of several widths: the parts of a wide element are an innermost
//! dimension of narrow ones, the least significant bits first.

use comb_kit::pass_error::PassError;
use melior::ir::{OperationRef, Type, Value};
use soac_dialect::builder::{Builder, Values, combinators::Bounds};

use super::{
    element::{self, Array},
    elementwise, unsupported,
};

/// The bits of elements as others.
pub(super) fn bitcast_convert<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let bits = [element::open_operand(op, 0)?, element::open_result(op, 0)?]
        .map(|array| array.element.bits);
    if bits[0] == bits[1] {
        return elementwise::convert(op, builder, operands);
    }
    let (from, to) = (element::operand(op, 0)?, element::result(op, 0)?);
    let (wide, narrow) = match bits[0] > bits[1] {
        true => (&from, &to),
        false => (&to, &from),
    };
    let parts = u64::from(wide.element.bits / narrow.element.bits);
    let fits = wide.element.bits % narrow.element.bits == 0
        && narrow.element.bits >= 8
        && narrow.sizes.split_last() == Some((&parts, &wide.sizes[..]));
    if !fits {
        let what = "needs types of several widths whose shapes differ by a dimension of the parts, of 8 bits at least";
        return Err(unsupported(op, what));
    }
    match bits[0] > bits[1] {
        true => taken_apart(builder, operands[0], &from, &to),
        false => put_together(builder, operands[0], &from, &to),
    }
}

fn taken_apart<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    from: &Array<'c>,
    to: &Array<'c>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let wide = builder.integer_type(from.element.bits);
    let narrow = builder.integer_type(to.element.bits);
    let rank = from.rank();
    let whole = builder.backpermute(&[array], &to.extents(), Bounds::Unchecked, |_, indices| {
        Ok(indices[..rank].to_vec())
    })?;
    let shifts = shifts(builder, to, to.element.bits.into(), wide)?;
    Ok(builder.map(&[whole[0], shifts], |builder, values| {
        let bits = builder.value("arith.bitcast", &values[..1], wide, &[])?;
        let bits = builder.arithmetic("arith.shrui", &[bits, values[1]])?;
        let bits = builder.value("arith.trunci", &[bits], narrow, &[])?;
        let element = builder.value("arith.bitcast", &[bits], to.element.r#type, &[])?;
        Ok(vec![element])
    })?)
}

fn put_together<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    from: &Array<'c>,
    to: &Array<'c>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let wide = builder.integer_type(to.element.bits);
    let narrow = builder.integer_type(from.element.bits);
    let shifts = shifts(builder, from, from.element.bits.into(), wide)?;
    let parts = builder.map(&[array, shifts], |builder, values| {
        let bits = builder.value("arith.bitcast", &values[..1], narrow, &[])?;
        let bits = builder.value("arith.extui", &[bits], wide, &[])?;
        Ok(vec![builder.arithmetic("arith.shli", &[bits, values[1]])?])
    })?;
    let zero = builder.integer(0, wide)?;
    let whole = builder.fold(&parts, &[zero], |builder, values| {
        Ok(vec![builder.arithmetic("arith.ori", values)?])
    })?;
    Ok(builder.map(&whole, |builder, values| {
        let element = builder.value("arith.bitcast", values, to.element.r#type, &[])?;
        Ok(vec![element])
    })?)
}

/// By how many bits each part is shifted, for arrays of the parts' shape.
fn shifts<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    parts: &Array<'c>,
    bits: i64,
    wide: Type<'c>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let innermost = parts.rank() - 1;
    let shifts = builder.generate(&parts.extents(), |builder, indices| {
        let bits = builder.index(bits)?;
        let shift = builder.arithmetic("arith.muli", &[indices[innermost], bits])?;
        Ok(vec![builder.value(
            "arith.index_cast",
            &[shift],
            wide,
            &[],
        )?])
    })?;
    Ok(shifts[0])
}
