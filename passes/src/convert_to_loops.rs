//! Lowers clusters, and combinators that stand alone, to loops on memory: one loop
//! nest for each, which reads each input once and writes each output once.
//!
//! Phases, for each cluster or combinator that is in no other:
//! 1. [`read`](crate::cluster_loops::read) makes a [`plan`](crate::cluster_loops::plan) of it: the tree of its loops, what is in each, and
//!    where the arrays are.
//! 2. Memory is found for results, be it in a larger array ([`destinations`],
//!    [`in_place`], [`regions`], [`updates`], [`concats`], [`sizes_ahead`]), and for rows
//!    that one loop computes and another reads ([`rows`]).
//! 3. The outermost loop is cut into chunks for threads ([`once`], [`chunks`], [`even`],
//!    [`chain`], [`carries`], [`threads`], [`scatters`], [`streaming`], [`mirrored`], [`kept`]); the others
//!    follow ([`nest`], [`tails`]). Innermost loops compute several iterations at once
//!    ([`widths`], [`lanes`](crate::lanes), [`leads`]), and so do some loops around them ([`forms`],
//!    [`strands`]): those for which operands are copied in another order if that is worth it
//!    ([`packing`]), and those over the rows of a stencil ([`jam`]). Some are cut where indices
//!    wrap around ([`pieces`], [`periods`]), or go in blocks whose positions are computed ahead
//!    ([`ahead`], [`block_lengths`]). A small loop stays whole ([`small`]).
//! 4. At each iteration, each combinator computes an element ([`steps`], [`fold`],
//!    [`lambda`](crate::lanes::lambda), [`filtered`]) from elements at the same iteration, or in memory ([`access`],
//!    [`gathers`](crate::lanes::gathers)). What loops inside others read is fetched ahead
//!    ([`prefetch`]), and the rows of a stencil ([`rows_ahead`]).
//!
//! Results are `bufferization.to_tensor` of new memory, or of memory that a `soac.claim` takes from
//! an array; inputs are read through `bufferization.to_buffer`, and a `soac.needed` follows behind the
//! loops. So the code fits into a program of arrays, bufferization copies where a scatter's
//! destination is needed later, and passes that simplify may run before it.
//!
//! Functions of maps may work on arrays ([`inner_arrays`], [`numbers`]): the
//! combinators in them are lowered when they have been copied into loops.
//!
//! A sort is not a loop of that kind: it has code of its own ([`sorts`]).
//!
//! A cluster that has no such form is taken apart, and its combinators are lowered
//! one by one. Of these, what has none stays for `convert-soac-to-linalg`: updates
//! that are not of the form above.
//!
//! Cost: linear in the size of the code that is made, which is up to four times
//! that of the program: loops are there once for whole vectors and once for what is
//! left over, and once more if scans or filters have to be summed up, or for iterations in
//! front of the first whole line of the cache. Folds of products
//! are there once more for each of up to eight rows, for rows that are left over, and for
//! what is too small to be packed.

mod access;
mod ahead;
mod applications;
mod block_lengths;
mod bursts;
mod carries;
mod chain;
mod chunks;
mod concats;
mod destinations;
mod emitter;
pub(crate) mod even;
mod filtered;
mod fold;
mod forms;
mod in_place;
mod inner_arrays;
mod jam;
mod kept;
pub(crate) mod layouts;
mod leads;
mod mirrored;
mod nest;
mod numbers;
mod once;
mod packing;
mod periods;
mod pieces;
mod prefetch;
mod reads;
mod regions;
mod rows;
mod rows_ahead;
mod scatters;
mod slopes;
mod small;
mod sorts;
mod steps;
mod strands;
mod streaming;
mod tails;
mod threads;
mod touches;
mod unmasked;
mod updates;
mod wavefronts;
mod widths;

use std::collections::{BTreeSet, HashSet};

use comb_machine::Machine;
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    text::{shown, symbol_bytes},
    view::op_name,
};

use crate::{
    cluster_loops::{outermost, plan, read, sizes_ahead},
    insert_checks, lanes,
    library_function::LibraryFunction,
    machine,
    pass_error::PassError,
    remarks::{Kind as RemarkKind, Remark},
    scatter_wishes,
    switches::{self, Switches},
    waiting,
    walk::{ancestors, op_key},
};
use concats::Concats;
use emitter::{Emitted, Emitter};
use inner_arrays::Views;
use plan::{Item, Source};
use read::NotPlanned;

