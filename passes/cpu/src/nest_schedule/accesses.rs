//! What a kernel reads and writes, and how far apart that is from one iteration of a loop to the
//! next.
//!
//! Cost: linear in the ops that compute indices, for each access and loop that is asked about.

use std::collections::{HashMap, HashSet};

use comb_kit::checks::facts::{constant, key};
use comb_nest::{
    elements::{
        accesses::{Elements, Scope},
        layouts::{Element, layout},
        numbers::{Numbers, is_of_one_iteration},
    },
    nests::{Nest, first, index_of, root},
};
use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, MemRefType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    cast::{Parts, cast},
    view::{OpView, argument_of, definition, op_name},
};

use crate::lanes::interleaved::FARTHEST;

/// How a number changes from one iteration of a loop to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slope {
    /// It stays the same.
    Same,
    /// It grows by so much.
    Step(i64),
    /// In another way.
    Varies,
}

/// How an element lies to that of the next iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbours {
    /// It is the same element.
    Same,
    /// It is next to it.
    Adjacent,
    /// It is anywhere else.
    Apart,
}

/// What an op uses in a loop.
pub struct Reach<'c, 'a> {
    op: OperationRef<'c, 'a>,
    memory: Value<'c, 'a>,
    /// At one iteration of all loops around it.
    element: Element,
    /// Over all.
    all: Elements,
}

impl<'c: 'a, 'a> Reach<'c, 'a> {
    /// Whether any two of several are [apart](Self::is_apart_from), as is found without a look at each pair.
    pub fn are_apart(all: &[&Self], scope: &mut Scope<'_, 'c, 'a>) -> bool {
        let Some((first, others)) = all.split_first() else {
            return true;
        };
        let elements: Vec<&Element> = all.iter().map(|reach| &reach.element).collect();
        others
            .iter()
            .all(|other| key(other.memory) == key(first.memory))
            && scope.all_differ_between_iterations(&elements)
    }

    /// Whether no other iteration of the loop that a scope is has the same element as another op
    /// has at one.
    pub fn is_apart_from(&self, other: &Self, scope: &mut Scope<'_, 'c, 'a>) -> bool {
        let Some(index) = index_of(scope.op) else {
            return false;
        };
        if is_of_one_iteration(index) {
            return true;
        }
        let (one, another) = ((self.op, &self.element), (other.op, &other.element));
        key(self.memory) == key(other.memory)
            && (scope.differ_between_iterations(self.memory, one, another)
                || scope.are_disjoint(self.memory, &self.all, &other.all))
    }
}

/// What identifies the arrays that only an iteration of a loop uses.
pub fn locals(nest: &Nest) -> HashSet<usize> {
    let ops = nest.deep_ops().into_iter();
    let locals = ops.filter(|&op| op_name(op) == "nest.local");
    locals
        .filter_map(|op| Some(key(op.result_at(0)?.into())))
        .collect()
}

