//! Loads modules: reads PTX text, puts its variables into the memory of the device, and decodes it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::decode::decode;
use crate::error::{LoadError, Status};
use crate::memory::Memory;
use crate::parse::parse;
use crate::program::Program;
use crate::syntax::{Initial, Module, Variable, VariableSpace};

/// A module that is loaded.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) program: Arc<Program>,
    /// The address and size of each variable.
    pub(crate) variables: HashMap<String, (u64, u64)>,
}

/// Why a module could not be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ModuleError {
    #[error("{0}")]
    Text(#[from] LoadError),
    #[error("the module is for sm_{target}, but the device is sm_{chip}")]
    Chip { target: u32, chip: u32 },
    #[error("there is not enough memory for the variables of the module")]
    Memory,
}

impl ModuleError {
    pub(crate) fn status(&self) -> Status {
        match self {
            ModuleError::Text(_) => Status::INVALID_PTX,
            ModuleError::Chip { .. } => Status::NO_BINARY_FOR_GPU,
            ModuleError::Memory => Status::OUT_OF_MEMORY,
        }
    }
}

/// Loads PTX text.
pub(crate) fn load(text: &str, chip: u32, memory: &mut Memory) -> Result<Loaded, ModuleError> {
    let module = parse(text)?;
    if module.target > chip {
        let target = module.target;
        return Err(ModuleError::Chip { target, chip });
    }
    let mut variables = HashMap::new();
    let loaded = place(&module, memory, &mut variables);
    if loaded.is_err() {
        unload(&variables, memory);
    }
    Ok(Loaded {
        program: Arc::new(loaded?),
        variables,
    })
}

/// Frees the variables of a module.
pub(crate) fn unload(variables: &HashMap<String, (u64, u64)>, memory: &mut Memory) {
    for (address, _) in variables.values() {
        memory.free(*address);
    }
}

fn place(
    module: &Module,
    memory: &mut Memory,
    variables: &mut HashMap<String, (u64, u64)>,
) -> Result<Program, ModuleError> {
    let globals = || {
        let all = module.variables.iter();
        all.filter(|variable| variable.space != VariableSpace::Shared)
    };
    for variable in globals() {
        let address = memory.allocate(variable.size).ok_or(ModuleError::Memory)?;
        variables.insert(variable.name.clone(), (address, variable.size));
    }
    let addresses: HashMap<String, u64> = variables
        .iter()
        .map(|(name, (address, _))| (name.clone(), *address))
        .collect();
    for variable in globals() {
        initialise(variable, &addresses, memory)?;
    }
    Ok(decode(module, &addresses)?)
}

/// Stores the first value of a variable; what has none is zero.
fn initialise(
    variable: &Variable,
    addresses: &HashMap<String, u64>,
    memory: &Memory,
) -> Result<(), LoadError> {
    let mut bytes = vec![0u8; variable.size as usize];
    let width = variable.ty.bytes();
    for (i, initial) in variable.initial.iter().enumerate() {
        let value = match initial {
            Initial::Bits(bits) => *bits,
            Initial::Address(name, offset) => match addresses.get(name) {
                Some(address) => address.wrapping_add(*offset as u64),
                None => {
                    let message = format!("nothing is called '{name}'");
                    return Err(LoadError::new(variable.line, message));
                }
            },
        };
        let Some(to) = bytes.get_mut(i * width..(i + 1) * width) else {
            let message = format!("'{}' has too many initial values", variable.name);
            return Err(LoadError::new(variable.line, message));
        };
        to.copy_from_slice(&value.to_le_bytes()[..width]);
    }
    let address = addresses[&variable.name];
    if let Some(to) = memory.find(address, variable.size) {
        // SAFETY: the variable was just found to be live.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    }
    Ok(())
}
