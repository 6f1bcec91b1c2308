//! What comes before each block of a kernel that scans, found out while blocks run: decoupled
//! look-back (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
//! NVIDIA 2016), with a fixed tree instead of whatever is ready, so that bits are the same each time.
//!
//! * **Tickets.** Blocks take numbers as they begin, so one only waits for blocks that have begun.
//! * **Levels.** The first level has an entry for each block: what it adds. Each entry of the next
//!   level is what as many neighbours add as a warp has lanes; the last of them puts it there. What
//!   comes before a block is, level by level, what the neighbours before it add. No block waits for
//!   what comes before another one, so the chain of those that wait is as long as there are levels.
//! * **Words.** An entry is made of words of 32 bits, each of which is in one of 64 beside a flag, and
//!   is read and written as a whole. So nothing has to be ordered by fences.
//!
//! Cost: for each block a read and a write of memory for each level, by the lanes of one warp.

use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike};
use soac_dialect::builder::{Builder, Predicate, Size};

use super::{
    Emitted, Values,
    launch::{Counts, Place, Sizes, barrier, launch, only_if, words},
    monoid::{Lanes, Monoid},
};
use comb_kit::element_types::bits;

/// More levels than this have no number of blocks.
const MOST_LEVELS: i64 = 12;

/// `memref.atomic_rmw` that exchanges, adds, and changes nothing if it is given 0.
const EXCHANGE: i64 = 3;
const ADD: i64 = 1;
const OR: i64 = 14;

/// The memory by which blocks know of each other.
pub(super) struct Lookback<'c, 'a> {
    /// The next ticket, and then the entries of all levels, word by word.
    memory: Value<'c, 'a>,
    /// How many entries there are on all levels.
    entries: Value<'c, 'a>,
    blocks: Value<'c, 'a>,
    /// Whether there is more than one block.
    has_others: Value<'c, 'a>,
    warp: u64,
}

