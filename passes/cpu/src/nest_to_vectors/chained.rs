//! What scans and filters carry from one chunk to the next.
//!
//! Chunks are *chained*: each is summed up first ([`summed`](super::summed)), while it comes from
//! memory; its thread then waits for what all chunks before it sum up to, says what they sum up to
//! with its own, and goes through its chunk a second time, which is in the cache by now (as in
//! Merrill and Garland, Single-pass parallel prefix scan with decoupled look-back, 2016, without
//! looking back: a thread's chunks come in order).
//!
//! One thread alone has nobody who waits for it. It goes through each chunk once, and knows then
//! what is before the next one: if an operator is exact, that is what the scan carries, else a sum
//! that is folded beside, and has the same bits as the one that several threads would wait for.
//! Nor is there anything to sum up for the last chunk.
//!
//! Cost: a call of OpenMP's library each time that a loop runs, and a few branches for each chunk.

use std::ops::Range;

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use nest_dialect::schedule::Schedule;
use soac_dialect::builder::{Builder, Predicate, Size};

use super::{
    Emitted, Values, Vectors, arguments,
    carried::Combined,
    loops::Bounds,
    summed::{Summed, with_sums},
};
use comb_kit::{checks::facts::key, library_function::LibraryFunction};
use comb_nest::nests::Nest;

use crate::{
    lanes::{internal, lambda::Local, operator::Operator},
    nest_schedule::sums::{self, Stage},
    waiting::{SIGNAL, THREADS, WAIT, allocate_flags, call_for_flag, thread_count},
};

/// A scan or filter that chunks carry on.
struct Link<'c, 'a> {
    /// Where its numbers are among what the loop carries.
    positions: Vec<usize>,
    /// The operator of a scan. Of a filter, counts are added up.
    operator: Option<Operator<'c, 'a>>,
    /// For each number, memory for what is before each chunk, and behind the last one.
    carries: Values<'c, 'a>,
    /// Where the sums of a chunk are among all that are folded beside, if they are.
    beside: Option<Range<usize>>,
}

/// The scans and filters of a loop.
pub(super) struct Chain<'c, 'a> {
    /// Those that are summed up at once, and the loop that does that.
    stages: Vec<(Vec<Link<'c, 'a>>, Summed<'c, 'a>)>,
    /// How many chunks there are.
    count: Value<'c, 'a>,
    /// For each stage and chunk, whether what is before the next chunk is known.
    flags: Value<'c, 'a>,
    /// Whether there is no other thread.
    is_alone: Value<'c, 'a>,
    /// The loop that works on a chunk.
    pub op: OperationRef<'c, 'a>,
    /// What sums begin with that it folds beside: it carries them behind all else.
    pub sums: Values<'c, 'a>,
}

/// What is the same for all stages of a chunk.
struct Place<'c, 'a> {
    chunk: Value<'c, 'a>,
    next: Value<'c, 'a>,
    /// Whether it waits for the chunk before.
    waits: Value<'c, 'a>,
    /// Whether it tells the next chunk what is before that.
    tells: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Link<'c, 'a> {
    fn of_all(&self, states: &[Value<'c, 'a>]) -> Values<'c, 'a> {
        let own = self.positions.iter();
        own.map(|&position| states[position]).collect()
    }

    fn put(&self, states: &mut [Value<'c, 'a>], own: &[Value<'c, 'a>]) {
        for (&position, &value) in self.positions.iter().zip(own) {
            states[position] = value;
        }
    }

    /// What it has carried where nothing was before.
    fn neutrals(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Values<'c, 'a>> {
        match &self.operator {
            Some(operator) => Ok(operator.neutrals.clone()),
            None => Ok(vec![builder.index(0)?]),
        }
    }

    fn load(&self, builder: &Builder<'c, 'a>, chunk: Value<'c, 'a>) -> Emitted<'c, Values<'c, 'a>> {
        let carries = self.carries.iter();
        carries
            .map(|&memory| Ok(builder.load(memory, &[chunk])?))
            .collect()
    }

    fn store(
        &self,
        builder: &Builder<'c, 'a>,
        values: &[Value<'c, 'a>],
        chunk: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for (&value, &memory) in values.iter().zip(&self.carries) {
            builder.store(value, memory, &[chunk])?;
        }
        Ok(())
    }
}

impl<'c: 'a, 'a> Chain<'c, 'a> {
    fn links(&self) -> impl Iterator<Item = &Link<'c, 'a>> {
        self.stages.iter().flat_map(|(links, _)| links)
    }

