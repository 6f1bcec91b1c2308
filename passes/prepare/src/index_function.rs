//! Where the structured combinators read: the index of their inputs as a
//! function of the result's index.
//!
//! A function has a component for each dimension of the inputs. What does not
//! depend on the index is computed once, in front of the op. A component that is
//! the result's index along a dimension is that very value, so that later passes
//! recognise it.
//!
//! Cost: linear in the number of dimensions.

use comb_kit::{
    pass_error::PassError,
    target::{Target, rank_of},
};
use melior::ir::{Type, Value, r#type::IntegerType};
use soac_dialect::{
    builder::{Builder, Predicate, Size, Values},
    extent::Extent,
};

/// The inputs' index along one dimension.
pub enum Component<'c, 'a> {
    /// The same number everywhere.
    Constant(i64),
    /// `offset + index[dim] · stride`
    Linear {
        /// The dimension of the source.
        dim: usize,
        /// Where it begins.
        offset: Size<'c, 'a>,
        /// From one element to the next.
        stride: Size<'c, 'a>,
    },
    /// `(index[dim] + amount) mod size`, where the amount is from 0 to the size.
    Rotated {
        /// The dimension of the source.
        dim: usize,
        /// How far.
        amount: Size<'c, 'a>,
        /// How long the dimension is.
        size: Size<'c, 'a>,
    },
}

/// A component for each dimension of the inputs.
pub type IndexFunction<'c, 'a> = Vec<Component<'c, 'a>>;

type Found<'c, 'a> = Result<IndexFunction<'c, 'a>, PassError<'c>>;

/// The index along a dimension of the result.
fn same<'c, 'a>(dim: usize) -> Component<'c, 'a> {
    shifted(dim, Size::Static(0))
}

/// The index along a dimension of the result, plus an offset.
fn shifted<'c, 'a>(dim: usize, offset: Size<'c, 'a>) -> Component<'c, 'a> {
    Component::Linear {
        dim,
        offset,
        stride: Size::Static(1),
    }
}

/// The indices along some dimensions of the result.
pub fn projection<'c, 'a>(dims: impl IntoIterator<Item = usize>) -> IndexFunction<'c, 'a> {
    dims.into_iter().map(same).collect()
}

/// `soac.replicate`: the inner dimensions.
pub fn replicate<'c, 'a>(target: &Target<'c, 'a>) -> Found<'c, 'a> {
    let dimensions = target.description.results[0].sizes.len();
    let outer = dimensions - rank_of(target.view.operands[0])?;
    Ok(projection(outer..dimensions))
}

/// `soac.transpose`: dimension `d` of the inputs is the result's dimension at
/// which the permutation names `d`.
pub fn transpose<'c, 'a>(target: &Target<'c, 'a>) -> IndexFunction<'c, 'a> {
    let permutation = target.view.integers("permutation");
    projection((0..permutation.len()).map(|dimension| {
        permutation
            .iter()
            .position(|&entry| entry as usize == dimension)
            .unwrap_or(dimension)
    }))
}

/// `soac.reverse`: from the last index down.
pub fn reverse<'c, 'a>(target: &Target<'c, 'a>) -> Found<'c, 'a> {
    let sizes = target.result_sizes(&target.description.results[0])?;
    let mut function = projection(0..sizes.len());
    for dim in target.view.integers("dims") {
        let dim = dim as usize;
        let last = match sizes[dim] {
            Size::Static(size) => Size::Static(size - 1),
            Size::Dynamic(size) => {
                let one = target.builder.index(1)?;
                Size::Dynamic(target.builder.arithmetic("arith.subi", &[size, one])?)
            }
        };
        function[dim] = Component::Linear {
            dim,
            offset: last,
            stride: Size::Static(-1),
        };
    }
    Ok(function)
}

/// `soac.rotate`: the amounts are brought between zero and the size.
pub fn rotate<'c, 'a>(target: &Target<'c, 'a>) -> Found<'c, 'a> {
    let sizes = target.result_sizes(&target.description.results[0])?;
    let amounts = target.mixed("static_amounts", 1)?;
    let mut function = projection(0..sizes.len());
    for (dim, (&amount, &size)) in amounts.iter().zip(&sizes).enumerate() {
        let amount = floor_modulo(&target.builder, amount, size)?;
        if amount != Size::Static(0) {
            function[dim] = Component::Rotated { dim, amount, size };
        }
    }
    Ok(function)
}

/// The amount modulo the size, from 0 to the size; 0 for an empty dimension.
fn floor_modulo<'c, 'a>(
    builder: &Builder<'c, 'a>,
    amount: Size<'c, 'a>,
    size: Size<'c, 'a>,
) -> Result<Size<'c, 'a>, PassError<'c>> {
    if amount == Size::Static(0) {
        return Ok(amount);
    }
    if let (Size::Static(amount), Size::Static(size)) = (amount, size) {
        return Ok(Size::Static(amount.rem_euclid(size.max(1))));
    }
    let (amount, size) = (builder.size_value(amount)?, builder.size_value(size)?);
    let (zero, one) = (builder.index(0)?, builder.index(1)?);
    let divisor = builder.arithmetic("arith.maxsi", &[size, one])?;
    let remainder = builder.arithmetic("arith.remsi", &[amount, divisor])?;
    let moved = builder.arithmetic("arith.addi", &[remainder, divisor])?;
    let negative = builder.compare(Predicate::Slt, remainder, zero)?;
    Ok(Size::Dynamic(builder.select(negative, moved, remainder)?))
}

