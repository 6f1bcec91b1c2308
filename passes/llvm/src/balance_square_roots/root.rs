//! A square root by multiplications, rounded correctly.
//!
//! With `b` the number, and each sum of a product rounded once:
//!
//! 1. `y` is the CPU's estimate of `1/√b`, off by at most 2⁻¹⁴ parts.
//! 2. `g = b·y` is about `√b`, and `h = y/2` about `1/2√b`. With `e = ½ - g·h`, they become `g + g·e` and
//!    `h + h·e`, off by less than 2⁻²⁷ parts: an iteration of Newton's, as Goldschmidt arranged it.
//! 3. With the rest `r = b - g·g`, `g` becomes `g + r·h`. For `f32` that is the root.
//! 4. For `f64` the same once more, with `h` corrected: with `e = 1⁻ - g·2h`, where `1⁻` is the number
//!    below 1, the root is `g + (r + r·e)·h`.
//!
//! **Why the root of `f64` is rounded correctly.** Let `u` be 2⁻⁵², and `b` in [1, 4); others are such a
//! number times a power of four. Before it is rounded, `g` of step 3 is too small by at most
//! `3.4·2⁻⁵⁶` parts, so then it is off by less than `u`, and only the midpoints `g ± u/2` matter.
//!
//! *How far roots are from midpoints.* `b`, `g` and `u` are multiples of `u`, so `√b < g + u/2` if and only if
//! `r ≤ g·u`. Let `r = g·u - k·u²`. Since `b` is a multiple of `u`, `G² + G - k` is one of 2⁵², with the integer
//! `G = g/u`. So `k` is even.
//!
//! *What is added* near the midpoint is `u/2·(1 - k·u/g)·(1 + ε)`. Here `ε` is at most `u/2g` of the rounding of
//! `r + r·e`, `u/2` of `1⁻`, and `2.3·2⁻⁵⁶` of `h`. Together that is less than `2u/g`, so for `k ≠ 0` the sum is on
//! the same side of the midpoint as the root. The other midpoint is alike.
//!
//! *If `k` is 0*, a power of two divides `G·(G + 1)`, and `b` is `1 + u` or `4 - 2u`. With 1 in place of
//! `1⁻`, the sum would be the midpoint itself for the latter, and be rounded up. With `1⁻` it is less.
//!
//! The tests try these two, and some hundred thousand numbers of small `k`; of `f32`, all numbers. Markstein's
//! (Computation of elementary functions on the IBM RISC System/6000 processor, 1990) are the first
//! proofs of that kind.
//!
//! **What else there is.** Zero is its own root. For numbers that are negative, not finite, or so small or
//! large that a rest may have lost bits, the CPU computes the root of the whole vector. That is a branch
//! that is taken rarely.

use comb_kit::vectors;
use comb_machine::tuning::{VECTOR_BITS, balance_square_roots::REPLACED};
use melior::{
    Error,
    ir::{OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Predicate},
    cast::Parts,
    view::{op_name, vector_element, vector_lanes},
};

/// Floating-point numbers of one type, a register of them.
#[derive(Debug, PartialEq)]
pub(super) struct Format {
    /// The bits of a number.
    bits: u64,
    /// Estimates reciprocals of square roots.
    estimate: &'static str,
    /// The bits of the least number whose root is computed here.
    least: i64,
    /// How many follow it.
    range: i64,
    /// Whether the root is corrected twice.
    twice: bool,
    /// How many multiplications a root takes as long as.
    pub replaced: f64,
}

/// From 2⁻⁶⁰ to below 2⁶⁸.
const SINGLE: Format = Format {
    bits: 32,
    estimate: "llvm.x86.avx512.rsqrt14.ps.512",
    least: (127 - 60) << 23,
    range: 1 << 30,
    twice: false,
    replaced: REPLACED[0],
};

/// From 2⁻⁴⁸⁰ to below 2⁵⁴⁴.
const DOUBLE: Format = Format {
    bits: 64,
    estimate: "llvm.x86.avx512.rsqrt14.pd.512",
    least: (1023 - 480) << 52,
    range: 1 << 62,
    twice: true,
    replaced: REPLACED[1],
};

/// The number below 1.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// A square root that can be computed.
pub(super) struct Root<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub format: &'static Format,
}

