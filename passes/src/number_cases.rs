//! `comb-number-cases`: branches by cases that `scf.index_switch` cannot name.
//!
//! `lift-cf-to-scf` makes an `scf.index_switch` of a `cf.switch`. Its verifier takes a case of 2^63 − 1
//! for one that is there twice, and of a number of more than 64 bits it looks at the lowest. Here, the
//! cases of such a branch are numbered, and its number is compared with each.
//!
//! Cost: linear in the number of ops and cases.

use melior::{
    Error,
    ir::{
        OperationRef, Value, ValueLike, attribute::DenseElementsAttribute, operation::OperationLike,
    },
};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::{op_name, set_attribute},
};

use crate::{bridge::PassError, checks::emit::integer_width, walk::operations};

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
    let position = position(&builder, op.operand(0)?, cases)?;
    let numbers: Vec<i64> = (0..cases.len() as i64).collect();
    let list = builder.r#type(&format!("tensor<{}xi{BITS}>", cases.len()))?;
    let numbers = DenseElementsAttribute::i64_values(list, &numbers);
    set_attribute(op, "case_values", numbers.into());
    builder.set_operand(op, 0, position);
    Ok(())
}

/// A number's position among the cases, or how many there are if it is none.
fn position<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    cases: &DenseElementsAttribute<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let list = builder.r#type(&format!("tensor<{}x{}>", cases.len(), number.r#type()))?;
    let cases_listed = cases.reshape(list).into();
    let list = builder.value("arith.constant", &[], list, &[("value", cases_listed)])?;
    let constant = |number| builder.integer(number, builder.integer_type(BITS));
    (0..cases.len() as i64).try_rfold(constant(cases.len() as i64)?, |found, case| {
        let value = builder.extract(list, &[builder.index(case)?])?;
        let is_case = builder.compare(Predicate::Eq, number, value)?;
        builder.select(is_case, constant(case)?, found)
    })
}
