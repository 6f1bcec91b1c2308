//! The exact solver against proven optima and brute force.

mod common;

use comb_fusion::{
    algorithms::{ALGORITHMS, Algorithm, run},
    amount::Amount,
    cost::{CostOptions, Weights},
    evaluate::evaluate,
    exact::{SolveError, SolveOptions, Wish, solve},
    graph::Graph,
    limits::{Limits, peak_memory},
    random::{RandomOptions, permuted, random_graph},
};
use comb_oracles::brute_force;

#[test]
fn every_optimum_is_reached_and_proven() {
    for (name, graph) in common::instances() {
        for (cost, &optimum) in &graph.optimum {
            let weights =
                Weights::new(&graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap();
            let solution = solve(&graph, &weights, &SolveOptions::default())
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(solution.optimal, "{name}");
            assert_eq!(solution.cost, optimum, "{name}");
        }
    }
}

#[test]
fn large_dense_graphs_have_bounds_soon_and_are_proven() {
    for (name, graph) in common::instances_in(&["graphs/large"]) {
        let optimum = graph.optimum["reads+writes"];
        let cost = "reads+writes".parse().unwrap();
        let weights = Weights::new(&graph, &cost, &CostOptions::default()).unwrap();
        for milliseconds in [10, 300] {
            let options = SolveOptions {
                time_limit: Some(std::time::Duration::from_millis(milliseconds)),
                ..SolveOptions::default()
            };
            let solution = solve(&graph, &weights, &options).unwrap();
            assert!(
                Amount::ZERO < solution.bound && solution.bound <= optimum,
                "{name}"
            );
            assert!(optimum <= solution.cost, "{name}");
        }
        if graph.nodes.len() < 1000 {
            let solution = solve(&graph, &weights, &SolveOptions::default()).unwrap();
            assert!(solution.optimal, "{name}");
            assert_eq!(solution.cost, optimum, "{name}");
        }
    }
}

#[test]
fn the_large_dense_graphs_are_what_the_generator_gives() {
    for (name, stored) in common::instances_in(&["graphs/large"]) {
        let combinators = stored.nodes.iter().filter(|node| node.depth > 0).count();
        let mut made = random_graph(0, RandomOptions::dense(combinators));
        made.name.clone_from(&stored.name);
        made.optimum.clone_from(&stored.optimum);
        for node in &mut made.nodes {
            node.name = node.external_id.to_string();
        }
        assert!(stored.to_json() == made.to_json(), "{name}");
    }
}

fn instance(name: &str) -> Graph {
    let found = common::instances()
        .into_iter()
        .find(|(other, _)| other == name);
    found.unwrap().1
}

/// Every named cost, and sums of them.
const COSTS: &[&str] = &[
    "reads+writes",
    "clusters",
    "edges",
    "manifest",
    "reads",
    "ext-bytes",
    "max-contract",
    "max-locality",
    "robinson",
    "filter-weights",
    "prices",
    "2*reads+writes+0.1*clusters",
];

/// The exact solver and brute force agree on a graph, for every cost.
fn agrees_with_brute_force(graph: &Graph, place: &str) {
    for cost in COSTS {
        let weights = Weights::new(graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap();
        let expected = brute_force::optimum(graph, &weights);
        let solution = solve(graph, &weights, &SolveOptions::default());
        match (expected, solution) {
            (None, Err(SolveError::Infeasible { .. })) => {}
            (Some((expected, _)), Ok(solution)) => {
                assert!(solution.optimal, "{place}, {cost}");
                assert!(
                    solution.cost == expected && solution.bound == expected,
                    "{place}, {cost}: {} instead of {expected}\n{}",
                    solution.cost,
                    graph.to_json()
                );
            }
            (expected, solution) => panic!(
                "{place}, {cost}: brute force gives {:?}, the solver {:?}\n{}",
                expected.map(|(cost, _)| cost),
                solution.map(|solution| solution.cost),
                graph.to_json()
            ),
        }
    }
}

/// The linear relaxation says nothing of a number of clusters; the search by formulas
/// takes few turns.
#[test]
fn the_fewest_clusters_take_few_steps() {
    let mut steps = 0;
    for seed in 0..20 {
        let options = RandomOptions {
            combinators: 30,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        let weights = Weights::new(
            &graph,
            &"clusters".parse().unwrap(),
            &CostOptions::default(),
        )
        .unwrap();
        let solution = solve(&graph, &weights, &SolveOptions::default()).unwrap();
        assert!(solution.optimal, "seed {seed}");
        steps += solution.nodes;
    }
    assert!(steps < 200, "{steps}");
}

/// The search for the fewest clusters and integer programming agree where brute force
/// takes too long. The second cost is no number of clusters only, so that linear
/// programs are solved for it.
#[test]
fn the_fewest_clusters_are_those_of_integer_programming() {
    for seed in 0..count(30) {
        let options = RandomOptions {
            combinators: 9 + (seed % 5) as usize,
            tuples: 0.1 * (seed % 3) as f64,
            ..RandomOptions::ranked(1 + (seed % 3) as usize)
        };
        let graph = random_graph(seed, options);
        let least = |cost: &str| {
            let plain = CostOptions {
                recomputation: false,
                ..CostOptions::default()
            };
            let weights = Weights::new(&graph, &cost.parse().unwrap(), &plain).unwrap();
            let solution = solve(&graph, &weights, &SolveOptions::default()).unwrap();
            assert!(solution.optimal, "seed {seed}, {cost}");
            solution.cost.to_f64()
        };
        let (fewest, sum) = (least("clusters"), least("1000*clusters+edges"));
        assert_eq!(fewest, (sum / 1000.0).floor(), "seed {seed}");
    }
}

fn count(default: u64) -> u64 {
    std::env::var("COMB_RANDOM_GRAPHS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(default)
}

#[test]
fn flat_graphs_agree_with_brute_force() {
    for seed in 0..count(200) {
        let graph = random_graph(seed, RandomOptions::default());
        agrees_with_brute_force(&graph, &format!("flat seed {seed}"));
    }
}

#[test]
fn ranked_graphs_agree_with_brute_force() {
    for seed in 0..count(60) {
        let options = RandomOptions {
            combinators: 4,
            ..RandomOptions::ranked(2)
        };
        let graph = random_graph(seed, options);
        agrees_with_brute_force(&graph, &format!("ranked seed {seed}"));
    }
}

#[test]
fn wishes_agree_with_brute_force() {
    for seed in 0..count(100) {
        let options = RandomOptions {
            forced: 1,
            forbidden: 1,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        agrees_with_brute_force(&graph, &format!("wishes seed {seed}"));
    }
}

/// Options for graphs of which some combinators have two results.
fn with_tuples(seed: u64, levels: usize) -> RandomOptions {
    RandomOptions {
        combinators: if levels == 1 { 4 } else { 3 },
        tuples: 0.4,
        odd_depths: 0.2,
        filters: 0.15,
        scans: 0.25,
        forced: usize::from(seed.is_multiple_of(7)),
        forbidden: usize::from(seed.is_multiple_of(5)),
        sizes: seed.is_multiple_of(4),
        ..RandomOptions::ranked(levels)
    }
}

#[test]
fn combinators_with_several_results_agree_with_brute_force() {
    let mut tuples = 0;
    for seed in 0..count(150) {
        let levels = 1 + (seed % 2) as usize;
        let graph = random_graph(seed, with_tuples(seed, levels));
        tuples += (0..graph.nodes.len())
            .filter(|&node| graph.is_tuple(node))
            .count();
        agrees_with_brute_force(&graph, &format!("tuples seed {seed}"));
    }
    assert!(tuples > 50, "{tuples}");
}

#[test]
fn odd_depths_and_filters_agree_with_brute_force() {
    for seed in 0..count(120) {
        let levels = 1 + (seed % 3) as usize;
        let options = RandomOptions {
            combinators: if levels == 1 { 6 } else { 4 },
            odd_depths: 0.4,
            filters: 0.25,
            gathers: 0.3,
            ..RandomOptions::ranked(levels)
        };
        let graph = random_graph(seed, options);
        agrees_with_brute_force(&graph, &format!("odd depths seed {seed}"));
    }
}

#[test]
fn inseparable_uses_that_cannot_be_fused_are_named() {
    let text = r#"{
      "nodes": [{"id": 0, "kind": "scanl"}, {"id": 1, "kind": "scanr"}, {"id": 2, "kind": "map"}],
      "edges": [
        {"from": 0, "to": 1, "role": "scan", "fusible": true, "inseparable": true},
        {"from": 0, "to": 2, "role": "element", "fusible": true, "inseparable": true}
      ],
      "results": [2]
    }"#;
    let graph = Graph::from_json(text).unwrap();
    let weights = Weights::nothing(&graph);
    let refused = graph
        .uses
        .iter()
        .position(|array_use| array_use.scan)
        .unwrap();
    match solve(&graph, &weights, &SolveOptions::default()) {
        Err(SolveError::Infeasible { conflict }) => {
            assert_eq!(conflict, [Wish::Inseparable(refused)]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn contradicting_wishes_are_named() {
    let mut graph = instance("graphs/FA66.json");
    // A chain of three: the ends cannot be apart if both are with the middle.
    let (from, to) = (graph.uses[20].from, graph.uses[20].to);
    graph.forced = vec![(0, 1), (from, to)];
    graph.forbidden = vec![(from, to), (3, 4)];
    let weights = Weights::nothing(&graph);
    match solve(&graph, &weights, &SolveOptions::default()) {
        Err(SolveError::Infeasible { conflict }) => {
            assert!(
                conflict == [Wish::Forced(0)] || conflict == [Wish::Forced(1), Wish::Forbidden(0)],
                "{conflict:?}"
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn forced_readers_share_a_read() {
    let graph = |forced: &str| {
        Graph::from_json(&format!(
            r#"{{"nodes": [{{"id": 0, "kind": "input"}}, {{"id": 1, "kind": "map"}},
                {{"id": 2, "kind": "scanr"}}, {{"id": 3, "kind": "scanl"}}],
             "edges": [{{"from": 0, "to": 1, "role": "element", "fusible": false}},
                {{"from": 0, "to": 2, "role": "scan", "fusible": false}},
                {{"from": 1, "to": 3, "role": "scan", "fusible": true}}],
             "results": [2, 3], "forced": {forced}}}"#
        ))
        .unwrap()
    };
    for cost in ["reads+writes", "edges"] {
        let solved = |graph: &Graph| {
            let weights =
                Weights::new(graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap();
            solve(graph, &weights, &SolveOptions::default())
        };
        let one = graph("[[1, 2]]");
        assert!(solved(&one).is_ok(), "{cost}");
        let both = solved(&graph("[[1, 2], [1, 3]]"));
        assert!(
            matches!(&both, Err(SolveError::Infeasible { conflict }) if conflict.len() == 2),
            "{cost}: {both:?}"
        );
    }
}

#[test]
fn limits_are_kept_and_exact() {
    let mut fewer = 0;
    for seed in 0..count(40) {
        let options = RandomOptions {
            combinators: 5,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        let cost = "reads+writes".parse().unwrap();
        let weights = Weights::new(&graph, &cost, &CostOptions::default()).unwrap();
        let free = solve(&graph, &weights, &SolveOptions::default()).unwrap();
        let peak = peak_memory(&graph, &free.clustering, &CostOptions::default());
        for limits in [
            Limits {
                arguments: Some(3),
                ..Limits::default()
            },
            Limits {
                memory: Some((peak - 0.5, CostOptions::default())),
                ..Limits::default()
            },
            Limits {
                memory: Some((peak / 2.0, CostOptions::default())),
                ..Limits::default()
            },
        ] {
            let options = SolveOptions {
                limits: limits.clone(),
                ..SolveOptions::default()
            };
            let solution = solve(&graph, &weights, &options).unwrap();
            let mut least = Amount::MOST;
            brute_force::for_each_legal(&graph, &mut |clustering| {
                let clustering = clustering.normalized(&graph);
                if limits.hold(&graph, &clustering) {
                    least = least.min(evaluate(&graph, &clustering, &weights));
                }
            });
            assert!(
                limits.hold(&graph, &solution.clustering),
                "seed {seed}, {limits:?}"
            );
            assert_eq!(solution.cost, least, "seed {seed}, {limits:?}");
            fewer += usize::from(solution.cost > free.cost);
        }
    }
    assert!(fewer > 0, "no limit has changed an answer");
}

/// Arrays that are in use together in any order say what has to be contracted.
#[test]
fn small_limits_of_memory_are_proven_soon() {
    for seed in [2, 22, 37] {
        let options = RandomOptions {
            combinators: 16,
            sizes: true,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        let cost = "reads+writes".parse().unwrap();
        let weights = Weights::new(&graph, &cost, &CostOptions::default()).unwrap();
        let free = solve(&graph, &weights, &SolveOptions::default()).unwrap();
        let peak = peak_memory(&graph, &free.clustering, &CostOptions::default());
        let options = SolveOptions {
            time_limit: Some(std::time::Duration::from_secs(10)),
            limits: Limits {
                memory: Some((peak / 2.0, CostOptions::default())),
                ..Limits::default()
            },
            ..SolveOptions::default()
        };
        let solution = solve(&graph, &weights, &options).unwrap();
        assert!(options.limits.hold(&graph, &solution.clustering));
        assert!(solution.optimal && solution.nodes < 100, "seed {seed}");
    }
}

#[test]
fn permuting_and_renaming_change_nothing() {
    for seed in 0..count(40) {
        let options = RandomOptions {
            combinators: 25,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        let other = permuted(&graph, seed).unwrap();
        let solved = |graph: &Graph| {
            let cost = "reads+writes".parse().unwrap();
            let weights = Weights::new(graph, &cost, &CostOptions::default()).unwrap();
            solve(graph, &weights, &SolveOptions::default())
                .unwrap()
                .cost
        };
        assert_eq!(solved(&graph), solved(&other), "seed {seed}");
    }
}

#[test]
fn there_is_an_answer_and_a_bound_when_the_time_is_short() {
    let sparse = RandomOptions {
        combinators: 2000,
        ..RandomOptions::default()
    };
    for options in [sparse, RandomOptions::dense(10_000)] {
        has_an_answer_and_a_bound_soon(&random_graph(1, options));
    }
}

fn has_an_answer_and_a_bound_soon(graph: &Graph) {
    let cost = "reads+writes".parse().unwrap();
    let weights = Weights::new(graph, &cost, &CostOptions::default()).unwrap();
    let options = SolveOptions {
        time_limit: Some(std::time::Duration::from_millis(20)),
        ..SolveOptions::default()
    };
    let solution = solve(graph, &weights, &options).unwrap();
    assert!(!solution.optimal);
    assert!(Amount::ZERO < solution.bound && solution.bound <= solution.cost);
    assert_eq!(
        solution.cost,
        evaluate(graph, &solution.clustering, &weights)
    );
}

#[test]
fn a_stop_flag_ends_the_search() {
    let graph = random_graph(
        3,
        RandomOptions {
            combinators: 200,
            ..RandomOptions::default()
        },
    );
    let cost = "clusters".parse().unwrap();
    let weights = Weights::new(&graph, &cost, &CostOptions::default()).unwrap();
    let options = SolveOptions {
        stop: Some(std::sync::Arc::new(true.into())),
        ..SolveOptions::default()
    };
    let solution = solve(&graph, &weights, &options).unwrap();
    assert!(!solution.optimal && solution.bound <= solution.cost);
}

#[test]
fn an_array_with_very_many_readers_is_no_trouble() {
    let readers = 20_000;
    let mut nodes = vec![r#"{"id": 0, "kind": "input"}"#.to_owned()];
    let mut edges = vec![];
    for id in 1..=readers {
        nodes.push(format!(r#"{{"id": {id}, "kind": "map"}}"#));
        edges.push(format!(
            r#"{{"from": 0, "to": {id}, "role": "element", "fusible": false}}"#
        ));
    }
    let results: Vec<String> = (1..=readers).map(|id| id.to_string()).collect();
    let text = format!(
        r#"{{"nodes": [{}], "edges": [{}], "results": [{}]}}"#,
        nodes.join(","),
        edges.join(","),
        results.join(",")
    );
    let graph = Graph::from_json(&text).unwrap();
    let cost = "reads+writes".parse().unwrap();
    let weights = Weights::new(&graph, &cost, &CostOptions::default()).unwrap();
    let solution = solve(&graph, &weights, &SolveOptions::default()).unwrap();
    assert!(solution.optimal);
    assert_eq!(
        solution.cost,
        Amount::whole(i128::from(readers) + 1).unwrap()
    );
}

/// Every array is read by all of the other side: millions of pairs of reads.
#[test]
fn a_complete_bipartite_graph_needs_no_model() {
    let graph = complete_bipartite(120);
    for (cost, least) in [("reads+writes", 120), ("clusters", 1), ("edges", 0)] {
        let weights =
            Weights::new(&graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap();
        let solution = solve(&graph, &weights, &SolveOptions::default()).unwrap();
        assert!(solution.optimal, "{cost}");
        assert_eq!(solution.cost, Amount::whole(least).unwrap(), "{cost}");
    }
}

/// Maps, each of which reads the arrays of as many others.
fn complete_bipartite(side: usize) -> Graph {
    let nodes: Vec<String> = (0..2 * side)
        .map(|id| format!(r#"{{"id": {id}, "kind": "map"}}"#))
        .collect();
    let pairs = (0..side).flat_map(|from| (side..2 * side).map(move |to| (from, to)));
    let edges: Vec<String> = pairs
        .map(|(from, to)| {
            format!(r#"{{"from": {from}, "to": {to}, "role": "element", "fusible": true}}"#)
        })
        .collect();
    let results: Vec<String> = (side..2 * side).map(|id| id.to_string()).collect();
    let text = format!(
        r#"{{"nodes": [{}], "edges": [{}], "results": [{}]}}"#,
        nodes.join(","),
        edges.join(","),
        results.join(",")
    );
    Graph::from_json(&text).unwrap()
}

/// With next to no memory, there is an answer with a bound all the same.
#[test]
fn little_memory_gives_an_answer_and_a_bound() {
    for seed in 0..5 {
        let options = RandomOptions {
            combinators: 20,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        for cost in ["reads+writes", "clusters", "max-locality"] {
            let weights =
                Weights::new(&graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap();
            let least = solve(&graph, &weights, &SolveOptions::default()).unwrap();
            for memory in [0, 1 << 12, 1 << 15, 1 << 18] {
                let options = SolveOptions {
                    memory: Some(memory),
                    ..SolveOptions::default()
                };
                let solution = solve(&graph, &weights, &options).unwrap();
                assert!(solution.bound <= least.cost && least.cost <= solution.cost);
                assert!(!solution.optimal || solution.cost == least.cost);
            }
        }
    }
}

/// With a time limit, no heuristic that fits in the time gives a better answer.
#[test]
fn answers_in_limited_time_are_as_good_as_all_heuristics() {
    for seed in 0..4 {
        let options = RandomOptions {
            combinators: 300,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        let weights = Weights::new(
            &graph,
            &"reads+writes".parse().unwrap(),
            &CostOptions::default(),
        )
        .unwrap();
        let options = SolveOptions {
            time_limit: Some(std::time::Duration::from_secs(5)),
            ..SolveOptions::default()
        };
        let solution = solve(&graph, &weights, &options).unwrap();
        for &(name, algorithm) in ALGORITHMS {
            if algorithm != Algorithm::BranchAndBound && algorithm != Algorithm::Unintrusive {
                let cost = run(&graph, &weights, algorithm, None).cost;
                assert!(solution.cost <= cost, "seed {seed}, {name}");
            }
        }
    }
}
