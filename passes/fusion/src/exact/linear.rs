//! Linear expressions, and a linear program that is solved again and again, each
//! time from the basis before (HiGHS, dual simplex).
//!
//! HiGHS works with floating-point numbers, and within tolerances. What it says is
//! therefore a suggestion: it becomes a bound, or a proof that there is no solution, by
//! a [`Certificate`]. For that, all factors of rows and all bounds of columns are whole
//! numbers. Columns are whole in some best answer, so that a bound which follows from a
//! row is rounded.

use std::time::{Duration, Instant};

use highs::{Col, HighsModelStatus, Model, RowProblem, Sense};
use thiserror::Error;

use super::{
    certificate::{self, Certificate, Terms},
    correction::correction,
};

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
        /// No solution costs less, if anything is known.
        bound: Option<i128>,
    },
    /// The solver gave up, or says that there is none and cannot prove it.
    #[error("HiGHS gave up: {0:?}")]
    Failed(HighsModelStatus),
}

/// The optimum of a linear program, as far as the solver is exact.
#[derive(Clone)]
pub(crate) struct Optimum {
    /// What it costs.
    pub objective: f64,
    /// By column.
    pub values: Vec<f64>,
    /// By row: its dual price.
    prices: Vec<f64>,
}

impl Optimum {
    /// The same with other values, if there are some.
    pub fn with_values(mut self, values: Option<&Vec<f64>>) -> Self {
        if let Some(values) = values {
            self.values.clone_from(values);
        }
        self
    }
}

/// Where a column of the caller is.
#[derive(Clone, Copy)]
enum Place {
    /// Here, in the solver.
    Free(Col),
    /// Nowhere: it has this value.
    Fixed(f64),
}

/// The greatest cost that is given to the solver as it is: larger ones are scaled to a
/// smaller one, and what is far below the solver's tolerance then is left out. What that
/// loses is corrected.
const GREATEST_COST: f64 = (1u64 << 40) as f64;
const SCALED_COST: f64 = (1u64 << 30) as f64;
const LEAST_COST: f64 = 1e-9;

/// A linear program that is minimised. Columns lie between bounds, which are whole; those
/// whose bounds are equal at the beginning are left out, so that what is nearly decided
/// is small.
pub(crate) struct Program {
    model: Option<Model>,
    places: Vec<Place>,
    costs: Vec<i128>,
    /// What the solver's costs are multiplied by.
    scale: f64,
    /// By column: the bounds that rows with one column give.
    limits: Vec<(f64, f64)>,
    bounds: Vec<(f64, f64)>,
    /// The objective's constant.
    constant: i128,
    /// The rows in the solver, without columns that are left out.
    rows: Vec<Linear>,
    infeasible: bool,
    spent: Duration,
    term_count: usize,
}

impl Program {
    /// A program with the given objective, bounds, and rows `expression >= 0`.
    pub fn new(
        costs: &[i128],
        bounds: &[(f64, f64)],
        rows: impl IntoIterator<Item = impl std::borrow::Borrow<Linear>>,
    ) -> Self {
        let greatest = costs.iter().map(|cost| cost.unsigned_abs()).max();
        let greatest = greatest.unwrap_or(0) as f64;
        let mut program = Self {
            model: None,
            places: vec![],
            costs: costs.to_vec(),
            scale: match greatest > GREATEST_COST {
                true => (SCALED_COST / greatest).log2().floor().exp2(),
                false => 1.0,
            },
            limits: bounds.to_vec(),
            bounds: bounds.to_vec(),
            constant: 0,
            rows: vec![],
            infeasible: false,
            spent: Duration::ZERO,
            term_count: 0,
        };
        let mut handles = RowProblem::default();
        for (&cost, &(least, greatest)) in costs.iter().zip(bounds) {
            program.places.push(if least == greatest {
                program.constant += cost * least as i128;
                Place::Fixed(least)
            } else {
                Place::Free(handles.add_column(0.0, least..=greatest))
            });
        }
        let mut new_limits = vec![];
        for row in rows {
            if let Some(row) = program.reduced(row.borrow(), &mut new_limits) {
                program.rows.push(row);
            }
        }
        program.model = Some(program.built());
        program
    }

