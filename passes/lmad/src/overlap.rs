//! Whether two sets of places are known to be disjoint.
//!
//! Sets of few places that are all known are compared place by place. Else:
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
//! 4. If not, an interval that makes the sum too large is cut: into its last number, which is
//!    divided by other strides, and the rest. All pairs of the parts have to be disjoint.
//! 5. If that does not say so, a symbol is taken to be as small as it may be, and then to be
//!    larger, first those for which a count is 1: blocks of a table have to be told apart by other
//!    reasons if they are single elements. Before, symbols that are known to be no less than others
//!    become what they are more than these.
//!
//! Cost: linear in the number of dimensions times the square of that of terms, for each
//! pair of parts; there are no more than 16 to the power of [`CUTS`], in 2 to the power of [`CASES`]
//! cases.

use std::collections::HashSet;

use crate::{
    bounds::Bounds,
    polynomial::{Polynomial, Symbol},
};

/// How often a set is cut in two at most.
const CUTS: usize = 3;

/// How many numbers of an interval may be cut off, one after the other.
const FEW: i128 = 2;

/// Sets of no more places are compared place by place.
const FEW_PLACES: usize = 64;

/// Strides that are larger than this are not multiplied.
const LARGE_STRIDE: i128 = 1 << 64;

/// How many symbols are taken to be as small as they may be, and to be larger, at most.
const CASES: usize = 6;

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
        let set = std::slice::from_ref(self);
        is_known_of(set, bounds, &|set, bounds| {
            set[0].has_one_way(bounds).unwrap_or(false)
        })
    }

    /// The set with a number in place of a symbol.
    fn replaced(&self, symbol: Symbol, by: &Polynomial) -> Option<Self> {
        let replaced = |number: &Polynomial| number.checked_replace(symbol, by);
        let dimensions = self.dimensions.iter().map(|one| {
            Some(Dimension {
                count: replaced(&one.count)?,
                stride: replaced(&one.stride)?,
            })
        });
        Some(Self {
            offset: replaced(&self.offset)?,
            dimensions: dimensions.collect::<Option<_>>()?,
        })
    }

    fn counts(&self) -> impl Iterator<Item = &Polynomial> {
        self.dimensions.iter().map(|dimension| &dimension.count)
    }

    /// How far places are from the offset, in order, if they are few and known.
    fn steps(&self) -> Option<Vec<i128>> {
        let mut steps = vec![0];
        for Dimension { count, stride } in &self.dimensions {
            let (count, stride) = (count.as_constant()?, stride.as_constant()?);
            let count = usize::try_from(count.max(0)).ok()?;
            if steps.len().checked_mul(count)? > FEW_PLACES || stride.abs() > LARGE_STRIDE {
                return None;
            }
            let steps_of = |step: i128| (0..count as i128).map(move |index| step + index * stride);
            steps = steps.into_iter().flat_map(steps_of).collect();
        }
        Some(steps)
    }

    fn has_one_way(&self, bounds: &Bounds) -> Option<bool> {
        if let Some(mut steps) = self.steps() {
            steps.sort_unstable();
            return Some(steps.is_sorted_by(|one, next| one < next));
        }
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
        Some(has_no_twins && sum.first_overlap(&sum, &strides, bounds)?.is_none())
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
    let sets = [one.clone(), other.clone()];
    is_known_of(&sets, bounds, &|sets, bounds| {
        disjoint(&sets[0], &sets[1], bounds).unwrap_or(false)
    })
}

/// Whether something is known of sets: at once, or in all cases.
fn is_known_of(
    sets: &[Lmad],
    bounds: &Bounds,
    is_known: &dyn Fn(&[Lmad], &Bounds) -> bool,
) -> bool {
    if is_known(sets, bounds) {
        return true;
    }
    let bounds = bounds.where_sums_positive(sets.iter().flat_map(Lmad::counts));
    match counted_from_others(sets, &bounds) {
        Some((sets, bounds)) => in_cases(&sets, &bounds, &[], is_known),
        None => in_cases(sets, &bounds, &[], is_known),
    }
}

/// The same in all cases of symbols, some of which have been told apart before.
fn in_cases(
    sets: &[Lmad],
    bounds: &Bounds,
    before: &[Symbol],
    is_known: &dyn Fn(&[Lmad], &Bounds) -> bool,
) -> bool {
    if is_known(sets, bounds) {
        return true;
    }
    if before.len() == CASES {
        return false;
    }
    let bounds = bounds.where_positive(sets.iter().flat_map(Lmad::counts));
    let Some((symbol, least)) = open_symbol(sets, &bounds, before) else {
        return false;
    };
    let before = [before, &[symbol]].concat();
    let fixed = sets.iter().map(|set| set.replaced(symbol, &least.into()));
    let fixed = fixed.collect::<Option<Vec<_>>>();
    let mut more = bounds.clone();
    more.at_least(symbol, least.saturating_add(1));
    fixed.is_some_and(|sets| in_cases(&sets, &bounds, &before, is_known))
        && in_cases(sets, &more, &before, is_known)
}

/// Sets where symbols are what they are more than others, if they are known to be no less.
fn counted_from_others(sets: &[Lmad], bounds: &Bounds) -> Option<(Vec<Lmad>, Bounds)> {
    let (relations, bounds) = bounds.split()?;
    let mut sets = sets.to_vec();
    for (symbol, below) in relations {
        let sum = Polynomial::from(symbol).checked_add(&below)?;
        for set in &mut sets {
            *set = set.replaced(symbol, &sum)?;
        }
    }
    Some((sets, bounds))
}

