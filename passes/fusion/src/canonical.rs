//! Problems written down so that names, ids and the order of the program do not
//! show: two problems that are written alike are the same.
//!
//! Phases:
//!
//! 1. Colour refinement: a node's colour is a hash of what is said of it and of the
//!    colours around it, again and again, until no more nodes are told apart.
//! 2. Where nodes of one colour are left, one of them gets a colour of its own, and
//!    colours are refined again. If the nodes are alike, it does not matter which.
//!    If they are not, or there are too many of them, the same problem may be
//!    written in two ways.
//! 3. Nodes are numbered by their colours, and everything that decides an answer is
//!    written down with these numbers.
//!
//! Cost: O(E log E) for each round of refinement.

use std::collections::BTreeMap;

use crate::{
    clustering::Clustering,
    cost::{Connection, Weights, bytes_of_arrays},
    graph::{FIRST_LABEL, Graph, NodeId, Order, Use, UseId},
    limits::Limits,
    method::Method,
    programs::{Backend, Formulation},
    stable_hash::hash,
};

/// Refinement ends after looking at so many nodes and arcs.
const MOST_WORK: usize = 20_000_000;

/// A problem without names.
#[derive(Debug)]
pub(crate) struct CanonicalForm {
    /// Everything that decides the answer.
    pub words: Vec<u64>,
    /// How many nodes, uses and weighted pairs there are.
    pub size: usize,
    /// By node: its number.
    node_numbers: Vec<usize>,
    /// By label: its number.
    label_numbers: BTreeMap<Order, Order>,
}

impl CanonicalForm {
    /// The form of a problem.
    pub fn new(graph: &Graph, weights: &Weights, limits: &Limits, method: Method) -> Self {
        let bytes = limits.memory.as_ref().map(|(most, options)| {
            let bytes = bytes_of_arrays(graph, options);
            (*most, bytes)
        });
        let node_words: Vec<Vec<u64>> = (0..graph.nodes.len())
            .map(|node| {
                let mut words = words_of_node(graph, weights, node);
                words.extend(bytes.iter().map(|(_, bytes)| bytes[node].to_bits()));
                words
            })
            .collect();
        let node_numbers = Refinement::new(graph, weights, &node_words).numbers();
        let mut writer = Writer::new(graph, weights, node_numbers);
        writer.method(method);
        writer.option(limits.arguments.map(|most| most as u64));
        writer.option(bytes.map(|(most, _)| most.to_bits()));
        writer.nodes(&node_words);
        writer.uses();
        writer.pairs_of_nodes();
        writer.pair_weights();
        writer.recomputation();
        Self {
            words: writer.words,
            size: graph.nodes.len() + graph.uses.len() + weights.pairs.len(),
            node_numbers: writer.node_numbers,
            label_numbers: writer.label_numbers,
        }
    }

    /// A clustering of the graph, by the numbers of the form.
    pub fn in_numbers(&self, clustering: &Clustering) -> Clustering {
        let clusters = clustering.clusters.iter().map(|level| {
            let mut numbered = vec![0; level.len()];
            for (node, &cluster) in level.iter().enumerate() {
                numbered[self.node_numbers[node]] = cluster;
            }
            numbered
        });
        let mut orders = vec![vec![]; clustering.orders.len()];
        for (node, levels) in clustering.orders.iter().enumerate() {
            let levels = levels.iter().map(|order| match order {
                label @ FIRST_LABEL.. => self.label_numbers[label],
                &order => order,
            });
            orders[self.node_numbers[node]] = levels.collect();
        }
        Clustering {
            clusters: clusters.collect(),
            orders,
        }
    }

