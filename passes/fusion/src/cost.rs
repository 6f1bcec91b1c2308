//! Costs of clusterings: named costs, weighted sums of them, and what they say of
//! a graph.
//!
//! | name | cost | source |
//! |---|---|---|
//! | `clusters` | loops | P-gather (a) |
//! | `edges` | uses that are not fused | P-gather (b) |
//! | `manifest`, `writes` | arrays that are stored | P-gather (c) |
//! | `reads` | arrays read, once for each cluster and order | P-gather (d) |
//! | `reads+writes` | their sum | P-gather (e) |
//! | `ext-bytes` | the same, in bytes | P-wsp, Definition 13 |
//! | `max-contract` | arrays that are not contracted | P-wsp, Definition 19 |
//! | `max-locality` | pairs of accesses of one array in two clusters | P-wsp, Definition 20 |
//! | `robinson` | `clusters + N max-contract + N² max-locality` | P-wsp, Definition 21 |
//! | `filter-weights` | `clusters + N manifest + N²` pairs that could share an access and do not | P-filter, objective |
//! | `prices` | stored and read arrays, at the prices of the graph's levels | docs/src/fusion-model.md, "Depth" |
//!
//! A cost is a sum such as `2*reads+writes+0.1*clusters`. All but `prices` look
//! at the outermost level only. Nothing is paid for the arrays of tuples.
//!
//! P-filter's order of benefits is kept by `filter-weights`: there are at most N
//! loops and N stored arrays, so that no loops outweigh an array, and no arrays a
//! pair. Its formula has the weight 1 for each pair of nodes that share nothing and
//! are not fused, where we have it for each loop. That is not the same: of two loops
//! of five nodes, 4 and 1 are then better than 3 and 2. There may be more than N such
//! pairs, so that the formula does not keep the order that the text asks for; and
//! nodes that share nothing are in one loop here only if others connect them.
//!
//! Reads of one stencil class count once. Whoever does not want that asks
//! [`Graph::without_stencils`].
//!
//! Recomputation: a node that is computed in the order of a gather is computed
//! once for each element that the gather gives. Where sizes are given, and the
//! gather is not known to give at most as many elements as the array has, that
//! is paid for if the node is a fold or more expensive than a cheap map: as many
//! times what writing and reading the array costs as it is computed again, at
//! least twice if that depends on the sizes, times its work. It then does not happen
//! unless the user insists: once is what storing the array costs.

use std::{collections::BTreeMap, fmt, str::FromStr};

use thiserror::Error;

use crate::{
    amount::Amount,
    crowd::{Crowd, count_pairs},
    graph::{Graph, Kind, NodeId, Order, UseId},
    size::Size,
};

/// A named cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the table above")]
pub enum Term {
    Clusters,
    Edges,
    Manifest,
    Reads,
    ExtBytes,
    MaxContract,
    MaxLocality,
    Robinson,
    FilterWeights,
    Prices,
}

/// Every name with its term.
pub const TERMS: &[(&str, Term)] = &[
    ("clusters", Term::Clusters),
    ("edges", Term::Edges),
    ("manifest", Term::Manifest),
    ("writes", Term::Manifest),
    ("reads", Term::Reads),
    ("ext-bytes", Term::ExtBytes),
    ("max-contract", Term::MaxContract),
    ("max-locality", Term::MaxLocality),
    ("robinson", Term::Robinson),
    ("filter-weights", Term::FilterWeights),
    ("prices", Term::Prices),
];

/// A weighted sum of named costs, as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    terms: Vec<(Amount, Term)>,
}

/// Why a text is no cost: the user's fault.
#[derive(Debug, Error, PartialEq)]
pub enum CostError {
    /// There is no such cost.
    #[error("there is no cost '{name}'; there are {}", names())]
    Unknown {
        /// What was written.
        name: String,
    },
    /// A weight is no number, negative, too large or too fine.
    #[error(
        "'{weight}' is no weight: a number of 0 to 1e9 with at most 6 digits after the point is \
         expected, as in 2*reads+writes"
    )]
    Weight {
        /// What was written.
        weight: String,
    },
}

