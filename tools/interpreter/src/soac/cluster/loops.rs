//! The loops of a combinator, and where its index is at their iterations.
//!
//! A dimension that goes forwards or backwards has a loop of its own. Dimensions
//! that are in the order of a gather's label have the gather's loops, from the
//! one on that belongs to the first of them.

use std::collections::BTreeMap;

use super::form::Kind;
use super::nest::Leaf;
use crate::failure::Failure;

/// The loops of a combinator, outermost first.
pub(super) struct Loops {
    pub(super) lengths: Vec<usize>,
    /// How many of them are not further ones: those at whose iterations there
    /// is an element of the results.
    pub(super) outer: usize,
    /// For each dimension, ordered and further, where its index comes from.
    pub(super) components: Vec<Component>,
    /// For each dimension, which loop is its first.
    first: Vec<usize>,
}

/// Where one component of an index comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Component {
    /// A loop.
    Loop { position: usize, backwards: bool },
    /// What the gather with this label reads.
    Label(i64),
}

impl Loops {
    /// Whether the elements are computed in the order of a gather, and not in
    /// one of their indices.
    pub(super) fn has_label(&self) -> bool {
        self.labels().next().is_some()
    }

    /// The labels in whose orders dimensions are, each with the number of the
    /// first loop that it brings.
    pub(super) fn labels(&self) -> impl Iterator<Item = (usize, i64)> {
        let dimensions = self.components.iter().zip(&self.first).enumerate();
        dimensions.filter_map(|(dimension, (component, first))| match component {
            Component::Label(label) if !self.continues(dimension) => Some((*first, *label)),
            _ => None,
        })
    }

    /// Whether a dimension is in the order of the same label as the one before,
    /// which brought the label's loops.
    fn continues(&self, dimension: usize) -> bool {
        dimension > 0 && self.components[dimension - 1] == self.components[dimension]
    }

    /// The dimension that has a loop of its own at a position.
    pub(super) fn dimension(&self, position: usize) -> Option<usize> {
        self.components.iter().position(
            |component| matches!(component, Component::Loop { position: own, .. } if *own == position),
        )
    }

    /// The order in which the results are computed in a loop: none if they have
    /// no dimension for it.
    pub(super) fn order(&self, position: usize) -> Option<i64> {
        if position >= self.outer {
            return None;
        }
        match self
            .dimension(position)
            .map(|dimension| self.components[dimension])
        {
            Some(Component::Loop { backwards, .. }) => Some(backwards.into()),
            _ => {
                let started = self.first.iter().rposition(|first| *first <= position)?;
                match self.components[started] {
                    Component::Label(label) => Some(label),
                    Component::Loop { .. } => None,
                }
            }
        }
    }
}

/// Finds the loops of combinators, those of gathers before those of what is in
/// their orders.
pub(super) struct Finder<'a, 'p> {
    leaves: &'a [Leaf<'p>],
    labels: &'a BTreeMap<i64, usize>,
    found: Vec<Found>,
}

enum Found {
    NotYet,
    Pending,
    Loops(Loops),
}

