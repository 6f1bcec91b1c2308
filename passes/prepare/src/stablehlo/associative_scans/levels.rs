//! The levels of an unrolled scan, read backwards from its results.
//!
//! The arrays of the first level are those that are scanned. A level's arrays of `n` elements are
//! combined in pairs, which gives the arrays of the next one; its scans are what is scanned there,
//! and in between them what the next level's scans are combined to with every other element:
//!
//! ```text
//! odd = scan(f(x[0::2], x[1::2]))
//! scan(x) = interleave(x[:1] ++ f(odd, x[2::2]), odd)      or x, if it has one element
//! ```
//!
//! The function is what the second level's arrays are made of; everywhere else it is compared. An
//! array that is found in two ways has to be the same in both.

use std::collections::{HashMap, HashSet};

use melior::ir::{Value, ValueLike, operation::OperationLike, r#type::RankedTensorType};
use soac_dialect::{description::static_sizes, view::definition};

use super::{
    super::{
        element,
        scalar::{self, Scalar},
    },
    parts::{Interleaved, Number, Part, first_and_rest, number},
};
use comb_kit::checks::facts::key;

/// Fewer elements are better off unrolled.
const FEWEST: u64 = 4;

/// So many steps may be in a function; more are no scan worth to be found.
const MOST_STEPS: usize = 500;

/// A value of the function that combines.
#[derive(Clone)]
pub(super) enum Node<'c, 'a> {
    /// Of one of the arrays, the element to the left.
    Left(usize),
    /// Of one of the arrays, the element to the right.
    Right(usize),
    Number(Number<'c, 'a>),
    Step(Scalar<'c>, Vec<usize>),
}

/// An unrolled scan, as far as it is known.
#[derive(Clone)]
pub(super) struct Levels<'c, 'a> {
    pub(super) axis: usize,
    /// The sizes of the arrays that are scanned.
    sizes: Vec<u64>,
    pub(super) nodes: Vec<Node<'c, 'a>>,
    /// The function, for each array.
    results: Vec<Option<usize>>,
    levels: Vec<Level<'c, 'a>>,
    /// The nodes of values of the second level.
    known: HashMap<usize, usize>,
    /// Values that were compared with a node.
    compared: HashSet<(Place, usize, usize)>,
}

/// The values of a level that were found, of each array.
#[derive(Clone, Default)]
struct Level<'c, 'a> {
    arrays: Vec<Option<Value<'c, 'a>>>,
    scans: Vec<Option<Value<'c, 'a>>>,
}

/// Where the function is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// To pairs of elements of a level.
    Pairs(usize),
    /// To the next level's scans and every other element of a level.
    Scans(usize),
}

impl<'c: 'a, 'a> Levels<'c, 'a> {
    /// The scan that a value is a result of.
    pub(super) fn of(value: Value<'c, 'a>, axis: usize) -> Option<Self> {
        let sizes = element::result(definition(value)?, 0).ok()?.sizes;
        (*sizes.get(axis)? >= FEWEST).then_some(())?;
        let mut levels = Self {
            axis,
            sizes,
            nodes: vec![],
            results: vec![],
            levels: vec![],
            known: HashMap::new(),
            compared: HashSet::new(),
        };
        levels.scan(0, 0, value)?;
        levels.results.iter().all(Option::is_some).then_some(levels)
    }

    /// The arrays that are scanned.
    pub(super) fn arrays(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        self.levels[0].arrays.iter().copied().flatten()
    }

    /// The numbers in the function.
    pub(super) fn numbers(&self) -> impl Iterator<Item = Number<'c, 'a>> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Number(number) => Some(*number),
            _ => None,
        })
    }

    /// The values that have to be computed before the scan.
    pub(super) fn needed(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        let numbers = self.numbers().filter_map(|number| match number {
            Number::Constant(_) => None,
            Number::Broadcast(value) => Some(value),
        });
        self.arrays().chain(numbers)
    }

    /// Which of the arrays another value is the scan of.
    pub(super) fn also(&mut self, value: Value<'c, 'a>) -> Option<usize> {
        let even = Interleaved::of(value, self.axis)?.even;
        let [first, _] = first_and_rest(even, self.axis)?;
        let index = self.arrays().position(|array| array == first)?;
        let mut levels = self.clone();
        levels.scan(0, index, value)?;
        *self = levels;
        Some(index)
    }

    /// What the function computes of each array, as numbers of nodes.
    pub(super) fn results(&self) -> impl Iterator<Item = usize> {
        self.results.iter().copied().flatten()
    }

    /// The scans of all levels that were found.
    pub(super) fn scans(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        let scans = self.levels.iter().flat_map(|level| level.scans.iter());
        scans.copied().flatten()
    }

    fn length(&self, level: usize) -> u64 {
        self.sizes[self.axis] >> level
    }

    fn level(&mut self, level: usize) -> &mut Level<'c, 'a> {
        let count = self.levels.len().max(level + 1);
        self.levels.resize_with(count, Level::default);
        &mut self.levels[level]
    }

    /// Finds the scan of an array of a level.
    fn scan(&mut self, level: usize, index: usize, value: Value<'c, 'a>) -> Option<()> {
        if !set(&mut self.level(level).scans, index, value)? {
            return Some(());
        }
        let axis = self.axis;
        let length = self.length(level);
        if length == 1 {
            return self.array(level, index, value);
        }
        let Interleaved { even, odd } = Interleaved::of(value, axis)?;
        let [first, rest] = first_and_rest(even, axis)?;
        self.array(level, index, first)?;
        let next = match length / 2 {
            1 => odd,
            _ => first_and_rest(Interleaved::of(odd, axis)?.even, axis)?[0],
        };
        self.array(level + 1, index, next)?;
        let node = self.results[index]?;
        self.compare(Place::Scans(level), node, rest)?;
        self.scan(level + 1, index, odd)
    }

    /// Finds an array of a level.
    fn array(&mut self, level: usize, index: usize, value: Value<'c, 'a>) -> Option<()> {
        if !set(&mut self.level(level).arrays, index, value)? {
            return Some(());
        }
        let count = self.results.len().max(index + 1);
        self.results.resize(count, None);
        match (level, self.results[index]) {
            (0, _) => has_sizes(value, &self.sizes).then_some(()),
            (_, Some(node)) => self.compare(Place::Pairs(level - 1), node, value),
            (1, None) => {
                self.results[index] = Some(self.read(value)?);
                Some(())
            }
            (_, None) => None,
        }
    }

    /// Reads the function from a value of the second level.
    fn read(&mut self, value: Value<'c, 'a>) -> Option<usize> {
        if let Some(&node) = self.known.get(&key(value)) {
            return Some(node);
        }
        (self.nodes.len() < MOST_STEPS).then_some(())?;
        let half = self.length(1);
        let node = if let Some(part) = Part::of(value, self.axis) {
            match part.whole_if(0, 2, half) {
                Some(whole) => Node::Left(self.index(whole)?),
                None => Node::Right(self.index(part.whole_if(1, 2, half)?)?),
            }
        } else if let Some(number) = number(value) {
            Node::Number(number)
        } else {
            let (scalar, operands) = step(value)?;
            let operands: Option<_> = operands.into_iter().map(|value| self.read(value)).collect();
            Node::Step(scalar, operands?)
        };
        self.nodes.push(node);
        let number = self.nodes.len() - 1;
        self.known.insert(key(value), number);
        Some(number)
    }

    /// Which of the arrays that are scanned a value is, perhaps a new one.
    fn index(&mut self, value: Value<'c, 'a>) -> Option<usize> {
        let arrays = &self.level(0).arrays;
        let known = arrays.iter().position(|&array| array == Some(value));
        let index = known.unwrap_or(arrays.len());
        self.array(0, index, value)?;
        Some(index)
    }

    /// Compares a value with a node of the function, and finds what it is applied to.
    fn compare(&mut self, place: Place, node: usize, value: Value<'c, 'a>) -> Option<()> {
        if !self.compared.insert((place, node, key(value))) {
            return Some(());
        }
        match (self.nodes[node].clone(), place) {
            (Node::Number(wanted), _) => (number(value)? == wanted).then_some(()),
            (Node::Step(wanted, wanted_operands), _) => {
                let (scalar, operands) = step(value)?;
                let is_same = scalar == wanted && operands.len() == wanted_operands.len();
                is_same.then_some(())?;
                let mut pairs = wanted_operands.into_iter().zip(operands);
                pairs.try_for_each(|(node, value)| self.compare(place, node, value))
            }
            (Node::Left(index), Place::Scans(level)) => {
                let length = self.length(level);
                let scan = match length % 2 {
                    1 => value,
                    _ => Part::of(value, self.axis)?.whole_if(0, 1, length / 2 - 1)?,
                };
                self.scan(level + 1, index, scan)
            }
            (Node::Right(index), Place::Scans(level)) => {
                let count = (self.length(level) - 1) / 2;
                let whole = Part::of(value, self.axis)?.whole_if(2, 2, count)?;
                self.array(level, index, whole)
            }
            (Node::Left(index), Place::Pairs(level)) => {
                let whole = Part::of(value, self.axis)?.whole_if(0, 2, self.length(level + 1))?;
                self.array(level, index, whole)
            }
            (Node::Right(index), Place::Pairs(level)) => {
                let whole = Part::of(value, self.axis)?.whole_if(1, 2, self.length(level + 1))?;
                self.array(level, index, whole)
            }
        }
    }
}

