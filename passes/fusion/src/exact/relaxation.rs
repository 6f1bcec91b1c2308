//! The linear relaxation of a block: its linear program with columns fixed, to which
//! rows are added that its solutions break.
//!
//! Rows are constraints of the model that are too many to be written down
//! ([`separation`](super::separation)), limits of clusters, and cuts that follow
//! from other rows ([`zero_half`]).

use std::time::Instant;

use super::{
    clock::Clock,
    incumbents::is_whole,
    linear::{Column, Linear, Optimum, Program, Unsolved},
    model::BlockModel,
    separation::Separator,
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
        separator: Separator<'m, 'p>,
        limits: &'m Limits,
        clock: Clock<'m>,
    ) -> Self {
        let bounds = vec![(0.0, 1.0); model.costs.len()];
        Self {
            program: Program::new(model.constant, &model.costs, &bounds, &model.rows),
            everywhere: bounds.clone(),
            bounds,
            added: vec![],
            model,
            separator,
            limits,
            clock,
        }
    }

    /// The optimum with columns fixed and the rows that there are.
    ///
    /// # Errors
    ///
    /// If there is none, or the solver fails or does not find it before the deadline.
    pub fn solve(
        &mut self,
        fixed: &[(Column, bool)],
        deadline: Option<Instant>,
    ) -> Result<Optimum, Unsolved> {
        let mut bounds = self.everywhere.clone();
        for &(column, value) in fixed {
            let value = f64::from(value);
            let (least, greatest) = bounds[column];
            if value < least || value > greatest {
                return Err(Unsolved::Infeasible);
            }
            bounds[column] = (value, value);
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
        let cuts = zero_half::cuts(rows, values);
        self.add(cuts)
    }

    fn add(&mut self, rows: Vec<Linear>) -> usize {
        for row in &rows {
            self.program.add_row(row);
        }
        let count = rows.len();
        self.added.extend(rows);
        count
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
        let (constant, costs) = (self.model.constant, &self.model.costs);
        self.program = Program::new(constant, costs, &self.everywhere, rows);
        self.bounds.clone_from(&self.everywhere);
    }

    /// The answer in which all columns that have to be whole are fixed, if it is
    /// one.
    pub fn answer(&self, fixed: &[(Column, bool)]) -> Option<Optimum> {
        let mut bounds = vec![(0.0, 1.0); self.bounds.len()];
        for &(column, value) in fixed {
            bounds[column] = (f64::from(value), f64::from(value));
        }
        let (constant, costs) = (self.model.constant, &self.model.costs);
        let mut program = Program::new(constant, costs, &bounds, &self.model.rows);
        loop {
            let optimum = program.solve(self.clock.deadline).ok()?;
            let broken = self.separator.broken(&optimum.values);
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
}

/// Rows with more slack do not hold a solution.
const SLACK: f64 = 1e-6;
