//! Integer linear programs as files, for other solvers.
//!
//! The objective is in the unit of the cost, so that a solver's optimum is what
//! [`solve`](super::solve) gives. What is paid whatever is decided belongs to a variable
//! that is 1: formats differ in how they write constants, if they do.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use comb_fusion::{amount::Amount, cost::Weights, graph::Graph};
use good_lp::{Constraint, Expression, IntoAffineExpression, Variable};

use crate::formulation::{
    GREATEST_COST, Program, Unit, check_supported,
    model::{Domain, Model},
    write,
};
use comb_fusion::programs::{Formulation, SolveError};

mod lp;
mod mps;

/// How a program is written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// CPLEX LP: algebra.
    Lp,
    /// Free MPS: by columns.
    Mps,
}

/// The variable that is 1.
const CONSTANT: &str = "constant";

/// An integer linear program: what is least, and which values are allowed.
pub struct Export {
    /// Lines about the program, for readers.
    comments: Vec<String>,
    columns: Vec<Column>,
    objective: Vec<(usize, Amount)>,
    rows: Vec<Row>,
}

/// A variable.
struct Column {
    name: String,
    values: Values,
}

/// What a variable may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// 1.
    One,
    /// As the model says.
    Of(Domain),
}

/// A sum of variables with factors that is at most, or equal to, a number.
struct Row {
    terms: Vec<(usize, f64)>,
    is_equality: bool,
    right: f64,
}

impl Export {
    /// Writes the program.
    ///
    /// # Errors
    ///
    /// If what is written to does not take it.
    pub fn write(&self, format: FileFormat, output: &mut dyn Write) -> io::Result<()> {
        match format {
            FileFormat::Lp => lp::write(self, output),
            FileFormat::Mps => mps::write(self, output),
        }
    }
}

/// The program of a flat graph, with a line that says what it is.
///
/// # Errors
///
/// If the formulation or numbers of solvers cannot say the problem.
pub fn export(
    graph: &Graph,
    weights: &Weights,
    formulation: Formulation,
    title: String,
) -> Result<Export, SolveError> {
    check_supported(graph, weights)?;
    let unit = Unit::new(weights);
    let greatest = weights.greatest();
    if !unit.is_exact() || greatest.to_f64() > GREATEST_COST {
        let what =
            format!("weights as large as {greatest}: solvers compute with floating-point numbers");
        return Err(SolveError::Unsupported { what });
    }
    let Program { model, .. } = write(graph, weights, formulation)?;
    Ok(Export {
        comments: comments(graph, title),
        ..Export::of(&model, &unit)
    })
}

/// The title, and what nodes are called if not by their ids.
fn comments(graph: &Graph, title: String) -> Vec<String> {
    let nodes = graph.nodes.iter();
    let named = nodes.filter(|node| node.name != node.external_id.to_string());
    let named =
        named.map(|node| format!("node {} is {}", node.external_id, node.name.escape_debug()));
    [title.escape_debug().to_string()]
        .into_iter()
        .chain(named)
        .collect()
}

impl Export {
    fn of(model: &Model, unit: &Unit) -> Self {
        let columns = model.columns.iter().map(|column| Column {
            name: column.name.clone(),
            values: Values::Of(column.domain),
        });
        let constant = Column {
            name: CONSTANT.to_owned(),
            values: Values::One,
        };
        let numbers = model.columns.iter().map(|column| column.variable);
        let numbering = Numbering {
            numbers: numbers.zip(0..).collect(),
            constant: model.columns.len(),
        };
        let objective = numbering.terms(&model.objective).into_iter();
        let paid = unit.amount(model.constant());
        let constraints = model.constraints.iter();
        Self {
            comments: vec![],
            columns: columns.chain([constant]).collect(),
            objective: objective
                .map(|(column, count)| (column, unit.amount(count)))
                .chain([(numbering.constant, paid)])
                .collect(),
            rows: constraints
                .filter_map(|constraint| numbering.row(constraint))
                .collect(),
        }
    }
}

/// By variable: its column.
struct Numbering {
    numbers: HashMap<Variable, usize>,
    constant: usize,
}

impl Numbering {
    /// The terms of an expression in the order of columns.
    fn terms(&self, expression: &Expression) -> Vec<(usize, f64)> {
        let terms = expression.linear_coefficients();
        let mut terms: Vec<(usize, f64)> = terms
            .map(|(variable, factor)| (self.numbers[&variable], factor))
            .filter(|&(_, factor)| factor != 0.0)
            .collect();
        terms.sort_unstable_by_key(|&(column, _)| column);
        terms
    }

    /// A constraint; nothing if it says nothing. Without variables it is one of the
    /// constant.
    fn row(&self, constraint: &Constraint) -> Option<Row> {
        let (expression, is_equality) = (constraint.expression(), constraint.is_equality());
        let constant = expression.constant();
        let mut row = Row {
            terms: self.terms(expression),
            is_equality,
            right: 0.0 - constant,
        };
        if row.terms.is_empty() {
            let holds = constant == 0.0 || !is_equality && constant < 0.0;
            row.terms = vec![(self.constant, constant)];
            row.right = 0.0;
            return (!holds).then_some(row);
        }
        Some(row)
    }
}
