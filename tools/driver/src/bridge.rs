//! The functions of cpp/Bridge.cpp, and what melior lacks.

use std::{
    ffi::{CStr, c_void},
    ptr,
};

use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use melior::{
    Context, Error,
    ir::{
        Attribute, AttributeLike, Module, OperationRef,
        attribute::StringAttribute,
        operation::{OperationLike, OperationMutLike, OperationRefMut},
    },
};
use mlir_sys::{
    MlirContext, MlirModule, MlirStringRef, mlirFuncSetArgAttr, mlirOperationWriteBytecode,
    mlirSymbolTableReplaceAllSymbolUses,
};

use soac_dialect::text::{bytes, shown, string_bytes};

use crate::{hints::Vocabulary, source::Source};

unsafe extern "C" {
    fn combParseModule(
        context: MlirContext,
        source: MlirStringRef,
        name: MlirStringRef,
        verify: bool,
    ) -> MlirModule;
    fn combVocabulary(
        context: MlirContext,
        count: isize,
        dialects: *const MlirStringRef,
        push: extern "C" fn(bool, MlirStringRef, *mut c_void),
        target: *mut c_void,
    );
    fn combOnOutOfMemory(handler: extern "C" fn() -> !);
    fn combWorkOfThread(text: *mut u8, size: usize) -> usize;
    fn combIsCpu(triple: MlirStringRef, cpu: MlirStringRef) -> bool;
    fn combHasFeature(
        triple: MlirStringRef,
        cpu: MlirStringRef,
        features: MlirStringRef,
        feature: MlirStringRef,
    ) -> bool;
}

/// Gives a parameter of a function with a body an attribute.
pub(crate) fn set_argument_attribute(
    function: OperationRef,
    index: usize,
    name: &str,
    attribute: Attribute,
) {
    // SAFETY: the function is alive and has the parameter; the name is copied.
    unsafe {
        mlirFuncSetArgAttr(
            function.to_raw(),
            index as isize,
            string(name.as_bytes()),
            attribute.to_raw(),
        );
    }
}

/// A string that must outlive its use.
fn string(bytes: &[u8]) -> MlirStringRef {
    MlirStringRef {
        data: bytes.as_ptr().cast(),
        length: bytes.len(),
    }
}

/// Sets options of LLVM's tools, which hold for all that LLVM does in this process from now on.
/// One that LLVM does not know ends the process.
pub fn set_llvm_options(options: &[&'static CStr]) {
    let arguments = [&[c"comb"], options].concat();
    let arguments: Vec<_> = arguments.iter().map(|option| option.as_ptr()).collect();
    // SAFETY: so many strings are given, which end with 0 and live as long as the process.
    unsafe { LLVMParseCommandLineOptions(arguments.len() as i32, arguments.as_ptr(), ptr::null()) }
}

/// Has a function called that does not return, when LLVM or C++ has no memory.
pub fn on_out_of_memory(handler: extern "C" fn() -> !) {
    // SAFETY: the function lives as long as the process.
    unsafe { combOnOutOfMemory(handler) }
}

/// Writes what LLVM is at work on in this thread, and says how much that is.
pub fn work_of_thread(text: &mut [u8]) -> usize {
    // SAFETY: that much fits the text.
    unsafe { combWorkOfThread(text.as_mut_ptr(), text.len()) }
}

/// Whether LLVM knows the CPU. The target must be registered.
pub fn is_cpu(triple: &str, cpu: &str) -> bool {
    // SAFETY: the strings outlive the call.
    unsafe { combIsCpu(string(triple.as_bytes()), string(cpu.as_bytes())) }
}

/// Whether a CPU with additional features has another one; not if LLVM does not know that. The
/// target must be registered.
pub fn has_feature(triple: &str, cpu: &str, features: &str, feature: &str) -> bool {
    let text = |text: &str| string(text.as_bytes());
    // SAFETY: the strings outlive the call.
    unsafe { combHasFeature(text(triple), text(cpu), text(features), text(feature)) }
}

/// Whether a program is verified when it has been parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verification {
    /// At once.
    WhenParsed,
    /// By the caller, when more has been done.
    Later,
}

