//! Results past the caches, as the entry `stream` of a schedule says.
//!
//! The code of such a loop is there twice, and the program asks which of it is to run:
//!
//! * Whether the arrays are large is asked before the outermost loop, if it is known there which they
//!   are.
//! * If they are, vectors have to begin where lines of the cache do. As many iterations as come before that are the
//!   loop's *lead*, and are computed with a mask: addresses say how many, each time the loop runs, since
//!   rows of a matrix, or of a part of one, may begin anywhere. Where arrays that the loop writes have
//!   different leads, they go into the caches. There is no code for a lead where it can be seen that
//!   there is none.
//!
//! In the end, other threads see what one has written past the caches: the runtime library sees to it
//! when all chunks are done, and is asked to behind an outermost loop without chunks.
//!
//! Cost: that of [`streamed`], and the code of the loop once more.

use std::{cell::RefCell, collections::HashMap};

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use nest_dialect::schedule::Schedule;
use soac_dialect::{
    builder::{ALIGNMENT, Builder, Predicate, Size},
    cast::Parts,
    view::{OpView, definition, memory_strides, op_name},
};

use super::{
    Emitted, Values, Vectors,
    loops::{Bounds, Strip},
    rows_ahead::{LastRow, last_rows},
    uniform,
};
use comb_kit::{
    checks::facts::key, element_types::bits_in_memory, library_function::LibraryFunction,
    walk::operations,
};
use comb_nest::nests::Nest;

use crate::{
    lanes::{
        internal,
        lambda::{Local, lookup},
        memory::{address, element_type},
    },
    nest_schedule::streams::streamed,
};

/// The function of the runtime library after which other threads see what was written past the caches.
pub(super) const FINISH_STORES: LibraryFunction = LibraryFunction {
    name: "comb_runtime_finish_stores",
    r#type: "() -> ()",
    takes_memory: false,
};

/// What a loop writes past the caches.
pub(super) struct Stream<'c, 'a> {
    writes: Vec<OperationRef<'c, 'a>>,
    /// Whether it does.
    streams: Value<'c, 'a>,
    /// How many iterations come before the first that begins a line; nothing if that can be seen to be
    /// none.
    lead: Option<Value<'c, 'a>>,
    /// What it fetches ahead.
    fetched: Vec<LastRow<'c, 'a>>,
}

/// Where a write begins.
struct Start<'c, 'a> {
    address: Value<'c, 'a>,
    /// Of an element.
    bytes: i64,
}

/// How the loops inside an outermost one write past the caches.
#[derive(Default)]
pub(super) struct Streaming<'c, 'a> {
    /// Whether arrays are large, by the loop that writes them.
    large: Vec<(OperationRef<'c, 'a>, Value<'c, 'a>)>,
    /// The writes that go past the caches now.
    past_caches: Vec<OperationRef<'c, 'a>>,
    /// Whether there is a call of [`FINISH_STORES`].
    pub calls_runtime: bool,
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// Asks before an outermost loop which arrays are large that loops in it write.
    pub(super) fn ask_for_sizes(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        self.streaming.large.clear();
        let outermost = Nest::of(op);
        for (inner, schedule) in streaming_loops(op) {
            let arrays = arrays_of(&streamed(&Nest::of(inner), &schedule));
            if !arrays.iter().any(|&array| outermost.defines(array)) {
                let large = are_large(builder, inner, &arrays, &schedule, local)?;
                self.streaming.large.push((inner, large));
            }
        }
        Ok(())
    }

    /// Behind an outermost loop that one thread runs: others see what was written past the caches before
    /// they see what is written later.
    pub(super) fn finish_stores(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let loops = streaming_loops(op);
        if loops.is_empty() {
            return Ok(());
        }
        self.streaming.calls_runtime = true;
        let large = &self.streaming.large;
        let are_all_known = loops
            .iter()
            .all(|(inner, _)| large.iter().any(|(known, _)| known == inner));
        if !are_all_known {
            return call_finish_stores(builder);
        }
        let none = builder.integer(0, builder.integer_type(1))?;
        let any = large.iter().try_fold(none, |any, &(_, large)| {
            builder.arithmetic("arith.ori", &[any, large])
        })?;
        builder.if_else(
            any,
            &[],
            |builder| call_finish_stores(builder).map(|()| vec![]),
            |_| Ok(vec![]),
        )?;
        Ok(())
    }

