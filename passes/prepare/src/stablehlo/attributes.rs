//! Reading the attributes of StableHLO's ops.
//!
//! Those of the dialect's own kinds, such as `#stablehlo<comparison_direction GT>`, are read from
//! their text: then it does not matter whether the dialect is registered.

use melior::ir::{
    OperationRef,
    attribute::{DenseI64ArrayAttribute, IntegerAttribute},
    operation::OperationLike,
};

use super::unsupported;
use comb_kit::pass_error::PassError;

/// A list of numbers that the op has to have.
pub(super) fn integers<'c>(
    op: OperationRef<'c, '_>,
    name: &str,
) -> Result<Vec<i64>, PassError<'c>> {
    let attribute = op.attribute(name).ok();
    let list = attribute.and_then(|attribute| DenseI64ArrayAttribute::try_from(attribute).ok());
    let list = list.ok_or_else(|| missing(op, name, "array<i64: …>"))?;
    (0..list.len())
        .map(|index| Ok(list.element(index)?))
        .collect()
}

/// A number that the op has to have.
pub(super) fn integer<'c>(op: OperationRef<'c, '_>, name: &str) -> Result<i64, PassError<'c>> {
    let attribute = op.attribute(name).ok();
    let number = attribute.and_then(|attribute| IntegerAttribute::try_from(attribute).ok());
    let number = number.ok_or_else(|| missing(op, name, "an integer"))?;
    Ok(number.value())
}

/// The case of an enumeration, such as `GT`; none if the op does not have the attribute.
pub(super) fn case(op: OperationRef, name: &str) -> Option<String> {
    let text = op.attribute(name).ok()?.to_string();
    let text = text.trim_end_matches('>');
    Some(text.rsplit([' ', '<']).next()?.to_owned())
}

/// A list in an attribute with several fields, such as `lhs_batching_dimensions = [0]`; empty if
/// it does not have the field.
fn list_in(op: OperationRef, name: &str, field: &str) -> Option<Vec<i64>> {
    let text = op.attribute(name).ok()?.to_string();
    let Some((_, rest)) = text.split_once(&format!("{field} = [")) else {
        return Some(vec![]);
    };
    let (list, _) = rest.split_once(']')?;
    list.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(|item| item.parse().ok())
        .collect()
}

/// Dimensions of an array of some rank, in an attribute with several fields.
pub(super) fn dimensions_in<'c>(
    op: OperationRef<'c, '_>,
    name: &str,
    field: &str,
    rank: usize,
) -> Result<Vec<usize>, PassError<'c>> {
    let axes = list_in(op, name, field).and_then(|list| {
        let axes = list.into_iter().map(|axis| usize::try_from(axis).ok());
        axes.collect::<Option<Vec<usize>>>()
    });
    let axes = axes.filter(|axes| axes.iter().all(|&axis| axis < rank));
    axes.ok_or_else(|| missing(op, name, &format!("with dimensions as {field}")))
}

/// A number in an attribute with several fields, such as `index_vector_dim = 1`.
pub(super) fn number_in(op: OperationRef, name: &str, field: &str) -> Option<usize> {
    let text = op.attribute(name).ok()?.to_string();
    let (_, rest) = text.split_once(&format!("{field} = "))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The error for an attribute that is missing, or of another kind.
pub(super) fn missing<'c>(op: OperationRef<'c, '_>, name: &str, expected: &str) -> PassError<'c> {
    unsupported(op, &format!("needs the attribute '{name}', {expected}"))
}
