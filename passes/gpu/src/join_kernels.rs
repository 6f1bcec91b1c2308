//! Puts all kernels of a module into one `gpu.module`, so that a GPU's driver compiles their code once.
//!
//! Arrays that a block shares are aligned for the widest access: LLVM's code generation for NVIDIA's GPUs takes them to be,
//! whatever it tells the driver.
//!
//! Kernels get names of letters, digits and `_`, which PTX allows, each another one: that of the function
//! that they are from, and a number where there are several.
//!
//! Cost: linear in the size of the program.

use std::collections::{HashMap, HashSet};

use comb_kit::{
    pass_error::PassError,
    walk::{first_block, modules, operations, ops_of},
};
use melior::ir::{BlockLike, OperationRef, Region, RegionLike};
use soac_dialect::{
    builder::Builder,
    text::{shown, symbol_bytes},
    view::{OpView, op_name, set_attribute},
};

/// What the module of all kernels is called, unless something else is.
const NAME: &str = "kernels";

/// The attribute that says how memory is laid out.
const DATA_LAYOUT: &str = "llvm.data_layout";

/// The bytes of the widest access of a thread.
const WIDEST_ACCESS: u64 = 16;

/// Runs the pass on a module and those inside it. How the GPU's memory is laid out is left to others if the text is empty.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>, data_layout: &str) -> Result<(), PassError<'c>> {
    modules(module)
        .into_iter()
        .try_for_each(|module| join(module, data_layout))
}

fn join<'c: 'a, 'a>(module: OperationRef<'c, 'a>, data_layout: &str) -> Result<(), PassError<'c>> {
    let inside: Vec<_> = first_block(module).map(ops_of).unwrap_or_default();
    let parts = inside
        .iter()
        .copied()
        .filter(|&op| op_name(op) == "gpu.module");
    let parts: Vec<OperationRef> = parts.collect();
    let Some(builder) = parts.last().and_then(|&last| Builder::before(last)) else {
        return Ok(());
    };
    let taken: HashSet<String> = inside.iter().filter_map(|&op| name(op)).collect();
    let joined = free_name(NAME, |name| taken.contains(name));
    let region = Region::new();
    let block = region.append_block(melior::ir::Block::new(&[]));
    // SAFETY: the block goes into the module below, which lives as long as the program.
    let block = unsafe { melior::ir::BlockRef::from_raw(block.to_raw()) };
    let mut attributes = vec![("sym_name", builder.string(&joined))];
    if !data_layout.is_empty() {
        attributes.push((DATA_LAYOUT, builder.string(data_layout)));
    }
    builder.op("gpu.module", &[], &[], &attributes, vec![region])?;
    let end = Builder::at_end(block, builder.location());
    let mut renamed = HashMap::new();
    let mut used = HashSet::new();
    for part in parts {
        let part_name = name(part).unwrap_or_default();
        for op in first_block(part).map(ops_of).unwrap_or_default() {
            let own = name(op).unwrap_or_default();
            if op_name(op) != "gpu.func" {
                // Constants that several kernels have are one.
                if used.insert(own) {
                    end.move_here(op);
                }
                continue;
            }
            let new = free_name(&allowed(&own), |name| used.contains(name));
            used.insert(new.clone());
            set_attribute(op, "sym_name", builder.string(&new));
            align_shared(&builder, op)?;
            end.move_here(op);
            renamed.insert(format!("{part_name}/{own}"), new);
        }
        builder.erase(part);
    }
    for launch in operations(module) {
        if op_name(launch) == "gpu.launch_func"
            && let Some(new) = kernel_of(launch).and_then(|kernel| renamed.get(&kernel))
        {
            let kernel = builder.attribute(&format!("@{joined}::@{new}"))?;
            set_attribute(launch, "kernel", kernel);
        }
    }
    Ok(())
}

/// Says at a kernel how its shared arrays are aligned.
fn align_shared<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let shared = OpView::of(kernel).integer("workgroup_attributions");
    let each = format!("{{llvm.align = {WIDEST_ACCESS} : i64}}");
    let all = vec![each; shared.unwrap_or_default().unsigned_abs() as usize];
    let all = builder.attribute(&format!("[{}]", all.join(", ")))?;
    set_attribute(kernel, "workgroup_attrib_attrs", all);
    Ok(())
}

fn name(op: OperationRef) -> Option<String> {
    symbol_bytes(op).map(shown)
}

/// The module and the kernel that are launched, with a `/` between.
fn kernel_of(launch: OperationRef) -> Option<String> {
    super::kernel_names(launch).map(|[module, kernel]| format!("{module}/{kernel}"))
}

/// A name that PTX allows.
fn allowed(name: &str) -> String {
    let name = name.chars().map(|character| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' => character,
        _ => '_',
    });
    let name: String = name.collect();
    match name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        true => name,
        false => format!("kernel_{name}"),
    }
}

/// The name, or the first with a number that is not taken.
fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let mut numbers = 1_u64..;
    loop {
        let name = format!("{name}_{}", numbers.next().unwrap_or_default());
        if !is_taken(&name) {
            return name;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_ptx_has_them() {
        assert_eq!(allowed("comb.über f_kernel"), "comb__ber_f_kernel");
        assert_eq!(allowed("0"), "kernel_0");
        let taken = ["k", "k_1"];
        assert_eq!(free_name("k", |name| taken.contains(&name)), "k_2");
        assert_eq!(free_name("l", |name| taken.contains(&name)), "l");
    }
}
