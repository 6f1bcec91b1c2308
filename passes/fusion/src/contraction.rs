//! A partial clustering that grows by one fusion after the other.
//!
//! A [`Contraction`] holds the fusions that were asked for, and everything that
//! follows from them. Fusing one more pair either succeeds, with all its
//! consequences, or changes nothing: every change is written on a trail and taken
//! back when a rule is broken. The rules are those of [`legality`](crate::legality):
//!
//! * What shares a loop shares the loops around it.
//! * A use inside a cluster is fused, so it has to be fusible, and its array is
//!   computed in the order in which it is read (module `orders`).
//! * What is on a path between two nodes of a cluster is in it
//!   (module `running_order`), and pairs that are in different clusters stay so.
//! * An array that is computed in the order of a gather is no result, is used, and
//!   all that use it are fused with it and read it in this order; the order covers all
//!   of the gather's levels.
//!
//! Whatever has no order at the end goes forwards or backwards.
//!
//! Source: the search space of P-gather, 3.2 to 3.4; its greedy algorithms
//! (section 5) ask an ILP solver at every step what is propagated here.
//!
//! Cost of a fusion: see module `running_order`; otherwise O(k log n) for the k nodes
//! and uses that change their cluster or order.

mod classes;
mod orders;
mod running_order;

use std::collections::{BTreeSet, HashMap, HashSet};

use orders::{Orders, Read, Resolved, Slot};
use petgraph::unionfind::UnionFind;
use running_order::{Dependences, RunningOrder};

use crate::{
    clustering::Clustering,
    graph::{BACKWARDS, FIRST_LABEL, FORWARDS, Graph, Kind, NodeId, Order, UseId},
};

/// A partial clustering.
#[derive(Clone, Debug)]
pub struct Contraction<'g> {
    graph: &'g Graph,
    dependences: Dependences,
    apart: Vec<Vec<NodeId>>,
    levels: Vec<RunningOrder>,
    orders: Orders,
    trail: Vec<Change>,
    tasks: Vec<Task>,
    /// Nodes, with levels, that may have lost what connects them.
    doubtful: Vec<(NodeId, usize)>,
}

/// How a use reads at a level, as far as that is known; see
/// [`read_class`](crate::connections::read_class).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadClass {
    /// In a known order.
    Order(Order),
    /// In an order that is still free, given by its class.
    Free(usize),
    /// In the order of a gather of a stencil.
    Stencil(u64),
    /// As no other use does.
    Unaligned(UseId),
}

/// What is taken back when a fusion fails.
#[derive(Clone, Copy, Debug)]
enum Change {
    Joined {
        level: usize,
        child: usize,
    },
    Moved {
        level: usize,
        cluster: usize,
        from: usize,
    },
    Unified {
        child: usize,
    },
    Ordered {
        class: usize,
    },
}

/// What follows from a change and has not been done yet.
#[derive(Clone, Copy, Debug)]
enum Task {
    Join {
        level: usize,
        one: NodeId,
        other: NodeId,
    },
    /// The node at this level is computed in the order of a gather.
    Label { slot: Slot, label: Order },
}

/// What has changed since a checkpoint.
#[derive(Clone, Debug)]
pub(crate) struct Changes(Vec<Change>);

impl Changes {
    /// By how many the clusters of the outermost level are fewer.
    pub(crate) fn fewer_clusters(&self) -> usize {
        let outermost = |change: &&Change| matches!(change, Change::Joined { level: 1, .. });
        self.0.iter().filter(outermost).count()
    }

    /// Whether an order that was free is not any more.
    pub(crate) fn decide_an_order(&self) -> bool {
        let mut changes = self.0.iter();
        changes.any(|change| matches!(change, Change::Ordered { .. }))
    }
}

/// A rule would be broken.
struct Conflict;

/// A state of a [`Contraction`] to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint(usize);

impl<'g> Contraction<'g> {
    /// Every node alone, but for inseparable uses; those that cannot be fused are
    /// left out.
    pub fn new(graph: &'g Graph) -> Self {
        let mut contraction = Self::of_single_nodes(graph);
        for (array_use, levels) in graph.inseparable_uses() {
            contraction.try_fuse(array_use.from, array_use.to, levels);
        }
        contraction
    }

    fn of_single_nodes(graph: &'g Graph) -> Self {
        let nodes = graph.nodes.len();
        let mut apart = vec![vec![]; nodes];
        for &(one, other) in graph.forbidden.iter().chain(&graph.before) {
            apart[one].push(other);
            apart[other].push(one);
        }
        Self {
            graph,
            dependences: Dependences::new(graph),
            apart,
            levels: vec![RunningOrder::new(nodes); graph.levels],
            orders: Orders::new(graph),
            trail: vec![],
            tasks: vec![],
            doubtful: vec![],
        }
    }

