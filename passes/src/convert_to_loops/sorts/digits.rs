//! Sorting by digits, from the last to the first, which keeps the order of elements that have the
//! same digit.
//!
//! 1. For each element, the number that decides is computed ([`Key`]), and made a *word*, whose order
//!    without a sign is the one that is asked for.
//! 2. For each digit, words and the elements that go with them move from one half of new memory to the
//!    other. How often each digit occurs says where its words begin. A digit that all words have moves
//!    nothing.
//! 3. Elements go into the results; where a word says all about an element, it is made of it.
//!
//! Threads share all three by parts of the row; each counts its own part.
//!
//! `<` does not tell −0 from +0, and so their order in the row counts. If words say all of elements of
//! a row with a −0, it is merged instead.

use std::collections::HashMap;

use melior::ir::{BlockLike, OperationRef, TypeLike, Value, operation::OperationLike};
use soac_dialect::builder::{Builder, FloatPredicate, Predicate, Size};

use super::{
    LONG, Row, Sharing, Sort, for_each,
    key::{Key, Order},
    load_all, store_all,
};
use crate::{
    checks::facts::key as key_of,
    convert_to_loops::emitter::{Emitted, Values},
    walk::op_key,
};

/// How many elements are worth a thread.
const PART: i64 = 1 << 16;

/// In how many parts a row is at most.
const MOST_PARTS: i64 = 16;

/// Memory of a row while it is sorted: of each, two halves.
struct Halves<'c, 'a> {
    words: Value<'c, 'a>,
    /// The arrays whose elements go with the words, by number.
    carried: Vec<(usize, Value<'c, 'a>)>,
}

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
            let first = builder.arithmetic("arith.muli", &[part, self.length])?;
            let end = builder.arithmetic("arith.addi", &[first, self.length])?;
            let end = builder.arithmetic("arith.minsi", &[end, self.row])?;
            let bounds = [first, end, builder.index(1)?];
            builder.range_loop(bounds, &[], |builder, position, _| {
                body(builder, part, position)?;
                Emitted::Ok(vec![])
            })?;
            Ok(())
        })
    }
}

