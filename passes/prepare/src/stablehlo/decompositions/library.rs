//! Functions that are written in MLIR, for types that they call by names of their own.
//!
//! A function is put in front of the one that calls it, one for each op that functions are in and
//! for each type.

use std::collections::{HashMap, HashSet};

use melior::ir::{OperationRef, Type};
use soac_dialect::{
    builder::Builder,
    text::{as_name, symbol_bytes},
    view::{op_name, set_attribute},
};

use super::super::unsupported;
use comb_kit::{
    pass_error::PassError,
    walk::{ancestors, op_key, operations},
};

/// A file with a function.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

/// The file of a name in the folder of this module.
macro_rules! source {
    ($name:literal) => {
        Source {
            name: $name,
            text: include_str!(concat!($name, ".mlir")),
        }
    };
}

pub(super) const CHOLESKY: Source = source!("cholesky");
pub(super) const LU: Source = source!("lu");
pub(super) const QR: Source = source!("qr");
pub(super) const HOUSEHOLDER_PRODUCT: Source = source!("householder_product");
pub(super) const TRIANGULAR_SOLVE: Source = source!("triangular_solve");

/// The functions of a program that were made of files.
pub(in super::super) struct Library {
    /// The names of all functions, those of the program too.
    taken: HashSet<String>,
    /// The name of a function that is in an op, and was made of a text.
    made: HashMap<(usize, String), String>,
}

impl Library {
    /// None yet, for a program.
    pub(in super::super) fn beside(module: OperationRef) -> Self {
        let names = operations(module).into_iter().filter_map(symbol_bytes);
        let names = names.filter_map(as_name).map(str::to_owned);
        Self {
            taken: names.collect(),
            made: HashMap::new(),
        }
    }

    /// The name of a function that an op can call.
    ///
    /// # Errors
    ///
    /// If the op is in no function, or if MLIR rejects the text.
    pub(super) fn function<'c>(
        &mut self,
        op: OperationRef<'c, '_>,
        source: Source,
        types: &[(&str, Type<'c>)],
    ) -> Result<String, PassError<'c>> {
        let in_function = || unsupported(op, "has to be in a function");
        let function = ancestors(op).find(|&op| op_name(op) == "func.func");
        let function = function.ok_or_else(in_function)?;
        let builder = Builder::before(function).ok_or_else(in_function)?;
        let place = ancestors(function).next().map_or(0, op_key);
        let aliases: String = types
            .iter()
            .map(|(name, r#type)| format!("!{name} = {}\n", r#type))
            .collect();
        let text = aliases + source.text;
        if let Some(name) = self.made.get(&(place, text.clone())) {
            return Ok(name.clone());
        }
        let name = self.fresh(source.name);
        let made = builder.parsed(&text, &format!("{}.mlir", source.name))?;
        set_attribute(made, "sym_name", builder.string(&name));
        self.made.insert((place, text), name.clone());
        Ok(name)
    }

    /// A name that no function has.
    fn fresh(&mut self, name: &str) -> String {
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let fresh = names.find(|name| self.taken.insert(name.clone()));
        fresh.unwrap_or_else(|| name.to_owned())
    }
}
