//! The weighted subroutine partition problem as such (P-wsp, III and IV): lists of
//! array operations that read and write views of arrays.
//!
//! Phases: an [`Instance`] is read from JSON; a [`Problem`] has what follows from
//! it by Definitions 10 to 12: which operations depend on which, and which must
//! not share a block; module `partition` runs the paper's algorithms, and module
//! `ilp` an exact integer program.
//!
//! # The reading of the paper
//!
//! * Views are the same if they have the same elements in the same order. `new`
//!   and `del` are of whole arrays: a block does not load what it creates, nor
//!   store what it deletes, whether it is synchronized or not.
//! * DEL and SYNC have no input or output (Definition 10), so that they may be in
//!   a block with operations of any length, and cost nothing. SYNC waits for those
//!   that write its views.
//! * Weight edges are between operations whose fusion alone would save something
//!   (Definition 15; Figure 4 leaves out the others): of what is paid for, or of
//!   elements, as an array is often contracted only by several fusions that each
//!   contract nothing. All algorithms but `linear` fuse along weight edges only, so
//!   that a SYNC stays alone, and a DEL after it does not join what comes before
//!   it.
//! * Of equal savings, the pair with the least first operation is fused first.
//! * Non-fusible sets follow the paths of Definition 18 in the transitive reduction
//!   of the dependences, as drawn in the paper's figures.
//!
//! For the program of Figure 3, this gives the paper's costs of no fusion, 94,
//! unintrusive, 70, linear, 58, and optimal, 38; without the rule about weight edges,
//! the optimum is 34.
//!
//! # What does not agree with the paper
//!
//! * V.B fuses `COPY A, 0` with `ADD A, A, D[:-1]`. Theorem 3 does not: `COPY D, 0` is
//!   in the non-fusible set of the addition only. It fuses the addition with the copy
//!   after it, which saves as much. The authors' program of that time
//!   (Bohrium, `core/bh_dag.cpp`, January 2016) asks for a subset
//!   instead, and for a pendant dependence; it fuses as V.B says, and gives 74.
//! * Greedy fusion costs 58 in the paper, and 38 here. Figure 7 cannot give 58: it
//!   ends when no weight edge is left that may be fused. The heaviest edges, of 8,
//!   fuse each addition with the copies around it, in any order, which leaves 62; MUL,
//!   MAX, MIN and DEL E can still be fused with each other, which saves another 12 at
//!   least. Whatever ties are broken by, the end is 38 or 46, which a test tries out;
//!   with the cost function of the authors' program it is 34 or 42.
//!
//! Cost of deriving a problem: quadratic in the operations.

mod branch_and_bound;
mod cost;
mod ilp;
mod partition;
mod state;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
    str::FromStr,
};

use comb_fusion::json::{self, JsonError};
use petgraph::{
    Direction::Incoming,
    algo::is_cyclic_directed,
    graph::{DiGraph, NodeIndex},
};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use thiserror::Error;

pub use ilp::{IlpError, solve};
pub use partition::{Found, run};

/// A view with more elements is refused: overlaps are found element by element.
const MOST_ELEMENTS: i64 = 1 << 20;

/// More operations are refused: problems are quadratic in them.
const MOST_OPERATIONS: usize = 10_000;

/// Some elements of an array, at equal distances.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The name of the array.
    pub array: String,
    /// The first element.
    pub first: i64,
    /// The number of elements.
    pub count: i64,
    /// The distance between them.
    #[serde(default = "one")]
    pub stride: i64,
}

fn one() -> i64 {
    1
}

impl View {
    fn contains(&self, element: i64) -> bool {
        let distance = element - self.first;
        match self.stride {
            0 => distance == 0,
            stride => distance % stride == 0 && (0..self.count).contains(&(distance / stride)),
        }
    }

    /// Whether two views have an element in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        let (short, long) = if self.count <= other.count {
            (self, other)
        } else {
            (other, self)
        };
        self.array == other.array
            && (0..short.count).any(|place| long.contains(short.first + place * short.stride))
    }

    /// Whether two views are different but not disjoint.
    fn conflicts(&self, other: &Self) -> bool {
        self != other && self.overlaps(other)
    }
}

/// An array operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// What messages call it.
    pub name: String,
    /// The views that it reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<View>,
    /// The views that it writes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<View>,
    /// The arrays that it allocates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new: Vec<String>,
    /// The arrays that it deletes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub del: Vec<String>,
    /// The views that have to be up to date, without being read here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sync: Vec<View>,
}

impl Operation {
    fn length(&self) -> Option<i64> {
        let mut views = self.writes.iter().chain(&self.reads);
        views.next().map(|view| view.count)
    }

    fn uses(&self, array: &str) -> bool {
        let mut views = self.reads.iter().chain(&self.writes).chain(&self.sync);
        views.any(|view| view.array == array)
    }
}

/// A list of array operations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    /// What messages call it.
    #[serde(default)]
    pub name: String,
    /// The operations, in the order of the program.
    pub operations: Vec<Operation>,
}

