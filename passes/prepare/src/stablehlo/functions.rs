//! Functions: their types, and what is said of their parameters and results.

use std::collections::HashMap;

use melior::ir::{
    Attribute, BlockLike, Location, OperationRef, RegionLike, Type, ValueLike,
    attribute::{FlatSymbolRefAttribute, TypeAttribute},
    operation::OperationLike,
};
use soac_dialect::{
    builder::Builder,
    parameters::{EXTENT, NAME, Side, UNSIGNED, attribute, function_type},
    text::{reference_bytes, symbol_bytes},
    view::{dialect, op_name},
};

use super::{
    DIALECTS, Scope, convert_block,
    element::{self, Kind, Open},
    unsupported,
};
use comb_kit::{
    pass_error::PassError,
    walk::{first_block, operations},
};

/// Whether a function has ops or types that are converted.
pub(super) fn is_foreign(function: OperationRef) -> bool {
    let foreign_type = function_type(function).is_some_and(|r#type| {
        let inputs = (0..r#type.input_count()).filter_map(|index| r#type.input(index).ok());
        let results = (0..r#type.result_count()).filter_map(|index| r#type.result(index).ok());
        inputs.chain(results).any(element::is_foreign)
    });
    foreign_type
        || operations(function).iter().any(|&op| {
            DIALECTS.contains(&dialect(op))
                || op_name(op) == "func.call"
                    && op
                        .results()
                        .any(|result| element::is_foreign(result.r#type()))
        })
}

/// Whether a function calls others from its only block: it is built anew with them, so that its
/// parameters have names, too.
pub(super) fn calls(function: OperationRef) -> bool {
    first_block(function).is_some_and(|block| block.next_in_region().is_none())
        && operations(function)
            .iter()
            .any(|&op| op_name(op) == "func.call")
}

/// Functions in an order in which those that are called come before their callers, as far as there is one, so that
/// an op that is not supported is found before a call of its function.
pub(super) fn callees_first<'c: 'a, 'a>(
    functions: &[OperationRef<'c, 'a>],
) -> Vec<OperationRef<'c, 'a>> {
    let names = functions.iter().map(|&function| symbol_bytes(function));
    let by_name: HashMap<&[u8], usize> = names
        .enumerate()
        .filter_map(|(number, name)| Some((name?, number)))
        .collect();
    let called = |number: usize| -> Vec<usize> {
        let callees = operations(functions[number]).into_iter().filter_map(callee);
        callees
            .filter_map(|name| by_name.get(name).copied())
            .collect()
    };
    let mut found = vec![];
    let mut seen = vec![false; functions.len()];
    for first in 0..functions.len() {
        let mut open = vec![(first, false)];
        while let Some((number, is_done)) = open.pop() {
            if is_done {
                found.push(functions[number]);
            } else if !std::mem::replace(&mut seen[number], true) {
                open.push((number, true));
                open.extend(called(number).into_iter().rev().map(|other| (other, false)));
            }
        }
    }
    found
}

/// The function that an op calls.
pub(super) fn callee<'c>(op: OperationRef<'c, '_>) -> Option<&'c [u8]> {
    let name = match op_name(op) {
        "func.call" => "callee",
        "stablehlo.composite" => "decomposition",
        _ => return None,
    };
    let callee = FlatSymbolRefAttribute::try_from(op.attribute(name).ok()?).ok()?;
    Some(reference_bytes(callee))
}

/// A function with its name.
pub(super) fn named<'c, 'a>(
    function: OperationRef<'c, 'a>,
) -> Option<(Vec<u8>, OperationRef<'c, 'a>)> {
    Some((symbol_bytes(function)?.to_owned(), function))
}

/// Builds a function anew, in front of the old one.
pub(super) fn convert<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let refused = |what| Err(unsupported(function, what));
    let (Some(builder), Some(types)) = (Builder::before(function), function_type(function)) else {
        return Ok(());
    };
    let region = function.region(0)?;
    let Some(block) = region.first_block() else {
        return refused("has types that are converted, but no body");
    };
    if block.next_in_region().is_some() {
        return refused("has several blocks, and ops of StableHLO in them");
    }
    let inputs = arrays(function, types.input_count(), |index| types.input(index))?;
    let result_types = types;
    let types: Vec<Type> = inputs.iter().map(Open::r#type).collect();
    let parameters = (types.iter().enumerate())
        .map(|(index, &r#type)| Ok((r#type, block.argument(index)?.location())))
        .collect::<Result<Vec<_>, PassError<'c>>>()?;
    let body = builder.region_of(&parameters, "func.return", |builder, arguments| {
        scope.enter(block, arguments)?;
        convert_block(block, builder, scope)
    })?;
    // An op that gives what is not supported is a better place for the error.
    let results = arrays(function, result_types.result_count(), |index| {
        result_types.result(index)
    })?;
    let result_types: Vec<Type> = results.iter().map(Open::r#type).collect();
    let new_type = builder.function_type(&types, &result_types);
    let names = parameters.iter().map(|(_, place)| name_of(*place));
    let names: Vec<_> = names.collect();
    let signs: Vec<Sign> = inputs.iter().map(sign).collect();
    let of_results: Vec<Sign> = results
        .iter()
        .map(|result| sign_of_result(result, &inputs))
        .collect();
    let mut attributes = vec![
        ("function_type", TypeAttribute::new(new_type).into()),
        (
            "arg_attrs",
            said(&builder, (function, Side::Parameters), &signs, &names)?,
        ),
        (
            "res_attrs",
            said(
                &builder,
                (function, Side::Results),
                &of_results,
                &vec![None; results.len()],
            )?,
        ),
    ];
    for name in ["sym_name", "sym_visibility"] {
        if let Ok(attribute) = function.attribute(name) {
            attributes.push((name, attribute));
        }
    }
    builder.op("func.func", &[], &[], &attributes, vec![body])?;
    Ok(())
}

fn arrays<'c>(
    function: OperationRef<'c, '_>,
    count: usize,
    r#type: impl Fn(usize) -> Result<Type<'c>, melior::Error>,
) -> Result<Vec<Open<'c>>, PassError<'c>> {
    (0..count)
        .map(|index| element::open(function, r#type(index)?))
        .collect()
}

/// What is said of the sign of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Unsigned,
    Signed,
    Unsaid,
}

fn sign(array: &Open) -> Sign {
    match array.element.kind {
        Kind::Unsigned => Sign::Unsigned,
        _ => Sign::Unsaid,
    }
}

/// That of a result: where nothing is said, unsigned parameters of its type would make it unsigned.
fn sign_of_result(result: &Open, inputs: &[Open]) -> Sign {
    let is_like_one = || {
        inputs.iter().any(|input| {
            input.element.kind == Kind::Unsigned && input.element.r#type == result.element.r#type
        })
    };
    match result.element.kind {
        Kind::Signed if is_like_one() => Sign::Signed,
        _ => sign(result),
    }
}

/// The attributes of parameters or results: those of `soac` that they have, and what the front end says besides.
fn said<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    (function, side): (OperationRef<'c, 'a>, Side),
    signs: &[Sign],
    names: &[Option<String>],
) -> Result<Attribute<'c>, PassError<'c>> {
    let each = signs.iter().zip(names).enumerate();
    let each: Vec<String> = each
        .map(|(index, (sign, name))| {
            let own = |name| attribute(function, side, index, name).map(|own| own.to_string());
            let sign = match sign {
                Sign::Unsigned => Some("true".to_owned()),
                Sign::Signed => Some("false".to_owned()),
                Sign::Unsaid => None,
            };
            let name = name.as_ref().map(|name| builder.string(name).to_string());
            let all = [
                (NAME, own(NAME).or(name)),
                (UNSIGNED, sign.or_else(|| own(UNSIGNED))),
                (EXTENT, own(EXTENT)),
            ];
            let all = all.into_iter().filter_map(|(name, value)| match &*value? {
                "true" | "unit" => Some(name.to_owned()),
                value => Some(format!("{name} = {value}")),
            });
            format!("{{{}}}", all.collect::<Vec<_>>().join(", "))
        })
        .collect();
    Ok(builder.attribute(&format!("[{}]", each.join(", ")))?)
}

/// What the front end calls a parameter: its location is that name.
fn name_of(place: Location) -> Option<String> {
    let location = place.to_string();
    let name = location.strip_prefix("loc(\"")?;
    let (name, _) = name.split_once('"')?;
    let is_name = !name.is_empty() && !name.contains(['/', '=', '\\']);
    let is_place = location.contains("\":");
    (is_name && !is_place).then(|| name.to_owned())
}
