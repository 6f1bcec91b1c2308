//! What is shown of a graph: not the checks that nobody wrote, unless they are asked
//! for, and of what has to run before only what no other arrows say.
//!
//! What has to run before something because of checks between the two is shown
//! instead of the checks. `a` has to run before `b` without an arrow of its own if
//! other arrows lead from `a` to `b`, and one of them can never be fused.
//!
//! Cost: linear in the graph for each 64 nodes that others have to wait for.

use comb_fusion::{
    clustering::Clustering,
    graph::{Graph, NodeId},
};

/// What is shown, with the numbers that its nodes have then.
pub(super) fn shown(
    graph: &Graph,
    clustering: Option<&Clustering>,
    checks: bool,
) -> (Graph, Option<Clustering>) {
    let hidden: Vec<bool> = graph
        .nodes
        .iter()
        .map(|node| node.check && !checks)
        .collect();
    let mut number = vec![None; hidden.len()];
    let kept: Vec<NodeId> = (0..hidden.len()).filter(|&node| !hidden[node]).collect();
    for (position, &node) in kept.iter().enumerate() {
        number[node] = Some(position);
    }
    let pairs = |pairs: &[(NodeId, NodeId)]| {
        let pairs = pairs.iter();
        pairs
            .filter_map(|&(first, second)| Some((number[first]?, number[second]?)))
            .collect()
    };
    let uses = graph.uses.iter().filter_map(|found| {
        let (from, to) = (number[found.from]?, number[found.to]?);
        let mut found = found.clone();
        (found.from, found.to) = (from, to);
        Some(found)
    });
    let nodes = kept.iter().map(|&node| graph.nodes[node].clone()).collect();
    let mut result = Graph::of(graph.name.clone(), graph.levels, nodes, uses.collect());
    result.before = pairs(&Waiting::new(graph, &hidden).pairs());
    result.forced = pairs(&graph.forced);
    result.forbidden = pairs(&graph.forbidden);
    result.index_uses();
    let clustering = clustering.map(|clustering| Clustering {
        clusters: clustering
            .clusters
            .iter()
            .map(|level| without_gaps(&of(&kept, level)))
            .collect(),
        orders: of(&kept, &clustering.orders),
    });
    (result, clustering)
}

/// The numbers of clusters in the same order, from 0.
fn without_gaps(clusters: &[usize]) -> Vec<usize> {
    let mut numbers = clusters.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let clusters = clusters.iter();
    clusters
        .map(|cluster| numbers.partition_point(|number| number < cluster))
        .collect()
}

/// What some nodes have.
fn of<T: Clone>(nodes: &[NodeId], all: &[T]) -> Vec<T> {
    nodes.iter().map(|&node| all[node].clone()).collect()
}

/// How a node depends on another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// It has to run in a later loop.
    Before,
    /// It reads its array, in a later loop.
    Unfusible,
    /// It reads its array, perhaps in the same loop.
    Fusible,
}

/// Which nodes have to wait for others.
struct Waiting<'g> {
    hidden: &'g [bool],
    /// By node: what it depends on directly.
    links: Vec<Vec<(NodeId, Link)>>,
    /// The nodes that others have to wait for.
    sources: Vec<NodeId>,
}

/// Sets of up to 64 sources.
#[derive(Clone, Copy, Default)]
struct Sources {
    /// Those from which arrows lead to a node, and itself.
    reaching: u64,
    /// Those of which one such arrow can never be fused.
    strictly: u64,
    /// Those that the node waits for, or that lead to it through hidden nodes only.
    directly: u64,
    /// Those of which other arrows say that it waits for them.
    indirectly: u64,
}

impl<'g> Waiting<'g> {
    fn new(graph: &Graph, hidden: &'g [bool]) -> Self {
        let mut links = vec![vec![]; hidden.len()];
        let mut is_source = vec![false; hidden.len()];
        for array_use in &graph.uses {
            let link = match graph.fusible_levels(array_use) {
                0 => Link::Unfusible,
                _ => Link::Fusible,
            };
            links[array_use.to].push((array_use.from, link));
            is_source[array_use.from] |= hidden[array_use.to];
        }
        for &(first, second) in &graph.before {
            links[second].push((first, Link::Before));
            is_source[first] = true;
        }
        let sources = 0..hidden.len();
        Self {
            hidden,
            links,
            sources: sources
                .filter(|&node| is_source[node] && !hidden[node])
                .collect(),
        }
    }

