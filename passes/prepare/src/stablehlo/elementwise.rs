//! Elementwise ops on whole arrays: maps.

use melior::ir::{OperationRef, Value};
use soac_dialect::builder::{Builder, Values};

use super::{element, scalar, unsupported};
use comb_kit::pass_error::PassError;

/// What an operand gives the elements.
#[derive(Clone, Copy)]
enum Given<'c, 'a> {
    /// One value to all.
    Number(Value<'c, 'a>),
    /// Each its own.
    Array,
}

/// A map of the op on scalars. Operands without dimensions give all elements the same.
pub(super) fn convert<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let scalar = scalar::decide(op)?;
    let rank = element::open_result(op, 0)?.rank();
    let mut given = vec![];
    for (index, &operand) in operands.iter().enumerate() {
        let own = element::open_operand(op, index)?.rank();
        given.push(match own == rank {
            true => Given::Array,
            false if own == 0 => Given::Number(builder.extract(operand, &[])?),
            false => return Err(unsupported(op, "has operands of several shapes")),
        });
    }
    let arrays: Vec<_> = operands
        .iter()
        .zip(&given)
        .filter(|(_, given)| matches!(given, Given::Array))
        .map(|(&operand, _)| operand)
        .collect();
    Ok(builder.map(&arrays, |builder, elements| {
        let mut elements = elements.iter();
        let values: Vec<_> = given
            .iter()
            .filter_map(|given| match given {
                Given::Number(value) => Some(*value),
                Given::Array => elements.next().copied(),
            })
            .collect();
        Ok(vec![scalar.build(builder, &values)?])
    })?)
}
