//! The problem as an integer program, for costs in elements.
//!
//! A binary variable for every pair of operations says that they share a block;
//! it is transitive. Blocks are numbered so that what depends on a block comes
//! after it. The first operation of a block that reads a view pays for it, unless
//! the block creates the array; and likewise for writes and deletions.
//!
//! Operations without weight edges stay alone.
//!
//! Cost: cubic in the operations, and then HiGHS.

use good_lp::{
    Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, constraint,
    highs, variable,
};
use thiserror::Error;

use super::{CostModel, Partition, Problem, View};

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum IlpError {
    /// Only `ext-bytes` is linear in the variables.
    #[error("the integer program is for ext-bytes, not {0}")]
    Model(CostModel),
    /// The solver gave up.
    #[error("the solver failed: {0}")]
    Solver(#[from] ResolutionError),
}

/// The best partition.
///
/// # Errors
///
/// If the cost is another one than `ext-bytes`, or the solver fails.
pub fn solve(problem: &Problem) -> Result<Partition, IlpError> {
    if problem.model != CostModel::ExtBytes {
        return Err(IlpError::Model(problem.model));
    }
    let mut model = Model::new(problem);
    let objective = model.accesses();
    let mut solver = model.variables.minimise(objective).using(highs);
    solver.set_verbose(false);
    for row in model.rows {
        solver.add_constraint(row);
    }
    let solution = solver.solve()?;
    Ok(model
        .together
        .iter()
        .enumerate()
        .map(|(operation, others)| {
            let same = |&other: &usize| {
                others[other].is_some_and(|together| solution.value(together) > 0.5)
            };
            (0..operation).find(same).unwrap_or(operation)
        })
        .collect())
}

struct Model<'p> {
    problem: &'p Problem<'p>,
    variables: ProblemVariables,
    /// By pair of different operations, if they may share a block.
    together: Vec<Vec<Option<Variable>>>,
    rows: Vec<good_lp::Constraint>,
}

impl<'p> Model<'p> {
    fn new(problem: &'p Problem<'p>) -> Self {
        let count = problem.operations.len();
        let mut variables = ProblemVariables::new();
        let mut together = vec![vec![None; count]; count];
        let has_edge = |operation: usize| {
            let mut edges = problem.edges.iter();
            edges.any(|&(one, other)| one == operation || other == operation)
        };
        let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        for (one, other) in pairs {
            if !problem.apart[one][other] && has_edge(one) && has_edge(other) {
                let pair = variables.add(variable().binary());
                together[one][other] = Some(pair);
                together[other][one] = Some(pair);
            }
        }
        let mut model = Self {
            problem,
            variables,
            together,
            rows: vec![],
        };
        model.add_transitivity();
        model.add_running_order();
        model
    }

    fn pair(&self, one: usize, other: usize) -> Expression {
        self.together[one][other].map_or(Expression::from(0.0), Expression::from)
    }

    fn add_transitivity(&mut self) {
        let count = self.problem.operations.len();
        for middle in 0..count {
            for one in 0..count {
                for other in one + 1..count {
                    let (first, second) =
                        (self.together[one][middle], self.together[middle][other]);
                    if let (Some(first), Some(second)) = (first, second) {
                        let both = self.pair(one, other);
                        self.rows.push(constraint!(first + second <= both + 1.0));
                    }
                }
            }
        }
    }

    /// What depends on a block is in it or comes after it.
    fn add_running_order(&mut self) {
        let count = self.problem.operations.len();
        let most = count as f64;
        let places: Vec<Variable> = (0..count)
            .map(|_| self.variables.add(variable().min(0.0).max(most)))
            .collect();
        for first in 0..count {
            for &second in &self.problem.later[first] {
                let apart = 1.0 - self.pair(first, second);
                let row = constraint!(places[second] - places[first] >= apart);
                self.rows.push(row);
            }
            for second in first + 1..count {
                if let Some(pair) = self.together[first][second] {
                    let distance = places[second] - places[first];
                    let row = constraint!(distance.clone() <= most * (1.0 - pair));
                    self.rows.push(row);
                    let row = constraint!(distance >= -most * (1.0 - pair));
                    self.rows.push(row);
                }
            }
        }
    }

    /// The elements that are loaded and stored.
    fn accesses(&mut self) -> Expression {
        let mut objective = Expression::from(0.0);
        let operations = self.problem.operations;
        for (number, operation) in operations.iter().enumerate() {
            for (position, view) in operation.reads.iter().enumerate() {
                if !operation.reads[..position].contains(view)
                    && !operation.new.contains(&view.array)
                {
                    objective += self.paid(number, view, |other| (&other.reads, &other.new));
                }
            }
            for (position, view) in operation.writes.iter().enumerate() {
                if !operation.writes[..position].contains(view)
                    && !operation.del.contains(&view.array)
                {
                    objective += self.paid(number, view, |other| (&other.writes, &other.del));
                }
            }
        }
        objective
    }

    /// An access is paid for unless an earlier operation of the block makes it,
    /// too, or one of the block makes it needless.
    fn paid(
        &mut self,
        number: usize,
        view: &View,
        of: impl Fn(&super::Operation) -> (&Vec<View>, &Vec<String>),
    ) -> Expression {
        let paid = self.variables.add(variable().min(0.0).max(1.0));
        let mut reasons = Expression::from(paid);
        for (other, operation) in self.problem.operations.iter().enumerate() {
            let (views, needless) = of(operation);
            let earlier = other < number && views.contains(view);
            if other != number && (earlier || needless.contains(&view.array)) {
                reasons += self.pair(number, other);
            }
        }
        self.rows.push(constraint!(reasons >= 1.0));
        view.count as f64 * paid
    }
}