/// An element that is read or written.
pub struct Access<'c, 'a> {
    /// The op.
    pub op: OperationRef<'c, 'a>,
    /// Whether it writes.
    pub is_write: bool,
    array: Value<'c, 'a>,
    index: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Access<'c, 'a> {
    /// What an op reads or writes.
    pub fn of(op: OperationRef<'c, 'a>) -> Vec<Self> {
        let operands: Vec<Value> = op.operands().collect();
        let access = |is_write, array, index: &[Value<'c, 'a>]| Self {
            op,
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

    /// Its index.
    pub fn index(&self) -> &[Value<'c, 'a>] {
        &self.index
    }

    /// What identifies its array.
    pub fn root(&self) -> usize {
        root(self.array)
    }

    /// Whether the array is one that only an iteration of a loop uses.
    pub fn is_local_to(&self, nest: &Nest<'c, 'a>) -> bool {
        locals(nest).contains(&self.root())
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

    /// Whether elements of a loop's iterations are so close to each other that vectors are loaded and taken
    /// apart.
    pub fn is_close(&self, nest: &Nest<'c, 'a>) -> bool {
        let mut distance: Option<i64> = None;
        let mut pitch = Some(1_i64);
        for (dimension, &component) in self.index.iter().enumerate().rev() {
            match slope(nest, component) {
                Slope::Same => {}
                Slope::Step(step) if distance.is_none() => {
                    distance = pitch.and_then(|pitch| pitch.checked_mul(step));
                    if distance.is_none() {
                        return false;
                    }
                }
                _ => return false,
            }
            let size = known_size(self.array, dimension);
            pitch = pitch
                .zip(size)
                .and_then(|(pitch, size)| pitch.checked_mul(size));
        }
        !self.is_write && distance.is_some_and(|distance| (2..=FARTHEST).contains(&distance))
    }

    /// Its array.
    pub fn array(&self) -> Value<'c, 'a> {
        self.array
    }

    /// Whether the next iteration of a loop has the element behind it, and it can be computed before the
    /// loop where all of them are.
    pub fn goes_forwards(&self, nest: &Nest<'c, 'a>) -> bool {
        let slopes: Vec<Slope> = self.index.iter().map(|&value| slope(nest, value)).collect();
        let goes_forwards = slopes.split_last().is_some_and(|(last, outer)| {
            *last == Slope::Step(1) && outer.iter().all(|&slope| slope == Slope::Same)
        });
        let mut index = self.index.iter();
        goes_forwards && index.all(|&value| is_sum_of_index(nest, value))
    }

    /// What it uses in the loop that a scope is.
    pub fn reach(&self, scope: &mut Scope<'_, 'c, 'a>) -> Reach<'c, 'a> {
        let (memory, element) = self.element(scope.numbers);
        let all = scope.elements(self.op, &element);
        Reach {
            op: self.op,
            memory,
            element,
            all,
        }
    }

    /// The array, and the element of it. In memory, views have their elements in what they are views
    /// of.
    pub fn element(&self, numbers: &mut Numbers<'c, 'a>) -> (Value<'c, 'a>, Element) {
        let index: Vec<_> = self
            .index
            .iter()
            .map(|&value| Some(numbers.of(value)))
            .collect();
        match cast::<MemRefType>(self.array.r#type()) {
            Some(_) => {
                let (memory, layout) = layout(numbers, self.array);
                (memory, layout.at(&index))
            }
            None => (first(self.array), Element::Index(index)),
        }
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

/// How large an array is in a dimension, if its type says that.
fn known_size(array: Value, dimension: usize) -> Option<i64> {
    let r#type = array.r#type();
    let size = match cast::<MemRefType>(r#type) {
        Some(memory) => memory.dim_size(dimension),
        None => cast::<RankedTensorType>(r#type)?.dim_size(dimension),
    };
    match size {
        Ok(DimSize::Static(size)) => i64::try_from(size).ok(),
        _ => None,
    }
}

/// How a number changes from one iteration of a loop to the next, if it is there at both.
pub fn slope<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> Slope {
    slope_among(nest, value, &mut HashMap::new())
}

/// The same, where some numbers are known.
fn slope_among<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    value: Value<'c, 'a>,
    known: &mut HashMap<usize, Slope>,
) -> Slope {
    if let Some(&slope) = known.get(&key(value)) {
        return slope;
    }
    let slope = computed_slope(nest, value, known);
    known.insert(key(value), slope);
    slope
}

fn computed_slope<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    value: Value<'c, 'a>,
    known: &mut HashMap<usize, Slope>,
) -> Slope {
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
    if op.regions().next().is_some() {
        return Slope::Varies;
    }
    let operands = op.operands();
    let slopes: Vec<Slope> = operands
        .map(|value| slope_among(nest, value, known))
        .collect();
    if slopes.iter().all(|&slope| slope == Slope::Same) {
        return match op_name(op).starts_with("nest.") && op_name(op) != "nest.read" {
            true => Slope::Varies,
            false => Slope::Same,
        };
    }
    let factor = |position: usize| constant(op.operand_at(position)?);
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

/// Whether a number in a loop is computed of nothing but its index and numbers from outside, by
/// additions and the like.
fn is_sum_of_index<'c: 'a, 'a>(nest: &Nest<'c, 'a>, value: Value<'c, 'a>) -> bool {
    const SUMS: &[&str] = &["arith.addi", "arith.constant", "arith.muli", "arith.subi"];
    if Some(value) == nest.index() || !nest.defines(value) {
        return true;
    }
    definition(value).is_some_and(|op| {
        let mut operands = op.operands();
        SUMS.contains(&op_name(op)) && operands.all(|operand| is_sum_of_index(nest, operand))
    })
}

fn combined(one: Slope, other: Slope, how: fn(i64, i64) -> Option<i64>) -> Option<i64> {
    let step = |slope| match slope {
        Slope::Same => Some(0),
        Slope::Step(step) => Some(step),
        Slope::Varies => None,
    };
    how(step(one)?, step(other)?)
}
