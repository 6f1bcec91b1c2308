//! What arrays cost: the bytes that move if they are stored.
//!
//! The price of an array at level k is for storing it, or reading it, once for
//! each iteration of its k outermost loops: all its bytes, at the rate of the
//! memory that a buffer of the other dimensions fits into. A buffer of one row
//! stays in a cache, which is ten times as fast as memory; a row that is known not
//! to fit does not. An array that is small altogether is in a cache anyway. What the
//! user says of sizes is taken for known.

use std::collections::BTreeMap;

use comb_fusion::size::Size;
use comb_machine::tuning::prices::{CACHE, MEMORY};
use melior::ir::{
    Type, TypeLike, Value, ValueLike,
    r#type::{IntegerType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::cast::cast;

/// The size of a dimension that is not known.
const USUAL_EXTENT: u64 = 1000;

/// Prices are not higher, so that sums of them are exact.
const GREATEST: f64 = 1e12;

/// The prices of an array of some shape, by level, given what names in sizes are; the
/// last is 0.
pub fn prices(shape: &[Size], width: f64, extents: &BTreeMap<String, u64>) -> Vec<f64> {
    let bytes = |shape: &[Size]| {
        let count = Size::product(shape).evaluate(extents, USUAL_EXTENT);
        (count.unwrap_or(i128::MAX).max(0) as f64 * width)
            .clamp(1.0, GREATEST / MEMORY)
            .round()
    };
    let all = bytes(shape);
    let mut prices = Vec::with_capacity(shape.len() + 1);
    let mut rate = MEMORY;
    for level in 0..shape.len() {
        let buffer = &shape[level..];
        let known = buffer.iter().all(|size| size.is_known(extents));
        let cached = match known {
            true => bytes(buffer) <= CACHE,
            false => level > 0,
        };
        if cached {
            rate = 1.0;
        }
        prices.push(all * rate);
    }
    prices.push(0.0);
    prices
}

/// The bytes of an array's element; 1 for what is no array.
pub fn width(array: Value) -> f64 {
    match cast::<RankedTensorType>(array.r#type()) {
        Some(array) => bytes_of(array.element()),
        None => 1.0,
    }
}

fn bytes_of(element: Type) -> f64 {
    if element.is_f16() || element.is_bf16() {
        return 2.0;
    }
    if element.is_f32() {
        return 4.0;
    }
    match cast::<IntegerType>(element) {
        Some(integer) => f64::from(integer.width().div_ceil(8).next_power_of_two()),
        None => 8.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(shape: &[&str]) -> Vec<f64> {
        let shape: Vec<Size> = shape.iter().map(|size| size.parse().unwrap()).collect();
        prices(&shape, 4.0, &BTreeMap::new())
    }

    #[test]
    fn rows_stay_in_caches() {
        assert_eq!(of(&["n"]), [40_000.0, 0.0]);
        assert_eq!(of(&["n", "m"]), [40e6, 4e6, 0.0]);
    }

    #[test]
    fn rows_that_do_not_fit_are_in_memory() {
        assert_eq!(of(&["n", "1000000"]), [40e9, 40e9, 0.0]);
    }

    #[test]
    fn what_is_said_is_known() {
        let shape: Vec<Size> = ["n", "2*m"].map(|size| size.parse().unwrap()).into();
        let extents = |m| [("n".to_owned(), 10), ("m".to_owned(), m)].into();
        assert_eq!(prices(&shape, 4.0, &extents(5)), [400.0, 400.0, 0.0]);
        assert_eq!(
            prices(&shape, 4.0, &extents(1_000_000)),
            [800e6, 800e6, 0.0]
        );
    }

    #[test]
    fn small_arrays_are_in_caches() {
        assert_eq!(of(&["16"]), [64.0, 0.0]);
        assert_eq!(of(&["0"]), [1.0, 0.0]);
        assert_eq!(of(&[]), [0.0]);
    }
}
