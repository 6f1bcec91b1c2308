//! Emitting checks in front of one op.
//!
//! Extents become values once per op. Products of sizes, offsets and strides
//! are computed with 128 bits, and clamped, so that no size is large enough to
//! wrap around and pass.

use std::collections::HashMap;

use melior::{
    Error,
    ir::{Location, OperationRef, Value, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Predicate},
    extent::{Extent, Term},
    requirement::{Condition, Requirement},
};

use super::{
    emit::Emit,
    facts::{Facts, Root},
};
use crate::{element_types::MOST_ELEMENTS, pass_error::PassError};

/// How many checks were inserted, and how many were not needed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Checks inserted.
    pub inserted: i64,
    /// Requirements that are known to hold.
    pub proven: i64,
    /// Requirements that are not known to hold, and were trusted to.
    pub trusted: i64,
}

/// The place in front of an op, for its checks.
pub struct Site<'c, 'a, 'f> {
    /// Builds IR at the place.
    pub builder: Builder<'c, 'a>,
    /// The op that is checked, for messages.
    pub name: String,
    /// Where the op comes from.
    pub location: Location<'c>,
    /// What is known.
    pub facts: &'f mut Facts<'c, 'a>,
    /// What was done so far.
    pub counts: &'f mut Counts,
    values: HashMap<Extent, Value<'c, 'a>>,
    checked: Vec<Condition>,
}

