//! Neutral elements of scatters' operators, and the bytes of their elements.

use melior::ir::{
    OperationRef, Type, TypeLike, Value, ValueLike,
    operation::OperationLike,
    r#type::{IntegerType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::Builder,
    view::{OpView, op_name},
};

use crate::convert_to_loops::emitter::{Emitted, internal};

/// The neutral element of a combining op.
#[derive(Clone, Copy)]
enum Neutral {
    Integer(i64),
    Least,
    Greatest,
    Float(f64),
}

fn neutral_of(op: OperationRef) -> Option<Neutral> {
    Some(match op_name(op) {
        "arith.addi" | "arith.ori" | "arith.xori" | "arith.maxui" => Neutral::Integer(0),
        "arith.muli" => Neutral::Integer(1),
        "arith.andi" | "arith.minui" => Neutral::Integer(-1),
        "arith.maxsi" => Neutral::Least,
        "arith.minsi" => Neutral::Greatest,
        "arith.addf" => Neutral::Float(-0.0),
        "arith.mulf" => Neutral::Float(1.0),
        "arith.maximumf" => Neutral::Float(f64::NEG_INFINITY),
        "arith.minimumf" => Neutral::Float(f64::INFINITY),
        _ => return None,
    })
}

/// The neutral element of a combining op, as a value.
pub(in crate::convert_to_loops) fn neutral<'c, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let r#type = op.result(0)?.r#type();
    let bits = IntegerType::try_from(r#type).map_or(64, |integer| integer.width());
    let least = i64::MIN >> (64 - bits.clamp(1, 64));
    Ok(match neutral_of(op) {
        Some(Neutral::Integer(value)) => builder.integer(value, r#type)?,
        Some(Neutral::Least) => builder.integer(least, r#type)?,
        Some(Neutral::Greatest) => builder.integer(!least, r#type)?,
        Some(Neutral::Float(value)) => builder.float(value, r#type)?,
        None => return Err(internal(op.location(), "no neutral element is known")),
    })
}

/// The bytes of an element of each result.
pub(in crate::convert_to_loops) fn bytes_of_places(view: &OpView) -> i64 {
    let bytes = |r#type: &Type| {
        let element = RankedTensorType::try_from(*r#type).map_or(*r#type, |array| array.element());
        bytes_of(element)
    };
    view.result_types.iter().map(bytes).sum()
}

/// The bytes that an element takes in memory.
pub(in crate::convert_to_loops) fn bytes_of(element: Type) -> i64 {
    match IntegerType::try_from(element) {
        Ok(integer) => i64::from(integer.width().next_power_of_two().max(8)) / 8,
        Err(_) if element.is_f16() || element.is_bf16() => 2,
        Err(_) if element.is_f32() => 4,
        Err(_) => 8,
    }
}
