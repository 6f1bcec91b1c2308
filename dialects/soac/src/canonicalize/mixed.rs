//! Constants among the values of mixed lists move into the list, so that the
//! result types say them; casts to types that say less are looked through, for
//! the same reason.

use melior::ir::{Value, ValueLike, r#type::RankedTensorType};

use super::rewrite::{Rewrite, entries};
use crate::{
    builder::{Size, mixed_list},
    cast::{Parts, cast},
    description::static_sizes,
    view::{DYNAMIC, definition, integer_constant, mixed_lists, op_name},
};

/// `[%c4]` becomes `[4]`.
pub(super) fn constants(rewrite: &Rewrite) -> Option<()> {
    let mut groups = rewrite.groups();
    let mut changed = vec![];
    for &(attribute, group) in mixed_lists(rewrite.view.name) {
        let list = entries(&rewrite.view, attribute, group);
        let known: Vec<Size> = list.iter().map(known).collect();
        if known != list {
            let (constants, values) = mixed_list(&known);
            groups[group] = values;
            changed.push((attribute, rewrite.integers(&constants)));
        }
    }
    if changed.is_empty() {
        return None;
    }
    rewrite.rebuild(&groups, changed)
}

fn known<'c, 'a>(entry: &Size<'c, 'a>) -> Size<'c, 'a> {
    match *entry {
        Size::Dynamic(value) => integer_constant(value)
            .filter(|&constant| constant != DYNAMIC)
            .map_or(*entry, Size::Static),
        Size::Static(_) => *entry,
    }
}

/// An operand that a `tensor.cast` made less precise is taken as it was.
pub(super) fn casts(rewrite: &Rewrite) -> Option<()> {
    let mut groups = rewrite.groups();
    let mut changed = false;
    for operand in groups.iter_mut().flatten() {
        if let Some(source) = more_precise(*operand) {
            *operand = source;
            changed = true;
        }
    }
    changed.then(|| rewrite.rebuild(&groups, vec![]))?
}

/// What a cast that forgets sizes was given.
fn more_precise<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let op = definition(value)?;
    if op_name(op) != "tensor.cast" {
        return None;
    }
    let source = op.operand_at(0)?;
    let (precise, less_precise) = (
        cast::<RankedTensorType>(source.r#type())?,
        cast::<RankedTensorType>(value.r#type())?,
    );
    let forgets = static_sizes(&precise)
        .iter()
        .zip(static_sizes(&less_precise))
        .all(|(precise, less_precise)| precise.is_some() || less_precise.is_none());
    forgets.then_some(source)
}
