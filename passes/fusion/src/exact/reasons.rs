//! Why nodes that share an array are not fused.
//!
//! What presolving decides has its reason there: a use that cannot be fused,
//! sizes, orders, a path between the nodes. For the other pairs the model is
//! asked: the block is solved again with the pair fused. If there is no such
//! answer, a limit or a wish is the reason if there is one without it; otherwise
//! what has to be over between the pair, or between what is inseparable from it; or
//! an order (module `order_conflict`). If there is one, it costs more, or does work
//! again.
//!
//! Cost: one small search for each pair that presolving leaves.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque, btree_map::Entry},
    rc::Rc,
};

use super::{
    SolveOptions,
    broken_limits::clustering_of,
    clock::Clock,
    incumbents::whole_values,
    linear::Column,
    model::{BlockModel, BlockParts},
    objective::Objective,
    order_conflict::{can_be_fused, order_conflict, other_reader},
    presolve::Presolved,
    search::{Least, Search},
    separation::Separator,
};
use crate::{
    amount::Amount,
    clustering::Clustering,
    cost::{Weights, connections},
    evaluate::recomputation,
    graph::{FIRST_LABEL, Graph, NodeId, UseId},
    limits::Limits,
};

/// Why two nodes are not in one cluster of the outermost level.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// A use between them cannot be fused: indexing, a scatter's destination, a
    /// fusion barrier.
    UnfusibleUse {
        /// The use.
        array_use: UseId,
    },
    /// The array is not computed or read in one order: that of this gather or
    /// scan, and another.
    OrderConflict {
        /// The gather or scan.
        with: NodeId,
    },
    /// Their loops are not known to be equally long.
    SizeNotEqual {
        /// The use whose sizes differ.
        array_use: UseId,
    },
    /// Others have to run between them.
    Cycle {
        /// The nodes of a path from one to the other, without these.
        through: Vec<NodeId>,
    },
    /// It would do work again, at this price.
    DuplicatesWork {
        /// The price.
        price: Amount,
    },
    /// The whole program would cost more, or no less.
    CostsMore {
        /// By this much.
        by: Amount,
        /// Whether there is an answer that costs just that.
        exact: bool,
    },
    /// The user does not want it, directly or by other wishes.
    Forbidden,
    /// The cluster would have too many arguments, or take too much memory.
    LimitReached,
    /// No answer fuses them, for no one of these reasons alone.
    Impossible,
}

/// Two nodes that access one array and are not fused.
#[derive(Clone, Debug, PartialEq)]
pub struct NotFused {
    /// The nodes, the producer or lesser number first.
    pub nodes: (NodeId, NodeId),
    /// The array that both access.
    pub array: NodeId,
    /// Why.
    pub reason: Reason,
}

/// A pair is looked at in this many nodes of the search at most; then its cost is
/// a lower bound.
const MOST_NODES: usize = 20;

/// Of so many pairs a gather is not named if the order of another one is the reason.
const MOST_REFINED: usize = 200;

/// Says of every two nodes that access one array, and are not in one cluster of
/// the outermost level of an optimal clustering, why they are not.
pub fn reasons(
    graph: &Graph,
    weights: &Weights,
    clustering: &Clustering,
    options: &SolveOptions,
) -> Vec<NotFused> {
    let presolved = Presolved::new(graph, options.limits.memory.is_some());
    let decided = Decided::new(graph, &presolved);
    let mut pairs = decided.reasons(clustering);
    ask(&decided, weights, clustering, options, &mut pairs);
    for (array, nodes, reason) in pairs.iter_mut().take(MOST_REFINED) {
        if *reason == Some(Reason::OrderConflict { with: nodes.1 })
            && *array == nodes.0
            && let Some(with) = other_reader(graph, *nodes)
        {
            *reason = Some(Reason::OrderConflict { with });
        }
    }
    pairs
        .into_iter()
        .map(|(array, nodes, reason)| NotFused {
            nodes,
            array,
            reason: reason.expect("the model was asked about the pairs without a reason"),
        })
        .collect()
}

/// An array, two nodes that access it and are not fused, and why not, if that is
/// known.
pub(crate) type Unfused = (NodeId, (NodeId, NodeId), Option<Reason>);

/// The reasons that need no search, for any legal clustering.
pub(crate) fn plain_reasons(graph: &Graph, clustering: &Clustering) -> Vec<Unfused> {
    let presolved = Presolved::new(graph, false);
    Decided::new(graph, &presolved).reasons(clustering)
}

