//! Arrays that are local to an iteration. Iterations that one thread runs one after the other use
//! the same memory, which is taken before the outermost loop, or at the start of a chunk, if its size
//! is known there: one block for all of them, in which each begins a line of the cache.

use melior::ir::r#type::{MemRefType, ShapedTypeLike};
use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{ALIGNMENT, Builder, Size},
    view::{OpView, op_name},
};

use super::{Emitted, Values, Vectors, uniform};
use comb_kit::{checks::facts::key, element_types::bits_in_memory};
use comb_nest::nests::Nest;

use crate::lanes::lambda::{Local, lookup};

/// An array to be allocated.
struct Array<'c, 'a> {
    /// What identifies it.
    key: usize,
    sizes: Vec<Size<'c, 'a>>,
    r#type: MemRefType<'c>,
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// Takes memory for the local arrays in an outermost loop whose sizes are known before it.
    pub(super) fn take_locals(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let nest = Nest::of(op);
        let ops = nest.deep_ops().into_iter();
        let arrays = ops.filter(|array| {
            let is_local = op_name(*array) == "nest.local";
            is_local && !array.operands().any(|size| nest.defines(size))
        });
        let arrays = arrays.map(|array| Array::of(array, local));
        let arrays = arrays.collect::<Emitted<Vec<_>>>()?;
        let memory = match arrays.as_slice() {
            [alone] => vec![alone.allocate(builder)?],
            arrays => in_one_block(builder, arrays)?,
        };
        let keys = arrays.iter().map(|array| array.key);
        self.locals.extend(keys.zip(memory));
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
            None => Array::of(op, local)?.allocate(builder),
        }
    }
}

impl<'c: 'a, 'a> Array<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>, local: &Local<'c, 'a>) -> Emitted<'c, Self> {
        let view = OpView::of(op);
        let sizes = view.mixed_values_of("static_sizes", 0..view.operands.len());
        let sizes = sizes.into_iter().map(|size| match size {
            Size::Dynamic(value) => Ok(Size::Dynamic(uniform(op, lookup(local, value))?)),
            size => Ok(size),
        });
        let result = op.result(0)?;
        Ok(Self {
            key: key(result.into()),
            sizes: sizes.collect::<Emitted<_>>()?,
            r#type: MemRefType::try_from(result.r#type())?,
        })
    }

    fn allocate(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(builder.allocate(&self.sizes, self.r#type.element())?)
    }

    /// How many bytes its lines have.
    fn bytes(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let element = Size::Static(bits_in_memory(self.r#type.element()) as i64 / 8);
        let bytes = builder.product(self.sizes.iter().copied().chain([element]))?;
        let bytes = builder.size_value(bytes)?;
        let rounded = builder.arithmetic("arith.addi", &[bytes, builder.index(ALIGNMENT - 1)?])?;
        Ok(builder.arithmetic("arith.andi", &[rounded, builder.index(-ALIGNMENT)?])?)
    }
}

/// Arrays one behind the other.
fn in_one_block<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    arrays: &[Array<'c, 'a>],
) -> Emitted<'c, Values<'c, 'a>> {
    if arrays.is_empty() {
        return Ok(vec![]);
    }
    let mut end = builder.index(0)?;
    let mut starts: Values = vec![];
    for array in arrays {
        starts.push(end);
        end = builder.arithmetic("arith.addi", &[end, array.bytes(builder)?])?;
    }
    let block = builder.allocate(&[Size::Dynamic(end)], builder.integer_type(8))?;
    let views = arrays.iter().zip(starts).map(|(array, start)| {
        let sizes = array.sizes.iter().filter_map(|size| match size {
            Size::Dynamic(size) => Some(*size),
            Size::Static(_) => None,
        });
        let operands: Values = [block, start].into_iter().chain(sizes).collect();
        let r#type: Type = array.r#type.into();
        Ok(builder.value("memref.view", &operands, r#type, &[])?)
    });
    views.collect()
}