    /// The program for the solver, with no basis.
    fn built(&self) -> Model {
        let mut problem = RowProblem::default();
        for (column, &cost) in self.costs.iter().enumerate() {
            if let Place::Free(_) = self.places[column] {
                let (least, greatest) = self.bounds_now(column);
                let cost = cost as f64 * self.scale;
                let cost = if cost.abs() < LEAST_COST { 0.0 } else { cost };
                problem.add_column(cost, least..=greatest.max(least));
            }
        }
        for row in &self.rows {
            problem.add_row(-row.constant.., self.handles(row));
        }
        prepared(problem)
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
            [] => self.infeasible |= reduced.constant < 0.0,
            [(column, factor)] => {
                let (constant, whole) = (reduced.constant as i64, factor as i64);
                let limits = &mut self.limits[column];
                *limits = match factor > 0.0 {
                    true => (limits.0.max(-constant.div_euclid(whole) as f64), limits.1),
                    false => (limits.0, limits.1.min(constant.div_euclid(-whole) as f64)),
                };
                new_limits.push(column);
            }
            _ => {
                self.term_count += reduced.terms.len();
                return Some(reduced);
            }
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

    /// How many terms the rows in the solver have.
    pub fn term_count(&self) -> usize {
        self.term_count
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
        let (least, greatest) = self.bounds_now(column);
        if let (Place::Free(handle), Some(model)) = (self.places[column], &mut self.model) {
            model.change_column_bounds(handle, least..=greatest.max(least));
        }
    }

    /// Between which values a column lies.
    fn bounds_now(&self, column: Column) -> (f64, f64) {
        let (bounds, limits) = (self.bounds[column], self.limits[column]);
        (bounds.0.max(limits.0), bounds.1.min(limits.1))
    }

    /// Whether the bounds of columns contradict each other.
    fn is_contradictory(&self) -> bool {
        let contradictory = |column: Column| {
            let (least, greatest) = self.bounds_now(column);
            let outside = match self.places[column] {
                Place::Free(_) => false,
                Place::Fixed(value) => value < least || value > greatest,
            };
            outside || least > greatest
        };
        self.infeasible || (0..self.places.len()).any(contradictory)
    }

    /// Solves the program.
    ///
    /// # Errors
    ///
    /// If it is infeasible, as far as the solver is exact, or the solver fails or runs
    /// out of time.
    pub fn solve(&mut self, deadline: Option<Instant>) -> Result<Optimum, Unsolved> {
        if self.is_contradictory() {
            return Err(Unsolved::Infeasible);
        }
        let start = Instant::now();
        // A solver that gave up is not used any more.
        let mut model = self.model.take().unwrap_or_else(|| {
            self.spent = Duration::ZERO;
            self.built()
        });
        stop_at(&mut model, self.spent, deadline);
        let solved = model
            .try_solve()
            .map_err(|_| Unsolved::Failed(HighsModelStatus::SolveError))?;
        self.spent += start.elapsed();
        let result = match solved.status() {
            HighsModelStatus::Optimal | HighsModelStatus::ModelEmpty => {
                let solution = solved.get_solution();
                Ok(Optimum {
                    objective: self.constant as f64 + solved.objective_value() / self.scale,
                    values: self.by_column(solution.columns()),
                    prices: solution.dual_rows().to_vec(),
                })
            }
            HighsModelStatus::Infeasible => Err(Unsolved::Infeasible),
            HighsModelStatus::ReachedTimeLimit => {
                let prices = self.whole_prices(solved.get_solution().dual_rows());
                let certificate = Certificate::new(&self.terms(), &prices);
                let bound = certificate.map(|certificate| certificate.bound());
                Err(Unsolved::OutOfTime { bound })
            }
            status => Err(Unsolved::Failed(status)),
        };
        self.model = Some(Model::from(solved));
        result
    }

    /// What the solver says of its columns, and the values of those that are left out.
    fn by_column(&self, known: &[f64]) -> Vec<f64> {
        let mut known = known.iter();
        let places = self.places.iter();
        places
            .map(|place| match *place {
                Place::Free(_) => known.next().copied().unwrap_or(0.0),
                Place::Fixed(value) => value,
            })
            .collect()
    }

    /// What is exact of the program.
    fn terms(&self) -> Terms<'_> {
        let bounds = (0..self.places.len()).map(|column| match self.places[column] {
            Place::Free(_) => {
                let (least, greatest) = self.bounds_now(column);
                (least as i128, greatest as i128)
            }
            // Its cost is in the constant.
            Place::Fixed(_) => (0, 0),
        });
        Terms {
            constant: self.constant,
            costs: &self.costs,
            bounds: bounds.collect(),
            rows: &self.rows,
        }
    }

    /// The solver's prices of rows, as certificates have them.
    fn whole_prices(&self, prices: &[f64]) -> Vec<i128> {
        let unit = certificate::unit(self.constant, &self.costs) as f64;
        let prices = prices.iter();
        prices
            .map(|price| (price / self.scale * unit).round().max(0.0) as i128)
            .collect()
    }

