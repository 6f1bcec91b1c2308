//! `comb-expand-conversions`: vectors of 64-bit integers become floating-point numbers by
//! arithmetic.
//!
//! CPUs with AVX-512 have an instruction for that. For others, LLVM converts one lane after the
//! other, which takes longer than all else that a loop does. Here, an integer is made of its halves,
//! `x = u · 2³² + l` with `0 ≤ l < 2³²`:
//!
//! 1. The fraction of a number between 2⁵² and 2⁵³ is an integer, so the bits of 2⁵² with `l` in the
//!    lowest ones are those of `2⁵² + l`.
//! 2. A unit of the fraction of 2⁸⁴ is 2³². The upper half as it is, its highest bit turned round,
//!    is `u + 2³¹`. So the bits of 2⁸⁴ with that in the lowest ones are those of
//!    `2⁸⁴ + 2⁶³ + u · 2³²`.
//! 3. That less `2⁸⁴ + 2⁶³ + 2⁵²` is a multiple of 2³² and less than 2⁶⁴, thus exact. Only the
//!    last sum, `(u · 2³² − 2⁵²) + (2⁵² + l)`, is rounded: the result is that of one rounding.
//!
//! **Steps.** Integers that are one number plus constants, as the indices in a loop's vectors are, have
//! their halves in common: the number is split once, and the constants are added to `2⁵² + l`, which
//! is exact as long as the sum is less than 2⁵³. Sums that wrap around are others, so that is done
//! only for those that are said not to.
//!
//! **To `f32`.** An integer that `f64` has exactly is converted to it first. Any other is 2⁵³ at least,
//! and rounded to a multiple of 2³⁰. Of its lowest 11 bits it matters only if one of them is set.
//! So the twelfth stands in for them, and `f64` has what is left. This is what is called rounding to
//! odd (Boldo and Melquiond, Emulation of FMA and correctly rounded sums: proved algorithms using
//! rounding to odd, 2008).
//!
//! Signed integers that are loaded for nothing else stay as they are there: LLVM converts each lane right
//! from memory, which takes about half the time.
//!
//! LLVM does the first for `arith.uitofp` to `f64` by itself. The way back, `arith.fptosi` and
//! `fptoui`, is left to it: it goes lane by lane.
//!
//! Cost: linear in the number of ops.

use comb_kit::{
    machine,
    pass_error::PassError,
    switches::{self, Switches},
    transformations::Transformation,
    walk::operations,
};
use melior::{
    Error,
    ir::{
        OperationRef, Type, TypeLike, Value, ValueLike, attribute::DenseElementsAttribute,
        operation::OperationLike,
    },
};
use soac_dialect::{
    builder::{Builder, Predicate},
    cast::Parts,
    view::{definition, op_name, uses, vector_element, vector_lanes},
};

/// The bits of the lower half of an integer.
const LOWER_HALF: i64 = 0xffff_ffff;

/// The bits of 2⁵².
const LOWER_BITS: i64 = 0x4330_0000_0000_0000;

/// The bits of 2⁸⁴ + 2⁶³.
const UPPER_BITS: i64 = 0x4530_0000_8000_0000;

/// What the halves, as such numbers, are too large by.
const EXCESS: f64 = ((1_u128 << 84) + (1 << 63) + (1 << 52)) as f64;

/// Constants that are added to a lower half are less than this: see the module's text.
const STEPS_END: i64 = 1 << 20;

/// How many bits the fraction of `f64` has, with the one that is not stored.
const FRACTION: i64 = 53;

/// The bits that such a fraction has no room for, if an integer has 64.
const REST: i64 = 0x7ff;

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    if machine::of(module)?.conversions {
        return Ok(());
    }
    switches::with(module, |switches| {
        for op in operations(module) {
            let signed = match op_name(op) {
                "arith.sitofp" => true,
                "arith.uitofp" => false,
                _ => continue,
            };
            expand(op, signed, switches)?;
        }
        Ok(())
    })
}

