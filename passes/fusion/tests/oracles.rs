//! The oracles against each other: brute force, the inference rules, legality.

use std::{fs, path::Path};

use comb_fusion::{
    brute_force,
    cost::{CostOptions, Weights},
    evaluate::evaluate,
    graph::Graph,
    legality,
    random::{RandomOptions, permuted, random_graph},
};

fn instance(name: &str) -> Graph {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("graphs");
    let text = fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    Graph::from_json(&text).unwrap()
}

fn weights(graph: &Graph, cost: &str) -> Weights {
    Weights::new(graph, &cost.parse().unwrap(), &CostOptions::default())
}

const TINY: [&str; 9] = [
    "simple1",
    "simple2",
    "simple3",
    "simple4",
    "simple5",
    "singleLoop",
    "scatterExample",
    "greedyBottomUpBad",
    "greedyTopDownBad",
];

#[test]
fn brute_force_finds_the_stored_optima() {
    for name in TINY {
        let graph = instance(name);
        for (cost, &stored) in &graph.optimum {
            let weights = weights(&graph, cost);
            let (found, clustering) = brute_force::optimum(&graph, &weights).unwrap();
            assert_eq!(found, stored, "{name}: {cost}");
            assert_eq!(legality::check(&graph, &clustering), Ok(()), "{name}");
            assert_eq!(evaluate(&graph, &clustering, &weights), found, "{name}");
        }
    }
}

fn varied_options(seed: u64) -> RandomOptions {
    let levels = 1 + (seed % 3) as usize;
    RandomOptions {
        combinators: if levels == 1 { 6 } else { 4 },
        sizes: seed.is_multiple_of(2),
        stencils: if seed.is_multiple_of(5) { 0.5 } else { 0.0 },
        forced: usize::from(seed.is_multiple_of(7)),
        forbidden: usize::from(seed.is_multiple_of(4)),
        ..RandomOptions::ranked(levels)
    }
}

#[test]
fn permuting_a_graph_keeps_its_optimum() {
    for seed in 0..300 {
        let graph = random_graph(seed, varied_options(seed));
        let other = permuted(&graph, seed).unwrap();
        let cost = ["reads+writes", "prices", "edges+clusters", "robinson"][seed as usize / 3 % 4];
        let optimum =
            |graph| brute_force::optimum(graph, &weights(graph, cost)).map(|(cost, _)| cost);
        let (one, two) = (optimum(&graph), optimum(&other));
        let equal = match (one, two) {
            (Some(one), Some(two)) => (one - two).abs() <= 1e-9 * one.abs().max(1.0),
            _ => one == two,
        };
        assert!(equal, "seed {seed}, {cost}: {one:?} and {two:?}");
    }
}
