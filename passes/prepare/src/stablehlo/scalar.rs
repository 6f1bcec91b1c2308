//! What an elementwise op does to elements: decided from the op, then built of scalars.

use melior::{
    Error,
    ir::{OperationRef, Value, ValueLike, operation::OperationLike, r#type::IntegerType},
};
use soac_dialect::{
    builder::{Builder, FloatPredicate, Predicate},
    view::op_name,
};

use super::{
    attributes::{case, integer, missing},
    element::{Element, Kind, open_operand, open_result},
    special::Special,
    unsupported,
};
use comb_kit::pass_error::PassError;

/// A function of scalars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar<'c> {
    /// An op on values of one type, that gives such a value.
    Op(&'static str),
    /// An op on a value, that gives a truth value.
    Test(&'static str),
    /// The operand.
    Same,
    /// The operand with itself.
    Square(&'static str),
    /// 0 less the operand.
    NegateInteger,
    /// All bits the other way.
    Not,
    /// Division of integers, or its remainder; by 0, all bits are 1, or the remainder is the
    /// dividend.
    Divide(&'static str, OfZero),
    /// A shift, by as much as the width or more, too.
    Shift(&'static str, Beyond),
    /// A power of integers; 0 to a negative power is 0.
    SignedPower,
    /// A power whose exponent has no sign.
    UnsignedPower,
    /// -1, 0 or 1; a float's zero and NaN stay.
    Sign(Kind),
    /// 1 / (1 + exp(-x)).
    Logistic,
    CompareIntegers(Predicate),
    CompareFloats(FloatPredicate),
    /// In the order of the bits, with -NaN first and NaN last.
    CompareTotally(Predicate, u32),
    Select,
    /// Not less than the first, not more than the last.
    Clamp(&'static str, &'static str),
    Convert(Conversion, Element<'c>),
    Special(Special),
}

/// The result of a division by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfZero {
    Ones,
    Dividend,
}

/// What a shift by the width or more gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    Zero,
    /// The sign in all bits.
    Signs,
}

/// How an element becomes one of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    /// By an op.
    By(&'static str),
    /// Whether it is not 0.
    IsNotZero(Kind),
    /// To a wider type, and from there: between the two types of 16 bits.
    Twice(&'static str, &'static str),
    Same,
}

/// What an elementwise op does.
///
/// # Errors
///
/// If the op, or the types that it has, are not supported.
pub(super) fn decide<'c>(op: OperationRef<'c, '_>) -> Result<Scalar<'c>, PassError<'c>> {
    let short = op_name(op).rsplit('.').next().unwrap_or_default();
    let result = open_result(op, 0)?.element;
    let kind = match op.operand_count() {
        0 => return Err(unsupported(op, "is not supported")),
        count => open_operand(op, usize::from(count == 3))?.element.kind,
    };
    let known = match short {
        "compare" => Some(compare(op)?),
        "convert" => Some(convert(op, result)?),
        "bitcast_convert" => Some(bitcast(op, result)?),
        "select" => Some(Scalar::Select),
        "reduce_precision" => Some(reduce_precision(op)?),
        _ => arithmetic(short, kind).or_else(|| function(short, kind)),
    };
    let scalar = known.ok_or_else(|| match is_elementwise(short) {
        true => unsupported(op, &format!("is not supported for {}", result.r#type)),
        false => unsupported(op, "is not supported"),
    })?;
    match scalar.arity() == op.operand_count() {
        true => Ok(scalar),
        false => Err(unsupported(
            op,
            &format!("needs {} operands", scalar.arity()),
        )),
    }
}

fn is_elementwise(short: &str) -> bool {
    let kinds = [Kind::Bool, Kind::Signed, Kind::Unsigned, Kind::Float];
    kinds.into_iter().any(|kind| {
        arithmetic(short, kind)
            .or_else(|| function(short, kind))
            .is_some()
    })
}

/// Operations that every element type has in its own form.
fn arithmetic<'c>(short: &str, kind: Kind) -> Option<Scalar<'c>> {
    use Kind::{Bool, Float, Signed, Unsigned};
    Some(match (short, kind) {
        ("add", Float) => Scalar::Op("arith.addf"),
        ("add", Bool) => Scalar::Op("arith.ori"),
        ("add", _) => Scalar::Op("arith.addi"),
        ("subtract", Float) => Scalar::Op("arith.subf"),
        ("subtract", Signed | Unsigned) => Scalar::Op("arith.subi"),
        ("multiply", Float) => Scalar::Op("arith.mulf"),
        ("multiply", Bool) => Scalar::Op("arith.andi"),
        ("multiply", _) => Scalar::Op("arith.muli"),
        ("divide", Float) => Scalar::Op("arith.divf"),
        ("divide", Signed) => Scalar::Divide("arith.divsi", OfZero::Ones),
        ("divide", Unsigned) => Scalar::Divide("arith.divui", OfZero::Ones),
        ("remainder", Float) => Scalar::Op("arith.remf"),
        ("remainder", Signed) => Scalar::Divide("arith.remsi", OfZero::Dividend),
        ("remainder", Unsigned) => Scalar::Divide("arith.remui", OfZero::Dividend),
        ("maximum", Float) => Scalar::Op("arith.maximumf"),
        ("maximum", Bool) => Scalar::Op("arith.ori"),
        ("maximum", Signed) => Scalar::Op("arith.maxsi"),
        ("maximum", Unsigned) => Scalar::Op("arith.maxui"),
        ("minimum", Float) => Scalar::Op("arith.minimumf"),
        ("minimum", Bool) => Scalar::Op("arith.andi"),
        ("minimum", Signed) => Scalar::Op("arith.minsi"),
        ("minimum", Unsigned) => Scalar::Op("arith.minui"),
        ("clamp", Float) => Scalar::Clamp("arith.maximumf", "arith.minimumf"),
        ("clamp", Signed) => Scalar::Clamp("arith.maxsi", "arith.minsi"),
        ("clamp", Unsigned) => Scalar::Clamp("arith.maxui", "arith.minui"),
        ("and", Bool | Signed | Unsigned) => Scalar::Op("arith.andi"),
        ("or", Bool | Signed | Unsigned) => Scalar::Op("arith.ori"),
        ("xor", Bool | Signed | Unsigned) => Scalar::Op("arith.xori"),
        ("not", Bool | Signed | Unsigned) => Scalar::Not,
        ("shift_left", Signed | Unsigned) => Scalar::Shift("arith.shli", Beyond::Zero),
        ("shift_right_logical", Signed | Unsigned) => Scalar::Shift("arith.shrui", Beyond::Zero),
        ("shift_right_arithmetic", Signed | Unsigned) => {
            Scalar::Shift("arith.shrsi", Beyond::Signs)
        }
        ("abs", Float) => Scalar::Op("math.absf"),
        ("abs", Signed) => Scalar::Op("math.absi"),
        ("negate", Float) => Scalar::Op("arith.negf"),
        ("negate", Signed | Unsigned) => Scalar::NegateInteger,
        ("sign", Float | Signed) => Scalar::Sign(kind),
        ("power", Float) => Scalar::Op("math.powf"),
        ("power", Signed) => Scalar::SignedPower,
        ("power", Unsigned) => Scalar::UnsignedPower,
        ("square", Float) => Scalar::Square("arith.mulf"),
        ("square", Signed | Unsigned) => Scalar::Square("arith.muli"),
        ("popcnt", Signed | Unsigned) => Scalar::Op("math.ctpop"),
        ("count_leading_zeros", Signed | Unsigned) => Scalar::Op("math.ctlz"),
        ("real", Float) => Scalar::Same,
        _ => return None,
    })
}

/// Functions of floating-point numbers.
fn function<'c>(short: &str, kind: Kind) -> Option<Scalar<'c>> {
    if kind != Kind::Float {
        return None;
    }
    if let Some(special) = Special::named(short) {
        return Some(Scalar::Special(special));
    }
    let name = match short {
        "is_finite" => return Some(Scalar::Test("math.isfinite")),
        "logistic" => return Some(Scalar::Logistic),
        "exponential" => "math.exp",
        "exponential_minus_one" => "math.expm1",
        "log" => "math.log",
        "log_plus_one" => "math.log1p",
        "sqrt" => "math.sqrt",
        "rsqrt" => "math.rsqrt",
        "cbrt" => "math.cbrt",
        "sine" => "math.sin",
        "cosine" => "math.cos",
        "tan" => "math.tan",
        "tanh" => "math.tanh",
        "atan2" => "math.atan2",
        "floor" => "math.floor",
        "ceil" => "math.ceil",
        "round_nearest_even" => "math.roundeven",
        "round_nearest_afz" => "math.round",
        "erf" => "math.erf",
        "erfc" => "math.erfc",
        "sinh" => "math.sinh",
        "cosh" => "math.cosh",
        "asin" => "math.asin",
        "acos" => "math.acos",
        "atan" => "math.atan",
        "asinh" => "math.asinh",
        "acosh" => "math.acosh",
        "atanh" => "math.atanh",
        _ => return None,
    };
    Some(Scalar::Op(name))
}

fn compare<'c>(op: OperationRef<'c, '_>) -> Result<Scalar<'c>, PassError<'c>> {
    use FloatPredicate as Float;
    let element = open_operand(op, 0)?.element;
    let direction = case(op, "comparison_direction");
    let is_unsigned = matches!(element.kind, Kind::Unsigned | Kind::Bool);
    let (float, signed, unsigned) = match direction.as_deref() {
        Some("EQ") => (Float::Oeq, Predicate::Eq, Predicate::Eq),
        Some("NE") => (Float::Une, Predicate::Ne, Predicate::Ne),
        Some("LT") => (Float::Olt, Predicate::Slt, Predicate::Ult),
        Some("LE") => (Float::Ole, Predicate::Sle, Predicate::Ule),
        Some("GT") => (Float::Ogt, Predicate::Sgt, Predicate::Ugt),
        Some("GE") => (Float::Oge, Predicate::Sge, Predicate::Uge),
        _ => {
            return Err(missing(
                op,
                "comparison_direction",
                "EQ, NE, LT, LE, GT or GE",
            ));
        }
    };
    let is_total = case(op, "compare_type").as_deref() == Some("TOTALORDER");
    Ok(match element.kind {
        Kind::Float if is_total => Scalar::CompareTotally(signed, element.bits),
        Kind::Float => Scalar::CompareFloats(float),
        _ if is_unsigned => Scalar::CompareIntegers(unsigned),
        _ => Scalar::CompareIntegers(signed),
    })
}

fn reduce_precision<'c>(op: OperationRef<'c, '_>) -> Result<Scalar<'c>, PassError<'c>> {
    let element = open_operand(op, 0)?.element;
    let bits = |name, least: u32| {
        let bits = u32::try_from(integer(op, name)?).ok();
        let bits = bits.filter(|&bits| bits >= least);
        bits.ok_or_else(|| missing(op, name, "a number of bits"))
    };
    let (exponent, mantissa) = (bits("exponent_bits", 1)?, bits("mantissa_bits", 0)?);
    match element.kind {
        Kind::Float => Ok(Scalar::Special(Special::ReducePrecision(
            exponent, mantissa,
        ))),
        _ => Err(unsupported(op, "is only of floating-point numbers")),
    }
}

fn convert<'c>(op: OperationRef<'c, '_>, to: Element<'c>) -> Result<Scalar<'c>, PassError<'c>> {
    Ok(conversion(open_operand(op, 0)?.element, to))
}

/// The function that makes an element one of another type.
pub(super) fn conversion<'c>(from: Element<'c>, to: Element<'c>) -> Scalar<'c> {
    let conversion = match (from.kind, to.kind) {
        _ if from.r#type == to.r#type => Conversion::Same,
        (kind, Kind::Bool) => Conversion::IsNotZero(kind),
        (Kind::Float, Kind::Float) if from.bits == to.bits => {
            Conversion::Twice("arith.extf", "arith.truncf")
        }
        (Kind::Float, Kind::Float) if from.bits < to.bits => Conversion::By("arith.extf"),
        (Kind::Float, Kind::Float) => Conversion::By("arith.truncf"),
        (Kind::Float, Kind::Signed) => Conversion::By("arith.fptosi"),
        (Kind::Float, Kind::Unsigned) => Conversion::By("arith.fptoui"),
        (Kind::Signed, Kind::Float) => Conversion::By("arith.sitofp"),
        (_, Kind::Float) => Conversion::By("arith.uitofp"),
        _ if from.bits > to.bits => Conversion::By("arith.trunci"),
        (Kind::Signed, _) => Conversion::By("arith.extsi"),
        _ => Conversion::By("arith.extui"),
    };
    Scalar::Convert(conversion, to)
}

fn bitcast<'c>(op: OperationRef<'c, '_>, to: Element<'c>) -> Result<Scalar<'c>, PassError<'c>> {
    let from = open_operand(op, 0)?.element;
    let conversion = match from.r#type == to.r#type {
        true => Conversion::Same,
        false if from.bits == to.bits => Conversion::By("arith.bitcast"),
        false => {
            return Err(unsupported(
                op,
                "is not supported between types of several widths",
            ));
        }
    };
    Ok(Scalar::Convert(conversion, to))
}

