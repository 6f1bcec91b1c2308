//! Reads a cluster, or a combinator that stands alone, into a [`Plan`].
//!
//! Phases, body by body, op by op:
//! * What does not depend on arrays that are computed in the cluster moves in
//!   front of it: constants, sizes, checks. What depends on how many elements a
//!   filter keeps is put off until the loop is over.
//! * Combinators become leaves, in the loops of the clusters around them and in
//!   further ones of their own. docs/src/clusters.md says which these are.
//! * Arguments and results of clusters, and casts, are other names of arrays.
//!
//! Cost: linear in the size of the cluster.

use std::collections::{BTreeMap, HashMap, HashSet};

use melior::ir::{
    BlockLike, OperationRef, RegionLike, Value, ValueLike,
    attribute::IntegerAttribute,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size},
    description::{Description, describe},
    extent::{Extent, Term},
    view::{OpView, definition, op_name},
};

use super::plan::{Component, Computed, Item, Kind, Leaf, LeafId, Loop, LoopId, Plan, Source};
use crate::{checks::facts::key, convert_to_linalg::lambda::is_scalar, fuse::captures::captured};

/// Why there is no plan: what the message says has another lowering.
pub(super) struct NotPlanned;

impl From<melior::Error> for NotPlanned {
    fn from(_: melior::Error) -> Self {
        NotPlanned
    }
}

type Planned<T> = Result<T, NotPlanned>;

/// The plan of a cluster or combinator.
pub(super) fn plan<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Planned<Plan<'c, 'a>> {
    let front = Builder::before(op).ok_or(NotPlanned)?;
    let mut reader = Reader {
        front,
        sources: HashMap::new(),
        sizes: HashMap::new(),
        leaves: vec![],
        arrays: vec![],
        labels: BTreeMap::new(),
        late: vec![],
        late_values: HashSet::new(),
        path: vec![],
        loops: 0,
    };
    let mut items = vec![];
    reader.op(op, &mut items)?;
    let yielded = op
        .results()
        .map(|result| reader.source(result.into()))
        .collect();
    Ok(Plan {
        leaves: reader.leaves,
        arrays: reader.arrays,
        labels: reader.labels,
        items,
        yielded,
        late: reader.late,
        names: reader.sources,
    })
}

struct Reader<'c, 'a> {
    /// In front of the outermost op.
    front: Builder<'c, 'a>,
    /// What arrays are that have a name in a body, by name.
    sources: HashMap<usize, Source<'c, 'a>>,
    /// Sizes of complete arrays that were asked for.
    sizes: HashMap<(usize, usize), Size<'c, 'a>>,
    leaves: Vec<Leaf<'c, 'a>>,
    arrays: Vec<Computed<'c, 'a>>,
    labels: BTreeMap<i64, LeafId>,
    late: Vec<OperationRef<'c, 'a>>,
    /// What late ops give.
    late_values: HashSet<usize>,
    path: Vec<LoopId>,
    loops: LoopId,
}

