//! Sorting by merging.
//!
//! Runs of a few elements are sorted by insertion, from the inputs into the results. They are merged
//! to longer ones, from there into other memory and back, so that what is sorted ends where it
//! belongs. If threads share the row, each sorts blocks, which are merged then.
//!
//! A run is never read past its end, whatever the function says.

use comb_machine::tuning::sorts::RUN;
use melior::ir::Value;
use soac_dialect::builder::{Builder, Predicate};

use super::{Emitted, Values};
use super::{Row, Sharing, Sort, for_each, load_all, store_all};

/// Arrays in memory, of which parts are merged into others.
#[derive(Clone, Copy)]
struct Merge<'s, 'c, 'a> {
    from: &'s [Value<'c, 'a>],
    into: &'s [Value<'c, 'a>],
}

/// Two neighbouring runs: where the first begins, where the second does, and where that ends.
type Runs<'c, 'a> = [Value<'c, 'a>; 3];

impl<'c: 'a, 'a> Sort<'c, 'a> {
    /// Sorts a row by merging.
    pub(super) fn merge(&self, builder: &Builder<'c, 'a>, row: &Row<'c, 'a>) -> Emitted<'c, ()> {
        let others = self.elements.iter();
        let others = others
            .map(|&element| Ok(builder.allocate(&[row.size], element)?))
            .collect::<Emitted<Values>>()?;
        let zero = builder.index(0)?;
        if self.sharing == Sharing::Alone {
            return self.block(builder, row, &others, [zero, row.length]);
        }
        let block = builder.index(self.lengths.chunk)?;
        let count = builder.arithmetic("arith.ceildivsi", &[row.length, block])?;
        for_each(builder, count, true, |builder, number| {
            let first = builder.arithmetic("arith.muli", &[number, block])?;
            let end = builder.arithmetic("arith.addi", &[first, block])?;
            let end = builder.arithmetic("arith.minsi", &[end, row.length])?;
            self.block(builder, row, &others, [first, end])
        })?;
        self.levels(builder, row, &others, [zero, row.length], block, true)
    }

    /// Sorts a part of a row.
    fn block(
        &self,
        builder: &Builder<'c, 'a>,
        row: &Row<'c, 'a>,
        others: &[Value<'c, 'a>],
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let run = builder.index(RUN)?;
        builder.range_loop([first, end, run], &[], |builder, start, _| {
            let stop = builder.arithmetic("arith.addi", &[start, run])?;
            let stop = builder.arithmetic("arith.minsi", &[stop, end])?;
            self.insert_all(builder, row, [start, stop])?;
            Emitted::Ok(vec![])
        })?;
        self.levels(builder, row, others, [first, end], run, false)
    }

    /// Merges runs of a length, until there is only one: two levels at a time, there and back. The
    /// second may have one run only, which is copied.
    fn levels(
        &self,
        builder: &Builder<'c, 'a>,
        row: &Row<'c, 'a>,
        others: &[Value<'c, 'a>],
        [first, end]: [Value<'c, 'a>; 2],
        run: Value<'c, 'a>,
        is_shared: bool,
    ) -> Emitted<'c, ()> {
        let there = Merge {
            from: &row.results,
            into: others,
        };
        let back = Merge {
            from: others,
            into: &row.results,
        };
        let length = builder.arithmetic("arith.subi", &[end, first])?;
        builder.while_loop(
            &[run],
            |builder, run| Emitted::Ok(builder.compare(Predicate::Slt, run[0], length)?),
            |builder, run| {
                let mut run = run[0];
                for merge in [there, back] {
                    let twice = builder.arithmetic("arith.addi", &[run, run])?;
                    let count = builder.arithmetic("arith.ceildivsi", &[length, twice])?;
                    for_each(builder, count, is_shared, |builder, pair| {
                        let offset = builder.arithmetic("arith.muli", &[pair, twice])?;
                        let start = builder.arithmetic("arith.addi", &[first, offset])?;
                        let cut = |size| {
                            let stop = builder.arithmetic("arith.addi", &[start, size])?;
                            builder.arithmetic("arith.minsi", &[stop, end])
                        };
                        self.merge_two(builder, merge, [start, cut(run)?, cut(twice)?])
                    })?;
                    run = twice;
                }
                Emitted::Ok(vec![run])
            },
        )?;
        Ok(())
    }

    /// Sorts a few elements of the inputs into the results: each moves to the left until what is there
    /// does not go behind it.
    fn insert_all(
        &self,
        builder: &Builder<'c, 'a>,
        row: &Row<'c, 'a>,
        [start, stop]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let one = builder.index(1)?;
        builder.range_loop([start, stop, one], &[], |builder, position, _| {
            let elements = load_all(builder, &row.inputs, position)?;
            let place = builder.while_loop(
                &[position],
                |builder, place| {
                    let has_left = builder.compare(Predicate::Sgt, place[0], start)?;
                    let goes = builder.if_else(
                        has_left,
                        &[builder.integer_type(1)],
                        |builder| {
                            let left = builder.arithmetic("arith.subi", &[place[0], one])?;
                            let left = load_all(builder, &row.results, left)?;
                            Emitted::Ok(vec![self.goes_before(builder, &elements, &left)?])
                        },
                        |builder| Ok(vec![builder.integer(0, builder.integer_type(1))?]),
                    )?;
                    Emitted::Ok(goes[0])
                },
                |builder, place| {
                    let left = builder.arithmetic("arith.subi", &[place[0], one])?;
                    let moved = load_all(builder, &row.results, left)?;
                    store_all(builder, &moved, &row.results, place[0])?;
                    Ok(vec![left])
                },
            )?;
            store_all(builder, &elements, &row.results, place[0])?;
            Emitted::Ok(vec![])
        })?;
        Ok(())
    }

    /// Merges two runs. The second's elements go first only if they go before the first's.
    fn merge_two(
        &self,
        builder: &Builder<'c, 'a>,
        merge: Merge<'_, 'c, 'a>,
        [start, middle, end]: Runs<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let one = builder.index(1)?;
        let state = builder.while_loop(
            &[start, middle],
            |builder, state| {
                let left = builder.compare(Predicate::Slt, state[0], middle)?;
                let right = builder.compare(Predicate::Slt, state[1], end)?;
                Emitted::Ok(builder.arithmetic("arith.andi", &[left, right])?)
            },
            |builder, state| {
                let [left, right] = [state[0], state[1]];
                let lefts = load_all(builder, merge.from, left)?;
                let rights = load_all(builder, merge.from, right)?;
                let is_right = self.goes_before(builder, &rights, &lefts)?;
                let elements = rights.iter().zip(&lefts);
                let elements = elements
                    .map(|(&right, &left)| Ok(builder.select(is_right, right, left)?))
                    .collect::<Emitted<Values>>()?;
                let place = place_of(builder, [left, right], middle)?;
                store_all(builder, &elements, merge.into, place)?;
                let right_step =
                    builder.value("arith.index_castui", &[is_right], builder.index_type(), &[])?;
                let left_step = builder.arithmetic("arith.subi", &[one, right_step])?;
                Ok(vec![
                    builder.arithmetic("arith.addi", &[left, left_step])?,
                    builder.arithmetic("arith.addi", &[right, right_step])?,
                ])
            },
        )?;
        let [left, right] = [state[0], state[1]];
        let place = place_of(builder, [left, right], middle)?;
        copy(builder, merge, [left, middle], place)?;
        copy(builder, merge, [right, end], right)
    }
}

/// Where the next element of two runs goes.
fn place_of<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    [left, right]: [Value<'c, 'a>; 2],
    middle: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let taken = builder.arithmetic("arith.subi", &[right, middle])?;
    Ok(builder.arithmetic("arith.addi", &[left, taken])?)
}

/// Copies a part of a run.
fn copy<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    merge: Merge<'_, 'c, 'a>,
    [first, end]: [Value<'c, 'a>; 2],
    place: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    let offset = builder.arithmetic("arith.subi", &[place, first])?;
    let one = builder.index(1)?;
    builder.range_loop([first, end, one], &[], |builder, position, _| {
        let elements = load_all(builder, merge.from, position)?;
        let place = builder.arithmetic("arith.addi", &[position, offset])?;
        store_all(builder, &elements, merge.into, place)?;
        Emitted::Ok(vec![])
    })?;
    Ok(())
}
