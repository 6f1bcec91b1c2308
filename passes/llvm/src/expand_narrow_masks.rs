//! `comb-expand-narrow-masks`: the first few lanes of vectors of narrow numbers, without masks.
//!
//! AVX2 has masked loads and stores of numbers of 32 and 64 bits only, and earlier CPUs have none.
//! LLVM makes a branch for each lane of the others, 64 of them for a vector of bytes, which is
//! slow, and takes long to compile. Where the mask is that of the first lanes, as at the end of a
//! loop, they are copied through memory instead: a few at a time, and then one by one.
//!
//! Cost: linear in the number of ops.

use comb_kit::{
    element_types::bits_in_memory, machine, other_elements::element_of, pass_error::PassError,
    switches, transformations::Transformation, vectors, walk::operations,
};
use melior::ir::{
    OperationRef, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::Builder,
    cast::Parts,
    view::{definition, op_name, vector_lanes},
};

use crate::scope_allocas::hoist;

/// The bits of what is copied at once.
const PIECE: u64 = 128;

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let least = machine::of(module)?.least_masked_bits();
    switches::with(module, |switches| {
        for op in operations(module) {
            let Some(masked) = Masked::of(op, least) else {
                continue;
            };
            if !switches.applies(Transformation::ExpandNarrowMasks, op.location()) {
                continue;
            }
            match op_name(op) {
                "vector.maskedload" => expand_load(op, &masked)?,
                _ => expand_store(op, &masked)?,
            }
        }
        Ok(())
    })
}

/// A load or store of the first lanes of a vector whose elements cannot be masked.
struct Masked<'c, 'a> {
    /// In front of it.
    builder: Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: Vec<Value<'c, 'a>>,
    /// How many lanes there are.
    count: Value<'c, 'a>,
    /// What is stored, or what lanes have that are not loaded.
    vector: Value<'c, 'a>,
    lanes: u64,
}

/// Some elements in memory, from an index on.
struct Elements<'s, 'c, 'a> {
    memory: Value<'c, 'a>,
    index: &'s [Value<'c, 'a>],
}

impl<'c: 'a, 'a> Masked<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>, least: u64) -> Option<Self> {
        if !matches!(op_name(op), "vector.maskedload" | "vector.maskedstore") {
            return None;
        }
        let operands: Vec<Value> = op.operands().collect();
        let [memory, index @ .., mask, vector] = operands.as_slice() else {
            return None;
        };
        Some(Self {
            builder: Builder::before(op)?,
            memory: *memory,
            index: index.to_vec(),
            count: first_lanes(*mask)?,
            vector: *vector,
            lanes: narrow_lanes(vector.r#type(), least)?,
        })
    }

    fn elements(&self) -> Elements<'_, 'c, 'a> {
        Elements {
            memory: self.memory,
            index: &self.index,
        }
    }

    /// The vector in memory on the stack.
    fn buffer(&self) -> Result<Value<'c, 'a>, PassError<'c>> {
        let element = element_of(self.vector.r#type());
        let buffer = buffer(&self.builder, self.lanes, element)?;
        let start = [self.builder.index(0)?];
        vectors::store(&self.builder, self.vector, buffer, &start, None)?;
        Ok(buffer)
    }
}

fn expand_load<'c: 'a, 'a>(
    load: OperationRef<'c, 'a>,
    masked: &Masked<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let Masked { builder, lanes, .. } = masked;
    let (memory, start) = (masked.buffer()?, [builder.index(0)?]);
    let buffer = Elements {
        memory,
        index: &start,
    };
    copy(builder, &masked.elements(), &buffer, masked.count, *lanes)?;
    let loaded = vectors::load(builder, memory, &start, *lanes, None)?;
    builder.replace(load, &[loaded]);
    Ok(())
}

fn expand_store<'c: 'a, 'a>(
    store: OperationRef<'c, 'a>,
    masked: &Masked<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let Masked { builder, lanes, .. } = masked;
    let buffer = Elements {
        memory: masked.buffer()?,
        index: &[builder.index(0)?],
    };
    copy(builder, &buffer, &masked.elements(), masked.count, *lanes)?;
    builder.replace(store, &[]);
    Ok(())
}

/// How many lanes a mask has, if these are the first.
fn first_lanes<'c: 'a, 'a>(mask: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let op = definition(mask).filter(|&op| op_name(op) == "vector.create_mask")?;
    op.operand_at(0)
}

/// The lanes of a vector whose elements have too few bits to be masked.
fn narrow_lanes(vector: Type, least: u64) -> Option<u64> {
    vector_lanes(vector).filter(|_| bits_in_memory(element_of(vector)) < least)
}

/// Memory for a vector, on the stack.
fn buffer<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    lanes: u64,
    element: Type<'c>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let memory = builder.r#type(&format!("memref<{lanes}x{element}>"))?;
    let attributes = [
        ("alignment", builder.attribute("64")?),
        ("operandSegmentSizes", builder.segments(&[0, 0])),
    ];
    let allocation = builder.op("memref.alloca", &[], &[memory], &attributes, vec![])?;
    hoist(allocation)?;
    Ok(allocation.result(0)?.into())
}

/// Copies the first elements of so many, of which there may be none.
fn copy<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    from: &Elements<'_, 'c, 'a>,
    to: &Elements<'_, 'c, 'a>,
    count: Value<'c, 'a>,
    lanes: u64,
) -> Result<(), PassError<'c>> {
    let element = MemRefType::try_from(from.memory.r#type())?.element();
    let piece = (PIECE / bits_in_memory(element)).min(lanes);
    let [none, one, step] = [0, 1, piece as i64].map(|number| builder.index(number));
    let (none, one, step) = (none?, one?, step?);
    let count = builder.arithmetic("arith.maxsi", &[count, none])?;
    let count = builder.arithmetic("arith.minsi", &[count, builder.index(lanes as i64)?])?;
    let rest = builder.arithmetic("arith.remui", &[count, step])?;
    let whole = builder.arithmetic("arith.subi", &[count, rest])?;
    builder.range_loop([none, whole, step], &[], |builder, place, _| {
        let vector = vectors::load(builder, from.memory, &from.at(builder, place)?, piece, None)?;
        vectors::store(builder, vector, to.memory, &to.at(builder, place)?, None)?;
        Ok::<_, PassError>(vec![])
    })?;
    builder.range_loop([whole, count, one], &[], |builder, place, _| {
        let element = builder.load(from.memory, &from.at(builder, place)?)?;
        builder.store(element, to.memory, &to.at(builder, place)?)?;
        Ok::<_, PassError>(vec![])
    })?;
    Ok(())
}

impl<'c, 'a> Elements<'_, 'c, 'a> {
    /// The index of one of them.
    fn at(
        &self,
        builder: &Builder<'c, 'a>,
        place: Value<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, PassError<'c>> {
        let mut index = self.index.to_vec();
        if let Some(last) = index.last_mut() {
            *last = builder.arithmetic("arith.addi", &[*last, place])?;
        }
        Ok(index)
    }
}
