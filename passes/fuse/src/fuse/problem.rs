//! The fusion problem of a block: from its ops to a graph.
//!
//! Phases:
//! 1. One walk over the block in program order. A combinator becomes a node; one
//!    with several results, a node for all of them together and one for each,
//!    which cannot be separated from it. Any other op becomes a node that is never
//!    fused if it depends on combinators, or has effects; the rest can run before
//!    everything. Arrays from elsewhere are inputs.
//! 2. What must come first is added: effects and checks, in program order, before
//!    what follows them; all other readers of an array before the scatter that
//!    destroys it (P-gather, constraint 9).
//! 3. Wishes (attributes) become pairs that have to be together or apart.
//!
//! Cost: linear in the size of the block, but for scatters into arrays that others
//! read, each of which looks at what follows it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use comb_fusion::{
    builder::GraphBuilder,
    graph::{FIRST_LABEL, Graph, Kind, Node, NodeId, Order, Traversal, Use},
};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    cast::Parts,
    location::place,
    view::{OpView, as_result, op_name, uses},
};

use super::{
    captures::captured,
    clusters::leaves_out_results,
    combinator::{Combinator, Read, combinator, is_array},
    effects,
    names::{self, SourceText},
    prices::{prices, width},
    sizes::Sizes,
    wishes::Wishes,
};
use comb_kit::{checks::facts::key, pass_error::PassError};

/// Ops of the dialect that take arrays whole.
const NEVER_FUSED: &[&str] = &[
    "soac.concat",
    "soac.external",
    "soac.force",
    "soac.lmad_update",
    "soac.sort",
    "soac.update",
    "soac.yield",
];

/// What a node of the graph stands for.
#[derive(Clone, Copy)]
pub enum Meaning<'c, 'a> {
    /// An array from elsewhere.
    Input(Value<'c, 'a>),
    /// An op, and the array that it gives, or all of them.
    Op(OperationRef<'c, 'a>),
    /// One of the arrays that an op gives.
    Result(OperationRef<'c, 'a>, usize),
}

impl<'c, 'a> Meaning<'c, 'a> {
    /// The op, unless it is an array from elsewhere.
    pub fn op(&self) -> Option<OperationRef<'c, 'a>> {
        match *self {
            Self::Input(_) => None,
            Self::Op(op) | Self::Result(op, _) => Some(op),
        }
    }
}

/// How an op of the block reads an array, in the graph's numbers.
#[derive(Clone, Debug)]
pub struct Access {
    /// The operand's position; nothing for an array that a lambda captures.
    pub operand: Option<usize>,
    /// The use, as the graph has it.
    pub array_use: Use,
}

/// A combinator of the block.
pub struct Member<'c, 'a> {
    /// The op.
    pub op: OperationRef<'c, 'a>,
    /// Its node.
    pub node: NodeId,
    /// The nodes of its results, where they have their own; otherwise its node for
    /// each.
    pub results: Vec<NodeId>,
    /// What it reads.
    pub accesses: Vec<Access>,
    /// The label of what it gathers.
    pub label: Option<Order>,
}

/// The fusion problem of a block.
pub struct Problem<'c, 'a> {
    /// The graph.
    pub graph: Graph,
    /// What the graph's nodes stand for.
    pub meanings: Vec<Meaning<'c, 'a>>,
    /// The combinators, in program order.
    pub members: Vec<Member<'c, 'a>>,
    /// By external id, the node's number.
    pub numbers: Vec<NodeId>,
    /// What the user says that names in sizes are.
    pub extents: BTreeMap<String, u64>,
    /// What the program calls sizes of parameters, by their names in sizes.
    pub size_names: BTreeMap<String, String>,
}

/// A graph that is growing, while the ops of a block are looked at.
pub struct Reading<'c, 'a, 's> {
    /// What is known of sizes.
    pub sizes: &'s mut Sizes<'c, 'a>,
    nodes: Vec<Node>,
    meanings: Vec<Meaning<'c, 'a>>,
    uses: Vec<Use>,
    before: BTreeSet<(NodeId, NodeId)>,
    members: Vec<Member<'c, 'a>>,
    /// The node that gives a value, or that it depends on.
    node_of: HashMap<usize, NodeId>,
    /// The last op with effects, or check that depends on a node.
    barrier: Option<NodeId>,
    next_label: Order,
    /// The names of results of the function that the block gives.
    result_names: HashMap<NodeId, String>,
}

