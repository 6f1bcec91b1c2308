//! Reading and writing graphs.

mod common;

use comb_fusion::{
    clustering::Clustering,
    cost::{CostOptions, Weights},
    evaluate::evaluate,
    graph::Graph,
    legality,
};
use common::instances;

#[test]
fn every_instance_is_read_and_written() {
    for (path, graph) in instances() {
        let again = Graph::from_json(&graph.to_json()).unwrap();
        assert_eq!(graph.to_json(), again.to_json(), "{path}");
        assert!(!graph.optimum.is_empty(), "{path}");
    }
}

#[test]
fn nothing_fused_is_legal_and_costs_at_least_the_optimum() {
    for (path, graph) in instances() {
        let alone = Clustering::singletons(&graph).normalized(&graph);
        legality::check(&graph, &alone).unwrap_or_else(|error| panic!("{path}: {error}"));
        for (cost, optimum) in &graph.optimum {
            let cost = cost.parse().unwrap();
            let weights = Weights::new(&graph, &cost, &CostOptions::default());
            let paid = evaluate(&graph, &alone, &weights);
            assert!(paid >= *optimum, "{path}: {paid} < {optimum}");
        }
    }
}
