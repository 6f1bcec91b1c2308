//! How threads share the scatters of a loop: a pure function of the loop, its schedule and the machine.
//!
//! * **Tables.** Each chunk combines its elements in a table of its own. That is for operators that give
//!   the same bits in any order, or of which the program says that they may be reassociated, or for users who
//!   wish it.
//! * **Buckets.** A chunk puts its elements in the order of parts of the destination, and threads take
//!   parts when all chunks are done. So elements of a place come in the order of iterations, whatever is
//!   done with them. How many elements a chunk has at most must be known before.
//!
//! In both cases nothing else in the loop reads or writes the destination. Where there may be either, sizes
//! decide when the program runs.
//!
//! Cost: quadratic in the accesses of a loop.

use comb_machine::{
    Machine,
    tuning::{
        instructions::LOOP,
        partition::{CHUNK_SHARE, PART_OF_CACHE},
        scatters::{LARGE, WORK_OF_AN_ELEMENT},
        tables::ELEMENTS_OF_A_PLACE,
    },
};
use melior::ir::{
    OperationRef, Type, Value, ValueLike,
    r#type::{DimSize, MemRefType, RankedTensorType, ShapedTypeLike},
};
use nest_dialect::{
    schedule::{MOST_PLACES, Schedule},
    strategy::Strategy,
};
use soac_dialect::{
    cast::{Parts, cast, is_a},
    view::{OpView, op_name},
};

use super::{accesses::Access, known::is_bounded, obstacles::Obstacle, reasons::Reason};
use comb_fuse::fuse::work::instructions;
use comb_kit::{
    commutativity::is_exact,
    element_types::{array_element, bits_in_memory, known_bytes},
    walk::ancestors,
};
use comb_nest::{
    nests::{Nest, root},
    scatter_wishes::may_be_privatised,
};

/// A scatter of a loop that threads may share.
pub struct Shared<'c, 'a> {
    /// The op.
    pub op: OperationRef<'c, 'a>,
    /// Whether the program says how.
    is_wish: bool,
    may_have_tables: bool,
    may_have_buckets: bool,
}

/// How chunks share a scatter: one of them at least is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// By tables, if chunks have so many elements for each place.
    pub tables: Option<u64>,
    /// The buckets of places, if it goes through them.
    pub buckets: Option<Buckets>,
}

/// Parts of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buckets {
    /// How many places each has.
    pub places: u64,
    /// There are buckets if destinations have more bytes than this; nothing if that does not matter.
    pub over: Option<u64>,
}

/// The scatters of a loop into arrays from outside, which threads may share.
///
/// # Errors
///
/// If they may not share one of them.
pub fn shared<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<Vec<Shared<'c, 'a>>, Obstacle> {
    let scatters = alone(nest)?.into_iter();
    scatters.map(|op| Shared::of(nest, op)).collect()
}

/// Whether no bit depends on the order in which the scatters of a loop combine elements, or the program leaves it
/// to chance which one wins, of one array.
pub(super) fn in_any_order<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<(), Obstacle> {
    let mut scatters = alone(nest)?.into_iter();
    let is_free = |op| {
        let view = OpView::of(op);
        is_exact(&view) || view.flag("any_write") && view.group(1).len() == 1
    };
    match scatters.all(is_free) {
        true => Ok(()),
        false => Err(Obstacle::Scatters),
    }
}