    /// The graph.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// A node that stands for a node's cluster at a level (from 1).
    pub fn cluster(&self, level: usize, node: NodeId) -> NodeId {
        self.levels[level - 1].clusters.find(node)
    }

    /// The nodes of a node's cluster at a level (from 1), in no order.
    pub fn members(&self, level: usize, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.levels[level - 1].clusters.members(node)
    }

    /// The number of nodes of a node's cluster at a level (from 1).
    pub fn size(&self, level: usize, node: NodeId) -> usize {
        let clusters = &self.levels[level - 1].clusters;
        clusters.size(clusters.find(node))
    }

    /// Whether two nodes share the loop of a level (from 1).
    pub fn together(&self, level: usize, one: NodeId, other: NodeId) -> bool {
        self.cluster(level, one) == self.cluster(level, other)
    }

    /// The order of a node's array at a level (from 1), if it is known.
    pub fn order(&self, node: NodeId, level: usize) -> Option<Order> {
        self.orders.order(Slot { node, level })
    }

    /// How a use reads at a level (from 1).
    pub fn read_class(&self, id: UseId, level: usize) -> ReadClass {
        if self.is_straddled(level, id, level) {
            return ReadClass::Unaligned(id);
        }
        match (
            self.orders.resolve(self.read(id, level)),
            self.graph.uses[id].stencil,
        ) {
            (Resolved::Order(FIRST_LABEL..), Some(class)) => ReadClass::Stencil(class),
            (Resolved::Order(order), _) => ReadClass::Order(order),
            (Resolved::Free(class), _) => ReadClass::Free(class),
        }
    }

    /// Whether two uses of one array share their read, if their readers are
    /// together, in the levels up to one (from 1).
    pub fn read_alike(&self, one: UseId, other: UseId, level: usize) -> bool {
        (1..=level).all(|level| self.read_class(one, level) == self.read_class(other, level))
    }

