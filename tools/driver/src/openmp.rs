//! LLVM's OpenMP library, which programs with parallel loops need, and only they.

use std::error::Error;
use std::iter::successors;
use std::path::{Path, PathBuf};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use melior::ir::{BlockLike, Module, attribute::StringAttribute, operation::OperationLike};

/// Debian's package that has it.
pub const PACKAGE: &str = "libomp-22-dev";

/// How the names of its functions begin that compiled code calls: those that run threads, and those that
/// are asked about them, also where no loop is left for them.
const FUNCTIONS: [&str; 2] = ["__kmpc_", "omp_get_"];

/// The one by which parallel loops begin.
const FORK: &[u8] = b"__kmpc_fork_call";

/// The function of a program that has a team of threads do some work.
const TEAM: &str = "comb_openmp_team";

/// Whether a program in the LLVM dialect starts threads, or asks how many there are.
pub fn is_used(module: &Module) -> bool {
    let mut ops = successors(module.body().first_operation(), |op| op.next_in_block());
    ops.any(|op| {
        let name = op.attribute("sym_name").ok();
        let name = name.and_then(|name| StringAttribute::try_from(name).ok());
        name.is_some_and(|name| name.value() == TEAM || is_function(name.value()))
    })
}

/// Whether code that calls these functions needs OpenMP.
pub fn is_needed(externals: &[String]) -> bool {
    externals.iter().any(|name| is_function(name))
}

fn is_function(name: &str) -> bool {
    let mut beginnings = FUNCTIONS.into_iter();
    beginnings.any(|beginning| name.starts_with(beginning))
}

/// Where the library is, or should be.
pub fn library() -> PathBuf {
    Path::new(env!("COMB_LLVM_PREFIX")).join("lib/libomp.so.5")
}

/// Loads the library for the rest of the process, whose threads may be in it at any
/// time; unless the process has an OpenMP that fits.
///
/// # Errors
///
/// What the loader says.
pub fn load() -> Result<(), String> {
    // SAFETY: the symbol is only looked for.
    if unsafe { Library::this().get::<*const ()>(FORK) }.is_ok() {
        return Ok(());
    }
    // SAFETY: the library is LLVM's, whose initialisation asks for nothing.
    match unsafe { Library::open(Some(library()), RTLD_NOW | RTLD_GLOBAL) } {
        Ok(library) => {
            std::mem::forget(library);
            Ok(())
        }
        Err(error) => Err(error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string)),
    }
}
