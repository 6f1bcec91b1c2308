//! What code generation keeps track of: where arrays are in memory, and the values
//! at the current iteration.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use melior::ir::{OperationRef, operation::OperationLike};
use melior::ir::{Value, ValueLike, r#type::RankedTensorType, r#type::ShapedTypeLike};
use soac_dialect::{
    builder::{Builder, Size},
    view::op_name,
};

use super::{
    Options,
    ahead::Ahead,
    applications::{Applications, Site},
    bursts::Burst,
    forms::Forms,
    inner_arrays::Views,
    jam::Write,
    kept::Buffer,
    lanes::{
        Lanes, Scope,
        gathers::Line,
        lambda::{InLanes, Local},
    },
    packing::Packed,
    pieces::Wrapping,
    plan::{ArrayId, LeafId, LoopId, Plan, Source},
    scatters::Sink,
    strands::{Stack, Strand},
    streaming::Stores,
    updates::Update,
};
use crate::{checks::facts::key, transformations::Transformation};

pub(super) use crate::lanes::{Emitted, internal};
pub(super) type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// Memory that holds an array, or the part of it at the current iteration of the
/// outer loops.
#[derive(Clone)]
pub(super) struct Place<'c, 'a> {
    pub memory: Value<'c, 'a>,
    pub sizes: Vec<Size<'c, 'a>>,
    /// The sizes of the array that it is a part of, which say how far elements are
    /// apart.
    pub pitches: Vec<Size<'c, 'a>>,
    /// How many of the array's outer dimensions the memory does not have.
    pub skipped: usize,
    /// Whether what is computed in the same cluster is read from here.
    pub is_read: bool,
    /// Whether it is a result whose vectors begin where lines of the cache do, if rows are
    /// whole lines: from the start of a row on, or behind the lead of its loop.
    pub is_aligned: bool,
}

impl<'c, 'a> Place<'c, 'a> {
    /// The memory as a line of elements.
    pub fn line(&self) -> Line<'c, 'a> {
        Line {
            memory: self.memory,
            pitches: self.pitches.clone(),
        }
    }
}

/// What a filter does with the elements of the current iteration.
#[derive(Clone, Copy)]
pub(super) struct Decision<'c, 'a> {
    /// Which lanes it keeps.
    pub scope: Scope<'c, 'a>,
    /// How many elements it kept before the first lane.
    pub before: Value<'c, 'a>,
}

/// The values at the current iteration.
#[derive(Clone)]
pub(super) struct Iteration<'c, 'a> {
    /// The index in every loop.
    pub index: Vec<Lanes<'c, 'a>>,
    /// Elements that are computed.
    pub elements: BTreeMap<ArrayId, Lanes<'c, 'a>>,
    /// Elements of arrays that are complete, if they are known already; by array.
    pub given: BTreeMap<usize, Lanes<'c, 'a>>,
    /// Where gathers read.
    pub positions: BTreeMap<LeafId, Vec<Lanes<'c, 'a>>>,
    /// What filters keep.
    pub decisions: BTreeMap<LeafId, Decision<'c, 'a>>,
    /// The lanes that count.
    pub scope: Scope<'c, 'a>,
}

impl<'c, 'a> Iteration<'c, 'a> {
    /// Outside of all loops.
    pub fn single() -> Self {
        Self {
            index: vec![],
            elements: BTreeMap::new(),
            given: BTreeMap::new(),
            positions: BTreeMap::new(),
            decisions: BTreeMap::new(),
            scope: Scope::single(),
        }
    }
}

/// Makes the code of one plan.
pub(super) struct Emitter<'p, 'c, 'a> {
    pub plan: &'p Plan<'c, 'a>,
    /// In front of the op that is replaced.
    pub front: Builder<'c, 'a>,
    pub options: Options<'p>,
    /// Which transformations are applied where.
    pub applications: Applications<'p, 'c, 'a>,
    /// Arrays that are complete before the loop begins.
    pub inputs: HashMap<usize, Place<'c, 'a>>,
    /// The arrays among them whose elements have to stay until all loops are over.
    pub needed: Values<'c, 'a>,
    /// Arrays that are computed, if they are in memory.
    pub places: Vec<Option<Place<'c, 'a>>>,
    /// Arrays of which rows are in memory, each with the number of outer dimensions
    /// that rows do not have.
    pub rows: Vec<(ArrayId, usize)>,
    /// Arrays that are written into the memory of old ones, from which they may be computed.
    pub in_old: BTreeSet<ArrayId>,
    /// How far behind the start of a row results begin that are parts of larger arrays.
    pub skews: BTreeMap<ArrayId, i64>,
    /// How many iterations of loops come before vectors begin where lines do.
    pub leads: BTreeMap<LoopId, Value<'c, 'a>>,
    /// Those of which each strand has a row.
    pub stacks: BTreeMap<ArrayId, Stack<'c, 'a>>,
    /// What is computed at once in loops that hold loops.
    pub forms: Forms,
    /// The same for loops with too few rows to pack anything.
    pub forms_without_packing: Forms,
    /// What is packed, by the combinator that gives it.
    pub packed: BTreeMap<LeafId, Packed<'c, 'a>>,
    /// What is being packed.
    pub packing: Option<Packed<'c, 'a>>,
    /// Results that are computed in their place in the array that they update, by number.
    pub updates: BTreeMap<usize, Update<'c, 'a>>,
    /// The numbers of other results that are computed in the memory of larger arrays.
    pub elsewhere: BTreeSet<usize>,
    /// Where inner arrays are.
    pub views: &'p mut Views<'c, 'a>,
    pub now: Iteration<'c, 'a>,
    /// What folds, scans and filters carry from one iteration to the next.
    pub states: BTreeMap<LeafId, Values<'c, 'a>>,
    /// The iterations that run at the same time as the one at hand.
    pub strands: Vec<Strand<'c, 'a>>,
    /// What is to be written when all rows of the iteration at hand have been computed; nothing
    /// if that is written at once.
    pub writes: Option<Vec<Write<'c, 'a>>>,
    /// The only combinators that run; nothing if all do.
    pub selected: Option<BTreeSet<LeafId>>,
    /// How whole vectors are written where they are aligned.
    pub stores: Stores<'c, 'a>,
    /// Where a chunk puts what filters keep that is written past the caches.
    pub buffers: BTreeMap<ArrayId, Buffer<'c, 'a>>,
    /// Where the block at hand puts what it writes in bursts.
    pub bursts: BTreeMap<ArrayId, Burst<'c, 'a>>,
    /// Where the chunk at hand ends in what filters keep, if that is known before it has ended.
    pub ends_kept: BTreeMap<LeafId, Value<'c, 'a>>,
    /// The scans and filters of which only the sum is wanted now. Nothing is
    /// written then that nobody reads.
    pub reducing: BTreeSet<LeafId>,
    /// What is known of indices that wrap around.
    pub wrapping: Wrapping<'c, 'a>,
    /// How many iterations a block of the chunk at hand has, if that is to be seen when the
    /// program runs.
    pub long_block: Option<Value<'c, 'a>>,
    /// What is known of positions in the block at hand.
    pub ahead: Option<Ahead<'c, 'a>>,
    /// Where scatters put their elements, if not to their places one by one.
    pub scatters: BTreeMap<LeafId, Sink<'c, 'a>>,
    /// Memory from which scatters take their lanes one by one.
    pub lines: BTreeMap<LeafId, Values<'c, 'a>>,
}

