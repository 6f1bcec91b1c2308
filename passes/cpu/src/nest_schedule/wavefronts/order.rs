//! Whether rounds of a sequential loop may overlap: whether an iteration uses what one further to the right
//! uses in an earlier round.
//!
//! With iteration `j` of round `i`, the other one is `j + 1 + e` of round `i - s (1 + d)`, where `s` is the
//! step of the sequential loop, and neither `d` nor `e` is negative. What a round computes, other than sums
//! and products of `i` and `j`, may be anything in the other one. Memory is the same in all rounds, since the
//! sequential loop carries nothing.
//!
//! Cost: linear in the number of terms.

use comb_lmad::{Lmad, Polynomial, Symbol};
use melior::ir::Value;

use super::Wavefront;
use comb_kit::walk::is_there_before;
use comb_nest::{
    elements::{layouts::Element, numbers::Numbers},
    index_sets::are_apart,
};

/// An iteration of a round, and one further to the right of an earlier round.
pub(super) struct Order<'s, 'c, 'a> {
    wavefront: &'s Wavefront<'c, 'a>,
    round: Symbol,
    column: Symbol,
    /// What these are for the other iteration.
    earlier: Polynomial,
    further: Polynomial,
}

impl<'s, 'c: 'a, 'a> Order<'s, 'c, 'a> {
    pub fn of(
        wavefront: &'s Wavefront<'c, 'a>,
        round: Value<'c, 'a>,
        column: Value<'c, 'a>,
        numbers: &mut Numbers<'c, 'a>,
    ) -> Option<Self> {
        // How many more rounds and iterations lie between them: these are not negative, and not many.
        let [rounds, columns] = [round, column]
            .map(|index| Polynomial::from(numbers.count(index)).checked_add(&1.into()));
        let distance = rounds?.checked_mul(&wavefront.step.into())?;
        let [round, column] = [round, column].map(|index| numbers.index(index));
        Some(Self {
            wavefront,
            round,
            column,
            earlier: Polynomial::from(round).checked_sub(&distance)?,
            further: Polynomial::from(column).checked_add(&columns?)?,
        })
    }

    /// Whether an element is known to differ from another one, or the same, further to the right in earlier
    /// rounds.
    pub fn are_apart(
        &self,
        here: &Element,
        there: &Element,
        numbers: &mut Numbers<'c, 'a>,
    ) -> bool {
        let mut differ = |here: &Option<Polynomial>, there: &Option<Polynomial>| {
            let pair = here.as_ref().zip(there.as_ref());
            let pair = pair.and_then(|(here, there)| {
                let is_fixed = self.is_fixed(here, numbers) && self.is_fixed(there, numbers);
                is_fixed.then_some((here, self.moved(there)?))
            });
            pair.is_some_and(|(here, there)| are_apart(&point(here), &point(&there), numbers))
        };
        match (here, there) {
            (Element::Index(here), Element::Index(there)) => here
                .iter()
                .zip(there)
                .any(|(here, there)| differ(here, there)),
            (Element::Place(here), Element::Place(there)) => differ(here, there),
            _ => false,
        }
    }

    /// What a number is there.
    fn moved(&self, number: &Polynomial) -> Option<Polynomial> {
        let moved = number.checked_replace(self.round, &self.earlier)?;
        moved.checked_replace(self.column, &self.further)
    }

    /// Whether a number depends on nothing else that changes.
    fn is_fixed(&self, number: &Polynomial, numbers: &Numbers<'c, 'a>) -> bool {
        let others = number
            .symbols()
            .filter(|&symbol| symbol != self.round && symbol != self.column);
        let mut others = others.map(|symbol| numbers.leaf(symbol).value());
        others.all(|value| is_there_before(value, self.wavefront.r#loop))
    }
}

/// A set of one number.
fn point(number: &Polynomial) -> Lmad {
    Lmad {
        offset: number.clone(),
        dimensions: vec![],
    }
}
