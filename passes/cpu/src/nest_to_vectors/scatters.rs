//! How chunks of a loop share its scatters: what sizes decide of that, when the program runs.
//!
//! Nothing here depends on how many threads there are: one thread alone has the same chunks, but puts
//! elements to their places at once.
//!
//! Cost: linear in the scatters of a loop.

use comb_machine::tuning::{
    partition::RECORDS,
    scatters::PLACES_OF_AN_ELEMENT,
    tables::{MEMORY, MOST},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use nest_dialect::schedule::{MOST_PLACES, Schedule};
use soac_dialect::{
    builder::{Builder, Predicate, Size},
    view::{OpView, op_name},
};

use super::{
    Emitted, Values, Vectors, carried::captured_before, logs::BITS, outside::bound, uniform,
};
use comb_nest::nests::Nest;

use crate::{
    lanes::{
        internal,
        lambda::{Local, lookup},
        memory::element_type,
        operator::Operator,
    },
    nest_schedule::scatters::{Buckets, Way, around, bytes_of, ways},
};

/// A scatter that chunks share.
pub(super) struct Shared<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub way: Way,
    pub operator: Operator<'c, 'a>,
    /// What the program calls the destinations.
    pub names: Values<'c, 'a>,
    pub dests: Values<'c, 'a>,
    pub sizes: Vec<Size<'c, 'a>>,
    /// How many places there are, but 1 at least.
    pub places: Value<'c, 'a>,
    /// How many elements an iteration has at most, if that is known, but 1 at least.
    pub inner: Value<'c, 'a>,
}

/// The scatters of a loop, and what sizes say.
pub(super) struct Sharing<'c, 'a> {
    pub scatters: Vec<Shared<'c, 'a>>,
    /// How many iterations chunks have at least.
    pub least: Option<Value<'c, 'a>>,
    /// Whether elements are put in the order of buckets, if that may be.
    pub has_buckets: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Sharing<'c, 'a> {
    /// That of a loop with so many iterations.
    pub fn of(
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        schedule: &Schedule,
        total: Value<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Self> {
        let ways = ways(nest, schedule)
            .map_err(|obstacle| internal(nest.op.location(), &obstacle.to_string()))?;
        let scatters = ways
            .into_iter()
            .map(|(op, way)| Shared::of(builder, nest, local, op, way));
        let scatters = scatters.collect::<Emitted<Vec<_>>>()?;
        let mut sharing = Self {
            scatters,
            least: None,
            has_buckets: None,
        };
        if sharing.scatters.is_empty() {
            return Ok(sharing);
        }
        let with_tables = sharing.length_with_tables(builder, total)?;
        sharing.has_buckets = sharing.are_buckets_worth_it(builder, total)?;
        sharing.least = Some(match sharing.has_buckets {
            None => with_tables,
            Some(has_buckets) => {
                let with_buckets = sharing.length_with_buckets(builder, total)?;
                builder.select(has_buckets, with_buckets, with_tables)?
            }
        });
        Ok(sharing)
    }

    /// Those whose chunks have tables, with buckets for the others or without.
    pub fn with_tables(&self, has_buckets: bool) -> impl Iterator<Item = &Shared<'c, 'a>> {
        let has_tables = move |scatter: &&Shared| {
            scatter.way.tables.is_some() && !(has_buckets && scatter.way.buckets.is_some())
        };
        self.scatters.iter().filter(has_tables)
    }

    /// Those whose chunks may have buckets.
    pub fn with_buckets(&self) -> impl Iterator<Item = (&Shared<'c, 'a>, Buckets)> {
        let scatters = self.scatters.iter();
        scatters.filter_map(|scatter| Some((scatter, scatter.way.buckets?)))
    }

    /// How many iterations chunks have at least, if those that may have buckets have none: all, if one
    /// has no tables either.
    fn length_with_tables(
        &self,
        builder: &Builder<'c, 'a>,
        total: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let one = builder.index(1)?;
        self.scatters.iter().try_fold(one, |least, scatter| {
            let own = match scatter.way.tables {
                Some(elements) => scatter.length_with_tables(builder, elements, total)?,
                None => total,
            };
            Ok(builder.arithmetic("arith.maxsi", &[least, own])?)
        })
    }

    fn length_with_buckets(
        &self,
        builder: &Builder<'c, 'a>,
        total: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let one = builder.index(1)?;
        self.scatters.iter().try_fold(one, |least, scatter| {
            let own = match (scatter.way.buckets, scatter.way.tables) {
                (Some(buckets), _) => scatter.length_with_buckets(builder, buckets)?,
                (None, Some(elements)) => scatter.length_with_tables(builder, elements, total)?,
                (None, None) => one,
            };
            Ok(builder.arithmetic("arith.maxsi", &[least, own])?)
        })
    }

    /// Whether all scatters that may have buckets are to have some; nothing if there are none.
    fn are_buckets_worth_it(
        &self,
        builder: &Builder<'c, 'a>,
        total: Value<'c, 'a>,
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        let mut all: Option<Value> = None;
        for (scatter, buckets) in self.with_buckets() {
            let own = scatter.are_buckets_worth_it(builder, buckets, total)?;
            all = Some(match all {
                Some(all) => builder.arithmetic("arith.andi", &[all, own])?,
                None => own,
            });
        }
        Ok(all)
    }
}

impl<'c: 'a, 'a> Shared<'c, 'a> {
    fn of(
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        local: &Local<'c, 'a>,
        op: OperationRef<'c, 'a>,
        way: Way,
    ) -> Emitted<'c, Self> {
        let view = OpView::of(op);
        let names = view.operands[view.group(1)].to_vec();
        let dests = names.iter().map(|&dest| uniform(op, lookup(local, dest)));
        let dests = dests.collect::<Emitted<Values>>()?;
        let sizes = builder.sizes(dests[0])?;
        let places = sizes.iter().map(|&size| Ok(builder.size_value(size)?));
        let places = places.collect::<Emitted<Values>>()?;
        let mut lengths = vec![];
        for length in around(nest, op) {
            lengths.extend(bound(builder, nest, local, length)?);
        }
        let operator = Operator::of(op, vec![], false);
        Ok(Self {
            op,
            way,
            operator: operator.capturing(captured_before(builder, nest, local, op)?),
            names,
            dests,
            sizes,
            places: product(builder, &places)?,
            inner: product(builder, &lengths)?,
        })
    }