/// Why a file is no instance: always the file's fault.
#[derive(Debug, Error)]
pub enum InstanceError {
    /// It is not JSON, or has other fields.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// There are too many operations.
    #[error("{count} operations; {MOST_OPERATIONS} are the most")]
    TooLarge {
        /// How many.
        count: usize,
    },
    /// A view is none.
    #[error(
        "operation {number} ({name}): a view of '{array}' has {count} elements, not 1 to \
         {MOST_ELEMENTS}, or is too far from element 0"
    )]
    View {
        /// The operation, from 1.
        number: usize,
        /// Its name.
        name: String,
        /// The array.
        array: String,
        /// The number of elements.
        count: i64,
    },
}

impl Instance {
    /// Whether a text says that it is an instance, right or wrong, and no graph: it
    /// has operations.
    pub fn is_meant(text: &str) -> bool {
        let fields = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(text);
        fields.is_ok_and(|fields| fields.contains_key("operations"))
    }

    /// Reads an instance.
    ///
    /// # Errors
    ///
    /// If the text is none; the message says where and why.
    pub fn from_json(text: &str) -> Result<Self, InstanceError> {
        let instance: Self = json::read(text)?;
        let count = instance.operations.len();
        if count > MOST_OPERATIONS {
            return Err(InstanceError::TooLarge { count });
        }
        for (position, operation) in instance.operations.iter().enumerate() {
            let views = operation.reads.iter().chain(&operation.writes);
            for view in views.chain(&operation.sync) {
                let far = |number: i64| number.unsigned_abs() > 1 << 40;
                let empty = !(1..=MOST_ELEMENTS).contains(&view.count);
                if empty || far(view.first) || far(view.stride) {
                    return Err(InstanceError::View {
                        number: position + 1,
                        name: operation.name.clone(),
                        array: view.array.clone(),
                        count: view.count,
                    });
                }
            }
        }
        Ok(instance)
    }
}

/// What a partition is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostModel {
    /// The elements that blocks load and store (Definition 13).
    ExtBytes,
    /// The arrays that are not contracted (Definition 19).
    MaxContract,
    /// The pairs of accesses that are not fused (Definition 20).
    MaxLocality,
    /// Blocks, contractions and locality, each before what is before it
    /// (Definition 21).
    Robinson,
}

/// Every name with its cost.
pub const COST_MODELS: &[(&str, CostModel)] = &[
    ("ext-bytes", CostModel::ExtBytes),
    ("max-contract", CostModel::MaxContract),
    ("max-locality", CostModel::MaxLocality),
    ("robinson", CostModel::Robinson),
];

/// There is no such cost: the user's fault.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "there is no cost '{0}' of partitions; there are ext-bytes, max-contract, max-locality, robinson"
)]
pub struct UnknownCostModel(pub String);

impl FromStr for CostModel {
    type Err = UnknownCostModel;

    fn from_str(text: &str) -> Result<Self, UnknownCostModel> {
        let found = COST_MODELS.iter().find(|(name, _)| *name == text);
        found
            .map(|&(_, model)| model)
            .ok_or_else(|| UnknownCostModel(text.to_owned()))
    }
}

impl fmt::Display for CostModel {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let found = COST_MODELS.iter().find(|(_, model)| model == self);
        formatter.pad(found.map_or("", |(name, _)| name))
    }
}

/// A partition: by operation, the number of its block.
pub type Partition = Vec<usize>;

/// An instance with what follows from it.
#[derive(Clone, Debug)]
pub struct Problem<'i> {
    /// The operations.
    pub operations: &'i [Operation],
    /// What is paid for.
    pub model: CostModel,
    /// By operation, the later ones that depend on it directly.
    later: Vec<Vec<usize>>,
    /// By pair of operations: whether they must not share a block.
    apart: Vec<Vec<bool>>,
    /// The pairs whose fusion saves something, the lesser number first.
    edges: Vec<(usize, usize)>,
    /// How many arrays are created.
    arrays: f64,
    /// By operation: the others that access the same views, and how many of them.
    shared: Vec<Vec<(usize, usize)>>,
}

impl<'i> Problem<'i> {
    /// Derives dependences, fuse prevention and weight edges.
    pub fn new(instance: &'i Instance, model: CostModel) -> Self {
        let operations = instance.operations.as_slice();
        let count = operations.len();
        let mut problem = Self {
            operations,
            model,
            later: vec![vec![]; count],
            apart: vec![vec![false; count]; count],
            edges: vec![],
            arrays: created(operations),
            shared: vec![vec![]; count],
        };
        problem.find_shared_views();
        let arrays = arrays_by_operation(operations);
        let lengths: Vec<Option<i64>> = operations.iter().map(Operation::length).collect();
        for (first, one) in operations.iter().enumerate() {
            for (second, other) in operations.iter().enumerate().skip(first + 1) {
                let strangers = !have_common(&arrays[first], &arrays[second]);
                if !strangers && depends(one, other) {
                    problem.later[first].push(second);
                }
                let lengths_agree = match (lengths[first], lengths[second]) {
                    (Some(one), Some(other)) => one == other,
                    _ => true,
                };
                let apart = !lengths_agree || !strangers && in_conflict(one, other);
                problem.apart[first][second] = apart;
                problem.apart[second][first] = apart;
                // Strangers save nothing together but a block.
                let may_save = !strangers || model == CostModel::Robinson;
                if !apart && may_save && problem.is_weight_edge(first, second) {
                    problem.edges.push((first, second));
                }
            }
        }
        problem
    }

