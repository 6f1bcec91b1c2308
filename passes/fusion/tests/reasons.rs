//! Reasons against all legal clusterings.

mod common;

use std::collections::BTreeMap;

use comb_fusion::{
    amount::Amount,
    clustering::Clustering,
    connections::read_class,
    cost::{CostOptions, Weights},
    evaluate::evaluate,
    exact::{NotFused, Reason, SolveOptions, reasons, solve},
    graph::{Graph, Kind, NodeId},
    limits::Limits,
    random::{RandomOptions, random_graph},
};
use comb_oracles::brute_force;

fn weights(graph: &Graph) -> Weights {
    let cost = "reads+writes".parse().unwrap();
    Weights::new(graph, &cost, &CostOptions::default()).unwrap()
}

fn reasons_of(graph: &Graph, options: &SolveOptions) -> (Amount, Vec<NotFused>) {
    let weights = weights(graph);
    let solution = solve(graph, &weights, options).unwrap();
    let found = reasons(graph, &weights, &solution.clustering, options);
    (solution.cost, found)
}

/// Whether two nodes are in one cluster and, if neither uses the other, share a
/// read of an array.
fn is_fused(graph: &Graph, clustering: &Clustering, pair: &NotFused) -> bool {
    let (one, other) = pair.nodes;
    if !clustering.together(1, one, other) {
        return false;
    }
    let uses = |node: NodeId| {
        let uses = graph.uses_by(node).iter().copied();
        uses.filter(|&id| graph.uses[id].from == pair.array)
    };
    let depends = |&id: &usize| graph.uses[id].from == one;
    graph.uses_by(other).iter().any(depends)
        || uses(one).any(|left| {
            uses(other).any(|right| {
                let ordered = |id| graph.ordered_levels(&graph.uses[id]) >= 1;
                ordered(left)
                    && ordered(right)
                    && read_class(graph, clustering, left, 1)
                        == read_class(graph, clustering, right, 1)
            })
        })
}

