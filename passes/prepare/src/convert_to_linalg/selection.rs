//! Filter: a loop that carries the kept elements and their number.

use melior::ir::{Type, ValueLike};
use soac_dialect::builder::{Size, Slice, Values};

use super::{mapnest::store, slices};
use comb_kit::{pass_error::PassError, target::Target};

pub(super) fn filter<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let builder = &target.builder;
    let inputs = target.group(0);
    let lambda = target.lambda()?;
    let size = builder.size(inputs[0], 0)?;
    let mut state = vec![builder.index(0)?];
    for result in &target.description.results {
        state.push(builder.empty(&[size], result.element)?);
    }
    let length = builder.size_value(size)?;
    let state = builder.for_loop(length, &state, |builder, index, state| {
        let elements = inputs
            .iter()
            .map(|&input| Ok(builder.extract(input, &[index])?))
            .collect::<Result<Values, PassError>>()?;
        let keep = builder.inline(lambda, &elements)?[0];
        let types: Vec<Type> = state.iter().map(|value| value.r#type()).collect();
        builder.if_else::<PassError>(
            keep,
            &types,
            |builder| {
                let one = builder.index(1)?;
                let next = builder.arithmetic("arith.addi", &[state[0], one])?;
                let stored = store(builder, &elements, &state[1..], &state[..1])?;
                Ok([vec![next], stored].concat())
            },
            |_| Ok(state.to_vec()),
        )
    })?;
    let kept = Slice::contiguous(vec![Size::Static(0)], vec![Size::Dynamic(state[0])]);
    state[1..]
        .iter()
        .map(|&array| slices::read(builder, array, &kept, 1))
        .collect()
}
