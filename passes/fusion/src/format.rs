//! Graphs as JSON; docs/src/fusion-graphs.md describes the format.
//!
//! Phases of reading: parse; check every field by itself; number the nodes
//! (module `numbering`); check what holds between fields (module `consistency`). A file with `levels` is
//! a ranked graph, whose uses have a `prefix`; one without is flat, and its uses
//! have a `role`.
//!
//! Cost: linear in the size of the file, but for sorting.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    amount::Amount,
    consistency,
    graph::{Graph, Kind, Node, NodeId, Order, Traversal, Use},
    json::{self, JsonError},
    numbering::{self, Numbering},
    size::{Size, SizeError},
};

/// Why a file is no graph: always the file's fault.
#[derive(Debug, Error)]
pub enum FormatError {
    /// It is not JSON, or has other fields.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// It is too large.
    #[error("{what} has {count} entries; {most} are the most")]
    TooLarge {
        /// The list.
        what: &'static str,
        /// Its length.
        count: usize,
        /// The limit.
        most: usize,
    },
    /// A size is not one.
    #[error("node {node}: {error}")]
    Size {
        /// The node's id.
        node: u64,
        /// Why.
        error: SizeError,
    },
    /// A node or use is wrong by itself, or together with others.
    #[error("{place}: {problem}")]
    Inconsistent {
        /// Which node or use.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Nodes depend on themselves.
    #[error("the graph has a cycle: {}", .0.iter().map(u64::to_string).collect::<Vec<_>>().join(" → "))]
    Cycle(
        /// Ids of nodes, each used by the next, the last the same as the first.
        Vec<u64>,
    ),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileGraph {
    #[serde(default)]
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    combinators: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    levels: Option<usize>,
    nodes: Vec<FileNode>,
    edges: Vec<FileUse>,
    #[serde(default)]
    results: Vec<u64>,
    #[serde(default)]
    before: Vec<(u64, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    forced: Vec<(u64, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    forbidden: Vec<(u64, u64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    optimum: Option<FileOptimum>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum FileOptimum {
    Prices(f64),
    ByCost(BTreeMap<String, f64>),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FileKind {
    Input,
    Generate,
    Map,
    Fold,
    Scanl,
    Scanr,
    Gather,
    Scatter,
    Filter,
    External,
}

const KINDS: [(FileKind, Kind); 10] = [
    (FileKind::Input, Kind::Input),
    (FileKind::Generate, Kind::Generate),
    (FileKind::Map, Kind::Map),
    (FileKind::Fold, Kind::Fold),
    (FileKind::Scanl, Kind::ScanLeft),
    (FileKind::Scanr, Kind::ScanRight),
    (FileKind::Gather, Kind::Gather),
    (FileKind::Scatter, Kind::Scatter),
    (FileKind::Filter, Kind::Filter),
    (FileKind::External, Kind::External),
];

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FileTraversal {
    #[default]
    Any,
    Whole,
    Forwards,
}

impl FileTraversal {
    fn is_any(&self) -> bool {
        *self == Self::Any
    }
}

impl From<Traversal> for FileTraversal {
    fn from(traversal: Traversal) -> Self {
        match traversal {
            Traversal::Any => Self::Any,
            Traversal::Whole => Self::Whole,
            Traversal::Forwards => Self::Forwards,
        }
    }
}

impl From<FileTraversal> for Traversal {
    fn from(traversal: FileTraversal) -> Self {
        match traversal {
            FileTraversal::Any => Self::Any,
            FileTraversal::Whole => Self::Whole,
            FileTraversal::Forwards => Self::Forwards,
        }
    }
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileNode {
    id: u64,
    kind: FileKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<Order>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rank: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    available: Option<usize>,
    #[serde(default, skip_serializing_if = "FileTraversal::is_any")]
    traversal: FileTraversal,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ordered_reduction: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prices: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    width: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    work: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    op: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    check: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Role {
    Element,
    Source,
    Scan,
    ScatterSource,
    Random,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileUse {
    from: u64,
    to: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prefix: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<Order>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    scan: bool,
    fusible: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    inseparable: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stencil: Option<u64>,
}

pub(crate) fn inconsistent(place: impl Into<String>, problem: impl Into<String>) -> FormatError {
    FormatError::Inconsistent {
        place: place.into(),
        problem: problem.into(),
    }
}

impl Graph {
    /// Reads a graph.
    ///
    /// # Errors
    ///
    /// If the text is not a graph; the message says where and why.
    pub fn from_json(text: &str) -> Result<Self, FormatError> {
        let file: FileGraph = json::read(text)?;
        consistency::check_lengths([
            ("nodes", file.nodes.len()),
            ("edges", file.edges.len()),
            ("before", file.before.len()),
            ("forced", file.forced.len()),
            ("forbidden", file.forbidden.len()),
        ])?;
        let levels = file.levels.unwrap_or(1);
        let positions = positions(&file.nodes)?;
        let flat = file.levels.is_none();
        let nodes = file
            .nodes
            .iter()
            .map(|node| read_node(node, flat))
            .collect::<Result<_, _>>()?;
        let mut graph = Graph {
            name: file.name,
            levels,
            nodes,
            optimum: read_optima(file.optimum)?,
            ..Graph::default()
        };
        let find = |place: &str, id: u64| match positions.get(&id) {
            Some(&node) => Ok(node),
            None => Err(inconsistent(place, format!("there is no node {id}"))),
        };
        for (position, array_use) in file.edges.iter().enumerate() {
            let place = place_of_use(array_use);
            let ends = (find(&place, array_use.from)?, find(&place, array_use.to)?);
            let label = file.nodes[ends.1].label;
            let array_use = read_use(array_use, ends, label, flat)?;
            graph.uses.push(Use {
                external_id: position as u64,
                ..array_use
            });
        }
        for &id in &file.results {
            let node = find("results", id)?;
            graph.nodes[node].result = true;
        }
        let pairs = |what: &str, pairs: &[(u64, u64)]| {
            pairs
                .iter()
                .map(|&(first, second)| {
                    let place = format!("{what} [{first}, {second}]");
                    Ok((find(&place, first)?, find(&place, second)?))
                })
                .collect::<Result<Vec<_>, FormatError>>()
        };
        graph.before = pairs("before", &file.before)?;
        graph.forced = pairs("forced", &file.forced)?;
        graph.forbidden = pairs("forbidden", &file.forbidden)?;
        graph.finish()
    }

    /// Numbers the nodes, and checks that the graph is consistent.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn finish(self) -> Result<Self, FormatError> {
        Ok(self.finish_numbered()?.0)
    }

    /// [`finish`](Self::finish), and what the numbers of nodes and uses have become.
    pub(crate) fn finish_numbered(self) -> Result<(Self, Numbering), FormatError> {
        consistency::check_ends(&self)?;
        let (mut graph, numbering) = numbering::numbered(self)?;
        graph.index_uses();
        consistency::check(&graph)?;
        Ok((graph, numbering))
    }

    /// Whether all arrays have one dimension, and cost the same: the flat format says all
    /// that there is.
    pub fn is_flat(&self) -> bool {
        self.levels == 1 && self.nodes.iter().all(is_flat)
    }

    /// The graph as JSON, in the ranked format if it has several levels or
    /// otherwise cannot be said in the flat one.
    pub fn to_json(&self) -> String {
        let flat = self.is_flat();
        let id = |node: NodeId| self.nodes[node].external_id;
        let pairs = |pairs: &[(NodeId, NodeId)]| {
            pairs
                .iter()
                .map(|&(first, second)| (id(first), id(second)))
                .collect()
        };
        let file = FileGraph {
            name: self.name.clone(),
            combinators: Some(self.combinators()),
            levels: (!flat).then_some(self.levels),
            nodes: self
                .nodes
                .iter()
                .enumerate()
                .map(|(node, _)| self.file_node(node, flat))
                .collect(),
            edges: self
                .uses
                .iter()
                .map(|array_use| self.file_use(array_use, flat))
                .collect(),
            results: self
                .nodes
                .iter()
                .filter(|node| node.result)
                .map(|node| node.external_id)
                .collect(),
            before: pairs(&self.before),
            forced: pairs(&self.forced),
            forbidden: pairs(&self.forbidden),
            optimum: (!self.optimum.is_empty()).then(|| {
                let optima = self.optimum.iter();
                let optima = optima.map(|(cost, optimum)| (cost.clone(), optimum.to_f64()));
                FileOptimum::ByCost(optima.collect())
            }),
        };
        serde_json::to_string_pretty(&file).expect("a graph has only strings as keys")
    }

    fn file_node(&self, position: NodeId, flat: bool) -> FileNode {
        let node = &self.nodes[position];
        let kind = KINDS.iter().find(|(_, kind)| *kind == node.kind);
        let label = self
            .uses_by(position)
            .iter()
            .find_map(|&array_use| self.uses[array_use].label);
        FileNode {
            id: node.external_id,
            kind: kind.map_or(FileKind::External, |(kind, _)| *kind),
            name: Some(node.name.clone()),
            label: label.filter(|_| flat),
            rank: (!flat).then_some(node.rank),
            depth: (!flat).then_some(node.depth),
            available: (!flat).then_some(node.available),
            traversal: node.traversal.into(),
            ordered_reduction: node.ordered_reduction,
            prices: (!flat).then(|| node.prices.clone()),
            size: node
                .size
                .as_ref()
                .map(|sizes| sizes.iter().map(Size::to_string).collect()),
            width: (node.width != 1.0).then_some(node.width),
            work: (node.work != 1.0).then_some(node.work),
            location: node.location.clone(),
            op: node.op.clone(),
            check: node.check,
        }
    }

    fn file_use(&self, array_use: &Use, flat: bool) -> FileUse {
        let role = match (array_use.label, array_use.scan, array_use.prefix) {
            (Some(_), _, _) => Role::Source,
            (None, true, _) => Role::Scan,
            (None, false, 0) => Role::Random,
            _ if self.nodes[array_use.to].kind == Kind::Scatter => Role::ScatterSource,
            _ => Role::Element,
        };
        FileUse {
            from: self.nodes[array_use.from].external_id,
            to: self.nodes[array_use.to].external_id,
            role: flat.then_some(role),
            prefix: (!flat).then_some(array_use.prefix),
            label: array_use.label.filter(|_| !flat),
            scan: array_use.scan && !flat,
            fusible: array_use.fusible,
            inseparable: array_use.inseparable,
            stencil: array_use.stencil,
        }
    }
}

fn read_optima(optima: Option<FileOptimum>) -> Result<BTreeMap<String, Amount>, FormatError> {
    let optima = match optima {
        None => BTreeMap::new(),
        Some(FileOptimum::Prices(optimum)) => [("prices".to_owned(), optimum)].into(),
        Some(FileOptimum::ByCost(optima)) => optima,
    };
    let read = |(cost, optimum): (String, f64)| match Amount::of(optimum) {
        Some(amount) => Ok((cost, amount)),
        None => Err(inconsistent(
            "optimum",
            format!("{optimum} is too large, or has more than six digits after the point"),
        )),
    };
    optima.into_iter().map(read).collect()
}

fn is_flat(node: &Node) -> bool {
    let inner = usize::from(node.kind != Kind::Input);
    node.rank == 1 && node.depth == inner && node.available == inner && node.prices == [1.0, 0.0]
}

fn positions(nodes: &[FileNode]) -> Result<HashMap<u64, NodeId>, FormatError> {
    let mut positions = HashMap::with_capacity(nodes.len());
    for (position, node) in nodes.iter().enumerate() {
        if positions.insert(node.id, position).is_some() {
            return Err(inconsistent(
                format!("node {}", node.id),
                "two nodes have this id",
            ));
        }
    }
    Ok(positions)
}

fn place_of_use(array_use: &FileUse) -> String {
    format!("edge from {} to {}", array_use.from, array_use.to)
}

fn read_node(file: &FileNode, flat: bool) -> Result<Node, FormatError> {
    let place = format!("node {}", file.id);
    let error = |problem: &str| inconsistent(place.clone(), problem);
    let kind = KINDS
        .iter()
        .find(|(kind, _)| *kind as u8 == file.kind as u8)
        .map_or(Kind::External, |(_, kind)| *kind);
    let ranked = file.rank.is_some() || file.depth.is_some() || file.available.is_some();
    if flat && (ranked || file.prices.is_some()) {
        return Err(error(
            "'rank', 'depth', 'available' and 'prices' belong to a graph with 'levels'",
        ));
    }
    let inner = usize::from(kind != Kind::Input);
    let (rank, depth, available) = if flat {
        (1, inner, inner)
    } else {
        match (file.rank, file.depth, file.available) {
            (Some(rank), Some(depth), Some(available)) => (rank, depth, available),
            _ => {
                return Err(error(
                    "a graph with 'levels' needs 'rank', 'depth', 'available'",
                ));
            }
        }
    };
    consistency::check_dimensions(rank, depth).map_err(|problem| error(&problem))?;
    let size = match &file.size {
        None => None,
        Some(sizes) => Some(
            sizes
                .iter()
                .map(|size| size.parse())
                .collect::<Result<Vec<Size>, _>>()
                .map_err(|error| FormatError::Size {
                    node: file.id,
                    error,
                })?,
        ),
    };
    let name = file.name.clone().unwrap_or_else(|| file.id.to_string());
    let node = Node::new(name, file.id, kind, rank);
    Ok(Node {
        depth,
        available,
        traversal: file.traversal.into(),
        ordered_reduction: file.ordered_reduction,
        prices: file.prices.clone().unwrap_or(node.prices),
        size,
        width: file.width.unwrap_or(1.0),
        work: file.work.unwrap_or(1.0),
        location: file.location.clone(),
        op: file.op.clone(),
        check: file.check,
        ..node
    })
}

fn read_use(
    file: &FileUse,
    (from, to): (NodeId, NodeId),
    label_of_reader: Option<Order>,
    flat: bool,
) -> Result<Use, FormatError> {
    let error = |problem: &str| inconsistent(place_of_use(file), problem);
    let (prefix, label, scan) = match (flat, file.role, file.prefix) {
        (true, Some(role), None) => match role {
            Role::Element | Role::ScatterSource => (1, None, false),
            Role::Scan => (1, None, true),
            Role::Random => (0, None, false),
            Role::Source => match label_of_reader {
                Some(label) => (0, Some(label), false),
                None => return Err(error("'source' needs a reader with a 'label'")),
            },
        },
        (false, None, Some(prefix)) => (prefix, file.label, file.scan),
        (true, _, _) => {
            return Err(error(
                "a graph without 'levels' needs a 'role' and no 'prefix'",
            ));
        }
        (false, _, _) => {
            return Err(error(
                "a graph with 'levels' needs a 'prefix' and no 'role'",
            ));
        }
    };
    if flat && (file.label.is_some() || file.scan) {
        return Err(error(
            "'label' and 'scan' of an edge belong to a graph with 'levels'",
        ));
    }
    Ok(Use {
        label,
        scan,
        fusible: file.fusible,
        inseparable: file.inseparable,
        stencil: file.stencil,
        ..Use::new(0, from, to, prefix)
    })
}
