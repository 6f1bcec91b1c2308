//! Making the dialect known to a context.

use melior::dialect::{DialectHandle, DialectRegistry};
use mlir_sys::{MlirDialectHandle, MlirDialectRegistry};

unsafe extern "C" {
    fn nestRegisterDialect(registry: MlirDialectRegistry);
    fn mlirGetDialectHandle__nest__() -> MlirDialectHandle;
}

/// The handle through which the C API loads or registers the dialect.
pub fn dialect_handle() -> DialectHandle {
    // SAFETY: the function is defined by cpp/Dialect.cpp, takes nothing, and
    // returns a handle with static lifetime.
    unsafe { DialectHandle::from_raw(mlirGetDialectHandle__nest__()) }
}

/// Adds the dialect to a registry, unless it is there already.
pub fn register(registry: &DialectRegistry) {
    // SAFETY: the function is defined by cpp/Dialect.cpp; the registry is
    // alive.
    unsafe { nestRegisterDialect(registry.to_raw()) }
}
