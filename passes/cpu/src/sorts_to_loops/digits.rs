//! Sorting by digits, from the last to the first, which keeps the order of elements that have the
//! same digit.
//!
//! 1. For each element, the numbers that decide are computed ([`Keys`]), and made a *word*, whose order
//!    without a sign is the one that is asked for.
//! 2. For each digit, words and the elements that go with them move from one half of new memory to the
//!    other. How often each digit occurs says where its words begin. A digit that all words have moves
//!    nothing.
//! 3. Elements go into the results; where a word says all about an element, it is made of it ([`Plan`]).
//!
//! Threads share all three by parts of the row; each counts its own part.

use comb_machine::tuning::sorts::MOST_PARTS;
use melior::ir::{Type, Value, ValueLike};
use soac_dialect::builder::{Builder, Predicate, Size};

use super::{Emitted, Values};
use super::{
    Row, Sharing, Sort, for_each,
    key::Keys,
    load_all,
    plan::{Made, Plan},
    store_all,
    words::as_bits,
};

/// The parts of a row that threads share.
#[derive(Clone, Copy)]
struct Parts<'c, 'a> {
    count: Value<'c, 'a>,
    length: Value<'c, 'a>,
    row: Value<'c, 'a>,
    is_shared: bool,
}

impl<'c: 'a, 'a> Parts<'c, 'a> {
    /// Runs code for all positions of each part.
    fn for_each(
        &self,
        builder: &Builder<'c, 'a>,
        body: impl FnOnce(&Builder<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> Emitted<'c, ()>,
    ) -> Emitted<'c, ()> {
        for_each(builder, self.count, self.is_shared, |builder, part| {
            builder.range_loop(self.bounds(builder, part)?, &[], |builder, position, _| {
                body(builder, part, position)?;
                Emitted::Ok(vec![])
            })?;
            Ok(())
        })
    }

    /// Runs code for all positions of each part, and says whether something is true of all.
    fn all(
        &self,
        builder: &Builder<'c, 'a>,
        body: impl FnOnce(&Builder<'c, 'a>, Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let truth = builder.integer_type(1);
        let yes = builder.integer(1, truth)?;
        let truths = builder.allocate(&[Size::Dynamic(self.count)], truth)?;
        for_each(builder, self.count, self.is_shared, |builder, part| {
            let bounds = self.bounds(builder, part)?;
            let all = builder.range_loop(bounds, &[yes], |builder, position, all| {
                let is = body(builder, position)?;
                Emitted::Ok(vec![builder.arithmetic("arith.andi", &[all[0], is])?])
            })?;
            Ok(builder.store(all[0], truths, &[part])?)
        })?;
        let all = builder.for_loop(self.count, &[yes], |builder, part, all| {
            let is = builder.load(truths, &[part])?;
            Emitted::Ok(vec![builder.arithmetic("arith.andi", &[all[0], is])?])
        })?;
        Ok(all[0])
    }

    /// The first position of a part, its end, and the step.
    fn bounds(
        &self,
        builder: &Builder<'c, 'a>,
        part: Value<'c, 'a>,
    ) -> Emitted<'c, [Value<'c, 'a>; 3]> {
        let first = builder.arithmetic("arith.muli", &[part, self.length])?;
        let end = builder.arithmetic("arith.addi", &[first, self.length])?;
        let end = builder.arithmetic("arith.minsi", &[end, self.row])?;
        Ok([first, end, builder.index(1)?])
    }
}

impl<'c: 'a, 'a> Sort<'c, 'a> {
    /// Sorts a row by digits.
    pub(super) fn by_digits(
        &self,
        builder: &Builder<'c, 'a>,
        row: &Row<'c, 'a>,
        keys: &Keys<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let [certain, hopeful] =
            [false, true].map(|hopes| Plan::of(&keys.list, &self.is_used, hopes));
        let doubtful = hopeful.made_beyond(&certain);
        let digits = Digits {
            sort: self,
            row,
            keys,
            parts: self.parts(builder, row)?,
            words: halves(builder, row, keys.word(builder))?,
        };
        let says_all = digits.encode(builder, &doubtful)?;
        if doubtful.is_empty() {
            return digits.run(builder, &certain);
        }
        builder.if_else(
            says_all,
            &[],
            |builder| {
                digits.run(builder, &hopeful)?;
                Emitted::Ok(vec![])
            },
            |builder| {
                digits.run(builder, &certain)?;
                Ok(vec![])
            },
        )?;
        Ok(())
    }

    fn parts(&self, builder: &Builder<'c, 'a>, row: &Row<'c, 'a>) -> Emitted<'c, Parts<'c, 'a>> {
        let one = builder.index(1)?;
        let is_shared = self.sharing == Sharing::Shared;
        let count = match is_shared {
            true => {
                let count = builder.arithmetic(
                    "arith.ceildivsi",
                    &[row.length, builder.index(self.lengths.part)?],
                )?;
                let count = builder.arithmetic("arith.maxsi", &[count, one])?;
                builder.arithmetic("arith.minsi", &[count, builder.index(MOST_PARTS)?])?
            }
            false => one,
        };
        Ok(Parts {
            count,
            length: builder.arithmetic("arith.ceildivsi", &[row.length, count])?,
            row: row.length,
            is_shared,
        })
    }
}