    /// Fetches what a loop reads next, in code that writes past the caches.
    pub(super) fn fetch_rows(
        &self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        match &code.stream {
            Some(stream) => {
                let mut fetched = stream.fetched.iter();
                fetched.try_for_each(|row| row.fetch(builder, code.lanes, local))
            }
            None => Ok(()),
        }
    }

    /// What a loop that begins at an iteration writes past the caches.
    pub(super) fn stream(
        &self,
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        schedule: &Schedule,
        first: Value<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Option<Stream<'c, 'a>>> {
        let fetched = schedule.fetch;
        let fetched = fetched.map_or_else(Vec::new, |rows| last_rows(nest, rows));
        if schedule.stream.is_none() {
            return self.fetching(builder, fetched);
        }
        let writes = streamed(nest, schedule);
        let mut known = self.streaming.large.iter();
        let large = match known.find(|(op, _)| *op == nest.op) {
            Some(&(_, large)) => large,
            None => are_large(builder, nest.op, &arrays_of(&writes), schedule, local)?,
        };
        let are_at_lines = writes.iter().all(|&write| is_at_line(nest, write, local));
        let types = [builder.integer_type(1), builder.index_type()];
        let found = builder.if_else(
            large,
            &types,
            |builder| {
                let starts = writes
                    .iter()
                    .map(|&write| start(builder, nest, write, first, local));
                common_lead(
                    builder,
                    &starts.collect::<Emitted<Vec<_>>>()?,
                    !are_at_lines,
                )
            },
            |builder| {
                let none = builder.integer(0, builder.integer_type(1))?;
                Ok(vec![none, builder.index(0)?])
            },
        )?;
        Ok(Some(Stream {
            writes,
            streams: found[0],
            lead: (!are_at_lines).then_some(found[1]),
            fetched,
        }))
    }

    /// What a loop fetches that writes nothing past the caches itself, where others in the same outermost
    /// loop do.
    fn fetching(
        &self,
        builder: &Builder<'c, 'a>,
        fetched: Vec<LastRow<'c, 'a>>,
    ) -> Emitted<'c, Option<Stream<'c, 'a>>> {
        let mut large = self.streaming.large.iter().map(|&(_, large)| large);
        let Some(first) = large.next().filter(|_| !fetched.is_empty()) else {
            return Ok(None);
        };
        let any = large.try_fold(first, |any, large| {
            builder.arithmetic("arith.ori", &[any, large])
        });
        Ok(Some(Stream {
            writes: vec![],
            streams: any?,
            lead: None,
            fetched,
        }))
    }

