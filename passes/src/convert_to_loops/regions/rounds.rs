//! Indices in different rounds of a loop around a plan.
//!
//! A sequential loop around the plan runs it once in each *round*. If threads go through
//! the rounds at the same time, an iteration of the plan's loop may run before a later
//! iteration of an earlier round does. So the two must not use the same element, unless
//! both only read it.
//!
//! With iteration `t` of round `i`, the other one is `t + 1 + e` of round
//! `i - s · (1 + d)`, where `s` is the step of the loop around, and neither `d` nor `e` is
//! negative. What is computed in each round, other than sums and products of `i`, may be
//! anything in the other round. Rounds are fewer than the largest size.
//!
//! Cost: linear in the number of terms.

use std::collections::{BTreeSet, HashSet};

use comb_lmad::{Lmad, Polynomial, Symbol};
use melior::ir::Value;

use super::{Index, Name, Region, Regions};
use crate::{checks::facts::key, convert_to_loops::plan::LoopId};

/// A loop around a plan, and the loop of the plan that threads share. All loops of the plan
/// but this one run once.
pub(in super::super) struct Rounds<'c, 'a> {
    /// The index of the loop around.
    pub index: Value<'c, 'a>,
    pub step: i64,
    /// The keys of all values that are computed in a round.
    pub computed: HashSet<usize>,
    pub shared: LoopId,
}

/// One of two iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Here,
    /// A later iteration of an earlier round.
    EarlierRound,
}

impl<'c: 'a, 'a> Regions<'_, 'c, 'a> {
    /// Whether an index at an iteration is known to differ from another one, or the same,
    /// at all later iterations of earlier rounds.
    pub fn are_apart_in_rounds(
        &mut self,
        here: &Index,
        earlier: &Index,
        rounds: &Rounds<'c, 'a>,
    ) -> bool {
        let here = self.elements(here, rounds, When::Here);
        let earlier = self.elements(earlier, rounds, When::EarlierRound);
        self.are_disjoint(&here, &earlier)
    }

    fn elements(&mut self, index: &Index, rounds: &Rounds<'c, 'a>, when: When) -> Region {
        let dimensions = index.iter().map(|number| {
            Some(Lmad {
                offset: self.moved(number.as_ref()?, rounds, when)?,
                dimensions: vec![],
            })
        });
        Region(dimensions.collect())
    }

    /// What a number is at one of the iterations.
    fn moved(
        &mut self,
        number: &Polynomial,
        rounds: &Rounds<'c, 'a>,
        when: When,
    ) -> Option<Polynomial> {
        let symbols: BTreeSet<Symbol> = number.symbols().collect();
        symbols
            .into_iter()
            .try_fold(number.clone(), |moved, symbol| {
                let by = self.symbol_at(symbol, rounds, when)?;
                moved.checked_replace(symbol, &by)
            })
    }

    fn symbol_at(
        &mut self,
        symbol: Symbol,
        rounds: &Rounds<'c, 'a>,
        when: When,
    ) -> Option<Polynomial> {
        let mut names = self.symbols.iter();
        let (&name, _) = names.find(|&(_, &other)| other == symbol)?;
        let one = Polynomial::from(1);
        match (name, when) {
            (Name::Loop(shared), When::Here) if shared == rounds.shared => {
                Some(self.count(Name::Iteration))
            }
            (Name::Loop(shared), When::EarlierRound) if shared == rounds.shared => {
                let more = self.count(Name::MoreIterations).checked_add(&one)?;
                self.count(Name::Iteration).checked_add(&more)
            }
            (Name::Loop(_), _) => Some(0.into()),
            (Name::Value(value), When::EarlierRound) if value == key(rounds.index) => {
                let before = self.count(Name::MoreRounds).checked_add(&one)?;
                let distance = before.checked_mul(&rounds.step.into())?;
                Polynomial::from(symbol).checked_sub(&distance)
            }
            (Name::Value(value), When::EarlierRound) if rounds.computed.contains(&value) => {
                Some(self.symbol(Name::InEarlierRound(value)).into())
            }
            _ => Some(symbol.into()),
        }
    }

    /// A number that is not negative.
    fn count(&mut self, name: Name) -> Polynomial {
        let symbol = self.symbol(name);
        self.bounds.at_least(symbol, 0);
        symbol.into()
    }
}
