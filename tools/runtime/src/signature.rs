//! What a program takes and gives: names and types, written as MLIR writes
//! them, and as JSON inside executables:
//!
//! ```json
//! {"name": "main",
//!  "parameters": [{"name": "xs", "type": "tensor<?x8xf32>"}],
//!  "results": [{"name": "sum", "type": "f32"}]}
//! ```

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ElementType;
use crate::device::Vendor;
use crate::sign::{self, Sign};

/// The type of a parameter or a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ValueType {
    /// A single value.
    Scalar(ElementType),
    /// A ranked tensor.
    Array {
        /// The type of its elements.
        element: ElementType,
        /// The sizes of its dimensions, outermost first; none is dynamic (`?`).
        shape: Vec<Option<usize>>,
    },
}

/// A parameter or a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Parameter {
    /// The name by which a user refers to it.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: ValueType,
    /// How its integers are read, if that is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<Sign>,
}

impl Parameter {
    /// Its type, for people.
    pub fn shown_type(&self) -> String {
        sign::shown(&self.ty, self.sign)
    }
}

/// The name, parameters and results of a function that a user can call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// The function's name, without `@`.
    pub name: String,
    /// What it takes, in order.
    pub parameters: Vec<Parameter>,
    /// What it gives, in order.
    pub results: Vec<Parameter>,
    /// Whose GPU has its arrays; none if the host has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Vendor>,
}

impl ValueType {
    /// The type of an array whose sizes are all known.
    pub fn array_of_shape(element: ElementType, shape: &[usize]) -> ValueType {
        ValueType::Array {
            element,
            shape: shape.iter().map(|&size| Some(size)).collect(),
        }
    }

    /// The type of the value's elements, or of the scalar itself.
    pub fn element(&self) -> ElementType {
        match self {
            ValueType::Scalar(element) | ValueType::Array { element, .. } => *element,
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Scalar(element) => write!(f, "{element}"),
            ValueType::Array { element, shape } => {
                f.write_str("tensor<")?;
                for size in shape {
                    match size {
                        Some(size) => write!(f, "{size}x")?,
                        None => f.write_str("?x")?,
                    }
                }
                write!(f, "{element}>")
            }
        }
    }
}

/// A text that is not the type of a parameter or result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a scalar type or a ranked tensor type of comb")]
pub struct UnknownValueType {
    text: String,
}

impl FromStr for ValueType {
    type Err = UnknownValueType;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse_value_type(text).ok_or_else(|| UnknownValueType {
            text: text.to_owned(),
        })
    }
}

fn parse_value_type(text: &str) -> Option<ValueType> {
    let Some(inside) = text
        .strip_prefix("tensor<")
        .and_then(|t| t.strip_suffix('>'))
    else {
        return text.parse().ok().map(ValueType::Scalar);
    };
    let mut shape = Vec::new();
    let mut rest = inside;
    loop {
        if let Ok(element) = rest.parse() {
            return Some(ValueType::Array { element, shape });
        }
        let (size, after) = rest.split_once('x')?;
        shape.push(match size {
            "?" => None,
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().ok()?)
            }
            _ => return None,
        });
        rest = after;
    }
}

impl TryFrom<String> for ValueType {
    type Error = UnknownValueType;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ValueType> for String {
    fn from(ty: ValueType) -> String {
        ty.to_string()
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.shown_type())
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}(", self.name)?;
        write_list(f, &self.parameters)?;
        f.write_str(") -> (")?;
        write_list(f, &self.results)?;
        f.write_str(")")
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, parameters: &[Parameter]) -> fmt::Result {
    for (position, parameter) in parameters.iter().enumerate() {
        if position > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{parameter}")?;
    }
    Ok(())
}

impl Signature {
    /// The signature as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::json!(self).to_string()
    }

    /// Reads what [`Signature::to_json`] writes.
    pub fn from_json(text: &str) -> Result<Signature, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The parameter at `position`, for messages.
    pub fn place(&self, position: usize) -> ParameterPlace<'_> {
        ParameterPlace {
            function: &self.name,
            parameter: &self.parameters[position],
        }
    }
}

/// A parameter and the function it belongs to. Displays as
/// `parameter 'xs' of @main is tensor<?xf32>`, which is how messages about
/// inputs say what was expected.
#[derive(Clone, Copy, Debug)]
pub struct ParameterPlace<'a> {
    /// The function's name, without `@`.
    pub function: &'a str,
    /// The parameter.
    pub parameter: &'a Parameter,
}

impl fmt::Display for ParameterPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "parameter '{}' of @{} is {}",
            self.parameter.name,
            self.function,
            self.parameter.shown_type()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_value_type() -> impl Strategy<Value = ValueType> {
        let element = proptest::sample::select(ElementType::ALL.to_vec());
        let shape = proptest::collection::vec(proptest::option::of(0..100_usize), 0..5);
        (element, proptest::option::of(shape)).prop_map(|(element, shape)| match shape {
            None => ValueType::Scalar(element),
            Some(shape) => ValueType::Array { element, shape },
        })
    }

    proptest! {
        #[test]
        fn types_parse_back(ty in any_value_type()) {
            prop_assert_eq!(ty.to_string().parse(), Ok(ty));
        }

        #[test]
        fn signatures_survive_json(
            name in "\\PC*",
            types in proptest::collection::vec(("\\PC+", any_value_type()), 0..6),
        ) {
            let parameters: Vec<_> = types
                .into_iter()
                .map(|(name, ty)| Parameter {
                    name,
                    ty,
                    sign: None,
                })
                .collect();
            let signature = Signature { name, results: parameters.clone(), parameters, device: None };
            prop_assert_eq!(Signature::from_json(&signature.to_json()).unwrap(), signature);
        }
    }

    #[test]
    fn malformed_types_are_refused() {
        for text in [
            "",
            "f8",
            "tensor<f32",
            "tensor<*xf32>",
            "tensor<3f32>",
            "tensor<-1xf32>",
            "tensor<+1xf32>",
            "tensor<xf32>",
            "tensor<3x>",
            "memref<3xf32>",
            "tensor<99999999999999999999xf32>",
        ] {
            assert!(text.parse::<ValueType>().is_err(), "{text}");
        }
        let error = Signature::from_json(
            r#"{"name": "f", "parameters": [{"name": "x", "type": "tensor<3xf7>"}], "results": []}"#,
        );
        assert!(error.unwrap_err().to_string().contains("tensor<3xf7>"));
    }

    #[test]
    fn signatures_display_as_a_line() {
        let signature = Signature::from_json(
            r#"{"name": "main",
                "parameters": [{"name": "xs", "type": "tensor<?x8xf32>"}, {"name": "k", "type": "index"}],
                "results": [{"name": "ys", "type": "tensor<f64>"}]}"#,
        )
        .unwrap();
        assert_eq!(
            signature.to_string(),
            "@main(xs: tensor<?x8xf32>, k: index) -> (ys: tensor<f64>)"
        );
        assert_eq!(
            signature.place(1).to_string(),
            "parameter 'k' of @main is index"
        );
    }
}
