//! `comb-parallel-to-openmp`: loops over chunks of work become OpenMP regions.
//!
//! A loop `scf.parallel` with the attribute `comb.schedule` goes over chunks, each
//! of which is worth a thread. For each such loop, outer ones first:
//!
//! 1. The body moves into a function of its own, the *chunk function*. It gets the
//!    number of the chunk, and the address of the *region*: memory in the frame of
//!    the function with the loop, which holds what the body uses from outside.
//!    Constants are not passed but repeated. So memory that a chunk takes from the
//!    stack is given back at its end.
//! 2. With more than one chunk, each thread of an OpenMP region has the runtime
//!    library call the chunk function for its share (`tools/runtime/src/parallel.rs`): a
//!    check that fails stops its chunk only. Behind the region the library reports the
//!    failure on the thread that started the region.
//! 3. If there is one thread only, it does all that without OpenMP.
//! 4. One chunk is called directly; no thread is started, and OpenMP is not asked.
//!
//! A thread computes its share from its number. OpenMP has a function for that, but
//! where the library is built with its checks, as Debian's is, it takes half a
//! microsecond for each thread: as long as it takes to start the region.
//!
//! The first word of the region belongs to the library: it is null, or the
//! message of a failure.
//!
//! Cost: linear in the number of ops inside such loops.

mod region;
mod symbols;

use melior::{
    Error,
    ir::{BlockRef, OperationRef, Value, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Predicate, Values},
    view::{op_name, set_attribute, set_operand},
};

use self::{
    region::RegionLayout,
    symbols::{Symbols, name_of},
};
use crate::{
    bridge::PassError,
    checks::facts::key,
    walk::{first_block, operations},
};

/// How the chunks are dealt to the threads; a loop that has it is lowered.
const SCHEDULE: &str = "comb.schedule";

/// The runtime library's functions: to call a chunk function for some chunks, and to end a
/// region.
const RUN_CHUNKS: &str = "comb_runtime_run_chunks";
const END_REGION: &str = "comb_runtime_end_region";

/// OpenMP's functions: how many threads a region would have, how many there are in
/// this one, and which of them this is.
const MOST_THREADS: &str = "omp_get_max_threads";
const THREADS: &str = "omp_get_num_threads";
const THREAD: &str = "omp_get_thread_num";

/// Which chunks a thread gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Schedule {
    /// One contiguous part of them.
    Static,
    /// Thread t of T gets t, t + T, t + 2T, and so on, in this order.
    Interleaved,
}

/// Runs the pass on a module.
///
/// # Errors
///
/// If a loop with the attribute is not of the form that the pass knows.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let loops: Vec<OperationRef> = operations(module)
        .into_iter()
        .filter(|&op| op_name(op) == "scf.parallel" && op.has_attribute(SCHEDULE))
        .collect();
    if loops.is_empty() {
        return Ok(());
    }
    let mut symbols = Symbols::of(module)?;
    for op in loops {
        ChunkLoop::read(op, module)?.lower(&mut symbols)?;
    }
    Ok(())
}

/// A loop over chunks.
struct ChunkLoop<'c, 'a> {
    op: OperationRef<'c, 'a>,
    function: OperationRef<'c, 'a>,
    body: BlockRef<'c, 'a>,
    bounds: Bounds<'c, 'a>,
    schedule: Schedule,
}

#[derive(Clone, Copy)]
struct Bounds<'c, 'a> {
    lower: Value<'c, 'a>,
    upper: Value<'c, 'a>,
    step: Value<'c, 'a>,
}

