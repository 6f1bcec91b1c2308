//! `soac-fuse`: puts combinators that are to share loops into clusters.
//!
//! Each block of a function is a problem of its own, the inner ones of `scf` ops
//! and of maps over inner arrays first. Phases for each: read the block into a
//! graph ([`problem`]); decide ([`comb_fusion::method`]); write the clusters
//! ([`clusters`]); say what was done, and what not and why ([`remarks`]).
//!
//! Cost: the reading and writing are linear in the size of the program, but for
//! sorting; for the decision see docs/src/fusion-model.md.

mod alike;
mod arrangement;
pub mod captures;
mod clusters;
mod combinator;
mod computable;
pub mod effects;
mod extents;
mod labels;
mod names;
mod options;
mod prices;
mod problem;
mod remarks;
pub mod reordering;
mod size_names;
pub mod sizes;
pub mod wishes;
pub mod work;

use std::{collections::BTreeSet, sync::LazyLock, time::Instant};

use comb_fusion::{
    cache::Cache,
    clustering::Clustering,
    cost::{Weights, WeightsError},
    exact::{SolveError, Wish},
    graph::{Graph, NodeId},
    method::{Answer, Unsolved},
    report::{Question, Report},
};
use comb_kit::{
    pass_error::PassError,
    switches::{self, Switches},
    walk::{functions, in_block_from},
};
use labels::Labels;
use melior::ir::{
    BlockLike, BlockRef, Location, OperationRef, RegionLike, operation::OperationLike,
};
pub use names::{NoText, SourceText, Written};
pub use options::{InvalidOption, Options, OptionsText};
use problem::{Problem, Reading};
use sizes::Sizes;
use soac_dialect::{
    location::place,
    text::{shown, symbol_bytes},
    view::{is_combinator, op_name},
};

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
    observed(module, options, &NoText, &mut |decision| {
        remarks::emit(decision);
    })
}

/// What was decided about a block, and why.
pub struct Explanation {
    /// The function that the block is in.
    pub function: String,
    /// The problem.
    pub graph: Graph,
    /// The answer.
    pub clustering: Clustering,
    /// What there is to be said about it.
    pub report: Report,
}

/// Runs the pass on a module, and explains each decision, with the names that the
/// program's text has.
///
/// # Errors
///
/// As [`run`].
pub fn explain<'c>(
    module: OperationRef<'c, '_>,
    options: &Options,
    text: &dyn SourceText,
) -> Result<Vec<Explanation>, PassError<'c>> {
    let mut explanations = vec![];
    observed(module, options, text, &mut |decision| {
        explanations.push(Explanation {
            function: decision.function.to_owned(),
            graph: size_names::with_names(&decision.problem.graph, &decision.problem.size_names),
            clustering: decision.answer.clustering.clone(),
            report: decision.report(),
        });
    })?;
    Ok(explanations)
}

/// The answers that this process has found.
static CACHE: LazyLock<Cache> = LazyLock::new(Cache::default);

/// What was decided about a block.
struct Decision<'d, 'c, 'a> {
    function: &'d str,
    problem: &'d Problem<'c, 'a>,
    weights: &'d Weights,
    answer: &'d Answer,
    options: &'d Options,
}

impl<'c> Decision<'_, 'c, '_> {
    fn report(&self) -> Report {
        let question = Question {
            graph: &self.problem.graph,
            cost: &self.options.cost,
            weights: self.weights,
            cost_options: &self.options.cost_options,
            bounds: &self.options.bounds(None),
            method: self.options.method,
        };
        let mut report = Report::new(&question, self.answer);
        let apart: Vec<u64> = report.apart.iter().map(|apart| apart.by.id).collect();
        report.missed.retain(|missed| {
            [missed.first.id, missed.second.id]
                .iter()
                .all(|id| self.is_combinator(*id) && !apart.contains(id))
        });
        report
    }

    /// Whether a node is an op of the dialect: others are never fused.
    fn is_combinator(&self, external_id: u64) -> bool {
        let node = self.problem.numbers.get(external_id as usize);
        let op = node.and_then(|&node| self.problem.meanings[node].op());
        op.is_some_and(|op| op_name(op).starts_with("soac."))
    }

    /// Where a node's op is.
    fn location(&self, external_id: u64) -> Option<Location<'c>> {
        let node = *self.problem.numbers.get(external_id as usize)?;
        let op = self.problem.meanings[node].op()?;
        Some(op.location())
    }
}

type Observer<'o> = dyn FnMut(&Decision) + 'o;

fn observed<'c>(
    module: OperationRef<'c, '_>,
    options: &Options,
    text: &dyn SourceText,
    observer: &mut Observer,
) -> Result<Counts, PassError<'c>> {
    switches::with(module, |switches| {
        fuse_all(module, options, switches, text, observer)
    })
}

