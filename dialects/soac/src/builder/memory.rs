//! Building code on memory: buffers of arrays, elements in them, and loops whose
//! iterations may run at the same time.

use melior::{
    Error,
    ir::{
        OperationRef, RegionLike, Type, Value, ValueLike,
        block::BlockLike,
        operation::OperationLike,
        r#type::{DimSize, MemRefType, RankedTensorType, ShapedTypeLike},
    },
};

use super::{Builder, Size, Slice, Values};
use crate::view::{DYNAMIC, set_operand};

/// How many bytes new memory is aligned to: a line of the cache, and the widest
/// vector.
pub const ALIGNMENT: i64 = 64;

impl<'c, 'a> Builder<'c, 'a> {
    /// The type of contiguous memory that an array of a type is in.
    ///
    /// # Errors
    ///
    /// If the type is no ranked array.
    pub fn memory_type(&self, array: Type<'c>) -> Result<Type<'c>, Error> {
        let array = RankedTensorType::try_from(array)?;
        let sizes = (0..array.rank())
            .map(|axis| {
                Ok(match array.dim_size(axis)? {
                    DimSize::Static(size) => size as i64,
                    DimSize::Dynamic => DYNAMIC,
                })
            })
            .collect::<Result<Vec<_>, Error>>()?;
        Ok(MemRefType::contiguous(array.element(), &sizes, None).into())
    }

    /// The contiguous memory of an array, which is only read. Behind what reads it,
    /// [`Self::needed`] has to follow.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn buffer_to_read(&self, array: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let r#type = self.memory_type(array.r#type())?;
        let read_only = [("read_only", self.unit())];
        self.value("bufferization.to_buffer", &[array], r#type, &read_only)
    }

    /// Says that code so far reads the memory of arrays.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn needed(&self, arrays: &[Value<'c, 'a>]) -> Result<(), Error> {
        if !arrays.is_empty() {
            self.op("soac.needed", arrays, &[], &[], vec![])?;
        }
        Ok(())
    }

    /// Memory as an array. It belongs to the array from now on.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn array_in(
        &self,
        memory: Value<'c, 'a>,
        array: Type<'c>,
        writable: bool,
    ) -> Result<Value<'c, 'a>, Error> {
        let mut attributes = vec![("restrict", self.unit())];
        if writable {
            attributes.push(("writable", self.unit()));
        }
        self.value("bufferization.to_tensor", &[memory], array, &attributes)
    }

    /// New contiguous memory, aligned for vectors.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn allocate(
        &self,
        sizes: &[Size<'c, 'a>],
        element: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let (list, values) = super::mixed_list(sizes);
        let r#type = MemRefType::contiguous(element, &list, None).into();
        let attributes = [
            ("alignment", self.number(ALIGNMENT)),
            (
                "operandSegmentSizes",
                self.segments(&[values.len() as i32, 0]),
            ),
        ];
        self.value("memref.alloc", &values, r#type, &attributes)
    }

    /// A rectangular part of memory, of rank `rank`: outer dimensions of size 1
    /// are left out.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn part_of_memory(
        &self,
        memory: Value<'c, 'a>,
        slice: &Slice<'c, 'a>,
        part: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let (operands, attributes) = self.slice_operands(&[memory], slice);
        self.value("memref.subview", &operands, part, &attributes)
    }

    /// The block that memory is a part of, seen with one offset from the block's start, and with
    /// sizes and strides for each dimension.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn memory_seen_as(
        &self,
        memory: Value<'c, 'a>,
        layout: &Slice<'c, 'a>,
        r#type: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let (operands, attributes) = self.slice_operands(&[memory], layout);
        self.value("memref.reinterpret_cast", &operands, r#type, &attributes)
    }

    /// An element in memory.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn load(
        &self,
        memory: Value<'c, 'a>,
        index: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let element = MemRefType::try_from(memory.r#type())?.element();
        let operands = [&[memory], index].concat();
        self.value("memref.load", &operands, element, &[])
    }

    /// Writes an element to memory.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn store(
        &self,
        element: Value<'c, 'a>,
        memory: Value<'c, 'a>,
        index: &[Value<'c, 'a>],
    ) -> Result<(), Error> {
        let operands = [&[element, memory], index].concat();
        self.op("memref.store", &operands, &[], &[], vec![])?;
        Ok(())
    }

    /// A loop from 0 to `count` whose iterations may run at the same time. The
    /// attribute `comb.schedule` says which thread takes which.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the loop.
    pub fn parallel_loop<E: From<Error>>(
        &self,
        count: Value<'c, 'a>,
        schedule: &str,
        body: impl FnOnce(&Builder<'c, 'a>, Value<'c, 'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (zero, one) = (self.index(0)?, self.index(1)?);
        let region = self.region(&[self.index_type()], "scf.reduce", |builder, arguments| {
            body(builder, arguments[0])?;
            Ok::<_, E>(vec![])
        })?;
        let attributes = [
            ("comb.schedule", self.string(schedule)),
            ("operandSegmentSizes", self.segments(&[1, 1, 1, 0])),
        ];
        self.op(
            "scf.parallel",
            &[zero, count, one],
            &[],
            &attributes,
            vec![region],
        )?;
        Ok(())
    }

    /// A copy of an op and all that is in it. `of` gives for each value that it
    /// uses, and that is not defined in it, the one that the copy uses.
    pub fn copy(
        &self,
        op: OperationRef<'c, 'a>,
        of: &mut dyn FnMut(Value<'c, 'a>) -> Value<'c, 'a>,
    ) -> OperationRef<'c, 'a> {
        let copy = self.insert((*op).clone());
        replace_operands(copy, of);
        copy
    }
}

/// Replaces operands of an op and of those in it. What is defined in the op is
/// new, and `of` knows nothing of it, so it stays.
fn replace_operands<'c, 'a>(
    op: OperationRef<'c, 'a>,
    of: &mut dyn FnMut(Value<'c, 'a>) -> Value<'c, 'a>,
) {
    let operands: Values = op.operands().collect();
    for (position, operand) in operands.into_iter().enumerate() {
        let other = of(operand);
        if other != operand {
            set_operand(op, position, other);
        }
    }
    for region in op.regions() {
        let mut block = region.first_block();
        while let Some(current) = block {
            let mut inner = current.first_operation();
            while let Some(op) = inner {
                // SAFETY: the op belongs to the copy, which lives for 'a.
                let op: OperationRef<'c, 'a> = unsafe { OperationRef::from_raw(op.to_raw()) };
                replace_operands(op, of);
                inner = current_next(op);
            }
            block = current.next_in_region();
        }
    }
}

fn current_next<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let next = op.next_in_block()?;
    // SAFETY: the op belongs to the copy, which lives for 'a.
    Some(unsafe { OperationRef::from_raw(next.to_raw()) })
}