    /// Iterations of a loop by code that writes past the caches, or by code that does not.
    pub(super) fn either_way(
        &mut self,
        builder: &Builder<'c, 'a>,
        code: &mut Strip<'_, 'c, 'a>,
        stream: Stream<'c, 'a>,
        bounds: Bounds<'c, 'a>,
        states: &[Value<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let types: Vec<Type> = states.iter().map(|state| state.r#type()).collect();
        let streams = stream.streams;
        let shared = RefCell::new((self, code, local));
        builder.if_else(
            streams,
            &types,
            |builder| {
                let (this, code, local) = &mut *shared.borrow_mut();
                let outer = this.streaming.past_caches.len();
                this.streaming.past_caches.extend(&stream.writes);
                code.stream = Some(stream);
                let states = this.unless_empty(builder, code, bounds, states, local);
                code.stream = None;
                this.streaming.past_caches.truncate(outer);
                states
            },
            |builder| {
                let (this, code, local) = &mut *shared.borrow_mut();
                this.strip_mined(builder, code, bounds, states.to_vec(), local)
            },
        )
    }

    /// Iterations in a branch, if there are some: the length of a lead is not known before the loops
    /// around, and so it would not be known there that a loop without iterations does nothing.
    fn unless_empty(
        &mut self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        bounds: Bounds<'c, 'a>,
        states: &[Value<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let types: Vec<Type> = states.iter().map(|state| state.r#type()).collect();
        let runs = builder.compare(Predicate::Slt, bounds[0], bounds[1])?;
        builder.if_else(
            runs,
            &types,
            |builder| self.strip_mined(builder, code, bounds, states.to_vec(), local),
            |_| Ok(states.to_vec()),
        )
    }

    /// The iterations in front of the first that begins a line, with masks for so many lanes at once.
    /// Gives what the loop carries.
    pub(super) fn lead(
        &mut self,
        builder: &Builder<'c, 'a>,
        code: &Strip<'_, 'c, 'a>,
        lanes: u64,
        bounds: Bounds<'c, 'a>,
        states: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        match &code.stream {
            Some(Stream { lead: Some(_), .. }) => {
                self.masked_vectors(builder, code.op, lanes, bounds, &states, local)
            }
            _ => Ok(states),
        }
    }

    /// Whether the vector that an op writes now goes past the caches.
    pub(super) fn goes_past_caches(&self, write: OperationRef<'c, 'a>) -> bool {
        self.scope.mask.is_none() && self.streaming.past_caches.contains(&write)
    }
}

impl<'c: 'a, 'a> Strip<'_, 'c, 'a> {
    /// The first iteration behind the lead of a loop.
    pub fn behind_lead(
        &self,
        builder: &Builder<'c, 'a>,
        [first, end]: Bounds<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let Some(lead) = self.stream.as_ref().and_then(|stream| stream.lead) else {
            return Ok(first);
        };
        let behind = builder.arithmetic("arith.addi", &[first, lead])?;
        Ok(builder.arithmetic("arith.minsi", &[behind, end])?)
    }
}

impl<'c: 'a, 'a> Start<'c, 'a> {
    /// How many elements come before the next line.
    fn lead(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let back = builder.arithmetic("arith.subi", &[builder.index(0)?, self.address])?;
        let distance = behind_line(builder, back)?;
        let bytes = builder.index(self.bytes)?;
        Ok(builder.arithmetic("arith.divui", &[distance, bytes])?)
    }

    /// Whether a line begins so many elements later.
    fn is_at_line_behind(
        &self,
        builder: &Builder<'c, 'a>,
        lead: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let distance = builder.arithmetic("arith.muli", &[lead, builder.index(self.bytes)?])?;
        let address = builder.arithmetic("arith.addi", &[self.address, distance])?;
        let distance = behind_line(builder, address)?;
        Ok(builder.compare(Predicate::Eq, distance, builder.index(0)?)?)
    }
}

/// How many bytes an address is behind the start of a line.
fn behind_line<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    address: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    Ok(builder.arithmetic("arith.andi", &[address, builder.index(ALIGNMENT - 1)?])?)
}

/// Where a write of a loop begins that begins at an iteration.
fn start<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    write: OperationRef<'c, 'a>,
    first: Value<'c, 'a>,
    local: &Local<'c, 'a>,
) -> Emitted<'c, Start<'c, 'a>> {
    let operands: Values = write.operands().collect();
    let (array, index) = (operands[1], &operands[2..]);
    let mut known = nest
        .index()
        .map_or_else(HashMap::new, |index| HashMap::from([(key(index), first)]));
    let at_first = index
        .iter()
        .map(|&component| before(builder, nest, local, &mut known, component))
        .collect::<Emitted<Values>>()?;
    let memory = uniform(write, lookup(local, array))?;
    let bytes = bytes_of_element(memory)?;
    Ok(Start {
        address: address(builder, memory, &at_first)?,
        bytes,
    })
}

/// Whether it can be seen that a write of a loop that begins at its first iteration begins a line.
fn is_at_line<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    write: OperationRef<'c, 'a>,
    local: &Local<'c, 'a>,
) -> bool {
    let operands: Values = write.operands().collect();
    let memory = lookup(local, operands[1]).uniform();
    operands.last().copied() == nest.index()
        && memory.is_some_and(|memory| {
            bytes_of_element(memory).is_ok_and(|bytes| has_rows_at_lines(memory, bytes))
        })
}

