//! Functions of the runtime library, or of OpenMP, that compiled code calls and only declares.

use melior::ir::{BlockLike, OperationRef, Region, operation::OperationLike};
use soac_dialect::{builder::Builder, text::symbol_bytes, view::op_name};

use crate::{pass_error::PassError, walk::first_block};

/// A function that code calls, but does not define.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LibraryFunction {
    /// Its symbol.
    pub name: &'static str,
    /// Its type, in MLIR's syntax.
    pub r#type: &'static str,
    /// Whether it takes memory by MLIR's convention for C.
    pub takes_memory: bool,
}

impl LibraryFunction {
    /// Declares the function in a module, if it is not declared yet.
    ///
    /// # Errors
    ///
    /// If the module has something else by its name.
    pub fn declare<'c>(self, module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
        let first = first_block(module).and_then(|block| block.first_operation());
        let Some(start) = first.and_then(Builder::before) else {
            return Ok(());
        };
        let start = start.located(module.location());
        let r#type = start.attribute(self.r#type)?;
        let mut next = first;
        while let Some(op) = next {
            if symbol_bytes(op) == Some(self.name.as_bytes()) {
                let is_declaration = op_name(op) == "func.func"
                    && first_block(op).is_none()
                    && op.attribute("function_type")? == r#type;
                return is_declaration.then_some(()).ok_or_else(|| self.taken(op));
            }
            next = op.next_in_block();
        }
        let mut attributes = vec![
            ("sym_name", start.string(self.name)),
            ("sym_visibility", start.string("private")),
            ("function_type", r#type),
        ];
        if self.takes_memory {
            attributes.push(("llvm.emit_c_interface", start.unit()));
        }
        start.op("func.func", &[], &[], &attributes, vec![Region::new()])?;
        Ok(())
    }

    fn taken<'c>(self, op: OperationRef<'c, '_>) -> PassError<'c> {
        PassError::Unsupported {
            location: op.location(),
            message: format!("'{}' is a name of the runtime library or OpenMP", self.name),
        }
    }
}
