//! Small arrays that only the host looks at: shapes, and what it keeps to decide which memory to free. They stay on its stack.
//!
//! An array is one if all that uses it reads or writes its elements on the host, frees it, takes it for a shape, or hands it to a function
//! of the module that does nothing else with it.
//!
//! What kernels report to is memory of the host, too, which they can write: the host waits for them, and reads it without a copy.

use comb_kit::{
    element_types::known_bytes,
    pass_error::PassError,
    walk::{first_block, operations},
};
use melior::ir::{
    BlockLike, OperationRef, Value, ValueLike,
    attribute::FlatSymbolRefAttribute,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::Builder,
    cast::is_a,
    text::{attribute_bytes, reference_bytes, symbol_bytes},
    view::{definition, op_name, stands_before, uses},
};

use super::own_functions;
use super::runtime::{REPORT, Runtime, SYNCHRONIZE, constant, described, room, static_sizes};
use crate::nest_to_gpu::checks;

/// No larger array is kept on the stack.
const MOST_BYTES: u64 = 512;

type Done<'c, T = ()> = Result<T, PassError<'c>>;

/// Arrays of the host that are not on its stack: parameters of private functions, and what kernels report to.
pub(super) struct OnHost<'c, 'a> {
    others: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> OnHost<'c, 'a> {
    /// Finds all in a module, and moves what is allocated to the stack.
    pub fn keep(module: OperationRef<'c, 'a>, runtime: &Runtime<'c, 'a>) -> Done<'c, Self> {
        let functions = own_functions(module);
        let reports = convert_reports(&functions, runtime)?;
        let mut found = candidates(&functions);
        loop {
            let kept: Vec<Value> = found
                .iter()
                .copied()
                .filter(|&array| stays(array, &functions, &found))
                .collect();
            let is_done = kept.len() == found.len();
            found = kept;
            if is_done {
                break;
            }
        }
        let (allocated, mut others): (Vec<Value>, Vec<Value>) = found
            .into_iter()
            .partition(|&array| definition(array).is_some());
        for allocation in allocated.into_iter().filter_map(definition) {
            keep_on_host(allocation)?;
        }
        others.extend(reports);
        Ok(Self { others })
    }

    /// Whether memory is the host's.
    pub fn has(&self, memory: Value<'c, 'a>) -> bool {
        let is_of_op = |op: OperationRef<'c, 'a>| match op_name(op) {
            "memref.alloca" => true,
            "memref.cast" => op.operand(0).is_ok_and(|operand| self.has(operand)),
            _ => false,
        };
        self.others.contains(&memory) || definition(memory).is_some_and(is_of_op)
    }
}

/// Small arrays that are allocated, and parameters of private functions.
fn candidates<'c: 'a, 'a>(functions: &[OperationRef<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    let mut found = vec![];
    for &function in functions {
        let is_private = attribute_bytes(function, "sym_visibility") == Some(b"private");
        if is_private && let Some(block) = first_block(function) {
            let arguments = (0..block.argument_count())
                .filter_map(|index| block.argument(index).ok())
                .map(Value::from);
            found.extend(arguments.filter(|argument| is_a::<MemRefType>(argument.r#type())));
        }
        for op in operations(function) {
            let is_small = |memory: &Value| {
                known_bytes(memory.r#type()).is_some_and(|bytes| bytes <= MOST_BYTES)
            };
            if op_name(op) == "memref.alloc" {
                found.extend(op.result(0).ok().map(Value::from).filter(is_small));
            }
        }
    }
    found
}

/// Whether an array is one of the host's, given that others are; a parameter is one only if all calls give one.
fn stays<'c: 'a, 'a>(
    array: Value<'c, 'a>,
    functions: &[OperationRef<'c, 'a>],
    others: &[Value<'c, 'a>],
) -> bool {
    let is_used_well = uses(array)
        .into_iter()
        .all(|used| is_use_of_host(used, functions, others));
    is_used_well
        && (definition(array).is_some()
            || given(array, functions)
                .into_iter()
                .all(|operand| others.contains(&source(operand))))
}

/// What casts are of.
fn source<'c: 'a, 'a>(array: Value<'c, 'a>) -> Value<'c, 'a> {
    match definition(array).filter(|&op| op_name(op) == "memref.cast") {
        Some(cast) => cast.operand(0).map_or(array, source),
        None => array,
    }
}

fn is_use_of_host<'c: 'a, 'a>(
    (user, position): (OperationRef<'c, 'a>, usize),
    functions: &[OperationRef<'c, 'a>],
    others: &[Value<'c, 'a>],
) -> bool {
    match (op_name(user), position) {
        ("memref.store", 1) | ("memref.load" | "memref.dealloc" | "memref.dim", 0) => true,
        ("memref.reshape", 1) => true,
        ("memref.cast", _) => user.result(0).is_ok_and(|cast| {
            uses(cast.into())
                .into_iter()
                .all(|used| is_use_of_host(used, functions, others))
        }),
        ("func.call", position) => called(user, functions)
            .and_then(first_block)
            .and_then(|block| block.argument(position).ok())
            .is_some_and(|parameter| others.contains(&parameter.into())),
        _ => false,
    }
}

