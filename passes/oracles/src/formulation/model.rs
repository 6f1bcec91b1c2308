//! A linear program that is being written.

use std::collections::HashSet;

use good_lp::{Constraint, Expression, IntoAffineExpression, ProblemVariables, Variable, variable};

use comb_fusion::programs::Formulation;

/// Variables, constraints and an objective to be minimised.
pub(super) struct Model {
    pub(super) formulation: Formulation,
    pub(super) definitions: ProblemVariables,
    /// The variables in the order in which they were made.
    pub(super) columns: Vec<Column>,
    names: HashSet<String>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) objective: Expression,
}

/// A variable, what it is called, and what it may be.
pub(super) struct Column {
    pub(super) variable: Variable,
    pub(super) name: String,
    pub(super) domain: Domain,
}

/// What a variable may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Domain {
    /// 0 or 1.
    Binary,
    /// A whole number from 0 to a greatest one.
    Whole(usize),
    /// A number from 0 to 1.
    Fraction,
}

impl Model {
    pub(super) fn new(formulation: Formulation) -> Self {
        Self {
            formulation,
            definitions: ProblemVariables::new(),
            columns: vec![],
            names: HashSet::new(),
            constraints: vec![],
            objective: Expression::default(),
        }
    }

    fn add(&mut self, name: String, domain: Domain) -> Variable {
        let definition = match domain {
            Domain::Binary => variable().binary(),
            Domain::Whole(greatest) => variable().integer().min(0).max(greatest as f64),
            Domain::Fraction => variable().min(0).max(1),
        };
        let variable = self.definitions.add(definition);
        let name = self.own_name(name);
        self.columns.push(Column {
            variable,
            name,
            domain,
        });
        variable
    }

    /// A name that no other variable has: with a number if this one is taken.
    fn own_name(&mut self, name: String) -> String {
        let mut own = name.clone();
        for number in 2.. {
            if self.names.insert(own.clone()) {
                break;
            }
            own = format!("{name}.{number}");
        }
        own
    }

    /// A variable that is 0 or 1.
    pub(super) fn binary(&mut self, name: String) -> Variable {
        self.add(name, Domain::Binary)
    }

    /// A whole number from 0 to a greatest one.
    pub(super) fn integer(&mut self, name: String, greatest: usize) -> Variable {
        self.add(name, Domain::Whole(greatest))
    }

    /// A variable that the others make 0 or 1, so that the compact formulation
    /// need not say it.
    pub(super) fn implied(&mut self, name: String) -> Variable {
        match self.formulation {
            Formulation::Figure4 => self.binary(name),
            Formulation::Compact => self.fraction(name),
        }
    }

    /// A number from 0 to 1.
    pub(super) fn fraction(&mut self, name: String) -> Variable {
        self.add(name, Domain::Fraction)
    }

    pub(super) fn require(&mut self, constraint: Constraint) {
        self.constraints.push(constraint);
    }

    /// Requires that two values differ by a slack at most.
    pub(super) fn require_close(
        &mut self,
        one: impl Into<Expression>,
        other: impl Into<Expression>,
        slack: impl Into<Expression>,
    ) {
        let (one, other, slack) = (one.into(), other.into(), slack.into());
        self.require((one.clone() - other.clone()).leq(slack.clone()));
        self.require((other - one).leq(slack));
    }

    /// What is paid whatever is decided; solvers leave it out.
    pub(super) fn constant(&self) -> f64 {
        self.objective.constant()
    }
}
