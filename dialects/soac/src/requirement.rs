//! What must hold of an op's operands.
//!
//! The same requirements serve the verifier (what is known statically must
//! hold), speculation (an op that may fail is not moved), and the pass that
//! inserts run-time checks (what is not known statically).

use crate::extent::Extent;

/// A condition on extents, with the words that say it does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The condition.
    pub condition: Condition,
    /// The message if it does not hold: each `{}` stands for one of
    /// [`Condition::values`], in order.
    pub message: String,
}

/// A condition on extents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Two shapes are the same. Of different ranks, they are not.
    SameShape(Vec<Extent>, Vec<Extent>),
    /// Not less than zero.
    NotNegative(Extent),
    /// Not zero.
    NotZero(Extent),
    /// From zero to the bound, both included.
    AtMost(Extent, Extent),
    /// Two shapes have the same number of elements.
    SameCount(Vec<Extent>, Vec<Extent>),
    /// The points `offset + Σ i_k · stride_k`, with `0 ≤ i_k < size_k`, lie
    /// inside an array whose number of elements is the product of `bound`.
    /// Without points it holds.
    PointsInside {
        /// The first point.
        offset: Extent,
        /// How many steps in each direction.
        sizes: Vec<Extent>,
        /// How far each step goes.
        strides: Vec<Extent>,
        /// The sizes of the array.
        bound: Vec<Extent>,
    },
}

/// What is known about a condition when the program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds whatever the dynamic sizes are.
    Holds,
    /// It is violated whatever the dynamic sizes are.
    Violated,
    /// It depends on dynamic sizes.
    Unknown,
}

impl Requirement {
    /// The message with what is known of the values: `?` for the rest.
    pub fn static_message(&self) -> String {
        let mut values = self.condition.values().into_iter();
        let mut parts = self.message.split("{}");
        let mut message = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            if let Some(value) = values.next() {
                message.push_str(&value.to_string());
            }
            message.push_str(part);
        }
        message
    }
}

/// A shape as a message writes it, with a `{}` for each size.
pub fn placeholders(rank: usize) -> String {
    format!("[{}]", vec!["{}"; rank].join(", "))
}

impl Condition {
    /// The extents that a message may show, in the order in which it shows
    /// them.
    pub fn values(&self) -> Vec<&Extent> {
        match self {
            Self::SameShape(left, right) | Self::SameCount(left, right) => {
                left.iter().chain(right).collect()
            }
            Self::NotNegative(extent) | Self::NotZero(extent) => vec![extent],
            Self::AtMost(extent, bound) => vec![extent, bound],
            Self::PointsInside {
                offset,
                sizes,
                strides,
                bound,
            } => std::iter::once(offset)
                .chain(sizes)
                .chain(strides)
                .chain(bound)
                .collect(),
        }
    }

    /// The same condition on other extents.
    pub fn map(&self, mut extent: impl FnMut(&Extent) -> Extent) -> Self {
        let mut all = |extents: &[Extent]| extents.iter().map(&mut extent).collect();
        match self {
            Self::SameShape(left, right) => Self::SameShape(all(left), all(right)),
            Self::SameCount(left, right) => Self::SameCount(all(left), all(right)),
            Self::NotNegative(only) => Self::NotNegative(extent(only)),
            Self::NotZero(only) => Self::NotZero(extent(only)),
            Self::AtMost(only, bound) => Self::AtMost(extent(only), extent(bound)),
            Self::PointsInside {
                offset,
                sizes,
                strides,
                bound,
            } => Self::PointsInside {
                sizes: all(sizes),
                strides: all(strides),
                bound: all(bound),
                offset: extent(offset),
            },
        }
    }

    /// Decides the condition from what is known statically. Dynamic sizes and
    /// values may be anything, except that terms that cancel are gone.
    pub fn truth(&self) -> Truth {
        match self {
            Self::SameShape(left, right) => same_shape(left, right),
            Self::NotNegative(extent) => not_negative(extent),
            Self::NotZero(extent) => known(extent.as_constant().map(|value| value != 0)),
            Self::AtMost(extent, bound) => at_most(extent, bound),
            Self::SameCount(left, right) => same_count(left, right),
            Self::PointsInside {
                offset,
                sizes,
                strides,
                bound,
            } => points_inside(offset, sizes, strides, bound),
        }
    }
}

fn known(truth: Option<bool>) -> Truth {
    match truth {
        Some(true) => Truth::Holds,
        Some(false) => Truth::Violated,
        None => Truth::Unknown,
    }
}

/// All must hold; one that is violated decides.
fn all(truths: impl Iterator<Item = Truth>) -> Truth {
    truths.fold(Truth::Holds, |all, truth| match (all, truth) {
        (Truth::Violated, _) | (_, Truth::Violated) => Truth::Violated,
        (Truth::Unknown, _) | (_, Truth::Unknown) => Truth::Unknown,
        _ => Truth::Holds,
    })
}

fn same_shape(left: &[Extent], right: &[Extent]) -> Truth {
    if left.len() != right.len() {
        return Truth::Violated;
    }
    all(left.iter().zip(right).map(|(left, right)| {
        known(
            (left - right)
                .as_constant()
                .map(|difference| difference == 0),
        )
    }))
}

fn not_negative(extent: &Extent) -> Truth {
    if extent.is_never_negative() {
        return Truth::Holds;
    }
    known(extent.as_constant().map(|value| value >= 0))
}

fn at_most(extent: &Extent, bound: &Extent) -> Truth {
    all([not_negative(extent), not_negative(&(bound - extent))].into_iter())
}