fn names() -> String {
    let names: Vec<&str> = TERMS.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

/// Weights are not greater.
const GREATEST_WEIGHT: f64 = 1e9;

/// Why a cost cannot be computed of a graph: the graph's fault, or that of the values
/// of extents.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum WeightsError {
    /// The size of an array is too large.
    #[error("node {id} ({name}) has the size {size}, which is too large to be counted in bytes")]
    Size {
        /// The node.
        node: NodeId,
        /// Its number in the file.
        id: u64,
        /// Its name.
        name: String,
        /// Its sizes.
        size: String,
    },
    /// What is paid for an array is too much, or too fine.
    #[error(
        "node {id} ({name}) cannot be paid for: {what} is too large, or has more than six digits \
         after the point"
    )]
    Price {
        /// The node.
        node: NodeId,
        /// Its number in the file.
        id: u64,
        /// Its name.
        name: String,
        /// What of it.
        what: String,
    },
    /// The weights are too large together.
    #[error(
        "the costs of the nodes are too large together: their sum is more than {}",
        Amount::MOST
    )]
    Sum,
}

impl WeightsError {
    /// The node at fault, if it is one.
    pub fn node(&self) -> Option<NodeId> {
        match self {
            Self::Size { node, .. } | Self::Price { node, .. } => Some(*node),
            Self::Sum => None,
        }
    }
}

impl FromStr for Cost {
    type Err = CostError;

    fn from_str(text: &str) -> Result<Self, CostError> {
        let terms = text
            .split('+')
            .map(|summand| {
                let (weight, name) = match summand.split_once('*') {
                    Some((weight, name)) => (read_weight(weight.trim())?, name.trim()),
                    None => (read_weight("1")?, summand.trim()),
                };
                let term = TERMS.iter().find(|(known, _)| *known == name);
                match term {
                    Some(&(_, term)) => Ok((weight, term)),
                    None => Err(CostError::Unknown {
                        name: name.to_owned(),
                    }),
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { terms })
    }
}

fn read_weight(text: &str) -> Result<Amount, CostError> {
    let weight = text.parse::<f64>().ok();
    let weight = weight.filter(|weight| (0.0..=GREATEST_WEIGHT).contains(weight));
    weight
        .and_then(Amount::of)
        .ok_or_else(|| CostError::Weight {
            weight: text.to_owned(),
        })
}

impl fmt::Display for Cost {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        for (position, &(weight, term)) in self.terms.iter().enumerate() {
            if position > 0 {
                formatter.write_str("+")?;
            }
            if weight != Amount::ONE {
                write!(formatter, "{weight}*")?;
            }
            let name = TERMS.iter().find(|(_, named)| *named == term);
            formatter.write_str(name.map_or("", |(name, _)| name))?;
        }
        Ok(())
    }
}

/// What else decides what a clustering costs.
#[derive(Clone, Debug, PartialEq)]
pub struct CostOptions {
    /// Whether work that is done again is paid for.
    pub recomputation: bool,
    /// Values of named extents.
    pub extents: BTreeMap<String, u64>,
    /// The value of the other extents.
    pub default_extent: u64,
}

impl Default for CostOptions {
    fn default() -> Self {
        Self {
            recomputation: true,
            extents: BTreeMap::new(),
            default_extent: 1000,
        }
    }
}

/// How two nodes may share an access of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// One uses what the other gives.
    Fused(UseId),
    /// Both read it.
    Shared(UseId, UseId),
}

/// A weight that is paid unless two nodes are in one cluster and connected.
#[derive(Clone, Debug, PartialEq)]
pub struct PairWeight {
    /// The nodes, the lesser number first.
    pub nodes: (NodeId, NodeId),
    /// What is paid.
    pub weight: Amount,
    /// Any of these is enough.
    pub connections: Vec<Connection>,
}

/// A cost as weights of what happens in a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// By array and level (from 0 for level 1): a read in a new cluster or order.
    pub reads: Vec<Vec<Amount>>,
    /// By array and level: not being contracted to this level.
    pub writes: Vec<Vec<Amount>>,
    /// By use: not being fused at the outermost level.
    pub uses: Vec<Amount>,
    /// A cluster of the outermost level.
    pub clusters: Amount,
    /// Pairs that are not connected at the outermost level.
    pub pairs: Vec<PairWeight>,
    /// The same of arrays that have too many such pairs to list them.
    pub crowds: Vec<Crowd>,
    /// By node: being computed in the order of a gather.
    pub recomputation: Vec<BTreeMap<Order, Amount>>,
}

