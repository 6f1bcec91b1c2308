//! `stablehlo.reduce`: folds.
//!
//! The specification wants of a reduction that its function and its initial values are a monoid,
//! or else leaves the result open. Programs give other initial values to functions that are
//! known, such as 1 to a sum: these have their own neutral element, and the initial value is
//! added once.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::builder::{Builder, Values};

use super::{
    Scope,
    body::Body,
    element::{self, Element, Kind},
    scalar::Scalar,
    shapes::{dimensions, transposed},
    unsupported,
};
use comb_kit::{neutral::Neutral, pass_error::PassError};

/// What is reduced, from which numbers on, by what.
pub(super) struct Reduction<'s, 'c, 'a> {
    pub(super) inputs: &'s [Value<'c, 'a>],
    pub(super) initial: Values<'c, 'a>,
    pub(super) body: Body<'c, 'a>,
}

/// A fold of the dimensions that are reduced, moved inside.
pub(super) fn reduce<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    scope: &Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let Reduction {
        inputs,
        initial,
        body,
    } = Reduction::of(op, builder, operands, scope)?;
    let array = element::open_operand(op, 0)?;
    let mut reduced = dimensions(op, "dimensions", array.rank())?;
    // Elements are reduced in the order that the array has, however its dimensions are listed.
    reduced.sort_unstable();
    if reduced.is_empty() {
        return combined(builder, &body, &initial, inputs);
    }
    let kept = (0..array.rank()).filter(|axis| !reduced.contains(axis));
    let order: Vec<usize> = kept.chain(reduced.iter().copied()).collect();
    let inputs = transposed(builder, inputs, &order)?;
    folded(
        builder,
        &inputs,
        &initial,
        &body,
        (reduced.len(), array.element),
    )
}

impl<'s, 'c: 'a, 'a> Reduction<'s, 'c, 'a> {
    /// Reads an op of as many arrays as initial values, and a region.
    pub(super) fn of(
        op: OperationRef<'c, 'a>,
        builder: &Builder<'c, 'a>,
        operands: &'s [Value<'c, 'a>],
        scope: &Scope<'c, 'a>,
    ) -> Result<Self, PassError<'c>> {
        let count = op.result_count();
        if count == 0 || operands.len() != 2 * count {
            return Err(unsupported(op, "needs an initial value for each array"));
        }
        Self::by(op, builder, operands, Body::of(op, builder, scope)?)
    }

    /// A reduction of arrays with initial values behind them, by a function.
    pub(super) fn by(
        op: OperationRef<'c, 'a>,
        builder: &Builder<'c, 'a>,
        operands: &'s [Value<'c, 'a>],
        body: Body<'c, 'a>,
    ) -> Result<Self, PassError<'c>> {
        let count = op.result_count();
        let body = body.with(op, 2 * count, count)?;
        let (inputs, initial) = operands.split_at(count);
        let initial = initial.iter().map(|&array| builder.extract(array, &[]));
        Ok(Self {
            inputs,
            initial: initial.collect::<Result<_, _>>()?,
            body,
        })
    }
}

/// A fold of the inner dimensions, with the initial values.
pub(super) fn folded<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    initial: &[Value<'c, 'a>],
    body: &Body<'c, 'a>,
    (inner, element): (usize, Element<'c>),
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let own = neutral_of(builder, body, element)?;
    let neutrals = own.map_or_else(|| initial.to_vec(), |neutral| vec![neutral]);
    let folds = builder.fold_inner(inputs, &neutrals, inner, |builder, values| {
        body.build(builder, values)
    })?;
    match own {
        Some(_) => combined(builder, body, initial, &folds),
        None => Ok(folds),
    }
}

/// The function of the initial values and each element.
pub(super) fn combined<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    body: &Body<'c, 'a>,
    initial: &[Value<'c, 'a>],
    arrays: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    Ok(builder.map(arrays, |builder, elements| {
        body.build(builder, &[initial, elements].concat())
    })?)
}

/// The neutral element of a function that is known to have one.
pub(super) fn neutral_of<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    body: &Body<'c, 'a>,
    element: Element<'c>,
) -> Result<Option<Value<'c, 'a>>, melior::Error> {
    let Some(Scalar::Op(name)) = body.single() else {
        return Ok(None);
    };
    let neutral = Neutral::of(name, element.r#type);
    let value = neutral.map(|neutral| neutral.build(builder, element.r#type));
    value.transpose()
}

/// Zero.
pub(super) fn zero<'c, 'a>(
    builder: &Builder<'c, 'a>,
    element: Element<'c>,
) -> Result<Value<'c, 'a>, melior::Error> {
    match element.kind {
        Kind::Float => builder.float(0.0, element.r#type),
        _ => builder.integer(0, element.r#type),
    }
}
