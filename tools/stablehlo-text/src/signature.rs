//! The types behind an op, which its own syntax abbreviates, as a function's.

use crate::{Error, cursor::Cursor};

/// What types without an arrow stand for. With one, those in front of it are the operands', and those
/// behind it the results'.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Types {
    /// One, which all operands and the result have.
    Same,
    /// The result's, after a value: `dense<0.0> : tensor<f32>`.
    Constant,
    /// Those of results.
    Results,
    /// Those of operands; there may be none.
    Operands,
    /// Those of operands, which are the results', too; there may be none.
    Pairwise,
    /// The condition's, and that of the others.
    Select,
    /// That of a result of complex numbers, whose parts are the operands.
    Complex,
    /// That of a result, a tuple of the operands' types.
    Tuple,
}

/// The types of an op's operands and results.
#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) operands: Vec<String>,
    pub(crate) results: Vec<String>,
}

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (operands, results) = (self.operands.join(", "), self.results.join(", "));
        write!(f, "({operands}) -> ({results})")
    }
}

impl Signature {
    /// Reads `: types` behind an op with so many operands.
    pub(crate) fn read(cursor: &mut Cursor, types: Types, operands: usize) -> Result<Self, Error> {
        let may_be_missing = matches!(types, Types::Operands | Types::Pairwise);
        if may_be_missing && operands == 0 && !cursor.is(0, ":") {
            return Ok(Self::of(&[], &[]));
        }
        cursor.expect(":")?;
        let start = cursor.clone();
        let front = cursor.types()?;
        if cursor.accept("->") {
            return Ok(Self::of(&front, &cursor.types()?));
        }
        Self::abbreviated(types, &front, operands)
            .ok_or_else(|| start.expected("the types of operands and results"))
    }

    fn of(operands: &[&str], results: &[&str]) -> Self {
        let owned = |types: &[&str]| types.iter().map(|&text| text.to_owned()).collect();
        Self {
            operands: owned(operands),
            results: owned(results),
        }
    }

    fn abbreviated(types: Types, front: &[&str], operands: usize) -> Option<Self> {
        Some(match (types, front) {
            (Types::Same, [all]) => Self::of(&vec![*all; operands], &[all]),
            (Types::Constant, [result]) => Self::of(&[], &[result]),
            (Types::Results, results) => Self::of(&[], results),
            (Types::Operands, operands) => Self::of(operands, &[]),
            (Types::Pairwise, all) => Self::of(all, all),
            (Types::Select, [condition, other]) => Self::of(&[condition, other, other], &[other]),
            (Types::Complex, [result]) => {
                let part = part_of_complex(result)?;
                Self::of(&[&part, &part], &[result])
            }
            (Types::Tuple, [result]) => {
                let inside = result.strip_prefix("tuple<")?.strip_suffix('>')?;
                Self {
                    operands: vec![inside.to_owned()],
                    results: vec![(*result).to_owned()],
                }
            }
            _ => return None,
        })
    }
}

/// `tensor<4xf32>` of `tensor<4xcomplex<f32>>`.
fn part_of_complex(array: &str) -> Option<String> {
    let (front, rest) = array.split_once("complex<")?;
    let (part, behind) = rest.split_once('>')?;
    Some(format!("{front}{part}{behind}"))
}
