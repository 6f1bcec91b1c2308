//! Verification of every op: where it stands, the types of its parts, and that what is carried is
//! used in turn.
//!
//! Cost: linear in the uses of what is carried, for each op that carries.

use melior::ir::{
    BlockLike, BlockRef, OperationRef, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, array_type},
    description::type_list,
    view::{OpView, argument_of, definition, op_name, stands_before, uses},
};
use thiserror::Error;

use crate::carried::{arguments, changes};

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
}

/// What is wrong with how a carried value is used.
#[derive(Debug, Error)]
pub(crate) enum Problem {
    #[error("is not handed on: nothing changes or yields it")]
    Lost,
    #[error("several ops change or yield")]
    Several,
    #[error("'{0}' uses, which does not change it")]
    Misused(String),
    #[error("'{0}' reads after it was changed")]
    ReadLate(String),
    #[error("'{0}' changes in a body that does not carry it")]
    ChangedInside(String),
    #[error("is yielded in place of value {0}")]
    Swapped(usize),
}

type Verified = Result<(), Violation>;

/// Checks an op.
pub(crate) fn verify<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    verify_place(op)?;
    match op_name(op) {
        "nest.kernel" | "nest.loop" | "nest.keep" => verify_body(op)?,
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
        .filter_map(|position| block.argument(position).ok())
        .map(|argument| argument.r#type())
        .collect()
}

/// A body that carries values: types, and that each of them is used in turn.
fn verify_body<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let first = match op_name(op) {
        "nest.kernel" => 0,
        "nest.loop" => 1,
        _ => 2,
    };
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

/// Follows a carried value from a block argument to the terminator.
fn verify_chain<'c: 'a, 'a>(
    argument: Value<'c, 'a>,
    last: OperationRef<'c, 'a>,
    position: usize,
) -> Result<(), Problem> {
    let mut value = argument;
    loop {
        let (user, operand) = only_change(value, last)?;
        verify_reads(value, user)?;
        if op_name(user) == "nest.yield" {
            return match operand == position {
                true => Ok(()),
                false => Err(Problem::Swapped(operand)),
            };
        }
        let result = changes(user).and_then(|changes| changes.result_of(operand));
        let result = result.and_then(|result| user.result(result).ok());
        value = result.ok_or(Problem::Lost)?.into();
    }
}

/// The one op that changes or yields a carried value, and by which operand.
fn only_change<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    last: OperationRef<'c, 'a>,
) -> Result<(OperationRef<'c, 'a>, usize), Problem> {
    let mut found = None;
    for (user, operand) in uses(value) {
        let yields = op_name(user) == "nest.yield";
        let is_change =
            yields || changes(user).is_some_and(|changes| changes.result_of(operand).is_some());
        if !is_change {
            continue;
        }
        if user.block() != last.block() {
            return Err(Problem::ChangedInside(op_name(user).to_owned()));
        }
        if found.replace((user, operand)).is_some() {
            return Err(Problem::Several);
        }
    }
    found.ok_or(Problem::Lost)
}

/// That a carried value is only read otherwise, and before it is changed.
fn verify_reads<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    change: OperationRef<'c, 'a>,
) -> Result<(), Problem> {
    for (user, operand) in uses(value) {
        let is_the_change = user == change
            && (op_name(user) == "nest.yield"
                || changes(user).is_some_and(|changes| changes.result_of(operand).is_some()));
        if is_the_change {
            continue;
        }
        let name = op_name(user).to_owned();
        let reads = matches!(
            op_name(user),
            "nest.read" | "tensor.dim" | "tensor.extract" | "tensor.extract_slice" | "tensor.cast"
        );
        if !reads || operand != 0 {
            return Err(Problem::Misused(name));
        }
        let mut around = std::iter::once(user).chain(ancestors(user));
        let here = around.find(|op| op.block() == change.block());
        if !here.is_some_and(|here| stands_before(here, change)) {
            return Err(Problem::ReadLate(name));
        }
    }
    Ok(())
}

/// That what an op combines or writes to is carried, if it is no array in memory. A write to an
/// array that is in no chain would make a copy of it.
fn verify_changed<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let combines = matches!(
        op_name(op),
        "nest.fold" | "nest.scan" | "nest.keep" | "nest.write" | "nest.scatter"
    );
    let Some(changes) = changes(op).filter(|_| combines) else {
        return Ok(());
    };
    let counts = op_name(op) == "nest.keep";
    let operands = match counts {
        true => changes.operands.start..changes.operands.start + 1,
        false => changes.operands,
    };
    for operand in operands {
        let value = op.operand(operand).map_err(|_| Violation::NoValues)?;
        if MemRefType::try_from(value.r#type()).is_err() && !is_carried(value) {
            return Err(Violation::NotCarried(operand));
        }
    }
    Ok(())
}

/// Whether a value is a carried block argument, or made of one, or a new array.
fn is_carried<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    let mut value = value;
    loop {
        let Some(op) = definition(value) else {
            return argument_of(value).is_some_and(|(op, _)| arguments(op).contains(&value));
        };
        if op_name(op) == "nest.local" {
            return true;
        }
        let Some(changes) = changes(op) else {
            return false;
        };
        let made_of = changes
            .operands
            .clone()
            .find(|&operand| {
                let result = changes.result_of(operand);
                let result = result.and_then(|result| op.result(result).ok());
                result.is_some_and(|result| Value::from(result) == value)
            })
            .and_then(|operand| op.operand(operand).ok());
        // A loop or `nest.keep` may begin with any value.
        match made_of {
            Some(_) if !arguments(op).is_empty() => return true,
            Some(before) => value = before,
            None => return false,
        }
    }
}