/// Lowers what has a form as loops, taking every index to be in range if it is `unchecked`.
/// Gives how many clusters and combinators there were, and how many were lowered.
///
/// # Errors
///
/// If MLIR rejects what was built, or the module is for no CPU.
pub fn run<'c>(module: OperationRef<'c, '_>, unchecked: bool) -> Result<Counts, PassError<'c>> {
    switches::with(module, |switches| {
        let options = Options {
            unchecked,
            machine: machine::of(module)?,
            switches,
        };
        lower_all(module, options)
    })
}

fn lower_all<'c>(module: OperationRef<'c, '_>, options: Options) -> Result<Counts, PassError<'c>> {
    scatter_wishes::check(module)?;
    let mut lowering = Lowering::default();
    // Lambdas are copied with what is in them, which is then in no other op.
    loop {
        let found = outermost(module, &lowering.left);
        let (plain, found): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|&op| op_name(op) == "soac.cluster" && !read::has_orders(op));
        if !plain.is_empty() {
            plain
                .into_iter()
                .try_for_each(crate::erase_clusters::erase)?;
            continue;
        }
        if found.is_empty() {
            break;
        }
        lowering.all(&found, options)?;
    }
    for function in lowering.functions {
        function.declare(module)?;
    }
    insert_checks::forget(module);
    Ok(lowering.counts)
}

/// What is known of a program while it is lowered.
#[derive(Default)]
struct Lowering<'c, 'a> {
    counts: Counts,
    /// What stays.
    left: HashSet<usize>,
    /// What the code calls.
    functions: BTreeSet<LibraryFunction>,
    memory: Memory<'c, 'a>,
}

/// Memory of arrays that ops compute or read which are yet to be lowered.
#[derive(Default)]
struct Memory<'c, 'a> {
    concats: Concats<'c, 'a>,
    views: Views<'c, 'a>,
}

impl<'c: 'a, 'a> Lowering<'c, 'a> {
    /// Lowers ops, none of which is in another, in program order.
    fn all(
        &mut self,
        found: &[OperationRef<'c, 'a>],
        options: Options,
    ) -> Result<(), PassError<'c>> {
        let mut erased: HashSet<usize> = HashSet::new();
        for &op in found {
            if erased.contains(&op_key(op)) {
                continue;
            }
            self.counts.seen += 1;
            if op_name(op) == "soac.concat" {
                concats::lower(op, options, &mut self.memory)?;
                self.counts.lowered += 1;
                continue;
            }
            if op_name(op) == "soac.sort" {
                sorts::lower(op, options, &self.memory)?;
                self.counts.lowered += 1;
                continue;
            }
            match lower(op, options, &mut self.memory)? {
                Ok(lowered) => {
                    self.counts.lowered += 1;
                    self.functions.extend(lowered.functions);
                    erased.extend(lowered.updates);
                }
                Err(reason) if op_name(op) == "soac.cluster" => {
                    self.counts.taken_apart += 1;
                    remark_on_parts(op, reason);
                    crate::erase_clusters::take_apart(op)?;
                }
                Err(_) => {
                    self.left.insert(op_key(op));
                }
            }
        }
        Ok(())
    }
}

/// Says that a cluster has no form as loops.
fn remark_on_parts(cluster: OperationRef, reason: NotPlanned) {
    let function = ancestors(cluster).find(|&op| op_name(op) == "func.func");
    let function = function.and_then(symbol_bytes).unwrap_or_default();
    let remark = Remark {
        pass: "convert-soac-to-loops",
        kind: RemarkKind::Missed,
        name: "TakenApart",
        function: &shown(function),
        location: cluster.location(),
    };
    remark.emit(&|| {
        format!("a cluster is taken apart, and its combinators get loops of their own: {reason}")
    });
}

/// How the pass treats a program.
#[derive(Clone, Copy, Debug)]
struct Options<'s> {
    /// Take every index to be in range.
    unchecked: bool,
    /// What the code is for.
    machine: Machine,
    /// Which transformations are on.
    switches: &'s Switches,
}

/// What a run of the pass did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Clusters, and combinators in none.
    pub seen: i64,
    /// Those that became loops.
    pub lowered: i64,
    /// Clusters without a form as loops.
    pub taken_apart: i64,
}

