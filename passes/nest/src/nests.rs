//! The loops of a kernel, and what stands in each.
//!
//! Cost: linear in the size of the kernel.

use comb_kit::{
    checks::facts::{constant, key},
    commutativity::is_commutative,
    views::is_view,
    walk::{blocks, operations},
};
use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use nest_dialect::carried::{arguments, changes};
use soac_dialect::{
    cast::{Arguments, Parts},
    view::{OpView, argument_of, as_result, definition, op_name, uses},
};

/// A loop, and what stands in it.
pub struct Nest<'c, 'a> {
    /// The loop.
    pub op: OperationRef<'c, 'a>,
    /// The loops inside.
    pub inner: Vec<Nest<'c, 'a>>,
    /// What else is in it, in branches and operators as well, but not in loops inside.
    pub ops: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// The outermost loops of a kernel.
    pub fn in_kernel(kernel: OperationRef<'c, 'a>) -> Vec<Self> {
        let (mut inner, mut ops) = (vec![], vec![]);
        collect(kernel, &mut inner, &mut ops);
        inner
    }

    /// A loop.
    pub fn of(op: OperationRef<'c, 'a>) -> Self {
        let (mut inner, mut ops) = (vec![], vec![]);
        collect(op, &mut inner, &mut ops);
        Self { op, inner, ops }
    }

    /// What is around it and runs one iteration after the other, with all that is in it.
    pub fn sequential_around(&self) -> Option<&'a str> {
        let around = comb_kit::walk::ancestors(self.op).map(|op| op_name(op));
        let mut around = around.take_while(|&name| name != "nest.kernel");
        around.find(|name| !matches!(*name, "nest.loop" | "nest.keep" | "scf.if"))
    }

    /// Whether there is no loop inside.
    pub fn is_innermost(&self) -> bool {
        self.inner.is_empty()
    }

    /// What is in it, and in the loops inside, but not these loops themselves.
    pub fn deep_ops(&self) -> Vec<OperationRef<'c, 'a>> {
        let inner = self.inner.iter().flat_map(Self::deep_ops);
        self.ops.iter().copied().chain(inner).collect()
    }

    /// The innermost loops inside, or the loop itself.
    pub fn innermost(&self) -> Vec<&Self> {
        match self.is_innermost() {
            true => vec![self],
            false => self.inner.iter().flat_map(Self::innermost).collect(),
        }
    }

    /// How often it runs.
    pub fn length(&self) -> Option<Value<'c, 'a>> {
        self.op.operand_at(0)
    }

    /// How often it runs, if that is known.
    pub fn known_length(&self) -> Option<u64> {
        let length = constant(self.length()?)?;
        Some(length.max(0).unsigned_abs())
    }

    /// The index of its iterations.
    pub fn index(&self) -> Option<Value<'c, 'a>> {
        index_of(self.op)
    }

    /// Whether a value is defined in it.
    pub fn defines(&self, value: Value<'c, 'a>) -> bool {
        let owner = definition(value).or_else(|| argument_of(value).map(|(op, _)| op));
        owner.is_some_and(|owner| {
            let around = std::iter::once(owner).chain(comb_kit::walk::ancestors(owner));
            let is_own_result = definition(value).is_some_and(|op| op == self.op);
            !is_own_result && around.into_iter().any(|op| op == self.op)
        })
    }

    /// What changes the numbers that it carries: folds, scans and filters.
    pub fn changed(&self) -> Vec<Changed<'c, 'a>> {
        changed(self.op)
    }

    /// Whether each number that it carries is changed by one op, which changes no others: only then
    /// can parts of the loop be put together.
    pub fn is_changed_once(&self) -> bool {
        let arguments = arguments(self.op);
        let mut changing = arguments.iter().map(|&argument| changing(argument));
        let is_whole = |changed: &Changed| {
            op_name(changed.op) == "nest.keep"
                || OpView::of(changed.op).group(1).len() == changed.positions.len()
        };
        changing.all(|changing| changing.len() <= 1) && self.changed().iter().all(is_whole)
    }

    /// Whether it carries scans or filters, so that parts of it have to know what is before them.
    pub fn is_chained(&self) -> bool {
        let mut changed = self.changed().into_iter();
        changed.any(|changed| op_name(changed.op) != "nest.fold")
    }

    /// Whether nothing goes from iteration to iteration but folds in any order, of which there is
    /// one at least.
    pub fn only_folds(&self) -> bool {
        let mut has_fold = false;
        let in_any_order = self.ops.iter().all(|&op| match op_name(op) {
            "nest.fold" => {
                has_fold = true;
                is_commutative(&OpView::of(op))
            }
            "nest.scan" | "nest.keep" | "nest.scatter" => false,
            _ => true,
        });
        in_any_order && has_fold
    }

    /// Whether the loop carries a value from one of its iterations to the next.
    pub fn carries(&self, value: Value<'c, 'a>) -> bool {
        let mut chain = chain(value);
        chain.any(|value| argument_of(value).is_some_and(|(op, _)| op == self.op))
    }
}

