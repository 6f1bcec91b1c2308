//! The names in a module, and the functions of the runtime library and OpenMP among them.

use std::collections::HashSet;

use melior::{
    Error,
    ir::{BlockLike, OperationRef, Region, operation::OperationLike},
};
use soac_dialect::{
    builder::Builder,
    text::{shown, symbol_bytes},
    view::op_name,
};

use super::{RUN_CHUNKS, openmp};
use comb_kit::{pass_error::PassError, walk::first_block};

/// The functions of the libraries, with their types.
fn runtime() -> impl Iterator<Item = (&'static str, &'static str)> {
    let run_chunks = "(!llvm.ptr, !llvm.ptr, index, i32, !llvm.ptr) -> ()";
    [
        (RUN_CHUNKS, run_chunks),
        (openmp::RUN_SHARE, openmp::WORKER),
    ]
    .into_iter()
    .chain(openmp::FUNCTIONS)
}

/// The names in a module.
pub(super) struct Symbols {
    taken: HashSet<String>,
    /// Those of functions of the libraries that are declared already.
    declared: HashSet<String>,
}

impl Symbols {
    /// Collects the names, and declares the libraries' functions, if they are not yet.
    ///
    /// # Errors
    ///
    /// If the module has something else by such a name.
    pub fn of<'c>(module: OperationRef<'c, '_>) -> Result<Self, PassError<'c>> {
        let mut taken = HashSet::new();
        let mut declared = HashSet::new();
        let mut next = first_block(module).and_then(|block| block.first_operation());
        let first = next;
        while let Some(op) = next {
            taken.extend(symbol_bytes(op).map(shown));
            if is_declaration(op)? {
                declared.insert(name_of(op));
            }
            next = op.next_in_block();
        }
        let mut symbols = Self { taken, declared };
        let start = first
            .and_then(Builder::before)
            .ok_or(Error::OperationBuild)?;
        let start = start.located(module.location());
        symbols.declare_runtime(module, &start)?;
        symbols.define_openmp(module, &start)?;
        Ok(symbols)
    }

    /// A name that begins with `base` and is not taken.
    pub fn unused(&mut self, base: &str) -> String {
        let mut name = base.to_owned();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            count += 1;
            name = format!("{base}_{count}");
        }
        name
    }

    /// Takes a name that has a meaning.
    fn take<'c>(&mut self, module: OperationRef<'c, '_>, name: &str) -> Result<(), PassError<'c>> {
        if self.taken.insert(name.to_owned()) {
            return Ok(());
        }
        Err(PassError::Unsupported {
            location: module.location(),
            message: format!("'{name}' is a name of the runtime library or OpenMP"),
        })
    }

    /// Defines what the runtime library is told of OpenMP.
    fn define_openmp<'c: 'a, 'a>(
        &mut self,
        module: OperationRef<'c, 'a>,
        start: &Builder<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        self.take(module, openmp::TEAM)?;
        self.take(module, openmp::TABLE)?;
        openmp::define_team(start)?;
        Ok(openmp::define_table(start)?)
    }

    fn declare_runtime<'c: 'a, 'a>(
        &mut self,
        module: OperationRef<'c, 'a>,
        start: &Builder<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        for (name, r#type) in runtime() {
            if self.declared.contains(name) {
                continue;
            }
            self.take(module, name)?;
            let attributes = [
                ("sym_name", start.string(name)),
                ("sym_visibility", start.string("private")),
                ("function_type", start.attribute(r#type)?),
            ];
            start.op("func.func", &[], &[], &attributes, vec![Region::new()])?;
        }
        Ok(())
    }
}

/// Whether an op declares one of the libraries' functions as it is.
fn is_declaration(op: OperationRef) -> Result<bool, Error> {
    let name = name_of(op);
    let known = runtime().find(|(other, _)| *other == name);
    let (Some((_, r#type)), Some(builder)) = (known, Builder::before(op)) else {
        return Ok(false);
    };
    Ok(op_name(op) == "func.func"
        && first_block(op).is_none()
        && op.attribute("function_type")? == builder.attribute(r#type)?)
}

/// The name of a function.
pub(super) fn name_of(function: OperationRef) -> String {
    shown(symbol_bytes(function).unwrap_or_default())
}
