//! Random graphs, for tests, and the same graph written otherwise.
//!
//! A graph grows node by node, each reading arrays that are there already, so
//! that it is a graph by construction. Shapes are lists of extents; a read is
//! element-wise where shapes agree, and indexed where they do not. What destroys
//! an array (a scatter) comes after all that reads it.
//!
//! Cost: linear in the number of nodes, but for the choice of what is read.

use std::collections::BTreeMap;

use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::{
    format::FormatError,
    graph::{FIRST_LABEL, Graph, Kind, Node, NodeId, Order, Use},
    json,
    size::Size,
};

/// What random graphs look like. Probabilities are of nodes being of a kind, and
/// of what is said of each; the other nodes are maps.
#[derive(Clone, Debug)]
pub struct RandomOptions {
    /// Nodes that are computed.
    pub combinators: usize,
    /// Arrays that are computed elsewhere.
    pub inputs: usize,
    /// Levels; 1 is flat fusion.
    pub levels: usize,
    /// The greatest rank of an array, if there are several levels.
    pub rank: usize,
    /// The most arrays that a map reads.
    pub density: usize,
    /// Of how many of the last arrays those that a node reads are chosen; two at
    /// least. Otherwise, of all.
    pub window: Option<usize>,
    /// Of a node being a generate.
    pub generates: f64,
    /// Of a node being a fold.
    pub folds: f64,
    /// Of a node being a scan, leftwards or rightwards.
    pub scans: f64,
    /// Of a node being a gather.
    pub gathers: f64,
    /// Of a node being a scatter.
    pub scatters: f64,
    /// Of a node being a filter.
    pub filters: f64,
    /// Of a node being a call.
    pub externals: f64,
    /// Of a use being unfusible.
    pub forces: f64,
    /// Of a read of a map being indexed.
    pub indexed: f64,
    /// Of a node reading one of its arrays in another way too.
    pub repeated: f64,
    /// Of an array being a result although it is used.
    pub results: f64,
    /// Of an unused array being no result.
    pub unused: f64,
    /// Of a use being in a stencil class.
    pub stencils: f64,
    /// Of a map, fold, scan or generate having two results.
    pub tuples: f64,
    /// Of a map, or of a gather of a smaller array than its source, having other
    /// loops than its array has dimensions, if there are several levels.
    pub odd_depths: f64,
    /// Whether there are sizes, which may differ; and widths and work.
    pub sizes: bool,
    /// Pairs that have to be together.
    pub forced: usize,
    /// Pairs that have to be apart.
    pub forbidden: usize,
}

impl Default for RandomOptions {
    fn default() -> Self {
        Self {
            combinators: 6,
            inputs: 2,
            levels: 1,
            rank: 1,
            density: 3,
            window: None,
            generates: 0.05,
            folds: 0.1,
            scans: 0.15,
            gathers: 0.25,
            scatters: 0.08,
            filters: 0.03,
            externals: 0.02,
            forces: 0.05,
            indexed: 0.1,
            repeated: 0.1,
            results: 0.15,
            unused: 0.0,
            stencils: 0.0,
            tuples: 0.0,
            odd_depths: 0.0,
            sizes: false,
            forced: 0,
            forbidden: 0,
        }
    }
}

impl RandomOptions {
    /// Graphs of several levels, with arrays of as many dimensions.
    pub fn ranked(levels: usize) -> Self {
        Self {
            levels,
            rank: levels,
            ..Self::default()
        }
    }

    /// Flat graphs in which nearly everything may be fused with what is near it, so
    /// that fusions stand in each other's way: hard for their size.
    pub fn dense(combinators: usize) -> Self {
        Self {
            combinators,
            inputs: 3,
            window: Some(12),
            generates: 0.0,
            folds: 0.07,
            scans: 0.02,
            gathers: 0.07,
            scatters: 0.0,
            filters: 0.0,
            externals: 0.0,
            forces: 0.0,
            indexed: 0.08,
            repeated: 0.0,
            results: 0.0,
            ..Self::default()
        }
    }
}

