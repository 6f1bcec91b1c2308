//! What kind of lambda an op has, and indexing maps.

use comb_kit::walk::in_block_from;
use melior::ir::{
    BlockLike, BlockRef, RegionLike, ValueLike, operation::OperationLike, r#type::RankedTensorType,
};
use soac_dialect::cast::is_a;

/// Whether a lambda computes with scalars only, so that it may be the body of a
/// `linalg.generic`. Reading elements of captured arrays is scalar code.
pub fn is_scalar(lambda: BlockRef) -> bool {
    in_block_from(lambda.first_operation()).all(|op| {
        let computes_array = op
            .results()
            .any(|result| is_a::<RankedTensorType>(result.r#type()));
        !computes_array
            && op.regions().all(|region| {
                std::iter::successors(region.first_block(), |block| block.next_in_region())
                    .all(is_scalar)
            })
    })
}

/// `(d0, d1, …) -> (d0, d1, …)` with the given dimensions as results.
pub(super) fn map(dimensions: usize, results: impl IntoIterator<Item = usize>) -> String {
    let list = |dims: &mut dyn Iterator<Item = usize>| {
        dims.map(|dim| format!("d{dim}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    format!(
        "({}) -> ({})",
        list(&mut (0..dimensions)),
        list(&mut results.into_iter())
    )
}

/// The identity on a number of dimensions.
pub(super) fn identity(dimensions: usize) -> String {
    map(dimensions, 0..dimensions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_written_as_mlir_writes_them() {
        assert_eq!(map(3, [2, 0]), "(d0, d1, d2) -> (d2, d0)");
        assert_eq!(identity(0), "() -> ()");
    }
}
