//! What a user writes for one input, `SPEC` in `-i NAME=SPEC`:
//!
//! * a file: a path that ends in `.npy`, contains `/`, or exists;
//! * a literal, for a scalar: `3`, `-2.5`, `1e-3`, `0xff`, `true`, `nan`,
//!   `-inf`;
//! * a rule: `random:f32[1000,1000]:SEED`, `random:index(0..100)[50]:SEED` with
//!   a half-open range, `zeros:i8[3]`, `ones:f64[2,2]`, `iota:i64[10]`. `[]` is
//!   an array of rank 0, no brackets a scalar. The seed is 0 if not given.
//!   [`crate::generate`] says which values a rule gives.

use std::num::IntErrorKind;
use std::path::{Path, PathBuf};

use crate::generate::{self, Range, Rule};
use crate::npy::{self, NpyError};
use crate::signature::{ParameterPlace, ValueType};
use crate::{Array, ArrayError, ElementType, Scalar, Value};

/// A SPEC, parsed but not yet held against a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSpec {
    /// A `.npy` file.
    File(PathBuf),
    /// A number or truth value.
    Literal(String),
    /// Elements by rule.
    Generated {
        /// The SPEC itself, for messages.
        text: String,
        /// The rule.
        rule: Rule,
        /// The type of the elements.
        element: ElementType,
        /// The sizes, or none for a scalar.
        shape: Option<Vec<usize>>,
    },
}

/// A SPEC that nothing can be made of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read '{text}': {problem}")]
pub struct SpecError {
    /// The SPEC.
    pub text: String,
    /// What is wrong with it.
    pub problem: String,
}

/// Why no value could be made for a parameter.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file is not right.
    #[error(transparent)]
    File(#[from] NpyError),
    /// The literal is not a value of the parameter's type.
    #[error("'{text}' {problem}, but {expected}")]
    Literal {
        /// The literal.
        text: String,
        /// What is wrong with it, as a verb phrase.
        problem: String,
        /// What is expected: `parameter 'n' of @main is i32`.
        expected: String,
    },
    /// A rule makes a value of another type.
    #[error("'{text}' makes {found}, but {expected}")]
    Type {
        /// The SPEC.
        text: String,
        /// The type of the value it makes.
        found: ValueType,
        /// What is expected: `parameter 'xs' of @main is tensor<?xf32>`.
        expected: String,
    },
    /// There is no memory for the value.
    #[error("no room for parameter '{parameter}' of @{function}: {source}")]
    Memory {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
        /// What the value needs.
        source: ArrayError,
    },
}

impl InputSpec {
    /// Parses a SPEC.
    pub fn parse(text: &str) -> Result<InputSpec, SpecError> {
        if text.is_empty() {
            return Err(SpecError {
                text: String::new(),
                problem: "nothing is given; a .npy file, a number, or a rule such as \
                          random:f32[100]:1 is expected"
                    .to_owned(),
            });
        }
        if let Some((rule, rest)) = text.split_once(':')
            && ["random", "zeros", "ones", "iota"].contains(&rule)
        {
            return parse_rule(text, rule, rest).map_err(|problem| SpecError {
                text: text.to_owned(),
                problem,
            });
        }
        if text.ends_with(".npy") || text.contains('/') || Path::new(text).exists() {
            return Ok(InputSpec::File(PathBuf::from(text)));
        }
        Ok(InputSpec::Literal(text.to_owned()))
    }

    /// Whether a value for the parameter can be made, as far as that can be
    /// known without reading a file or making an array.
    pub fn check(&self, place: ParameterPlace<'_>) -> Result<(), InputError> {
        match self {
            InputSpec::File(_) => Ok(()),
            InputSpec::Literal(text) => literal(text, place).map(|_| ()),
            InputSpec::Generated {
                text,
                element,
                shape,
                ..
            } => check_generated(text, *element, shape.as_deref(), place),
        }
    }

    /// Makes the value for the parameter at `place`: reads the file, parses the
    /// literal, or follows the rule.
    pub fn load(&self, place: ParameterPlace<'_>) -> Result<Value, InputError> {
        match self {
            InputSpec::File(path) => Ok(npy::read_value(path, place)?),
            InputSpec::Literal(text) => {
                let scalar = literal(text, place)?;
                Ok(match &place.parameter.ty {
                    ValueType::Scalar(element) => Value::Scalar(*element, scalar),
                    ValueType::Array { element, .. } => {
                        Array::from_scalars(*element, &[], &[scalar])
                            .map(Value::Array)
                            .map_err(|source| no_memory(source, place))?
                    }
                })
            }
            InputSpec::Generated {
                text,
                rule,
                element,
                shape,
            } => {
                check_generated(text, *element, shape.as_deref(), place)?;
                generate::value(*rule, *element, shape.as_deref())
                    .map_err(|source| no_memory(source, place))
            }
        }
    }
}

