//! Launches of kernels, and their code.

use comb_kit::{
    globals::{define_bytes, define_word},
    pass_error::PassError,
    walk::{first_block, first_op, in_block_from, operations},
};
use melior::ir::{
    AttributeLike, OperationRef, Value, ValueLike,
    attribute::{ArrayAttribute, DenseI32ArrayAttribute},
    operation::OperationLike,
    r#type::MemRefType,
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::is_a,
    text::{shown, symbol_bytes},
    view::op_name,
};

use super::runtime::{LAUNCH, Layout, Runtime, address_of_symbol, in_memory, of_index, of_number};
use crate::kernel_names;

/// Where the operands of a `gpu.launch_func` begin: what it waits for, the blocks, and so on; then the parameters.
const GROUP_OF_PARAMETERS: usize = 11;

type Done<'c, T = ()> = Result<T, PassError<'c>>;

/// Converts all launches of a module.
pub(super) fn convert<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    let Some(first) = first_block(module).and_then(first_op) else {
        return Ok(());
    };
    let Some(start) = Builder::before(first) else {
        return Ok(());
    };
    let start = start.located(module.location());
    for binary in in_block_from(Some(first)).collect::<Vec<_>>() {
        if op_name(binary) == "gpu.binary" {
            let module = symbol_bytes(binary).map(shown).unwrap_or_default();
            define_bytes(&start, &code_symbol(&module), &code(binary)?)?;
            define_word(&start, &slot_symbol(&code_symbol(&module)))?;
            start.erase(binary);
        }
    }
    let mut defined: Vec<String> = vec![];
    for launch in operations(module) {
        if op_name(launch) == "gpu.launch_func" {
            let [code, kernel] = kernel_names(launch).ok_or_else(|| no_kernel(launch))?;
            let [code, kernel] = [code_symbol(&code), kernel];
            let name = format!("{code}.{kernel}");
            if !defined.contains(&name) {
                define_bytes(&start, &name, format!("{kernel}\0").as_bytes())?;
                define_word(&start, &slot_symbol(&name))?;
                defined.push(name.clone());
            }
            convert_launch(launch, &code, &name, runtime)?;
        }
    }
    Ok(())
}

fn no_kernel<'c>(launch: OperationRef<'c, '_>) -> PassError<'c> {
    PassError::Unsupported {
        location: launch.location(),
        message: "'gpu.launch_func' op names no kernel".to_owned(),
    }
}

/// The symbol of the code of a `gpu.binary`.
fn code_symbol(module: &str) -> String {
    format!("comb.code.{module}")
}

/// The symbol of the slot in which the runtime notes what it has made of what has a symbol.
fn slot_symbol(of: &str) -> String {
    format!("{of}.slot")
}

/// The code in a `gpu.binary`, and a NUL behind it.
fn code<'c>(binary: OperationRef<'c, '_>) -> Done<'c, Vec<u8>> {
    let refused = |message: &str| PassError::Unsupported {
        location: binary.location(),
        message: format!("'gpu.binary' op {message}"),
    };
    let objects = ArrayAttribute::try_from(binary.attribute("objects")?)?;
    if objects.len() != 1 {
        return Err(refused("is for several targets, or for none"));
    }
    let object = objects.element(0)?;
    // SAFETY: the attribute is alive; it is asked for its code only if it is an object.
    let code = unsafe {
        match mlir_sys::mlirAttributeIsAGPUObjectAttr(object.to_raw()) {
            true => {
                let code = mlir_sys::mlirGPUObjectAttrGetObject(object.to_raw());
                std::slice::from_raw_parts(code.data.cast::<u8>(), code.length)
            }
            false => return Err(refused("has no object")),
        }
    };
    Ok([code, b"\0"].concat())
}

fn convert_launch<'c: 'a, 'a>(
    launch: OperationRef<'c, 'a>,
    code: &str,
    kernel: &str,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    let Some(builder) = Builder::before(launch) else {
        return Ok(());
    };
    let groups = DenseI32ArrayAttribute::try_from(launch.attribute("operandSegmentSizes")?)?;
    let length = |group| groups.element(group).unwrap_or_default() as usize;
    let operands: Values = launch.operands().collect();
    let sizes = operands[length(0)..][..6]
        .iter()
        .map(|&size| of_index(&builder, size))
        .collect::<Done<Values>>()?;
    let first = (0..GROUP_OF_PARAMETERS).map(length).sum::<usize>();
    let mut parameters = vec![];
    for &operand in &operands[first..][..length(GROUP_OF_PARAMETERS)] {
        parameters.extend(words(&builder, launch, operand)?);
    }
    let count = super::runtime::constant(&builder, parameters.len() as u64)?;
    let slot = |of: &str| address_of_symbol(&builder, &slot_symbol(of));
    let operands = [
        slot(code)?,
        slot(kernel)?,
        address_of_symbol(&builder, code)?,
        address_of_symbol(&builder, kernel)?,
        in_memory(&builder, &sizes)?,
        in_memory(&builder, &parameters)?,
        count,
    ];
    runtime.call(&builder, LAUNCH, &operands)?;
    builder.erase(launch);
    Ok(())
}

/// What a kernel is given for an operand.
fn words<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    launch: OperationRef<'c, 'a>,
    operand: Value<'c, 'a>,
) -> Done<'c, Values<'c, 'a>> {
    if is_a::<MemRefType>(operand.r#type()) {
        let layout = Layout::of(builder, operand)?;
        let mut words = vec![layout.aligned, layout.aligned, layout.offset];
        words.extend(layout.sizes);
        words.extend(layout.strides);
        return Ok(words);
    }
    let word = of_number(builder, operand)?;
    word.map(|word| vec![word])
        .ok_or_else(|| PassError::Unsupported {
            location: launch.location(),
            message: format!(
                "'gpu.launch_func' op has a parameter of type {}, which is larger than 64 bits",
                operand.r#type()
            ),
        })
}
