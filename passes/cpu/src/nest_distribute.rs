//! Distributes loops of nests, a block of iterations at a time.
//!
//! ```text
//! for k to n                  for b to ⌈n / 1024⌉
//!   p = i[j[k]]                 first = 1024 b, buffer of 1024
//!   y[k] = x[p]                 for c to min(1024, n - first)   buffer[c] = i[j[first + c]]
//!                               for c to min(1024, n - first)   y[first + c] = x[buffer[c]]
//! ```
//!
//! Obeys the entry `blocks` of schedules. The loops that it makes have no schedules, which are chosen then.
//! Nests are in memory form. A schedule that cannot be obeyed is an error ([`Distribution::of`]).
//!
//! Source: loop distribution and strip-mining, Allen and Kennedy, *Optimizing Compilers for Modern
//! Architectures*, 5.5 and 5.6.
//! Cost: linear in the size of the loops.

use std::collections::HashMap;

use comb_kit::{checks::facts::key, pass_error::PassError, walk::operations};
use comb_nest::{
    nest_versions::require_memory_form,
    nests::{Nest, kernels},
};
use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use nest_dialect::{
    builder::NestBuilder,
    schedule::{SCHEDULE, Schedule},
};
use soac_dialect::{builder::Builder, view::remove_attribute};

use crate::nest_schedule::blocks::Distribution;

type Made<'c, T> = Result<T, PassError<'c>>;
type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// What values of the loop's body are in a copy.
type Copied<'c, 'a> = HashMap<usize, Value<'c, 'a>>;

/// Distributes all loops whose schedules say so.
///
/// # Errors
///
/// If a schedule cannot be obeyed, or MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for kernel in kernels(module) {
        let loops = operations(kernel).into_iter().filter_map(|op| {
            let schedule = Schedule::of(op).ok().flatten()?;
            schedule.blocks.map(|length| (op, length))
        });
        let loops: Vec<_> = loops.collect();
        if !loops.is_empty() {
            require_memory_form(kernel, "loops are distributed")?;
        }
        for (op, length) in loops {
            lower(op, length)?;
        }
    }
    Ok(())
}

fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>, length: u64) -> Made<'c, ()> {
    let nest = Nest::of(op);
    let refused = |why: &dyn std::fmt::Display| PassError::Unsupported {
        location: op.location(),
        message: format!("'nest.loop' op cannot be distributed as its schedule says: {why}"),
    };
    let distribution = Distribution::of(&nest).map_err(|why| refused(&why))?;
    let parts = Builder::before(op).zip(nest.index()).zip(nest.length());
    let ((front, index), iterations) = parts.ok_or_else(|| refused(&"it has no body"))?;
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let [one, block] = [front.index(1)?, front.index(length)?];
    let last = front.arithmetic("arith.subi", &[block, one])?;
    let rounded = front.arithmetic("arith.addi", &[iterations, last])?;
    let blocks = front.arithmetic("arith.divsi", &[rounded, block])?;
    front.nest_loop(blocks, &[], |builder, number, _| {
        let first = builder.arithmetic("arith.muli", &[number, block])?;
        let left = builder.arithmetic("arith.subi", &[iterations, first])?;
        let width = builder.arithmetic("arith.minsi", &[left, block])?;
        let kept = distribution.kept.iter();
        let buffers = kept.map(|value| buffer(builder, length, value.r#type()));
        let buffers = buffers.collect::<Made<Values>>()?;
        let begun = |builder: &Builder<'c, 'a>, step| {
            let iteration = builder.arithmetic("arith.addi", &[first, step])?;
            Made::Ok(Copied::from([(key(index), iteration)]))
        };
        builder.nest_loop(width, &[], |builder, step, _| {
            let mut copied = begun(builder, step)?;
            copy(
                builder,
                &distribution.body[..distribution.first],
                &mut copied,
            );
            for (value, &buffer) in distribution.kept.iter().zip(&buffers) {
                builder.write(of(&copied, *value), buffer, &[step])?;
            }
            Made::Ok(vec![])
        })?;
        builder.nest_loop(width, &[], |builder, step, _| {
            let mut copied = begun(builder, step)?;
            for (value, &buffer) in distribution.kept.iter().zip(&buffers) {
                copied.insert(key(*value), builder.read(buffer, &[step])?);
            }
            copy(builder, &distribution.again, &mut copied);
            copy(
                builder,
                &distribution.body[distribution.first..],
                &mut copied,
            );
            Made::Ok(vec![])
        })?;
        Made::Ok(vec![])
    })?;
    front.replace(op, &[]);
    Ok(())
}

/// Memory of an iteration for so many numbers.
fn buffer<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    length: i64,
    number: Type<'c>,
) -> Made<'c, Value<'c, 'a>> {
    let r#type = builder.r#type(&format!("memref<{length}x{number}>"))?;
    let sizes = [("static_sizes", builder.integers(&[length]))];
    Ok(builder.value("nest.local", &[], r#type, &sizes)?)
}

/// Copies of ops, one behind the other, without schedules.
fn copy<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    ops: &[OperationRef<'c, 'a>],
    copied: &mut Copied<'c, 'a>,
) {
    for &op in ops {
        let made = builder
            .located(op.location())
            .copy(op, &mut |value| of(copied, value));
        for (old, new) in op.results().zip(made.results()) {
            copied.insert(key(old.into()), new.into());
        }
        for op in std::iter::once(made).chain(operations(made)) {
            remove_attribute(op, SCHEDULE);
        }
    }
}

fn of<'c, 'a>(copied: &Copied<'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    copied.get(&key(value)).copied().unwrap_or(value)
}