    /// The scatter in a copy of its loop.
    pub fn in_copy(&self, nest: &Nest<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        let mut ops = nest.deep_ops().into_iter();
        ops.find(|&op| {
            let view = OpView::of(op);
            op_name(op) == "nest.scatter" && view.operands[view.group(1)] == self.names
        })
    }

    /// The bytes of a place in all destinations together.
    fn bytes(&self) -> Emitted<'c, i64> {
        let elements = self.dests.iter().map(|&dest| element_type(dest));
        let elements = elements.collect::<Emitted<Vec<_>>>()?;
        Ok(bytes_of(elements.into_iter()) as i64)
    }

    /// How many iterations of the loop have so many elements.
    fn iterations_with(
        &self,
        builder: &Builder<'c, 'a>,
        elements: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        Ok(builder.arithmetic("arith.ceildivsi", &[elements, self.inner])?)
    }

    /// How many iterations chunks have at least, so that tables take neither too much memory nor too
    /// much time.
    fn length_with_tables(
        &self,
        builder: &Builder<'c, 'a>,
        elements_of_place: u64,
        total: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let one = builder.index(1)?;
        let tables = builder.index(MEMORY / self.bytes()?)?;
        let tables = builder.arithmetic("arith.divsi", &[tables, self.places])?;
        let tables = builder.arithmetic("arith.minsi", &[tables, builder.index(MOST)?])?;
        let tables = builder.arithmetic("arith.maxsi", &[tables, one])?;
        let for_memory = builder.arithmetic("arith.ceildivsi", &[total, tables])?;
        let elements = builder.index(elements_of_place.min(MOST_PLACES) as i64)?;
        let elements = builder.arithmetic("arith.muli", &[elements, self.places])?;
        let for_time = self.iterations_with(builder, elements)?;
        Ok(builder.arithmetic("arith.maxsi", &[for_memory, for_time])?)
    }

    /// How many iterations chunks have at least, so that each has several elements for each bucket.
    fn length_with_buckets(
        &self,
        builder: &Builder<'c, 'a>,
        buckets: Buckets,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let records = (buckets.places as i64 * RECORDS / MOST_PLACES as i64).max(1);
        let count = self.bucket_count(builder, buckets)?;
        let records = builder.arithmetic("arith.muli", &[count, builder.index(records)?])?;
        self.iterations_with(builder, records)
    }

    /// How many buckets there are.
    pub fn bucket_count(
        &self,
        builder: &Builder<'c, 'a>,
        buckets: Buckets,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let places = builder.index(buckets.places as i64)?;
        Ok(builder.arithmetic("arith.ceildivsi", &[self.places, places])?)
    }

    fn are_buckets_worth_it(
        &self,
        builder: &Builder<'c, 'a>,
        buckets: Buckets,
        total: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let most = builder.index((buckets.places as i64) << BITS)?;
        let can_be = builder.compare(Predicate::Sle, self.places, most)?;
        let Some(over) = buckets.over else {
            return Ok(can_be);
        };
        let over =
            builder.index((over / self.bytes()?.unsigned_abs()).min(i64::MAX as u64) as i64)?;
        let is_large = builder.compare(Predicate::Sgt, self.places, over)?;
        let share = builder.index(PLACES_OF_AN_ELEMENT)?;
        let share = builder.arithmetic("arith.divsi", &[self.places, share])?;
        let elements = builder.arithmetic("arith.muli", &[total, self.inner])?;
        let has_many = builder.compare(Predicate::Sge, elements, share)?;
        let both = builder.arithmetic("arith.andi", &[is_large, has_many])?;
        Ok(builder.arithmetic("arith.andi", &[can_be, both])?)
    }
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// Writes elements at an index of some arrays, or combines them with what is there.
    pub(super) fn put(
        &mut self,
        builder: &Builder<'c, 'a>,
        operator: &Operator<'c, 'a>,
        values: &[Value<'c, 'a>],
        dests: &[Value<'c, 'a>],
        index: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let mut written = values.to_vec();
        if OpView::of(operator.op()).block().is_some() {
            let old = dests.iter().map(|&dest| Ok(builder.load(dest, index)?));
            let old = old.collect::<Emitted<Values>>()?;
            written = operator.combined(self, builder, &old, values)?;
        }
        for (value, &dest) in written.into_iter().zip(dests) {
            builder.store(value, dest, index)?;
        }
        Ok(())
    }
}

/// The product of sizes, but 1 at least.
pub(super) fn product<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    sizes: &[Value<'c, 'a>],
) -> Emitted<'c, Value<'c, 'a>> {
    let one = builder.index(1)?;
    let product = sizes.iter().try_fold(one, |product, &size| {
        builder.arithmetic("arith.muli", &[product, size])
    })?;
    Ok(builder.arithmetic("arith.maxsi", &[product, one])?)
}