/// A symbol that may be as small as it can be, and that number: for which a count is 1, or that a stride
/// depends on; first one that was told apart the fewest times.
fn open_symbol(sets: &[Lmad], bounds: &Bounds, before: &[Symbol]) -> Option<(Symbol, i64)> {
    let counts = sets.iter().flat_map(Lmad::counts);
    let strides = sets.iter().flat_map(|set| &set.dimensions);
    let in_counts = counts.filter_map(|count| Some((count.symbols().next()?, Some(count))));
    let in_strides = strides.flat_map(|one| one.stride.symbols().map(|symbol| (symbol, None)));
    let open = in_counts.chain(in_strides).filter_map(|(symbol, count)| {
        let least = bounds.least(symbol)?;
        let at_least = |count: &Polynomial| count.checked_replace(symbol, &least.into());
        let is_open = count.is_none_or(|count| {
            at_least(count).is_some_and(|count| count.as_constant() == Some(1))
        });
        is_open.then_some((symbol, least))
    });
    let times = |symbol: Symbol| before.iter().filter(|&&one| one == symbol).count();
    open.min_by_key(|&(symbol, _)| times(symbol))
}

/// The same; nothing if it cannot be said.
fn disjoint(one: &Lmad, other: &Lmad, bounds: &Bounds) -> Option<bool> {
    if let Some(distance) = one.offset.checked_sub(&other.offset)
        && let (Some(steps), Some(others)) = (one.steps(), other.steps())
        && let Some(distance) = distance.as_constant()
    {
        let others: HashSet<Option<i128>> = others.into_iter().map(Some).collect();
        let mut places = steps.iter().map(|step| step.checked_add(distance));
        return Some(!places.any(|place| others.contains(&place)));
    }
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

impl Interval {
    fn is_zero(&self) -> bool {
        [&self.first, &self.last].map(Polynomial::as_constant) == [Some(0); 2]
    }
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
    /// ones add up to. Strides that neither of two sums has are left out.
    fn first_overlap(
        &self,
        other: &Self,
        strides: &[Polynomial],
        bounds: &Bounds,
    ) -> Option<Option<usize>> {
        let mut reach = Polynomial::default();
        for (position, (stride, interval)) in strides.iter().zip(&self.0).enumerate() {
            if interval.is_zero() && other.0[position].is_zero() {
                continue;
            }
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

    /// The parts of the sum, in up to two ways. The last number of the interval before a stride is divided
    /// by larger ones; that of the stride itself, if there are few, is divided by smaller ones.
    fn cuts(&self, strides: &[Polynomial], overlap: usize) -> Vec<Vec<Self>> {
        let is_long = |&position: &usize| {
            let Interval { first, last } = &self.0[position];
            first != last
        };
        let before = (0..overlap).rev().find(is_long);
        let before = before.and_then(|position| self.cut((position, &strides[position]), strides));
        let Interval { first, last } = &self.0[overlap];
        let length = last.checked_sub(first).and_then(|one| one.as_constant());
        let is_short = length.is_some_and(|length| length <= FEW) && last.as_constant() != Some(0);
        let own = is_short.then(|| self.cut((overlap, &strides[overlap]), &strides[..overlap]));
        before.into_iter().chain(own.flatten()).collect()
    }

    /// The sum without the last number of an interval, if there are others, and with only that number,
    /// divided by strides. Nothing if these have no part of it.
    fn cut(
        &self,
        (position, stride): (usize, &Polynomial),
        strides: &[Polynomial],
    ) -> Option<Vec<Self>> {
        let [mut rest, mut end] = [self.clone(), self.clone()];
        let Interval { first, last } = self.0[position].clone();
        rest.0[position].last = last.checked_sub(&1.into())?;
        let quotients = divided(strides, last.checked_mul(stride)?)?;
        if quotients.get(position) == Some(&last) {
            return None;
        }
        end.0[position] = Interval {
            first: 0.into(),
            last: 0.into(),
        };
        for (position, quotient) in quotients.iter().enumerate() {
            end.move_up(position, quotient)?;
        }
        Some(match first == last {
            true => vec![end],
            false => vec![rest, end],
        })
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
        one.first_overlap(other, strides, bounds)?,
        other.first_overlap(one, strides, bounds)?,
    ];
    if overlaps == [None, None] {
        let mut pairs = one.0.iter().zip(&other.0);
        return Some(pairs.any(|(one, other)| {
            bounds.is_less(&one.last, &other.first) || bounds.is_less(&other.last, &one.first)
        }));
    }
    let cuts = cuts.checked_sub(1)?;
    let parts = |sum: &Sum, overlap: Option<usize>| match overlap {
        Some(overlap) => sum.cuts(strides, overlap),
        None => vec![vec![sum.clone()]],
    };
    let others: Vec<Vec<Sum>> = parts(other, overlaps[1]);
    let are_apart =
        |one: &Sum, other: &Sum| never_meet(strides, one, other, bounds, cuts).unwrap_or(false);
    let mut pairs = parts(one, overlaps[0])
        .into_iter()
        .flat_map(|ones| others.iter().map(move |others| (ones.clone(), others)));
    let apart = pairs.any(|(ones, others)| {
        ones.iter()
            .all(|one| others.iter().all(|other| are_apart(one, other)))
    });
    Some(apart)
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
