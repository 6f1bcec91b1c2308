//! The parts that an unrolled scan is put together of, read from the old program.

use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    cast::{Parts, cast},
    view::{definition, op_name},
};

use super::super::{attributes::integers, element};

/// Every so manyth element along a dimension, from one on.
#[derive(Clone, Copy)]
pub(super) struct Part<'c, 'a> {
    pub(super) whole: Value<'c, 'a>,
    pub(super) start: i64,
    pub(super) stride: i64,
    /// How many elements there are along the dimension.
    pub(super) count: u64,
}

/// Two arrays whose elements take turns along a dimension.
#[derive(Clone, Copy)]
pub(super) struct Interleaved<'c, 'a> {
    pub(super) even: Value<'c, 'a>,
    pub(super) odd: Value<'c, 'a>,
}

/// One number for all elements of an array.
#[derive(Clone, Copy)]
pub(super) enum Number<'c, 'a> {
    Constant(OperationRef<'c, 'a>),
    Broadcast(Value<'c, 'a>),
}

impl PartialEq for Number<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Constant(one), Self::Constant(other)) => {
                let [one, other] = [one, other].map(|op| splat(op).zip(element_text(op)));
                one.is_some() && one == other
            }
            (Self::Broadcast(one), Self::Broadcast(other)) => one == other,
            _ => false,
        }
    }
}

impl<'c: 'a, 'a> Part<'c, 'a> {
    /// A slice along a dimension, with all of the others.
    pub(super) fn of(value: Value<'c, 'a>, axis: usize) -> Option<Self> {
        let op = defined_by(value, "stablehlo.slice")?;
        let (from, to) = (element::operand(op, 0).ok()?, element::result(op, 0).ok()?);
        let starts = integers(op, "start_indices").ok()?;
        let strides = integers(op, "strides").ok()?;
        let is_whole = |other: usize| {
            let is_first = starts.get(other) == Some(&0) && strides.get(other) == Some(&1);
            is_first && from.sizes[other] == to.sizes[other]
        };
        let mut others = (0..from.rank()).filter(|&other| other != axis);
        others.all(is_whole).then_some(())?;
        Some(Self {
            whole: op.operand_at(0)?,
            start: *starts.get(axis)?,
            stride: *strides.get(axis)?,
            count: *to.sizes.get(axis)?,
        })
    }

    /// The array, if this is `count` elements of it, from `start` on.
    pub(super) fn whole_if(self, start: i64, stride: i64, count: u64) -> Option<Value<'c, 'a>> {
        let is_it = (self.start, self.count) == (start, count);
        (is_it && self.stride == stride).then_some(self.whole)
    }
}

impl<'c: 'a, 'a> Interleaved<'c, 'a> {
    /// The sum of two arrays that have zeros where the other one has elements.
    pub(super) fn of(value: Value<'c, 'a>, axis: usize) -> Option<Self> {
        let op = definition(value)?;
        matches!(op_name(op), "stablehlo.add" | "stablehlo.or").then_some(())?;
        let even = spread(op.operand_at(0)?, axis, 0)?;
        let odd = spread(op.operand_at(1)?, axis, 1)?;
        let count = |value| {
            element::result(definition(value)?, 0)
                .ok()?
                .sizes
                .get(axis)
                .copied()
        };
        let all = count(value)?;
        let fits = count(even)? == all.div_ceil(2) && count(odd)? == all / 2;
        fits.then_some(Self { even, odd })
    }
}

/// The dimension along which the elements of a sum's arrays take turns.
pub(super) fn axis_of(value: Value) -> Option<usize> {
    let padded = definition(definition(value)?.operand_at(1)?)?;
    let interior = integers(padded, "interior_padding").ok()?;
    interior.iter().position(|&padding| padding == 1)
}

/// The array of which the first element comes first, and what follows it.
pub(super) fn first_and_rest<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    axis: usize,
) -> Option<[Value<'c, 'a>; 2]> {
    let op = defined_by(value, "stablehlo.concatenate")?;
    let [first, rest] = op.operands().collect::<Vec<_>>().try_into().ok()?;
    let whole = Part::of(first, axis)?.whole_if(0, 1, 1)?;
    Some([whole, rest])
}

/// The number that all elements of a value are.
pub(super) fn number<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Number<'c, 'a>> {
    if let Some(op) = defined_by(value, "stablehlo.constant") {
        return splat(op).map(|_| Number::Constant(op));
    }
    if cast::<RankedTensorType>(value.r#type()).is_some_and(|r#type| r#type.rank() == 0) {
        return Some(Number::Broadcast(value));
    }
    let op = defined_by(value, "stablehlo.broadcast_in_dim")?;
    let is_one = element::operand(op, 0).ok()?.rank() == 0;
    number(op.operand_at(0).filter(|_| is_one)?)
}

/// An array with a zero between each two of its elements, and `low` zeros in front.
fn spread<'c: 'a, 'a>(value: Value<'c, 'a>, axis: usize, low: i64) -> Option<Value<'c, 'a>> {
    let op = defined_by(value, "stablehlo.pad")?;
    let zero = definition(op.operand_at(1)?)?;
    matches!(splat(zero)?.as_str(), "0" | "0.000000e+00" | "false").then_some(())?;
    let only = |name, number| {
        let given = integers(op, name).ok()?;
        let mut wanted = vec![0; given.len()];
        *wanted.get_mut(axis)? = number;
        (given == wanted).then_some(())
    };
    only("edge_padding_low", low)?;
    only("interior_padding", 1)?;
    op.operand_at(0)
}

/// The element that a constant has everywhere, as text.
fn splat(op: OperationRef) -> Option<String> {
    let text = (op_name(op) == "stablehlo.constant").then_some(op.attribute("value").ok()?)?;
    let text = text.to_string();
    let (element, _) = text.strip_prefix("dense<")?.rsplit_once("> : ")?;
    (!element.starts_with('[') && !element.is_empty()).then(|| element.to_owned())
}

fn element_text(op: OperationRef) -> Option<String> {
    Some(element::result(op, 0).ok()?.element.r#type.to_string())
}

fn defined_by<'c, 'a>(value: Value<'c, 'a>, name: &str) -> Option<OperationRef<'c, 'a>> {
    definition(value).filter(|&op| op_name(op) == name)
}
