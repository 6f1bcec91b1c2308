//! Machine code of a program, with what is needed to link it here.

use serde::{Deserialize, Serialize};

use crate::{
    Compiler,
    code::{self, CodeError, CodeKind, CodeOptions},
    compile::{Compiled, CompiledEntry},
};

/// The machine code of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineCode {
    /// The object file.
    pub object: Vec<u8>,
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
    /// Generates the code of a compiled program.
    pub fn generate(
        compiler: &Compiler,
        compiled: &Compiled,
        options: &CodeOptions,
    ) -> Result<Self, CodeError> {
        let code = code::generate(compiler, compiled, options, CodeKind::Object)?;
        Ok(Self {
            object: code.bytes,
            description: Description {
                externals: code.externals,
                entries: compiled.entries.clone(),
            },
        })
    }
}
