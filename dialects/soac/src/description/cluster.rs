//! Clusters: their results are what the body yields.

use melior::ir::{
    ValueLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};

use super::{
    Described, Description, LambdaSignature, ResultArray,
    common::{count, yielded_types},
    static_sizes, violation,
};
use crate::{cast::cast, extent::Extent, view::OpView};

pub(super) fn cluster<'c>(view: &OpView<'c, '_>) -> Described<'c> {
    let mut description = Description::default();
    for yielded in yielded_types(view)? {
        let Some(array) = cast::<RankedTensorType>(yielded) else {
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
    for (orders, number, what) in [
        ("input_orders", view.operands.len(), "input"),
        ("output_orders", description.results.len(), "result"),
    ] {
        let given = view.integers(orders);
        if view.flag(orders) && given.len() != number {
            return violation(format!(
                "has {}, but {}",
                count(number, what),
                count(given.len(), "order")
            ));
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
