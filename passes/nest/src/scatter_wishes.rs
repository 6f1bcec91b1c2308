//! How threads are to share a scatter, if the user says so: the attribute `soac.scatter = "name"`.
//!
//! The bits of the result are the same with all strategies that an operator allows, except that a
//! privatised floating-point sum, which has to say that it may be reassociated, is rounded otherwise.
//!
//! Cost: linear in the ops of a module.

use comb_kit::{
    commutativity::{combining_ops, may_be_reordered},
    neutral::Neutral,
    pass_error::PassError,
    walk::operations,
};
use melior::ir::{OperationRef, operation::OperationLike};
use nest_dialect::strategy::Strategy;
use soac_dialect::{
    attributes::SCATTER,
    view::{OpView, op_name},
};
use thiserror::Error;

/// What is wrong with a wish.
#[derive(Debug, Error)]
enum Refused {
    #[error("'{SCATTER}' {0}")]
    Unknown(#[from] nest_dialect::strategy::Unknown),
    #[error(
        "'soac.scatter' op cannot be privatised: it does not combine each element with the one that is \
         there by a single op that is commutative and has a neutral element; \"partitioned\" and \
         \"sequential\" do for every function"
    )]
    NotCombined,
    #[error(
        "'soac.scatter' op cannot be privatised: its result depends on the order in which elements are \
         combined; \"partitioned\" and \"sequential\" do for every function, and floating-point sums and \
         products may be privatised if they say `fastmath<reassoc>`"
    )]
    Ordered,
}

/// Checks the wishes of all scatters.
///
/// # Errors
///
/// If one names no strategy, or one that the scatter's operator does not allow.
pub fn check<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let scatters = operations(module).into_iter();
    let mut scatters = scatters.filter(|&op| op_name(op) == "soac.scatter");
    scatters.try_for_each(|op| wish(op).map(|_| ()))
}

/// What the user wishes for a scatter.
///
/// # Errors
///
/// As for [`check`].
pub fn wish<'c: 'a, 'a>(scatter: OperationRef<'c, 'a>) -> Result<Option<Strategy>, PassError<'c>> {
    allowed_wish(scatter).map_err(|refused| PassError::Unsupported {
        location: scatter.location(),
        message: refused.to_string(),
    })
}

fn allowed_wish<'c: 'a, 'a>(scatter: OperationRef<'c, 'a>) -> Result<Option<Strategy>, Refused> {
    let Ok(value) = scatter.attribute(SCATTER) else {
        return Ok(None);
    };
    let strategy = Strategy::named(value)?;
    let view = OpView::of(scatter);
    match strategy {
        Strategy::Privatised if !combines_neutrally(&view) => Err(Refused::NotCombined),
        Strategy::Privatised if !may_be_reordered(&view) => Err(Refused::Ordered),
        _ => Ok(Some(strategy)),
    }
}

/// Whether chunks may have tables of their own for a scatter, if its user wishes that.
pub fn may_be_privatised(view: &OpView) -> bool {
    combines_neutrally(view) && may_be_reordered(view)
}

/// Whether each element is combined with the one that is there by one op, which has a neutral element.
fn combines_neutrally(view: &OpView) -> bool {
    let has_neutral = |op: &OperationRef| {
        let result = op.result(0);
        result.is_ok_and(|result| {
            Neutral::of(op_name(*op), melior::ir::ValueLike::r#type(&result)).is_some()
        })
    };
    combining_ops(view).is_some_and(|ops| ops.iter().all(has_neutral))
}
