//! Positions of gathers that other gathers give, computed ahead.
//!
//! In `x[i[j[k]]]`, memory is asked for an element of `x` only when it has answered with one
//! of `i`. While a CPU waits for both, one after the other, it can ask for what few other
//! iterations need, so memory is far from busy. A loop with such gathers goes in *blocks* of
//! iterations: for each, a loop of its own computes the positions in `x` and keeps them in a
//! buffer that stays in the cache, and then the others follow. In each of these loops,
//! no question depends on the answer to another.
//!
//! 1. For each gather, count how often memory has to answer, one time after the other, before
//!    its position is known ([`Emitter::rounds_of_position`]).
//! 2. Those with the same number, if it is not 0, are a *stage*, with all combinators that
//!    compute what they need. What runs in the last loop is all that gives results.
//!
//! A loop over one dimension may go in blocks, if it computes nothing but single elements.
//!
//! Cost: linear in the number of operands. The code of what positions need is there once more
//! for each stage.

use std::collections::{BTreeMap, BTreeSet};

use comb_machine::tuning::{
    ahead::{BLOCK, SHORT_BLOCK},
    chunks::WHOLE_VECTORS,
};
use melior::ir::Value;
use soac_dialect::{
    builder::{Builder, Size},
    view::op_name,
};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter, Values, internal},
    lanes::Lanes,
    lanes::memory::{element_type, load_vector, store_vector},
    leads::Bounds,
    plan::{ArrayId, Component, Item, Kind, Leaf, LeafId, Loop, Source},
    read::rank,
    steps::cast_indices,
    streaming::Stores,
    widths::{bits, element},
};
use crate::{transformations::Transformation, walk::operations};

/// The positions in a block that are known.
#[derive(Clone)]
pub(super) struct Ahead<'c, 'a> {
    /// The first iteration.
    origin: Value<'c, 'a>,
    /// For each gather, memory for each component of its positions that is read.
    known: BTreeMap<LeafId, Values<'c, 'a>>,
    /// The same for those that are being computed.
    computing: BTreeMap<LeafId, Values<'c, 'a>>,
    /// The gathers whose positions were computed on the way, and checked.
    checked: BTreeSet<LeafId>,
}

impl<'c, 'a> Ahead<'c, 'a> {
    /// Nothing is known yet of the block that begins at an iteration.
    fn at(origin: Value<'c, 'a>) -> Self {
        Self {
            origin,
            known: BTreeMap::new(),
            computing: BTreeMap::new(),
            checked: BTreeSet::new(),
        }
    }
}

/// What runs in the loops over a block.
struct Stages {
    before: Vec<Stage>,
    rest: BTreeSet<LeafId>,
}

/// A loop that computes positions.
struct Stage {
    gathers: BTreeSet<LeafId>,
    /// What they need.
    needed: Needed,
}

/// What has to run at an iteration.
#[derive(Default)]
struct Needed {
    leaves: BTreeSet<LeafId>,
    /// The gathers whose positions have to be known.
    positions: BTreeSet<LeafId>,
}

/// How a position is come by.
#[derive(Clone, Copy)]
struct Way {
    /// How often memory answers before, one time after the other.
    rounds: usize,
    /// Whether it may be any: then memory is not read in order there.
    is_anywhere: bool,
}

impl Way {
    const IN_ORDER: Self = Self {
        rounds: 0,
        is_anywhere: false,
    };

    /// How often memory has answered when the element is there.
    fn rounds_behind(self) -> usize {
        self.rounds + usize::from(self.is_anywhere)
    }
}