/// Whether writes have a lead in common behind which all of them begin lines, and how long it is, if it may
/// be longer than nothing.
fn common_lead<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    starts: &[Start<'c, 'a>],
    may_be_long: bool,
) -> Emitted<'c, Values<'c, 'a>> {
    let lead = match starts.iter().min_by_key(|start| start.bytes) {
        Some(narrowest) if may_be_long => narrowest.lead(builder)?,
        _ => builder.index(0)?,
    };
    let all = builder.integer(1, builder.integer_type(1))?;
    let are_at_lines = starts.iter().try_fold(all, |all, start| {
        let is_at_line = start.is_at_line_behind(builder, lead)?;
        Emitted::Ok(builder.arithmetic("arith.andi", &[all, is_at_line])?)
    })?;
    Ok(vec![are_at_lines, lead])
}

/// What a value in a loop is before it, where its index is known.
pub(super) fn before<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    local: &Local<'c, 'a>,
    known: &mut HashMap<usize, Value<'c, 'a>>,
    value: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    if let Some(&known) = known.get(&key(value)) {
        return Ok(known);
    }
    if !nest.defines(value) {
        return uniform(nest.op, lookup(local, value));
    }
    let op = definition(value)
        .ok_or_else(|| internal(nest.op.location(), "an index is not known before its loop"))?;
    let mut operands = HashMap::new();
    for operand in op.operands() {
        let now = before(builder, nest, local, known, operand)?;
        operands.insert(key(operand), now);
    }
    let copy = builder.copy(op, &mut |value| {
        operands.get(&key(value)).copied().unwrap_or(value)
    });
    let result = copy.result(0)?.into();
    known.insert(key(value), result);
    Ok(result)
}

/// Whether it can be seen that rows of some memory begin at lines: new memory does, and so do rows of
/// whole lines.
fn has_rows_at_lines(memory: Value, bytes: i64) -> bool {
    let is_aligned = definition(memory).is_some_and(|op| {
        let alignment = OpView::of(op).integer("alignment").unwrap_or(1);
        op_name(op) == "memref.alloc" && alignment % ALIGNMENT == 0
    });
    let strides = memory_strides(memory.r#type()).unwrap_or_default();
    let outer = strides.split_last().map_or(&[][..], |(_, outer)| outer);
    let is_known = |&stride: &i64| stride != i64::MIN;
    is_aligned
        && outer
            .iter()
            .all(|stride| is_known(stride) && stride * bytes % ALIGNMENT == 0)
}

/// A loop and those inside that write past the caches.
fn streaming_loops<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, Schedule)> {
    let loops = std::iter::once(op).chain(operations(op)).filter_map(|op| {
        let schedule = Schedule::of(op).ok().flatten()?;
        schedule.stream.map(|_| (op, schedule))
    });
    loops.collect()
}

/// The arrays that are written, each once.
fn arrays_of<'c: 'a, 'a>(writes: &[OperationRef<'c, 'a>]) -> Values<'c, 'a> {
    let mut arrays = vec![];
    for array in writes.iter().filter_map(|write| write.operand_at(1)) {
        if !arrays.contains(&array) {
            arrays.push(array);
        }
    }
    arrays
}

fn bytes_of_element<'c>(memory: Value<'c, '_>) -> Emitted<'c, i64> {
    Ok(bits_in_memory(element_type(memory)?) as i64 / 8)
}

/// Whether arrays have more bytes together than a schedule says.
fn are_large<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    arrays: &[Value<'c, 'a>],
    schedule: &Schedule,
    local: &Local<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let bytes = arrays
        .iter()
        .map(|&array| {
            let memory = uniform(op, lookup(local, array))?;
            let element = Size::Static(bytes_of_element(memory)?);
            let sizes = builder.sizes(memory)?.into_iter().chain([element]);
            Ok(builder.product(sizes)?)
        })
        .collect::<Emitted<Vec<_>>>()?;
    let total = builder.size_value(builder.sum(bytes)?)?;
    let most = schedule.stream.unwrap_or(0).min(i64::MAX as u64) as i64;
    Ok(builder.compare(Predicate::Sgt, total, builder.index(most)?)?)
}

fn call_finish_stores<'c>(builder: &Builder<'c, '_>) -> Emitted<'c, ()> {
    let callee = builder.attribute(&format!("@{}", FINISH_STORES.name))?;
    builder.op("func.call", &[], &[], &[("callee", callee)], vec![])?;
    Ok(())
}
