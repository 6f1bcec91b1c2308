//! The problem as an integer program.
//!
//! A binary variable for every pair of operations says that they share a block;
//! it is transitive. Blocks are numbered so that what depends on a block comes
//! after it. The first operation of a block that reads a view pays for it, unless
//! the block creates the array; and likewise for writes and deletions, for arrays
//! that are not contracted, and for blocks.
//!
//! Operations without weight edges stay alone.
//!
//! Cost: cubic in the operations, and then HiGHS.

use std::time::{Duration, Instant};

use good_lp::{
    Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, constraint,
    highs, solvers::SolutionStatus, variable,
};
use thiserror::Error;

use super::{CostModel, Found, Operation, Partition, Problem, View, partition};

/// More operations are refused: the rows are cubic in them.
const MOST_OPERATIONS: usize = 120;

/// To build the program and to hand it over takes about so long for three operations.
const TIME_FOR_A_TRIPLE: Duration = Duration::from_nanos(2000);

/// HiGHS is exact to about 1e-9 of the cost: if a partition costs more steps than this,
/// one that costs a step less may be overlooked.
const MOST_STEPS: f64 = 1e8;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum IlpError {
    /// There are too many operations.
    #[error(
        "{0} operations are too many for the integer program, which takes {MOST_OPERATIONS}; \
         greedy and linear take more"
    )]
    TooLarge(usize),
    /// The solver gave up.
    #[error("the solver failed: {0}")]
    Solver(#[from] ResolutionError),
}

/// The best partition, or the best known one after some time.
///
/// # Errors
///
/// If there are too many operations, or the solver fails.
pub fn solve(problem: &Problem, time_limit: Option<Duration>) -> Result<Found, IlpError> {
    let start = Instant::now();
    let count = problem.operations.len();
    if count > MOST_OPERATIONS {
        return Err(IlpError::TooLarge(count));
    }
    if count == 0 {
        // HiGHS refuses programs without variables.
        return Ok(Found {
            partition: vec![],
            cost: 0.0,
            optimal: true,
        });
    }
    let building = TIME_FOR_A_TRIPLE.mul_f64((count * count * count) as f64);
    if time_limit.is_some_and(|limit| limit <= building) {
        return Ok(greedy(problem));
    }
    let mut model = Model::new(problem);
    let objective = model.objective();
    let mut solver = model.variables.minimise(objective).using(highs);
    solver.set_verbose(false);
    solver = solver.set_threads(1).set_option("mip_rel_gap", 0.0);
    solver = solver.set_option("mip_abs_gap", 0.0);
    if let Some(limit) = time_limit {
        solver = solver.set_time_limit(limit.saturating_sub(start.elapsed()).as_secs_f64());
    }
    for row in model.rows {
        solver.add_constraint(row);
    }
    let solution = match solver.solve() {
        // Time was too short for any solution.
        Err(_) if time_limit.is_some() => return Ok(greedy(problem)),
        solution => solution?,
    };
    let is_solved = matches!(solution.status(), SolutionStatus::Optimal);
    let is_together = |one: usize, other: usize| {
        model.together[one][other].is_some_and(|pair| solution.value(pair) > 0.5)
    };
    let partition: Partition = (0..count)
        .map(|operation| {
            let first = (0..operation).find(|&other| is_together(operation, other));
            first.unwrap_or(operation)
        })
        .collect();
    let optimal = is_solved && problem.cost(&partition) <= MOST_STEPS * problem.step();
    Ok(not_worse_than_greedy(problem, partition, optimal))
}

/// A solver that is stopped early may have no solution, or a bad one.
fn not_worse_than_greedy(problem: &Problem, partition: Partition, optimal: bool) -> Found {
    let found = Found {
        cost: problem.cost(&partition),
        partition,
        optimal,
    };
    if optimal {
        return found;
    }
    let greedy = greedy(problem);
    if greedy.cost < found.cost || !problem.is_legal(&found.partition) {
        greedy
    } else {
        found
    }
}

fn greedy(problem: &Problem) -> Found {
    let partition = partition::greedy(problem, None);
    Found {
        cost: problem.cost(&partition),
        partition,
        optimal: false,
    }
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

    fn objective(&mut self) -> Expression {
        let arrays = self.problem.arrays;
        match self.problem.model {
            CostModel::ExtBytes => self.accesses(),
            CostModel::MaxContract => self.not_contracted(),
            CostModel::MaxLocality => self.separate_accesses(),
            CostModel::Robinson => {
                let locality = self.separate_accesses();
                self.blocks() + arrays * self.not_contracted() + arrays * arrays * locality
            }
        }
    }

    /// The elements that are loaded and stored.
    fn accesses(&mut self) -> Expression {
        let mut objective = Expression::from(0.0);
        for (number, operation) in self.problem.operations.iter().enumerate() {
            for view in distinct(&operation.reads) {
                if !operation.new.contains(&view.array) {
                    objective += self.paid(number, view, |other| (&other.reads, &other.new));
                }
            }
            for view in distinct(&operation.writes) {
                if !operation.del.contains(&view.array) {
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
        of: impl Fn(&Operation) -> (&Vec<View>, &Vec<String>),
    ) -> Expression {
        let paid = self.unless_with(number, |other, operation| {
            let (views, needless) = of(operation);
            (other < number && views.contains(view)) || needless.contains(&view.array)
        });
        view.count as f64 * paid
    }

    /// The arrays that are created and not deleted in one block.
    fn not_contracted(&mut self) -> Expression {
        let mut objective = Expression::from(0.0);
        for (number, operation) in self.problem.operations.iter().enumerate() {
            for array in distinct(&operation.new) {
                if !operation.del.contains(array) {
                    objective += self.unless_with(number, |other, operation| {
                        (other < number && operation.new.contains(array))
                            || operation.del.contains(array)
                    });
                }
            }
        }
        objective
    }

    /// Pairs of accesses of one view in two blocks.
    fn separate_accesses(&self) -> Expression {
        let mut objective = Expression::from(0.0);
        for (one, others) in self.problem.shared.iter().enumerate() {
            for &(other, shared) in others {
                objective += shared as f64 * (1.0 - self.pair(one, other));
            }
        }
        objective
    }

    /// Each has a first operation.
    fn blocks(&mut self) -> Expression {
        (0..self.problem.operations.len())
            .map(|number| self.unless_with(number, |other, _| other < number))
            .sum()
    }

    /// At least 1 if an operation shares its block with none of some others.
    fn unless_with(
        &mut self,
        number: usize,
        is_reason: impl Fn(usize, &Operation) -> bool,
    ) -> Expression {
        let paid = self.variables.add(variable().min(0.0).max(1.0));
        let mut reasons = Expression::from(paid);
        for (other, operation) in self.problem.operations.iter().enumerate() {
            if other != number && is_reason(other, operation) {
                reasons += self.pair(number, other);
            }
        }
        self.rows.push(constraint!(reasons >= 1.0));
        paid.into()
    }
}

fn distinct<T: PartialEq>(things: &[T]) -> impl Iterator<Item = &T> {
    let first = |&(position, thing): &(usize, &T)| !things[..position].contains(thing);
    let things = things.iter().enumerate().filter(first);
    things.map(|(_, thing)| thing)
}
