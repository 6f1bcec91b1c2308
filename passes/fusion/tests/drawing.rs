//! Pictures: nothing overlaps, hulls contain exactly their clusters, the text of
//! small ones is what it was.

use std::{collections::BTreeSet, fs, path::Path};

use comb_drawing::{Layout, Picture};
use comb_fusion::{
    algorithms::{self, Algorithm},
    clustering::Clustering,
    cost::{CostOptions, Weights},
    exact::{self, SolveOptions},
    graph::{Graph, NodeId},
    random::{self, RandomOptions},
};
use comb_oracles::brute_force;

fn stored(name: &str) -> Graph {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("graphs");
    let text = fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    Graph::from_json(&text).unwrap()
}

fn check(graph: &Graph, layout: &Layout, clustering: &Clustering) {
    for (node, place) in layout.nodes.iter().enumerate() {
        for (other, second) in layout.nodes.iter().enumerate().skip(node + 1) {
            assert!(!place.overlaps(second), "nodes {node} and {other} overlap");
        }
    }
    let mut drawn = BTreeSet::new();
    for hull in &layout.hulls {
        let inside: Vec<NodeId> = (0..graph.nodes.len())
            .filter(|&node| hull.place.overlaps(&layout.nodes[node]))
            .collect();
        assert_eq!(inside, hull.nodes);
        assert!(
            inside
                .iter()
                .all(|&node| hull.place.contains(&layout.nodes[node]))
        );
        drawn.insert((hull.level, inside));
        for other in &layout.hulls {
            let nested = hull.place.contains(&other.place) || other.place.contains(&hull.place);
            assert!(nested || !hull.place.overlaps(&other.place));
        }
    }
    let expected: BTreeSet<_> = (1..=graph.levels)
        .flat_map(|level| {
            let groups = clustering.groups(graph, level).into_iter();
            groups.map(move |group| (level, group))
        })
        .filter(|(_, group)| group.len() > 1)
        .collect();
    assert_eq!(drawn, expected);
}

/// Clusters of nodes at random, mostly not legal: pictures must not mind.
fn arbitrary_clustering(graph: &Graph, seed: u64) -> Clustering {
    let mut clustering = Clustering::singletons(graph);
    let mut outer = vec![0; graph.nodes.len()];
    for level in 0..graph.levels {
        for (node, around) in outer.iter_mut().enumerate() {
            let salt = seed
                .wrapping_add(node as u64 * 7 + level as u64)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *around = *around * 4 + (salt >> 60) as usize % 4;
        }
        for (node, cluster) in clustering.clusters[level].iter_mut().enumerate() {
            let alone = graph.is_input(node) || graph.nodes[node].depth <= level;
            *cluster = match alone {
                true => node,
                false => graph.nodes.len() + outer[node],
            };
        }
    }
    for level in &mut clustering.clusters {
        let mut numbers: Vec<usize> = level.clone();
        numbers.sort_unstable();
        numbers.dedup();
        for cluster in level {
            *cluster = numbers.partition_point(|number| number < cluster);
        }
    }
    clustering
}

#[test]
fn nothing_overlaps_in_optima_of_random_graphs() {
    for seed in 0..60 {
        let options = match seed % 2 {
            0 => RandomOptions::default(),
            _ => RandomOptions::ranked(2),
        };
        let graph = random::random_graph(seed, options);
        let name = if graph.levels > 1 {
            "prices"
        } else {
            "reads+writes"
        };
        let weights =
            Weights::new(&graph, &name.parse().unwrap(), &CostOptions::default()).unwrap();
        let (_, clustering) = brute_force::optimum(&graph, &weights).unwrap();
        check(
            &graph,
            &comb_drawing::layout(&graph, Some(&clustering)),
            &clustering,
        );
    }
}

#[test]
fn nothing_overlaps_whatever_the_clusters() {
    for seed in 0..60 {
        let options = RandomOptions {
            combinators: 5 + seed as usize / 2,
            ..RandomOptions::ranked(1 + seed as usize % 3)
        };
        let graph = random::random_graph(seed, options);
        let clustering = arbitrary_clustering(&graph, seed);
        check(
            &graph,
            &comb_drawing::layout(&graph, Some(&clustering)),
            &clustering,
        );
    }
}

#[test]
fn nothing_overlaps_in_large_pictures() {
    let options = RandomOptions {
        combinators: 2000,
        window: Some(8),
        ..RandomOptions::default()
    };
    let graph = random::random_graph(1, options);
    let cost = "reads+writes".parse().unwrap();
    let weights = Weights::new(&graph, &cost, &CostOptions::default()).unwrap();
    let outcome = algorithms::run(&graph, &weights, Algorithm::Linear, None);
    let layout = comb_drawing::layout(&graph, Some(&outcome.clustering));
    check(&graph, &layout, &outcome.clustering);
}

#[test]
fn arrows_point_downwards_or_into_a_later_column() {
    for name in ["FA66", "MG99", "rand66_0", "depth/attention-batched"] {
        let graph = stored(name);
        let layout = comb_drawing::layout(&graph, None);
        for array_use in &graph.uses {
            let (from, to) = (layout.nodes[array_use.from], layout.nodes[array_use.to]);
            assert!(from.bottom < to.top || from.right < to.left, "{name}");
        }
    }
}

#[test]
fn tall_pictures_stand_in_columns() {
    for name in ["MG99", "depth/multigrid1", "depth/transformer1"] {
        let graph = stored(name);
        let cost = match graph.levels {
            1 => "reads+writes",
            _ => "prices",
        };
        let weights =
            Weights::new(&graph, &cost.parse().unwrap(), &CostOptions::default()).unwrap();
        let solved = exact::solve(&graph, &weights, &SolveOptions::default()).unwrap();
        let layout = comb_drawing::layout(&graph, Some(&solved.clustering));
        check(&graph, &layout, &solved.clustering);
        let boxes = || layout.nodes.iter();
        let width = boxes().fold(0.0, |most: f64, place| most.max(place.right));
        let height = boxes().fold(0.0, |most: f64, place| most.max(place.bottom));
        assert!(height <= 3.0 * width, "{name}: {width} to {height}");
    }
}

#[test]
fn small_pictures() {
    let graph = stored("singleLoop");
    let mut clustering = Clustering::singletons(&graph);
    clustering.clusters[0] = vec![0, 1, 1, 1, 1, 1];
    let picture = Picture::new(&graph, Some(&clustering), false);
    insta::assert_snapshot!("singleLoop.svg", picture.svg().unwrap());
    insta::assert_snapshot!("singleLoop.dot", picture.dot());
}

#[test]
fn names_are_only_text() {
    let mut graph = stored("singleLoop");
    graph.name = "</svg>\u{0}\"".to_owned();
    graph.nodes[1].name = "<b>&\"\\".to_owned();
    let picture = Picture::new(&graph, None, false);
    let svg = picture.svg().unwrap();
    assert!(svg.contains("<title>&lt;/svg&gt;\u{fffd}&quot;</title>"));
    assert!(svg.contains("&lt;b&gt;&amp;&quot;\\"));
    let dot = picture.dot();
    assert!(dot.contains(r#"label="<b>&\"\\\ngenerate""#));
}

#[test]
fn a_graph_without_nodes_is_a_picture() {
    let graph = Graph::from_json(r#"{"nodes":[],"edges":[]}"#).unwrap();
    let svg = Picture::new(&graph, None, false).svg().unwrap();
    assert!(svg.ends_with("</svg>\n"));
}
