//! Graphs that are built by a program.

use comb_fusion::{
    builder::GraphBuilder,
    format::FormatError,
    graph::{Graph, Kind, Node, Use},
    random::{RandomOptions, random_graph},
};

/// The same graph, its nodes added backwards.
fn rebuilt(graph: &Graph) -> (Graph, comb_fusion::builder::Numbering) {
    let mut builder = GraphBuilder::new(graph.name.clone(), graph.levels);
    let last = graph.nodes.len() - 1;
    for node in graph.nodes.iter().rev() {
        builder.node(node.clone());
    }
    for array_use in graph.uses.iter().rev() {
        builder.array_use(Use {
            from: last - array_use.from,
            to: last - array_use.to,
            ..array_use.clone()
        });
    }
    for &(first, second) in &graph.before {
        builder.before(last - first, last - second);
    }
    for &(one, other) in &graph.forced {
        builder.forced(last - one, last - other);
    }
    for &(one, other) in &graph.forbidden {
        builder.forbidden(last - one, last - other);
    }
    builder.finish().unwrap()
}

#[test]
fn the_numbering_says_where_everything_is() {
    for seed in 0..50 {
        let options = RandomOptions {
            tuples: 0.2,
            forced: 1,
            forbidden: 1,
            ..RandomOptions::ranked(1 + (seed % 3) as usize)
        };
        let graph = random_graph(seed, options);
        let (built, numbering) = rebuilt(&graph);
        let last = graph.nodes.len() - 1;
        for (number, node) in graph.nodes.iter().enumerate() {
            let found = &built.nodes[numbering.nodes[last - number]];
            assert_eq!(found.external_id, node.external_id);
        }
        for (number, array_use) in graph.uses.iter().enumerate() {
            let position = graph.uses.len() - 1 - number;
            let found = &built.uses[numbering.uses[position]];
            assert_eq!(found.external_id, array_use.external_id);
            assert_eq!(found.to, numbering.nodes[last - array_use.to]);
        }
        assert_eq!(built.forced.len(), graph.forced.len());
        assert_eq!(built.to_json().len(), graph.to_json().len());
    }
}

fn error(change: impl FnOnce(&mut GraphBuilder)) -> String {
    let mut builder = GraphBuilder::new("wrong", 1);
    builder.node(Node::new("a", 7, Kind::Map, 1));
    builder.node(Node::new("b", 8, Kind::Map, 1));
    change(&mut builder);
    let error: FormatError = builder.finish().unwrap_err();
    error.to_string()
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let said = error(|builder| {
        builder.array_use(Use::new(0, 0, 5, 1));
    });
    assert_eq!(said, "edge [0, 5]: there are only 2 nodes, from 0");
    let said = error(|builder| builder.forced(1, 1));
    assert_eq!(said, "forced [8, 8]: a node is paired with itself");
    let said = error(|builder| {
        builder.array_use(Use::new(0, 0, 1, 2));
    });
    assert_eq!(
        said,
        "edge from 7 to 8: prefix 2 is more than the array's rank 1 or the reader's depth 1"
    );
    let said = error(|builder| builder.node_mut(0).width = f64::NAN);
    assert_eq!(said, "node 7: 'width' is not a positive number");
    let said = error(|builder| {
        builder.array_use(Use::new(0, 0, 1, 1));
        builder.array_use(Use::new(1, 1, 0, 1));
    });
    assert_eq!(said, "the graph has a cycle: 7 → 8 → 7");
    let said = error(|builder| builder.node_mut(1).prices = vec![1.0]);
    assert_eq!(
        said,
        "node 8: 'prices' have to fall from level to level, to 0"
    );
}
