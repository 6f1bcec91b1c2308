//! Loads and stores vectors of `i1` as bytes.
//!
//! An array of `i1` has a byte for each element, which is 0 or 1. Upstream's lowering
//! takes a vector of `i1` in memory for a row of bits, as LLVM has it. Here what reads or
//! writes memory is made to see `i8`: a lane is true if its byte is not 0.
//!
//! The view of the memory is a cast that lowerings to the LLVM dialect leave nothing of,
//! so this runs next to them.
//!
//! Cost: linear in the number of ops.

use comb_kit::{
    other_elements::{seen_as, vector_of},
    pass_error::PassError,
    walk::operations,
};
use melior::{
    Error,
    ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Predicate, Values},
    view::op_name,
};

/// Which operand of an op is a vector that is in memory, or would be.
#[derive(Clone, Copy)]
enum Elements {
    None,
    First,
    Last,
}

/// Ops on vectors in memory. The memory is the first operand that is any.
const OPS: &[(&str, Elements)] = &[
    ("vector.load", Elements::None),
    ("vector.store", Elements::First),
    ("vector.maskedload", Elements::Last),
    ("vector.maskedstore", Elements::Last),
    ("vector.compressstore", Elements::Last),
    ("vector.gather", Elements::Last),
];

/// Rewrites the loads and stores of a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        let known = OPS.iter().find(|(name, _)| *name == op_name(op));
        if let Some(&(_, elements)) = known {
            expand(op, elements)?;
        }
    }
    Ok(())
}

fn expand<'c>(op: OperationRef<'c, '_>, elements: Elements) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let mut operands: Vec<Value> = op.operands().collect();
    let memory = operands.iter().enumerate().find_map(|(position, operand)| {
        let memory = seen_as(
            operand.r#type(),
            builder.integer_type(1),
            builder.integer_type(8),
        )?;
        Some((position, memory))
    });
    let Some((position, r#type)) = memory else {
        return Ok(());
    };
    operands[position] = builder.value(
        "builtin.unrealized_conversion_cast",
        &[operands[position]],
        r#type,
        &[],
    )?;
    let values = match elements {
        Elements::None => None,
        Elements::First => operands.first_mut(),
        Elements::Last => operands.last_mut(),
    };
    if let Some(values) = values {
        let wide = of_bytes(&builder, values.r#type())?;
        *values = builder.value("arith.extui", &[*values], wide, &[])?;
    }
    let results: Vec<Type> = op.results().map(|result| result.r#type()).collect();
    let wide_results = results
        .iter()
        .map(|&result| of_bytes(&builder, result))
        .collect::<Result<Vec<Type>, _>>()?;
    let wide = builder.op_like(op, &operands, &wide_results, vec![])?;
    let truths = wide
        .results()
        .zip(results)
        .map(|(lanes, truth)| is_true(&builder, lanes.into(), truth))
        .collect::<Result<Values, _>>()?;
    builder.replace(op, &truths);
    Ok(())
}

/// The type of a vector of bytes, by that of a vector of `i1`.
fn of_bytes<'c>(builder: &Builder<'c, '_>, r#type: Type<'c>) -> Result<Type<'c>, Error> {
    let (truth, byte) = (builder.integer_type(1), builder.integer_type(8));
    Ok(vector_of(builder, r#type, truth, byte)?.unwrap_or(r#type))
}

/// In which lanes a byte is not 0.
fn is_true<'c, 'a>(
    builder: &Builder<'c, 'a>,
    lanes: Value<'c, 'a>,
    truth: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let zeros = builder.attribute(&format!("dense<0> : {}", lanes.r#type()))?;
    let zeros = builder.value("arith.constant", &[], lanes.r#type(), &[("value", zeros)])?;
    let predicate = builder.number(Predicate::Ne as i64);
    builder.value(
        "arith.cmpi",
        &[lanes, zeros],
        truth,
        &[("predicate", predicate)],
    )
}
