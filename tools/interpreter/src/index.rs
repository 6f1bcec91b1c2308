//! The `index` dialect on scalars: 64 bits, as `arith` on `index`.

use crate::element::Element;
use crate::elementwise::{Application, Fault, Outcome};
use crate::integer::{
    ceil_divide, compare, divide_signed, divide_unsigned, floor_divide, shift_left,
    shift_right_signed, shift_right_unsigned, signed, unsigned,
};
use crate::program::Attribute;
use crate::value::Scalar;

/// The predicates of `index.cmp`, in the order of those of `arith.cmpi`.
const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];

/// Applies an op to scalars.
pub(crate) fn apply(application: &Application) -> Outcome {
    let operands = application.operands;
    let result = match application.op.name.as_str() {
        "index.add" => signed(operands, i128::wrapping_add),
        "index.sub" => signed(operands, i128::wrapping_sub),
        "index.mul" => signed(operands, i128::wrapping_mul),
        "index.divs" => divide_signed(operands, i128::wrapping_div)?,
        "index.divu" => divide_unsigned(operands, |a, b| a / b)?,
        "index.rems" => divide_signed(operands, i128::wrapping_rem)?,
        "index.remu" => divide_unsigned(operands, |a, b| a % b)?,
        "index.floordivs" => divide_signed(operands, floor_divide)?,
        "index.ceildivs" => divide_signed(operands, ceil_divide)?,
        "index.ceildivu" => divide_unsigned(operands, u128::div_ceil)?,
        "index.maxs" => signed(operands, i128::max),
        "index.mins" => signed(operands, i128::min),
        "index.maxu" => unsigned(operands, u128::max),
        "index.minu" => unsigned(operands, u128::min),
        "index.shl" => shift_left(operands),
        "index.shrs" => shift_right_signed(operands),
        "index.shru" => shift_right_unsigned(operands),
        "index.and" => unsigned(operands, |a, b| a & b),
        "index.or" => unsigned(operands, |a, b| a | b),
        "index.xor" => unsigned(operands, |a, b| a ^ b),
        "index.casts" => Scalar::integer(application.results[0], operands[0].signed()),
        "index.castu" => Scalar::from_bits(application.results[0], operands[0].unsigned()),
        "index.cmp" => compare_by_name(application)?,
        "index.sizeof" => Scalar::index(Element::Index.width().into()),
        _ => return Err(Fault::UnknownOp),
    };
    Ok(vec![result])
}

fn compare_by_name(application: &Application) -> Result<Scalar, Fault> {
    let Some(Attribute::Other(name)) = application.op.attributes.get("pred") else {
        return Err(Fault::UnknownOp);
    };
    let name = name
        .trim_end_matches('>')
        .rsplit([' ', '<'])
        .next()
        .unwrap_or_default();
    PREDICATES
        .iter()
        .position(|predicate| *predicate == name)
        .and_then(|predicate| compare(predicate as i64, application.operands))
        .map(Scalar::truth)
        .ok_or(Fault::UnknownOp)
}