fn no_memory(source: ArrayError, place: ParameterPlace<'_>) -> InputError {
    InputError::Memory {
        function: place.function.to_owned(),
        parameter: place.parameter.name.clone(),
        source,
    }
}

fn check_generated(
    text: &str,
    element: ElementType,
    shape: Option<&[usize]>,
    place: ParameterPlace<'_>,
) -> Result<(), InputError> {
    let found = generate::ty(element, shape);
    if fits(&found, &place.parameter.ty) {
        return Ok(());
    }
    Err(InputError::Type {
        text: text.to_owned(),
        found,
        expected: place.to_string(),
    })
}

/// Whether a static type is an instance of one with dynamic sizes.
fn fits(found: &ValueType, wanted: &ValueType) -> bool {
    match (found, wanted) {
        (ValueType::Scalar(found), ValueType::Scalar(wanted)) => found == wanted,
        (
            ValueType::Array {
                element: found,
                shape: found_shape,
            },
            ValueType::Array {
                element: wanted,
                shape: wanted_shape,
            },
        ) => {
            found == wanted
                && found_shape.len() == wanted_shape.len()
                && found_shape
                    .iter()
                    .zip(wanted_shape)
                    .all(|(found, wanted)| wanted.is_none() || found == wanted)
        }
        _ => false,
    }
}

/// `rest` is what follows `rule:`.
fn parse_rule(text: &str, rule: &str, rest: &str) -> Result<InputSpec, String> {
    let (ty, seed) = match rest.split_once(':') {
        Some((ty, seed)) => (ty, Some(seed)),
        None => (rest, None),
    };
    let (ty, shape) = split_shape(ty)?;
    let (name, range) = split_range(ty)?;
    let element: ElementType = name.parse().map_err(|error| format!("{error}"))?;
    if rule != "random" && (seed.is_some() || range.is_some()) {
        return Err(format!(
            "only random takes a range or a seed, {rule} does not"
        ));
    }
    let rule = match rule {
        "zeros" => Rule::Zeros,
        "ones" => Rule::Ones,
        "iota" => Rule::Iota,
        _ => Rule::Random {
            range: match range {
                Some(range) => parse_range(range, element)?,
                None => Range::default_of(element),
            },
            seed: match seed {
                Some(seed) => seed
                    .parse()
                    .map_err(|_| format!("the seed '{seed}' is not an integer below 2^64"))?,
                None => 0,
            },
        },
    };
    Ok(InputSpec::Generated {
        text: text.to_owned(),
        rule,
        element,
        shape,
    })
}

/// Splits `f32[2,3]` into `f32` and the sizes.
fn split_shape(ty: &str) -> Result<(&str, Option<Vec<usize>>), String> {
    let Some((name, sizes)) = ty.split_once('[') else {
        return Ok((ty, None));
    };
    let sizes = sizes
        .strip_suffix(']')
        .ok_or_else(|| format!("the sizes in '{ty}' do not end with ']'"))?;
    if sizes.trim().is_empty() {
        return Ok((name, Some(Vec::new())));
    }
    let shape: Result<Vec<usize>, String> = sizes
        .split(',')
        .map(|size| {
            size.trim()
                .parse()
                .map_err(|_| format!("the size '{}' is not a non-negative integer", size.trim()))
        })
        .collect();
    Ok((name, Some(shape?)))
}

/// Splits `index(0..100)` into `index` and `0..100`.
fn split_range(ty: &str) -> Result<(&str, Option<&str>), String> {
    let Some((name, range)) = ty.split_once('(') else {
        return Ok((ty, None));
    };
    let range = range
        .strip_suffix(')')
        .ok_or_else(|| format!("the range in '{ty}' does not end with ')'"))?;
    Ok((name, Some(range)))
}

fn parse_range(text: &str, element: ElementType) -> Result<Range, String> {
    let (low, high) = text
        .split_once("..")
        .ok_or_else(|| format!("the range '{text}' is not of the form LOW..HIGH"))?;
    let empty = || format!("the range '{text}' is empty: LOW must be below HIGH");
    if element.is_float() {
        let bound = |bound: &str| {
            parse_float(bound.trim(), element)
                .ok()
                .filter(|bound| bound.is_finite())
                .ok_or_else(|| format!("'{bound}' is not a finite value of {element}"))
        };
        let (low, high) = (bound(low)?, bound(high)?);
        if low >= high {
            return Err(empty());
        }
        return Ok(Range::Float { low, high });
    }
    let bound = |bound: &str| {
        parse_integer(bound.trim()).ok_or_else(|| format!("'{bound}' is not an integer"))
    };
    let (low, high) = (bound(low)?, bound(high)?);
    if low >= high {
        return Err(empty());
    }
    let (least, greatest) = integer_limits(element);
    match i64::try_from(low) {
        Ok(low) if least <= i128::from(low) && high - 1 <= greatest => Ok(Range::Int { low, high }),
        _ => Err(format!(
            "the range '{text}' goes beyond {element}, which is {least}..{}",
            greatest + 1
        )),
    }
}

