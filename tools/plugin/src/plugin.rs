//! What `mlir-opt --load-dialect-plugin` and `--load-pass-plugin` look for.

use std::ffi::c_char;

use mlir_sys::MlirDialectRegistry;

use crate::c_api::{combRegisterDialect, combRegisterPasses, combRegisterPipelines};

/// `MLIR_PLUGIN_API_VERSION` of LLVM 22.
const PLUGIN_API_VERSION: u32 = 1;

const NAME: *const c_char = c"comb".as_ptr();

const VERSION: *const c_char = concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast();

/// `mlir::DialectPluginLibraryInfo`; the registry is a C++ reference to
/// `mlir::DialectRegistry`, which is what an `MlirDialectRegistry` holds.
#[repr(C)]
pub struct DialectPluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(MlirDialectRegistry),
}

/// `mlir::PassPluginLibraryInfo`.
#[repr(C)]
pub struct PassPluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: extern "C" fn(),
}

#[unsafe(no_mangle)]
extern "C" fn mlirGetDialectPluginInfo() -> DialectPluginInfo {
    DialectPluginInfo {
        api_version: PLUGIN_API_VERSION,
        name: NAME,
        version: VERSION,
        register: combRegisterDialect,
    }
}

#[unsafe(no_mangle)]
extern "C" fn mlirGetPassPluginInfo() -> PassPluginInfo {
    PassPluginInfo {
        api_version: PLUGIN_API_VERSION,
        name: NAME,
        version: VERSION,
        register: register_passes_and_pipelines,
    }
}

extern "C" fn register_passes_and_pipelines() {
    // SAFETY: both may be called at any time, more than once.
    unsafe {
        combRegisterPasses();
        combRegisterPipelines();
    }
}
