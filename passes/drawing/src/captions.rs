//! What stands in the boxes of nodes: the name; what kind it is and on which line; and
//! the number of its loop, if no other node is in it.

use std::collections::BTreeSet;

use comb_fusion::graph::{Graph, Kind, Node, NodeId};

use crate::hierarchy::Hierarchy;

/// Longer names are cut.
const LONGEST_NAME: usize = 24;

/// The lines of all boxes.
pub(super) struct Captions {
    lines: Vec<Vec<String>>,
    /// The file that all places are in, if it is one; otherwise they have their file's
    /// name.
    pub file: Option<String>,
}

impl Captions {
    /// Those of the nodes of a graph.
    pub fn new(graph: &Graph, hierarchy: &Hierarchy) -> Self {
        let places: Vec<Option<Place>> = graph.nodes.iter().map(Place::of).collect();
        let files: BTreeSet<&str> = places.iter().flatten().map(|place| place.file).collect();
        let is_one = files.len() == 1;
        let lines = places.iter().enumerate().map(|(node, place)| {
            let place = place.as_ref().map(|place| place.shown(!is_one));
            let mut lines = lines(&graph.nodes[node], place);
            let alone = hierarchy.alone[node].as_ref();
            lines.extend(alone.map(|number| format!("loop {number}")));
            lines
        });
        Self {
            lines: lines.collect(),
            file: files
                .first()
                .filter(|_| is_one)
                .map(|&file| file.to_owned()),
        }
    }

    /// Those of a node, the first in larger letters.
    pub fn of(&self, node: NodeId) -> &[String] {
        &self.lines[node]
    }
}

/// A line of a file.
struct Place<'n> {
    file: &'n str,
    line: &'n str,
}

impl<'n> Place<'n> {
    /// Where a node is; nothing if that is only a name.
    fn of(node: &'n Node) -> Option<Self> {
        let location = node.location.as_deref()?;
        let location = match location.strip_suffix("')") {
            Some(front) => front
                .rsplit_once(" ('")
                .map_or(location, |(place, _)| place),
            None => location,
        };
        let is_number = |text: &str| text.parse::<u32>().is_ok();
        let (front, column) = location.rsplit_once(':')?;
        let (file, line) = front.rsplit_once(':')?;
        (is_number(column) && is_number(line)).then_some(Self { file, line })
    }

    fn shown(&self, with_file: bool) -> String {
        let file = self.file.rsplit('/').next().filter(|_| with_file);
        format!("{}:{}", file.map(shortened).unwrap_or_default(), self.line)
    }
}

/// The name and the kind, or kind and number if a node has no name of its own.
fn lines(node: &Node, place: Option<String>) -> Vec<String> {
    let kind = match &node.op {
        Some(op) if node.kind == Kind::External => shortened(op),
        _ => kind_name(node.kind).to_owned(),
    };
    let with_place = |text: String| match &place {
        Some(place) => format!("{text} {place}"),
        None => text,
    };
    match node.name == node.external_id.to_string() {
        true => vec![with_place(format!("{kind} {}", node.name))],
        false => vec![shortened(&node.name), with_place(kind)],
    }
}

/// A name, cut if it is long.
pub(super) fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// What a kind is called.
fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Input => "input",
        Kind::Generate => "generate",
        Kind::Map => "map",
        Kind::Fold => "fold",
        Kind::ScanLeft => "scanl",
        Kind::ScanRight => "scanr",
        Kind::Gather => "gather",
        Kind::Scatter => "scatter",
        Kind::Filter => "filter",
        Kind::External => "external",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(location: &str) -> Option<String> {
        let node = Node {
            location: Some(location.to_owned()),
            ..Node::new("x", 0, Kind::Map, 1)
        };
        Place::of(&node).map(|place| place.shown(true))
    }

    #[test]
    fn places_are_lines_of_files() {
        assert_eq!(place("a/b.mlir:12:5").as_deref(), Some("b.mlir:12"));
        assert_eq!(place("a: b.py:3:1 ('total')").as_deref(), Some("a: b.py:3"));
        assert_eq!(place("<stdin>:3:1").as_deref(), Some("<stdin>:3"));
        assert_eq!(place("'total'"), None);
        assert_eq!(place("b.mlir:12"), None);
    }
}
