//! Elements that the host reads only to hand them on are read by kernels instead, so that the host need not wait for them.
//!
//! 1. What the host computes of elements is a slice: the loads, and arithmetic that depends on them. It is *handed on* if all that uses it
//!    is the slice itself, kernels, and elements that the host writes. Conditions, sizes, indices, checks, and what leaves the block are
//!    other uses; what they need stays ([`handed_on`]).
//! 2. If something may write an element between the load and what needs it, a kernel of one thread sets it aside where it was
//!    loaded ([`set_aside`]), and that is loaded.
//! 3. Kernels get a copy of the slice that they need, which each thread computes; an element that the host writes is written by a
//!    kernel of one thread.
//!
//! Before, numbers that loops carry, and only hand on, become elements ([`carried`]). Behind it, kernels go that only copy a number ([`copied`]).
//!
//! Memory is taken apart by what allocates it: two allocations are different memory, and so is an allocation from a parameter.
//!
//! Cost: quadratic in the number of ops of a block that has such loads.

mod carried;
mod copied;

use std::collections::{HashMap, HashSet};

use comb_kit::{
    pass_error::PassError,
    views::is_view,
    walk::{ancestors, blocks, functions, op_key, operations, ops_of},
};
use melior::ir::{
    BlockRef, OperationRef, Type, Value, ValueLike, operation::OperationLike, r#type::MemRefType,
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::is_a,
    view::{OpView, argument_of, definition, op_name, uses},
};

use crate::nest_to_gpu::launch::{Sizes, count_shared, launch};

type Done<'c, T = ()> = Result<T, PassError<'c>>;

type Ops<'c, 'a> = Vec<OperationRef<'c, 'a>>;

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Done<'c> {
    functions(module).into_iter().try_for_each(sink_in)
}

fn sink_in<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Done<'c> {
    for block in blocks(op) {
        let ops = ops_of(block);
        for &op in ops.iter().filter(|&&op| op_name(op) != "gpu.launch") {
            carried::carry(op)?;
            sink_in(op)?;
        }
        sink(block)?;
        copied::forward(block)?;
    }
    Ok(())
}

/// Sinks what the ops of a block hand on.
fn sink<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Done<'c> {
    let (slice, consumers) = loop {
        let ops = ops_of(block);
        let slice = handed_on(&ops);
        let consumers = consumers(&ops, &slice);
        let unstable = consumers.iter().find_map(|consumer| {
            let mut loads = consumer.slice.iter();
            loads.find(|&&load| {
                op_name(load) == "memref.load" && !is_stable(&ops, load, consumer.op)
            })
        });
        match unstable {
            Some(&load) => set_aside(load)?,
            None => break (slice, consumers),
        };
    };
    for consumer in &consumers {
        consumer.take_over()?;
    }
    for &op in slice.iter().rev() {
        if let Some(builder) = Builder::before(op) {
            builder.erase(op);
        }
    }
    Ok(())
}

/// Has a load read a copy of the element, which nothing else writes.
fn set_aside<'c: 'a, 'a>(load: OperationRef<'c, 'a>) -> Done<'c> {
    let Some(builder) = Builder::before(load) else {
        return Ok(());
    };
    let r#type = load.result(0)?.r#type();
    let aside = builder.allocate(&[], r#type)?;
    let operands: Values = load.operands().collect();
    in_one_thread(&builder, |builder| {
        let element = builder.op_like(load, &operands, &[r#type], vec![])?;
        builder.store(element.result(0)?.into(), aside, &[])?;
        Ok(())
    })?;
    let element = builder.load(aside, &[])?;
    builder.replace(load, &[element]);
    Ok(())
}

/// A kernel of one thread.
fn in_one_thread<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    body: impl FnOnce(&Builder<'c, 'a>) -> Done<'c>,
) -> Done<'c> {
    let one = builder.index(1)?;
    let sizes = Sizes::line(builder, one, one)?;
    count_shared(launch(builder, sizes, |builder, _| body(builder))?);
    Ok(())
}

/// The ops of a block that are only handed on, in order.
fn handed_on<'c: 'a, 'a>(ops: &Ops<'c, 'a>) -> Ops<'c, 'a> {
    let mut slice: Ops = vec![];
    let mut keys = HashSet::new();
    for &op in ops {
        if op_name(op) == "memref.load" || is_arithmetic(op) && depends_on(op, &keys) {
            keys.insert(op_key(op));
            slice.push(op);
        }
    }
    loop {
        let is_used_well = |&op: &OperationRef<'c, 'a>| {
            let mut results = op.results();
            results.all(|result| {
                uses(result.into())
                    .iter()
                    .all(|&used| is_handed(used, op, &keys))
            })
        };
        let kept: Ops = slice.iter().copied().filter(is_used_well).collect();
        // What is computed of what stays, stays.
        let mut known = HashSet::new();
        let kept: Ops = kept
            .into_iter()
            .filter(|&op| {
                let is_kept = op_name(op) == "memref.load" || depends_on(op, &known);
                is_kept && known.insert(op_key(op))
            })
            .collect();
        if kept.len() == slice.len() {
            return slice;
        }
        keys = known;
        slice = kept;
    }
}

