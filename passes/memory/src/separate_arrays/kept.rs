//! Destinations that ops of `linalg` do not overwrite entirely.
//!
//! Bufferization takes it that an op which does not read its destination writes all of it: what was there
//! before need not be in the memory that the op is given. But an op may write only some elements, or none, as
//! where a loop runs 0 times; the others stay what they were. So where it is not known that each element is
//! written, the op's region reads what was there, for a choice that is always the other one: simplification
//! removes it again when the program is in memory.
//!
//! And it takes it that `linalg.map` never reads its destination. One that does gets a copy.

use std::collections::HashSet;

use melior::{
    Error,
    ir::{BlockLike, OperationRef, operation::OperationLike},
};
use soac_dialect::{
    builder::Builder,
    cast::Parts,
    view::{op_name, uses},
};

use super::copy;
use comb_kit::{
    checks::affine::{Expression, Map, indexing_maps},
    known_sizes::known_size,
    pass_error::PassError,
    walk::{first_block, operations},
};

/// Has ops of a module read the destinations that they need.
pub(super) fn read<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    for op in operations(module) {
        let unread = overwritten(op);
        if op_name(op) == "linalg.map" && unread.is_empty() {
            copy_destination(op)?;
        }
        for operand in unread {
            if !writes_all(op, operand) {
                read_destination(op, operand)?;
            }
        }
    }
    Ok(())
}

/// The operands that an op of `linalg` writes to without reading them.
fn overwritten(op: OperationRef) -> Vec<usize> {
    let body = first_block(op).filter(|_| op_name(op).starts_with("linalg."));
    let Some(body) = body.filter(|body| body.argument_count() == op.operand_count()) else {
        return vec![];
    };
    let first = op.operand_count().saturating_sub(op.result_count());
    let is_unread = |&operand: &usize| {
        let argument = body.argument(operand);
        argument.is_ok_and(|argument| uses(argument.into()).is_empty())
    };
    (first..op.operand_count()).filter(is_unread).collect()
}

/// Whether an op is known to write each element of an operand.
fn writes_all(op: OperationRef, operand: usize) -> bool {
    let maps = indexing_maps(op).unwrap_or_default();
    let sizes = |operand: usize, axis: usize| known_size(op.operand_at(operand)?, axis);
    covers(&maps, operand, sizes)
}

/// Whether loops write each element of an operand: there are loops for its dimensions, each for one of them, and
/// the other loops are known to run. A dimension of size 1 needs no loop. The sizes that are known of operands'
/// dimensions fit each other.
fn covers(maps: &[Map], operand: usize, known_size: impl Fn(usize, usize) -> Option<i64>) -> bool {
    let Some(map) = maps.get(operand) else {
        return false;
    };
    let mut written = HashSet::new();
    let has_loop = map
        .indices
        .iter()
        .enumerate()
        .all(|(axis, index)| match index {
            Expression::Loop(number) => written.insert(*number),
            Expression::Constant(0) => known_size(operand, axis) == Some(1),
            _ => false,
        });
    let runs = |number: usize| {
        maps.iter().enumerate().any(|(operand, map)| {
            let mut axes = map.indices.iter().enumerate();
            axes.any(|(axis, index)| {
                *index == Expression::Loop(number)
                    && known_size(operand, axis).is_some_and(|size| size > 0)
            })
        })
    };
    has_loop && (0..map.loops).all(|number| written.contains(&number) || runs(number))
}

/// Has an op's region read what was there before.
fn read_destination<'c: 'a, 'a>(op: OperationRef<'c, 'a>, operand: usize) -> Result<(), Error> {
    let Some(body) = first_block(op) else {
        return Ok(());
    };
    let end = body.terminator();
    let Some((end, builder)) = end.and_then(|end| Some((end, Builder::before(end)?))) else {
        return Ok(());
    };
    let result = operand + op.result_count() - op.operand_count();
    let always = builder.integer(1, builder.integer_type(1))?;
    let old = body.argument(operand)?.into();
    let new = builder.select(always, end.operand(result)?, old)?;
    builder.set_operand(end, result, new);
    Ok(())
}

/// Gives an op on arrays a copy of its destination.
fn copy_destination<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let last = op.operand_count().checked_sub(op.result_count());
    match last.filter(|_| op.result_count() == 1) {
        Some(operand) => copy(op, operand, op.operand(operand)?),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use comb_kit::checks::affine::Operator;

    fn map(loops: usize, indices: &[Expression]) -> Map {
        let indices = indices.to_vec();
        Map { loops, indices }
    }

    /// Whether loops write all of the last of some operands.
    fn covers_last(operands: &[(&[Expression], &[Option<i64>])], loops: usize) -> bool {
        let maps: Vec<Map> = operands
            .iter()
            .map(|(indices, _)| map(loops, indices))
            .collect();
        covers(&maps, maps.len() - 1, |operand, axis| {
            operands[operand].1[axis]
        })
    }

    const I: Expression = Expression::Loop(0);
    const J: Expression = Expression::Loop(1);
    const ZERO: Expression = Expression::Constant(0);

    #[test]
    fn a_permutation_covers_all() {
        let input: (&[_], &[_]) = (&[I, J], &[None, None]);
        assert!(covers_last(&[input, (&[J, I], &[None, None])], 2));
    }

    #[test]
    fn other_loops_have_to_run() {
        let output: (&[_], &[_]) = (&[I], &[None]);
        for (size, covers) in [(None, false), (Some(0), false), (Some(3), true)] {
            assert_eq!(covers_last(&[(&[I, J], &[None, size]), output], 2), covers);
        }
    }

    #[test]
    fn an_index_without_a_loop_is_the_only_one() {
        for (size, covers) in [(None, false), (Some(2), false), (Some(1), true)] {
            assert_eq!(covers_last(&[(&[I, ZERO], &[None, size])], 1), covers);
        }
        assert!(!covers_last(&[(&[I, I], &[None, None])], 1));
        let twice = Expression::Binary(Operator::Multiply, Box::new((I, Expression::Constant(2))));
        assert!(!covers_last(&[(&[I], &[None]), (&[twice], &[None])], 1));
    }
}
