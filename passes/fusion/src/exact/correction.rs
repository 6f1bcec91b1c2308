//! Prices of rows that are more exact than those of the solver: what is left over with
//! its prices is a linear program of its own, and far smaller numbers.
//!
//! Where the reduced cost of a column or the price of a row is clearly not 0, the column
//! stays at its bound, and the row is an equation. Prices that are as good as 0 become 0.
//! The rest is solved with the reduced costs, enlarged; the prices that it gives are
//! corrections. Its solution is one of the whole program, and the cheapest also in what
//! the solver did not see.
//!
//! Source: Gleixner, Steffy and Wolter, *Iterative refinement for linear programming*
//! (INFORMS Journal on Computing 2016). Cost: one linear program.

use std::time::{Duration, Instant};

use highs::{Col, HighsModelStatus, RowProblem};

use super::{
    certificate::{Certificate, Terms},
    linear::{prepared, stop_at},
};

/// A number with fewer bits than the largest cost by this is as good as 0.
const NOISE_BITS: u32 = 36;

/// The largest reduced cost is made this.
const GREATEST: f64 = (1u64 << 30) as f64;

/// Corrects the prices of a certificate, and gives the solution that belongs to them;
/// nothing if there was no time for it, or the solver failed.
pub(crate) fn correction(
    terms: &Terms,
    known: &Certificate,
    prices: &mut [i128],
    deadline: Option<Instant>,
) -> Option<Vec<f64>> {
    let largest = known
        .reduced
        .iter()
        .chain(&*prices)
        .map(|number| number.unsigned_abs());
    let noise = largest.max().unwrap_or(0) >> NOISE_BITS;
    let is_noise = |number: i128| number.unsigned_abs() <= noise;
    for price in prices.iter_mut().filter(|price| is_noise(**price)) {
        *price = 0;
    }
    let reduced = &Certificate::new(terms, prices)?.reduced;
    let is_free = |column: usize| {
        let (low, high) = terms.bounds[column];
        low < high && (is_noise(known.reduced[column]) || is_noise(reduced[column]))
    };
    let free = (0..reduced.len()).filter(|&column| is_free(column));
    let greatest = free.map(|column| reduced[column].unsigned_abs()).max();
    let scale = GREATEST / greatest.unwrap_or(0).max(1) as f64;
    let mut problem = RowProblem::default();
    let columns: Vec<Option<Col>> = (0..reduced.len())
        .map(|column| {
            let (low, high) = terms.bounds[column];
            let cost = reduced[column] as f64 * scale;
            is_free(column).then(|| problem.add_column(cost, low as f64..=high as f64))
        })
        .collect();
    for (row, &price) in terms.rows.iter().zip(&*prices) {
        let mut constant = row.constant;
        let mut entries = vec![];
        for &(column, factor) in &row.terms {
            let (low, high) = terms.bounds[column];
            match columns[column] {
                Some(handle) => entries.push((handle, factor)),
                None if reduced[column] > 0 => constant += factor * low as f64,
                None => constant += factor * high as f64,
            }
        }
        match is_noise(price) {
            true => problem.add_row(-constant.., entries),
            false => problem.add_row(-constant..=-constant, entries),
        };
    }
    let mut model = prepared(problem);
    stop_at(&mut model, Duration::ZERO, deadline);
    let solved = model.try_solve().ok()?;
    if solved.status() != HighsModelStatus::Optimal {
        return None;
    }
    let solution = solved.get_solution();
    for (price, by) in prices.iter_mut().zip(solution.dual_rows()) {
        *price = price.saturating_add((by / scale).round() as i128).max(0);
    }
    let mut free = solution.columns().iter();
    let values = columns.iter().enumerate().map(|(column, handle)| {
        let (low, high) = terms.bounds[column];
        match handle.and_then(|_| free.next()) {
            Some(&value) => value,
            None if reduced[column] > 0 => low as f64,
            None => high as f64,
        }
    });
    Some(values.collect())
}
