//! What is to be known of a cluster, or of a combinator that stands alone, before
//! code is made of it: the tree of its loops, what is in each body, and where the
//! arrays are.

use std::collections::{BTreeMap, HashMap};

use melior::ir::{OperationRef, Type, Value};
use soac_dialect::{builder::Size, view::OpView};

/// A number among [`Plan::leaves`].
pub type LeafId = usize;

/// A number among [`Plan::arrays`].
pub type ArrayId = usize;

/// A number of a loop; inner ones have greater numbers.
pub type LoopId = usize;

/// A cluster, or a combinator that stands alone.
pub struct Plan<'c, 'a> {
    /// The combinators, in program order.
    pub leaves: Vec<Leaf<'c, 'a>>,
    /// What they give.
    pub arrays: Vec<Computed<'c, 'a>>,
    /// The gathers, by their labels.
    pub labels: BTreeMap<i64, LeafId>,
    /// What runs, in order.
    pub items: Vec<Item<'c, 'a>>,
    /// What the cluster gives.
    pub yielded: Vec<Source<'c, 'a>>,
    /// Ops to be executed when the loop is over.
    pub late: Vec<OperationRef<'c, 'a>>,
    /// What arrays are that have a name in a body, by name.
    pub names: HashMap<usize, Source<'c, 'a>>,
}

impl<'c, 'a> Plan<'c, 'a> {
    /// The filter at whose kept iterations a combinator runs. What is in the order of a
    /// gather runs when the gather does.
    pub fn clock(&self, leaf: LeafId) -> Option<LeafId> {
        let leaf = &self.leaves[leaf];
        match leaf.components.first() {
            Some(Component::Label(label)) => self.clock(*self.labels.get(label)?),
            _ => leaf.clock,
        }
    }

    /// The least number of loops that an array's combinator shares with one that
    /// reads it, if these are not all that its elements are computed in.
    pub fn shared_loops(&self, array: ArrayId) -> Option<usize> {
        let producer = &self.leaves[self.arrays[array].leaf];
        // A gather may have further loops, which run once.
        let loops = match producer.kind {
            Kind::Fold => producer.outer,
            _ => producer.path.len(),
        };
        let readers = self.leaves.iter().filter(|leaf| {
            let mut operands = leaf.operands.iter().flatten();
            operands.any(|&operand| operand == Source::Computed(array))
        });
        let shared = readers.map(|reader| {
            let pairs = producer.path[..loops].iter().zip(&reader.path);
            pairs.take_while(|(one, other)| one == other).count()
        });
        let has_rows = producer.has_inner_arrays();
        shared.min().filter(|&shared| shared < loops || has_rows)
    }

    /// Whether an array is one number that is there when all loops are over.
    pub fn is_number_outside(&self, array: ArrayId) -> bool {
        let computed = &self.arrays[array];
        let leaf = &self.leaves[computed.leaf];
        computed.shape.is_empty() && (leaf.kind == Kind::Fold || leaf.path.is_empty())
    }

    /// The length of a loop that some combinator is in, outermost first.
    pub fn length_at(&self, position: usize) -> Option<Size<'c, 'a>> {
        let mut leaves = self.leaves.iter();
        leaves.find_map(|leaf| leaf.lengths.get(position).copied().flatten())
    }
}

/// What stands in the body of a loop.
pub enum Item<'c, 'a> {
    /// A combinator computes an element.
    Leaf(LeafId),
    /// A loop inside.
    Loop(Loop<'c, 'a>),
}

/// A loop that combinators share.
pub struct Loop<'c, 'a> {
    /// Names it.
    pub id: LoopId,
    /// 1 for the outermost.
    pub level: usize,
    /// How many iterations it has.
    pub length: Size<'c, 'a>,
    /// What an iteration does, in order.
    pub items: Vec<Item<'c, 'a>>,
}

/// What a combinator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function of the index.
    Generate,
    /// A function of elements at the same index.
    Map,
    /// Elements at indices that arrays say.
    Gather,
    /// Elements at indices that a function says.
    Backpermute,
    /// All elements of a row, combined.
    Fold,
    /// Those in front, combined.
    ScanLeft,
    /// Those behind, combined.
    ScanRight,
    /// Elements for which a predicate holds.
    Filter,
    /// Elements that are put where arrays say.
    Scatter,
}

/// A combinator.
pub struct Leaf<'c, 'a> {
    /// The combinator.
    pub op: OperationRef<'c, 'a>,
    /// What it takes and gives.
    pub view: OpView<'c, 'a>,
    /// What it computes.
    pub kind: Kind,
    /// The operands that are arrays.
    pub operands: Vec<Option<Source<'c, 'a>>>,
    /// Where each component of its index comes from.
    pub components: Vec<Component>,
    /// How long its loops are, outermost first; nothing if another combinator in
    /// them says it.
    pub lengths: Vec<Option<Size<'c, 'a>>>,
    /// The sizes of the largest arrays that its function takes or gives.
    pub inner: Vec<Size<'c, 'a>>,
    /// How many of the loops have an element of the results at each iteration.
    pub outer: usize,
    /// The first of the arrays that it gives; the others follow.
    pub first_result: ArrayId,
    /// The filter whose results it reads element by element.
    pub clock: Option<LeafId>,
    /// The loops around it, outermost first.
    pub path: Vec<LoopId>,
}

impl<'c, 'a> Leaf<'c, 'a> {
    /// The arrays that it computes.
    pub fn results(&self) -> std::ops::Range<ArrayId> {
        self.first_result..self.first_result + self.view.result_types.len()
    }

    /// How many outer dimensions of its results have loops among so many outer ones.
    pub fn shared_dimensions(&self, shared: usize) -> usize {
        let components = self.components.iter();
        components
            .take_while(|component| match component {
                Component::Loop { position, .. } => *position < shared,
                Component::Label(_) => false,
            })
            .count()
    }

    /// Whether what it carries begins with a loop of a level, 1 for the outermost.
    pub fn begins(&self, level: usize) -> bool {
        match self.kind {
            Kind::Fold => level == self.outer + 1,
            Kind::ScanLeft | Kind::ScanRight => level == self.lengths.len(),
            Kind::Filter => level == 1,
            _ => false,
        }
    }

    /// Whether its function takes or gives arrays.
    pub fn has_inner_arrays(&self) -> bool {
        !self.inner.is_empty()
    }
}

/// Where one component of an index comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// A loop.
    Loop {
        /// Which of the loops around, the outermost first.
        position: usize,
        /// Whether it goes from the end.
        backwards: bool,
    },
    /// What the gather with this label reads.
    Label(i64),
}

/// An array that a combinator reads.
#[derive(Clone, Copy, PartialEq)]
pub enum Source<'c, 'a> {
    /// It is complete before the loop begins.
    Given(Value<'c, 'a>),
    /// It is computed in the loop.
    Computed(ArrayId),
}

/// An array that is computed.
pub struct Computed<'c, 'a> {
    /// The combinator that gives it.
    pub leaf: LeafId,
    /// Its type.
    pub r#type: Type<'c>,
    /// The type of its elements.
    pub element: Type<'c>,
    /// If there is a clock, the first size is the most that it may be.
    pub shape: Vec<Size<'c, 'a>>,
    /// The filter that decides how large the first dimension is.
    pub clock: Option<LeafId>,
}
