//! Reads a cluster, or a combinator that stands alone, into a [`Plan`].
//!
//! Phases, body by body, op by op:
//! * What does not depend on arrays that are computed in the cluster moves in
//!   front of it: constants, sizes, checks. What depends on how many elements a
//!   filter keeps is put off until the loop is over.
//! * Combinators become leaves ([`combinators`]) of known size ([`sizes`]), in the
//!   loops of the clusters around them and in further ones of their own ([`orders`]).
//! * Arguments and results of clusters, and casts, are other names of arrays.
//!
//! Cost: linear in the size of the cluster, and the square of the number of labels.

mod behind;
mod combinators;
mod orders;
pub mod sizes;

use std::collections::{BTreeMap, HashMap, HashSet};

use melior::ir::{
    BlockLike, OperationRef, RegionLike, Type, Value, ValueLike,
    attribute::IntegerAttribute,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size},
    cast::{cast, is_a},
    view::{definition, is_combinator, op_name},
};

use behind::Behind;

use super::plan::{Computed, Item, Leaf, LeafId, Loop, LoopId, Plan, Source};
use comb_fuse::fuse::captures::captured;
use comb_kit::checks::facts::key;

/// Why there is no plan: what has none is lowered otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlanned {
    /// An op is in no block, or lacks what every valid one has.
    #[error("an op is not valid")]
    Invalid,
    /// It is no combinator, or not one with loops.
    #[error("an op has no loops")]
    NoLoops,
    /// A cluster yields rows of what a filter chooses, or they are inner arrays.
    #[error("rows of what a filter chooses are needed outside of the loop")]
    KeptRows,
    /// Gathers are in the order of each other.
    #[error("gathers are in the order of each other")]
    CircularOrders,
    /// Something in a gather's order is not in the gather's loops.
    #[error("what is in the order of a gather is in other loops than the gather")]
    OutsideGather,
    /// Something that is computed in the loop is needed whole.
    #[error("what is computed in the loop is used before the loop is over")]
    Incomplete,
    /// A scatter may overwrite what is read later.
    #[error("a scatter may overwrite what something in a gather's order reads")]
    Overwritten,
    /// A destination of a scatter is computed in the loop.
    #[error("the destination of a scatter is computed in the loop")]
    ComputedDestination,
    /// An op that is no map works on arrays.
    #[error("an operator works on arrays")]
    OperatorOnArrays,
    /// MLIR has no view of inner arrays that are empty.
    #[error("inner arrays are empty")]
    EmptyInnerArrays,
}

impl From<melior::Error> for NotPlanned {
    fn from(_: melior::Error) -> Self {
        NotPlanned::Invalid
    }
}

type Planned<T> = Result<T, NotPlanned>;

