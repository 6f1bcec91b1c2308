//! How the indices at which memory is read and written change from one iteration of a
//! loop to the next.
//!
//! A *slope* is by how much an index goes up with a loop, if that is a constant: 0 if it
//! does not depend on the loop, 1 for neighbours. Slopes are found by going through the
//! functions that compute indices with slopes in place of numbers: sums of slopes for
//! sums, products with constants; anything else has a slope of 0 in the loops that none
//! of its operands depends on, and an unknown one in the others.
//!
//! Cost: linear in the size of the functions.

use std::collections::HashMap;

use melior::ir::{BlockLike, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::view::{OpView, op_name};

use super::{
    lanes::is_elementwise,
    plan::{Component, Kind, LeafId, Plan, Source},
    read::{constant, rank},
};
use crate::checks::facts::key;

/// The slope of a number in each loop around it, outermost first; nothing where it is
/// unknown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slopes(Vec<Option<i64>>);

impl Slopes {
    fn flat(depth: usize) -> Self {
        Self(vec![Some(0); depth])
    }

    fn of_loop(depth: usize, position: usize, step: i64) -> Self {
        let mut slopes = Self::flat(depth);
        slopes.0[position] = Some(step);
        slopes
    }

    fn map(&self, change: impl Fn(i64) -> Option<i64>) -> Self {
        Self(self.0.iter().map(|slope| slope.and_then(&change)).collect())
    }

    fn zip(&self, other: &Self, change: impl Fn(i64, i64) -> Option<i64>) -> Self {
        let pairs = self.0.iter().zip(&other.0);
        Self(
            pairs
                .map(|(one, other)| change((*one)?, (*other)?))
                .collect(),
        )
    }

    /// What depends on the same loops in an unknown way.
    fn mixed<'s>(depth: usize, all: impl IntoIterator<Item = &'s Self>) -> Self {
        let unknown = |slope: i64| (slope == 0).then_some(0);
        let mut slopes = Self::flat(depth);
        for other in all {
            slopes = slopes.zip(other, |one, other| unknown(one).and(unknown(other)));
        }
        slopes
    }
}

/// A read or write of memory.
#[derive(Clone)]
pub(super) struct Access<'c, 'a> {
    pub leaf: LeafId,
    pub is_write: bool,
    /// What is read or written; nothing for a copy of it.
    array: Option<Source<'c, 'a>>,
    index: Vec<Slopes>,
}

/// Where the elements are that neighbouring iterations of a loop access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Neighbours {
    /// They are the same.
    Same,
    /// They are next to each other.
    Adjacent,
    /// They are anywhere.
    Apart,
}

impl<'c, 'a> Access<'c, 'a> {
    /// A read of a copy at the indices of loops.
    pub fn at_loops(leaf: LeafId, plan: &Plan, positions: [usize; 2]) -> Self {
        let depth = depth(plan);
        Self {
            leaf,
            is_write: false,
            array: None,
            index: positions
                .map(|position| Slopes::of_loop(depth, position, 1))
                .to_vec(),
        }
    }

    /// Whether one component of the index changes with one loop but not with the other, and
    /// another the other way round: then a copy for both loops has few elements twice.
    pub fn separates(&self, one: usize, other: usize) -> bool {
        let changes = |with: usize, without: usize| {
            let mut index = self.index.iter();
            index.any(|slopes| slopes.0[with] != Some(0) && slopes.0[without] == Some(0))
        };
        changes(one, other) && changes(other, one)
    }

    /// Whether two reads go through one array in opposite directions, in the loop at a
    /// position.
    pub fn meets(&self, other: &Self, position: usize) -> bool {
        let is_one_array = self.array.is_some() && self.array == other.array;
        let mut pairs = self.index.iter().zip(&other.index);
        is_one_array
            && !self.is_write
            && !other.is_write
            && pairs.any(|(one, other)| match (one.0[position], other.0[position]) {
                (Some(one), Some(other)) => one != 0 && one.checked_neg() == Some(other),
                _ => false,
            })
    }