/// Memory for twice as many elements as a row has.
fn halves<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    row: &Row<'c, 'a>,
    element: Type<'c>,
) -> Emitted<'c, Value<'c, 'a>> {
    let twice = builder.arithmetic("arith.addi", &[row.length, row.length])?;
    Ok(builder.allocate(&[Size::Dynamic(twice)], element)?)
}

/// A row that is sorted by digits.
struct Digits<'s, 'c, 'a> {
    sort: &'s Sort<'c, 'a>,
    row: &'s Row<'c, 'a>,
    keys: &'s Keys<'c, 'a>,
    parts: Parts<'c, 'a>,
    /// The words, in the first of two halves.
    words: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Digits<'_, 'c, 'a> {
    /// Computes all words, and says whether all elements are what is made of them, for some arrays.
    fn encode(&self, builder: &Builder<'c, 'a>, doubtful: &[Made]) -> Emitted<'c, Value<'c, 'a>> {
        self.parts.all(builder, |builder, position| {
            let elements = load_all(builder, &self.row.inputs, position)?;
            let word = self.keys.encoded(builder, &elements)?;
            builder.store(word, self.words, &[position])?;
            let mut all = builder.integer(1, builder.integer_type(1))?;
            for &Made { array, key } in doubtful {
                let element = elements[array];
                let made = self.keys.decoded(builder, word, key, element.r#type())?;
                let width = self.keys.list[key].width;
                let bits = [
                    as_bits(builder, element, width)?,
                    as_bits(builder, made, width)?,
                ];
                let is_same = builder.compare(Predicate::Eq, bits[0], bits[1])?;
                all = builder.arithmetic("arith.andi", &[all, is_same])?;
            }
            Ok(all)
        })
    }

    /// Sorts the row, whose words are computed, as planned.
    fn run(&self, builder: &Builder<'c, 'a>, plan: &Plan) -> Emitted<'c, ()> {
        let carried = plan.carried.iter();
        let carried = carried
            .map(|&array| halves(builder, self.row, self.sort.elements[array]))
            .collect::<Emitted<Values>>()?;
        self.parts.for_each(builder, |builder, _, position| {
            for (&array, &memory) in plan.carried.iter().zip(&carried) {
                let element = builder.load(self.row.inputs[array], &[position])?;
                builder.store(element, memory, &[position])?;
            }
            Ok(())
        })?;
        let from = self.sort_all(builder, &carried, plan.digit(self.keys.width()))?;
        self.parts.for_each(builder, |builder, _, position| {
            let place = builder.arithmetic("arith.addi", &[from, position])?;
            for (&array, &memory) in plan.carried.iter().zip(&carried) {
                let element = builder.load(memory, &[place])?;
                builder.store(element, self.row.results[array], &[position])?;
            }
            for &Made { array, key } in &plan.made {
                let word = builder.load(self.words, &[place])?;
                let element = self.sort.elements[array];
                let element = self.keys.decoded(builder, word, key, element)?;
                builder.store(element, self.row.results[array], &[position])?;
            }
            Ok(())
        })
    }

    /// Sorts words, and elements that go with them, by all digits. Gives where the half begins that they
    /// are in then.
    fn sort_all(
        &self,
        builder: &Builder<'c, 'a>,
        carried: &[Value<'c, 'a>],
        digit: u32,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let buckets = builder.index(1 << digit)?;
        let size = builder.arithmetic("arith.muli", &[self.parts.count, buckets])?;
        let counts = builder.allocate(&[Size::Dynamic(size)], builder.index_type())?;
        let digits = builder.index(i64::from(self.keys.width().div_ceil(digit)))?;
        let from = builder.for_loop(digits, &[builder.index(0)?], |builder, number, from| {
            let bits = builder.index(i64::from(digit))?;
            let shift = builder.arithmetic("arith.muli", &[number, bits])?;
            let word = self.keys.word(builder);
            let pass = Pass {
                shift: builder.value("arith.index_cast", &[shift], word, &[])?,
                from: from[0],
                counts,
                buckets,
                digit,
                parts: self.parts,
                moved: [&[self.words], carried].concat(),
            };
            Emitted::Ok(vec![pass.run(builder)?])
        })?;
        Ok(from[0])
    }
}

