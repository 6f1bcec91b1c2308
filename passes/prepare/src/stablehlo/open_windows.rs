//! `stablehlo.dynamic_reduce_window`, a call that has the sizes of windows and their padding as operands, as
//! `jax.export` writes it of `jnp.cumsum` and its like along a symbolic dimension.
//!
//! Numbers that are constants are read; of the others, windows as long as their dimension that grow by an element from
//! place to place are known, which is checked when the program runs.

use comb_kit::pass_error::PassError;
use melior::ir::{
    OperationRef, Value,
    attribute::{ArrayAttribute, FlatSymbolRefAttribute},
    operation::OperationLike,
};
use soac_dialect::{
    builder::{Builder, Predicate, Values},
    text::reference_bytes,
};

use super::{
    Scope,
    body::Body,
    constants::partly_known,
    control::target,
    element::{self, Kind},
    gathers::index,
    open_shapes::{check, number_of},
    reduce::Reduction,
    unsupported,
    windows::{Growth, Window, reduced_over, scanned},
};

/// Where operands stand behind the arrays and initial values.
const SIZES: usize = 0;
const STRIDES: usize = 1;
const DILATIONS: [usize; 2] = [2, 3];
const PADDING: usize = 4;
const COUNT: usize = 5;

/// Why other windows are refused.
const OTHER: &str = "has windows that are computed and do not grow by an element from place to place, which are not supported";

/// Whether an op is such a call.
pub(super) fn is_reduce_window(op: OperationRef) -> bool {
    target(op) == Some("stablehlo.dynamic_reduce_window")
}

/// What is known of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dimension {
    size: Option<i64>,
    low: Option<i64>,
    high: Option<i64>,
}

/// The values of the call.
pub(super) fn reduce_window<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    scope: &Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let arrays = 2 * op.result_count();
    if arrays == 0 || operands.len() != arrays + COUNT {
        return Err(unsupported(
            op,
            "needs arrays, initial values, and five arrays of numbers",
        ));
    }
    let function = function(op).ok_or_else(|| unsupported(op, "needs a function that it calls"))?;
    let body = Body::of_function(op, function, builder, scope)?;
    let reduction = Reduction::by(op, builder, &operands[..arrays], body)?;
    let dimensions = dimensions(op, arrays)?;
    if let Some(windows) = dimensions
        .iter()
        .map(Dimension::window)
        .collect::<Option<Vec<_>>>()
    {
        return reduced_over(op, builder, reduction, &windows);
    }
    let (axis, growth) = growing(&dimensions).ok_or_else(|| unsupported(op, OTHER))?;
    check_growth(op, builder, operands, (axis, growth))?;
    let array = element::open_operand(op, 0)?;
    let Reduction {
        inputs,
        initial,
        body,
    } = reduction;
    scanned(builder, inputs, &initial, &body, (&array, axis, growth))
}

/// The function that combines elements.
fn function<'c>(op: OperationRef<'c, '_>) -> Option<&'c [u8]> {
    let called = op.attribute("called_computations").ok()?;
    let name = ArrayAttribute::try_from(called).ok()?.element(0).ok()?;
    Some(reference_bytes(
        FlatSymbolRefAttribute::try_from(name).ok()?,
    ))
}

/// What is known of each dimension, where windows have no gaps and are at each element.
fn dimensions<'c>(op: OperationRef<'c, '_>, first: usize) -> Result<Vec<Dimension>, PassError<'c>> {
    let rank = element::open_operand(op, 0)?.rank();
    let list = |operand: usize, count: usize| {
        let known = partly_known(op.operand(first + operand)?);
        let known = known.filter(|known| known.len() == count);
        known.ok_or_else(|| unsupported(op, "needs numbers for each dimension"))
    };
    for operand in [STRIDES, DILATIONS[0], DILATIONS[1]] {
        if list(operand, rank)?.iter().any(|&number| number != Some(1)) {
            return Err(unsupported(op, OTHER));
        }
    }
    let (sizes, padding) = (list(SIZES, rank)?, list(PADDING, 2 * rank)?);
    let each = sizes.into_iter().zip(padding.chunks(2));
    Ok(each
        .map(|(size, padding)| Dimension {
            size,
            low: padding[0],
            high: padding[1],
        })
        .collect())
}

impl Dimension {
    fn window(&self) -> Option<Window> {
        Window::known(self.size?, (self.low?, self.high?))
    }

    fn is_trivial(&self) -> bool {
        (self.size, self.low, self.high) == (Some(1), Some(0), Some(0))
    }
}

/// The only dimension along which windows may grow, and how.
fn growing(dimensions: &[Dimension]) -> Option<(usize, Growth)> {
    let lengthy = dimensions
        .iter()
        .enumerate()
        .filter(|(_, own)| !own.is_trivial());
    let [(axis, own)] = lengthy.collect::<Vec<_>>()[..] else {
        return None;
    };
    match (own.low, own.high) {
        (None, Some(0)) => Some((axis, Growth::FromStart)),
        (Some(0), None) => Some((axis, Growth::ToEnd)),
        _ => None,
    }
}

/// Checks that windows are as long as the dimension, and the padding an element shorter.
fn check_growth<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    (axis, growth): (usize, Growth),
) -> Result<(), PassError<'c>> {
    let arrays = 2 * op.result_count();
    let rank = element::open_operand(op, 0)?.rank();
    let length = number_of(op, builder, (arrays, operands[arrays]), (axis, rank))?;
    let size = builder.size_value(builder.size(operands[0], axis)?)?;
    let is_whole = builder.compare(Predicate::Eq, length, size)?;
    let side = match growth {
        Growth::FromStart => 0,
        Growth::ToEnd => 1,
    };
    let place = [builder.index(axis as i64)?, builder.index(side)?];
    let padding = builder.extract(operands[arrays + PADDING], &place)?;
    let form = element::operand(op, arrays + PADDING)?;
    let padding = index(builder, padding, form.element.kind == Kind::Unsigned)?;
    let shorter = builder.arithmetic("arith.subi", &[size, builder.index(1)?])?;
    let grows = builder.compare(Predicate::Eq, padding, shorter)?;
    let holds = builder.arithmetic("arith.andi", &[is_whole, grows])?;
    check(op, builder, holds, OTHER)
}
