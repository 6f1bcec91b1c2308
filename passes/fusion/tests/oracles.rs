//! The oracles against each other: brute force, the inference rules, legality.

use std::{fs, path::Path};

use comb_fusion::{
    algorithms::{self, ALGORITHMS},
    amount::Amount,
    clustering::Clustering,
    cost::{CostOptions, Weights},
    evaluate::evaluate,
    exact::{self, SolveOptions},
    graph::{BACKWARDS, FORWARDS, Graph, Order},
    legality,
    random::{RandomOptions, permuted, random_graph},
    rules,
};
use comb_oracles::brute_force;
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

fn instance(name: &str) -> Graph {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("graphs");
    let text = fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    Graph::from_json(&text).unwrap()
}

fn weights(graph: &Graph, cost: &str) -> Weights {
    Weights::new(graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap()
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

#[test]
fn whether_stencils_count_is_up_to_the_graph() {
    let mut changed = 0;
    for seed in 0..40 {
        let options = RandomOptions {
            gathers: 0.6,
            stencils: 0.7,
            ..RandomOptions::default()
        };
        let with = random_graph(seed, options);
        let mut costs = vec![];
        for graph in [with.without_stencils(), with] {
            let weights = weights(&graph, "reads+0.5*writes");
            let (least, clustering) = brute_force::optimum(&graph, &weights).unwrap();
            assert_eq!(
                evaluate(&graph, &clustering, &weights),
                least,
                "seed {seed}"
            );
            let solved = exact::solve(&graph, &weights, &SolveOptions::default()).unwrap();
            assert_eq!(solved.cost, least, "seed {seed}");
            for &(name, algorithm) in ALGORITHMS {
                let found = algorithms::run(&graph, &weights, algorithm, None);
                assert!(found.cost >= least, "seed {seed}, {name}");
            }
            costs.push(least);
        }
        changed += usize::from(costs[0] > costs[1]);
    }
    assert!(changed > 0);
}

/// P-filter: no loops outweigh a stored array, and no stored arrays an access that
/// could be shared.
#[test]
fn filter_weights_count_loops_last_and_shared_accesses_first() {
    for seed in 0..20 {
        let options = RandomOptions {
            combinators: 4,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        let plain = CostOptions {
            recomputation: false,
            ..CostOptions::default()
        };
        let of = |cost: &str| Weights::new(&graph, &cost.parse().unwrap(), &plain).unwrap();
        let costs = ["filter-weights", "clusters", "manifest"].map(of);
        let mut ranks: Vec<(f64, [f64; 3])> = vec![];
        let count = graph.combinators() as f64;
        brute_force::for_each_legal(&graph, &mut |clustering| {
            let clustering = clustering.normalized(&graph);
            let [all, loops, stored] = costs
                .each_ref()
                .map(|weights| evaluate(&graph, &clustering, weights).to_f64());
            let apart = (all - loops - count * stored) / (count * count);
            ranks.push((all, [apart, stored, loops]));
        });
        ranks.sort_by(|one, other| one.0.total_cmp(&other.0));
        assert!(ranks.iter().all(|(_, rank)| rank[0].fract() == 0.0));
        assert!(
            ranks.is_sorted_by(|one, other| one.1 <= other.1),
            "seed {seed}"
        );
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
        tuples: if seed.is_multiple_of(6) { 0.3 } else { 0.0 },
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
        assert_eq!(optimum(&graph), optimum(&other), "seed {seed}, {cost}");
    }
}

/// Every clustering that can be written down, with as many clusters as nodes and
/// every order that there is.
fn for_each_clustering(graph: &Graph, visit: &mut impl FnMut(&Clustering)) {
    let mut clustering = Clustering::singletons(graph);
    let mut orders: Vec<Order> = graph.label_levels().keys().copied().collect();
    orders.extend([FORWARDS, BACKWARDS]);
    choose(graph, &orders, &mut clustering, 0, visit);
}

/// Chooses one by one the cluster of every node and level, then its order.
fn choose(
    graph: &Graph,
    orders: &[Order],
    clustering: &mut Clustering,
    choice: usize,
    visit: &mut impl FnMut(&Clustering),
) {
    let (nodes, levels) = (graph.nodes.len(), graph.levels);
    let (node, level) = (choice / 2 / levels, choice / 2 % levels);
    if node == nodes {
        return visit(clustering);
    }
    if graph.is_input(node) {
        return choose(graph, orders, clustering, choice + 1, visit);
    }
    if choice.is_multiple_of(2) {
        for cluster in 0..=node {
            clustering.clusters[level][node] = cluster;
            choose(graph, orders, clustering, choice + 1, visit);
        }
    } else {
        for &order in orders {
            clustering.orders[node][level] = order;
            choose(graph, orders, clustering, choice + 1, visit);
        }
    }
}

#[test]
fn brute_force_leaves_out_nothing() {
    for seed in 0..60 {
        let levels = 1 + (seed % 2) as usize;
        let options = RandomOptions {
            combinators: if levels == 1 { 4 } else { 2 },
            inputs: 1,
            scans: 0.3,
            gathers: 0.4,
            odd_depths: 0.2,
            ..RandomOptions::ranked(levels)
        };
        let graph = random_graph(seed, options);
        let weights = weights(&graph, "prices+reads+0.5*writes");
        let mut least = Amount::MOST;
        for_each_clustering(&graph, &mut |clustering| {
            if legality::check(&graph, clustering).is_ok() {
                least = least.min(evaluate(&graph, clustering, &weights));
            }
        });
        let (found, _) = brute_force::optimum(&graph, &weights).unwrap();
        assert_eq!(found, least, "seed {seed}");
    }
}

/// A clustering made by merging clusters at random, with orders that mostly
/// follow those of a reader.
fn random_clustering(graph: &Graph, seed: u64) -> Clustering {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut clustering = Clustering::singletons(graph);
    let count = graph.nodes.len();
    for _ in 0..rng.random_range(0..count) {
        let (one, other) = match graph.uses.choose(&mut rng) {
            Some(array_use) if rng.random_bool(0.7) => (array_use.from, array_use.to),
            _ => (rng.random_range(0..count), rng.random_range(0..count)),
        };
        if !graph.is_input(one) && !graph.is_input(other) || rng.random_bool(0.02) {
            let clusters = &mut clustering.clusters[0];
            let (old, new) = (clusters[other], clusters[one]);
            clusters
                .iter_mut()
                .filter(|cluster| **cluster == old)
                .for_each(|cluster| *cluster = new);
        }
    }
    let mut orders: Vec<Order> = graph.label_levels().keys().copied().collect();
    orders.extend([FORWARDS, BACKWARDS]);
    for node in (0..count).rev() {
        let fused = graph.uses_of(node).iter().map(|&found| &graph.uses[found]);
        let mut fused = fused.filter(|found| clustering.together(1, node, found.to));
        let read = fused
            .next()
            .map(|found| clustering.read_order(graph, found, 1));
        match read {
            Some(order) if rng.random_bool(0.95) => clustering.orders[node][0] = order,
            _ if rng.random_bool(0.1) => {
                clustering.orders[node][0] = *orders.choose(&mut rng).unwrap();
            }
            _ => {}
        }
    }
    clustering
}

#[test]
fn the_rules_of_the_paper_agree_with_the_check_of_legality() {
    let (mut legal, mut illegal) = (0, 0);
    for seed in 0..20_000_u64 {
        let options = RandomOptions {
            combinators: 2 + (seed % 7) as usize,
            stencils: if seed.is_multiple_of(3) { 0.5 } else { 0.0 },
            tuples: if seed.is_multiple_of(4) { 0.2 } else { 0.0 },
            filters: if seed.is_multiple_of(5) { 0.3 } else { 0.03 },
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        let clustering = random_clustering(&graph, seed);
        let by_rules = rules::check(&graph, &clustering);
        let by_conditions = legality::check(&graph, &clustering);
        assert_eq!(
            by_rules.is_ok(),
            by_conditions.is_ok(),
            "seed {seed}: {by_rules:?}, {by_conditions:?}: {clustering:?} of {}",
            graph.to_json()
        );
        match by_rules {
            Ok(_) => legal += 1,
            Err(_) => illegal += 1,
        }
    }
    assert!(legal > 1000 && illegal > 1000, "{legal}, {illegal}");
}

#[test]
fn all_that_brute_force_finds_has_a_derivation() {
    for seed in 0..300_u64 {
        let options = RandomOptions {
            combinators: 5,
            tuples: if seed.is_multiple_of(2) { 0.2 } else { 0.0 },
            filters: 0.1,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        brute_force::for_each_legal(&graph, &mut |clustering| {
            if let Err(error) = rules::check(&graph, clustering) {
                panic!("seed {seed}: {error}: {clustering:?}");
            }
        });
    }
}

#[test]
fn the_rules_agree_with_legality_on_all_clusterings_of_small_graphs() {
    for seed in 0..60 {
        let options = RandomOptions {
            combinators: 3,
            inputs: 1,
            forces: 0.2,
            stencils: 0.3,
            ..RandomOptions::default()
        };
        let graph = random_graph(seed, options);
        for_each_clustering(&graph, &mut |clustering| {
            let by_rules = rules::check(&graph, clustering);
            let by_conditions = legality::check(&graph, clustering);
            assert_eq!(
                by_rules.is_ok(),
                by_conditions.is_ok(),
                "seed {seed}: {by_rules:?}, {by_conditions:?}: {clustering:?}"
            );
        });
    }
}

/// The program `singleLoop` of P-gather, 1.
#[test]
fn a_derivation_says_how_every_array_is_fused() {
    let mut graph = instance("singleLoop");
    for node in &mut graph.nodes {
        node.name = format!("{:?}{}", node.kind, node.external_id).to_lowercase();
    }
    let weights = weights(&graph, "reads+writes");
    let (_, clustering) = brute_force::optimum(&graph, &weights).unwrap();
    let derivation = rules::check(&graph, &clustering).unwrap();
    insta::assert_snapshot!(derivation.to_text(&graph), @r"
    generate1, gather2, map3, map4, map5: [input0:0, input0:2 | map5:0]
      generate1 with gather2: [input0:2 | gather2:0]
        VERTICAL generate1:0
        INTROI2 input0:2
        INTROO2 gather2:0
      generate1, gather2 with map5: [input0:2, map3:0, map4:0 | map5:0]
        VERTICAL gather2:0
        INTROI1 input0:2
        INTROI2 map3:0
        INTROI2 map4:0
        INTROO2 map5:0
      map3 with map4: [input0:0 | map3:0, map4:0]
        DIAGONAL map3:0
        INTROI1 input0:0
        INTROO2 map4:0
      map3, map4 with generate1, gather2, map5: [input0:0, input0:2 | map5:0]
        VERTICAL map3:0
        VERTICAL map4:0
        INTROI1 input0:0
        INTROI2 input0:2
        INTROO2 map5:0
    ");
}
