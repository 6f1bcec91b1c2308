//! `comb-compress-in-registers`: a filter's vectors are packed before they are written.
//!
//! AVX-512 has an instruction that writes the chosen lanes of a vector next to each other, which
//! is what LLVM makes of `vector.compressstore`. Some CPUs (AMD's of the fourth generation) take
//! over a hundred cycles for it. The same instruction between registers takes a few on all of them,
//! so here lanes are packed in a register, and as many as there are of them are written with a mask.
//!
//! Vectors that are longer than a register go part by part. They are moved as integers where LLVM
//! has no such instruction for their type.
//!
//! With AVX2 only, LLVM makes a branch for each lane of a `vector.compressstore`. There, lanes are
//! packed [by a table](by_table), and written without a mask, where [that may be](HAS_ROOM).
//!
//! Cost: linear in the number of ops.

mod by_table;

use by_table::Tables;
use comb_kit::{
    machine,
    other_elements::element_of,
    pass_error::PassError,
    switches,
    transformations::Transformation,
    vectors::{self, HAS_ROOM},
    walk::operations,
};
use comb_machine::tuning::VECTOR_BITS;
use melior::{
    Error,
    ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike},
};
use soac_dialect::{
    builder::Builder,
    view::{op_name, vector_lanes},
};

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let machine = machine::of(module)?;
    let mut tables = Tables::of(module).filter(|_| machine.packs_by_table());
    switches::with(module, |switches| {
        let applies = |op: OperationRef<'c, '_>| {
            switches.applies(Transformation::CompressInRegisters, op.location())
        };
        for op in operations(module) {
            let Some(store) = Store::of(op) else {
                continue;
            };
            let is_rewritten = match &mut tables {
                Some(tables) => {
                    op.has_attribute(HAS_ROOM) && applies(op) && tables.rewrite(&store)?
                }
                None => machine.compress && applies(op) && rewrite(&store)?,
            };
            if is_rewritten {
                store.builder.replace(op, &[]);
            }
        }
        Ok(())
    })
}

/// A `vector.compressstore`.
struct Store<'c, 'a> {
    /// In front of it.
    builder: Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: Vec<Value<'c, 'a>>,
    mask: Value<'c, 'a>,
    lanes: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Store<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        if op_name(op) != "vector.compressstore" {
            return None;
        }
        let operands: Vec<Value> = op.operands().collect();
        let [memory, index @ .., mask, lanes] = operands.as_slice() else {
            return None;
        };
        Some(Self {
            builder: Builder::before(op)?,
            memory: *memory,
            index: index.to_vec(),
            mask: *mask,
            lanes: *lanes,
        })
    }
}

/// Packs lanes by one instruction, and writes those that there are, if they are of a type that can
/// be packed.
fn rewrite(store: &Store) -> Result<bool, Error> {
    let builder = &store.builder;
    let r#type = store.lanes.r#type();
    let (Some(bits), Some(count)) = (bits(element_of(r#type)), vector_lanes(r#type)) else {
        return Ok(false);
    };
    let part = count.min(VECTOR_BITS / bits);
    let mut index = store.index.clone();
    for first in (0..count).step_by(part as usize) {
        let mask = slice(builder, store.mask, first, part, count)?;
        let lanes = slice(builder, store.lanes, first, part, count)?;
        let packed = packed(builder, lanes, mask)?;
        let kept = vectors::number_of(builder, mask, part, "llvm.intr.ctpop")?;
        let first_lanes = builder.value("vector.create_mask", &[kept], mask.r#type(), &[])?;
        vectors::store(builder, packed, store.memory, &index, Some(first_lanes))?;
        if let Some(last) = index.last_mut() {
            *last = builder.arithmetic("arith.addi", &[*last, kept])?;
        }
    }
    Ok(true)
}

/// How many bits an element has, if it is of a type that can be packed.
fn bits(element: Type) -> Option<u64> {
    match element.to_string().as_str() {
        "i8" => Some(8),
        "i16" | "f16" => Some(16),
        "i32" | "f32" => Some(32),
        "i64" | "f64" | "index" => Some(64),
        _ => None,
    }
}

/// Some lanes of a vector of so many.
fn slice<'c, 'a>(
    builder: &Builder<'c, 'a>,
    lanes: Value<'c, 'a>,
    first: u64,
    part: u64,
    count: u64,
) -> Result<Value<'c, 'a>, Error> {
    if part == count {
        return Ok(lanes);
    }
    let r#type = builder.vector_type(part, element_of(lanes.r#type()));
    let list = |number: u64| builder.attribute(&format!("[{number}]"));
    let attributes = [
        ("offsets", list(first)?),
        ("sizes", list(part)?),
        ("strides", list(1)?),
    ];
    builder.value(
        "vector.extract_strided_slice",
        &[lanes],
        r#type,
        &attributes,
    )
}

/// The lanes that a mask chooses, next to each other at the front.
fn packed<'c, 'a>(
    builder: &Builder<'c, 'a>,
    lanes: Value<'c, 'a>,
    mask: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    as_integers(builder, lanes, |lanes| {
        let r#type = lanes.r#type();
        let rest = builder.value("ub.poison", &[], r#type, &[])?;
        let name = "llvm.experimental.vector.compress";
        vectors::call(builder, name, &[lanes, mask, rest], r#type)
    })
}

/// Moves lanes, as integers if they are indices or of `f16`.
fn as_integers<'c, 'a>(
    builder: &Builder<'c, 'a>,
    lanes: Value<'c, 'a>,
    r#move: impl FnOnce(Value<'c, 'a>) -> Result<Value<'c, 'a>, Error>,
) -> Result<Value<'c, 'a>, Error> {
    let r#type = lanes.r#type();
    let moved_as = match element_of(r#type).to_string().as_str() {
        "index" => ("arith.index_cast", "index", "i64"),
        "f16" => ("vector.bitcast", "f16", "i16"),
        _ => return r#move(lanes),
    };
    let (cast, element, integer) = moved_as;
    let integers = builder.r#type(&r#type.to_string().replace(element, integer))?;
    let lanes = builder.value(cast, &[lanes], integers, &[])?;
    builder.value(cast, &[r#move(lanes)?], r#type, &[])
}
