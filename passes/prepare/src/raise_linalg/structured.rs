//! Structured ops: maps and folds over the arrays that they read, brought to the loops' own indices by
//! gathers of affine indices, so that nothing is stored.
//!
//! A fold starts with the neutral element of its op, and what the result was before is combined with it
//! once, unless that is neutral itself.

use melior::{
    Error,
    ir::{OperationRef, Value, ValueLike, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Size, Values, array_type},
    view::{OpView, definition, op_name},
};

use super::{
    Raised,
    arrays::{reshaped, transposed},
    nest::Nest,
    outputs::{Accumulation, Combiner, Group, Output, groups},
    promises,
};
use comb_kit::{
    checks::elementwise::is_array,
    element_types::element,
    neutral::{Neutral, may_start_parts},
};

/// What a structured op becomes.
pub(super) fn raise<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
) -> Raised<'c, 'a> {
    let nest = match Nest::of(op) {
        Ok(nest) => nest,
        Err(reason) => return Ok(Err(reason)),
    };
    let groups = match groups(&nest) {
        Ok(groups) => groups,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut results = vec![];
    for group in &groups {
        let computed = computed(&nest, builder, group)?;
        for (output, value) in accumulated(&nest, builder, group, &computed)? {
            let array = arranged(&nest, builder, group, output, value)?;
            results.push((output.number, array));
        }
    }
    results.sort_by_key(|&(number, _)| number);
    Ok(Ok(results.into_iter().map(|(_, value)| value).collect()))
}

/// The results of a group, of what its iterations compute.
fn accumulated<'g, 'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    builder: &Builder<'c, 'a>,
    group: &'g Group<'c, 'a>,
    computed: &[Value<'c, 'a>],
) -> Result<Vec<(&'g Output<'c, 'a>, Value<'c, 'a>)>, Error> {
    let mut results = vec![];
    for (output, &value) in group.outputs.iter().zip(computed) {
        match output.accumulation {
            Accumulation::None => results.push((output, value)),
            Accumulation::Op(combiner) => {
                let fold = folded(nest, builder, (group, output), combiner, value)?;
                results.push((output, fold));
            }
            Accumulation::Search(search) => {
                let mut others = group.outputs.iter().zip(computed);
                let Some((place, &places)) = others.find(|(other, _)| other.number == search.place)
                else {
                    return Err(Error::OperationBuild);
                };
                let before = [
                    in_order(nest, builder, group, output)?,
                    in_order(nest, builder, group, place)?,
                ];
                let folded = group.folded.len();
                let found = search.build(builder, [value, places], before, folded)?;
                results.extend([(output, found[0]), (place, found[1])]);
            }
            // It comes with the number.
            Accumulation::Place => {}
        }
    }
    Ok(results)
}

