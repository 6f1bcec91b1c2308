//! All that is to be known of a cluster before its loop begins.

use std::collections::BTreeMap;

use super::collect::{Claim, Collector, described};
use super::form::Kind;
use super::loops::{Component, Finder, Loops};
use super::nest::{ComputedArray, Leaf, Member, Nest};
use super::source::{Origin, Source};
use crate::call::Call;
use crate::failure::Failure;
use crate::program::Op;

/// A cluster with orders, ready to run.
pub(super) struct Plan<'p> {
    pub(super) root: Nest<'p>,
    pub(super) leaves: Vec<Leaf<'p>>,
    /// The loops of each leaf.
    pub(super) loops: Vec<Loops>,
    pub(super) arrays: Vec<ComputedArray>,
    /// The gathers, by their labels.
    pub(super) labels: BTreeMap<i64, usize>,
    /// What the arrays are that have names in the bodies, by slot.
    pub(super) sources: BTreeMap<usize, Source>,
    /// Ops to be executed when the loop is over.
    pub(super) late: Vec<&'p Op>,
    pub(super) late_claims: Vec<Claim<'p>>,
}

impl<'p> Plan<'p> {
    /// Plans a cluster, and executes what its loop does not depend on.
    pub(super) fn new(call: &mut Call<'_, 'p>) -> Result<Plan<'p>, Failure> {
        let mut collector = Collector::new(call.machine, call.frame);
        let root = collector.nest(call.op)?;
        let loops = Finder::all(&collector.leaves, &collector.labels)?;
        let plan = Plan {
            root,
            leaves: collector.leaves,
            loops,
            arrays: collector.arrays,
            labels: collector.labels,
            sources: collector.sources,
            late: collector.late,
            late_claims: collector.late_claims,
        };
        plan.check(&plan.root)?;
        Ok(plan)
    }

    /// How often a cluster's loop runs.
    pub(super) fn length(&self, nest: &Nest) -> usize {
        let first = nest.leaves.clone().next();
        first.map_or(0, |leaf| self.loops[leaf].lengths[nest.level - 1])
    }

    /// An array, as messages call it.
    pub(super) fn described(&self, array: usize) -> String {
        described(&self.leaves, &self.arrays[array])
    }

    /// The filter that decides at which iterations of its outermost loop a leaf
    /// runs. What is in the order of a gather runs when the gather does.
    pub(super) fn clock(&self, leaf: usize) -> Option<usize> {
        match self.loops[leaf].components.first() {
            Some(Component::Label(label)) => self.clock(self.labels[label]),
            _ => self.leaves[leaf].form.clock,
        }
    }

    fn check(&self, nest: &Nest) -> Result<(), Failure> {
        self.check_lengths(nest)?;
        self.check_inputs(nest)?;
        self.check_results(nest)?;
        for member in &nest.members {
            if let Member::Nest(inner) = member {
                self.check(inner)?;
            }
        }
        Ok(())
    }

    /// That all combinators have the cluster's loop, and it is as long for each.
    fn check_lengths(&self, nest: &Nest) -> Result<(), Failure> {
        let position = nest.level - 1;
        for number in nest.leaves.clone() {
            let (leaf, lengths) = (&self.leaves[number], &self.loops[number].lengths);
            let Some(&length) = lengths.get(position) else {
                return Err(leaf.error(&format!(
                    "has fewer loops than clusters around it, {} and {}: it would compute its \
                     elements more than once",
                    lengths.len(),
                    leaf.path.len()
                )));
            };
            if length != self.length(nest) {
                return Err(leaf.error(&format!(
                    "has a loop of {length} iterations in a cluster whose loop has {}",
                    self.length(nest)
                )));
            }
        }
        Ok(())
    }

    /// That the orders of the inputs exist.
    fn check_inputs(&self, nest: &Nest) -> Result<(), Failure> {
        let orders = nest.op.integers("input_orders").iter();
        for (input, order) in orders.enumerate() {
            if *order > 1 && !self.labels.contains_key(order) {
                return Err(error(
                    nest.op,
                    &format!(
                        "reads input {input} in order {order}, but no gather in the cluster has \
                         that label"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// That results are computed in the orders that the cluster says, and none
    /// is in the order of a gather, which may leave elements out.
    fn check_results(&self, nest: &Nest) -> Result<(), Failure> {
        let orders = nest.op.integers("output_orders");
        let position = nest.level - 1;
        for (result, source) in nest.yielded.iter().enumerate() {
            let Origin::Computed(array) = source.origin else {
                continue;
            };
            let leaf = self.arrays[array].leaf;
            let mut labels = self.loops[leaf].labels();
            if let Some((_, label)) = labels.find(|(first, _)| *first >= position) {
                return Err(error(
                    nest.op,
                    &format!(
                        "yields {}, which is in the order of label {label}: that may leave \
                         elements out",
                        self.described(array)
                    ),
                ));
            }
            let stated = orders.get(result).copied().filter(|order| *order >= 0);
            let is_scatter = matches!(self.leaves[leaf].form.kind, Kind::Scatter { .. });
            let actual = self.loops[leaf].order(position).filter(|_| !is_scatter);
            if stated.is_some() && stated != actual {
                return Err(error(
                    nest.op,
                    &format!(
                        "writes result {result} in order {}, but {} is computed in {}",
                        stated.unwrap_or(-1),
                        self.described(array),
                        actual.map_or("none".to_owned(), |order| format!("order {order}"))
                    ),
                ));
            }
        }
        Ok(())
    }
}

impl Leaf<'_> {
    /// A mistake of the cluster.
    pub(super) fn error(&self, message: &str) -> Failure {
        error(self.op, message)
    }

    /// A mistake in the interpreter.
    pub(super) fn bug(&self, message: &str) -> Failure {
        Failure::Bug {
            location: self.op.location.clone(),
            message: format!("'{}' op {message}", self.op.name),
        }
    }
}

fn error(op: &Op, message: &str) -> Failure {
    Failure::Program {
        location: op.location.clone(),
        message: format!("'{}' op {message}", op.name),
    }
}
