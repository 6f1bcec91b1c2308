//! Numbers that a loop of the host carries, and only hands on, are carried in memory: what an iteration stores there is read by
//! kernels of the next. So a method of conjugate gradients, whose sums scale vectors, runs without the host waiting for them.
//!
//! A number is carried so if it is computed of elements, and all that uses it, or what is given for it, are kernels, elements
//! that are written, arithmetic with such uses, and places of such numbers at the end of an iteration.

use comb_kit::{
    pass_error::PassError,
    walk::{first_block, ops_of},
};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::{
    builder::Builder,
    view::{definition, op_name, set_operand, uses},
};

use super::{is_arithmetic, launch_around};

/// The operands of a loop before what it begins with.
const BOUNDS: usize = 3;

/// A loop that carries something.
struct Carrying<'c, 'a> {
    op: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
    end: OperationRef<'c, 'a>,
}

/// Has a loop carry in memory what can be.
pub(super) fn carry<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
    let Some(carrying) = Carrying::of(op) else {
        return Ok(());
    };
    for position in carrying.chosen() {
        carrying.to_memory(position)?;
    }
    Ok(())
}

impl<'c: 'a, 'a> Carrying<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let body = first_block(op).filter(|_| op_name(op) == "scf.for")?;
        let end = ops_of(body).last().copied()?;
        Some(Self { op, body, end })
    }

    fn argument(&self, position: usize) -> Option<Value<'c, 'a>> {
        Some(self.body.argument(position + 1).ok()?.into())
    }

    /// The numbers that are carried in memory.
    fn chosen(&self) -> Vec<usize> {
        let mut chosen: Vec<usize> = (0..self.op.result_count())
            .filter(|&position| self.is_of_elements(position))
            .collect();
        loop {
            let kept: Vec<usize> = chosen
                .iter()
                .copied()
                .filter(|&position| {
                    let given = self.end.operand(position).ok();
                    let both = [self.argument(position), given];
                    both.into_iter()
                        .all(|value| value.is_some_and(|value| self.is_handed_on(value, &chosen)))
                })
                .collect();
            if kept.len() == chosen.len() {
                return chosen;
            }
            chosen = kept;
        }
    }

    /// Whether a number is carried that an iteration computes of elements.
    fn is_of_elements(&self, position: usize) -> bool {
        let Ok(given) = self.end.operand(position) else {
            return false;
        };
        let r#type = given.r#type();
        let is_number = r#type.is_float() || r#type.is_index() || r#type.is_integer();
        is_number && self.depends_on_load(given)
    }

    fn depends_on_load(&self, value: Value<'c, 'a>) -> bool {
        let Some(op) = definition(value).filter(|op| op.block() == Some(self.body)) else {
            return false;
        };
        op_name(op) == "memref.load"
            || is_arithmetic(op) && op.operands().any(|operand| self.depends_on_load(operand))
    }

    /// Whether all that uses a value hands it on, if these numbers are carried in memory.
    fn is_handed_on(&self, value: Value<'c, 'a>, chosen: &[usize]) -> bool {
        uses(value).into_iter().all(|(user, position)| {
            if user == self.end {
                return chosen.contains(&position);
            }
            if user.block() != Some(self.body) {
                let launch = launch_around(user);
                return launch.is_some_and(|launch| launch.block() == Some(self.body));
            }
            match op_name(user) {
                "memref.store" => position == 0,
                _ => {
                    is_arithmetic(user)
                        && user
                            .results()
                            .all(|result| self.is_handed_on(result.into(), chosen))
                }
            }
        })
    }

    fn to_memory(&self, position: usize) -> Result<(), PassError<'c>> {
        let first = ops_of(self.body).first().copied();
        let (Some(front), Some(inside), Some(end), Some(behind), Some(argument)) = (
            Builder::before(self.op),
            first.and_then(Builder::before),
            Builder::before(self.end),
            Builder::after(self.op),
            self.argument(position),
        ) else {
            return Ok(());
        };
        let memory = front.allocate(&[], argument.r#type())?;
        front.store(self.op.operand(BOUNDS + position)?, memory, &[])?;
        // What the loop itself carries is not used any more.
        let nothing = match argument.r#type().is_float() {
            true => front.float(0.0, argument.r#type())?,
            false => front.integer(0, argument.r#type())?,
        };
        set_operand(self.op, BOUNDS + position, nothing);
        let given = self.end.operand(position)?;
        let carried = inside.load(memory, &[])?;
        inside.replace_uses(argument, carried, None);
        end.store(given, memory, &[])?;
        set_operand(self.end, position, argument);
        let last = behind.load(memory, &[])?;
        let result: Value = self.op.result(position)?.into();
        behind.replace_uses(result, last, None);
        Ok(())
    }
}