/// A random graph; the same for the same seed and options.
///
/// # Panics
///
/// If a graph that is made here is refused, which is a bug.
pub fn random_graph(seed: u64, options: RandomOptions) -> Graph {
    let mut generator = Generator {
        rng: ChaCha8Rng::seed_from_u64(seed),
        options,
        nodes: vec![],
        shapes: vec![],
        uses: vec![],
        before: vec![],
        readable: vec![],
        next_label: FIRST_LABEL,
    };
    for _ in 0..generator.options.inputs.max(1) {
        generator.input();
    }
    for _ in 0..generator.options.combinators {
        generator.combinator();
    }
    generator.choose_results();
    let (forced, forbidden) = generator.wishes();
    let graph = Graph {
        name: format!("random{seed}"),
        levels: generator.options.levels,
        nodes: generator.nodes,
        uses: generator.uses,
        before: generator.before,
        forced,
        forbidden,
        ..Graph::default()
    };
    graph.finish().expect("random graphs are graphs")
}

/// The extents of an array, as numbers of [`EXTENTS`].
type Shape = Vec<usize>;

type Pairs = Vec<(NodeId, NodeId)>;

const EXTENTS: [&str; 4] = ["n", "m", "8", "n*m"];

struct Generator {
    rng: ChaCha8Rng,
    options: RandomOptions,
    nodes: Vec<Node>,
    shapes: Vec<Shape>,
    uses: Vec<Use>,
    before: Pairs,
    /// Arrays that are not destroyed.
    readable: Vec<NodeId>,
    next_label: Order,
}

impl Generator {
    fn is_flat(&self) -> bool {
        self.options.levels == 1
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    fn random_shape(&mut self, least: usize) -> Shape {
        let rank = match self.is_flat() {
            true => 1,
            false => self.rng.random_range(least..=self.options.rank.max(least)),
        };
        (0..rank).map(|_| self.random_extent()).collect()
    }

    fn random_extent(&mut self) -> usize {
        match self.options.sizes {
            true => self.rng.random_range(0..EXTENTS.len()),
            false => 0,
        }
    }

    fn random_array(&mut self) -> NodeId {
        let count = self.readable.len();
        let window = self.options.window.unwrap_or(count).max(2);
        self.readable[self.rng.random_range(count.saturating_sub(window)..count)]
    }

    fn input(&mut self) {
        let shape = self.random_shape(1);
        self.node(Kind::Input, shape, 0, 0);
    }

    /// Adds a node with no uses.
    fn node(&mut self, kind: Kind, shape: Shape, depth: usize, available: usize) -> NodeId {
        let id = self.nodes.len();
        let sizes = |extent: &usize| EXTENTS[*extent].parse().expect("extents are sizes");
        let size: Option<Vec<Size>> = match self.options.sizes {
            true => Some(shape.iter().map(sizes).collect()),
            false => None,
        };
        let varied = self.options.sizes;
        let mut one_of = |numbers: [f64; 3]| match varied {
            true => numbers[self.rng.random_range(0..numbers.len())],
            false => 1.0,
        };
        let (width, work) = (one_of([1.0, 4.0, 8.0]), one_of([1.0, 1.0, 5.0]));
        let prices = self.prices(shape.len());
        let name = format!("{kind:?}{id}").to_lowercase();
        self.nodes.push(Node {
            depth,
            available,
            prices,
            size,
            width,
            work,
            ..Node::new(name, id as u64, kind, shape.len())
        });
        self.shapes.push(shape);
        self.readable.push(id);
        id
    }

    /// Prices that fall by random steps, some of them by nothing.
    fn prices(&mut self, rank: usize) -> Vec<f64> {
        if self.is_flat() {
            return vec![1.0, 0.0];
        }
        let mut prices = vec![0.0];
        for _ in 0..rank {
            let outermost = prices[prices.len() - 1];
            let step = [0.0, 1.0, 10.0, 100.0][self.rng.random_range(0..4)];
            prices.push(outermost + step);
        }
        prices.reverse();
        prices
    }

    fn combinator(&mut self) {
        let options = &self.options;
        let kinds = [
            (Kind::Generate, options.generates),
            (Kind::Fold, options.folds),
            (Kind::ScanLeft, options.scans / 2.0),
            (Kind::ScanRight, options.scans / 2.0),
            (Kind::Gather, options.gathers),
            (Kind::Scatter, options.scatters),
            (Kind::Filter, options.filters),
            (Kind::External, options.externals),
        ];
        let mut drawn: f64 = self.rng.random();
        let kind = kinds.iter().find_map(|&(kind, probability)| {
            drawn -= probability;
            (drawn < 0.0).then_some(kind)
        });
        let array = self.random_array();
        let has_row = !self.shapes[array].is_empty();
        let node = self.nodes.len();
        match kind {
            Some(Kind::Generate) => self.generate(),
            Some(Kind::Fold) if has_row => self.fold(array),
            Some(kind @ (Kind::ScanLeft | Kind::ScanRight)) if has_row => self.scan(kind, array),
            Some(Kind::Filter) if has_row => self.filter(array),
            Some(Kind::Gather) if has_row => self.gather(array),
            Some(Kind::Scatter) if self.readable.len() > 1 => self.scatter(array),
            Some(Kind::External) => self.external(array),
            _ => self.map(array),
        }
        let may_be_tuple = matches!(
            self.nodes[node].kind,
            Kind::Generate | Kind::Map | Kind::Fold | Kind::ScanLeft | Kind::ScanRight
        );
        if may_be_tuple && self.may_chance(self.options.tuples) {
            self.projections(node);
        }
    }

    /// [`chance`](Self::chance) that draws nothing if there is none.
    fn may_chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.chance(probability)
    }

