//! What a part of a loop adds to the scans and filters that the loop carries, and what has to be
//! computed to find that out.
//!
//! Parts of a loop with scans and filters can run at once, if what comes before each is known: so
//! each part is *summed up* first, without what only serves to write results. A scan whose values
//! another one gives can be summed up where what comes before that one is known. So they form
//! *stages*: those that need no other, those that need only these, and so on.
//!
//! Cost: linear in the ops of a loop, for each scan and filter and each check.

use std::collections::{BTreeSet, HashSet};

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use nest_dialect::carried::{arguments, places};
use soac_dialect::{
    cast::Parts,
    view::{OpView, argument_of, as_result, definition, op_name},
};

use super::{
    accesses::Access,
    obstacles::{Obstacle, is_array},
};
use comb_fuse::fuse::captures::captured;
use comb_kit::{
    checks::facts::key,
    views::is_view,
    walk::{ancestors, op_key, operations},
};
use comb_nest::nests::{Changed, Nest, first, root};

/// Scans and filters that are summed up at once.
pub struct Stage<'c, 'a> {
    /// They.
    pub summed: Vec<Changed<'c, 'a>>,
    /// What has to be computed for that.
    pub needed: Needed,
}

/// Ops and values of a loop that something depends on.
#[derive(Default)]
pub struct Needed {
    ops: HashSet<usize>,
    values: HashSet<usize>,
    /// Which of the numbers that the loop carries are among them.
    pub positions: BTreeSet<usize>,
}

impl Needed {
    /// Whether an op is needed.
    pub fn has(&self, op: OperationRef) -> bool {
        self.ops.contains(&op_key(op))
    }

    /// Which of the things that a loop or filter carries are needed.
    pub fn carried<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> Vec<usize> {
        let first = places(op).map_or(0, |places| places.result);
        let carried = arguments(op).into_iter().enumerate();
        let needed = carried.filter(|&(position, argument)| {
            let result = op.result(first + position);
            let result = result.is_ok_and(|result| self.values.contains(&key(result.into())));
            result || self.values.contains(&key(argument))
        });
        needed.map(|(position, _)| position).collect()
    }
}

/// The scans and filters that a loop carries, by stage.
///
/// # Errors
///
/// If parts of the loop cannot be summed up.
pub fn stages<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<Vec<Stage<'c, 'a>>, Obstacle> {
    let mut left = nest.changed();
    left.retain(|changed| op_name(changed.op) != "nest.fold");
    let (mut stages, mut known) = (vec![], BTreeSet::new());
    while !left.is_empty() {
        let (mut ready, mut others) = (vec![], vec![]);
        for changed in left {
            let needed = Search::of(nest, &changed.positions)?.needed;
            let mut needed = needed.positions.iter();
            let is_known = |position| known.contains(position);
            match needed.all(|position| is_known(position) || changed.positions.contains(position))
            {
                true => ready.push(changed),
                false => others.push(changed),
            }
        }
        if ready.is_empty() {
            return Err(Obstacle::Circular);
        }
        let positions: Vec<usize> = ready
            .iter()
            .flat_map(|changed| changed.positions.clone())
            .collect();
        let mut search = Search::of(nest, &positions)?;
        search.add_checks(&known)?;
        search.reads_nothing_written()?;
        known.extend(positions);
        stages.push(Stage {
            summed: ready,
            needed: search.needed,
        });
        left = others;
    }
    Ok(stages)
}

/// Finds all that something depends on.
struct Search<'n, 'c, 'a> {
    nest: &'n Nest<'c, 'a>,
    needed: Needed,
    /// Values that are needed, and were not yet asked what for.
    waiting: Vec<Value<'c, 'a>>,
}

