//! The reduction of large arguments of trigonometric functions, after Payne and
//! Hanek.
//!
//! x is m 2^e with an integer m. Of x / (2 π), only the fraction counts: the
//! product of m and those bits of 1 / (2 π) that have weights below 2^-e. They are
//! found by shifting the constant by words, in steps of powers of two, and then by
//! bits: no table in memory, and every lane does the same. 192 bits leave more
//! than 60 correct ones for the double next to a multiple of π/2.

use super::{
    coefficients::{PI_FULL, TURNS},
    double::Double,
    graph::Term,
    number::{F64, to_float},
    trigonometric::{Period, Reduced},
};

const LOW_HALF: i64 = 0xffff_ffff;
/// Words of the fraction of 2^e / (2 π).
const WORDS: usize = 3;

/// Reduces an f64 from 2^12 to the greatest one.
pub fn reduce<'g>(x: Term<'g>, period: Period) -> Reduced<'g> {
    let bits = x.reinterpret();
    let exponent = bits >> F64.stored;
    let significand = (bits & ((1 << F64.stored) - 1)) | (1 << F64.stored);
    // One word of zeros is in front of the constant.
    let position = exponent + (64 - F64.bias - F64.stored);
    let turns = multiply(significand, &window(position));
    // The first bits are n; half a period is added before they are taken off, and
    // subtracted from the rest, so that n is the nearest one.
    let (bits, added) = match period {
        Period::Quarter => (30, 1 << 29),
        Period::Half => (31, 1 << 30),
        // A quarter of a turn less, which is half a period.
        Period::ShiftedHalf => (31, 0),
    };
    let top = (turns[0] + added) & LOW_HALF;
    let count = top >> bits;
    let rest = to_float(top & ((1 << bits) - 1)) - 2f64.powi(bits as i32 - 1);
    let mut high = rest * 2f64.powi(-32);
    let mut low = x.float(0.0);
    for (place, &limb) in turns.iter().enumerate().skip(1) {
        let weight = 2f64.powi(-32 * (place as i32 + 1));
        let sum = Double::sum(high, to_float(limb) * weight);
        high = sum.high;
        low = low + sum.low;
    }
    let turn = Double::constant(&PI_FULL, x).scale(x.float(2.0));
    Reduced {
        count,
        rest: Double::ordered_sum(high, low).multiply(turn),
    }
}

/// The words of 1 / (2 π) from a bit on.
fn window(position: Term) -> Vec<Term> {
    let zero = position.integer(0);
    let mut words: Vec<Term> = std::iter::once(zero)
        .chain(TURNS.map(|word| position.integer(word as i64)))
        .collect();
    let word = position >> 6;
    for step in [16, 8, 4, 2, 1] {
        let moved = (word & step).equals(word.integer(step));
        words = (0..WORDS + step as usize)
            .map(|place| {
                let next = words.get(place + step as usize).copied().unwrap_or(zero);
                moved.select(next, words[place])
            })
            .collect();
    }
    let bit = position & 63;
    words
        .windows(2)
        .map(|pair| {
            // In two steps: shifting by 64 is not allowed.
            let back = pair[1].shift_right(bit.integer(63) - bit) >> 1;
            pair[0].shift_left(bit) | back
        })
        .collect()
}

/// An integer of 53 bits times a fraction, without the whole part of the
/// product. Words have 64 bits, the result has 32 bits in each place.
fn multiply<'g>(factor: Term<'g>, words: &[Term<'g>]) -> Vec<Term<'g>> {
    let limbs: Vec<Term> = words
        .iter()
        .flat_map(|&word| [word >> 32, word & LOW_HALF])
        .collect();
    let (upper, lower) = (factor >> 32, factor & LOW_HALF);
    let zero = factor.integer(0);
    let (mut carry, mut before) = (zero, zero);
    let mut product = vec![];
    for &limb in limbs.iter().rev() {
        let one = lower * limb;
        let other = upper * before;
        let sum = (one & LOW_HALF) + (other & LOW_HALF) + carry;
        product.push(sum & LOW_HALF);
        carry = (sum >> 32) + (one >> 32) + (other >> 32);
        before = limb;
    }
    product.reverse();
    product
}
