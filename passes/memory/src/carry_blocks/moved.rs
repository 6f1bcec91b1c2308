//! Copies of what a loop carries, and does not need any more: as of the older of two time levels, which takes the
//! place of the newer one. Bufferization makes them, since it takes it that an array stays where it is.
//!
//! Cost: linear in the uses of what is copied, for each copy.

use melior::ir::{BlockLike, OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    cast::Parts,
    view::{definition, op_name, stands_before},
};

use super::{casts::uncast, own::Carried};
use comb_kit::walk::in_block_from;
use comb_nest::elements::names::Names;

use crate::reuse_blocks::life::{first_use, last_use};

/// A copy, the new memory that it fills, and what that can be.
pub(super) struct Moved<'c, 'a> {
    pub copy: OperationRef<'c, 'a>,
    pub new: OperationRef<'c, 'a>,
    pub old: Value<'c, 'a>,
}

/// A copy in a loop that is not needed.
pub(super) fn moved<'c: 'a, 'a>(carried: &Carried<'c, 'a>) -> Option<Moved<'c, 'a>> {
    let first = carried.body.first_operation()?;
    // SAFETY: what is in the loop's body lives as long as the loop.
    let first = unsafe { OperationRef::from_raw(first.to_raw()) };
    let mut copies = in_block_from(Some(first)).filter(|&op| op_name(op) == "memref.copy");
    copies.find_map(|copy| {
        let old = uncast(copy.operand_at(0)?);
        let place = carried.arguments.iter().position(|&other| other == old)?;
        let moved = of_copy(copy, old)?;
        carried.own().contains(&place).then_some(moved)
    })
}

fn of_copy<'c: 'a, 'a>(copy: OperationRef<'c, 'a>, old: Value<'c, 'a>) -> Option<Moved<'c, 'a>> {
    let target = copy.operand_at(1)?;
    let new = definition(target).filter(|&op| op_name(op) == "memref.alloc")?;
    let old_names = Names::apart_from(old, Some((copy, 0)))?;
    let is_unused = last_use(&old_names, copy)?.is_none_or(|last| stands_before(last, copy));
    let is_filled_first = first_use(new, &Names::of(target)?, new) == Some(copy);
    let fits = new.block() == copy.block() && target.r#type() == old.r#type();
    let is_moved = fits && is_unused && is_filled_first && !old_names.is_given;
    is_moved.then_some(Moved { copy, new, old })
}