fn is_arithmetic(op: OperationRef) -> bool {
    let name = op_name(op);
    (name.starts_with("arith.") || name.starts_with("math.")) && op.region_count() == 0
}

fn depends_on(op: OperationRef, keys: &HashSet<usize>) -> bool {
    let mut operands = op.operands();
    operands.any(|operand| definition(operand).is_some_and(|op| keys.contains(&op_key(op))))
}

/// Whether a use of what an op computes hands it on.
fn is_handed<'c: 'a, 'a>(
    (user, position): (OperationRef<'c, 'a>, usize),
    of: OperationRef<'c, 'a>,
    slice: &HashSet<usize>,
) -> bool {
    let is_beside = |op: OperationRef<'c, 'a>| op.block() == of.block();
    if is_beside(user) {
        let is_written = op_name(user) == "memref.store" && position == 0;
        return is_written || slice.contains(&op_key(user));
    }
    launch_around(user).is_some_and(is_beside)
}

fn launch_around<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    ancestors(op).find(|&op| op_name(op) == "gpu.launch")
}

/// A kernel, or an element that is written, and what it needs of a slice, in order.
struct Consumer<'c, 'a> {
    op: OperationRef<'c, 'a>,
    slice: Ops<'c, 'a>,
}

/// All that needs something of a slice.
fn consumers<'c: 'a, 'a>(ops: &Ops<'c, 'a>, slice: &Ops<'c, 'a>) -> Vec<Consumer<'c, 'a>> {
    let mut consumers = vec![];
    for &op in ops {
        let users: Ops = match op_name(op) {
            "gpu.launch" => operations(op),
            "memref.store" => vec![op],
            _ => continue,
        };
        let mut needed: HashSet<usize> = users
            .into_iter()
            .flat_map(|user| user.operands().collect::<Values>())
            .filter_map(definition)
            .map(op_key)
            .collect();
        let mut own: Ops = vec![];
        for &op in slice.iter().rev() {
            if needed.contains(&op_key(op)) {
                needed.extend(op.operands().filter_map(definition).map(op_key));
                own.push(op);
            }
        }
        if !own.is_empty() {
            own.reverse();
            consumers.push(Consumer { op, slice: own });
        }
    }
    consumers
}

impl<'c: 'a, 'a> Consumer<'c, 'a> {
    /// Has the kernel, or a new one, compute what it needs.
    fn take_over(&self) -> Done<'c> {
        let Some(builder) = Builder::before(self.op) else {
            return Ok(());
        };
        if op_name(self.op) == "gpu.launch" {
            let body = OpView::of(self.op).block().map(ops_of);
            let first = body.and_then(|ops| ops.first().copied());
            if let Some(front) = first.and_then(Builder::before) {
                let copies = self.copied(&front)?;
                for op in operations(self.op) {
                    for (position, operand) in op.operands().enumerate().collect::<Vec<_>>() {
                        if let Some(copy) = copies.of(operand) {
                            front.set_operand(op, position, copy);
                        }
                    }
                }
            }
            return Ok(());
        }
        in_one_thread(&builder, |builder| {
            let copies = self.copied(builder)?;
            let operands: Values = self.op.operands().collect();
            let operands: Values = operands
                .into_iter()
                .map(|operand| copies.of(operand).unwrap_or(operand))
                .collect();
            builder.op_like(self.op, &operands, &[], vec![])?;
            Ok(())
        })?;
        builder.erase(self.op);
        Ok(())
    }

    fn copied(&self, builder: &Builder<'c, 'a>) -> Done<'c, Copies<'c, 'a>> {
        let mut copies = Copies::default();
        for &op in &self.slice {
            let operands: Values = op
                .operands()
                .map(|operand| copies.of(operand).unwrap_or(operand))
                .collect();
            let results: Vec<Type> = op.results().map(|result| result.r#type()).collect();
            let builder = builder.located(op.location());
            let copy = builder.op_like(op, &operands, &results, vec![])?;
            for (position, result) in copy.results().enumerate() {
                copies.0.insert((op_key(op), position), result.into());
            }
        }
        Ok(copies)
    }
}