impl<'c: 'a, 'a> ChunkLoop<'c, 'a> {
    fn read(op: OperationRef<'c, 'a>, module: OperationRef<'c, 'a>) -> Result<Self, PassError<'c>> {
        let schedule = match op.attribute(SCHEDULE)?.to_string().as_str() {
            "\"static\"" => Schedule::Static,
            "\"interleaved\"" => Schedule::Interleaved,
            other => {
                let message = format!("has the schedule {other}; static and interleaved are known");
                return Err(unsupported(op, &message));
            }
        };
        let operands: Values = op.operands().collect();
        let &[lower, upper, step] = operands.as_slice() else {
            return Err(unsupported(
                op,
                "has a schedule, but several dimensions or reductions; only loops of one \
                 dimension without reductions can have one",
            ));
        };
        let function = enclosing_function(op)
            .filter(|function| function.parent_operation() == Some(module))
            .ok_or_else(|| {
                unsupported(op, "has a schedule, but is not in a function of the module")
            })?;
        let body = first_block(op).ok_or_else(|| unsupported(op, "has no body"))?;
        Ok(Self {
            op,
            function,
            body,
            bounds: Bounds { lower, upper, step },
            schedule,
        })
    }

    fn lower(self, symbols: &mut Symbols) -> Result<(), PassError<'c>> {
        let chunk_function = symbols.unused(&format!("{}_chunk", name_of(self.function)));
        let region = RegionLayout::new(self.op)?;
        let builder = Builder::before(self.op).ok_or(melior::Error::OperationBuild)?;
        let address = region.allocate(self.function, self.op.location())?;
        region.fill(&builder, address)?;
        self.outline(&chunk_function, &region)?;
        self.call_chunks(&builder, &chunk_function, address)?;
        builder.replace(self.op, &[]);
        Ok(())
    }

    /// Moves the body into a function.
    fn outline(&self, name: &str, layout: &RegionLayout<'c, 'a>) -> Result<(), PassError<'c>> {
        let builder = Builder::before(self.function)
            .ok_or(melior::Error::OperationBuild)?
            .located(self.op.location());
        let arguments = [builder.r#type("!llvm.ptr")?, builder.index_type()];
        let inner = operations(self.op);
        let function = builder.function::<PassError>(name, &arguments, |body, arguments| {
            let inside = layout.read_back(body, arguments[0])?;
            for op in inner {
                for (position, operand) in op.operands().enumerate() {
                    if let Some(&value) = inside.get(&key(operand)) {
                        set_operand(op, position, value);
                    }
                }
            }
            Ok(body.inline(self.body, &[arguments[1]])?)
        })?;
        set_attribute(function, "sym_visibility", builder.string("private"));
        Ok(())
    }

    /// Calls the chunk function for every chunk, from several threads if there are
    /// several chunks.
    fn call_chunks(
        &self,
        builder: &Builder<'c, 'a>,
        chunk_function: &str,
        region: Value<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        let Bounds { lower, upper, step } = self.bounds;
        let second = builder.arithmetic("arith.addi", &[lower, step])?;
        let several = builder.compare(Predicate::Slt, second, upper)?;
        builder.if_else::<PassError>(
            several,
            &[],
            |builder| {
                self.call_several(builder, chunk_function, region)?;
                call(builder, END_REGION, &[region])?;
                Ok(vec![])
            },
            |builder| {
                let one = builder.compare(Predicate::Slt, lower, upper)?;
                builder.if_else::<PassError>(
                    one,
                    &[],
                    |builder| {
                        call(builder, chunk_function, &[region, lower])?;
                        Ok(vec![])
                    },
                    |_| Ok(vec![]),
                )?;
                Ok(vec![])
            },
        )?;
        Ok(())
    }

    /// Calls the chunk function for several chunks, from as many threads as there are.
    fn call_several(
        &self,
        builder: &Builder<'c, 'a>,
        chunk_function: &str,
        region: Value<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        let one = builder.integer(1, builder.integer_type(32))?;
        let most = number_of(builder, MOST_THREADS)?;
        let shared = builder.compare(Predicate::Sgt, most, one)?;
        builder.if_else::<PassError>(
            shared,
            &[],
            |builder| {
                let team = builder.region::<PassError>(&[], "omp.terminator", |builder, _| {
                    let share = self.share(builder)?;
                    run_chunks(builder, chunk_function, region, share)?;
                    Ok(vec![])
                })?;
                let no_clauses = builder.segments(&[0; 6]);
                let attributes = [("operandSegmentSizes", no_clauses)];
                builder.op("omp.parallel", &[], &[], &attributes, vec![team])?;
                Ok(vec![])
            },
            |builder| {
                run_chunks(builder, chunk_function, region, self.bounds)?;
                Ok(vec![])
            },
        )?;
        Ok(())
    }

    /// The chunks of a thread of the team.
    fn share(&self, builder: &Builder<'c, 'a>) -> Result<Bounds<'c, 'a>, Error> {
        let Bounds { lower, upper, step } = self.bounds;
        let index = |name| {
            let number = number_of(builder, name)?;
            builder.value("arith.index_cast", &[number], builder.index_type(), &[])
        };
        let (thread, threads) = (index(THREAD)?, index(THREADS)?);
        let behind = |count| {
            let distance = builder.arithmetic("arith.muli", &[count, step])?;
            builder.arithmetic("arith.addi", &[lower, distance])
        };
        if self.schedule == Schedule::Interleaved {
            return Ok(Bounds {
                lower: behind(thread)?,
                upper,
                step: builder.arithmetic("arith.muli", &[step, threads])?,
            });
        }
        let length = builder.arithmetic("arith.subi", &[upper, lower])?;
        let count = builder.arithmetic("arith.ceildivsi", &[length, step])?;
        let part = |number| {
            let before = builder.arithmetic("arith.muli", &[count, number])?;
            behind(builder.arithmetic("arith.divui", &[before, threads])?)
        };
        let next = builder.arithmetic("arith.addi", &[thread, builder.index(1)?])?;
        Ok(Bounds {
            lower: part(thread)?,
            upper: part(next)?,
            step,
        })
    }
}

