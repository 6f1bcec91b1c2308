//! Which of a slice's dimensions its array has: that of `tensor.extract_slice`'s result, or what
//! `tensor.insert_slice` and `tensor.parallel_insert_slice` insert. It may lack dimensions of size 1.
//!
//! The op's own lists and types say it, as they are written: a size that is an operand belongs to a
//! dynamic size of the array, even if the operand is known to be 1. Where there is a choice among
//! dimensions of size 1, the first ones are kept; the elements are the same.

use melior::ir::r#type::RankedTensorType;

use crate::{
    description::static_sizes,
    view::{DYNAMIC, OpView},
};

/// The dimensions that an array of a type has, of the slice that an op reads or writes; nothing if
/// the sizes do not fit.
pub fn kept_dimensions(view: &OpView, array: &RankedTensorType) -> Option<Vec<usize>> {
    let sizes: Vec<Option<i64>> = view
        .integers("static_sizes")
        .into_iter()
        .map(|size| (size != DYNAMIC).then_some(size))
        .collect();
    kept(&sizes, &static_sizes(array))
}

fn kept(sizes: &[Option<i64>], array: &[Option<i64>]) -> Option<Vec<usize>> {
    let mut kept = vec![];
    for (dimension, size) in sizes.iter().enumerate() {
        if array.get(kept.len()) == Some(size) {
            kept.push(dimension);
        } else if *size != Some(1) {
            return None;
        }
    }
    (kept.len() == array.len()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Option<i64> = Some(1);

    #[test]
    fn dynamic_sizes_belong_to_dynamic_sizes() {
        assert_eq!(kept(&[ONE, None, ONE], &[ONE, None]), Some(vec![0, 1]));
        assert_eq!(kept(&[ONE, None, ONE], &[None, ONE]), Some(vec![1, 2]));
        assert_eq!(kept(&[ONE, None, ONE], &[None]), Some(vec![1]));
        assert_eq!(kept(&[None, None], &[None]), None);
    }

    #[test]
    fn only_dimensions_of_size_one_may_be_missing() {
        assert_eq!(kept(&[ONE, Some(4)], &[Some(4)]), Some(vec![1]));
        assert_eq!(kept(&[ONE, Some(4)], &[ONE]), None);
        assert_eq!(kept(&[ONE, ONE], &[]), Some(vec![]));
        assert_eq!(kept(&[Some(4)], &[Some(4), ONE]), None);
    }
}
