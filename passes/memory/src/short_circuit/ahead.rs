//! What has to be executed before an array is computed, so that it can be computed where it goes.
//!
//! That is what says where that is, the memory there, and all checks in front of the copy: nothing may
//! be written to a place that is not known to exist. Memory that begins as a copy of another one, as
//! that for a parameter, is filled before.
//!
//! Cost: linear in the ops between the first use of the array and its copy.

use std::collections::HashSet;

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    cast::Parts,
    view::{definition, op_name},
};

use super::{
    aliases::{Aliases, base, is_allocated},
    refusal::Refusal,
};
use comb_fuse::fuse::{captures::captured, effects::has_effects};
use comb_kit::{
    views::is_view,
    walk::{is_there_before, op_key, operations},
};
use comb_nest::elements::accesses::{Access, accesses};

/// Dialects whose ops do nothing but compute, and read and write memory.
const QUIET: &[&str] = &[
    "affine", "arith", "index", "linalg", "math", "memref", "nest", "scf", "ub", "vector",
];

/// Where to, from where, and what is in between.
pub(super) struct Between<'s, 'c, 'a> {
    /// In front of which all has to be known.
    pub first: OperationRef<'c, 'a>,
    /// The ops from there on that are executed before the copy, outermost ones.
    pub ops: &'s [OperationRef<'c, 'a>],
    /// The same.
    pub keys: &'s HashSet<usize>,
    pub aliases: &'s Aliases,
}

impl<'c: 'a, 'a> Between<'_, 'c, 'a> {
    /// The ops to be moved, in order.
    pub fn ahead(
        &self,
        dest: Value<'c, 'a>,
        numbers: &[Value<'c, 'a>],
    ) -> Result<Vec<OperationRef<'c, 'a>>, Refusal> {
        let mut moved = HashSet::new();
        for &value in numbers.iter().chain([&dest]) {
            self.need(value, &mut moved).map_err(Refusal::Late)?;
        }
        for &op in self.ops {
            if op_name(op) == "soac.check" {
                for operand in op.operands() {
                    self.need(operand, &mut moved).map_err(Refusal::LateCheck)?;
                }
                moved.insert(op_key(op));
            } else if !is_quiet(op) {
                return Err(Refusal::Effects(op_name(op).to_owned()));
            }
        }
        if let Some(filling) = self.filling(dest, &moved) {
            moved.insert(op_key(filling));
        }
        let mut ahead = self.ops.to_vec();
        ahead.retain(|&op| moved.contains(&op_key(op)));
        Ok(ahead)
    }

    /// Makes sure that a value can be there before; gives the name of the op for which that is not so.
    fn need(&self, value: Value<'c, 'a>, moved: &mut HashSet<usize>) -> Result<(), String> {
        if is_there_before(value, self.first) {
            return Ok(());
        }
        let op = definition(value).ok_or("a loop")?;
        if moved.contains(&op_key(op)) {
            return Ok(());
        }
        let is_here = self.keys.contains(&op_key(op));
        if !is_here || !can_move(op) {
            return Err(op_name(op).to_owned());
        }
        for operand in op.operands().chain(captured(op)) {
            self.need(operand, moved)?;
        }
        moved.insert(op_key(op));
        Ok(())
    }

    /// The copy that fills memory which is to be there before.
    fn filling(&self, dest: Value<'c, 'a>, moved: &HashSet<usize>) -> Option<OperationRef<'c, 'a>> {
        let memory = base(dest);
        let allocation = definition(memory).filter(|_| is_allocated(memory))?;
        if !moved.contains(&op_key(allocation)) {
            return None;
        }
        let is_filling = |&op: &OperationRef<'c, 'a>| {
            op_name(op) == "memref.copy" && op.operand_at(1).is_some_and(|target| target == memory)
        };
        let position = self.ops.iter().position(is_filling)?;
        let filling = self.ops[position];
        let source = filling.operand_at(0)?;
        let before = self.ops[..position].iter();
        let mut before = before.flat_map(|&op| accesses(op));
        let disturbs = |access: &Access<'c, 'a>| {
            access.may_write() && self.aliases.may_be_same(access.name, source)
                || base(access.name) == memory
        };
        let is_free = !before.any(|access| disturbs(&access));
        (is_free && is_there_before(source, self.first)).then_some(filling)
    }
}

/// Whether an op gives the same wherever it stands.
fn can_move(op: OperationRef) -> bool {
    op_name(op) == "memref.alloc" || is_view(op) || !has_effects(op)
}

/// Whether an op, with all in it, does nothing that a check must not overtake.
pub fn is_quiet(op: OperationRef) -> bool {
    let all = std::iter::once(op).chain(operations(op));
    all.into_iter().all(|op| {
        let dialect = op_name(op).split('.').next().unwrap_or_default();
        QUIET.contains(&dialect) || op_name(op) == "soac.check" || !has_effects(op)
    })
}
