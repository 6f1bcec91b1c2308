//! Whether people and files read integers with a sign.
//!
//! Elements have none of their own: each op says how it reads bits. A parameter or a result
//! may say it by `soac.unsigned`. A result that does not is unsigned if the inputs with its
//! type of elements are, as far as they say: files, rules such as `zeros:ui8[3]`, and
//! parameters that say it. One signed input makes it signed, and so does none that says
//! anything.

use serde::{Deserialize, Serialize};

use crate::signature::{Signature, ValueType};
use crate::{ElementType, Value};

/// How the integers of a value are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sign {
    /// In two's complement.
    Signed,
    /// From zero on.
    Unsigned,
}

/// A value for a parameter, and how its integers were written, if that was said.
#[derive(Debug, PartialEq)]
pub struct Input {
    /// The value.
    pub value: Value,
    /// How its integers are read.
    pub sign: Option<Sign>,
}

impl Sign {
    /// Whether the integers of a type may be read with a sign and without: not those of `i1`
    /// and `index`.
    pub fn matters_for(element: ElementType) -> bool {
        !element.is_float() && !matches!(element, ElementType::I1 | ElementType::Index)
    }

    /// An integer of a type, of which `value` has the bits.
    pub fn read(self, element: ElementType, value: i64) -> i128 {
        match self {
            Sign::Unsigned if Sign::matters_for(element) => {
                i128::from(value) & ((1 << element.bit_width()) - 1)
            }
            _ => i128::from(value),
        }
    }

    /// The least and the greatest integer of a type.
    pub fn limits(self, element: ElementType) -> (i128, i128) {
        match (element, self) {
            (ElementType::I1, _) => (0, 1),
            (_, Sign::Unsigned) if Sign::matters_for(element) => {
                (0, (1 << element.bit_width()) - 1)
            }
            _ => {
                let half = 1_i128 << (element.bit_width() - 1);
                (-half, half - 1)
            }
        }
    }
}

/// A type as people see it: `tensor<3xui8>` if its integers have no sign.
pub fn shown(ty: &ValueType, sign: Option<Sign>) -> String {
    let text = ty.to_string();
    let element = ty.element();
    let letter = match sign {
        Some(sign) if Sign::matters_for(element) => match sign {
            Sign::Signed => "s",
            Sign::Unsigned => "u",
        },
        _ => return text,
    };
    let (start, end) = text.split_at(text.rfind('i').unwrap_or(0));
    format!("{start}{letter}{end}")
}

/// How each result of a call is read.
pub fn of_results(signature: &Signature, inputs: &[Input]) -> Vec<Sign> {
    let said = signature.parameters.iter().zip(inputs);
    let said: Vec<(ElementType, Sign)> = said
        .filter_map(|(parameter, input)| {
            let sign = parameter.sign.or(input.sign)?;
            Some((parameter.ty.element(), sign))
        })
        .collect();
    let inherited = |element: ElementType| {
        let mut signs = said
            .iter()
            .filter(|(other, _)| *other == element)
            .map(|(_, sign)| *sign)
            .peekable();
        match signs.peek().is_some() && signs.all(|sign| sign == Sign::Unsigned) {
            true => Sign::Unsigned,
            false => Sign::Signed,
        }
    };
    signature
        .results
        .iter()
        .map(|result| {
            result
                .sign
                .unwrap_or_else(|| inherited(result.ty.element()))
        })
        .collect()
}

/// The values without what was said of them.
pub fn values(inputs: Vec<Input>) -> Vec<Value> {
    inputs.into_iter().map(|input| input.value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Parameter;
    use crate::{Array, Scalar};

    #[test]
    fn bits_are_read_as_the_sign_says() {
        use ElementType::*;
        assert_eq!(Sign::Unsigned.read(I8, -55), 201);
        assert_eq!(Sign::Signed.read(I8, -55), -55);
        assert_eq!(Sign::Unsigned.read(I64, -1), (1 << 64) - 1);
        assert_eq!(Sign::Unsigned.read(Index, -1), -1);
        assert_eq!(Sign::Unsigned.limits(I16), (0, 65_535));
        assert_eq!(Sign::Unsigned.limits(Index), Sign::Signed.limits(Index));
        let ty: ValueType = "tensor<?x3xi16>".parse().unwrap();
        assert_eq!(shown(&ty, Some(Sign::Unsigned)), "tensor<?x3xui16>");
        assert_eq!(shown(&ty, None), "tensor<?x3xi16>");
        let index: ValueType = "index".parse().unwrap();
        assert_eq!(shown(&index, Some(Sign::Unsigned)), "index");
    }

    fn parameter(ty: &str, sign: Option<Sign>) -> Parameter {
        Parameter {
            name: "x".to_owned(),
            ty: ty.parse().unwrap(),
            sign,
        }
    }

    // S44
    #[test]
    fn results_have_the_sign_of_inputs_of_their_type() {
        use Sign::*;
        let inputs = |signs: &[Option<Sign>]| -> Vec<Input> {
            let input = |&sign| Input {
                value: Value::Array(
                    Array::from_scalars(ElementType::I8, &[1], &[Scalar::Int(1)]).unwrap(),
                ),
                sign,
            };
            signs.iter().map(input).collect()
        };
        for (signs, expected) in [
            (&[None, None][..], Signed),
            (&[Some(Unsigned), None], Unsigned),
            (&[Some(Unsigned), Some(Unsigned)], Unsigned),
            (&[Some(Unsigned), Some(Signed)], Signed),
        ] {
            let mut signature = Signature {
                name: "f".to_owned(),
                parameters: vec![parameter("tensor<?xi8>", None); 2],
                results: vec![parameter("i8", None), parameter("i16", None)],
                device: None,
            };
            assert_eq!(of_results(&signature, &inputs(signs)), [expected, Signed]);
            signature.results[0].sign = Some(Signed);
            signature.results[1].sign = Some(Unsigned);
            assert_eq!(of_results(&signature, &inputs(signs)), [Signed, Unsigned]);
            signature.results[0].sign = None;
            signature.parameters[1].sign = Some(Signed);
            assert_eq!(of_results(&signature, &inputs(signs))[0], Signed);
        }
    }
}