/// Copies of what ops compute.
#[derive(Default)]
struct Copies<'c, 'a>(HashMap<(usize, usize), Value<'c, 'a>>);

impl<'c, 'a> Copies<'c, 'a> {
    fn of(&self, value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        let op = definition(value)?;
        let position = op
            .results()
            .position(|result| Value::from(result) == value)?;
        self.0.get(&(op_key(op), position)).copied()
    }
}

/// Whether an element is the same when a later op of its block needs it, also while that runs.
fn is_stable<'c: 'a, 'a>(
    ops: &Ops<'c, 'a>,
    load: OperationRef<'c, 'a>,
    consumer: OperationRef<'c, 'a>,
) -> bool {
    let Ok(memory) = load.operand(0) else {
        return false;
    };
    let behind = ops.iter().skip_while(|&&op| op != load).skip(1);
    for &op in behind {
        if op == consumer && op_name(op) == "memref.store" {
            return true;
        }
        let mut inside = operations(op);
        inside.push(op);
        if inside.into_iter().any(|op| may_write(op, memory)) {
            return false;
        }
        if op == consumer {
            return true;
        }
    }
    false
}

/// Whether an op, apart from those inside it, may write memory, or free it.
fn may_write<'c: 'a, 'a>(op: OperationRef<'c, 'a>, memory: Value<'c, 'a>) -> bool {
    let name = op_name(op);
    let only_reads = is_view(op)
        || name.starts_with("arith.")
        || name.starts_with("math.")
        || name.starts_with("gpu.")
        || name.starts_with("scf.")
        || matches!(
            name,
            "memref.alloc"
                | "memref.alloca"
                | "memref.dim"
                | "memref.extract_aligned_pointer_as_index"
                | "memref.extract_strided_metadata"
                | "memref.load"
                | "soac.check"
        );
    if only_reads {
        return false;
    }
    let mut arrays = op
        .operands()
        .filter(|operand| is_a::<MemRefType>(operand.r#type()));
    match name {
        "memref.atomic_rmw"
        | "memref.copy"
        | "memref.dealloc"
        | "memref.generic_atomic_rmw"
        | "memref.store" => arrays.any(|array| may_be_same(array, memory)),
        _ => true,
    }
}

/// Whether two arrays may share memory.
fn may_be_same<'c: 'a, 'a>(one: Value<'c, 'a>, other: Value<'c, 'a>) -> bool {
    let both = [one, other].map(root);
    let is_apart = both.into_iter().all(is_known) || both.into_iter().any(has_one_name);
    both[0] == both[1] || !is_apart
}

/// Whether memory is allocated here, and nothing else is a name of it.
fn has_one_name(array: Value) -> bool {
    let is_access = |(user, position): (OperationRef, usize)| {
        matches!(
            (op_name(user), position),
            ("memref.load", 0) | ("memref.store", 1)
        )
    };
    definition(array).is_some_and(|op| op_name(op) == "memref.alloc")
        && uses(array).into_iter().all(is_access)
}

/// What views are of.
fn root<'c: 'a, 'a>(array: Value<'c, 'a>) -> Value<'c, 'a> {
    match definition(array).filter(|&op| is_view(op)) {
        Some(view) => view.operand(0).map_or(array, root),
        None => array,
    }
}

/// Whether memory is allocated here, or a parameter.
fn is_known(array: Value) -> bool {
    let is_parameter = || argument_of(array).is_some_and(|(op, _)| op_name(op) == "func.func");
    definition(array).map_or_else(is_parameter, |op| {
        matches!(op_name(op), "memref.alloc" | "memref.alloca")
    })
}
