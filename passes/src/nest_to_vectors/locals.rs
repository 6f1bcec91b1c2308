//! Arrays that are local to an iteration. Iterations that one thread runs one after the other use
//! the same memory, which is taken before the outermost loop, or at the start of a chunk, if its size
//! is known there.

use melior::ir::r#type::{MemRefType, ShapedTypeLike};
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Size},
    view::{OpView, op_name},
};

use super::{Emitted, Vectors, uniform};
use crate::{
    checks::facts::key,
    lanes::lambda::{Local, lookup},
    nest_schedule::nests::Nest,
};

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// Takes memory for the local arrays in an outermost loop whose sizes are known before it.
    pub(super) fn take_locals(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let nest = Nest::of(op);
        for array in nest.deep_ops() {
            let is_local = op_name(array) == "nest.local";
            if is_local && !array.operands().any(|size| nest.defines(size)) {
                let memory = allocate(builder, array, local)?;
                self.locals.insert(key(array.result(0)?.into()), memory);
            }
        }
        Ok(())
    }

    /// The memory of a local array.
    pub(super) fn local(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        match self.locals.get(&key(op.result(0)?.into())) {
            Some(&memory) => Ok(memory),
            None => allocate(builder, op, local),
        }
    }
}

fn allocate<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    local: &Local<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let view = OpView::of(op);
    let sizes = view.mixed_values_of("static_sizes", 0..view.operands.len());
    let sizes = sizes.into_iter().map(|size| match size {
        Size::Dynamic(value) => Ok(Size::Dynamic(uniform(op, lookup(local, value))?)),
        size => Ok(size),
    });
    let sizes = sizes.collect::<Emitted<Vec<Size>>>()?;
    let element = MemRefType::try_from(op.result(0)?.r#type())?.element();
    Ok(builder.allocate(&sizes, element)?)
}