/// What has to be known at an iteration.
enum Need {
    Element(LeafId),
    Position(LeafId),
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Some iterations of a loop, in blocks if there are positions to compute ahead, or else
    /// as other code says.
    pub fn in_blocks_or(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        [first, end]: Bounds<'c, 'a>,
        run: impl Fn(&mut Self, &Builder<'c, 'a>, Bounds<'c, 'a>) -> Emitted<'c, ()>,
    ) -> Emitted<'c, ()> {
        let Some(stages) = self.stages(r#loop) else {
            return run(self, builder, [first, end]);
        };
        let short = Size::Static(self.short_block(r#loop));
        let length = self.long_block.map_or(short, Size::Dynamic);
        let gathers = stages.before.iter().flat_map(|stage| &stage.gathers);
        let buffers =
            gathers.map(|&gather| Ok((gather, self.position_buffers(builder, gather, length)?)));
        let buffers = buffers.collect::<Emitted<BTreeMap<LeafId, Values>>>()?;
        let block = builder.size_value(length)?;
        self.carrying(|this, carried| {
            builder.range_loop([first, end, block], carried, |builder, origin, carried| {
                let block_end = builder.arithmetic("arith.addi", &[origin, block])?;
                let block_end = builder.arithmetic("arith.minsi", &[block_end, end])?;
                let bounds = [origin, block_end];
                let after = this.aside(|this| {
                    this.set_carried(carried);
                    let mut ahead = Ahead::at(origin);
                    for stage in &stages.before {
                        let computing = stage.gathers.iter();
                        let computing = computing.map(|gather| (*gather, buffers[gather].clone()));
                        ahead.computing = computing.collect();
                        this.selected = Some(stage.needed.leaves.clone());
                        this.ahead = Some(ahead.clone());
                        // Positions stay in the caches.
                        this.storing(Stores::Cached, |this| {
                            this.vectors(builder, r#loop, lanes, bounds)
                        })?;
                        ahead.known.append(&mut ahead.computing);
                        ahead.checked.extend(&stage.needed.positions);
                    }
                    this.selected = Some(stages.rest.clone());
                    this.ahead = Some(ahead);
                    run(this, builder, bounds)
                });
                this.selected = None;
                this.ahead = None;
                after
            })
        })
    }

    /// Whether a loop goes in blocks.
    pub fn goes_in_blocks(&self, r#loop: &Loop<'c, 'a>) -> bool {
        self.forms.rows(r#loop).is_none()
            && self.lanes_of(r#loop) > 1
            && self.stages(r#loop).is_some()
    }

    /// How many iterations a block has that is not long.
    pub fn short_block(&self, r#loop: &Loop<'c, 'a>) -> i64 {
        match self.budget(r#loop) < WHOLE_VECTORS {
            true => SHORT_BLOCK,
            false => BLOCK,
        }
    }

    /// Memory for the positions of a gather in a block of some length, in numbers of the type
    /// that they have in memory.
    fn position_buffers(
        &self,
        builder: &Builder<'c, 'a>,
        gather: LeafId,
        length: Size<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let view = &self.plan.leaves[gather].view;
        let operands = view.group(1);
        operands
            .map(|operand| {
                let number = element(view.operand_type(operand));
                let number = match bits(number) {
                    1..64 => number,
                    _ => builder.index_type(),
                };
                Ok(builder.allocate(&[length], number)?)
            })
            .collect()
    }

    /// Keeps the positions that are computed at the iterations at hand.
    pub fn keep_positions(&mut self, builder: &Builder<'c, 'a>) -> Emitted<'c, ()> {
        let Some(ahead) = &self.ahead else {
            return Ok(());
        };
        let (origin, computing) = (ahead.origin, ahead.computing.clone());
        for (gather, memories) in computing {
            let position = self.position(builder, gather)?;
            for (memory, lanes) in memories.into_iter().zip(position) {
                let scope = self.now.scope;
                let place = self.place_in_block(builder, gather, origin)?;
                let value = scope.whole(builder, lanes)?;
                let r#type = scope.r#type(builder, element_type(memory)?);
                let value = cast_indices(builder, value, r#type)?;
                store_vector(builder, &scope, memory, &[place], value)?;
            }
        }
        Ok(())
    }

    /// Where a gather reads at the iterations at hand, if that was computed and checked ahead.
    pub fn position_ahead(
        &mut self,
        builder: &Builder<'c, 'a>,
        gather: LeafId,
    ) -> Emitted<'c, Option<Vec<Lanes<'c, 'a>>>> {
        let Some(ahead) = &self.ahead else {
            return Ok(None);
        };
        let Some(memories) = ahead.known.get(&gather).cloned() else {
            return Ok(None);
        };
        let place = self.place_in_block(builder, gather, ahead.origin)?;
        let scope = self.now.scope;
        let load = |memory: Value<'c, 'a>| {
            let value = load_vector(builder, &scope, memory, &[place])?;
            let value = cast_indices(builder, value, scope.r#type(builder, builder.index_type()))?;
            Ok(scope.lanes(value, false))
        };
        let position = memories.into_iter().map(load);
        Ok(Some(position.collect::<Emitted<_>>()?))
    }

    /// The number of the first iteration at hand in the block.
    fn place_in_block(
        &self,
        builder: &Builder<'c, 'a>,
        gather: LeafId,
        origin: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let Some(&Lanes::Steps { first, step: 1 }) = self.now.index.last() else {
            let location = self.plan.leaves[gather].view.location;
            return Err(internal(location, "a block does not go forwards"));
        };
        Ok(builder.arithmetic("arith.subi", &[first, origin])?)
    }

    /// What runs in which loop over a block; nothing if one loop is enough.
    fn stages(&self, r#loop: &Loop<'c, 'a>) -> Option<Stages> {
        let is_plain = r#loop.level == 1
            && (r#loop.items.iter()).all(|item| matches!(item, Item::Leaf(_)))
            && self.selected.is_none()
            && self.strands.is_empty()
            && self.updates.is_empty()
            && !self.leads.contains_key(&r#loop.id);
        if !is_plain {
            return None;
        }
        let mut gathers: BTreeMap<usize, BTreeSet<LeafId>> = BTreeMap::new();
        for leaf in self.leaves_in(r#loop) {
            let is_gather = self.plan.leaves[leaf].kind == Kind::Gather;
            let way = is_gather.then(|| self.way_to_position(leaf)).flatten();
            if let Some(way) = way.filter(|way| way.rounds > 0) {
                gathers.entry(way.rounds).or_default().insert(leaf);
            }
        }
        let mut known = BTreeSet::new();
        let mut before = vec![];
        for gathers in gathers.into_values() {
            let needs = gathers.iter().map(|&gather| Need::Position(gather));
            let needed = self.needed_beside(needs.collect(), &known);
            known.extend(&gathers);
            before.push(Stage { gathers, needed });
        }
        let results = self.leaves_in(r#loop).into_iter();
        let results = results.filter(|&leaf| self.gives_results(leaf));
        let rest = self.needed_beside(results.map(Need::Element).collect(), &known);
        let rest = rest.leaves;
        let applies = || self.applies(Transformation::Ahead, Site::Loop(r#loop.id));
        (!before.is_empty() && applies()).then_some(Stages { before, rest })
    }

    /// Whether a combinator does more than to compute elements for others in its loop.
    fn gives_results(&self, leaf: LeafId) -> bool {
        let leaf = &self.plan.leaves[leaf];
        let mut results = leaf.results();
        match leaf.kind {
            Kind::Generate | Kind::Map | Kind::Gather | Kind::Backpermute => {
                results.any(|array| self.places[array].is_some())
            }
            Kind::Fold | Kind::ScanLeft | Kind::ScanRight | Kind::Filter | Kind::Scatter => true,
        }
    }

    /// What has to run at an iteration if some positions are known.
    fn needed_beside(&self, mut needs: Vec<Need>, known: &BTreeSet<LeafId>) -> Needed {
        let mut needed = Needed::default();
        let producer = |source: &Option<Source>| match source {
            Some(Source::Computed(array)) => Some(Need::Element(self.plan.arrays[*array].leaf)),
            _ => None,
        };
        while let Some(need) = needs.pop() {
            let (number, operands) = match need {
                Need::Position(gather) if known.contains(&gather) => continue,
                Need::Position(gather) if !needed.positions.insert(gather) => continue,
                Need::Position(gather) => {
                    let leaf = &self.plan.leaves[gather];
                    (gather, leaf.view.group(0).end..leaf.operands.len())
                }
                Need::Element(leaf) if !needed.leaves.insert(leaf) => continue,
                Need::Element(number) => {
                    let leaf = &self.plan.leaves[number];
                    needs.extend(leaf.clock.map(Need::Element));
                    match leaf.kind {
                        Kind::Gather | Kind::Backpermute => {
                            needs.push(Need::Position(number));
                            (number, leaf.view.group(0))
                        }
                        _ => (number, 0..leaf.operands.len()),
                    }
                }
            };
            let leaf = &self.plan.leaves[number];
            needs.extend(leaf.operands[operands].iter().filter_map(producer));
            needs.extend(self.orders_of(leaf).map(Need::Position));
        }
        needed
    }

    /// The gathers in whose order a combinator is.
    fn orders_of(&self, leaf: &Leaf<'c, 'a>) -> impl Iterator<Item = LeafId> {
        leaf.components
            .iter()
            .filter_map(|component| match component {
                Component::Label(label) => self.plan.labels.get(label).copied(),
                Component::Loop { .. } => None,
            })
    }

    /// The way to where a gather reads; nothing if that cannot be computed ahead.
    fn way_to_position(&self, gather: LeafId) -> Option<Way> {
        let leaf = &self.plan.leaves[gather];
        let index = self.way_to_index(leaf)?;
        match leaf.kind {
            Kind::Backpermute if !reads_memory(leaf) => Some(index),
            Kind::Gather if Self::says_all_of_position(leaf) => {
                let operands = leaf.view.group(1);
                let rounds = operands.map(|operand| self.rounds_of_operand(leaf, operand, index));
                Some(Way {
                    rounds: most(rounds)?,
                    is_anywhere: true,
                })
            }
            _ => None,
        }
    }

    /// Whether a gather's operands are the whole of where it reads.
    fn says_all_of_position(leaf: &Leaf<'c, 'a>) -> bool {
        let source = leaf.view.operand_type(leaf.view.group(0).start);
        leaf.view.group(1).len() == rank(source)
    }

    /// The way to the index of a combinator in a loop over one dimension.
    fn way_to_index(&self, leaf: &Leaf<'c, 'a>) -> Option<Way> {
        match leaf.components.as_slice() {
            _ if leaf.clock.is_some() => None,
            [Component::Loop { .. }] => Some(Way::IN_ORDER),
            [Component::Label(label)] => self.way_to_position(*self.plan.labels.get(label)?),
            _ => None,
        }
    }

    fn rounds_of_operand(&self, leaf: &Leaf<'c, 'a>, operand: usize, at: Way) -> Option<usize> {
        match leaf.operands[operand] {
            None => Some(0),
            Some(Source::Given(_)) => Some(at.rounds_behind()),
            Some(Source::Computed(array)) => self.rounds_of_element(array),
        }
    }

    /// How often memory has answered when an element is there that is computed in the loop.
    fn rounds_of_element(&self, array: ArrayId) -> Option<usize> {
        let number = self.plan.arrays[array].leaf;
        let leaf = &self.plan.leaves[number];
        if leaf.results().any(|array| self.places[array].is_some()) {
            return None;
        }
        let at = match leaf.kind {
            Kind::Generate | Kind::Map if reads_memory(leaf) || leaf.is_map_of_arrays() => None,
            Kind::Generate | Kind::Map => self.way_to_index(leaf),
            Kind::Gather | Kind::Backpermute => self.way_to_position(number),
            Kind::Fold | Kind::ScanLeft | Kind::ScanRight | Kind::Filter | Kind::Scatter => None,
        }?;
        let operands = leaf.view.group(0);
        let read = most(operands.map(|operand| self.rounds_of_operand(leaf, operand, at)))?;
        Some(read.max(at.rounds))
    }

    /// Whether the positions of a gather were checked when others were computed ahead.
    pub fn is_checked_ahead(&self, gather: LeafId) -> bool {
        let ahead = self.ahead.as_ref();
        ahead.is_some_and(|ahead| ahead.checked.contains(&gather))
    }
}

/// The greatest of some numbers, if all are known.
fn most(mut numbers: impl Iterator<Item = Option<usize>>) -> Option<usize> {
    numbers.try_fold(0, |most, number| Some(most.max(number?)))
}

/// Whether a combinator's function reads arrays by itself.
fn reads_memory(leaf: &Leaf) -> bool {
    (operations(leaf.op).into_iter()).any(|op| op_name(op) == "tensor.extract")
}