    /// Gives a node two results.
    fn projections(&mut self, tuple: NodeId) {
        let shape = self.shapes[tuple].clone();
        let rank = shape.len();
        if !self.is_flat() {
            self.nodes[tuple].prices.fill(0.0);
        }
        self.readable.retain(|&array| array != tuple);
        for _ in 0..2 {
            let projection = self.node(Kind::Map, shape.clone(), rank, rank);
            self.nodes[projection].work = 1.0;
            self.uses.push(Use {
                inseparable: true,
                ..Use::new(self.uses.len() as u64, tuple, projection, rank)
            });
        }
    }

    fn generate(&mut self) {
        let shape = self.random_shape(1);
        let rank = shape.len();
        let node = self.node(Kind::Generate, shape, rank, rank);
        if self.chance(self.options.indexed) {
            let array = self.another_array(node);
            self.indexed_read(array, node);
        }
    }

    fn map(&mut self, array: NodeId) {
        let mut shape = self.shapes[array].clone();
        if !self.is_flat() && shape.len() < self.options.rank && self.chance(0.2) {
            shape.push(self.random_extent());
        }
        let rank = shape.len();
        let depth = match rank > 0 && self.may_chance(self.options.odd_depths) {
            true => self.rng.random_range(0..rank),
            false => rank,
        };
        let node = self.node(Kind::Map, shape, depth, depth);
        self.read(array, node);
        for _ in 1..self.rng.random_range(1..=self.options.density.max(1)) {
            let other = self.another_array(node);
            match self.chance(self.options.indexed) {
                true => self.indexed_read(other, node),
                false => self.read(other, node),
            }
        }
        self.read_again(node);
    }

    fn fold(&mut self, array: NodeId) {
        let mut shape = self.shapes[array].clone();
        let depth = shape.len();
        if !self.is_flat() {
            shape.pop();
            if self.may_chance(self.options.odd_depths) {
                shape.pop();
            }
        }
        let available = shape.len();
        let node = self.node(Kind::Fold, shape, depth, available);
        self.use_of(array, node, depth, None, false);
        self.read_again(node);
    }

    fn scan(&mut self, kind: Kind, array: NodeId) {
        let shape = self.shapes[array].clone();
        let rank = shape.len();
        let node = self.node(kind, shape, rank, rank);
        self.use_of(array, node, rank, None, true);
        self.read_again(node);
    }

    fn filter(&mut self, array: NodeId) {
        let mut shape = self.shapes[array].clone();
        let rank = shape.len();
        let last = self.random_extent();
        shape[rank - 1] = last;
        let available = match self.is_flat() || self.chance(0.5) {
            true => rank,
            false => rank - 1,
        };
        let node = self.node(Kind::Filter, shape, rank, available);
        self.use_of(array, node, rank, None, true);
    }

