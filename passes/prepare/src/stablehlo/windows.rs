//! `stablehlo.reduce_window` and `stablehlo.convolution`: windows that move over an array.
//!
//! The windows of all places are one array with more dimensions, a gather of affine indices from
//! the padded array, and are folded. Windows as long as their dimension that grow by an element
//! from place to place, which `jnp.cumsum` and its like are, are a scan. Sizes of the array may be unknown
//! where nothing is taken away from it, or put between its elements.

use melior::{
    Error,
    ir::{OperationRef, Value, attribute::DenseElementsAttribute, operation::OperationLike},
};
use soac_dialect::builder::{
    Builder, Size, Values,
    combinators::{Bounds, Scan},
};

use super::{
    Scope,
    attributes::{integer, integers, missing},
    body::Body,
    element::{self, Array, Open},
    open_shapes::same_size,
    open_slices::surrounded,
    products::{accumulator, converted, sum_of_products},
    reduce::{Reduction, combined, folded, neutral_of, zero},
    shapes::moved_inside,
    slices::padded,
    unsupported,
};
use comb_kit::pass_error::PassError;

/// How windows move along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) size: i64,
    stride: i64,
    /// Between elements of a window.
    dilation: i64,
    /// Between elements of the array.
    base: i64,
    pub(super) low: i64,
    pub(super) high: i64,
}

/// In which direction windows grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    FromStart,
    ToEnd,
}

impl Window {
    /// The size of the dimension with its padding.
    fn padded(&self, size: u64) -> u64 {
        let spread = match size {
            0 => 0,
            size => (size as i64 - 1)
                .saturating_mul(self.base)
                .saturating_add(1),
        };
        let padded = spread.saturating_add(self.low + self.high);
        padded.max(0) as u64
    }

    /// A window of neighbours that moves from each element to the next, if it has the size of one.
    pub(super) fn known(size: i64, (low, high): (i64, i64)) -> Option<Self> {
        let is_known = |number: i64| (-GREATEST..=GREATEST).contains(&number);
        let fits = size > 0 && [size, low, high].into_iter().all(is_known);
        fits.then_some(Self {
            size,
            low,
            high,
            ..TRIVIAL
        })
    }

    fn is_plain(&self) -> bool {
        self.stride == 1 && self.dilation == 1 && self.base == 1
    }

    /// The elements of the padded dimension that a window reaches over.
    fn span(&self) -> i64 {
        match self.size {
            0 => 0,
            size => (size - 1) * self.dilation + 1,
        }
    }

    /// How many places it has in a dimension of some size.
    fn known_places(&self, size: u64) -> u64 {
        match self.padded(size).checked_sub(self.span() as u64) {
            Some(room) => room / self.stride as u64 + 1,
            None => 0,
        }
    }

    /// The same of any size, with padding that is not negative, and nothing between elements.
    fn places<'c, 'a>(
        &self,
        builder: &Builder<'c, 'a>,
        size: Size<'c, 'a>,
    ) -> Result<Size<'c, 'a>, Error> {
        if let Some(size) = size.known() {
            return Ok(Size::Static(self.known_places(size) as i64));
        }
        if self.is_trivial() {
            return Ok(size);
        }
        let around = Size::Static(self.low + self.high + self.stride - self.span());
        let room = builder.size_value(builder.sum([size, around])?)?;
        let room = builder.arithmetic("arith.maxsi", &[room, builder.index(0)?])?;
        let stride = builder.index(self.stride)?;
        Ok(Size::Dynamic(
            builder.arithmetic("arith.divui", &[room, stride])?,
        ))
    }

    /// Whether windows have one element, each its own.
    fn is_trivial(&self) -> bool {
        self.is_plain() && self.size == 1 && (self.low, self.high) == (0, 0)
    }

    fn growth(&self, size: Option<u64>) -> Option<Growth> {
        let is_whole = self.is_plain() && Some(self.size as u64) == size;
        match (self.low, self.high) {
            (low, 0) if is_whole && low == self.size - 1 => Some(Growth::FromStart),
            (0, high) if is_whole && high == self.size - 1 => Some(Growth::ToEnd),
            _ => None,
        }
    }
}