/// The arrays of what a group's part computes in each iteration.
fn computed<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    builder: &Builder<'c, 'a>,
    group: &Group<'c, 'a>,
) -> Result<Values<'c, 'a>, Error> {
    let order = [&group.kept[..], &group.folded].concat();
    let part = &group.part;
    let arguments = part.arguments.iter();
    let given: Values = arguments
        .map(|&(operand, _)| nest.spread(builder, operand, &order))
        .collect::<Result<_, _>>()?;
    if let Some(arrays) = passed_on(group, &given) {
        return Ok(arrays);
    }
    let arrays: Values = given
        .iter()
        .copied()
        .filter(|value| is_array(value.r#type()))
        .collect();
    let sizes = nest.sizes(builder, &order)?;
    let place = |r#loop: &usize| order.iter().position(|other| other == r#loop);
    let places: Vec<usize> = part.loops.iter().filter_map(place).collect();
    let arguments = |elements: &[Value<'c, 'a>]| -> Values<'c, 'a> {
        let mut elements = elements.iter().copied();
        let element = |&value: &Value<'c, 'a>| match is_array(value.r#type()) {
            true => elements.next().unwrap_or(value),
            false => value,
        };
        given.iter().map(element).collect()
    };
    if arrays.is_empty() && order.is_empty() {
        return single(builder, &part.copy(builder, &arguments(&[]), &[])?);
    }
    if arrays.is_empty() && part.ops.is_empty() {
        return builder.fill(&part.copy(builder, &arguments(&[]), &[])?, &sizes);
    }
    if arrays.is_empty() {
        return builder.generate(&sizes, |builder, index| {
            let indices: Values = places.iter().map(|&place| index[place]).collect();
            part.copy(builder, &arguments(&[]), &indices)
        });
    }
    let indices: Values = places
        .iter()
        .map(|&place| builder.iota(&sizes, place, builder.index_type()))
        .collect::<Result<_, _>>()?;
    let inputs = [&arrays[..], &indices].concat();
    builder.map(&inputs, |builder, values| {
        let (elements, indices) = values.split_at(arrays.len());
        part.copy(builder, &arguments(elements), indices)
    })
}

/// The arrays that a part gives as they are, if it does nothing else.
fn passed_on<'c: 'a, 'a>(group: &Group<'c, 'a>, given: &[Value<'c, 'a>]) -> Option<Values<'c, 'a>> {
    let part = &group.part;
    if !part.ops.is_empty() {
        return None;
    }
    part.values
        .iter()
        .map(|value| {
            let mut arguments = part.arguments.iter().zip(given);
            let (_, &array) = arguments.find(|((_, argument), _)| argument == value)?;
            is_array(array.r#type()).then_some(array)
        })
        .collect()
}

/// Arrays without dimensions of values.
fn single<'c, 'a>(
    builder: &Builder<'c, 'a>,
    values: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, Error> {
    let array = |&value: &Value<'c, 'a>| {
        let r#type = array_type(&[], value.r#type());
        builder.value("tensor.from_elements", &[value], r#type, &[])
    };
    values.iter().map(array).collect()
}

/// The fold of what was computed, combined with what the result was before.
fn folded<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    builder: &Builder<'c, 'a>,
    (group, output): (&Group<'c, 'a>, &Output<'c, 'a>),
    combiner: Combiner<'c, 'a>,
    array: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let before = nest.operands[nest.inputs + output.number];
    let name = op_name(combiner.op);
    let number = element(array.r#type());
    let start = of_one_number(before).filter(|&start| may_start_parts(name, start));
    let neutral = match (start, Neutral::of(name, number)) {
        (Some(start), _) => start,
        (None, Some(neutral)) => neutral.build(builder, number)?,
        (None, None) => return Err(Error::OperationBuild),
    };
    let fold = builder.fold_inner(&[array], &[neutral], group.folded.len(), |builder, pair| {
        Ok(vec![combiner.build(builder, pair[0], pair[1])?])
    })?;
    if start.is_some() {
        return Ok(fold[0]);
    }
    let before = in_order(nest, builder, group, output)?;
    let combined = builder.map(&[before, fold[0]], |builder, pair| {
        Ok(vec![combiner.build(builder, pair[0], pair[1])?])
    })?;
    Ok(combined[0])
}

impl<'c: 'a, 'a> Combiner<'c, 'a> {
    /// The op for what was accumulated and what an iteration computes.
    fn build(
        self,
        builder: &Builder<'c, 'a>,
        accumulated: Value<'c, 'a>,
        computed: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let operands = match self.is_first {
            true => [accumulated, computed],
            false => [computed, accumulated],
        };
        let attributes = promises::without(builder, self.op)?;
        let r#type = accumulated.r#type();
        builder.value(op_name(self.op), &operands, r#type, &attributes)
    }
}

/// The number that all elements of an array are, if it is made as such an array.
fn of_one_number<'c: 'a, 'a>(array: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let op = definition(array)?;
    let first = || OpView::of(op).operands.first().copied();
    match op_name(op) {
        "linalg.fill" | "soac.fill" | "tensor.splat" if op.result_count() == 1 => first(),
        "tensor.cast" => of_one_number(first()?),
        _ => None,
    }
}

/// What a result was before, with the loops of its group as dimensions.
fn in_order<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    builder: &Builder<'c, 'a>,
    group: &Group<'c, 'a>,
    output: &Output<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let array = nest.operands[nest.inputs + output.number];
    let own: Vec<usize> = output.dimensions.iter().copied().flatten().collect();
    let array = match own.len() == output.dimensions.len() {
        true => array,
        false => reshaped(builder, array, &nest.sizes(builder, &own)?)?,
    };
    let places: Option<Vec<i64>> = group
        .kept
        .iter()
        .map(|r#loop| position(&own, *r#loop))
        .collect();
    transposed(builder, array, &places.unwrap_or_default())
}

/// An array with the loops of its group as dimensions, with those that the result has.
fn arranged<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    builder: &Builder<'c, 'a>,
    group: &Group<'c, 'a>,
    output: &Output<'c, 'a>,
    array: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let own: Vec<usize> = output.dimensions.iter().copied().flatten().collect();
    let places: Option<Vec<i64>> = own
        .iter()
        .map(|r#loop| position(&group.kept, *r#loop))
        .collect();
    let array = transposed(builder, array, &places.unwrap_or_default())?;
    if own.len() == output.dimensions.len() {
        return Ok(array);
    }
    let mut sizes = nest.sizes(builder, &own)?.into_iter();
    let sizes: Vec<Size> = output
        .dimensions
        .iter()
        .map(|dimension| match dimension {
            Some(_) => sizes.next().unwrap_or(Size::Static(1)),
            None => Size::Static(1),
        })
        .collect();
    reshaped(builder, array, &sizes)
}

fn position(loops: &[usize], r#loop: usize) -> Option<i64> {
    let place = loops.iter().position(|&other| other == r#loop)?;
    Some(place as i64)
}
