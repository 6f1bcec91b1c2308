//! Heuristics and branch and bound on all instances.

mod common;

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use comb_fusion::{
    algorithms::{ALGORITHMS, Algorithm, Outcome, run},
    builder::GraphBuilder,
    cost::{CostOptions, Weights},
    evaluate::evaluate,
    graph::{FIRST_LABEL, Graph, Kind, Node, Use},
    legality,
    random::{RandomOptions, permuted, random_graph},
};
use comb_oracles::brute_force;
use common::instances;

const COSTS: [&str; 6] = [
    "reads+writes",
    "manifest+0.1*clusters",
    "edges",
    "ext-bytes",
    "max-locality",
    "prices",
];

fn instance(name: &str) -> Graph {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("graphs");
    Graph::from_json(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

fn weights(graph: &Graph, cost: &str) -> Weights {
    Weights::new(graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap()
}

fn outcome(graph: &Graph, cost: &str, algorithm: Algorithm) -> Outcome {
    let deadline = Instant::now() + Duration::from_millis(30);
    run(graph, &weights(graph, cost), algorithm, Some(deadline))
}

#[test]
fn every_clustering_is_legal_and_costs_what_is_said() {
    for (name, graph) in instances() {
        for cost in COSTS {
            let alone = outcome(&graph, cost, Algorithm::Singleton).cost;
            for &(algorithm, number) in ALGORITHMS {
                let start = Instant::now();
                let found = outcome(&graph, cost, number);
                let place = format!("{name}, {cost}, {algorithm}");
                assert_eq!(
                    legality::check(&graph, &found.clustering),
                    Ok(()),
                    "{place}"
                );
                let paid = evaluate(&graph, &found.clustering, &weights(&graph, cost));
                assert_eq!(paid, found.cost, "{place}");
                assert!(found.cost <= alone, "{place}");
                assert!(
                    found.bound.is_none_or(|bound| bound <= found.cost),
                    "{place}"
                );
                println!(
                    "{place}: {} of {alone} in {:?}",
                    found.cost,
                    start.elapsed()
                );
            }
        }
    }
}

#[test]
fn no_bound_is_above_the_optimum() {
    for (name, graph) in instances() {
        for (cost, &optimum) in &graph.optimum {
            let found = outcome(&graph, cost, Algorithm::BranchAndBound);
            let bound = found.bound.unwrap();
            assert!(bound <= optimum, "{name}: bound {bound}, optimum {optimum}");
            assert!(found.cost >= optimum, "{name}: {} < {optimum}", found.cost);
            if found.optimal {
                assert_eq!(found.cost, optimum, "{name}");
            }
            println!(
                "{name}, {cost}: {bound} … {}, optimum {optimum}",
                found.cost
            );
        }
    }
}

#[test]
fn small_instances_are_solved() {
    let solved = instances()
        .into_iter()
        .filter(|(_, graph)| graph.combinators() < 8);
    for (name, graph) in solved {
        for cost in graph.optimum.keys() {
            let found = run(
                &graph,
                &weights(&graph, cost),
                Algorithm::BranchAndBound,
                None,
            );
            assert!(found.optimal, "{name}");
        }
    }
}

#[test]
fn greedy_reaches_the_optimum_from_the_bottom() {
    for (name, optimum) in [
        ("FA66.json", 56.0),
        ("LU51.json", 41.0),
        ("MG99.json", 127.0),
    ] {
        let graph = instance(name);
        let found = outcome(&graph, "reads+writes", Algorithm::GreedyBottomUp);
        let down = outcome(&graph, "reads+writes", Algorithm::GreedyTopDown);
        let greedy = outcome(&graph, "reads+writes", Algorithm::Greedy);
        println!(
            "{name}: bottom-up {}, top-down {}, greedy {}",
            found.cost, down.cost, greedy.cost
        );
        assert_eq!(found.cost.to_f64(), optimum, "{name}");
    }
}

#[test]
fn the_counterexample_to_greedy_fusion_from_the_top_is_one() {
    let graph = instance("greedyTopDownBad.json");
    let found = outcome(&graph, "reads+writes", Algorithm::GreedyTopDown).cost;
    assert!(found > graph.optimum["reads+writes"], "{found}");
}

#[test]
fn names_and_the_order_of_the_file_do_not_matter() {
    for (name, graph) in instances() {
        let other = permuted(&graph, 17).unwrap();
        for &(algorithm, number) in ALGORITHMS {
            if number == Algorithm::BranchAndBound {
                continue;
            }
            let place = format!("{name}, {algorithm}");
            // Without a deadline, which could come anywhere.
            let cost = |graph| run(graph, &weights(graph, "reads+writes"), number, None).cost;
            assert_eq!(cost(&graph), cost(&other), "{place}");
        }
    }
}

#[test]
fn branch_and_bound_agrees_with_brute_force() {
    for seed in 0..60 {
        let tuples = RandomOptions {
            combinators: 4,
            tuples: 0.4,
            odd_depths: 0.2,
            filters: 0.15,
            ..RandomOptions::ranked(1 + (seed / 4 % 2) as usize)
        };
        let options = match seed % 4 {
            0 => RandomOptions::ranked(2),
            1 => tuples,
            _ => RandomOptions::default(),
        };
        let graph = random_graph(seed, options);
        for cost in COSTS {
            let place = format!("seed {seed}, {cost}");
            let weights = weights(&graph, cost);
            let Some((least, _)) = brute_force::optimum(&graph, &weights) else {
                continue;
            };
            let found = run(&graph, &weights, Algorithm::BranchAndBound, None);
            assert!(found.optimal, "{place}");
            assert_eq!(found.cost, least, "{place}");
            for &(algorithm, number) in ALGORITHMS {
                let found = run(&graph, &weights, number, None);
                let legal = legality::check(&graph, &found.clustering);
                let unforced = matches!(legal, Err(legality::Illegal::NotForced { .. }));
                assert!(unforced || legal.is_ok(), "{place}, {algorithm}: {legal:?}");
                assert!(unforced || found.cost >= least, "{place}, {algorithm}");
            }
        }
    }
}

/// The label covers a level that is not shared, in which the scan cannot follow it.
#[test]
fn labels_are_looked_at_beyond_the_levels_of_the_graph() {
    let mut builder = GraphBuilder::new("deep", 1);
    let input = builder.node(Node::new("xs", 0, Kind::Input, 2));
    let scan = builder.node(Node::new("sums", 1, Kind::ScanLeft, 2));
    let gather = builder.node(Node {
        result: true,
        ..Node::new("some", 2, Kind::Gather, 2)
    });
    builder.array_use(Use {
        scan: true,
        fusible: false,
        ..Use::new(0, input, scan, 2)
    });
    builder.array_use(Use {
        label: Some(FIRST_LABEL),
        ..Use::new(1, scan, gather, 0)
    });
    let (graph, _) = builder.finish().unwrap();
    for cost in COSTS {
        for &(algorithm, number) in ALGORITHMS {
            let found = outcome(&graph, cost, number);
            let place = format!("{cost}, {algorithm}");
            assert_eq!(
                legality::check(&graph, &found.clustering),
                Ok(()),
                "{place}"
            );
        }
    }
}