    /// The pairs that are to be shown.
    fn pairs(&self) -> Vec<(NodeId, NodeId)> {
        let mut pairs = vec![];
        let mut bits = vec![0; self.hidden.len()];
        for sources in self.sources.chunks(64) {
            for (position, &source) in sources.iter().enumerate() {
                bits[source] = 1u64 << position;
            }
            for (node, waiting) in self.waiting(&bits).into_iter().enumerate() {
                let found = sources
                    .iter()
                    .filter(|&&source| waiting & bits[source] != 0);
                pairs.extend(found.map(|&source| (source, node)));
            }
            for &source in sources {
                bits[source] = 0;
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// By node: the sources that it is shown to wait for.
    fn waiting(&self, bits: &[u64]) -> Vec<u64> {
        let mut known = vec![Sources::default(); bits.len()];
        let mut result = vec![0; bits.len()];
        for node in 0..bits.len() {
            let mut found = Sources {
                reaching: bits[node],
                ..Sources::default()
            };
            for &(first, link) in &self.links[node] {
                let before = known[first];
                if self.hidden[first] {
                    let all = before.directly | before.indirectly;
                    found.reaching |= all;
                    found.strictly |= all;
                    found.directly |= before.directly;
                    found.indirectly |= before.indirectly;
                    continue;
                }
                let waits = self.hidden[node] || link == Link::Before;
                let (strictly, said) = match link {
                    Link::Fusible => (before.strictly, before.strictly),
                    _ if waits => (before.reaching, before.reaching & !bits[first]),
                    _ => (before.reaching, before.reaching),
                };
                found.reaching |= before.reaching;
                found.strictly |= strictly;
                found.indirectly |= said;
                if waits {
                    found.directly |= bits[first];
                }
            }
            if !self.hidden[node] {
                result[node] = found.directly & !found.indirectly;
            }
            known[node] = found;
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use comb_fusion::graph::{Kind, Node, Use};

    /// Nodes, of which some are checks, with uses, which are fusible or not, and pairs.
    fn graph(
        checks: &[NodeId],
        count: usize,
        uses: &[(NodeId, NodeId, bool)],
        before: &[(NodeId, NodeId)],
    ) -> Graph {
        let nodes = (0..count).map(|node| {
            let kind = match checks.contains(&node) {
                true => Kind::External,
                false => Kind::Map,
            };
            Node {
                check: checks.contains(&node),
                ..Node::new(format!("n{node}"), node as u64, kind, 1)
            }
        });
        let uses = uses.iter().map(|&(from, to, fusible)| Use {
            fusible,
            ..Use::new(0, from, to, 1)
        });
        let mut graph = Graph::of(String::new(), 1, nodes.collect(), uses.collect());
        graph.before = before.to_vec();
        graph.index_uses();
        graph
    }

    /// Pairs of names of what is shown to wait.
    fn waiting(graph: &Graph, checks: bool) -> Vec<String> {
        let (shown, _) = shown(graph, None, checks);
        let name = |node: NodeId| shown.nodes[node].name.as_str();
        let pairs = shown.before.iter();
        pairs
            .map(|&(first, second)| format!("{} {}", name(first), name(second)))
            .collect()
    }

    #[test]
    fn what_checks_keep_apart_stays_in_order() {
        let graph = graph(&[1, 2], 5, &[(0, 1, false)], &[(1, 2), (2, 3), (2, 4)]);
        assert_eq!(waiting(&graph, false), ["n0 n3", "n0 n4"]);
        assert_eq!(waiting(&graph, true), ["n1 n2", "n2 n3", "n2 n4"]);
    }

    #[test]
    fn what_other_arrows_say_is_not_said_again() {
        let unfusible = [(0, 1, false), (1, 2, true)];
        assert!(waiting(&graph(&[], 3, &unfusible, &[(0, 2)]), false).is_empty());
        let fusible = [(0, 1, true), (1, 2, true)];
        assert_eq!(
            waiting(&graph(&[], 3, &fusible, &[(0, 2)]), false),
            ["n0 n2"]
        );
        let twice = [(0, 1), (1, 2), (0, 2)];
        assert_eq!(
            waiting(&graph(&[], 3, &[], &twice), false),
            ["n0 n1", "n1 n2"]
        );
        let array_and_order = graph(&[], 2, &[(0, 1, false)], &[(0, 1)]);
        assert!(waiting(&array_and_order, false).is_empty());
    }

    #[test]
    fn what_runs_before_a_check_is_said_once() {
        let graph = graph(
            &[2],
            4,
            &[(0, 1, true), (1, 2, false), (0, 2, false)],
            &[(2, 3)],
        );
        assert_eq!(waiting(&graph, false), ["n1 n3"]);
    }
}
