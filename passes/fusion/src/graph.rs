//! The dependence graph of a block of combinators.
//!
//! A node is a combinator and the array it gives; an input is a node that is
//! computed elsewhere. A use is an edge from an array to a combinator that reads
//! it, once for each operand. Nodes are numbered from 0 in an order in which
//! every array is computed before it is used.
//!
//! # Levels
//!
//! A graph has one or more levels, the depths of loops that combinators may
//! share; the outermost is level 1 (docs/src/fusion-model.md, "Depth"). Flat
//! fusion, that of P-gather, is one level: every array has rank 1, and its one
//! loop is shared or not. With several levels, node v has
//!
//! * a rank r(v), the number of its array's dimensions;
//! * a depth d(v), the number of its loops: r(v), or one more for a fold;
//! * an availability av(v): its elements are complete in its outermost av(v)
//!   loops. All for map, fold, scan and gather; none for inputs.
//!
//! A use (a, b) has a prefix p: the p outermost loops of b equal the p leading
//! coordinates of the element of a that is read.
//!
//! # Orders
//!
//! In every level, an array is computed and read in an order (P-gather, 3.1): 0
//! forwards, 1 backwards, or the label of a gather: as that gather reads its
//! source. The label of a use (a, b) says that b is such a gather and this its
//! source; it covers the levels p + 1 … r(a).
//!
//! # Several results
//!
//! A combinator with several results is one node for the combinator, the *tuple*,
//! whose array holds tuples and never exists, and a cheap node for each result, a
//! *projection*. The projections' uses of the tuple are inseparable: they are fused
//! at every level at which they can be.

use std::{collections::BTreeMap, ops::RangeInclusive};

use petgraph::{
    graph::{DiGraph, NodeIndex},
    unionfind::UnionFind,
};

use crate::{amount::Amount, size::Size};

/// The number of a node.
pub type NodeId = usize;

/// The number of a use.
pub type UseId = usize;

/// A traversal order: [`FORWARDS`], [`BACKWARDS`], or the label of a gather.
pub type Order = u32;

/// From the first element to the last.
pub const FORWARDS: Order = 0;

/// From the last element to the first.
pub const BACKWARDS: Order = 1;

/// The least label of a gather.
pub const FIRST_LABEL: Order = 2;

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names of the combinators")]
pub enum Kind {
    Input,
    Generate,
    Map,
    Fold,
    ScanLeft,
    ScanRight,
    Gather,
    Scatter,
    Filter,
    /// A call, or any other op that is not fused.
    External,
}

impl Kind {
    /// The order in which a kind computes the innermost dimension of its array,
    /// if it has no choice.
    pub fn innermost_order(self) -> Option<Order> {
        match self {
            Self::ScanLeft | Self::Filter => Some(FORWARDS),
            Self::ScanRight => Some(BACKWARDS),
            _ => None,
        }
    }
}

/// Which orders the loops of a node may be in, besides what its kind says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Traversal {
    /// Any.
    #[default]
    Any,
    /// No gather's: all its elements have to be computed, because one may fail.
    Whole,
    /// Forwards only: what it does, such as updating an array, has to happen in that
    /// order.
    Forwards,
}

/// A combinator and the array that it gives.
#[derive(Clone, Debug)]
pub struct Node {
    /// What messages and pictures call it.
    pub name: String,
    /// Its number in the file that it comes from.
    pub external_id: u64,
    /// What it does.
    pub kind: Kind,
    /// The number of dimensions of its array: r(v).
    pub rank: usize,
    /// The number of its loops: d(v).
    pub depth: usize,
    /// How many of its outer loops give complete elements: av(v).
    pub available: usize,
    /// Which orders its loops may be in, besides what its kind says.
    pub traversal: Traversal,
    /// Whether the loops in which a fold reduces go forwards, because it combines
    /// elements in their order.
    pub ordered_reduction: bool,
    /// Whether its array is a result of the block.
    pub result: bool,
    /// The prices of its array when it is stored whole, or for one iteration of
    /// the 1, 2, … outermost loops: W(v, 0), W(v, 1), …; the last is 0.
    pub prices: Vec<f64>,
    /// The sizes of its array, if they are known.
    pub size: Option<Vec<Size>>,
    /// The bytes of an element.
    pub width: f64,
    /// What computing an element costs, in units of a cheap map's; a fold counts
    /// the elements that it combines.
    pub work: f64,
    /// Where the program has it, for messages.
    pub location: Option<String>,
    /// What op the program has there, such as `soac.transpose`, for messages.
    pub op: Option<String>,
    /// Whether it is a check that nobody wrote, or what only such checks need: pictures
    /// leave it out.
    pub check: bool,
}

