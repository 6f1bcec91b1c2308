//! Linear programs over differences of variables, which is all that the layout
//! needs: lower bounds on differences, and weighted sums of differences or of
//! their absolute values as objective. Solved by HiGHS.
//!
//! If the bounds are whole, so is the solution, for the matrix is totally
//! unimodular and the simplex method gives a corner.

use highs::{Col, HighsModelStatus, RowProblem, Sense};

/// The number of a variable.
pub(super) type Variable = usize;

/// A linear program.
#[derive(Default)]
pub(super) struct Differences {
    variables: usize,
    bounds: Vec<(Variable, Variable, f64)>,
    lengths: Vec<(Variable, Variable, f64)>,
    distances: Vec<(Variable, Variable, f64, f64)>,
}

impl Differences {
    /// With a number of variables.
    pub fn new(variables: usize) -> Self {
        Self {
            variables,
            ..Self::default()
        }
    }

    /// `second - first` is at least `least`.
    pub fn bound(&mut self, first: Variable, second: Variable, least: f64) {
        self.bounds.push((first, second, least));
    }

    /// `weight * (second - first)` is paid; a bound has to keep it from falling
    /// without end.
    pub fn pay_length(&mut self, first: Variable, second: Variable, weight: f64) {
        self.lengths.push((first, second, weight));
    }

    /// `weight * |second - first - ideal|` is paid.
    pub fn pay_distance(&mut self, first: Variable, second: Variable, ideal: f64, weight: f64) {
        self.distances.push((first, second, ideal, weight));
    }

    /// The values of the variables, the least 0; nothing if the bounds exclude
    /// each other.
    pub fn solve(&self) -> Option<Vec<f64>> {
        let mut costs = vec![0.0; self.variables];
        for &(first, second, weight) in &self.lengths {
            costs[first] -= weight;
            costs[second] += weight;
        }
        let mut problem = RowProblem::new();
        // Nothing says where the whole is, so the variables are kept positive,
        // for almost nothing.
        let columns: Vec<Col> = costs
            .iter()
            .map(|cost| problem.add_column(cost + 1e-4, 0.0..))
            .collect();
        for &(first, second, least) in &self.bounds {
            problem.add_row(least.., [(columns[second], 1.0), (columns[first], -1.0)]);
        }
        for &(first, second, ideal, weight) in &self.distances {
            let paid = problem.add_column(weight, 0.0..);
            for sign in [1.0, -1.0] {
                problem.add_row(
                    (-sign * ideal)..,
                    [
                        (paid, 1.0),
                        (columns[second], -sign),
                        (columns[first], sign),
                    ],
                );
            }
        }
        let mut model = problem.optimise(Sense::Minimise);
        model.make_quiet();
        model.set_option("threads", 1);
        model.set_option("solver", "simplex");
        let solved = model.try_solve().ok()?;
        if solved.status() != HighsModelStatus::Optimal {
            return None;
        }
        let values = solved.get_solution().columns()[..self.variables].to_vec();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        Some(values.iter().map(|value| value - least).collect())
    }
}