/// Asks the model about the pairs that have no reason yet.
fn ask(
    decided: &Decided,
    weights: &Weights,
    clustering: &Clustering,
    options: &SolveOptions,
    pairs: &mut [Unfused],
) {
    let (graph, presolved) = (decided.graph, decided.presolved);
    let parts = BlockParts::new(graph, presolved, weights);
    let mut asked: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (position, (_, nodes, reason)) in pairs.iter().enumerate() {
        if reason.is_none() {
            let block = presolved.block_of[nodes.1];
            asked.entry(block).or_default().push(position);
        }
    }
    let first = || Rc::new(clustering.clone());
    for (block, positions) in asked {
        let mut model = BlockModel::new(graph, presolved, weights, &parts, block);
        model.add_alike_reads();
        let objective = Objective::new(&model);
        let mut asking = Asking::new(
            &model, &objective, decided, weights, clustering, options, &first,
        );
        for position in positions {
            let (array, nodes, reason) = &mut pairs[position];
            *reason = Some(asking.reason(*nodes, *array));
        }
    }
}

/// What presolving has decided.
struct Decided<'g> {
    graph: &'g Graph,
    presolved: &'g Presolved,
    pairs: BTreeMap<(NodeId, NodeId), usize>,
    /// By node: the pairs of which it is the first.
    after: Vec<Vec<usize>>,
    shared: BTreeSet<(UseId, UseId)>,
}

impl<'g> Decided<'g> {
    fn new(graph: &'g Graph, presolved: &'g Presolved) -> Self {
        let mut after = vec![vec![]; graph.nodes.len()];
        for (number, pair) in presolved.pairs.iter().enumerate() {
            after[pair.from].push(number);
        }
        let numbered = presolved.pairs.iter().enumerate();
        let shared = presolved.shared_reads.iter();
        Self {
            graph,
            presolved,
            pairs: numbered
                .map(|(number, pair)| ((pair.from, pair.to), number))
                .collect(),
            after,
            shared: shared.map(|shared| (shared.one, shared.other)).collect(),
        }
    }

    /// The pairs that access one array and are not in one cluster.
    fn reasons(&self, clustering: &Clustering) -> Vec<Unfused> {
        let mut pairs = vec![];
        for array in 0..self.graph.nodes.len() {
            for nodes in connections(self.graph, array).into_keys() {
                if !clustering.together(1, nodes.0, nodes.1) {
                    pairs.push((array, nodes, self.reason(nodes, array)));
                }
            }
        }
        pairs
    }

    /// Why two nodes cannot be in one cluster, if that is decided.
    fn reason(&self, nodes: (NodeId, NodeId), array: NodeId) -> Option<Reason> {
        let forbidden = self.graph.forbidden.iter();
        let same = |pair: &(NodeId, NodeId)| *pair == nodes || *pair == (nodes.1, nodes.0);
        if forbidden.clone().any(same) {
            return Some(Reason::Forbidden);
        }
        match self.pairs.get(&nodes) {
            Some(&pair) if self.presolved.pairs[pair].open > 0 => None,
            Some(&pair) => Some(self.closed(pair, array)),
            None => self.not_shared(nodes, array),
        }
    }

    /// Why a pair with a dependence cannot be fused.
    fn closed(&self, pair: usize, array: NodeId) -> Reason {
        let pair = &self.presolved.pairs[pair];
        for &id in &pair.uses {
            let array_use = &self.graph.uses[id];
            if array_use.fusible && !self.graph.sizes_agree(array_use) {
                return Reason::SizeNotEqual { array_use: id };
            }
            if self.graph.fusible_levels(array_use) == 0 {
                return Reason::UnfusibleUse { array_use: id };
            }
        }
        for &id in &pair.uses {
            let array_use = &self.graph.uses[id];
            if !self.presolved.orders.can_agree(self.graph, array_use, 1) {
                return Reason::OrderConflict {
                    with: self.orderly_end(id),
                };
            }
        }
        if self.graph.before.contains(&(pair.from, pair.to))
            && let Some(array_use) = self.destroying_use(pair.from, pair.to, array)
        {
            return Reason::UnfusibleUse { array_use };
        }
        match self.path(pair.from, pair.to) {
            Some(through) => Reason::Cycle { through },
            None => Reason::Impossible,
        }
    }