impl Node {
    /// A node whose array has a rank: a loop for each dimension, and one more for a
    /// fold; complete elements in all of the array's loops; a price of 1 in memory;
    /// no sizes, and elements of a byte that are cheap to compute.
    pub fn new(name: impl Into<String>, external_id: u64, kind: Kind, rank: usize) -> Self {
        let (depth, available) = match kind {
            Kind::Input => (0, 0),
            Kind::Fold => (rank + 1, rank),
            _ => (rank, rank),
        };
        let mut prices = vec![0.0; rank + 1];
        if rank > 0 {
            prices[0] = 1.0;
        }
        Self {
            name: name.into(),
            external_id,
            kind,
            rank,
            depth,
            available,
            traversal: Traversal::Any,
            ordered_reduction: false,
            result: false,
            prices,
            size: None,
            width: 1.0,
            work: 1.0,
            location: None,
            op: None,
            check: false,
        }
    }
}

/// A read of an array by a combinator.
#[derive(Clone, Debug)]
pub struct Use {
    /// The array.
    pub from: NodeId,
    /// The combinator that reads it.
    pub to: NodeId,
    /// Its number in the file or program that it comes from.
    pub external_id: u64,
    /// How many outer loops of the reader equal leading coordinates.
    pub prefix: usize,
    /// The label of the gather whose source this is.
    pub label: Option<Order>,
    /// Whether the reader reads the innermost dimension in the order of its
    /// kind.
    pub scan: bool,
    /// Whether producer and consumer may be fused.
    pub fusible: bool,
    /// Whether producer and consumer share every loop that they can share.
    pub inseparable: bool,
    /// The class of reads that differ by constant offsets, if any: they count as
    /// one.
    pub stencil: Option<u64>,
}

impl Use {
    /// A fusible read of elements whose leading coordinates are the reader's
    /// outer loops.
    pub fn new(external_id: u64, from: NodeId, to: NodeId, prefix: usize) -> Self {
        Self {
            from,
            to,
            external_id,
            prefix,
            label: None,
            scan: false,
            fusible: true,
            inseparable: false,
            stencil: None,
        }
    }
}

/// The dependence graph of a block.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// What messages call it.
    pub name: String,
    /// The number of levels; 1 is flat fusion.
    pub levels: usize,
    /// The nodes, in an order in which they can be computed.
    pub nodes: Vec<Node>,
    /// The uses, by reader and then operand.
    pub uses: Vec<Use>,
    /// Pairs of nodes of which the first has to be in an earlier cluster: the
    /// other uses of a scatter's destination (P-gather, constraint 9).
    pub before: Vec<(NodeId, NodeId)>,
    /// Pairs of nodes that have to be in one cluster: the user's wish.
    pub forced: Vec<(NodeId, NodeId)>,
    /// Pairs of nodes that must not be in one cluster: the user's wish.
    pub forbidden: Vec<(NodeId, NodeId)>,
    /// Proven optima, by cost; for tests.
    pub optimum: BTreeMap<String, Amount>,
    pub(crate) uses_of: Vec<Vec<UseId>>,
    pub(crate) uses_by: Vec<Vec<UseId>>,
    pub(crate) label_levels: BTreeMap<Order, RangeInclusive<usize>>,
    /// The gather with each label.
    pub(crate) gathers: BTreeMap<Order, NodeId>,
    /// By node: the first of those that are inseparable from it at the outermost
    /// level.
    pub(crate) units: Vec<NodeId>,
}