    /// A clustering by the numbers of the form, for the graph.
    pub fn in_graph(&self, clustering: &Clustering) -> Clustering {
        let labels = self.label_numbers.iter();
        let labels: BTreeMap<Order, Order> =
            labels.map(|(&label, &number)| (number, label)).collect();
        let numbers = || self.node_numbers.iter().copied();
        let clusters = clustering.clusters.iter();
        let orders = numbers().map(|number| {
            let levels = clustering.orders[number].iter();
            let own = levels.map(|order| labels.get(order).copied().unwrap_or(*order));
            own.collect()
        });
        Clustering {
            clusters: clusters
                .map(|level| numbers().map(|number| level[number]).collect())
                .collect(),
            orders: orders.collect(),
        }
    }
}

/// What decides an answer of a node itself.
fn words_of_node(graph: &Graph, weights: &Weights, id: NodeId) -> Vec<u64> {
    let node = &graph.nodes[id];
    let mut words = vec![
        hash(&node.kind),
        node.rank as u64,
        node.depth as u64,
        u64::from(node.result)
            | u64::from(node.ordered_reduction) << 1
            | (node.traversal as u64) << 2,
    ];
    let levels = weights.reads[id].iter().chain(&weights.writes[id]);
    words.extend(levels.flat_map(|weight| weight.words()));
    words
}

/// What decides an answer of a use itself.
fn words_of_use(graph: &Graph, weights: &Weights, id: UseId) -> [u64; 9] {
    let array_use: &Use = &graph.uses[id];
    let [high, low] = weights.uses[id].words();
    [
        array_use.prefix as u64,
        u64::from(array_use.label.is_some()),
        u64::from(array_use.scan),
        graph.fusible_levels(array_use) as u64,
        u64::from(array_use.inseparable),
        u64::from(array_use.stencil.is_some()),
        high,
        low,
        u64::from(array_use.fusible),
    ]
}

/// The node that reads in the order of a label.
fn readers_of_labels(graph: &Graph) -> BTreeMap<Order, NodeId> {
    let uses = graph.uses.iter();
    uses.filter_map(|array_use| Some((array_use.label?, array_use.to)))
        .collect()
}

/// What is around a node: an arc, with what it says, to another node.
type Arc = (u64, NodeId);

/// Colours of nodes that are refined.
struct Refinement {
    arcs: Vec<Vec<Arc>>,
    /// By class of stencils: its members, each with an arc's meaning.
    stencils: Vec<Vec<Arc>>,
    colours: Vec<u64>,
    /// How many nodes and arcs are looked at in a round.
    effort: usize,
    work: usize,
}

impl Refinement {
    fn new(graph: &Graph, weights: &Weights, node_words: &[Vec<u64>]) -> Self {
        let mut arcs: Vec<Vec<Arc>> = vec![vec![]; graph.nodes.len()];
        let mut connect = |tag: u64, said: u64, from: NodeId, to: NodeId| {
            arcs[from].push((hash(&(tag, said, 0u8)), to));
            arcs[to].push((hash(&(tag, said, 1u8)), from));
        };
        let mut stencils: BTreeMap<u64, Vec<Arc>> = BTreeMap::new();
        for (id, array_use) in graph.uses.iter().enumerate() {
            let said = hash(&words_of_use(graph, weights, id));
            connect(0, said, array_use.from, array_use.to);
            if let Some(class) = array_use.stencil {
                let members = stencils.entry(class).or_default();
                members.push((said, array_use.to));
            }
        }
        for &(first, second) in &graph.before {
            connect(1, 0, first, second);
        }
        for (tag, pairs) in [(2, &graph.forced), (3, &graph.forbidden)] {
            for &(one, other) in pairs {
                arcs_both_ways(&mut connect, tag, 0, one, other);
            }
        }
        for pair in &weights.pairs {
            let (one, other) = pair.nodes;
            arcs_both_ways(&mut connect, 4, hash(&pair.weight), one, other);
        }
        let readers = readers_of_labels(graph);
        for (node, prices) in weights.recomputation.iter().enumerate() {
            for (label, price) in prices {
                connect(5, hash(price), node, readers[label]);
            }
        }
        let stencils: Vec<Vec<Arc>> = stencils.into_values().collect();
        let lists = arcs.iter().chain(&stencils);
        Self {
            effort: lists.map(|list| list.len() + 1).sum(),
            arcs,
            stencils,
            colours: node_words.iter().map(hash).collect(),
            work: 0,
        }
    }

