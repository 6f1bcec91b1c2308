//! Ops that assemble an array from parts: concat, update and lmad_update.

use soac_dialect::builder::{Size, Slice, Values};

use super::{
    indexing::{flattened, lmad_point, reshaped},
    mapnest::store,
    slices,
};
use comb_kit::{pass_error::PassError, target::Target};

pub(super) fn concat<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let builder = &target.builder;
    let dim = target.view.integer("dim").unwrap_or(0) as usize;
    let mut result = target.empty_results()?[0];
    let mut offset = Size::Static(0);
    for input in target.group(0) {
        let sizes = builder.sizes(input)?;
        let mut offsets = vec![Size::Static(0); sizes.len()];
        offsets[dim] = offset;
        offset = builder.sum([offset, sizes[dim]])?;
        let slice = Slice::contiguous(offsets, sizes);
        result = slices::write(builder, input, result, &slice)?;
    }
    Ok(vec![result])
}

pub(super) fn update<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let builder = &target.builder;
    let (source, dest) = (target.view.operands[0], target.view.operands[1]);
    let offsets = target.mixed("static_offsets", 2)?;
    let strides = target.mixed("static_strides", 3)?;
    let sizes = builder.sizes(source)?;
    let forwards = strides
        .iter()
        .all(|stride| matches!(stride, Size::Static(stride) if *stride > 0));
    if forwards {
        let slice = Slice {
            offsets,
            sizes,
            strides,
        };
        return Ok(vec![slices::write(builder, source, dest, &slice)?]);
    }
    let (offsets, strides) = (target.values(&offsets)?, target.values(&strides)?);
    let sizes = target.values(&sizes)?;
    builder.loop_nest(&sizes, &[dest], &mut |builder, index, carried| {
        let element = builder.extract(source, index)?;
        let place = (0..index.len())
            .map(|dim| {
                lmad_point(
                    builder,
                    offsets[dim],
                    &index[dim..=dim],
                    &strides[dim..=dim],
                )
            })
            .collect::<Result<Values, PassError>>()?;
        store(builder, &[element], carried, &place)
    })
}

pub(super) fn lmad_update<'c, 'a>(
    target: &Target<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let builder = &target.builder;
    let (source, dest) = (target.view.operands[0], target.view.operands[1]);
    let offset = target.values(&target.mixed("static_offset", 2)?)?[0];
    let strides = target.values(&target.mixed("static_strides", 3)?)?;
    let sizes = target.values(&builder.sizes(source)?)?;
    let dest_sizes = builder.sizes(dest)?;
    let flat = flattened(target, dest)?;
    let updated = builder.loop_nest(&sizes, &[flat], &mut |builder, index, carried| {
        let element = builder.extract(source, index)?;
        let point = lmad_point(builder, offset, index, &strides)?;
        store(builder, &[element], carried, &[point])
    })?;
    if dest_sizes.len() == 1 {
        return Ok(updated);
    }
    Ok(vec![reshaped(target, updated[0], &dest_sizes)?])
}