/// What became of a cluster or combinator.
struct Lowered {
    /// What its code calls.
    functions: Vec<LibraryFunction>,
    /// The updates that went with it, and are no more.
    updates: Vec<usize>,
}

/// Lowers a cluster or combinator, or says why it stays.
fn lower<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    options: Options,
    memory: &mut Memory<'c, 'a>,
) -> Result<Result<Lowered, NotPlanned>, PassError<'c>> {
    let Some(front) = Builder::before(op) else {
        return Ok(Err(NotPlanned::Invalid));
    };
    let plan = match read::plan(op) {
        Ok(plan) => plan,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut emitter = Emitter::new(&plan, front, options, &mut memory.views);
    let wavefront = emitter.wavefront(op)?;
    if let Some(wavefront) = &wavefront {
        emitter.overlapping(wavefront)?;
    }
    emitter.find_destinations()?;
    emitter.place_in_old_arrays(op)?;
    emitter.place_in_updates(op)?;
    emitter.place_in_concats(op, &mut memory.concats)?;
    emitter.place_in_rows(op)?;
    emitter.allocate_results()?;
    emitter.plan_rows();
    emitter.choose_forms();
    emitter.choose_leads()?;
    emitter.copy_borders()?;
    emitter.allocate_rows(&front, None)?;
    emitter.prefetch(op)?;
    let parallel = emitter.is_parallel(op);
    for item in &plan.items {
        if let Item::Loop(outermost) = item {
            emitter.pack(&front, outermost, parallel)?;
        }
        match item {
            Item::Loop(outermost) if parallel => emitter.parallel(outermost)?,
            Item::Loop(outermost) => emitter.in_order(&front, outermost)?,
            Item::Leaf(_) => emitter.items(&front, std::slice::from_ref(item))?,
        }
    }
    let mut functions = vec![];
    let has_long_blocks = || {
        plan.items.iter().any(|item| match item {
            Item::Loop(outermost) => emitter.may_have_long_blocks(outermost),
            Item::Leaf(_) => false,
        })
    };
    if wavefront.is_some() || parallel && !plan.stages().is_empty() {
        functions.extend([waiting::WAIT, waiting::SIGNAL]);
    }
    let asks_for_threads = || has_long_blocks() || emitter.may_go_on_alone();
    if wavefront.is_some() || parallel && asks_for_threads() {
        functions.push(waiting::THREADS);
    }
    let updates = emitter.updates.values();
    let updates = updates.map(|update| op_key(update.op)).collect();
    front.needed(&emitter.needed)?;
    let results = emitter.results(op)?;
    front.replace(op, &results);
    Ok(Ok(Lowered { functions, updates }))
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// What replaces the results of the op, when all loops are over.
    fn results(&mut self, op: OperationRef<'c, 'a>) -> Emitted<'c, Vec<Value<'c, 'a>>> {
        let front = self.front;
        for &late in &self.plan.late {
            match self.late_size(late)? {
                Some(size) => front.replace_uses(late.result(0)?.into(), size, None),
                None => front.move_here(late),
            }
        }
        self.plan
            .yielded
            .iter()
            .enumerate()
            .map(|(number, &source)| {
                let array = match source {
                    Source::Given(array) => array,
                    Source::Computed(array) if self.elsewhere.contains(&number) => {
                        self.unused(op, number, array)?
                    }
                    Source::Computed(array) if self.updates.contains_key(&number) => {
                        self.updates[&number].complete(&front)?;
                        self.unused(op, number, array)?
                    }
                    Source::Computed(array) if self.plan.is_number_outside(array) => {
                        self.number(op, number, array)?
                    }
                    Source::Computed(array) => self.array(array)?,
                };
                Ok(front.cast(array, op.result(number)?.r#type())?)
            })
            .collect()
    }

    /// How many elements a filter kept, if an op asks for that.
    fn late_size(&self, op: OperationRef<'c, 'a>) -> Emitted<'c, Option<Value<'c, 'a>>> {
        if op_name(op) != "tensor.dim" {
            return Ok(None);
        }
        let array = op.operand(0)?;
        let named = self.plan.names.get(&crate::checks::facts::key(array));
        let Some(&Source::Computed(array)) = named else {
            return Ok(None);
        };
        let clock = self.plan.arrays[array].clock;
        Ok(clock.map(|filter| self.states[&filter][0]))
    }
}
