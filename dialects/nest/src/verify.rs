//! Verification of every op: where it stands, the types of its parts ([`arrays`], [`operators`]),
//! and that what is carried is used in turn ([`turns`]).
//!
//! Cost: linear in the uses of what is carried, for each op that carries.

mod arrays;
mod operators;
mod turns;

use melior::ir::{
    BlockLike, BlockRef, OperationRef, Type, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::{
    builder::Builder,
    cast::Arguments,
    description::type_list,
    view::{OpView, op_name},
};
use thiserror::Error;

use crate::{
    carried::{arguments, places},
    gpu_schedule::{self, GpuSchedule},
    schedule::{self, Schedule},
    strategy,
};
use arrays::{verify_index, verify_local, verify_scatter, verify_write};
use operators::verify_operator;
pub(crate) use turns::is_carried;
use turns::{Problem, verify_chain, verify_changed};

/// The rule that an op breaks.
#[derive(Debug, Error)]
pub(crate) enum Violation {
    #[error("is in no 'nest.kernel'")]
    OutsideKernel,
    #[error("is in another 'nest.kernel'")]
    KernelInKernel,
    #[error("has a body of ({actual}), expected ({expected})")]
    Arguments { actual: String, expected: String },
    #[error("has a value of {actual} for elements of {expected}")]
    Element { actual: String, expected: String },
    #[error("has values of ({expected}), and others of ({actual}) to go with them")]
    Types { actual: String, expected: String },
    #[error("has a body that yields ({actual}), expected ({expected})")]
    Yielded { actual: String, expected: String },
    #[error("gives ({actual}), expected ({expected})")]
    Results { actual: String, expected: String },
    #[error("needs a body that ends with 'nest.yield'")]
    NoYield,
    #[error("has {actual} indices for an array of {rank} dimensions")]
    Indices { actual: usize, rank: usize },
    #[error("needs as many {what} as values: {actual} for {expected}")]
    Count {
        what: &'static str,
        actual: usize,
        expected: usize,
    },
    #[error("needs at least one value")]
    NoValues,
    #[error("writes to tensors and to memory")]
    MixedForms,
    #[error("has {actual} sizes, expected {expected}: one for each dimension")]
    Sizes { actual: usize, expected: usize },
    #[error("has sizes that are not those of its result's type: {0}")]
    SizeTypes(String),
    #[error("carries value {position} that {problem}")]
    Carried { position: usize, problem: Problem },
    #[error("changes operand {0}, which nothing around it carries")]
    NotCarried(usize),
    #[error("'{name}' {0}", name = strategy::STRATEGY)]
    Strategy(#[from] strategy::Unknown),
    #[error(transparent)]
    Schedule(#[from] schedule::Problem),
    #[error(transparent)]
    GpuSchedule(#[from] gpu_schedule::Problem),
}

pub(crate) type Verified = Result<(), Violation>;

/// Checks an op.
pub(crate) fn verify<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    verify_place(op)?;
    match op_name(op) {
        "nest.loop" => {
            Schedule::of(op)?;
            GpuSchedule::of(op)?;
            verify_body(op)?;
        }
        "nest.kernel" | "nest.keep" => verify_body(op)?,
        "nest.local" => verify_local(op)?,
        "nest.read" => verify_index(op.operands().next(), op.operand_count() - 1)?,
        "nest.write" => verify_write(op)?,
        "nest.scatter" => verify_scatter(op)?,
        "nest.fold" | "nest.scan" => verify_operator(op)?,
        _ => {}
    }
    verify_changed(op)
}

fn ancestors<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let parent = |op: &OperationRef<'c, 'a>| {
        op.parent_operation()
            // SAFETY: what is around a live op is alive as long.
            .map(|op| unsafe { OperationRef::from_raw(op.to_raw()) })
    };
    std::iter::successors(parent(&op), parent)
}

fn verify_place<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let in_kernel = ancestors(op).any(|op| op_name(op) == "nest.kernel");
    match op_name(op) {
        "nest.kernel" if in_kernel => Err(Violation::KernelInKernel),
        "nest.kernel" => Ok(()),
        _ if in_kernel => Ok(()),
        _ => Err(Violation::OutsideKernel),
    }
}

fn types<'c, 'a>(values: impl IntoIterator<Item = Value<'c, 'a>>) -> Vec<Type<'c>>
where
    'c: 'a,
{
    values.into_iter().map(|value| value.r#type()).collect()
}

/// The only block of a region, and what it yields.
fn body<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
) -> Result<(BlockRef<'c, 'a>, OperationRef<'c, 'a>), Violation> {
    let view = OpView::of(op);
    let block = view.block().ok_or(Violation::NoYield)?;
    let last = block.terminator().ok_or(Violation::NoYield)?;
    match op_name(last) {
        // SAFETY: the terminator belongs to the op, which lives for 'a.
        "nest.yield" => Ok((block, unsafe { OperationRef::from_raw(last.to_raw()) })),
        _ => Err(Violation::NoYield),
    }
}

fn argument_types<'c>(block: BlockRef<'c, '_>) -> Vec<Type<'c>> {
    (0..block.argument_count())
        .filter_map(|position| block.argument_at(position))
        .map(|argument| argument.r#type())
        .collect()
}

/// A body that carries values: types, and that each of them is used in turn.
fn verify_body<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let first = places(op).map_or(0, |places| places.operand);
    let carried = types(op.operands().skip(first));
    let (block, last) = body(op)?;
    let index = Builder::at_end(block, op.location()).index_type();
    let expected = match first {
        0 => carried.clone(),
        _ => [&[index], carried.as_slice()].concat(),
    };
    let actual = argument_types(block);
    if actual != expected {
        return Err(Violation::Arguments {
            actual: type_list(&actual),
            expected: type_list(&expected),
        });
    }
    require_yield(&types(last.operands()), &carried)?;
    let results = types(op.results().map(Into::into));
    let counted = usize::from(op_name(op) == "nest.keep");
    require_results(&results[counted.min(results.len())..], &carried)?;
    for (position, argument) in arguments(op).into_iter().enumerate() {
        verify_chain(argument, last, position)
            .map_err(|problem| Violation::Carried { position, problem })?;
    }
    Ok(())
}

fn require_yield(actual: &[Type], expected: &[Type]) -> Verified {
    match actual == expected {
        true => Ok(()),
        false => Err(Violation::Yielded {
            actual: type_list(actual),
            expected: type_list(expected),
        }),
    }
}

fn require_results(actual: &[Type], expected: &[Type]) -> Verified {
    match actual == expected {
        true => Ok(()),
        false => Err(Violation::Results {
            actual: type_list(actual),
            expected: type_list(expected),
        }),
    }
}
