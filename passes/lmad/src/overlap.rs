//! Whether two sets of places are known to be disjoint.
//!
//! 1. Neither set is taken to be empty: an empty one has no place in common with any.
//!    Strides are made positive ([`Lmad::with_positive_strides`]).
//! 2. Both sets become sums of strided *intervals* `Σⱼ [lⱼ … uⱼ] · sⱼ`, with the same
//!    strides for both, sorted, and 1 among them. What the offsets differ by is divided by
//!    the strides, the largest first, and moves intervals up: those of the first set where
//!    it is positive, those of the second where it is not.
//! 3. If a stride is larger than all that the intervals of smaller strides add up to, in
//!    both sets, a place is in the set in only one way. Then the sets are disjoint if two
//!    intervals of one stride are (the theorem of the paper).
//! 4. If not, the largest interval that makes the sum too large is cut: into its last
//!    number, which is divided by larger strides, and the rest. All pairs of the parts have
//!    to be disjoint.
//!
//! Cost: linear in the number of dimensions times the square of that of terms, for each
//! pair of parts; there are no more than 4 to the power of [`CUTS`].

use crate::{bounds::Bounds, polynomial::Polynomial};

/// How often a set is cut in two at most.
const CUTS: usize = 3;

/// A set of places: all `offset + Σ iₖ · strideₖ` with `0 ≤ iₖ < countₖ`. There are none
/// if a count is not positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lmad {
    /// Where it begins.
    pub offset: Polynomial,
    /// In which steps it goes on.
    pub dimensions: Vec<Dimension>,
}

/// A dimension of an [`Lmad`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// How many steps there are, with the one of no length.
    pub count: Polynomial,
    /// How long a step is.
    pub stride: Polynomial,
}

impl Lmad {
    /// Whether different steps are known to lead to different places: each stride is larger than
    /// what all smaller steps add up to.
    pub fn is_injective(&self, bounds: &Bounds) -> bool {
        self.has_one_way(bounds).unwrap_or(false)
    }

    fn counts(&self) -> impl Iterator<Item = &Polynomial> {
        self.dimensions.iter().map(|dimension| &dimension.count)
    }

    fn has_one_way(&self, bounds: &Bounds) -> Option<bool> {
        let bounds = &bounds.where_positive(self.counts());
        let own = |dimension: &&Dimension| dimension.count.as_constant() != Some(1);
        let is_moving = |dimension: &Dimension| dimension.stride.as_constant() != Some(0);
        if !self.dimensions.iter().filter(own).all(is_moving) {
            return Some(false);
        }
        let set = self.with_positive_strides(bounds)?;
        let strides = sorted_strides(vec![], &set.dimensions, bounds)?;
        let times = |stride: &Polynomial| {
            let same = set.dimensions.iter().filter(|own| own.stride == *stride);
            same.count()
        };
        let sum = Sum::of(&strides, &set.dimensions)?;
        let has_no_twins = strides.iter().all(|stride| times(stride) <= 1);
        Some(has_no_twins && sum.first_overlap(&strides, bounds)?.is_none())
    }

    /// The same places, with strides that are known to be positive; nothing if a stride may
    /// be either.
    fn with_positive_strides(&self, bounds: &Bounds) -> Option<Self> {
        let mut offset = self.offset.clone();
        let mut dimensions = vec![];
        for Dimension { count, stride } in &self.dimensions {
            let last = count.checked_sub(&1.into())?;
            if last.as_constant() == Some(0) || stride.as_constant() == Some(0) {
                continue;
            }
            let (count, mut stride) = (count.clone(), stride.clone());
            if bounds.is_less(&stride, &0.into()) {
                offset = offset.checked_add(&last.checked_mul(&stride)?)?;
                stride = stride.checked_mul(&(-1).into())?;
            } else if !bounds.is_less(&0.into(), &stride) {
                return None;
            }
            dimensions.push(Dimension { count, stride });
        }
        Some(Self { offset, dimensions })
    }
}