    /// Numbers in the order of the final colours.
    fn numbers(mut self) -> Vec<usize> {
        self.refine();
        while self.work < MOST_WORK
            && let Some(node) = self.first_of_several()
        {
            self.colours[node] = hash(&(self.colours[node], "alone"));
            self.refine();
        }
        let mut order: Vec<NodeId> = (0..self.colours.len()).collect();
        order.sort_by_key(|&node| (self.colours[node], node));
        let mut numbers = vec![0; order.len()];
        for (number, node) in order.into_iter().enumerate() {
            numbers[node] = number;
        }
        numbers
    }

    /// Refines until no more nodes are told apart.
    fn refine(&mut self) {
        let mut distinct = self.count_distinct();
        while self.work < MOST_WORK {
            self.work += self.effort;
            self.refine_once();
            let now = self.count_distinct();
            if now == distinct {
                return;
            }
            distinct = now;
        }
    }

    fn refine_once(&mut self) {
        let around = |arcs: &[Arc]| {
            let arcs = arcs.iter();
            let mut around: Vec<(u64, u64)> = arcs
                .map(|&(said, node)| (said, self.colours[node]))
                .collect();
            around.sort_unstable();
            around
        };
        let mut refined: Vec<u64> = (0..self.colours.len())
            .map(|node| hash(&(self.colours[node], around(&self.arcs[node]))))
            .collect();
        for members in &self.stencils {
            let class = hash(&around(members));
            for &(said, node) in members {
                // A sum, so that the order of a node's classes does not matter.
                refined[node] = refined[node].wrapping_add(hash(&(class, said)));
            }
        }
        self.colours = refined;
    }

    fn count_distinct(&self) -> usize {
        let mut colours = self.colours.clone();
        colours.sort_unstable();
        colours.dedup();
        colours.len()
    }

    /// A node of the least colour that several have.
    fn first_of_several(&self) -> Option<NodeId> {
        let mut colours: Vec<(u64, NodeId)> = self.colours.iter().copied().zip(0..).collect();
        colours.sort_unstable();
        let several = colours.windows(2).find(|pair| pair[0].0 == pair[1].0);
        several.map(|pair| pair[0].1)
    }
}

fn arcs_both_ways(
    connect: &mut impl FnMut(u64, u64, NodeId, NodeId),
    tag: u64,
    said: u64,
    one: NodeId,
    other: NodeId,
) {
    connect(tag, said, one, other);
    connect(tag, said, other, one);
}

/// Writes a problem down.
struct Writer<'a> {
    graph: &'a Graph,
    weights: &'a Weights,
    node_numbers: Vec<usize>,
    use_numbers: Vec<usize>,
    label_numbers: BTreeMap<Order, Order>,
    words: Vec<u64>,
}

impl<'a> Writer<'a> {
    fn new(graph: &'a Graph, weights: &'a Weights, node_numbers: Vec<usize>) -> Self {
        Self {
            words: [&[graph.levels as u64], &weights.clusters.words()[..]].concat(),
            graph,
            weights,
            node_numbers,
            use_numbers: vec![],
            label_numbers: BTreeMap::new(),
        }
    }

    fn option(&mut self, option: Option<u64>) {
        self.words.push(u64::from(option.is_some()));
        self.words.extend(option);
    }

    fn method(&mut self, method: Method) {
        let words = match method {
            Method::Exact => [0, 0, 0],
            Method::Program(formulation, backend) => [
                1,
                match formulation {
                    Formulation::Figure4 => 0,
                    Formulation::Compact => 1,
                },
                match backend {
                    Backend::Highs => 0,
                    Backend::Cbc => 1,
                },
            ],
            Method::Other(algorithm) => [2, hash(&algorithm.to_string()), 0],
        };
        self.words.extend(words);
    }

