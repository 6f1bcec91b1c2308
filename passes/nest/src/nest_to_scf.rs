//! Lowers `nest` to `scf` loops and ops of `tensor` on scalars, one iteration after the other:
//! what every schedule is compared with, and what a new target begins from.
//!
//! Inner ops come first. A kernel is its body; a loop is an `scf.for`; what is written is
//! inserted; an operator is copied where it is applied. In memory form, what is read and written
//! is loaded and stored.
//!
//! Cost: linear in the size of the program.

use comb_kit::{inline_copy::inline_copy, pass_error::PassError, walk::operations};
use melior::ir::{
    BlockRef, OperationRef, Type, Value, ValueLike,
    r#type::{MemRefType, RankedTensorType},
};
use soac_dialect::{
    builder::{Builder, Size, Values},
    cast::{cast, is_a},
    view::{OpView, op_name},
};

type Lowered<'c, T> = Result<T, PassError<'c>>;

/// Lowers all kernels of a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    lower_in(module)
}

/// Lowers what is in an op.
pub fn lower_in<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Lowered<'c, ()> {
    let mut found = operations(op);
    found.retain(|&op| op_name(op).starts_with("nest.") && op_name(op) != "nest.yield");
    for op in found.into_iter().rev() {
        lower(op)?;
    }
    Ok(())
}

/// Lowers an op, in which nothing is left to be lowered.
pub fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Lowered<'c, ()> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let view = OpView::of(op);
    let values = match op_name(op) {
        "nest.kernel" => builder.inline(body(&view)?, &view.operands)?,
        "nest.loop" => lower_loop(&builder, &view)?,
        "nest.keep" => keep(&builder, &view)?,
        "nest.local" => vec![local(&builder, &view)?],
        "nest.read" => {
            let (array, index) = (view.operands[0], &view.operands[1..]);
            vec![read(&builder, array, index)?]
        }
        "nest.write" => {
            let (value, dest) = (view.operands[0], view.operands[1]);
            let written = write(&builder, value, dest, &view.operands[2..])?;
            written.into_iter().collect()
        }
        "nest.fold" => {
            let [values, accumulators] = groups(&view);
            inline_copy(&builder, op, &[accumulators, values].concat())?
        }
        "nest.scan" => scan(&builder, op, &view)?,
        "nest.scatter" => scatter(&builder, op, &view)?,
        _ => return Ok(()),
    };
    builder.replace(op, &values);
    Ok(())
}

fn body<'c, 'a>(view: &OpView<'c, 'a>) -> Lowered<'c, BlockRef<'c, 'a>> {
    view.block().ok_or_else(|| PassError::Unsupported {
        location: view.location,
        message: format!("'{}' op has no body", view.name),
    })
}

/// The first two groups of operands: values, and what they go into.
fn groups<'c, 'a>(view: &OpView<'c, 'a>) -> [Values<'c, 'a>; 2] {
    [0, 1].map(|group| view.operands[view.group(group)].to_vec())
}

fn lower_loop<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    view: &OpView<'c, 'a>,
) -> Lowered<'c, Values<'c, 'a>> {
    let body = body(view)?;
    builder.for_loop(
        view.operands[0],
        &view.operands[1..],
        |builder, index, carried| Ok(builder.inline(body, &[&[index], carried].concat())?),
    )
}

fn keep<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    view: &OpView<'c, 'a>,
) -> Lowered<'c, Values<'c, 'a>> {
    let body = body(view)?;
    let (condition, given) = (view.operands[0], &view.operands[1..]);
    let types: Vec<Type> = given.iter().map(|value| value.r#type()).collect();
    builder.if_else(
        condition,
        &types,
        |builder| {
            let next = builder.arithmetic("arith.addi", &[given[0], builder.index(1)?])?;
            let carried = builder.inline(body, given)?;
            Lowered::Ok([&[next], carried.as_slice()].concat())
        },
        |_| Ok(given.to_vec()),
    )
}

fn local<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    view: &OpView<'c, 'a>,
) -> Lowered<'c, Value<'c, 'a>> {
    let sizes = view.mixed_values_of("static_sizes", 0..view.operands.len());
    let r#type = view.result_types[0];
    let name = match cast::<RankedTensorType>(r#type) {
        Some(_) => "tensor.empty",
        None => "memref.alloc",
    };
    let dynamic: Values = sizes
        .iter()
        .filter_map(|size| match size {
            Size::Dynamic(value) => Some(*value),
            Size::Static(_) => None,
        })
        .collect();
    let segments = (
        "operandSegmentSizes",
        builder.segments(&[dynamic.len() as i32, 0]),
    );
    let attributes = match name {
        "memref.alloc" => vec![segments],
        _ => vec![],
    };
    Ok(builder.value(name, &dynamic, r#type, &attributes)?)
}

fn read<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Lowered<'c, Value<'c, 'a>> {
    match is_memory(array) {
        true => Ok(builder.load(array, index)?),
        false => Ok(builder.extract(array, index)?),
    }
}

fn write<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    dest: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Lowered<'c, Option<Value<'c, 'a>>> {
    if is_memory(dest) {
        builder.store(value, dest, index)?;
        return Ok(None);
    }
    Ok(Some(builder.insert_element(value, dest, index)?))
}

fn is_memory(array: Value) -> bool {
    is_a::<MemRefType>(array.r#type())
}

fn scan<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    view: &OpView<'c, 'a>,
) -> Lowered<'c, Values<'c, 'a>> {
    let [values, accumulators] = groups(view);
    let arguments = match view.flag("right") {
        true => [values.as_slice(), &accumulators].concat(),
        false => [accumulators.as_slice(), &values].concat(),
    };
    let combined = inline_copy(builder, op, &arguments)?;
    let prefixes = match view.flag("exclusive") {
        true => &accumulators,
        false => &combined,
    };
    Ok([prefixes.as_slice(), &combined].concat())
}

fn scatter<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    view: &OpView<'c, 'a>,
) -> Lowered<'c, Values<'c, 'a>> {
    let [mut values, dests] = groups(view);
    let index = &view.operands[view.group(2)];
    if view.block().is_some() {
        let mut arguments = vec![];
        for &dest in &dests {
            arguments.push(read(builder, dest, index)?);
        }
        arguments.extend_from_slice(&values);
        values = inline_copy(builder, op, &arguments)?;
    }
    let mut written = vec![];
    for (value, dest) in values.into_iter().zip(dests) {
        written.extend(write(builder, value, dest, index)?);
    }
    Ok(written)
}
