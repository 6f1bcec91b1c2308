//! The parts of an array that loops read and write, as sets of indices: one for each
//! dimension, a [linear memory access descriptor](comb_lmad::Lmad).
//!
//! The index at which a combinator reads is found by going through the functions that
//! compute it, with polynomials over the loops' indices and values from outside in place
//! of numbers: sums, differences and products stay what they are. What has any other form
//! may be anything.
//!
//! Index arithmetic is modulo 2⁶⁴, and polynomials are not: see [`index_sets`](crate::index_sets).
//!
//! Cost: linear in the size of the functions.

mod rounds;

pub(super) use rounds::Rounds;

use std::collections::{BTreeMap, HashMap};

use comb_lmad::{Bounds, Dimension, Lmad, Polynomial, Symbol};
use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Size,
    view::{OpView, definition, op_name},
};

use super::{
    plan::{ArrayId, Component, Item, Kind, Leaf, LeafId, LoopId, Plan, Source},
    read::{constant, rank},
};
use crate::{checks::facts::key, index_sets::are_apart};

/// Values from outside are traced through so many ops, one behind the other.
const DEPTH: usize = 16;

/// An index at an iteration; nothing where a component may be anything.
pub(super) type Index = Vec<Option<Polynomial>>;

/// The indices of a part of an array, by dimension; nothing where they may be any.
pub(super) struct Region(Vec<Option<Lmad>>);

/// What a combinator reads of an array, at an iteration.
pub(super) struct Read {
    pub leaf: LeafId,
    pub index: Index,
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    /// The index of a loop.
    Loop(LoopId),
    /// A value from outside.
    Value(usize),
    /// What such a value is in an earlier [round](rounds).
    InEarlierRound(usize),
    /// An iteration of the loop that threads share; how many iterations later than the next
    /// one another one is, and how many rounds earlier than the last one.
    Iteration,
    MoreIterations,
    MoreRounds,
}

/// What is known of the indices in a plan.
pub(super) struct Regions<'p, 'c, 'a> {
    plan: &'p Plan<'c, 'a>,
    /// How long the loops are.
    lengths: BTreeMap<LoopId, Size<'c, 'a>>,
    symbols: HashMap<Name, Symbol>,
    /// Values from outside that have been traced.
    traced: HashMap<usize, Polynomial>,
    bounds: Bounds,
}