    /// Why what is inseparable from a node cannot be fused with what is inseparable
    /// from another, as far as one depends on the other directly.
    fn closed_beside(&self, nodes: (NodeId, NodeId), array: NodeId) -> Option<Reason> {
        let firsts = self.unit(nodes.0);
        let mut pairs = firsts.iter().flat_map(|&first| &self.after[first]);
        let closed = pairs.find(|&&number| {
            let pair = &self.presolved.pairs[number];
            pair.open == 0 && self.graph.unit(pair.to) == self.graph.unit(nodes.1)
        });
        closed.map(|&pair| self.closed(pair, array))
    }

    /// The nodes that are inseparable from a node, and the node.
    fn unit(&self, node: NodeId) -> Vec<NodeId> {
        let nodes = 0..self.graph.nodes.len();
        let unit = self.graph.unit(node);
        nodes
            .filter(|&node| self.graph.unit(node) == unit)
            .collect()
    }

    /// The use by which the second node destroys what the first one reads; that of
    /// the given array if there are several.
    fn destroying_use(&self, first: NodeId, second: NodeId, array: NodeId) -> Option<UseId> {
        let read = |array: NodeId| {
            let uses = self.graph.uses_by(first).iter();
            uses.copied().any(|id| self.graph.uses[id].from == array)
        };
        let destroying = self.graph.uses_by(second).iter().copied().filter(|&id| {
            let array_use = &self.graph.uses[id];
            self.graph.ordered_levels(array_use) == 0 && read(array_use.from)
        });
        destroying.min_by_key(|&id| self.graph.uses[id].from != array)
    }

    /// The end of a use that insists on an order.
    fn orderly_end(&self, id: UseId) -> NodeId {
        let array_use = &self.graph.uses[id];
        let insists = |node: NodeId| self.graph.has_fixed_order(node) || self.graph.needs_all(node);
        if array_use.label.is_some() || insists(array_use.to) || !insists(array_use.from) {
            array_use.to
        } else {
            array_use.from
        }
    }

    /// Why two readers cannot share a read, if they cannot.
    fn not_shared(&self, nodes: (NodeId, NodeId), array: NodeId) -> Option<Reason> {
        let uses = |node: NodeId| {
            let uses = self.graph.uses_by(node).iter().copied();
            uses.filter(|&id| self.graph.uses[id].from == array)
        };
        let mut conflict = None;
        for one in uses(nodes.0) {
            for other in uses(nodes.1) {
                if self.shared.contains(&(one, other)) || self.shared.contains(&(other, one)) {
                    return None;
                }
                conflict.get_or_insert((one, other));
            }
        }
        let (one, other) = conflict?;
        for id in [one, other] {
            if self.graph.ordered_levels(&self.graph.uses[id]) == 0 {
                return Some(Reason::UnfusibleUse { array_use: id });
            }
        }
        if let Some(through) = self.path(nodes.0, nodes.1) {
            return Some(Reason::Cycle { through });
        }
        // A reader without a label of its own could share the read if the other
        // one had none either.
        let unlabelled = |id: UseId| {
            let fixed = self
                .presolved
                .orders
                .fixed_read(self.graph, &self.graph.uses[id], 1);
            fixed.is_none_or(|order| order < FIRST_LABEL)
        };
        let with = match uses(nodes.0).any(unlabelled) {
            true => nodes.1,
            false => nodes.0,
        };
        Some(Reason::OrderConflict { with })
    }

    /// The nodes between two nodes, or what is inseparable from them, on a path that
    /// holds a pair that is not fused, if there is one.
    fn path(&self, from: NodeId, to: NodeId) -> Option<Vec<NodeId>> {
        let (firsts, lasts) = (self.unit(from), self.unit(to));
        let greatest = lasts.iter().copied().max().unwrap_or(to);
        // States: a node, and whether a pair that is not fused was passed.
        let mut before: BTreeMap<(NodeId, bool), (NodeId, bool)> = BTreeMap::new();
        let starts =
            std::iter::once(from).chain(firsts.iter().copied().filter(|&node| node != from));
        let mut queue: VecDeque<_> = starts.map(|node| (node, false)).collect();
        let mut end = None;
        while let Some(state) = queue.pop_front() {
            if state.1 && lasts.contains(&state.0) {
                end = Some(state);
                break;
            }
            for &number in &self.after[state.0] {
                let pair = &self.presolved.pairs[number];
                let is_direct = firsts.contains(&pair.from) && lasts.contains(&pair.to);
                if is_direct || firsts.contains(&pair.to) || pair.to > greatest {
                    continue;
                }
                let next = (pair.to, state.1 || pair.open == 0);
                if let Entry::Vacant(entry) = before.entry(next) {
                    entry.insert(state);
                    queue.push_back(next);
                }
            }
        }
        let mut state = end?;
        let mut through = vec![];
        while let Some(&previous) = before.get(&state) {
            state = previous;
            if firsts.contains(&state.0) {
                break;
            }
            if !lasts.contains(&state.0) {
                through.push(state.0);
            }
        }
        through.reverse();
        Some(through)
    }
}