/// The scatters of a loop into arrays from outside, if nothing else reads or writes these. (There are no
/// parts of memory that is known to have no elements.)
fn alone<'c: 'a, 'a>(nest: &Nest<'c, 'a>) -> Result<Vec<OperationRef<'c, 'a>>, Obstacle> {
    let ops = nest.deep_ops();
    let is_outside = |&op: &OperationRef<'c, 'a>| {
        let mut dests = Access::of(op).into_iter();
        op_name(op) == "nest.scatter" && dests.any(|dest| !dest.is_local_to(nest))
    };
    let scatters: Vec<_> = ops.iter().copied().filter(is_outside).collect();
    let is_alone = |&dest: &Value<'c, 'a>| {
        let accesses = ops.iter().flat_map(|&op| Access::of(op));
        let others = accesses.filter(|access| access.root() == root(dest));
        let is_memory = is_a::<MemRefType>(dest.r#type());
        let is_of_iteration = is_memory && nest.defines(dest);
        others.count() == 1 && !is_of_iteration && !is_empty(dest.r#type())
    };
    let are_alone = |&op: &OperationRef<'c, 'a>| {
        let view = OpView::of(op);
        let has_index = !view.group(2).is_empty();
        has_index && view.operands[view.group(1)].iter().all(is_alone)
    };
    match scatters.iter().all(are_alone) {
        true => Ok(scatters),
        false => Err(Obstacle::Scatters),
    }
}

/// How chunks share each scatter of a loop, as its schedule says.
///
/// # Errors
///
/// If they may not share one of them, or the schedule does not say how.
pub fn ways<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    schedule: &Schedule,
) -> Result<Vec<(OperationRef<'c, 'a>, Way)>, Obstacle> {
    let ways = shared(nest)?.into_iter().map(|scatter| {
        let way = scatter.way(schedule);
        match way.tables.is_some() || way.buckets.is_some() {
            true => Ok((scatter.op, way)),
            false => Err(scatter.unsaid()),
        }
    });
    ways.collect()
}

/// Says in a schedule how chunks share the scatters of a loop, and gives the reasons.
pub(super) fn choose<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    machine: &Machine,
    schedule: &mut Schedule,
) -> Result<Vec<Reason>, Obstacle> {
    let scatters = shared(nest)?;
    let is_heavy = is_heavy(nest, &scatters);
    let mut reasons = vec![];
    if scatters.iter().any(|scatter| scatter.may_have_tables) {
        schedule.tables = Some(ELEMENTS_OF_A_PLACE as u64);
        reasons.push(Reason::Tables);
    }
    let with_buckets = scatters.iter().filter(|scatter| {
        let has_other_way = !is_heavy || scatter.may_have_tables;
        let is_small = !scatter.is_wish && has_other_way && scatter.is_small();
        scatter.may_have_buckets && !is_small
    });
    let with_buckets: Vec<&Shared> = with_buckets.collect();
    if let Some(bytes) = with_buckets.iter().map(|scatter| scatter.bytes()).max() {
        schedule.buckets = Some(places_of_bucket(machine, bytes));
        let wished = with_buckets.iter().all(|scatter| scatter.is_wish);
        let may_have_tables = with_buckets.iter().any(|scatter| scatter.may_have_tables);
        let is_always = wished || is_heavy && !may_have_tables;
        schedule.buckets_over = (!is_always).then_some(LARGE as u64 - 1);
        reasons.push(match schedule.buckets_over {
            Some(over) => Reason::BucketsOver(over),
            None if wished => Reason::WishedBuckets,
            None => Reason::HeavyBuckets,
        });
    }
    let is_said = |scatter: &Shared| {
        let way = scatter.way(schedule);
        way.tables.is_some() || way.buckets.is_some()
    };
    match scatters.iter().all(is_said) {
        true => Ok(reasons),
        false => Err(Obstacle::SmallDestination),
    }
}

/// How many places a bucket has, if an element of all destinations together has so many bytes.
fn places_of_bucket(machine: &Machine, bytes: u64) -> u64 {
    let in_cache = machine.second_cache_bytes.unsigned_abs() / PART_OF_CACHE as u64 / bytes;
    let of_work = machine.chunk_instructions.unsigned_abs() / CHUNK_SHARE as u64;
    let places = in_cache.min(of_work).clamp(1, MOST_PLACES);
    1 << places.ilog2()
}

