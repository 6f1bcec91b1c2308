//! Which optional [transformations](crate::transformations) are applied where, in a plan.
//!
//! Code generation asks at several places whether a loop, say, goes in blocks: when memory is found,
//! when the outermost loop is cut, and when the loop is made. All must be told the same. So what was
//! decided once is kept, and counts once.

use std::{cell::RefCell, collections::BTreeMap};

use melior::ir::Location;

use super::plan::{ArrayId, LeafId, LoopId, Plan};
use crate::{switches::Switches, transformations::Transformation};

/// Where a transformation is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Site {
    /// To all of the plan.
    Plan,
    /// To a loop.
    Loop(LoopId),
    /// To a combinator.
    Leaf(LeafId),
    /// To an array that is computed.
    Array(ArrayId),
}

/// What was decided in a plan.
pub(super) struct Applications<'p, 'c, 'a> {
    /// The plan.
    pub plan: &'p Plan<'c, 'a>,
    switches: &'p Switches,
    decided: RefCell<BTreeMap<(Transformation, Site), bool>>,
}

impl<'p, 'c, 'a> Applications<'p, 'c, 'a> {
    /// Nothing is decided yet.
    pub fn new(plan: &'p Plan<'c, 'a>, switches: &'p Switches) -> Self {
        Self {
            plan,
            switches,
            decided: RefCell::default(),
        }
    }

    /// Whether a transformation is applied somewhere. To be asked when all else speaks for it.
    pub fn applies(&self, transformation: Transformation, site: Site) -> bool {
        let mut decided = self.decided.borrow_mut();
        *decided.entry((transformation, site)).or_insert_with(|| {
            self.location(site)
                .is_none_or(|location| self.switches.applies(transformation, location))
        })
    }

    /// The first combinator's, of several.
    fn location(&self, site: Site) -> Option<Location<'c>> {
        let leaves = &self.plan.leaves;
        let leaf = match site {
            Site::Plan => leaves.first(),
            Site::Loop(id) => leaves.iter().find(|leaf| leaf.path.contains(&id)),
            Site::Leaf(leaf) => leaves.get(leaf),
            Site::Array(array) => leaves.get(self.plan.arrays.get(array)?.leaf),
        };
        leaf.map(|leaf| leaf.view.location)
    }
}
