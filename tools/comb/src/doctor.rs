//! `comb doctor`: what this installation has.

use std::thread;

use comb_driver::{aot, code, code_cache::CodeCache, cpu::Cpu, openmp};

use comb_runtime::device::{Device, Vendor};

use crate::{failure::Failure, print};

/// Runs the command. What is missing is an error only where it is needed.
pub fn doctor() -> Result<(), Failure> {
    let host = Cpu::host();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let found = |result: Result<String, aot::BuildError>| match result {
        Ok(path) => path,
        Err(error) => format!("missing: {error}"),
    };
    let lines = [
        ("comb", env!("CARGO_PKG_VERSION").to_owned()),
        ("LLVM", code::llvm_version()),
        ("target", host.triple),
        ("CPU", host.name),
        ("cores", cores.to_string()),
        (
            "runtime library",
            found(aot::runtime_library().map(|path| path.display().to_string())),
        ),
        ("linker", found(aot::linker())),
        ("OpenMP", openmp_library()),
        ("GPU", gpus()),
        ("code cache", code_cache()),
    ];
    for (what, value) in lines {
        print(&format!("{:16} {value}\n", format!("{what}:")))?;
    }
    Ok(())
}

fn code_cache() -> String {
    let cache = CodeCache::from_environment();
    cache.map_or_else(
        || "off".to_owned(),
        |cache| cache.folder().display().to_string(),
    )
}

/// The GPU that a driver shows first; programs use one vendor's.
fn gpus() -> String {
    let found = Vendor::ALL
        .into_iter()
        .find_map(|vendor| Device::of(vendor).ok());
    found.map_or_else(|| "none".to_owned(), |device| device.name().to_owned())
}

fn openmp_library() -> String {
    let library = openmp::library();
    let shown = library.display();
    match library.is_file() {
        true => shown.to_string(),
        false => format!(
            "missing: {shown}, which parallel loops need; install the package {}",
            openmp::PACKAGE
        ),
    }
}