/// The plan of a cluster or combinator.
pub fn plan<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Planned<Plan<'c, 'a>> {
    let front = Builder::before(op).ok_or(NotPlanned::Invalid)?;
    let mut reader = Reader {
        front,
        sources: HashMap::new(),
        sizes: HashMap::new(),
        leaves: vec![],
        arrays: vec![],
        labels: BTreeMap::new(),
        behind: Behind::default(),
        late: vec![],
        late_values: HashSet::new(),
        path: vec![],
        loops: 0,
    };
    let mut items = vec![];
    reader.op(op, &mut items)?;
    if !reader.behind.is_empty() {
        return Err(NotPlanned::OutsideGather);
    }
    let yielded: Vec<Source> = op
        .results()
        .map(|result| reader.source(result.into()))
        .collect();
    if yielded.iter().any(|&source| reader.has_kept_rows(source)) {
        return Err(NotPlanned::KeptRows);
    }
    if reader.has_circular_orders() {
        return Err(NotPlanned::CircularOrders);
    }
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
    /// Sizes of complete arrays that were asked for, by array and dimension.
    sizes: HashMap<(usize, usize), Size<'c, 'a>>,
    leaves: Vec<Leaf<'c, 'a>>,
    arrays: Vec<Computed<'c, 'a>>,
    labels: BTreeMap<i64, LeafId>,
    behind: Behind<'c, 'a>,
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
        let name = op_name(op);
        let is_leaf = is_combinator(op) && name != "soac.cluster";
        let mut used = op.operands().chain(captured(op));
        if !is_leaf && used.any(|value| self.is_behind(value)) {
            return Err(NotPlanned::OutsideGather);
        }
        match name {
            "soac.cluster" if has_orders(op) => {
                let item = self.loop_of(op)?;
                items.push(item);
                Ok(())
            }
            "soac.cluster" => self.body(op, items),
            "tensor.cast" if self.is_computed(op.operand(0)?) => {
                let source = self.source(op.operand(0)?);
                self.sources.insert(key(op.result(0)?.into()), source);
                Ok(())
            }
            "tensor.dim" if self.is_computed(op.operand(0)?) => self.size(op),
            _ if is_leaf => self.leaf(op, items),
            _ => self.other(op),
        }
    }

    /// Whether an array has a row for each element that a filter keeps: such rows are
    /// only read where they are computed.
    fn has_kept_rows(&self, source: Source<'c, 'a>) -> bool {
        match source {
            Source::Given(_) => false,
            Source::Computed(array) => {
                let array = &self.arrays[array];
                array.clock.is_some() && array.shape.len() > 1
            }
        }
    }

    /// The loop that a cluster is.
    fn loop_of(&mut self, cluster: OperationRef<'c, 'a>) -> Planned<Item<'c, 'a>> {
        let mut items = vec![];
        let id = self.enter();
        self.body(cluster, &mut items)?;
        self.path.pop();
        let level = self.path.len() + 1;
        let length = self.length_of(&items, level).ok_or(NotPlanned::Invalid)?;
        Ok(Item::Loop(Loop {
            id,
            level,
            length,
            items,
        }))
    }

    /// Enters a new loop.
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
        let block = cluster
            .region(0)?
            .first_block()
            .ok_or(NotPlanned::Invalid)?;
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
            match next {
                Some(_) => self.op(op, items)?,
                None => self.name_results(cluster, op)?,
            }
        }
        Ok(())
    }

    /// Gives a cluster's results the names of what its last op yields.
    fn name_results(
        &mut self,
        cluster: OperationRef<'c, 'a>,
        last: OperationRef<'c, 'a>,
    ) -> Planned<()> {
        for (position, value) in last.operands().enumerate() {
            if self.is_behind(value) {
                return Err(NotPlanned::OutsideGather);
            }
            let source = self.source(value);
            let result: Value = cluster.result(position)?.into();
            self.sources.insert(key(result), source);
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

    /// The size of an array that is computed in the cluster.
    fn size(&mut self, op: OperationRef<'c, 'a>) -> Planned<()> {
        let Source::Computed(array) = self.source(op.operand(0)?) else {
            return Err(NotPlanned::Invalid);
        };
        let axis = constant(op.operand(1)?).ok_or(NotPlanned::Invalid)? as usize;
        if axis == 0 && self.arrays[array].clock.is_some() {
            self.put_off(op);
            return Ok(());
        }
        let size = *self.arrays[array]
            .shape
            .get(axis)
            .ok_or(NotPlanned::Invalid)?;
        let size = self.front.size_value(size)?;
        self.front.replace_uses(op.result(0)?.into(), size, None);
        Ok(())
    }

    /// An op that is no combinator, and has nothing to do with computed arrays.
    fn other(&mut self, op: OperationRef<'c, 'a>) -> Planned<()> {
        let mut used = op.operands().chain(captured(op));
        if used.any(|value| self.is_computed(value)) {
            return Err(NotPlanned::Incomplete);
        }
        match self.is_late(op) {
            true => self.put_off(op),
            false => self.front.move_here(op),
        }
        Ok(())
    }

    /// Whether an op uses what is only known when the loop is over.
    fn is_late(&self, op: OperationRef<'c, 'a>) -> bool {
        let mut used = op.operands().chain(captured(op));
        used.any(|value| self.late_values.contains(&key(value)))
    }

    fn put_off(&mut self, op: OperationRef<'c, 'a>) {
        self.late.push(op);
        self.late_values
            .extend(op.results().map(|result| key(result.into())));
    }
}

/// Whether a cluster says in which orders it goes over its arrays.
pub fn has_orders(op: OperationRef) -> bool {
    op.has_attribute("input_orders") || op.has_attribute("output_orders")
}

fn is_array(value: Value) -> bool {
    is_a::<RankedTensorType>(value.r#type())
}

/// The dimensions of an array; none of a number.
pub fn rank(r#type: Type) -> usize {
    cast::<RankedTensorType>(r#type).map_or(0, |array| array.rank())
}

/// The value of a constant index.
pub fn constant(value: Value) -> Option<i64> {
    let op = definition(value).filter(|&op| op_name(op) == "arith.constant")?;
    let value = IntegerAttribute::try_from(op.attribute("value").ok()?).ok()?;
    Some(value.value())
}