impl<'c: 'a, 'a> Root<'c, 'a> {
    /// Nothing if an op is no such root, of a register.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        if op_name(op) != "math.sqrt" {
            return None;
        }
        let r#type = op.result_at(0)?.r#type();
        let format = match vector_element(r#type)? {
            element if element.is_f32() => &SINGLE,
            element if element.is_f64() => &DOUBLE,
            _ => return None,
        };
        let fits = vector_lanes(r#type)? * format.bits == VECTOR_BITS;
        fits.then_some(Self { op, format })
    }

    /// Computes it by multiplications.
    ///
    /// # Errors
    ///
    /// If MLIR rejects an op.
    pub fn replace(&self) -> Result<(), Error> {
        let builder = Builder::before(self.op).ok_or(Error::OperationBuild)?;
        let number = self.op.operand(0)?;
        let lanes = Lanes {
            builder: &builder,
            r#type: number.r#type(),
            format: self.format,
        };
        let bits = lanes.bits(number)?;
        let is_other = lanes.compare(Predicate::Ne, bits, 0)?;
        let root = lanes.root(number)?;
        let root = builder.select(is_other, root, lanes.splat(0.0)?)?;
        let is_rare = lanes.any_outside(bits, is_other)?;
        let result = builder.if_else::<Error>(
            is_rare,
            &[number.r#type()],
            |builder| {
                let same = builder.op_like(self.op, &[number], &[number.r#type()], vec![])?;
                Ok(vec![same.result(0)?.into()])
            },
            |_| Ok(vec![root]),
        )?;
        builder.replace(self.op, &result);
        Ok(())
    }
}

/// Arithmetic on the lanes of a register.
struct Lanes<'b, 'c, 'a> {
    builder: &'b Builder<'c, 'a>,
    r#type: Type<'c>,
    format: &'static Format,
}

impl<'c: 'a, 'a> Lanes<'_, 'c, 'a> {
    /// The root of numbers in range.
    fn root(&self, number: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let half = self.splat(0.5)?;
        let estimate = self.estimate(number)?;
        let root = self.product(number, estimate)?;
        let slope = self.product(estimate, half)?;
        let error = self.rest(half, root, slope)?;
        let root = self.sum(root, root, error)?;
        let slope = self.sum(slope, slope, error)?;
        let rest = self.rest(number, root, root)?;
        let root = self.sum(root, rest, slope)?;
        if !self.format.twice {
            return Ok(root);
        }
        let rest = self.rest(number, root, root)?;
        let double = self.builder.arithmetic("arith.addf", &[slope, slope])?;
        let error = self.rest(self.splat(BELOW_ONE)?, root, double)?;
        let rest = self.sum(rest, rest, error)?;
        self.sum(root, rest, slope)
    }

    /// About the reciprocal of the root.
    fn estimate(&self, number: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let zero = self.splat(0.0)?;
        let all = self.builder.integer_type(self.lanes() as u32);
        let all = self.builder.integer(-1, all)?;
        let operands = [number, zero, all];
        vectors::call(self.builder, self.format.estimate, &operands, self.r#type)
    }

    /// Whether one of the lanes in a mask is out of range, which is rare.
    fn any_outside(
        &self,
        bits: Value<'c, 'a>,
        mask: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let builder = self.builder;
        let least = self.integers(self.format.least)?;
        let above = builder.arithmetic("arith.subi", &[bits, least])?;
        let is_outside = self.compare(Predicate::Uge, above, self.format.range)?;
        let is_outside = builder.arithmetic("arith.andi", &[is_outside, mask])?;
        let any = builder.any_lane(is_outside)?;
        let no = builder.integer(0, any.r#type())?;
        builder.value("llvm.intr.expect", &[any, no], any.r#type(), &[])
    }

    /// The bits of numbers.
    fn bits(&self, number: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let integer = self.builder.integer_type(self.format.bits as u32);
        let integers = self.builder.vector_type(self.lanes(), integer);
        self.builder
            .value("arith.bitcast", &[number], integers, &[])
    }

    /// An integer in all lanes.
    fn integers(&self, value: i64) -> Result<Value<'c, 'a>, Error> {
        let integer = self.builder.integer_type(self.format.bits as u32);
        let value = self.builder.integer(value, integer)?;
        self.builder.broadcast(value, self.lanes())
    }

    /// Compares integers with one.
    fn compare(
        &self,
        predicate: Predicate,
        integers: Value<'c, 'a>,
        other: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let builder = self.builder;
        let truth = builder.vector_type(self.lanes(), builder.integer_type(1));
        let operands = [integers, self.integers(other)?];
        let predicate = builder.number(predicate as i64);
        builder.value("arith.cmpi", &operands, truth, &[("predicate", predicate)])
    }

    fn lanes(&self) -> u64 {
        VECTOR_BITS / self.format.bits
    }

    /// A number in all lanes.
    fn splat(&self, value: f64) -> Result<Value<'c, 'a>, Error> {
        let element = vector_element(self.r#type).ok_or(Error::OperationBuild)?;
        self.builder
            .broadcast(self.builder.float(value, element)?, self.lanes())
    }

    fn product(&self, left: Value<'c, 'a>, right: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        self.builder.arithmetic("arith.mulf", &[left, right])
    }

    /// `whole + left·right`, rounded once.
    fn sum(
        &self,
        whole: Value<'c, 'a>,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        self.builder.arithmetic("math.fma", &[left, right, whole])
    }

    /// `whole - left·right`, rounded once.
    fn rest(
        &self,
        whole: Value<'c, 'a>,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let left = self.builder.arithmetic("arith.negf", &[left])?;
        self.sum(whole, left, right)
    }
}
