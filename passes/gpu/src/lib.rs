//! Schedules and kernels.
//!
//! A room of comb's passes: docs/src/architecture.md has all of them.

#![warn(missing_docs)]

pub mod host_to_runtime;
pub mod join_kernels;
pub mod nest_schedule_gpu;
pub mod nest_to_gpu;
pub mod order_scatters;
pub mod sink_elements;
pub mod sorts_to_maps;

use melior::ir::{AttributeLike, OperationRef, operation::OperationLike};
use soac_dialect::text::shown;

/// The names of the module and of the kernel that a `gpu.launch_func` launches.
fn kernel_names(launch: OperationRef) -> Option<[String; 2]> {
    let kernel = launch.attribute("kernel").ok()?.to_raw();
    // SAFETY: the attribute is alive, and asked only for what it is; the names belong to the context.
    unsafe {
        if !mlir_sys::mlirAttributeIsASymbolRef(kernel)
            || mlir_sys::mlirSymbolRefAttrGetNumNestedReferences(kernel) != 1
        {
            return None;
        }
        let inner = mlir_sys::mlirSymbolRefAttrGetNestedReference(kernel, 0);
        let names = [
            mlir_sys::mlirSymbolRefAttrGetRootReference(kernel),
            mlir_sys::mlirSymbolRefAttrGetRootReference(inner),
        ];
        Some(names.map(|name| shown(std::slice::from_raw_parts(name.data.cast(), name.length))))
    }
}