    /// Gathers from an array, by an array of indices of a rank as great.
    fn gather(&mut self, source: NodeId) {
        let indices = self.random_array();
        let (of_source, of_indices) = (&self.shapes[source], &self.shapes[indices]);
        let common = common_prefix(of_source, of_indices);
        let (of_source, of_indices) = (of_source.clone(), of_indices.clone());
        let depth = of_source.len().max(of_indices.len());
        let smaller = self.may_chance(self.options.odd_depths);
        let shape = match of_indices.len() >= of_source.len() || smaller {
            true => of_indices,
            false => of_source.clone(),
        };
        let most = common.min(of_source.len() - 1);
        let prefix = match self.is_flat() {
            true => 0,
            false => self.rng.random_range(0..=most),
        };
        let label = self.next_label;
        self.next_label += 1;
        let rank = shape.len();
        let node = self.node(Kind::Gather, shape, depth, rank);
        self.read(indices, node);
        self.use_of(source, node, prefix, Some(label), false);
        self.read_again(node);
    }

    /// A scatter of an array into another, which nobody reads afterwards.
    fn scatter(&mut self, source: NodeId) {
        let destination = self.another_array(source);
        let (of_source, of_destination) = (&self.shapes[source], &self.shapes[destination]);
        let rank = of_source.len();
        let common = common_prefix(of_source, of_destination);
        let inner = rank.min(of_destination.len());
        let depth = rank.max(of_destination.len());
        let available = match self.is_flat() {
            true => 1,
            false => common.min(inner.saturating_sub(1)),
        };
        let shape = of_destination.clone();
        let readers = self.uses.iter().filter(|found| found.from == destination);
        let mut readers: Vec<NodeId> = readers.map(|found| found.to).collect();
        readers.dedup();
        let node = self.node(Kind::Scatter, shape, depth, available);
        self.use_of(source, node, rank, None, false);
        self.unordered_use(destination, node);
        let pairs = readers.into_iter().map(|reader| (reader, node));
        self.before.extend(pairs);
        self.readable.retain(|&array| array != destination);
    }

    fn external(&mut self, array: NodeId) {
        let shape = self.shapes[array].clone();
        let rank = shape.len();
        let available = usize::from(self.is_flat());
        let node = self.node(Kind::External, shape, rank, available);
        self.unordered_use(array, node);
    }

    /// Any array but one.
    fn another_array(&mut self, one: NodeId) -> NodeId {
        loop {
            let array = self.random_array();
            if array != one {
                return array;
            }
        }
    }

    /// An element-wise read, as far as shapes allow it.
    fn read(&mut self, array: NodeId, reader: NodeId) {
        let common = self.common_loops(array, reader);
        self.use_of(array, reader, common, None, false);
    }

    /// A read of elements of which less is known than shapes allow.
    fn indexed_read(&mut self, array: NodeId, reader: NodeId) {
        let common = self.common_loops(array, reader);
        let prefix = match self.is_flat() {
            true => 0,
            false => self.rng.random_range(0..=common),
        };
        self.use_of(array, reader, prefix, None, false);
    }

    /// In how many loops of a reader the extents are those of an array.
    fn common_loops(&self, array: NodeId, reader: NodeId) -> usize {
        let common = common_prefix(&self.shapes[array], &self.shapes[reader]);
        common.min(self.nodes[reader].depth)
    }

    fn read_again(&mut self, reader: NodeId) {
        if self.chance(self.options.repeated) {
            let uses = self.uses.iter().filter(|found| found.to == reader);
            let read: Vec<NodeId> = uses.map(|found| found.from).collect();
            let array = read[self.rng.random_range(0..read.len())];
            match self.chance(0.5) {
                true => self.read(array, reader),
                false => self.indexed_read(array, reader),
            }
        }
    }

    fn unordered_use(&mut self, from: NodeId, to: NodeId) {
        self.uses.push(Use {
            fusible: false,
            ..Use::new(self.uses.len() as u64, from, to, 0)
        });
    }

    fn use_of(
        &mut self,
        from: NodeId,
        to: NodeId,
        prefix: usize,
        label: Option<Order>,
        scan: bool,
    ) {
        let complete = match self.nodes[from].kind {
            Kind::Scatter | Kind::External => false,
            Kind::Filter => self.chance(0.5),
            _ => true,
        };
        let fusible = self.nodes[from].kind != Kind::Input
            && !self.chance(self.options.forces)
            && (!self.is_flat() || complete && (prefix > 0 || label.is_some()));
        let stencil = self.chance(self.options.stencils);
        self.uses.push(Use {
            label,
            scan,
            fusible,
            stencil: stencil.then_some(1),
            ..Use::new(self.uses.len() as u64, from, to, prefix)
        });
    }

