//! Rows of a result that are columns of what is read: *unroll and jam* of a loop along which an array is read,
//! if the lanes inside go from row to row of it.
//!
//! Each lane would load a line of the cache for a single element. A few iterations together use as many elements
//! of the line, so that vectors can be loaded along the rows and [transposed](crate::lanes::transposed) in
//! registers: a square of as many vectors as there are iterations, which has to fit them.
//!
//! Source: tiled transposes, Lam, Rothberg and Wolf, *The Cache Performance and Optimizations of Blocked
//! Algorithms*, ASPLOS 1991.
//! Cost: linear in the accesses of a loop.

use comb_machine::{
    Machine,
    tuning::forms::{FEWEST_TRANSPOSED, MOST_TRANSPOSED, MOST_TRANSPOSED_OPS},
};
use comb_nest::nests::Nest;

use super::{
    accesses::{Access, Slope, slope},
    choose::work_of_functions,
    obstacles::to_jam,
    reasons::Reason,
    rows::InLanes,
};

/// How many iterations of a loop are computed together, if one inside with lanes reads rows of what they are
/// columns of, and why.
pub(super) fn columns_together<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    with_lanes: &[InLanes<'_, 'c, 'a>],
    machine: &Machine,
) -> Option<(u64, Reason)> {
    let transposing = with_lanes
        .iter()
        .filter(|(inner, _)| transposes(nest, inner));
    let lanes = transposing.map(|&(_, lanes)| lanes).min()?;
    let registers = machine.registers().max(1).unsigned_abs();
    let count = lanes
        .min(registers)
        .clamp(FEWEST_TRANSPOSED, MOST_TRANSPOSED);
    let count = 1 << count.ilog2();
    let work = with_lanes.iter().map(|(inner, _)| work_of_functions(inner));
    let is_little = work.sum::<usize>() <= MOST_TRANSPOSED_OPS;
    let is_long = nest.known_length().is_none_or(|length| length >= count);
    let is_worth_it = lanes >= FEWEST_TRANSPOSED && is_little && is_long && to_jam(nest).is_ok();
    is_worth_it.then_some((count, Reason::Transposed(count)))
}

/// Whether a loop with lanes reads elements that are rows apart, and the iterations of a loop around it those
/// next to them.
fn transposes<'c: 'a, 'a>(nest: &Nest<'c, 'a>, with_lanes: &Nest<'c, 'a>) -> bool {
    let reads = with_lanes.ops.iter().flat_map(|&op| Access::of(op));
    let mut reads = reads.filter(|read| !read.is_write && !read.is_local_to(nest));
    reads.any(|read| {
        let slopes = |nest: &Nest<'c, 'a>| -> Vec<Slope> {
            read.index()
                .iter()
                .map(|&value| slope(nest, value))
                .collect()
        };
        let (around, inside) = (slopes(nest), slopes(with_lanes));
        let (Some((&along, others)), Some((&last, rows))) =
            (around.split_last(), inside.split_last())
        else {
            return false;
        };
        matches!(along, Slope::Step(1 | -1))
            && others.iter().all(|&slope| slope == Slope::Same)
            && last == Slope::Same
            && rows.iter().any(|slope| matches!(slope, Slope::Step(_)))
            && rows.iter().all(|&slope| slope != Slope::Varies)
    })
}
