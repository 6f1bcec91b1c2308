//! What has to hold in a graph, wherever it comes from.
//!
//! Cost: linear in the size of the graph.

use std::collections::{BTreeMap, HashSet};

use crate::{
    amount::Amount,
    format::{FormatError, inconsistent},
    graph::{FIRST_LABEL, Graph, Kind, Node, NodeId, Traversal, Use},
};

/// A graph with more nodes or uses is refused, so that no file fills the memory.
const MOST_ENTRIES: usize = 1_000_000;

/// A graph with more levels is refused: arrays have few dimensions.
const MOST_LEVELS: usize = 16;

/// Refuses lists that are too long.
pub(crate) fn check_lengths<const N: usize>(
    lists: [(&'static str, usize); N],
) -> Result<(), FormatError> {
    for (what, count) in lists {
        if count > MOST_ENTRIES {
            let most = MOST_ENTRIES;
            return Err(FormatError::TooLarge { what, count, most });
        }
    }
    Ok(())
}

/// Whether uses and pairs are of nodes that exist, in a graph that is not numbered
/// yet.
pub(crate) fn check_ends(graph: &Graph) -> Result<(), FormatError> {
    if graph.levels == 0 || graph.levels > MOST_LEVELS {
        let problem = format!(
            "{} is not a number of levels from 1 to {MOST_LEVELS}",
            graph.levels
        );
        return Err(inconsistent("levels", problem));
    }
    check_lengths([
        ("nodes", graph.nodes.len()),
        ("edges", graph.uses.len()),
        ("before", graph.before.len()),
        ("forced", graph.forced.len()),
        ("forbidden", graph.forbidden.len()),
    ])?;
    let ends = graph.uses.iter();
    check_pairs(graph, "edge", ends.map(|found| (found.from, found.to)))?;
    for (what, pairs) in [
        ("before", &graph.before),
        ("forced", &graph.forced),
        ("forbidden", &graph.forbidden),
    ] {
        check_pairs(graph, what, pairs.iter().copied())?;
        if let Some(&(node, _)) = pairs.iter().find(|(one, other)| one == other) {
            let id = graph.nodes[node].external_id;
            let place = format!("{what} [{id}, {id}]");
            return Err(inconsistent(place, "a node is paired with itself"));
        }
    }
    Ok(())
}

fn check_pairs(
    graph: &Graph,
    what: &str,
    mut pairs: impl Iterator<Item = (NodeId, NodeId)>,
) -> Result<(), FormatError> {
    let count = graph.nodes.len();
    match pairs.find(|&(one, other)| one >= count || other >= count) {
        None => Ok(()),
        Some((one, other)) => Err(inconsistent(
            format!("{what} [{one}, {other}]"),
            format!("there are only {count} nodes, from 0"),
        )),
    }
}

/// Whether the fields of nodes and uses agree with each other, in a graph that is
/// numbered.
pub(crate) fn check(graph: &Graph) -> Result<(), FormatError> {
    for node in &graph.nodes {
        let place = || format!("node {}", node.external_id);
        check_node(node).map_err(|problem| inconsistent(place(), problem))?;
    }
    for array_use in &graph.uses {
        let [from, to] = [array_use.from, array_use.to].map(|node| graph.nodes[node].external_id);
        let place = || format!("edge from {from} to {to}");
        check_use(graph, array_use).map_err(|problem| inconsistent(place(), problem))?;
    }
    check_labels(graph)?;
    check_wishes(graph)
}

/// Refuses more dimensions or loops than there are levels at most, before there is
/// anything for each of them.
pub(crate) fn check_dimensions(rank: usize, depth: usize) -> Result<(), String> {
    match rank.max(depth) <= MOST_LEVELS {
        true => Ok(()),
        false => Err(format!("'rank' and 'depth' are {MOST_LEVELS} at most")),
    }
}

fn check_node(node: &Node) -> Result<(), String> {
    check_dimensions(node.rank, node.depth)?;
    if node.available > node.rank {
        return Err(format!(
            "available {} is more than the rank {}",
            node.available, node.rank
        ));
    }
    if node.traversal == Traversal::Forwards && node.kind == Kind::ScanRight {
        return Err("a 'scanr' goes backwards, and never 'forwards'".to_owned());
    }
    if node.check && (node.kind != Kind::External || node.rank > 0) {
        return Err("a 'check' is 'external', and gives no array: its 'rank' is 0".to_owned());
    }
    for (what, number) in [("width", node.width), ("work", node.work)] {
        if !(number.is_finite() && number > 0.0) {
            return Err(format!("'{what}' is not a positive number"));
        }
    }
    if Amount::of(node.width).is_none() {
        return Err("'width' is too large, or has more than six digits after the point".to_owned());
    }
    let is_price = |price: &f64| price.is_finite() && *price >= 0.0;
    if !node.prices.iter().all(is_price) {
        return Err("'prices' are not all 0 or more".to_owned());
    }
    let price = node
        .prices
        .iter()
        .find(|price| Amount::of(**price).is_none());
    if let Some(price) = price {
        return Err(format!(
            "the price {price} is too large, or has more than six digits after the point"
        ));
    }
    if !node.prices.is_sorted_by(|outer, inner| outer >= inner) || node.prices.last() != Some(&0.0)
    {
        return Err("'prices' have to fall from level to level, to 0".to_owned());
    }
    if node.prices.len() != node.rank + 1 {
        return Err(format!(
            "{} 'prices' for rank {}; one more than the rank is needed",
            node.prices.len(),
            node.rank
        ));
    }
    Ok(())
}

fn check_use(graph: &Graph, array_use: &Use) -> Result<(), String> {
    let (from, to) = (&graph.nodes[array_use.from], &graph.nodes[array_use.to]);
    if to.kind == Kind::Input {
        return Err("an input reads nothing".to_owned());
    }
    if array_use.prefix > from.rank || array_use.prefix > to.depth {
        return Err(format!(
            "prefix {} is more than the array's rank {} or the reader's depth {}",
            array_use.prefix, from.rank, to.depth
        ));
    }
    if array_use.fusible && from.kind == Kind::Input {
        return Err("an input cannot be fused".to_owned());
    }
    if array_use.inseparable && !array_use.fusible {
        return Err("what is 'inseparable' has to be 'fusible'".to_owned());
    }
    if array_use.scan && to.kind.innermost_order().is_none() {
        return Err("'scan' needs a scanl, scanr or filter".to_owned());
    }
    match array_use.label {
        Some(label) if label < FIRST_LABEL => {
            Err("a label is 2 or more: 0 and 1 are forwards and backwards".to_owned())
        }
        Some(label) if array_use.prefix == from.rank => {
            Err(format!("label {label} covers no level"))
        }
        _ => Ok(()),
    }
}

/// Every label has one reader, and covers the same levels wherever it is.
fn check_labels(graph: &Graph) -> Result<(), FormatError> {
    let mut known = BTreeMap::new();
    for array_use in &graph.uses {
        let Some(label) = array_use.label else {
            continue;
        };
        let (from, to) = (&graph.nodes[array_use.from], &graph.nodes[array_use.to]);
        let place = format!("edge from {} to {}", from.external_id, to.external_id);
        let found = (array_use.to, array_use.prefix, from.rank);
        let first = *known.entry(label).or_insert(found);
        if first.0 != found.0 {
            return Err(inconsistent(
                place,
                format!("another node has the label {label}"),
            ));
        }
        if first != found {
            let problem = format!("label {label} covers other levels than at another edge");
            return Err(inconsistent(place, problem));
        }
    }
    Ok(())
}

fn check_wishes(graph: &Graph) -> Result<(), FormatError> {
    let forced = graph.forced.iter();
    let forced: HashSet<(NodeId, NodeId)> = forced
        .map(|&(first, second)| (first.min(second), first.max(second)))
        .collect();
    for &(first, second) in &graph.forbidden {
        if forced.contains(&(first.min(second), first.max(second))) {
            let (first, second) = (&graph.nodes[first], &graph.nodes[second]);
            return Err(inconsistent(
                format!("forbidden [{}, {}]", first.external_id, second.external_id),
                "the pair is also forced",
            ));
        }
    }
    Ok(())
}
