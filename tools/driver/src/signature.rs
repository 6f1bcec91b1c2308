//! What a function takes and gives, and what its parameters are called.
//!
//! A parameter's name is the attribute `soac.name` of the argument, or else
//! its name in the source (`%xs` is `xs`), or else `argN`. A result's name is
//! the attribute `soac.name` of the result, or else `result`, or `resultN`
//! where there are several. The attribute `soac.unsigned` of either says how people and files
//! read its integers.

use comb_runtime::{Parameter, Sign, Signature, ValueType};
use melior::ir::{
    Attribute, Location, OperationRef, RegionLike, Type, Value, ValueLike,
    attribute::BoolAttribute, block::BlockLike, operation::OperationLike,
};

use soac_dialect::{
    parameters::{Side, UNSIGNED, attribute, explicit_name, function_type},
    text::{as_name, identifier_bytes, shown, symbol_bytes},
};

use crate::{Diagnostic, source::Source};

/// The signature of a `func.func` with a body.
///
/// # Errors
///
/// If a type is none that a caller can give or take, or two parameters or
/// results have one name.
pub fn signature(function: OperationRef, source: &Source) -> Result<Signature, Diagnostic> {
    let name = function_name(function).unwrap_or_default();
    let types = function_type(function)
        .ok_or_else(|| Diagnostic::error(function.location(), "has no function type", source))?;
    let place = Place {
        function,
        name: &name,
        source,
    };
    let arguments = arguments(function);
    let parameters = (0..types.input_count())
        .map(|index| {
            let r#type = types.input(index).ok()?;
            let argument = arguments.get(index).copied();
            let location = argument.map_or_else(|| function.location(), |value| value.location());
            let name = explicit_name(function, Side::Parameters, index)
                .or_else(|| source_name(argument?, source))
                .unwrap_or_else(|| format!("arg{index}").into_bytes());
            Some(Given {
                name,
                r#type,
                location,
                unsigned: attribute(function, Side::Parameters, index, UNSIGNED),
            })
        })
        .collect::<Option<Vec<_>>>()
        .unwrap_or_default();
    let results = (0..types.result_count())
        .filter_map(|index| {
            let r#type = types.result(index).ok()?;
            let name = explicit_name(function, Side::Results, index).unwrap_or_else(|| match types
                .result_count()
            {
                1 => b"result".to_vec(),
                _ => format!("result{index}").into_bytes(),
            });
            Some(Given {
                name,
                r#type,
                location: function.location(),
                unsigned: attribute(function, Side::Results, index, UNSIGNED),
            })
        })
        .collect();
    Ok(Signature {
        parameters: place.named("parameter", parameters)?,
        results: place.named("result", results)?,
        name,
        device: None,
    })
}

/// The name of a function, without `@`.
pub fn function_name(function: OperationRef) -> Option<String> {
    symbol_bytes(function).map(shown)
}

/// A parameter or a result, as the program has it.
struct Given<'c> {
    name: Vec<u8>,
    r#type: Type<'c>,
    location: Location<'c>,
    unsigned: Option<Attribute<'c>>,
}

/// A function, for messages.
struct Place<'c, 'a, 's> {
    function: OperationRef<'c, 'a>,
    name: &'s str,
    source: &'s Source,
}

impl<'c> Place<'c, '_, '_> {
    fn named(&self, what: &str, given: Vec<Given<'c>>) -> Result<Vec<Parameter>, Diagnostic> {
        let mut named: Vec<Parameter> = vec![];
        for given in given {
            let Given {
                name: bytes,
                r#type,
                location,
                unsigned,
            } = given;
            let name = shown(&bytes);
            let ty = r#type.to_string().parse::<ValueType>().map_err(|_| {
                self.error(
                    location,
                    format!(
                        "{what} '{name}' of @{} has type {}, which callers cannot {}; it must be \
                         a scalar or a ranked tensor of i1, i8, i16, i32, i64, index, f16, bf16, \
                         f32 or f64",
                        self.name,
                        r#type,
                        if what == "parameter" { "give" } else { "take" },
                    ),
                )
            })?;
            if as_parameter(&bytes).is_none() {
                return Err(self.error(
                    location,
                    format!(
                        "{what} '{name}' of @{} needs a name of UTF-8 that is not empty and has \
                         neither '=' nor NUL",
                        self.name
                    ),
                ));
            }
            if named.iter().any(|other| other.name == name) {
                return Err(self.error(
                    location,
                    format!("two {what}s of @{} are called '{name}'", self.name),
                ));
            }
            let sign = match unsigned {
                Some(attribute) => Some(self.sign(what, &name, &ty, attribute, location)?),
                None => None,
            };
            named.push(Parameter { name, ty, sign });
        }
        Ok(named)
    }

    fn sign(
        &self,
        what: &str,
        name: &str,
        ty: &ValueType,
        attribute: Attribute<'c>,
        location: Location<'c>,
    ) -> Result<Sign, Diagnostic> {
        let is_signed = BoolAttribute::try_from(attribute).is_ok_and(|value| !value.value());
        let sign = match is_signed {
            true => Sign::Signed,
            false => Sign::Unsigned,
        };
        match Sign::matters_for(ty.element()) {
            true => Ok(sign),
            false => Err(self.error(
                location,
                format!(
                    "{what} '{name}' of @{} has {UNSIGNED}, but type {ty}; only i8, i16, i32 and \
                     i64 may be unsigned",
                    self.name
                ),
            )),
        }
    }

    fn error(&self, location: Location, message: String) -> Diagnostic {
        let known = crate::diagnostics::position(location, self.source).is_some();
        let location = if known {
            location
        } else {
            self.function.location()
        };
        Diagnostic::error(location, message, self.source)
    }
}

/// The parameters of a function with a body.
pub(crate) fn arguments<'c, 'a>(function: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let Some(block) = function
        .region(0)
        .ok()
        .and_then(|region| region.first_block())
    else {
        return vec![];
    };
    (0..block.argument_count())
        .filter_map(|index| block.argument(index).ok().map(Into::into))
        .collect()
}

/// The SSA name at an argument's location, unless it is a number.
pub(crate) fn source_name(argument: Value, source: &Source) -> Option<Vec<u8>> {
    let location = argument.location();
    if location.is_name() {
        let name = identifier_bytes(location.name_value());
        return as_parameter(name).map(|name| name.as_bytes().to_owned());
    }
    let position = crate::diagnostics::position(location, source)?;
    let text = position.text?;
    let name: String = text
        .get(position.column.checked_sub(1)?..)?
        .strip_prefix('%')?
        .chars()
        .take_while(|character| character.is_ascii_alphanumeric() || "$._-".contains(*character))
        .collect();
    let is_name = name
        .chars()
        .next()
        .is_some_and(|first| !first.is_ascii_digit());
    is_name.then(|| name.into_bytes())
}

/// Bytes as the name of a parameter or a result, as it is written in front of `=`.
fn as_parameter(bytes: &[u8]) -> Option<&str> {
    as_name(bytes).filter(|name| !name.is_empty() && !name.contains('='))
}