/// The product, zero if any factor is; nothing if it overflows or depends on
/// dynamic sizes.
fn product(extents: &[Extent]) -> Option<i64> {
    let zero = Extent::constant(0);
    if extents.contains(&zero) {
        return Some(0);
    }
    extents.iter().try_fold(1i64, |product, extent| {
        product.checked_mul(extent.as_constant()?)
    })
}

fn same_count(left: &[Extent], right: &[Extent]) -> Truth {
    let sorted = |extents: &[Extent]| {
        let one = Extent::constant(1);
        let mut factors: Vec<_> = extents
            .iter()
            .filter(|&extent| *extent != one)
            .map(|extent| (extent.constant, extent.terms.clone()))
            .collect();
        factors.sort();
        factors
    };
    if sorted(left) == sorted(right) {
        return Truth::Holds;
    }
    known(
        product(left)
            .zip(product(right))
            .map(|(left, right)| left == right),
    )
}

fn points_inside(offset: &Extent, sizes: &[Extent], strides: &[Extent], bound: &[Extent]) -> Truth {
    if sizes.iter().any(|size| size.as_constant() == Some(0)) {
        return Truth::Holds;
    }
    if full_dimension(offset, sizes, strides, bound) {
        return Truth::Holds;
    }
    known(points_inside_constant(offset, sizes, strides, bound))
}

/// `[0] [n] [1]` of `n` elements, whatever `n` is.
fn full_dimension(offset: &Extent, sizes: &[Extent], strides: &[Extent], bound: &[Extent]) -> bool {
    offset.as_constant() == Some(0)
        && sizes.len() == 1
        && strides.first().and_then(Extent::as_constant) == Some(1)
        && sizes == bound
}

fn points_inside_constant(
    offset: &Extent,
    sizes: &[Extent],
    strides: &[Extent],
    bound: &[Extent],
) -> Option<bool> {
    let offset = offset.as_constant()? as i128;
    let bound = product(bound)? as i128;
    let (mut lowest, mut highest) = (offset, offset);
    for (size, stride) in sizes.iter().zip(strides) {
        let reach = (size.as_constant()? as i128 - 1) * stride.as_constant()? as i128;
        lowest = lowest.saturating_add(reach.min(0));
        highest = highest.saturating_add(reach.max(0));
    }
    Some(lowest >= 0 && highest < bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::Term;

    fn constants(values: &[i64]) -> Vec<Extent> {
        values.iter().copied().map(Extent::constant).collect()
    }

    fn dynamic(operand: usize) -> Extent {
        Extent {
            constant: 0,
            terms: vec![(1, Term::Size { operand, axis: 0 })],
        }
    }

    fn points(offset: i64, sizes: &[i64], strides: &[i64], bound: &[i64]) -> Truth {
        Condition::PointsInside {
            offset: Extent::constant(offset),
            sizes: constants(sizes),
            strides: constants(strides),
            bound: constants(bound),
        }
        .truth()
    }

    #[test]
    fn shapes_of_different_rank_differ() {
        assert_eq!(
            Condition::SameShape(constants(&[2]), constants(&[2, 1])).truth(),
            Truth::Violated
        );
    }

    #[test]
    fn one_known_difference_decides() {
        let left = vec![dynamic(0), Extent::constant(2)];
        let right = vec![dynamic(1), Extent::constant(3)];
        assert_eq!(Condition::SameShape(left, right).truth(), Truth::Violated);
    }

    #[test]
    fn a_dynamic_size_equals_itself() {
        assert_eq!(
            Condition::SameShape(vec![dynamic(0)], vec![dynamic(0)]).truth(),
            Truth::Holds
        );
        assert_eq!(
            Condition::SameShape(vec![dynamic(0)], vec![dynamic(1)]).truth(),
            Truth::Unknown
        );
    }

    #[test]
    fn sizes_are_not_negative() {
        let zero = Extent::constant(0);
        assert_eq!(
            Condition::AtMost(zero.clone(), dynamic(0)).truth(),
            Truth::Holds
        );
        assert_eq!(
            Condition::AtMost(dynamic(0), dynamic(0)).truth(),
            Truth::Holds
        );
        assert_eq!(
            Condition::AtMost(dynamic(0), dynamic(1)).truth(),
            Truth::Unknown
        );
        let value = Extent::value(0);
        assert_eq!(
            Condition::NotNegative(value.clone()).truth(),
            Truth::Unknown
        );
        assert_eq!(Condition::AtMost(value, dynamic(1)).truth(), Truth::Unknown);
        assert_eq!(
            Condition::NotNegative(&zero - &dynamic(0)).truth(),
            Truth::Unknown
        );
    }

    #[test]
    fn counts_ignore_order_and_ones() {
        let left = vec![dynamic(0), Extent::constant(4)];
        let right = vec![Extent::constant(4), Extent::constant(1), dynamic(0)];
        assert_eq!(Condition::SameCount(left, right).truth(), Truth::Holds);
    }

    #[test]
    fn points_with_negative_strides() {
        assert_eq!(points(9, &[10], &[-1], &[10]), Truth::Holds);
        assert_eq!(points(8, &[10], &[-1], &[10]), Truth::Violated);
        assert_eq!(points(0, &[2, 3], &[3, 1], &[2, 3]), Truth::Holds);
        assert_eq!(points(1, &[2, 3], &[3, 1], &[2, 3]), Truth::Violated);
    }

    #[test]
    fn no_points_are_always_inside() {
        assert_eq!(points(100, &[0], &[1], &[10]), Truth::Holds);
    }

    #[test]
    fn huge_strides_do_not_overflow() {
        assert_eq!(
            points(0, &[i64::MAX; 5], &[i64::MAX; 5], &[10]),
            Truth::Violated
        );
        assert_eq!(
            points(0, &[i64::MAX; 5], &[-i64::MAX; 5], &[10]),
            Truth::Violated
        );
    }
}
