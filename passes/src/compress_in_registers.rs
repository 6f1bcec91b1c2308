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
//! Cost: linear in the number of ops.

use melior::{
    Error,
    ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Values},
    view::op_name,
};

use crate::{
    bridge::PassError,
    other_elements::{element_of, lanes_of},
    vectors,
    walk::operations,
};

/// The bits of a register.
const REGISTER: u64 = 512;

/// How many registers of that size there are where vectors are packed in one.
const REGISTERS: i64 = 32;

/// Runs the pass on a module, for a CPU with so many vectors of 512 bits in registers.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>, registers: i64) -> Result<(), PassError<'c>> {
    if registers < REGISTERS {
        return Ok(());
    }
    for op in operations(module) {
        if op_name(op) == "vector.compressstore" {
            rewrite(op)?;
        }
    }
    Ok(())
}

fn rewrite<'c>(store: OperationRef<'c, '_>) -> Result<(), Error> {
    let operands: Vec<Value> = store.operands().collect();
    let (Some(builder), [memory, index @ .., mask, lanes]) =
        (Builder::before(store), operands.as_slice())
    else {
        return Ok(());
    };
    let element = element_of(lanes.r#type());
    let (Some(bits), Some(count)) = (bits(element), lanes_of(lanes.r#type())) else {
        return Ok(());
    };
    let part = count.min(REGISTER / bits);
    let mut index = index.to_vec();
    for first in (0..count).step_by(part as usize) {
        let mask = slice(&builder, *mask, first, part, count)?;
        let lanes = slice(&builder, *lanes, first, part, count)?;
        let packed = packed(&builder, lanes, mask)?;
        let kept = vectors::number_of(&builder, mask, part, "llvm.intr.ctpop")?;
        let first_lanes = builder.value("vector.create_mask", &[kept], mask.r#type(), &[])?;
        vectors::store(&builder, packed, *memory, &index, Some(first_lanes))?;
        if let Some(last) = index.last_mut() {
            *last = builder.arithmetic("arith.addi", &[*last, kept])?;
        }
    }
    builder.replace(store, &[]);
    Ok(())
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
    let r#type = lanes.r#type();
    let moved_as = match element_of(r#type).to_string().as_str() {
        "index" => Some(("arith.index_cast", "index", "i64")),
        "f16" => Some(("vector.bitcast", "f16", "i16")),
        _ => None,
    };
    if let Some((cast, element, integer)) = moved_as {
        let integers = builder.r#type(&r#type.to_string().replace(element, integer))?;
        let lanes = builder.value(cast, &[lanes], integers, &[])?;
        let packed = packed(builder, lanes, mask)?;
        return builder.value(cast, &[packed], r#type, &[]);
    }
    let rest = builder.value("ub.poison", &[], r#type, &[])?;
    let intrinsic = builder.string("llvm.experimental.vector.compress");
    let operands: Values = vec![lanes, mask, rest];
    let attributes = [
        ("intrin", intrinsic),
        ("operandSegmentSizes", builder.segments(&[3, 0])),
        ("op_bundle_sizes", builder.attribute("array<i32>")?),
    ];
    builder.value("llvm.call_intrinsic", &operands, r#type, &attributes)
}