impl<'c: 'a, 'a, 's> Reading<'c, 'a, 's> {
    /// A block of which nothing is known yet; `sizes` knows what holds before it.
    pub fn new(sizes: &'s mut Sizes<'c, 'a>) -> Self {
        Self {
            sizes,
            nodes: vec![],
            meanings: vec![],
            uses: vec![],
            before: BTreeSet::new(),
            members: vec![],
            node_of: HashMap::new(),
            barrier: None,
            next_label: FIRST_LABEL,
            result_names: HashMap::new(),
        }
    }

    /// The next op of the block; the last one needs its operands whole.
    pub fn next(&mut self, op: OperationRef<'c, 'a>) {
        match op.next_in_block() {
            Some(_) => self.op(op),
            None => self.end(op),
        }
    }

    fn op(&mut self, op: OperationRef<'c, 'a>) {
        match combinator(op, self.sizes) {
            Some(combinator) => self.combinator(op, &combinator),
            None => self.other(op),
        }
        self.sizes.learn(op);
    }

    /// How many combinators there are so far.
    pub fn combinators(&self) -> usize {
        self.members.len()
    }

    fn combinator(&mut self, op: OperationRef<'c, 'a>, combinator: &Combinator) {
        let accesses = self.accesses(op, combinator);
        let results: Vec<Value> = op.results().map(Value::from).collect();
        let separate = results.len() > 1 && combinator.ranked > 0 && combinator.available > 0;
        let node = self.combinator_node(op, combinator, &results, separate);
        let label = accesses.iter().find_map(|access| access.array_use.label);
        let mut nodes = vec![node; results.len()];
        if separate {
            for (number, &result) in results.iter().enumerate() {
                nodes[number] = self.result_node(op, combinator, node, number, result);
            }
        }
        for (&result, &node) in results.iter().zip(&nodes) {
            self.node_of.insert(key(result), node);
        }
        for access in &accesses {
            let array_use = Use {
                to: node,
                ..access.array_use.clone()
            };
            self.uses.push(array_use);
        }
        self.depend_on_scalars(op, node);
        self.members.push(Member {
            op,
            node,
            results: nodes,
            accesses,
            label,
        });
    }

    /// The node of a combinator; if its results have their own, it costs nothing.
    fn combinator_node(
        &mut self,
        op: OperationRef<'c, 'a>,
        combinator: &Combinator,
        results: &[Value<'c, 'a>],
        separate: bool,
    ) -> NodeId {
        let shape = match results.first() {
            Some(&result) => self.sizes.shape(result),
            None => vec![],
        };
        let rank = match separate {
            true => combinator.ranked,
            false => shape.len(),
        };
        let mut all = vec![0.0; rank + 1];
        if !separate {
            for &result in results {
                let prices = self.prices(result);
                all.iter_mut()
                    .zip(prices)
                    .for_each(|(sum, price)| *sum += price);
            }
        }
        let node = Node {
            kind: combinator.kind,
            rank,
            depth: combinator.loops.len(),
            available: combinator.available,
            traversal: combinator.traversal,
            ordered_reduction: combinator.kind == Kind::Fold,
            prices: all,
            size: Some(shape[..rank].to_vec()),
            width: results.iter().map(|&result| width(result)).sum(),
            work: combinator.work,
            ..self.blank(op)
        };
        self.node(Meaning::Op(op), node)
    }

    /// The node of one of several results, which is inseparable from the op's.
    fn result_node(
        &mut self,
        op: OperationRef<'c, 'a>,
        combinator: &Combinator,
        from: NodeId,
        number: usize,
        result: Value<'c, 'a>,
    ) -> NodeId {
        let shape = self.sizes.shape(result);
        let depth = combinator.ranked.min(shape.len());
        let node = Node {
            kind: Kind::Map,
            rank: shape.len(),
            depth,
            available: depth,
            traversal: Traversal::Any,
            ordered_reduction: false,
            prices: self.prices(result),
            size: Some(shape),
            width: width(result),
            work: 1.0,
            ..self.nodes[from].clone()
        };
        let node = self.node(Meaning::Result(op, number), node);
        self.uses.push(Use {
            from,
            to: node,
            external_id: 0,
            prefix: depth,
            label: None,
            scan: false,
            fusible: true,
            inseparable: true,
            stencil: None,
        });
        node
    }

    fn accesses(&mut self, op: OperationRef<'c, 'a>, combinator: &Combinator) -> Vec<Access> {
        let view = OpView::of(op);
        let mut label = None;
        let mut accesses = vec![];
        for read in &combinator.reads {
            let array = view.operands[read.operand];
            if read.gathered && label.is_none() {
                label = Some(self.next_label);
                self.next_label += 1;
            }
            accesses.push(Access {
                operand: Some(read.operand),
                array_use: self.streamed_use(array, read, label, combinator),
            });
        }
        for array in captured(op).into_iter().filter(|&value| is_array(value)) {
            let from = self.array(array);
            accesses.push(Access {
                operand: None,
                array_use: random_use(from),
            });
        }
        accesses
    }

    fn streamed_use(
        &mut self,
        array: Value<'c, 'a>,
        read: &Read,
        label: Option<Order>,
        combinator: &Combinator,
    ) -> Use {
        let from = self.array(array);
        let rank = self.nodes[from].rank;
        Use {
            prefix: read.prefix,
            label: label.filter(|_| read.gathered),
            scan: combinator.kind.innermost_order().is_some() && read.prefix == rank,
            fusible: read.streamed && self.nodes[from].kind != Kind::Input,
            ..random_use(from)
        }
    }

    /// An op that is not fused.
    fn other(&mut self, op: OperationRef<'c, 'a>) {
        let used = used_values(op);
        let depends = used.iter().any(|&value| {
            let node = self.node_of.get(&key(value));
            node.is_some_and(|&node| self.nodes[node].kind != Kind::Input)
        });
        let effects = effects::has_effects(op);
        let is_check = op_name(op) == "soac.check";
        if !depends && (!effects || is_check) {
            return;
        }
        if is_another_name(op) {
            let node = self.array(used[0]);
            self.node_of
                .extend(op.results().map(|result| (key(result.into()), node)));
            return;
        }
        let blank = self.blank(op);
        let node = self.node(Meaning::Op(op), blank);
        for value in used {
            if is_array(value) {
                let from = self.array(value);
                self.uses.push(Use {
                    to: node,
                    ..random_use(from)
                });
            }
        }
        self.depend_on_scalars(op, node);
        if effects || is_check {
            self.barrier = Some(node);
        }
        self.other_results(op, node);
    }

    /// An op's only array is its node's; several have nodes of their own.
    fn other_results(&mut self, op: OperationRef<'c, 'a>, node: NodeId) {
        let results: Vec<Value> = op.results().map(Value::from).collect();
        let arrays = results.iter().filter(|&&result| is_array(result)).count();
        for (number, &result) in results.iter().enumerate() {
            let given = match (is_array(result), arrays) {
                (true, 1) => {
                    self.describe_array(node, result);
                    node
                }
                (true, _) => {
                    let blank = self.blank(op);
                    let part = self.node(Meaning::Result(op, number), blank);
                    self.describe_array(part, result);
                    self.before.insert((node, part));
                    part
                }
                (false, _) => node,
            };
            self.node_of.insert(key(result), given);
        }
    }

    fn describe_array(&mut self, node: NodeId, array: Value<'c, 'a>) {
        let (prices, size) = (self.prices(array), self.sizes.shape(array));
        let node = &mut self.nodes[node];
        node.rank = size.len();
        node.depth = size.len();
        node.prices = prices;
        node.size = Some(size);
        node.width = width(array);
    }

    fn end(&mut self, op: OperationRef<'c, 'a>) {
        for (position, value) in used_values(op).into_iter().enumerate() {
            let node = self.node_of.get(&key(value)).copied();
            if let Some(node) = node.filter(|&node| self.nodes[node].kind != Kind::Input) {
                self.nodes[node].result = true;
                if let Some(name) = names::of_result(op, position) {
                    self.result_names.entry(node).or_insert(name);
                }
            }
        }
    }

    /// The node of an array; an input if it is from elsewhere.
    fn array(&mut self, array: Value<'c, 'a>) -> NodeId {
        if let Some(&node) = self.node_of.get(&key(array)) {
            return node;
        }
        let size = self.sizes.shape(array);
        let prices = self.prices(array);
        let node = Node {
            name: String::new(),
            external_id: self.nodes.len() as u64,
            kind: Kind::Input,
            rank: size.len(),
            depth: 0,
            available: 0,
            traversal: Traversal::Any,
            ordered_reduction: false,
            result: false,
            prices,
            size: Some(size),
            width: width(array),
            work: 1.0,
            location: place(array.location()),
            op: None,
            check: false,
        };
        self.nodes.push(node);
        self.meanings.push(Meaning::Input(array));
        let node = self.nodes.len() - 1;
        self.node_of.insert(key(array), node);
        node
    }

    fn node(&mut self, meaning: Meaning<'c, 'a>, node: Node) -> NodeId {
        let number = self.nodes.len();
        self.nodes.push(Node {
            external_id: number as u64,
            ..node
        });
        self.meanings.push(meaning);
        if let Some(barrier) = self.barrier {
            self.before.insert((barrier, number));
        }
        number
    }

    /// A node that is not fused and gives nothing.
    fn blank(&self, op: OperationRef<'c, 'a>) -> Node {
        Node {
            name: String::new(),
            external_id: 0,
            kind: Kind::External,
            rank: 0,
            depth: 0,
            available: 0,
            traversal: Traversal::Any,
            ordered_reduction: false,
            result: false,
            prices: vec![0.0],
            size: None,
            width: 1.0,
            work: 1.0,
            location: place(op.location()),
            op: None,
            check: false,
        }
    }

    fn prices(&mut self, array: Value<'c, 'a>) -> Vec<f64> {
        prices(&self.sizes.shape(array), width(array), self.sizes.extents())
    }

    /// What an op's scalars depend on comes before it.
    fn depend_on_scalars(&mut self, op: OperationRef<'c, 'a>, node: NodeId) {
        for value in used_values(op) {
            if is_array(value) {
                continue;
            }
            if let Some(&first) = self.node_of.get(&key(value)) {
                self.before.insert((first, node));
            }
        }
    }

    /// The last scatter into an array updates it in place, if what else reads the
    /// array does not need the scatter's result.
    fn order_scatters(&mut self) {
        let mut last: BTreeMap<NodeId, NodeId> = BTreeMap::new();
        for member in &self.members {
            if op_name(member.op) != "soac.scatter" {
                continue;
            }
            let view = OpView::of(member.op);
            for dest in view.group(1) {
                let access = member
                    .accesses
                    .iter()
                    .find(|access| access.operand == Some(dest));
                if let Some(access) = access.filter(|_| as_result(view.operands[dest]).is_some()) {
                    last.insert(access.array_use.from, member.node);
                }
            }
        }
        let mut after: Vec<Vec<NodeId>> = vec![vec![]; self.nodes.len()];
        let mut readers: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for found in &self.uses {
            after[found.from].push(found.to);
            readers.entry(found.from).or_default().push(found.to);
        }
        for &(first, second) in &self.before {
            after[first].push(second);
        }
        for (array, scatter) in last {
            let mut others = readers.remove(&array).unwrap_or_default();
            others.retain(|&reader| reader != scatter);
            if reaches_any(&after, scatter, &others) {
                continue;
            }
            for reader in others {
                after[reader].push(scatter);
                self.before.insert((reader, scatter));
            }
        }
    }

    /// Marks the checks that a text does not have, and what only these need.
    fn mark_checks(&mut self, text: &dyn SourceText) {
        let mut after: Vec<Vec<NodeId>> = vec![vec![]; self.nodes.len()];
        let uses = self.uses.iter().map(|found| (found.from, found.to));
        for (first, second) in uses.chain(self.before.iter().copied()) {
            after[first].push(second);
        }
        for node in (0..self.nodes.len()).rev() {
            let found = &self.nodes[node];
            let Meaning::Op(op) = self.meanings[node] else {
                continue;
            };
            if found.kind != Kind::External || found.rank > 0 || found.result {
                continue;
            }
            let is_inserted = || !names::is_written(op, text);
            self.nodes[node].check = match op_name(op) {
                "soac.check" => is_inserted(),
                _ => {
                    let mut later = after[node].iter();
                    let serves_checks = later.all(|&node| self.nodes[node].check);
                    serves_checks
                        && !after[node].is_empty()
                        && !effects::has_effects(op)
                        && is_inserted()
                }
            };
        }
    }

    /// The problem of a function's block, with at most so many loops that may be
    /// shared, and the names that a text has; nothing if there are not two combinators.
    ///
    /// # Errors
    ///
    /// If wishes are not what they should be, or contradict each other plainly.
    pub fn finish(
        mut self,
        levels: usize,
        function: &str,
        text: &dyn SourceText,
    ) -> Result<Option<Problem<'c, 'a>>, PassError<'c>> {
        let is_alone = self.members.len() < 2;
        if is_alone
            && !self
                .members
                .iter()
                .any(|member| leaves_out_results(member.op))
        {
            return Ok(None);
        }
        self.order_scatters();
        let names = names::names(&self.meanings, &self.result_names, text);
        for ((node, meaning), name) in self.nodes.iter_mut().zip(&self.meanings).zip(names) {
            node.name = name;
            node.op = meaning.op().map(|op| names::op(op, text));
        }
        self.mark_checks(text);
        for (node, meaning) in self.nodes.iter_mut().zip(&self.meanings) {
            let array = match *meaning {
                Meaning::Input(array) => Some(array),
                Meaning::Op(op) => op.results().map(Value::from).find(|&array| is_array(array)),
                Meaning::Result(op, number) => op.result_at(number).map(Value::from),
            };
            if let (Some(array), Some(size)) = (array, &mut node.size) {
                let known = self.sizes.shape(array);
                let rank = size.len();
                size.clone_from_slice(&known[..rank]);
            }
        }
        let deepest = self.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
        let mut wishes = Wishes::read(&self.members, &self.uses)?;
        let is_input = |node: NodeId| self.nodes[node].kind == Kind::Input;
        wishes
            .forbidden
            .retain(|&(one, other)| !is_input(one) && !is_input(other));
        let mut builder = GraphBuilder::new(function, deepest.clamp(1, levels));
        for node in self.nodes {
            builder.node(node);
        }
        for (number, array_use) in self.uses.into_iter().enumerate() {
            let external_id = number as u64;
            builder.array_use(Use {
                external_id,
                ..array_use
            });
        }
        for (first, second) in self.before {
            builder.before(first, second);
        }
        for (one, other) in wishes.forced {
            builder.forced(one, other);
        }
        for (one, other) in wishes.forbidden {
            builder.forbidden(one, other);
        }
        let location = self.members[0].op.location();
        let (graph, numbering) = builder.finish().map_err(|error| PassError::Unsupported {
            location,
            message: format!("this block cannot be fused: {error}"),
        })?;
        let number = numbering.nodes;
        let mut meanings = self.meanings.clone();
        for (old, &new) in number.iter().enumerate() {
            meanings[new] = self.meanings[old];
        }
        let members = self
            .members
            .into_iter()
            .map(|member| member.renumbered(&number));
        Ok(Some(Problem {
            graph,
            meanings,
            members: members.collect(),
            numbers: number,
            extents: self.sizes.extents().clone(),
            size_names: self.sizes.names().clone(),
        }))
    }
}