    fn choose_results(&mut self) {
        for node in 0..self.nodes.len() {
            let unused = self.uses.iter().all(|found| found.from != node);
            let result = match unused {
                true => !self.chance(self.options.unused),
                false => self.chance(self.options.results),
            };
            let computed = self.nodes[node].kind != Kind::Input;
            self.nodes[node].result = result && computed && self.readable.contains(&node);
        }
    }

    /// Forced pairs are ends of a use that may be fused, or of two; forbidden ones
    /// are any.
    fn wishes(&mut self) -> (Pairs, Pairs) {
        let fusible = self.uses.iter().filter(|found| found.fusible);
        let mut forced: Pairs = fusible.map(|found| (found.from, found.to)).collect();
        for (one, middle) in forced.clone() {
            let onwards = forced.iter().filter(|(from, _)| *from == middle);
            let pairs: Pairs = onwards.map(|&(_, other)| (one, other)).collect();
            forced.extend(pairs);
        }
        forced.shuffle(&mut self.rng);
        forced.truncate(self.options.forced);
        let inputs = self.options.inputs.max(1);
        let combinators = inputs..self.nodes.len();
        let mut forbidden = vec![];
        for _ in 0..self.options.forbidden {
            let mut draw = || self.rng.random_range(combinators.clone());
            let (one, other) = (draw(), draw());
            let pairs = [(one, other), (other, one)];
            if one != other && !pairs.iter().any(|pair| forced.contains(pair)) {
                forbidden.push((one, other));
            }
        }
        (forced, forbidden)
    }
}

fn common_prefix(one: &Shape, other: &Shape) -> usize {
    let equal = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other);
    equal.count()
}

/// The same graph with other ids and labels, its nodes and uses in another
/// order, as if it had been written by somebody else. Names stay.
///
/// # Errors
///
/// If the graph cannot be read back from JSON: it is none.
pub fn permuted(graph: &Graph, seed: u64) -> Result<Graph, FormatError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut file: Value = json::read(&graph.to_json())?;
    let ids: Vec<u64> = graph.nodes.iter().map(|node| node.external_id).collect();
    let ids = renaming(ids, 0, &mut rng);
    let labels = renaming(labels(graph), u64::from(FIRST_LABEL), &mut rng);
    for list in ["nodes", "edges", "results", "before", "forced", "forbidden"] {
        let Some(entries) = file.get_mut(list).and_then(Value::as_array_mut) else {
            continue;
        };
        entries.shuffle(&mut rng);
        for entry in entries {
            rename(entry, &ids, &labels);
        }
    }
    Graph::from_json(&file.to_string())
}

fn labels(graph: &Graph) -> Vec<u64> {
    let labels = graph.uses.iter().filter_map(|found| found.label);
    let mut labels: Vec<u64> = labels.map(u64::from).collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

/// Other numbers for numbers, from a least one on.
fn renaming(old: Vec<u64>, least: u64, rng: &mut ChaCha8Rng) -> BTreeMap<u64, u64> {
    let mut new: Vec<u64> = (least..).take(old.len()).collect();
    new.shuffle(rng);
    old.into_iter().zip(new).collect()
}

/// Renames what is a number in an entry of a list: an id, a pair of ids, or the
/// fields of a node or use.
fn rename(entry: &mut Value, ids: &BTreeMap<u64, u64>, labels: &BTreeMap<u64, u64>) {
    let replace = |value: &mut Value, names: &BTreeMap<u64, u64>| {
        let new = value.as_u64().and_then(|old| names.get(&old));
        if let Some(&new) = new {
            *value = new.into();
        }
    };
    match entry {
        Value::Array(pair) => pair.iter_mut().for_each(|id| replace(id, ids)),
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match name.as_str() {
                    "id" | "from" | "to" => replace(value, ids),
                    "label" => replace(value, labels),
                    _ => {}
                }
            }
        }
        other => replace(other, ids),
    }
}