/// The pass over a row that sorts it by a digit.
struct Pass<'c, 'a> {
    /// How many bits of words are behind the digit.
    shift: Value<'c, 'a>,
    /// Where the half begins that words are in.
    from: Value<'c, 'a>,
    /// How often each digit occurs in each part, and then where the next of its words goes.
    counts: Value<'c, 'a>,
    buckets: Value<'c, 'a>,
    /// How many bits the digit has.
    digit: u32,
    parts: Parts<'c, 'a>,
    /// The words, and what moves with them: of each, two halves.
    moved: Values<'c, 'a>,
}

impl<'c: 'a, 'a> Pass<'c, 'a> {
    /// Gives where the half begins that words are in then.
    fn run(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        self.count(builder)?;
        let index = [builder.index_type()];
        let moved = builder.if_else(
            self.is_constant(builder)?,
            &index,
            |_| Emitted::Ok(vec![self.from]),
            |builder| {
                self.sum_up(builder)?;
                let into = builder.arithmetic("arith.subi", &[self.parts.row, self.from])?;
                self.move_all(builder, into)?;
                Ok(vec![into])
            },
        )?;
        Ok(moved[0])
    }

    /// The place of a digit's count in a part.
    fn place(
        &self,
        builder: &Builder<'c, 'a>,
        part: Value<'c, 'a>,
        digit: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let row = builder.arithmetic("arith.muli", &[part, self.buckets])?;
        Ok(builder.arithmetic("arith.addi", &[row, digit])?)
    }

    /// The digit of a word.
    fn digit(&self, builder: &Builder<'c, 'a>, word: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let mask = builder.integer((1 << self.digit) - 1, word.r#type())?;
        let shifted = builder.arithmetic("arith.shrui", &[word, self.shift])?;
        let digit = builder.arithmetic("arith.andi", &[shifted, mask])?;
        Ok(builder.value("arith.index_castui", &[digit], builder.index_type(), &[])?)
    }

    /// Counts how often each digit occurs in each part.
    fn count(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, ()> {
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let size = builder.arithmetic("arith.muli", &[self.parts.count, self.buckets])?;
        builder.for_loop(size, &[], |builder, place, _| {
            builder.store(zero, self.counts, &[place])?;
            Emitted::Ok(vec![])
        })?;
        self.parts.for_each(builder, |builder, part, position| {
            let place = builder.arithmetic("arith.addi", &[self.from, position])?;
            let word = builder.load(self.moved[0], &[place])?;
            let place = self.place(builder, part, self.digit(builder, word)?)?;
            let count = builder.load(self.counts, &[place])?;
            let count = builder.arithmetic("arith.addi", &[count, one])?;
            builder.store(count, self.counts, &[place])?;
            Ok(())
        })
    }

    /// Whether all words have the digit of the first.
    fn is_constant(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let word = builder.load(self.moved[0], &[self.from])?;
        let digit = self.digit(builder, word)?;
        let zero = builder.index(0)?;
        let total = builder.for_loop(self.parts.count, &[zero], |builder, part, total| {
            let count = builder.load(self.counts, &[self.place(builder, part, digit)?])?;
            Emitted::Ok(vec![builder.arithmetic("arith.addi", &[total[0], count])?])
        })?;
        Ok(builder.compare(Predicate::Eq, total[0], self.parts.row)?)
    }

    /// Makes of counts where words go: those of less digits first, and of earlier parts.
    fn sum_up(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, ()> {
        let zero = builder.index(0)?;
        builder.for_loop(self.buckets, &[zero], |builder, digit, sum| {
            builder.for_loop(self.parts.count, sum, |builder, part, sum| {
                let place = self.place(builder, part, digit)?;
                let count = builder.load(self.counts, &[place])?;
                builder.store(sum[0], self.counts, &[place])?;
                Emitted::Ok(vec![builder.arithmetic("arith.addi", &[sum[0], count])?])
            })
        })?;
        Ok(())
    }

    /// Moves words, and what goes with them, to their places.
    fn move_all(&self, builder: &Builder<'c, 'a>, into: Value<'c, 'a>) -> Emitted<'c, ()> {
        let one = builder.index(1)?;
        self.parts.for_each(builder, |builder, part, position| {
            let place = builder.arithmetic("arith.addi", &[self.from, position])?;
            let moved = load_all(builder, &self.moved, place)?;
            let digit = self.digit(builder, moved[0])?;
            let count = self.place(builder, part, digit)?;
            let next = builder.load(self.counts, &[count])?;
            let after = builder.arithmetic("arith.addi", &[next, one])?;
            builder.store(after, self.counts, &[count])?;
            let place = builder.arithmetic("arith.addi", &[into, next])?;
            store_all(builder, &moved, &self.moved, place)
        })
    }
}
