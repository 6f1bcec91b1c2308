//! Concatenation of empty arrays, and of concatenations.

use super::rewrite::{Rewrite, has_one_use, producer, requirements_hold};
use crate::{builder::Values, extent::Extent};

/// Arrays without elements add nothing, if the other dimensions are known to
/// agree; one array remains.
pub(super) fn without_empty(rewrite: &Rewrite) -> Option<()> {
    let dim = usize::try_from(rewrite.view.integer("dim")?).ok()?;
    let inputs = rewrite.group(0);
    let is_empty = |input: usize| {
        let sizes = rewrite.view.sizes(input);
        sizes.get(dim).and_then(Extent::as_constant) == Some(0)
    };
    let mut kept: Values = (0..inputs.len())
        .filter(|&input| !is_empty(input))
        .map(|input| inputs[input])
        .collect();
    if kept.is_empty() {
        kept.push(inputs[0]);
    }
    if kept.len() == inputs.len() || !requirements_hold(&rewrite.view) {
        return None;
    }
    rewrite.rebuild(&[kept], vec![])
}

/// A concatenation along the same dimension that is used nowhere else is taken
/// apart.
pub(super) fn of_concat(rewrite: &Rewrite) -> Option<()> {
    let dim = rewrite.view.integer("dim")?;
    let inputs = rewrite.group(0);
    let flat: Vec<Values> = inputs
        .iter()
        .map(|&input| match producer(input, "concat") {
            Some(inner) if inner.view.integer("dim") == Some(dim) && has_one_use(input) => {
                inner.view.operands
            }
            _ => vec![input],
        })
        .collect();
    let flat = flat.concat();
    if flat.len() == inputs.len() {
        return None;
    }
    rewrite.rebuild(&[flat], vec![])
}
