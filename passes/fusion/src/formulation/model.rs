//! A linear program that is being written.

use good_lp::{
    Constraint, Expression, IntoAffineExpression, ProblemVariables, Variable, VariableDefinition,
    variable,
};

use crate::formulation::Formulation;

/// Variables, constraints and an objective to be minimised.
pub(super) struct Model {
    pub(super) formulation: Formulation,
    pub(super) definitions: ProblemVariables,
    /// The variables in the order in which they were made.
    pub(super) variables: Vec<Variable>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) objective: Expression,
}

impl Model {
    pub(super) fn new(formulation: Formulation) -> Self {
        Self {
            formulation,
            definitions: ProblemVariables::new(),
            variables: vec![],
            constraints: vec![],
            objective: Expression::default(),
        }
    }

    fn add(&mut self, definition: VariableDefinition) -> Variable {
        let variable = self.definitions.add(definition);
        self.variables.push(variable);
        variable
    }

    /// A variable that is 0 or 1.
    pub(super) fn binary(&mut self) -> Variable {
        self.add(variable().binary())
    }

    /// A whole number from 0 to a greatest one.
    pub(super) fn integer(&mut self, greatest: usize) -> Variable {
        self.add(variable().integer().min(0).max(greatest as f64))
    }

    /// A variable that the others make 0 or 1, so that the compact formulation
    /// need not say it.
    pub(super) fn implied(&mut self) -> Variable {
        match self.formulation {
            Formulation::Figure4 => self.binary(),
            Formulation::Compact => self.fraction(),
        }
    }

    /// A number from 0 to 1.
    pub(super) fn fraction(&mut self) -> Variable {
        self.add(variable().min(0).max(1))
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
