//! What sizes are called where they are shown: as the program calls them.
//!
//! A size that is a parameter of the function has its name, one that is a dimension of a
//! parameter that and a number: `n`, `xs.0`. Another one is called after the first array
//! of the graph that has it, `evens.0`, and only what is no array's size, but part of
//! one, keeps the name that it has in the solver.

use std::collections::{BTreeMap, BTreeSet};

use comb_fusion::{graph::Graph, size::Size};

/// A graph with other names for sizes, given those of parameters.
pub fn with_names(graph: &Graph, of_parameters: &BTreeMap<String, String>) -> Graph {
    let names = names(graph, of_parameters);
    let mut graph = graph.clone();
    for size in graph.nodes.iter_mut().flat_map(|node| &mut node.size) {
        for size in size {
            *size = size.renamed(&names);
        }
    }
    graph
}

/// By name in the solver: another name, which no two share.
fn names(graph: &Graph, of_parameters: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut given = Names::default();
    for (root, name) in of_parameters {
        given.give(root, name);
    }
    for node in &graph.nodes {
        for (dimension, size) in node.size.iter().flatten().enumerate() {
            if let Some(root) = size.as_name() {
                given.give(root, &format!("{}.{dimension}", node.name));
            }
        }
    }
    let sizes = graph
        .nodes
        .iter()
        .flat_map(|node| node.size.iter().flatten());
    for root in sizes.flat_map(Size::names) {
        given.give(root, root);
    }
    given.names
}

#[derive(Default)]
struct Names {
    names: BTreeMap<String, String>,
    taken: BTreeSet<String>,
}

impl Names {
    /// Gives a size a name, if it has none and this can be one; with a mark if it is
    /// another's.
    fn give(&mut self, root: &str, name: &str) {
        let is_name = |name: &str| {
            name.parse::<Size>()
                .is_ok_and(|size| size.as_name() == Some(name))
        };
        if self.names.contains_key(root) || !is_name(name) {
            return;
        }
        let mut own = name.to_owned();
        while !self.taken.insert(own.clone()) {
            own.push('#');
        }
        self.names.insert(root.to_owned(), own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_sizes_get_one_name() {
        let text = r#"{"nodes": [
            {"id": 0, "kind": "input", "name": "xs", "size": ["n0", "n1"]},
            {"id": 1, "kind": "map", "name": "ys", "size": ["n2*n3 + n0"]},
            {"id": 2, "kind": "map", "name": "a b", "size": ["n3"]},
            {"id": 3, "kind": "map", "name": "zs", "size": ["n3"]}],
          "levels": 1, "edges": [], "results": [3]}"#;
        let text = text.replace(
            "\"size\"",
            "\"rank\": 1, \"depth\": 1, \"available\": 1, \"size\"",
        );
        let graph = Graph::from_json(&text).unwrap();
        let of_parameters = [("n1", "n2"), ("n0", "xs.0")];
        let of_parameters = of_parameters.map(|(root, name)| (root.to_owned(), name.to_owned()));
        let named = with_names(&graph, &of_parameters.into());
        let shown = |id: u64| {
            let mut nodes = named.nodes.iter();
            let node = nodes.find(|node| node.external_id == id).unwrap();
            let sizes = node.size.iter().flatten();
            sizes.map(Size::to_string).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown(0), "xs.0, n2");
        assert_eq!(shown(1), "xs.0 + n2#*zs.0");
        assert_eq!((shown(2), shown(3)), ("zs.0".to_owned(), "zs.0".to_owned()));
    }
}
