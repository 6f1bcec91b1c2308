//! Cheap maps of one array that several ops read in an order of their own: each reads the array in its order, and
//! computes the map of that.
//!
//! An array that is read in several orders, as by a stencil, has to be in memory, and its map would be stored only
//! for that: bytes that are widened before they are shifted, for example. Elements of the array must not be larger
//! than those of the map, so that no more has to be stored or read than before.
//!
//! An op whose `label` something refers to stays as it is, and so does one that the user says is to share a loop
//! with others, or not to.
//!
//! Cost: linear in the number of ops that read such maps.

use comb_machine::tuning::computable::TRIVIAL;
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, array_type},
    cast::Parts,
    view::{OpView, op_name, uses},
};

use super::{
    compose::is_free,
    points::cheap_map,
    structured::{Shape, backpermute, kept_attributes},
};
use comb_kit::{
    element_types::{bits_in_memory, element},
    inline_copy::inline_copy,
    pass_error::PassError,
    switches::Switches,
    target::{Target, rank_of},
    transformations::Transformation,
    walk::operations,
};

use crate::fuse::{wishes::is_bound, work::instructions};

/// Has `backpermute`s of cheap maps, that others read besides, read what these maps are of.
pub(super) fn rewrite<'c>(
    ops: &[OperationRef<'c, '_>],
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    let computed_again = ops.iter().filter_map(|&op| {
        let maps = maps_behind(op)?;
        Some((op, maps))
    });
    let computed_again: Vec<_> = computed_again.collect();
    for (op, maps) in computed_again {
        if switches.applies(Transformation::MapsAgain, op.location())
            && let Some(target) = Target::new(op, OpView::of(op), false)?
        {
            read_through(&target, &maps)?;
        }
    }
    Ok(())
}

/// The maps, one of the other, that compute what an op reads, the last one first, if they are worth it.
fn maps_behind<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Vec<OperationRef<'c, 'a>>> {
    let view = OpView::of(op);
    let &[array] = &view.operands[view.group(0)] else {
        return None;
    };
    let rank = |array| rank_of(array).ok();
    // What is repeated would be computed as often.
    let repeats = rank(op.result_at(0)?.into()) > rank(array);
    let combines = |reader: OperationRef| op_name(reader).starts_with("soac.");
    let mut readers = uses(array).into_iter();
    let is_read_again = readers.any(|(reader, _)| reader != op && combines(reader));
    let may_be = is_read_again && !repeats && is_free(&view) && !is_bound(op);
    Some(chain(array)).filter(|maps| may_be && !maps.is_empty())
}

/// The maps, one of the other, that an array is computed by, the last one first: as many as are worth it.
fn chain<'c: 'a, 'a>(mut array: Value<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut maps = vec![];
    let mut work = 0.0;
    while let Some(map) = cheap_map(array).filter(|&map| !is_bound(map)) {
        work += operations(map).into_iter().map(instructions).sum::<f64>();
        let view = OpView::of(map);
        let &[input] = view.operands.as_slice() else {
            break;
        };
        let bits = |array: Value| bits_in_memory(element(array.r#type()));
        if work > TRIVIAL || map.result_count() != 1 || bits(input) > bits(array) {
            break;
        }
        maps.push(map);
        array = input;
    }
    maps
}

/// Has an op read what the last of some maps is of, and computes the maps behind it.
fn read_through<'c: 'a, 'a>(
    target: &Target<'c, 'a>,
    maps: &[OperationRef<'c, 'a>],
) -> Result<(), PassError<'c>> {
    let Some(input) = maps
        .last()
        .and_then(|map| OpView::of(*map).operands.first().copied())
    else {
        return Ok(());
    };
    let builder = &target.builder;
    let sizes = target.mixed("static_sizes", 1)?;
    let known: Vec<_> = sizes.iter().map(|size| size.known()).collect();
    let r#type = array_type(&known, element(input.r#type()));
    let shape = Shape {
        sizes: &sizes,
        types: &[r#type],
        attributes: &kept_attributes(target.op),
    };
    let mut read = backpermute(builder, &[input], &shape, |builder, index| {
        Ok(inline_copy(builder, target.op, index)?)
    })?;
    for &map in maps.iter().rev() {
        let builder: Builder = builder.located(map.location());
        read = builder.map(&read, |builder, arguments| {
            inline_copy(builder, map, arguments)
        })?;
    }
    target.replace(&read)
}
