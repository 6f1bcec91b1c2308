//! Linear expressions, and a linear program that is solved again and again, each
//! time from the basis before (HiGHS, dual simplex).

use std::time::{Duration, Instant};

use highs::{Col, HighsModelStatus, Model, RowProblem, Sense};
use thiserror::Error;

/// The number of a column.
pub(crate) type Column = usize;

/// A constant and a sum of weighted columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linear {
    /// The constant.
    pub constant: f64,
    /// Columns with their factors; a column may stand more than once.
    pub terms: Vec<(Column, f64)>,
}

impl Linear {
    /// A number.
    pub fn constant(constant: f64) -> Self {
        Self {
            constant,
            terms: vec![],
        }
    }

    /// A column.
    pub fn column(column: Column) -> Self {
        Self {
            constant: 0.0,
            terms: vec![(column, 1.0)],
        }
    }

    /// 1 minus the expression.
    pub fn complement(&self) -> Self {
        Self::constant(1.0).plus(-1.0, self)
    }

    /// Adds a multiple of another expression.
    pub fn plus(mut self, factor: f64, other: &Self) -> Self {
        self.constant += factor * other.constant;
        let terms = other.terms.iter();
        self.terms
            .extend(terms.map(|&(column, weight)| (column, factor * weight)));
        self
    }

    /// Whether it does not depend on columns.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value for values of the columns.
    pub fn value(&self, columns: &[f64]) -> f64 {
        let terms = self.terms.iter();
        self.constant
            + terms
                .map(|&(column, factor)| factor * columns[column])
                .sum::<f64>()
    }

    /// The terms, each column once and in order.
    fn collected(&self) -> Vec<(Column, f64)> {
        let mut terms = self.terms.clone();
        terms.sort_by_key(|&(column, _)| column);
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        terms.retain(|&(_, factor)| factor != 0.0);
        terms
    }
}

/// Why there is no solution of a linear program.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(crate) enum Unsolved {
    /// There is none.
    #[error("infeasible")]
    Infeasible,
    /// The time was over.
    #[error("out of time")]
    OutOfTime,
    /// The solver gave up.
    #[error("HiGHS gave up: {0:?}")]
    Failed(HighsModelStatus),
}

/// The optimum of a linear program.
pub(crate) struct Optimum {
    /// The objective, without its constant.
    pub objective: f64,
    /// By column.
    pub values: Vec<f64>,
}

/// A linear program whose columns lie between 0 and 1; it is minimised.
pub(crate) struct Program {
    model: Option<Model>,
    columns: Vec<Col>,
    spent: Duration,
}

impl Program {
    /// A program with the given costs of columns and rows `expression >= 0`.
    pub fn new(costs: &[f64], rows: &[Linear]) -> Self {
        let mut problem = RowProblem::default();
        let columns: Vec<Col> = costs
            .iter()
            .map(|&cost| problem.add_column(cost, 0.0..=1.0))
            .collect();
        for row in rows {
            let terms = row.collected();
            problem.add_row(
                -row.constant..,
                terms
                    .iter()
                    .map(|&(column, factor)| (columns[column], factor)),
            );
        }
        let mut model = problem.optimise(Sense::Minimise);
        model.make_quiet();
        model.set_option("presolve", "off");
        model.set_option("solver", "simplex");
        model.set_option("simplex_strategy", 1);
        model.set_option("threads", 1);
        Self {
            model: Some(model),
            columns,
            spent: Duration::ZERO,
        }
    }

    /// Adds a row `expression >= 0`.
    pub fn add_row(&mut self, row: &Linear) {
        let terms = row.collected();
        let columns = &self.columns;
        if let Some(model) = &mut self.model {
            model.add_row(
                -row.constant..,
                terms
                    .iter()
                    .map(|&(column, factor)| (columns[column], factor)),
            );
        }
    }

    /// Bounds a column.
    pub fn set_bounds(&mut self, column: Column, least: f64, greatest: f64) {
        let handle = self.columns[column];
        if let Some(model) = &mut self.model {
            model.change_column_bounds(handle, least..=greatest);
        }
    }

    /// Solves the program.
    ///
    /// # Errors
    ///
    /// If it is infeasible, or the solver fails or runs out of time.
    pub fn solve(&mut self, deadline: Option<Instant>) -> Result<Optimum, Unsolved> {
        let start = Instant::now();
        let Some(mut model) = self.model.take() else {
            return Err(Unsolved::Failed(HighsModelStatus::NotSet));
        };
        if let Some(deadline) = deadline {
            // HiGHS counts the time of all runs.
            let left = deadline.saturating_duration_since(start);
            model.set_option("time_limit", (self.spent + left).as_secs_f64());
        }
        let solved = model
            .try_solve()
            .map_err(|_| Unsolved::Failed(HighsModelStatus::SolveError))?;
        self.spent += start.elapsed();
        let result = match solved.status() {
            HighsModelStatus::Optimal | HighsModelStatus::ModelEmpty => {
                let solution = solved.get_solution();
                Ok(Optimum {
                    objective: solved.objective_value(),
                    values: solution.columns().to_vec(),
                })
            }
            HighsModelStatus::Infeasible => Err(Unsolved::Infeasible),
            HighsModelStatus::ReachedTimeLimit => Err(Unsolved::OutOfTime),
            status => Err(Unsolved::Failed(status)),
        };
        self.model = Some(Model::from(solved));
        result
    }
}
