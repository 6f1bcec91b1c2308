//! `comb-number-cases`: branches by cases that `scf.index_switch` cannot name.
//!
//! `lift-cf-to-scf` makes an `scf.index_switch` of a `cf.switch`. Its verifier takes a case of 2^63 − 1
//! for one that is there twice, and of a number of more than 64 bits it looks at the lowest. Here, the
//! cases of such a branch are numbered, and its number is compared with each.
//!
//! Cost: linear in the number of ops and cases.

use comb_kit::{checks::emit::integer_width, pass_error::PassError, walk::operations};
use melior::{
    Error,
    ir::{
        OperationRef, Type, ValueLike, attribute::DenseElementsAttribute, operation::OperationLike,
    },
};
use soac_dialect::{
    builder::{Builder, Values},
    view::{op_name, set_attribute},
};

use crate::narrow_switches::position;

/// The bits of an `scf.index_switch`'s cases.
const BITS: u32 = 64;

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let ops = operations(module).into_iter();
    for op in ops.filter(|&op| op_name(op) == "cf.switch") {
        let Ok(cases) = op
            .attribute("case_values")
            .and_then(DenseElementsAttribute::try_from)
        else {
            continue;
        };
        if !can_be_named(op, &cases)? {
            number(op, &cases)?;
        }
    }
    Ok(())
}

fn can_be_named(op: OperationRef, cases: &DenseElementsAttribute) -> Result<bool, Error> {
    Ok(match integer_width(op.operand(0)?.r#type()) {
        Some(BITS) => (0..cases.len()).all(|case| cases.i64_element(case) != Ok(i64::MAX)),
        width => width.is_some_and(|width| width < BITS),
    })
}

fn number<'c>(op: OperationRef<'c, '_>, cases: &DenseElementsAttribute<'c>) -> Result<(), Error> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let number = op.operand(0)?;
    let values = values(&builder, cases, number.r#type())?;
    let position = position(&builder, number, &values, builder.integer_type(BITS))?;
    let numbers: Vec<i64> = (0..cases.len() as i64).collect();
    let list = builder.r#type(&format!("tensor<{}xi{BITS}>", cases.len()))?;
    let numbers = DenseElementsAttribute::i64_values(list, &numbers);
    set_attribute(op, "case_values", numbers.into());
    builder.set_operand(op, 0, position);
    Ok(())
}

/// The cases as values.
fn values<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    cases: &DenseElementsAttribute<'c>,
    r#type: Type<'c>,
) -> Result<Values<'c, 'a>, Error> {
    let list = builder.r#type(&format!("tensor<{}x{}>", cases.len(), r#type))?;
    let listed = cases.reshape(list).into();
    let list = builder.value("arith.constant", &[], list, &[("value", listed)])?;
    (0..cases.len() as i64)
        .map(|case| builder.extract(list, &[builder.index(case)?]))
        .collect()
}
