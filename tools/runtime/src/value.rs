//! A value that goes into or comes out of a program.

use crate::signature::ValueType;
use crate::{Array, ArrayError, ElementType, Scalar};

/// An argument or a result of a program.
#[derive(Debug, PartialEq)]
pub enum Value {
    /// A scalar and its type.
    Scalar(ElementType, Scalar),
    /// An array.
    Array(Array),
}

impl Value {
    /// The value's type, with every size static.
    pub fn ty(&self) -> ValueType {
        match self {
            Value::Scalar(element, _) => ValueType::Scalar(*element),
            Value::Array(array) => array.ty(),
        }
    }

    /// A copy, which may fail for want of memory.
    pub fn try_clone(&self) -> Result<Value, ArrayError> {
        Ok(match self {
            Value::Scalar(element, scalar) => Value::Scalar(*element, *scalar),
            Value::Array(array) => Value::Array(array.try_clone()?),
        })
    }

    /// Whether the value is of type `ty`, whose dynamic sizes match any size.
    pub fn has_type(&self, ty: &ValueType) -> bool {
        match (self, ty) {
            (Value::Scalar(found, _), ValueType::Scalar(wanted)) => found == wanted,
            (Value::Array(array), ValueType::Array { element, shape }) => {
                array.element() == *element
                    && array.rank() == shape.len()
                    && shape
                        .iter()
                        .zip(array.shape())
                        .all(|(wanted, found)| wanted.is_none_or(|wanted| wanted == *found))
            }
            _ => false,
        }
    }
}
