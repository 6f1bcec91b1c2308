//! Elements of several rows of an array, one row for each lane: vectors are loaded along the rows, and
//! transposed in registers.
//!
//! A vector of elements that are a row apart would be gathered, one line of the cache for each element. Where
//! the elements behind them are needed as well, all that is in these lines is used, and a load reads as many of
//! them as there are vectors.
//!
//! Source: the transpose of a square of `2^k` vectors by `k` rounds in which halves are interleaved, Stone,
//! Parallel Processing with the Perfect Shuffle, IEEE Transactions on Computers 1971.
//! Cost: for `n` vectors of `w` lanes `w` loads and `w log n` shuffles.

use comb_kit::vectors::joined;
use melior::ir::{Type, Value};
use soac_dialect::builder::Builder;

use super::{
    Emitted, Lanes, Scope, internal,
    memory::{element_type, left_over, load_vector},
};

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// Whether the lanes' elements are at the same place of rows, of which not all are the same, and only lanes behind the
/// last one may not count.
pub fn are_in_rows<'c: 'a, 'a>(scope: &Scope<'c, 'a>, index: &[Lanes<'c, 'a>]) -> bool {
    let is_known = |component: &Lanes| !matches!(component, Lanes::Vector { .. });
    let in_a_row = index.last().is_some_and(|last| last.uniform().is_some());
    let differs = index.iter().any(|component| component.uniform().is_none());
    let may_be = scope.mask.is_none_or(|mask| left_over(mask).is_some());
    in_a_row && differs && may_be && index.iter().all(is_known)
}

/// The index of each lane's element, for those in rows. Lanes behind the last one that counts have its element.
pub fn rows<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    index: &[Lanes<'c, 'a>],
) -> Emitted<'c, Vec<Values<'c, 'a>>> {
    let last = match scope.mask.and_then(left_over) {
        Some(count) => Some(builder.arithmetic("arith.subi", &[count, builder.index(1)?])?),
        None => None,
    };
    let of_lane = |lane| {
        let mut number = builder.index(lane)?;
        if let Some(last) = last {
            number = builder.arithmetic("arith.minsi", &[number, last])?;
        }
        let components = index.iter();
        let components = components.map(|&component| at_lane(builder, component, number));
        components.collect::<Emitted<Values>>()
    };
    (0..scope.width as i64).map(of_lane).collect()
}

/// A number in one of the lanes.
fn at_lane<'c, 'a>(
    builder: &Builder<'c, 'a>,
    lanes: Lanes<'c, 'a>,
    lane: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    match lanes {
        Lanes::Uniform(value) => Ok(value),
        Lanes::Steps { first, step } => {
            let distance = builder.arithmetic("arith.muli", &[lane, builder.index(step)?])?;
            Ok(builder.arithmetic("arith.addi", &[first, distance])?)
        }
        Lanes::Vector { .. } => Err(internal(builder.location(), "a lane is anywhere")),
    }
}

/// The elements at indices, one for each lane; and as many vectors of those behind them as are asked for, a
/// power of two that is no more than there are lanes.
pub fn load_transposed<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    rows: &[Values<'c, 'a>],
    count: u64,
) -> Emitted<'c, Values<'c, 'a>> {
    let element = element_type(memory)?;
    let part = Scope {
        width: count,
        mask: None,
    };
    let squares = rows.chunks(count as usize).map(|rows| {
        let rows = rows.iter();
        let loaded = rows.map(|index| load_vector(builder, &part, memory, index));
        transposed(builder, loaded.collect::<Emitted<Values>>()?, element)
    });
    let mut parts = squares.collect::<Emitted<Vec<Values>>>()?;
    while parts.len() > 1 {
        let pairs = parts.chunks(2);
        let joined = pairs.map(|pair| {
            let vectors = pair[0].iter().zip(&pair[1]);
            let vectors = vectors.map(|(&low, &high)| Ok(joined(builder, low, high, element)?));
            vectors.collect::<Emitted<Values>>()
        });
        parts = joined.collect::<Emitted<_>>()?;
    }
    Ok(parts.remove(0))
}

/// As many vectors as each of them has lanes, transposed.
fn transposed<'c, 'a>(
    builder: &Builder<'c, 'a>,
    mut vectors: Values<'c, 'a>,
    element: Type<'c>,
) -> Emitted<'c, Values<'c, 'a>> {
    let count = vectors.len();
    for _ in 0..count.ilog2() {
        let halves = vectors.split_at(count / 2);
        let pairs: Vec<_> = halves.0.iter().zip(halves.1).collect();
        let mut next = vec![];
        for (&low, &high) in pairs {
            for half in [0, count / 2] {
                let positions = interleaved(count, half);
                next.push(builder.shuffle(low, high, &positions, element)?);
            }
        }
        vectors = next;
    }
    Ok(vectors)
}

/// From one half of two vectors, one lane of each after the other.
fn interleaved(count: usize, half: usize) -> Vec<i64> {
    let lanes = half..half + count / 2;
    let pairs = lanes.flat_map(|lane| [lane, count + lane]);
    pairs.map(|lane| lane as i64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_of_interleaving_transpose() {
        for count in [2, 4, 8, 16] {
            let mut rows: Vec<Vec<i64>> = (0..count)
                .map(|row| (0..count).map(|column| row * count + column).collect())
                .collect();
            for _ in 0..count.ilog2() {
                let (first, second) = rows.split_at(count as usize / 2);
                let pairs = first.iter().zip(second);
                rows = pairs
                    .flat_map(|(low, high)| {
                        let both = [low.as_slice(), high].concat();
                        [0, count / 2].map(|half| {
                            let lanes = interleaved(count as usize, half as usize);
                            lanes.iter().map(|&lane| both[lane as usize]).collect()
                        })
                    })
                    .collect();
            }
            for (row, elements) in rows.iter().enumerate() {
                let column: Vec<i64> = (0..count).map(|lane| lane * count + row as i64).collect();
                assert_eq!(*elements, column);
            }
        }
    }
}
