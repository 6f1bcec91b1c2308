//! What a kernel reads and writes, and how far apart that is from one iteration of a loop to the
//! next.
//!
//! Cost: linear in the ops that compute indices, for each access and loop that is asked about.

use std::collections::BTreeMap;

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike, r#type::MemRefType};
use soac_dialect::view::{OpView, argument_of, definition, op_name};

use super::nests::{Nest, root};
use crate::checks::facts::{constant, key};

/// How a number changes from one iteration of a loop to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slope {
    /// It stays the same.
    Same,
    /// It grows by so much.
    Step(i64),
    /// In another way.
    Varies,
}

/// How an element lies to that of the next iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Neighbours {
    /// It is the same element.
    Same,
    /// It is next to it.
    Adjacent,
    /// It is anywhere else.
    Apart,
}

/// An element that is read or written.
pub(crate) struct Access<'c, 'a> {
    pub is_write: bool,
    array: Value<'c, 'a>,
    index: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Access<'c, 'a> {
    /// What an op reads or writes.
    pub fn of(op: OperationRef<'c, 'a>) -> Vec<Self> {
        let operands: Vec<Value> = op.operands().collect();
        let access = |is_write, array, index: &[Value<'c, 'a>]| Self {
            is_write,
            array,
            index: index.to_vec(),
        };
        match op_name(op) {
            "nest.read" | "memref.load" | "tensor.extract" => {
                vec![access(false, operands[0], &operands[1..])]
            }
            "nest.write" => vec![access(true, operands[1], &operands[2..])],
            "nest.scatter" => {
                let view = OpView::of(op);
                let index = &operands[view.group(2)];
                let dests = operands[view.group(1)].iter();
                dests.map(|&dest| access(true, dest, index)).collect()
            }
            _ => vec![],
        }
    }

    /// What identifies its array.
    pub fn root(&self) -> usize {
        root(self.array)
    }

    /// Whether the array is one that only an iteration of a loop uses.
    pub fn is_local_to(&self, nest: &Nest<'c, 'a>) -> bool {
        let locals = nest.deep_ops().into_iter();
        let mut locals = locals.filter(|&op| op_name(op) == "nest.local");
        locals.any(|op| {
            let result = op.result(0);
            result.is_ok_and(|result| key(result.into()) == self.root())
        })
    }

    /// How the element lies to that of a loop's next iteration.
    pub fn neighbours(&self, nest: &Nest<'c, 'a>) -> Neighbours {
        let slopes: Vec<Slope> = self.index.iter().map(|&value| slope(nest, value)).collect();
        match slopes.split_last() {
            _ if slopes.iter().all(|&slope| slope == Slope::Same) => Neighbours::Same,
            Some((Slope::Step(1 | -1), outer))
                if outer.iter().all(|&slope| slope == Slope::Same) =>
            {
                Neighbours::Adjacent
            }
            _ => Neighbours::Apart,
        }
    }

    /// What identifies the value by which it names its array. In memory, a view has places of its
    /// own.
    fn memory(&self) -> usize {
        match MemRefType::try_from(self.array.r#type()) {
            Ok(_) => key(self.array),
            Err(_) => self.root(),
        }
    }

    /// Whether no other iteration of a loop has the same element as another access has at one: a
    /// component of both goes up with the loop, by more than they are apart.
    pub fn is_apart_from(&self, other: &Self, nest: &Nest<'c, 'a>) -> bool {
        if self.memory() != other.memory() {
            return false;
        }
        let mut components = self.index.iter().zip(&other.index);
        components.any(|(&own, &other)| {
            let linear = linear(nest, own).zip(linear(nest, other));
            linear.is_some_and(|(own, other)| own.differs_between_iterations(&other))
        })
    }

    /// Whether its index depends on what is read from memory.
    pub fn is_gather(&self, nest: &Nest<'c, 'a>) -> bool {
        !self.is_write
            && self
                .index
                .iter()
                .any(|&value| slope(nest, value) == Slope::Varies)
    }
}

/// A sum: so many times the index of a loop, a constant, and multiples of numbers that are the same
/// at all iterations, and in loops inside.
#[derive(Clone, Default, PartialEq, Eq)]
struct Linear {
    step: i64,
    constant: i64,
    rest: BTreeMap<usize, i64>,
}

impl Linear {
    fn differs_between_iterations(&self, other: &Self) -> bool {
        let distance = self.constant.abs_diff(other.constant);
        self.rest == other.rest && self.step == other.step && distance < self.step.unsigned_abs()
    }

