//! Cuts loops of nests where an index wraps around.
//!
//! ```text
//! for k to m                       r = i mod n
//!   s += a[(i + k) mod n]          for p to ⌈(r + m) / n⌉
//!                                    first = max(p n - r, 0), end = min((p + 1) n - r, m)
//!                                    base = (i + first) mod n
//!                                    for c to end - first
//!                                      s += a[base + c]
//! ```
//!
//! Obeys the entry `split` of schedules, and takes it away. Whether pieces are as long as that says is asked
//! in the program: where they are not, the kernel runs as it was, without schedules, which are chosen again.
//! Nests are in memory form. A schedule that cannot be obeyed is an error ([`Splitting::of`]).
//!
//! Source: index-set splitting, Wolfe (High Performance Compilers for Parallel Computing, 1996), chapter 9.
//! Cost: the code of a kernel is there twice.

use std::collections::HashMap;

use comb_kit::{
    checks::facts::key,
    pass_error::PassError,
    walk::{ancestors, operations},
};
use comb_nest::{
    nest_versions::{before_kernel, computed, in_two_versions, require_memory_form},
    nests::{Nest, kernels},
};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use nest_dialect::{builder::NestBuilder, schedule::Schedule};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::OpView,
};

use crate::nest_schedule::splitting::{Splitting, Wrap};

type Made<'c, T> = Result<T, PassError<'c>>;
type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// Longer pieces might end behind the largest number there is.
const LONGEST: i64 = 1 << 60;

/// Cuts all loops whose schedules say so.
///
/// # Errors
///
/// If a schedule cannot be obeyed, or MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for kernel in kernels(module) {
        let ops = operations(kernel).into_iter().enumerate();
        let cut = ops.filter_map(|(position, op)| {
            let schedule = Schedule::of(op).ok().flatten()?;
            schedule
                .split
                .map(|least| Cut::of(op, position, schedule, least))
        });
        let cut = cut.collect::<Made<Vec<_>>>()?;
        if !cut.is_empty() {
            require_memory_form(kernel, "loops are cut")?;
        }
        if let Some(front) = Builder::before(kernel).filter(|_| !cut.is_empty()) {
            lower(&front, kernel, &cut)?;
        }
    }
    Ok(())
}

fn lower<'c: 'a, 'a>(
    front: &Builder<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    cut: &[Cut<'c, 'a>],
) -> Made<'c, ()> {
    let periods = cut.iter().map(|cut| cut.period(front));
    let periods = periods.collect::<Made<Values>>()?;
    let mut are_long = None;
    for (cut, &period) in cut.iter().zip(&periods) {
        let is_long = cut.is_long(front, period)?;
        are_long = Some(match are_long {
            Some(others) => front.arithmetic("arith.andi", &[others, is_long])?,
            None => is_long,
        });
    }
    in_two_versions(front, kernel, are_long, |builder| {
        let ops = operations(builder.copy(kernel, &mut |value| value));
        for (cut, &period) in cut.iter().zip(&periods) {
            cut.make(ops[cut.position], period)?;
        }
        Ok(())
    })
}

/// A loop that is cut.
struct Cut<'c, 'a> {
    splitting: Splitting<'c, 'a>,
    /// Where it is among the ops of its kernel.
    position: usize,
    schedule: Schedule,
    /// How long pieces have to be.
    least: u64,
}

