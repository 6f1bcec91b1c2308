//! What every op gives and requires: one function per op.
//!
//! A [`Description`] says which shapes the results have, what must hold of the
//! operands, and what the lambda takes and yields. Type inference, shape
//! reification, verification, speculation and run-time checks all follow from
//! it.

use melior::ir::{
    Type, ValueLike,
    r#type::{DimSize, IntegerType, RankedTensorType, ShapedTypeLike},
};
use thiserror::Error;

use crate::{
    extent::Extent,
    requirement::{Condition, Requirement, placeholders},
    view::{DYNAMIC, OpView},
};

/// A rule of the dialect that an op breaks: the program's fault.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Violation(pub String);

/// An array that an op gives.
#[derive(Clone, Debug)]
pub struct ResultArray<'c> {
    /// The element type.
    pub element: Type<'c>,
    /// The size of each dimension; nothing if it is not known before the op is
    /// executed.
    pub sizes: Vec<Option<Extent>>,
}

/// What a lambda takes and yields.
#[derive(Clone, Debug)]
pub struct LambdaSignature<'c> {
    /// The types of its arguments.
    pub arguments: Vec<Type<'c>>,
    /// The types of the values it yields, where the op prescribes them.
    pub yields: Option<Vec<Type<'c>>>,
}

/// What an op gives and requires.
#[derive(Clone, Debug, Default)]
pub struct Description<'c> {
    /// The arrays it gives.
    pub results: Vec<ResultArray<'c>>,
    /// What must hold of its operands.
    pub requirements: Vec<Requirement>,
    /// The lambda, if there is one.
    pub lambda: Option<LambdaSignature<'c>>,
}

impl<'c> Description<'c> {
    /// The result types: a dimension is static if its size is constant.
    pub fn result_types(&self) -> Vec<Type<'c>> {
        self.results
            .iter()
            .map(|result| {
                let sizes: Vec<Option<i64>> = result
                    .sizes
                    .iter()
                    .map(|size| size.as_ref().and_then(Extent::as_constant))
                    .collect();
                array_type(&sizes, result.element)
            })
            .collect()
    }

    /// The sizes of all results, unless one is known only by executing the op.
    pub fn result_sizes(&self) -> Option<Vec<Vec<Extent>>> {
        self.results
            .iter()
            .map(|result| result.sizes.iter().cloned().collect())
            .collect()
    }

    fn require(&mut self, condition: Condition, message: impl Into<String>) {
        self.requirements.push(Requirement {
            condition,
            message: message.into(),
        });
    }

    fn require_not_negative(&mut self, sizes: &[Extent], what: &str) {
        for size in sizes {
            self.require(
                Condition::NotNegative(size.clone()),
                format!("{what} is negative: {{}}"),
            );
        }
    }

    /// All operands of a group have the first one's shape.
    fn require_same_shapes(&mut self, view: &OpView, operands: std::ops::Range<usize>, what: &str) {
        let first = operands.start;
        for other in operands.skip(1) {
            let (left, right) = (view.sizes(first), view.sizes(other));
            self.require_same_shape(left, right, &format!("{what} {first} and {other}"));
        }
    }

    fn require_same_shape(&mut self, left: Vec<Extent>, right: Vec<Extent>, what: &str) {
        let message = format!(
            "{what} have different shapes: {} and {}",
            placeholders(left.len()),
            placeholders(right.len())
        );
        self.require(Condition::SameShape(left, right), message);
    }

    fn give(&mut self, element: Type<'c>, sizes: &[Extent]) {
        self.results.push(ResultArray {
            element,
            sizes: sizes.iter().cloned().map(Some).collect(),
        });
    }
}

/// A tensor type; sizes that are not known are dynamic, as are negative ones,
/// which verification reports.
pub fn array_type<'c>(sizes: &[Option<i64>], element: Type<'c>) -> Type<'c> {
    let sizes: Vec<u64> = sizes
        .iter()
        .map(|size| size.filter(|&size| size >= 0).unwrap_or(DYNAMIC) as u64)
        .collect();
    RankedTensorType::new(&sizes, element, None).into()
}

/// The sizes that a type knows.
pub fn static_sizes(array: &RankedTensorType) -> Vec<Option<i64>> {
    (0..array.rank())
        .map(|axis| match array.dim_size(axis) {
            Ok(DimSize::Static(size)) => Some(size as i64),
            _ => None,
        })
        .collect()
}

