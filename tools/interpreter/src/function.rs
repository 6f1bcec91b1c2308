//! Calls of functions, and how a program is entered.

use std::{iter, thread};

use crate::call::Call;
use crate::element::Type;
use crate::failure::Failure;
use crate::machine::{Limits, Machine};
use crate::memory::Memory;
use crate::program::{Attribute, Function, Program};
use crate::value::Value;

/// Enough for [`Limits::MOST_DEPTH`] regions in each other.
const STACK_BYTES: usize = 256 << 20;

/// Executes an op of the `func` dialect.
pub(crate) fn evaluate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    match call.op.name.as_str() {
        "func.call" => call_symbol(call),
        _ => Err(call.unknown_op()),
    }
}

/// Calls the function that the attribute `callee` names.
pub(crate) fn call_symbol(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let Some(Attribute::Symbol(callee)) = call.op.attributes.get("callee") else {
        return Err(call.bug("has no callee"));
    };
    let function = call
        .machine
        .function(callee)
        .ok_or_else(|| call.bug(&format!("calls @{callee}, which does not exist")))?;
    let Some(body) = &function.body else {
        return Err(Failure::NoBody {
            location: call.op.location.clone(),
            op: call.op.name.clone(),
            function: callee.clone(),
        });
    };
    let arguments = call.values(0..call.op.operands.len())?;
    call.machine.call(function, body, arguments)
}

impl Program {
    /// Calls a function.
    ///
    /// # Errors
    ///
    /// If there is no such function, if the inputs do not fit it, or if it
    /// fails.
    pub fn run(
        &self,
        entry: &str,
        inputs: Vec<Value>,
        limits: &Limits,
    ) -> Result<Vec<Value>, Failure> {
        let function = self.entry(entry)?;
        let inputs = in_memory(function, inputs);
        check_inputs(function, &inputs)?;
        let Some(body) = &function.body else {
            return Err(Failure::Input(format!(
                "@{entry} is declared but has no body"
            )));
        };
        let bug = |message: &str| Failure::Bug {
            location: function.location.clone(),
            message: message.to_owned(),
        };
        let execute = || {
            let results = Machine::new(self, limits).call(function, body, inputs)?;
            results
                .into_iter()
                .map(|result| out_of_memory(function, result))
                .collect()
        };
        thread::scope(|scope| {
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, execute)
                .map_err(|error| bug(&format!("no thread to run on: {error}")))?
                .join()
                .unwrap_or_else(|_| Err(bug("the interpreter panicked")))
        })
    }

    /// The types of a function's arguments and results.
    ///
    /// # Errors
    ///
    /// If there is no such function.
    pub fn signature(&self, entry: &str) -> Result<(&[Type], &[Type]), Failure> {
        let function = self.entry(entry)?;
        Ok((&function.inputs, &function.results))
    }

    fn entry(&self, name: &str) -> Result<&Function, Failure> {
        self.functions.get(name).ok_or_else(|| {
            let names: Vec<_> = self
                .functions
                .values()
                .filter(|function| function.body.is_some())
                .map(|function| format!("@{}", function.name))
                .collect();
            Failure::Input(format!(
                "the module has no function @{name}; it has: {}",
                if names.is_empty() {
                    "none".into()
                } else {
                    names.join(", ")
                }
            ))
        })
    }
}

/// Arrays that a function takes in memory are put there.
fn in_memory(function: &Function, inputs: Vec<Value>) -> Vec<Value> {
    let types = function.inputs.iter().map(Some).chain(iter::repeat(None));
    inputs
        .into_iter()
        .zip(types)
        .map(|(input, ty)| match (&input, ty) {
            (Value::Array(array), Some(Type::Memory { .. })) => {
                Value::Memory(Memory::holding(array))
            }
            _ => input,
        })
        .collect()
}

/// What a function gives in memory is an array.
fn out_of_memory(function: &Function, result: Value) -> Result<Value, Failure> {
    match result {
        Value::Memory(memory) => memory.array().map(Value::Array),
        result => Ok(result),
    }
    .map_err(|fault| Failure::Undefined {
        location: function.location.clone(),
        message: format!("a result of @{} {fault}", function.name),
    })
}

fn check_inputs(function: &Function, inputs: &[Value]) -> Result<(), Failure> {
    if inputs.len() != function.inputs.len() {
        return Err(Failure::Input(format!(
            "@{} takes {} arguments, but {} are given",
            function.name,
            function.inputs.len(),
            inputs.len()
        )));
    }
    for (position, (input, ty)) in inputs.iter().zip(&function.inputs).enumerate() {
        if !input.has_type(ty) {
            return Err(Failure::Input(format!(
                "argument {position} of @{} is of type {ty}, but {} is given",
                function.name,
                input.ty()
            )));
        }
    }
    Ok(())
}
