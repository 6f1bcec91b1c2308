//! Checks of what is known.

use super::rewrite::Rewrite;
use crate::view::integer_constant;

/// A check of what is true does nothing.
pub(super) fn that_holds(rewrite: &Rewrite) -> Option<()> {
    let condition = *rewrite.view.operands.first()?;
    (integer_constant(condition)? != 0).then(|| rewrite.replace(&[]))
}
