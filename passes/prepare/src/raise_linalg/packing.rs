//! `linalg.pack` and `linalg.unpack`: gathers of affine indices. What is padded is updated into a fill of whole
//! tiles before.

use melior::{
    Error,
    ir::{Value, ValueLike, r#type::RankedTensorType},
};
use soac_dialect::{
    builder::{Builder, Size, combinators::Bounds},
    description::static_sizes,
    view::OpView,
};

use super::{Raised, arrays::require_arrays, reason::Reason};
use comb_kit::checks::packing::Packing;

/// What a packed or unpacked array becomes.
pub(super) fn raise<'c: 'a, 'a>(
    view: &OpView<'c, 'a>,
    builder: &Builder<'c, 'a>,
) -> Raised<'c, 'a> {
    if let Err(reason) = require_arrays(view, &[0, 1]) {
        return Ok(Err(reason));
    }
    let Some(packing) = Packing::of(view) else {
        return Ok(Err(Reason::Dimensions));
    };
    let [plain, packed] = [view.operands[packing.plain], view.operands[packing.packed]];
    let array = match (view.name, packing.padding) {
        ("linalg.unpack", _) => unpacked(builder, &packing, plain, packed)?,
        (_, Some(padding)) if !is_whole(&packing, plain, packed)? => {
            let number = view.operands[padding];
            let whole = padded(builder, &packing, plain, packed, number)?;
            self::packed(builder, &packing, whole, packed)?
        }
        _ => self::packed(builder, &packing, plain, packed)?,
    };
    Ok(Ok(vec![array]))
}

/// Whether nothing has to be padded.
fn is_whole(packing: &Packing, plain: Value, packed: Value) -> Result<bool, Error> {
    let plain = static_sizes(&RankedTensorType::try_from(plain.r#type())?);
    let packed = static_sizes(&RankedTensorType::try_from(packed.r#type())?);
    Ok(packing.is_whole(&plain, &packed))
}

/// The elements of tiles, where they are in an array.
fn packed<'c, 'a>(
    builder: &Builder<'c, 'a>,
    packing: &Packing,
    array: Value<'c, 'a>,
    like: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let sizes = builder.sizes(like)?;
    let tiles = builder.backpermute(&[array], &sizes, Bounds::Unchecked, |builder, place| {
        let mut index = place.to_vec();
        index.truncate(packing.outer.len());
        for (outer, &axis) in packing.outer.iter().enumerate() {
            index[axis] = match packing.within(axis) {
                None => place[outer],
                Some(within) => {
                    let tile = builder.size_value(sizes[within])?;
                    let first = builder.arithmetic("arith.muli", &[place[outer], tile])?;
                    builder.arithmetic("arith.addi", &[first, place[within]])?
                }
            };
        }
        Ok(index)
    })?;
    Ok(tiles[0])
}

/// The elements of an array, where they are in tiles.
fn unpacked<'c, 'a>(
    builder: &Builder<'c, 'a>,
    packing: &Packing,
    like: Value<'c, 'a>,
    packed: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let (sizes, tiles) = (builder.sizes(like)?, builder.sizes(packed)?);
    let array = builder.backpermute(&[packed], &sizes, Bounds::Unchecked, |builder, place| {
        let mut index = vec![];
        for &axis in &packing.outer {
            index.push(match packing.within(axis) {
                None => place[axis],
                Some(within) => {
                    let tile = builder.size_value(tiles[within])?;
                    builder.arithmetic("arith.divui", &[place[axis], tile])?
                }
            });
        }
        for (inner, &axis) in packing.inner.iter().enumerate() {
            let tile = builder.size_value(tiles[packing.outer.len() + inner])?;
            index.push(builder.arithmetic("arith.remui", &[place[axis], tile])?);
        }
        Ok(index)
    })?;
    Ok(array[0])
}

/// An array in front of as much padding as whole tiles take.
fn padded<'c, 'a>(
    builder: &Builder<'c, 'a>,
    packing: &Packing,
    array: Value<'c, 'a>,
    packed: Value<'c, 'a>,
    number: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let (mut sizes, tiles) = (builder.sizes(array)?, builder.sizes(packed)?);
    for (outer, &axis) in packing.outer.iter().enumerate() {
        if let Some(within) = packing.within(axis) {
            sizes[axis] = builder.product([tiles[outer], tiles[within]])?;
        }
    }
    let filled = builder.fill(&[number], &sizes)?;
    let (zeros, ones) = (
        vec![Size::Static(0); sizes.len()],
        vec![Size::Static(1); sizes.len()],
    );
    Ok(builder.update(array, filled[0], &zeros, &ones, Bounds::Unchecked)?[0])
}
