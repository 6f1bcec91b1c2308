//! `stablehlo.sort` and `chlo.top_k`: sorts of rows.
//!
//! The dimension that is sorted moves inside, and back. StableHLO's function takes pairs, the two
//! elements of each array, where `soac.sort` takes the elements at one place and then those at the
//! other.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::builder::{Builder, Predicate, Size, Values};

use super::{
    Scope,
    attributes::{integer, missing},
    body::Body,
    element::{self, Array, Kind},
    scalar::place_in_order,
    shapes::transposed,
    unsupported,
};
use comb_kit::pass_error::PassError;

/// `stablehlo.sort`, which is stable, asked or not.
pub(super) fn sort<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    scope: &Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let body = Body::of(op, builder, scope)?;
    if operands.is_empty() || operands.len() != op.result_count() {
        return Err(unsupported(op, "needs an array for each result"));
    }
    let body = body.with(op, 2 * operands.len(), 1)?;
    let rank = element::open_operand(op, 0)?.rank();
    // Negative ones count from the end.
    let given = match op.has_attribute("dimension") {
        true => integer(op, "dimension")?,
        false => -1,
    };
    let along = if given < 0 {
        given + rank as i64
    } else {
        given
    };
    let along = usize::try_from(along).ok().filter(|&along| along < rank);
    let along = along.ok_or_else(|| missing(op, "dimension", "one of the operands'"))?;
    let mut order: Vec<usize> = (0..rank).collect();
    // Swapping two dimensions twice changes nothing.
    order.swap(along, rank - 1);
    let rows = transposed(builder, operands, &order)?;
    let sorted = builder.sort(&rows, |builder, elements| {
        let (first, second) = elements.split_at(operands.len());
        let pairs = first.iter().zip(second);
        let pairs: Values = pairs
            .flat_map(|(&first, &second)| [first, second])
            .collect();
        body.build(builder, &pairs)
    })?;
    Ok(transposed(builder, &sorted, &order)?)
}

/// `chlo.top_k`: the first of the elements and their places, sorted from the greatest down, in
/// the total order of floating-point numbers: NaNs are at its ends, and −0 is less than +0.
pub(super) fn top_k<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let array = element::operand(op, 0)?;
    let places = element::result(op, 1)?;
    let count = integer(op, "k")?;
    let Some(&size) = array.sizes.last() else {
        return Err(unsupported(op, "needs an array with dimensions"));
    };
    if count < 0 || count as u64 > size {
        return Err(missing(op, "k", "at most the size of the last dimension"));
    }
    let extents = array.extents();
    let last = array.rank() - 1;
    let numbers = builder.iota(&extents, last, places.element.r#type)?;
    let sorted = builder.sort(&[operands[0], numbers], |builder, elements| {
        Ok(vec![is_greater(
            builder,
            &array,
            [elements[0], elements[2]],
        )?])
    })?;
    let mut counts = extents;
    counts[last] = Size::Static(count);
    Ok(builder.take(&sorted, &counts)?)
}

/// Whether an element is greater than another one, in a total order of floating-point numbers.
fn is_greater<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: &Array<'c>,
    [left, right]: [Value<'c, 'a>; 2],
) -> Result<Value<'c, 'a>, melior::Error> {
    match array.element.kind {
        Kind::Float => {
            let width = array.element.bits;
            let [left, right] = [
                place_in_order(builder, left, width)?,
                place_in_order(builder, right, width)?,
            ];
            builder.compare(Predicate::Sgt, left, right)
        }
        Kind::Signed => builder.compare(Predicate::Sgt, left, right),
        Kind::Unsigned | Kind::Bool => builder.compare(Predicate::Ugt, left, right),
    }
}
