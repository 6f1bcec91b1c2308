//! Values as text, much as NumPy prints them, and as JSON.
//!
//! Arrays of more than 1000 elements are abbreviated: each dimension longer
//! than six shows its first and last three positions around `...`. Numbers
//! have the fewest digits that read back as the same value of their type.

use half::{bf16, f16};
use serde_json::{Number, Value as Json};

use crate::{Array, ElementType, Scalar, Sign, Value};

/// Arrays of more elements are abbreviated.
const ABBREVIATION_THRESHOLD: usize = 1000;

/// The positions shown at either end of an abbreviated dimension.
const EDGE: usize = 3;

/// Rows are broken before this column.
const LINE_WIDTH: usize = 80;

const ELLIPSIS: &str = "...";

/// A scalar of a type: `true`, `-3`, `0.1`, `nan`, `-inf`.
pub fn format_scalar(element: ElementType, scalar: Scalar, sign: Sign) -> String {
    match scalar {
        Scalar::Int(value) if element == ElementType::I1 => (value != 0).to_string(),
        Scalar::Int(value) => sign.read(element, value).to_string(),
        Scalar::Float(value) if value.is_nan() => "nan".to_owned(),
        Scalar::Float(value) => match element {
            ElementType::F16 => shortest(value, |x| f16::from_f32(x).to_f32()),
            ElementType::BF16 => shortest(value, |x| bf16::from_f32(x).to_f32()),
            ElementType::F32 => format!("{:?}", value as f32),
            _ => format!("{value:?}"),
        },
    }
}

/// The shortest decimal that `round` takes to `value`, a value of a half-width
/// type.
fn shortest(value: f64, round: impl Fn(f32) -> f32) -> String {
    (0..9)
        .filter_map(|digits| format!("{value:.digits$e}").parse::<f32>().ok())
        .find(|&candidate| f64::from(round(candidate)) == value)
        .map_or_else(
            || format!("{value:?}"),
            |candidate| format!("{candidate:?}"),
        )
}

/// The elements of an array in nested brackets, abbreviated if there are many.
pub fn format_array(array: &Array, sign: Sign) -> String {
    if array.is_empty() {
        return "[]".to_owned();
    }
    let mut layout = Layout {
        array,
        sign,
        visible: array
            .shape()
            .iter()
            .map(|&size| visible_positions(size, array.len()))
            .collect(),
        width: 0,
    };
    layout.width = layout.widest(0, 0);
    let mut out = String::new();
    layout.write(0, 0, 0, &mut out);
    out
}

/// The positions of a dimension that are shown; none stands for the ellipsis.
fn visible_positions(size: usize, elements: usize) -> Vec<Option<usize>> {
    if elements <= ABBREVIATION_THRESHOLD || size <= 2 * EDGE {
        return (0..size).map(Some).collect();
    }
    let first = (0..EDGE).map(Some);
    let last = (size - EDGE..size).map(Some);
    first.chain([None]).chain(last).collect()
}

struct Layout<'a> {
    array: &'a Array,
    sign: Sign,
    visible: Vec<Vec<Option<usize>>>,
    /// The width of the widest visible element.
    width: usize,
}

impl Layout<'_> {
    fn element(&self, position: usize) -> String {
        let scalar = self.array.get(position).unwrap_or(Scalar::Int(0));
        format_scalar(self.array.element(), scalar, self.sign)
    }

    /// `prefix` is the row-major position of the outer dimensions.
    fn widest(&self, dimension: usize, prefix: usize) -> usize {
        let Some(positions) = self.visible.get(dimension) else {
            return self.element(prefix).chars().count();
        };
        let size = self.array.shape()[dimension];
        positions
            .iter()
            .flatten()
            .map(|position| self.widest(dimension + 1, prefix * size + position))
            .max()
            .unwrap_or(0)
    }

    fn write(&self, dimension: usize, prefix: usize, column: usize, out: &mut String) {
        let rank = self.array.rank();
        if dimension == rank {
            out.push_str(&self.element(prefix));
        } else if dimension + 1 == rank {
            self.write_row(prefix, column, out);
        } else {
            self.write_nested(dimension, prefix, column, out);
        }
    }

    fn write_nested(&self, dimension: usize, prefix: usize, column: usize, out: &mut String) {
        let size = self.array.shape()[dimension];
        let line_breaks = "\n".repeat(self.array.rank() - dimension - 1);
        let indentation = " ".repeat(column + 1);
        out.push('[');
        for (count, position) in self.visible[dimension].iter().enumerate() {
            if count > 0 {
                out.push_str(&line_breaks);
                out.push_str(&indentation);
            }
            match position {
                Some(position) => {
                    self.write(dimension + 1, prefix * size + position, column + 1, out);
                }
                None => out.push_str(ELLIPSIS),
            }
        }
        out.push(']');
    }

    fn write_row(&self, prefix: usize, column: usize, out: &mut String) {
        let positions = self.visible.last().map_or(&[][..], Vec::as_slice);
        let size = self.array.shape()[self.array.rank() - 1];
        out.push('[');
        let mut end = column + 1;
        for (count, position) in positions.iter().enumerate() {
            let text = match position {
                Some(position) => {
                    format!("{:>1$}", self.element(prefix * size + position), self.width)
                }
                None => ELLIPSIS.to_owned(),
            };
            if count > 0 {
                if end + 1 + text.len() < LINE_WIDTH {
                    out.push(' ');
                    end += 1;
                } else {
                    out.push('\n');
                    out.push_str(&" ".repeat(column + 1));
                    end = column + 1;
                }
            }
            end += text.len();
            out.push_str(&text);
        }
        out.push(']');
    }
}

