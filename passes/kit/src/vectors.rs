//! Vectors in memory, all of their lanes or those of a mask; and what LLVM has built in for them.

use melior::{
    Error,
    ir::{Type, TypeLike, Value, ValueLike, r#type::MemRefType, r#type::ShapedTypeLike},
};
use soac_dialect::{builder::Builder, view::vector_lanes};

/// The attribute of a `vector.compressstore` behind which there is room for all lanes, kept or
/// not: it may write what it likes there.
pub const HAS_ROOM: &str = "comb.has_room";

/// Zero, of any type of elements.
///
/// # Errors
///
/// If MLIR rejects the constant.
pub fn zero<'c, 'a>(builder: &Builder<'c, 'a>, element: Type<'c>) -> Result<Value<'c, 'a>, Error> {
    match element.is_float() {
        true => builder.float(0.0, element),
        false => builder.integer(0, element),
    }
}

/// The vector of so many lanes that begins at an index. Lanes outside a mask are zero.
///
/// # Errors
///
/// If there is no memory, or MLIR rejects the op.
pub fn load<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    lanes: u64,
    mask: Option<Value<'c, 'a>>,
) -> Result<Value<'c, 'a>, Error> {
    let element = MemRefType::try_from(memory.r#type())?.element();
    let r#type = builder.vector_type(lanes, element);
    let Some(mask) = mask else {
        let operands = [&[memory], index].concat();
        return builder.value("vector.load", &operands, r#type, &[]);
    };
    let other = builder.broadcast(zero(builder, element)?, lanes)?;
    let operands = [&[memory], index, &[mask, other]].concat();
    builder.value("vector.maskedload", &operands, r#type, &[])
}

/// Writes a vector from an index on, or the lanes in a mask.
///
/// # Errors
///
/// If MLIR rejects the op.
pub fn store<'c, 'a>(
    builder: &Builder<'c, 'a>,
    vector: Value<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    mask: Option<Value<'c, 'a>>,
) -> Result<(), Error> {
    let (name, operands) = match mask {
        None => ("vector.store", [&[vector, memory], index].concat()),
        Some(mask) => (
            "vector.maskedstore",
            [&[memory], index, &[mask, vector]].concat(),
        ),
    };
    builder.op(name, &operands, &[], &[], vec![])?;
    Ok(())
}

/// Two vectors of as many lanes, one behind the other.
///
/// # Errors
///
/// If MLIR rejects the op.
pub fn joined<'c, 'a>(
    builder: &Builder<'c, 'a>,
    low: Value<'c, 'a>,
    high: Value<'c, 'a>,
    element: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let lanes = vector_lanes(low.r#type()).unwrap_or(1) as i64;
    let positions: Vec<i64> = (0..2 * lanes).collect();
    builder.shuffle(low, high, &positions, element)
}

/// How many of so many lanes a mask chooses, as an index. The op that counts bits is that of the
/// `math` dialect, or LLVM's where the former is lowered already.
///
/// # Errors
///
/// If MLIR rejects an op.
pub fn number_of<'c, 'a>(
    builder: &Builder<'c, 'a>,
    mask: Value<'c, 'a>,
    lanes: u64,
    count_op: &str,
) -> Result<Value<'c, 'a>, Error> {
    let bits = bits_of(builder, mask, lanes)?;
    count_bits(builder, bits, count_op)
}

/// A mask of so many lanes as a number of as many bits.
///
/// # Errors
///
/// If MLIR rejects an op.
pub fn bits_of<'c, 'a>(
    builder: &Builder<'c, 'a>,
    mask: Value<'c, 'a>,
    lanes: u64,
) -> Result<Value<'c, 'a>, Error> {
    let word = builder.integer_type(lanes as u32);
    let row = builder.vector_type(1, word);
    let bits = builder.value("vector.bitcast", &[mask], row, &[])?;
    builder.lane(bits, 0, word)
}

/// How many bits of a number are 1, as an index.
///
/// # Errors
///
/// If MLIR rejects an op.
pub fn count_bits<'c, 'a>(
    builder: &Builder<'c, 'a>,
    bits: Value<'c, 'a>,
    count_op: &str,
) -> Result<Value<'c, 'a>, Error> {
    let number = builder.value(count_op, &[bits], bits.r#type(), &[])?;
    builder.value("arith.index_castui", &[number], builder.index_type(), &[])
}

/// Calls a function that LLVM has built in.
///
/// # Errors
///
/// If MLIR rejects the op.
pub fn call<'c, 'a>(
    builder: &Builder<'c, 'a>,
    intrinsic: &str,
    operands: &[Value<'c, 'a>],
    result: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let attributes = [
        ("intrin", builder.string(intrinsic)),
        (
            "operandSegmentSizes",
            builder.segments(&[operands.len() as i32, 0]),
        ),
        ("op_bundle_sizes", builder.attribute("array<i32>")?),
    ];
    builder.value("llvm.call_intrinsic", operands, result, &attributes)
}
