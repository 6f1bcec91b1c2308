//! Turns the syntax of a module into its decoded form.

mod arithmetic;
mod control;
mod exchange;
mod function;
mod memory;
mod modifiers;
mod names;
mod operands;

use std::collections::HashMap;

use crate::error::LoadError;
use crate::program::{Function, Program, Slot};
use crate::syntax::{self, Module, Variable, VariableSpace};

use function::FunctionDecoder;

type Result<T> = std::result::Result<T, LoadError>;

/// What a name of the module means, for all functions.
struct Environment<'a> {
    module: &'a Module,
    /// The addresses of variables in the memory of the device.
    addresses: &'a HashMap<String, u64>,
    /// The offsets of variables in shared memory; `None` where the size is given at the launch.
    shared: HashMap<String, Option<u64>>,
    /// The bytes of those.
    shared_bytes: u64,
    /// Parameters and results, by the number of the function.
    signatures: Vec<Function>,
}

/// Decodes a module whose global variables have these addresses.
pub(crate) fn decode(module: &Module, addresses: &HashMap<String, u64>) -> Result<Program> {
    let mut environment = Environment {
        module,
        addresses,
        shared: HashMap::new(),
        shared_bytes: 0,
        signatures: module.functions.iter().map(signature).collect(),
    };
    for variable in &module.variables {
        if variable.space == VariableSpace::Shared {
            environment.place_shared(variable);
        }
    }
    let mut program = Program::default();
    for (number, function) in module.functions.iter().enumerate() {
        let decoded = FunctionDecoder::decode(&environment, number, &mut program)?;
        program.functions.push(decoded);
        if function.is_entry {
            program.kernels.insert(function.name.clone(), number);
        }
    }
    Ok(program)
}

impl Environment<'_> {
    fn place_shared(&mut self, variable: &Variable) {
        let offset = (variable.size > 0).then(|| {
            let offset = self.shared_bytes.next_multiple_of(variable.align);
            self.shared_bytes = offset + variable.size;
            offset
        });
        self.shared.insert(variable.name.clone(), offset);
    }
}

/// The places of parameters and results.
fn signature(function: &syntax::Function) -> Function {
    let mut bytes = 0;
    let parameters = slots(&function.parameters, &mut bytes);
    let results = slots(&function.results, &mut bytes);
    Function {
        name: function.name.clone(),
        parameters,
        results,
        signature_bytes: bytes,
        max_threads: function.max_threads,
        ..Function::default()
    }
}

fn slots(variables: &[Variable], bytes: &mut usize) -> Vec<Slot> {
    let mut slots = Vec::new();
    for variable in variables {
        let offset = bytes.next_multiple_of(variable.align as usize);
        let size = variable.size as usize;
        slots.push(Slot { offset, size });
        *bytes = offset + size;
    }
    slots
}