    /// Behind all chunks: puts what they have carried among the states.
    pub fn end(&self, builder: &Builder<'c, 'a>, states: &mut [Value<'c, 'a>]) -> Emitted<'c, ()> {
        for link in self.links() {
            link.put(states, &link.load(builder, self.count)?);
        }
        Ok(())
    }

    fn place(&self, builder: &Builder<'c, 'a>, chunk: Value<'c, 'a>) -> Emitted<'c, Place<'c, 'a>> {
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let next = builder.arithmetic("arith.addi", &[chunk, one])?;
        let waits = builder.compare(Predicate::Ne, chunk, zero)?;
        let tells = builder.compare(Predicate::Slt, next, self.count)?;
        let never = builder.integer(0, builder.integer_type(1))?;
        let waits = builder.select(self.is_alone, never, waits)?;
        let tells = builder.select(self.is_alone, never, tells)?;
        Ok(Place {
            chunk,
            next,
            waits,
            tells,
        })
    }

    /// The number of a chunk's flag in a stage.
    fn flag(
        &self,
        builder: &Builder<'c, 'a>,
        stage: usize,
        chunk: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let stage = builder.index(stage as i64)?;
        let first = builder.arithmetic("arith.muli", &[stage, self.count])?;
        Ok(builder.arithmetic("arith.addi", &[first, chunk])?)
    }
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// What comes before the first of so many chunks; nothing if nothing is carried through them.
    pub(super) fn begin_chain(
        &mut self,
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        scans: Vec<Combined<'c, 'a>>,
        count: Value<'c, 'a>,
        inits: &[Value<'c, 'a>],
    ) -> Emitted<'c, Option<Chain<'c, 'a>>> {
        let stages = sums::stages(nest)
            .map_err(|obstacle| internal(nest.op.location(), &obstacle.to_string()))?;
        if stages.is_empty() {
            return Ok(None);
        }
        let (zero, one) = (builder.index(0)?, builder.index(1)?);
        let places = builder.arithmetic("arith.addi", &[count, one])?;
        let all = builder.index(stages.len() as i64)?;
        let all = builder.arithmetic("arith.muli", &[count, all])?;
        let flags = allocate_flags(builder, all)?;
        let is_alone = builder.compare(Predicate::Sle, thread_count(builder)?, one)?;
        self.called.extend([WAIT, SIGNAL, THREADS]);
        let inexact: Vec<&Combined> = scans
            .iter()
            .filter(|scan| !scan.operator.is_exact())
            .collect();
        let ops: Vec<OperationRef> = inexact.iter().map(|scan| scan.operator.op()).collect();
        let beside = inexact.iter().flat_map(|scan| &scan.positions).copied();
        let beside: Vec<usize> = beside.collect();
        let sums = inexact.iter().flat_map(|scan| &scan.operator.neutrals);
        let link = |positions: &[usize]| {
            let own = positions.iter().map(|&position| inits[position]);
            let carries = own.map(|init| {
                let memory = builder.allocate(&[Size::Dynamic(places)], init.r#type())?;
                builder.store(init, memory, &[zero])?;
                Emitted::Ok(memory)
            });
            let scan = scans.iter().find(|scan| scan.positions == positions);
            Emitted::Ok(Link {
                positions: positions.to_vec(),
                operator: scan.map(|scan| scan.operator.clone()),
                carries: carries.collect::<Emitted<Values>>()?,
                beside: beside
                    .windows(positions.len())
                    .position(|own| own == positions)
                    .map(|first| first..first + positions.len()),
            })
        };
        let stages = stages.iter().map(|stage: &Stage| {
            let links = stage.summed.iter();
            let links = links.map(|changed| link(&changed.positions));
            let links = links.collect::<Emitted<Vec<Link>>>()?;
            Ok((links, Summed::of(nest, stage)?))
        });
        Ok(Some(Chain {
            stages: stages.collect::<Emitted<_>>()?,
            count,
            flags,
            is_alone,
            op: match ops.is_empty() {
                true => nest.op,
                false => with_sums(nest, &ops)?,
            },
            sums: sums.copied().collect(),
        }))
    }

    /// In front of a chunk: puts what is before it among the states, and tells the next one what
    /// is before that.
    pub(super) fn enter_chunk(
        &mut self,
        builder: &Builder<'c, 'a>,
        chain: &Chain<'c, 'a>,
        chunk: Value<'c, 'a>,
        bounds: Bounds<'c, 'a>,
        states: &mut [Value<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let place = chain.place(builder, chunk)?;
        for (number, (links, summed)) in chain.stages.iter().enumerate() {
            let mut begun = states.to_vec();
            for link in links {
                link.put(&mut begun, &link.neutrals(builder)?);
            }
            let neutral: Values = links.iter().flat_map(|link| link.of_all(&begun)).collect();
            let types: Vec<Type> = neutral.iter().map(|value| value.r#type()).collect();
            let sums = builder.if_else(
                place.tells,
                &types,
                |builder| {
                    let sums = self.sum_up(builder, summed, bounds, begun.clone(), local)?;
                    Ok(links.iter().flat_map(|link| link.of_all(&sums)).collect())
                },
                |_| Emitted::Ok(neutral.clone()),
            )?;
            let flag = chain.flag(builder, number, chunk)?;
            when(builder, place.waits, |builder| {
                let before = builder.arithmetic("arith.subi", &[flag, builder.index(1)?])?;
                call(builder, WAIT, chain, before)
            })?;
            for link in links {
                link.put(states, &link.load(builder, place.chunk)?);
            }
            self.note_ends(builder, chain.op, links, place.tells, [states, &sums])?;
            when(builder, place.tells, |builder| {
                let mut sums = sums.as_slice();
                for link in links {
                    let (own, others) = sums.split_at(link.positions.len());
                    sums = others;
                    let behind = self.joined(builder, link, &link.of_all(states), own)?;
                    link.store(builder, &behind, place.next)?;
                }
                call(builder, SIGNAL, chain, flag)
            })?;
        }
        Ok(())
    }

    /// Notes where a chunk ends in what filters keep, if it tells that to the next one.
    fn note_ends(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        links: &[Link<'c, 'a>],
        tells: Value<'c, 'a>,
        [states, mut sums]: [&[Value<'c, 'a>]; 2],
    ) -> Emitted<'c, ()> {
        let counted = arguments(op)?;
        for link in links {
            let (own, others) = sums.split_at(link.positions.len());
            sums = others;
            if link.operator.is_none() && !self.with_room.is_empty() {
                let position = link.positions[0];
                let told = builder.arithmetic("arith.addi", &[states[position], own[0]])?;
                let end = builder.select(tells, told, builder.index(i64::MAX)?)?;
                let ends = self.ends_kept.get_or_insert_default();
                ends.insert(key(counted[position + 1]), end);
            }
        }
        Ok(())
    }

    /// Behind a chunk: the last one, and one thread alone, know what has been carried.
    pub(super) fn leave_chunk(
        &mut self,
        builder: &Builder<'c, 'a>,
        chain: &Chain<'c, 'a>,
        chunk: Value<'c, 'a>,
        states: &[Value<'c, 'a>],
        sums: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let next = builder.arithmetic("arith.addi", &[chunk, builder.index(1)?])?;
        let is_last = builder.compare(Predicate::Eq, next, chain.count)?;
        when(builder, is_last, |builder| {
            let mut links = chain.links();
            links.try_for_each(|link| link.store(builder, &link.of_all(states), next))
        })?;
        let has_next = builder.compare(Predicate::Ne, next, chain.count)?;
        let goes_on = builder.arithmetic("arith.andi", &[has_next, chain.is_alone])?;
        when(builder, goes_on, |builder| {
            for link in chain.links() {
                let behind = match &link.beside {
                    None => link.of_all(states),
                    Some(own) => {
                        let before = link.load(builder, chunk)?;
                        self.joined(builder, link, &before, &sums[own.clone()])?
                    }
                };
                link.store(builder, &behind, next)?;
            }
            Ok(())
        })
    }

    /// What a part of a loop adds to what it carries, among all of that.
    fn sum_up(
        &mut self,
        builder: &Builder<'c, 'a>,
        summed: &Summed<'c, 'a>,
        bounds: Bounds<'c, 'a>,
        mut states: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let schedule = Schedule::of(summed.op).ok().flatten().unwrap_or_default();
        let own = summed.positions.iter();
        let own = own.map(|&position| states[position]).collect();
        self.take_locals(builder, summed.op, local)?;
        let sums = self.part(builder, summed.op, &schedule, bounds, own, local)?;
        for (&position, sum) in summed.positions.iter().zip(sums) {
            states[position] = sum;
        }
        Ok(states)
    }

    /// What is carried behind a chunk.
    fn joined(
        &mut self,
        builder: &Builder<'c, 'a>,
        link: &Link<'c, 'a>,
        before: &[Value<'c, 'a>],
        sums: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        match &link.operator {
            Some(operator) => operator.combined(self, builder, before, sums),
            None => Ok(vec![
                builder.arithmetic("arith.addi", &[before[0], sums[0]])?,
            ]),
        }
    }
}

fn call<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: LibraryFunction,
    chain: &Chain<'c, 'a>,
    flag: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    call_for_flag(builder, function, chain.flags, flag)
}

/// Code that runs if a condition holds.
fn when<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    code: impl FnOnce(&Builder<'c, 'a>) -> Emitted<'c, ()>,
) -> Emitted<'c, ()> {
    builder.if_else(
        condition,
        &[],
        |builder| code(builder).map(|()| vec![]),
        |_| Ok(vec![]),
    )?;
    Ok(())
}
