//! What every op gives and requires: one function per op.
//!
//! A [`Description`] says which shapes the results have, what must hold of the
//! operands, and what the lambda takes and yields. Type inference, shape
//! reification, verification, speculation and run-time checks all follow from
//! it.

mod circuit;
mod cluster;
mod common;
mod elementwise;
mod indexed;
mod reduction;
mod structured;

use melior::ir::{
    Type,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use thiserror::Error;

pub(crate) use common::count;
pub use common::type_list;

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
        for (position, size) in sizes.iter().enumerate() {
            self.require(
                Condition::NotNegative(size.clone()),
                format!("{what} {position} is negative: {{}}"),
            );
        }
    }

    /// All operands of a group have the first one's shape.
    fn require_same_shapes(&mut self, view: &OpView, operands: std::ops::Range<usize>, what: &str) {
        let first = operands.start;
        for other in operands.skip(1) {
            let (left, right) = (view.sizes(first), view.sizes(other));
            let what = format!("{what} 0 and {}", other - first);
            self.require_same_shape(left, right, &what);
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
        "generate" => elementwise::generate(view),
        "map" => elementwise::map(view),
        "gather" => indexed::gather(view),
        "scatter" => indexed::scatter(view),
        "fold" => reduction::fold(view),
        "scanl" | "scanr" => reduction::scan(view),
        "filter" => reduction::filter(view),
        "sort" => reduction::sort(view),
        "concat" => circuit::concat(view),
        "update" => circuit::update(view),
        "lmad_slice" => circuit::lmad_slice(view),
        "lmad_update" => circuit::lmad_update(view),
        "force" => structured::same_as_inputs(view),
        "zip" => structured::zip(view),
        "cross" => structured::cross(view),
        "iota" => structured::iota(view),
        "fill" => structured::fill(view),
        "replicate" => structured::replicate(view),
        "reverse" => structured::reverse(view),
        "rotate" => structured::rotate(view),
        "slice" => structured::slice(view),
        "take" => structured::take(view),
        "drop" => structured::drop_outer(view),
        "transpose" => structured::transpose(view),
        "reshape" => structured::reshape(view),
        "backpermute" => structured::backpermute(view),
        "cluster" => cluster::cluster(view),
        _ => Ok(Description::default()),
    }
}
