//! Writes a clustering into a block: moves ops and puts them into clusters.
//!
//! Phases: what depends on what, among all ops of the block; their arrangement
//! ([`arrangement`](super::arrangement)); the ops are moved into its order; then,
//! from the outermost level to the innermost, ops that share a loop are moved into
//! a `soac.cluster`, whose inputs are the arrays from outside that they read, once
//! for each order, and whose results are those that are used outside.
//!
//! Cost: linear in the number of ops and uses, for each level.

use std::collections::{BTreeSet, HashMap, HashSet};

use comb_fusion::{
    clustering::Clustering,
    graph::{BACKWARDS, FIRST_LABEL, FORWARDS, Kind, NodeId, Order},
};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, Type, Value, ValueLike,
    operation::{OperationLike, OperationResult},
};
use soac_dialect::{
    attributes::ORDERS,
    builder::Builder,
    cast::Parts,
    view::{definition, op_name, set_attribute, set_operand, uses},
};

use super::{
    arrangement::{Arrangement, Part, Position},
    captures::captured,
    combinator::is_array,
    effects::has_effects,
    labels::Labels,
    problem::{Access, Member, Problem},
};
use comb_kit::{
    checks::facts::key,
    pass_error::PassError,
    switches::Switches,
    transformations::Transformation,
    walk::{op_key, operations},
};

/// In `reads` and `writes`: not in the order of the cluster's loop.
const NOT_TRAVERSED: i64 = -1;

/// Puts what a clustering fuses into clusters. Gathers in whose order something
/// is get labels. Gives the number of clusters.
pub fn write<'c: 'a, 'a>(
    block: BlockRef<'c, 'a>,
    problem: &Problem<'c, 'a>,
    clustering: &Clustering,
    labels: &mut Labels,
    switches: &Switches,
) -> Result<usize, PassError<'c>> {
    let mut writer = Writer::new(block, problem, clustering, labels, switches);
    let parts = writer.parts().ok_or(PassError::Cyclic)?;
    writer.sort(&parts);
    for part in &parts {
        writer.write(part, 1)?;
    }
    Ok(writer.written)
}

/// Whether an op needs for itself what it gives, but nobody else does: in a cluster of its own, which
/// says what is stored, it does not store all of it.
pub fn leaves_out_results(op: OperationRef) -> bool {
    let is_candidate = matches!(
        op_name(op),
        "soac.filter" | "soac.scanl" | "soac.scanr" | "soac.fold"
    );
    let is_used = |result: OperationResult| !uses(result.into()).is_empty();
    is_candidate && op.results().any(is_used) && !op.results().all(is_used)
}

struct Writer<'c, 'a, 's> {
    problem: &'s Problem<'c, 'a>,
    clustering: &'s Clustering,
    labels: &'s mut Labels,
    switches: &'s Switches,
    /// All ops of the block but the last.
    ops: Vec<OperationRef<'c, 'a>>,
    last: Option<OperationRef<'c, 'a>>,
    /// By op: its number among the combinators.
    member_of: HashMap<usize, usize>,
    /// By gather's label: its number among the combinators.
    gather_of: HashMap<Order, usize>,
    written: usize,
}

