//! Reading and writing graphs.

use std::{fs, path::Path};

use comb_fusion::{
    clustering::Clustering,
    cost::{CostOptions, Weights},
    evaluate::evaluate,
    graph::Graph,
    legality,
};

fn instances() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("graphs");
    let mut files = vec![];
    for folder in [folder.clone(), folder.join("depth")] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path.display().to_string(), text));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn every_instance_is_read_and_written() {
    for (path, text) in instances() {
        let graph = Graph::from_json(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let again = Graph::from_json(&graph.to_json()).unwrap();
        assert_eq!(graph.to_json(), again.to_json(), "{path}");
        assert!(!graph.optimum.is_empty(), "{path}");
    }
}

#[test]
fn nothing_fused_is_legal_and_costs_at_least_the_optimum() {
    for (path, text) in instances() {
        let graph = Graph::from_json(&text).unwrap();
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