impl<'p, 'c: 'a, 'a> Emitter<'p, 'c, 'a> {
    pub fn new(
        plan: &'p Plan<'c, 'a>,
        front: Builder<'c, 'a>,
        options: Options<'p>,
        views: &'p mut Views<'c, 'a>,
    ) -> Self {
        Self {
            places: plan.arrays.iter().map(|_| None).collect(),
            rows: vec![],
            in_old: BTreeSet::new(),
            skews: BTreeMap::new(),
            leads: BTreeMap::new(),
            stacks: BTreeMap::new(),
            forms: Forms::default(),
            forms_without_packing: Forms::default(),
            packed: BTreeMap::new(),
            packing: None,
            updates: BTreeMap::new(),
            elsewhere: BTreeSet::new(),
            views,
            plan,
            front,
            options,
            applications: Applications::new(plan, options.switches),
            inputs: HashMap::new(),
            needed: vec![],
            now: Iteration::single(),
            states: BTreeMap::new(),
            strands: vec![],
            writes: None,
            selected: None,
            stores: Stores::Cached,
            buffers: BTreeMap::new(),
            bursts: BTreeMap::new(),
            ends_kept: BTreeMap::new(),
            reducing: BTreeSet::new(),
            wrapping: Wrapping::default(),
            long_block: None,
            ahead: None,
            scatters: BTreeMap::new(),
            lines: BTreeMap::new(),
        }
    }

    /// Whether a transformation is applied somewhere. To be asked when all else speaks for it.
    pub fn applies(&self, transformation: Transformation, site: Site) -> bool {
        self.applications.applies(transformation, site)
    }

    /// The memory of an array that is complete.
    pub fn input(&mut self, array: Value<'c, 'a>) -> Emitted<'c, Place<'c, 'a>> {
        if let Some(place) = self.known_input(array) {
            return Ok(place.clone());
        }
        self.needed.push(array);
        self.new_input(array)
    }

    /// Finds the memory of an array that the loops overwrite where they have read it. So its elements
    /// are only needed until that memory is claimed.
    pub fn find_old(&mut self, array: Value<'c, 'a>) -> Emitted<'c, ()> {
        if self.known_input(array).is_none() {
            self.new_input(array)?;
            self.front.needed(&[array])?;
        }
        Ok(())
    }

    fn known_input(&self, array: Value<'c, 'a>) -> Option<&Place<'c, 'a>> {
        let known = self.inputs.get(&key(array));
        known.or_else(|| self.views.get(&key(array)))
    }

    fn new_input(&mut self, array: Value<'c, 'a>) -> Emitted<'c, Place<'c, 'a>> {
        let place = Place {
            memory: self.front.buffer_to_read(array)?,
            sizes: self.front.sizes(array)?,
            pitches: self.front.sizes(array)?,
            skipped: 0,
            is_read: true,
            is_aligned: false,
        };
        self.inputs.insert(key(array), place.clone());
        Ok(place)
    }

    /// The elements of an operand at an index of its array.
    pub fn element(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        operand: usize,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Lanes<'c, 'a>> {
        match self.plan.leaves[leaf].operands[operand] {
            None => {
                let operand = self.plan.leaves[leaf].view.operands[operand];
                return Ok(Lanes::Uniform(operand));
            }
            Some(Source::Computed(array)) => {
                if let Some(&element) = self.now.elements.get(&array) {
                    return Ok(element);
                }
            }
            Some(Source::Given(array)) => {
                if let Some(&element) = self.now.given.get(&key(array)) {
                    return Ok(element);
                }
            }
        }
        let place = self.place_of(leaf, operand)?;
        self.read(builder, &place, &index[place.skipped..])
    }

    /// Where an array is that a combinator reads.
    pub fn place_of(&mut self, leaf: LeafId, operand: usize) -> Emitted<'c, Place<'c, 'a>> {
        let leaf = &self.plan.leaves[leaf];
        let place = match leaf.operands[operand] {
            Some(Source::Given(array)) => Some(self.input(array)?),
            Some(Source::Computed(array)) => self.places[array].clone(),
            None => None,
        };
        place.ok_or_else(|| internal(leaf.view.location, "reads what is not there yet"))
    }

    /// The elements of a group of operands at an index.
    pub fn elements(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        group: usize,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let operands = self.plan.leaves[leaf].view.group(group);
        operands
            .map(|operand| {
                let rank = self.rank(leaf, operand);
                self.element(builder, leaf, operand, &index[..rank])
            })
            .collect()
    }

    fn rank(&self, leaf: LeafId, operand: usize) -> usize {
        let r#type = self.plan.leaves[leaf].view.operands[operand].r#type();
        RankedTensorType::try_from(r#type).map_or(0, |array| array.rank())
    }
}

impl<'c: 'a, 'a> InLanes<'c, 'a> for Emitter<'_, 'c, 'a> {
    fn scope(&self) -> Scope<'c, 'a> {
        self.now.scope
    }

    fn set_scope(&mut self, scope: Scope<'c, 'a>) -> Scope<'c, 'a> {
        std::mem::replace(&mut self.now.scope, scope)
    }

    fn other_op(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Option<Vec<Lanes<'c, 'a>>>> {
        if op_name(op) != "tensor.extract" || local.contains_key(&key(op.operand(0)?)) {
            return Ok(None);
        }
        let place = self.input(op.operand(0)?)?;
        Ok(Some(vec![self.read(builder, &place, &operands[1..])?]))
    }

    fn known_steps(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Option<Lanes<'c, 'a>>> {
        self.unwrapped(builder, op, operands)
    }

    fn leaves_checks_out(&self) -> bool {
        self.is_measuring()
    }
}