/// Whether two array types have the same elements, and sizes that do not
/// contradict each other.
pub fn are_compatible(left: &RankedTensorType, right: &RankedTensorType) -> bool {
    let (left_sizes, right_sizes) = (static_sizes(left), static_sizes(right));
    left.element() == right.element()
        && left_sizes.len() == right_sizes.len()
        && left_sizes
            .iter()
            .zip(&right_sizes)
            .all(|(left, right)| left.is_none() || right.is_none() || left == right)
}

fn violation<T>(message: impl Into<String>) -> Result<T, Violation> {
    Err(Violation(message.into()))
}

type Described<'c> = Result<Description<'c>, Violation>;

/// Describes an op of the dialect. Ops without arrays of their own (`yield`,
/// `check`, `external`) have nothing to describe.
///
/// # Errors
///
/// If the op's parts do not fit together so that there is nothing to describe,
/// such as a dimension that its operand does not have.
pub fn describe<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    match view.mnemonic() {
        "generate" => generate(view),
        "map" => map(view),
        "gather" => gather(view),
        "scatter" => scatter(view),
        "fold" => fold(view),
        "scanl" | "scanr" => scan(view),
        "filter" => filter(view),
        "force" => same_as_inputs(view),
        "zip" => zip(view),
        "cross" => cross(view),
        "concat" => concat(view),
        "update" => update(view),
        "lmad_slice" => lmad_slice(view),
        "lmad_update" => lmad_update(view),
        "iota" => iota(view),
        "fill" => fill(view),
        "replicate" => replicate(view),
        "reverse" => reverse(view),
        "rotate" => rotate(view),
        "slice" => slice(view),
        "take" => take(view),
        "drop" => drop_outer(view),
        "transpose" => transpose(view),
        "reshape" => reshape(view),
        "backpermute" => backpermute(view),
        "cluster" => cluster(view),
        _ => Ok(Description::default()),
    }
}

//===----------------------------------------------------------------------===//
// What the ops have in common
//===----------------------------------------------------------------------===//

fn at_least_one(view: &OpView, group: usize, what: &str) -> Result<(), Violation> {
    if view.group(group).is_empty() {
        return violation(format!("needs at least one {what}"));
    }
    Ok(())
}

fn elements<'c>(
    view: &OpView<'c, '_>,
    operands: std::ops::Range<usize>,
) -> Result<Vec<Type<'c>>, Violation> {
    operands
        .map(|operand| match view.array(operand) {
            Some(array) => Ok(array.element()),
            None => violation(format!(
                "operand {operand} is not an array: {}",
                view.operand_type(operand)
            )),
        })
        .collect()
}

