//! Integer division, shifts and conversions from floating point without
//! undefined results, for scalars of the `arith` and `index` dialects.
//!
//! * Division by zero, and zero to a negative power, are run-time errors; the least integer divided by -1 wraps
//!   around.
//! * A shift by the width or more shifts everything out.
//! * A cast from `index` to a narrower integer goes through 64 bits: upstream
//!   folds a cast there and back to nothing, and forgets the bits that are lost.
//! * A number too large for the integer type becomes its greatest or least
//!   value, and NaN becomes 0: what LLVM's `fptosi.sat` and `fptoui.sat` give.

use melior::ir::{
    OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike,
    r#type::RankedTensorType,
};

use soac_dialect::{
    builder::{Builder, FloatPredicate, Predicate},
    cast::is_a,
    view::{definition, op_name, set_operand},
};

use super::{
    emit::{Emit, integer_width},
    facts::constant,
    site::Site,
};
use crate::pass_error::PassError;

type Rewritten<'c> = Result<(), PassError<'c>>;

/// Gives an op the defined meaning, if it has one of the ops' names.
pub fn define<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    mnemonic: &str,
) -> Rewritten<'c> {
    let define = match mnemonic {
        "divsi" | "ceildivsi" | "floordivsi" | "divs" | "ceildivs" | "floordivs" => signed_quotient,
        "remsi" | "rems" => signed_remainder,
        "divui" | "ceildivui" | "remui" | "divu" | "ceildivu" | "remu" => unsigned_division,
        "shli" | "shl" | "shrui" | "shru" => shift,
        "shrsi" | "shrs" => arithmetic_shift,
        "fptosi" | "fptoui" => conversion,
        "ipowi" => power,
        "index_cast" | "index_castui" => index_cast,
        _ => return Ok(()),
    };
    let r#type = op.result(0)?.r#type();
    if is_a::<RankedTensorType>(r#type) {
        return Err(site
            .error("is not defined on arrays with an encoding, or of other elements than soac's"));
    }
    match integer_width(r#type) {
        Some(width @ 1..=64) => define(site, op, width),
        _ => Ok(()),
    }
}

/// The place behind an op.
fn after<'c: 'a, 'a>(
    site: &Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<Builder<'c, 'a>, PassError<'c>> {
    Builder::after(op).ok_or_else(|| site.error("ends its block"))
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

fn check_divisor<'c: 'a, 'a>(site: &mut Site<'c, 'a, '_>, divisor: Value<'c, 'a>) -> Rewritten<'c> {
    if constant(divisor).is_some_and(|value| value != 0) {
        site.counts.proven += 1;
        return Ok(());
    }
    let zero = site.builder.integer(0, divisor.r#type())?;
    let condition = site.builder.compare(Predicate::Ne, divisor, zero)?;
    Ok(site.check(condition, "division by zero", &[])?)
}

fn unsigned_division<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    _width: u32,
) -> Rewritten<'c> {
    check_divisor(site, op.operand(1)?)
}

