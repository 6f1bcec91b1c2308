//! Whether sets of indices are known to be disjoint, though indices are computed modulo 2⁶⁴.
//!
//! Polynomials are over mathematical integers. But if two indices differ by a number that is not
//! so large, they differ modulo 2⁶⁴ too. So symbols have to cancel in the difference, but for those
//! whose bounds are known: they stand for sizes of arrays, and what counts their elements, which
//! are not large.
//!
//! Cost: that of [`are_disjoint`], and linear in the number of terms.

use comb_kit::element_types::MOST_ELEMENTS;
use comb_lmad::{Bounds, Dimension, Lmad, Polynomial, are_disjoint};

/// The most that the size of an array can be.
const LARGEST_SIZE: i128 = MOST_ELEMENTS as i128;

/// Numbers that differ by less than this differ modulo 2⁶⁴ too.
const LARGEST_DIFFERENCE: i128 = 1 << 62;

/// Whether two sets of indices of one dimension are known to be disjoint. A symbol with bounds
/// stands for a number that is no larger than the size of an array can be.
pub fn are_apart(one: &Lmad, other: &Lmad, bounds: &Bounds) -> bool {
    let Some(distance) = one.offset.checked_sub(&other.offset) else {
        return false;
    };
    let one = Lmad {
        offset: distance,
        ..one.clone()
    };
    let other = Lmad {
        offset: 0.into(),
        ..other.clone()
    };
    let reaches = [reach(&one, bounds), reach(&other, bounds)];
    let [Some(here), Some(there)] = reaches else {
        return false;
    };
    here.saturating_add(there) < LARGEST_DIFFERENCE && are_disjoint(&one, &other, bounds)
}

/// How large the numbers of a set can be, if they depend on nothing but what is not large.
fn reach(set: &Lmad, bounds: &Bounds) -> Option<i128> {
    let is_known = |number: &Polynomial| number.symbols().all(|symbol| bounds.has(symbol));
    let mut reach = is_known(&set.offset).then(|| set.offset.magnitude(LARGEST_SIZE))?;
    for Dimension { count, stride } in &set.dimensions {
        let product = count.checked_mul(stride).filter(is_known)?;
        reach = reach.saturating_add(product.magnitude(LARGEST_SIZE));
    }
    Some(reach)
}
