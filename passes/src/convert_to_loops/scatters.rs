//! Loops with scatters: how threads share them.
//!
//! 1. For each scatter, its operator, or the user, says which strategies there are
//!    ([`strategy`]). From that follow up to two versions of the loop.
//! 2. Sizes say when the program runs which version it is. Where threads are not worth
//!    it, the loop is not cut into chunks, and runs in order.
//! 3. In a chunk, a scatter computes places and elements, with vectors ([`element`]).
//!    They go where its strategy has them: to their places, into the chunk's table
//!    ([`tables`]), or into its log ([`partition`]), of which a record ([`record`]) is
//!    kept of each element until all chunks are done ([`buckets`]).
//!
//! How a loop is cut depends on sizes alone, never on the number of threads.
//!
//! Cost: the loop's code is there twice at most.

mod buckets;
mod element;
mod extent;
mod partition;
mod record;
mod strategy;
mod tables;

use std::collections::BTreeMap;

use comb_machine::tuning::scatters::{LARGE, PLACES_OF_AN_ELEMENT, WORK_OF_AN_ELEMENT};
use melior::ir::{Type, Value};
use soac_dialect::builder::{Builder, Predicate, Size};

use super::{
    applications::Site,
    chunks::Chunks,
    emitter::{Emitted, Emitter, Values},
    plan::{ArrayId, Kind, LeafId, Loop},
};
use crate::{
    scatter_wishes::{may_be_privatised, wish},
    transformations::Transformation,
};
use extent::Extent;
use nest_dialect::strategy::Strategy;
use partition::{Log, Partition};
use tables::{Table, Tables};

/// Where a scatter puts its elements.
#[derive(Clone)]
pub(super) enum Sink<'c, 'a> {
    /// Into the table of the chunk.
    Table(Table<'c, 'a>),
    /// Into the log of the chunk.
    Log(Log<'c, 'a>),
}

/// A strategy for each scatter in a loop.
pub(super) type Version = BTreeMap<LeafId, Choice>;

/// A strategy for a scatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    strategy: Strategy,
    /// Whether the user asks for it.
    is_wish: bool,
}

