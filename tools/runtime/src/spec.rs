//! What a user writes for one input, `SPEC` in `-i NAME=SPEC`:
//!
//! * a file: a path that ends in `.npy`, contains `/`, or exists; an array in an archive,
//!   `data.npz:name`; or `-`, standard input;
//! * a literal: `3`, `-2.5`, `1e-3`, `0xff`, `true`, `nan`, `-inf`, for an array
//!   `[1, 2, 3]`, with one bracket more for each dimension;
//! * a rule: `random:f32[1000,1000]:SEED`, `random:index(0..100)[50]:SEED` with
//!   a half-open range, `zeros:i8[3]`, `ones:f64[2,2]`, `iota:i64[10]`, `ones:ui8[3]` for
//!   unsigned integers. `[]` is an array of rank 0, no brackets a scalar. The seed is 0 if not
//!   given.
//!   [`crate::generate`] says which values a rule gives.

mod literal;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::generate::{self, Range, Rule};
use crate::npy::{self, NpyError};
use crate::sign::{self, Input, Sign};
use crate::signature::{ParameterPlace, ValueType};
use crate::{Array, ArrayError, ElementType, Value};

pub use literal::parse_scalar;
use literal::{NO_NUMBER, parse_array, parse_float, parse_integer};

/// What SPEC is, for `--help`.
pub const HELP: &str = "SPEC is one of\n  \
    x.npy, data.npz:NAME, - for a .npy file through standard input,\n  \
    3, -2.5, true, [1, 2, 3], [[0.5, 1], [nan, 2]],\n  \
    random:f32[1000,1000]:SEED, random:index(0..100)[50]:SEED,\n  \
    zeros:i8[3], ones:f64[2,2], iota:i64[10], zeros:ui8[3]";

