//! What a kernel does outside of its loops: by the host, if it needs no elements, or else by kernels of
//! one thread. A number that a kernel computes and that is used elsewhere is in memory; the host reads
//! it only if it needs it.

use std::collections::HashSet;

use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{OpView, op_name, uses},
};

use super::{
    Emitted, Values,
    launch::{Sizes, launch},
    refused,
};
use comb_kit::{
    checks::facts::key,
    walk::{ancestors, operations},
};

use crate::nest_schedule_gpu::host::is_of_sizes;

/// The kernels that a `nest.kernel` becomes, and what is between them.
pub(super) struct Outside<'c, 'a> {
    /// What ends the `nest.kernel`.
    last: OperationRef<'c, 'a>,
    /// Ops for the next kernel of one thread.
    waiting: Vec<OperationRef<'c, 'a>>,
    /// Numbers that kernels compute.
    on_device: HashSet<usize>,
    /// Where the host reads them.
    reads: Vec<OperationRef<'c, 'a>>,
    launches: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Outside<'c, 'a> {
    /// Nothing so far; what follows is in front of an op.
    pub fn new(last: OperationRef<'c, 'a>) -> Self {
        Self {
            last,
            waiting: vec![],
            on_device: HashSet::new(),
            reads: vec![],
            launches: vec![],
        }
    }

    /// Builds behind all that there is.
    fn end(&self) -> Emitted<'c, Builder<'c, 'a>> {
        Builder::before(self.last)
            .ok_or_else(|| refused(self.last.location(), "'nest.yield' op is in no block"))
    }

    /// A kernel.
    pub fn push(&mut self, launch: OperationRef<'c, 'a>) {
        self.launches.push(launch);
    }

    /// An op that is in no loop.
    pub fn add(&mut self, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        if operations(op).iter().any(|&op| op_name(op) == "nest.loop") {
            return Err(refused(
                op.location(),
                format!(
                    "'{}' op has a loop inside, and is in none: that has no form on a GPU yet",
                    op_name(op)
                ),
            ));
        }
        if op_name(op) == "nest.local" {
            return self.array(op);
        }
        let needs_device = op
            .operands()
            .any(|value| self.on_device.contains(&key(value)));
        let is_of_host = is_of_sizes(op) || op_name(op) == "soac.check";
        if is_of_host && !needs_device {
            return Ok(());
        }
        for result in op.results() {
            self.on_device.insert(key(result.into()));
        }
        self.waiting.push(op);
        Ok(())
    }

    /// An array of the kernel is in memory.
    fn array(&self, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        let Some(builder) = Builder::before(op) else {
            return Ok(());
        };
        let view = OpView::of(op);
        let sizes = view.mixed_values_of("static_sizes", 0..view.operands.len());
        let element = comb_kit::element_types::array_element(view.result_types[0]);
        if let Some(element) = element {
            let memory = builder.allocate(&sizes, element)?;
            builder.replace(op, &[memory]);
        }
        Ok(())
    }

    /// Makes a kernel of one thread of the ops that wait.
    pub fn flush(&mut self) -> Emitted<'c, ()> {
        let ops = std::mem::take(&mut self.waiting);
        let Some(&last) = ops.last() else {
            return Ok(());
        };
        let next = last.next_in_block();
        // SAFETY: what follows a live op is alive as long.
        let next = next.map(|op| unsafe { OperationRef::from_raw(op.to_raw()) });
        let builder = match next.and_then(Builder::before) {
            Some(builder) => builder.located(last.location()),
            None => self.end()?,
        };
        let results: Values = ops
            .iter()
            .flat_map(|op| op.results())
            .map(Into::into)
            .collect();
        let is_used_behind = |&value: &Value<'c, 'a>| {
            let mut users = uses(value).into_iter().map(|(user, _)| user);
            !users.all(|user| {
                ops.iter()
                    .any(|&op| op == user || ancestors(user).any(|a| a == op))
            })
        };
        let results: Values = results.into_iter().filter(is_used_behind).collect();
        let memories = self.memories(&builder, &results)?;
        let one = builder.index(1)?;
        let sizes = Sizes::line(&builder, one, one)?;
        let made = launch(&builder, sizes, |builder, _| {
            for &op in &ops {
                builder.move_here(op);
            }
            for (&value, &memory) in results.iter().zip(&memories) {
                builder.store(value, memory, &[])?;
            }
            Ok(())
        })?;
        self.push(made);
        for (value, memory) in results.into_iter().zip(memories) {
            let read = self.read(&builder, memory)?;
            for (user, operand) in uses(value) {
                let is_outside = !ancestors(user).any(|around| around == made);
                if is_outside {
                    builder.set_operand(user, operand, read);
                }
            }
        }
        Ok(())
    }

    /// Memory for numbers that a kernel computes.
    pub fn memories(
        &self,
        builder: &Builder<'c, 'a>,
        values: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        let values = values.iter();
        values
            .map(|value| Ok(builder.allocate(&[], value.r#type())?))
            .collect()
    }

    /// A number that a kernel has put into memory.
    fn read(
        &mut self,
        builder: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let read = builder.op(
            "memref.load",
            &[memory],
            &[comb_kit::element_types::array_element(memory.r#type()).unwrap_or(memory.r#type())],
            &[],
            vec![],
        )?;
        self.reads.push(read);
        let value: Value = read.result(0)?.into();
        self.on_device.insert(key(value));
        Ok(value)
    }

    /// Replaces the results of a loop, which kernels have put into memory.
    pub fn replace(
        &mut self,
        op: OperationRef<'c, 'a>,
        memories: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let Some(builder) = Builder::before(op) else {
            return Ok(());
        };
        let mut values = vec![];
        for &memory in memories {
            values.push(self.read(&builder, memory)?);
        }
        builder.replace(op, &values);
        Ok(())
    }

    /// Numbers in memory are read by the kernels that use them. Gives all kernels.
    pub fn finish(self) -> Emitted<'c, Vec<OperationRef<'c, 'a>>> {
        for read in self.reads {
            let value: Value = read.result(0)?.into();
            for &launch in &self.launches {
                let is_inside = |&(user, _): &(OperationRef<'c, 'a>, usize)| {
                    ancestors(user).any(|op| op == launch)
                };
                let inside: Vec<_> = uses(value).into_iter().filter(is_inside).collect();
                let body = OpView::of(launch).block();
                let Some(first) = body.and_then(comb_kit::walk::first_op) else {
                    continue;
                };
                if inside.is_empty() {
                    continue;
                }
                let Some(front) = Builder::before(first) else {
                    continue;
                };
                let own = front.load(read.operand(0)?, &[])?;
                for (user, operand) in inside {
                    front.set_operand(user, operand, own);
                }
            }
            if let Some(builder) = Builder::before(read).filter(|_| uses(value).is_empty()) {
                builder.erase(read);
            }
        }
        Ok(self.launches)
    }
}
