//! Several arrays that are treated alike: those whose results nobody uses are
//! left out.

use super::rewrite::{Rewrite, is_used};
use crate::{
    description::describe,
    requirement::{Condition, Truth},
};

/// Of an op that makes each result of one operand of group 0, leaves out the
/// operands whose results are not used, if their shapes are known to agree.
pub(super) fn unused_results(rewrite: &Rewrite) -> Option<()> {
    let results = rewrite.results();
    let used: Vec<usize> = (0..results.len())
        .filter(|&result| is_used(results[result]))
        .collect();
    if used.is_empty() || used.len() == results.len() || !shapes_agree(rewrite) {
        return None;
    }
    let mut groups = rewrite.groups();
    groups[0] = used.iter().map(|&result| groups[0][result]).collect();
    rewrite.with_results(&used, &groups, vec![]);
    Some(())
}

fn shapes_agree(rewrite: &Rewrite) -> bool {
    describe(&rewrite.view).is_ok_and(|description| {
        description
            .requirements
            .iter()
            .filter(|requirement| matches!(requirement.condition, Condition::SameShape(..)))
            .all(|requirement| requirement.condition.truth() == Truth::Holds)
    })
}
