//! Reports on answers.

mod common;

use std::{collections::BTreeMap, time::Duration};

use comb_fusion::{
    algorithms::Algorithm,
    amount::Amount,
    cost::{Cost, CostOptions, Weights},
    evaluate::evaluate,
    exact::{SolveOptions, solve},
    graph::Graph,
    method::{Answer, Bounds, Method},
    random::{RandomOptions, random_graph},
    report::{Gain, Question, Report},
};

fn instance(name: &str) -> Graph {
    let found = common::instances()
        .into_iter()
        .find(|(other, _)| other == name);
    found.unwrap().1
}

/// The report on a method's answer, as if it had taken no time.
fn report(graph: &Graph, cost: &str, method: Method) -> Report {
    let cost: Cost = cost.parse().unwrap();
    let cost_options = CostOptions::default();
    let weights = Weights::new(graph, &cost, &cost_options).unwrap();
    let answer = method.solve(graph, &weights, &Bounds::default()).unwrap();
    let question = Question {
        graph,
        cost: &cost,
        weights: &weights,
        cost_options: &cost_options,
        bounds: &Bounds::default(),
        method,
    };
    let answer = Answer {
        elapsed: Duration::ZERO,
        ..answer
    };
    Report::new(&question, &answer)
}

/// Nothing that moves is 0 bytes, not -0.
#[test]
fn nothing_moves() {
    let text =
        r#"{"nodes": [{"id": 1, "kind": "map", "size": ["n"]}], "edges": [], "results": []}"#;
    let report = report(&Graph::from_json(text).unwrap(), "ext-bytes", Method::Exact);
    assert!(!report.to_text().contains("-0"), "{}", report.to_text());
    let bytes = report.costs.iter().filter_map(|row| row.bytes);
    assert!(bytes.into_iter().all(f64::is_sign_positive));
}

#[test]
fn one_loop() {
    let graph = instance("graphs/singleLoop.json");
    let report = report(&graph, "reads+writes", Method::Exact);
    insta::assert_snapshot!("singleLoop", report.to_text());
    insta::assert_snapshot!("singleLoop_json", report.to_json());
}

#[test]
fn a_greedy_answer_that_is_not_optimal() {
    let graph = instance("graphs/greedyBottomUpBad.json");
    let exact = report(&graph, "reads+writes", Method::Exact);
    insta::assert_snapshot!("greedyBottomUpBad", exact.to_text());
    let greedy = Method::Other(Algorithm::GreedyBottomUp);
    let greedy = report(&graph, "reads+writes", greedy);
    insta::assert_snapshot!("greedyBottomUpBad_greedy", greedy.to_text());
}

#[test]
fn a_scatter() {
    let graph = instance("graphs/scatterExample.json");
    let report = report(&graph, "reads+writes", Method::Exact);
    insta::assert_snapshot!("scatterExample", report.to_text());
}

#[test]
fn loops_of_two_levels() {
    let mut graph = instance("graphs/depth/softmax.json");
    graph.nodes[1].location = Some("softmax.comb:3:5".to_owned());
    let report = report(&graph, "prices", Method::Exact);
    insta::assert_snapshot!("softmax", report.to_text());
}

#[test]
fn no_line_is_longer_than_a_hundred_columns() {
    for (name, graph) in common::instances() {
        if graph.nodes.len() > 120 {
            continue;
        }
        let mut graph = graph;
        for node in &mut graph.nodes {
            node.name = format!("a_rather_long_name_{}", node.name);
        }
        let method = Method::Other(Algorithm::Greedy);
        let text = report(&graph, "prices", method).to_text();
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{name}: {line}");
        }
    }
}

/// What a fusion gains is what the best answer costs more in which it is forbidden.
#[test]
fn gains_are_true() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..60_u64 {
        let levels = 1 + (seed % 2) as usize;
        let options = RandomOptions {
            combinators: 7,
            tuples: if seed.is_multiple_of(5) { 0.3 } else { 0.0 },
            ..RandomOptions::ranked(levels)
        };
        let graph = random_graph(seed, options);
        let cost = "reads+writes+prices";
        let found = report(&graph, cost, Method::Exact);
        let paid = Weights::new(&graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap();
        let now = solve(&graph, &paid, &SolveOptions::default()).unwrap().cost;
        for fusion in &found.fusions {
            let node = |id: u64| {
                let found = graph.nodes.iter().position(|node| node.external_id == id);
                found.unwrap()
            };
            let mut apart = graph.clone();
            let pair = (node(fusion.first.id), node(fusion.second.id));
            apart.forbidden.push(pair);
            let apart = apart.finish().unwrap();
            let paid =
                Weights::new(&apart, &cost.parse().unwrap(), &CostOptions::default()).unwrap();
            let least = solve(&apart, &paid, &SolveOptions::default());
            let more = least.ok().map(|least| {
                assert_eq!(evaluate(&apart, &least.clustering, &paid), least.cost);
                least.cost - now
            });
            let right = match (fusion.gain, more) {
                (Gain::Everything, None) => true,
                (Gain::Exactly(gain), Some(more)) => gain == more,
                (Gain::AtLeast(gain), Some(more)) => gain <= more,
                _ => false,
            };
            assert!(right, "seed {seed}: {fusion:?}, but {more:?}");
            *kinds.entry(format!("{:?}", fusion.kind)).or_default() += 1;
        }
    }
    assert_eq!(kinds.len(), 3, "{kinds:?}");
}

#[test]
fn a_report_is_the_same_every_time() {
    let graph = instance("graphs/FA66.json");
    let one = report(&graph, "reads+writes", Method::Exact);
    let other = report(&graph, "reads+writes", Method::Exact);
    assert_eq!(one, other);
    let exact = one.costs.iter().find(|row| row.chosen).unwrap();
    assert_eq!((exact.cost, exact.loops), (Amount::whole(56).unwrap(), 6));
}