    /// Where the neighbours in a loop are, by its position among those around.
    pub fn neighbours(&self, position: usize) -> Neighbours {
        let Some((last, outer)) = self.index.split_last() else {
            return Neighbours::Same;
        };
        let is_same = |slopes: &Slopes| slopes.0[position] == Some(0);
        match last.0[position] {
            _ if !outer.iter().all(is_same) => Neighbours::Apart,
            Some(0) => Neighbours::Same,
            Some(1 | -1) => Neighbours::Adjacent,
            _ => Neighbours::Apart,
        }
    }
}

/// Which computed arrays are in memory.
pub(super) struct InMemory {
    /// Those that are read from there.
    pub read: Vec<bool>,
    /// Those that are written.
    pub written: Vec<bool>,
}

/// All that combinators read from memory, and write to it.
pub(super) fn accesses<'c: 'a, 'a>(
    plan: &Plan<'c, 'a>,
    in_memory: &InMemory,
) -> Vec<Access<'c, 'a>> {
    let mut reader = Reader {
        plan,
        in_memory,
        depth: depth(plan),
        positions: HashMap::new(),
        found: vec![],
    };
    for leaf in 0..plan.leaves.len() {
        reader.leaf(leaf);
    }
    reader.found
}

/// How many loops there are around anything at most.
fn depth(plan: &Plan) -> usize {
    let leaves = plan.leaves.iter();
    let depths = leaves.map(|leaf| leaf.lengths.len().max(leaf.path.len()));
    depths.max().unwrap_or(0)
}

struct Reader<'p, 'c, 'a> {
    plan: &'p Plan<'c, 'a>,
    in_memory: &'p InMemory,
    depth: usize,
    /// Where gathers read.
    positions: HashMap<LeafId, Vec<Slopes>>,
    found: Vec<Access<'c, 'a>>,
}

impl<'c: 'a, 'a> Reader<'_, 'c, 'a> {
    fn leaf(&mut self, number: LeafId) {
        let leaf = &self.plan.leaves[number];
        let index = self.index(number, leaf.components.len());
        match leaf.kind {
            Kind::Gather | Kind::Backpermute => {
                let position = self.position(number);
                self.group(number, 0, &position);
            }
            Kind::Generate => {
                self.lambda(number, &leaf.view, &index);
            }
            _ => {
                let elements = self.group(number, 0, &index);
                self.lambda(number, &leaf.view, &elements);
            }
        }
        for array in leaf.results() {
            if self.in_memory.written[array] {
                let dimensions = self.plan.arrays[array].shape.len().min(index.len());
                self.found.push(Access {
                    leaf: number,
                    is_write: true,
                    array: Some(Source::Computed(array)),
                    index: index[..dimensions].to_vec(),
                });
            }
        }
    }

    fn index(&mut self, number: LeafId, rank: usize) -> Vec<Slopes> {
        let leaf = &self.plan.leaves[number];
        let mut index = vec![];
        for (dimension, component) in leaf.components[..rank].iter().enumerate() {
            index.push(match component {
                Component::Loop {
                    position,
                    backwards,
                } => Slopes::of_loop(self.depth, *position, if *backwards { -1 } else { 1 }),
                Component::Label(label) => match self.plan.labels.get(label) {
                    Some(&gather) => self.position(gather)[dimension].clone(),
                    None => Slopes(vec![None; self.depth]),
                },
            });
        }
        index
    }

