//! Functions that permute bytes are compiled so that LLVM comes to an end.
//!
//! LLVM takes a permutation of 64 bytes apart into one of parts and one within them, and tries
//! ever smaller parts if the CPU permutes across lanes fast. Where many bytes are not needed, LLVM
//! 22 may make of that the permutation that it began with, and never come to an end. It does not
//! try the smallest parts for CPUs that are slow at it, so functions with vectors of so many bytes
//! are compiled as for one of these. (Without AVX512-VBMI, that is: see [`crate::code`].)
//!
//! Cost: linear in the number of instructions.

use inkwell::{
    attributes::AttributeLoc,
    module::Module,
    targets::TargetMachine,
    types::{AnyTypeEnum, VectorType},
    values::FunctionValue,
};

/// Vectors of fewer bytes are not taken apart that far.
const LANES: u32 = 64;

/// The feature that functions are to lack.
const FAST: &str = "-fast-variable-crosslane-shuffle";

/// Marks the functions with vectors of many bytes. The machine is one of x86.
pub(crate) fn mark(module: &Module, machine: &TargetMachine) {
    let triple = machine.get_triple();
    if !triple.as_str().to_bytes().starts_with(b"x86") {
        return;
    }
    let features = machine.get_feature_string().to_string_lossy();
    let features = match &*features {
        "" => FAST.to_owned(),
        features => format!("{features},{FAST}"),
    };
    let attribute = module
        .get_context()
        .create_string_attribute("target-features", &features);
    for function in module.get_functions().filter(|f| has_many_bytes(*f)) {
        function.add_attribute(AttributeLoc::Function, attribute);
    }
}

fn has_many_bytes(function: FunctionValue) -> bool {
    let blocks = function.get_basic_block_iter();
    let mut instructions = blocks.flat_map(|block| block.get_instructions());
    instructions.any(|instruction| match instruction.get_type() {
        AnyTypeEnum::VectorType(vector) => is_many_bytes(vector),
        _ => false,
    })
}

fn is_many_bytes(vector: VectorType) -> bool {
    let element = vector.get_element_type();
    vector.get_size() >= LANES
        && element.is_int_type()
        && element.into_int_type().get_bit_width() <= 8
}

#[cfg(test)]
mod tests {
    use inkwell::{context::Context, memory_buffer::MemoryBuffer};

    use super::*;

    fn has(vector: &str) -> bool {
        let text = format!(
            "define {vector} @f({vector} %a, {vector} %b) {{ %c = xor {vector} %a, %b ret {vector} %c }}"
        );
        let context = Context::create();
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "test");
        let module = context.create_module_from_ir(buffer).unwrap();
        has_many_bytes(module.get_function("f").unwrap())
    }

    #[test]
    fn vectors_of_many_bytes() {
        assert!(has("<64 x i8>") && has("<128 x i1>"));
        assert!(!has("<32 x i8>") && !has("<64 x i16>") && !has("i8"));
    }
}
