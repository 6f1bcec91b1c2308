//! Sorts of rows.
//!
//! Rows are sorted into new memory. Threads share rows, or the parts of a row if there is only one. A
//! row is sorted by merging ([`merging`]), or, if it is long and the function compares numbers that it
//! computes alike of both sides ([`key`]), by the digits of these numbers ([`digits`]).
//!
//! Cost: O(n log n) comparisons of a row of n elements, or time in O(n).

mod digits;
pub mod key;
mod merging;
mod plan;
mod sides;
pub mod words;

use std::collections::HashSet;

use comb_kit::{
    inline_copy::inline_copy,
    machine,
    memory_parts::{known, part_type},
    pass_error::PassError,
    switches::{self, Switches},
    transformations::Transformation,
    walk::ancestors,
};
use comb_machine::tuning::sorts::{LONG, MERGED, PARTED};
use comb_nest::cluster_loops::outermost;
use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate, Size, Slice},
    description::array_type,
    view::{OpView, op_name, uses},
};

use crate::lanes::Emitted;
use key::Keys;

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// How many elements are worth what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lengths {
    /// What a thread sorts by merging, at a time.
    chunk: i64,
    /// What a thread sorts by digits, at least.
    part: i64,
    /// What a row has at least that is sorted by digits.
    long: i64,
}

impl Lengths {
    /// Those for chunks of so many instructions.
    fn of(instructions: i64) -> Self {
        let share = |count: i64| (instructions / count).max(1);
        Self {
            chunk: share(MERGED),
            part: share(PARTED),
            long: share(LONG),
        }
    }
}

/// How threads work on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sharing {
    /// One thread sorts it.
    Alone,
    /// Threads sort parts of it.
    Shared,
}

/// A sort, as code is made of it.
struct Sort<'c, 'a> {
    op: OperationRef<'c, 'a>,
    elements: Vec<Type<'c>>,
    /// Whether something uses the result, of each array.
    is_used: Vec<bool>,
    keys: Option<Keys<'c, 'a>>,
    sharing: Sharing,
    lengths: Lengths,
}

/// The memory of a row of each array: that of the inputs, and that of the results.
struct Row<'c, 'a> {
    inputs: Values<'c, 'a>,
    results: Values<'c, 'a>,
    length: Value<'c, 'a>,
    size: Size<'c, 'a>,
}

/// Lowers all sorts that are in no other combinator.
///
/// # Errors
///
/// If MLIR rejects what was built, or the module is for no CPU.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    switches::with(module, |switches| {
        let sorts = outermost(module, &HashSet::new()).into_iter();
        let mut sorts = sorts.filter(|&op| op_name(op) == "soac.sort").peekable();
        if sorts.peek().is_none() {
            return Ok(());
        }
        let instructions = machine::of(module)?.chunk_instructions;
        sorts.try_for_each(|op| lower(op, Lengths::of(instructions), switches))
    })
}

