//! What schedules cannot say yet, though it makes code from clusters faster: a pure function of a kernel
//! and a machine.
//!
//! Code is made by way of loop nests wherever that is as good. Each entry here is one that nests are to
//! learn, and goes when they have.
//!
//! Cost: that of [`Splitting::of`].

use comb_machine::Machine;
use melior::ir::OperationRef;
use soac_dialect::view::op_name;
use thiserror::Error;

use super::{
    accesses::{Access, Slope, slope},
    nests::Nest,
    splitting::Splitting,
};
use crate::walk::ancestors;

/// What is lacking.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Lack {
    /// Periods.
    #[error(
        "iterations that repeat themselves are computed once, and folded as often as there are periods"
    )]
    Periods,
    /// Filters where the CPU has no instruction for them.
    #[error("what a filter keeps is packed by a table, vector by vector")]
    Kept,
    /// A sequential loop in threads.
    #[error("threads go through a sequential loop one behind the other")]
    Wavefront,
    /// Mirrored blocks.
    #[error("a loop that reads an array from both ends goes over mirrored blocks")]
    BothEnds,
}

/// What a kernel's schedules lack, if anything.
pub fn lack<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>, machine: &Machine) -> Option<Lack> {
    let nests = Nest::in_kernel(kernel);
    nests.iter().find_map(|nest| {
        in_filters(nest, machine)
            .or_else(|| in_threads(kernel, nest))
            .or_else(|| in_loops(nest))
    })
}

fn in_filters(nest: &Nest, machine: &Machine) -> Option<Lack> {
    let has_filter = nest.deep_ops().iter().any(|&op| op_name(op) == "nest.keep");
    (has_filter && !machine.compress).then_some(Lack::Kept)
}

fn in_threads<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>, nest: &Nest<'c, 'a>) -> Option<Lack> {
    let has_scan = nest.deep_ops().iter().any(|&op| op_name(op) == "nest.scan");
    let is_repeated = ancestors(kernel).any(|op| op_name(op) == "scf.for");
    (has_scan && is_repeated).then_some(Lack::Wavefront)
}

fn in_loops<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Option<Lack> {
    let accesses: Vec<Access> = nest.ops.iter().flat_map(|&op| Access::of(op)).collect();
    let reads = || accesses.iter().filter(|access| !access.is_write);
    if nest.only_folds() && Splitting::of(nest).is_ok() {
        return Some(Lack::Periods);
    }
    if nest.is_innermost() && goes_both_ways(nest, &reads().collect::<Vec<_>>()) {
        return Some(Lack::BothEnds);
    }
    nest.inner.iter().find_map(in_loops)
}

/// Whether an array is read forwards and backwards.
fn goes_both_ways<'c: 'a, 'a>(nest: &Nest<'c, 'a>, reads: &[&Access<'c, 'a>]) -> bool {
    let step = |read: &Access<'c, 'a>| read.index().last().map(|&last| slope(nest, last));
    let backwards = reads
        .iter()
        .filter(|read| step(read) == Some(Slope::Step(-1)));
    backwards.into_iter().any(|back| {
        let mut same = reads.iter().filter(|read| read.root() == back.root());
        same.any(|read| step(read) == Some(Slope::Step(1)))
    })
}
