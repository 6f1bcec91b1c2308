//! Copies operands of loop nests in the order in which lanes read them.
//!
//! ```text
//! for i to m                       p = array of [⌈n / 16⌉, l, 16]
//!   for j to n      (16 lanes)     for q, k, c   p[q, k, c] = b[16 q + c, k]
//!     for k to l                   for i to m
//!       s += a[i, k] * b[j, k]       for q to ⌈n / 16⌉
//!                                      for c to min(16, n - 16 q)   (16 lanes)
//!                                        for k to l
//!                                          s += a[i, k] * p[q, k, c]
//! ```
//!
//! As many columns as are computed at once are a *panel*. So the innermost loop goes through a panel from
//! one line of the cache to the next, and what the CPU fetches ahead is what is read next. Without panels,
//! each of its lines would be in another page, and many in the same set of a cache.
//!
//! Obeys the entry `pack` of schedules, and takes it away; `lanes` says how wide panels are. Whether there
//! are enough rows, and as many columns as a panel has, is asked in the program, unless it is known: where
//! there are not, the kernel runs as it was, without schedules, which are chosen again. Nests are in memory
//! form. A schedule that cannot be obeyed is an error ([`Packing::of`]).
//!
//! Source: panels are those of Goto and van de Geijn (Anatomy of High-Performance Matrix Multiplication,
//! TOMS 2008).
//! Cost: the code of a kernel is there twice, if what is asked is not known.

use std::{collections::HashMap, fmt::Display};

use comb_kit::{
    checks::facts::{constant, key},
    element_types::{array_element, bits_in_memory},
    pass_error::PassError,
    walk::{ancestors, operations},
};
use comb_nest::{
    nest_versions::{before_kernel, computed, in_two_versions, require_memory_form},
    nests::{Nest, kernels},
};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use nest_dialect::{builder::NestBuilder, schedule::Schedule};
use soac_dialect::{
    builder::{Builder, Predicate, Size},
    cast::Parts,
    view::{OpView, op_name},
};

use crate::nest_schedule::{accesses::Access, packing::Packing};

type Made<'c, T> = Result<T, PassError<'c>>;
type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// Packs for all loops whose schedules say so.
///
/// # Errors
///
/// If a schedule cannot be obeyed, or MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for kernel in kernels(module) {
        let ops = operations(kernel);
        let columns = ops.iter().filter_map(|&op| {
            let schedule = Schedule::of(op).ok().flatten()?;
            schedule
                .pack
                .map(|rows| Columns::of(op, &ops, schedule, rows))
        });
        let columns = columns.collect::<Made<Vec<_>>>()?;
        if !columns.is_empty() {
            require_memory_form(kernel, "operands are packed")?;
        }
        if let Some(front) = Builder::before(kernel).filter(|_| !columns.is_empty()) {
            lower(&front, kernel, &columns)?;
        }
    }
    Ok(())
}

fn lower<'c: 'a, 'a>(
    front: &Builder<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    columns: &[Columns<'c, 'a>],
) -> Made<'c, ()> {
    let condition = are_worth_it(front, columns)?;
    in_two_versions(front, kernel, condition, |builder| {
        let copies = columns.iter().map(|columns| columns.copies(builder));
        let copies = copies.collect::<Made<Vec<_>>>()?;
        let ops = operations(builder.copy(kernel, &mut |value| value));
        for (columns, copies) in columns.iter().zip(&copies) {
            columns.strip_mine(&ops, copies)?;
        }
        Ok(())
    })
}

/// Whether there are enough rows and columns for all loops, and copies are large if that matters; nothing if
/// that is known.
fn are_worth_it<'c: 'a, 'a>(
    front: &Builder<'c, 'a>,
    columns: &[Columns<'c, 'a>],
) -> Made<'c, Option<Value<'c, 'a>>> {
    let mut conditions: Values = vec![];
    for columns in columns {
        let rows = columns.packing.rows.iter().map(|&rows| of_length(rows));
        let at_least = [
            (front.product(rows)?, columns.rows),
            (of_length(columns.length), columns.schedule.lanes),
        ];
        for (size, least) in at_least {
            if let Size::Dynamic(size) = size {
                let least = front.index(least as i64)?;
                conditions.push(front.compare(Predicate::Sge, size, least)?);
            }
        }
        if let Some(most) = columns.schedule.pack_over {
            let bytes = front.size_value(columns.bytes(front)?)?;
            conditions.push(front.compare(
                Predicate::Sgt,
                bytes,
                front.index(most.min(i64::MAX as u64) as i64)?,
            )?);
        }
    }
    let mut all = conditions.into_iter();
    let Some(first) = all.next() else {
        return Ok(None);
    };
    let all = all.try_fold(first, |all, one| {
        front.arithmetic("arith.andi", &[all, one])
    });
    Ok(Some(all?))
}