impl<'c: 'a, 'a, 's> Writer<'c, 'a, 's> {
    fn new(
        block: BlockRef<'c, 'a>,
        problem: &'s Problem<'c, 'a>,
        clustering: &'s Clustering,
        labels: &'s mut Labels,
        switches: &'s Switches,
    ) -> Self {
        let mut ops = vec![];
        let mut next = block.first_operation();
        while let Some(op) = next {
            ops.push(op);
            next = op.next_in_block();
        }
        let members = problem.members.iter().enumerate();
        let labelled = members
            .clone()
            .filter_map(|(number, member)| Some((member.label?, number)));
        Self {
            last: ops.pop(),
            ops,
            member_of: members
                .map(|(number, member)| (op_key(member.op), number))
                .collect(),
            gather_of: labelled.collect(),
            problem,
            clustering,
            labels,
            switches,
            written: 0,
        }
    }

    fn member(&self, op: OperationRef<'c, 'a>) -> Option<&'s Member<'c, 'a>> {
        let number = self.member_of.get(&op_key(op))?;
        Some(&self.problem.members[*number])
    }

    fn parts(&self) -> Option<Vec<Part>> {
        let before = self.dependences();
        let graph = &self.problem.graph;
        let clusters: Vec<Vec<Option<usize>>> = (1..=graph.levels)
            .map(|level| {
                let members = self.ops.iter().map(|&op| self.member(op));
                members
                    .map(|member| self.clustering.cluster_of(graph, level, member?.node))
                    .collect()
            })
            .collect();
        let arrangement = Arrangement {
            before: &before,
            clusters: &clusters,
        };
        arrangement.parts()
    }

    /// By op: which of the others have to be earlier.
    fn dependences(&self) -> Vec<BTreeSet<Position>> {
        let positions = self.ops.iter().enumerate();
        let position: HashMap<usize, Position> = positions
            .map(|(position, &op)| (op_key(op), position))
            .collect();
        let defined_at = |value: Value<'c, 'a>| {
            definition(value).and_then(|op| position.get(&op_key(op)).copied())
        };
        let mut before: Vec<BTreeSet<Position>> = vec![];
        let mut barrier = None;
        for (number, &op) in self.ops.iter().enumerate() {
            let mut earlier: BTreeSet<Position> = barrier.into_iter().collect();
            earlier.extend(op.operands().filter_map(defined_at));
            earlier.extend(captured(op).into_iter().filter_map(defined_at));
            earlier.extend(self.positions_needed(op, &defined_at));
            if has_effects(op) && self.member(op).is_none() {
                barrier = Some(number);
            }
            before.push(earlier);
        }
        for (first, second) in self.scatters_last() {
            if let (Some(&first), Some(&second)) = (position.get(&first), position.get(&second)) {
                before[second].insert(first);
            }
        }
        before
    }

    /// What is computed in a gather's order needs the indices that it reads at, and,
    /// if the gather itself is in the order of another, those of that one.
    fn positions_needed(
        &self,
        op: OperationRef<'c, 'a>,
        defined_at: &dyn Fn(Value<'c, 'a>) -> Option<Position>,
    ) -> Vec<Position> {
        let Some(member) = self.member(op) else {
            return vec![];
        };
        let mut needed = vec![];
        let mut seen: HashSet<Order> = HashSet::new();
        let mut waiting = vec![member.node];
        while let Some(node) = waiting.pop() {
            for &order in &self.clustering.orders[node] {
                let gather = self.gather_of.get(&order);
                let Some(&gather) = gather.filter(|_| order >= FIRST_LABEL && seen.insert(order))
                else {
                    continue;
                };
                let gather = &self.problem.members[gather];
                waiting.push(gather.node);
                for access in &gather.accesses {
                    let index = access.operand.filter(|_| access.array_use.label.is_none());
                    let array = index.and_then(|index| gather.op.operand_at(index));
                    needed.extend(array.and_then(defined_at));
                }
            }
        }
        needed
    }

    /// The ops that have to be done before an array that they read is destroyed.
    fn scatters_last(&self) -> Vec<(usize, usize)> {
        let graph = &self.problem.graph;
        let op_of = |node: usize| self.problem.meanings[node].op().map(op_key);
        let scatters = graph.before.iter();
        scatters
            .filter(|&&(_, second)| graph.nodes[second].kind == Kind::Scatter)
            .filter_map(|&(first, second)| Some((op_of(first)?, op_of(second)?)))
            .collect()
    }

    /// Moves all ops into the order of the parts.
    fn sort(&self, parts: &[Part]) {
        let Some(end) = self.last.and_then(Builder::before) else {
            return;
        };
        for position in parts.iter().flat_map(Part::ops) {
            end.move_here(self.ops[position]);
        }
    }

    /// Puts a part's ops into a cluster, if they share a loop of a level.
    fn write(&mut self, part: &Part, level: usize) -> Result<(), PassError<'c>> {
        match part {
            Part::Op(position) => {
                let op = self.ops[*position];
                if level == 1 {
                    self.store_what_is_used(*position)?;
                }
                self.annotate(op);
            }
            Part::Loop(_) if !self.applies(Transformation::Fusion, part) => {
                for position in part.ops() {
                    match level {
                        1 => self.store_what_is_used(position)?,
                        // The loops around are shared.
                        _ => self.annotate(self.ops[position]),
                    }
                }
            }
            Part::Loop(parts) => {
                self.cluster(&part.ops(), level)?;
                for part in parts {
                    self.write(part, level + 1)?;
                }
            }
        }
        Ok(())
    }

    /// Puts an op that needs what nobody else uses into a cluster of its own.
    fn store_what_is_used(&mut self, position: Position) -> Result<(), PassError<'c>> {
        let op = self.ops[position];
        let may_be = leaves_out_results(op) && self.member(op).is_some();
        match may_be && self.applies(Transformation::UnusedResults, &Part::Op(position)) {
            true => self.cluster(&[position], 1),
            false => Ok(()),
        }
    }

    fn applies(&self, transformation: Transformation, part: &Part) -> bool {
        let first = part.ops().into_iter().next();
        first.is_none_or(|position| {
            let location = self.ops[position].location();
            self.switches.applies(transformation, location)
        })
    }

    /// Moves ops that stand next to each other into a cluster.
    fn cluster(&mut self, positions: &[Position], level: usize) -> Result<(), PassError<'c>> {
        let ops: Vec<OperationRef> = positions
            .iter()
            .map(|&position| self.ops[position])
            .collect();
        let Some(builder) = behind(&ops) else {
            return Ok(());
        };
        let inside: HashSet<usize> = ops.iter().map(|&op| op_key(op)).collect();
        let inputs = self.inputs(&ops, &inside, level);
        let results = self.results(&ops, &inside, level);
        let arrays: Vec<Value> = inputs.iter().map(|input| input.array).collect();
        let types: Vec<Type> = arrays.iter().map(|array| array.r#type()).collect();
        let region =
            builder.region::<melior::Error>(&types, "soac.yield", |inner, arguments| {
                ops.iter().for_each(|&op| inner.move_here(op));
                for (input, &argument) in inputs.iter().zip(arguments) {
                    input.give(argument);
                }
                Ok(results.iter().map(|result| result.array).collect())
            })?;
        let types: Vec<Type> = results.iter().map(|result| result.array.r#type()).collect();
        let orders = |arrays: &[Crossing]| {
            let orders: Vec<i64> = arrays.iter().map(|array| array.order).collect();
            builder.integers(&orders)
        };
        let attributes = [
            ("input_orders", orders(&inputs)),
            ("output_orders", orders(&results)),
        ];
        let cluster = builder.op("soac.cluster", &arrays, &types, &attributes, vec![region])?;
        for (number, result) in results.iter().enumerate() {
            result.give(cluster.result(number)?.into());
        }
        self.written += 1;
        Ok(())
    }

    /// The arrays from outside that ops read, once for each order.
    fn inputs(
        &mut self,
        ops: &[OperationRef<'c, 'a>],
        inside: &HashSet<usize>,
        level: usize,
    ) -> Vec<Crossing<'c, 'a>> {
        let from_outside = |value: Value<'c, 'a>| {
            is_array(value) && definition(value).is_none_or(|op| !inside.contains(&op_key(op)))
        };
        let mut inputs: Vec<Crossing> = vec![];
        for &op in ops {
            for (position, array) in op.operands().enumerate() {
                if from_outside(array) {
                    let order = self.order_read(op, position, level);
                    add(&mut inputs, array, order, (op, position));
                }
            }
            let captured: HashSet<usize> = captured(op).into_iter().map(key).collect();
            for inner in operations(op) {
                for (position, array) in inner.operands().enumerate() {
                    if captured.contains(&key(array)) && from_outside(array) {
                        add(&mut inputs, array, NOT_TRAVERSED, (inner, position));
                    }
                }
            }
        }
        inputs
    }

    /// The arrays of ops that are used outside.
    fn results(
        &mut self,
        ops: &[OperationRef<'c, 'a>],
        inside: &HashSet<usize>,
        level: usize,
    ) -> Vec<Crossing<'c, 'a>> {
        let inner: HashSet<usize> = ops
            .iter()
            .flat_map(|&op| operations(op))
            .map(op_key)
            .collect();
        let mut results = vec![];
        for &op in ops {
            for (number, result) in op.results().enumerate() {
                let mut readers = uses(result.into());
                readers.retain(|&(reader, _)| {
                    !inside.contains(&op_key(reader)) && !inner.contains(&op_key(reader))
                });
                if !readers.is_empty() {
                    readers.reverse();
                    results.push(Crossing {
                        array: result.into(),
                        order: self.order_written(op, number, level),
                        readers,
                    });
                }
            }
        }
        results
    }

    /// The order in which an op reads an operand in the loop of a level.
    fn order_read(&mut self, op: OperationRef<'c, 'a>, operand: usize, level: usize) -> i64 {
        let access = self.member(op).and_then(|member| {
            let mut accesses = member.accesses.iter();
            accesses.find(|access| access.operand == Some(operand))
        });
        match access.and_then(|access| self.traversal(access, level)) {
            Some(order) => self.name_of(order),
            None => NOT_TRAVERSED,
        }
    }

    fn traversal(&self, access: &Access, level: usize) -> Option<Order> {
        let (graph, array_use) = (&self.problem.graph, &access.array_use);
        let level = self.clustering.level_of_order(graph, level, array_use.to);
        let has_loop = graph.nodes[array_use.to].depth >= level;
        let orders = &self.clustering.orders[array_use.to][..level];
        let unaligned = orders.iter().any(|&order| {
            let first = graph.unaligned_from(array_use, order);
            first.is_some_and(|first| level >= first)
        });
        (has_loop && graph.ordered_levels(array_use) >= level && !unaligned)
            .then(|| self.clustering.read_order(graph, array_use, level))
    }

    /// The order in which an op computes a result in the loop of a level.
    fn order_written(&mut self, op: OperationRef<'c, 'a>, number: usize, level: usize) -> i64 {
        let Some(member) = self.member(op) else {
            return NOT_TRAVERSED;
        };
        let result = member.results[number];
        match self.problem.graph.nodes[result].available >= level {
            true => self.name_of(self.clustering.orders[member.node][level - 1]),
            false => NOT_TRAVERSED,
        }
    }

    /// What an order is called in the program: a gather gets its label here.
    fn name_of(&mut self, order: Order) -> i64 {
        match self.gather_of.get(&order).filter(|_| order >= FIRST_LABEL) {
            Some(&gather) => self.labels.of(self.problem.members[gather].op),
            None => i64::from(order),
        }
    }

    /// The order of a node at a level, also at those that are never shared.
    fn order(&self, node: NodeId, level: usize) -> Order {
        let (graph, orders) = (&self.problem.graph, &self.clustering.orders[node]);
        if let Some(&order) = orders.get(level - 1) {
            return order;
        }
        let covers = |order: &&Order| {
            let covered = graph.label_levels().get(order);
            covered.is_some_and(|covered| covered.contains(&level))
        };
        let own = || graph.fixed_order(node, level).unwrap_or(FORWARDS);
        orders.iter().find(covers).copied().unwrap_or_else(own)
    }

    /// Says in which orders an op goes over its array, if they are not the usual
    /// ones.
    fn annotate(&mut self, op: OperationRef<'c, 'a>) {
        let Some(member) = self.member(op) else {
            return;
        };
        let node = &self.problem.graph.nodes[member.node];
        let loops = match node.kind {
            Kind::Scatter => node.depth,
            _ => node.rank.min(node.depth),
        };
        let orders: Vec<Order> = (1..=loops)
            .map(|level| self.order(member.node, level))
            .collect();
        let usual = |level: usize| match node.kind {
            Kind::ScanRight if level == loops => BACKWARDS,
            _ => FORWARDS,
        };
        if (1..=loops).all(|level| orders[level - 1] == usual(level)) {
            return;
        }
        let orders: Vec<i64> = orders
            .into_iter()
            .map(|order| self.name_of(order))
            .collect();
        if let Some(builder) = Builder::before(op) {
            set_attribute(op, ORDERS, builder.integers(&orders));
        }
    }
}

