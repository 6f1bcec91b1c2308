//! Numbers that a kernel of one thread copies to where they are needed are computed there, and the kernel goes: a fold of the whole
//! grid leaves its number in memory of its own, which is then copied.
//!
//! That is right if the number's own memory is used by kernels before only, and nothing uses the memory that it is copied to
//! meanwhile.

use comb_kit::{
    pass_error::PassError,
    walk::{is_there_before, operations, ops_of},
};
use melior::ir::{
    BlockRef, OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::{cast, is_a},
    view::{OpView, definition, integer_constant, op_name, uses},
};

use super::{Ops, launch_around, may_be_same};

/// The operands of a `gpu.launch` that are sizes.
const SIZES: usize = 6;

/// A kernel that copies a number: from memory of its own to an element.
struct Copy<'c, 'a> {
    kernel: OperationRef<'c, 'a>,
    from: OperationRef<'c, 'a>,
    load: OperationRef<'c, 'a>,
    store: OperationRef<'c, 'a>,
}

/// Has numbers of a block computed where they would be copied to.
pub(super) fn forward<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Result<(), PassError<'c>> {
    loop {
        let ops = ops_of(block);
        let mut copies = ops.iter().flat_map(|&op| Copy::all_of(op));
        let Some(copy) = copies.find(|copy| copy.can_go(&ops)) else {
            return Ok(());
        };
        copy.go()?;
    }
}

impl<'c: 'a, 'a> Copy<'c, 'a> {
    /// The copies that a kernel of one thread makes.
    fn all_of(kernel: OperationRef<'c, 'a>) -> Vec<Self> {
        let is_one = |size: Value| integer_constant(size) == Some(1);
        let sizes: Values = kernel.operands().collect();
        if op_name(kernel) != "gpu.launch" || sizes.len() != SIZES || !sizes.into_iter().all(is_one)
        {
            return vec![];
        }
        let body = OpView::of(kernel).block().map(ops_of).unwrap_or_default();
        let loads = body.iter().filter(|&&op| op_name(op) == "memref.load");
        loads.filter_map(|&load| Self::of(kernel, load)).collect()
    }

    fn of(kernel: OperationRef<'c, 'a>, load: OperationRef<'c, 'a>) -> Option<Self> {
        let [(store, 0)] = uses(load.result(0).ok()?.into())[..] else {
            return None;
        };
        let from = definition(load.operand(0).ok()?)?;
        let is_copy = op_name(store) == "memref.store" && store.block() == load.block();
        let is_number = op_name(from) == "memref.alloc"
            && from.block() == kernel.block()
            && cast::<MemRefType>(from.result(0).ok()?.r#type())?.rank() == 0;
        (is_copy && is_number).then_some(Self {
            kernel,
            from,
            load,
            store,
        })
    }

    /// Where the number is copied to: the memory, and the index.
    fn target(&self) -> Values<'c, 'a> {
        self.store.operands().skip(1).collect()
    }

    fn accesses(&self) -> Vec<(OperationRef<'c, 'a>, usize)> {
        self.from
            .result(0)
            .map_or_else(|_| vec![], |memory| uses(memory.into()))
    }

    fn can_go(&self, ops: &Ops<'c, 'a>) -> bool {
        let target = self.target();
        let is_there = target
            .iter()
            .all(|&value| is_there_before(value, self.from));
        let is_known_access = |&(user, position): &(OperationRef<'c, 'a>, usize)| {
            matches!(
                (op_name(user), position),
                ("memref.load", 0) | ("memref.store", 1)
            ) && launch_around(user).is_some_and(|launch| ops.contains(&launch))
        };
        let place = |of: OperationRef<'c, 'a>| ops.iter().position(|&op| op == of);
        let (Some(first), Some(last)) = (place(self.from), place(self.kernel)) else {
            return false;
        };
        let is_before = |&(user, _): &(OperationRef<'c, 'a>, usize)| {
            launch_around(user)
                .and_then(place)
                .is_some_and(|place| place < last || user == self.load)
        };
        let beside = operations(self.kernel);
        let mut beside = beside.into_iter().filter(|&op| op != self.store);
        let accesses = self.accesses();
        let is_private = accesses
            .iter()
            .all(|access| is_known_access(access) && is_before(access));
        let mut between = ops[first + 1..last].iter().copied();
        is_there
            && is_private
            && !between.any(|op| uses_memory(op, target[0]))
            && !beside.any(|op| uses_memory(op, target[0]))
    }

    /// Has all that uses the number's memory use the other one.
    fn go(&self) -> Result<(), PassError<'c>> {
        let target = self.target();
        for (user, _) in self.accesses() {
            let Some(builder) = Builder::before(user).filter(|_| user != self.load) else {
                continue;
            };
            if op_name(user) == "memref.load" {
                let number = builder.load(target[0], &target[1..])?;
                builder.replace(user, &[number]);
            } else {
                builder.store(user.operand(0)?, target[0], &target[1..])?;
                builder.erase(user);
            }
        }
        let Some(builder) = Builder::before(self.kernel) else {
            return Ok(());
        };
        builder.erase(self.store);
        builder.erase(self.load);
        builder.erase(self.from);
        let left = OpView::of(self.kernel).block().map(ops_of);
        if left.is_some_and(|left| left.len() == 1) {
            builder.erase(self.kernel);
        }
        Ok(())
    }
}

/// Whether an op, or one inside it, may use memory.
fn uses_memory<'c: 'a, 'a>(op: OperationRef<'c, 'a>, memory: Value<'c, 'a>) -> bool {
    let mut inside = operations(op);
    inside.push(op);
    inside.into_iter().any(|op| {
        let operands: Values = op.operands().collect();
        let mut arrays = operands
            .into_iter()
            .filter(|operand| is_a::<MemRefType>(operand.r#type()));
        op_name(op) == "func.call" || arrays.any(|array| may_be_same(array, memory))
    })
}
