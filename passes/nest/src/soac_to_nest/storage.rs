//! Which of the arrays that a cluster computes are stored, and where.
//!
//! * What the cluster gives is an output of its kernel, and so is what a scatter updates.
//! * What one loop computes and another one reads at the same iteration of the loops around both
//!   is local to that iteration, without the dimensions of these loops: a *row*.
//! * Any other element is only needed at the iteration that computes it.
//!
//! Cost: for each array, linear in the number of combinators.

use crate::cluster_loops::plan::{Kind, Plan, Source};

/// Where an array is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// Nowhere: each element is there while its iteration runs.
    Element,
    /// It is an output of the kernel.
    Output,
    /// A new array at each iteration of the innermost of so many loops, without so many outer
    /// dimensions.
    Local { loops: usize, skipped: usize },
}

impl Storage {
    /// How many outer dimensions are not stored.
    pub fn skipped(self) -> usize {
        match self {
            Self::Local { skipped, .. } => skipped,
            Self::Element | Self::Output => 0,
        }
    }
}

/// Where each array is.
pub(super) fn storage(plan: &Plan) -> Vec<Storage> {
    (0..plan.arrays.len())
        .map(|array| {
            let leaf = &plan.leaves[plan.arrays[array].leaf];
            let is_given = plan.yielded.contains(&Source::Computed(array));
            if is_given || leaf.kind == Kind::Scatter {
                return Storage::Output;
            }
            match plan.shared_loops(array) {
                Some(loops) => Storage::Local {
                    loops,
                    skipped: leaf.shared_dimensions(loops),
                },
                None => Storage::Element,
            }
        })
        .collect()
}