impl Weights {
    /// The weights of a cost on a graph.
    ///
    /// # Errors
    ///
    /// If they are too large to be exact.
    pub fn new(graph: &Graph, cost: &Cost, options: &CostOptions) -> Result<Self, WeightsError> {
        Self::with_most_pairs(graph, cost, options, MOST_PAIRS)
    }

    /// The same, of which each term lists so many pairs at most.
    pub(crate) fn with_most_pairs(
        graph: &Graph,
        cost: &Cost,
        options: &CostOptions,
        most_pairs: usize,
    ) -> Result<Self, WeightsError> {
        let mut weights = Self::nothing(graph);
        for &(weight, term) in &cost.terms {
            weights.add(graph, options, weight, term, most_pairs)?;
            weights.check_sum(graph)?;
        }
        weights.pairs.retain(|pair| !pair.weight.is_zero());
        weights.crowds.retain(|crowd| !crowd.weight.is_zero());
        weights.leave_out_tuples(graph);
        if options.recomputation {
            weights.recomputation = weights.recomputation_prices(graph, options)?;
        }
        weights.check_sum(graph)?;
        Ok(weights)
    }

    /// Everything is free: any legal clustering will do.
    pub fn nothing(graph: &Graph) -> Self {
        let nodes = graph.nodes.len();
        Self {
            reads: vec![vec![Amount::ZERO; graph.levels]; nodes],
            writes: vec![vec![Amount::ZERO; graph.levels]; nodes],
            uses: vec![Amount::ZERO; graph.uses.len()],
            clusters: Amount::ZERO,
            pairs: vec![],
            crowds: vec![],
            recomputation: vec![BTreeMap::new(); nodes],
        }
    }

    /// Refuses weights of which some clustering costs more than can be summed up.
    fn check_sum(&self, graph: &Graph) -> Result<(), WeightsError> {
        let mut most = Amount::ZERO;
        let mut add = |amount: Amount, count: usize| {
            let sum = i128::try_from(count).ok();
            let sum = sum.and_then(|count| amount.millionths().checked_mul(count));
            let sum = sum.and_then(|sum| most.checked_add(Amount::from_millionths(sum)));
            most = sum.map_or(Amount::MOST, |sum| sum.min(Amount::MOST));
        };
        add(self.clusters, graph.nodes.len());
        for (array, reads) in self.reads.iter().enumerate() {
            let readers = graph.uses_of(array).len();
            reads.iter().for_each(|&weight| add(weight, readers));
        }
        let others = self.writes.iter().flatten().chain(&self.uses);
        let again = self.recomputation.iter().flat_map(BTreeMap::values);
        others.chain(again).for_each(|&weight| add(weight, 1));
        self.pairs.iter().for_each(|pair| add(pair.weight, 1));
        let crowds = self.crowds.iter();
        crowds.for_each(|crowd| add(crowd.weight, crowd.pairs));
        match most < Amount::MOST {
            true => Ok(()),
            false => Err(WeightsError::Sum),
        }
    }

    fn all(&self) -> impl Iterator<Item = Amount> {
        let levels = self.reads.iter().chain(&self.writes).flatten();
        let again = self.recomputation.iter().flat_map(BTreeMap::values);
        let pairs = self.pairs.iter().map(|pair| &pair.weight);
        let crowds = self.crowds.iter().map(|crowd| &crowd.weight);
        let all = levels.chain(&self.uses).chain(again).chain(pairs);
        let all = all.chain(crowds);
        all.copied().chain([self.clusters])
    }

    /// The largest amount of which all weights are whole multiples.
    pub fn step(&self) -> Amount {
        match self.all().fold(Amount::ZERO, Amount::common_divisor) {
            Amount::ZERO => Amount::ONE,
            step => step,
        }
    }

    /// The greatest weight.
    pub fn greatest(&self) -> Amount {
        self.all().max().unwrap_or_default()
    }

