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
//! 2. In place of the loop, the runtime library is called: it calls the chunk function for each
//!    chunk, directly or from the threads of an OpenMP team, and reports what failed
//!    (`tools/runtime/src/team.rs`). It is told where OpenMP's functions are, and what
//!    starts a team: a function with an `omp.parallel`, the only one of the module.
//!
//! So there is little code for each loop but its body, and the body is there once.
//!
//! The first word of the region belongs to the library: it is null, or the
//! message of a failure.
//!
//! Cost: linear in the number of ops inside such loops.

mod openmp;
mod region;
mod symbols;

use melior::{
    Error,
    ir::{BlockRef, OperationRef, Value, attribute::IntegerAttribute, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Values},
    view::{definition, op_name, set_attribute, set_operand},
};

use self::{
    region::RegionLayout,
    symbols::{Symbols, name_of},
};
use comb_kit::{
    checks::facts::key,
    pass_error::PassError,
    walk::{first_block, operations},
};

/// How the chunks are dealt to the threads; a loop that has it is lowered.
const SCHEDULE: &str = "comb.schedule";

/// The runtime library's function that calls a chunk function for all chunks.
const RUN_CHUNKS: &str = "comb_runtime_run_chunks";

/// The type of chunk functions, which take the region and the number of a chunk.
const CHUNK: &str = "(!llvm.ptr, index) -> ()";

/// Which chunks a thread gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Schedule {
    /// A contiguous part of them first, and then what others have not begun, if that took long.
    Contiguous,
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
    count: Value<'c, 'a>,
    schedule: Schedule,
}

impl<'c: 'a, 'a> ChunkLoop<'c, 'a> {
    fn read(op: OperationRef<'c, 'a>, module: OperationRef<'c, 'a>) -> Result<Self, PassError<'c>> {
        let schedule = match op.attribute(SCHEDULE)?.to_string().as_str() {
            "\"contiguous\"" => Schedule::Contiguous,
            "\"interleaved\"" => Schedule::Interleaved,
            other => {
                let message =
                    format!("has the schedule {other}; contiguous and interleaved are known");
                return Err(unsupported(op, &message));
            }
        };
        let operands: Values = op.operands().collect();
        let &[lower, count, step] = operands.as_slice() else {
            return Err(unsupported(
                op,
                "has a schedule, but several dimensions or reductions; only loops of one \
                 dimension without reductions can have one",
            ));
        };
        if constant(lower) != Some(0) || constant(step) != Some(1) {
            return Err(unsupported(
                op,
                "has a schedule, but does not count from 0 in steps of 1",
            ));
        }
        let function = enclosing_function(op)
            .filter(|function| function.parent_operation() == Some(module))
            .ok_or_else(|| {
                unsupported(op, "is not in a func.func of a builtin.module; code for several threads is made for those \
                     only")
            })?;
        let body = first_block(op).ok_or_else(|| unsupported(op, "has no body"))?;
        Ok(Self {
            op,
            function,
            body,
            count,
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

    /// Has the runtime library call the chunk function for every chunk.
    fn call_chunks(
        &self,
        builder: &Builder<'c, 'a>,
        chunk_function: &str,
        region: Value<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        let function = address_of(builder, chunk_function, CHUNK)?;
        let schedule = match self.schedule {
            Schedule::Contiguous => 0,
            Schedule::Interleaved => 1,
        };
        let schedule = builder.integer(schedule, builder.integer_type(32))?;
        let openmp = openmp::table(builder)?;
        let operands = [function, region, self.count, schedule, openmp];
        let callee = ("callee", builder.attribute(&format!("@{RUN_CHUNKS}"))?);
        builder.op("func.call", &operands, &[], &[callee], vec![])?;
        Ok(())
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

/// The number that a constant is.
fn constant(value: Value) -> Option<i64> {
    let op = definition(value).filter(|&op| op_name(op) == "arith.constant")?;
    let number = IntegerAttribute::try_from(op.attribute("value").ok()?);
    Some(number.ok()?.value())
}

/// The address of a function of a type.
fn address_of<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: &str,
    r#type: &str,
) -> Result<Value<'c, 'a>, Error> {
    let name = ("value", builder.symbol(function));
    let function = builder.value("func.constant", &[], builder.r#type(r#type)?, &[name])?;
    let pointer = builder.r#type("!llvm.ptr")?;
    let cast = "builtin.unrealized_conversion_cast";
    builder.value(cast, &[function], pointer, &[])
}

fn unsupported<'c>(op: OperationRef<'c, '_>, message: &str) -> PassError<'c> {
    PassError::Unsupported {
        location: op.location(),
        message: format!("'scf.parallel' op {message}"),
    }
}
