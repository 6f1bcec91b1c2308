//! Lists of array operations: what is asked of one, and the blocks that are found.
//!
//! They know fewer options than graphs; those that mean nothing for them are
//! refused.

use std::time::{Duration, Instant};

use comb_fusion::algorithms::Algorithm;
use comb_oracles::wsp::{self, CostModel, Instance};

use crate::{
    options::{AlgorithmName, SolveOptions},
    solve::{SolveFailure, file::Text, interrupt},
};

/// A list with what is asked of it.
pub struct Task {
    /// What the file is called.
    pub file: String,
    pub instance: Instance,
    pub model: CostModel,
    algorithm: AlgorithmName,
}

/// What was found.
pub struct Blocks {
    /// Numbers of operations, from 0; each block is before those that depend on it.
    pub blocks: Vec<Vec<usize>>,
    pub cost: f64,
    /// Whether the cost is proven to be the least.
    pub optimal: bool,
    pub elapsed: Duration,
}

impl Task {
    /// Reads a list.
    pub fn read(text: &Text, options: &SolveOptions) -> Result<Self, SolveFailure> {
        let file = &text.file;
        if let Some(option) = option_for_graphs(options) {
            let file = file.clone();
            return Err(SolveFailure::ForGraphs { file, option });
        }
        let mut instance =
            Instance::from_json(&text.content).map_err(|error| SolveFailure::Operations {
                file: file.clone(),
                error,
            })?;
        if instance.name.is_empty() {
            instance.name = text.stem.clone();
        }
        let model = match &options.cost {
            None => Ok(CostModel::ExtBytes),
            Some(cost) => cost.to_string().parse(),
        };
        Ok(Self {
            model: model.map_err(|error| SolveFailure::PartitionCost {
                file: file.clone(),
                error,
            })?,
            file: file.clone(),
            instance,
            algorithm: options.algorithm,
        })
    }

    /// Finds blocks; they are checked.
    pub fn solve(&self, time_limit: Option<Duration>) -> Result<Blocks, SolveFailure> {
        let start = Instant::now();
        let failure = |reason: &str| SolveFailure::NoAnswer {
            file: self.file.clone(),
            reason: reason.to_owned(),
        };
        let time_limit = match interrupt::is_wanted() {
            true => Some(Duration::ZERO),
            false => time_limit,
        };
        let problem = wsp::Problem::new(&self.instance, self.model);
        let found = interrupt::unheeded(|| match self.algorithm {
            AlgorithmName::Ilp => {
                wsp::solve(&problem, time_limit).map_err(|error| failure(&error.to_string()))
            }
            AlgorithmName::Other(algorithm) => {
                let deadline = time_limit.map(|limit| start + limit);
                wsp::run(&problem, algorithm, deadline)
                    .ok_or_else(|| failure("the algorithm is for graphs"))
            }
        })?;
        if !problem.is_legal(&found.partition) {
            return Err(failure("internal error: the answer is not legal"));
        }
        Ok(Blocks {
            blocks: problem.running_order(&found.partition),
            cost: found.cost,
            optimal: found.optimal,
            elapsed: start.elapsed(),
        })
    }
}

/// The first option that was given and means nothing here.
fn option_for_graphs(options: &SolveOptions) -> Option<&'static str> {
    let algorithm = |wanted| options.algorithm == AlgorithmName::Other(wanted);
    let given = [
        (options.solver.is_some(), "--solver"),
        (options.formulation.is_some(), "--formulation"),
        (options.write_lp.is_some(), "--write-lp"),
        (options.dot.is_some(), "--dot"),
        (options.svg.is_some(), "--svg"),
        (options.checks, "--checks"),
        (options.stencils, "--stencils"),
        (options.no_recomputation, "--no-recomputation"),
        (!options.extents.is_empty(), "--extent"),
        (!options.force.is_empty(), "--force"),
        (!options.forbid.is_empty(), "--forbid"),
        (options.max_arguments > 0, "--max-arguments"),
        (options.max_memory > 0, "--max-memory"),
        (options.solver_memory.is_some(), "--solver-memory"),
        (options.reasons, "--reasons"),
        (options.report, "--report"),
        (
            algorithm(Algorithm::GreedyTopDown),
            "--algorithm greedy-top-down",
        ),
        (
            algorithm(Algorithm::GreedyBottomUp),
            "--algorithm greedy-bottom-up",
        ),
    ];
    let first = given.into_iter().find(|(is_given, _)| *is_given);
    first.map(|(_, option)| option)
}