    /// Frees the arrays that never exist, and what would be paid for reading them.
    fn leave_out_tuples(&mut self, graph: &Graph) {
        for array in (0..graph.nodes.len()).filter(|&array| graph.is_tuple(array)) {
            self.reads[array].fill(Amount::ZERO);
            self.writes[array].fill(Amount::ZERO);
        }
        for (array_use, paid) in graph.uses.iter().zip(&mut self.uses) {
            if array_use.inseparable {
                *paid = Amount::ZERO;
            }
        }
    }

    /// What is paid for reading and writing an array once; for a tuple, its
    /// results.
    fn pass(&self, graph: &Graph, node: NodeId) -> Amount {
        let whole = |node: NodeId| -> Amount {
            let weights = self.reads[node].iter().chain(&self.writes[node]);
            weights.sum()
        };
        let results = graph.uses_of(node).iter();
        match graph.is_tuple(node) {
            true => results.map(|&id| whole(graph.uses[id].to)).sum(),
            false => whole(node),
        }
    }

    fn add(
        &mut self,
        graph: &Graph,
        options: &CostOptions,
        weight: Amount,
        term: Term,
        most_pairs: usize,
    ) -> Result<(), WeightsError> {
        let (arrays, combinators) = (graph.nodes.len(), graph.combinators());
        match term {
            Term::Clusters => self.clusters += weight,
            Term::Edges => self.uses.iter_mut().for_each(|paid| *paid += weight),
            Term::Manifest | Term::MaxContract => self.add_writes(|_| weight),
            Term::Reads => self.add_reads(|_| weight),
            Term::ExtBytes => {
                let bytes = weighted_bytes(graph, options, weight)?;
                self.add_reads(|array| bytes[array]);
                self.add_writes(|array| bytes[array]);
            }
            Term::MaxLocality => self.add_locality(graph, weight, most_pairs),
            Term::Robinson => {
                self.clusters += weight;
                self.add_writes(|_| weight * arrays);
                self.add_locality(graph, weight * arrays * arrays, most_pairs);
            }
            Term::FilterWeights => {
                self.clusters += weight;
                self.add_writes(|_| weight * combinators);
                let traffic = weight * combinators * combinators;
                self.add_traffic(graph, traffic, most_pairs);
            }
            Term::Prices => self.add_prices(graph, weight)?,
        }
        Ok(())
    }

    fn add_reads(&mut self, weight: impl Fn(NodeId) -> Amount) {
        for (array, reads) in self.reads.iter_mut().enumerate() {
            reads[0] += weight(array);
        }
    }

    fn add_writes(&mut self, weight: impl Fn(NodeId) -> Amount) {
        for (array, writes) in self.writes.iter_mut().enumerate() {
            writes[0] += weight(array);
        }
    }

    /// The differences between the prices of neighbouring levels.
    fn add_prices(&mut self, graph: &Graph, weight: Amount) -> Result<(), WeightsError> {
        for (array, node) in graph.nodes.iter().enumerate() {
            let levels = node.rank.min(graph.levels);
            for level in 0..levels {
                let (outer, inner) = (node.prices[level], node.prices[level + 1]);
                let price = Amount::of(outer).zip(Amount::of(inner));
                let price = price.and_then(|(outer, inner)| weight.checked_mul(outer - inner));
                let price = price.filter(|price| *price <= Amount::MOST);
                let price = price.ok_or_else(|| WeightsError::Price {
                    node: array,
                    id: node.external_id,
                    name: node.name.clone(),
                    what: format!("the price {outer} of its array"),
                })?;
                self.reads[array][level] += price;
                self.writes[array][level] += price;
            }
        }
        Ok(())
    }
}

/// What is paid for the bytes of every array at a price for each of them; those whose
/// sizes are not known have one element.
fn weighted_bytes(
    graph: &Graph,
    options: &CostOptions,
    weight: Amount,
) -> Result<Vec<Amount>, WeightsError> {
    let bytes = graph.nodes.iter().enumerate().map(|(number, node)| {
        let count = match &node.size {
            Some(sizes) => elements(sizes, options),
            None => Some(1),
        };
        let width = Amount::of(node.width).ok_or_else(|| WeightsError::Price {
            node: number,
            id: node.external_id,
            name: node.name.clone(),
            what: format!("the width {} of its elements", node.width),
        })?;
        let bytes = count
            .and_then(Amount::whole)
            .and_then(|count| count.checked_mul(width));
        let paid = bytes.and_then(|bytes| bytes.checked_mul(weight));
        let paid = paid.filter(|paid| *paid <= Amount::MOST);
        paid.ok_or_else(|| WeightsError::Size {
            node: number,
            id: node.external_id,
            name: node.name.clone(),
            size: in_words(node.size.as_deref().unwrap_or_default()),
        })
    });
    bytes.collect()
}

