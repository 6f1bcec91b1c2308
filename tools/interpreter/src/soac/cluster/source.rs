//! Where the arrays come from that the ops of a cluster use.

use crate::value::Array;

/// An array as an op of a cluster's body sees it.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) origin: Origin,
    /// The inputs of clusters through which the op sees it.
    pub(super) inputs: Vec<Input>,
}

/// What an array is.
#[derive(Clone)]
pub(super) enum Origin {
    /// One that is complete.
    Given(Array),
    /// One that is computed in the cluster, by its number.
    Computed(usize),
}

/// An input of a cluster, and the order in which the cluster says to read it.
#[derive(Clone)]
pub(super) struct Input {
    /// The op that is the cluster, and where it is.
    pub(super) cluster: String,
    pub(super) position: usize,
    pub(super) level: usize,
    /// None is -1.
    pub(super) order: Option<i64>,
}

impl Source {
    /// A complete array that is no input of a cluster.
    pub(super) fn given(array: Array) -> Source {
        let origin = Origin::Given(array);
        Source {
            origin,
            inputs: vec![],
        }
    }

    /// An array that is computed in the cluster.
    pub(super) fn computed(array: usize) -> Source {
        let origin = Origin::Computed(array);
        Source {
            origin,
            inputs: vec![],
        }
    }

    /// The number of an array that is computed in the cluster.
    pub(super) fn as_computed(&self) -> Option<usize> {
        match self.origin {
            Origin::Given(_) => None,
            Origin::Computed(array) => Some(array),
        }
    }

    /// An input that is read in an order, if there is one among the inputs.
    pub(super) fn ordered_input(&self) -> Option<&Input> {
        self.inputs.iter().find(|input| input.order.is_some())
    }
}
