//! Combinators as leaves of the tree of loops.

use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use soac_dialect::{builder::Size, cast::Arguments, description::describe, view::OpView};

use super::{NotPlanned, Planned, Reader, is_array};
use comb_fuse::fuse::captures::captured;
use comb_kit::checks::facts::key;
use comb_prepare::convert_to_linalg::lambda::is_scalar;

use crate::cluster_loops::plan::{Computed, Item, Kind, Leaf, LeafId, Loop, Source};

impl<'c: 'a, 'a> Reader<'c, 'a> {
    // Combinators

    /// Makes a combinator a leaf.
    pub(super) fn leaf(
        &mut self,
        op: OperationRef<'c, 'a>,
        items: &mut Vec<Item<'c, 'a>>,
    ) -> Planned<()> {
        let view = OpView::of(op);
        if self.waits(op) {
            return Ok(());
        }
        let waiting = view.integer("label").map(|label| self.waiting_for(label));
        if let Some(waiting) = waiting.filter(|waiting| !waiting.is_empty()) {
            return self.gather_with(op, waiting, items);
        }
        if op.operands().any(|value| self.is_behind(value)) {
            return Err(NotPlanned::OutsideGather);
        }
        let kind = kind(&view).ok_or(NotPlanned::NoLoops)?;
        let mut captured = captured(op).into_iter();
        if captured.any(|value| self.is_computed(value)) || self.is_late(op) {
            return Err(NotPlanned::Incomplete);
        }
        check_elements(&view, kind)?;
        let operands = self.operands(&view, kind)?;
        let domain = self.domain(&view, kind, &operands)?;
        let number = self.leaves.len();
        let clock = self.clock(&view, kind, &operands);
        let result_clock = match kind {
            Kind::Filter => Some(number),
            Kind::Fold | Kind::Scatter => None,
            _ => clock,
        };
        let description = describe(&view).map_err(|_| NotPlanned::Invalid)?;
        let shapes = self.shapes(&description, &operands, &view, &domain.ordered)?;
        let inner = match kind {
            Kind::Map => self.inner_sizes(&operands, &shapes, domain.ordered.len())?,
            _ => vec![],
        };
        if !inner.is_empty() && clock.is_some() {
            return Err(NotPlanned::KeptRows);
        }
        let first_result = self.arrays.len();
        for (position, shape) in shapes.into_iter().enumerate() {
            let computed = Computed {
                leaf: number,
                r#type: view.result_types[position],
                element: description.results[position].element,
                shape,
                clock: result_clock,
            };
            self.computed(op.result(position)?.into(), computed);
        }
        if let Some(label) = view.integer("label") {
            self.labels.insert(label, number);
        }
        let mut leaf = Leaf {
            op,
            kind,
            operands,
            components: vec![],
            lengths: vec![],
            inner,
            outer: 0,
            first_result,
            clock,
            path: self.path.clone(),
            view,
        };
        self.find_loops(&mut leaf, &domain)?;
        let item = self.in_own_loops(number, &mut leaf)?;
        self.leaves.push(leaf);
        items.push(item);
        Ok(())
    }

    /// The operands that are arrays. What a scatter writes to is complete before.
    fn operands(&self, view: &OpView<'c, 'a>, kind: Kind) -> Planned<Vec<Option<Source<'c, 'a>>>> {
        let operands = view.operands.iter();
        let operands: Vec<Option<Source>> = operands
            .map(|&operand| is_array(operand).then(|| self.source(operand)))
            .collect();
        let mut dests = match kind {
            Kind::Scatter => view.group(1),
            _ => 0..0,
        };
        match dests.all(|dest| matches!(operands[dest], Some(Source::Given(_)))) {
            true => Ok(operands),
            false => Err(NotPlanned::ComputedDestination),
        }
    }

    /// The sizes of the largest of the inner arrays that a map goes over, or gives.
    /// MLIR has no view of one that is known to be empty.
    fn inner_sizes(
        &mut self,
        operands: &[Option<Source<'c, 'a>>],
        results: &[Vec<Size<'c, 'a>>],
        outer: usize,
    ) -> Planned<Vec<Size<'c, 'a>>> {
        let mut shapes = results.to_vec();
        for operand in operands.iter().flatten() {
            shapes.push(self.shape(*operand)?);
        }
        let mut largest: Vec<Size> = vec![];
        for shape in shapes {
            let inner = shape.get(outer..).ok_or(NotPlanned::Invalid)?;
            if inner.contains(&Size::Static(0)) {
                return Err(NotPlanned::EmptyInnerArrays);
            }
            if inner.len() > largest.len() {
                largest = inner.to_vec();
            }
        }
        Ok(largest)
    }

    /// Gives an array that is computed a number.
    fn computed(&mut self, name: Value<'c, 'a>, array: Computed<'c, 'a>) {
        let number = self.arrays.len();
        self.sources.insert(key(name), Source::Computed(number));
        self.arrays.push(array);
    }

    /// Puts a leaf into those of its loops that are not there yet.
    fn in_own_loops(&mut self, number: LeafId, leaf: &mut Leaf<'c, 'a>) -> Planned<Item<'c, 'a>> {
        let depth = leaf.path.len();
        if leaf.lengths.len() < depth {
            return Err(NotPlanned::OutsideGather);
        }
        let loops = match leaf.kind {
            // Further loops of a gather run once.
            Kind::Gather | Kind::Backpermute => leaf.outer.max(depth),
            _ => leaf.lengths.len(),
        };
        let outer_path = self.path.clone();
        for _ in depth..loops {
            self.enter();
        }
        leaf.path = std::mem::replace(&mut self.path, outer_path);
        let mut item = Item::Leaf(number);
        for position in (depth..loops).rev() {
            item = Item::Loop(Loop {
                id: leaf.path[position],
                level: position + 1,
                length: leaf.lengths[position].ok_or(NotPlanned::Invalid)?,
                items: vec![item],
            });
        }
        Ok(item)
    }

    /// The filter whose results are read element by element.
    fn clock(
        &self,
        view: &OpView<'c, 'a>,
        kind: Kind,
        operands: &[Option<Source<'c, 'a>>],
    ) -> Option<LeafId> {
        let read_one_by_one = match kind {
            Kind::Generate | Kind::Backpermute => 0..0,
            Kind::Gather => view.group(1),
            _ => view.group(0),
        };
        let clock_of = |source: &Option<Source>| match source {
            Some(Source::Computed(array)) => self.arrays[*array].clock,
            _ => None,
        };
        operands[read_one_by_one].iter().find_map(clock_of)
    }
}

