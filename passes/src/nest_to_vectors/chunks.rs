//! The outermost loop, in chunks that threads work on at the same time.
//!
//! How long chunks are depends on the schedule and on sizes alone. What they fold is put together
//! in their order, so that no bit of a result depends on the number of threads.

use melior::ir::{OperationRef, Value, ValueLike};
use nest_dialect::schedule::Schedule;
use soac_dialect::builder::{Builder, Size};

use super::{Emitted, Values, Vectors, carried::Combined, loops::Bounds, outside::outside};
use crate::{
    convert_to_loops::even::even_length, lanes::lambda::Local, nest_schedule::nests::Nest,
};

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// A loop whose iterations threads share.
    pub(super) fn in_chunks(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        schedule: &Schedule,
        [_, total]: Bounds<'c, 'a>,
        inits: Values<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let nest = Nest::of(op);
        let combined = Combined::of(builder, &nest, local)?;
        let (length, multiple) = length(builder, &nest, schedule, total, local)?;
        let count = builder.arithmetic("arith.ceildivsi", &[total, length])?;
        let partial = combined
            .iter()
            .map(|part| {
                let memory = part
                    .operator
                    .elements()
                    .map(|element| Ok(builder.allocate(&[Size::Dynamic(count)], element)?));
                memory.collect::<Emitted<Values>>()
            })
            .collect::<Emitted<Vec<_>>>()?;
        builder.parallel_loop(count, "contiguous", |builder, chunk| {
            self.take_locals(builder, op, local)?;
            let multiple = builder.index(multiple)?;
            let groups = builder.arithmetic("arith.divui", &[length, multiple])?;
            let first = builder.arithmetic("arith.muli", &[chunk, groups])?;
            let first = builder.arithmetic("arith.muli", &[first, multiple])?;
            let end = builder.arithmetic("arith.addi", &[first, length])?;
            let end = builder.arithmetic("arith.minsi", &[end, total])?;
            let mut states = inits.clone();
            for part in &combined {
                part.put(&mut states, part.operator.neutrals.clone());
            }
            let states = self.part(builder, op, schedule, [first, end], states, local)?;
            for (part, memory) in combined.iter().zip(&partial) {
                for (value, &memory) in part.of_all(&states).into_iter().zip(memory) {
                    builder.store(value, memory, &[chunk])?;
                }
            }
            Emitted::Ok(())
        })?;
        let mut states = inits;
        for (part, memory) in combined.iter().zip(&partial) {
            let before = part.of_all(&states);
            let folded = builder.for_loop(count, &before, |builder, chunk, states| {
                let loaded = memory.iter();
                let loaded = loaded.map(|&memory| Ok(builder.load(memory, &[chunk])?));
                let loaded = loaded.collect::<Emitted<Values>>()?;
                part.operator.combined(self, builder, states, &loaded)
            })?;
            part.put(&mut states, folded);
        }
        Ok(states)
    }
}

/// How many iterations a chunk has, but for the last, and what that is a multiple of.
fn length<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    schedule: &Schedule,
    total: Value<'c, 'a>,
    local: &Local<'c, 'a>,
) -> Emitted<'c, (Value<'c, 'a>, i64)> {
    let chunk = schedule.chunk.unwrap_or(u64::MAX).min(i64::MAX as u64) as i64;
    let total = Size::Dynamic(total);
    let lanes = (schedule.lanes * schedule.accumulators) as i64;
    if nest.is_innermost() {
        let multiple = if chunk > 2 * lanes { lanes } else { 1 };
        let most = builder.index(chunk - chunk % multiple)?;
        let length = even_length(builder, total, most, multiple, 1)?;
        return Ok((length, multiple));
    }
    let product = greatest_product(builder, nest, nest, local)?;
    let length = builder.arithmetic("arith.divsi", &[builder.index(chunk)?, product])?;
    let most = builder.arithmetic("arith.maxsi", &[length, builder.index(1)?])?;
    let length = even_length(builder, total, most, 1, 1)?;
    if lanes == 1 {
        return Ok((length, 1));
    }
    let multiple = builder.index(lanes)?;
    let groups = builder.arithmetic("arith.ceildivsi", &[length, multiple])?;
    Ok((
        builder.arithmetic("arith.muli", &[groups, multiple])?,
        lanes,
    ))
}

/// The greatest product of the lengths of loops inside one, but 1 at least. A length that is only
/// known inside counts as 1.
fn greatest_product<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    outermost: &Nest<'c, 'a>,
    nest: &Nest<'c, 'a>,
    local: &Local<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let one = builder.index(1)?;
    nest.inner.iter().try_fold(one, |greatest, inner| {
        let mut product = greatest_product(builder, outermost, inner, local)?;
        let length = match inner.length() {
            Some(length) => outside(builder, outermost, local, length)?,
            None => None,
        };
        if let Some(length) = length.filter(|length| length.r#type() == builder.index_type()) {
            product = builder.arithmetic("arith.muli", &[product, length])?;
        }
        Ok(builder.arithmetic("arith.maxsi", &[product, greatest])?)
    })
}