/// `stablehlo.reduce_window`.
pub(super) fn reduce_window<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    scope: &Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let reduction = Reduction::of(op, builder, operands, scope)?;
    let windows = windows(
        op,
        &integers(op, "window_dimensions")?,
        "base_dilations",
        "window_dilations",
    )?;
    if windows.len() != element::open_operand(op, 0)?.rank() {
        return Err(missing(
            op,
            "window_dimensions",
            "a number for each dimension",
        ));
    }
    reduced_over(op, builder, reduction, &windows)
}

/// A reduction of the elements in each window.
pub(super) fn reduced_over<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    reduction: Reduction<'_, 'c, 'a>,
    windows: &[Window],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let Reduction {
        inputs,
        initial,
        body,
    } = reduction;
    let (array, to) = (element::open_operand(op, 0)?, element::open_result(op, 0)?);
    let lengthy: Vec<usize> = (0..array.rank())
        .filter(|&axis| !windows[axis].is_trivial())
        .collect();
    if let [axis] = lengthy[..]
        && let Some(growth) = windows[axis].growth(array.sizes[axis])
    {
        return scanned(builder, inputs, &initial, &body, (&array, axis, growth));
    }
    let inner: Vec<usize> = (0..array.rank())
        .filter(|&axis| windows[axis].size != 1)
        .collect();
    let mut spread = vec![];
    for (&input, &number) in inputs.iter().zip(&initial) {
        let whole = padded_by(op, builder, (input, &array), windows, number)?;
        let sizes = builder.sizes(input)?;
        let mut all = places(op, builder, &sizes, &to, windows)?;
        all.extend(inner.iter().map(|&axis| Size::Static(windows[axis].size)));
        spread.extend(builder.backpermute(
            &[whole],
            &all,
            Bounds::Unchecked,
            |builder, place| {
                (0..array.rank())
                    .map(|axis| {
                        let within = inner.iter().position(|&other| other == axis);
                        let within = within.map(|index| place[to.rank() + index]);
                        place_in(builder, windows[axis], place[axis], within)
                    })
                    .collect()
            },
        )?);
    }
    match inner.len() {
        0 => combined(builder, &body, &initial, &spread),
        inner => folded(builder, &spread, &initial, &body, (inner, array.element)),
    }
}

/// A scan along a dimension.
pub(super) fn scanned<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    inputs: &[Value<'c, 'a>],
    initial: &[Value<'c, 'a>],
    body: &Body<'c, 'a>,
    (array, axis, growth): (&Open<'c>, usize, Growth),
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let own = neutral_of(builder, body, array.element)?;
    let neutrals = own.map_or_else(|| initial.to_vec(), |neutral| vec![neutral]);
    let scans = moved_inside(builder, inputs, (array.rank(), axis), |inner| {
        let lambda =
            |builder: &Builder<'c, 'a>, values: &[Value<'c, 'a>]| body.build(builder, values);
        match growth {
            Growth::FromStart => builder.scanl(inner, &neutrals, Scan::Inclusive, lambda),
            Growth::ToEnd => builder.scanr(inner, &neutrals, Scan::Inclusive, lambda),
        }
    })?;
    match own {
        Some(_) => combined(builder, body, initial, &scans),
        None => Ok(scans),
    }
}