impl<'c: 'a, 'a> Lookback<'c, 'a> {
    /// Memory for so many blocks, and the kernel that clears it if there is more than one.
    pub fn new<'m>(
        builder: &Builder<'c, 'a>,
        monoids: impl Iterator<Item = &'m Monoid<'c, 'a>>,
        blocks: Value<'c, 'a>,
        [threads, warp]: [u64; 2],
    ) -> Emitted<'c, (Self, OperationRef<'c, 'a>)>
    where
        'c: 'm,
        'a: 'm,
    {
        let types = monoids.flat_map(|monoid| &monoid.types);
        let words: u64 = types.map(|&r#type| words_of(r#type)).sum();
        let one = builder.index(1)?;
        let above = builder.quotient(blocks, builder.index(warp as i64 - 1)?)?;
        let entries = builder.add(builder.add(blocks, above)?, builder.index(MOST_LEVELS)?)?;
        let all = builder.times(entries, builder.index(words as i64)?)?;
        let size = builder.add(all, one)?;
        let long = builder.integer_type(64);
        let memory = builder.allocate(&[Size::Dynamic(size)], long)?;
        let has_others = builder.compare(Predicate::Sgt, blocks, one)?;
        let mut clears = None;
        only_if(builder, has_others, |builder| {
            let threads = builder.index(threads as i64)?;
            let sizes = Sizes::line(builder, builder.parts(size, threads)?, threads)?;
            clears = Some(launch(builder, sizes, |builder, place| {
                let before = builder.times(place.block[0], place.threads[0])?;
                let own = builder.add(before, place.thread[0])?;
                let exists = builder.compare(Predicate::Slt, own, size)?;
                only_if(builder, exists, |builder| {
                    let zero = builder.integer(0, long)?;
                    Ok(builder.store(zero, memory, &[own])?)
                })
            })?);
            Ok(())
        })?;
        let clears = clears.ok_or_else(|| {
            super::refused(
                builder.location(),
                "'gpu.launch' op was not made for a scan",
            )
        })?;
        let made = Self {
            memory,
            entries,
            blocks,
            has_others,
            warp,
        };
        Ok((made, clears))
    }

    /// The number of this block, in the order in which blocks begin.
    pub fn ticket(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let (index, long) = (builder.index_type(), builder.integer_type(64));
        let shared = place.shared(builder, &[1], index)?;
        let zero = builder.index(0)?;
        only_if(builder, place.is_first(builder)?, |builder| {
            let ticket = builder.if_else(
                self.has_others,
                &[index],
                |builder| {
                    let one = builder.integer(1, long)?;
                    let ticket = self.atomic(builder, ADD, one, zero)?;
                    Emitted::Ok(vec![builder.value(
                        "arith.index_cast",
                        &[ticket],
                        index,
                        &[],
                    )?])
                },
                |_| Ok(vec![zero]),
            )?;
            Ok(builder.store(ticket[0], shared, &[zero])?)
        })?;
        barrier(builder)?;
        Ok(builder.load(shared, &[zero])?)
    }

    /// What comes before the block of a ticket, for all its threads, given what each block adds.
    pub fn before(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        lanes: &Lanes<'c, 'a>,
        ticket: Value<'c, 'a>,
        added: &[(&Monoid<'c, 'a>, Values<'c, 'a>)],
    ) -> Emitted<'c, Vec<Values<'c, 'a>>> {
        let mut shared = vec![];
        for (monoid, _) in added {
            let types = monoid.types.iter();
            let memories = types.map(|&r#type| place.shared(builder, &[1], r#type));
            shared.push(memories.collect::<Emitted<Values>>()?);
        }
        let zero = builder.index(0)?;
        let is_first_warp = builder.compare(Predicate::Eq, lanes.number, zero)?;
        only_if(builder, is_first_warp, |builder| {
            let mut word = 0;
            for ((monoid, added), shared) in added.iter().zip(&shared) {
                let before = self.climb(builder, lanes, ticket, monoid, added, word)?;
                word += monoid
                    .types
                    .iter()
                    .map(|&r#type| words_of(r#type))
                    .sum::<u64>();
                only_if(builder, place.is_first(builder)?, |builder| {
                    for (&value, &memory) in before.iter().zip(shared) {
                        builder.store(value, memory, &[zero])?;
                    }
                    Ok(())
                })?;
            }
            Ok(())
        })?;
        barrier(builder)?;
        let all = shared.iter().map(|memories| {
            let memories = memories.iter();
            memories
                .map(|&memory| Ok(builder.load(memory, &[zero])?))
                .collect()
        });
        all.collect()
    }

    /// Goes from level to level, with what comes before and what to put there; done by a warp. `word` is where the
    /// words of the monoid begin among those of an entry.
    fn climb(
        &self,
        builder: &Builder<'c, 'a>,
        lanes: &Lanes<'c, 'a>,
        ticket: Value<'c, 'a>,
        monoid: &Monoid<'c, 'a>,
        added: &[Value<'c, 'a>],
        word: u64,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let width = builder.index(self.warp as i64)?;
        let neutrals = monoid.neutrals(builder)?;
        let yes = builder.integer(1, builder.integer_type(1))?;
        let count = neutrals.len();
        let state = [
            &[ticket, self.blocks, zero, yes],
            neutrals.as_slice(),
            added,
        ]
        .concat();
        let state = builder.while_loop(
            &state,
            |builder, state| Emitted::Ok(builder.compare(Predicate::Sgt, state[1], one)?),
            |builder, state| {
                let (position, size, offset, puts) = (state[0], state[1], state[2], state[3]);
                let (before, own) = state[4..].split_at(count);
                let rank = builder.remainder(position, width)?;
                let first = builder.add(offset, builder.subtract(position, rank)?)?;
                let level = Entries {
                    lookback: self,
                    word,
                };
                let is_first = builder.compare(Predicate::Eq, lanes.lane, zero)?;
                let does = builder.arithmetic("arith.andi", &[puts, is_first])?;
                only_if(builder, does, |builder| {
                    level.put(builder, own, builder.add(offset, position)?)
                })?;
                let waits = builder.compare(Predicate::Slt, lanes.lane, rank)?;
                let entry = builder.add(first, lanes.lane)?;
                let entry = builder.select(waits, entry, first)?;
                let others = level.get(builder, own, entry, waits)?;
                let mut neighbours = vec![];
                for (&other, &neutral) in others.iter().zip(&neutrals) {
                    neighbours.push(builder.select(waits, other, neutral)?);
                }
                let neighbours = lanes.fold_warp(builder, monoid, &neighbours)?;
                let before = monoid.combine(builder, &neighbours, before)?;
                let own = monoid.combine(builder, &neighbours, own)?;
                let last = builder.index(self.warp as i64 - 1)?;
                let is_last = builder.compare(Predicate::Eq, rank, last)?;
                let next = [
                    builder.quotient(position, width)?,
                    builder.parts(size, width)?,
                    builder.add(offset, size)?,
                    builder.arithmetic("arith.andi", &[puts, is_last])?,
                ];
                Emitted::Ok([next.as_slice(), &before, &own].concat())
            },
        )?;
        Ok(state[4..4 + count].to_vec())
    }

    fn atomic(
        &self,
        builder: &Builder<'c, 'a>,
        kind: i64,
        value: Value<'c, 'a>,
        index: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let long = builder.integer_type(64);
        let kind = [("kind", builder.number(kind))];
        let operands = [value, self.memory, index];
        Ok(builder.value("memref.atomic_rmw", &operands, long, &kind)?)
    }
}

/// Of how many words of 32 bits a number is made.
fn words_of(r#type: Type) -> u64 {
    if r#type.is_index() {
        return 2;
    }
    bits(r#type).div_ceil(32)
}

/// The entries of a monoid.
struct Entries<'l, 'c, 'a> {
    lookback: &'l Lookback<'c, 'a>,
    /// Where its words begin.
    word: u64,
}

