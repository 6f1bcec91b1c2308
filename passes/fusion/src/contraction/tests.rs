//! Random fusions of random graphs: what succeeds is legal, and what fails
//! leaves no trace.

use proptest::prelude::*;

use super::*;
use crate::{
    graph::{Node, Use},
    legality,
};

const KINDS: [Kind; 9] = [
    Kind::Input,
    Kind::Generate,
    Kind::Map,
    Kind::Map,
    Kind::Fold,
    Kind::ScanLeft,
    Kind::ScanRight,
    Kind::Gather,
    Kind::Scatter,
];

/// What a node is made from: kind, rank, whether it is a result, and what it
/// reads: how far back, with how much less than the greatest prefix.
type Draft = (usize, usize, bool, Vec<(usize, usize)>);

fn drafts() -> impl Strategy<Value = Vec<Draft>> {
    let reads = prop::collection::vec((1..6usize, prop::sample::select(vec![0, 0, 0, 1])), 0..3);
    let result = prop::sample::select(vec![false, false, false, true]);
    prop::collection::vec((0..KINDS.len(), 1..3usize, result, reads), 1..14)
}

fn node(position: usize, (kind, rank, result, _): &Draft, levels: usize) -> Node {
    let kind = KINDS[*kind];
    let rank = if levels == 1 { 1 } else { *rank };
    let inner = usize::from(kind == Kind::Fold && levels > 1);
    let is_input = kind == Kind::Input;
    Node {
        depth: if is_input { 0 } else { rank + inner },
        available: if is_input { 0 } else { rank },
        result: *result,
        prices: vec![1.0, 0.5, 0.0][2 - rank..].to_vec(),
        ..Node::new("", position as u64, kind, rank)
    }
}

fn graph(drafts: &[Draft], levels: usize) -> Graph {
    let mut graph = Graph {
        levels,
        nodes: (0..drafts.len())
            .map(|position| node(position, &drafts[position], levels))
            .collect(),
        ..Graph::default()
    };
    for (to, draft) in drafts.iter().enumerate() {
        if graph.nodes[to].kind == Kind::Input {
            continue;
        }
        for (operand, &(back, less)) in draft.3.iter().enumerate() {
            if let Some(from) = to.checked_sub(back) {
                let array_use = array_use(&graph, from, to, operand, less);
                graph.uses.push(array_use);
            }
        }
    }
    graph.finish().unwrap()
}

fn array_use(graph: &Graph, from: NodeId, to: NodeId, operand: usize, less: usize) -> Use {
    let (array, reader) = (&graph.nodes[from], &graph.nodes[to]);
    let most = array.rank.min(reader.rank);
    let gathered = reader.kind == Kind::Gather && operand == 0;
    let prefix = most.saturating_sub(less.max(usize::from(gathered)));
    let scan = matches!(reader.kind, Kind::ScanLeft | Kind::ScanRight);
    let written = reader.kind == Kind::Scatter && operand == 0;
    Use {
        label: gathered.then_some(to as u32 + FIRST_LABEL),
        scan: scan && prefix == reader.rank,
        fusible: !matches!(array.kind, Kind::Input | Kind::Scatter) && !written,
        ..Use::new(0, from, to, prefix)
    }
}

/// Everything that a fusion may change.
fn state(contraction: &Contraction) -> impl PartialEq + std::fmt::Debug + use<> {
    let levels = contraction.levels.iter();
    (
        levels
            .map(|level| (level.clusters.clone(), level.positions().to_vec()))
            .collect::<Vec<_>>(),
        contraction.orders.clone(),
        contraction.trail.len(),
        contraction.tasks.len(),
    )
}

fn check_positions(contraction: &Contraction) {
    for (number, order) in contraction.levels.iter().enumerate() {
        for array_use in &contraction.graph.uses {
            let cluster = |node| contraction.cluster(number + 1, node);
            let (from, to) = (cluster(array_use.from), cluster(array_use.to));
            if from != to && !contraction.graph.is_input(array_use.from) {
                assert!(order.positions()[from] < order.positions()[to]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn fusions_are_legal_or_leave_no_trace(
        drafts in drafts(),
        levels in 1..3usize,
        pairs in prop::collection::vec((0..14usize, 0..14usize, 1..3usize), 0..30),
    ) {
        let graph = graph(&drafts, levels);
        let count = graph.nodes.len();
        let mut contraction = Contraction::new(&graph);
        for (one, other, level) in pairs {
            let (one, other, level) = (one % count, other % count, level.min(levels));
            if one == other {
                continue;
            }
            let before = state(&contraction);
            let checkpoint = contraction.checkpoint();
            let mut again = contraction.clone();
            if contraction.try_fuse(one, other, level) {
                prop_assert!(contraction.together(level, one, other));
                again.try_fuse(one, other, level);
                again.rewind(checkpoint);
                prop_assert_eq!(before, state(&again));
            } else {
                prop_assert_eq!(before, state(&contraction));
            }
            check_positions(&contraction);
            let clustering = contraction.finish();
            prop_assert_eq!(legality::check(&graph, &clustering), Ok(()));
            for node in 0..count {
                for other in 0..count {
                    let together = contraction.together(1, node, other);
                    prop_assert_eq!(together, clustering.together(1, node, other));
                }
            }
        }
    }
}

/// A program of 10 000 combinators: each reads two arrays, most of them near.
fn large_graph() -> Graph {
    let mut graph = Graph {
        levels: 1,
        ..Graph::default()
    };
    let mut seed = 1u64;
    let mut next = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % bound
    };
    for to in 0..10_000 {
        let draft = (next(KINDS.len()), 1, next(8) == 0, vec![]);
        graph.nodes.push(node(to, &draft, 1));
        if to == 0 || graph.nodes[to].kind == Kind::Input {
            continue;
        }
        for operand in 0..2 {
            let far = if next(10) == 0 { to } else { to.min(40) };
            let array_use = array_use(&graph, to - 1 - next(far), to, operand, next(8) / 7);
            graph.uses.push(array_use);
        }
    }
    graph.finish().unwrap()
}

#[test]
fn ten_thousand_combinators_are_no_trouble() {
    let graph = large_graph();
    let start = std::time::Instant::now();
    let mut contraction = Contraction::new(&graph);
    let fused = graph
        .uses
        .iter()
        .filter(|array_use| contraction.try_fuse(array_use.from, array_use.to, 1))
        .count();
    let elapsed = start.elapsed();
    println!("{fused} of {} uses in {elapsed:?}", graph.uses.len());
    assert!(fused > 1000);
    assert!(elapsed.as_secs() < 5, "{elapsed:?}");
    assert_eq!(legality::check(&graph, &contraction.finish()), Ok(()));
}