impl<'c: 'a, 'a> Cut<'c, 'a> {
    fn of(
        op: OperationRef<'c, 'a>,
        position: usize,
        schedule: Schedule,
        least: u64,
    ) -> Made<'c, Self> {
        Ok(Self {
            splitting: splitting(&Nest::of(op))?,
            position,
            schedule,
            least,
        })
    }

    /// From how many iterations to how many the index wraps around.
    fn period(&self, front: &Builder<'c, 'a>) -> Made<'c, Value<'c, 'a>> {
        let limit = before_kernel(front, self.splitting.limit)?;
        let Wrap::Mask = self.splitting.wrap else {
            return Ok(limit);
        };
        // It goes up by one as long as only the ones at the end of the mask change.
        let [one, ones] = [front.index(1)?, front.index(-1)?];
        let next = front.arithmetic("arith.addi", &[limit, one])?;
        let others = front.arithmetic("arith.xori", &[next, ones])?;
        let low = front.arithmetic("arith.andi", &[limit, others])?;
        Ok(front.arithmetic("arith.addi", &[low, one])?)
    }

    /// Whether pieces are long enough, and not too long.
    fn is_long(&self, front: &Builder<'c, 'a>, period: Value<'c, 'a>) -> Made<'c, Value<'c, 'a>> {
        let least = i64::try_from(self.least).unwrap_or(LONGEST).min(LONGEST);
        let [least, most] = [front.index(least)?, front.index(LONGEST)?];
        let is_long = front.compare(Predicate::Sge, period, least)?;
        let is_short = front.compare(Predicate::Sle, period, most)?;
        Ok(front.arithmetic("arith.andi", &[is_long, is_short])?)
    }

    /// Makes of a copy of the loop one over pieces and one over the iterations of each.
    fn make(&self, op: OperationRef<'c, 'a>, period: Value<'c, 'a>) -> Made<'c, ()> {
        let nest = Nest::of(op);
        let (Some(front), Some(block), Some(own), Some(length)) = (
            Builder::before(op),
            OpView::of(op).block(),
            nest.index(),
            nest.length(),
        ) else {
            return Ok(());
        };
        let Splitting { ops, index, .. } = splitting(&nest)?;
        let is_inside = |other: OperationRef<'c, 'a>| ancestors(other).any(|around| around == op);
        let at = |builder: &Builder<'c, 'a>, value, iteration| {
            let mut known = HashMap::from([(key(own), iteration)]);
            computed(builder, value, &mut known, &is_inside)
        };
        let zero = front.index(0)?;
        let start = at(&front, index, zero)?;
        let begun = front.arithmetic("arith.remui", &[start, period])?;
        let all = front.arithmetic("arith.addi", &[begun, length])?;
        let last = front.arithmetic("arith.subi", &[period, front.index(1)?])?;
        let rounded = front.arithmetic("arith.addi", &[all, last])?;
        let pieces = front.arithmetic("arith.divsi", &[rounded, period])?;
        let inits: Values = op.operands().skip(1).collect();
        let one_by_one = Some(Schedule::default());
        let schedule = Some(Schedule {
            split: None,
            ..self.schedule
        });
        let wrapped: Value = ops[0].result(0)?.into();
        let results = front.loop_like(
            op,
            (pieces, &inits),
            one_by_one,
            |builder, piece, carried| {
                let start = builder.arithmetic("arith.muli", &[piece, period])?;
                let start = builder.arithmetic("arith.subi", &[start, begun])?;
                let end = builder.arithmetic("arith.addi", &[start, period])?;
                let first = builder.arithmetic("arith.maxsi", &[start, zero])?;
                let end = builder.arithmetic("arith.minsi", &[end, length])?;
                let width = builder.arithmetic("arith.subi", &[end, first])?;
                let base = at(builder, wrapped, first)?;
                builder.loop_like(op, (width, carried), schedule, |builder, step, carried| {
                    let iteration = builder.arithmetic("arith.addi", &[first, step])?;
                    let place = builder.arithmetic("arith.addi", &[base, step])?;
                    let arguments = [&[iteration], carried].concat();
                    let yielded = builder.inline(block, &arguments)?;
                    for &op in &ops {
                        builder.replace(op, &[place]);
                    }
                    Made::Ok(yielded)
                })
            },
        )?;
        front.replace(op, &results);
        Ok(())
    }
}

/// Where a loop is cut, or why it cannot be.
fn splitting<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Made<'c, Splitting<'c, 'a>> {
    Splitting::of(nest).map_err(|why| PassError::Unsupported {
        location: nest.op.location(),
        message: format!("'nest.loop' op cannot be cut as its schedule says: {why}"),
    })
}
