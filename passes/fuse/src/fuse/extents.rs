//! What the user says of sizes: how large dimensions of parameters, and `index`
//! parameters, usually are.
//!
//! A parameter may have the attribute `soac.extent`: a number for an `index`, and
//! `array<i64: …>` with a number for each dimension of an array, -1 where nothing is
//! known. The option `extent` says the same by name, and goes before: `n`, or `xs.0` for
//! the first dimension. Only prices depend on that: what is wrong makes a program slower
//! and not wrong.

use std::collections::{BTreeMap, BTreeSet};

use melior::ir::{
    Attribute, BlockLike, OperationRef, RegionLike, TypeLike, Value, ValueLike,
    attribute::{DenseI64ArrayAttribute, IntegerAttribute},
    r#type::RankedTensorType,
};
use soac_dialect::{
    cast::{Arguments, Parts, cast},
    parameters::{EXTENT, Side, attribute, explicit_name},
    text::shown,
};

use comb_fusion::size::Size;

use super::{
    names::{SourceText, of_argument},
    sizes::Sizes,
};
use comb_kit::pass_error::PassError;

/// Takes in what the user says of a function's parameters, and what the program calls their
/// sizes, and notes which names of the option it has.
///
/// # Errors
///
/// If an attribute is not what it should be.
pub fn declare<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    named: &BTreeMap<String, u64>,
    used: &mut BTreeSet<String>,
    sizes: &mut Sizes<'c, 'a>,
    text: &dyn SourceText,
) -> Result<(), PassError<'c>> {
    let Some(body) = function
        .region_at(0)
        .and_then(|region| region.first_block())
    else {
        return Ok(());
    };
    for index in 0..body.argument_count() {
        let Some(argument) = body.argument_at(index) else {
            continue;
        };
        let parameter = Value::from(argument);
        let name = explicit_name(function, Side::Parameters, index);
        let name = name.map_or_else(|| format!("arg{index}"), |name| shown(&name));
        let said = match attribute(function, Side::Parameters, index, EXTENT) {
            Some(attribute) => extents(parameter, attribute, &name)?,
            None => vec![],
        };
        let in_text = of_argument(parameter, text).unwrap_or_else(|| name.clone());
        for (size, dimension) in measured(parameter, sizes) {
            let measure = |name: &str| match dimension {
                Some(dimension) => format!("{name}.{dimension}"),
                None => name.to_owned(),
            };
            sizes.call(&size, measure(&in_text));
            let key = measure(&name);
            let of_option = named.get(&key).copied();
            if of_option.is_some() {
                used.insert(key);
            }
            let of_attribute = said.get(dimension.unwrap_or(0)).copied().flatten();
            if let Some(extent) = of_option.or(of_attribute) {
                sizes.declare(&size, extent);
            }
        }
    }
    Ok(())
}

/// The sizes that a parameter has, or is.
fn measured<'c: 'a, 'a>(
    parameter: Value<'c, 'a>,
    sizes: &mut Sizes<'c, 'a>,
) -> Vec<(Size, Option<usize>)> {
    if parameter.r#type().is_index() {
        return vec![(sizes.value(parameter), None)];
    }
    match cast::<RankedTensorType>(parameter.r#type()) {
        Some(_) => sizes
            .shape(parameter)
            .into_iter()
            .zip((0..).map(Some))
            .collect(),
        None => vec![],
    }
}

/// What an attribute says, by dimension.
fn extents<'c>(
    parameter: Value<'c, '_>,
    attribute: Attribute<'c>,
    name: &str,
) -> Result<Vec<Option<u64>>, PassError<'c>> {
    let r#type = parameter.r#type();
    let expected = match cast::<RankedTensorType>(r#type) {
        Some(array) => {
            let rank = soac_dialect::description::static_sizes(&array).len();
            let given = DenseI64ArrayAttribute::try_from(attribute).ok();
            let given: Option<Vec<i64>> = given.map(|given| {
                (0..given.len())
                    .filter_map(|index| given.element(index).ok())
                    .collect()
            });
            let fits =
                |given: &Vec<i64>| given.len() == rank && given.iter().all(|&size| size >= -1);
            if let Some(given) = given.filter(fits) {
                return Ok(given
                    .into_iter()
                    .map(|size| u64::try_from(size).ok())
                    .collect());
            }
            format!("array<i64: …> with {rank} of them, 0 or more, or -1 for one that is not known")
        }
        None if r#type.is_index() => {
            let given = IntegerAttribute::try_from(attribute).ok();
            let given = given.and_then(|given| u64::try_from(given.value()).ok());
            if let Some(given) = given {
                return Ok(vec![Some(given)]);
            }
            "a whole number, 0 or more".to_owned()
        }
        None => "left out: only arrays and index have one".to_owned(),
    };
    Err(PassError::Unsupported {
        location: parameter.location(),
        message: format!(
            "'{EXTENT}' of parameter '{name}' of type {type} is {attribute}; it has to be {expected}"
        ),
    })
}
