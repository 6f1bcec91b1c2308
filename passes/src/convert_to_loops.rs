//! Lowers clusters, and combinators that stand alone, to loops on memory: one loop
//! nest for each, which reads each input once and writes each output once.
//!
//! Phases, for each cluster or combinator that is in no other:
//! 1. [`read`] makes a [`plan`] of it: the tree of its loops, what is in each, and
//!    where the arrays are.
//! 2. Memory is found for results, be it in a larger array ([`updates`]), and for
//!    rows that one loop computes and another reads ([`rows`]).
//! 3. The outermost loop is cut into chunks for threads ([`chunks`], [`chain`],
//!    [`carries`], [`streaming`]); the others follow ([`nest`]). Innermost loops compute
//!    several iterations at once ([`widths`], [`lanes`]), and some loops around them
//!    ([`forms`], [`strands`]), for which operands are copied in another order if that is
//!    worth it ([`packing`]).
//! 4. At each iteration, each combinator computes an element ([`steps`], [`fold`],
//!    [`lambda`]) from elements at the same iteration, or in memory ([`access`],
//!    [`gathers`]).
//!
//! Results are `bufferization.to_tensor` of new memory, inputs are read through
//! `bufferization.to_buffer`; so the code fits into a program of arrays, and
//! bufferization copies where a scatter's destination is needed later.
//!
//! What has no such form stays for `convert-soac-to-linalg`: maps over arrays of
//! arrays, and what assembles arrays from parts.
//!
//! Cost: linear in the size of the code that is made, which is up to four times
//! that of the program: loops are there once for whole vectors and once for what is
//! left over, and once more if scans or filters have to be summed up. Folds of products
//! are there once more for each of up to eight rows, for rows that are left over, and for
//! what is too small to be packed.

mod access;
mod carries;
mod chain;
mod chunks;
mod emitter;
mod fold;
mod forms;
mod gathers;
mod lambda;
mod lanes;
mod nest;
mod packing;
mod plan;
mod read;
mod rows;
mod slopes;
mod steps;
mod strands;
mod streaming;
mod updates;
mod widths;

use std::collections::HashSet;

use melior::ir::{
    BlockLike, OperationRef, RegionLike, Type, Value, ValueLike,
    operation::{OperationLike, WalkOrder, WalkResult},
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size},
    description::array_type,
    view::op_name,
};

use crate::bridge::PassError;
use emitter::{Emitted, Emitter};
use plan::{Item, Kind, Loop, Plan, Source};
use updates::Update;

/// Ops of the dialect that are no combinators.
const OTHERS: &[&str] = &["soac.check", "soac.yield"];

/// Lowers what has a form as loops. Gives how many clusters and combinators there
/// were, and how many were lowered.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>, options: Options) -> Result<Counts, PassError<'c>> {
    let mut counts = Counts::default();
    let mut left: HashSet<usize> = HashSet::new();
    let mut chained = false;
    // Lambdas are copied with what is in them, which is then in no other op.
    loop {
        let found = outermost(module, &left);
        if found.is_empty() {
            break;
        }
        let mut erased: HashSet<usize> = HashSet::new();
        for op in found {
            if erased.contains(&identity(op)) {
                continue;
            }
            if op_name(op) == "soac.cluster" && !read::has_orders(op) {
                crate::erase_clusters::erase(op)?;
                continue;
            }
            counts.seen += 1;
            match lower(op, options)? {
                Some(lowered) => {
                    counts.lowered += 1;
                    chained |= lowered.is_chained;
                    erased.extend(lowered.updates);
                }
                None => {
                    left.insert(identity(op));
                }
            }
        }
    }
    if chained {
        declare(module)?;
    }
    Ok(counts)
}

fn identity(op: OperationRef) -> usize {
    op.to_raw().ptr as usize
}

/// How the pass treats a program.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Take every index to be in range.
    pub unchecked: bool,
    /// About how many instructions a chunk takes: enough that it does not matter
    /// what it takes to start one, and few enough that its arrays stay in the cache.
    pub chunk: i64,
    /// How many vectors of 512 bits fit the CPU's registers.
    pub registers: i64,
}

/// What a run of the pass did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Clusters, and combinators in none.
    pub seen: i64,
    /// Those that became loops.
    pub lowered: i64,
}

/// The clusters and combinators that are in no other, but for those that are left.
fn outermost<'c, 'a>(
    module: OperationRef<'c, 'a>,
    left: &HashSet<usize>,
) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    module.walk(WalkOrder::PreOrder, |op| {
        let name = op_name(op);
        if !name.starts_with("soac.") || OTHERS.contains(&name) {
            return WalkResult::Advance;
        }
        if !left.contains(&identity(op)) {
            // SAFETY: the op belongs to the module; it is erased only when it is
            // lowered, and none of those found is in another.
            found.push(unsafe { OperationRef::from_raw(op.to_raw()) });
        }
        WalkResult::Skip
    });
    found
}

/// What became of a cluster or combinator.
struct Lowered {
    /// Whether its chunks wait for each other.
    is_chained: bool,
    /// The updates that went with it, and are no more.
    updates: Vec<usize>,
}

