//! `soac-fuse`: puts combinators that are to share loops into clusters.
//!
//! Each block of a function is a problem of its own, the inner ones of `scf` ops
//! and of maps over inner arrays first. Phases for each: read the block into a
//! graph ([`problem`]); decide ([`comb_fusion::method`]); write the clusters
//! ([`clusters`]); say what was done, and what not and why ([`remarks`]).
//!
//! Cost: the reading and writing are linear in the size of the program, but for
//! sorting; for the decision see docs/src/fusion-model.md.

mod arrangement;
mod captures;
mod clusters;
mod combinator;
mod effects;
mod labels;
mod options;
mod prices;
mod problem;
mod sizes;
mod wishes;
mod work;

use std::time::Instant;

use comb_fusion::{
    cost::Weights,
    exact::{SolveError, Wish},
    graph::NodeId,
    method::{Bounds, Unsolved},
};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, attribute::StringAttribute,
    operation::OperationLike,
};
use soac_dialect::view::op_name;

use crate::{bridge::PassError, walk::operations};
use labels::Labels;
pub use options::{InvalidOption, Options, OptionsText};
use problem::{Problem, Reading};
use sizes::Sizes;

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Clusters written.
    pub clusters: i64,
    /// Combinators seen.
    pub combinators: i64,
    /// Blocks whose answer is not known to be the best.
    pub unproven: i64,
}

/// Runs the pass on a module.
///
/// # Errors
///
/// If wishes cannot be fulfilled, or there is no answer in time.
pub fn run<'c>(module: OperationRef<'c, '_>, options: &Options) -> Result<Counts, PassError<'c>> {
    let deadline = options
        .time_limit
        .and_then(|limit| Instant::now().checked_add(limit));
    let mut counts = Counts::default();
    let mut functions = operations(module);
    functions.retain(|&op| op_name(op) == "func.func");
    for function in functions {
        let mut fusing = Fusing {
            options,
            deadline,
            labels: Labels::new(function),
            function: symbol(function),
            counts: &mut counts,
        };
        fusing.regions(function, &mut Sizes::new())?;
    }
    Ok(counts)
}

/// The name of a function.
fn symbol(function: OperationRef) -> String {
    let name = function.attribute("sym_name").ok();
    let name = name.and_then(|name| StringAttribute::try_from(name).ok());
    name.map_or_else(String::new, |name| name.value().to_owned())
}

/// The fusion of a function.
struct Fusing<'s> {
    options: &'s Options,
    deadline: Option<Instant>,
    labels: Labels,
    function: String,
    counts: &'s mut Counts,
}

impl Fusing<'_> {
    /// Fuses in every block of an op.
    fn regions<'c: 'a, 'a>(
        &mut self,
        op: OperationRef<'c, 'a>,
        sizes: &mut Sizes<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        if op_name(op) == "soac.cluster" {
            return Ok(());
        }
        for region in op.regions() {
            let mut next = region.first_block();
            while let Some(block) = next {
                next = block.next_in_region();
                let known = sizes.enter();
                self.block(block, sizes)?;
                sizes.leave(known);
            }
        }
        Ok(())
    }

    fn block<'c: 'a, 'a>(
        &mut self,
        block: BlockRef<'c, 'a>,
        sizes: &mut Sizes<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        let mut reading = Reading::new(sizes);
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            self.regions(op, reading.sizes)?;
            match next {
                Some(_) => reading.op(op),
                None => reading.end(op),
            }
        }
        self.counts.combinators += reading.combinators() as i64;
        match reading.finish(self.options.levels, &self.function)? {
            Some(problem) => self.fuse(block, &problem),
            None => Ok(()),
        }
    }

    fn fuse<'c: 'a, 'a>(
        &mut self,
        block: BlockRef<'c, 'a>,
        problem: &Problem<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        let weights = Weights::new(
            &problem.graph,
            &self.options.cost,
            &self.options.cost_options,
        );
        let bounds = Bounds {
            time_limit: self
                .deadline
                .map(|deadline| deadline.saturating_duration_since(Instant::now())),
            stop: None,
            limits: self.options.limits.clone(),
        };
        let answer = self.options.method.solve(&problem.graph, &weights, &bounds);
        let answer = answer.map_err(|error| unsolved(problem, error))?;
        self.counts.unproven += i64::from(!answer.optimal);
        let written = clusters::write(block, problem, &answer.clustering, &mut self.labels)?;
        self.counts.clusters += written as i64;
        Ok(())
    }
}

/// Why there is no answer, at the op of the first wish that is part of it.
fn unsolved<'c>(problem: &Problem<'c, '_>, error: Unsolved) -> PassError<'c> {
    let first = problem.members[0].op;
    let Unsolved::Exact(SolveError::Infeasible { conflict }) = &error else {
        return PassError::Unsupported {
            location: first.location(),
            message: format!("this block cannot be fused: {error}"),
        };
    };
    let name = |node: NodeId| match problem.meanings[node].op() {
        Some(op) => format!("'{}' at {}", op_name(op), op.location()),
        None => problem.graph.nodes[node].name.clone(),
    };
    let mut place = None;
    let wishes: Vec<String> = conflict
        .iter()
        .map(|wish| {
            let (what, (one, other)) = match *wish {
                Wish::Forced(number) => ("together", problem.graph.forced[number]),
                Wish::Forbidden(number) => ("apart", problem.graph.forbidden[number]),
                Wish::Inseparable(array_use) => {
                    let array_use = &problem.graph.uses[array_use];
                    ("together", (array_use.from, array_use.to))
                }
            };
            place = place.or(problem.meanings[other].op());
            format!("{} and {} {what}", name(one), name(other))
        })
        .collect();
    let message = match wishes.len() {
        0 => "the wishes for fusion cannot be fulfilled within the limits".to_owned(),
        1 => format!("this wish for fusion cannot be fulfilled: {}", wishes[0]),
        _ => format!(
            "these wishes for fusion cannot be fulfilled together: {}",
            wishes.join("; ")
        ),
    };
    PassError::Unsupported {
        location: place.unwrap_or(first).location(),
        message,
    }
}