/// An array that goes into a cluster, or comes out of it.
struct Crossing<'c, 'a> {
    array: Value<'c, 'a>,
    order: i64,
    /// The operands that it is, on the other side.
    readers: Vec<(OperationRef<'c, 'a>, usize)>,
}

impl<'c: 'a, 'a> Crossing<'c, 'a> {
    /// Makes the readers read another value.
    fn give(&self, value: Value<'c, 'a>) {
        for &(op, operand) in &self.readers {
            set_operand(op, operand, value);
        }
    }
}

fn add<'c: 'a, 'a>(
    inputs: &mut Vec<Crossing<'c, 'a>>,
    array: Value<'c, 'a>,
    order: i64,
    reader: (OperationRef<'c, 'a>, usize),
) {
    let same = |input: &&mut Crossing<'c, 'a>| input.array == array && input.order == order;
    match inputs.iter_mut().find(same) {
        Some(input) => input.readers.push(reader),
        None => inputs.push(Crossing {
            array,
            order,
            readers: vec![reader],
        }),
    }
}

/// Builds behind ops that stand next to each other, where the last one is now; at
/// the location of the first.
fn behind<'c: 'a, 'a>(ops: &[OperationRef<'c, 'a>]) -> Option<Builder<'c, 'a>> {
    let (first, last) = (ops.first()?, ops.last()?);
    Some(Builder::after(*last)?.located(first.location()))
}
