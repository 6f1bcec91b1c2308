//! `comb-narrow-switches`: switches look at all bits.
//!
//! Upstream lowers `scf.index_switch` to a branch on the low 32 bits of its number. Here a number
//! that does not fit them becomes one that is no case, which takes a comparison. If there are
//! cases that do not fit, all are numbered, and the number is compared with each.
//!
//! Cost: linear in the number of ops and cases.

use comb_kit::{
    pass_error::PassError,
    ranges::{Range, range},
    walk::operations,
};
use melior::{
    Error,
    ir::{OperationRef, Type, Value, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::{OpView, op_name, set_attribute},
};

/// The bits that upstream looks at.
const BITS: u32 = 32;

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let switches = operations(module).into_iter();
    for op in switches.filter(|&op| op_name(op) == "scf.index_switch") {
        narrow(op)?;
    }
    Ok(())
}

fn narrow<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let (number, cases) = (op.operand(0)?, OpView::of(op).integers("cases"));
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let narrow = match cases.iter().all(|&case| i32::try_from(case).is_ok()) {
        true if fits(number) => return Ok(()),
        true => cut(&builder, number, &cases)?,
        false => {
            let numbers: Vec<i64> = (0..cases.len() as i64).collect();
            set_attribute(op, "cases", builder.integers(&numbers));
            let cases = cases.iter().map(|&case| builder.index(case));
            let cases = cases.collect::<Result<Vec<_>, _>>()?;
            position(&builder, number, &cases, builder.index_type())?
        }
    };
    builder.set_operand(op, 0, narrow);
    Ok(())
}

fn fits(number: Value) -> bool {
    let all = Range::signed(BITS);
    range(number).is_some_and(|range| all.least <= range.least && range.greatest <= all.greatest)
}

/// The number, or one that is no case if it does not fit.
fn cut<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    cases: &[i64],
) -> Result<Value<'c, 'a>, Error> {
    let (word, index) = (builder.integer_type(BITS), builder.index_type());
    let low = builder.value("arith.index_cast", &[number], word, &[])?;
    let same = builder.value("arith.index_cast", &[low], index, &[])?;
    let fits = builder.compare(Predicate::Eq, same, number)?;
    builder.select(fits, number, builder.index(no_case(cases))?)
}

/// The least number from 0 that is no case.
fn no_case(cases: &[i64]) -> i64 {
    (0..).find(|number| !cases.contains(number)).unwrap_or(-1)
}

/// A number's position among cases, or how many there are if it is none, as a number of a type.
///
/// # Errors
///
/// If MLIR rejects the ops.
pub fn position<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
    cases: &[Value<'c, 'a>],
    positions: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let none = builder.integer(cases.len() as i64, positions)?;
    cases
        .iter()
        .enumerate()
        .try_rfold(none, |found, (position, &case)| {
            let is_case = builder.compare(Predicate::Eq, number, case)?;
            builder.select(is_case, builder.integer(position as i64, positions)?, found)
        })
}

#[cfg(test)]
mod tests {
    use super::no_case;

    #[test]
    fn the_least_number_that_is_no_case() {
        assert_eq!(no_case(&[]), 0);
        assert_eq!(no_case(&[1, -1]), 0);
        assert_eq!(no_case(&[1, 0, 3]), 2);
    }
}