pub(super) fn kind(view: &OpView) -> Option<Kind> {
    Some(match view.mnemonic() {
        "generate" => Kind::Generate,
        "map" => Kind::Map,
        "gather" => Kind::Gather,
        "backpermute" => Kind::Backpermute,
        "fold" => Kind::Fold,
        "scanl" => Kind::ScanLeft,
        "scanr" => Kind::ScanRight,
        "filter" => Kind::Filter,
        "scatter" => Kind::Scatter,
        _ => return None,
    })
}

/// That an op computes numbers at every iteration, and no arrays but in a map.
fn check_elements(view: &OpView, kind: Kind) -> Planned<()> {
    let Some(block) = view.block() else {
        return Ok(());
    };
    let is_number = |value: Value| !is_array(value);
    let takes = (0..block.argument_count())
        .filter_map(|position| block.argument_at(position))
        .all(|argument| is_number(argument.into()));
    let yields = view
        .yielded()
        .is_some_and(|values| values.into_iter().all(is_number));
    let carries_state = matches!(kind, Kind::Fold | Kind::ScanLeft | Kind::ScanRight);
    let has_place = kind == Kind::Map || (takes && yields);
    match has_place && (!carries_state || is_scalar(block)) {
        true => Ok(()),
        false => Err(NotPlanned::OperatorOnArrays),
    }
}
