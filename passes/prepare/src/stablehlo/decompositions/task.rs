//! What an op computes, read from its attributes or from what JAX says to LAPACK.

use melior::ir::{OperationRef, attribute::BoolAttribute, operation::OperationLike};
use soac_dialect::view::op_name;

use super::super::{
    attributes::{case, missing, number_in},
    control::target,
    unsupported,
};
use comb_kit::pass_error::PassError;

/// The attribute with what is said to LAPACK: letters, as numbers.
const SETTINGS: &str = "mhlo.backend_config";

/// What an op computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Cholesky { is_lower: bool },
    Lu,
    Qr,
    HouseholderProduct,
    Solve(System),
}

/// Systems of equations of triangular matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct System {
    /// Whether the matrix stands to the left of the unknowns.
    pub(super) is_left: bool,
    pub(super) is_lower: bool,
    pub(super) is_transposed: bool,
    /// Whether the diagonal is ones, whatever the matrix has there.
    pub(super) has_ones: bool,
}

impl Task {
    pub(super) fn of<'c>(op: OperationRef<'c, '_>) -> Result<Self, PassError<'c>> {
        match op_name(op) {
            "stablehlo.cholesky" => Ok(Self::Cholesky {
                is_lower: op.has_attribute("lower") && flag(op, "lower")?,
            }),
            "stablehlo.triangular_solve" => Ok(Self::Solve(System {
                is_left: flag(op, "left_side")?,
                is_lower: flag(op, "lower")?,
                is_transposed: match case(op, "transpose_a").as_deref() {
                    Some("NO_TRANSPOSE") => false,
                    Some("TRANSPOSE" | "ADJOINT") => true,
                    _ => return Err(missing(op, "transpose_a", "NO_TRANSPOSE or TRANSPOSE")),
                },
                has_ones: flag(op, "unit_diagonal")?,
            })),
            _ => Self::of_lapack(op),
        }
    }

    /// The task of a routine for `f32` or `f64`.
    fn of_lapack<'c>(op: OperationRef<'c, '_>) -> Result<Self, PassError<'c>> {
        let name = target(op).unwrap_or_default();
        let routine = name.strip_prefix("lapack_");
        let routine = routine.and_then(|name| name.strip_suffix("_ffi"));
        match routine.and_then(|name| name.strip_prefix(['s', 'd'])) {
            Some("potrf") => Ok(Self::Cholesky {
                is_lower: setting(op, "uplo", "LU")? == 'L',
            }),
            Some("getrf") => Ok(Self::Lu),
            Some("geqrf") => Ok(Self::Qr),
            Some("orgqr") => Ok(Self::HouseholderProduct),
            Some("trsm") => Ok(Self::Solve(System {
                is_left: setting(op, "side", "LR")? == 'L',
                is_lower: setting(op, "uplo", "LU")? == 'L',
                is_transposed: setting(op, "trans_x", "NTC")? != 'N',
                has_ones: setting(op, "diag", "NU")? == 'U',
            })),
            _ => {
                let what = format!("calls '{name}', which is not supported");
                Err(unsupported(op, &what))
            }
        }
    }
}

fn flag<'c>(op: OperationRef<'c, '_>, name: &str) -> Result<bool, PassError<'c>> {
    let attribute = op.attribute(name).ok();
    let flag = attribute.and_then(|attribute| BoolAttribute::try_from(attribute).ok());
    Ok(flag
        .ok_or_else(|| missing(op, name, "true or false"))?
        .value())
}

/// A letter that is said to LAPACK, one of those known.
fn setting<'c>(op: OperationRef<'c, '_>, name: &str, known: &str) -> Result<char, PassError<'c>> {
    let letter = number_in(op, SETTINGS, name).and_then(|number| u8::try_from(number).ok());
    let letter = letter
        .map(char::from)
        .filter(|&letter| known.contains(letter));
    letter.ok_or_else(|| missing(op, SETTINGS, &format!("with {name}, a letter of {known}")))
}