impl Graph {
    /// Nodes with their uses, of which nothing else is said; to be [indexed](Self::index_uses) when all is.
    pub fn of(name: String, levels: usize, nodes: Vec<Node>, uses: Vec<Use>) -> Self {
        Self {
            name,
            levels,
            nodes,
            uses,
            ..Self::default()
        }
    }

    /// Sets up what is derived from the nodes and uses.
    pub fn index_uses(&mut self) {
        self.uses_of = vec![vec![]; self.nodes.len()];
        self.uses_by = vec![vec![]; self.nodes.len()];
        for (id, array_use) in self.uses.iter().enumerate() {
            self.uses_of[array_use.from].push(id);
            self.uses_by[array_use.to].push(id);
        }
        let labelled = self.uses.iter().filter_map(|array_use| {
            let rank = self.nodes[array_use.from].rank;
            Some((array_use.label?, array_use.prefix + 1..=rank))
        });
        self.label_levels = labelled.collect();
        let gathers = self.uses.iter();
        self.gathers = gathers
            .filter_map(|array_use| Some((array_use.label?, array_use.to)))
            .collect();
        self.index_units();
    }

    fn index_units(&mut self) {
        let mut units = UnionFind::new(self.nodes.len());
        for array_use in &self.uses {
            if self.inseparable_levels(array_use) > 0 {
                units.union(array_use.from, array_use.to);
            }
        }
        let mut first = BTreeMap::new();
        let labels = units.into_labeling().into_iter().enumerate();
        self.units = labels
            .map(|(node, label)| *first.entry(label).or_insert(node))
            .collect();
    }

    /// The uses of a node's array.
    pub fn uses_of(&self, node: NodeId) -> &[UseId] {
        &self.uses_of[node]
    }

    /// What a node reads.
    pub fn uses_by(&self, node: NodeId) -> &[UseId] {
        &self.uses_by[node]
    }

    /// Whether some reads are of a stencil class.
    pub fn has_stencils(&self) -> bool {
        self.uses
            .iter()
            .any(|array_use| array_use.stencil.is_some())
    }

    /// The graph without stencil classes: reads at constant offsets from each
    /// other are then different reads.
    pub fn without_stencils(&self) -> Self {
        let mut graph = self.clone();
        for array_use in &mut graph.uses {
            array_use.stencil = None;
        }
        graph
    }

    /// Whether a node is computed elsewhere.
    pub fn is_input(&self, node: NodeId) -> bool {
        self.nodes[node].kind == Kind::Input
    }

    /// The number of nodes that are computed here.
    pub fn combinators(&self) -> usize {
        (0..self.nodes.len())
            .filter(|&node| !self.is_input(node))
            .count()
    }

    /// In how many levels a use reads in a known order: all of the array's if it
    /// has a label, otherwise its prefix.
    pub fn ordered_levels(&self, array_use: &Use) -> usize {
        match array_use.label {
            Some(_) => self.nodes[array_use.from].rank,
            None => array_use.prefix,
        }
        .min(self.levels)
    }

    /// In how many levels a use can be fused over: fd of one use.
    pub fn fusible_levels(&self, array_use: &Use) -> usize {
        if !array_use.fusible || !self.sizes_agree(array_use) {
            return 0;
        }
        let (from, to) = (&self.nodes[array_use.from], &self.nodes[array_use.to]);
        self.ordered_levels(array_use)
            .min(from.depth)
            .min(to.depth)
            .min(from.available)
    }

    /// In how many levels a use is fused in every clustering.
    pub fn inseparable_levels(&self, array_use: &Use) -> usize {
        match array_use.inseparable {
            true => self.fusible_levels(array_use),
            false => 0,
        }
    }

    /// The uses that are fused in every clustering, each with the number of levels.
    pub fn inseparable_uses(&self) -> impl Iterator<Item = (&Use, usize)> {
        let uses = self.uses.iter();
        uses.map(|array_use| (array_use, self.inseparable_levels(array_use)))
            .filter(|&(_, levels)| levels > 0)
    }

