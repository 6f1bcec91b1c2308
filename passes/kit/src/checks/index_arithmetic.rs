//! Arithmetic of the `index` dialect becomes that of `arith` on `index` values.
//!
//! Upstream lowers rounding divisions of the dialect to others that may trap or have the wrong
//! sign at the ends of the type, and folds some constants otherwise than the code computes them.
//! `arith` has all of it as well, with 64 bits.
//!
//! The old op stays, without uses.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{builder::Predicate, cast::Parts};

use super::site::Site;
use crate::pass_error::PassError;

/// The bits of `index`.
const BITS: i64 = 64;

/// Replaces what an op of the `index` dialect gives.
///
/// # Errors
///
/// If MLIR rejects the ops.
pub fn rewrite<'c: 'a, 'a>(
    site: &Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    mnemonic: &str,
) -> Result<(), PassError<'c>> {
    let builder = site.builder;
    let operands: Vec<Value> = op.operands().collect();
    let Some(result) = op.result_at(0) else {
        return Ok(());
    };
    let r#type = melior::ir::ValueLike::r#type(&result);
    let same = match mnemonic {
        "sizeof" => builder.index(BITS)?,
        "constant" | "bool.constant" => {
            let value = op.attribute("value")?;
            builder.value("arith.constant", &[], r#type, &[("value", value)])?
        }
        "cmp" => match predicate(&op.attribute("pred")?.to_string()) {
            Some(predicate) => builder.compare(predicate, operands[0], operands[1])?,
            None => return Ok(()),
        },
        _ => match counterpart(mnemonic) {
            Some(name) => builder.value(name, &operands, r#type, &[])?,
            None => return Ok(()),
        },
    };
    builder.replace_uses(result.into(), same, None);
    Ok(())
}

/// The op of `arith` that computes the same.
fn counterpart(mnemonic: &str) -> Option<&'static str> {
    Some(match mnemonic {
        "add" => "arith.addi",
        "sub" => "arith.subi",
        "mul" => "arith.muli",
        "divs" => "arith.divsi",
        "divu" => "arith.divui",
        "ceildivs" => "arith.ceildivsi",
        "ceildivu" => "arith.ceildivui",
        "floordivs" => "arith.floordivsi",
        "rems" => "arith.remsi",
        "remu" => "arith.remui",
        "maxs" => "arith.maxsi",
        "maxu" => "arith.maxui",
        "mins" => "arith.minsi",
        "minu" => "arith.minui",
        "shl" => "arith.shli",
        "shrs" => "arith.shrsi",
        "shru" => "arith.shrui",
        "and" => "arith.andi",
        "or" => "arith.ori",
        "xor" => "arith.xori",
        _ => return None,
    })
}

/// What `index.cmp` asks, from its attribute's text.
fn predicate(attribute: &str) -> Option<Predicate> {
    let name = attribute
        .trim_end_matches(['>', ')'])
        .rsplit(['(', ' '])
        .next()?;
    Some(match name {
        "eq" => Predicate::Eq,
        "ne" => Predicate::Ne,
        "slt" => Predicate::Slt,
        "sle" => Predicate::Sle,
        "sgt" => Predicate::Sgt,
        "sge" => Predicate::Sge,
        "ult" => Predicate::Ult,
        "ule" => Predicate::Ule,
        "ugt" => Predicate::Ugt,
        "uge" => Predicate::Uge,
        _ => return None,
    })
}
