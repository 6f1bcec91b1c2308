//! What is in the order of a gather that stands behind it, and has more loops than the
//! clusters around both.
//!
//! Such a combinator runs in the gather's own loops, just before it. So it is put off
//! until the gather's turn comes.

use std::collections::HashSet;

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{attributes::ORDERS, view::OpView};

use super::{NotPlanned, Planned, Reader, orders::find_label, rank};
use comb_kit::checks::facts::key;

use crate::cluster_loops::plan::{Item, Kind, Loop};

/// How many loops a gather has: those of its orders, and further ones if it reads an array of more
/// dimensions than it gives. In the order of another gather, it has the loops of that one.
pub(super) fn loops_of(gather: OperationRef) -> usize {
    count_loops(gather, &mut HashSet::new())
}

/// As [`loops_of`], without the orders that were seen before, which are those of gathers in the order of
/// each other.
fn count_loops<'c: 'a, 'a>(gather: OperationRef<'c, 'a>, seen: &mut HashSet<i64>) -> usize {
    let view = OpView::of(gather);
    let result = view.result_types.first().map_or(0, |&result| rank(result));
    let source = rank(view.operand_type(view.group(0).start));
    let orders = match view.flag(ORDERS) {
        true => view.integers(ORDERS),
        false => vec![0; result],
    };
    let mut loops = 0;
    for order in orders {
        match order < FIRST_LABEL {
            true => loops += 1,
            false if seen.insert(order) => {
                let theirs = find_label(gather, order).map_or(0, |other| count_loops(other, seen));
                loops = loops.max(theirs);
            }
            false => {}
        }
    }
    loops + source.saturating_sub(result)
}

/// The first number that is a label, and no direction.
const FIRST_LABEL: i64 = 2;

/// Combinators that were put off.
#[derive(Default)]
pub(super) struct Behind<'c, 'a> {
    /// Each with the label that it waits for.
    ops: Vec<(i64, OperationRef<'c, 'a>)>,
    /// What they give.
    values: HashSet<usize>,
}

impl Behind<'_, '_> {
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }
}

impl<'c: 'a, 'a> Reader<'c, 'a> {
    /// Puts a combinator off if it is in the order of a gather that has more loops than
    /// there are around it, and comes later; or of a gather that is put off itself.
    pub(super) fn waits(&mut self, op: OperationRef<'c, 'a>) -> bool {
        let label = self.awaited_label(op, &mut HashSet::new());
        if let Some(label) = label {
            self.behind.ops.push((label, op));
            let values = op.results().map(|result| key(result.into()));
            self.behind.values.extend(values);
        }
        label.is_some()
    }

    /// The label of the gather that a combinator waits for, which is none that was seen before:
    /// gathers in the order of each other wait for none.
    fn awaited_label(&self, op: OperationRef<'c, 'a>, seen: &mut HashSet<i64>) -> Option<i64> {
        let orders = OpView::of(op).integers(ORDERS);
        orders.into_iter().find_map(|order| {
            if order < FIRST_LABEL || self.labels.contains_key(&order) || !seen.insert(order) {
                return None;
            }
            let gather = find_label(op, order)?;
            match loops_of(gather) > self.path.len() {
                true => Some(order),
                false => self.awaited_label(gather, seen),
            }
        })
    }

    /// The combinators that wait for a label, which are put off no longer.
    pub(super) fn waiting_for(&mut self, label: i64) -> Vec<OperationRef<'c, 'a>> {
        let ops = std::mem::take(&mut self.behind.ops);
        let (waiting, others) = ops.into_iter().partition(|&(other, _)| other == label);
        self.behind.ops = others;
        let waiting: Vec<(i64, OperationRef)> = waiting;
        for (_, op) in &waiting {
            for result in op.results() {
                self.behind.values.remove(&key(result.into()));
            }
        }
        waiting.into_iter().map(|(_, op)| op).collect()
    }

    /// A gather and the combinators that waited for it share all of its loops.
    pub(super) fn gather_with(
        &mut self,
        gather: OperationRef<'c, 'a>,
        waiting: Vec<OperationRef<'c, 'a>>,
        items: &mut Vec<Item<'c, 'a>>,
    ) -> Planned<()> {
        // A scatter may have destroyed what they read.
        if self.leaves.iter().any(|leaf| leaf.kind == Kind::Scatter) {
            return Err(NotPlanned::Overwritten);
        }
        let depth = self.path.len();
        for _ in depth..loops_of(gather) {
            self.enter();
        }
        let mut inside = vec![];
        for op in waiting {
            self.leaf(op, &mut inside)?;
        }
        self.leaf(gather, &mut inside)?;
        for level in (depth + 1..=self.path.len()).rev() {
            let length = self.length_of(&inside, level).ok_or(NotPlanned::Invalid)?;
            let id = self.path.pop().ok_or(NotPlanned::Invalid)?;
            inside = vec![Item::Loop(Loop {
                id,
                level,
                length,
                items: inside,
            })];
        }
        items.extend(inside);
        Ok(())
    }

    /// Whether an op is put off that gives a value.
    pub(super) fn is_behind(&self, value: Value<'c, 'a>) -> bool {
        self.behind.values.contains(&key(value))
    }
}