/// Lowers a cluster or combinator; nothing if it stays.
fn lower<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    options: Options,
) -> Result<Option<Lowered>, PassError<'c>> {
    let Some(front) = Builder::before(op) else {
        return Ok(None);
    };
    let Ok(plan) = read::plan(op) else {
        return Ok(None);
    };
    let mut emitter = Emitter::new(&plan, front, options);
    emitter.find_destinations()?;
    emitter.allocate_results(op)?;
    emitter.copy_borders()?;
    emitter.plan_rows();
    emitter.choose_forms();
    emitter.allocate_rows(&front, None)?;
    let parallel = is_parallel(op, &plan, options.chunk);
    for item in &plan.items {
        if let Item::Loop(outermost) = item {
            emitter.pack(&front, outermost, parallel)?;
        }
        match item {
            Item::Loop(outermost) if parallel => emitter.chunked(outermost)?,
            _ => {
                if let Item::Loop(outermost) = item {
                    emitter.allocate_rows(&front, Some(outermost))?;
                }
                emitter.items(&front, std::slice::from_ref(item))?;
            }
        }
    }
    let updates = emitter.updates.values();
    let updates = updates.map(|update| identity(update.op)).collect();
    let results = emitter.results(op)?;
    front.replace(op, &results);
    Ok(Some(Lowered {
        is_chained: parallel && !plan.stages().is_empty(),
        updates,
    }))
}

/// Whether threads may share the iterations of the outermost loop: not if another
/// loop around it is shared already, or its order matters for what is scattered.
fn is_parallel(op: OperationRef, plan: &Plan, chunk: i64) -> bool {
    let mut ancestors = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
    let is_small = plan.items.iter().all(|item| match item {
        Item::Loop(outermost) => is_small(outermost, chunk),
        Item::Leaf(_) => true,
    });
    !is_small
        && !ancestors.any(|op| op_name(op) == "scf.parallel")
        && plan.leaves.iter().all(|leaf| leaf.kind != Kind::Scatter)
}

/// Whether a loop is known to be so short that it is never shared.
fn is_small(outermost: &Loop, chunk: i64) -> bool {
    /// With fewer iterations per instruction of a chunk, it is one chunk.
    const SHARE: i64 = 64;
    iterations(outermost).is_some_and(|iterations| iterations < chunk / SHARE)
}

/// How often the innermost loop inside a loop runs, if that is known.
fn iterations(r#loop: &Loop) -> Option<i64> {
    let Size::Static(length) = r#loop.length else {
        return None;
    };
    let mut most = 1;
    for item in &r#loop.items {
        if let Item::Loop(inner) = item {
            most = most.max(iterations(inner)?);
        }
    }
    length.checked_mul(most)
}

/// The type of the array that is in contiguous memory.
fn array_type_of_memory<'c>(memory: Value<'c, '_>) -> Emitted<'c, Type<'c>> {
    let memory = MemRefType::try_from(memory.r#type())?;
    let sizes = (0..memory.rank())
        .map(|axis| {
            Ok(match memory.dim_size(axis)? {
                DimSize::Static(size) => Some(size as i64),
                DimSize::Dynamic => None,
            })
        })
        .collect::<Emitted<Vec<_>>>()?;
    Ok(array_type(&sizes, memory.element()))
}

/// Declares the runtime library's functions by which chunks wait for each other.
fn declare<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let Some(first) = module
        .region(0)
        .ok()
        .and_then(|region| region.first_block())
        .and_then(|block| block.first_operation())
    else {
        return Ok(());
    };
    let Some(builder) = Builder::before(first) else {
        return Ok(());
    };
    for name in [carries::WAIT, carries::SIGNAL] {
        let is_there = crate::walk::operations(module).into_iter().any(|op| {
            let symbol = op.attribute("sym_name");
            symbol.is_ok_and(|symbol| symbol == builder.string(name))
        });
        if is_there {
            continue;
        }
        builder.op(
            "func.func",
            &[],
            &[],
            &[
                ("sym_name", builder.string(name)),
                ("sym_visibility", builder.string("private")),
                (
                    "function_type",
                    builder.attribute("(memref<?xi64>, index) -> ()")?,
                ),
                ("llvm.emit_c_interface", builder.unit()),
            ],
            vec![melior::ir::Region::new()],
        )?;
    }
    Ok(())
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
                if let Some(update) = self.updates.get(&number).cloned() {
                    return self.replace_update(op, number, &update);
                }
                let array = match source {
                    Source::Given(array) => array,
                    Source::Computed(array) => self.array(array)?,
                };
                Ok(front.cast(array, op.result(number)?.r#type())?)
            })
            .collect()
    }

    /// Makes the new array the result of an update. Gives what nobody uses any more.
    fn replace_update(
        &mut self,
        op: OperationRef<'c, 'a>,
        number: usize,
        update: &Update<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let front = self.front;
        let r#type = array_type_of_memory(update.memory)?;
        let array = front.array_in(update.memory, r#type, true)?;
        let array = front.cast(array, update.op.result(0)?.r#type())?;
        front.replace(update.op, &[array]);
        let Source::Computed(part) = self.plan.yielded[number] else {
            return Ok(array);
        };
        let computed = &self.plan.arrays[part];
        let unused = front.empty(&computed.shape, computed.element)?;
        Ok(front.cast(unused, op.result(number)?.r#type())?)
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