impl<'c: 'a, 'a> Key<'c, 'a> {
    /// The width of words.
    fn word(&self) -> u32 {
        if self.width <= 32 { 32 } else { 64 }
    }

    /// How many bits a digit has.
    fn digit(&self) -> u32 {
        if self.width <= 16 { 8 } else { 11 }
    }

    /// The number that decides, of the elements at a place.
    fn computed(
        &self,
        builder: &Builder<'c, 'a>,
        elements: &[Value<'c, 'a>],
    ) -> Emitted<'c, Value<'c, 'a>> {
        let mut new: HashMap<usize, Value> = HashMap::new();
        for (number, &element) in elements.iter().chain(elements).enumerate() {
            new.insert(key_of(self.block.argument(number)?.into()), element);
        }
        let mut next = self.block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            if self.ops.contains(&op_key(op)) {
                // SAFETY: the op belongs to the sort, which lives for 'a.
                let op: OperationRef<'c, 'a> = unsafe { OperationRef::from_raw(op.to_raw()) };
                let copy = builder.copy(op, &mut |value| {
                    new.get(&key_of(value)).copied().unwrap_or(value)
                });
                new.insert(key_of(op.result(0)?.into()), copy.result(0)?.into());
            }
        }
        Ok(new.get(&key_of(self.value)).copied().unwrap_or(self.value))
    }

    /// The word of a number.
    fn encoded(
        &self,
        builder: &Builder<'c, 'a>,
        number: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let (bits_type, word) = (
            builder.integer_type(self.width),
            builder.integer_type(self.word()),
        );
        let mut bits = match self.order {
            Order::Float => {
                let zero = builder.float(0.0, self.r#type)?;
                let is_zero = builder.compare_floats(FloatPredicate::Oeq, number, zero)?;
                let number = builder.select(is_zero, zero, number)?;
                builder.value("arith.bitcast", &[number], bits_type, &[])?
            }
            _ if self.r#type.is_index() => {
                builder.value("arith.index_cast", &[number], bits_type, &[])?
            }
            _ => number,
        };
        if let Some(turned) = self.turned(builder, bits)? {
            bits = builder.arithmetic("arith.xori", &[bits, turned])?;
        }
        if self.falls {
            bits = builder.arithmetic("arith.xori", &[bits, builder.integer(-1, bits_type)?])?;
        }
        Ok(match self.width == self.word() {
            true => bits,
            false => builder.value("arith.extui", &[bits], word, &[])?,
        })
    }

    /// The number of a word.
    fn decoded(
        &self,
        builder: &Builder<'c, 'a>,
        word: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let bits_type = builder.integer_type(self.width);
        let mut bits = match self.width == self.word() {
            true => word,
            false => builder.value("arith.trunci", &[word], bits_type, &[])?,
        };
        let ones = builder.integer(-1, bits_type)?;
        if self.falls {
            bits = builder.arithmetic("arith.xori", &[bits, ones])?;
        }
        // The sign of what is positive is set in its word.
        let source = match self.order {
            Order::Float => builder.arithmetic("arith.xori", &[bits, ones])?,
            _ => bits,
        };
        if let Some(turned) = self.turned(builder, source)? {
            bits = builder.arithmetic("arith.xori", &[bits, turned])?;
        }
        Ok(match self.order {
            Order::Float => builder.value("arith.bitcast", &[bits], self.r#type, &[])?,
            _ if self.r#type.is_index() => {
                builder.value("arith.index_cast", &[bits], self.r#type, &[])?
            }
            _ => bits,
        })
    }

    /// The bits that differ between a number and its word: the sign, and all of a negative
    /// floating-point number.
    fn turned(
        &self,
        builder: &Builder<'c, 'a>,
        bits: Value<'c, 'a>,
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        let r#type = builder.integer_type(self.width);
        let sign = builder.integer(i64::MIN >> (64 - self.width), r#type)?;
        Ok(match self.order {
            Order::Unsigned => None,
            Order::Signed => Some(sign),
            Order::Float => {
                let last = builder.integer(i64::from(self.width) - 1, r#type)?;
                let signs = builder.arithmetic("arith.shrsi", &[bits, last])?;
                Some(builder.arithmetic("arith.ori", &[signs, sign])?)
            }
        })
    }
}

impl<'c: 'a, 'a> Sort<'c, 'a> {
    /// Whether a row is sorted by digits.
    pub(super) fn has_digits(
        &self,
        builder: &Builder<'c, 'a>,
        row: &Row<'c, 'a>,
        key: &Key<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let long = builder.index(LONG)?;
        let is_long = builder.compare(Predicate::Sge, row.length, long)?;
        let Some(array) = key.array.filter(|_| key.order == Order::Float) else {
            return Ok(is_long);
        };
        let (bits, truth) = (builder.integer_type(key.width), builder.integer_type(1));
        let minus_zero = builder.integer(i64::MIN >> (64 - key.width), bits)?;
        let [yes, no] = [builder.integer(1, truth)?, builder.integer(0, truth)?];
        let has_digits = builder.if_else(
            is_long,
            &[truth],
            |builder| {
                let found = builder.for_loop(row.length, &[no], |builder, position, found| {
                    let number = builder.load(row.inputs[array], &[position])?;
                    let number = builder.value("arith.bitcast", &[number], bits, &[])?;
                    let is = builder.compare(Predicate::Eq, number, minus_zero)?;
                    Emitted::Ok(vec![builder.arithmetic("arith.ori", &[found[0], is])?])
                })?;
                Emitted::Ok(vec![builder.arithmetic("arith.xori", &[found[0], yes])?])
            },
            |_| Ok(vec![no]),
        )?;
        Ok(has_digits[0])
    }

    /// Sorts a row by digits.
    pub(super) fn by_digits(
        &self,
        builder: &Builder<'c, 'a>,
        row: &Row<'c, 'a>,
        key: &Key<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let parts = self.parts(builder, row)?;
        let halves = self.halves(builder, row, key)?;
        parts.for_each(builder, |builder, _, position| {
            let elements = load_all(builder, &row.inputs, position)?;
            let number = key.computed(builder, &elements)?;
            let word = key.encoded(builder, number)?;
            builder.store(word, halves.words, &[position])?;
            for &(array, memory) in &halves.carried {
                builder.store(elements[array], memory, &[position])?;
            }
            Ok(())
        })?;
        let digit = i64::from(key.digit());
        let buckets = builder.index(1 << digit)?;
        let size = builder.arithmetic("arith.muli", &[parts.count, buckets])?;
        let counts = builder.allocate(&[Size::Dynamic(size)], builder.index_type())?;
        let digits = builder.index(i64::from(key.width.div_ceil(key.digit())))?;
        let from = builder.for_loop(digits, &[builder.index(0)?], |builder, number, from| {
            let shift = builder.arithmetic("arith.muli", &[number, builder.index(digit)?])?;
            let pass = Pass {
                shift: builder.value(
                    "arith.index_cast",
                    &[shift],
                    builder.integer_type(key.word()),
                    &[],
                )?,
                from: from[0],
                counts,
                buckets,
                parts,
                halves: &halves,
                key,
            };
            Emitted::Ok(vec![pass.run(builder)?])
        })?[0];
        parts.for_each(builder, |builder, _, position| {
            let place = builder.arithmetic("arith.addi", &[from, position])?;
            for &(array, memory) in &halves.carried {
                let element = builder.load(memory, &[place])?;
                builder.store(element, row.results[array], &[position])?;
            }
            if let Some(array) = key.array {
                let word = builder.load(halves.words, &[place])?;
                let number = key.decoded(builder, word)?;
                builder.store(number, row.results[array], &[position])?;
            }
            Ok(())
        })
    }

    fn parts(&self, builder: &Builder<'c, 'a>, row: &Row<'c, 'a>) -> Emitted<'c, Parts<'c, 'a>> {
        let one = builder.index(1)?;
        let is_shared = self.sharing == Sharing::Shared;
        let count = match is_shared {
            true => {
                let count =
                    builder.arithmetic("arith.ceildivsi", &[row.length, builder.index(PART)?])?;
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

    fn halves(
        &self,
        builder: &Builder<'c, 'a>,
        row: &Row<'c, 'a>,
        key: &Key<'c, 'a>,
    ) -> Emitted<'c, Halves<'c, 'a>> {
        let twice = builder.arithmetic("arith.addi", &[row.length, row.length])?;
        let size = [Size::Dynamic(twice)];
        let words = builder.allocate(&size, builder.integer_type(key.word()))?;
        let carried = (0..self.elements.len()).filter(|&array| Some(array) != key.array);
        let carried =
            carried.map(|array| Ok((array, builder.allocate(&size, self.elements[array])?)));
        Ok(Halves {
            words,
            carried: carried.collect::<Emitted<_>>()?,
        })
    }
}

/// The pass over a row that sorts it by a digit.
struct Pass<'s, 'c, 'a> {
    /// How many bits of words are behind the digit.
    shift: Value<'c, 'a>,
    /// Where the half begins that words are in.
    from: Value<'c, 'a>,
    /// How often each digit occurs in each part, and then where the next of its words goes.
    counts: Value<'c, 'a>,
    buckets: Value<'c, 'a>,
    parts: Parts<'c, 'a>,
    halves: &'s Halves<'c, 'a>,
    key: &'s Key<'c, 'a>,
}

impl<'c: 'a, 'a> Pass<'_, 'c, 'a> {
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
        let r#type = builder.integer_type(self.key.word());
        let mask = builder.integer((1 << self.key.digit()) - 1, r#type)?;
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
            let word = builder.load(self.halves.words, &[place])?;
            let place = self.place(builder, part, self.digit(builder, word)?)?;
            let count = builder.load(self.counts, &[place])?;
            let count = builder.arithmetic("arith.addi", &[count, one])?;
            builder.store(count, self.counts, &[place])?;
            Ok(())
        })
    }

    /// Whether all words have the digit of the first.
    fn is_constant(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let word = builder.load(self.halves.words, &[self.from])?;
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
        let carried = self.halves.carried.iter().map(|&(_, memory)| memory);
        let memory: Values = [self.halves.words].into_iter().chain(carried).collect();
        self.parts.for_each(builder, |builder, part, position| {
            let place = builder.arithmetic("arith.addi", &[self.from, position])?;
            let moved = load_all(builder, &memory, place)?;
            let digit = self.digit(builder, moved[0])?;
            let count = self.place(builder, part, digit)?;
            let next = builder.load(self.counts, &[count])?;
            let after = builder.arithmetic("arith.addi", &[next, one])?;
            builder.store(after, self.counts, &[count])?;
            let place = builder.arithmetic("arith.addi", &[into, next])?;
            store_all(builder, &moved, &memory, place)
        })
    }
}