/// The least integer is divided by 1 instead of -1, which gives it back.
fn signed_quotient<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    width: u32,
) -> Rewritten<'c> {
    let (dividend, divisor) = (op.operand(0)?, op.operand(1)?);
    check_divisor(site, divisor)?;
    if cannot_overflow(dividend, divisor, width) {
        return Ok(());
    }
    if width == 1 {
        return one_bit(site, op, dividend);
    }
    let (r#type, builder) = (divisor.r#type(), site.builder);
    let minus_one = builder.integer(-1, r#type)?;
    let least = builder.integer(least(width), r#type)?;
    let by_minus_one = builder.compare(Predicate::Eq, divisor, minus_one)?;
    let is_least = builder.compare(Predicate::Eq, dividend, least)?;
    let overflows = builder.all(&[by_minus_one, is_least])?;
    let one = builder.integer(1, r#type)?;
    let divisor = builder.select(overflows, one, divisor)?;
    set_operand(op, 1, divisor);
    Ok(())
}

/// Nothing remains of a division by -1, nor of one by 1.
fn signed_remainder<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    width: u32,
) -> Rewritten<'c> {
    let (dividend, divisor) = (op.operand(0)?, op.operand(1)?);
    check_divisor(site, divisor)?;
    if cannot_overflow(dividend, divisor, width) {
        return Ok(());
    }
    let (r#type, builder) = (divisor.r#type(), site.builder);
    if width == 1 {
        let zero = builder.integer(0, r#type)?;
        return one_bit(site, op, zero);
    }
    let minus_one = builder.integer(-1, r#type)?;
    let one = builder.integer(1, r#type)?;
    let by_minus_one = builder.compare(Predicate::Eq, divisor, minus_one)?;
    let divisor = builder.select(by_minus_one, one, divisor)?;
    set_operand(op, 1, divisor);
    Ok(())
}

/// Whether the dividend is known not to be the least integer, or the divisor
/// not to be -1.
fn cannot_overflow(dividend: Value, divisor: Value, width: u32) -> bool {
    constant(divisor).is_some_and(|value| value != -1)
        || constant(dividend).is_some_and(|value| value != least(width))
}

/// With one bit, the only divisor is -1, which is the least integer too. The op
/// is left with a dividend of 0, and without uses.
fn one_bit<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    result: Value<'c, 'a>,
) -> Rewritten<'c> {
    let zero = site.builder.integer(0, result.r#type())?;
    set_operand(op, 0, zero);
    site.builder
        .replace_uses(op.result(0)?.into(), result, None);
    Ok(())
}

/// Zero to a negative power divides by zero.
fn power<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    _width: u32,
) -> Rewritten<'c> {
    let (base, exponent) = (op.operand(0)?, op.operand(1)?);
    let proven = constant(base).is_some_and(|value| value != 0)
        || constant(exponent).is_some_and(|value| value >= 0);
    if proven {
        site.counts.proven += 1;
        return Ok(());
    }
    let zero = site.builder.integer(0, base.r#type())?;
    let divides = site.builder.compare(Predicate::Ne, base, zero)?;
    let multiplies = site.builder.compare(Predicate::Sge, exponent, zero)?;
    let condition = site.builder.binary("arith.ori", divides, multiplies)?;
    Ok(site.check(condition, "division by zero", &[])?)
}

fn least(width: u32) -> i64 {
    i64::MIN >> (64 - width)
}

fn greatest(width: u32) -> i64 {
    i64::MAX >> (64 - width)
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

fn is_inside(amount: Value, width: u32) -> bool {
    // A constant of few bits may read as negative, as the 2 of two bits.
    let mask = u64::MAX >> (64 - width);
    constant(amount).is_some_and(|amount| (amount as u64 & mask) < u64::from(width))
}

/// Shifts by 0 instead, and gives 0.
fn shift<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    width: u32,
) -> Rewritten<'c> {
    let amount = op.operand(1)?;
    if is_inside(amount, width) {
        return Ok(());
    }
    let (r#type, builder) = (amount.r#type(), site.builder);
    let bound = builder.integer(i64::from(width), r#type)?;
    let zero = builder.integer(0, r#type)?;
    let inside = builder.compare(Predicate::Ult, amount, bound)?;
    let safe = builder.select(inside, amount, zero)?;
    set_operand(op, 1, safe);
    let shifted = op.result(0)?.into();
    let builder = after(site, op)?;
    let result = builder.select(inside, shifted, zero)?;
    builder.replace_uses(shifted, result, definition(result));
    Ok(())
}

/// Shifts by the width less one at most.
fn arithmetic_shift<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    width: u32,
) -> Rewritten<'c> {
    let amount = op.operand(1)?;
    if is_inside(amount, width) {
        return Ok(());
    }
    let most = site
        .builder
        .integer(i64::from(width) - 1, amount.r#type())?;
    let amount = site.builder.binary("arith.minui", amount, most)?;
    set_operand(op, 1, amount);
    Ok(())
}

//===----------------------------------------------------------------------===//
// Conversion from floating point
//===----------------------------------------------------------------------===//

/// A number as an integer's bound; infinite if the type has no such number, in
/// which case all its finite numbers are inside.
fn bound(r#type: Type, bound: f64) -> f64 {
    const LARGEST_F16: f64 = 65504.0;
    if r#type.is_f16() && bound.abs() > LARGEST_F16 {
        bound.signum() * f64::INFINITY
    } else {
        bound
    }
}

/// Converts 0 instead of what has no integer, and selects the bounds
/// afterwards. Both bounds are powers of two, so that the types have them
/// exactly.
fn conversion<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    width: u32,
) -> Rewritten<'c> {
    let number = op.operand(0)?;
    let (from, to) = (number.r#type(), op.result(0)?.r#type());
    if !(from.is_f16() || from.is_bf16() || from.is_f32() || from.is_f64()) {
        return Ok(());
    }
    let signed = site.name.ends_with("fptosi");
    let bits = if signed { width - 1 } else { width };
    let end = bound(from, 2f64.powi(bits as i32));
    let start = if signed {
        bound(from, -2f64.powi(bits as i32))
    } else {
        0.0
    };
    let builder = site.builder;
    let (zero, end) = (builder.float(0.0, from)?, builder.float(end, from)?);
    let above = builder.compare_floats(FloatPredicate::Oge, number, end)?;
    let is_below = if start.is_infinite() {
        FloatPredicate::Ole
    } else {
        FloatPredicate::Olt
    };
    let start = builder.float(start, from)?;
    let below = builder.compare_floats(is_below, number, start)?;
    let ordered = builder.compare_floats(FloatPredicate::Ord, number, number)?;
    let safe = builder.select(ordered, number, zero)?;
    let safe = builder.select(above, zero, safe)?;
    let safe = builder.select(below, zero, safe)?;
    set_operand(op, 0, safe);
    let converted = op.result(0)?.into();
    let builder = after(site, op)?;
    let most = if signed { greatest(width) } else { -1 };
    let most = builder.integer(most, to)?;
    let least = if signed { least(width) } else { 0 };
    let least = builder.integer(least, to)?;
    let inside = builder.select(below, least, converted)?;
    let result = builder.select(above, most, inside)?;
    builder.replace_uses(converted, result, definition(inside));
    Ok(())
}

//===----------------------------------------------------------------------===//
// Casts from index to narrower integers
//===----------------------------------------------------------------------===//

fn index_cast<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    width: u32,
) -> Rewritten<'c> {
    let (operand, builder) = (op.operand(0)?, site.builder);
    if width < 64 && operand.r#type() == builder.index_type() {
        let result = op.result(0)?;
        let wide = builder.value(op_name(op), &[operand], builder.integer_type(64), &[])?;
        let narrow = builder.value("arith.trunci", &[wide], result.r#type(), &[])?;
        builder.replace_uses(result.into(), narrow, None);
    }
    Ok(())
}