impl<'c: 'a, 'a> Shared<'c, 'a> {
    fn of(nest: &Nest<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<Self, Obstacle> {
        let view = OpView::of(op);
        let wish = Strategy::of(op).ok().flatten();
        let is_bounded = || {
            around(nest, op)
                .iter()
                .all(|inner| is_bounded(nest, *inner))
        };
        let (may_have_tables, may_have_buckets) = match wish {
            Some(Strategy::Sequential) => return Err(Obstacle::InOrder),
            Some(Strategy::Privatised) if !may_be_privatised(&view) => {
                return Err(Obstacle::NoTables);
            }
            Some(Strategy::Privatised) => (true, false),
            Some(Strategy::Partitioned) => (false, is_bounded()),
            None => (may_be_privatised(&view), is_bounded()),
        };
        match may_have_tables || may_have_buckets {
            true => Ok(Self {
                op,
                is_wish: wish.is_some(),
                may_have_tables,
                may_have_buckets,
            }),
            false => Err(Obstacle::Unbounded),
        }
    }

    fn way(&self, schedule: &Schedule) -> Way {
        let tables = schedule.tables.filter(|_| self.may_have_tables);
        let buckets = schedule.buckets.filter(|_| self.may_have_buckets);
        Way {
            tables: tables.map(|elements| if self.is_wish { 0 } else { elements }),
            buckets: buckets.map(|places| Buckets {
                places,
                over: schedule.buckets_over.filter(|_| !self.is_wish),
            }),
        }
    }

    /// Which entry a schedule needs for it.
    fn unsaid(&self) -> Obstacle {
        Obstacle::Unsaid(match (self.may_have_tables, self.may_have_buckets) {
            (true, true) => "'tables' or 'buckets'",
            (true, false) => "'tables'",
            _ => "'buckets'",
        })
    }

    fn dests(&self) -> Vec<Type<'c>> {
        let view = OpView::of(self.op);
        let dests = view.operands[view.group(1)].iter();
        dests.map(|dest| dest.r#type()).collect()
    }

    /// The bytes of an element of all destinations together.
    fn bytes(&self) -> u64 {
        let dests = self.dests().into_iter();
        bytes_of(dests.filter_map(array_element))
    }

    /// Whether the destinations are known to be so small that one thread is as fast as several with
    /// buckets.
    fn is_small(&self) -> bool {
        let bytes = self.dests().into_iter().map(known_bytes);
        let bytes: Option<u64> = bytes.sum();
        bytes.is_some_and(|bytes| bytes < LARGE as u64)
    }
}

/// The bytes of elements of some types together.
pub fn bytes_of<'c>(elements: impl Iterator<Item = Type<'c>>) -> u64 {
    elements
        .map(|element| (bits_in_memory(element) / 8).max(1))
        .sum()
}

/// The lengths of the loops inside one that are around an op.
pub fn around<'c: 'a, 'a>(nest: &Nest<'c, 'a>, op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let around = ancestors(op).take_while(|&around| around != nest.op);
    let loops = around.filter(|&around| op_name(around) == "nest.loop");
    loops.filter_map(|inner| inner.operand_at(0)).collect()
}

/// Whether there is so much work for each element that is scattered that threads share the loop,
/// however large destinations are. Loops are taken to be as long as is assumed elsewhere, if that is not
/// known.
fn is_heavy<'c: 'a, 'a>(nest: &Nest<'c, 'a>, scatters: &[Shared<'c, 'a>]) -> bool {
    let rounds = |op: OperationRef<'c, 'a>| -> f64 {
        let lengths = around(nest, op).into_iter();
        let lengths = lengths.map(comb_kit::checks::facts::constant);
        lengths
            .map(|length| length.map_or(LOOP, |length| length.max(0) as f64))
            .product()
    };
    let ops = nest.deep_ops().into_iter();
    let work: f64 = ops.map(|op| instructions(op) * rounds(op)).sum();
    let elements: f64 = scatters.iter().map(|scatter| rounds(scatter.op)).sum();
    work >= elements * WORK_OF_AN_ELEMENT as f64
}

/// Whether an array is known to have no elements.
fn is_empty(array: Type) -> bool {
    let memory = cast::<MemRefType>(array).map(sizes_of);
    memory
        .or_else(|| cast::<RankedTensorType>(array).map(sizes_of))
        .is_some_and(|sizes| sizes.contains(&DimSize::Static(0)))
}

fn sizes_of<'c>(array: impl ShapedTypeLike<'c>) -> Vec<DimSize> {
    let sizes = (0..array.rank()).map(|axis| array.dim_size(axis));
    sizes.filter_map(Result::ok).collect()
}