    fn list(&mut self, mut lists: Vec<Vec<u64>>) {
        lists.sort_unstable();
        self.words.push(lists.len() as u64);
        for list in lists {
            self.words.push(list.len() as u64);
            self.words.extend(list);
        }
    }

    fn nodes(&mut self, node_words: &[Vec<u64>]) {
        let mut order: Vec<NodeId> = (0..node_words.len()).collect();
        order.sort_by_key(|&node| self.node_numbers[node]);
        self.words.push(order.len() as u64);
        for node in order {
            self.words.extend(&node_words[node]);
        }
    }

    /// Uses in the order of the numbers of their ends; labels and stencils are
    /// numbered as they appear.
    fn uses(&mut self) {
        let graph = self.graph;
        let mut order: Vec<([u64; 11], UseId)> = (0..graph.uses.len())
            .map(|id| {
                let array_use = &graph.uses[id];
                let [from, to] =
                    [array_use.from, array_use.to].map(|node| self.node_numbers[node] as u64);
                let own = words_of_use(graph, self.weights, id);
                let mut words = [to; 11];
                words[1] = from;
                words[2..].copy_from_slice(&own);
                (words, id)
            })
            .collect();
        order.sort_unstable();
        self.use_numbers = vec![0; order.len()];
        self.words.push(order.len() as u64);
        let mut stencils = BTreeMap::new();
        for (number, (words, id)) in order.into_iter().enumerate() {
            self.use_numbers[id] = number;
            self.words.extend(words);
            let array_use = &graph.uses[id];
            if let Some(label) = array_use.label {
                let next = FIRST_LABEL + self.label_numbers.len() as Order;
                let number = *self.label_numbers.entry(label).or_insert(next);
                self.words.push(u64::from(number));
            }
            if let Some(class) = array_use.stencil {
                let next = stencils.len() as u64;
                self.words.push(*stencils.entry(class).or_insert(next));
            }
        }
    }

    fn pairs_of_nodes(&mut self) {
        let number = |node: NodeId| self.node_numbers[node] as u64;
        let before = self.graph.before.iter();
        let mut lists = vec![
            before
                .map(|&(first, second)| vec![number(first), number(second)])
                .collect(),
        ];
        for pairs in [&self.graph.forced, &self.graph.forbidden] {
            let sorted = pairs.iter().map(|&(one, other)| {
                let (one, other) = (number(one), number(other));
                vec![one.min(other), one.max(other)]
            });
            lists.push(sorted.collect());
        }
        for list in lists {
            self.list(list);
        }
    }

    fn pair_weights(&mut self) {
        let weights = self.weights;
        let pairs = weights.pairs.iter().map(|pair| {
            let (one, other) = pair.nodes;
            let (one, other) = (self.node_numbers[one], self.node_numbers[other]);
            let mut connections: Vec<[u64; 2]> = pair
                .connections
                .iter()
                .map(|&connection| match connection {
                    Connection::Fused(id) => [self.use_numbers[id] as u64; 2],
                    Connection::Shared(one, other) => {
                        let (one, other) = (self.use_numbers[one], self.use_numbers[other]);
                        [one.min(other) as u64, one.max(other) as u64]
                    }
                })
                .collect();
            connections.sort_unstable();
            let mut words = vec![one.min(other) as u64, one.max(other) as u64];
            words.extend(pair.weight.words());
            words.extend(connections.into_iter().flatten());
            words
        });
        let pairs = pairs.collect();
        self.list(pairs);
    }

    fn recomputation(&mut self) {
        let mut prices = vec![];
        for (node, by_label) in self.weights.recomputation.iter().enumerate() {
            let number = self.node_numbers[node] as u64;
            for (label, price) in by_label {
                let label = u64::from(self.label_numbers[label]);
                let [high, low] = price.words();
                prices.push(vec![number, label, high, low]);
            }
        }
        self.list(prices);
    }
}