fn require_same_types<'c>(
    left: &[Type<'c>],
    right: &[Type<'c>],
    what: &str,
) -> Result<(), Violation> {
    if left == right {
        return Ok(());
    }
    violation(format!(
        "{what}: expected ({}), got ({})",
        type_list(left),
        type_list(right)
    ))
}

/// Types, separated by commas.
pub(crate) fn type_list(types: &[Type]) -> String {
    types
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// A mixed list, once it is certain that every entry left open has an operand.
fn mixed(view: &OpView, attribute: &str, group: usize) -> Result<Vec<Extent>, Violation> {
    let (open, given) = (view.dynamic_entries(attribute), view.group(group).len());
    if open != given {
        return violation(format!(
            "'{attribute}' leaves {open} entries to operands, but {given} are given"
        ));
    }
    Ok(view.mixed(attribute, group))
}

fn one_for_each_dimension(list: &[Extent], rank: usize, what: &str) -> Result<(), Violation> {
    if list.len() == rank {
        return Ok(());
    }
    violation(format!(
        "needs one {what} for each of {rank} dimensions, got {}",
        list.len()
    ))
}

fn at_most_one_for_each_dimension(
    list: &[Extent],
    rank: usize,
    what: &str,
) -> Result<(), Violation> {
    if list.len() <= rank {
        return Ok(());
    }
    violation(format!(
        "has {} {what}s for an array of {rank} dimensions",
        list.len()
    ))
}

fn dimension(dim: i64, rank: usize) -> Result<usize, Violation> {
    usize::try_from(dim)
        .ok()
        .filter(|&dim| dim < rank)
        .ok_or_else(|| {
            Violation(format!(
                "names dimension {dim} of an array of {rank} dimensions"
            ))
        })
}

fn index_types<'c>(view: &OpView<'c, '_>, count: usize) -> Vec<Type<'c>> {
    let context = view.location.context();
    // SAFETY: the reference, which is to the local handle, is used here only;
    // the type lives as long as the context.
    let index = Type::index(unsafe { context.to_ref() });
    vec![index; count]
}

/// Inputs (all operands of group 0) of one shape, and results of another shape
/// with the same elements.
fn rearranged<'c>(
    view: &OpView<'c, '_>,
    sizes: impl FnOnce(&[Extent], &mut Description<'c>) -> Result<Vec<Extent>, Violation>,
) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let inputs = view.group(0);
    let mut description = Description::default();
    description.require_same_shapes(view, inputs.clone(), "operands");
    let sizes = sizes(&view.sizes(inputs.start), &mut description)?;
    for element in elements(view, inputs)? {
        description.give(element, &sizes);
    }
    Ok(description)
}

//===----------------------------------------------------------------------===//
// Core combinators
//===----------------------------------------------------------------------===//

fn yielded_types<'c>(view: &OpView<'c, '_>) -> Result<Vec<Type<'c>>, Violation> {
    match view.yielded() {
        Some(values) => Ok(values.iter().map(|value| value.r#type()).collect()),
        None => violation("needs a lambda that ends with 'soac.yield'"),
    }
}

fn generate<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let sizes = mixed(view, "static_sizes", 0)?;
    let mut description = Description::default();
    description.require_not_negative(&sizes, "a size");
    for yielded in yielded_types(view)? {
        if RankedTensorType::try_from(yielded).is_ok() {
            return violation(format!("yields an array, {yielded}, as an element"));
        }
        description.give(yielded, &sizes);
    }
    if description.results.is_empty() {
        return violation("yields nothing");
    }
    description.lambda = Some(LambdaSignature {
        arguments: index_types(view, sizes.len()),
        yields: None,
    });
    Ok(description)
}

fn map<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let inputs = view.group(0);
    let outer = outer_dimensions(view)?;
    let mut description = Description::default();
    let outer_sizes = view.sizes(inputs.start)[..outer].to_vec();
    for other in inputs.clone().skip(1) {
        let mut sizes = view.sizes(other);
        if view.flag("outer") {
            sizes.truncate(outer);
        }
        let what = format!("operands {} and {other}", inputs.start);
        description.require_same_shape(outer_sizes.clone(), sizes, &what);
    }
    map_results(view, &outer_sizes, &mut description)?;
    let arguments = inputs
        .filter_map(|input| view.array(input))
        .map(|array| inner_type(&array, outer))
        .collect();
    description.lambda = Some(LambdaSignature {
        arguments,
        yields: None,
    });
    Ok(description)
}

/// How many dimensions a map goes over.
fn outer_dimensions(view: &OpView) -> Result<usize, Violation> {
    let ranks: Vec<usize> = view
        .group(0)
        .map(|input| view.array(input).map_or(0, |array| array.rank()))
        .collect();
    let Some(outer) = view.integer("outer") else {
        return Ok(ranks[0]);
    };
    let least = ranks.iter().copied().min().unwrap_or(0);
    match usize::try_from(outer) {
        Ok(outer) if (1..=least).contains(&outer) => Ok(outer),
        _ => violation(format!(
            "maps over {outer} outer dimensions of an array of {least} dimensions"
        )),
    }
}

/// What remains of an array inside a map over its outer dimensions.
fn inner_type<'c>(array: &RankedTensorType<'c>, outer: usize) -> Type<'c> {
    let sizes = static_sizes(array);
    if sizes.len() <= outer {
        array.element()
    } else {
        array_type(&sizes[outer..], array.element())
    }
}