/// The least and greatest signed value of a type; 0 and 1 for `i1`.
fn integer_limits(element: ElementType) -> (i128, i128) {
    match element {
        ElementType::I1 => (0, 1),
        _ => {
            let half = 1_i128 << (element.bit_width() - 1);
            (-half, half - 1)
        }
    }
}

/// The value of the literal as the parameter's type. An array parameter of
/// rank 0 takes one too.
fn literal(text: &str, place: ParameterPlace<'_>) -> Result<Scalar, InputError> {
    let error = |problem: String| InputError::Literal {
        text: text.to_owned(),
        problem,
        expected: place.to_string(),
    };
    let element = match &place.parameter.ty {
        ValueType::Array { shape, element } if !shape.is_empty() => {
            return Err(error(array_problem(text, *element, shape.len())));
        }
        ty => ty.element(),
    };
    parse_scalar(text, element).map_err(error)
}

fn array_problem(text: &str, element: ElementType, rank: usize) -> String {
    let example = vec!["10"; rank].join(",");
    let advice = format!("a .npy file or a rule such as random:{element}[{example}]:1 is expected");
    if parse_scalar(text, element).is_ok() {
        format!("is a single value ({advice})")
    } else {
        format!("is not an existing file ({advice})")
    }
}

/// Parses a scalar literal as a value of `element`, or says in a verb phrase
/// why it is none. Integers may be written signed or unsigned: 255 is -1 for
/// `i8`, because comb's integers have no sign; `index` is signed.
pub fn parse_scalar(text: &str, element: ElementType) -> Result<Scalar, String> {
    match (text, element) {
        ("true", ElementType::I1) => Ok(Scalar::Int(1)),
        ("false", ElementType::I1) => Ok(Scalar::Int(0)),
        ("true" | "false", _) => Err("is a truth value".to_owned()),
        _ if element.is_float() => parse_float(text, element).map(Scalar::Float),
        _ => parse_bounded_integer(text, element).map(Scalar::Int),
    }
}

fn parse_bounded_integer(text: &str, element: ElementType) -> Result<i64, String> {
    let Some(value) = parse_integer(text) else {
        return Err(match text.parse::<f64>() {
            Ok(_) => "is not an integer".to_owned(),
            Err(_) if element == ElementType::I1 => "is not true, false, 0 or 1".to_owned(),
            Err(_) => "is neither a number nor an existing file".to_owned(),
        });
    };
    let (least, signed_greatest) = integer_limits(element);
    let greatest = match element {
        ElementType::I1 | ElementType::Index => signed_greatest,
        _ => 2 * signed_greatest + 1,
    };
    if value < least || value > greatest {
        return Err(format!("is out of range (from {least} to {greatest})"));
    }
    Ok(element.wrap(value as i64))
}

/// Decimal, `0x`, `0o` or `0b`, with a sign and `_` between digits. Saturates.
fn parse_integer(text: &str) -> Option<i128> {
    let (negative, magnitude) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (radix, digits) = match magnitude.get(..2) {
        Some("0x" | "0X") => (16, &magnitude[2..]),
        Some("0o" | "0O") => (8, &magnitude[2..]),
        Some("0b" | "0B") => (2, &magnitude[2..]),
        _ => (10, magnitude),
    };
    if !digits.starts_with(|first: char| first.is_digit(radix)) {
        return None;
    }
    let value = match i128::from_str_radix(&digits.replace('_', ""), radix) {
        Ok(value) => value,
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => i128::MAX,
        Err(_) => return None,
    };
    Some(if negative { -value } else { value })
}

fn parse_float(text: &str, element: ElementType) -> Result<f64, String> {
    let value = match parse_integer(text) {
        Some(0) if text.starts_with('-') => -0.0,
        Some(integer) => integer as f64,
        None => text
            .parse()
            .map_err(|_| "is neither a number nor an existing file".to_owned())?,
    };
    let Scalar::Float(rounded) = Scalar::Float(value).convert(element) else {
        return Ok(value);
    };
    let names_infinity = text
        .trim_start_matches(['+', '-'])
        .to_ascii_lowercase()
        .starts_with("inf");
    if rounded.is_infinite() && !names_infinity {
        return Err("is out of range".to_owned());
    }
    Ok(rounded)
}
