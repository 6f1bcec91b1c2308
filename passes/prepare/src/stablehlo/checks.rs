//! Calls by which programs of StableHLO check their own results, as StableHLO's test programs do:
//! `check.expect_eq`, `check.expect_close` and `check.expect_almost_eq` fail when the program runs, `check.eq` gives
//! a truth value.
//!
//! Source: StableHLO's dialect `check`, whose NaNs are equal here, too, where it compares for equality.

use comb_kit::pass_error::PassError;
use melior::{
    Error,
    ir::{OperationRef, Value},
};
use soac_dialect::builder::{Builder, FloatPredicate, Predicate, Values};

use super::{
    control::target,
    element::{self, Element, Kind},
    open_shapes, unsupported,
};

/// How far elements may be apart.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Nearness {
    /// Not at all.
    Equal,
    /// So many values of the type.
    Ulps(i64),
    /// By this number.
    By(f64),
}

/// A call that checks something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check {
    nearness: Nearness,
    /// What the program says if it fails; of none, the result is given.
    message: Option<&'static str>,
}

impl Check {
    /// The check that an op is, if it is one.
    pub(super) fn of(op: OperationRef) -> Option<Self> {
        let (nearness, message) = match target(op)? {
            "check.eq" => (Nearness::Equal, None),
            "check.expect_eq" => (Nearness::Equal, Some("differ")),
            "check.expect_close" => (Nearness::Ulps(3), Some("differ by more than 3 ulp")),
            "check.expect_almost_eq" => (Nearness::By(0.001), Some("differ by more than 0.001")),
            _ => return None,
        };
        Some(Self { nearness, message })
    }

    /// Checks two arrays of one type.
    pub(super) fn convert<'c: 'a, 'a>(
        self,
        op: OperationRef<'c, 'a>,
        builder: &Builder<'c, 'a>,
        operands: &[Value<'c, 'a>],
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        if operands.len() != 2 {
            return Err(unsupported(op, "needs two arrays to compare"));
        }
        let array = element::open_operand(op, 0)?;
        if element::open_operand(op, 1)? != array {
            return Err(unsupported(op, "needs two arrays of one type to compare"));
        }
        let near = builder.map(operands, |builder, values| {
            Ok(vec![self.nearness.build(builder, array.element, values)?])
        })?;
        let all = match array.rank() {
            0 => near,
            rank => {
                let holds = builder.integer(1, builder.integer_type(1))?;
                builder.fold_inner(&near, &[holds], rank, |builder, values| {
                    Ok(vec![builder.arithmetic("arith.andi", values)?])
                })?
            }
        };
        match self.message {
            None => Ok(all),
            Some(message) => {
                let holds = builder.extract(all[0], &[])?;
                let target = target(op).unwrap_or_default();
                open_shapes::check(op, builder, holds, &format!("{target}: elements {message}"))?;
                Ok(vec![])
            }
        }
    }
}

impl Nearness {
    /// Whether two elements are as near as that.
    fn build<'c: 'a, 'a>(
        self,
        builder: &Builder<'c, 'a>,
        element: Element<'c>,
        values: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let (a, b) = (values[0], values[1]);
        if element.kind != Kind::Float {
            return builder.compare(Predicate::Eq, a, b);
        }
        let equal = builder.compare_floats(FloatPredicate::Oeq, a, b)?;
        let nan = [a, b].map(|value| builder.compare_floats(FloatPredicate::Uno, value, value));
        let [first, second] = nan;
        let nan = builder.arithmetic("arith.andi", &[first?, second?])?;
        let same = builder.arithmetic("arith.ori", &[equal, nan])?;
        let near = match self {
            Self::Equal => return Ok(same),
            Self::Ulps(most) => ulps(builder, element, [a, b], most)?,
            Self::By(most) => by(builder, element, [a, b], most)?,
        };
        builder.arithmetic("arith.ori", &[same, near])
    }
}

/// Whether two finite numbers have so many others between them at most.
fn ulps<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    element: Element<'c>,
    values: [Value<'c, 'a>; 2],
    most: i64,
) -> Result<Value<'c, 'a>, Error> {
    let bits = builder.integer_type(element.bits);
    let one = builder.integer(1, bits)?;
    let infinity = builder.float(f64::INFINITY, element.r#type)?;
    let infinity = builder.value("arith.bitcast", &[infinity], bits, &[])?;
    let mut magnitudes = vec![];
    let mut patterns = vec![];
    let mut finite = vec![];
    for value in values {
        let pattern = builder.value("arith.bitcast", &[value], bits, &[])?;
        let doubled = builder.arithmetic("arith.shli", &[pattern, one])?;
        let magnitude = builder.arithmetic("arith.shrui", &[doubled, one])?;
        finite.push(builder.compare(Predicate::Ult, magnitude, infinity)?);
        magnitudes.push(magnitude);
        patterns.push(pattern);
    }
    let (a, b) = (magnitudes[0], magnitudes[1]);
    let greater = builder.arithmetic("arith.maxui", &[a, b])?;
    let less = builder.arithmetic("arith.minui", &[a, b])?;
    let apart = builder.arithmetic("arith.subi", &[greater, less])?;
    let across = builder.arithmetic("arith.addi", &[a, b])?;
    let signs = builder.arithmetic("arith.xori", &patterns)?;
    let zero = builder.integer(0, bits)?;
    let differ = builder.compare(Predicate::Slt, signs, zero)?;
    let distance = builder.select(differ, across, apart)?;
    let most = builder.integer(most, bits)?;
    let near = builder.compare(Predicate::Ule, distance, most)?;
    let both = builder.arithmetic("arith.andi", &finite)?;
    builder.arithmetic("arith.andi", &[both, near])
}

/// Whether the difference of two numbers is so great at most.
fn by<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    element: Element<'c>,
    values: [Value<'c, 'a>; 2],
    most: f64,
) -> Result<Value<'c, 'a>, Error> {
    let wide = builder.f64_type();
    let values = values.map(|value| match element.bits {
        64 => Ok(value),
        _ => builder.value("arith.extf", &[value], wide, &[]),
    });
    let [a, b] = values;
    let difference = builder.arithmetic("arith.subf", &[a?, b?])?;
    let difference = builder.arithmetic("math.absf", &[difference])?;
    let most = builder.float(most, wide)?;
    builder.compare_floats(FloatPredicate::Ole, difference, most)
}