fn of_length<'c, 'a>(length: Value<'c, 'a>) -> Size<'c, 'a> {
    constant(length).map_or(Size::Dynamic(length), Size::Static)
}

/// A loop over columns that reads copies.
struct Columns<'c, 'a> {
    nest: Nest<'c, 'a>,
    length: Value<'c, 'a>,
    /// Where it is among the ops of its kernel.
    position: usize,
    /// Where the packed reads are.
    reads: Vec<usize>,
    schedule: Schedule,
    /// How many rows there have to be.
    rows: u64,
    packing: Packing<'c, 'a>,
}

impl<'c: 'a, 'a> Columns<'c, 'a> {
    /// A loop of a kernel with these ops.
    fn of(
        op: OperationRef<'c, 'a>,
        ops: &[OperationRef<'c, 'a>],
        schedule: Schedule,
        rows: u64,
    ) -> Made<'c, Self> {
        let refused = |why: &dyn Display| PassError::Unsupported {
            location: op.location(),
            message: format!("'nest.loop' op cannot read copies as its schedule says: {why}"),
        };
        let nest = Nest::of(op);
        let packing = Packing::of(&nest).map_err(|why| refused(&why))?;
        let length = nest.length().ok_or_else(|| refused(&"it has no length"))?;
        let place = |op: &OperationRef<'c, 'a>| ops.iter().position(|other| other == op);
        let reads: Option<Vec<usize>> = packing.reads.iter().map(place).collect();
        let places = place(&op).zip(reads);
        let (position, reads) = places.ok_or_else(|| refused(&"it is in no kernel"))?;
        Ok(Self {
            nest,
            length,
            position,
            reads,
            schedule,
            rows,
            packing,
        })
    }

    /// The index of the loop that a read stands in.
    fn depth_of(&self, read: OperationRef<'c, 'a>) -> Option<&Nest<'c, 'a>> {
        let mut inner = self.nest.inner.iter();
        inner.find(|inner| read.parent_operation() == Some(inner.op))
    }

    /// How many panels there are.
    fn panels(&self, builder: &Builder<'c, 'a>) -> Made<'c, Value<'c, 'a>> {
        let width = self.schedule.lanes as i64;
        if let Some(length) = constant(self.length) {
            return Ok(builder.index((length.max(0) + width - 1) / width)?);
        }
        let length = before_kernel(builder, self.length)?;
        let rounded = [length, builder.index(width - 1)?];
        let rounded = builder.arithmetic("arith.addi", &rounded)?;
        Ok(builder.arithmetic("arith.divsi", &[rounded, builder.index(width)?])?)
    }

    /// How many bytes the copies have, but for the end of the last panel.
    fn bytes(&self, builder: &Builder<'c, 'a>) -> Made<'c, Size<'c, 'a>> {
        let copies = self.packing.reads.iter().map(|&read| {
            let element = read
                .operand_at(0)
                .and_then(|array| array_element(array.r#type()));
            let bytes = element.map_or(1, |element| bits_in_memory(element) as i64 / 8);
            let depth = self.depth_of(read).and_then(Nest::length);
            let sizes = [Some(self.length), depth]
                .into_iter()
                .flatten()
                .map(of_length);
            Ok(builder.product(sizes.chain([Size::Static(bytes)]))?)
        });
        Ok(builder.sum(copies.collect::<Made<Vec<_>>>()?)?)
    }

    /// Copies of all that is packed.
    fn copies(&self, builder: &Builder<'c, 'a>) -> Made<'c, Values<'c, 'a>> {
        let reads = self.packing.reads.iter();
        reads.map(|&read| self.copied(builder, read)).collect()
    }

    fn copied(
        &self,
        builder: &Builder<'c, 'a>,
        read: OperationRef<'c, 'a>,
    ) -> Made<'c, Value<'c, 'a>> {
        let internal = || PassError::Unsupported {
            location: read.location(),
            message: "'nest.read' op has nothing to copy".to_owned(),
        };
        let inner = self.depth_of(read).ok_or_else(internal)?;
        let access = Access::of(read).into_iter().next().ok_or_else(internal)?;
        let element = array_element(access.array().r#type()).ok_or_else(internal)?;
        let depth = before_kernel(builder, inner.length().ok_or_else(internal)?)?;
        let (columns, steps) = (self.nest.index(), inner.index());
        let panels = self.panels(builder)?;
        let width = Size::Static(self.schedule.lanes as i64);
        let memory = builder.allocate(&[of_length(panels), of_length(depth), width], element)?;
        builder.kernel(&[], |builder, _| {
            builder.nest_loop(panels, &[], |builder, panel, _| {
                let [first, width] = self.columns_of(builder, panel)?;
                builder.nest_loop(depth, &[], |builder, step, _| {
                    builder.nest_loop(width, &[], |builder, lane, _| {
                        let column = builder.arithmetic("arith.addi", &[first, lane])?;
                        let mut known = HashMap::new();
                        known.extend(columns.map(|index| (key(index), column)));
                        known.extend(steps.map(|index| (key(index), step)));
                        let index = access.index().iter();
                        let index =
                            index.map(|&value| computed(builder, value, &mut known, &is_in_kernel));
                        let index = index.collect::<Made<Values>>()?;
                        let element = builder.read(access.array(), &index)?;
                        builder.write(element, memory, &[panel, step, lane])?;
                        Made::Ok(vec![])
                    })
                })
            })?;
            Made::Ok(vec![])
        })?;
        Ok(memory)
    }

    /// The first column of a panel, and how many it has.
    fn columns_of(
        &self,
        builder: &Builder<'c, 'a>,
        panel: Value<'c, 'a>,
    ) -> Made<'c, [Value<'c, 'a>; 2]> {
        let width = builder.index(self.schedule.lanes as i64)?;
        let first = builder.arithmetic("arith.muli", &[panel, width])?;
        let divides =
            constant(self.length).is_some_and(|length| length % self.schedule.lanes as i64 == 0);
        if divides {
            return Ok([first, width]);
        }
        let length = before_kernel(builder, self.length)?;
        let left = builder.arithmetic("arith.subi", &[length, first])?;
        let width = builder.arithmetic("arith.minsi", &[left, width])?;
        Ok([first, width])
    }

    /// Makes of the loop, in a copy of the kernel that has these ops, one over panels and one over the
    /// columns of each.
    fn strip_mine(&self, ops: &[OperationRef<'c, 'a>], copies: &[Value<'c, 'a>]) -> Made<'c, ()> {
        let op = ops[self.position];
        let (Some(front), Some(block)) = (Builder::before(op), OpView::of(op).block()) else {
            return Ok(());
        };
        let inits: Values = op.operands().skip(1).collect();
        let schedule = Schedule {
            pack: None,
            pack_over: None,
            ..self.schedule
        };
        let panels = self.panels(&front)?;
        let one_by_one = Some(Schedule::default());
        let results = front.loop_like(
            op,
            (panels, &inits),
            one_by_one,
            |builder, panel, carried| {
                let [first, width] = self.columns_of(builder, panel)?;
                builder.loop_like(
                    op,
                    (width, carried),
                    Some(schedule),
                    |builder, lane, carried| {
                        let column = builder.arithmetic("arith.addi", &[first, lane])?;
                        let arguments = [&[column], carried].concat();
                        let yielded = builder.inline(block, &arguments)?;
                        for (&read, &copy) in self.reads.iter().zip(copies) {
                            read_copy(ops[read], copy, [panel, lane])?;
                        }
                        Made::Ok(yielded)
                    },
                )
            },
        )?;
        front.replace(op, &results);
        Ok(())
    }
}

/// Reads an element of a copy in place of the one that was copied.
fn read_copy<'c: 'a, 'a>(
    read: OperationRef<'c, 'a>,
    copy: Value<'c, 'a>,
    [panel, lane]: [Value<'c, 'a>; 2],
) -> Made<'c, ()> {
    let around = read.parent_operation().map(Nest::of);
    let step = around.and_then(|around| around.index());
    if let Some((builder, step)) = Builder::before(read).zip(step) {
        let element = builder.read(copy, &[panel, step, lane])?;
        builder.replace(read, &[element]);
    }
    Ok(())
}

fn is_in_kernel(op: OperationRef) -> bool {
    ancestors(op).any(|op| op_name(op) == "nest.kernel")
}