fn map_results<'c>(
    view: &OpView<'c, '_>,
    outer_sizes: &[Extent],
    description: &mut Description<'c>,
) -> Result<(), Violation> {
    let mut given = view.group(1).map(Extent::value);
    let mut missing = 0;
    let mut inner_size = |size: Option<i64>| match size {
        Some(size) => Extent::constant(size),
        None => given.next().unwrap_or_else(|| {
            missing += 1;
            Extent::constant(0)
        }),
    };
    let mut results = vec![];
    for yielded in yielded_types(view)? {
        let mut sizes = outer_sizes.to_vec();
        let element = match RankedTensorType::try_from(yielded) {
            Ok(_) if !view.flag("outer") => {
                return violation(format!(
                    "yields an array, {yielded}, as an element; say over how many \
                     dimensions it maps with 'outer'"
                ));
            }
            Ok(array) => {
                sizes.extend(static_sizes(&array).into_iter().map(&mut inner_size));
                array.element()
            }
            Err(_) => yielded,
        };
        results.push((element, sizes));
    }
    if results.is_empty() {
        return violation("yields nothing");
    }
    let surplus = given.count();
    if missing > 0 || surplus > 0 {
        let given = view.group(1).len();
        return violation(format!(
            "yields arrays with {} dynamic dimensions, but 'inner' gives {given}",
            given + missing - surplus
        ));
    }
    for (element, sizes) in results {
        description.give(element, &sizes);
    }
    let inner: Vec<Extent> = view.group(1).map(Extent::value).collect();
    description.require_not_negative(&inner, "an inner size");
    Ok(())
}

fn gather<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "source")?;
    at_least_one(view, 1, "index array")?;
    let (sources, indices) = (view.group(0), view.group(1));
    if view.integer("label").is_some_and(|label| label < 2) {
        return violation("has a label below 2; 0 and 1 are the orders left and right");
    }
    let mut description = Description::default();
    description.require_same_shapes(view, sources.clone(), "sources");
    description.require_same_shapes(view, indices.clone(), "index arrays");
    let source_sizes = view.sizes(sources.start);
    if indices.len() > source_sizes.len() {
        return violation(format!(
            "has {} index arrays for a source of {} dimensions",
            indices.len(),
            source_sizes.len()
        ));
    }
    let mut sizes = view.sizes(indices.start);
    sizes.extend_from_slice(&source_sizes[indices.len()..]);
    for element in elements(view, sources)? {
        description.give(element, &sizes);
    }
    Ok(description)
}

fn scatter<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "source")?;
    at_least_one(view, 2, "index array")?;
    let (sources, dests, indices) = (view.group(0), view.group(1), view.group(2));
    let types = elements(view, dests.clone())?;
    require_same_types(
        &types,
        &elements(view, sources.clone())?,
        "sources must have the elements of the destinations",
    )?;
    let mut description = Description::default();
    description.require_same_shapes(view, sources.clone(), "sources");
    description.require_same_shapes(view, dests.clone(), "destinations");
    for index in indices.clone() {
        let what = format!("source {} and index array {index}", sources.start);
        description.require_same_shape(view.sizes(sources.start), view.sizes(index), &what);
    }
    let sizes = view.sizes(dests.start);
    if indices.len() != sizes.len() {
        return violation(format!(
            "has {} index arrays for a destination of {} dimensions",
            indices.len(),
            sizes.len()
        ));
    }
    for element in &types {
        description.give(*element, &sizes);
    }
    if view.lambda_arguments().is_some() {
        if view.flag("any_write") {
            return violation("combines elements, so 'any_write' has no meaning");
        }
        description.lambda = Some(operator(&types));
    }
    Ok(description)
}

/// A function of two sets of elements to one.
fn operator<'c>(elements: &[Type<'c>]) -> LambdaSignature<'c> {
    LambdaSignature {
        arguments: [elements, elements].concat(),
        yields: Some(elements.to_vec()),
    }
}

/// Checks that there is a neutral element for each input, and gives their
/// types.
fn reduced_elements<'c>(view: &OpView<'c, '_>) -> Result<Vec<Type<'c>>, Violation> {
    at_least_one(view, 0, "array")?;
    let types = elements(view, view.group(0))?;
    let neutrals: Vec<Type> = view
        .group(1)
        .map(|neutral| view.operand_type(neutral))
        .collect();
    require_same_types(&types, &neutrals, "needs a neutral element for each array")?;
    Ok(types)
}

fn fold<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let types = reduced_elements(view)?;
    let inputs = view.group(0);
    let inner = view.integer("inner").unwrap_or(1);
    let sizes = view.sizes(inputs.start);
    let Some(kept) = usize::try_from(inner)
        .ok()
        .filter(|&inner| inner >= 1)
        .and_then(|inner| sizes.len().checked_sub(inner))
    else {
        return violation(format!(
            "folds {inner} dimensions of an array of {} dimensions",
            sizes.len()
        ));
    };
    let mut description = Description::default();
    description.require_same_shapes(view, inputs, "operands");
    for element in &types {
        description.give(*element, &sizes[..kept]);
    }
    description.lambda = Some(operator(&types));
    Ok(description)
}

