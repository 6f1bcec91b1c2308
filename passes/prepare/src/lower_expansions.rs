//! `comb-lower-expansions`: dimensions of memory are expanded to any number of sizes that are
//! known only at run time.
//!
//! Upstream's lowering of `memref.expand_shape` derives one such size of each dimension from the
//! others, and crashes where there are two; those that the op knows and its type does not are such sizes, too. Here all are taken as the op gives them, and the
//! strides are their products, from the innermost out.
//!
//! Cost: linear in the number of ops.

use comb_kit::{checks::reshapes::reassociation, pass_error::PassError, walk::operations};
use melior::{
    Error,
    ir::{
        OperationRef, Value, ValueLike,
        operation::OperationLike,
        r#type::{DimSize, MemRefType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::{Builder, Size, Slice, Values},
    view::{DYNAMIC, OpView, op_name},
};

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let ops = operations(module).into_iter();
    for op in ops.filter(|&op| op_name(op) == "memref.expand_shape") {
        if has_open_group(op)? {
            lower(op)?;
        }
    }
    Ok(())
}

/// Whether a dimension is expanded to several sizes that are known only at run time, or that the type of the result
/// does not know.
fn has_open_group(op: OperationRef) -> Result<bool, Error> {
    let r#type = MemRefType::try_from(op.result(0)?.r#type())?;
    let is_open = |&axis: &usize| r#type.dim_size(axis) == Ok(DimSize::Dynamic);
    Ok(reassociation(&OpView::of(op))
        .iter()
        .any(|group| group.iter().filter(|axis| is_open(axis)).count() > 1))
}

fn lower<'c>(op: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(op) else {
        return Ok(());
    };
    let (view, source) = (OpView::of(op), op.operand(0)?);
    let result = op.result(0)?.r#type();
    let (known_strides, known_offset) = MemRefType::try_from(result)?.strides_and_offset();
    let layout = Layout::of(&builder, source)?;
    let mut sizes = view.mixed_values_of("static_output_shape", 1..view.operands.len());
    for (axis, size) in sizes.iter_mut().enumerate() {
        if MemRefType::try_from(result)?.dim_size(axis)? == DimSize::Dynamic {
            *size = Size::Dynamic(builder.size_value(*size)?);
        }
    }
    let strides = strides(&builder, &view, &sizes, &layout.strides)?;
    let known = |known, value| {
        if known == DYNAMIC {
            Size::Dynamic(value)
        } else {
            Size::Static(known)
        }
    };
    let place = Slice {
        offsets: vec![known(known_offset, layout.offset)],
        strides: known_strides
            .into_iter()
            .zip(strides)
            .map(|(stride, value)| known(stride, value))
            .collect(),
        sizes,
    };
    let expanded = builder.memory_seen_as(source, &place, result)?;
    builder.replace(op, &[expanded]);
    Ok(())
}

/// Where the elements of memory lie, in elements.
struct Layout<'c, 'a> {
    offset: Value<'c, 'a>,
    strides: Values<'c, 'a>,
}

impl<'c: 'a, 'a> Layout<'c, 'a> {
    fn of(builder: &Builder<'c, 'a>, memory: Value<'c, 'a>) -> Result<Self, Error> {
        let r#type = MemRefType::try_from(memory.r#type())?;
        let (rank, index) = (r#type.rank(), builder.index_type());
        let base = MemRefType::contiguous(r#type.element(), &[], r#type.memory_space());
        let mut results = vec![base.into()];
        results.resize(2 + 2 * rank, index);
        let op = builder.op(
            "memref.extract_strided_metadata",
            &[memory],
            &results,
            &[],
            vec![],
        )?;
        let strides = (0..rank).map(|axis| Ok(op.result(2 + rank + axis)?.into()));
        Ok(Self {
            offset: op.result(1)?.into(),
            strides: strides.collect::<Result<_, Error>>()?,
        })
    }
}

/// The stride of each dimension of the result: that of the dimension it is a part of, times the sizes
/// of the parts behind it.
fn strides<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    view: &OpView<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    of_source: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, Error> {
    let mut strides = vec![];
    for (group, &stride) in reassociation(view).iter().zip(of_source).rev() {
        let mut stride = stride;
        for (place, &axis) in group.iter().enumerate().rev() {
            strides.push(stride);
            if place > 0 {
                let size = builder.size_value(sizes[axis])?;
                stride = builder.arithmetic("arith.muli", &[stride, size])?;
            }
        }
    }
    strides.reverse();
    Ok(strides)
}