/// A SPEC, parsed but not yet held against a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSpec {
    /// A `.npy` file.
    File(PathBuf),
    /// An array in an `.npz` archive.
    Member {
        /// The archive.
        archive: PathBuf,
        /// The array, if not the only one.
        name: Option<String>,
    },
    /// A `.npy` file that comes through standard input.
    StandardInput,
    /// A number or truth value, or an array of them.
    Literal(String),
    /// Elements by rule.
    Generated {
        /// The SPEC itself, for messages.
        text: String,
        /// The rule.
        rule: Rule,
        /// The type of the elements.
        element: ElementType,
        /// How their integers are read, if that is said.
        sign: Option<Sign>,
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
        found: String,
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
    pub fn parse(text: &OsStr) -> Result<InputSpec, SpecError> {
        let Some(text) = text.to_str() else {
            return Ok(InputSpec::File(PathBuf::from(text)));
        };
        if text.is_empty() {
            return Err(SpecError {
                text: String::new(),
                problem: "nothing is given; a .npy file, a number, an array, or a rule such as \
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
        if text == "-" {
            return Ok(InputSpec::StandardInput);
        }
        if text.starts_with('[') && text.ends_with(']') {
            return Ok(InputSpec::Literal(text.to_owned()));
        }
        if let Some(member) = parse_member(text) {
            return Ok(member);
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
            InputSpec::File(_) | InputSpec::Member { .. } | InputSpec::StandardInput => Ok(()),
            InputSpec::Literal(text) => literal(text, place).map(|_| ()),
            InputSpec::Generated {
                text,
                element,
                sign,
                shape,
                ..
            } => check_generated(text, *element, *sign, shape.as_deref(), place),
        }
    }

    /// Makes the value for the parameter at `place`: reads the file, parses the
    /// literal, or follows the rule.
    pub fn load(&self, place: ParameterPlace<'_>) -> Result<Input, InputError> {
        let unsaid = |value| Input { value, sign: None };
        match self {
            InputSpec::File(path) => Ok(npy::read_value(path, place)?),
            InputSpec::Member { archive, name } => {
                Ok(npy::read_from_archive(archive, name.as_deref(), place)?)
            }
            InputSpec::StandardInput => Ok(npy::read_standard_input(place)?),
            InputSpec::Literal(text) => {
                let (shape, scalars) = literal(text, place)?;
                Ok(unsaid(match &place.parameter.ty {
                    ValueType::Scalar(element) => Value::Scalar(*element, scalars[0]),
                    ValueType::Array { element, .. } => {
                        Array::from_scalars(*element, &shape, &scalars)
                            .map(Value::Array)
                            .map_err(|source| no_memory(source, place))?
                    }
                }))
            }
            InputSpec::Generated {
                text,
                rule,
                element,
                sign,
                shape,
            } => {
                check_generated(text, *element, *sign, shape.as_deref(), place)?;
                let value = generate::value(*rule, *element, shape.as_deref())
                    .map_err(|source| no_memory(source, place))?;
                Ok(Input { value, sign: *sign })
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
    sign: Option<Sign>,
    shape: Option<&[usize]>,
    place: ParameterPlace<'_>,
) -> Result<(), InputError> {
    let found = generate::ty(element, shape);
    let has_sign = match (sign, place.parameter.sign) {
        (Some(found), Some(wanted)) => found == wanted,
        _ => true,
    };
    if has_sign && fits(&found, &place.parameter.ty) {
        return Ok(());
    }
    Err(InputError::Type {
        text: text.to_owned(),
        found: sign::shown(&found, sign),
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

/// `data.npz:name`, or `data.npz`.
fn parse_member(text: &str) -> Option<InputSpec> {
    const ENDING: &str = ".npz";
    let (archive, name) = match text.rsplit_once(".npz:") {
        Some((start, name)) => (format!("{start}{ENDING}"), Some(name.to_owned())),
        None if text.ends_with(ENDING) => (text.to_owned(), None),
        None => return None,
    };
    Some(InputSpec::Member {
        archive: archive.into(),
        name,
    })
}

/// `rest` is what follows `rule:`.
fn parse_rule(text: &str, rule: &str, rest: &str) -> Result<InputSpec, String> {
    let (ty, seed) = match rest.split_once(':') {
        Some((ty, seed)) => (ty, Some(seed)),
        None => (rest, None),
    };
    let (ty, shape) = split_shape(ty)?;
    let (name, range) = split_range(ty)?;
    let (element, sign) = parse_element(name)?;
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
                Some(range) => parse_range(range, element, sign)?,
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
        sign,
        shape,
    })
}

/// The type of elements, which may say that its integers have no sign: `ui8`.
fn parse_element(name: &str) -> Result<(ElementType, Option<Sign>), String> {
    let unsigned = name.strip_prefix('u').and_then(|name| name.parse().ok());
    match unsigned.filter(|&element| Sign::matters_for(element)) {
        Some(element) => Ok((element, Some(Sign::Unsigned))),
        None => {
            let unknown =
                |error| format!("{error}; integers without a sign are ui8, ui16, ui32, ui64");
            Ok((name.parse().map_err(unknown)?, None))
        }
    }
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

fn parse_range(text: &str, element: ElementType, sign: Option<Sign>) -> Result<Range, String> {
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
    let (least, greatest) = sign.unwrap_or(Sign::Signed).limits(element);
    if least <= low && high - 1 <= greatest {
        return Ok(Range::Int { low, high });
    }
    Err(format!(
        "the range '{text}' goes beyond {}, which is {least}..{}",
        sign::shown(&ValueType::Scalar(element), sign),
        greatest + 1
    ))
}

/// The sizes and elements of a literal of the parameter's type. An array parameter of
/// rank 0 takes a number.
fn literal(
    text: &str,
    place: ParameterPlace<'_>,
) -> Result<(Vec<usize>, Vec<crate::Scalar>), InputError> {
    let parameter = place.parameter;
    let (element, sign) = (parameter.ty.element(), parameter.sign);
    let shape = match &parameter.ty {
        ValueType::Array { shape, .. } => shape.as_slice(),
        ValueType::Scalar(_) => &[],
    };
    let parsed = match (text.starts_with('['), shape) {
        (true, []) => Err("is an array".to_owned()),
        (true, _) => parse_array(text, element, sign, shape),
        (false, []) => parse_scalar(text, element, sign)
            .map(|scalar| (vec![], vec![scalar]))
            .map_err(no_file_either),
        (false, _) => Err(array_problem(text, element, shape.len())),
    };
    parsed.map_err(|problem| InputError::Literal {
        text: text.to_owned(),
        problem,
        expected: place.to_string(),
    })
}

/// A scalar might also have been meant as a path.
fn no_file_either(problem: String) -> String {
    match problem.as_str() {
        NO_NUMBER => "is neither a number nor an existing file".to_owned(),
        _ => problem,
    }
}

fn array_problem(text: &str, element: ElementType, rank: usize) -> String {
    let example = vec!["10"; rank].join(",");
    let (open, close) = ("[".repeat(rank), "]".repeat(rank));
    let advice = format!(
        "a .npy file, an array such as {open}1,2{close}, or a rule such as \
         random:{element}[{example}]:1 is expected"
    );
    if parse_scalar(text, element, None).is_ok() {
        format!("is a single value ({advice})")
    } else {
        format!("is not an existing file ({advice})")
    }
}
