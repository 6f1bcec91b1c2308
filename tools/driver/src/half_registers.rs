//! Functions that only fold an array, with vectors of 256 bits.
//!
//! AMD's CPUs of the fourth generation have registers of 512 bits, but compute with halves of
//! them. A loop that reads a line of the cache with one instruction gains little from it there,
//! and loses something: what guesses which lines will be read next goes by accesses, and with two
//! of them to a line it gets farther ahead. So functions are marked that read an array in
//! whole vectors, do little but fold it, and write no vectors. For these LLVM takes each vector
//! apart. The same numbers are added up in the same order, so bits are the same.
//!
//! Sums of rows and of their squares take 4 to 17 % less time if they come from memory. In the
//! caches they take up to 10 % more, and the largest of each hundred numbers 14 %. Products of two
//! arrays, which ask for more lines at a time by themselves, do not gain.
//!
//! Cost: linear in the number of instructions.

use inkwell::{
    attributes::AttributeLoc,
    basic_block::BasicBlock,
    module::Module,
    targets::{TargetData, TargetMachine},
    types::AnyType,
    values::{CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue},
};

/// The CPUs for which that was measured, as LLVM calls them.
const CPUS: &[&str] = &["znver4"];

/// The bits of a register.
const REGISTER: u64 = 512;

/// How many ops there are for each vector that is read, at most. With four, twice as many
/// instructions cost up to a third more time in the caches, and memory gains nothing.
const FEW: u64 = 2;

/// What LLVM is told of a function: the width of the vectors that it should prefer, and
/// that it need not have wider ones.
const ATTRIBUTES: [(&str, &str); 2] = [
    ("prefer-vector-width", "256"),
    ("min-legal-vector-width", "0"),
];

/// Marks the functions of an optimised module that should use half registers on the machine.
pub(crate) fn mark(module: &Module, machine: &TargetMachine) {
    let cpu = machine.get_cpu();
    if !CPUS.iter().any(|name| cpu.to_bytes() == name.as_bytes()) {
        return;
    }
    let layout = machine.get_target_data();
    for function in module.get_functions() {
        if only_folds(function, &layout) {
            for (name, value) in ATTRIBUTES {
                let attribute = module.get_context().create_string_attribute(name, value);
                function.add_attribute(AttributeLoc::Function, attribute);
            }
        }
    }
}

/// What a block does with vectors that fill registers.
#[derive(Clone, Copy, Default)]
struct Work {
    /// How many vectors it reads, without a mask.
    streams: u64,
    /// With how many registers it reads them.
    read: u64,
    /// On how many registers it computes.
    computed: u64,
    /// How many registers it writes, or reads from here and there.
    others: u64,
}

/// Whether a function folds an array in whole vectors, and writes none.
fn only_folds(function: FunctionValue, layout: &TargetData) -> bool {
    let mut folds = false;
    for block in function.get_basic_block_iter() {
        let work = work(block, layout);
        let is_fold =
            work.streams == 1 && work.computed <= FEW * work.read && repeats_itself(block);
        if work.others > 0 || work.streams > 0 && !is_fold {
            return false;
        }
        folds |= is_fold;
    }
    folds
}

/// Whether a block is all of a loop.
fn repeats_itself(block: BasicBlock) -> bool {
    let end = block.get_terminator();
    let mut targets = end.into_iter().flat_map(|end| end.get_operands());
    targets.any(|target| target.and_then(|target| target.block()) == Some(block))
}

fn work(block: BasicBlock, layout: &TargetData) -> Work {
    let mut work = Work::default();
    for instruction in block.get_instructions() {
        let registers = registers(instruction, layout);
        match instruction.get_opcode() {
            InstructionOpcode::Phi | InstructionOpcode::BitCast => {}
            InstructionOpcode::Load => {
                work.streams += u64::from(registers > 0);
                work.read += registers;
            }
            InstructionOpcode::Store => work.others += registers,
            InstructionOpcode::Call if accesses_memory(instruction) => work.others += registers,
            _ => work.computed += registers,
        }
    }
    work
}

/// How many registers the widest vector fills that an instruction takes or gives.
fn registers(instruction: InstructionValue, layout: &TargetData) -> u64 {
    let operands = instruction.get_operands();
    let values = operands.filter_map(|operand| operand?.value());
    let types = values.map(|value| value.get_type().as_any_type_enum());
    types
        .chain([instruction.get_type()])
        .filter(|r#type| r#type.is_vector_type())
        .map(|vector| layout.get_bit_size(&vector) / REGISTER)
        .max()
        .unwrap_or_default()
}

/// Whether a call reads or writes vectors in another way than one after the other.
fn accesses_memory(call: InstructionValue) -> bool {
    let function = CallSiteValue::try_from(call).ok();
    let function = function.and_then(|call| call.get_called_fn_value());
    function.is_none_or(|function| {
        let name = function.get_name().to_string_lossy();
        name.starts_with("llvm.masked.") && !name.starts_with("llvm.masked.load.")
            || !name.starts_with("llvm.")
    })
}