/// What there is for each scatter while a loop runs in chunks.
pub(super) struct Open<'c, 'a> {
    tables: Vec<Tables<'c, 'a>>,
    partitions: Vec<Partition<'c, 'a>>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// One of the outermost loops, which threads may share.
    pub fn shared_loop(&mut self, r#loop: &Loop<'c, 'a>) -> Emitted<'c, ()> {
        let front = self.front;
        let versions = self.versions(r#loop)?;
        let has_tables = |version: &Version| {
            let mut choices = version.values();
            choices.all(|choice| choice.strategy == Strategy::Privatised)
        };
        match versions.as_slice() {
            [] => self.in_order(&front, r#loop),
            [only] if only.values().all(|choice| choice.is_wish) => {
                let chunks = self.cut(&front, r#loop, only)?;
                self.chunked(&front, r#loop, &chunks, only)
            }
            [others @ .., tables] if has_tables(tables) => {
                self.loop_with_tables(r#loop, tables, others.first())
            }
            [version, ..] => {
                let chunks = self.cut(&front, r#loop, version)?;
                let is_worth_it = self.is_worth_it(&front, version, &chunks)?;
                let is_heavy = self.is_heavy(&front, r#loop, version, &chunks)?;
                let is_shared = front.arithmetic("arith.ori", &[is_worth_it, is_heavy])?;
                self.either(
                    r#loop,
                    is_shared,
                    &mut |this, builder| this.chunked(builder, r#loop, &chunks, version),
                    &mut |this, builder| this.in_order(builder, r#loop),
                )
            }
        }
    }

    /// A loop with tables, which is one chunk in order if they are not worth it; or,
    /// where that is worth it, in another version.
    fn loop_with_tables(
        &mut self,
        r#loop: &Loop<'c, 'a>,
        tables: &Version,
        other: Option<&Version>,
    ) -> Emitted<'c, ()> {
        let front = self.front;
        let chunks = self.cut(&front, r#loop, tables)?;
        let is_worth_it = self.is_worth_it(&front, tables, &chunks)?;
        let chunks = self.cut_if(&front, is_worth_it, r#loop, &chunks)?;
        let Some(other) = other else {
            return self.chunked(&front, r#loop, &chunks, tables);
        };
        let other_chunks = self.cut(&front, r#loop, other)?;
        let is_other = self.is_worth_it(&front, other, &other_chunks)?;
        self.either(
            r#loop,
            is_other,
            &mut |this, builder| this.chunked(builder, r#loop, &other_chunks, other),
            &mut |this, builder| this.chunked(builder, r#loop, &chunks, tables),
        )
    }

    /// A loop on one thread.
    pub fn in_order(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, ()> {
        self.allocate_rows(builder, Some(r#loop))?;
        self.allocate_lines(builder, r#loop)?;
        self.whole_loop(builder, r#loop)
    }

    /// The strategies with which a loop can run on several threads: none if there are
    /// not, and two if the sizes have to choose. The last one is with tables then.
    fn versions(&self, r#loop: &Loop<'c, 'a>) -> Emitted<'c, Vec<Version>> {
        let scatters: Vec<LeafId> = self
            .leaves_in(r#loop)
            .into_iter()
            .filter(|&leaf| self.plan.leaves[leaf].kind == Kind::Scatter)
            .collect();
        let (mut partitioned, mut privatised) = (Some(Version::new()), Some(Version::new()));
        let mut has_small = false;
        for number in scatters {
            let leaf = &self.plan.leaves[number];
            let wish = wish(leaf.op)?;
            let has_lengths = leaf.lengths.iter().all(Option::is_some);
            if wish == Some(Strategy::Sequential)
                || self.plan.clock(number).is_some()
                || !has_lengths
                || leaf.lengths.is_empty()
            {
                return Ok(vec![]);
            }
            let add = |version: &mut Option<Version>, strategy: Strategy, is_possible: bool| {
                let choice = Choice {
                    strategy: wish.unwrap_or(strategy),
                    is_wish: wish.is_some(),
                };
                match version {
                    Some(choices) if is_possible || choice.is_wish => {
                        choices.insert(number, choice);
                    }
                    _ => *version = None,
                }
            };
            let applies =
                |transformation| wish.is_some() || self.applies(transformation, Site::Leaf(number));
            let has_tables = may_be_privatised(&leaf.view) && applies(Transformation::Tables);
            has_small |= wish.is_none() && self.is_small(number)?;
            add(
                &mut partitioned,
                Strategy::Partitioned,
                applies(Transformation::Buckets),
            );
            add(&mut privatised, Strategy::Privatised, has_tables);
        }
        if partitioned == privatised {
            privatised = None;
        }
        if has_small && (privatised.is_some() || !self.has_nests(r#loop)) {
            partitioned = None;
        }
        Ok([partitioned, privatised].into_iter().flatten().collect())
    }

    /// Whether a scatter's destination is known to be so small that it is not worth it
    /// to partition it.
    fn is_small(&self, number: LeafId) -> Emitted<'c, bool> {
        let sizes = self.destination(number)?.remove(0).sizes;
        let mut known = sizes.into_iter().map(Size::known);
        let places = known.try_fold(1_u64, |places, size| places.checked_mul(size?));
        Ok(places.is_some_and(|places| places < self.large(number) as u64))
    }

    /// How many places a large destination has.
    fn large(&self, number: LeafId) -> i64 {
        LARGE / strategy::bytes_of_places(&self.plan.leaves[number].view)
    }

    /// Whether it is worth it to share a loop in this version.
    fn is_worth_it(
        &self,
        builder: &Builder<'c, 'a>,
        version: &Version,
        chunks: &Chunks<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let mut holds = builder.compare(Predicate::Sgt, chunks.count, builder.index(1)?)?;
        for (&number, choice) in version {
            if choice.is_wish || choice.strategy != Strategy::Partitioned {
                continue;
            }
            let extent = self.extent(builder, number)?;
            let large = builder.index(self.large(number))?;
            let is_large = builder.compare(Predicate::Sge, extent.places, large)?;
            let share = builder.index(PLACES_OF_AN_ELEMENT)?;
            let share = builder.arithmetic("arith.divsi", &[extent.places, share])?;
            let has_many = builder.compare(Predicate::Sge, extent.elements, share)?;
            holds = builder.arithmetic("arith.andi", &[holds, is_large])?;
            holds = builder.arithmetic("arith.andi", &[holds, has_many])?;
        }
        Ok(holds)
    }

    /// Whether a loop has so much work besides its scatters that it is shared whatever these cost.
    fn is_heavy(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        version: &Version,
        chunks: &Chunks<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let mut elements = builder.index(0)?;
        for &number in version.keys() {
            let inner = self.extent(builder, number)?.inner;
            elements = builder.arithmetic("arith.addi", &[elements, inner])?;
        }
        let share = builder.index(WORK_OF_AN_ELEMENT)?;
        let least = builder.arithmetic("arith.muli", &[elements, share])?;
        let work = self.work_of_iteration(builder, r#loop)?;
        let is_heavy = builder.compare(Predicate::Sge, work, least)?;
        let are_several = builder.compare(Predicate::Sgt, chunks.count, builder.index(1)?)?;
        Ok(builder.arithmetic("arith.andi", &[is_heavy, are_several])?)
    }

    /// These chunks, or else one chunk for all.
    fn cut_if(
        &self,
        builder: &Builder<'c, 'a>,
        condition: Value<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        chunks: &Chunks<'c, 'a>,
    ) -> Emitted<'c, Chunks<'c, 'a>> {
        let all = builder.size_value(r#loop.length)?;
        let one = builder.index(1)?;
        let fewer = builder.arithmetic("arith.minsi", &[chunks.count, one])?;
        Ok(Chunks {
            length: builder.select(condition, chunks.length, all)?,
            count: builder.select(condition, chunks.count, fewer)?,
            multiple: 1,
            block: chunks.block,
        })
    }

    /// How long chunks are at least in a version.
    pub fn length_for_scatters(
        &self,
        builder: &Builder<'c, 'a>,
        version: &Version,
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        let mut longest: Option<Value> = None;
        for (&number, choice) in version {
            let extent = self.extent(builder, number)?;
            let length = match choice.strategy {
                Strategy::Sequential => continue,
                Strategy::Privatised => {
                    self.length_with_tables(builder, number, &extent, choice.is_wish)?
                }
                Strategy::Partitioned => self.length_with_buckets(builder, number, &extent)?,
            };
            longest = Some(match longest {
                Some(longest) => builder.arithmetic("arith.maxsi", &[longest, length])?,
                None => length,
            });
        }
        Ok(longest)
    }

    /// What scatters need before a loop in chunks begins.
    pub fn open_scatters(
        &mut self,
        builder: &Builder<'c, 'a>,
        version: &Version,
        chunks: &Chunks<'c, 'a>,
    ) -> Emitted<'c, Open<'c, 'a>> {
        let mut open = Open {
            tables: vec![],
            partitions: vec![],
        };
        for (&number, choice) in version {
            let extent: Extent = self.extent(builder, number)?;
            match choice.strategy {
                Strategy::Sequential => {}
                Strategy::Privatised => {
                    let tables = self.open_tables(builder, number, &extent, chunks.count)?;
                    open.tables.push(tables);
                }
                Strategy::Partitioned => {
                    let partition = self.open_partition(builder, number, &extent, chunks.count)?;
                    open.partitions.push(partition);
                }
            }
        }
        Ok(open)
    }

    /// What scatters do when a chunk begins.
    pub fn begin_scatters(
        &mut self,
        builder: &Builder<'c, 'a>,
        open: &Open<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        chunk: Value<'c, 'a>,
        bounds: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        if !open.tables.is_empty() {
            self.allocate_lines(builder, r#loop)?;
        }
        for tables in &open.tables {
            self.begin_table(builder, tables, chunk)?;
        }
        for partition in &open.partitions {
            self.begin_log(builder, partition, bounds)?;
        }
        Ok(())
    }

    /// What scatters do when a chunk ends.
    pub fn end_scatters(
        &mut self,
        builder: &Builder<'c, 'a>,
        open: &Open<'c, 'a>,
        chunk: Value<'c, 'a>,
        bounds: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        for partition in &open.partitions {
            self.end_log(builder, partition, chunk, bounds)?;
        }
        self.scatters.clear();
        Ok(())
    }

    /// What scatters do when all chunks are done.
    pub fn finish_scatters(
        &mut self,
        builder: &Builder<'c, 'a>,
        open: &Open<'c, 'a>,
        chunks: &Chunks<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for tables in &open.tables {
            self.combine_tables(builder, tables, chunks.count)?;
        }
        for partition in &open.partitions {
            self.empty_buckets(builder, partition, chunks.count)?;
        }
        Ok(())
    }

    /// One of two versions of a loop.
    fn either(
        &mut self,
        r#loop: &Loop<'c, 'a>,
        condition: Value<'c, 'a>,
        then: &mut Code<'_, 'c, 'a, Self>,
        otherwise: &mut Code<'_, 'c, 'a, Self>,
    ) -> Emitted<'c, ()> {
        let front = self.front;
        let given = self.given_by(r#loop);
        let filters = self.filters_in(r#loop);
        let index = front.index_type();
        let elements = given.iter().map(|&array| self.plan.arrays[array].element);
        let types: Vec<Type> = elements.chain(filters.iter().map(|_| index)).collect();
        let (now, states) = (self.now.clone(), self.states.clone());
        let this = std::cell::RefCell::new(&mut *self);
        let run = |builder: &Builder<'c, 'a>, code: &mut Code<'_, 'c, 'a, Self>| {
            let mut borrowed = this.borrow_mut();
            let this = &mut **borrowed;
            code(this, builder)?;
            let elements = given
                .iter()
                .map(|array| this.now.scope.whole(builder, this.now.elements[array]))
                .collect::<Emitted<Values>>()?;
            let kept = filters.iter().map(|filter| this.states[filter][0]);
            let results = elements.into_iter().chain(kept).collect();
            (this.now, this.states) = (now.clone(), states.clone());
            Emitted::Ok(results)
        };
        let results = front.if_else(
            condition,
            &types,
            |builder| run(builder, then),
            |builder| run(builder, otherwise),
        )?;
        let (elements, kept) = results.split_at(given.len());
        for (&array, &value) in given.iter().zip(elements) {
            let value = super::lanes::Lanes::Uniform(value);
            self.now.elements.insert(array, value);
        }
        for (&filter, &value) in filters.iter().zip(kept) {
            self.states.insert(filter, vec![value]);
        }
        Ok(())
    }

    /// The numbers that folds over a whole loop give.
    fn given_by(&self, r#loop: &Loop<'c, 'a>) -> Vec<ArrayId> {
        let folds = self.leaves_in(r#loop).into_iter().filter(|&number| {
            let leaf = &self.plan.leaves[number];
            leaf.kind == Kind::Fold && self.begins(number, r#loop.level)
        });
        folds
            .flat_map(|leaf| self.plan.leaves[leaf].results())
            .collect()
    }

    fn filters_in(&self, r#loop: &Loop<'c, 'a>) -> Vec<LeafId> {
        let mut filters = self.leaves_in(r#loop);
        filters.retain(|&leaf| self.plan.leaves[leaf].kind == Kind::Filter);
        filters
    }
}

/// Makes code.
type Code<'s, 'c, 'a, E> = dyn FnMut(&mut E, &Builder<'c, 'a>) -> Emitted<'c, ()> + 's;