fn rank(r#type: Type) -> Option<usize> {
    let tensor = RankedTensorType::try_from(r#type).map(|r#type| r#type.rank());
    tensor
        .or_else(|_| MemRefType::try_from(r#type).map(|r#type| r#type.rank()))
        .ok()
}

fn verify_index(array: Option<Value>, indices: usize) -> Verified {
    let rank = array.and_then(|array| rank(array.r#type())).unwrap_or(0);
    match rank == indices {
        true => Ok(()),
        false => Err(Violation::Indices {
            actual: indices,
            rank,
        }),
    }
}

fn element(r#type: Type<'_>) -> Option<Type<'_>> {
    let tensor = RankedTensorType::try_from(r#type).map(|r#type| r#type.element());
    tensor
        .or_else(|_| MemRefType::try_from(r#type).map(|r#type| r#type.element()))
        .ok()
}

/// What an op gives that writes to arrays of these types: the tensors.
fn written<'c>(dests: &[Type<'c>]) -> Result<Vec<Type<'c>>, Violation> {
    let is_tensor = |r#type: &Type<'c>| RankedTensorType::try_from(*r#type).is_ok();
    let tensors: Vec<Type> = dests.iter().copied().filter(is_tensor).collect();
    match tensors.is_empty() || tensors.len() == dests.len() {
        true => Ok(tensors),
        false => Err(Violation::MixedForms),
    }
}

fn verify_write<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let operands: Vec<Value> = op.operands().collect();
    let [value, dest, indices @ ..] = operands.as_slice() else {
        return Err(Violation::NoValues);
    };
    verify_index(Some(*dest), indices.len())?;
    require_element(*value, dest.r#type())?;
    let results = types(op.results().map(Into::into));
    require_results(&results, &written(&[dest.r#type()])?)
}

fn require_element(value: Value, array: Type) -> Verified {
    let expected = element(array);
    match expected == Some(value.r#type()) {
        true => Ok(()),
        false => Err(Violation::Element {
            actual: type_list(&[value.r#type()]),
            expected: expected.map_or_else(String::new, |expected| type_list(&[expected])),
        }),
    }
}

fn verify_scatter<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let view = OpView::of(op);
    let [values, dests, indices] = [0, 1, 2].map(|group| &view.operands[view.group(group)]);
    require_count("arrays", dests.len(), values.len())?;
    if values.is_empty() {
        return Err(Violation::NoValues);
    }
    for (&value, dest) in values.iter().zip(dests) {
        verify_index(Some(*dest), indices.len())?;
        require_element(value, dest.r#type())?;
    }
    let dests = types(dests.iter().copied());
    require_results(&types(op.results().map(Into::into)), &written(&dests)?)?;
    match view.block() {
        None => Ok(()),
        Some(_) => {
            let values = types(values.iter().copied());
            verify_operator_of(op, &[values.clone(), values.clone()].concat(), &values)
        }
    }
}

fn verify_operator<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let view = OpView::of(op);
    let [values, accumulators, neutrals] =
        [0, 1, 2].map(|group| types(view.operands[view.group(group)].iter().copied()));
    if values.is_empty() {
        return Err(Violation::NoValues);
    }
    require_count("accumulators", accumulators.len(), values.len())?;
    require_count("neutral elements", neutrals.len(), values.len())?;
    let results = types(op.results().map(Into::into));
    let expected = match op_name(op) {
        "nest.scan" => [values.as_slice(), values.as_slice()].concat(),
        _ => values.clone(),
    };
    require_results(&results, &expected)?;
    for others in [&accumulators, &neutrals] {
        if *others != values {
            return Err(Violation::Types {
                actual: type_list(others),
                expected: type_list(&values),
            });
        }
    }
    verify_operator_of(op, &[values.clone(), values.clone()].concat(), &values)
}

fn verify_operator_of<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    arguments: &[Type<'c>],
    yields: &[Type<'c>],
) -> Verified {
    let (block, last) = body(op)?;
    let actual = argument_types(block);
    if actual != arguments {
        return Err(Violation::Arguments {
            actual: type_list(&actual),
            expected: type_list(arguments),
        });
    }
    require_yield(&types(last.operands()), yields)
}

fn require_count(what: &'static str, actual: usize, expected: usize) -> Verified {
    match actual == expected {
        true => Ok(()),
        false => Err(Violation::Count {
            what,
            actual,
            expected,
        }),
    }
}

/// The sizes of a new array: one for each dimension, constants where the type has them.
fn verify_local<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let view = OpView::of(op);
    let sizes = view.mixed_values_of("static_sizes", 0..view.operands.len());
    let expected = view
        .result_types
        .first()
        .copied()
        .map_or(0, |r#type| rank(r#type).unwrap_or(0));
    if sizes.len() != expected {
        return Err(Violation::Sizes {
            actual: sizes.len(),
            expected,
        });
    }
    let result = view.result_types[0];
    let known: Vec<Option<u64>> = sizes.iter().map(|size| size.known()).collect();
    let claimed = array_type(&known, element(result).ok_or(Violation::NoValues)?);
    let is_memory = MemRefType::try_from(result).is_ok();
    match is_memory || claimed == result {
        true => Ok(()),
        false => Err(Violation::SizeTypes(result.to_string())),
    }
}
