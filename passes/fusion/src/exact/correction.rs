//! Prices of rows that are more exact than those of the solver: what is left over with
//! its prices is a linear program of its own, and far smaller numbers.
//!
//! Where the reduced cost of a column or the price of a row is clearly not 0, the column
//! stays at its bound, and the row is an equation. The rest is solved with the reduced
//! costs, enlarged; the prices that it gives are corrections.
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

/// Corrects the prices of a certificate; whether there was anything to correct, and time
/// for it.
pub(crate) fn correction(
    terms: &Terms,
    known: &Certificate,
    prices: &mut [i128],
    deadline: Option<Instant>,
) -> bool {
    let reduced = &known.reduced;
    let largest = reduced
        .iter()
        .chain(&*prices)
        .map(|number| number.unsigned_abs());
    let noise = largest.max().unwrap_or(0) >> NOISE_BITS;
    let is_noise = |number: i128| number.unsigned_abs() <= noise;
    let is_free = |column: usize| {
        let (low, high) = terms.bounds[column];
        low < high && is_noise(reduced[column])
    };
    let free = (0..reduced.len()).filter(|&column| is_free(column));
    let greatest = free.map(|column| reduced[column].unsigned_abs()).max();
    let greatest = greatest.unwrap_or(0) as f64;
    if greatest == 0.0 {
        return false;
    }
    let scale = GREATEST / greatest;
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
    let Ok(solved) = model.try_solve() else {
        return false;
    };
    if solved.status() != HighsModelStatus::Optimal {
        return false;
    }
    let solution = solved.get_solution();
    for (price, by) in prices.iter_mut().zip(solution.dual_rows()) {
        *price = price.saturating_add((by / scale).round() as i128).max(0);
    }
    true
}
