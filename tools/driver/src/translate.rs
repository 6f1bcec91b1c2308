//! From the LLVM dialect to LLVM IR.

use inkwell::{context::Context as LlvmContext, module::Module as LlvmModule};
use melior::ir::Module;
use mlir_sys::mlirTranslateModuleToLLVMIR;

/// Translates a module; reports to its context what has no translation.
pub fn to_llvm_ir<'l>(module: &Module, context: &'l LlvmContext) -> Option<LlvmModule<'l>> {
    // SAFETY: both are alive. The two crates declare the same C types, each
    // for itself, so the pointers are cast.
    let raw = unsafe {
        mlirTranslateModuleToLLVMIR(module.as_operation().to_raw(), context.raw().cast())
    };
    if raw.is_null() {
        return None;
    }
    // SAFETY: the module is live, and nobody else owns it.
    Some(unsafe { LlvmModule::new(raw.cast()) })
}