fn in_words(sizes: &[Size]) -> String {
    let sizes: Vec<String> = sizes.iter().map(Size::to_string).collect();
    sizes.join(" x ")
}

/// The bytes of every array, rounded; 1 times the width where sizes are not known.
pub(crate) fn bytes_of_arrays(graph: &Graph, options: &CostOptions) -> Vec<f64> {
    let bytes = graph.nodes.iter().map(|node| {
        let count = match &node.size {
            Some(sizes) => rounded_elements(sizes, options),
            None => 1.0,
        };
        count * node.width
    });
    bytes.collect()
}

/// How many elements there are; nothing if they are too many to be counted.
fn elements(sizes: &[Size], options: &CostOptions) -> Option<i128> {
    let mut sizes = sizes
        .iter()
        .map(|size| size.evaluate(&options.extents, options.default_extent));
    sizes.try_fold(1i128, |product, size| product.checked_mul(size?))
}

/// How many elements there are, rounded if they are too many to be counted.
fn rounded_elements(sizes: &[Size], options: &CostOptions) -> f64 {
    elements(sizes, options).map_or_else(
        || {
            let sizes = sizes.iter().map(|size| {
                let size = size.evaluate(&options.extents, options.default_extent);
                size.unwrap_or(i128::MAX) as f64
            });
            sizes.product()
        },
        |count| count as f64,
    )
}

/// The ways in which two nodes may share an access of one array, by nodes.
pub(crate) fn connections(
    graph: &Graph,
    array: NodeId,
) -> BTreeMap<(NodeId, NodeId), Vec<Connection>> {
    let mut result: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let uses = graph.uses_of(array);
    for (position, &one) in uses.iter().enumerate() {
        let reader = graph.uses[one].to;
        if !graph.is_input(array) {
            let found = result.entry((array, reader)).or_default();
            found.push(Connection::Fused(one));
        }
        for &other in &uses[position + 1..] {
            let second = graph.uses[other].to;
            if second != reader {
                let nodes = (reader.min(second), reader.max(second));
                let found = result.entry(nodes).or_default();
                found.push(Connection::Shared(one, other));
            }
        }
    }
    result
}

/// With more, arrays with the most pairs are [`Crowd`]s.
const MOST_PAIRS: usize = 200_000;

/// The arrays of which some pair may be paid for: those of which all pairs can be
/// listed, and those that have too many.
fn arrays_with_pairs(graph: &Graph, most_pairs: usize) -> (Vec<NodeId>, Vec<NodeId>) {
    let mut arrays: Vec<NodeId> = (0..graph.nodes.len())
        .filter(|&array| !graph.is_tuple(array) && !graph.uses_of(array).is_empty())
        .collect();
    arrays.sort_by_key(|&array| count_pairs(graph, array));
    let mut sum = 0usize;
    let few = arrays.iter().take_while(|&&array| {
        sum = sum.saturating_add(count_pairs(graph, array));
        sum <= most_pairs
    });
    let few = few.count();
    let mut crowded = arrays.split_off(few);
    arrays.sort_unstable();
    crowded.sort_unstable();
    (arrays, crowded)
}

impl Weights {
    /// Every array that two nodes access counts twice, once for each of them.
    fn add_locality(&mut self, graph: &Graph, weight: Amount, most_pairs: usize) {
        let weight = weight + weight;
        let (listed, crowded) = arrays_with_pairs(graph, most_pairs);
        let listed = listed.into_iter();
        let pairs = listed.flat_map(|array| connections(graph, array));
        self.pairs
            .extend(pairs.map(|(nodes, connections)| PairWeight {
                nodes,
                weight,
                connections,
            }));
        let crowded = crowded.into_iter();
        self.crowds
            .extend(crowded.map(|array| Crowd::new(graph, vec![array], weight)));
    }

