//! The labels of a function's gathers: numbers that nothing else in it has.

use std::collections::{HashMap, HashSet};

use comb_fusion::graph::FIRST_LABEL;
use comb_kit::walk::{op_key, operations};
use melior::ir::{OperationRef, attribute::IntegerAttribute, operation::OperationLike};
use soac_dialect::{builder::Builder, view::set_attribute};

const LABEL: &str = "label";

/// Gives out labels.
pub struct Labels {
    given: HashMap<usize, i64>,
    next: i64,
}

impl Labels {
    /// Those of a function: what gathers are called already, they are called.
    pub fn new(function: OperationRef) -> Self {
        let (mut given, mut taken) = (HashMap::new(), HashSet::new());
        for op in operations(function) {
            let label = op.attribute(LABEL).ok().map(IntegerAttribute::try_from);
            let label = label.and_then(Result::ok).map(|label| label.value());
            if let Some(label) = label.filter(|&label| taken.insert(label)) {
                given.insert(op_key(op), label);
            }
        }
        let greatest = given.values().copied().max().unwrap_or(0);
        Self {
            given,
            next: greatest.saturating_add(1).max(i64::from(FIRST_LABEL)),
        }
    }

    /// The label of a gather, which gets one if it has none.
    pub fn of<'c: 'a, 'a>(&mut self, gather: OperationRef<'c, 'a>) -> i64 {
        let next = &mut self.next;
        *self.given.entry(op_key(gather)).or_insert_with(|| {
            let label = *next;
            *next += 1;
            if let Some(builder) = Builder::before(gather) {
                set_attribute(gather, LABEL, builder.number(label));
            }
            label
        })
    }
}