impl<'c: 'a, 'a> Reader<'c, 'a> {
    fn source(&self, value: Value<'c, 'a>) -> Source<'c, 'a> {
        let known = self.sources.get(&key(value)).copied();
        known.unwrap_or(Source::Given(value))
    }

    fn op(&mut self, op: OperationRef<'c, 'a>, items: &mut Vec<Item<'c, 'a>>) -> Planned<()> {
        match op_name(op) {
            "soac.cluster" if has_orders(op) => {
                let mut inner = vec![];
                let id = self.enter();
                self.body(op, &mut inner)?;
                self.path.pop();
                let level = self.path.len() + 1;
                let length = self.length_of(&inner, level).ok_or(NotPlanned)?;
                items.push(Item::Loop(Loop {
                    id,
                    level,
                    length,
                    items: inner,
                }));
                Ok(())
            }
            "soac.cluster" => self.body(op, items),
            "tensor.cast" if self.is_computed(op.operand(0)?) => {
                let source = self.source(op.operand(0)?);
                self.sources.insert(key(op.result(0)?.into()), source);
                Ok(())
            }
            "tensor.dim" if self.is_computed(op.operand(0)?) => self.size(op),
            name if name.starts_with("soac.") && name != "soac.check" => self.leaf(op, items),
            _ => self.other(op),
        }
    }

    fn enter(&mut self) -> LoopId {
        self.path.push(self.loops);
        self.loops += 1;
        self.loops - 1
    }

    fn is_computed(&self, value: Value<'c, 'a>) -> bool {
        matches!(self.source(value), Source::Computed(_))
    }

    /// The ops in a cluster, whose results get the names of what it yields.
    fn body(
        &mut self,
        cluster: OperationRef<'c, 'a>,
        items: &mut Vec<Item<'c, 'a>>,
    ) -> Planned<()> {
        let block = cluster.region(0)?.first_block().ok_or(NotPlanned)?;
        for (position, operand) in cluster.operands().enumerate() {
            let argument: Value = block.argument(position)?.into();
            match self.source(operand) {
                Source::Given(array) => self.front.replace_uses(argument, array, None),
                source => {
                    self.sources.insert(key(argument), source);
                }
            }
        }
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            if next.is_none() {
                let yielded: Vec<Value> = op.operands().collect();
                for (position, value) in yielded.into_iter().enumerate() {
                    let source = self.source(value);
                    let result: Value = cluster.result(position)?.into();
                    self.sources.insert(key(result), source);
                }
                break;
            }
            self.op(op, items)?;
        }
        Ok(())
    }

    /// How long a loop is that holds these items.
    fn length_of(&self, items: &[Item<'c, 'a>], level: usize) -> Option<Size<'c, 'a>> {
        items.iter().find_map(|item| match item {
            Item::Leaf(leaf) => self.leaves[*leaf].lengths.get(level - 1).copied().flatten(),
            Item::Loop(inner) => self.length_of(&inner.items, level),
        })
    }

    // Ops that are no combinators

    /// The size of an array that is computed in the cluster.
    fn size(&mut self, op: OperationRef<'c, 'a>) -> Planned<()> {
        let Source::Computed(array) = self.source(op.operand(0)?) else {
            return Err(NotPlanned);
        };
        let axis = constant(op.operand(1)?).ok_or(NotPlanned)? as usize;
        if axis == 0 && self.arrays[array].clock.is_some() {
            self.put_off(op);
            return Ok(());
        }
        let size = *self.arrays[array].shape.get(axis).ok_or(NotPlanned)?;
        let size = self.front.size_value(size)?;
        self.front.replace_uses(op.result(0)?.into(), size, None);
        Ok(())
    }

    fn other(&mut self, op: OperationRef<'c, 'a>) -> Planned<()> {
        let used: Vec<Value> = op.operands().chain(captured(op)).collect();
        if used.iter().any(|&value| self.is_computed(value)) {
            return Err(NotPlanned);
        }
        if used
            .iter()
            .any(|&value| self.late_values.contains(&key(value)))
        {
            self.put_off(op);
        } else {
            self.front.move_here(op);
        }
        Ok(())
    }

    fn put_off(&mut self, op: OperationRef<'c, 'a>) {
        self.late.push(op);
        self.late_values
            .extend(op.results().map(|result| key(result.into())));
    }

    // Combinators

    fn leaf(&mut self, op: OperationRef<'c, 'a>, items: &mut Vec<Item<'c, 'a>>) -> Planned<()> {
        let view = OpView::of(op);
        let kind = kind(&view).ok_or(NotPlanned)?;
        let used: Vec<Value> = op.operands().chain(captured(op)).collect();
        if captured(op)
            .into_iter()
            .any(|value| self.is_computed(value))
            || used
                .iter()
                .any(|&value| self.late_values.contains(&key(value)))
        {
            return Err(NotPlanned);
        }
        let operands: Vec<Option<Source>> = view
            .operands
            .iter()
            .map(|&operand| is_array(operand).then(|| self.source(operand)))
            .collect();
        check_elements(&view, kind)?;
        let mut dests = match kind {
            Kind::Scatter => view.group(1),
            _ => 0..0,
        };
        if dests.any(|dest| !matches!(operands[dest], Some(Source::Given(_)))) {
            return Err(NotPlanned);
        }
        let number = self.leaves.len();
        let clock = self.clock(&view, kind, &operands);
        let result_clock = match kind {
            Kind::Filter => Some(number),
            Kind::Fold | Kind::Scatter => None,
            _ => clock,
        };
        let (ordered, further) = self.domain(&view, kind, &operands)?;
        let description = describe(&view).map_err(|_| NotPlanned)?;
        let shapes = self.shapes(&description, &operands, &view, &ordered)?;
        let first_result = self.arrays.len();
        for ((result, shape), &r#type) in description
            .results
            .iter()
            .zip(shapes)
            .zip(&view.result_types)
        {
            let name: Value = op.result(self.arrays.len() - first_result)?.into();
            self.sources
                .insert(key(name), Source::Computed(self.arrays.len()));
            self.arrays.push(Computed {
                leaf: number,
                r#type,
                element: result.element,
                shape,
                clock: result_clock,
            });
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
            outer: 0,
            first_result,
            clock,
            path: self.path.clone(),
            view,
        };
        self.find_loops(&mut leaf, &ordered, &further)?;
        if leaf.lengths.len() < leaf.path.len() {
            return Err(NotPlanned);
        }
        let own = match leaf.kind {
            // Further loops of a gather run once.
            Kind::Gather | Kind::Backpermute => leaf.outer.max(leaf.path.len()),
            _ => leaf.lengths.len(),
        };
        let (lengths, depth) = (leaf.lengths.clone(), leaf.path.len());
        let outer_path = self.path.clone();
        let mut ids = vec![];
        for _ in depth..own {
            ids.push(self.enter());
        }
        leaf.path = std::mem::replace(&mut self.path, outer_path);
        self.leaves.push(leaf);
        let mut item = Item::Leaf(number);
        for position in (depth..own).rev() {
            item = Item::Loop(Loop {
                id: ids[position - depth],
                level: position + 1,
                length: lengths[position].ok_or(NotPlanned)?,
                items: vec![item],
            });
        }
        items.push(item);
        Ok(())
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

    /// The sizes of the dimensions that have an order, and the lengths of further
    /// loops.
    fn domain(
        &mut self,
        view: &OpView<'c, 'a>,
        kind: Kind,
        operands: &[Option<Source<'c, 'a>>],
    ) -> Planned<(Vec<Size<'c, 'a>>, Vec<Size<'c, 'a>>)> {
        let result_rank = view.result_types.first().map_or(0, |&result| rank(result));
        match kind {
            Kind::Generate | Kind::Gather | Kind::Backpermute => {
                let description = describe(view).map_err(|_| NotPlanned)?;
                let result = description.results.first().ok_or(NotPlanned)?;
                let sizes = self.sizes_of(&result.sizes, operands, view)?;
                let source = match kind {
                    Kind::Generate => 0,
                    _ => rank(view.operand_type(view.group(0).start)),
                };
                let further = source.saturating_sub(sizes.len());
                Ok((sizes, vec![Size::Static(1); further]))
            }
            _ => {
                let first = operands.first().copied().flatten().ok_or(NotPlanned)?;
                let mut shape = self.shape(first)?;
                let ordered = match kind {
                    Kind::Fold => result_rank,
                    Kind::Map => outer_dimensions(view, shape.len()),
                    _ => shape.len(),
                };
                let further = shape.split_off(ordered);
                Ok((shape, if kind == Kind::Fold { further } else { vec![] }))
            }
        }
    }

    fn shapes(
        &mut self,
        description: &Description<'c>,
        operands: &[Option<Source<'c, 'a>>],
        view: &OpView<'c, 'a>,
        ordered: &[Size<'c, 'a>],
    ) -> Planned<Vec<Vec<Size<'c, 'a>>>> {
        description
            .results
            .iter()
            .map(|result| {
                if result.sizes.iter().any(Option::is_none) && ordered.len() == result.sizes.len() {
                    return Ok(ordered.to_vec());
                }
                self.sizes_of(&result.sizes, operands, view)
            })
            .collect()
    }

    fn sizes_of(
        &mut self,
        sizes: &[Option<Extent>],
        operands: &[Option<Source<'c, 'a>>],
        view: &OpView<'c, 'a>,
    ) -> Planned<Vec<Size<'c, 'a>>> {
        sizes
            .iter()
            .map(|size| self.extent(size.as_ref().ok_or(NotPlanned)?, operands, view))
            .collect()
    }

    fn extent(
        &mut self,
        extent: &Extent,
        operands: &[Option<Source<'c, 'a>>],
        view: &OpView<'c, 'a>,
    ) -> Planned<Size<'c, 'a>> {
        let mut constant = extent.constant;
        let mut sum: Option<Value> = None;
        for &(coefficient, term) in &extent.terms {
            let size = match term {
                Term::Value { operand } => Size::Dynamic(view.operands[operand]),
                Term::Size { operand, axis } => {
                    let source = operands[operand].ok_or(NotPlanned)?;
                    *self.shape(source)?.get(axis).ok_or(NotPlanned)?
                }
            };
            match size {
                Size::Static(size) => constant += coefficient * size,
                Size::Dynamic(value) => {
                    let front = self.front;
                    let part = match coefficient {
                        1 => value,
                        _ => front.arithmetic("arith.muli", &[value, front.index(coefficient)?])?,
                    };
                    sum = Some(match sum {
                        Some(sum) => front.arithmetic("arith.addi", &[sum, part])?,
                        None => part,
                    });
                }
            }
        }
        Ok(match sum {
            None => Size::Static(constant),
            Some(sum) if constant == 0 => Size::Dynamic(sum),
            Some(sum) => {
                let constant = self.front.index(constant)?;
                Size::Dynamic(self.front.arithmetic("arith.addi", &[sum, constant])?)
            }
        })
    }

    fn shape(&mut self, source: Source<'c, 'a>) -> Planned<Vec<Size<'c, 'a>>> {
        match source {
            Source::Computed(array) => Ok(self.arrays[array].shape.clone()),
            Source::Given(array) => (0..rank(array.r#type()))
                .map(|axis| {
                    if let Some(&size) = self.sizes.get(&(key(array), axis)) {
                        return Ok(size);
                    }
                    let size = self.front.size(array, axis)?;
                    self.sizes.insert((key(array), axis), size);
                    Ok(size)
                })
                .collect(),
        }
    }

    /// Gives a leaf its loops. A dimension that goes forwards or backwards has one
    /// of its own; dimensions in the order of a label have those of its gather,
    /// from the one on that belongs to the first of them.
    fn find_loops(
        &self,
        leaf: &mut Leaf<'c, 'a>,
        ordered: &[Size<'c, 'a>],
        further: &[Size<'c, 'a>],
    ) -> Planned<()> {
        let orders = orders(leaf, ordered.len());
        if orders.len() != ordered.len() {
            return Err(NotPlanned);
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
                let theirs = gather.get(known..).ok_or(NotPlanned)?;
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

    /// The loops of the gather with a label. It may come behind what is in its
    /// order; then it is in the loops that are around both, and has as many.
    fn gather(&self, label: i64, leaf: &Leaf<'c, 'a>) -> Planned<Vec<Option<Size<'c, 'a>>>> {
        if let Some(&gather) = self.labels.get(&label) {
            return Ok(self.leaves[gather].lengths.clone());
        }
        let gather = find_label(leaf.op, label).ok_or(NotPlanned)?;
        let view = OpView::of(gather);
        let loops = rank(*view.result_types.first().ok_or(NotPlanned)?);
        let source = rank(view.operand_type(view.group(0).start));
        // How long these are, the gather will say.
        match loops.max(source) <= leaf.path.len() {
            true => Ok(vec![None; loops.max(source)]),
            false => Err(NotPlanned),
        }
    }
}

/// The gather with a label in the clusters around an op.
fn find_label<'c: 'a, 'a>(op: OperationRef<'c, 'a>, label: i64) -> Option<OperationRef<'c, 'a>> {
    let ancestors = std::iter::successors(Some(op), |op| {
        let parent = op.parent_operation()?;
        // SAFETY: the ancestors of an op live at least as long as the op.
        Some(unsafe { OperationRef::from_raw(parent.to_raw()) })
    });
    let outermost = ancestors
        .skip(1)
        .take_while(|&op| op_name(op) == "soac.cluster")
        .last()?;
    let mut inner = crate::walk::operations(outermost).into_iter();
    inner.find(|op| {
        let found = op.attribute("label").ok().map(IntegerAttribute::try_from);
        found
            .and_then(Result::ok)
            .is_some_and(|found| found.value() == label)
    })
}

/// Whether a cluster says in which orders it goes over its arrays.
pub(super) fn has_orders(op: OperationRef) -> bool {
    op.has_attribute("input_orders") || op.has_attribute("output_orders")
}

fn kind(view: &OpView) -> Option<Kind> {
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

/// That an op computes numbers at every iteration, and no arrays.
fn check_elements(view: &OpView, kind: Kind) -> Planned<()> {
    let Some(block) = view.regions.first().and_then(|region| region.first_block()) else {
        return Ok(());
    };
    let is_number = |value: Value| !is_array(value);
    let takes = (0..block.argument_count())
        .filter_map(|position| block.argument(position).ok())
        .all(|argument| is_number(argument.into()));
    let yields = view
        .yielded()
        .is_some_and(|values| values.into_iter().all(is_number));
    let carries_state = matches!(kind, Kind::Fold | Kind::ScanLeft | Kind::ScanRight);
    match takes && yields && (!carries_state || is_scalar(block)) {
        true => Ok(()),
        false => Err(NotPlanned),
    }
}

fn outer_dimensions(view: &OpView, rank: usize) -> usize {
    let outer = view
        .integer("outer")
        .and_then(|outer| usize::try_from(outer).ok());
    outer.map_or(rank, |outer| outer.min(rank))
}

/// The order of each dimension that has one.
fn orders(leaf: &Leaf, dimensions: usize) -> Vec<i64> {
    if leaf.view.flag("soac.orders") {
        return leaf.view.integers("soac.orders");
    }
    let mut orders = vec![0; dimensions];
    if let (Kind::ScanRight, Some(last)) = (leaf.kind, orders.last_mut()) {
        *last = 1;
    }
    orders
}

fn is_array(value: Value) -> bool {
    RankedTensorType::try_from(value.r#type()).is_ok()
}

fn rank(r#type: melior::ir::Type) -> usize {
    RankedTensorType::try_from(r#type).map_or(0, |array| array.rank())
}

/// The value of a constant index.
pub(super) fn constant(value: Value) -> Option<i64> {
    let op = definition(value).filter(|&op| op_name(op) == "arith.constant")?;
    let value = IntegerAttribute::try_from(op.attribute("value").ok()?).ok()?;
    Some(value.value())
}
