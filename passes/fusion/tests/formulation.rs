//! The papers' programs against brute force and stored optima.

use std::{fs, path::Path, time::Duration};

use comb_fusion::{
    cost::{CostOptions, Weights},
    graph::Graph,
    programs::{Backend, Formulation, SolveError},
    random::{RandomOptions, random_graph},
};
use comb_oracles::{brute_force, formulation::solve};

const ALL: [(Formulation, Backend); 4] = [
    (Formulation::Figure4, Backend::Highs),
    (Formulation::Figure4, Backend::Cbc),
    (Formulation::Compact, Backend::Highs),
    (Formulation::Compact, Backend::Cbc),
];

fn instance(name: &str) -> Graph {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("graphs");
    let text = fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    Graph::from_json(&text).unwrap()
}

fn weights(graph: &Graph, cost: &str) -> Weights {
    Weights::new(graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap()
}

fn agrees_with_brute_force(seed: u64, options: RandomOptions, cost: &str) {
    let graph = random_graph(seed, options);
    let weights = weights(&graph, cost);
    let best = brute_force::optimum(&graph, &weights);
    for (formulation, backend) in ALL {
        let place = format!("seed {seed}, {cost}, {formulation:?} with {backend:?}");
        let outcome = solve(&graph, &weights, formulation, backend, None);
        match (&best, outcome) {
            (None, outcome) => assert_eq!(outcome, Err(SolveError::Infeasible), "{place}"),
            (Some((least, _)), outcome) => {
                let outcome = outcome.unwrap_or_else(|error| panic!("{place}: {error}"));
                let (cost, bound) = (outcome.cost, outcome.bound);
                assert_eq!((cost, bound), (*least, *least), "{place}");
                assert!(outcome.optimal, "{place}");
            }
        }
    }
}

const COSTS: [&str; 10] = [
    "reads+writes",
    "edges",
    "prices",
    "2*reads+0.5*manifest",
    "ext-bytes",
    "max-locality+0.25*reads",
    "max-contract+0.1*edges+reads",
    "clusters",
    "robinson",
    "filter-weights",
];

#[test]
fn programs_agree_with_brute_force() {
    for seed in 0..140 {
        let options = RandomOptions {
            combinators: 3 + (seed % 4) as usize,
            sizes: seed % 2 == 1,
            tuples: if seed % 4 == 0 { 0.3 } else { 0.0 },
            filters: if seed % 7 == 0 { 0.2 } else { 0.03 },
            ..RandomOptions::default()
        };
        agrees_with_brute_force(seed, options, COSTS[seed as usize % COSTS.len()]);
    }
}

#[test]
fn programs_with_wishes_agree_with_brute_force() {
    for seed in 0..60 {
        let options = RandomOptions {
            combinators: 5,
            forced: (seed % 2) as usize,
            forbidden: (seed % 3) as usize,
            ..RandomOptions::default()
        };
        agrees_with_brute_force(seed, options, "reads+writes");
    }
}

#[test]
fn programs_with_stencils_agree_with_brute_force() {
    for seed in 0..60 {
        let options = RandomOptions {
            combinators: 5,
            inputs: 1,
            gathers: 0.5,
            stencils: 0.7,
            ..RandomOptions::default()
        };
        agrees_with_brute_force(seed, options, "reads+0.5*writes");
    }
}

fn finds_the_stored_optima(name: &str) {
    let graph = instance(name);
    for (cost, &stored) in &graph.optimum {
        let weights = weights(&graph, cost);
        for (formulation, backend) in ALL {
            let outcome = solve(&graph, &weights, formulation, backend, None).unwrap();
            let place = format!("{name}, {cost}, {formulation:?} with {backend:?}");
            let (cost, bound) = (outcome.cost, outcome.bound);
            assert_eq!((cost, bound), (stored, stored), "{place}");
        }
    }
}

#[test]
fn programs_find_the_stored_optima() {
    for name in [
        "simple1",
        "simple2",
        "simple3",
        "simple4",
        "simple5",
        "singleLoop",
        "scatterExample",
        "greedyBottomUpBad",
        "greedyTopDownBad",
        "mix1",
        "mix2",
        "mix3",
    ] {
        finds_the_stored_optima(name);
    }
}

#[test]
fn programs_find_the_optima_of_the_benchmarks_of_the_paper() {
    for name in ["FA66", "LU51", "MG99"] {
        finds_the_stored_optima(name);
    }
}

/// Whatever the solver has found when time is over, the optimum is between its
/// bound and its cost.
#[test]
fn a_time_limit_leaves_a_bound() {
    let graph = instance("rand100_0");
    let weights = weights(&graph, "reads+writes");
    let stored = graph.optimum["reads+writes"];
    for (formulation, backend) in ALL {
        let limit = Some(Duration::from_secs(1));
        match solve(&graph, &weights, formulation, backend, limit) {
            Ok(outcome) => {
                assert!(outcome.cost >= stored, "{}", outcome.cost);
                assert!(outcome.bound <= stored, "{}", outcome.bound);
                assert!(!outcome.optimal || outcome.cost == stored);
            }
            Err(error) => assert_eq!(error, SolveError::NoSolution, "{formulation:?}"),
        }
    }
}

#[test]
fn graphs_of_several_levels_are_refused() {
    let graph = random_graph(1, RandomOptions::ranked(2));
    let weights = weights(&graph, "prices");
    let outcome = solve(&graph, &weights, Formulation::Compact, Backend::Highs, None);
    assert!(matches!(outcome, Err(SolveError::Unsupported { .. })));
}