impl<'p, 'c: 'a, 'a> Regions<'p, 'c, 'a> {
    pub fn of(plan: &'p Plan<'c, 'a>) -> Self {
        let mut regions = Self {
            plan,
            lengths: BTreeMap::new(),
            symbols: HashMap::new(),
            traced: HashMap::new(),
            bounds: Bounds::default(),
        };
        regions.learn_lengths(&plan.items);
        for array in &plan.arrays {
            for &size in &array.shape {
                regions.size(size);
            }
        }
        regions
    }

    /// Sizes are symbols that are known not to be negative, whatever gives them.
    fn learn_lengths(&mut self, items: &[Item<'c, 'a>]) {
        for item in items {
            if let Item::Loop(inner) = item {
                self.size(inner.length);
                self.lengths.insert(inner.id, inner.length);
                self.learn_lengths(&inner.items);
            }
        }
    }

    fn symbol(&mut self, name: Name) -> Symbol {
        let next = Symbol(self.symbols.len());
        *self.symbols.entry(name).or_insert(next)
    }

    fn size(&mut self, size: Size<'c, 'a>) -> Polynomial {
        match size {
            Size::Static(size) => size.into(),
            Size::Dynamic(value) => {
                let symbol = self.symbol(Name::Value(key(value)));
                self.bounds.at_least(symbol, 0);
                self.traced.insert(key(value), symbol.into());
                symbol.into()
            }
        }
    }

    /// What an array would be in a larger one, where its part begins there.
    pub fn part(&mut self, array: ArrayId, offsets: &[Size<'c, 'a>]) -> Region {
        let shape = self.plan.arrays[array].shape.clone();
        let dimensions = offsets.iter().zip(shape).map(|(&offset, size)| {
            let count = self.size(size);
            Some(Lmad {
                offset: self.offset(offset)?,
                dimensions: vec![Dimension {
                    count,
                    stride: 1.into(),
                }],
            })
        });
        Region(dimensions.collect())
    }

    /// Where in the larger array an element of it is written.
    pub fn written_at(&mut self, array: ArrayId, offsets: &[Size<'c, 'a>]) -> Index {
        let index = self.index(self.plan.arrays[array].leaf, offsets.len());
        let pairs = offsets.iter().zip(index);
        let sum = pairs.map(|(&offset, index)| self.offset(offset)?.checked_add(&index?));
        sum.collect()
    }

    fn offset(&mut self, offset: Size<'c, 'a>) -> Option<Polynomial> {
        match offset {
            Size::Static(offset) => Some(offset.into()),
            Size::Dynamic(value) => Some(self.outer(value, DEPTH)),
        }
    }

    /// All that is read of a complete array, but for what functions read by themselves.
    pub fn reads(&mut self, array: Value<'c, 'a>) -> Vec<Read> {
        let is_it = |source: &Option<Source>| *source == Some(Source::Given(array));
        let mut reads = vec![];
        for (leaf, plan) in self.plan.leaves.iter().enumerate() {
            let operands = plan.operands.iter().enumerate();
            for (operand, _) in operands.filter(|(_, source)| is_it(source)) {
                let index = self.read_at(leaf, operand);
                reads.push(Read { leaf, index });
            }
        }
        reads
    }

    /// Where a combinator reads an operand, which is complete.
    pub fn read_at(&mut self, leaf: LeafId, operand: usize) -> Index {
        let Leaf { view, kind, .. } = &self.plan.leaves[leaf];
        let rank = rank(view.operand_type(operand));
        let is_source = view.group(0).contains(&operand);
        let mut index = match kind {
            Kind::Gather | Kind::Backpermute if is_source => self.position(leaf),
            Kind::Scatter => vec![],
            _ => self.index(leaf, rank),
        };
        index.resize(rank, None);
        index
    }

    /// The first components of a combinator's index; nothing for those that it lacks.
    pub fn index(&mut self, number: LeafId, rank: usize) -> Index {
        let leaf = &self.plan.leaves[number];
        let components = leaf.components.iter().take(rank).enumerate();
        let mut index: Index = components
            .map(|(dimension, component)| match *component {
                Component::Loop { .. } if dimension == 0 && leaf.clock.is_some() => None,
                Component::Loop {
                    position,
                    backwards,
                } => self.of_loop(*leaf.path.get(position)?, backwards),
                Component::Label(label) => {
                    let gather = *self.plan.labels.get(&label)?;
                    self.position(gather).get(dimension)?.clone()
                }
            })
            .collect();
        index.resize(rank, None);
        index
    }

    fn of_loop(&mut self, r#loop: LoopId, backwards: bool) -> Option<Polynomial> {
        let forwards = Polynomial::from(self.symbol(Name::Loop(r#loop)));
        if !backwards {
            return Some(forwards);
        }
        let length = *self.lengths.get(&r#loop)?;
        let last = self.size(length).checked_sub(&1.into())?;
        last.checked_sub(&forwards)
    }

    /// Where a gather reads.
    fn position(&mut self, gather: LeafId) -> Index {
        let leaf = &self.plan.leaves[gather];
        let result = rank(leaf.view.result_types[0]);
        let source = rank(leaf.view.operand_type(leaf.view.group(0).start));
        let index = self.index(gather, result);
        match leaf.kind {
            Kind::Backpermute => self.lambda(&leaf.view, &index),
            _ => {
                let components = leaf.view.group(1).len();
                let outer = (result + components).saturating_sub(source);
                let mut position = vec![None; components];
                position.extend(index.into_iter().skip(outer));
                position
            }
        }
    }

    /// What a lambda yields.
    fn lambda(&mut self, view: &OpView<'c, 'a>, arguments: &[Option<Polynomial>]) -> Index {
        let Some(block) = view.block() else {
            return vec![];
        };
        let mut local: HashMap<usize, Option<Polynomial>> = HashMap::new();
        for position in 0..block.argument_count() {
            if let Ok(argument) = block.argument(position) {
                let given = arguments.get(position).cloned().flatten();
                local.insert(key(argument.into()), given);
            }
        }
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            let values: Vec<Value> = op.operands().collect();
            let operands = values
                .into_iter()
                .map(|value| match local.get(&key(value)) {
                    Some(inner) => inner.clone(),
                    None => Some(self.outer(value, DEPTH)),
                });
            let operands: Index = operands.collect();
            if next.is_none() {
                return operands;
            }
            let computed = match constant_result(op) {
                Some(constant) => Some(constant.into()),
                None => arithmetic(op, &operands),
            };
            for result in op.results() {
                local.insert(key(result.into()), computed.clone());
            }
        }
        vec![]
    }

    /// A value from outside.
    fn outer(&mut self, value: Value<'c, 'a>, depth: usize) -> Polynomial {
        if let Some(known) = self.traced.get(&key(value)) {
            return known.clone();
        }
        let traced = constant(value).map(Polynomial::from);
        let traced = traced.or_else(|| self.through_definition(value, depth.checked_sub(1)?));
        let traced = traced.unwrap_or_else(|| self.symbol(Name::Value(key(value))).into());
        self.traced.insert(key(value), traced.clone());
        traced
    }

    fn through_definition(&mut self, value: Value<'c, 'a>, depth: usize) -> Option<Polynomial> {
        let op = definition(value).filter(|&op| ARITHMETIC.contains(&op_name(op)))?;
        let values: Vec<Value> = op.operands().collect();
        let operands = values
            .into_iter()
            .map(|value| Some(self.outer(value, depth)));
        let operands: Index = operands.collect();
        arithmetic(op, &operands)
    }

    /// An index some iterations of a loop later.
    pub fn later(&mut self, index: &Index, r#loop: LoopId, iterations: i64) -> Index {
        let symbol = self.symbol(Name::Loop(r#loop));
        let index = index.iter().map(|component| {
            let later = Polynomial::from(symbol).checked_add(&iterations.into())?;
            component.as_ref()?.checked_replace(symbol, &later)
        });
        index.collect()
    }

    /// Whether an index depends on that of a loop, as far as it is known.
    pub fn changes_with(&mut self, index: &Index, r#loop: LoopId) -> bool {
        let symbol = self.symbol(Name::Loop(r#loop));
        let mut symbols = index.iter().flatten().flat_map(Polynomial::symbols);
        symbols.any(|other| other == symbol)
    }

    /// The indices that an index has at all iterations.
    pub fn all_iterations(&mut self, index: &[Option<Polynomial>]) -> Region {
        let dimensions = index.iter().map(|index| self.over_loops(index.as_ref()?));
        Region(dimensions.collect())
    }

    /// A set with a dimension for each loop that a number is linear in.
    fn over_loops(&mut self, number: &Polynomial) -> Option<Lmad> {
        let loops: Vec<LoopId> = self.lengths.keys().copied().collect();
        let (mut offset, mut dimensions) = (number.clone(), vec![]);
        for r#loop in loops {
            let (stride, rest) = offset.split(self.symbol(Name::Loop(r#loop)))?;
            if stride.as_constant() == Some(0) {
                continue;
            }
            let count = self.size(self.lengths[&r#loop]);
            dimensions.push(Dimension { count, stride });
            offset = rest;
        }
        let is_free = |dimension: &Dimension| {
            let mut symbols = dimension.stride.symbols();
            symbols.all(|symbol| !self.is_of_loop(symbol))
        };
        let is_linear = dimensions.iter().all(is_free);
        (is_linear && offset.symbols().all(|symbol| !self.is_of_loop(symbol)))
            .then_some(Lmad { offset, dimensions })
    }

    fn is_of_loop(&self, symbol: Symbol) -> bool {
        let mut names = self.symbols.iter();
        names.any(|(name, &other)| other == symbol && matches!(name, Name::Loop(_)))
    }

    /// Whether two parts of an array are known to have no element in common.
    pub fn are_disjoint(&self, one: &Region, other: &Region) -> bool {
        let mut pairs = one.0.iter().zip(&other.0);
        pairs.any(
            |pair| matches!(pair, (Some(one), Some(other)) if are_apart(one, other, &self.bounds)),
        )
    }
}

/// The ops that polynomials go through.
const ARITHMETIC: &[&str] = &["arith.addi", "arith.subi", "arith.muli"];

/// What an op makes of its operands.
fn arithmetic(op: OperationRef, operands: &[Option<Polynomial>]) -> Option<Polynomial> {
    let [Some(left), Some(right)] = operands else {
        return None;
    };
    match op_name(op) {
        "arith.addi" => left.checked_add(right),
        "arith.subi" => left.checked_sub(right),
        "arith.muli" => left.checked_mul(right),
        _ => None,
    }
}

fn constant_result(op: OperationRef) -> Option<i64> {
    let result = op.result(0).ok()?;
    constant(result.into())
}