fn scan<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let types = reduced_elements(view)?;
    let inputs = view.group(0);
    let sizes = view.sizes(inputs.start);
    if sizes.is_empty() {
        return violation("scans an array of 0 dimensions");
    }
    let mut description = Description::default();
    description.require_same_shapes(view, inputs, "operands");
    for element in &types {
        description.give(*element, &sizes);
    }
    description.lambda = Some(operator(&types));
    Ok(description)
}

fn filter<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let inputs = view.group(0);
    let types = elements(view, inputs.clone())?;
    let rank = view.sizes(inputs.start).len();
    if rank != 1 {
        return violation(format!("filters arrays of 1 dimension, not of {rank}"));
    }
    let mut description = Description::default();
    description.require_same_shapes(view, inputs, "operands");
    description.results = types
        .iter()
        .map(|&element| ResultArray {
            element,
            sizes: vec![None],
        })
        .collect();
    let context = view.location.context();
    // SAFETY: the reference, which is to the local handle, is used here only;
    // the type lives as long as the context.
    let bit = IntegerType::new(unsafe { context.to_ref() }, 1).into();
    description.lambda = Some(LambdaSignature {
        arguments: types,
        yields: Some(vec![bit]),
    });
    Ok(description)
}

fn same_as_inputs<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let mut description = Description::default();
    for (input, element) in elements(view, view.group(0))?.into_iter().enumerate() {
        description.give(element, &view.sizes(input));
    }
    Ok(description)
}

fn zip<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let mut description = same_as_inputs(view)?;
    description.require_same_shapes(view, view.group(0), "operands");
    Ok(description)
}

fn cross<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "left array")?;
    at_least_one(view, 1, "right array")?;
    let (lefts, rights) = (view.group(0), view.group(1));
    let mut description = Description::default();
    description.require_same_shapes(view, lefts.clone(), "left arrays");
    description.require_same_shapes(view, rights.clone(), "right arrays");
    let mut sizes = view.sizes(lefts.start);
    sizes.extend(view.sizes(rights.start));
    for element in elements(view, lefts.start..rights.end)? {
        description.give(element, &sizes);
    }
    Ok(description)
}

//===----------------------------------------------------------------------===//
// Circuit points
//===----------------------------------------------------------------------===//

fn concat<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "array")?;
    let types = elements(view, view.group(0))?;
    require_same_types(
        &vec![types[0]; types.len()],
        &types,
        "arrays must have the same elements",
    )?;
    let mut sizes = view.sizes(0);
    let dim = dimension(view.integer("dim").unwrap_or(-1), sizes.len())?;
    let mut description = Description::default();
    for other in 1..types.len() {
        let without = |operand| {
            let mut sizes = view.sizes(operand);
            if dim < sizes.len() {
                sizes.remove(dim);
            }
            sizes
        };
        let what = format!("operands 0 and {other}, apart from dimension {dim},");
        description.require_same_shape(without(0), without(other), &what);
        if let Some(size) = view.sizes(other).get(dim) {
            sizes[dim] = &sizes[dim] + size;
        }
    }
    description.give(types[0], &sizes);
    Ok(description)
}

/// Source and destination have the same elements; gives them.
fn updated_element<'c>(view: &OpView<'c, '_>) -> Result<Type<'c>, Violation> {
    let types = elements(view, 0..2)?;
    require_same_types(
        &types[1..],
        &types[..1],
        "the source must have the elements of the destination",
    )?;
    Ok(types[1])
}

/// The points of each dimension lie inside the array.
fn require_slice_inside(
    description: &mut Description,
    offsets: &[Extent],
    sizes: &[Extent],
    strides: &[Extent],
    bounds: &[Extent],
) {
    for axis in 0..bounds.len() {
        description.require(
            Condition::PointsInside {
                offset: offsets[axis].clone(),
                sizes: vec![sizes[axis].clone()],
                strides: vec![strides[axis].clone()],
                bound: vec![bounds[axis].clone()],
            },
            format!(
                "the slice with offset {{}}, size {{}} and stride {{}} leaves \
                 dimension {axis} of size {{}}"
            ),
        );
    }
}

