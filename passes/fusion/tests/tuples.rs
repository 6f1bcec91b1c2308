//! Combinators with several results cost what they cost otherwise.

use comb_fusion::{
    algorithms::{ALGORITHMS, Algorithm},
    amount::Amount,
    clustering::Clustering,
    cost::{CostOptions, Weights},
    evaluate::evaluate,
    exact::{Reason, SolveOptions, reasons, solve},
    graph::Graph,
    legality::{self, Illegal},
    limits::{Limits, arguments, peak_memory},
    method::{Bounds, Method},
    random::{RandomOptions, random_graph},
};
use serde_json::{Value, json};

fn weights(graph: &Graph, cost: &str) -> Weights {
    Weights::new(graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap()
}

/// The same graph in which some nodes are tuples of one result, which is what was
/// the node's array: nothing about costs changes.
fn with_tuples(graph: &Graph, seed: u64) -> Graph {
    let mut file: Value = serde_json::from_str(&graph.to_json()).unwrap();
    let flat = file.get("levels").is_none();
    let mut projections = vec![];
    let mut edges = vec![];
    let offset = 1000;
    for (position, node) in file["nodes"].as_array_mut().unwrap().iter_mut().enumerate() {
        let chosen = (seed >> (position % 8)) & 1 == 0;
        if node["kind"] == "input" || !chosen {
            continue;
        }
        let mut projection = node.clone();
        let id = node["id"].as_u64().unwrap();
        projection["id"] = json!(id + offset);
        projection["kind"] = json!("map");
        let fields = projection.as_object_mut().unwrap();
        fields.remove("work");
        fields.remove("label");
        let mut edge = json!({
            "from": id, "to": id + offset, "fusible": true, "inseparable": true,
        });
        if flat {
            edge["role"] = json!("element");
        } else {
            let rank = node["rank"].as_u64().unwrap();
            let depth = rank.min(node["depth"].as_u64().unwrap());
            projection["depth"] = json!(depth);
            node["available"] = json!(rank);
            edge["prefix"] = json!(depth);
        }
        projections.push(projection);
        edges.push(edge);
    }
    let has_projection = |id: &Value| {
        let id = id.as_u64().unwrap();
        projections.iter().any(|found| found["id"] == id + offset)
    };
    for edge in file["edges"].as_array_mut().unwrap() {
        if has_projection(&edge["from"]) {
            edge["from"] = json!(edge["from"].as_u64().unwrap() + offset);
        }
    }
    for result in file["results"].as_array_mut().unwrap() {
        if has_projection(result) {
            *result = json!(result.as_u64().unwrap() + offset);
        }
    }
    file["nodes"].as_array_mut().unwrap().extend(projections);
    file["edges"].as_array_mut().unwrap().extend(edges);
    file.as_object_mut().unwrap().remove("combinators");
    Graph::from_json(&file.to_string()).unwrap_or_else(|error| panic!("{error}: {file}"))
}

fn options(seed: u64) -> RandomOptions {
    let levels = 1 + (seed % 3) as usize;
    RandomOptions {
        combinators: 7,
        sizes: seed.is_multiple_of(2),
        odd_depths: if seed.is_multiple_of(5) { 0.3 } else { 0.0 },
        filters: 0.1,
        ..RandomOptions::ranked(levels)
    }
}

/// Graphs, and the same with tuples.
fn pairs(count: u64, combinators: usize) -> impl Iterator<Item = (u64, Graph, Graph)> {
    (0..count).map(move |seed| {
        let options = RandomOptions {
            combinators,
            ..options(seed)
        };
        let graph = random_graph(seed, options);
        let tuples = with_tuples(&graph, seed.wrapping_mul(37));
        (seed, graph, tuples)
    })
}

#[test]
fn tuples_cost_nothing() {
    const COSTS: [&str; 7] = [
        "reads+writes",
        "clusters",
        "edges",
        "ext-bytes",
        "max-locality",
        "prices",
        "2*reads+writes+0.1*clusters+prices",
    ];
    for (seed, graph, tuples) in pairs(90, 7) {
        for cost in COSTS {
            let least = |graph: &Graph| {
                let found = solve(graph, &weights(graph, cost), &SolveOptions::default()).unwrap();
                assert!(found.optimal);
                found.cost
            };
            let (plain, tupled) = (least(&graph), least(&tuples));
            assert!(
                plain == tupled,
                "seed {seed}, {cost}: {plain} and {tupled}\n{}",
                tuples.to_json()
            );
        }
    }
}

#[test]
fn limits_count_results_and_not_tuples() {
    for (seed, graph, tuples) in pairs(40, 4) {
        for most in [1, 3] {
            let least = |graph: &Graph| {
                let limits = Limits {
                    arguments: Some(most),
                    memory: None,
                };
                let options = SolveOptions {
                    limits: limits.clone(),
                    ..SolveOptions::default()
                };
                let found = solve(graph, &weights(graph, "reads+writes"), &options).unwrap();
                assert!(limits.hold(graph, &found.clustering));
                found.cost
            };
            let (plain, tupled) = (least(&graph), least(&tuples));
            assert_eq!(plain, tupled, "seed {seed}, {most} at most");
        }
    }
}

#[test]
fn tuples_take_no_memory() {
    let text = |available: usize| {
        format!(
            r#"{{
              "levels": 1,
              "nodes": [
                {{"id": 0, "kind": "generate", "rank": 1, "depth": 1, "available": {available},
                  "size": ["8"]}},
                {{"id": 1, "kind": "map", "rank": 1, "depth": 1, "available": 1, "size": ["8"]}},
                {{"id": 2, "kind": "map", "rank": 1, "depth": 1, "available": 1, "size": ["8"]}}
              ],
              "edges": [
                {{"from": 0, "to": 1, "prefix": 1, "fusible": true, "inseparable": true}},
                {{"from": 0, "to": 2, "prefix": 1, "fusible": true, "inseparable": true}}
              ],
              "results": [1, 2]
            }}"#
        )
    };
    for (available, loops) in [(1, 1), (0, 3)] {
        let graph = Graph::from_json(&text(available)).unwrap();
        let paid = weights(&graph, "reads+writes+edges");
        let method = Method::Other(Algorithm::Singleton);
        let alone = method.solve(&graph, &paid, &Bounds::default()).unwrap();
        assert_eq!(alone.cost, Amount::whole(2).unwrap());
        assert_eq!(alone.clustering.groups(&graph, 1).len(), loops);
        let peak = peak_memory(&graph, &alone.clustering, &CostOptions::default());
        assert_eq!(peak, 16.0);
        for group in alone.clustering.groups(&graph, 1) {
            let taken = arguments(&graph, &alone.clustering, &group);
            assert!(taken <= 2, "{group:?}: {taken}");
        }
    }
}

