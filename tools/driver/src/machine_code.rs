//! Machine code of a program, with what is needed to link it here.

use comb_runtime::timings::CodeTimes;
use serde::{Deserialize, Serialize};

use crate::{
    Compiler,
    code::{self, CodeError, CodeOptions},
    compile::{Compiled, CompiledEntry},
};

/// The machine code of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineCode {
    /// The object files.
    pub objects: Vec<Vec<u8>>,
    /// What else there is to know.
    pub description: Description,
}

/// What is known about machine code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The functions that it calls and does not define.
    pub externals: Vec<String>,
    /// The functions that can be called.
    pub entries: Vec<CompiledEntry>,
}

impl MachineCode {
    /// Generates the code of a compiled program, and says how long that took.
    pub fn generate(
        compiler: &Compiler,
        compiled: &Compiled,
        options: &CodeOptions,
    ) -> Result<(Self, CodeTimes), CodeError> {
        let code = code::generate_objects(compiler, compiled, options)?;
        let machine_code = Self {
            objects: code.objects,
            description: Description {
                externals: code.externals,
                entries: compiled.entries.clone(),
            },
        };
        Ok((machine_code, code.times))
    }
}