/// `stablehlo.convolution`.
pub(super) fn convolution<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let (array, kernel) = (element::open_operand(op, 0)?, element::operand(op, 1)?);
    let to = element::open_result(op, 0)?;
    let dimensions = Dimensions::of(op, &[array.rank(), kernel.rank(), to.rank()])?;
    let spatial = dimensions.kernel[2..].iter();
    let sizes: Vec<i64> = spatial.map(|&axis| kernel.sizes[axis] as i64).collect();
    let windows = windows(op, &sizes, "lhs_dilation", "rhs_dilation")?;
    let reversed = reversed(op, windows.len())?;
    let groups = integer(op, "feature_group_count")?;
    let [of_input, of_output] = [
        kernel.sizes[dimensions.kernel[0]],
        kernel.sizes[dimensions.kernel[1]],
    ];
    let batch_groups = integer(op, "batch_group_count")?;
    check_groups(op, "feature_group_count", groups, of_output)?;
    check_groups(op, "batch_group_count", batch_groups, of_output)?;
    let batch = match batch_groups {
        1 => 1,
        _ => element::operand(op, 0)?.sizes[dimensions.input[0]],
    };
    check_groups(op, "batch_group_count", batch_groups, batch)?;
    if groups > 1 && batch_groups > 1 {
        return Err(unsupported(op, "has groups of features and of batches"));
    }
    let each = of_output as i64 / groups;
    let each_of_batch = of_output as i64 / batch_groups;
    let batch = batch as i64 / batch_groups;
    let mut all_windows = vec![TRIVIAL; array.rank()];
    for (window, &axis) in windows.iter().zip(&dimensions.input[2..]) {
        all_windows[axis] = *window;
    }
    let wide = accumulator(builder, to.element);
    let [left, right] = [
        converted(builder, operands[0], array.element, wide)?,
        converted(builder, operands[1], kernel.element, wide)?,
    ];
    let zero = zero(builder, wide)?;
    let whole = padded_by(op, builder, (left, &array), &all_windows, zero)?;
    let features = builder.size(left, dimensions.input[1])?;
    let of_groups = Size::Static(of_input as i64 * groups);
    same_size(
        op,
        builder,
        features,
        of_groups,
        "has features that do not fit",
    )?;
    let mut sizes_of_input = builder.sizes(left)?;
    if batch_groups > 1 {
        sizes_of_input[dimensions.input[0]] = Size::Static(batch);
    }
    let mut all = dimensions.places(op, builder, &sizes_of_input, &kernel, (&to, &windows))?;
    all.extend(sizes.iter().map(|&size| Size::Static(size)));
    all.push(Size::Static(of_input as i64));
    let rank = to.rank();
    let features = rank + windows.len();
    let spread = builder.backpermute(&[whole], &all, Bounds::Unchecked, |builder, place| {
        let mut at = vec![place[0]; array.rank()];
        let feature = place[dimensions.output[1]];
        let of_batch = place[dimensions.output[0]];
        at[dimensions.input[0]] = match batch_groups {
            1 => of_batch,
            _ => in_group(builder, feature, (each_of_batch, batch), of_batch)?,
        };
        at[dimensions.input[1]] = match groups {
            1 => place[features],
            _ => in_group(builder, feature, (each, of_input as i64), place[features])?,
        };
        for (index, &window) in windows.iter().enumerate() {
            let (own, out) = (dimensions.input[2 + index], dimensions.output[2 + index]);
            at[own] = place_in(builder, window, place[out], Some(place[rank + index]))?;
        }
        Ok(at)
    })?;
    let weights = builder.backpermute(&[right], &all, Bounds::Unchecked, |builder, place| {
        let mut at = vec![place[0]; kernel.rank()];
        at[dimensions.kernel[0]] = place[features];
        at[dimensions.kernel[1]] = place[dimensions.output[1]];
        for (index, &axis) in dimensions.kernel[2..].iter().enumerate() {
            at[axis] = match reversed[index] {
                false => place[rank + index],
                true => {
                    let last = builder.index(sizes[index] - 1)?;
                    builder.arithmetic("arith.subi", &[last, place[rank + index]])?
                }
            };
        }
        Ok(at)
    })?;
    let arrays = [spread[0], weights[0]];
    let sums = sum_of_products(builder, &arrays, windows.len() + 1, wide)?;
    Ok(vec![converted(builder, sums[0], wide, to.element)?])
}

/// A number of groups has to divide what is in groups.
fn check_groups<'c>(
    op: OperationRef<'c, '_>,
    name: &str,
    groups: i64,
    size: u64,
) -> Result<(), PassError<'c>> {
    match groups > 0 && size.is_multiple_of(groups as u64) {
        true => Ok(()),
        false => Err(missing(op, name, "a divisor of the sizes")),
    }
}

/// The place that a feature's group has: groups of `each` features have `own` places.
fn in_group<'c, 'a>(
    builder: &Builder<'c, 'a>,
    feature: Value<'c, 'a>,
    (each, own): (i64, i64),
    place: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let (each, own) = (builder.index(each)?, builder.index(own)?);
    let group = builder.arithmetic("arith.divui", &[feature, each])?;
    let first = builder.arithmetic("arith.muli", &[group, own])?;
    builder.arithmetic("arith.addi", &[first, place])
}