impl<'a, 'p> Finder<'a, 'p> {
    /// The loops of every combinator.
    pub(super) fn all(
        leaves: &'a [Leaf<'p>],
        labels: &'a BTreeMap<i64, usize>,
    ) -> Result<Vec<Loops>, Failure> {
        let mut finder = Finder {
            leaves,
            labels,
            found: leaves.iter().map(|_| Found::NotYet).collect(),
        };
        for leaf in 0..leaves.len() {
            finder.find(leaf)?;
        }
        let loops = finder.found.into_iter().filter_map(|found| match found {
            Found::Loops(loops) => Some(loops),
            Found::NotYet | Found::Pending => None,
        });
        Ok(loops.collect())
    }

    fn find(&mut self, number: usize) -> Result<&Loops, Failure> {
        match self.found[number] {
            Found::Loops(_) => {}
            Found::Pending => {
                return Err(self.leaves[number]
                    .error("is in an order that depends on its own, by the labels of gathers"));
            }
            Found::NotYet => {
                self.found[number] = Found::Pending;
                let loops = self.compute(number)?;
                check(&self.leaves[number], &loops)?;
                self.found[number] = Found::Loops(loops);
            }
        }
        match &self.found[number] {
            Found::Loops(loops) => Ok(loops),
            Found::NotYet | Found::Pending => Err(self.leaves[number].bug("has no loops")),
        }
    }

    fn compute(&mut self, number: usize) -> Result<Loops, Failure> {
        let leaf = &self.leaves[number];
        let orders = leaf.orders()?;
        let mut loops = Loops {
            lengths: vec![],
            outer: 0,
            components: vec![],
            first: vec![],
        };
        for (dimension, &order) in orders.iter().enumerate() {
            let length = leaf.form.ordered[dimension];
            match order {
                0 | 1 => loops.own(length, order == 1),
                _ => {
                    let continues = dimension > 0 && orders[dimension - 1] == order;
                    self.borrow(number, order, dimension, continues, &mut loops)?;
                }
            }
        }
        loops.outer = loops.lengths.len();
        for &length in &leaf.form.further {
            loops.own(length, false);
        }
        Ok(loops)
    }

    /// Gives a dimension the order of a gather. The first of several that have
    /// it brings the gather's loops.
    fn borrow(
        &mut self,
        number: usize,
        label: i64,
        dimension: usize,
        continues: bool,
        loops: &mut Loops,
    ) -> Result<(), Failure> {
        let leaf = &self.leaves[number];
        let Some(&gather) = self.labels.get(&label) else {
            return Err(leaf.error(&format!(
                "is in order {label}, but no gather in the cluster has that label"
            )));
        };
        let source = self.leaves[gather].form.source.len();
        if dimension >= source {
            return Err(leaf.error(&format!(
                "has dimension {dimension} in the order of label {label}, but that gather's \
                 source has rank {source}"
            )));
        }
        loops.components.push(Component::Label(label));
        loops.first.push(loops.lengths.len());
        if !continues {
            let theirs = self.find(gather)?;
            let first = theirs.first.get(dimension).copied();
            if first != Some(loops.lengths.len()) {
                return Err(leaf.error(&format!(
                    "has other loops outside dimension {dimension} than the gather with label \
                     {label}, in whose order that is"
                )));
            }
            loops
                .lengths
                .extend_from_slice(&theirs.lengths[loops.lengths.len()..]);
        }
        Ok(())
    }
}

impl Loops {
    fn own(&mut self, length: usize, backwards: bool) {
        let position = self.lengths.len();
        self.first.push(position);
        self.components.push(Component::Loop {
            position,
            backwards,
        });
        self.lengths.push(length);
    }
}

impl Leaf<'_> {
    /// The order of each dimension that has one.
    fn orders(&self) -> Result<Vec<i64>, Failure> {
        let rank = self.form.ordered.len();
        if !self.op.flag("soac.orders") {
            let mut orders = vec![0; rank];
            if matches!(self.form.kind, Kind::ScanRight) {
                orders[rank - 1] = 1;
            }
            return Ok(orders);
        }
        let orders = self.op.integers("soac.orders").to_vec();
        if orders.len() != rank {
            return Err(self.error(&format!(
                "has {rank} dimensions with an order, but 'soac.orders' gives {}",
                orders.len()
            )));
        }
        if let Some(order) = orders.iter().find(|order| **order < 0) {
            return Err(self.error(&format!("has an unknown order, {order}")));
        }
        Ok(orders)
    }
}

/// That a combinator can run in its orders.
fn check(leaf: &Leaf, loops: &Loops) -> Result<(), Failure> {
    let rank = leaf.form.ordered.len();
    let last = rank.checked_sub(1).map(|last| loops.components[last]);
    let direction = last.and_then(|last| match last {
        Component::Loop { backwards, .. } => Some(backwards),
        Component::Label(_) => None,
    });
    let wrong = match leaf.form.kind {
        Kind::ScanLeft | Kind::Filter if direction != Some(false) => {
            "must go forwards over its innermost dimension"
        }
        Kind::ScanRight if direction != Some(true) => {
            "must go backwards over its innermost dimension"
        }
        Kind::Scatter { .. } if loops.has_label() => {
            "cannot be in the order of a gather, which may leave elements out"
        }
        _ => "",
    };
    if !wrong.is_empty() {
        return Err(leaf.error(wrong));
    }
    let first = loops.components.first();
    let forwards = Component::Loop {
        position: 0,
        backwards: false,
    };
    if leaf.form.clock.is_some() && first != Some(&forwards) {
        return Err(leaf.error(
            "must go forwards over its first dimension, whose size a filter in the same cluster \
             decides",
        ));
    }
    Ok(())
}