/// Whether two sets are known to have no place in common.
pub fn are_disjoint(one: &Lmad, other: &Lmad, bounds: &Bounds) -> bool {
    disjoint(one, other, bounds).unwrap_or(false)
}

/// The same; nothing if it cannot be said.
fn disjoint(one: &Lmad, other: &Lmad, bounds: &Bounds) -> Option<bool> {
    let bounds = &bounds.where_positive(one.counts().chain(other.counts()));
    let one = one.with_positive_strides(bounds)?;
    let other = other.with_positive_strides(bounds)?;
    let strides = common_strides(&one, &other, bounds)?;
    let distance = one.offset.checked_sub(&other.offset)?;
    let mut sums = [
        Sum::of(&strides, &one.dimensions)?,
        Sum::of(&strides, &other.dimensions)?,
    ];
    for (position, quotient) in divided(&strides, distance)?.into_iter().enumerate() {
        let (first, by) = match bounds.is_not_negative(&quotient) {
            true => (0, quotient),
            false => (1, quotient.checked_mul(&(-1).into())?),
        };
        sums[first].move_up(position, &by)?;
    }
    let [one, other] = sums;
    never_meet(&strides, &one, &other, bounds, CUTS)
}

/// The strides of two sets, and 1, sorted, the smallest first; nothing if it is not known
/// which of two is larger.
fn common_strides(one: &Lmad, other: &Lmad, bounds: &Bounds) -> Option<Vec<Polynomial>> {
    let strides = sorted_strides(vec![1.into()], &one.dimensions, bounds)?;
    sorted_strides(strides, &other.dimensions, bounds)
}

/// Sorted strides with those of some dimensions among them, none of them twice.
fn sorted_strides(
    mut strides: Vec<Polynomial>,
    dimensions: &[Dimension],
    bounds: &Bounds,
) -> Option<Vec<Polynomial>> {
    for Dimension { stride, .. } in dimensions {
        if strides.contains(stride) {
            continue;
        }
        let position = strides
            .iter()
            .position(|other| bounds.is_less(stride, other));
        let position = position.unwrap_or(strides.len());
        let is_sorted = strides[..position]
            .iter()
            .all(|other| bounds.is_less(other, stride));
        if !is_sorted {
            return None;
        }
        strides.insert(position, stride.clone());
    }
    Some(strides)
}

/// How many times each stride is in a number, the largest first. The strides begin with 1,
/// so nothing is left over.
fn divided(strides: &[Polynomial], number: Polynomial) -> Option<Vec<Polynomial>> {
    let mut rest = number;
    let mut quotients = vec![Polynomial::default(); strides.len()];
    for (position, stride) in strides.iter().enumerate().rev() {
        (quotients[position], rest) = rest.checked_div_rem(stride)?;
    }
    Some(quotients)
}

/// The numbers from the first to the last.
#[derive(Clone)]
struct Interval {
    first: Polynomial,
    last: Polynomial,
}

/// A sum of intervals, one for each stride.
#[derive(Clone)]
struct Sum(Vec<Interval>);

impl Sum {
    fn of(strides: &[Polynomial], dimensions: &[Dimension]) -> Option<Self> {
        let none = Interval {
            first: 0.into(),
            last: 0.into(),
        };
        let mut intervals = vec![none; strides.len()];
        for Dimension { count, stride } in dimensions {
            let position = strides.iter().position(|other| other == stride)?;
            let last = &mut intervals[position].last;
            *last = last.checked_add(count)?.checked_sub(&1.into())?;
        }
        Some(Self(intervals))
    }

    fn move_up(&mut self, position: usize, by: &Polynomial) -> Option<()> {
        let interval = &mut self.0[position];
        interval.first = interval.first.checked_add(by)?;
        interval.last = interval.last.checked_add(by)?;
        Some(())
    }

    /// The first stride that is not known to be larger than what the intervals of smaller
    /// ones add up to.
    fn first_overlap(&self, strides: &[Polynomial], bounds: &Bounds) -> Option<Option<usize>> {
        let mut reach = Polynomial::default();
        for (position, (stride, interval)) in strides.iter().zip(&self.0).enumerate() {
            if !bounds.is_less(&reach, stride) {
                return Some(Some(position));
            }
            reach = reach.checked_add(&interval.last.checked_mul(stride)?)?;
        }
        Some(None)
    }