/// A value without its type.
pub fn format_value(value: &Value, sign: Sign) -> String {
    match value {
        Value::Scalar(element, scalar) => format_scalar(*element, *scalar, sign),
        Value::Array(array) => format_array(array, sign),
    }
}

/// Whether an array is abbreviated: it has many elements, or, if it has none, many lists.
pub fn is_abbreviated(array: &Array) -> bool {
    let lists = array.shape().iter().take_while(|&&size| size > 0);
    let parts: u64 = lists.map(|&size| size as u64).product();
    parts > ABBREVIATION_THRESHOLD as u64
}

/// All elements as JSON, arrays nested by dimension. Values that JSON has no
/// number for are the strings `nan`, `inf` and `-inf`.
pub fn value_to_json(value: &Value, sign: Sign) -> Json {
    match value {
        Value::Scalar(element, scalar) => scalar_to_json(*element, *scalar, sign),
        Value::Array(array) => array_to_json(array, sign, 0, 0),
    }
}

fn array_to_json(array: &Array, sign: Sign, dimension: usize, prefix: usize) -> Json {
    match array.shape().get(dimension) {
        Some(&size) => (0..size)
            .map(|position| array_to_json(array, sign, dimension + 1, prefix * size + position))
            .collect(),
        None => array.get(prefix).map_or(Json::Null, |scalar| {
            scalar_to_json(array.element(), scalar, sign)
        }),
    }
}

fn scalar_to_json(element: ElementType, scalar: Scalar, sign: Sign) -> Json {
    match scalar {
        Scalar::Int(value) if element == ElementType::I1 => Json::Bool(value != 0),
        Scalar::Int(value) => match sign.read(element, value) {
            value @ 0.. => Json::from(value as u64),
            value => Json::from(value as i64),
        },
        Scalar::Float(_) => {
            let text = format_scalar(element, scalar, sign);
            let number = text.parse().ok().and_then(Number::from_f64);
            number.map_or(Json::String(text), Json::Number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn iota(element: ElementType, shape: &[usize]) -> Array {
        Array::from_fn(element, shape, |i| Scalar::Int(i as i64)).unwrap()
    }

    fn shown(array: &Array) -> String {
        format_array(array, Sign::Signed)
    }

    fn floats(element: ElementType, values: &[f64]) -> Array {
        Array::from_fn(element, &[values.len()], |i| Scalar::Float(values[i])).unwrap()
    }

    #[test]
    fn small_arrays_are_shown_in_full() {
        let special = [0.1, -2.5, f64::NAN, f64::NEG_INFINITY, 1e-7, 1e20];
        let texts = [
            shown(&iota(ElementType::I32, &[])),
            shown(&iota(ElementType::I8, &[0])),
            shown(&iota(ElementType::I8, &[3, 0, 2])),
            shown(&iota(ElementType::I1, &[3])),
            shown(&iota(ElementType::F32, &[2, 3])),
            shown(&iota(ElementType::I64, &[2, 2, 6])),
            shown(&iota(ElementType::Index, &[40])),
            shown(&iota(ElementType::I16, &[2, 1, 1, 2])),
            shown(&floats(ElementType::F16, &special)),
            shown(&floats(ElementType::BF16, &special)),
            shown(&floats(ElementType::F32, &special)),
            shown(&floats(ElementType::F64, &special)),
        ];
        insta::assert_snapshot!(texts.join("\n\n"));
    }

    #[test]
    fn large_arrays_are_abbreviated() {
        let texts = [
            shown(&iota(ElementType::I32, &[1001])),
            shown(&iota(ElementType::F64, &[100, 100])),
            shown(&iota(ElementType::I32, &[2, 7, 4, 50])),
            shown(&iota(ElementType::I64, &[1, 2000])),
        ];
        insta::assert_snapshot!(texts.join("\n\n"));
    }

    #[test]
    fn json_nests_by_dimension() {
        let json = |value: &Value| value_to_json(value, Sign::Signed).to_string();
        assert_eq!(
            json(&Value::Array(iota(ElementType::I8, &[2, 3]))),
            "[[0,1,2],[3,4,5]]"
        );
        assert_eq!(
            json(&Value::Array(floats(
                ElementType::F32,
                &[0.1, f64::NAN, f64::INFINITY]
            ))),
            r#"[0.1,"nan","inf"]"#
        );
        assert_eq!(
            json(&Value::Scalar(ElementType::I1, Scalar::Int(1))),
            "true"
        );
        assert_eq!(json(&Value::Array(iota(ElementType::F16, &[0, 2]))), "[]");
    }

    #[test]
    fn many_elements_or_lists_are_abbreviated() {
        for (shape, abbreviated) in [
            (&[1000][..], false),
            (&[11, 100], true),
            (&[2, 0, 1 << 50], false),
            (&[1 << 50, 0], true),
            (&[], false),
        ] {
            assert_eq!(is_abbreviated(&iota(ElementType::I8, shape)), abbreviated);
        }
    }

    proptest! {
        #[test]
        fn half_width_numbers_read_back(bits: u16) {
            for element in [ElementType::F16, ElementType::BF16] {
                let scalar = Scalar::read(element, &bits.to_le_bytes());
                let text = format_scalar(element, scalar, Sign::Signed);
                let read = crate::spec::parse_scalar(&text, element, None).unwrap();
                match (scalar, read) {
                    (Scalar::Float(x), Scalar::Float(y)) if x.is_nan() => prop_assert!(y.is_nan()),
                    _ => prop_assert_eq!(scalar, read),
                }
            }
        }
    }
}
