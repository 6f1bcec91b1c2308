//! Scatters whose result depends on the order of elements, and those for which a GPU has no atomics: their
//! elements are put in the order of their places, so that each place has its elements beside each other, and a
//! thread of its own.
//!
//! 1. Places, and which element each is of, are [sorted](crate::sorts_to_maps) by place. That is stable: elements of a
//!    place keep their order.
//! 2. A filter finds where the elements of each place begin.
//! 3. A map combines the elements of each place, one after the other, with what is there; or takes the last one.
//! 4. What it gives is scattered, now to places of which each is there once (`any_write`).
//!
//! Where the last element wins, and there are not many more places than elements, no sort is needed: a scatter with `max` finds
//! out which element wins at each place, and a map over places takes it, or what is there.
//!
//! Scatters of a few elements stay: one thread does them.
//!
//! Cost: sorting; the place with the most elements takes longest. Or linear in elements and places.

use std::collections::HashSet;

use comb_kit::{
    commutativity::is_exact,
    element_types::array_element,
    inline_copy::inline_copy,
    pass_error::PassError,
    row_major::{indices_of, place_of},
};
use comb_nest::cluster_loops::outermost;
use comb_prepare::convert_to_linalg::indexing::out_of_range;
use melior::{
    Error,
    ir::{OperationRef, TypeLike, Value, ValueLike, operation::OperationLike},
};
use nest_dialect::strategy::Strategy;
use soac_dialect::{
    attributes::SCATTER,
    builder::{Builder, Predicate, Size, combinators::Bounds},
    view::{OpView, definition, op_name, set_attribute},
};

use crate::nest_schedule_gpu::choose::has_atomics;

type Values<'c, 'a> = Vec<Value<'c, 'a>>;
type Built<T> = Result<T, Error>;

/// So many elements are worth no sort.
const FEW: i64 = 64;

/// With more places for each element than that, places are not looked at one by one.
const PLACES: i64 = 16;

/// A scatter whose arrays have one dimension, but for the destinations.
struct Scatter<'c, 'a> {
    op: OperationRef<'c, 'a>,
    sources: Values<'c, 'a>,
    dests: Values<'c, 'a>,
    indices: Values<'c, 'a>,
    /// The sizes of the destinations.
    sizes: Values<'c, 'a>,
    /// How many places these have.
    all: Size<'c, 'a>,
    /// How many elements there are.
    count: Value<'c, 'a>,
}

/// Elements in the order of their places.
struct Ordered<'c, 'a> {
    places: Value<'c, 'a>,
    /// Which element each is.
    numbers: Value<'c, 'a>,
    /// Where the elements of each place begin.
    starts: Value<'c, 'a>,
    /// How many places have elements.
    used: Value<'c, 'a>,
}

/// Orders the elements of all scatters that are in no other combinator and need that.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let scatters = outermost(module, &HashSet::new()).into_iter();
    let mut scatters = scatters.filter(|&op| op_name(op) == "soac.scatter" && needs_order(op));
    Ok(scatters.try_for_each(lower)?)
}

/// Whether threads cannot scatter as soon as they can.
fn needs_order(op: OperationRef) -> bool {
    let view = OpView::of(op);
    let (dests, indices) = (view.group(1), view.group(2));
    if indices.is_empty() {
        return false;
    }
    let is_sequential = op.attribute(SCATTER).is_ok_and(|wish| {
        Strategy::named(wish).is_ok_and(|strategy| strategy == Strategy::Sequential)
    });
    let mut elements = dests
        .clone()
        .map(|dest| array_element(view.operand_type(dest)));
    let is_free = match view.block() {
        Some(_) => is_exact(&view) && elements.all(|element| element.is_some_and(has_atomics)),
        None => view.flag("any_write") && dests.len() == 1,
    };
    !is_sequential && !is_free
}

fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Built<()> {
    let front = Builder::before(op).ok_or(Error::OperationBuild)?;
    let Some(scatter) = Scatter::of(&front, op)? else {
        return Ok(());
    };
    let places = front.map(&scatter.indices, |builder, indices| {
        Ok(vec![scatter.place(builder, indices)?])
    })?[0];
    let results = match OpView::of(op).block() {
        Some(_) => scatter.by_sorting(&front, places)?,
        None => {
            let (all, most) = (front.size_value(scatter.all)?, front.index(PLACES)?);
            let most = front.arithmetic("arith.muli", &[scatter.count, most])?;
            let has_few_places = front.compare(Predicate::Sle, all, most)?;
            let types: Vec<_> = op.results().map(|result| result.r#type()).collect();
            front.if_else(
                has_few_places,
                &types,
                |builder| scatter.by_winners(builder, places),
                |builder| scatter.by_sorting(builder, places),
            )?
        }
    };
    front.replace(op, &results);
    Ok(())
}

impl<'c: 'a, 'a> Scatter<'c, 'a> {
    /// Nothing if it has few elements.
    fn of(builder: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Built<Option<Self>> {
        let view = OpView::of(op);
        let group = |number| view.operands[view.group(number)].to_vec();
        let (sources, dests, indices) = (group(0), group(1), group(2));
        let shape = builder.sizes(indices[0])?;
        let count = builder.product(shape.iter().copied())?;
        if matches!(count, Size::Static(count) if count <= FEW) {
            return Ok(None);
        }
        let flat = |arrays: Values<'c, 'a>| match shape.len() {
            1 => Ok(arrays),
            _ => builder.reshape(&arrays, &[count]),
        };
        let sizes = builder.sizes(dests[0])?;
        Ok(Some(Self {
            op,
            sources: flat(sources)?,
            indices: flat(indices)?,
            all: builder.product(sizes.iter().copied())?,
            sizes: sizes
                .into_iter()
                .map(|size| builder.size_value(size))
                .collect::<Built<_>>()?,
            dests,
            count: builder.size_value(count)?,
        }))
    }

    /// The number of the place of an element, given its indices, which are checked.
    fn place(&self, builder: &Builder<'c, 'a>, indices: &[Value<'c, 'a>]) -> Built<Value<'c, 'a>> {
        let view = OpView::of(self.op);
        let mut own = vec![];
        for (dimension, (&index, &size)) in indices.iter().zip(&self.sizes).enumerate() {
            let index = match index.r#type().is_index() {
                true => index,
                false => {
                    let r#type = builder.index_type();
                    builder.value("arith.index_cast", &[index], r#type, &[])?
                }
            };
            if !view.flag("unchecked") {
                let inside = builder.compare(Predicate::Ult, index, size)?;
                let message = builder.string(&out_of_range(view.name, dimension));
                let message = [("message", message)];
                builder.op("soac.check", &[inside, index, size], &[], &message, vec![])?;
            }
            own.push(index);
        }
        place_of(builder, &own, &self.sizes)
    }

    /// The results, as the op has them.
    fn cast(&self, builder: &Builder<'c, 'a>, results: Values<'c, 'a>) -> Built<Values<'c, 'a>> {
        let results = results.into_iter().enumerate();
        results
            .map(|(number, array)| builder.cast(array, self.op.result(number)?.r#type()))
            .collect()
    }

    /// Has the last element win at each place.
    fn by_winners(&self, front: &Builder<'c, 'a>, places: Value<'c, 'a>) -> Built<Values<'c, 'a>> {
        let (index, long) = (front.index_type(), front.integer_type(64));
        let none = front.integer(-1, long)?;
        let nobody = front.generate(&[self.all], |_, _| Ok(vec![none]))?;
        let elements = [front.size(places, 0)?];
        let numbers = front.generate(&elements, |builder, indices| {
            Ok(vec![builder.value(
                "arith.index_cast",
                indices,
                long,
                &[],
            )?])
        })?;
        let (dests, at) = (nobody, [places]);
        let winners = front.scatter_combining(
            &numbers,
            &dests,
            &at,
            Bounds::Unchecked,
            |builder, both| Ok(vec![builder.arithmetic("arith.maxsi", both)?]),
        )?[0];
        let made = front.generate(&front.sizes(self.dests[0])?, |builder, indices| {
            let place = place_of(builder, indices, &self.sizes)?;
            let winner = builder.extract(winners, &[place])?;
            let has_winner = builder.compare(Predicate::Sge, winner, builder.integer(0, long)?)?;
            let winner = builder.value("arith.index_cast", &[winner], index, &[])?;
            let types: Vec<_> = self
                .dests
                .iter()
                .filter_map(|dest| array_element(dest.r#type()))
                .collect();
            let of =
                |builder: &Builder<'c, 'a>, arrays: &[Value<'c, 'a>], indices: &[Value<'c, 'a>]| {
                    let arrays = arrays.iter();
                    arrays
                        .map(|&array| builder.extract(array, indices))
                        .collect::<Built<Values>>()
                };
            builder.if_else(
                has_winner,
                &types,
                |builder| of(builder, &self.sources, &[winner]),
                |builder| of(builder, &self.dests, indices),
            )
        })?;
        self.cast(front, made)
    }

    /// Puts elements in the order of their places.
    fn by_sorting(&self, front: &Builder<'c, 'a>, places: Value<'c, 'a>) -> Built<Values<'c, 'a>> {
        let ordered = self.order(front, places)?;
        let combined = self.combine(front, &ordered)?;
        let (places, elements) = combined.split_at(self.sizes.len());
        let mut results = vec![];
        for (&element, &dest) in elements.iter().zip(&self.dests) {
            let made = front.scatter(&[element], &[dest], places, Bounds::Unchecked)?[0];
            if let Some(made) = definition(made) {
                set_attribute(made, "any_write", front.unit());
            }
            results.push(made);
        }
        self.cast(front, results)
    }

    fn order(&self, front: &Builder<'c, 'a>, places: Value<'c, 'a>) -> Built<Ordered<'c, 'a>> {
        let all = [front.size(places, 0)?];
        let numbers = front.generate(&all, |_, indices| Ok(indices.to_vec()))?[0];
        let sorted = front.sort(&[places, numbers], |builder, elements| {
            Ok(vec![builder.compare(
                Predicate::Ult,
                elements[0],
                elements[2],
            )?])
        })?;
        let starts = front.filter(&[numbers], |builder, numbers| {
            let (zero, one) = (builder.index(0)?, builder.index(1)?);
            let before = builder.arithmetic("arith.subi", &[numbers[0], one])?;
            let before = builder.arithmetic("arith.maxsi", &[before, zero])?;
            let own = builder.extract(sorted[0], numbers)?;
            let other = builder.extract(sorted[0], &[before])?;
            let differs = builder.compare(Predicate::Ne, own, other)?;
            let is_first = builder.compare(Predicate::Eq, numbers[0], zero)?;
            Ok(vec![builder.arithmetic("arith.ori", &[differs, is_first])?])
        })?[0];
        Ok(Ordered {
            places: sorted[0],
            numbers: sorted[1],
            starts,
            used: front.size_value(front.size(starts, 0)?)?,
        })
    }

    /// The places that have elements, by dimensions, and what goes there in each destination.
    fn combine(&self, front: &Builder<'c, 'a>, ordered: &Ordered<'c, 'a>) -> Built<Values<'c, 'a>> {
        let used = [front.size(ordered.starts, 0)?];
        let combined = front.generate(&used, |builder, own| {
            let one = builder.index(1)?;
            let start = builder.extract(ordered.starts, own)?;
            let next = builder.arithmetic("arith.addi", &[own[0], one])?;
            let has_next = builder.compare(Predicate::Slt, next, ordered.used)?;
            let next = builder.select(has_next, next, own[0])?;
            let end = builder.extract(ordered.starts, &[next])?;
            let end = builder.select(has_next, end, self.count)?;
            let place = builder.extract(ordered.places, &[start])?;
            let indices = indices_of(builder, place, &self.sizes)?;
            let elements = match OpView::of(self.op).block() {
                Some(_) => self.folded(builder, ordered, [start, end], &indices)?,
                None => {
                    let last = builder.arithmetic("arith.subi", &[end, one])?;
                    self.elements(builder, ordered, last)?
                }
            };
            Ok([indices, elements].concat())
        })?;
        front.force(&combined)
    }

    /// The sources' elements at a position of the order.
    fn elements(
        &self,
        builder: &Builder<'c, 'a>,
        ordered: &Ordered<'c, 'a>,
        position: Value<'c, 'a>,
    ) -> Built<Values<'c, 'a>> {
        let number = builder.extract(ordered.numbers, &[position])?;
        let sources = self.sources.iter();
        sources
            .map(|&source| builder.extract(source, &[number]))
            .collect()
    }

    /// The elements at some positions of the order, one after the other combined with what is there.
    fn folded(
        &self,
        builder: &Builder<'c, 'a>,
        ordered: &Ordered<'c, 'a>,
        [start, end]: [Value<'c, 'a>; 2],
        indices: &[Value<'c, 'a>],
    ) -> Built<Values<'c, 'a>> {
        let dests = self.dests.iter();
        let there = dests.map(|&dest| builder.extract(dest, indices));
        let there = there.collect::<Built<Values>>()?;
        let bounds = [start, end, builder.index(1)?];
        builder.range_loop(bounds, &there, |builder, position, combined| {
            let elements = self.elements(builder, ordered, position)?;
            inline_copy(builder, self.op, &[combined, &elements].concat())
        })
    }
}
