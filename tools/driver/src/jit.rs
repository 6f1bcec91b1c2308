//! Runs a compiled program in this process.

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use comb_runtime::abi::{CallError, Entry, PreparedCall};
use comb_runtime::{
    Signature, Value, bfloat, device::calls as device, entry, failure, files::is_named_pipe,
    memory, parallel, stack, team,
};
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

use crate::code::{CodeError, CodeOptions};
use crate::compile::Compiled;
use crate::entry_point::C_INTERFACE;
use crate::machine_code::{Description, MachineCode};
use crate::orc::Linker;
use crate::{Compiler, native, openmp};

/// A program ready to run.
pub struct Executable {
    linker: Linker,
    entries: Vec<(Signature, String)>,
    /// Stay loaded as long as code may call them.
    _libraries: Vec<Library>,
}

/// Why a program is not ready to run.
#[derive(Debug, thiserror::Error)]
pub enum JitError {
    /// There is no code.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// A shared library cannot be loaded: the caller's fault.
    #[error("cannot load '{}': {reason}", path.display())]
    Library {
        /// The library.
        path: PathBuf,
        /// What the loader said.
        reason: String,
    },
    /// The program has parallel loops, but there is no OpenMP: the installation's
    /// fault.
    #[error(
        "the program has parallel loops, but LLVM's OpenMP library is missing: {reason}; install the package {}",
        openmp::PACKAGE
    )]
    NoOpenMp {
        /// What the loader said.
        reason: String,
    },
    /// The program calls functions that nobody defines: the caller's fault.
    #[error(
        "the program calls {names}, which it only declares; load the library that defines the \
         symbol {symbols} with --shared-lib PATH"
    )]
    Undefined {
        /// The functions.
        names: String,
        /// The symbols that were not found.
        symbols: String,
    },
    /// The linker failed: the compiler's fault.
    #[error("internal error: linking: {0}")]
    Linker(String),
    /// The function is no entry of the program.
    #[error("@{0} is not an entry point of this program")]
    UnknownEntry(String),
}

/// Why a run gave no results.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The arguments do not fit, or the results cannot be taken.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The program failed while it ran, with this message.
    #[error("{0}")]
    Failure(String),
}

impl Executable {
    /// Generates and links the code of a program; see [`Executable::link`].
    pub fn new(
        compiler: &Compiler,
        compiled: &Compiled,
        options: &CodeOptions,
        libraries: &[PathBuf],
    ) -> Result<Self, JitError> {
        let (code, _) = MachineCode::generate(compiler, compiled, options)?;
        Self::link(&code, libraries)
    }

    /// Links the code of a program. Functions that it only declares are looked
    /// for in the libraries, then in this process.
    pub fn link(code: &MachineCode, libraries: &[PathBuf]) -> Result<Self, JitError> {
        let Description { externals, entries } = &code.description;
        if let Some(path) = libraries.iter().find(|path| is_named_pipe(path)) {
            return Err(JitError::Library {
                path: path.clone(),
                reason: "it is no file".to_owned(),
            });
        }
        let libraries = libraries
            .iter()
            .map(|path| load_library(path))
            .collect::<Result<Vec<_>, _>>()?;
        if openmp::is_needed(externals) {
            openmp::load().map_err(|reason| JitError::NoOpenMp { reason })?;
        }
        check_externals(externals)?;
        native::initialize().map_err(CodeError::Llvm)?;
        let linker = Linker::new(&runtime_symbols()).map_err(JitError::Linker)?;
        for object in &code.objects {
            linker.add_object(object).map_err(JitError::Linker)?;
        }
        let executable = Self {
            linker,
            entries: entries
                .iter()
                .map(|entry| (entry.signature.clone(), entry.symbol.clone()))
                .collect(),
            _libraries: libraries,
        };
        for (_, symbol) in &executable.entries {
            executable.linker.lookup(symbol).map_err(JitError::Linker)?;
        }
        Ok(executable)
    }

    /// A function of the program.
    pub fn function(&self, name: &str) -> Result<Function<'_>, JitError> {
        let (signature, symbol) = self
            .entries
            .iter()
            .find(|(signature, _)| signature.name == name)
            .ok_or_else(|| JitError::UnknownEntry(name.to_owned()))?;
        let address = self.linker.lookup(symbol).map_err(JitError::Linker)?;
        Ok(Function {
            signature,
            // SAFETY: the symbol is an entry point that the compiler made.
            entry: unsafe { std::mem::transmute::<*const (), Entry>(address) },
        })
    }
}

/// A function of an [`Executable`].
#[derive(Clone, Copy)]
pub struct Function<'e> {
    signature: &'e Signature,
    entry: Entry,
}

