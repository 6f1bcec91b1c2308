//! `convert-gpu-host-to-runtime`: what the host does of a program with kernels becomes calls of the runtime library, which
//! uses a GPU's driver. All arrays are in the GPU's memory.
//!
//! 1. The code of kernels becomes a constant of the module, and launches become calls with the sizes of the grid and all
//!    parameters as words of 64 bits ([`launches`]).
//! 2. Small arrays that only the host looks at stay with it ([`on_host`]). Elements of others that the host reads or writes are copied, several at once where it looks at all of a small array: what kernels report
//!    is one copy ([`elements`]). Copies of arrays, and constants, are the runtime's as well ([`arrays`]).
//! 3. Functions that can be called from outside open the GPU first.
//!
//! What is allocated stays `memref.alloc`: whoever lowers that calls the runtime's function for memory of the GPU. An op that goes over
//! elements on the host otherwise is refused.
//!
//! Cost: linear in the size of the program.

mod arrays;
mod elements;
mod launches;
mod on_host;
mod runtime;

use comb_kit::{
    machine::MACHINE,
    pass_error::PassError,
    views::is_view,
    walk::{ancestors, first_block, first_op, functions, modules, operations},
};
use comb_machine::Vendor;
use melior::ir::{OperationRef, ValueLike, operation::OperationLike, r#type::MemRefType};
use on_host::OnHost;
use runtime::Runtime;
use soac_dialect::{
    builder::Builder,
    cast::is_a,
    text::attribute_bytes,
    view::{op_name, remove_attribute},
};

/// Says at a module that it launches kernels.
const HAS_KERNELS: &str = "gpu.container_module";

/// The vendor of a name: the user's fault if there is none.
///
/// # Errors
///
/// If there is no such vendor.
pub fn vendor(name: &str) -> Result<Vendor, UnknownVendor> {
    let known = NAMES.iter().find(|(known, _)| *known == name);
    known
        .map(|&(_, vendor)| vendor)
        .ok_or_else(|| UnknownVendor {
            name: name.to_owned(),
        })
}

/// There is no such vendor.
#[derive(Debug, thiserror::Error)]
#[error("unknown vendor '{name}': there are {}", NAMES.map(|(known, _)| known).join(", "))]
pub struct UnknownVendor {
    name: String,
}

/// Vendors, in the order of the numbers by which the runtime library knows them.
const NAMES: [(&str, Vendor); 2] = [("nvidia", Vendor::Nvidia), ("amd", Vendor::Amd)];

/// Runs the pass on a module and those inside it.
///
/// # Errors
///
/// If the host does something with arrays that it cannot.
pub fn run<'c>(module: OperationRef<'c, '_>, vendor: Vendor) -> Result<(), PassError<'c>> {
    for module in modules(module) {
        convert(module, vendor)?;
    }
    Ok(())
}

fn convert<'c: 'a, 'a>(module: OperationRef<'c, 'a>, vendor: Vendor) -> Result<(), PassError<'c>> {
    let runtime = Runtime::new(module);
    let on_host = OnHost::keep(module, &runtime)?;
    arrays::convert_constants(module, &runtime)?;
    elements::convert(module, &on_host, &runtime)?;
    launches::convert(module, &runtime)?;
    arrays::convert(module, &on_host, &runtime)?;
    for function in own_functions(module) {
        operations(function)
            .into_iter()
            .try_for_each(require_form)?;
        open(function, &runtime, vendor)?;
    }
    runtime.declare()?;
    remove_attribute(module, HAS_KERNELS);
    // What is left is for a CPU.
    remove_attribute(module, MACHINE);
    Ok(())
}

/// The functions of a module that are not in one inside it.
fn own_functions<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let is_own = |&function: &OperationRef<'c, 'a>| ancestors(function).next() == Some(module);
    functions(module).into_iter().filter(is_own).collect()
}

/// Has a function that can be called from outside begin with the GPU.
fn open<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    runtime: &Runtime<'c, 'a>,
    vendor: Vendor,
) -> Result<(), PassError<'c>> {
    let is_private = attribute_bytes(function, "sym_visibility") == Some(b"private");
    let first = first_block(function).and_then(first_op);
    match first.and_then(Builder::before) {
        Some(builder) if !is_private => {
            let number = NAMES.iter().position(|&(_, known)| known == vendor);
            let vendor = runtime::constant(&builder, number.unwrap_or_default() as u64)?;
            runtime.call(&builder, runtime::OPEN, &[vendor])
        }
        _ => Ok(()),
    }
}

/// Refuses what goes over arrays on the host in a way of its own.
fn require_form<'c>(op: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let name = op_name(op);
    let has_arrays = op
        .operands()
        .any(|operand| is_a::<MemRefType>(operand.r#type()));
    let is_fine = is_view(op)
        || name.starts_with("scf.")
        || name.starts_with("cf.")
        || matches!(
            name,
            "arith.select"
                | "builtin.unrealized_conversion_cast"
                | "func.return"
                | "memref.alloc"
                | "memref.assume_alignment"
                | "memref.dealloc"
                | "memref.dim"
                | "memref.extract_aligned_pointer_as_index"
                | "memref.extract_strided_metadata"
                | "memref.load"
                | "memref.store"
        )
        || name == "func.call" && is_call_of_own(op);
    match has_arrays && !is_fine {
        true => Err(PassError::Unsupported {
            location: op.location(),
            message: format!(
                "'{name}' op would use arrays on the host that are in the memory of a GPU"
            ),
        }),
        false => Ok(()),
    }
}

/// Whether a function is called that has a body, and so takes arrays where they are.
fn is_call_of_own(call: OperationRef) -> bool {
    let Some(callee) = call
        .attribute("callee")
        .ok()
        .and_then(|callee| melior::ir::attribute::FlatSymbolRefAttribute::try_from(callee).ok())
    else {
        return false;
    };
    let callee = soac_dialect::text::reference_bytes(callee);
    let module = ancestors(call).find(|&op| op_name(op) == "builtin.module");
    module.into_iter().flat_map(own_functions).any(|function| {
        soac_dialect::text::symbol_bytes(function) == Some(callee)
            && first_block(function).is_some()
    })
}
