//! Scatter: a loop over the sources that carries the destinations.

use soac_dialect::builder::Values;

use super::{
    indexing::{check_indices, to_indices},
    mapnest::store,
};
use comb_kit::{pass_error::PassError, target::Target};

pub(super) fn scatter<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (sources, dests, indices) = (target.group(0), target.group(1), target.group(2));
    let lambda = target.optional_lambda();
    let sizes = target.values(&target.builder.sizes(sources[0])?)?;
    let dest_sizes = target.values(&target.builder.sizes(dests[0])?)?;
    target
        .builder
        .loop_nest(&sizes, &dests, &mut |builder, position, carried| {
            let read = |arrays: &Values<'c, 'a>| {
                arrays
                    .iter()
                    .map(|&array| Ok(builder.extract(array, position)?))
                    .collect::<Result<Values, PassError>>()
            };
            let place = to_indices(builder, &read(&indices)?)?;
            check_indices(target, builder, &place, &dest_sizes)?;
            let new = read(&sources)?;
            let written = match lambda {
                None => new,
                Some(lambda) => {
                    let old = carried
                        .iter()
                        .map(|&dest| Ok(builder.extract(dest, &place)?))
                        .collect::<Result<Values, PassError>>()?;
                    builder.inline(lambda, &[old, new].concat())?
                }
            };
            store(builder, &written, carried, &place)
        })
}