/// Sets a value, and says whether it is new; none if there is another one.
fn set<'c, 'a>(
    values: &mut Vec<Option<Value<'c, 'a>>>,
    index: usize,
    value: Value<'c, 'a>,
) -> Option<bool> {
    let count = values.len().max(index + 1);
    values.resize(count, None);
    match values[index] {
        Some(known) => (known == value).then_some(false),
        None => {
            values[index] = Some(value);
            Some(true)
        }
    }
}

/// Whether an array has these sizes, all of them known.
fn has_sizes(value: Value, sizes: &[u64]) -> bool {
    let array = RankedTensorType::try_from(value.r#type());
    array.is_ok_and(|array| {
        let own = static_sizes(&array).into_iter();
        own.eq(sizes.iter().map(|&size| Some(size as i64)))
    })
}

/// An elementwise op, and its operands, of which some may have no dimensions.
fn step<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Scalar<'c>, Vec<Value<'c, 'a>>)> {
    let op = definition(value)?;
    let sizes = element::result(op, 0).ok()?.sizes;
    let scalar = scalar::decide(op).ok()?;
    let is_elementwise = (0..op.operand_count()).all(|index| {
        let operand = element::operand(op, index);
        operand.is_ok_and(|array| array.sizes == sizes || array.rank() == 0)
    });
    is_elementwise.then(|| (scalar, op.operands().collect()))
}