/// Parses text or bytecode; reports what is wrong to the context.
pub fn parse<'c>(
    context: &'c Context,
    source: &Source,
    verification: Verification,
) -> Option<Module<'c>> {
    // SAFETY: the strings outlive the call, which copies them; the module it
    // returns, if any, is owned by the caller.
    unsafe {
        Module::from_option_raw(combParseModule(
            context.to_raw(),
            string(source.bytes()),
            string(source.name().as_bytes()),
            verification == Verification::WhenParsed,
        ))
    }
}

/// An op in MLIR's bytecode.
pub fn bytecode(op: OperationRef) -> Vec<u8> {
    extern "C" fn push(part: MlirStringRef, target: *mut c_void) {
        // SAFETY: the target is the one given below, and nobody else uses it during the call.
        let target = unsafe { &mut *target.cast::<Vec<u8>>() };
        // SAFETY: the part lives during this call.
        target.extend_from_slice(unsafe { bytes(part) });
    }
    let mut written = vec![];
    // SAFETY: the op is alive, and so is the target during the call.
    unsafe {
        mlirOperationWriteBytecode(op.to_raw(), Some(push), ptr::from_mut(&mut written).cast());
    }
    written
}

/// The dialects that programs are written in.
const DIALECTS: [&str; 14] = [
    "affine",
    "arith",
    "bufferization",
    "builtin",
    "cf",
    "func",
    "index",
    "linalg",
    "math",
    "memref",
    "nest",
    "scf",
    "soac",
    "tensor",
];

/// The names of dialects and ops.
pub fn vocabulary(context: &Context) -> Vocabulary {
    let dialects = DIALECTS.map(|name| string(name.as_bytes()));
    let mut vocabulary = Vocabulary::default();
    // SAFETY: the strings outlive the call, and the callback is given what it expects.
    unsafe {
        combVocabulary(
            context.to_raw(),
            dialects.len() as isize,
            dialects.as_ptr(),
            push_word,
            (&raw mut vocabulary).cast(),
        );
    }
    vocabulary.ops.sort_unstable();
    vocabulary.dialects.sort_unstable();
    vocabulary
}

extern "C" fn push_word(is_op: bool, word: MlirStringRef, target: *mut c_void) {
    // SAFETY: `vocabulary` passes it; the word is alive during the call.
    let (vocabulary, word) = unsafe { (&mut *target.cast::<Vocabulary>(), bytes(word)) };
    match is_op {
        true => vocabulary.ops.push(shown(word)),
        false => vocabulary.dialects.push(shown(word)),
    }
}

/// Renames a function and everything that refers to it.
pub fn rename_symbol<'c>(
    context: &'c Context,
    module: &Module<'c>,
    function: OperationRef<'c, '_>,
    new_name: &str,
) -> Result<(), Error> {
    let old_name = StringAttribute::try_from(function.attribute("sym_name")?)?;
    // SAFETY: the module is alive, and the strings outlive the call.
    let replaced = unsafe {
        mlirSymbolTableReplaceAllSymbolUses(
            string(string_bytes(old_name)),
            string(new_name.as_bytes()),
            module.as_operation().to_raw(),
        )
    };
    if replaced.value == 0 {
        return Err(Error::RunPass);
    }
    let name = StringAttribute::new(context, new_name);
    mutable(function).set_attribute("sym_name", name.into());
    Ok(())
}

/// An op whose attributes may be changed.
pub fn mutable<'c, 'a>(op: OperationRef<'c, 'a>) -> OperationRefMut<'c, 'a> {
    // SAFETY: the op is alive; it is only given other attributes.
    unsafe { OperationRefMut::from_raw(op.to_raw()) }
}
