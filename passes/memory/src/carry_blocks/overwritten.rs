//! Loops that compute what they hand on from what they carry: in its memory, if each element is read before it is
//! overwritten.
//!
//! Before arrays are computed where they are copied to, only if [one op](Dead::There) does so: where what is handed
//! on is put together from parts, these are to be computed there, which they cannot if the old elements are there.
//!
//! Cost: linear in the ops of the loop, for all that it carries.

use melior::ir::{
    OperationRef, Value, ValueLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    cast::cast,
    view::{definition, stands_before},
};

use super::own::Carried;
use comb_nest::elements::{names::Names, numbers::Numbers};

use crate::reuse_blocks::life::{Refusal, first_use, is_overwritten_in_order, last_use};

/// New memory in a loop, and what is carried in the place of which it can be.
pub(super) struct Overwritten<'c, 'a> {
    pub new: OperationRef<'c, 'a>,
    pub old: Value<'c, 'a>,
}

/// Where the last use of what is carried may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dead {
    /// In the first op that uses the new memory.
    There,
    /// There, or before.
    ThereOrBefore,
}

/// What a loop may overwrite, or why not.
pub(super) fn overwritten<'c: 'a, 'a>(
    carried: &Carried<'c, 'a>,
    dead: Dead,
) -> Vec<Result<Overwritten<'c, 'a>, Refusal>> {
    let own = carried.own().into_iter();
    let found = own.filter_map(|place| in_place(carried, place, dead));
    found.collect()
}

fn in_place<'c: 'a, 'a>(
    carried: &Carried<'c, 'a>,
    place: usize,
    dead: Dead,
) -> Option<Result<Overwritten<'c, 'a>, Refusal>> {
    let (array, names) = carried.new_memory(place)?;
    let new = definition(array)?;
    let old = carried.arguments[place];
    let old_names = Names::of(old).filter(|names| !names.is_given)?;
    let mut numbers = Numbers::at(new);
    if old.r#type() != array.r#type() || !are_as_large(&mut numbers, carried, place, array) {
        return None;
    }
    let first = first_use(new, &names, new)?;
    let last = last_use(&old_names, new)?;
    if last != Some(first) {
        let is_before = last.is_none_or(|last| stands_before(last, first));
        let is_dead = is_before && dead == Dead::ThereOrBefore;
        return is_dead.then_some(Ok(Overwritten { new, old }));
    }
    let [from, to] = [(old, &old_names), (array, &names)];
    let is_in_order = is_overwritten_in_order(&mut numbers, first, from, to);
    Some(is_in_order.map(|()| Overwritten { new, old }))
}

/// Whether new memory is as large as what is carried, and that is always as large as what the loop is given: so it is if
/// the new one is said to have the size of the one, or of the other.
fn are_as_large<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    carried: &Carried<'c, 'a>,
    place: usize,
    array: Value<'c, 'a>,
) -> bool {
    let rank = cast::<MemRefType>(array.r#type()).map_or(0, |memory| memory.rank());
    (0..rank).all(|dimension| {
        let size = numbers.size(array, dimension);
        size == numbers.size(carried.arguments[place], dimension)
            || size == numbers.size(carried.inits[place], dimension)
    })
}