    fn plus(mut self, other: Self, factor: i64) -> Option<Self> {
        let scaled = |number: i64| number.checked_mul(factor);
        self.step = self.step.checked_add(scaled(other.step)?)?;
        self.constant = self.constant.checked_add(scaled(other.constant)?)?;
        for (value, count) in other.rest {
            let own = self.rest.entry(value).or_insert(0);
            *own = own.checked_add(scaled(count)?)?;
        }
        self.rest.retain(|_, count| *count != 0);
        Some(self)
    }
}

/// A number as a sum, if it is one.
fn linear<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> Option<Linear> {
    if Some(value) == nest.index() {
        return Some(Linear {
            step: 1,
            ..Linear::default()
        });
    }
    if let Some(constant) = constant(value) {
        return Some(Linear {
            constant,
            ..Linear::default()
        });
    }
    let op = definition(value).filter(|_| nest.defines(value));
    if let Some(op) = op {
        let part = |position: usize| linear(nest, op.operand(position).ok()?);
        let sum = match op_name(op) {
            "arith.addi" => part(0)?.plus(part(1)?, 1),
            "arith.subi" => part(0)?.plus(part(1)?, -1),
            "arith.muli" => match [0, 1].map(|position| constant(op.operand(position).ok()?)) {
                [_, Some(factor)] => Linear::default().plus(part(0)?, factor),
                [Some(factor), _] => Linear::default().plus(part(1)?, factor),
                _ => None,
            },
            _ => None,
        };
        if sum.is_some() {
            return sum;
        }
    }
    // A number that is computed in the loop may be another one in loops inside.
    (!nest.defines(value)).then(|| Linear {
        rest: BTreeMap::from([(key(value), 1)]),
        ..Linear::default()
    })
}

/// How a number changes from one iteration of a loop to the next, if it is there at both.
pub(crate) fn slope<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> Slope {
    if Some(value) == nest.index() {
        return Slope::Step(1);
    }
    if let Some((op, argument)) = argument_of(value) {
        let is_index = op_name(op) == "nest.loop" && argument == 0;
        return match is_index || !nest.defines(value) {
            true => Slope::Same,
            false => Slope::Varies,
        };
    }
    let Some(op) = definition(value) else {
        return Slope::Same;
    };
    if !nest.defines(value) || op_name(op) == "arith.constant" {
        return Slope::Same;
    }
    let slopes: Vec<Slope> = op.operands().map(|value| slope(nest, value)).collect();
    if op.regions().next().is_some() {
        return Slope::Varies;
    }
    if slopes.iter().all(|&slope| slope == Slope::Same) {
        return match op_name(op).starts_with("nest.") && op_name(op) != "nest.read" {
            true => Slope::Varies,
            false => Slope::Same,
        };
    }
    let factor = |position: usize| constant(op.operand(position).ok()?);
    let step = match (op_name(op), slopes.as_slice()) {
        ("arith.addi", &[one, other]) => combined(one, other, i64::checked_add),
        ("arith.subi", &[one, other]) => combined(one, other, i64::checked_sub),
        ("arith.muli", &[Slope::Step(step), Slope::Same]) => {
            factor(1).and_then(|factor| step.checked_mul(factor))
        }
        ("arith.muli", &[Slope::Same, Slope::Step(step)]) => {
            factor(0).and_then(|factor| step.checked_mul(factor))
        }
        _ => None,
    };
    match step {
        Some(0) => Slope::Same,
        Some(step) => Slope::Step(step),
        None => Slope::Varies,
    }
}

fn combined(one: Slope, other: Slope, how: fn(i64, i64) -> Option<i64>) -> Option<i64> {
    let step = |slope| match slope {
        Slope::Same => Some(0),
        Slope::Step(step) => Some(step),
        Slope::Varies => None,
    };
    how(step(one)?, step(other)?)
}
