//! Slices of an array that a loop carries and maps to its next state: they are copied first, so that the map can
//! update the array in place.
//!
//! ```text
//! for k carry(d)                                for k carry(d)
//!   yield map(d[i, j], d[i, k] + d[k, j])         row, column = copies of d[k, _] and d[_, k]
//!                                                 yield map(d[i, j], column[i] + row[j])
//! ```
//!
//! The map reads each element of the array where it writes one, but those of the slices elsewhere, too. So it could
//! not write where it reads, and there would be two arrays, of which each iteration reads one and writes the other.
//! Slices have a dimension less, and are a small part of that.
//!
//! Only where all other uses of what is carried are such slices: else there are two arrays in any case.
//!
//! Cost: linear in the uses of what loops carry.

use comb_kit::{
    pass_error::PassError,
    switches::Switches,
    target::rank_of,
    transformations::Transformation,
    walk::{first_block, operations},
};
use melior::ir::{BlockLike, OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    cast::{Arguments, Parts},
    view::{OpView, definition, is_in_cluster, op_name, uses},
};

/// Copies the slices of what the loops of a module carry.
pub(super) fn rewrite<'c>(
    module: OperationRef<'c, '_>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        if op_name(op) != "scf.for" || is_in_cluster(op) {
            continue;
        }
        for position in 0..op.result_count() {
            let slices = slices(op, position).unwrap_or_default();
            if !slices.is_empty() && switches.applies(Transformation::CarriedSlices, op.location())
            {
                slices.into_iter().try_for_each(copy)?;
            }
        }
    }
    Ok(())
}

/// The slices of what a loop carries at a position, if a map updates it, and nothing else reads it.
fn slices<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    position: usize,
) -> Option<Vec<OperationRef<'c, 'a>>> {
    let body = first_block(r#loop)?;
    let carried: Value = body.argument_at(1 + position)?.into();
    let rank = rank_of(carried).ok()?;
    let map = definition(body.terminator()?.operands().nth(position)?)?;
    let mut slices = vec![];
    let mut is_mapped = false;
    for (user, _) in uses(carried) {
        match op_name(user) {
            "tensor.dim" => {}
            "tensor.extract_slice" => {
                let has_less = rank_of(user.result_at(0)?.into()).ok()? < rank;
                has_less.then(|| slices.push(user))?;
            }
            "soac.map" if user == map && OpView::of(map).integer("outer").is_none() => {
                is_mapped = true;
            }
            _ => return None,
        }
    }
    is_mapped.then_some(slices)
}

/// Has what reads a slice read a copy of it.
fn copy<'c: 'a, 'a>(slice: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::after(slice) else {
        return Ok(());
    };
    let array: Value = slice.result(0)?.into();
    let copy = builder.value("soac.force", &[array], array.r#type(), &[])?;
    builder.replace_uses(array, copy, definition(copy));
    Ok(())
}