    /// The state to go back to with [`rewind`](Self::rewind).
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint(self.trail.len())
    }

    /// The fusions since a checkpoint.
    pub(crate) fn changes_since(&self, checkpoint: Checkpoint) -> Changes {
        Changes(self.trail[checkpoint.0..].to_vec())
    }

    /// The nodes that changes give another cluster or order; of two clusters that
    /// were joined, only the nodes of the smaller one. To be asked where the
    /// changes have been taken back.
    pub(crate) fn changed_nodes(&self, changes: &Changes) -> BTreeSet<NodeId> {
        let mut nodes = BTreeSet::new();
        for change in &changes.0 {
            match *change {
                Change::Joined { level, child } => nodes.extend(self.members(level, child)),
                Change::Unified { child: class } | Change::Ordered { class } => {
                    let slots = self.orders.slots(class).into_iter();
                    nodes.extend(slots.map(|slot| slot.node));
                }
                Change::Moved { .. } => {}
            }
        }
        nodes
    }

    /// Takes back everything since a checkpoint.
    pub fn rewind(&mut self, checkpoint: Checkpoint) {
        self.tasks.clear();
        self.doubtful.clear();
        while self.trail.len() > checkpoint.0 {
            match self.trail.pop() {
                Some(Change::Joined { level, child }) => {
                    self.levels[level - 1].clusters.split(child);
                }
                Some(Change::Moved {
                    level,
                    cluster,
                    from,
                }) => {
                    self.levels[level - 1].put(cluster, from);
                }
                Some(Change::Unified { child }) => self.orders.classes.split(child),
                Some(Change::Ordered { class }) => self.orders.set(class, None),
                None => {}
            }
        }
    }

    /// Fuses two nodes in the levels up to one (from 1), by a use between them or
    /// by an array that both read. If that is not possible, nothing changes.
    /// Gives whether they are together now.
    ///
    /// Two nodes that have no array in common are fused only if what has to be
    /// fused with them connects them.
    pub fn try_fuse(&mut self, one: NodeId, other: NodeId, level: usize) -> bool {
        if self.together(level, one, other) {
            return true;
        }
        let (first, last) = (one.min(other), one.max(other));
        let uses = |reader| self.graph.uses_by(reader).iter().copied();
        if uses(last).any(|array_use| self.graph.uses[array_use].from == first) {
            return self.attempt(|this| this.join(level, one, other));
        }
        let shared: Vec<(UseId, UseId)> = uses(one)
            .flat_map(|first| uses(other).map(move |second| (first, second)))
            .filter(|&(first, second)| self.graph.uses[first].from == self.graph.uses[second].from)
            .collect();
        for &(first, second) in &shared {
            if self.try_share(first, second, level) {
                return true;
            }
        }
        self.attempt(|this| {
            this.join(level, one, other)?;
            (1..=level).try_for_each(|level| this.check_connected(level, one))
        })
    }

    /// Fuses the readers of two uses of one array in the levels up to one (from
    /// 1), and lets them read it in the same order. If that is not possible,
    /// nothing changes. Gives whether they do so now.
    pub fn try_share(&mut self, one: UseId, other: UseId, level: usize) -> bool {
        let uses = [&self.graph.uses[one], &self.graph.uses[other]];
        let ordered = uses.iter().all(|array_use| {
            self.graph.ordered_levels(array_use) >= level
                && self.graph.nodes[array_use.to].depth >= level
        });
        if !ordered || uses[0].from != uses[1].from {
            return false;
        }
        let readers = (uses[0].to, uses[1].to);
        self.attempt(|this| {
            for level in 1..=level {
                if this.read_class(one, level) != this.read_class(other, level) {
                    this.unify_reads(this.read(one, level), this.read(other, level))?;
                }
            }
            this.join(level, readers.0, readers.1)?;
            // Orders that follow may set the reads apart.
            this.read_alike(one, other, level)
                .then_some(())
                .ok_or(Conflict)
        })
    }

    /// Lets two nodes share a loop of the outermost level, with all that follows from
    /// that, whether or not anything connects them yet. If that is not possible,
    /// nothing changes. Gives whether they are together now.
    pub(crate) fn try_join(&mut self, one: NodeId, other: NodeId) -> bool {
        let checkpoint = self.checkpoint();
        let done = self.join(1, one, other).is_ok();
        self.doubtful.clear();
        if !done {
            self.rewind(checkpoint);
        }
        done
    }

    /// Gives a class of orders that is still free an order that is no gather's.
    pub(crate) fn decide_order(&mut self, class: usize, order: Order) {
        self.orders.set(class, Some(order));
        self.trail.push(Change::Ordered { class });
    }

    /// Gives a node's order at the outermost level, if it is still free, an order that
    /// is no gather's.
    pub(crate) fn decide_order_of(&mut self, node: NodeId, order: Order) {
        let class = self.orders.class(Slot { node, level: 1 });
        if self.orders.of_class(class).is_none() {
            self.decide_order(class, order);
        }
    }

    /// The clustering, with the orders that are still free: backwards where more
    /// reads then agree with others of the cluster, otherwise forwards.
    pub fn finish(&self) -> Clustering {
        let nodes = self.graph.nodes.len();
        let backwards = self.classes_to_reverse();
        let order = |node, level| match self.orders.resolve(Read::As(Slot { node, level })) {
            Resolved::Order(order) => order,
            Resolved::Free(class) if backwards.contains(&class) => BACKWARDS,
            Resolved::Free(_) => FORWARDS,
        };
        let clustering = Clustering {
            clusters: self
                .levels
                .iter()
                .map(|level| (0..nodes).map(|node| level.clusters.find(node)).collect())
                .collect(),
            orders: (0..nodes)
                .map(|node| {
                    (1..=self.graph.levels)
                        .map(|level| order(node, level))
                        .collect()
                })
                .collect(),
        };
        clustering.normalized(self.graph)
    }
}