/// The dimensions of an array without windows.
const TRIVIAL: Window = Window {
    size: 1,
    stride: 1,
    dilation: 1,
    base: 1,
    low: 0,
    high: 0,
};

/// Which dimensions of a convolution's arrays are which: batch and features of input and output,
/// features of input and output of the kernel, then those that windows move along.
struct Dimensions {
    input: Vec<usize>,
    kernel: Vec<usize>,
    output: Vec<usize>,
}

impl Dimensions {
    /// Reads `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
    fn of<'c>(op: OperationRef<'c, '_>, ranks: &[usize; 3]) -> Result<Self, PassError<'c>> {
        const NAME: &str = "dimension_numbers";
        let text = op.attribute(NAME).map(|attribute| attribute.to_string());
        let text = text.unwrap_or_default();
        let lists: Vec<&str> = text
            .split('[')
            .skip(1)
            .filter_map(|rest| rest.split(']').next())
            .collect();
        let read = |list: usize, letters: [&str; 2]| {
            let items: Vec<&str> = lists.get(list)?.split(',').map(str::trim).collect();
            let find = |wanted: &str| items.iter().position(|&item| item == wanted);
            let mut axes = vec![find(letters[0])?, find(letters[1])?];
            for number in 0..items.len().checked_sub(2)? {
                axes.push(find(&number.to_string())?);
            }
            (axes.len() == ranks[list]).then_some(axes)
        };
        let dimensions = (|| {
            Some(Self {
                input: read(0, ["b", "f"])?,
                kernel: read(1, ["i", "o"])?,
                output: read(2, ["b", "f"])?,
            })
        })();
        dimensions.ok_or_else(|| missing(op, NAME, "such as [b, 0, f]x[0, i, o]->[b, 0, f]"))
    }

    /// The sizes of the result, from those of an input of one group.
    fn places<'c: 'a, 'a>(
        &self,
        op: OperationRef<'c, 'a>,
        builder: &Builder<'c, 'a>,
        sizes: &[Size<'c, 'a>],
        kernel: &Array<'c>,
        (to, windows): (&Open<'c>, &[Window]),
    ) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
        let mut own = vec![Size::Static(0); to.rank()];
        let mut own_windows = vec![TRIVIAL; to.rank()];
        own[self.output[0]] = sizes[self.input[0]];
        own[self.output[1]] = Size::Static(kernel.sizes[self.kernel[1]] as i64);
        for (index, &window) in windows.iter().enumerate() {
            own[self.output[2 + index]] = sizes[self.input[2 + index]];
            own_windows[self.output[2 + index]] = window;
        }
        places(op, builder, &own, to, &own_windows)
    }
}

/// The greatest number in attributes of windows, so that products of two are numbers of 64 bits.
const GREATEST: i64 = 1 << 31;

/// How windows of the given sizes move.
pub(super) fn windows<'c>(
    op: OperationRef<'c, '_>,
    sizes: &[i64],
    base: &str,
    dilation: &str,
) -> Result<Vec<Window>, PassError<'c>> {
    let list = |name: &str| {
        let list = match op.attribute(name).is_ok() {
            true => integers(op, name)?,
            false => vec![1; sizes.len()],
        };
        let is_known = |&number: &i64| (1..=GREATEST).contains(&number);
        match list.len() == sizes.len() && list.iter().all(is_known) {
            true => Ok(list),
            false => Err(missing(op, name, "a number from 1 on for each dimension")),
        }
    };
    if sizes.iter().any(|size| !(0..=GREATEST).contains(size)) {
        return Err(unsupported(op, "has windows of sizes that none can have"));
    }

    let (strides, bases, dilations) = (list("window_strides")?, list(base)?, list(dilation)?);
    let padding = padding(op, sizes.len())?;
    Ok((0..sizes.len())
        .map(|axis| Window {
            size: sizes[axis],
            stride: strides[axis],
            dilation: dilations[axis],
            base: bases[axis],
            low: padding[axis].0,
            high: padding[axis].1,
        })
        .collect())
}