    /// Whether no block holds two operations that must be apart, and blocks do
    /// not depend on each other in a cycle (Definition 5).
    pub fn is_legal(&self, partition: &[usize]) -> bool {
        let apart = |block: &Vec<usize>| {
            let mut pairs = block
                .iter()
                .flat_map(|one| block.iter().map(move |other| (one, other)));
            pairs.any(|(&one, &other)| self.apart[one][other])
        };
        !blocks(partition).iter().any(apart) && self.is_acyclic(partition)
    }

    /// The blocks, each before those that depend on it; of those that could be
    /// next, the one with the least first operation.
    pub fn running_order(&self, partition: &[usize]) -> Vec<Vec<usize>> {
        let quotient = self.quotient(partition);
        let number = |block: &Vec<usize>| NodeIndex::new(partition[block[0]]);
        let mut waiting = blocks(partition);
        waiting.sort_unstable();
        let mut done = BTreeSet::new();
        let mut order = vec![];
        while !waiting.is_empty() {
            let is_ready = |block: &Vec<usize>| {
                let mut before = quotient.neighbors_directed(number(block), Incoming);
                before.all(|before| done.contains(&before))
            };
            // A partition that is not legal has blocks that wait for each other.
            let next = waiting.iter().position(is_ready).unwrap_or(0);
            let block = waiting.remove(next);
            done.insert(number(&block));
            order.push(block);
        }
        order
    }

    fn is_acyclic(&self, partition: &[usize]) -> bool {
        !is_cyclic_directed(&self.quotient(partition))
    }

    /// What depends on what between blocks.
    fn quotient(&self, partition: &[usize]) -> DiGraph<(), ()> {
        let mut quotient = DiGraph::new();
        for _ in 0..=partition.iter().copied().max().unwrap_or(0) {
            quotient.add_node(());
        }
        for (first, later) in self.later.iter().enumerate() {
            for &second in later {
                let (from, to) = (partition[first] as u32, partition[second] as u32);
                if from != to {
                    quotient.update_edge(from.into(), to.into(), ());
                }
            }
        }
        quotient
    }
}

/// How many arrays are created.
fn created(operations: &[Operation]) -> f64 {
    let arrays: BTreeSet<&String> = operations.iter().flat_map(|each| &each.new).collect();
    arrays.len() as f64
}

/// The operations of every block that has any.
fn blocks(partition: &[usize]) -> Vec<Vec<usize>> {
    let count = partition.iter().max().map_or(0, |&most| most + 1);
    let mut blocks = vec![vec![]; count];
    for (operation, &block) in partition.iter().enumerate() {
        blocks[block].push(operation);
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// Whether the second operation has to come after the first.
fn depends(first: &Operation, second: &Operation) -> bool {
    let overlap = |ones: &[View], others: &[View]| {
        ones.iter()
            .any(|one| others.iter().any(|other| one.overlaps(other)))
    };
    overlap(&first.writes, &second.reads)
        || overlap(&first.writes, &second.writes)
        || overlap(&first.writes, &second.sync)
        || overlap(&first.reads, &second.writes)
        || overlap(&first.sync, &second.writes)
        || second
            .del
            .iter()
            .any(|array| first.uses(array) || first.new.contains(array))
        || first.new.iter().any(|array| second.uses(array))
}

/// By operation: the numbers of the arrays that it names, sorted.
fn arrays_by_operation(operations: &[Operation]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<&String, usize> = HashMap::new();
    let arrays = operations.iter().map(|operation| {
        let views = operation.reads.iter().chain(&operation.writes);
        let views = views.chain(&operation.sync).map(|view| &view.array);
        let named = views.chain(&operation.new).chain(&operation.del);
        let mut arrays: Vec<usize> = named
            .map(|name| {
                let next = numbers.len();
                *numbers.entry(name).or_insert(next)
            })
            .collect();
        arrays.sort_unstable();
        arrays.dedup();
        arrays
    });
    arrays.collect()
}

/// Whether two sorted lists have a number in common.
fn have_common(ones: &[usize], others: &[usize]) -> bool {
    let (mut one, mut other) = (0, 0);
    while let (Some(first), Some(second)) = (ones.get(one), others.get(other)) {
        match first.cmp(second) {
            std::cmp::Ordering::Less => one += 1,
            std::cmp::Ordering::Greater => other += 1,
            std::cmp::Ordering::Equal => return true,
        }
    }
    false
}

/// Whether Definition 12 keeps two operations of equal lengths apart.
fn in_conflict(first: &Operation, second: &Operation) -> bool {
    let conflict = |ones: &[View], others: &[View]| {
        ones.iter()
            .any(|one| others.iter().any(|other| one.conflicts(other)))
    };
    conflict(&first.writes, &second.reads)
        || conflict(&first.writes, &second.writes)
        || conflict(&first.reads, &second.writes)
}
