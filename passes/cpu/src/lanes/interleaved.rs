//! Elements that are two to four apart in memory, as every second one of an array, or one component of
//! points: whole vectors are loaded, and what the lanes need is taken out of them by shuffles.
//!
//! With elements `s` apart, `s` vectors cover the elements of all lanes, and those between them: all components of
//! points are taken out of the same vectors. The last one ends with the last lane's element, so that nothing
//! behind it is read.
//!
//! Source: interleaved accesses, Nuzman, Rosen and Zaks, Auto-Vectorization of Interleaved Data for SIMD,
//! PLDI 2006.
//! Cost: `s` loads, and `s - 1` shuffles for each vector.

use melior::ir::{Value, ValueLike};
use soac_dialect::{builder::Builder, view::memory_strides};

use comb_kit::element_types::bits_in_memory;

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

/// Vectors of elements that lie between each other, in all lanes, of which all count.
#[derive(Clone, Copy)]
pub struct Interleaved {
    /// How many lanes there are.
    pub width: i64,
    /// How far they are apart.
    pub distance: i64,
    /// How far behind the first vector's elements those of the last are: less than the distance.
    pub span: i64,
}

impl Interleaved {
    /// The vectors whose elements are so far behind those of the first, whose first lane is at an index.
    pub fn load<'c: 'a, 'a>(
        &self,
        builder: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        point: &[Value<'c, 'a>],
        offsets: &[i64],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let element = element_type(memory)?;
        let whole = Scope {
            width: self.width as u64,
            mask: None,
        };
        if self.span == self.distance - 1 && bits_in_memory(element) == 8 {
            return self.load_at_once(builder, memory, point, offsets);
        }
        let load = |part: i64| {
            let mut index = point.to_vec();
            if let Some(last) = index.last_mut() {
                let start = builder.index(self.start(part))?;
                *last = builder.arithmetic("arith.addi", &[*last, start])?;
            }
            load_vector(builder, &whole, memory, &index)
        };
        let parts = (0..self.distance).map(load).collect::<Emitted<Values>>()?;
        let taken = offsets.iter().map(|&offset| {
            let mut taken = parts[0];
            for part in 1..self.distance {
                let positions: Vec<i64> = (0..self.width)
                    .map(|lane| self.position(part, lane, offset))
                    .collect();
                taken = builder.shuffle(taken, parts[part as usize], &positions, element)?;
            }
            Ok(taken)
        });
        taken.collect()
    }

    /// The same by one load of all: LLVM has good code for bytes that are taken out of one vector.
    fn load_at_once<'c: 'a, 'a>(
        &self,
        builder: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        point: &[Value<'c, 'a>],
        offsets: &[i64],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let element = element_type(memory)?;
        let all = Scope {
            width: (self.width * self.distance) as u64,
            mask: None,
        };
        let loaded = load_vector(builder, &all, memory, point)?;
        let taken = offsets.iter().map(|&offset| {
            let positions = (0..self.width).map(|lane| lane * self.distance + offset);
            let positions: Vec<i64> = positions.collect();
            Ok(builder.shuffle(loaded, loaded, &positions, element)?)
        });
        taken.collect()
    }

    /// Where a lane's element is when a part is put to what was taken of those before: in one of two vectors
    /// behind each other.
    fn position(&self, part: i64, lane: i64, offset: i64) -> i64 {
        let own = self.part_of(lane, offset);
        let place = lane * self.distance + offset - self.start(own);
        match own {
            own if own == part => self.width + place,
            0 if part == 1 => place,
            _ => lane,
        }
    }

    /// Where a part begins, counted from the first lane's element of the first vector.
    fn start(&self, part: i64) -> i64 {
        let last = (self.width - 1) * self.distance + self.span - (self.width - 1);
        (part * self.width).min(last)
    }

    /// The part that a lane's element is in.
    fn part_of(&self, lane: i64, offset: i64) -> i64 {
        ((lane * self.distance + offset) / self.width).min(self.distance - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_elements_are_in_their_parts_and_none_behind_the_last_is_read() {
        for width in [2, 4, 8, 16, 64] {
            for distance in 2..=FARTHEST {
                for span in 0..distance {
                    let all = Interleaved {
                        width,
                        distance,
                        span,
                    };
                    for (lane, offset) in
                        (0..width).flat_map(|lane| (0..=span).map(move |o| (lane, o)))
                    {
                        let place = lane * distance + offset - all.start(all.part_of(lane, offset));
                        assert!(
                            (0..width).contains(&place),
                            "{width} {distance} {span} {lane} {offset}"
                        );
                    }
                    let last = all.start(distance - 1) + width - 1;
                    assert_eq!(last, (width - 1) * distance + span);
                }
            }
        }
    }
}