#[test]
fn reasons_are_true() {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..400 {
        let options = RandomOptions {
            combinators: 5,
            sizes: seed % 2 == 0,
            tuples: if seed % 4 == 1 { 0.2 } else { 0.0 },
            forbidden: usize::from(seed % 5 == 0),
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        let weights = weights(&graph);
        let (cost, found) = reasons_of(&graph, &SolveOptions::default());
        for pair in &found {
            let mut least: Option<Amount> = None;
            brute_force::for_each_legal(&graph, &mut |clustering| {
                if is_fused(&graph, clustering, pair) {
                    let cost = evaluate(&graph, clustering, &weights);
                    least = Some(least.map_or(cost, |least| least.min(cost)));
                }
            });
            let kind = match (&pair.reason, least) {
                (Reason::CostsMore { by, exact }, Some(least)) => {
                    let more = least - cost;
                    let right = if *exact { more == *by } else { more >= *by };
                    assert!(right, "seed {seed}: {pair:?}, but {more}");
                    "costs more"
                }
                (Reason::DuplicatesWork { .. }, Some(_)) => "duplicates work",
                (Reason::UnfusibleUse { .. }, None) => "unfusible use",
                (Reason::OrderConflict { .. }, None) => "order conflict",
                (Reason::SizeNotEqual { .. }, None) => "size",
                (Reason::Cycle { through }, None) => {
                    assert!(!through.is_empty(), "seed {seed}: {pair:?}");
                    "cycle"
                }
                (Reason::Forbidden, None) => "forbidden",
                (reason, least) => panic!(
                    "seed {seed}: {reason:?} for {:?} over {}, but fused it costs {least:?}",
                    pair.nodes, pair.array
                ),
            };
            *kinds.entry(kind).or_default() += 1;
        }
    }
    for kind in [
        "costs more",
        "unfusible use",
        "order conflict",
        "cycle",
        "forbidden",
    ] {
        assert!(kinds.contains_key(kind), "no {kind}: {kinds:?}");
    }
}

/// The graph in which a node does not insist on an order, and the nodes and the array
/// of a pair in it; nothing if it does not insist anyway.
fn let_go(graph: &Graph, node: NodeId, pair: &NotFused) -> Option<(Graph, NotFused)> {
    let mut other = graph.clone();
    let kind = &mut other.nodes[node].kind;
    let mut insists = kind.innermost_order().is_some();
    if insists {
        *kind = Kind::Map;
    }
    for &id in graph.uses_by(node) {
        let array_use = &mut other.uses[id];
        insists |= array_use.label.is_some();
        array_use.label = None;
        array_use.scan = false;
        if graph.uses[id].label.is_some() {
            let rank = graph.nodes[array_use.from].rank;
            array_use.prefix = rank.min(graph.nodes[node].depth);
        }
    }
    if !insists {
        return None;
    }
    let other = other.finish().unwrap();
    let find = |node: NodeId| {
        let id = graph.nodes[node].external_id;
        let mut nodes = other.nodes.iter();
        nodes.position(|node| node.external_id == id).unwrap()
    };
    let nodes = (find(pair.nodes.0), find(pair.nodes.1));
    let pair = NotFused {
        nodes: match graph
            .uses_of(pair.nodes.0)
            .iter()
            .any(|&id| graph.uses[id].to == pair.nodes.1)
        {
            true => nodes,
            false => (nodes.0.min(nodes.1), nodes.0.max(nodes.1)),
        },
        array: find(pair.array),
        reason: pair.reason.clone(),
    };
    Some((other, pair))
}

/// Whether a node is another gather than the pair's, from the same array or one that is
/// computed with it.
fn is_other_gather(graph: &Graph, node: NodeId, pair: &NotFused) -> bool {
    let unit = graph.unit(pair.nodes.0);
    let uses = graph.uses_by(node).iter().map(|&id| &graph.uses[id]);
    let mut gathered = uses.filter(|array_use| array_use.label.is_some());
    node != pair.nodes.1 && gathered.any(|array_use| graph.unit(array_use.from) == unit)
}

#[test]
fn the_order_that_is_named_is_in_the_way() {
    let mut conflicts = 0;
    for seed in 0..600 {
        let levels = 1 + (seed % 3) as usize;
        let options = RandomOptions {
            combinators: if levels == 1 { 7 } else { 5 },
            gathers: 0.4,
            scans: 0.25,
            repeated: 0.3,
            stencils: 0.3,
            ..RandomOptions::ranked(levels)
        };
        let graph = random_graph(seed, options);
        for pair in reasons_of(&graph, &SolveOptions::default()).1 {
            let Reason::OrderConflict { with } = pair.reason else {
                continue;
            };
            let is_in_the_way = |node: &NodeId| {
                let mut possible = false;
                if let Some((other, pair)) = let_go(&graph, *node, &pair) {
                    brute_force::for_each_legal(&other, &mut |clustering| {
                        possible |= is_fused(&other, clustering, &pair);
                    });
                }
                possible
            };
            let in_the_way: Vec<NodeId> = (0..graph.nodes.len()).filter(is_in_the_way).collect();
            assert!(
                in_the_way.is_empty()
                    || in_the_way.contains(&with)
                    || is_other_gather(&graph, with, &pair),
                "seed {seed}: {pair:?}, not one of {in_the_way:?}: {}",
                graph.to_json()
            );
            conflicts += usize::from(!in_the_way.is_empty());
        }
    }
    assert!(conflicts > 0);
}

#[test]
fn every_unfused_pair_has_a_reason() {
    for (name, graph) in common::instances() {
        if graph.levels > 1 || graph.nodes.len() > 300 {
            continue;
        }
        let weights = weights(&graph);
        let options = SolveOptions::default();
        let solution = solve(&graph, &weights, &options).unwrap();
        let found = reasons(&graph, &weights, &solution.clustering, &options);
        for array_use in &graph.uses {
            let nodes = (array_use.from, array_use.to);
            if !graph.is_input(nodes.0) && !solution.clustering.together(1, nodes.0, nodes.1) {
                let given = found.iter().any(|pair| pair.nodes == nodes);
                assert!(given, "{name}: {nodes:?}");
            }
        }
    }
}

#[test]
fn a_limit_is_a_reason() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/graphs/singleLoop.json"
    ));
    let graph = Graph::from_json(&text.unwrap()).unwrap();
    let options = SolveOptions {
        limits: Limits {
            arguments: Some(1),
            ..Limits::default()
        },
        ..SolveOptions::default()
    };
    let (_, found) = reasons_of(&graph, &options);
    assert!(!found.is_empty());
    assert!(
        found.iter().any(|pair| pair.reason == Reason::LimitReached),
        "{found:?}"
    );
}