fn fuse_all<'c>(
    module: OperationRef<'c, '_>,
    options: &Options,
    switches: &Switches,
    text: &dyn SourceText,
    observer: &mut Observer,
) -> Result<Counts, PassError<'c>> {
    let deadline = options
        .time_limit
        .and_then(|limit| Instant::now().checked_add(limit));
    let mut counts = Counts::default();
    let mut used = BTreeSet::new();
    for function in functions(module) {
        computable::give_to_readers(function, switches)?;
        let mut fusing = Fusing {
            options,
            switches,
            text,
            deadline,
            labels: Labels::new(function),
            function: shown(symbol_bytes(function).unwrap_or_default()),
            counts: &mut counts,
            observer,
        };
        let mut sizes = Sizes::default();
        extents::declare(function, &options.extents, &mut used, &mut sizes, text)?;
        fusing.regions(function, &mut sizes)?;
    }
    if let Some(unused) = options.extents.keys().find(|&name| !used.contains(name)) {
        return Err(PassError::Unsupported {
            location: module.location(),
            message: format!(
                "no function has a size '{unused}': 'n' is an index parameter, and 'xs.0' the \
                 first dimension of an array"
            ),
        });
    }
    Ok(counts)
}

/// The fusion of a function.
struct Fusing<'s, 'o> {
    options: &'s Options,
    switches: &'s Switches,
    text: &'s dyn SourceText,
    observer: &'s mut Observer<'o>,
    deadline: Option<Instant>,
    labels: Labels,
    function: String,
    counts: &'s mut Counts,
}

impl Fusing<'_, '_> {
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
                if is_scalar_code(block) {
                    continue;
                }
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
        alike::merge(block, self.switches)?;
        let mut next = block.first_operation();
        let mut reading = Reading::new(sizes);
        while let Some(op) = next {
            next = op.next_in_block();
            self.regions(op, reading.sizes)?;
            reading.next(op);
        }
        self.counts.combinators += reading.combinators() as i64;
        let Some(mut problem) = reading.finish(self.options.levels, &self.function, self.text)?
        else {
            return Ok(());
        };
        let mut answer = self.solve(&problem)?;
        while computable::split(&problem, &answer.clustering, self.switches) {
            let mut reading = Reading::new(sizes);
            in_block_from(block.first_operation()).for_each(|op| reading.next(op));
            if let Some(split) = reading.finish(self.options.levels, &self.function, self.text)? {
                answer = self.solve(&split)?;
                problem = split;
            }
        }
        self.write(block, &problem, &answer)
    }

    /// Solves a problem.
    fn solve<'c>(&self, problem: &Problem<'c, '_>) -> Result<Answer, PassError<'c>> {
        let weights = self.weights(problem)?;
        let options = self.options.with_sizes(&problem.extents);
        let bounds = options.bounds(self.deadline);
        CACHE
            .solve(options.method, &problem.graph, &weights, &bounds)
            .map_err(|error| unsolved(problem, error))
    }

    fn weights<'c>(&self, problem: &Problem<'c, '_>) -> Result<Weights, PassError<'c>> {
        let options = self.options.with_sizes(&problem.extents);
        Weights::new(&problem.graph, &options.cost, &options.cost_options)
            .map_err(|error| unpaid(problem, &error))
    }

    /// Writes an answer into the block, and says what it is.
    fn write<'c: 'a, 'a>(
        &mut self,
        block: BlockRef<'c, 'a>,
        problem: &Problem<'c, 'a>,
        answer: &Answer,
    ) -> Result<(), PassError<'c>> {
        self.counts.unproven += i64::from(!answer.optimal);
        let weights = self.weights(problem)?;
        (self.observer)(&Decision {
            function: &self.function,
            problem,
            weights: &weights,
            answer,
            options: &self.options.with_sizes(&problem.extents),
        });
        let written = clusters::write(
            block,
            problem,
            &answer.clustering,
            &mut self.labels,
            self.switches,
        )?;
        self.counts.clusters += written as i64;
        Ok(())
    }
}

/// Whether a block has no combinators, and no blocks inside.
fn is_scalar_code(block: BlockRef) -> bool {
    let mut next = block.first_operation();
    while let Some(op) = next {
        if op.regions().next().is_some() || is_combinator(op) {
            return false;
        }
        next = op.next_in_block();
    }
    true
}

/// Why costs are not exact, at the op that is at fault.
fn unpaid<'c>(problem: &Problem<'c, '_>, error: &WeightsError) -> PassError<'c> {
    let op = error.node().and_then(|node| problem.meanings[node].op());
    PassError::Unsupported {
        location: op.unwrap_or(problem.members[0].op).location(),
        message: format!("this block cannot be fused: {error}"),
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
        Some(op) => {
            let place = place(op.location()).unwrap_or_else(|| "an unknown place".to_owned());
            format!("'{}' at {place}", op_name(op))
        }
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
