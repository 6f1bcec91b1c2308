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

    /// The same with each column once, in order.
    pub fn simplified(&self) -> Self {
        Self {
            constant: self.constant,
            terms: self.collected(),
        }
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
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub(crate) enum Unsolved {
    /// There is none.
    #[error("infeasible")]
    Infeasible,
    /// The time was over.
    #[error("out of time")]
    OutOfTime {
        /// No solution costs less.
        bound: f64,
    },
    /// The solver gave up.
    #[error("HiGHS gave up: {0:?}")]
    Failed(HighsModelStatus),
}

/// The optimum of a linear program.
#[derive(Clone)]
pub(crate) struct Optimum {
    /// What it costs.
    pub objective: f64,
    /// By column.
    pub values: Vec<f64>,
    /// By column: by how much the objective rises if the column does, by one.
    pub reduced_costs: Vec<f64>,
}

/// Where a column of the caller is.
#[derive(Clone, Copy)]
enum Place {
    /// Here, in the solver.
    Free(Col),
    /// Nowhere: it has this value.
    Fixed(f64),
}

/// A linear program that is minimised. Columns lie between bounds; those whose
/// bounds are equal at the beginning are left out, so that what is nearly decided
/// is small.
pub(crate) struct Program {
    model: Option<Model>,
    places: Vec<Place>,
    costs: Vec<f64>,
    /// By column: the bounds that rows with one column give.
    limits: Vec<(f64, f64)>,
    bounds: Vec<(f64, f64)>,
    /// The objective's constant.
    constant: f64,
    /// The rows in the solver, without columns that are left out.
    rows: Vec<Linear>,
    infeasible: bool,
    spent: Duration,
}

impl Program {
    /// A program with the given objective, bounds, and rows `expression >= 0`.
    pub fn new(
        constant: f64,
        costs: &[f64],
        bounds: &[(f64, f64)],
        rows: impl IntoIterator<Item = impl std::borrow::Borrow<Linear>>,
    ) -> Self {
        let mut program = Self {
            model: None,
            places: vec![],
            costs: costs.to_vec(),
            limits: bounds.to_vec(),
            bounds: bounds.to_vec(),
            constant,
            rows: vec![],
            infeasible: false,
            spent: Duration::ZERO,
        };
        let mut problem = RowProblem::default();
        for (&cost, &(least, greatest)) in costs.iter().zip(bounds) {
            program.places.push(if least == greatest {
                program.constant += cost * least;
                Place::Fixed(least)
            } else {
                Place::Free(problem.add_column(cost, least..=greatest))
            });
        }
        let mut new_limits = vec![];
        for row in rows {
            if let Some(row) = program.reduced(row.borrow(), &mut new_limits) {
                problem.add_row(-row.constant.., program.handles(&row));
                program.rows.push(row);
            }
        }
        let mut model = problem.optimise(Sense::Minimise);
        model.make_quiet();
        model.set_option("presolve", "off");
        model.set_option("solver", "simplex");
        model.set_option("simplex_strategy", 1);
        model.set_option("threads", 1);
        program.model = Some(model);
        program.apply(&new_limits);
        program
    }

    /// A row without the columns that are left out; nothing if that says something
    /// of one column or none.
    fn reduced(&mut self, row: &Linear, new_limits: &mut Vec<Column>) -> Option<Linear> {
        let mut reduced = Linear::constant(row.constant);
        for (column, factor) in row.collected() {
            match self.places[column] {
                Place::Free(_) => reduced.terms.push((column, factor)),
                Place::Fixed(value) => reduced.constant += factor * value,
            }
        }
        match reduced.terms[..] {
            [] => self.infeasible |= reduced.constant < -FEASIBLE,
            [(column, factor)] => {
                let end = -reduced.constant / factor;
                let limits = &mut self.limits[column];
                *limits = match factor > 0.0 {
                    true => (limits.0.max(end), limits.1),
                    false => (limits.0, limits.1.min(end)),
                };
                new_limits.push(column);
            }
            _ => return Some(reduced),
        }
        None
    }

    fn handles(&self, row: &Linear) -> Vec<(Col, f64)> {
        let terms = row.terms.iter();
        terms
            .filter_map(|&(column, factor)| match self.places[column] {
                Place::Free(handle) => Some((handle, factor)),
                Place::Fixed(_) => None,
            })
            .collect()
    }

    /// Gives columns the bounds that their limits leave.
    fn apply(&mut self, columns: &[Column]) {
        for &column in columns {
            let (least, greatest) = self.bounds[column];
            self.set_bounds(column, least, greatest);
        }
    }

    /// Adds a row `expression >= 0`.
    pub fn add_row(&mut self, row: &Linear) {
        let mut new_limits = vec![];
        if let Some(row) = self.reduced(row, &mut new_limits) {
            let terms = self.handles(&row);
            if let Some(model) = &mut self.model {
                model.add_row(-row.constant.., terms);
            }
            self.rows.push(row);
        }
        self.apply(&new_limits);
    }

    /// Bounds a column.
    pub fn set_bounds(&mut self, column: Column, least: f64, greatest: f64) {
        self.bounds[column] = (least, greatest);
        let limits = self.limits[column];
        let (least, greatest) = (least.max(limits.0), greatest.min(limits.1));
        if let (Place::Free(handle), Some(model)) = (self.places[column], &mut self.model) {
            model.change_column_bounds(handle, least..=greatest.max(least));
        }
    }

    fn is_infeasible(&self) -> bool {
        let mut columns = self.places.iter().zip(&self.bounds).zip(&self.limits);
        self.infeasible
            || columns.any(|((place, bounds), limits)| {
                let (least, greatest) = (bounds.0.max(limits.0), bounds.1.min(limits.1));
                let outside = match *place {
                    Place::Free(_) => false,
                    Place::Fixed(value) => value < least - FEASIBLE || value > greatest + FEASIBLE,
                };
                outside || least > greatest + FEASIBLE
            })
    }

    /// Solves the program.
    ///
    /// # Errors
    ///
    /// If it is infeasible, or the solver fails or runs out of time.
    pub fn solve(&mut self, deadline: Option<Instant>) -> Result<Optimum, Unsolved> {
        if self.is_infeasible() {
            return Err(Unsolved::Infeasible);
        }
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
                    objective: self.constant + solved.objective_value(),
                    values: self.by_column(solution.columns(), |value| value),
                    reduced_costs: self.by_column(solution.dual_columns(), |_| 0.0),
                })
            }
            HighsModelStatus::Infeasible => Err(Unsolved::Infeasible),
            HighsModelStatus::ReachedTimeLimit => Err(Unsolved::OutOfTime {
                bound: self.bound_of(solved.get_solution().dual_rows()),
            }),
            status => Err(Unsolved::Failed(status)),
        };
        self.model = Some(Model::from(solved));
        result
    }

    /// What the solver says of its columns, and something else of those that are
    /// left out.
    fn by_column(&self, known: &[f64], left_out: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut known = known.iter();
        let places = self.places.iter();
        places
            .map(|place| match *place {
                Place::Free(_) => known.next().copied().unwrap_or(0.0),
                Place::Fixed(value) => left_out(value),
            })
            .collect()
    }

    /// What every solution costs at least, given prices of rows: Lagrange's bound,
    /// which holds whatever the prices are.
    fn bound_of(&self, prices: &[f64]) -> f64 {
        let mut bound = self.constant;
        let mut costs = self.costs.clone();
        for (row, price) in self.rows.iter().zip(prices) {
            let price = price.max(0.0);
            bound -= price * row.constant;
            for &(column, factor) in &row.terms {
                costs[column] -= price * factor;
            }
        }
        let columns = self.places.iter().zip(costs).zip(&self.bounds);
        bound
            + columns
                .filter(|((place, _), _)| matches!(place, Place::Free(_)))
                .map(|((_, cost), &(least, greatest))| (cost * least).min(cost * greatest))
                .sum::<f64>()
    }
}

/// Rows that are broken by less are kept.
const FEASIBLE: f64 = 1e-7;