impl<'c> Scalar<'c> {
    /// How many operands it has.
    fn arity(self) -> usize {
        match self {
            Self::Op("arith.negf") => 1,
            Self::Special(special) => special.arity(),
            Self::Op("math.powf" | "math.atan2") => 2,
            Self::Op(name) if name.starts_with("arith.") => 2,
            Self::Select | Self::Clamp(..) => 3,
            Self::Divide(..)
            | Self::Shift(..)
            | Self::SignedPower
            | Self::UnsignedPower
            | Self::CompareIntegers(_)
            | Self::CompareFloats(_)
            | Self::CompareTotally(..) => 2,
            _ => 1,
        }
    }

    /// Builds it of the values of the operands.
    pub(super) fn build<'a>(
        self,
        builder: &Builder<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let first = operands[0];
        let r#type = first.r#type();
        match self {
            Self::Op(name) => builder.arithmetic(name, operands),
            Self::Test(name) => builder.value(name, operands, builder.integer_type(1), &[]),
            Self::Same => Ok(first),
            Self::Square(name) => builder.arithmetic(name, &[first, first]),
            Self::NegateInteger => {
                builder.arithmetic("arith.subi", &[builder.integer(0, r#type)?, first])
            }
            Self::Not => {
                let ones = builder.integer(-1, r#type)?;
                builder.arithmetic("arith.xori", &[first, ones])
            }
            Self::Divide(name, of_zero) => divide(builder, name, of_zero, first, operands[1]),
            Self::Shift(name, beyond) => shift(builder, name, beyond, first, operands[1]),
            Self::SignedPower => signed_power(builder, first, operands[1]),
            Self::UnsignedPower => unsigned_power(builder, first, operands[1]),
            Self::Sign(Kind::Float) => {
                let (zero, one) = (builder.float(0.0, r#type)?, builder.float(1.0, r#type)?);
                let positive = builder.compare_floats(FloatPredicate::Ogt, first, zero)?;
                let negative = builder.compare_floats(FloatPredicate::Olt, first, zero)?;
                let least = builder.float(-1.0, r#type)?;
                let rest = builder.select(negative, least, first)?;
                builder.select(positive, one, rest)
            }
            Self::Sign(_) => {
                let (zero, one) = (builder.integer(0, r#type)?, builder.integer(1, r#type)?);
                let positive = builder.compare(Predicate::Sgt, first, zero)?;
                let negative = builder.compare(Predicate::Slt, first, zero)?;
                let rest = builder.select(negative, builder.integer(-1, r#type)?, zero)?;
                builder.select(positive, one, rest)
            }
            Self::Logistic => {
                let negative = builder.arithmetic("arith.negf", &[first])?;
                let power = builder.arithmetic("math.exp", &[negative])?;
                let one = builder.float(1.0, r#type)?;
                let sum = builder.arithmetic("arith.addf", &[one, power])?;
                builder.arithmetic("arith.divf", &[one, sum])
            }
            Self::CompareIntegers(predicate) => builder.compare(predicate, first, operands[1]),
            Self::CompareFloats(predicate) => builder.compare_floats(predicate, first, operands[1]),
            Self::CompareTotally(predicate, bits) => {
                let one = place_in_order(builder, first, bits)?;
                let other = place_in_order(builder, operands[1], bits)?;
                builder.compare(predicate, one, other)
            }
            Self::Select => builder.select(first, operands[1], operands[2]),
            Self::Clamp(max, min) => {
                let least = builder.arithmetic(max, &operands[..2])?;
                builder.arithmetic(min, &[least, operands[2]])
            }
            Self::Convert(conversion, to) => conversion.build(builder, first, to),
            Self::Special(special) => special.build(builder, operands),
        }
    }
}

impl Conversion {
    fn build<'c, 'a>(
        self,
        builder: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        to: Element<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let r#type = value.r#type();
        match self {
            Self::Same => Ok(value),
            Self::By(name) => builder.value(name, &[value], to.r#type, &[]),
            Self::Twice(there, back) => {
                let wide = builder.value(there, &[value], builder.f32_type(), &[])?;
                builder.value(back, &[wide], to.r#type, &[])
            }
            Self::IsNotZero(Kind::Float) => {
                let zero = builder.float(0.0, r#type)?;
                builder.compare_floats(FloatPredicate::Une, value, zero)
            }
            Self::IsNotZero(_) => {
                builder.compare(Predicate::Ne, value, builder.integer(0, r#type)?)
            }
        }
    }
}

fn divide<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    of_zero: OfZero,
    dividend: Value<'c, 'a>,
    divisor: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let number = |value| builder.integer(value, divisor.r#type());
    let is_zero = builder.compare(Predicate::Eq, divisor, number(0)?)?;
    let safe = builder.select(is_zero, number(1)?, divisor)?;
    let quotient = builder.arithmetic(name, &[dividend, safe])?;
    let otherwise = match of_zero {
        OfZero::Ones => number(-1)?,
        OfZero::Dividend => dividend,
    };
    builder.select(is_zero, otherwise, quotient)
}

fn shift<'c, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
    beyond: Beyond,
    value: Value<'c, 'a>,
    amount: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let r#type = amount.r#type();
    let width = IntegerType::try_from(r#type)?.width();
    let number = |value| builder.integer(value, r#type);
    let fits = builder.compare(Predicate::Ult, amount, number(width.into())?)?;
    match beyond {
        Beyond::Zero => {
            let amount = builder.select(fits, amount, number(0)?)?;
            let shifted = builder.arithmetic(name, &[value, amount])?;
            builder.select(fits, shifted, number(0)?)
        }
        Beyond::Signs => {
            let amount = builder.select(fits, amount, number(i64::from(width) - 1)?)?;
            builder.arithmetic(name, &[value, amount])
        }
    }
}

/// A power; of 0 by a negative exponent the first power, which is 0 and no error.
fn signed_power<'c, 'a>(
    builder: &Builder<'c, 'a>,
    base: Value<'c, 'a>,
    exponent: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let (zero, one) = (
        builder.integer(0, base.r#type())?,
        builder.integer(1, base.r#type())?,
    );
    let of_zero = builder.compare(Predicate::Eq, base, zero)?;
    let is_negative = builder.compare(Predicate::Slt, exponent, zero)?;
    let has_none = builder.arithmetic("arith.andi", &[of_zero, is_negative])?;
    let safe = builder.select(has_none, one, exponent)?;
    builder.arithmetic("math.ipowi", &[base, safe])
}

/// The square of the power by half the exponent, which is not negative as a number with a sign,
/// times the base if the exponent is odd.
fn unsigned_power<'c, 'a>(
    builder: &Builder<'c, 'a>,
    base: Value<'c, 'a>,
    exponent: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let (zero, one) = (
        builder.integer(0, base.r#type())?,
        builder.integer(1, base.r#type())?,
    );
    let half = builder.arithmetic("arith.shrui", &[exponent, one])?;
    let root = builder.arithmetic("math.ipowi", &[base, half])?;
    let square = builder.arithmetic("arith.muli", &[root, root])?;
    let rest = builder.arithmetic("arith.andi", &[exponent, one])?;
    let is_odd = builder.compare(Predicate::Ne, rest, zero)?;
    let factor = builder.select(is_odd, base, one)?;
    builder.arithmetic("arith.muli", &[square, factor])
}

/// The bits of a float as an integer, so that integers have the total order of floats.
pub(super) fn place_in_order<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    width: u32,
) -> Result<Value<'c, 'a>, Error> {
    let r#type = builder.integer_type(width);
    let integer = builder.value("arith.bitcast", &[value], r#type, &[])?;
    let last = builder.integer(i64::from(width) - 1, r#type)?;
    let signs = builder.arithmetic("arith.shrsi", &[integer, last])?;
    let one = builder.integer(1, r#type)?;
    let flips = builder.arithmetic("arith.shrui", &[signs, one])?;
    builder.arithmetic("arith.xori", &[integer, flips])
}
