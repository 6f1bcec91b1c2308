//! Formulas of scalars of one floating-point type.

use melior::{
    Error,
    ir::{Type, TypeLike, Value},
};
use soac_dialect::builder::{Builder, FloatPredicate};

/// Builds formulas of one type.
pub(super) struct Reals<'b, 'c, 'a> {
    builder: &'b Builder<'c, 'a>,
    r#type: Type<'c>,
}

impl<'b, 'c, 'a> Reals<'b, 'c, 'a> {
    pub(super) fn of(builder: &'b Builder<'c, 'a>, r#type: Type<'c>) -> Self {
        Self { builder, r#type }
    }

    pub(super) fn is_f64(&self) -> bool {
        self.r#type.is_f64()
    }

    pub(super) fn number(&self, value: f64) -> Result<Value<'c, 'a>, Error> {
        self.builder.float(value, self.r#type)
    }

    pub(super) fn add(
        &self,
        one: Value<'c, 'a>,
        other: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        self.builder.arithmetic("arith.addf", &[one, other])
    }

    pub(super) fn subtract(
        &self,
        one: Value<'c, 'a>,
        other: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        self.builder.arithmetic("arith.subf", &[one, other])
    }

    pub(super) fn multiply(
        &self,
        one: Value<'c, 'a>,
        other: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        self.builder.arithmetic("arith.mulf", &[one, other])
    }

    pub(super) fn divide(
        &self,
        one: Value<'c, 'a>,
        other: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        self.builder.arithmetic("arith.divf", &[one, other])
    }

    /// A function of one number, such as `math.log`.
    pub(super) fn apply(&self, name: &str, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        self.builder.arithmetic(name, &[x])
    }

    pub(super) fn power(
        &self,
        base: Value<'c, 'a>,
        exponent: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        self.builder.arithmetic("math.powf", &[base, exponent])
    }

    /// A comparison that is false for NaN.
    pub(super) fn compare(
        &self,
        predicate: FloatPredicate,
        one: Value<'c, 'a>,
        other: f64,
    ) -> Result<Value<'c, 'a>, Error> {
        let other = self.number(other)?;
        self.builder.compare_floats(predicate, one, other)
    }

    /// Whether a number is an integer, or infinite.
    pub(super) fn is_integer(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let floor = self.apply("math.floor", x)?;
        self.builder.compare_floats(FloatPredicate::Oeq, floor, x)
    }

    pub(super) fn both(
        &self,
        one: Value<'c, 'a>,
        other: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        self.builder.arithmetic("arith.andi", &[one, other])
    }

    pub(super) fn select(
        &self,
        condition: Value<'c, 'a>,
        then: Value<'c, 'a>,
        otherwise: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        self.builder.select(condition, then, otherwise)
    }

    /// The polynomial with these coefficients, that of the constant term first.
    pub(super) fn polynomial(
        &self,
        coefficients: &[f64],
        x: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let Some((&last, rest)) = coefficients.split_last() else {
            return self.number(0.0);
        };
        rest.iter()
            .rev()
            .try_fold(self.number(last)?, |sum, &coefficient| {
                let coefficient = self.number(coefficient)?;
                self.builder.arithmetic("math.fma", &[sum, x, coefficient])
            })
    }
}