#[test]
fn inseparable_nodes_always_have_one_reason_to_be_together() {
    for seed in 0..60 {
        let options = RandomOptions {
            tuples: 0.4,
            ..options(seed)
        };
        let graph = random_graph(seed, options);
        let weights = weights(&graph, "reads+writes");
        let solve_options = SolveOptions::default();
        let found = solve(&graph, &weights, &solve_options).unwrap();
        assert_eq!(legality::check(&graph, &found.clustering), Ok(()));
        for pair in reasons(&graph, &weights, &found.clustering, &solve_options) {
            let inseparable = graph.inseparable_uses();
            let mut ends = inseparable.map(|(array_use, _)| (array_use.from, array_use.to));
            assert!(
                !ends.any(|ends| ends == pair.nodes),
                "seed {seed}: {pair:?}"
            );
            if let Reason::CostsMore { by, .. } = pair.reason {
                assert!(by >= Amount::ZERO);
            }
        }
    }
}

#[test]
fn separating_what_is_inseparable_is_illegal() {
    let text = r#"{
      "nodes": [{"id": 0, "kind": "generate"}, {"id": 1, "kind": "map"}],
      "edges": [
        {"from": 0, "to": 1, "role": "element", "fusible": true, "inseparable": true}
      ],
      "results": [1]
    }"#;
    let graph = Graph::from_json(text).unwrap();
    let again = Graph::from_json(&graph.to_json()).unwrap();
    assert!(again.uses[0].inseparable && again.is_tuple(0));
    let apart = Clustering::singletons(&graph);
    let separated = Illegal::Separated {
        level: 1,
        array_use: 0,
    };
    assert_eq!(legality::check(&graph, &apart), Err(separated));
    let paid = weights(&graph, "reads+writes+clusters");
    for &(name, _) in ALGORITHMS {
        let method = Method::named(Some(name), None, None).unwrap();
        let answer = method.solve(&graph, &paid, &Bounds::default()).unwrap();
        assert_eq!(
            answer.cost,
            Amount::whole(2).unwrap(),
            "{name}: one loop, one write"
        );
        assert_eq!(
            evaluate(&graph, &answer.clustering, &paid),
            Amount::whole(2).unwrap()
        );
    }
    let unfusible = text.replace(r#""fusible": true"#, r#""fusible": false"#);
    let error = Graph::from_json(&unfusible).unwrap_err().to_string();
    assert_eq!(
        error,
        "edge from 0 to 1: what is 'inseparable' has to be 'fusible'"
    );
}
