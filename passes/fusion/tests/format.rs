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
            let weights = Weights::new(&graph, &cost, &CostOptions::default()).unwrap();
            let paid = evaluate(&graph, &alone, &weights);
            assert!(paid >= *optimum, "{path}: {paid} < {optimum}");
        }
    }
}

/// A ranked graph with one field of its fold changed.
fn with_field(field: &str, value: &str) -> Result<Graph, comb_fusion::format::FormatError> {
    let number = |name: &str, usual: &str| match name == field {
        true => format!("\"{name}\": {value}"),
        false => format!("\"{name}\": {usual}"),
    };
    Graph::from_json(&format!(
        r#"{{"levels": 2, "nodes": [
            {{"id": 0, "kind": "input", "rank": 2, "depth": 0, "available": 0, "prices": [9, 3, 0]}},
            {{"id": 1, "kind": "fold", {}, {}, {}, "prices": [9, 0]}},
            {{"id": 2, "kind": "map", "rank": 2, "depth": 2, "available": 2, "prices": [9, 3, 0]}}],
          "edges": [{{"from": 0, "to": 1, "prefix": 2, "fusible": false}},
                    {{"from": 1, "to": 2, {}, "fusible": true}}],
          "results": [2]}}"#,
        number("rank", "1"),
        number("depth", "2"),
        number("available", "1"),
        number("prefix", "1"),
    ))
}

#[test]
fn numbers_that_are_too_large_are_refused_by_node_or_edge() {
    with_field("none", "0").unwrap();
    for field in ["rank", "depth", "available", "prefix"] {
        for value in [1_000_000_000, 1 << 31, 1 << 32, 1 << 63, u64::MAX] {
            let error = with_field(field, &value.to_string()).unwrap_err();
            let place = if field == "prefix" {
                "edge from 1 to 2: "
            } else {
                "node 1: "
            };
            assert!(
                error.to_string().starts_with(place),
                "{field} {value}: {error}"
            );
        }
    }
}

#[test]
fn only_what_gives_no_array_is_a_check() {
    let read = |kind: &str, rank: usize| {
        Graph::from_json(&format!(
            r#"{{"levels": 1, "edges": [], "nodes": [
                 {{"id": 1, "kind": "{kind}", "rank": {rank}, "depth": {rank},
                   "available": 0, "check": true}}]}}"#
        ))
    };
    assert!(read("external", 0).unwrap().nodes[0].check);
    for (kind, rank) in [("external", 1), ("map", 0)] {
        let error = read(kind, rank).unwrap_err().to_string();
        let expected = "node 1: a 'check' is 'external', and gives no array: its 'rank' is 0";
        assert_eq!(error, expected);
    }
}
