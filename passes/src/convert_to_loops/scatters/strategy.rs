//! The ways in which a scatter can share its elements out to threads, which of them
//! its operator allows, and which the user asks for.
//!
//! The attribute `soac.scatter = "name"` of a scatter names one. The bits of the
//! result are the same with all that an operator allows, except that a privatised
//! floating-point sum, which has to say that it may be reassociated, is rounded
//! otherwise.

use melior::ir::{
    BlockLike, OperationRef, Type, TypeLike, Value, ValueLike,
    attribute::StringAttribute,
    operation::OperationLike,
    r#type::{IntegerType, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    attributes::SCATTER,
    builder::Builder,
    text::string_bytes,
    view::{OpView, definition, op_name},
};

use crate::{
    convert_to_loops::emitter::{Emitted, internal},
    fuse::reordering::is_order_free,
    pass_error::PassError,
    walk::operations,
};

/// How the elements of a scatter get to their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::convert_to_loops) enum Strategy {
    /// One thread, in order.
    Sequential,
    /// Threads combine elements with what is there in one step that no other thread
    /// comes between.
    Atomic,
    /// Every chunk combines its elements in a table of its own; tables are combined in
    /// the order of the chunks.
    Privatised,
    /// Elements are put in order of the part of the destination that they go to;
    /// then threads take parts.
    Partitioned,
}

const NAMES: [(&str, Strategy); 4] = [
    ("sequential", Strategy::Sequential),
    ("atomic", Strategy::Atomic),
    ("privatised", Strategy::Privatised),
    ("partitioned", Strategy::Partitioned),
];

/// Checks the attributes of all scatters.
///
/// # Errors
///
/// If one names no strategy, or one that the scatter's operator does not allow.
pub(in crate::convert_to_loops) fn check_attributes<'c>(
    module: OperationRef<'c, '_>,
) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        if op_name(op) == "soac.scatter" {
            asked_for(op)?;
        }
    }
    Ok(())
}

/// The strategy that the user asks for.
///
/// # Errors
///
/// As for [`check_attributes`].
pub(in crate::convert_to_loops) fn asked_for<'c: 'a, 'a>(
    scatter: OperationRef<'c, 'a>,
) -> Result<Option<Strategy>, PassError<'c>> {
    let Ok(value) = scatter.attribute(SCATTER) else {
        return Ok(None);
    };
    let refused = |message: String| PassError::Unsupported {
        location: scatter.location(),
        message,
    };
    let known = StringAttribute::try_from(value).ok().and_then(|name| {
        NAMES
            .into_iter()
            .find(|(known, _)| known.as_bytes() == string_bytes(name))
    });
    let Some((name, strategy)) = known else {
        let names = NAMES.map(|(name, _)| format!("\"{name}\"")).join(", ");
        return Err(refused(format!(
            "'{SCATTER}' has to be one of {names}, and not {value}"
        )));
    };
    match objection(scatter, strategy) {
        None => Ok(Some(strategy)),
        Some(reason) => Err(refused(format!(
            "'soac.scatter' op cannot be {name}: {reason}"
        ))),
    }
}

/// Whether a scatter's operator allows a strategy.
pub(in crate::convert_to_loops) fn allows<'c: 'a, 'a>(
    scatter: OperationRef<'c, 'a>,
    strategy: Strategy,
) -> bool {
    objection(scatter, strategy).is_none()
}

/// Why a scatter's operator does not allow a strategy, and what can be done.
fn objection<'c: 'a, 'a>(scatter: OperationRef<'c, 'a>, strategy: Strategy) -> Option<String> {
    const ANY: &str = "\"partitioned\" and \"sequential\" do for every function";
    if matches!(strategy, Strategy::Sequential | Strategy::Partitioned) {
        return None;
    }
    let view = OpView::of(scatter);
    let Some(combining) = combining_ops(&view) else {
        return Some(format!(
            "it does not combine each element with the one that is there by a single op that is \
             commutative and has a neutral element; {ANY}"
        ));
    };
    let may_be_rounded = strategy == Strategy::Privatised && reassociates(&combining);
    if !is_order_free(scatter) && !may_be_rounded {
        return Some(match strategy {
            Strategy::Privatised => format!(
                "its result depends on the order in which elements are combined; {ANY}, and \
                 floating-point sums and products may be privatised if they say `fastmath<reassoc>`"
            ),
            _ => format!("its result depends on the order in which elements are combined; {ANY}"),
        });
    }
    let without = |op: &&OperationRef<'c, 'a>| atomic_kind(**op).is_none();
    let odd = combining
        .iter()
        .find(without)
        .filter(|_| strategy == Strategy::Atomic)?;
    Some(format!(
        "there are no atomic updates by '{}' of elements of type {}, only sums, extrema, and, or and \
         xor of integers of 8, 16, 32 or 64 bits; \"privatised\" does for small destinations, \
         \"partitioned\" for large ones",
        op_name(*odd),
        odd.result(0)
            .map(|result| result.r#type().to_string())
            .unwrap_or_default(),
    ))
}

/// The op that combines the old and the new element, for each result; nothing if
/// there is more to it.
pub(in crate::convert_to_loops) fn combining_ops<'c, 'a>(
    view: &OpView<'c, 'a>,
) -> Option<Vec<OperationRef<'c, 'a>>> {
    let (block, yielded) = (view.block()?, view.yielded()?);
    let count = yielded.len();
    let argument = |number: usize| block.argument(number).ok().map(Value::from);
    yielded
        .into_iter()
        .enumerate()
        .map(|(number, value)| {
            let (old, new) = (argument(number)?, argument(count + number)?);
            let op = definition(value)?;
            let operands: Vec<Value> = op.operands().collect();
            let combines = operands == [old, new] || operands == [new, old];
            (combines && neutral_of(op).is_some()).then_some(op)
        })
        .collect()
}

/// Whether ops may be reassociated though they round.
fn reassociates(ops: &[OperationRef]) -> bool {
    ops.iter().all(|op| {
        let flags = op.attribute("fastmath").map(|flags| flags.to_string());
        let may = flags.is_ok_and(|flags| flags.contains("reassoc") || flags.contains("fast>"));
        may || !matches!(op_name(*op), "arith.addf" | "arith.mulf")
    })
}

fn has_atomics(element: Type) -> bool {
    IntegerType::try_from(element).is_ok_and(|integer| matches!(integer.width(), 8 | 16 | 32 | 64))
}

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

/// The number by which MLIR calls an atomic update; nothing if there is none.
pub(in crate::convert_to_loops) fn atomic_kind(op: OperationRef) -> Option<i64> {
    let has_atomics = op
        .result(0)
        .is_ok_and(|result| has_atomics(result.r#type()));
    Some(match op_name(op) {
        _ if !has_atomics => return None,
        "arith.addi" => 1,
        "arith.andi" => 2,
        "arith.maxsi" => 6,
        "arith.maxui" => 7,
        "arith.minsi" => 10,
        "arith.minui" => 11,
        "arith.ori" => 14,
        "arith.xori" => 15,
        _ => return None,
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