impl Member<'_, '_> {
    fn renumbered(self, number: &[NodeId]) -> Self {
        let node = number[self.node];
        let accesses = self.accesses.into_iter().map(|access| Access {
            array_use: Use {
                from: number[access.array_use.from],
                to: node,
                ..access.array_use
            },
            ..access
        });
        Self {
            node,
            results: self.results.iter().map(|&result| number[result]).collect(),
            accesses: accesses.collect(),
            ..self
        }
    }
}

/// Whether an op gives an array another shape, for readers that are no combinators: in memory it is the
/// same array.
fn is_another_name(op: OperationRef) -> bool {
    let is_reshape = matches!(
        op_name(op),
        "soac.reshape" | "tensor.collapse_shape" | "tensor.expand_shape"
    );
    let is_combinator = |(user, _): (OperationRef, usize)| {
        op_name(user).starts_with("soac.") && !NEVER_FUSED.contains(&op_name(user))
    };
    let readers = || op.results().flat_map(|result| uses(result.into()));
    is_reshape && op.result_count() == 1 && !readers().any(is_combinator)
}

/// Whether one of some nodes depends on a node, given what depends directly on each.
fn reaches_any(after: &[Vec<NodeId>], start: NodeId, wanted: &[NodeId]) -> bool {
    if wanted.is_empty() {
        return false;
    }
    let (mut found, mut waiting) = (BTreeSet::new(), vec![start]);
    while let Some(node) = waiting.pop() {
        for &next in &after[node] {
            if wanted.contains(&next) {
                return true;
            }
            if found.insert(next) {
                waiting.push(next);
            }
        }
    }
    false
}

/// A use of an array at any index, by nobody yet.
fn random_use(from: NodeId) -> Use {
    Use {
        from,
        to: from,
        external_id: 0,
        prefix: 0,
        label: None,
        scan: false,
        fusible: false,
        inseparable: false,
        stencil: None,
    }
}

/// All values that an op and its regions use from outside.
fn used_values<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut used: Vec<Value> = op.operands().collect();
    used.extend(captured(op));
    used
}