/// The function that an op is in.
fn enclosing_function<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut parent = op.parent_operation()?;
    while op_name(parent) != "func.func" {
        parent = parent.parent_operation()?;
    }
    Some(parent)
}

/// What one of OpenMP's functions gives.
fn number_of<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: &str,
) -> Result<Value<'c, 'a>, Error> {
    let callee = ("callee", builder.attribute(&format!("@{function}"))?);
    builder.value("func.call", &[], builder.integer_type(32), &[callee])
}

/// Calls the chunk function for some chunks.
fn run_chunks<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    chunk_function: &str,
    region: Value<'c, 'a>,
    chunks: Bounds<'c, 'a>,
) -> Result<(), Error> {
    let function = address_of(builder, chunk_function)?;
    let Bounds { lower, upper, step } = chunks;
    call(builder, RUN_CHUNKS, &[function, region, lower, upper, step])
}

/// The address of a function that takes the region and the number of a chunk.
fn address_of<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: &str,
) -> Result<Value<'c, 'a>, Error> {
    let r#type = builder.r#type("(!llvm.ptr, index) -> ()")?;
    let name = ("value", builder.attribute(&format!("@\"{function}\""))?);
    let function = builder.value("func.constant", &[], r#type, &[name])?;
    let pointer = builder.r#type("!llvm.ptr")?;
    builder.value(
        "builtin.unrealized_conversion_cast",
        &[function],
        pointer,
        &[],
    )
}

fn call<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: &str,
    operands: &[Value<'c, 'a>],
) -> Result<(), Error> {
    let callee = ("callee", builder.attribute(&format!("@\"{function}\""))?);
    builder.op("func.call", operands, &[], &[callee], vec![])?;
    Ok(())
}

fn unsupported<'c>(op: OperationRef<'c, '_>, message: &str) -> PassError<'c> {
    PassError::Unsupported {
        location: op.location(),
        message: format!("'scf.parallel' op {message}"),
    }
}
