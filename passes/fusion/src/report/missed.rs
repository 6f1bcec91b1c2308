//! The pairs of combinators that share an array and are not fused, and why.

use serde::Serialize;

use super::{NodeName, most_questions, words};
use crate::{
    cost::Weights,
    exact::{NotFused, Reason, SolveOptions, plain_reasons, reasons},
    graph::Graph,
    method::Answer,
};

/// Two combinators that are not fused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MissedFusion {
    /// The producer, or a reader.
    pub first: NodeName,
    /// The consumer, or another reader.
    pub second: NodeName,
    /// The array that both access.
    pub array: NodeName,
    /// Why, as a clause.
    pub reason: String,
    /// The same as a whole sentence without its point.
    pub sentence: String,
}

/// All pairs that are not fused. The model is asked only if the answer is proven and
/// the graph is not too large.
pub(super) fn missed(
    graph: &Graph,
    weights: &Weights,
    answer: &Answer,
    options: &SolveOptions,
) -> Vec<MissedFusion> {
    let plain = plain_reasons(graph, &answer.clustering);
    let open = plain.iter().filter(|(.., reason)| reason.is_none()).count();
    if answer.optimal && open <= most_questions(graph) {
        let found = reasons(graph, weights, &answer.clustering, options);
        return found
            .iter()
            .map(|pair| missed_fusion(graph, pair, &words::in_words(graph, pair)))
            .collect();
    }
    let unknown = match answer.optimal {
        true => "it would not cost less, or not be possible",
        false => "the algorithm has not found an answer in which they are",
    };
    plain
        .into_iter()
        .map(|(array, nodes, reason)| {
            let known = reason.is_some();
            let pair = NotFused {
                nodes,
                array,
                reason: reason.unwrap_or(Reason::Impossible),
            };
            let text = match known {
                true => words::in_words(graph, &pair),
                false => unknown.to_owned(),
            };
            missed_fusion(graph, &pair, &text)
        })
        .collect()
}

fn missed_fusion(graph: &Graph, pair: &NotFused, reason: &str) -> MissedFusion {
    MissedFusion {
        first: NodeName::of(graph, pair.nodes.0),
        second: NodeName::of(graph, pair.nodes.1),
        array: NodeName::of(graph, pair.array),
        reason: reason.to_owned(),
        sentence: words::sentence(graph, pair.nodes, pair.array, reason),
    }
}
