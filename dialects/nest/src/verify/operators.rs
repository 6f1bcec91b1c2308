//! Folds and scans, and the operators of these and of scatters.

use melior::ir::{OperationRef, Type, operation::OperationLike};
use soac_dialect::{
    description::type_list,
    view::{OpView, op_name},
};

use super::{Verified, Violation, argument_types, body, require_results, require_yield, types};

pub(super) fn verify_operator<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Verified {
    let view = OpView::of(op);
    let [values, accumulators, neutrals] =
        [0, 1, 2].map(|group| types(view.operands[view.group(group)].iter().copied()));
    if values.is_empty() {
        return Err(Violation::NoValues);
    }
    require_count("accumulators", accumulators.len(), values.len())?;
    require_count("neutral elements", neutrals.len(), values.len())?;
    let results = types(op.results().map(Into::into));
    let expected = match op_name(op) {
        "nest.scan" => [values.as_slice(), values.as_slice()].concat(),
        _ => values.clone(),
    };
    require_results(&results, &expected)?;
    for others in [&accumulators, &neutrals] {
        if *others != values {
            return Err(Violation::Types {
                actual: type_list(others),
                expected: type_list(&values),
            });
        }
    }
    verify_operator_of(op, &[values.clone(), values.clone()].concat(), &values)
}

pub(super) fn verify_operator_of<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    arguments: &[Type<'c>],
    yields: &[Type<'c>],
) -> Verified {
    let (block, last) = body(op)?;
    let actual = argument_types(block);
    if actual != arguments {
        return Err(Violation::Arguments {
            actual: type_list(&actual),
            expected: type_list(arguments),
        });
    }
    require_yield(&types(last.operands()), yields)
}

pub(super) fn require_count(what: &'static str, actual: usize, expected: usize) -> Verified {
    match actual == expected {
        true => Ok(()),
        false => Err(Violation::Count {
            what,
            actual,
            expected,
        }),
    }
}
