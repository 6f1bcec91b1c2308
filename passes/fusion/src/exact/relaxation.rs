//! The linear relaxation of a block: its linear program with columns fixed, to which
//! rows are added that its solutions break.
//!
//! Rows are constraints of the model that are too many to be written down
//! ([`separation`](super::separation)), limits of clusters, and cuts that follow
//! from other rows ([`zero_half`]). What the solver says is turned into proofs here
//! ([`certificate`](super::certificate)): bounds, and that there is no solution.

use std::time::Instant;

use highs::HighsModelStatus;

use super::{
    certificate::Certificate,
    clock::Clock,
    incumbents::is_whole,
    linear::{Column, Linear, Optimum, Program, Unsolved},
    model::BlockModel,
    separation::Separator,
    size::BYTES_OF_A_TERM,
    zero_half,
};
use crate::limits::Limits;

/// Rows added at a time: the most broken ones.
const MOST_ROWS: usize = 1000;

/// The linear relaxation of a block.
pub(crate) struct Relaxation<'m, 'p> {
    model: &'m BlockModel<'p>,
    separator: Separator<'m, 'p>,
    limits: &'m Limits,
    clock: Clock<'m>,
    costs: &'m [i128],
    program: Program,
    /// By column: the bounds that hold wherever the search is.
    everywhere: Vec<(f64, f64)>,
    /// By column: the bounds now.
    bounds: Vec<(f64, f64)>,
    /// The rows that were added.
    added: Vec<Linear>,
}

impl<'m, 'p> Relaxation<'m, 'p> {
    /// The program of a block with no rows added.
    pub fn new(
        model: &'m BlockModel<'p>,
        costs: &'m [i128],
        separator: Separator<'m, 'p>,
        limits: &'m Limits,
        clock: Clock<'m>,
    ) -> Self {
        let bounds = vec![(0.0, 1.0); model.costs.len()];
        Self {
            program: Program::new(costs, &bounds, &model.rows),
            costs,
            everywhere: bounds.clone(),
            bounds,
            added: vec![],
            model,
            separator: separator.until(clock),
            limits,
            clock,
        }
    }

    /// The optimum with columns fixed and the rows that there are.
    ///
    /// # Errors
    ///
    /// If there is none, which is proven, or the solver fails or does not find it before
    /// the deadline.
    pub fn solve(
        &mut self,
        fixed: &[(Column, bool)],
        deadline: Option<Instant>,
    ) -> Result<Optimum, Unsolved> {
        let solved = self.try_out(fixed, deadline);
        match solved {
            Err(Unsolved::Infeasible)
                if !self.contradicts(fixed) && !self.program.is_proven_infeasible(deadline) =>
            {
                Err(Unsolved::Failed(HighsModelStatus::Infeasible))
            }
            solved => solved,
        }
    }

    /// Why nothing costs less than the optimum of the program as it is, exactly enough
    /// to say whether anything costs less than `wanted`.
    pub fn certificate(&self, optimum: &Optimum, wanted: Option<i128>) -> Option<Certificate> {
        self.program
            .certificate(optimum, wanted, self.clock.deadline)
    }

    /// Whether columns are fixed to what they cannot be.
    fn contradicts(&self, fixed: &[(Column, bool)]) -> bool {
        fixed.iter().any(|&(column, value)| {
            let (least, greatest) = self.everywhere[column];
            f64::from(value) < least || f64::from(value) > greatest
        })
    }

    /// [`solve`](Self::solve), but it is not proven if there is no solution.
    ///
    /// # Errors
    ///
    /// If there is none, as far as the solver is exact, or the solver fails.
    pub fn try_out(
        &mut self,
        fixed: &[(Column, bool)],
        deadline: Option<Instant>,
    ) -> Result<Optimum, Unsolved> {
        if self.contradicts(fixed) {
            return Err(Unsolved::Infeasible);
        }
        let mut bounds = self.everywhere.clone();
        for &(column, value) in fixed {
            bounds[column] = (f64::from(value), f64::from(value));
        }
        for (column, (old, new)) in self.bounds.iter_mut().zip(&bounds).enumerate() {
            if old != new {
                *old = *new;
                self.program.set_bounds(column, new.0, new.1);
            }
        }
        self.program.solve(deadline)
    }

