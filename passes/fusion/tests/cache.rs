//! Answers that are kept are those that solving gives.

mod common;

use std::time::Duration;

use comb_fusion::{
    algorithms::Algorithm,
    amount::Amount,
    cache::{Cache, Capacity, Counters},
    cost::{CostOptions, Weights},
    evaluate::evaluate,
    graph::Graph,
    legality,
    limits::Limits,
    method::{Bounds, Method},
    random::{RandomOptions, permuted, random_graph},
};

fn weights(graph: &Graph, cost: &str) -> Weights {
    Weights::new(graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap()
}

fn options(seed: u64) -> RandomOptions {
    RandomOptions {
        combinators: 12,
        tuples: if seed.is_multiple_of(3) { 0.2 } else { 0.0 },
        stencils: if seed.is_multiple_of(4) { 0.5 } else { 0.0 },
        sizes: seed.is_multiple_of(2),
        forbidden: (seed % 3) as usize,
        ..RandomOptions::ranked(1 + (seed % 2) as usize)
    }
}

const COSTS: [&str; 4] = ["reads+writes", "prices", "max-locality", "ext-bytes"];

#[test]
fn a_hit_is_what_solving_gives_whatever_names_and_ids_are() {
    let cache = Cache::default();
    let bounds = Bounds::default();
    let mut asked = 0;
    for seed in 0..60 {
        let graph = random_graph(seed, options(seed));
        let cost = COSTS[seed as usize % 4];
        let paid = weights(&graph, cost);
        for method in [Method::Exact, Method::Other(Algorithm::Greedy)] {
            let direct = method.solve(&graph, &paid, &bounds).unwrap();
            let first = cache.solve(method, &graph, &paid, &bounds).unwrap();
            let hits = cache.counters().hits;
            let again = cache.solve(method, &graph, &paid, &bounds).unwrap();
            assert_eq!(cache.counters().hits, hits + 1, "seed {seed}");
            assert_eq!(first.clustering, direct.clustering, "seed {seed}");
            assert_eq!(again.clustering, direct.clustering, "seed {seed}");
            assert_eq!((again.bound, again.optimal), (direct.bound, direct.optimal));
            let mut other = permuted(&graph, seed).unwrap();
            for node in &mut other.nodes {
                node.name.push('x');
            }
            let paid = weights(&other, cost);
            let found = cache.solve(method, &other, &paid, &bounds).unwrap();
            assert_eq!(cache.counters().hits, hits + 2, "seed {seed}, {cost}");
            legality::check(&other, &found.clustering).unwrap();
            assert_eq!(found.cost, direct.cost, "seed {seed}");
            assert_eq!(evaluate(&other, &found.clustering, &paid), found.cost);
            asked += 1;
        }
    }
    assert_eq!(cache.counters().misses, asked);
}

/// Chains that nothing tells apart are one problem in whatever order they come.
#[test]
fn symmetric_graphs_are_recognised() {
    let chains = |links: [[u64; 3]; 4]| {
        let nodes: Vec<String> = (0..12)
            .map(|id| format!(r#"{{"id": {id}, "kind": "map"}}"#))
            .collect();
        let edge = |from: u64, to: u64| {
            format!(r#"{{"from": {from}, "to": {to}, "role": "element", "fusible": true}}"#)
        };
        let edges = links.map(|[one, two, three]| [edge(one, two), edge(two, three)].join(", "));
        let text = format!(
            r#"{{"nodes": [{}], "edges": [{}]}}"#,
            nodes.join(", "),
            edges.join(", ")
        );
        Graph::from_json(&text).unwrap()
    };
    let cache = Cache::default();
    for links in [
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]],
        [[0, 11, 2], [3, 7, 8], [6, 1, 5], [9, 10, 4]],
        [[11, 0, 2], [8, 7, 5], [6, 4, 10], [3, 1, 9]],
    ] {
        let graph = chains(links);
        let paid = weights(&graph, "clusters");
        let bounds = Bounds::default();
        let found = cache.solve(Method::Exact, &graph, &paid, &bounds).unwrap();
        assert_eq!(found.cost, Amount::whole(4).unwrap());
    }
    assert_eq!(cache.counters().hits, 2);
}

#[test]
fn other_weights_methods_and_limits_are_other_problems() {
    let graph = random_graph(3, RandomOptions::default());
    let cache = Cache::default();
    let mut problems = 0;
    for cost in ["reads+writes", "reads", "2*reads+writes"] {
        let paid = weights(&graph, cost);
        for method in [Method::Exact, Method::Other(Algorithm::Linear)] {
            for arguments in [None, Some(2), Some(3)] {
                let limits = Limits {
                    arguments,
                    memory: arguments.map(|most| (most as f64, CostOptions::default())),
                };
                let bounds = Bounds {
                    limits,
                    ..Bounds::default()
                };
                cache.solve(method, &graph, &paid, &bounds).unwrap();
                problems += 1;
            }
        }
    }
    assert_eq!(cache.counters().misses, problems);
    assert_eq!(cache.counters().hits, 0);
}

#[test]
fn what_time_cut_off_is_not_kept() {
    let (_, graph) = common::instances()
        .into_iter()
        .find(|(name, _)| name == "graphs/FA66.json")
        .unwrap();
    let paid = weights(&graph, "reads+writes");
    let cache = Cache::default();
    let hurried = Bounds {
        time_limit: Some(Duration::ZERO),
        ..Bounds::default()
    };
    for method in [Method::Exact, Method::Other(Algorithm::GreedyBottomUp)] {
        let answer = cache.solve(method, &graph, &paid, &hurried).unwrap();
        assert!(!answer.optimal);
    }
    assert_eq!(cache.size().graphs, 0);
    let proven = cache
        .solve(Method::Exact, &graph, &paid, &Bounds::default())
        .unwrap();
    let kept = cache.solve(Method::Exact, &graph, &paid, &hurried).unwrap();
    assert_eq!(kept.clustering, proven.clustering);
    assert!(kept.optimal);
}

#[test]
fn what_was_not_asked_for_longest_goes_first() {
    let graphs: Vec<Graph> = (0..4)
        .map(|seed| random_graph(seed, RandomOptions::default()))
        .collect();
    let cache = Cache::new(Capacity {
        graphs: 2,
        ..Capacity::default()
    });
    let hits = |number: usize| {
        let before = cache.counters().hits;
        let graph = &graphs[number];
        let paid = weights(graph, "reads+writes");
        let bounds = Bounds::default();
        cache.solve(Method::Exact, graph, &paid, &bounds).unwrap();
        assert!(cache.size().graphs <= 2);
        cache.counters().hits > before
    };
    let asked = [0, 1, 0, 2, 0, 1, 3, 1].map(hits);
    assert_eq!(asked, [false, false, true, false, true, false, false, true]);
    let counters = Counters {
        hits: 3,
        misses: 5,
        evictions: 3,
    };
    assert_eq!(cache.counters(), counters);
}

#[test]
fn memory_is_bounded() {
    let capacity = Capacity {
        graphs: 1000,
        entries: 300,
    };
    let cache = Cache::new(capacity);
    for seed in 0..50 {
        let graph = random_graph(seed, options(seed));
        let paid = weights(&graph, "max-locality");
        let method = Method::Other(Algorithm::Greedy);
        let _ = cache.solve(method, &graph, &paid, &Bounds::default());
        let size = cache.size();
        assert!(size.entries <= 300 && size.graphs < 30, "{size:?}");
    }
    assert!(cache.counters().evictions > 10);
    let large = RandomOptions {
        combinators: 300,
        ..RandomOptions::default()
    };
    let large = random_graph(0, large);
    let paid = weights(&large, "reads+writes");
    let before = cache.size();
    let method = Method::Other(Algorithm::Linear);
    let bounds = Bounds::default();
    assert!(cache.solve(method, &large, &paid, &bounds).is_ok());
    assert_eq!(cache.size(), before, "larger than the whole cache");
}

#[test]
fn threads_share_a_cache() {
    let cache = Cache::default();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for seed in 0..20 {
                    let graph = random_graph(seed, RandomOptions::default());
                    let paid = weights(&graph, "reads+writes");
                    let bounds = Bounds::default();
                    let found = cache.solve(Method::Exact, &graph, &paid, &bounds).unwrap();
                    let direct = Method::Exact.solve(&graph, &paid, &bounds).unwrap();
                    assert_eq!(found.clustering, direct.clustering);
                }
            });
        }
    });
    let counters = cache.counters();
    assert_eq!(counters.hits + counters.misses, 80);
    assert!(cache.size().graphs <= 20);
}
