//! Whether sets of indices are known to be disjoint, though indices are computed modulo 2⁶⁴.
//!
//! Polynomials are over mathematical integers. But if two indices differ by a number that is not
//! so large, they differ modulo 2⁶⁴ too. So symbols have to cancel in the difference, but for those
//! whose bounds are known: they stand for sizes of arrays, and what counts their elements, which
//! are not large.
//!
//! Cost: that of [`are_disjoint`], and linear in the number of terms.

use comb_kit::element_types::MOST_ELEMENTS;
use comb_lmad::{Bounds, Lmad, Polynomial, are_disjoint};

use crate::elements::numbers::Numbers;

/// The most that the size of an array can be.
const LARGEST_SIZE: i128 = MOST_ELEMENTS as i128;

/// Numbers that differ by less than this differ modulo 2⁶⁴ too.
const LARGEST_DIFFERENCE: i128 = 1 << 62;

/// Whether two sets of indices of one dimension are known to be disjoint. A symbol with bounds
/// stands for a number that is no larger than the size of an array can be.
pub fn are_apart(one: &Lmad, other: &Lmad, numbers: &mut Numbers) -> bool {
    let Some(distance) = one.offset.checked_sub(&other.offset) else {
        return false;
    };
    let [one, other] = [(one, distance), (other, 0.into())].map(|(set, offset)| Lmad {
        offset,
        ..set.clone()
    });
    let (Some(mut reach), Some(there)) = (reach(&one), reach(&other)) else {
        return false;
    };
    reach.extend(there);
    let counts = [counts(&one), counts(&other)].concat();
    numbers.proves(&reach, &counts, |bounds| are_disjoint(&one, &other, bounds))
}

/// Whether different steps of a set are known to lead to different indices.
pub fn is_injective(set: &Lmad, numbers: &mut Numbers) -> bool {
    let set = Lmad {
        offset: 0.into(),
        ..set.clone()
    };
    let reach = reach(&set);
    reach.is_some_and(|reach| {
        numbers.proves(&reach, &counts(&set), |bounds| set.is_injective(bounds))
    })
}

/// How far the numbers of a set are from 0 at most, as terms of a sum.
fn reach(set: &Lmad) -> Option<Vec<Polynomial>> {
    let dimensions = set.dimensions.iter().map(|one| {
        let steps = one.count.checked_sub(&1.into())?;
        steps.checked_mul(&one.stride)
    });
    let offset = std::iter::once(Some(set.offset.clone()));
    offset.chain(dimensions).collect()
}

fn counts(set: &Lmad) -> Vec<Polynomial> {
    let counts = set.dimensions.iter().map(|one| one.count.clone());
    counts.collect()
}

/// Whether a sum is known to be less than numbers may differ by, if its terms depend on nothing but what
/// is not large.
pub fn is_small(terms: &[Polynomial], bounds: &Bounds) -> bool {
    let is_known = |number: &Polynomial| number.symbols().all(|symbol| bounds.has(symbol));
    let magnitudes = terms.iter().map(|number| number.magnitude(LARGEST_SIZE));
    terms.iter().all(is_known) && magnitudes.fold(0, i128::saturating_add) < LARGEST_DIFFERENCE
}
