//! The functions of `include/comb/comb.h` that are not C++ already.

use std::ffi::c_char;

use mlir_sys::{MlirDialectHandle, MlirDialectRegistry, mlirRegisterAllDialects};

unsafe extern "C" {
    // Defined by the passes crate, in cpp/.
    pub(crate) fn combRegisterPasses();
    pub(crate) fn combRegisterPipelines();

    // Defined by the dialect crates, in cpp/Dialect.cpp.
    fn soacRegisterDialect(registry: MlirDialectRegistry);
    fn nestRegisterDialect(registry: MlirDialectRegistry);
}

#[unsafe(no_mangle)]
extern "C" fn combGetDialectHandle() -> MlirDialectHandle {
    soac_dialect::dialect_handle().to_raw()
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn combRegisterDialect(registry: MlirDialectRegistry) {
    // SAFETY: the caller passes a live registry, as the header demands.
    unsafe {
        soacRegisterDialect(registry);
        nestRegisterDialect(registry);
    }
}

#[unsafe(no_mangle)]
extern "C" fn combRegisterPipelineDialects(registry: MlirDialectRegistry) {
    // SAFETY: the caller passes a live registry, as the header demands.
    unsafe { mlirRegisterAllDialects(registry) }
    combRegisterDialect(registry);
}

#[unsafe(no_mangle)]
extern "C" fn combGetVersion() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
