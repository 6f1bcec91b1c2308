//! Why wishes cannot be fulfilled together: a set of them of which none can be
//! left out. Inseparable uses count as wishes.
//!
//! Deletion filter: each wish is dropped if the others still contradict each
//! other; first all inseparable uses at once, since there may be many. Cost: one
//! search for any answer for each wish.

use std::time::Instant;

use super::{SolveError, SolveOptions, solve_once};
use crate::{
    cost::Weights,
    graph::{Graph, UseId},
};

/// A pair of nodes that have to be, or must not be, in one cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Number in [`Graph::forced`].
    Forced(usize),
    /// Number in [`Graph::forbidden`].
    Forbidden(usize),
    /// An inseparable use.
    Inseparable(UseId),
}

/// Wishes that contradict each other, each of them needed for that as far as there is
/// time to find out.
pub(super) fn conflict(
    graph: &Graph,
    options: &SolveOptions,
    deadline: Option<Instant>,
) -> Vec<Wish> {
    let left = || deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let is_contradictory = |graph: &Graph, wishes: &[Wish], options: &SolveOptions| {
        let options = SolveOptions {
            time_limit: left(),
            ..options.clone()
        };
        is_contradictory(graph, wishes, &options)
    };
    let forced = (0..graph.forced.len()).map(Wish::Forced);
    let forbidden = (0..graph.forbidden.len()).map(Wish::Forbidden);
    let mut wishes: Vec<Wish> = forced.chain(forbidden).collect();
    if !is_contradictory(graph, &wishes, options) {
        let inseparable = |id: &UseId| graph.inseparable_levels(&graph.uses[*id]) > 0;
        let uses = (0..graph.uses.len()).filter(inseparable);
        wishes.extend(uses.map(Wish::Inseparable));
    }
    let mut tried = 0;
    while tried < wishes.len() {
        let mut fewer = wishes.clone();
        fewer.remove(tried);
        if is_contradictory(graph, &fewer, options) {
            wishes = fewer;
        } else {
            tried += 1;
        }
    }
    wishes
}

fn is_contradictory(graph: &Graph, wishes: &[Wish], options: &SolveOptions) -> bool {
    let mut graph = graph.with_inseparable(|id| wishes.contains(&Wish::Inseparable(id)));
    let (forced, forbidden) = (
        std::mem::take(&mut graph.forced),
        std::mem::take(&mut graph.forbidden),
    );
    for wish in wishes {
        match *wish {
            Wish::Forced(number) => graph.forced.push(forced[number]),
            Wish::Forbidden(number) => graph.forbidden.push(forbidden[number]),
            Wish::Inseparable(_) => {}
        }
    }
    let nothing = Weights::nothing(&graph);
    let solved = solve_once(&graph, &nothing, options);
    matches!(solved, Err(SolveError::Infeasible { .. }))
}
