//! Which loops a combinator is in, and where each component of its index comes
//! from. docs/src/clusters.md says how orders determine that.

use std::collections::HashSet;

use melior::ir::{OperationRef, attribute::IntegerAttribute, operation::OperationLike};
use soac_dialect::{attributes::ORDERS, builder::Size, view::op_name};

use super::{NotPlanned, Planned, Reader, behind::loops_of, sizes::Domain};
use comb_kit::walk::{ancestors, operations};

use crate::cluster_loops::plan::{Component, Kind, Leaf, LeafId};

impl<'c: 'a, 'a> Reader<'c, 'a> {
    /// Gives a leaf its loops. A dimension that goes forwards or backwards has one
    /// of its own; dimensions in the order of a label have those of its gather,
    /// from the one on that belongs to the first of them.
    pub(super) fn find_loops(
        &self,
        leaf: &mut Leaf<'c, 'a>,
        Domain { ordered, further }: &Domain<'c, 'a>,
    ) -> Planned<()> {
        let orders = orders(leaf, ordered.len());
        if orders.len() != ordered.len() {
            return Err(NotPlanned::Invalid);
        }
        for (dimension, &order) in orders.iter().enumerate() {
            if let 0 | 1 = order {
                leaf.components.push(Component::Loop {
                    position: leaf.lengths.len(),
                    backwards: order == 1,
                });
                leaf.lengths.push(Some(ordered[dimension]));
                continue;
            }
            leaf.components.push(Component::Label(order));
            if dimension == 0 || orders[dimension - 1] != order {
                let gather = self.gather(order, leaf)?;
                let known = leaf.lengths.len();
                let theirs = gather.get(known..).ok_or(NotPlanned::OutsideGather)?;
                leaf.lengths.extend_from_slice(theirs);
            }
        }
        leaf.outer = leaf.lengths.len();
        for &length in further {
            leaf.components.push(Component::Loop {
                position: leaf.lengths.len(),
                backwards: false,
            });
            leaf.lengths.push(Some(length));
        }
        Ok(())
    }

    /// Whether a gather is in the order of itself, by way of others or not.
    pub(super) fn has_circular_orders(&self) -> bool {
        let labels = |&gather: &LeafId| {
            let components = self.leaves[gather].components.iter();
            components.filter_map(|component| match component {
                Component::Label(label) => self.labels.get(label),
                Component::Loop { .. } => None,
            })
        };
        self.labels.values().any(|gather| {
            let mut seen = HashSet::new();
            let mut next: Vec<&LeafId> = labels(gather).collect();
            while let Some(other) = next.pop() {
                if seen.insert(other) {
                    next.extend(labels(other));
                }
            }
            seen.contains(gather)
        })
    }

    /// The loops of the gather with a label. It may come behind what is in its
    /// order; then it is in the loops that are around both, and has as many.
    fn gather(&self, label: i64, leaf: &Leaf<'c, 'a>) -> Planned<Vec<Option<Size<'c, 'a>>>> {
        if let Some(&gather) = self.labels.get(&label) {
            return Ok(self.leaves[gather].lengths.clone());
        }
        let loops = loops_of(find_label(leaf.op, label).ok_or(NotPlanned::Invalid)?);
        // How long these are, the gather will say.
        match loops <= leaf.path.len() {
            true => Ok(vec![None; loops]),
            false => Err(NotPlanned::OutsideGather),
        }
    }
}

/// The gather with a label in the clusters around an op.
pub(super) fn find_label<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    label: i64,
) -> Option<OperationRef<'c, 'a>> {
    let outermost = ancestors(op)
        .take_while(|&op| op_name(op) == "soac.cluster")
        .last()?;
    let mut inner = operations(outermost).into_iter();
    inner.find(|op| {
        let found = op.attribute("label").and_then(IntegerAttribute::try_from);
        found.is_ok_and(|found| found.value() == label)
    })
}

/// The order of each dimension that has one.
fn orders(leaf: &Leaf, dimensions: usize) -> Vec<i64> {
    if leaf.view.flag(ORDERS) {
        return leaf.view.integers(ORDERS);
    }
    let mut orders = vec![0; dimensions];
    if let (Kind::ScanRight, Some(last)) = (leaf.kind, orders.last_mut()) {
        *last = 1;
    }
    orders
}