fn lower<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    lengths: Lengths,
    switches: &Switches,
) -> Emitted<'c, ()> {
    let front = Builder::before(op).ok_or(melior::Error::OperationBuild)?;
    let view = OpView::of(op);
    let elements = view.lambda_arguments().unwrap_or_default();
    let elements = elements[..view.operands.len()].to_vec();
    let sizes = front.sizes(view.operands[0])?;
    let inputs = view
        .operands
        .iter()
        .map(|&array| Ok(front.buffer_to_read(array)?))
        .collect::<Emitted<Values>>()?;
    let results = elements
        .iter()
        .map(|&element| Ok(front.allocate(&sizes, element)?))
        .collect::<Emitted<Values>>()?;
    let applies = |transformation| switches.applies(transformation, op.location());
    let is_in_loop = ancestors(op).any(|op| matches!(op_name(op), "nest.kernel" | "scf.parallel"));
    let is_inside = is_in_loop || !applies(Transformation::Threads);
    let (outer, row) = sizes.split_at(sizes.len() - 1);
    let sort = Sort {
        op,
        is_used: op
            .results()
            .map(|result| !uses(result.into()).is_empty())
            .collect(),
        keys: Keys::of(op).filter(|_| applies(Transformation::Digits)),
        sharing: match is_inside || !outer.is_empty() {
            true => Sharing::Alone,
            false => Sharing::Shared,
        },
        elements,
        lengths,
    };
    let length = front.size_value(row[0])?;
    match outer.is_empty() {
        true => sort.row(
            &front,
            &Row {
                inputs,
                results: results.clone(),
                length,
                size: row[0],
            },
        )?,
        false => sort.rows(&front, [&inputs, &results], outer, row[0], is_inside)?,
    }
    front.needed(&view.operands)?;
    let shape: Vec<Option<i64>> = sizes.iter().map(known).collect();
    let arrays = results
        .into_iter()
        .zip(&sort.elements)
        .enumerate()
        .map(|(number, (memory, &element))| {
            let array = front.array_in(memory, array_type(&shape, element), true)?;
            Ok(front.cast(array, op.result(number)?.r#type())?)
        })
        .collect::<Emitted<Values>>()?;
    front.replace(op, &arrays);
    Ok(())
}

impl<'c: 'a, 'a> Sort<'c, 'a> {
    /// Whether some elements go before others.
    fn goes_before(
        &self,
        builder: &Builder<'c, 'a>,
        first: &[Value<'c, 'a>],
        second: &[Value<'c, 'a>],
    ) -> Emitted<'c, Value<'c, 'a>> {
        Ok(inline_copy(builder, self.op, &[first, second].concat())?[0])
    }

    /// Sorts all rows, in chunks.
    fn rows(
        &self,
        front: &Builder<'c, 'a>,
        [inputs, results]: [&[Value<'c, 'a>]; 2],
        outer: &[Size<'c, 'a>],
        size: Size<'c, 'a>,
        is_inside: bool,
    ) -> Emitted<'c, ()> {
        let one = front.index(1)?;
        let mut rows = one;
        for &size in outer {
            rows = front.arithmetic("arith.muli", &[rows, front.size_value(size)?])?;
        }
        let length = front.size_value(size)?;
        let least = front.arithmetic("arith.maxsi", &[length, one])?;
        let chunk = front.arithmetic(
            "arith.ceildivsi",
            &[front.index(self.lengths.chunk)?, least],
        )?;
        let count = front.arithmetic("arith.ceildivsi", &[rows, chunk])?;
        let body = |builder: &Builder<'c, 'a>, number: Value<'c, 'a>| {
            let first = builder.arithmetic("arith.muli", &[number, chunk])?;
            let end = builder.arithmetic("arith.addi", &[first, chunk])?;
            let end = builder.arithmetic("arith.minsi", &[end, rows])?;
            builder.range_loop([first, end, one], &[], |builder, row, _| {
                let start = builder.arithmetic("arith.muli", &[row, length])?;
                let part = |memory: &Value<'c, 'a>, element: &Type<'c>| {
                    row_of(builder, *memory, *element, start, size)
                };
                let parts = |memory: &[Value<'c, 'a>]| {
                    let memory = memory.iter().zip(&self.elements);
                    memory
                        .map(|(memory, element)| part(memory, element))
                        .collect::<Emitted<Values>>()
                };
                let row = Row {
                    inputs: parts(inputs)?,
                    results: parts(results)?,
                    length,
                    size,
                };
                self.row(builder, &row)?;
                Emitted::Ok(vec![])
            })?;
            Emitted::Ok(())
        };
        for_each(front, count, !is_inside, body)
    }

    /// Sorts a row.
    fn row(&self, builder: &Builder<'c, 'a>, row: &Row<'c, 'a>) -> Emitted<'c, ()> {
        let long = self.lengths.long;
        match (row.size, &self.keys) {
            (Size::Static(size), Some(keys)) if size >= long => self.by_digits(builder, row, keys),
            (Size::Dynamic(_), Some(keys)) => {
                let is_long = builder.compare(Predicate::Sge, row.length, builder.index(long)?)?;
                builder.if_else(
                    is_long,
                    &[],
                    |builder| {
                        self.by_digits(builder, row, keys)?;
                        Emitted::Ok(vec![])
                    },
                    |builder| {
                        self.merge(builder, row)?;
                        Ok(vec![])
                    },
                )?;
                Ok(())
            }
            _ => self.merge(builder, row),
        }
    }
}

/// A row of contiguous memory, which begins at a position.
fn row_of<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    element: Type<'c>,
    start: Value<'c, 'a>,
    size: Size<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let layout = Slice::contiguous(vec![Size::Dynamic(start)], vec![size]);
    let r#type = part_type(builder, element, &[size], &[Some(1)], None)?;
    Ok(builder.memory_seen_as(memory, &layout, r#type)?)
}

/// A loop from 0 to `count`, whose iterations threads may share.
fn for_each<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    count: Value<'c, 'a>,
    is_shared: bool,
    body: impl FnOnce(&Builder<'c, 'a>, Value<'c, 'a>) -> Emitted<'c, ()>,
) -> Emitted<'c, ()> {
    if is_shared {
        return builder.parallel_loop(count, "contiguous", body);
    }
    builder.for_loop(count, &[], |builder, number, _| {
        body(builder, number)?;
        Emitted::Ok(vec![])
    })?;
    Ok(())
}

/// The elements of several arrays at a position.
fn load_all<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    memory: &[Value<'c, 'a>],
    position: Value<'c, 'a>,
) -> Emitted<'c, Values<'c, 'a>> {
    let memory = memory.iter();
    memory
        .map(|&memory| Ok(builder.load(memory, &[position])?))
        .collect()
}

/// Writes elements of several arrays at a position.
fn store_all<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    elements: &[Value<'c, 'a>],
    memory: &[Value<'c, 'a>],
    position: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    for (&element, &memory) in elements.iter().zip(memory) {
        builder.store(element, memory, &[position])?;
    }
    Ok(())
}