impl<'c: 'a, 'a> Entries<'_, 'c, 'a> {
    /// Where a word of an entry is.
    fn place(
        &self,
        builder: &Builder<'c, 'a>,
        number: u64,
        entry: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let number = builder.index((self.word + number) as i64)?;
        let before = builder.times(self.lookback.entries, number)?;
        builder.add(builder.add(before, entry)?, builder.index(1)?)
    }

    fn put(
        &self,
        builder: &Builder<'c, 'a>,
        values: &[Value<'c, 'a>],
        entry: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let (word, long) = (builder.integer_type(32), builder.integer_type(64));
        let mut number = 0;
        for &value in values {
            words(builder, value, &mut |builder, own| {
                let bits = match own.r#type() == word {
                    true => own,
                    false => builder.value("arith.bitcast", &[own], word, &[])?,
                };
                let wide = builder.value("arith.extui", &[bits], long, &[])?;
                let flag = builder.integer(1 << 32, long)?;
                let flagged = builder.arithmetic("arith.ori", &[wide, flag])?;
                let place = self.place(builder, number, entry)?;
                self.lookback.atomic(builder, EXCHANGE, flagged, place)?;
                number += 1;
                Ok(own)
            })?;
        }
        Ok(())
    }

    /// Values like some others, from an entry; waits for it if `waits`.
    fn get(
        &self,
        builder: &Builder<'c, 'a>,
        like: &[Value<'c, 'a>],
        entry: Value<'c, 'a>,
        waits: Value<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let mut number = 0;
        let mut gotten = vec![];
        for &value in like {
            gotten.push(words(builder, value, &mut |builder, own| {
                let place = self.place(builder, number, entry)?;
                number += 1;
                self.get_word(builder, own.r#type(), place, waits)
            })?);
        }
        Ok(gotten)
    }

    fn get_word(
        &self,
        builder: &Builder<'c, 'a>,
        r#type: Type<'c>,
        place: Value<'c, 'a>,
        waits: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let (word, long) = (builder.integer_type(32), builder.integer_type(64));
        let zero = builder.integer(0, long)?;
        let flag = builder.integer(1 << 32, long)?;
        let read = |builder: &Builder<'c, 'a>| self.lookback.atomic(builder, OR, zero, place);
        let first = read(builder)?;
        let flagged = builder.while_loop(
            &[first],
            |builder, state| {
                let is_missing = builder.compare(Predicate::Ult, state[0], flag)?;
                Emitted::Ok(builder.arithmetic("arith.andi", &[is_missing, waits])?)
            },
            |builder, _| Ok(vec![read(builder)?]),
        )?;
        let own = builder.value("arith.trunci", &flagged, word, &[])?;
        match r#type == word {
            true => Ok(own),
            false => Ok(builder.value("arith.bitcast", &[own], r#type, &[])?),
        }
    }
}