/// Asks the model of a block what fusing pairs would cost.
struct Asking<'m, 'p> {
    model: &'m BlockModel<'p>,
    objective: &'m Objective,
    decided: &'m Decided<'p>,
    weights: &'m Weights,
    clustering: &'m Clustering,
    options: &'m SolveOptions,
    search: Search<'m, 'p>,
    /// What the block costs as it is.
    cost: Amount,
    asked: BTreeMap<Vec<(Column, bool)>, Reason>,
}

impl<'m, 'p> Asking<'m, 'p> {
    fn new(
        model: &'m BlockModel<'p>,
        objective: &'m Objective,
        decided: &'m Decided<'p>,
        weights: &'m Weights,
        clustering: &'m Clustering,
        options: &'m SolveOptions,
        first: &'m dyn Fn() -> Rc<Clustering>,
    ) -> Self {
        let clock = Clock::without_deadline(options.stop.as_deref());
        let separator = Separator::new(model);
        let mut search = Search::new(model, objective, separator, clock, &options.limits, first);
        let decisions = whole_values(model, clustering);
        let least = search.cost_with(&decisions, MOST_NODES);
        Self {
            model,
            objective,
            decided,
            weights,
            clustering,
            options,
            search,
            cost: least.map_or(Amount::ZERO, |least| least.cost),
            asked: BTreeMap::new(),
        }
    }

    fn reason(&mut self, nodes: (NodeId, NodeId), array: NodeId) -> Reason {
        let ways = self.model.ways_to_fuse(nodes, array);
        if let Some(reason) = self.asked.get(&ways) {
            return reason.clone();
        }
        let reason = match cheapest(&mut self.search, &ways) {
            Some(least) => self.price(&least),
            None => self.impossible(nodes, array),
        };
        self.asked.insert(ways, reason.clone());
        reason
    }

    fn price(&self, least: &Least) -> Reason {
        let by = (least.cost - self.cost).max(Amount::ZERO);
        let again = least.values.as_ref().map_or(Amount::ZERO, |values| {
            let other = clustering_of(self.model, values);
            let graph = self.model.graph;
            recomputation(graph, &other, self.weights)
                - recomputation(graph, self.clustering, self.weights)
        });
        if again > Amount::ZERO && by <= again {
            return Reason::DuplicatesWork { price: again };
        }
        Reason::CostsMore {
            by,
            exact: least.exact,
        }
    }

    /// Why no answer fuses the nodes.
    fn impossible(&self, nodes: (NodeId, NodeId), array: NodeId) -> Reason {
        let graph = self.model.graph;
        let free = Limits::default();
        if !self.options.limits.is_empty() {
            let first = || Rc::new(self.clustering.clone());
            let clock = Clock::without_deadline(self.options.stop.as_deref());
            let separator = Separator::new(self.model);
            let mut search =
                Search::new(self.model, self.objective, separator, clock, &free, &first);
            if cheapest(&mut search, &self.model.ways_to_fuse(nodes, array)).is_some() {
                return Reason::LimitReached;
            }
        }
        if !(graph.forced.is_empty() && graph.forbidden.is_empty()) {
            let mut without_wishes = graph.clone();
            without_wishes.forced.clear();
            without_wishes.forbidden.clear();
            if can_be_fused(&without_wishes, nodes, array) {
                return Reason::Forbidden;
            }
        }
        let directions = [nodes, (nodes.1, nodes.0)];
        let mut beside = directions.iter();
        if let Some(reason) = beside.find_map(|&nodes| self.decided.closed_beside(nodes, array)) {
            return reason;
        }
        let mut paths = directions.iter();
        if let Some(through) = paths.find_map(|&nodes| self.decided.path(nodes.0, nodes.1)) {
            return Reason::Cycle { through };
        }
        match order_conflict(graph, self.model.nodes(), nodes, array) {
            Some(with) => Reason::OrderConflict { with },
            None => Reason::Impossible,
        }
    }
}

/// The least cost with any one of some decisions taken.
pub(super) fn cheapest(search: &mut Search, ways: &[(Column, bool)]) -> Option<Least> {
    ways.iter()
        .filter_map(|&way| search.cost_with(&[way], MOST_NODES))
        .min_by_key(|least| least.cost)
}
