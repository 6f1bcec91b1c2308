//! Sorts of rows as loops of the host over maps, each of which a GPU's threads share: any of their
//! elements is found without the others, by binary search or by one comparison.
//!
//! * **Merging.** If what is compared are numbers that are computed alike of both sides
//!   ([`key`](comb_cpu::sorts_to_loops::key)), runs of 1, 2, 4, … elements are merged. An element of a merged run is
//!   found by a search for where its diagonal crosses the path on which the runs are merged (Green, McColl
//!   and Bader, "GPU Merge Path", ICS 2012). That gives a permutation, as words in place of the numbers are
//!   ordered, also NaNs.
//! * **Exchanges.** Of any other function nothing is known, not even that it is an order; but what is exchanged by
//!   pairs is a permutation. So the row goes through Batcher's bitonic network, all of whose comparisons put the
//!   first element before the second: a row may be of any length. Where elements were makes it stable.
//!
//! Cost: a kernel for each of log n levels of merging, with log n comparisons for each element; or (log n)² / 2
//! kernels with a comparison for each element.

use std::collections::HashSet;

use comb_cpu::sorts_to_loops::key::Keys;
use comb_kit::{inline_copy::inline_copy, pass_error::PassError};
use comb_nest::cluster_loops::outermost;
use melior::{
    Error,
    ir::{OperationRef, Value, ValueLike},
};
use soac_dialect::{
    builder::{Builder, Predicate, Size},
    view::{OpView, op_name},
};

type Values<'c, 'a> = Vec<Value<'c, 'a>>;
type Built<T> = Result<T, Error>;

/// A sort, and what it is made into.
struct Sort<'c, 'a> {
    op: OperationRef<'c, 'a>,
    sizes: Vec<Size<'c, 'a>>,
    /// The length of a row.
    length: Value<'c, 'a>,
}

/// Makes maps of all sorts that are in no other combinator.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let sorts = outermost(module, &HashSet::new()).into_iter();
    let mut sorts = sorts.filter(|&op| op_name(op) == "soac.sort");
    Ok(sorts.try_for_each(lower)?)
}

fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Built<()> {
    let front = Builder::before(op).ok_or(Error::OperationBuild)?;
    let inputs = OpView::of(op).operands;
    let sizes = front.sizes(inputs[0])?;
    let length = front.size_value(*sizes.last().ok_or(Error::OperationBuild)?)?;
    let sort = Sort { op, sizes, length };
    let sorted = match Keys::of(op) {
        Some(keys) => sort.merge(&front, &inputs, &keys)?,
        None => sort.exchange(&front, &inputs)?,
    };
    let sorted = sorted.into_iter().enumerate();
    let sorted = sorted.map(|(number, array)| front.cast(array, op.result(number)?.r#type()));
    front.replace(op, &sorted.collect::<Built<Values>>()?);
    Ok(())
}

impl<'c: 'a, 'a> Sort<'c, 'a> {
    /// How often 1 is doubled until it is a row's length at least.
    fn levels(&self, builder: &Builder<'c, 'a>) -> Built<Value<'c, 'a>> {
        let long = builder.integer_type(64);
        let one = builder.index(1)?;
        let least = builder.arithmetic("arith.maxsi", &[self.length, one])?;
        let last = builder.arithmetic("arith.subi", &[least, one])?;
        let last = builder.value("arith.index_cast", &[last], long, &[])?;
        let zeros = builder.value("math.ctlz", &[last], long, &[])?;
        let levels = builder.arithmetic("arith.subi", &[builder.integer(64, long)?, zeros])?;
        builder.value("arith.index_cast", &[levels], builder.index_type(), &[])
    }

    /// Arrays whose elements are found in others, each from its indices and where in its row it is: each is that of some
    /// position of the row.
    fn permuted(
        &self,
        builder: &Builder<'c, 'a>,
        arrays: &[Value<'c, 'a>],
        position: impl FnOnce(&Builder<'c, 'a>, &Row<'_, 'c, 'a>, Value<'c, 'a>) -> Built<Value<'c, 'a>>,
    ) -> Built<Values<'c, 'a>> {
        let made = builder.generate(&self.sizes, |builder, indices| {
            let (&own, outer) = indices.split_last().ok_or(Error::OperationBuild)?;
            let row = Row { arrays, outer };
            let position = position(builder, &row, own)?;
            row.elements(builder, position)
        })?;
        let made = made.into_iter().zip(arrays);
        made.map(|(new, old)| builder.cast(new, old.r#type()))
            .collect()
    }

    /// Merges runs, as long as there are several.
    fn merge(
        &self,
        front: &Builder<'c, 'a>,
        inputs: &[Value<'c, 'a>],
        keys: &Keys<'c, 'a>,
    ) -> Built<Values<'c, 'a>> {
        let one = front.index(1)?;
        let state = [&[one], inputs].concat();
        let levels = self.levels(front)?;
        let mut state = front.for_loop(levels, &state, |builder, _, state| {
            let (run, arrays) = (state[0], &state[1..]);
            let merged = self.permuted(builder, arrays, |builder, row, own| {
                self.merged(builder, row, own, run, keys)
            })?;
            let run = builder.arithmetic("arith.addi", &[run, run])?;
            Ok::<_, Error>([&[run], merged.as_slice()].concat())
        })?;
        Ok(state.split_off(1))
    }

    /// Where the element comes from that is at a position when two neighbouring runs are merged.
    fn merged(
        &self,
        builder: &Builder<'c, 'a>,
        row: &Row<'_, 'c, 'a>,
        own: Value<'c, 'a>,
        run: Value<'c, 'a>,
        keys: &Keys<'c, 'a>,
    ) -> Built<Value<'c, 'a>> {
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let sum =
            |builder: &Builder<'c, 'a>, one, other| builder.arithmetic("arith.addi", &[one, other]);
        let difference =
            |builder: &Builder<'c, 'a>, one, other| builder.arithmetic("arith.subi", &[one, other]);
        let both = sum(builder, run, run)?;
        let mask = difference(builder, both, one)?;
        let place = builder.arithmetic("arith.andi", &[own, mask])?;
        let start = difference(builder, own, place)?;
        let left = difference(builder, self.length, start)?;
        let first = builder.arithmetic("arith.minsi", &[run, left])?;
        let left = difference(builder, left, first)?;
        let second = builder.arithmetic("arith.minsi", &[run, left])?;
        let middle = sum(builder, start, first)?;
        // Whether an element of the second run goes before one of the first.
        let goes_before = |builder: &Builder<'c, 'a>, later, earlier| {
            let word = |position| {
                let elements = row.elements(builder, position)?;
                keys.encoded(builder, &elements)
                    .map_err(|_| Error::OperationBuild)
            };
            builder.compare(Predicate::Ult, word(later)?, word(earlier)?)
        };
        let least = difference(builder, place, second)?;
        let least = builder.arithmetic("arith.maxsi", &[least, zero])?;
        let most = builder.arithmetic("arith.minsi", &[place, first])?;
        let of_first = builder.while_loop(
            &[least, most],
            |builder, bounds| builder.compare(Predicate::Slt, bounds[0], bounds[1]),
            |builder, bounds| {
                let all = sum(builder, bounds[0], bounds[1])?;
                let half = builder.arithmetic("arith.shrui", &[all, one])?;
                let behind = sum(builder, half, one)?;
                let earlier = sum(builder, start, half)?;
                let later = sum(builder, middle, difference(builder, place, behind)?)?;
                let is_before = goes_before(builder, later, earlier)?;
                Ok::<_, Error>(vec![
                    builder.select(is_before, bounds[0], behind)?,
                    builder.select(is_before, half, bounds[1])?,
                ])
            },
        )?[0];
        let of_second = difference(builder, place, of_first)?;
        let has_first = builder.compare(Predicate::Slt, of_first, first)?;
        let has_second = builder.compare(Predicate::Slt, of_second, second)?;
        // A run that is at its end has no next element: any other is looked at then.
        let earlier = builder.select(has_first, sum(builder, start, of_first)?, start)?;
        let later = builder.select(has_second, sum(builder, middle, of_second)?, start)?;
        let is_before = goes_before(builder, later, earlier)?;
        let is_first = builder.select(is_before, later, earlier)?;
        let is_first = builder.select(has_second, is_first, earlier)?;
        builder.select(has_first, is_first, later)
    }

    /// Puts the elements through the network, with where they were.
    fn exchange(&self, front: &Builder<'c, 'a>, inputs: &[Value<'c, 'a>]) -> Built<Values<'c, 'a>> {
        let last = self.sizes.len() - 1;
        let places = front.generate(&self.sizes, |_, indices| Ok(vec![indices[last]]))?;
        let (zero, one) = (front.index(0)?, front.index(1)?);
        let state = [&[one], inputs, &places].concat();
        let levels = self.levels(front)?;
        let mut state =
            front.range_loop([zero, levels, one], &state, |builder, level, state| {
                let (run, arrays) = (state[0], &state[1..]);
                let both = builder.arithmetic("arith.addi", &[run, run])?;
                let mask = builder.arithmetic("arith.subi", &[both, one])?;
                let arrays = self.exchanged(builder, arrays, mask)?;
                let state = [&[run], arrays.as_slice()].concat();
                let state = builder.for_loop(level, &state, |builder, _, state| {
                    let half = builder.arithmetic("arith.shrui", &[state[0], one])?;
                    let arrays = self.exchanged(builder, &state[1..], half)?;
                    Ok::<_, Error>([&[half], arrays.as_slice()].concat())
                })?;
                Ok::<_, Error>([&[both], &state[1..]].concat())
            })?;
        state.pop();
        Ok(state.split_off(1))
    }

    /// The elements, after each is compared with the one whose position differs in some bits, if there is one.
    fn exchanged(
        &self,
        builder: &Builder<'c, 'a>,
        arrays: &[Value<'c, 'a>],
        bits: Value<'c, 'a>,
    ) -> Built<Values<'c, 'a>> {
        self.permuted(builder, arrays, |builder, row, own| {
            let other = builder.arithmetic("arith.xori", &[own, bits])?;
            let exists = builder.compare(Predicate::Slt, other, self.length)?;
            let other = builder.select(exists, other, own)?;
            let earlier =
                row.elements(builder, builder.arithmetic("arith.minsi", &[own, other])?)?;
            let later = row.elements(builder, builder.arithmetic("arith.maxsi", &[own, other])?)?;
            let is_before = self.goes_before(builder, &later, &earlier)?;
            builder.select(is_before, other, own)
        })
    }

    /// Whether some elements go before others, with where both were at the end: these decide if the function does not.
    fn goes_before(
        &self,
        builder: &Builder<'c, 'a>,
        one: &[Value<'c, 'a>],
        other: &[Value<'c, 'a>],
    ) -> Built<Value<'c, 'a>> {
        let count = one.len() - 1;
        let compare = |one: &[Value<'c, 'a>], other: &[Value<'c, 'a>]| {
            let arguments = [&one[..count], &other[..count]].concat();
            Ok::<_, Error>(inline_copy(builder, self.op, &arguments)?[0])
        };
        let (is_before, is_behind) = (compare(one, other)?, compare(other, one)?);
        let was_before = builder.compare(Predicate::Slt, one[count], other[count])?;
        let never = builder.integer(0, builder.integer_type(1))?;
        let is_equal = builder.select(is_behind, never, was_before)?;
        builder.arithmetic("arith.ori", &[is_before, is_equal])
    }
}

/// A row of several arrays.
struct Row<'r, 'c, 'a> {
    arrays: &'r [Value<'c, 'a>],
    /// The indices of the row.
    outer: &'r [Value<'c, 'a>],
}

impl<'c: 'a, 'a> Row<'_, 'c, 'a> {
    /// The elements at a position.
    fn elements(
        &self,
        builder: &Builder<'c, 'a>,
        position: Value<'c, 'a>,
    ) -> Built<Values<'c, 'a>> {
        let indices = [self.outer, &[position]].concat();
        let arrays = self.arrays.iter();
        arrays
            .map(|&array| builder.extract(array, &indices))
            .collect()
    }
}
