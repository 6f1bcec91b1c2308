//! The tree of the loops that clusters inside each other share: what is in each
//! body, without the ops that run before.

use std::ops::Range;

use super::form::Form;
use super::source::Source;
use crate::element::Element;
use crate::program::Op;

/// A cluster: a loop that its members share.
pub(super) struct Nest<'p> {
    pub(super) op: &'p Op,
    /// How many clusters it is in, itself included.
    pub(super) level: usize,
    /// In an order in which they can run.
    pub(super) members: Vec<Member<'p>>,
    /// All combinators in it, also those in the clusters inside it.
    pub(super) leaves: Range<usize>,
    pub(super) yielded: Vec<Source>,
}

/// What stands in a cluster's body.
pub(super) enum Member<'p> {
    /// A combinator, by its number.
    Leaf(usize),
    /// A cluster.
    Nest(Nest<'p>),
}

/// A combinator.
pub(super) struct Leaf<'p> {
    pub(super) op: &'p Op,
    /// The clusters around it, the outermost first, by their numbers.
    pub(super) path: Vec<usize>,
    /// The operands that are arrays.
    pub(super) operands: Vec<Option<Source>>,
    /// The number of its first result among the arrays.
    pub(super) first_result: usize,
    pub(super) form: Form,
}

/// An array that is computed in a cluster.
pub(super) struct ComputedArray {
    pub(super) element: Element,
    /// The combinator that computes it, and which result of it the array is.
    pub(super) leaf: usize,
    pub(super) result: usize,
    /// If there is a clock, the first size is the most that it may be.
    pub(super) shape: Vec<usize>,
    /// The filter that decides how large the first dimension is.
    pub(super) clock: Option<usize>,
}