    fn begins_at_positive(&self, bounds: &Bounds) -> bool {
        self.0
            .iter()
            .all(|interval| bounds.is_not_negative(&interval.first))
    }

    /// The sum in two: without the last number of the interval before a stride, and with
    /// only that number, divided by larger strides. Nothing if these have no part of it.
    fn cut(&self, strides: &[Polynomial], overlap: usize) -> Option<[Self; 2]> {
        let position = (0..overlap).rev().find(|&position| {
            let Interval { first, last } = &self.0[position];
            first != last
        })?;
        let [mut rest, mut end] = [self.clone(), self.clone()];
        let last = self.0[position].last.clone();
        rest.0[position].last = last.checked_sub(&1.into())?;
        let number = last.checked_mul(&strides[position])?;
        let quotients = divided(strides, number)?;
        if quotients[position] == last {
            return None;
        }
        end.0[position] = Interval {
            first: 0.into(),
            last: 0.into(),
        };
        for (position, quotient) in quotients.iter().enumerate() {
            end.move_up(position, quotient)?;
        }
        Some([rest, end])
    }
}

/// Whether two sums have no number in common.
fn never_meet(
    strides: &[Polynomial],
    one: &Sum,
    other: &Sum,
    bounds: &Bounds,
    cuts: usize,
) -> Option<bool> {
    if !one.begins_at_positive(bounds) || !other.begins_at_positive(bounds) {
        return None;
    }
    let overlaps = [
        one.first_overlap(strides, bounds)?,
        other.first_overlap(strides, bounds)?,
    ];
    if overlaps == [None, None] {
        let mut pairs = one.0.iter().zip(&other.0);
        return Some(pairs.any(|(one, other)| {
            bounds.is_less(&one.last, &other.first) || bounds.is_less(&other.last, &one.first)
        }));
    }
    if cuts == 0 {
        return None;
    }
    let parts = |sum: &Sum, overlap: Option<usize>| match overlap {
        Some(overlap) => sum.cut(strides, overlap).map(Vec::from),
        None => Some(vec![sum.clone()]),
    };
    let others = parts(other, overlaps[1])?;
    for one in parts(one, overlaps[0])? {
        for other in &others {
            if !never_meet(strides, &one, other, bounds, cuts - 1)? {
                return Some(false);
            }
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polynomial::Symbol;

    fn set(dimensions: &[(Polynomial, Polynomial)]) -> Lmad {
        let dimensions = dimensions.iter().map(|(count, stride)| Dimension {
            count: count.clone(),
            stride: stride.clone(),
        });
        Lmad {
            offset: 0.into(),
            dimensions: dimensions.collect(),
        }
    }

    #[test]
    fn steps_that_are_long_enough_lead_to_different_places() {
        let n = Symbol(0);
        let mut bounds = Bounds::default();
        bounds.at_least(n, 0);
        let number = |number: i64| Polynomial::from(number);
        let next = Polynomial::from(n).checked_add(&1.into()).unwrap();
        let diagonal = (Polynomial::from(n), next.clone());
        assert!(set(std::slice::from_ref(&diagonal)).is_injective(&bounds));
        assert!(!set(&[(number(2), Polynomial::from(n))]).is_injective(&bounds));
        assert!(set(&[(number(3), next), (Polynomial::from(n), number(1))]).is_injective(&bounds));
        assert!(set(&[(number(4), number(-3))]).is_injective(&bounds));
        assert!(!set(&[(number(4), number(0))]).is_injective(&bounds));
        assert!(set(&[(number(1), number(0))]).is_injective(&bounds));
        let [inner, outer] = [(number(4), number(1)), (number(4), number(3))];
        assert!(!set(&[outer, inner.clone()]).is_injective(&bounds));
        assert!(!set(&[inner.clone(), inner]).is_injective(&bounds));
    }
}