/// The index of a loop's iterations, without a look at what is in it.
pub fn index_of<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let argument = OpView::of(r#loop).block()?.argument_at(0)?;
    // SAFETY: the argument belongs to the op, which lives for 'a.
    Some(unsafe { Value::from_raw(melior::ir::ValueLike::to_raw(&argument)) })
}

/// An op that changes numbers which a loop carries.
pub struct Changed<'c, 'a> {
    /// The op.
    pub op: OperationRef<'c, 'a>,
    /// Where they are among what the loop carries, in the order of the op.
    pub positions: Vec<usize>,
}

/// What changes the numbers that a loop carries, or what is done for what a filter keeps.
pub fn changed<'c: 'a, 'a>(carrying: OperationRef<'c, 'a>) -> Vec<Changed<'c, 'a>> {
    let mut found: Vec<(OperationRef, Vec<(usize, usize)>)> = vec![];
    for (position, argument) in arguments(carrying).into_iter().enumerate() {
        for (op, operand) in changing(argument) {
            match found.iter_mut().find(|(other, _)| *other == op) {
                Some((_, places)) => places.push((operand, position)),
                None => found.push((op, vec![(operand, position)])),
            }
        }
    }
    let in_order = found.into_iter().map(|(op, mut places)| {
        places.sort_unstable();
        let positions = places.into_iter().map(|(_, position)| position);
        Changed {
            op,
            positions: positions.collect(),
        }
    });
    in_order.collect()
}

/// The folds, scans and filters that change what is carried, from a value on, one after the other.
fn changing<'c: 'a, 'a>(value: Value<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, usize)> {
    let mut found = vec![];
    for (op, operand) in uses(value) {
        let Some(result) = changes(op).and_then(|changes| changes.result_of(operand)) else {
            continue;
        };
        match op_name(op) {
            "nest.fold" | "nest.scan" => found.push((op, operand)),
            "nest.keep" if operand == 1 => found.push((op, operand)),
            "nest.loop" | "nest.keep" => {
                let first = if op_name(op) == "nest.loop" { 1 } else { 2 };
                if let Some(&inside) = arguments(op).get(operand - first) {
                    found.extend(changing(inside));
                }
            }
            _ => {}
        }
        if let Some(result) = op.result_at(result) {
            found.extend(changing(result.into()));
        }
    }
    found
}

fn collect<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    loops: &mut Vec<Nest<'c, 'a>>,
    ops: &mut Vec<OperationRef<'c, 'a>>,
) {
    for block in blocks(op) {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            // SAFETY: what is in a live op is alive as long.
            let op = unsafe { OperationRef::from_raw(op.to_raw()) };
            if op_name(op) == "nest.loop" {
                loops.push(Nest::of(op));
            } else {
                ops.push(op);
                collect(op, loops, ops);
            }
        }
    }
}

/// What a value that is carried was before, one op after the other, out to where it begins.
fn chain<'c: 'a, 'a>(value: Value<'c, 'a>) -> impl Iterator<Item = Value<'c, 'a>> {
    std::iter::successors(Some(value), |&value| before(value))
}

fn before<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    if let Some((op, argument)) = argument_of(value) {
        let first = match op_name(op) {
            "nest.loop" => 0,
            "nest.keep" => 1,
            _ => return None,
        };
        let is_carried = argument > 0;
        return is_carried.then(|| op.operand_at(argument + first))?;
    }
    let op = definition(value)?;
    if is_view(op) {
        return op.operand_at(0);
    }
    let changes = changes(op)?;
    let result = as_result(value)?.result_number();
    let operand = result.checked_sub(changes.first_result)? + changes.operands.start;
    op.operand_at(operand)
}

/// What identifies the array that a value is, or is made of: where it began.
pub fn root<'c: 'a, 'a>(array: Value<'c, 'a>) -> usize {
    key(first(array))
}

/// What an array is, or is made of: where it began.
pub fn first<'c: 'a, 'a>(array: Value<'c, 'a>) -> Value<'c, 'a> {
    chain(array).last().unwrap_or(array)
}

/// How often a loop runs, if that is known.
pub fn length_of<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> Option<u64> {
    Nest::of(r#loop).known_length()
}

/// The kernels of a module, in program order.
pub fn kernels<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = operations(module);
    found.retain(|&op| op_name(op) == "nest.kernel");
    found
}
