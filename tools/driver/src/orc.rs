//! A safe face for the few functions of LLVM's in-process linker, ORC, that
//! the JIT needs.

use std::ffi::{CString, c_void};
use std::sync::{Mutex, PoisonError};
use std::{mem, ptr};

use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::orc2::lljit::{
    LLVMOrcCreateLLJIT, LLVMOrcDisposeLLJIT, LLVMOrcLLJITAddObjectFile,
    LLVMOrcLLJITGetExecutionSession, LLVMOrcLLJITGetGlobalPrefix, LLVMOrcLLJITGetMainJITDylib,
    LLVMOrcLLJITLookup, LLVMOrcLLJITMangleAndIntern, LLVMOrcLLJITRef,
};
use inkwell::llvm_sys::orc2::{
    LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags, LLVMOrcAbsoluteSymbols,
    LLVMOrcCSymbolMapPair, LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess,
    LLVMOrcExecutionSessionSetErrorReporter, LLVMOrcJITDylibAddGenerator, LLVMOrcJITDylibDefine,
};
use inkwell::memory_buffer::MemoryBuffer;

/// Machine code in this process.
pub struct Linker {
    raw: LLVMOrcLLJITRef,
    /// What the session reported: the reasons behind the errors it returns.
    reports: Box<Mutex<Vec<String>>>,
}

impl Linker {
    /// A linker that finds what code needs first among `symbols`, then in this
    /// process.
    pub fn new(symbols: &[(&str, *const ())]) -> Result<Self, String> {
        let mut raw = ptr::null_mut();
        // SAFETY: a null builder means the defaults.
        check(unsafe { LLVMOrcCreateLLJIT(&mut raw, ptr::null_mut()) })?;
        let linker = Self {
            raw,
            reports: Box::default(),
        };
        // SAFETY: the session belongs to the linker, which is alive; the
        // reports live as long as the linker, at one place.
        unsafe {
            LLVMOrcExecutionSessionSetErrorReporter(
                LLVMOrcLLJITGetExecutionSession(raw),
                keep_report,
                (&raw const *linker.reports).cast_mut().cast(),
            );
        }
        linker.define(symbols)?;
        linker.search_process()?;
        Ok(linker)
    }

    fn define(&self, symbols: &[(&str, *const ())]) -> Result<(), String> {
        let mut pairs = symbols
            .iter()
            .map(|(name, address)| {
                let name = CString::new(*name).map_err(|error| error.to_string())?;
                Ok(LLVMOrcCSymbolMapPair {
                    // SAFETY: the linker is alive and copies the name.
                    Name: unsafe { LLVMOrcLLJITMangleAndIntern(self.raw, name.as_ptr()) },
                    Sym: LLVMJITEvaluatedSymbol {
                        Address: address.expose_provenance() as u64,
                        Flags: LLVMJITSymbolFlags {
                            GenericFlags:
                                LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
                                    | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable
                                        as u8,
                            TargetFlags: 0,
                        },
                    },
                })
            })
            .collect::<Result<Vec<_>, String>>()?;
        // SAFETY: the pairs are alive; the unit takes over their names, and the
        // library takes over the unit.
        check(unsafe {
            LLVMOrcJITDylibDefine(
                LLVMOrcLLJITGetMainJITDylib(self.raw),
                LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len()),
            )
        })
    }

    fn search_process(&self) -> Result<(), String> {
        let mut generator = ptr::null_mut();
        // SAFETY: no filter is given; the library takes over the generator.
        unsafe {
            check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                &mut generator,
                LLVMOrcLLJITGetGlobalPrefix(self.raw),
                None,
                ptr::null_mut(),
            ))?;
            LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(self.raw), generator);
        }
        Ok(())
    }

    /// Adds an object file.
    pub fn add_object(&self, bytes: &[u8]) -> Result<(), String> {
        let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, "comb");
        let raw = buffer.as_mut_ptr();
        mem::forget(buffer);
        // SAFETY: the linker takes over the buffer, which was forgotten above.
        check(unsafe {
            LLVMOrcLLJITAddObjectFile(self.raw, LLVMOrcLLJITGetMainJITDylib(self.raw), raw)
        })
    }

    /// The address of a symbol, after linking what it needs.
    pub fn lookup(&self, name: &str) -> Result<*const (), String> {
        let name = CString::new(name).map_err(|error| error.to_string())?;
        let mut address = 0;
        // SAFETY: the name is alive and NUL-terminated.
        let found = check(unsafe { LLVMOrcLLJITLookup(self.raw, &mut address, name.as_ptr()) });
        if let Err(error) = found {
            let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
            reports.push(error);
            return Err(reports.drain(..).collect::<Vec<_>>().join("; "));
        }
        Ok(ptr::with_exposed_provenance(address as usize))
    }
}

impl Drop for Linker {
    fn drop(&mut self) {
        // SAFETY: the linker is alive, and this is its only owner.
        let _ = check(unsafe { LLVMOrcDisposeLLJIT(self.raw) });
    }
}

fn check(error: LLVMErrorRef) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the error is live and consumed here, once; the message is
    // NUL-terminated and freed here, once.
    unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = std::ffi::CStr::from_ptr(message)
            .to_string_lossy()
            .into_owned();
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}

/// Keeps what the session reports, for the message of the error it returns.
extern "C" fn keep_report(reports: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: `new` passed the linker's reports, which are alive while the
    // session is.
    let reports = unsafe { &*reports.cast::<Mutex<Vec<String>>>().cast_const() };
    if let Err(text) = check(error) {
        reports
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(text);
    }
}