/// The padding in front of and behind each dimension.
fn padding<'c>(op: OperationRef<'c, '_>, count: usize) -> Result<Vec<(i64, i64)>, PassError<'c>> {
    let Ok(padding) = op.attribute("padding") else {
        return Ok(vec![(0, 0); count]);
    };
    let refused = || missing(op, "padding", "two numbers for each dimension");
    let padding = DenseElementsAttribute::try_from(padding).map_err(|_| refused())?;
    if padding.len() != 2 * count {
        return Err(refused());
    }
    (0..count)
        .map(|axis| {
            let pair = (
                padding.i64_element(2 * axis)?,
                padding.i64_element(2 * axis + 1)?,
            );
            let is_known = |number: i64| (-GREATEST..=GREATEST).contains(&number);
            match is_known(pair.0) && is_known(pair.1) {
                true => Ok(pair),
                false => Err(refused()),
            }
        })
        .collect()
}

/// Which dimensions of the kernel are reversed.
fn reversed<'c>(op: OperationRef<'c, '_>, count: usize) -> Result<Vec<bool>, PassError<'c>> {
    const NAME: &str = "window_reversal";
    let Ok(attribute) = op.attribute(NAME) else {
        return Ok(vec![false; count]);
    };
    let text = attribute.to_string();
    let words = text.trim_end_matches('>').split([':', ',', ' ']);
    let flags: Vec<bool> = words
        .filter(|word| ["true", "false"].contains(word))
        .map(|word| word == "true")
        .collect();
    match flags.len() == count {
        true => Ok(flags),
        false => Err(missing(op, NAME, "true or false for each dimension")),
    }
}

/// How many places windows have in each dimension of an array of some sizes. What an array has that is to have an
/// element for each must not be something else.
pub(super) fn places<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    to: &Open<'c>,
    windows: &[Window],
) -> Result<Vec<Size<'c, 'a>>, PassError<'c>> {
    if to.rank() != windows.len() {
        return Err(unsupported(
            op,
            "has arrays of other ranks than its windows",
        ));
    }
    let mut places = vec![];
    for (axis, window) in windows.iter().enumerate() {
        let own = window.places(builder, sizes[axis])?;
        if let (Some(own), Some(said)) = (own.known(), to.sizes[axis])
            && own != said
        {
            let what = format!(
                "has windows at {own} places in dimension {axis}, and {said} elements for them"
            );
            return Err(unsupported(op, &what));
        }
        places.push(own);
    }
    Ok(places)
}

/// An array with the padding that its windows need.
pub(super) fn padded_by<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    (array, form): (Value<'c, 'a>, &Open<'c>),
    windows: &[Window],
    number: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let is_padded = |window: &Window| (window.low, window.high) != (0, 0);
    let is_spread = |window: &Window| window.base != 1;
    if !windows
        .iter()
        .any(|window| is_padded(window) || is_spread(window))
    {
        return Ok(array);
    }
    let low: Vec<i64> = windows.iter().map(|window| window.low).collect();
    let Some(known) = form.known() else {
        let high: Vec<i64> = windows.iter().map(|window| window.high).collect();
        let takes_away = |window: &Window| window.low < 0 || window.high < 0;
        if windows
            .iter()
            .any(|window| is_spread(window) || takes_away(window))
        {
            let what = "takes elements away or pads between them, which is not supported where sizes are not known";
            return Err(unsupported(op, what));
        }
        return Ok(surrounded(builder, array, (&low, &high), number)?[0]);
    };
    let sizes = &known.sizes[..];
    let to: Vec<u64> = (windows.iter().zip(sizes))
        .map(|(window, &size)| window.padded(size))
        .collect();
    let strides: Vec<i64> = windows.iter().map(|window| window.base).collect();
    Ok(padded(
        builder,
        array,
        (sizes, &to),
        (&low, &strides),
        number,
    )?)
}

/// A place in the padded array: of a window, and of an element in it.
pub(super) fn place_in<'c, 'a>(
    builder: &Builder<'c, 'a>,
    window: Window,
    place: Value<'c, 'a>,
    within: Option<Value<'c, 'a>>,
) -> Result<Value<'c, 'a>, Error> {
    let times = |value, factor| match factor {
        1 => Ok(value),
        factor => builder.arithmetic("arith.muli", &[value, builder.index(factor)?]),
    };
    let start = times(place, window.stride)?;
    match within {
        None => Ok(start),
        Some(within) => builder.arithmetic("arith.addi", &[start, times(within, window.dilation)?]),
    }
}
