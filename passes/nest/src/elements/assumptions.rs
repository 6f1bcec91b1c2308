//! What proofs may take to be so: that numbers are not so large that what is computed of them wraps around. Whoever assumes
//! it has to make sure of it when the program runs.
//!
//! Then loops and checks, and the least and greatest of numbers, say how symbols are related to each other, and indices
//! that are computed modulo 2⁶⁴ are compared as integers.
//!
//! Cost: linear in the loops around, the checks in front, and the numbers that are known.

use comb_lmad::{Bounds, Polynomial, Symbol};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    cast::Parts,
    view::{definition, op_name},
};

use super::{
    facts::{Comparison, comparisons},
    numbers::{Leaf, Numbers},
};
use comb_kit::{
    checks::facts::constant,
    walk::{ancestors, is_there_before},
};

use crate::{index_sets::is_small, nests::Nest};

/// That numbers are not so large that what is computed of them wraps around.
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    /// Numbers that are not negative if they do not wrap around.
    relations: Vec<Polynomial>,
    /// The numbers that proofs have taken to be not large.
    pub small: Vec<Polynomial>,
}

impl<'c: 'a, 'a> Numbers<'c, 'a> {
    /// Lets proofs assume that numbers are not large, where the loops around an op and the checks before it
    /// say something of them.
    pub fn assume_from(&mut self, op: OperationRef<'c, 'a>) {
        let mut relations = vec![];
        for around in ancestors(op) {
            relations.extend(self.within_loop(around).into_iter().flatten());
        }
        for Comparison {
            less,
            distance,
            more,
        } in comparisons(op)
        {
            let [less, more] = [less, more].map(|value| self.of(value));
            let difference = more.checked_sub(&less);
            relations.extend(difference.and_then(|one| one.checked_sub(&distance.into())));
        }
        // What these are computed of may be the least or greatest of others, too.
        let mut next = 0;
        while let Some(&leaf) = self.leaves.get(next) {
            relations.extend(self.of_extremum(leaf));
            next += 1;
        }
        relations.retain(|number| {
            let mut symbols = number.symbols();
            symbols.all(|symbol| is_there_before(self.leaf(symbol).value(), op))
        });
        self.assumptions = Some(Assumptions {
            relations,
            small: vec![],
        });
    }

    /// The greatest of two numbers is no less than either, and the least no more. Of a constant and another number, only
    /// the constant says how small the greatest may be.
    fn of_extremum(&mut self, leaf: Leaf<'c, 'a>) -> Vec<Polynomial> {
        let Leaf::Value(value) = leaf else {
            return vec![];
        };
        let Some(op) = definition(value) else {
            return vec![];
        };
        let is_greatest = match op_name(op) {
            "arith.maxsi" => true,
            "arith.minsi" => false,
            _ => return vec![],
        };
        let mut operands: Vec<Value> = op.operands().collect();
        if is_greatest && operands.iter().any(|&value| constant(value).is_some()) {
            operands.retain(|&value| constant(value).is_some());
        }
        let own = self.of(value);
        let differences = operands.into_iter().filter_map(|value| {
            let other = self.of(value);
            match is_greatest {
                true => own.checked_sub(&other),
                false => other.checked_sub(&own),
            }
        });
        differences.collect()
    }

    /// The index of a loop that counts up by one is no less than where it begins, and less than where it
    /// ends.
    fn within_loop(&mut self, r#loop: OperationRef<'c, 'a>) -> Option<[Polynomial; 2]> {
        let nest = Nest::of(r#loop);
        let (first, end) = match op_name(r#loop) {
            "nest.loop" => (0.into(), self.of(nest.length()?)),
            "scf.for" if constant(r#loop.operand_at(2)?) == Some(1) => {
                let first = self.of(r#loop.operand_at(0)?);
                (first, self.of(r#loop.operand_at(1)?))
            }
            _ => return None,
        };
        let index = Polynomial::from(self.index(nest.index()?));
        let last = end.checked_sub(&1.into())?;
        Some([index.checked_sub(&first)?, last.checked_sub(&index)?])
    }

    /// What is known if nothing wraps around that may be taken not to.
    fn assumed_bounds(&self, relations: &[Polynomial]) -> Bounds {
        let mut bounds = self.bounds.clone();
        let alone = |number: &&Polynomial| bound_of_one(number).is_some();
        let (alone, beside): (Vec<_>, Vec<_>) = relations.iter().partition(alone);
        for (symbol, least) in alone.into_iter().filter_map(bound_of_one) {
            bounds.at_least(symbol, least);
        }
        for number in beside {
            bounds.not_negative(number);
        }
        bounds
    }

    /// Whether something is known of indices that are computed modulo 2⁶⁴, given how far these are apart at
    /// most, as terms of a sum. Where that is not known to be little, it is assumed, if it may be.
    pub fn proves(
        &mut self,
        reach: &[Polynomial],
        counts: &[Polynomial],
        is_known: impl Fn(&Bounds) -> bool,
    ) -> bool {
        if is_small(reach, &self.bounds) && is_known(&self.bounds) {
            return true;
        }
        let Some(assumptions) = self.assumptions.clone() else {
            return false;
        };
        let proves = |relations: &[Polynomial]| is_known(&self.assumed_bounds(relations));
        if !proves(&assumptions.relations) {
            return false;
        }
        // Others may be large without any harm.
        let mut relations = assumptions.relations;
        for position in (0..relations.len()).rev() {
            let mut fewer = relations.clone();
            fewer.remove(position);
            if proves(&fewer) {
                relations = fewer;
            }
        }
        let needed = [reach, counts, &relations].concat();
        if let Some(assumptions) = self.assumptions.as_mut() {
            let is_sum = |number: &Polynomial| number.terms().any(|(_, one)| !one.is_empty());
            for number in needed.into_iter().filter(is_sum) {
                if !assumptions.small.contains(&number) {
                    assumptions.small.push(number);
                }
            }
        }
        true
    }
}

/// The symbol that is no less than a number if their difference is not negative.
fn bound_of_one(number: &Polynomial) -> Option<(Symbol, i64)> {
    let symbol = number.symbols().next()?;
    let (factor, rest) = number.split(symbol)?;
    let least = rest.as_constant()?.checked_neg()?;
    let is_alone = factor.as_constant() == Some(1);
    is_alone.then_some((symbol, i64::try_from(least).ok()?))
}
