//! Loops that run once, around the loop that is cut into chunks.
//!
//! The outer dimensions of an array may be known to have the size 1. Then there is
//! nothing to share in their loops, but there may be in the next one. If not, threads
//! share nothing: the loops run in order, where they stand.

use soac_dialect::builder::Size;

use super::{
    applications::Site,
    emitter::{Emitted, Emitter},
    lanes::Lanes,
    plan::{Item, Kind, Loop},
};
use crate::transformations::Transformation;

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// The outermost loop that does not run only once, in parallel.
    pub fn parallel(&mut self, outermost: &Loop<'c, 'a>) -> Emitted<'c, ()> {
        let Some(inner) = self.only_loop_in(outermost) else {
            let front = self.front;
            return match outermost.length {
                Size::Static(..=1) => self.in_order(&front, outermost),
                _ => self.shared_loop(outermost),
            };
        };
        let index = Lanes::Uniform(self.front.index(0)?);
        let front = self.front;
        self.now.index.push(index);
        let beside = self.copy_beside(&front, outermost);
        let done = beside.and_then(|()| self.parallel(inner));
        self.now.index.pop();
        done
    }

    /// The loop inside one that runs once, if there is nothing else in it, and the inner
    /// one may be cut: it carries nothing but folds, which begin with it.
    fn only_loop_in<'l>(&self, outer: &'l Loop<'c, 'a>) -> Option<&'l Loop<'c, 'a>> {
        let [Item::Loop(inner)] = outer.items.as_slice() else {
            return None;
        };
        let carries_folds = self.leaves_in(outer).into_iter().all(|leaf| {
            let is_fold = self.plan.leaves[leaf].kind == Kind::Fold;
            !self.begins(leaf, outer.level) && (is_fold || !self.begins(leaf, inner.level))
        });
        let applies = || self.applies(Transformation::LoopsRunOnce, Site::Loop(outer.id));
        (outer.length == Size::Static(1) && carries_folds && applies()).then_some(inner)
    }
}