impl<'e> Function<'e> {
    /// Lays out the arguments, so that the function can be called repeatedly.
    pub fn prepare<'a>(self, inputs: &'a [Value]) -> Result<Call<'a>, RunError>
    where
        'e: 'a,
    {
        // SAFETY: the compiler made the entry point for this signature; it
        // keeps parameters unchanged.
        let call = unsafe { PreparedCall::new(self.entry, self.signature, inputs) }?;
        Ok(Call { call })
    }

    /// Calls the function once.
    pub fn call(self, inputs: &[Value]) -> Result<Vec<Value>, RunError> {
        let mut call = self.prepare(inputs)?;
        call.invoke()?;
        Ok(call.take_results()?)
    }
}

/// A function with its arguments.
pub struct Call<'a> {
    call: PreparedCall<'a>,
}

impl Call<'_> {
    /// Calls the function. A run-time error is returned; what the program had
    /// allocated is then lost.
    pub fn invoke(&mut self) -> Result<(), RunError> {
        self.call
            .invoke_through(|entry, arguments| {
                // SAFETY: passed on from PreparedCall.
                unsafe { parallel::guarded_call(entry, arguments) }
            })
            .map_err(RunError::Failure)?;
        Ok(self.call.finish().map_err(CallError::from)?)
    }

    /// The results of the latest call.
    pub fn take_results(&mut self) -> Result<Vec<Value>, CallError> {
        self.call.take_results()
    }
}

/// What code may call of the runtime library, which is part of this program
/// and not found by its name in the process.
fn runtime_symbols() -> [(&'static str, *const ()); 24] {
    [
        (
            "comb_runtime_begin_call",
            entry::comb_runtime_begin_call as *const (),
        ),
        (
            "comb_runtime_end_call",
            entry::comb_runtime_end_call as *const (),
        ),
        ("comb_runtime_fail", failure::comb_runtime_fail as *const ()),
        (
            "comb_runtime_allocate",
            memory::comb_runtime_allocate as *const (),
        ),
        (
            "comb_runtime_allocate_aligned",
            memory::comb_runtime_allocate_aligned as *const (),
        ),
        (
            "comb_runtime_allocate_zeroed",
            memory::comb_runtime_allocate_zeroed as *const (),
        ),
        (
            "comb_runtime_stack_is_left",
            stack::comb_runtime_stack_is_left as *const (),
        ),
        ("comb_runtime_free", memory::comb_runtime_free as *const ()),
        (
            "comb_runtime_run_chunks",
            team::comb_runtime_run_chunks as *const (),
        ),
        (
            "comb_runtime_run_share",
            team::comb_runtime_run_share as *const (),
        ),
        (
            "comb_runtime_finish_stores",
            parallel::comb_runtime_finish_stores as *const (),
        ),
        (
            "_mlir_ciface_comb_runtime_signal",
            parallel::_mlir_ciface_comb_runtime_signal as *const (),
        ),
        (
            "_mlir_ciface_comb_runtime_wait",
            parallel::_mlir_ciface_comb_runtime_wait as *const (),
        ),
        ("comb_device_open", device::comb_device_open as *const ()),
        (
            "comb_device_allocate",
            device::comb_device_allocate as *const (),
        ),
        ("comb_device_read", device::comb_device_read as *const ()),
        ("comb_device_write", device::comb_device_write as *const ()),
        (
            "comb_device_constant",
            device::comb_device_constant as *const (),
        ),
        (
            "comb_device_report",
            device::comb_device_report as *const (),
        ),
        (
            "comb_device_synchronize",
            device::comb_device_synchronize as *const (),
        ),
        ("comb_device_copy", device::comb_device_copy as *const ()),
        (
            "comb_device_launch",
            device::comb_device_launch as *const (),
        ),
        ("__truncsfbf2", bfloat::__truncsfbf2 as *const ()),
        ("__truncdfbf2", bfloat::__truncdfbf2 as *const ()),
    ]
}

fn load_library(path: &Path) -> Result<Library, JitError> {
    // A name without a slash would be searched for; a path is meant.
    let path = if path.components().count() == 1 {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    };
    // SAFETY: the user asks for the library's code to be run.
    unsafe { Library::open(Some(OsString::from(&path)), RTLD_NOW | RTLD_GLOBAL) }.map_err(|error| {
        JitError::Library {
            reason: error
                .source()
                .map_or_else(|| error.to_string(), ToString::to_string),
            path,
        }
    })
}

/// A better message than the linker's for functions that are nowhere.
fn check_externals(externals: &[String]) -> Result<(), JitError> {
    let process = Library::this();
    let provided = runtime_symbols();
    let missing: Vec<&str> = externals
        .iter()
        .filter(|name| !provided.iter().any(|(provided, _)| provided == name))
        // SAFETY: the symbol is only looked for.
        .filter(|name| unsafe { process.get::<*const ()>(name.as_bytes()) }.is_err())
        .map(String::as_str)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = missing
        .iter()
        .map(|symbol| format!("@{}", symbol.strip_prefix(C_INTERFACE).unwrap_or(symbol)))
        .collect();
    Err(JitError::Undefined {
        names: names.join(", "),
        symbols: missing.join(", "),
    })
}
