//! Which function of a program is meant.

use comb_runtime::Signature;
use melior::ir::{OperationRef, RegionLike, block::BlockLike, operation::OperationLike};
use soac_dialect::{cast::Parts, parameters::function_type, view::op_name};

use crate::{
    Diagnostic,
    load::Program,
    signature::{function_name, signature},
};

/// Why no function could be chosen. All are the caller's fault.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// There is no such function.
    #[error("'{program}' has no function '{name}'; {available}")]
    Unknown {
        /// The program's file.
        program: String,
        /// The name given.
        name: String,
        /// The functions there are.
        available: String,
    },
    /// Nothing says which function is meant.
    #[error("'{program}' has several functions; choose one with --entry: {available}")]
    Ambiguous {
        /// The program's file.
        program: String,
        /// The functions there are.
        available: String,
    },
    /// There is no function to be called.
    #[error("'{program}' has no public function with a body")]
    None {
        /// The program's file.
        program: String,
    },
    /// The function cannot be called from outside.
    #[error("{0}")]
    Signature(Diagnostic),
}

/// The signature of the function called `entry`, or else of the only public
/// one, or else of `main`.
pub fn choose(program: &Program, entry: Option<&str>) -> Result<Signature, EntryError> {
    let function = match entry {
        Some(name) => find(program, name)?,
        None => {
            let public = public_functions(program);
            match public.as_slice() {
                [] => return Err(no_function(program)),
                [only] => *only,
                several => several
                    .iter()
                    .copied()
                    .find(|&function| function_name(function).as_deref() == Some("main"))
                    .ok_or_else(|| EntryError::Ambiguous {
                        program: program.source.name().to_owned(),
                        available: listing(several, program),
                    })?,
            }
        }
    };
    signature(function, &program.source).map_err(EntryError::Signature)
}

/// The signatures of the functions called `entries`, or else of all public
/// ones, in the order of the source.
pub fn choose_several(program: &Program, entries: &[String]) -> Result<Vec<Signature>, EntryError> {
    let functions = if entries.is_empty() {
        public_functions(program)
    } else {
        entries
            .iter()
            .map(|name| find(program, name))
            .collect::<Result<Vec<_>, _>>()?
    };
    if functions.is_empty() {
        return Err(no_function(program));
    }
    let mut signatures: Vec<Signature> = vec![];
    for function in functions {
        let signature = signature(function, &program.source).map_err(EntryError::Signature)?;
        if !signatures.contains(&signature) {
            signatures.push(signature);
        }
    }
    Ok(signatures)
}

/// The functions of the program that have a body.
pub(crate) fn defined_functions<'c, 'a>(program: &'a Program<'c>) -> Vec<OperationRef<'c, 'a>> {
    let mut functions = vec![];
    let mut next = program.module.body().first_operation();
    while let Some(op) = next {
        let defined = op_name(op) == "func.func"
            && op
                .region_at(0)
                .is_some_and(|region| region.first_block().is_some());
        if defined {
            functions.push(op);
        }
        next = op.next_in_block();
    }
    functions
}

fn public_functions<'c, 'a>(program: &'a Program<'c>) -> Vec<OperationRef<'c, 'a>> {
    let mut functions = defined_functions(program);
    functions.retain(|function| {
        function
            .attribute("sym_visibility")
            .map_or(true, |visibility| visibility.to_string() == "\"public\"")
    });
    functions
}

/// The name of a function that the program defines, without an `@` in front of it.
pub fn defined<'n>(program: &Program, name: &'n str) -> Result<&'n str, EntryError> {
    find(program, name).map(|_| bare(name))
}

fn bare(name: &str) -> &str {
    name.strip_prefix('@').unwrap_or(name)
}

fn find<'c, 'a>(program: &'a Program<'c>, name: &str) -> Result<OperationRef<'c, 'a>, EntryError> {
    let bare = bare(name);
    let functions = defined_functions(program);
    functions
        .iter()
        .copied()
        .find(|&function| function_name(function).as_deref() == Some(bare))
        .ok_or_else(|| EntryError::Unknown {
            program: program.source.name().to_owned(),
            name: bare.to_owned(),
            available: listing(&functions, program),
        })
}

fn no_function(program: &Program) -> EntryError {
    EntryError::None {
        program: program.source.name().to_owned(),
    }
}

fn listing(functions: &[OperationRef], program: &Program) -> String {
    if functions.is_empty() {
        return "it has none with a body".to_owned();
    }
    let lines: Vec<String> = functions
        .iter()
        .map(|&function| format!("\n  {}", describe(function, program)))
        .collect();
    format!("there is:{}", lines.concat())
}

/// The signature, or the type as MLIR writes it if callers cannot use it.
fn describe(function: OperationRef, program: &Program) -> String {
    signature(function, &program.source).map_or_else(
        |_| {
            let name = function_name(function).unwrap_or_default();
            let r#type = function_type(function).map(|r#type| r#type.to_string());
            format!("@{name}: {}", r#type.unwrap_or_default())
        },
        |signature| signature.to_string(),
    )
}
