//! Frames of functions that begin where a line of the cache does.
//!
//! Vectors for which there is no register are kept in the frame of a function. When LLVM finds
//! that out, it is too late for it to align the frame: vectors lie across lines then, and some
//! across two pages, to which a store takes as long as dozens of others. Whether one does, in a
//! loop that matters, depends on where the system puts the stack of a process: the same loop took
//! half as long again in one process out of eight. So the frames of functions that need more
//! vectors at a time than there are registers for are aligned from the start. In others that would
//! only take a register away.
//!
//! 1. In each block, [`most_at_once`] finds out how many bits there are at most of vectors that
//!    are needed again: from where they are computed to where they are used last. What comes from
//!    other blocks is needed throughout, as in loops, and what goes to others is to the end.
//! 2. Functions in whose blocks that is more than all registers have are marked.
//!
//! Cost: linear in the number of instructions, but for a logarithm; when it runs, three
//! instructions for each call of such a function.

use std::collections::{BTreeMap, HashMap};

use inkwell::{
    attributes::{Attribute, AttributeLoc},
    module::Module,
    targets::TargetData,
    types::AnyTypeEnum,
    values::{AsValueRef, FunctionValue, InstructionOpcode, InstructionValue},
};

/// What frames are aligned to, in bytes: a line, or the widest vector.
const ALIGNMENT: u64 = 64;

/// The stack is aligned for vectors that are no wider.
const NARROW_BITS: u64 = 128;

/// Aligns the frames of functions that need vectors of more bits at a time.
pub(crate) fn align(module: &Module, layout: &TargetData, register_bits: u64) {
    let kind = Attribute::get_named_enum_kind_id("alignstack");
    let attribute = module.get_context().create_enum_attribute(kind, ALIGNMENT);
    let functions = module.get_functions();
    for function in functions.filter(|function| most_at_once(*function, layout) > register_bits) {
        function.add_attribute(AttributeLoc::Function, attribute);
    }
}

/// Where an instruction is: the block, and the number in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    block: usize,
    position: usize,
}

/// Behind the last instruction of a block.
const END: usize = usize::MAX;

/// From where to where a vector is needed in a block.
struct Span {
    first: usize,
    last: usize,
    bits: u64,
}

/// How many bits there are at most, at a time, of wide vectors that a function needs again.
fn most_at_once(function: FunctionValue, layout: &TargetData) -> u64 {
    let instructions = instructions(function);
    let places = instructions.iter().map(|&(place, instruction)| {
        let is_phi = instruction.get_opcode() == InstructionOpcode::Phi;
        (instruction.as_value_ref() as usize, (place, is_phi))
    });
    let places: HashMap<usize, (Place, bool)> = places.collect();
    // By block, and by where vectors are computed.
    let mut spans: BTreeMap<usize, BTreeMap<Place, Span>> = BTreeMap::new();
    for &(vector, instruction) in &instructions {
        let Some(bits) = wide_bits(instruction, layout) else {
            continue;
        };
        for (user, is_phi) in users(instruction).filter_map(|user| places.get(&user)) {
            for (block, [first, last]) in needed(vector, *user, *is_phi) {
                let here = spans.entry(block).or_default();
                let span = here.entry(vector).or_insert(Span { first, last, bits });
                span.last = span.last.max(last);
            }
        }
    }
    let most = spans.values().map(most_in_block);
    most.max().unwrap_or_default()
}

fn instructions(function: FunctionValue) -> Vec<(Place, InstructionValue)> {
    let blocks = function.get_basic_block_iter().enumerate();
    let instructions = blocks.flat_map(|(block, instructions)| {
        let instructions = instructions.get_instructions().enumerate();
        instructions.map(move |(position, instruction)| (Place { block, position }, instruction))
    });
    instructions.collect()
}

/// How many bits a wide vector has that an instruction gives.
fn wide_bits(instruction: InstructionValue, layout: &TargetData) -> Option<u64> {
    let AnyTypeEnum::VectorType(vector) = instruction.get_type() else {
        return None;
    };
    Some(layout.get_bit_size(&vector)).filter(|&bits| bits > NARROW_BITS)
}

/// The instructions that use what an instruction gives. (Not all of an instruction's operands are
/// values: there is metadata, too.)
fn users(instruction: InstructionValue) -> impl Iterator<Item = usize> {
    let first = instruction.get_first_use();
    std::iter::successors(first, |of| of.get_next_use())
        .map(|of| of.get_user().as_value_ref() as usize)
}

/// Where a vector is needed that an instruction uses: blocks, each with the first and the last
/// place. What a phi uses is needed at the end of another block.
fn needed(vector: Place, user: Place, is_phi: bool) -> Vec<(usize, [usize; 2])> {
    let to_the_end = (vector.block, [vector.position, END]);
    match vector.block == user.block {
        _ if is_phi => vec![to_the_end],
        true => vec![(user.block, [vector.position, user.position])],
        false => vec![to_the_end, (user.block, [0, END])],
    }
}

/// The most bits that are needed at a time in a block.
fn most_in_block(spans: &BTreeMap<Place, Span>) -> u64 {
    let mut changes: Vec<(usize, bool, u64)> = vec![];
    for span in spans.values() {
        changes.extend([(span.first, true, span.bits), (span.last, false, span.bits)]);
    }
    // What is needed last by an instruction leaves its register to the result.
    changes.sort_unstable();
    let sums = changes.iter().scan(0, |sum, &(_, begins, bits)| {
        *sum = if begins { *sum + bits } else { *sum - bits };
        Some(*sum)
    });
    sums.max().unwrap_or_default()
}
