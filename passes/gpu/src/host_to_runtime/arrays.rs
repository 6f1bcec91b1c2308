//! Arrays as a whole: copies, constants, and shapes that are on the GPU.

use comb_kit::{
    element_types::known_bytes,
    globals::define_word,
    pass_error::PassError,
    walk::{first_block, first_op, operations},
};
use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::Builder,
    view::{op_name, uses},
};

use super::on_host::OnHost;
use super::own_functions;
use super::runtime::{
    CONSTANT, COPY, Layout, READ, Runtime, address, address_of_symbol, constant, described,
    element_bytes, in_memory, room, static_sizes,
};

type Done<'c, T = ()> = Result<T, PassError<'c>>;

/// Converts copies, and brings to the host what shapes there are on the GPU.
pub(super) fn convert<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    on_host: &OnHost<'c, 'a>,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    for function in own_functions(module) {
        for op in operations(function) {
            match op_name(op) {
                "memref.copy" => convert_copy(op, runtime)?,
                "memref.reshape" => bring_shape(op, on_host, runtime)?,
                _ => {}
            }
        }
    }
    Ok(())
}

/// Converts constants.
pub(super) fn convert_constants<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    let ops = own_functions(module).into_iter().flat_map(operations);
    let constants: Vec<_> = ops
        .filter(|&op| op_name(op) == "memref.get_global")
        .collect();
    for (number, op) in constants.into_iter().enumerate() {
        convert_constant(module, op, &format!("comb.constant.{number}.slot"), runtime)?;
    }
    Ok(())
}

fn convert_copy<'c: 'a, 'a>(copy: OperationRef<'c, 'a>, runtime: &Runtime<'c, 'a>) -> Done<'c> {
    let Some(builder) = Builder::before(copy) else {
        return Ok(());
    };
    let [source, target] = [copy.operand(0)?, copy.operand(1)?];
    let bytes = element_bytes(source);
    let rank = MemRefType::try_from(source.r#type())?.rank() as u64;
    let [from, to] = [Layout::of(&builder, source)?, Layout::of(&builder, target)?];
    let mut words = vec![
        constant(&builder, bytes)?,
        constant(&builder, rank)?,
        to.address_of(&builder, &[], bytes)?,
        from.address_of(&builder, &[], bytes)?,
    ];
    words.extend(from.sizes);
    words.extend(to.strides);
    words.extend(from.strides);
    let words = in_memory(&builder, &words)?;
    runtime.call(&builder, COPY, &[words])?;
    builder.erase(copy);
    Ok(())
}

fn bring_shape<'c: 'a, 'a>(
    reshape: OperationRef<'c, 'a>,
    on_host: &OnHost<'c, 'a>,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    let shape = reshape.operand(1)?;
    let Some(builder) = Builder::before(reshape).filter(|_| !on_host.has(shape)) else {
        return Ok(());
    };
    let r#type = MemRefType::try_from(shape.r#type())?;
    let copy = room(&builder, &static_sizes(&r#type), r#type.element())?;
    let bytes = element_bytes(shape);
    let place = Layout::of(&builder, shape)?.address_of(&builder, &[], bytes)?;
    let count = constant(&builder, known_bytes(shape.r#type()).unwrap_or_default())?;
    runtime.call(&builder, READ, &[address(&builder, copy)?, place, count])?;
    builder.set_operand(reshape, 1, copy);
    Ok(())
}

/// A constant array is copied to the GPU when it is first needed.
fn convert_constant<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    op: OperationRef<'c, 'a>,
    slot: &str,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    let first = first_block(module).and_then(first_op);
    let first = first.and_then(Builder::before);
    let (Some(start), Some(builder)) = (first, Builder::after(op)) else {
        return Ok(());
    };
    define_word(&start.located(module.location()), slot)?;
    let on_host: Value = op.result(0)?.into();
    let users = uses(on_host);
    let source = address(&builder, on_host)?;
    let bytes = constant(&builder, known_bytes(on_host.r#type()).unwrap_or_default())?;
    let slot = address_of_symbol(&builder, slot)?;
    let place = runtime.call_for_word(&builder, CONSTANT, &[slot, source, bytes])?;
    let on_device = described(&builder, place, on_host.r#type())?;
    for (user, position) in users {
        builder.set_operand(user, position, on_device);
    }
    Ok(())
}