/// `soac.slice`: an offset and a stride for each dimension.
pub fn slice<'c, 'a>(target: &Target<'c, 'a>) -> Found<'c, 'a> {
    let offsets = target.mixed("static_offsets", 1)?;
    let strides = target.mixed("static_strides", 3)?;
    let entries = offsets.into_iter().zip(strides).enumerate();
    Ok(entries
        .map(|(dim, (offset, stride))| Component::Linear {
            dim,
            offset,
            stride,
        })
        .collect())
}

/// `soac.take`: from the start.
pub fn take<'c, 'a>(target: &Target<'c, 'a>) -> Found<'c, 'a> {
    Ok(projection(0..rank_of(target.view.operands[0])?))
}

/// `soac.drop`: behind what is left out.
pub fn drop_outer<'c, 'a>(target: &Target<'c, 'a>) -> Found<'c, 'a> {
    let mut function = take(target)?;
    for (dim, count) in target.mixed("static_counts", 1)?.into_iter().enumerate() {
        function[dim] = shifted(dim, count);
    }
    Ok(function)
}

/// `soac.reshape`, where it only adds and removes dimensions of size 1: the other
/// dimensions are the same ones, in order. Since both shapes have as many
/// elements, they agree in all of them if they are known to agree in all but one.
pub fn unit_dimensions<'c, 'a>(target: &Target<'c, 'a>) -> Option<IndexFunction<'c, 'a>> {
    let one = Extent::constant(1);
    let inputs = target.view.sizes(0);
    let result = target.description.results[0].sizes.iter().enumerate();
    let kept: Vec<(usize, &Extent)> = result
        .filter_map(|(dim, size)| Some((dim, size.as_ref()?)))
        .filter(|&(_, size)| *size != one)
        .collect();
    let differing = inputs
        .iter()
        .filter(|&size| *size != one)
        .zip(&kept)
        .filter(|(input, (_, size))| input != size)
        .count();
    if inputs.iter().filter(|&size| *size != one).count() != kept.len() || differing > 1 {
        return None;
    }
    let mut kept = kept.into_iter();
    inputs
        .iter()
        .map(|size| match *size == one {
            true => Some(Component::Constant(0)),
            false => Some(same(kept.next()?.0)),
        })
        .collect()
}

/// The index of the inputs at an index of the result.
pub fn position<'c, 'a>(
    builder: &Builder<'c, 'a>,
    function: &IndexFunction<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    function
        .iter()
        .map(|component| match *component {
            Component::Constant(number) => Ok(builder.index(number)?),
            Component::Linear {
                dim,
                offset,
                stride,
            } => linear(builder, offset, index[dim], stride),
            Component::Rotated { dim, amount, size } => rotated(builder, index[dim], amount, size),
        })
        .collect()
}

fn linear<'c, 'a>(
    builder: &Builder<'c, 'a>,
    offset: Size<'c, 'a>,
    index: Value<'c, 'a>,
    stride: Size<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let steps = match stride {
        Size::Static(0) => return Ok(builder.size_value(offset)?),
        Size::Static(1) => index,
        Size::Static(-1) => {
            let offset = builder.size_value(offset)?;
            return Ok(builder.arithmetic("arith.subi", &[offset, index])?);
        }
        _ => builder.arithmetic("arith.muli", &[index, builder.size_value(stride)?])?,
    };
    if offset == Size::Static(0) {
        return Ok(steps);
    }
    Ok(builder.arithmetic("arith.addi", &[steps, builder.size_value(offset)?])?)
}

fn rotated<'c, 'a>(
    builder: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    amount: Size<'c, 'a>,
    size: Size<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let (amount, size) = (builder.size_value(amount)?, builder.size_value(size)?);
    let moved = builder.arithmetic("arith.addi", &[index, amount])?;
    let wrapped = builder.arithmetic("arith.subi", &[moved, size])?;
    let inside = builder.compare(Predicate::Ult, moved, size)?;
    Ok(builder.select(inside, moved, wrapped)?)
}

/// An index as another integer type; bits that do not fit are lost.
pub fn convert_index<'c, 'a>(
    builder: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
    element: Type<'c>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    if element == builder.index_type() {
        return Ok(index);
    }
    let wide = builder.value("arith.index_cast", &[index], builder.integer_type(64), &[])?;
    if IntegerType::try_from(element)?.width() == 64 {
        return Ok(wide);
    }
    Ok(builder.value("arith.trunci", &[wide], element, &[])?)
}
