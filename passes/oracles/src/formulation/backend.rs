//! The solvers, silent and exact: without a tolerated gap.

use std::{collections::HashMap, time::Duration};

use good_lp::{
    ResolutionError, Solution, SolverModel, Variable,
    solvers::{SolutionStatus, WithTimeLimit, coin_cbc::coin_cbc, highs::highs},
};
use highs::{HighsModelStatus, HighsSolutionStatus};

use crate::formulation::model::Model;
use comb_fusion::programs::{Backend, SolveError};

/// What a solver found.
pub(super) struct Answer {
    values: HashMap<Variable, f64>,
    /// No value of the objective is less; without its constant.
    pub(super) bound: f64,
    /// Whether the values are proven to be optimal.
    pub(super) optimal: bool,
}

impl Answer {
    pub(super) fn value(&self, variable: Variable) -> f64 {
        self.values[&variable]
    }
}

/// Solves a model.
pub(super) fn solve(
    model: Model,
    backend: Backend,
    time_limit: Option<Duration>,
) -> Result<Answer, SolveError> {
    match backend {
        Backend::Highs => solve_with_highs(model, time_limit),
        Backend::Cbc => solve_with_cbc(model, time_limit),
    }
}

fn failed(message: impl Into<String>) -> SolveError {
    let message = message.into();
    SolveError::Solver { message }
}

/// Goes around the library, which does not tell the bound.
fn solve_with_highs(model: Model, time_limit: Option<Duration>) -> Result<Answer, SolveError> {
    let unsolved = model.definitions.minimise(model.objective);
    let problem = unsolved.using(highs).with_all(model.constraints);
    let mut inner = problem
        .try_into_inner()
        .map_err(|error| failed(error.to_string()))?;
    inner.make_quiet();
    inner.set_option("threads", 1);
    inner.set_option("mip_rel_gap", 0.0);
    inner.set_option("mip_abs_gap", 0.0);
    if let Some(limit) = time_limit {
        inner.set_option("time_limit", limit.as_secs_f64());
    }
    let solved = inner
        .try_solve()
        .map_err(|status| failed(format!("{status:?}")))?;
    let optimal = match solved.status() {
        HighsModelStatus::Optimal => true,
        HighsModelStatus::ReachedTimeLimit => false,
        HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => {
            return Err(SolveError::Infeasible);
        }
        status => return Err(failed(format!("{status:?}"))),
    };
    if solved.primal_solution_status() != HighsSolutionStatus::Feasible {
        return Err(SolveError::NoSolution);
    }
    let bound = solved
        .double_info_value(c"mip_dual_bound")
        .map_err(|status| failed(format!("{status:?}")))?;
    let solution = solved.get_solution();
    let variables = model.columns.iter().map(|column| column.variable);
    let values = solution.columns().iter().copied();
    Ok(Answer {
        values: variables.zip(values).collect(),
        bound,
        optimal,
    })
}

fn solve_with_cbc(model: Model, time_limit: Option<Duration>) -> Result<Answer, SolveError> {
    let unsolved = model.definitions.minimise(model.objective);
    let mut problem = unsolved.using(coin_cbc).with_all(model.constraints);
    if let Some(limit) = time_limit {
        problem = problem.with_time_limit(limit.as_secs_f64());
    }
    let solution = problem.solve().map_err(|error| match error {
        ResolutionError::Infeasible => SolveError::Infeasible,
        error => failed(error.to_string()),
    })?;
    let optimal = matches!(solution.status(), SolutionStatus::Optimal);
    let bound = match optimal {
        true => solution.model().obj_value(),
        false => solution.model().best_possible_value(),
    };
    let variables = model.columns.iter().map(|column| column.variable);
    Ok(Answer {
        values: variables
            .map(|variable| (variable, solution.value(variable)))
            .collect(),
        bound,
        optimal,
    })
}