    /// Every pair of nodes that could share an access counts once.
    fn add_traffic(&mut self, graph: &Graph, weight: Amount, most_pairs: usize) {
        let (listed, crowded) = arrays_with_pairs(graph, most_pairs);
        if !crowded.is_empty() {
            let arrays = listed.into_iter().chain(crowded).collect();
            self.crowds.push(Crowd::new(graph, arrays, weight));
            return;
        }
        let mut pairs: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (nodes, found) in listed.iter().flat_map(|&array| connections(graph, array)) {
            pairs.entry(nodes).or_default().extend(found);
        }
        let pairs = pairs.into_iter();
        self.pairs
            .extend(pairs.map(|(nodes, connections)| PairWeight {
                nodes,
                weight,
                connections,
            }));
    }
}

impl Weights {
    /// For every node and gather whose sizes are known: the price of computing
    /// the node once for each element of the gather.
    fn recomputation_prices(
        &self,
        graph: &Graph,
        options: &CostOptions,
    ) -> Result<Vec<BTreeMap<Order, Amount>>, WeightsError> {
        let again = work_again(graph, options);
        let prices = again.into_iter().enumerate().map(|(number, again)| {
            let pass = match self.pass(graph, number) {
                Amount::ZERO => Amount::ONE,
                pass => pass,
            };
            let price = |(label, times): (Order, Amount)| {
                let price = pass
                    .checked_mul(times)
                    .filter(|price| *price <= Amount::MOST);
                let node = &graph.nodes[number];
                let price = price.ok_or_else(|| WeightsError::Price {
                    node: number,
                    id: node.external_id,
                    name: node.name.clone(),
                    what: "computing it again".to_owned(),
                });
                Ok((label, price?))
            };
            again.into_iter().map(price).collect()
        });
        prices.collect()
    }
}

/// A map that costs more than this for an element is not computed again for
/// nothing.
const CHEAP_WORK: f64 = 1.0;

/// Work is not done again more often than this, as far as prices are concerned.
const MOST_TIMES: f64 = 1e6;

/// How often work is done again is counted in so many parts of once.
const PARTS: f64 = 100.0;

/// By node: the gathers, by label, in whose order it may be, as far as its uses say so:
/// all have to read it in that order.
fn gathers_in_order(graph: &Graph) -> Vec<BTreeMap<Order, NodeId>> {
    let mut gathers: Vec<BTreeMap<Order, NodeId>> = vec![BTreeMap::new(); graph.nodes.len()];
    for node in (0..graph.nodes.len()).rev() {
        let mut uses = graph.uses_of(node).iter().map(|&id| &graph.uses[id]);
        let Some(first) = uses.next().filter(|_| !graph.nodes[node].result) else {
            continue;
        };
        let mut common = gathers[first.to].clone();
        common.extend(first.label.map(|label| (label, first.to)));
        for other in uses {
            common.retain(|label, _| {
                other.label == Some(*label) || gathers[other.to].contains_key(label)
            });
        }
        gathers[node] = common;
    }
    gathers
}

/// For every node and gather whose sizes are known: how many times the work of
/// computing the array is done again if that is in the gather's order.
fn work_again(graph: &Graph, options: &CostOptions) -> Vec<BTreeMap<Order, Amount>> {
    let gathers = gathers_in_order(graph);
    graph
        .nodes
        .iter()
        .zip(&gathers)
        .map(|(node, gathers)| {
            let expensive = node.kind == Kind::Fold || node.work > CHEAP_WORK;
            let Some(size) = node.size.as_ref().filter(|_| expensive) else {
                return BTreeMap::new();
            };
            gathers
                .iter()
                .filter_map(|(&label, &gather)| {
                    let given = graph.nodes[gather].size.as_ref()?;
                    if Size::product(given).is_at_most(&Size::product(size)) {
                        return None;
                    }
                    let known = [given, size].into_iter().flatten();
                    let known = known.into_iter().all(|size| size.as_constant().is_some());
                    let least = if known { 0.0 } else { 2.0 };
                    let given = rounded_elements(given, options);
                    let size = rounded_elements(size, options);
                    let times = ((given - size) / size.max(1.0)).max(least);
                    let times = (times * node.work.max(1.0)).min(MOST_TIMES);
                    let times = (times * PARTS).round().max(1.0) / PARTS;
                    Some((label, Amount::of(times)?))
                })
                .collect()
        })
        .collect()
}