/// The points of an LMAD lie inside the array.
fn require_lmad_inside(
    description: &mut Description,
    offset: Extent,
    sizes: Vec<Extent>,
    strides: Vec<Extent>,
    bound: Vec<Extent>,
) {
    let message = format!(
        "the LMAD with offset {{}}, sizes {} and strides {} leaves the array of shape {}",
        placeholders(sizes.len()),
        placeholders(strides.len()),
        placeholders(bound.len())
    );
    description.require(
        Condition::PointsInside {
            offset,
            sizes,
            strides,
            bound,
        },
        message,
    );
}

fn update<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let element = updated_element(view)?;
    let (source, dest) = (view.sizes(0), view.sizes(1));
    if source.len() != dest.len() {
        return violation(format!(
            "writes {} into {}: they differ in rank",
            view.operand_type(0),
            view.operand_type(1)
        ));
    }
    let offsets = mixed(view, "static_offsets", 2)?;
    let strides = mixed(view, "static_strides", 3)?;
    one_for_each_dimension(&offsets, dest.len(), "offset")?;
    one_for_each_dimension(&strides, dest.len(), "stride")?;
    let mut description = Description::default();
    for stride in &strides {
        description.require(Condition::NotZero(stride.clone()), "a stride is zero");
    }
    if !view.flag("unchecked") {
        require_slice_inside(&mut description, &offsets, &source, &strides, &dest);
    }
    description.give(element, &dest);
    Ok(description)
}

fn one_offset(offset: Vec<Extent>) -> Result<Extent, Violation> {
    match <[Extent; 1]>::try_from(offset) {
        Ok([offset]) => Ok(offset),
        Err(offset) => violation(format!("needs one offset, got {}", offset.len())),
    }
}

fn lmad_slice<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let offset = one_offset(mixed(view, "static_offset", 1)?)?;
    let sizes = mixed(view, "static_sizes", 2)?;
    let strides = mixed(view, "static_strides", 3)?;
    one_for_each_dimension(&strides, sizes.len(), "stride")?;
    let mut description = Description::default();
    description.require_not_negative(&sizes, "a size");
    description.give(elements(view, 0..1)?[0], &sizes);
    if !view.flag("unchecked") {
        require_lmad_inside(&mut description, offset, sizes, strides, view.sizes(0));
    }
    Ok(description)
}

fn lmad_update<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let element = updated_element(view)?;
    let offset = one_offset(mixed(view, "static_offset", 2)?)?;
    let strides = mixed(view, "static_strides", 3)?;
    let (source, dest) = (view.sizes(0), view.sizes(1));
    one_for_each_dimension(&strides, source.len(), "stride")?;
    let mut description = Description::default();
    description.give(element, &dest);
    if !view.flag("unchecked") {
        require_lmad_inside(&mut description, offset, source, strides, dest);
    }
    Ok(description)
}

//===----------------------------------------------------------------------===//
// Structured combinators
//===----------------------------------------------------------------------===//

fn iota<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let sizes = mixed(view, "static_sizes", 0)?;
    dimension(view.integer("dim").unwrap_or(-1), sizes.len())?;
    let mut description = Description::default();
    description.require_not_negative(&sizes, "a size");
    let element = view
        .result_types
        .first()
        .and_then(|&result| RankedTensorType::try_from(result).ok())
        .map(|array| array.element());
    match element {
        Some(element) => description.give(element, &sizes),
        None => return violation("needs a result type"),
    }
    Ok(description)
}

fn fill<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    at_least_one(view, 0, "value")?;
    let sizes = mixed(view, "static_sizes", 1)?;
    let mut description = Description::default();
    description.require_not_negative(&sizes, "a size");
    for value in view.group(0) {
        description.give(view.operand_type(value), &sizes);
    }
    Ok(description)
}

fn replicate<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let outer = mixed(view, "static_sizes", 1)?;
    rearranged(view, |sizes, description| {
        description.require_not_negative(&outer, "a size");
        Ok([&outer, sizes].concat())
    })
}

fn reverse<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let dims = view.integers("dims");
    rearranged(view, |sizes, _| {
        let mut seen = vec![false; sizes.len()];
        for dim in dims {
            let dim = dimension(dim, sizes.len())?;
            if std::mem::replace(&mut seen[dim], true) {
                return violation(format!("names dimension {dim} twice"));
            }
        }
        Ok(sizes.to_vec())
    })
}