impl<'c: 'a, 'a, 'f> Site<'c, 'a, 'f> {
    /// The place in front of an op; nothing if it is in no block.
    pub fn new(
        op: OperationRef<'c, 'a>,
        name: &str,
        facts: &'f mut Facts<'c, 'a>,
        counts: &'f mut Counts,
    ) -> Option<Self> {
        Some(Self {
            builder: Builder::before(op)?,
            name: name.to_owned(),
            location: op.location(),
            facts,
            counts,
            values: HashMap::new(),
            checked: vec![],
        })
    }

    /// An error at the op that the user can mend.
    pub fn error(&self, message: &str) -> PassError<'c> {
        PassError::Unsupported {
            location: self.location,
            message: format!("'{}' op {message}", self.name),
        }
    }

    /// The value of an extent over roots.
    pub fn value(&mut self, extent: &Extent) -> Result<Value<'c, 'a>, Error> {
        if let Some(&value) = self.values.get(extent) {
            return Ok(value);
        }
        let value = self.compute(extent)?;
        self.values.insert(extent.clone(), value);
        Ok(value)
    }

    fn compute(&mut self, extent: &Extent) -> Result<Value<'c, 'a>, Error> {
        let mut sum = match extent.constant {
            0 if !extent.terms.is_empty() => None,
            constant => Some(self.builder.index(constant)?),
        };
        for &(coefficient, term) in &extent.terms {
            let root = match self.facts.root(term) {
                Root::Value(value) => value,
                Root::Size(array, axis) => self.size(array, axis, term)?,
            };
            sum = Some(self.add(sum, root, coefficient)?);
        }
        sum.ok_or(Error::OperationBuild)
    }

    fn size(
        &mut self,
        array: Value<'c, 'a>,
        axis: usize,
        term: Term,
    ) -> Result<Value<'c, 'a>, Error> {
        let alone = Extent {
            constant: 0,
            terms: vec![(1, term)],
        };
        if let Some(&value) = self.values.get(&alone) {
            return Ok(value);
        }
        let size = self.builder.size(array, axis)?;
        let value = self.builder.size_value(size)?;
        self.values.insert(alone, value);
        Ok(value)
    }

    /// `sum + coefficient * root`
    fn add(
        &self,
        sum: Option<Value<'c, 'a>>,
        root: Value<'c, 'a>,
        coefficient: i64,
    ) -> Result<Value<'c, 'a>, Error> {
        let builder = &self.builder;
        match (sum, coefficient) {
            (None, 1) => Ok(root),
            (Some(sum), 1) => builder.binary("arith.addi", sum, root),
            (Some(sum), -1) => builder.binary("arith.subi", sum, root),
            (sum, coefficient) => {
                let factor = builder.index(coefficient)?;
                let product = builder.binary("arith.muli", root, factor)?;
                match sum {
                    Some(sum) => builder.binary("arith.addi", sum, product),
                    None => Ok(product),
                }
            }
        }
    }

    /// Emits a check of a requirement over roots, unless it is known to hold or
    /// was checked for this op before.
    pub fn require(&mut self, requirement: &Requirement) -> Result<(), Error> {
        if self.facts.holds(&requirement.condition) {
            self.counts.proven += 1;
            return Ok(());
        }
        if self.is_trusted() {
            return Ok(());
        }
        if self.checked.contains(&requirement.condition) {
            return Ok(());
        }
        self.checked.push(requirement.condition.clone());
        let condition = self.condition(&requirement.condition)?;
        let values: Vec<Extent> = requirement
            .condition
            .values()
            .into_iter()
            .cloned()
            .collect();
        self.check(condition, &requirement.message, &values)
    }

    /// Emits a check of a condition that is not known to hold, with a message that shows other extents
    /// than those that are compared.
    pub fn require_showing(
        &mut self,
        condition: &Condition,
        message: &str,
        extents: &[Extent],
    ) -> Result<(), Error> {
        if self.facts.holds(condition) {
            self.counts.proven += 1;
            return Ok(());
        }
        if self.is_trusted() {
            return Ok(());
        }
        let condition = self.condition(condition)?;
        self.check(condition, message, extents)
    }

    /// Emits a check that an index lies in `0..bound`, with a message that shows
    /// both.
    pub fn require_index(
        &mut self,
        index: &Extent,
        bound: &Extent,
        message: &str,
    ) -> Result<(), Error> {
        if self.is_trusted() {
            return Ok(());
        }
        let (left, right) = (self.value(index)?, self.value(bound)?);
        let condition = self.builder.compare(Predicate::Ult, left, right)?;
        self.check(condition, message, &[index.clone(), bound.clone()])
    }

    /// Emits a check that an array is small enough for its bytes to be counted.
    /// Sizes of zero do not make up for others that are too large, so that what
    /// holds of an array holds of its parts.
    pub fn require_countable(&mut self, shape: &[Extent], message: &str) -> Result<(), Error> {
        if self.is_trusted() {
            return Ok(());
        }
        if let Some((size, most)) = only_dynamic(shape) {
            let (left, right) = (self.value(size)?, self.value(&Extent::constant(most))?);
            let condition = self.builder.compare(Predicate::Sle, left, right)?;
            return self.check(condition, message, shape);
        }
        let count = self.product(shape, 1)?;
        let most = self.builder.wide(MOST_ELEMENTS)?;
        let condition = self.builder.compare(Predicate::Sle, count, most)?;
        self.check(condition, message, shape)
    }

    /// Emits a check, unless the program is trusted. Each `{}` of the message
    /// stands for one of the extents; constants are written into the message.
    pub fn check(
        &mut self,
        condition: Value<'c, 'a>,
        message: &str,
        extents: &[Extent],
    ) -> Result<(), Error> {
        if self.is_trusted() {
            return Ok(());
        }
        let mut values = vec![];
        let mut text = format!("'{}' op ", self.name);
        let mut parts = message.split("{}");
        text.push_str(parts.next().unwrap_or_default());
        for (part, extent) in parts.zip(extents) {
            match extent.as_constant() {
                Some(constant) => text.push_str(&constant.to_string()),
                None => {
                    text.push_str("{}");
                    values.push(self.value(extent)?);
                }
            }
            text.push_str(part);
        }
        self.counts.inserted += 1;
        let operands = [&[condition], values.as_slice()].concat();
        let message = [("message", self.builder.string(&text))];
        self.builder
            .op("soac.check", &operands, &[], &message, vec![])?;
        Ok(())
    }

    /// Whether a requirement that is not known to hold is taken for granted.
    pub(super) fn is_trusted(&mut self) -> bool {
        let trusting = self.facts.trusting();
        self.counts.trusted += i64::from(trusting);
        trusting
    }

    /// Whether a condition over roots holds, as a value.
    pub(super) fn condition(&mut self, condition: &Condition) -> Result<Value<'c, 'a>, Error> {
        match condition {
            Condition::SameShape(left, right) => self.same_shape(left, right),
            Condition::NotNegative(extent) => self.not_negative(extent),
            Condition::NotZero(extent) => {
                let (value, zero) = (self.value(extent)?, self.value(&Extent::constant(0))?);
                self.builder.compare(Predicate::Ne, value, zero)
            }
            Condition::AtMost(extent, bound) => self.at_most(extent, bound),
            Condition::SameCount(left, right) => {
                let (left, right) = (self.product(left, 0)?, self.product(right, 0)?);
                self.builder.compare(Predicate::Eq, left, right)
            }
            Condition::PointsInside {
                offset,
                sizes,
                strides,
                bound,
            } => match (&sizes[..], &strides[..], &bound[..]) {
                ([size], [stride], [bound]) if stride.as_constant() == Some(1) => {
                    self.run_inside(offset, size, bound)
                }
                _ => self.points_inside(offset, sizes, strides, bound),
            },
        }
    }

    fn same_shape(&mut self, left: &[Extent], right: &[Extent]) -> Result<Value<'c, 'a>, Error> {
        let mut equal = vec![];
        for (left, right) in left.iter().zip(right).filter(|(left, right)| left != right) {
            let (left, right) = (self.value(left)?, self.value(right)?);
            equal.push(self.builder.compare(Predicate::Eq, left, right)?);
        }
        self.builder.all(&equal)
    }

    fn not_negative(&mut self, extent: &Extent) -> Result<Value<'c, 'a>, Error> {
        let (value, zero) = (self.value(extent)?, self.value(&Extent::constant(0))?);
        self.builder.compare(Predicate::Sge, value, zero)
    }

    fn at_most(&mut self, extent: &Extent, bound: &Extent) -> Result<Value<'c, 'a>, Error> {
        let not_negative = self.not_negative(extent)?;
        let (value, most) = (self.value(extent)?, self.value(bound)?);
        let not_more = self.builder.compare(Predicate::Sle, value, most)?;
        self.builder.all(&[not_negative, not_more])
    }

    /// `offset .. offset + size` lies in `0 .. bound`, where the size is known to be not
    /// negative. Nothing can wrap: `bound - offset` counts only if both are not negative.
    fn run_inside(
        &mut self,
        offset: &Extent,
        size: &Extent,
        bound: &Extent,
    ) -> Result<Value<'c, 'a>, Error> {
        let inside = self.not_negative(offset)?;
        let (offset, bound) = (self.value(offset)?, self.value(bound)?);
        let length = self.value(size)?;
        let rest = self.builder.binary("arith.subi", bound, offset)?;
        let fits = self.builder.compare(Predicate::Sle, length, rest)?;
        let inside = self.builder.all(&[inside, fits])?;
        let empty = self.is_zero(size)?;
        self.builder.binary("arith.ori", empty, inside)
    }

    /// See [`Condition::PointsInside`]. The lowest point only falls and the
    /// highest only rises as dimensions are added, so that what a dimension
    /// adds may be clamped to 64 bits: that is outside of any array, whatever
    /// follows.
    fn points_inside(
        &mut self,
        offset: &Extent,
        sizes: &[Extent],
        strides: &[Extent],
        bound: &[Extent],
    ) -> Result<Value<'c, 'a>, Error> {
        let zero = self.builder.wide(0)?;
        let (least, greatest) = (self.builder.wide(i64::MIN)?, self.builder.wide(i64::MAX)?);
        let mut empty = vec![];
        let offset = self.widened(offset)?;
        let (mut lowest, mut highest) = (offset, offset);
        for (size, stride) in sizes.iter().zip(strides) {
            empty.push(self.is_zero(size)?);
            let last = &Extent::constant(-1) + size;
            let (last, stride) = (self.widened(&last)?, self.widened(stride)?);
            let builder = &self.builder;
            let reach = builder.binary("arith.muli", last, stride)?;
            let reach = builder.binary("arith.maxsi", reach, least)?;
            let reach = builder.binary("arith.minsi", reach, greatest)?;
            let down = builder.binary("arith.minsi", reach, zero)?;
            let up = builder.binary("arith.maxsi", reach, zero)?;
            lowest = builder.binary("arith.addi", lowest, down)?;
            highest = builder.binary("arith.addi", highest, up)?;
        }
        let count = self.product(bound, 0)?;
        let builder = &self.builder;
        let above = builder.compare(Predicate::Sge, lowest, zero)?;
        let one = self.builder.wide(1)?;
        let end = self.builder.binary("arith.addi", highest, one)?;
        let below = self.builder.compare(Predicate::Sle, end, count)?;
        let mut holds = self.builder.all(&[above, below])?;
        for empty in empty {
            holds = self.builder.binary("arith.ori", empty, holds)?;
        }
        Ok(holds)
    }

    /// Whether an extent is zero, as a value.
    pub(super) fn is_zero(&mut self, extent: &Extent) -> Result<Value<'c, 'a>, Error> {
        let (value, zero) = (self.value(extent)?, self.value(&Extent::constant(0))?);
        self.builder.compare(Predicate::Eq, value, zero)
    }

    /// An extent with 128 bits.
    pub(super) fn widened(&mut self, extent: &Extent) -> Result<Value<'c, 'a>, Error> {
        if let Some(constant) = extent.as_constant() {
            return self.builder.wide(constant);
        }
        let value = self.value(extent)?;
        let wide = self.builder.integer_type(128);
        self.builder.value("arith.index_cast", &[value], wide, &[])
    }

    /// The product of sizes, none of which is negative, with 128 bits, where a
    /// size counts as `least` at least. Clamped to more than any array has after
    /// each step, so that it never wraps.
    fn product(&mut self, sizes: &[Extent], least: i64) -> Result<Value<'c, 'a>, Error> {
        let one = Extent::constant(1);
        let factors: Vec<&Extent> = sizes.iter().filter(|&size| *size != one).collect();
        let [first, rest @ ..] = &factors[..] else {
            return self.builder.wide(1);
        };
        let too_many = self.builder.wide(MOST_ELEMENTS + 1)?;
        let first = self.factor(first, least)?;
        let mut product = self.builder.binary("arith.minsi", first, too_many)?;
        for size in rest {
            let size = self.factor(size, least)?;
            product = self.builder.binary("arith.muli", product, size)?;
            product = self.builder.binary("arith.minsi", product, too_many)?;
        }
        Ok(product)
    }

    fn factor(&mut self, size: &Extent, least: i64) -> Result<Value<'c, 'a>, Error> {
        let wide = self.widened(size)?;
        if least == 0 || size.as_constant().is_some_and(|size| size >= least) {
            return Ok(wide);
        }
        let least = self.builder.wide(least)?;
        self.builder.binary("arith.maxsi", wide, least)
    }
}

/// The only size that is not constant, and how large it may be.
fn only_dynamic(shape: &[Extent]) -> Option<(&Extent, i64)> {
    let mut dynamic = shape.iter().filter(|size| size.as_constant().is_none());
    let size = dynamic.next().filter(|_| dynamic.next().is_none())?;
    let others = shape
        .iter()
        .filter_map(Extent::as_constant)
        .try_fold(1i64, |product, size| product.checked_mul(size.max(1)))?;
    Some((size, MOST_ELEMENTS / others))
}
