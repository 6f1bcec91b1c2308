//! Integer arithmetic: computed on numbers of 128 bits, then wrapped to the
//! type's width.

use crate::elementwise::Fault;
use crate::value::Scalar;

/// A binary op on signed numbers.
pub(crate) fn signed(sides: &[Scalar], op: impl Fn(i128, i128) -> i128) -> Scalar {
    let value = op(sides[0].signed(), sides[1].signed());
    Scalar::integer(sides[0].element(), value)
}

/// A binary op on unsigned numbers.
pub(crate) fn unsigned(sides: &[Scalar], op: impl Fn(u128, u128) -> u128) -> Scalar {
    let value = op(sides[0].unsigned(), sides[1].unsigned());
    Scalar::from_bits(sides[0].element(), value)
}

/// A division of signed numbers, by anything but zero.
pub(crate) fn divide_signed(
    sides: &[Scalar],
    op: impl Fn(i128, i128) -> i128,
) -> Result<Scalar, Fault> {
    not_zero(sides[1])?;
    Ok(signed(sides, op))
}

/// A division of unsigned numbers, by anything but zero.
pub(crate) fn divide_unsigned(
    sides: &[Scalar],
    op: impl Fn(u128, u128) -> u128,
) -> Result<Scalar, Fault> {
    not_zero(sides[1])?;
    Ok(unsigned(sides, op))
}

fn not_zero(divisor: Scalar) -> Result<(), Fault> {
    if divisor.unsigned() == 0 {
        return Err(Fault::Error("division by zero"));
    }
    Ok(())
}

/// The quotient rounded towards minus infinity.
pub(crate) fn floor_divide(dividend: i128, divisor: i128) -> i128 {
    let is_exact = dividend.wrapping_rem(divisor) == 0;
    let is_rounded_up = !is_exact && (dividend < 0) != (divisor < 0);
    dividend.wrapping_div(divisor) - i128::from(is_rounded_up)
}

/// The quotient rounded towards plus infinity.
pub(crate) fn ceil_divide(dividend: i128, divisor: i128) -> i128 {
    let is_exact = dividend.wrapping_rem(divisor) == 0;
    let is_rounded_down = !is_exact && (dividend < 0) == (divisor < 0);
    dividend.wrapping_div(divisor) + i128::from(is_rounded_down)
}

/// Shifts bits to the left; all of them out if there are no more than the
/// amount, which is unsigned.
pub(crate) fn shift_left(sides: &[Scalar]) -> Scalar {
    let (value, amount) = (sides[0], sides[1].unsigned());
    let shifted = match amount < value.element().width().into() {
        true => value.unsigned() << amount,
        false => 0,
    };
    Scalar::from_bits(value.element(), shifted)
}

/// Shifts bits to the right and zeros in; as [`shift_left`].
pub(crate) fn shift_right_unsigned(sides: &[Scalar]) -> Scalar {
    let (value, amount) = (sides[0], sides[1].unsigned());
    let shifted = match amount < value.element().width().into() {
        true => value.unsigned() >> amount,
        false => 0,
    };
    Scalar::from_bits(value.element(), shifted)
}

/// Shifts bits to the right and copies of the sign in; as [`shift_left`].
pub(crate) fn shift_right_signed(sides: &[Scalar]) -> Scalar {
    let (value, amount) = (sides[0], sides[1].unsigned());
    let shifted = value.signed() >> amount.min(127);
    Scalar::integer(value.element(), shifted)
}

/// Compares by the predicate's number in `arith.cmpi`, if it has a meaning.
pub(crate) fn compare(predicate: i64, sides: &[Scalar]) -> Option<bool> {
    let signed = sides[0].signed().cmp(&sides[1].signed());
    let unsigned = sides[0].unsigned().cmp(&sides[1].unsigned());
    Some(match predicate {
        0 => signed.is_eq(),
        1 => signed.is_ne(),
        2 => signed.is_lt(),
        3 => signed.is_le(),
        4 => signed.is_gt(),
        5 => signed.is_ge(),
        6 => unsigned.is_lt(),
        7 => unsigned.is_le(),
        8 => unsigned.is_gt(),
        9 => unsigned.is_ge(),
        _ => return None,
    })
}
