//! Lowers loop nests in memory form to loops on vectors and numbers, and to chunks for threads, as
//! their schedules say ([`nest_dialect::schedule`]). Nothing is decided here.
//!
//! Phases, for each kernel:
//! 1. [`feasible`] makes sure that all schedules can be obeyed; else that is an error.
//! 2. Ops are lowered in order, in as many [lanes](crate::lanes) as the loop around them has:
//!    [`loops`], what they carry ([`carried`], [`opened`]) and combine ([`combine`]), [`chunks`] of the
//!    outermost, and what is read and written ([`memory`], [`kept`], [`locals`], [`streaming`],
//!    [`rows_ahead`], [`segments`]).
//!    Chunks of scans and filters know what is before them ([`chained`], [`summed`]); those of
//!    [`scatters`] have [`tables`], or [`logs`] from which [`buckets`] are made.
//!
//! An op that holds nests, but is none, such as an `scf.for`, is copied, and what is in it runs one
//! iteration after the other ([`nest_to_scf`]).
//!
//! Cost: linear in the size of the code that is made: a loop with lanes is there once for whole
//! vectors and once for what is left over.

mod buckets;
mod carried;
mod chained;
mod chunks;
mod combine;
mod even;
mod feasible;
mod kept;
mod locals;
mod logs;
mod loops;
mod memory;
mod opened;
mod outside;
mod records;
mod rows_ahead;
mod scatters;
mod segments;
mod streaming;
pub mod summed;
mod tables;
mod together;

use std::collections::{BTreeSet, HashMap, HashSet};

use comb_kit::{
    library_function::LibraryFunction,
    machine,
    pass_error::PassError,
    switches::{self, Switches},
    transformations::Transformation,
    walk::operations,
};
use comb_nest::{
    nest_to_scf,
    nests::{Nest, kernels},
};
use melior::ir::{BlockLike, OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{OpView, op_name},
};

use crate::lanes::{
    Emitted, Lanes, Scope, internal,
    lambda::{InLanes, Local},
};

use logs::Log;
use streaming::{FINISH_STORES, Streaming};

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// Lowers all kernels of a module.
///
/// # Errors
///
/// If a kernel is in value form, a schedule cannot be obeyed, or MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let kernels = kernels(module);
    for &kernel in &kernels {
        feasible::check(kernel)?;
    }
    let called = switches::with(module, |switches| {
        let mut called = BTreeSet::new();
        for &kernel in &kernels {
            called.extend(lower(kernel, switches)?);
        }
        Emitted::Ok(called)
    })?;
    let mut called = called.into_iter();
    called.try_for_each(|function: LibraryFunction| function.declare(module))
}

/// Lowers a kernel; gives the functions that its code calls.
fn lower<'c: 'a, 'a>(
    kernel: OperationRef<'c, 'a>,
    switches: &'a Switches,
) -> Emitted<'c, BTreeSet<LibraryFunction>> {
    let (Some(front), Some(block)) = (Builder::before(kernel), OpView::of(kernel).block()) else {
        return Ok(BTreeSet::new());
    };
    let mut vectors = Vectors::new(switches);
    if machine::of(kernel)?.packs_by_table() {
        vectors.with_room = kept::alone_in_memory(kernel);
    }
    vectors.block(&front, block, &mut Local::new())?;
    front.replace(kernel, &[]);
    if vectors.streaming.calls_runtime {
        vectors.called.insert(FINISH_STORES);
    }
    Ok(vectors.called)
}