fn rotate<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let amounts = mixed(view, "static_amounts", 1)?;
    rearranged(view, |sizes, _| {
        at_most_one_for_each_dimension(&amounts, sizes.len(), "amount")?;
        Ok(sizes.to_vec())
    })
}

fn slice<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let offsets = mixed(view, "static_offsets", 1)?;
    let sizes = mixed(view, "static_sizes", 2)?;
    let strides = mixed(view, "static_strides", 3)?;
    rearranged(view, |bounds, description| {
        one_for_each_dimension(&offsets, bounds.len(), "offset")?;
        one_for_each_dimension(&sizes, bounds.len(), "size")?;
        one_for_each_dimension(&strides, bounds.len(), "stride")?;
        description.require_not_negative(&sizes, "a size");
        if !view.flag("unchecked") {
            require_slice_inside(description, &offsets, &sizes, &strides, bounds);
        }
        Ok(sizes.clone())
    })
}

fn require_counts(
    description: &mut Description,
    counts: &[Extent],
    sizes: &[Extent],
) -> Result<(), Violation> {
    at_most_one_for_each_dimension(counts, sizes.len(), "count")?;
    for (axis, (count, size)) in counts.iter().zip(sizes).enumerate() {
        description.require(
            Condition::AtMost(count.clone(), size.clone()),
            format!("count {{}} is not between 0 and {{}}, the size of dimension {axis}"),
        );
    }
    Ok(())
}

fn take<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let counts = mixed(view, "static_counts", 1)?;
    rearranged(view, |sizes, description| {
        require_counts(description, &counts, sizes)?;
        Ok([&counts, &sizes[counts.len()..]].concat())
    })
}

fn drop_outer<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let counts = mixed(view, "static_counts", 1)?;
    rearranged(view, |sizes, description| {
        require_counts(description, &counts, sizes)?;
        let mut rest = sizes.to_vec();
        for (size, count) in rest.iter_mut().zip(&counts) {
            *size = &*size - count;
        }
        Ok(rest)
    })
}

fn transpose<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let permutation = view.integers("permutation");
    rearranged(view, |sizes, _| {
        let mut sorted = permutation.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..sizes.len() as i64) {
            return violation(format!(
                "{permutation:?} is not a permutation of {} dimensions",
                sizes.len()
            ));
        }
        Ok(permutation
            .iter()
            .map(|&axis| sizes[axis as usize].clone())
            .collect())
    })
}

fn reshape<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let new = mixed(view, "static_sizes", 1)?;
    rearranged(view, |sizes, description| {
        description.require_not_negative(&new, "a size");
        description.require(
            Condition::SameCount(sizes.to_vec(), new.clone()),
            format!(
                "shapes {} and {} have different numbers of elements",
                placeholders(sizes.len()),
                placeholders(new.len())
            ),
        );
        Ok(new)
    })
}

fn backpermute<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let new = mixed(view, "static_sizes", 1)?;
    let mut rank = 0;
    let mut description = rearranged(view, |sizes, description| {
        rank = sizes.len();
        description.require_not_negative(&new, "a size");
        Ok(new.clone())
    })?;
    description.lambda = Some(LambdaSignature {
        arguments: index_types(view, new.len()),
        yields: Some(index_types(view, rank)),
    });
    Ok(description)
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

fn cluster<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let mut description = Description::default();
    for yielded in yielded_types(view)? {
        let Ok(array) = RankedTensorType::try_from(yielded) else {
            return violation(format!("yields {yielded}, which is not an array"));
        };
        description.results.push(ResultArray {
            element: array.element(),
            sizes: static_sizes(&array)
                .into_iter()
                .map(|size| size.map(Extent::constant))
                .collect(),
        });
    }
    for (orders, count, what) in [
        ("input_orders", view.operands.len(), "inputs"),
        ("output_orders", description.results.len(), "results"),
    ] {
        let given = view.integers(orders);
        if view.flag(orders) && given.len() != count {
            return violation(format!("has {count} {what}, but {} orders", given.len()));
        }
        if let Some(order) = given.iter().find(|&&order| order < -1) {
            return violation(format!("has an unknown traversal order, {order}"));
        }
    }
    description.lambda = Some(LambdaSignature {
        arguments: view.operands.iter().map(|input| input.r#type()).collect(),
        yields: None,
    });
    Ok(description)
}