impl<'n, 'c: 'a, 'a> Search<'n, 'c, 'a> {
    fn new(nest: &'n Nest<'c, 'a>) -> Self {
        Self {
            nest,
            needed: Needed::default(),
            waiting: vec![],
        }
    }

    /// What a loop hands on at some positions depends on.
    fn of(nest: &'n Nest<'c, 'a>, positions: &[usize]) -> Result<Self, Obstacle> {
        let mut search = Self::new(nest);
        for &position in positions {
            search.carried(nest.op, position);
        }
        search.finish()?;
        Ok(search)
    }

    fn finish(&mut self) -> Result<(), Obstacle> {
        while let Some(value) = self.waiting.pop() {
            self.follow(value)?;
        }
        Ok(())
    }

    fn add(&mut self, value: Value<'c, 'a>) {
        if self.nest.defines(value) && self.needed.values.insert(key(value)) {
            self.waiting.push(value);
        }
    }

    fn follow(&mut self, value: Value<'c, 'a>) -> Result<(), Obstacle> {
        let owner = definition(value);
        if is_array(value.r#type()) && !owner.is_some_and(is_view) {
            return self.array(value);
        }
        if let Some((op, number)) = argument_of(value) {
            return self.argument(op, number);
        }
        match (owner, as_result(value)) {
            (Some(op), Some(result)) => self.result(op, result.result_number()),
            _ => Ok(()),
        }
    }

    fn argument(&mut self, op: OperationRef<'c, 'a>, number: usize) -> Result<(), Obstacle> {
        let Some(places) = places(op) else {
            return self.whole(op);
        };
        self.enter(op)?;
        match number.checked_sub(places.argument) {
            Some(position) => self.carried(op, position),
            None if op_name(op) == "nest.keep" => self.count(op),
            None => {}
        }
        Ok(())
    }

    fn result(&mut self, op: OperationRef<'c, 'a>, number: usize) -> Result<(), Obstacle> {
        let Some(places) = places(op) else {
            return self.whole(op);
        };
        self.enter(op)?;
        match number.checked_sub(places.result) {
            Some(position) => self.carried(op, position),
            None => self.count(op),
        }
        Ok(())
    }

    /// Something that a loop or filter carries.
    fn carried(&mut self, op: OperationRef<'c, 'a>, position: usize) {
        if op == self.nest.op && !self.needed.positions.insert(position) {
            return;
        }
        let init = places(op).and_then(|places| op.operand_at(places.operand + position));
        let last = OpView::of(op).block().and_then(|block| {
            let last = melior::ir::BlockLike::terminator(&block)?;
            last.operand_at(position)
        });
        init.into_iter()
            .chain(last)
            .for_each(|value| self.add(value));
    }

    /// How many elements a filter has kept.
    fn count(&mut self, keep: OperationRef<'c, 'a>) {
        keep.operand(1)
            .into_iter()
            .for_each(|value| self.add(value));
    }

    /// An op, and when it runs.
    fn enter(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Obstacle> {
        if op == self.nest.op || !self.needed.ops.insert(op_key(op)) {
            return Ok(());
        }
        if places(op).is_some() {
            // The length of a loop, the condition of a filter.
            op.operand(0).into_iter().for_each(|value| self.add(value));
        }
        match ancestors(op).next() {
            Some(around) if places(around).is_some() => self.enter(around),
            Some(around) => self.whole(around),
            None => Ok(()),
        }
    }

    /// An op with all that it uses, and all that is in it.
    fn whole(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Obstacle> {
        let is_known = self.needed.has(op);
        self.enter(op)?;
        if is_known {
            return Ok(());
        }
        let inside = operations(op).into_iter();
        let mut written = inside.flat_map(Access::of).filter(|access| access.is_write);
        if !written.all(|access| access.is_local_to(self.nest)) {
            return Err(Obstacle::WritesInside(op_name(op).to_owned()));
        }
        op.operands()
            .chain(captured(op))
            .for_each(|value| self.add(value));
        Ok(())
    }

    /// An array: if it is local to an iteration, with all that is written into it.
    fn array(&mut self, array: Value<'c, 'a>) -> Result<(), Obstacle> {
        let origin = first(array);
        if !self.nest.defines(origin) {
            return Ok(());
        }
        match definition(origin) {
            Some(local) if op_name(local) == "nest.local" => self.whole(local)?,
            other => {
                let name = other.map_or("", |op| op_name(op));
                return Err(Obstacle::Allocates(name.to_owned()));
            }
        }
        for op in self.nest.deep_ops() {
            let mut accesses = Access::of(op).into_iter();
            if accesses.any(|access| access.is_write && access.root() == root(array)) {
                self.whole(op)?;
            }
        }
        Ok(())
    }

    /// Checks without which what is needed could fail. Those that depend on what is not known
    /// before a part is summed up have nothing to do with that.
    fn add_checks(&mut self, known: &BTreeSet<usize>) -> Result<(), Obstacle> {
        for op in self.nest.deep_ops() {
            let around = ancestors(op).next();
            let is_apart = around.is_none_or(|around| places(around).is_none());
            if op_name(op) != "soac.check" || is_apart {
                continue;
            }
            let mut alone = Self::new(self.nest);
            alone.whole(op)?;
            alone.finish()?;
            if alone.needed.positions.is_subset(known) {
                self.whole(op)?;
                self.finish()?;
            }
        }
        Ok(())
    }

    /// Parts are summed up before they write anything: an array that they write has to be read
    /// before that, and not in a loop inside that writes it, too.
    fn reads_nothing_written(&self) -> Result<(), Obstacle> {
        let ops = operations(self.nest.op).into_iter().enumerate();
        let accesses = ops.flat_map(|(place, op)| {
            let accesses = Access::of(op).into_iter();
            accesses.map(move |access| (place, op, access))
        });
        let outside = accesses.filter(|(_, _, access)| !access.is_local_to(self.nest));
        let outside: Vec<(usize, OperationRef, Access)> = outside.collect();
        let is_own =
            |&(place, read, ref access): &(usize, OperationRef<'c, 'a>, Access<'c, 'a>)| {
                let mut others = outside.iter().filter(|(_, _, other)| other.is_write);
                others.any(|&(other_place, write, ref other)| {
                    let is_late = other_place < place || self.share_loop(read, write);
                    other.root() == access.root() && is_late
                })
            };
        let mut reads = outside
            .iter()
            .filter(|(_, op, access)| !access.is_write && self.is_computed(*op));
        match reads.any(is_own) {
            true => Err(Obstacle::ReadsOwn),
            false => Ok(()),
        }
    }

    /// Whether two ops are in one loop inside.
    fn share_loop(&self, one: OperationRef<'c, 'a>, other: OperationRef<'c, 'a>) -> bool {
        let inside = |op| ancestors(op).take_while(|&around| around != self.nest.op);
        let mut around = inside(one).filter(|op| !matches!(op_name(*op), "nest.keep" | "scf.if"));
        around.any(|around| inside(other).any(|other| other == around))
    }

    /// Whether an op is needed, or is in one that is needed as a whole.
    fn is_computed(&self, op: OperationRef<'c, 'a>) -> bool {
        let around = std::iter::once(op).chain(ancestors(op));
        let mut around = around.take_while(|&op| places(op).is_none());
        around.any(|op| self.needed.has(op))
    }
}
