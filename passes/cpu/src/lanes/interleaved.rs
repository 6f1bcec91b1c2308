//! Elements that are two to four apart in memory, as every second one of an array, or one component of
//! points: whole vectors are loaded, and what the lanes need is taken out of them by shuffles.
//!
//! With elements `s` apart, `s` vectors cover the elements of all lanes. The last one ends with the last
//! lane's element, so that nothing behind it is read.
//!
//! Source: interleaved accesses, Nuzman, Rosen and Zaks, Auto-Vectorization of Interleaved Data for SIMD,
//! PLDI 2006.
//! Cost: `s` loads and `s - 1` shuffles.

use melior::ir::{Value, ValueLike};
use soac_dialect::{builder::Builder, view::memory_strides};

use super::{
    Emitted, Lanes, Scope,
    memory::{element_type, has_neighbours, load_vector},
};

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// How far elements are apart at most.
pub const FARTHEST: i64 = 4;

/// Where the first lane's element is, and how far the lanes are apart in memory; nothing if that is not
/// two to four elements, forwards.
pub fn apart<'c, 'a>(
    memory: Value<'c, 'a>,
    index: &[Lanes<'c, 'a>],
) -> Option<(Values<'c, 'a>, i64)> {
    let strides = memory_strides(memory.r#type()).filter(|_| has_neighbours(memory.r#type()))?;
    let mut distance = None;
    let mut point = vec![];
    for (&component, &stride) in index.iter().zip(&strides) {
        match component {
            Lanes::Steps { first, step } if distance.is_none() && stride > 0 => {
                distance = step.checked_mul(stride);
                point.push(first);
            }
            _ => point.push(component.uniform()?),
        }
    }
    let distance = distance.filter(|distance| (2..=FARTHEST).contains(distance))?;
    Some((point, distance))
}

/// The elements of all lanes, of which all count.
pub fn load_apart<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    memory: Value<'c, 'a>,
    (point, distance): (Values<'c, 'a>, i64),
) -> Emitted<'c, Value<'c, 'a>> {
    let width = scope.width as i64;
    let element = element_type(memory)?;
    let load = |part: i64| {
        let mut index = point.clone();
        if let Some(last) = index.last_mut() {
            let start = builder.index(start(width, distance, part))?;
            *last = builder.arithmetic("arith.addi", &[*last, start])?;
        }
        load_vector(builder, scope, memory, &index)
    };
    let mut taken = load(0)?;
    for part in 1..distance {
        let positions: Vec<i64> = (0..width)
            .map(|lane| position(width, distance, part, lane))
            .collect();
        taken = builder.shuffle(taken, load(part)?, &positions, element)?;
    }
    Ok(taken)
}

/// Where a lane's element is when a part is put to what was taken of those before: in one of two vectors
/// behind each other.
fn position(width: i64, distance: i64, part: i64, lane: i64) -> i64 {
    let own = part_of(width, distance, lane);
    let place = lane * distance - start(width, distance, own);
    match own {
        own if own == part => width + place,
        0 if part == 1 => place,
        _ => lane,
    }
}

/// Where a part begins, counted from the first lane's element.
fn start(width: i64, distance: i64, part: i64) -> i64 {
    (part * width).min((width - 1) * distance - (width - 1))
}

/// The part that a lane's element is in.
fn part_of(width: i64, distance: i64, lane: i64) -> i64 {
    (lane * distance / width).min(distance - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_elements_are_in_their_parts_and_none_behind_the_last_is_read() {
        for width in [2, 4, 8, 16, 64] {
            for distance in 2..=FARTHEST {
                for lane in 0..width {
                    let start = start(width, distance, part_of(width, distance, lane));
                    let place = lane * distance - start;
                    assert!((0..width).contains(&place), "{width} {distance} {lane}");
                }
                let last = start(width, distance, distance - 1) + width - 1;
                assert_eq!(last, (width - 1) * distance);
            }
        }
    }
}