    /// Why nothing costs less than a bound, which is that of an optimum. If the solver
    /// was not exact enough to say whether anything costs less than `wanted`, the prices
    /// are corrected until the deadline.
    pub fn certificate(
        &self,
        optimum: &Optimum,
        wanted: Option<i128>,
        deadline: Option<Instant>,
    ) -> Option<Certificate> {
        let terms = self.terms();
        let mut prices = self.whole_prices(&optimum.prices);
        let mut best = Certificate::new(&terms, &prices)?;
        for _ in 0..CORRECTIONS {
            let short = wanted.is_some_and(|wanted| {
                let noise = optimum.objective.abs() * RELATIVE_NOISE + self.scaled_noise();
                let hoped_for = optimum.objective + noise + NOISE > wanted as f64 - 1.0;
                let lost = optimum.objective + noise - best.value() > NOISE;
                best.bound() < wanted && hoped_for && lost
            });
            let corrected = short.then(|| correction(&terms, &best, &mut prices, deadline));
            let Some(values) = corrected.flatten() else {
                break;
            };
            let Some(next) = Certificate::new(&terms, &prices) else {
                break;
            };
            let compared = next.compared(&best);
            if compared.is_ge() {
                best = next;
                best.values = Some(self.with_fixed(values));
            }
            if compared.is_le() {
                break;
            }
        }
        Some(best)
    }

    /// What the solver does not see of the objective because its costs are scaled.
    fn scaled_noise(&self) -> f64 {
        match self.scale < 1.0 {
            true => SCALED_NOISE / self.scale,
            false => 0.0,
        }
    }

    /// Values of the columns in the solver, with those of the others.
    fn with_fixed(&self, mut values: Vec<f64>) -> Vec<f64> {
        for (value, place) in values.iter_mut().zip(&self.places) {
            if let Place::Fixed(fixed) = *place {
                *value = fixed;
            }
        }
        values
    }

    /// Whether it is certain that there is no solution, as far as that can be proven
    /// before the deadline.
    pub fn is_proven_infeasible(&self, deadline: Option<Instant>) -> bool {
        self.is_contradictory() || self.terms().is_plainly_infeasible() || {
            let terms = self.terms();
            let prices = contradiction(&terms, deadline);
            prices.is_some_and(|prices| terms.is_contradiction(&prices))
        }
    }
}

/// How often prices are corrected.
const CORRECTIONS: usize = 4;

/// What is lost of a bound by rounding, by the solver's tolerance for scaled costs, and by the
/// solver in parts of the objective.
const NOISE: f64 = 1e-3;
const SCALED_NOISE: f64 = 1e-6;
const RELATIVE_NOISE: f64 = 1e-9;

/// A program for the solver, which finds a vertex.
pub(super) fn prepared(problem: RowProblem) -> Model {
    let mut model = problem.optimise(Sense::Minimise);
    model.make_quiet();
    model.set_option("presolve", "off");
    model.set_option("solver", "simplex");
    model.set_option("simplex_strategy", 1);
    model.set_option("threads", 1);
    model
}

/// Lets a solver, which has run so long already, stop at a deadline.
pub(super) fn stop_at(model: &mut Model, spent: Duration, deadline: Option<Instant>) {
    if let Some(deadline) = deadline {
        // HiGHS counts the time of all runs.
        let left = deadline.saturating_duration_since(Instant::now());
        model.set_option("time_limit", (spent + left).as_secs_f64());
    }
}

/// Prices with which the rows contradict each other: those of the program in which all
/// rows may be broken by the same, and that is least.
fn contradiction(terms: &Terms, deadline: Option<Instant>) -> Option<Vec<i128>> {
    const UNIT: f64 = (1u64 << 40) as f64;
    let mut problem = RowProblem::default();
    let columns: Vec<Col> = terms
        .bounds
        .iter()
        .map(|&(least, greatest)| problem.add_column(0.0, least as f64..=greatest as f64))
        .collect();
    let broken_by = problem.add_column(1.0, 0.0..);
    for row in terms.rows {
        let entries = row.terms.iter();
        let entries = entries.map(|&(column, factor)| (columns[column], factor));
        problem.add_row(-row.constant.., entries.chain([(broken_by, 1.0)]));
    }
    let mut model = prepared(problem);
    stop_at(&mut model, Duration::ZERO, deadline);
    let solved = model.try_solve().ok()?;
    let solution = solved.get_solution();
    let prices = solution.dual_rows().iter();
    Some(
        prices
            .map(|price| (price.max(0.0) * UNIT).round() as i128)
            .collect(),
    )
}