/// The function of the module that is called.
fn called<'c: 'a, 'a>(
    call: OperationRef<'c, 'a>,
    functions: &[OperationRef<'c, 'a>],
) -> Option<OperationRef<'c, 'a>> {
    let callee = FlatSymbolRefAttribute::try_from(call.attribute("callee").ok()?).ok()?;
    let name = reference_bytes(callee);
    let mut functions = functions.iter().copied();
    functions.find(|&function| symbol_bytes(function) == Some(name))
}

/// What calls give for a parameter.
fn given<'c: 'a, 'a>(
    parameter: Value<'c, 'a>,
    functions: &[OperationRef<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    let calls = functions.iter().copied().flat_map(operations);
    let given = calls.filter_map(|call| {
        let block = (op_name(call) == "func.call")
            .then(|| called(call, functions))
            .flatten()
            .and_then(first_block)?;
        let position = (0..block.argument_count()).find(|&index| {
            block
                .argument(index)
                .is_ok_and(|argument| Value::from(argument) == parameter)
        })?;
        call.operand(position).ok()
    });
    given.collect()
}

/// Puts what kernels report to where the runtime says, and waits for them before it is read.
fn convert_reports<'c: 'a, 'a>(
    functions: &[OperationRef<'c, 'a>],
    runtime: &Runtime<'c, 'a>,
) -> Done<'c, Vec<Value<'c, 'a>>> {
    let ops = functions.iter().copied().flat_map(operations);
    let reports: Vec<_> = ops.filter(|op| op.has_attribute(checks::REPORT)).collect();
    reports
        .into_iter()
        .map(|allocation| convert_report(allocation, runtime))
        .collect()
}

fn convert_report<'c: 'a, 'a>(
    allocation: OperationRef<'c, 'a>,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c, Value<'c, 'a>> {
    let memory: Value = allocation.result(0)?.into();
    let builder = Builder::before(allocation).ok_or(melior::Error::OperationBuild)?;
    let bytes = constant(&builder, known_bytes(memory.r#type()).unwrap_or_default())?;
    let place = runtime.call_for_word(&builder, REPORT, &[bytes])?;
    let report = described(&builder, place, memory.r#type())?;
    let loads = uses(memory).into_iter().map(|(user, _)| user);
    let loads: Vec<_> = loads.filter(|&op| op_name(op) == "memref.load").collect();
    let is_first = |&load: &OperationRef<'c, 'a>| {
        loads
            .iter()
            .all(|&other| other == load || !stands_before(other, load))
    };
    for front in loads
        .iter()
        .copied()
        .filter(is_first)
        .filter_map(Builder::before)
    {
        runtime.call(&front, SYNCHRONIZE, &[])?;
    }
    for (user, _) in uses(memory) {
        if op_name(user) == "memref.dealloc" {
            builder.erase(user);
        }
    }
    builder.replace(allocation, &[report]);
    Ok(report)
}

fn keep_on_host<'c: 'a, 'a>(allocation: OperationRef<'c, 'a>) -> Done<'c> {
    let memory: Value = allocation.result(0)?.into();
    let Some(builder) = Builder::before(allocation) else {
        return Ok(());
    };
    let r#type = MemRefType::try_from(memory.r#type())?;
    let on_stack = room(&builder, &static_sizes(&r#type), r#type.element())?;
    for (user, _) in uses(memory) {
        if op_name(user) == "memref.dealloc" {
            builder.erase(user);
        }
    }
    builder.replace(allocation, &[on_stack]);
    Ok(())
}