/// What follows from a fusion.
impl Contraction<'_> {
    fn attempt(&mut self, change: impl FnOnce(&mut Self) -> Result<(), Conflict>) -> bool {
        let checkpoint = self.checkpoint();
        let done = change(self).and_then(|()| self.check_doubtful()).is_ok();
        if !done {
            self.rewind(checkpoint);
        }
        done
    }

    fn join(&mut self, level: usize, one: NodeId, other: NodeId) -> Result<(), Conflict> {
        self.tasks.push(Task::Join { level, one, other });
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Join { level, one, other } => self.join_clusters(level, one, other)?,
                Task::Label { slot, label } => self.use_label(slot, label)?,
            }
        }
        Ok(())
    }

    /// Joins the clusters of two nodes, and those on paths between them.
    fn join_clusters(&mut self, level: usize, one: NodeId, other: NodeId) -> Result<(), Conflict> {
        if level > 1 {
            self.join_clusters(level - 1, one, other)?;
        }
        let (one, other) = (self.cluster(level, one), self.cluster(level, other));
        if one == other {
            return Ok(());
        }
        // Most fusions that fail do so here, before anything is searched.
        self.fuse_uses_between(level, one, other)?;
        let joining = self.levels[level - 1].joining(&self.dependences, one, other);
        let mut joined = self.unite(level, one, other);
        for &next in &joining.between {
            self.fuse_uses_between(level, joined, next)?;
            joined = self.unite(level, joined, next);
        }
        for (cluster, position) in joining.moves {
            self.put(level, cluster, position);
        }
        self.put(level, joined, joining.position);
        Ok(())
    }

    /// Makes two clusters, given by their roots, one, and gives its root.
    fn unite(&mut self, level: usize, one: usize, other: usize) -> usize {
        let clusters = &mut self.levels[level - 1].clusters;
        let child = clusters.union(one, other);
        self.trail.push(Change::Joined { level, child });
        if child == one { other } else { one }
    }

    fn put(&mut self, level: usize, cluster: usize, position: usize) {
        let order = &mut self.levels[level - 1];
        let from = order.put(cluster, position);
        self.trail.push(Change::Moved {
            level,
            cluster,
            from,
        });
    }

    /// Fuses the uses between two clusters, given by their roots.
    fn fuse_uses_between(
        &mut self,
        level: usize,
        one: usize,
        other: usize,
    ) -> Result<(), Conflict> {
        let graph = self.graph;
        for root in [one, other] {
            if graph.is_input(root) || graph.nodes[root].depth < level {
                return Err(Conflict);
            }
        }
        let clusters = &self.levels[level - 1].clusters;
        let (small, large) = if clusters.size(one) <= clusters.size(other) {
            (one, other)
        } else {
            (other, one)
        };
        let mut fused = vec![];
        for node in clusters.members(small) {
            let is_other = |node: NodeId| clusters.find(node) == large;
            if self.apart[node].iter().any(|&node| is_other(node)) {
                return Err(Conflict);
            }
            let given = graph.uses_of(node).iter();
            fused.extend(given.filter(|&&id| is_other(graph.uses[id].to)));
            let read = graph.uses_by(node).iter();
            fused.extend(read.filter(|&&id| is_other(graph.uses[id].from)));
        }
        fused
            .into_iter()
            .try_for_each(|array_use| self.fuse_use(level, array_use))
    }

    fn fuse_use(&mut self, level: usize, id: UseId) -> Result<(), Conflict> {
        let array_use = &self.graph.uses[id];
        if self.graph.fusible_levels(array_use) < level
            || self.is_straddled(level, id, self.graph.levels)
        {
            return Err(Conflict);
        }
        let node = array_use.from;
        self.unify_reads(Read::As(Slot { node, level }), self.read(id, level))
    }

    /// Whether a use is not aligned with its reader's loops at a level, because
    /// of the reader's orders in the levels up to another one.
    fn is_straddled(&self, level: usize, id: UseId, up_to: usize) -> bool {
        let array_use = &self.graph.uses[id];
        let node = array_use.to;
        (1..=up_to).any(|other| {
            let order = self.orders.order(Slot { node, level: other });
            order
                .and_then(|order| self.graph.unaligned_from(array_use, order))
                .is_some_and(|first| level >= first)
        })
    }

    fn read(&self, array_use: UseId, level: usize) -> Read {
        Read::of(self.graph, &self.graph.uses[array_use], level)
    }

    fn unify_reads(&mut self, one: Read, other: Read) -> Result<(), Conflict> {
        match (one, other) {
            (Read::In(one), Read::In(other)) if one == other => Ok(()),
            (Read::In(_), Read::In(_)) => Err(Conflict),
            (Read::As(slot), Read::In(order)) | (Read::In(order), Read::As(slot)) => {
                self.set_order(self.orders.class(slot), order)
            }
            (Read::As(one), Read::As(other)) => self.unify_slots(one, other),
        }
    }

    fn unify_slots(&mut self, one: Slot, other: Slot) -> Result<(), Conflict> {
        let (one, other) = (self.orders.class(one), self.orders.class(other));
        if one == other {
            return Ok(());
        }
        match (self.orders.of_class(one), self.orders.of_class(other)) {
            (Some(order), _) => self.set_order(other, order)?,
            (None, Some(order)) => self.set_order(one, order)?,
            (None, None) => {}
        }
        let child = self.orders.classes.union(one, other);
        self.trail.push(Change::Unified { child });
        Ok(())
    }

    fn set_order(&mut self, class: usize, order: Order) -> Result<(), Conflict> {
        match self.orders.of_class(class) {
            Some(known) if known == order => return Ok(()),
            Some(_) => return Err(Conflict),
            None => self.orders.set(class, Some(order)),
        }
        self.trail.push(Change::Ordered { class });
        if order >= FIRST_LABEL {
            for slot in self.orders.slots(class) {
                self.tasks.push(Task::Label { slot, label: order });
            }
        }
        Ok(())
    }

    /// What follows from computing a node in the order of a gather.
    fn use_label(&mut self, slot: Slot, label: Order) -> Result<(), Conflict> {
        let (graph, node) = (self.graph, slot.node);
        let Some(covered) = self.graph.label_levels().get(&label) else {
            return Err(Conflict);
        };
        let possible = !graph.nodes[node].result
            && !graph.needs_all(node)
            && !graph.uses_of(node).is_empty()
            && covered.contains(&slot.level)
            && covered
                .clone()
                .all(|level| graph.fixed_order(node, level).is_none())
            && *covered.end() <= graph.nodes[node].rank.min(graph.nodes[node].depth);
        let mut straddled = graph.uses_by(node).iter().filter(|&&array_use| {
            graph
                .unaligned_from(&graph.uses[array_use], label)
                .is_some()
        });
        let (start, end) = (*covered.start(), *covered.end().min(&graph.levels));
        if straddled.clone().next().is_some() {
            self.doubtful
                .extend((start..=graph.levels).map(|level| (node, level)));
        }
        let straddled =
            straddled.any(|&array_use| self.together(start, graph.uses[array_use].from, node));
        if !possible || straddled {
            return Err(Conflict);
        }
        for level in start..=end {
            self.set_order(self.orders.class(Slot { node, level }), label)?;
            for &array_use in graph.uses_of(node) {
                self.unify_reads(self.read(array_use, level), Read::In(label))?;
            }
        }
        for &array_use in graph.uses_of(node) {
            let other = graph.uses[array_use].to;
            self.tasks.push(Task::Join {
                level: start,
                one: node,
                other,
            });
        }
        Ok(())
    }

    fn check_doubtful(&mut self) -> Result<(), Conflict> {
        let doubtful = std::mem::take(&mut self.doubtful);
        doubtful
            .into_iter()
            .try_for_each(|(node, level)| self.check_connected(level, node))
    }

    /// Whether uses and reads of one array connect the nodes of a cluster.
    fn check_connected(&self, level: usize, node: NodeId) -> Result<(), Conflict> {
        let mut parts = UnionFind::new(self.graph.nodes.len());
        let mut readers = HashMap::new();
        for reader in self.members(level, node) {
            for &id in self.graph.uses_by(reader) {
                let array_use = &self.graph.uses[id];
                if self.together(level, array_use.from, reader) {
                    parts.union(array_use.from, reader);
                } else if self.graph.ordered_levels(array_use) >= level
                    && self.graph.nodes[reader].depth >= level
                {
                    let orders: Vec<_> = (1..=level)
                        .map(|level| self.read_class(id, level))
                        .collect();
                    let first = *readers.entry((array_use.from, orders)).or_insert(reader);
                    parts.union(first, reader);
                }
            }
        }
        match self
            .members(level, node)
            .all(|other| parts.equiv(node, other))
        {
            true => Ok(()),
            false => Err(Conflict),
        }
    }

    /// The classes without an order in which more reads agree with reads of the
    /// same array in the same cluster if they go backwards.
    fn classes_to_reverse(&self) -> HashSet<usize> {
        if self
            .graph
            .nodes
            .iter()
            .all(|node| node.kind != Kind::ScanRight)
        {
            return HashSet::new();
        }
        let mut balance: HashMap<(NodeId, usize, usize), i64> = HashMap::new();
        let mut free = vec![];
        for (id, array_use) in self.graph.uses.iter().enumerate() {
            for level in 1..=self.graph.ordered_levels(array_use) {
                let place = (array_use.from, level, self.cluster(level, array_use.to));
                match self.orders.resolve(self.read(id, level)) {
                    Resolved::Order(BACKWARDS) => *balance.entry(place).or_default() += 1,
                    Resolved::Order(FORWARDS) => *balance.entry(place).or_default() -= 1,
                    Resolved::Order(_) => {}
                    Resolved::Free(class) => free.push((class, place)),
                }
            }
        }
        let mut votes: HashMap<usize, i64> = HashMap::new();
        for (class, place) in free {
            *votes.entry(class).or_default() += balance.get(&place).copied().unwrap_or(0);
        }
        votes.retain(|_, balance| *balance > 0);
        votes.into_keys().collect()
    }
}

#[cfg(test)]
mod tests;
