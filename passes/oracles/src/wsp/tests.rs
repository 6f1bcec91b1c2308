//! Branch and bound against all partitions, and greedy fusion in all orders of ties.

use std::collections::BTreeSet;

use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};

use super::{
    COST_MODELS, CostModel, Instance, Operation, Problem, View, blocks, run, state::State,
};
use comb_fusion::algorithms::Algorithm;

/// Operations on halves and wholes of four arrays, which are created at the start or
/// when they are first written, and some of which are deleted at the end.
fn random_instance(seed: u64, count: usize) -> Instance {
    let mut random = StdRng::seed_from_u64(seed);
    let arrays = ["A", "B", "C", "D"];
    let mut created = BTreeSet::new();
    let mut operations = vec![];
    for number in 0..count {
        let view = |random: &mut StdRng| View {
            array: (*arrays.choose(random).unwrap()).to_owned(),
            first: *[0, 0, 0, 1].choose(random).unwrap(),
            count: *[4, 4, 4, 5].choose(random).unwrap(),
            stride: 1,
        };
        let written = view(&mut random);
        let mut operation = Operation {
            name: number.to_string(),
            reads: (0..random.random_range(0..3))
                .map(|_| view(&mut random))
                .collect(),
            ..Operation::default()
        };
        if created.insert(written.array.clone()) && random.random_bool(0.7) {
            operation.new.push(written.array.clone());
        }
        operation.writes.push(written);
        operations.push(operation);
    }
    for array in created {
        if random.random_bool(0.5) {
            operations.push(Operation {
                name: format!("DEL {array}"),
                del: vec![array],
                ..Operation::default()
            });
        }
    }
    Instance {
        name: String::new(),
        operations,
    }
}

/// Every partition of so many operations.
fn partitions(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![vec![]], |shorter, _| {
        let longer = |partition: Vec<usize>| {
            let blocks = partition.iter().max().map_or(0, |most| most + 1);
            (0..=blocks).map(move |block| [partition.as_slice(), &[block]].concat())
        };
        shorter.into_iter().flat_map(longer).collect()
    })
}

/// Whether weight edges connect the operations of every block.
fn is_along_edges(problem: &Problem, partition: &[usize]) -> bool {
    blocks(partition).iter().all(|block| {
        let mut reached = BTreeSet::from([block[0]]);
        for _ in block {
            for &(one, other) in &problem.edges {
                if partition[one] == partition[other]
                    && (reached.contains(&one) || reached.contains(&other))
                {
                    reached.extend([one, other]);
                }
            }
        }
        block.iter().all(|operation| reached.contains(operation))
    })
}

#[test]
fn branch_and_bound_finds_the_best_of_all_partitions() {
    for seed in 0..60 {
        let instance = random_instance(seed, 3 + seed as usize % 4);
        for &(name, model) in COST_MODELS {
            let problem = Problem::new(&instance, model);
            let best = partitions(instance.operations.len())
                .into_iter()
                .filter(|each| problem.is_legal(each) && is_along_edges(&problem, each))
                .map(|each| problem.cost(&each))
                .fold(f64::INFINITY, f64::min);
            let found = run(&problem, Algorithm::BranchAndBound, None).unwrap();
            assert!(found.optimal && problem.is_legal(&found.partition));
            assert_eq!(found.cost, best, "seed {seed}, {name}");
        }
    }
}

#[test]
fn heuristics_give_legal_partitions() {
    for seed in 0..60 {
        let instance = random_instance(seed, 20);
        for &(name, model) in COST_MODELS {
            let problem = Problem::new(&instance, model);
            let singleton = problem.cost(State::new(&problem).partition());
            for algorithm in [Algorithm::Unintrusive, Algorithm::Greedy] {
                let found = run(&problem, algorithm, None).unwrap();
                assert!(problem.is_legal(&found.partition), "seed {seed}, {name}");
                assert!(found.cost <= singleton, "seed {seed}, {name}");
            }
        }
    }
}

/// What greedy fusion may cost at the end, whatever ties are broken by.
fn greedy_costs(problem: &Problem) -> BTreeSet<u64> {
    let mut costs = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut waiting = vec![State::new(problem)];
    while let Some(state) = waiting.pop() {
        let edges = state.weight_edges(&state.dependences());
        let heaviest = edges.iter().map(|edge| edge.2).fold(0.0, f64::max);
        if edges.is_empty() {
            costs.insert(problem.cost(state.partition()) as u64);
        }
        for &(one, other, _) in edges.iter().filter(|edge| edge.2 == heaviest) {
            let mut next = state.clone();
            next.merge(one, other);
            if seen.insert(next.partition().to_vec()) {
                waiting.push(next);
            }
        }
    }
    costs
}

#[test]
fn no_order_of_ties_gives_the_greedy_cost_of_the_paper() {
    let text = include_str!("../../../fusion/graphs/wsp-figure-3.json");
    let instance = Instance::from_json(text).unwrap();
    let problem = Problem::new(&instance, CostModel::ExtBytes);
    assert_eq!(greedy_costs(&problem), BTreeSet::from([38, 46]));
}
