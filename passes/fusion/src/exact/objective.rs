//! The objective of a block in steps: the largest amount of which all costs are whole
//! multiples. All that is decided is decided with these whole numbers.

use super::model::BlockModel;
use crate::amount::Amount;

/// The objective of a block.
pub(crate) struct Objective {
    /// What the block costs whatever is decided.
    constant: Amount,
    /// In millionths.
    step: i128,
    /// By column: its cost.
    pub costs: Vec<i128>,
}

impl Objective {
    /// The objective of a model.
    pub fn new(model: &BlockModel) -> Self {
        let costs = model.costs.iter();
        let step = costs
            .clone()
            .fold(Amount::ZERO, |step, &cost| step.common_divisor(cost));
        let step = step.millionths().max(1);
        Self {
            constant: model.constant,
            step,
            costs: costs.map(|cost| cost.millionths() / step).collect(),
        }
    }

    /// The amount that so many steps are, and what is paid anyway.
    pub fn amount(&self, steps: i128) -> Amount {
        self.constant + Amount::from_millionths(steps * self.step)
    }

    /// The steps of an answer that costs an amount.
    pub fn steps(&self, amount: Amount) -> i128 {
        let rest = (self.constant - amount).millionths();
        -rest.div_euclid(self.step)
    }

    /// What all answers cost at least.
    pub fn least(&self) -> i128 {
        self.costs.iter().map(|cost| cost.min(&0)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_in_whole_steps() {
        let objective = Objective {
            constant: Amount::from_millionths(5),
            step: 10,
            costs: vec![1, -2, 3],
        };
        assert_eq!(objective.least(), -2);
        for steps in [-3, 0, 4] {
            assert_eq!(objective.steps(objective.amount(steps)), steps);
        }
        assert_eq!(
            objective.steps(Amount::from_millionths(16)),
            2,
            "rounded up"
        );
    }
}