    /// Where a gather reads.
    fn position(&mut self, gather: LeafId) -> Vec<Slopes> {
        if let Some(position) = self.positions.get(&gather) {
            return position.clone();
        }
        let leaf = &self.plan.leaves[gather];
        let index = self.index(gather, rank(leaf.view.result_types[0]));
        let position = match leaf.kind {
            Kind::Backpermute => self.lambda(gather, &leaf.view, &index),
            _ => {
                let source = rank(leaf.view.operand_type(leaf.view.group(0).start));
                let components = leaf.view.group(1).len();
                let outer = index.len() + components - source;
                let mut position = self.group(gather, 1, &index[..outer]);
                position.extend_from_slice(&index[outer..]);
                position
            }
        };
        self.positions.insert(gather, position.clone());
        position
    }

    /// The slopes of what a group of operands has at an index.
    fn group(&mut self, number: LeafId, group: usize, index: &[Slopes]) -> Vec<Slopes> {
        let leaf = &self.plan.leaves[number];
        let operands = leaf.view.group(group);
        operands
            .map(|operand| {
                let source = leaf.operands[operand];
                let index = &index[..rank(leaf.view.operand_type(operand)).min(index.len())];
                if let Some(source) = source.filter(|source| self.is_in_memory(source)) {
                    self.read(number, source, index);
                }
                Slopes::mixed(self.depth, index)
            })
            .collect()
    }

    fn is_in_memory(&self, source: &Source) -> bool {
        match source {
            Source::Given(_) => true,
            &Source::Computed(array) => self.in_memory.read[array],
        }
    }

    fn read(&mut self, leaf: LeafId, array: Source<'c, 'a>, index: &[Slopes]) {
        self.found.push(Access {
            leaf,
            is_write: false,
            array: Some(array),
            index: index.to_vec(),
        });
    }

    /// The slopes of what a lambda yields.
    fn lambda(&mut self, leaf: LeafId, view: &OpView<'c, 'a>, arguments: &[Slopes]) -> Vec<Slopes> {
        let Some(block) = view.block() else {
            return vec![];
        };
        let mut local: HashMap<usize, Slopes> = HashMap::new();
        for position in 0..block.argument_count() {
            if let Ok(argument) = block.argument(position) {
                let slopes = arguments.get(position).cloned();
                let slopes = slopes.unwrap_or(Slopes(vec![None; self.depth]));
                local.insert(key(argument.into()), slopes);
            }
        }
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            let of = |value: Value| match local.get(&key(value)) {
                Some(slopes) => slopes.clone(),
                None => Slopes::flat(self.depth),
            };
            let operands: Vec<Slopes> = op.operands().map(of).collect();
            if next.is_none() {
                return operands;
            }
            let slopes = self.op(leaf, op, &operands);
            for result in op.results() {
                local.insert(key(result.into()), slopes.clone());
            }
        }
        vec![]
    }

    fn op(&mut self, leaf: LeafId, op: OperationRef<'c, 'a>, operands: &[Slopes]) -> Slopes {
        let factor = |number: usize| op.operand(number).ok().and_then(constant);
        let results: Vec<_> = op.results().map(|result| result.r#type()).collect();
        let is_index = results.iter().all(|result| result.is_index());
        match (op_name(op), operands) {
            ("arith.addi", [left, right]) if is_index => left.zip(right, i64::checked_add),
            ("arith.subi", [left, right]) if is_index => left.zip(right, i64::checked_sub),
            ("arith.muli", [left, right]) if is_index => match (factor(0), factor(1)) {
                (_, Some(factor)) => left.map(|slope| slope.checked_mul(factor)),
                (Some(factor), _) => right.map(|slope| slope.checked_mul(factor)),
                _ => Slopes::mixed(self.depth, operands),
            },
            ("tensor.extract", [_, index @ ..]) => {
                if let Ok(array) = op.operand(0) {
                    self.read(leaf, Source::Given(array), index);
                }
                Slopes::mixed(self.depth, index)
            }
            (name, _) if is_elementwise(name) || name == "tensor.dim" => {
                Slopes::mixed(self.depth, operands)
            }
            _ => Slopes(vec![None; self.depth]),
        }
    }
}