fn expand(op: OperationRef, signed: bool, switches: &Switches) -> Result<(), Error> {
    let (integers, result) = (op.operand(0)?, op.result(0)?.r#type());
    let elements = vector_element(integers.r#type()).zip(vector_element(result));
    let (Some(builder), Some((from, to))) = (Builder::before(op), elements) else {
        return Ok(());
    };
    if from != builder.integer_type(64) || vector_lanes(result).is_none() {
        return Ok(());
    }
    let stays = match signed {
        true if to.is_f64() => false,
        true => !to.is_f32() || is_only_loaded_for(integers),
        false => !to.is_f32(),
    };
    if stays || !switches.applies(Transformation::ExpandConversions, op.location()) {
        return Ok(());
    }
    let floats = match signed {
        true if to.is_f64() => match Steps::of(&builder, integers) {
            Some(steps) => steps.to_f64(&builder, result)?,
            None => to_f64(&builder, integers, result)?,
        },
        _ => to_f32(&builder, integers, result, signed)?,
    };
    builder.replace(op, &[floats]);
    Ok(())
}

/// Whether a vector is loaded to be converted, and for nothing else.
fn is_only_loaded_for<'c: 'a, 'a>(integers: Value<'c, 'a>) -> bool {
    let is_loaded = definition(integers).is_some_and(|op| op_name(op) == "vector.load");
    is_loaded && uses(integers).len() == 1
}

/// Signed integers as numbers of `f64`.
fn to_f64<'c, 'a>(
    builder: &Builder<'c, 'a>,
    integers: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let halves = halves(builder, integers, r#type)?;
    builder.arithmetic("arith.addf", &halves)
}

/// What an integer's halves add up to it as, each exact: the upper one less 2⁵², and the lower one
/// plus 2⁵². Of a number, or of all in a vector.
fn halves<'c, 'a>(
    builder: &Builder<'c, 'a>,
    integers: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<[Value<'c, 'a>; 2], Error> {
    let constant = |value: i64| integer(builder, value, integers.r#type());
    let as_floats = |bits| builder.value("arith.bitcast", &[bits], r#type, &[]);
    let lower = builder.arithmetic("arith.andi", &[integers, constant(LOWER_HALF)?])?;
    let lower = builder.arithmetic("arith.ori", &[lower, constant(LOWER_BITS)?])?;
    let upper = builder.arithmetic("arith.shrui", &[integers, constant(32)?])?;
    let upper = builder.arithmetic("arith.xori", &[upper, constant(UPPER_BITS)?])?;
    let excess = float(builder, EXCESS, r#type)?;
    let upper = builder.arithmetic("arith.subf", &[as_floats(upper)?, excess])?;
    Ok([upper, as_floats(lower)?])
}

/// Integers as numbers of `f32`.
fn to_f32<'c, 'a>(
    builder: &Builder<'c, 'a>,
    integers: Value<'c, 'a>,
    result: Type<'c>,
    signed: bool,
) -> Result<Value<'c, 'a>, Error> {
    let lanes = vector_lanes(result).ok_or(Error::OperationBuild)?;
    let doubles = builder.vector_type(lanes, builder.f64_type());
    let rounded = round_to_odd(builder, integers, signed, lanes)?;
    let doubles = match signed {
        true => to_f64(builder, rounded, doubles)?,
        false => builder.value("arith.uitofp", &[rounded], doubles, &[])?,
    };
    builder.value("arith.truncf", &[doubles], result, &[])
}

/// Integers that `f64` has exactly, which `f32` rounds to the same numbers.
fn round_to_odd<'c, 'a>(
    builder: &Builder<'c, 'a>,
    integers: Value<'c, 'a>,
    signed: bool,
    lanes: u64,
) -> Result<Value<'c, 'a>, Error> {
    let constant = |value: i64| integer(builder, value, integers.r#type());
    let rest = builder.arithmetic("arith.andi", &[integers, constant(REST)?])?;
    let carried = builder.arithmetic("arith.addi", &[rest, constant(REST)?])?;
    let odd = builder.arithmetic("arith.ori", &[integers, carried])?;
    let odd = builder.arithmetic("arith.andi", &[odd, constant(!REST)?])?;
    // From -2⁵³ to 2⁵³ - 1, or from 0: what is above is 0.
    let (from_zero, bits) = match signed {
        true => {
            let least = constant(1 << FRACTION)?;
            let from_zero = builder.arithmetic("arith.addi", &[integers, least])?;
            (from_zero, FRACTION + 1)
        }
        false => (integers, FRACTION),
    };
    let above = builder.arithmetic("arith.shrui", &[from_zero, constant(bits)?])?;
    let is_exact = builder.value(
        "arith.cmpi",
        &[above, constant(0)?],
        builder.vector_type(lanes, builder.integer_type(1)),
        &[("predicate", builder.number(Predicate::Eq as i64))],
    )?;
    builder.select(is_exact, integers, odd)
}

/// Integers that are one number plus constants, and whose sums do not wrap around.
struct Steps<'c, 'a> {
    first: Value<'c, 'a>,
    steps: Vec<f64>,
}

impl<'c: 'a, 'a> Steps<'c, 'a> {
    fn of(builder: &Builder<'c, 'a>, integers: Value<'c, 'a>) -> Option<Self> {
        let op = definition(integers)?;
        let left = op.operand_at(0)?;
        match op_name(op) {
            "arith.index_cast" => {
                let index = vector_element(left.r#type())?.is_index();
                index.then(|| Self::of(builder, left))?
            }
            "arith.addi" if does_not_wrap(builder, op) => Some(Self {
                first: of_all_lanes(left)?,
                steps: steps(op.operand_at(1)?)?,
            }),
            _ => None,
        }
    }

    fn to_f64(&self, builder: &Builder<'c, 'a>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let lanes = self.steps.len() as u64;
        let first = match self.first.r#type().is_index() {
            true => {
                let integer = builder.integer_type(64);
                builder.value("arith.index_cast", &[self.first], integer, &[])?
            }
            false => self.first,
        };
        let [upper, lower] = halves(builder, first, builder.f64_type())?;
        let steps = DenseElementsAttribute::f64_values(r#type, &self.steps);
        let steps = constant(builder, steps, r#type)?;
        let lower = builder.broadcast(lower, lanes)?;
        let lower = builder.arithmetic("arith.addf", &[lower, steps])?;
        let upper = builder.broadcast(upper, lanes)?;
        builder.arithmetic("arith.addf", &[upper, lower])
    }
}

/// Whether a sum of signed numbers is said not to wrap around.
fn does_not_wrap(builder: &Builder, sum: OperationRef) -> bool {
    let flags = ["nsw", "nsw, nuw"].map(|flags| format!("#arith.overflow<{flags}>"));
    let known = flags.map(|flags| builder.attribute(&flags).ok());
    let flags = sum.attribute("overflowFlags").ok();
    flags.is_some() && known.contains(&flags)
}

/// The number that is in all lanes of a vector.
fn of_all_lanes<'c: 'a, 'a>(vector: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let op = definition(vector).filter(|&op| op_name(op) == "vector.broadcast")?;
    let number = op.operand_at(0)?;
    (!number.r#type().is_vector()).then_some(number)
}

/// The lanes of a constant, if they are small.
fn steps(vector: Value) -> Option<Vec<f64>> {
    let op = definition(vector).filter(|&op| op_name(op) == "arith.constant")?;
    let steps = DenseElementsAttribute::try_from(op.attribute("value").ok()?).ok()?;
    let step = |lane: u64| {
        let step = steps.i64_element(lane as usize).ok()?;
        (0..STEPS_END).contains(&step).then_some(step as f64)
    };
    (0..vector_lanes(vector.r#type())?).map(step).collect()
}

/// An integer constant, or a vector with it in all lanes.
fn integer<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: i64,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    match r#type.is_vector() {
        true => constant(
            builder,
            DenseElementsAttribute::i64_splat(r#type, value),
            r#type,
        ),
        false => builder.integer(value, r#type),
    }
}

/// A constant of `f64`, or a vector with it in all lanes.
fn float<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: f64,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    match r#type.is_vector() {
        true => constant(
            builder,
            DenseElementsAttribute::f64_splat(r#type, value),
            r#type,
        ),
        false => builder.float(value, r#type),
    }
}

fn constant<'c, 'a>(
    builder: &Builder<'c, 'a>,
    lanes: DenseElementsAttribute<'c>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    builder.value("arith.constant", &[], r#type, &[("value", lanes.into())])
}