/// What is known while the code of one kernel is made.
struct Vectors<'c, 'a> {
    switches: &'a Switches,
    scope: Scope<'c, 'a>,
    /// The loop whose iterations are the lanes.
    in_lanes: Option<Nest<'c, 'a>>,
    /// How many loops of the kernel are around the op at hand.
    depth: usize,
    /// How much a filter has kept before the lanes at hand, by its position.
    kept: HashMap<usize, Value<'c, 'a>>,
    /// The writes of what filters keep that are packed by a table, if there is room for whole vectors.
    with_room: HashSet<usize>,
    /// Where the chunk at hand ends in what filters keep, by what the loop carries for them; nothing
    /// outside of chunks.
    ends_kept: Option<HashMap<usize, Value<'c, 'a>>>,
    /// The logs of scatters, by their first destinations.
    logs: HashMap<usize, Log<'c, 'a>>,
    /// What reads give that were loaded together with one before, by their results.
    together: HashMap<usize, Lanes<'c, 'a>>,
    /// Memory of arrays that are local to iterations, if it was taken before.
    locals: HashMap<usize, Value<'c, 'a>>,
    streaming: Streaming<'c, 'a>,
    /// Loops whose accumulators stay in lanes behind them.
    opened: Vec<OperationRef<'c, 'a>>,
    /// The functions of libraries that the code calls.
    called: BTreeSet<LibraryFunction>,
}

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    fn new(switches: &'a Switches) -> Self {
        Self {
            switches,
            scope: Scope::single(),
            in_lanes: None,
            depth: 0,
            kept: HashMap::new(),
            with_room: HashSet::new(),
            ends_kept: None,
            logs: HashMap::new(),
            together: HashMap::new(),
            locals: HashMap::new(),
            streaming: Streaming::default(),
            opened: vec![],
            called: BTreeSet::new(),
        }
    }

    /// Whether a transformation is applied to an op. To be asked when all else speaks for it.
    fn applies(&self, transformation: Transformation, op: OperationRef<'c, '_>) -> bool {
        self.switches.applies(transformation, op.location())
    }

    /// Copies an op with all that is in it. Nests in it run one iteration after the other.
    fn copied(
        &self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let copy = builder.copy(op, &mut |value| {
            let known = local.get(&comb_kit::checks::facts::key(value));
            known.and_then(|lanes| lanes.uniform()).unwrap_or(value)
        });
        nest_to_scf::lower_in(copy)?;
        let results = copy.results();
        Ok(results
            .map(|result| Lanes::Uniform(result.into()))
            .collect())
    }
}

impl<'c: 'a, 'a> InLanes<'c, 'a> for Vectors<'c, 'a> {
    fn scope(&self) -> Scope<'c, 'a> {
        self.scope
    }

    fn set_scope(&mut self, scope: Scope<'c, 'a>) -> Scope<'c, 'a> {
        std::mem::replace(&mut self.scope, scope)
    }

    fn other_op(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Option<Vec<Lanes<'c, 'a>>>> {
        Ok(Some(match op_name(op) {
            "nest.loop" => self.nest_loop(builder, op, operands, local)?,
            "nest.read" | "memref.load" => {
                let memory = uniform(op, operands[0])?;
                vec![self.read(builder, op, memory, &operands[1..])?]
            }
            "nest.write" => {
                let memory = uniform(op, operands[1])?;
                self.write(builder, op, operands[0], memory, &operands[2..])?;
                vec![]
            }
            "nest.local" => vec![Lanes::Uniform(self.local(builder, op, local)?)],
            "nest.fold" => self.fold(builder, op, operands, local)?,
            "nest.scan" => self.scan(builder, op, operands, local)?,
            "nest.keep" => self.keep(builder, op, operands, local)?,
            "nest.scatter" => {
                self.scatter(builder, op, operands, local)?;
                vec![]
            }
            name if name != "scf.if" && holds_nests(op) => self.copied(builder, op, local)?,
            _ => return Ok(None),
        }))
    }
}

fn holds_nests(op: OperationRef) -> bool {
    let has_regions = op.regions().next().is_some();
    has_regions
        && operations(op)
            .into_iter()
            .any(|inner| op_name(inner).starts_with("nest."))
}

/// A value that is the same in all lanes.
fn uniform<'c, 'a>(op: OperationRef<'c, 'a>, lanes: Lanes<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
    lanes.uniform().ok_or_else(|| {
        internal(
            op.location(),
            "an array or a length differs from lane to lane",
        )
    })
}

/// The arguments of an op's body.
fn arguments<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Emitted<'c, Values<'c, 'a>> {
    let block = OpView::of(op).block();
    let block = block.ok_or_else(|| internal(op.location(), "there is no body"))?;
    (0..block.argument_count())
        .map(|number| Ok(block.argument(number)?.into()))
        .collect()
}