    /// The first of the nodes that are inseparable from a node at the outermost
    /// level.
    pub fn unit(&self, node: NodeId) -> NodeId {
        self.units[node]
    }

    /// Whether a node stands for a combinator with several results: its array
    /// never exists.
    pub fn is_tuple(&self, node: NodeId) -> bool {
        let uses = self.uses_of(node);
        let inseparable = |id: &UseId| self.uses[*id].inseparable;
        !uses.is_empty() && !self.nodes[node].result && uses.iter().all(inseparable)
    }

    /// The graph with some uses no more inseparable.
    pub(crate) fn with_inseparable(&self, keep: impl Fn(UseId) -> bool) -> Self {
        let mut graph = self.clone();
        for (id, array_use) in graph.uses.iter_mut().enumerate() {
            array_use.inseparable &= keep(id);
        }
        graph.index_units();
        graph
    }

    /// Whether the loops of producer and consumer are as long as far as the sizes
    /// say: a consumer that reads all elements in its own order has the array's
    /// sizes; more, if it uses each element in further loops; and the outer ones of
    /// them, if it is a fold.
    pub fn sizes_agree(&self, array_use: &Use) -> bool {
        let (from, to) = (&self.nodes[array_use.from], &self.nodes[array_use.to]);
        let (Some(read), Some(given)) = (&from.size, &to.size) else {
            return true;
        };
        if array_use.label.is_some() || array_use.prefix < from.rank {
            return true;
        }
        match to.kind {
            Kind::Map if from.rank < to.rank => given.starts_with(read),
            Kind::Map | Kind::ScanLeft | Kind::ScanRight => read == given,
            Kind::Fold => read.len() > given.len() && read.starts_with(given),
            _ => true,
        }
    }

    /// The order in which a node has to compute a level (from 1), if any.
    pub fn fixed_order(&self, node: NodeId, level: usize) -> Option<Order> {
        let node = &self.nodes[node];
        let reduces = node.ordered_reduction && level > node.rank;
        if reduces || node.traversal == Traversal::Forwards {
            Some(FORWARDS)
        } else if level == node.rank {
            node.kind.innermost_order()
        } else {
            None
        }
    }

    /// Whether a node has to compute some level of its array in a certain order.
    pub fn has_fixed_order(&self, node: NodeId) -> bool {
        let node = &self.nodes[node];
        node.traversal == Traversal::Forwards || node.kind.innermost_order().is_some()
    }

    /// Whether a node must not be in the order of a gather, which may leave
    /// elements out.
    pub fn needs_all(&self, node: NodeId) -> bool {
        self.nodes[node].traversal != Traversal::Any
    }

    /// The levels (from 1) that a gather's label covers, by label.
    pub fn label_levels(&self) -> &BTreeMap<Order, RangeInclusive<usize>> {
        &self.label_levels
    }

    /// The gather with a label.
    pub fn gather(&self, label: Order) -> Option<NodeId> {
        self.gathers.get(&label).copied()
    }

    /// The first level (from 1) from which on a use is not aligned with its
    /// reader's loops if the reader has this order: a label that covers more than
    /// the coordinates that are read in the reader's order, but some of them.
    pub fn unaligned_from(&self, array_use: &Use, order: Order) -> Option<usize> {
        let covered = self.label_levels.get(&order)?;
        let straddles = *covered.start() <= array_use.prefix && array_use.prefix < *covered.end();
        straddles.then_some(*covered.start())
    }

    /// The dependences: an edge for every use, and for every pair of `before`,
    /// which has no weight.
    pub fn dependences(&self) -> DiGraph<NodeId, Option<UseId>> {
        let mut graph = DiGraph::with_capacity(self.nodes.len(), self.uses.len());
        for node in 0..self.nodes.len() {
            graph.add_node(node);
        }
        for (id, array_use) in self.uses.iter().enumerate() {
            let (from, to) = (array_use.from, array_use.to);
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), Some(id));
        }
        for &(first, second) in &self.before {
            graph.add_edge(NodeIndex::new(first), NodeIndex::new(second), None);
        }
        graph
    }
}
