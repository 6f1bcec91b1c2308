//! Long arrows have a bend in every row that they cross. Where these are too many for
//! the picture, as those of an input that a long chain reads everywhere, the longest
//! arrows are drawn at their heads only, with the name of where they come from.

use comb_fusion::graph::Graph;

use crate::{arrows::Arrow, captions::shortened};

/// All arrows together have so many bends at most.
const MOST_BENDS: usize = 5_000;

/// The arrows, the longest of which are stubs if they have too many bends.
pub(super) fn cut_long(graph: &Graph, mut arrows: Vec<Arrow>, rows: &[usize]) -> Vec<Arrow> {
    let bends = |arrow: &Arrow| (rows[arrow.to] - rows[arrow.from]).saturating_sub(1);
    let mut by_length: Vec<usize> = (0..arrows.len()).collect();
    by_length.sort_by_key(|&arrow| bends(&arrows[arrow]));
    let mut left = MOST_BENDS;
    for arrow in by_length {
        let arrow = &mut arrows[arrow];
        match left.checked_sub(bends(arrow)) {
            Some(less) => left = less,
            None => {
                arrow.is_stub = true;
                let name = shortened(&graph.nodes[arrow.from].name);
                arrow.tag = match arrow.tag.as_str() {
                    "" => name,
                    tag => format!("{name}: {tag}"),
                };
            }
        }
    }
    arrows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{arrows, layout};
    use comb_fusion::graph::{Kind, Node, Use};

    /// A chain of which every node reads an input, too.
    fn chain(length: usize) -> Graph {
        let kind = |node| match node {
            0 => Kind::Input,
            _ => Kind::Map,
        };
        let nodes =
            (0..length).map(|node| Node::new(format!("n{node}"), node as u64, kind(node), 1));
        let links = (1..length).flat_map(|node| [(node - 1, node), (0, node)]);
        let uses = links.skip(1).map(|(from, to)| Use::new(0, from, to, 1));
        let mut graph = Graph::of(String::new(), 1, nodes.collect(), uses.collect());
        graph.index_uses();
        graph
    }

    #[test]
    fn long_arrows_of_long_chains_are_cut() {
        for (length, has_stubs) in [(100, false), (1000, true)] {
            let graph = chain(length);
            let rows: Vec<usize> = (0..length).collect();
            let arrows = cut_long(&graph, arrows::arrows(&graph, None), &rows);
            let stubs = arrows.iter().filter(|arrow| arrow.is_stub);
            assert_eq!(stubs.clone().count() > 0, has_stubs);
            assert!(
                stubs
                    .clone()
                    .all(|arrow| arrow.from == 0 && arrow.tag == "n0")
            );
        }
    }

    #[test]
    fn stubs_stay_within_the_picture() {
        let layout = layout(&chain(400), None);
        assert!(layout.arrows.iter().any(|arrow| arrow.is_stub));
        for &(x, y) in layout.paths.iter().flatten() {
            assert!((0.0..=layout.width).contains(&x) && (0.0..=layout.height).contains(&y));
        }
    }
}
