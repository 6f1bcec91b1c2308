//! Linear programs over differences of variables, which is all that the layout
//! needs: lower bounds on differences, and weighted sums of differences or of
//! their absolute values as objective. Solved by HiGHS, or roughly by paths.
//!
//! If the bounds are whole, so is the solution, for the matrix is totally
//! unimodular and the simplex method gives a corner.

use highs::{Col, HighsModelStatus, RowProblem, Sense};
use petgraph::{
    algo::toposort,
    graph::{DiGraph, NodeIndex},
    visit::EdgeRef,
};

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

    /// Values that keep the bounds and are good, but not the best, in linear time:
    /// the least ones, and then the greatest for what gains by being greater. Only
    /// lengths are looked at. Nothing if the bounds go round in a circle.
    pub fn solve_roughly(&self) -> Option<Vec<f64>> {
        let mut graph = DiGraph::<(), f64>::with_capacity(self.variables, self.bounds.len());
        for _ in 0..self.variables {
            graph.add_node(());
        }
        for &(first, second, least) in &self.bounds {
            graph.add_edge(NodeIndex::new(first), NodeIndex::new(second), least);
        }
        let order = toposort(&graph, None).ok()?;
        let mut gain = vec![0.0; self.variables];
        for &(first, second, weight) in &self.lengths {
            gain[first] += weight;
            gain[second] -= weight;
        }
        let mut values = vec![0.0f64; self.variables];
        for &variable in &order {
            for bound in graph.edges(variable) {
                let least = values[variable.index()] + bound.weight();
                let value = &mut values[bound.target().index()];
                *value = value.max(least);
            }
        }
        for &variable in order.iter().rev() {
            let greatest = graph
                .edges(variable)
                .map(|bound| values[bound.target().index()] - bound.weight())
                .fold(f64::INFINITY, f64::min);
            if gain[variable.index()] > 0.0 && greatest.is_finite() {
                values[variable.index()] = greatest;
            }
        }
        Some(values)
    }

    /// The number of bounds.
    pub fn bounds(&self) -> usize {
        self.bounds.len()
    }
}
