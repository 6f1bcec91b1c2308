//! About how long loops are whose length depends on the iteration of one around, such as the pieces of a loop
//! that is cut, or the rows of a triangle: as long as in the middle of the loops around.
//!
//! Cost: linear in the ops that compute a length, [`DEPTH`] of them in a row at most.

use comb_kit::checks::facts::key;
use comb_nest::nests::Nest;
use melior::ir::{OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    cast::Parts,
    view::{as_result, definition, op_name},
};

use super::Emitted;
use crate::{
    lanes::lambda::{Local, lookup},
    nest_schedule::known::{DEPTH, is_computed_again},
};

/// What is computed for estimates besides what numbers before loops are. A divisor is 1 at least, since an
/// iteration that does not run must not fail.
const DIVISIONS: &[&str] = &["arith.divsi", "arith.divui", "arith.remsi", "arith.remui"];

/// Loops around, with their lengths.
pub(super) struct Around<'c, 'a>(Vec<(Nest<'c, 'a>, Value<'c, 'a>)>);

impl<'c: 'a, 'a> Around<'c, 'a> {
    /// Of an outermost loop.
    pub(super) fn outermost(nest: &Nest<'c, 'a>, length: Value<'c, 'a>) -> Self {
        Self(vec![(Nest::of(nest.op), length)])
    }

    /// Runs something for what is in a loop inside.
    pub(super) fn inside<T>(
        &mut self,
        nest: &Nest<'c, 'a>,
        length: Option<Value<'c, 'a>>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.0.len();
        self.0
            .extend(length.map(|length| (Nest::of(nest.op), length)));
        let result = run(self);
        self.0.truncate(before);
        result
    }

    /// About what a number in these loops is, before them; nothing if that cannot be said.
    pub(super) fn estimate(
        &self,
        builder: &Builder<'c, 'a>,
        local: &Local<'c, 'a>,
        number: Value<'c, 'a>,
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        self.at_depth(builder, local, number, DEPTH)
    }

    fn at_depth(
        &self,
        builder: &Builder<'c, 'a>,
        local: &Local<'c, 'a>,
        number: Value<'c, 'a>,
        depth: usize,
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        if !self.0[0].0.defines(number) {
            return Ok(lookup(local, number).uniform());
        }
        if let Some(length) = self.length_of_index(number) {
            let middle = builder.arithmetic("arith.shrui", &[length, builder.index(1)?])?;
            return Ok(Some(middle));
        }
        let (Some(op), Some(result)) = (definition(number), as_result(number)) else {
            return Ok(None);
        };
        if depth == 0 || !(is_computed_again(op) || is_division(op)) {
            return Ok(None);
        }
        let mut operands = vec![];
        for operand in op.operands() {
            match self.at_depth(builder, local, operand, depth - 1)? {
                Some(about) => operands.push(about),
                None => return Ok(None),
            }
        }
        if let (true, &[dividend, divisor]) = (is_division(op), operands.as_slice()) {
            let divisor = builder.arithmetic("arith.maxsi", &[divisor, builder.index(1)?])?;
            return Ok(Some(builder.arithmetic(op_name(op), &[dividend, divisor])?));
        }
        let known: Vec<_> = op.operands().map(key).zip(operands).collect();
        let copy = builder.copy(op, &mut |value| {
            let mut known = known.iter().filter(|(old, _)| *old == key(value));
            known.next().map_or(value, |&(_, about)| about)
        });
        Ok(copy.result_at(result.result_number()).map(Into::into))
    }

    fn length_of_index(&self, number: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let mut around = self.0.iter();
        let found = around.find(|(nest, _)| nest.index() == Some(number));
        found.map(|&(_, length)| length)
    }
}

fn is_division(op: OperationRef) -> bool {
    let is_index = |value: Value| value.r#type().is_index();
    DIVISIONS.contains(&op_name(op)) && op.operand_at(0).is_some_and(is_index)
}
