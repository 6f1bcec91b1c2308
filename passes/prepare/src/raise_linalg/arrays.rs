//! What ops of several groups need of arrays.

use melior::{Error, ir::Value};
use soac_dialect::{
    builder::{Builder, Size},
    view::OpView,
};

use super::reason::Reason;
use comb_kit::checks::elementwise::is_array;

/// Whether some operands are arrays that combinators have.
pub(super) fn require_arrays(view: &OpView, operands: &[usize]) -> Result<(), Reason> {
    for &operand in operands {
        let r#type = view.operand_type(operand);
        if !is_array(r#type) {
            let found = r#type.to_string();
            return Err(Reason::Operand { operand, found });
        }
    }
    Ok(())
}

/// Whether the results are arrays that combinators have.
pub(super) fn require_results(view: &OpView) -> Result<(), Reason> {
    match view.result_types.iter().find(|&&r#type| !is_array(r#type)) {
        Some(r#type) => Err(Reason::Result(r#type.to_string())),
        None => Ok(()),
    }
}

/// An array in another shape.
pub(super) fn reshaped<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    sizes: &[Size<'c, 'a>],
) -> Result<Value<'c, 'a>, Error> {
    Ok(builder.reshape(&[array], sizes)?[0])
}

/// An array with its dimensions in another order.
pub(super) fn transposed<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    permutation: &[i64],
) -> Result<Value<'c, 'a>, Error> {
    match permutation.is_sorted() {
        true => Ok(array),
        false => Ok(builder.transpose(&[array], permutation)?[0]),
    }
}
