//! `tensor.pad`: sizes that are not negative, and amounts that are, which MLIR's lowering takes for
//! promised. A negative amount leaves out elements: the op is given the part of its array that stays,
//! and amounts that are not negative.

use melior::{
    Error,
    ir::{
        OperationRef, Value, ValueLike,
        operation::OperationLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::{Builder, Predicate, Size, Slice},
    description::{array_type, static_sizes},
    extent::Extent,
    requirement::placeholders,
    view::{DYNAMIC, OpView, set_attribute, set_operands},
};

use super::{emit::Emit, indexing::mixed, shapes::require_size, site::Site};
use crate::element_types::MOST_ELEMENTS;

/// The sizes of the array that a `tensor.pad` pads, and how much it adds in front of each dimension and
/// behind it.
pub fn sizes_and_amounts<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> [Vec<Extent>; 3] {
    let sizes = site.facts.shape(view.operands[0]);
    let [low, high] = [("static_low", 1), ("static_high", 2)]
        .map(|(attribute, group)| mixed(site, view, attribute, group));
    [sizes, low, high]
}

/// Checks in front of the op.
pub fn check<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Error> {
    let view = OpView::of(op);
    let [sizes, low, high] = sizes_and_amounts(site, &view);
    let result = static_sizes(&RankedTensorType::try_from(view.result_types[0])?);
    let mut shape = vec![];
    for axis in 0..sizes.len() {
        let (size, low, high) = (&sizes[axis], &low[axis], &high[axis]);
        require_length(site, axis, [size, low, high])?;
        let padded = &(size + low) + high;
        if let Some(claimed) = result[axis] {
            require_size(
                site,
                &padded,
                claimed,
                &format!("size {{}} of dimension {axis}"),
            )?;
        }
        shape.push(padded);
    }
    if shape.iter().any(|size| size.as_constant().is_none()) {
        let message = format!(
            "gives an array of shape {}, which has too many elements",
            placeholders(shape.len())
        );
        site.require_countable(&shape, &message)?;
    }
    Ok(())
}

/// The op without negative amounts.
pub fn define<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
) -> Result<(), Error> {
    let view = OpView::of(op);
    let [sizes, low, high] = sizes_and_amounts(site, &view);
    let may_be_negative = |extent: &Extent| extent.as_constant().is_none_or(|amount| amount < 0);
    if low.iter().chain(&high).any(may_be_negative) {
        crop(site, op, [&sizes, &low, &high])?;
    }
    Ok(())
}

/// A dimension's size and amounts add up to a size, none of which wraps around.
fn require_length(site: &mut Site, axis: usize, parts: [&Extent; 3]) -> Result<(), Error> {
    let constants = parts.map(|part| part.as_constant().map(i128::from));
    let is_known = match constants {
        [Some(size), Some(low), Some(high)] => {
            (0..=i128::from(MOST_ELEMENTS)).contains(&(size + low + high))
        }
        // With amounts that are neither negative nor large, this is said of the whole shape.
        [None, Some(low), Some(high)] => [low, high]
            .iter()
            .all(|amount| (0..1 << 58).contains(amount)),
        _ => false,
    };
    if is_known {
        site.counts.proven += 1;
        return Ok(());
    }
    if site.is_trusted() {
        return Ok(());
    }
    let mut sum = site.builder.wide(0)?;
    for part in parts {
        let part = site.widened(part)?;
        sum = site.builder.binary("arith.addi", sum, part)?;
    }
    let (zero, longest) = (site.builder.wide(0)?, site.builder.wide(MOST_ELEMENTS)?);
    let not_negative = site.builder.compare(Predicate::Sge, sum, zero)?;
    let not_longer = site.builder.compare(Predicate::Sle, sum, longest)?;
    let holds = site.builder.all(&[not_negative, not_longer])?;
    let message = format!("dimension {axis} of size {{}} cannot be padded by {{}} and {{}}");
    site.check(holds, &message, &parts.map(Clone::clone))
}

/// Gives the op a part of its array.
fn crop<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    op: OperationRef<'c, 'a>,
    [sizes, low, high]: [&[Extent]; 3],
) -> Result<(), Error> {
    let mut slice = Slice::contiguous(vec![], vec![]);
    let mut amounts = [vec![], vec![]];
    for axis in 0..sizes.len() {
        let values = [
            site.value(&sizes[axis])?,
            site.value(&low[axis])?,
            site.value(&high[axis])?,
        ];
        let part = Cropped::new(&site.builder, values)?;
        slice.offsets.push(Size::Dynamic(part.offset));
        slice.sizes.push(Size::Dynamic(part.size));
        slice.strides.push(Size::Static(1));
        amounts[0].push(part.low);
        amounts[1].push(part.high);
    }
    let (builder, rank) = (&site.builder, sizes.len());
    let array = op.operand(0)?;
    let element = RankedTensorType::try_from(array.r#type())?.element();
    let part = array_type(&vec![None; rank], element);
    let part = builder.extract_slice(array, &slice, part)?;
    set_operands(op, &[vec![part], amounts.concat()].concat());
    let list = builder.integers(&vec![DYNAMIC; rank]);
    let segments = builder.segments(&[1, rank as i32, rank as i32]);
    set_attribute(op, "static_low", list);
    set_attribute(op, "static_high", list);
    set_attribute(op, "operandSegmentSizes", segments);
    Ok(())
}

/// What stays of a dimension, and how it is padded.
struct Cropped<'c, 'a> {
    offset: Value<'c, 'a>,
    size: Value<'c, 'a>,
    low: Value<'c, 'a>,
    high: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Cropped<'c, 'a> {
    /// Of a dimension's size and two amounts, whose sum is a size.
    fn new(
        builder: &Builder<'c, 'a>,
        [size, low, high]: [Value<'c, 'a>; 3],
    ) -> Result<Self, Error> {
        let zero = builder.index(0)?;
        let least = |left, right| builder.binary("arith.minsi", left, right);
        let greatest = |left, right| builder.binary("arith.maxsi", left, right);
        let plus = |left, right| builder.binary("arith.addi", left, right);
        let minus = |left, right| builder.binary("arith.subi", left, right);
        // How many elements are left out at both ends: no more than there are.
        let removed = |amount| -> Result<_, Error> {
            let all = minus(zero, size)?;
            minus(zero, least(greatest(amount, all)?, zero)?)
        };
        let (offset, end) = (removed(low)?, minus(size, removed(high)?)?);
        let rest = greatest(minus(end, offset)?, zero)?;
        // The order does not matter where the sum is the result's size, which fits.
        let length = plus(plus(size, low)?, high)?;
        let low = least(greatest(low, zero)?, length)?;
        let high = minus(minus(length, rest)?, low)?;
        Ok(Self {
            offset,
            size: rest,
            low,
            high,
        })
    }
}
