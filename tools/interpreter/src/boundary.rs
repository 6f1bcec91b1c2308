//! The interpreter's values from and to those of the runtime library, which
//! programs read from files and print.

use comb_runtime::{Array as FileArray, ElementType, Scalar as FileScalar, Value as FileValue};

use crate::element::Element;
use crate::failure::Failure;
use crate::value::{Array, Scalar, Value};

/// The interpreter's name of a type.
fn element(ty: ElementType) -> Element {
    match ty {
        ElementType::Index => Element::Index,
        ElementType::F16 => Element::F16,
        ElementType::BF16 => Element::BF16,
        ElementType::F32 => Element::F32,
        ElementType::F64 => Element::F64,
        integer => Element::Integer(integer.bit_width()),
    }
}

/// The runtime library's name of a type, if it has one.
fn element_type(element: Element) -> Result<ElementType, Failure> {
    Ok(match element {
        Element::Integer(1) => ElementType::I1,
        Element::Integer(8) => ElementType::I8,
        Element::Integer(16) => ElementType::I16,
        Element::Integer(32) => ElementType::I32,
        Element::Integer(64) => ElementType::I64,
        Element::Index => ElementType::Index,
        Element::F16 => ElementType::F16,
        Element::BF16 => ElementType::BF16,
        Element::F32 => ElementType::F32,
        Element::F64 => ElementType::F64,
        Element::Integer(_) => {
            return Err(Failure::Input(format!(
                "the program returns values of type {element}, which only exist inside programs"
            )));
        }
    })
}

impl From<&FileValue> for Value {
    fn from(value: &FileValue) -> Value {
        match value {
            FileValue::Scalar(ty, scalar) => {
                let mut bytes = vec![0; ty.byte_size()];
                scalar.write(*ty, &mut bytes);
                Value::Scalar(Scalar::from_bits(element(*ty), word(&bytes)))
            }
            FileValue::Array(array) => {
                let bits = array
                    .bytes()
                    .chunks_exact(array.element().byte_size())
                    .map(word)
                    .collect();
                let array = Array::new(element(array.element()), array.shape().to_vec(), bits);
                Value::Array(array.expect("as many elements as the shape says"))
            }
        }
    }
}

/// Little-endian bytes as a word.
fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

impl TryFrom<&Value> for FileValue {
    type Error = Failure;

    fn try_from(value: &Value) -> Result<FileValue, Failure> {
        let ty = element_type(value.element())?;
        let size = ty.byte_size();
        match value {
            Value::Scalar(scalar) => {
                let bytes = scalar.bits().to_le_bytes();
                Ok(FileValue::Scalar(ty, FileScalar::read(ty, &bytes[..size])))
            }
            Value::Array(array) => {
                let mut file_array = FileArray::zeroed(ty, array.shape())
                    .map_err(|error| Failure::Input(error.to_string()))?;
                let elements = file_array.bytes_mut().chunks_exact_mut(size);
                for (bytes, bits) in elements.zip(array.bits()) {
                    bytes.copy_from_slice(&bits.to_le_bytes()[..size]);
                }
                Ok(FileValue::Array(file_array))
            }
            Value::Memory(memory) => {
                let array = memory.array();
                let array = array.map_err(|fault| Failure::Input(format!("a result {fault}")))?;
                FileValue::try_from(&Value::Array(array))
            }
        }
    }
}