    /// Adds rows that the values break; gives how many.
    pub fn add_broken(&mut self, values: &[f64]) -> usize {
        let mut broken = self.separator.broken(values);
        if broken.is_empty() && self.fractional(values).is_empty() {
            broken = self.limits.broken(self.model, values);
        }
        broken.truncate(MOST_ROWS);
        self.add(broken)
    }

    /// Adds cuts that the values break; gives how many.
    pub fn add_cuts(&mut self, values: &[f64]) -> usize {
        let rows = self.model.rows.iter().chain(&self.added);
        let cuts = zero_half::cuts(rows, values, self.clock);
        self.add(cuts)
    }

    fn add(&mut self, rows: Vec<Linear>) -> usize {
        let before = self.added.len();
        for row in rows {
            if self.clock.is_over() {
                break;
            }
            self.program.add_row(&row);
            self.added.push(row);
        }
        self.added.len() - before
    }

    /// About how many bytes the program takes.
    pub fn bytes(&self) -> usize {
        let columns = self.model.costs.len() * BYTES_OF_A_COLUMN;
        columns + self.program.term_count() * BYTES_OF_A_TERM
    }

    /// Whether a column is not fixed wherever the search is.
    pub fn is_free(&self, column: Column) -> bool {
        let (least, greatest) = self.everywhere[column];
        least < greatest
    }

    /// Fixes columns wherever the search is.
    pub fn fix_everywhere(&mut self, fixed: &[(Column, bool)]) {
        for &(column, value) in fixed {
            self.everywhere[column] = (f64::from(value), f64::from(value));
        }
    }

    /// Begins anew with a program that has no fixed columns any more, and of the added
    /// rows, only those that hold the values.
    pub fn shrink(&mut self, values: &[f64]) {
        self.added.retain(|row| row.value(values) < SLACK);
        let rows = self.model.rows.iter().chain(&self.added);
        self.program = Program::new(self.costs, &self.everywhere, rows);
        self.bounds.clone_from(&self.everywhere);
    }

    /// The answer in which all columns that have to be whole are fixed, if it is
    /// one.
    pub fn answer(&self, fixed: &[(Column, bool)]) -> Option<Optimum> {
        let mut bounds = vec![(0.0, 1.0); self.bounds.len()];
        for &(column, value) in fixed {
            bounds[column] = (f64::from(value), f64::from(value));
        }
        let mut program = Program::new(self.costs, &bounds, &self.model.rows);
        loop {
            let optimum = program.solve(self.clock.deadline).ok()?;
            let broken = self.separator.broken(&optimum.values);
            if self.clock.is_over() {
                return None;
            }
            if broken.is_empty() {
                let kept = self.limits.broken(self.model, &optimum.values).is_empty();
                return kept.then_some(optimum);
            }
            for row in &broken {
                program.add_row(row);
            }
        }
    }

    /// The columns that have to be whole and are not.
    pub fn fractional(&self, values: &[f64]) -> Vec<Column> {
        let whole = self.model.whole.iter().copied();
        whole.filter(|&column| !is_whole(values[column])).collect()
    }

    /// A column to branch on where all those that have to be whole are: another one that
    /// is not, or one that is not fixed yet.
    pub fn undecided(&self, fixed: &[(Column, bool)], values: Option<&[f64]>) -> Option<Column> {
        let mut open: Vec<bool> = self
            .everywhere
            .iter()
            .map(|(low, high)| low < high)
            .collect();
        for &(column, _) in fixed {
            open[column] = false;
        }
        let is_fractional =
            |&column: &Column| values.is_some_and(|values| !is_whole(values[column]));
        let mut columns = (0..open.len()).filter(|&column| open[column]);
        let fractional = columns.clone().find(is_fractional);
        let mut whole = self.model.whole.iter().copied();
        fractional
            .or_else(|| whole.find(|&column| open[column]))
            .or_else(|| columns.next().filter(|_| values.is_none()))
    }
}

/// What a column takes, here and in HiGHS.
const BYTES_OF_A_COLUMN: usize = 200;

/// Rows with more slack do not hold a solution.
const SLACK: f64 = 1e-6;
