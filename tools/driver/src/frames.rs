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
    values::{
        AsValueRef, BasicValueEnum, FunctionValue, InstructionOpcode, InstructionValue, Operand,
    },
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

/// Where a vector is computed: the block and the number in it.
#[derive(Clone, Copy)]
struct Definition {
    block: usize,
    position: usize,
    bits: u64,
}

/// From where to where vectors are needed in a block, and how many bits each has.
#[derive(Clone, Default)]
struct Spans(BTreeMap<usize, (usize, usize, u64)>);

impl Spans {
    /// A vector is needed there as well.
    fn add(&mut self, vector: usize, [first, last]: [usize; 2], bits: u64) {
        let span = self.0.entry(vector).or_insert((first, last, bits));
        span.0 = span.0.min(first);
        span.1 = span.1.max(last);
    }

    /// The most bits that are needed at a time.
    fn most_at_once(&self) -> u64 {
        let mut changes: Vec<(usize, bool, u64)> = vec![];
        for &(first, last, bits) in self.0.values() {
            changes.extend([(first, true, bits), (last, false, bits)]);
        }
        // What is needed last by an instruction leaves its register to the result.
        changes.sort_unstable();
        let sums = changes.iter().scan(0, |sum, &(_, begins, bits)| {
            *sum = if begins { *sum + bits } else { *sum - bits };
            Some(*sum)
        });
        sums.max().unwrap_or_default()
    }
}

/// How many bits there are at most, at a time, of wide vectors that a function needs again.
fn most_at_once(function: FunctionValue, layout: &TargetData) -> u64 {
    let blocks = function.get_basic_block_iter();
    let blocks: Vec<Vec<InstructionValue>> = blocks
        .map(|block| block.get_instructions().collect())
        .collect();
    let definitions = definitions(&blocks, layout);
    let mut spans = vec![Spans::default(); blocks.len()];
    for (block, instructions) in blocks.iter().enumerate() {
        for (position, instruction) in instructions.iter().enumerate() {
            let is_phi = instruction.get_opcode() == InstructionOpcode::Phi;
            let used = instruction
                .get_operands()
                .flatten()
                .filter_map(key_of_operand);
            for vector in used {
                let Some(&definition) = definitions.get(&vector) else {
                    continue;
                };
                let is_here = definition.block == block && !is_phi;
                let last = if is_here { position } else { usize::MAX };
                let span = [definition.position, last];
                spans[definition.block].add(vector, span, definition.bits);
                if definition.block != block && !is_phi {
                    spans[block].add(vector, [0, usize::MAX], definition.bits);
                }
            }
        }
    }
    let most = spans.iter().map(Spans::most_at_once);
    most.max().unwrap_or_default()
}

/// Where wide vectors are computed.
fn definitions(
    blocks: &[Vec<InstructionValue>],
    layout: &TargetData,
) -> HashMap<usize, Definition> {
    let mut definitions = HashMap::new();
    for (block, instructions) in blocks.iter().enumerate() {
        for (position, instruction) in instructions.iter().enumerate() {
            let AnyTypeEnum::VectorType(vector) = instruction.get_type() else {
                continue;
            };
            let bits = layout.get_bit_size(&vector);
            if bits > NARROW_BITS {
                let definition = Definition {
                    block,
                    position,
                    bits,
                };
                definitions.insert(instruction.as_value_ref() as usize, definition);
            }
        }
    }
    definitions
}

fn key_of_operand(operand: Operand) -> Option<usize> {
    match operand {
        Operand::Value(BasicValueEnum::VectorValue(vector)) => Some(vector.as_value_ref() as usize),
        _ => None,
    }
}
