//! Reads programs.

use std::{
    borrow::Cow,
    io::{self, Read},
    path::{Path, PathBuf},
    rc::Rc,
};

use comb_runtime::{files, npy::reason};
use melior::ir::Module;

use crate::{
    Compiler, Diagnostics,
    bridge::{self, Verification},
    diagnostics::{Diagnostic, Position},
    names,
    source::Source,
    stablehlo,
};

pub use stablehlo::is_in as is_stablehlo;

/// A program that parsed and verified.
pub struct Program<'c> {
    /// The module.
    pub module: Module<'c>,
    /// What it was parsed from.
    pub source: Rc<Source>,
    /// What the parser and the verifier said about it.
    pub warnings: Diagnostics,
}

/// Why there is no program. All are the caller's fault.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read '{}': {}", path.display(), reason(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is nothing in the file.
    #[error("'{name}' is empty; a program in MLIR's text or bytecode is expected")]
    Empty {
        /// The file.
        name: String,
    },
    /// The file is neither text nor bytecode.
    #[error("'{name}' is neither MLIR text nor MLIR bytecode: line {line} is not UTF-8")]
    NotText {
        /// The file.
        name: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// The bytecode is damaged, or is a portable artifact of a newer version.
    #[error("'{name}': {error}")]
    Bytecode {
        /// The file.
        name: String,
        /// What is wrong.
        error: comb_bytecode::Error,
    },
    /// The bytecode is one of StableHLO that other versions cannot read.
    #[error(
        "'{name}' is bytecode of StableHLO as one version of it has it; a portable artifact is \
         expected, as 'jax.export' and 'stablehlo-translate --serialize' write it"
    )]
    NotPortable {
        /// The file.
        name: String,
    },
    /// The parser or the verifier refuses the program.
    #[error("{0}")]
    Invalid(Diagnostics),
}

/// Reads a program from a file, or with `-` from standard input.
pub fn load<'c>(compiler: &'c Compiler, path: &Path) -> Result<Program<'c>, LoadError> {
    parse(compiler, source(path)?)
}

/// Reads a file, or with `-` standard input.
pub fn source(path: &Path) -> Result<Source, LoadError> {
    let (name, bytes) = if path == Path::new("-") {
        let mut bytes = vec![];
        let read = io::stdin().lock().read_to_end(&mut bytes);
        ("<stdin>".to_owned(), read.map(|_| bytes))
    } else {
        (path.to_string_lossy().into_owned(), read(path))
    };
    let bytes = bytes.map_err(|source| LoadError::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(Source::new(name, bytes))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    files::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Parses and verifies a program.
pub fn parse(compiler: &Compiler, source: Source) -> Result<Program<'_>, LoadError> {
    let source = readable(source)?;
    if source.bytes().iter().all(u8::is_ascii_whitespace) {
        return Err(LoadError::Empty {
            name: source.name().to_owned(),
        });
    }
    let source = Rc::new(source);
    let parsed = match is_stablehlo(&source) {
        true => stablehlo::parse(compiler, &source),
        false => compiler.captured(&source, || {
            bridge::parse(compiler.context(), &source, Verification::WhenParsed)
        }),
    };
    let (module, warnings) = parsed.map_err(LoadError::Invalid)?;
    names::refuse(&module, &source).map_err(LoadError::Invalid)?;
    Ok(Program {
        module,
        source,
        warnings,
    })
}

/// What the author of a program that is refused may have meant, for those who have been told what is wrong with it: a
/// line for each hint.
pub fn hints(compiler: &Compiler, source: Source) -> Vec<String> {
    let Err(LoadError::Invalid(refused)) = parse(compiler, source) else {
        return vec![];
    };
    let of_error = |error: &Diagnostic| {
        let place = error.position.as_ref().map(|position| position.place());
        let place = place.map_or(String::new(), |place| format!("{place}: "));
        let hints = error.notes.iter().filter(|note| note.position.is_none());
        hints
            .map(|hint| format!("{place}{hint}"))
            .collect::<Vec<_>>()
    };
    refused.0.iter().flat_map(of_error).collect()
}

/// A program as MLIR's parser takes it, which trusts bytecode, knows nothing of portable artifacts,
/// and stumbles over a mark of UTF-8: bytecode that was checked, or text. An artifact is StableHLO in
/// generic form ([`is_stablehlo`]).
///
/// # Errors
/// If it is damaged bytecode, or neither bytecode nor text.
pub fn readable(source: Source) -> Result<Source, LoadError> {
    let source = stablehlo_of(without_mark(source))?;
    if !source.bytes().starts_with(comb_bytecode::MAGIC) {
        check_text(&source)?;
    }
    Ok(source)
}

/// A form in which a program is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// MLIR's text.
    Text,
    /// MLIR's bytecode.
    Bytecode,
}

/// Writes a program and reads it again, between any two passes.
///
/// # Errors
///
/// If what is written is not valid.
pub fn round_trip<'c>(
    compiler: &'c Compiler,
    program: &mut Program<'c>,
    form: Form,
) -> Result<(), Diagnostics> {
    let op = program.module.as_operation();
    let written = match form {
        Form::Text => op.to_string().into_bytes(),
        Form::Bytecode => bridge::bytecode(op),
    };
    let source = Rc::new(Source::new(program.source.name(), written));
    let (module, _) = compiler.captured(&source, || {
        bridge::parse(compiler.context(), &source, Verification::WhenParsed)
    })?;
    program.module = module;
    Ok(())
}

/// A program in text that is StableHLO in generic form, if it is a portable artifact, or text with ops in
/// StableHLO's own syntax; any other as it is. MLIR trusts bytecode: it is checked here.
///
/// # Errors
/// If it is damaged bytecode, or has an op of StableHLO that cannot be read.
pub fn stablehlo_of(source: Source) -> Result<Source, LoadError> {
    if !source.bytes().starts_with(comb_bytecode::MAGIC) {
        return in_generic_form(source);
    }
    let name = || source.name().to_owned();
    let invalid = |error| LoadError::Bytecode {
        name: name(),
        error,
    };
    let (file, program) = comb_bytecode::check(source.bytes()).map_err(invalid)?;
    if comb_bytecode::stablehlo::is_artifact(&file) {
        let text = comb_bytecode::stablehlo::text(&file, &program).map_err(invalid)?;
        return Ok(Source::new(source.name(), text));
    }
    match file.dialects.contains(&"stablehlo") {
        true => Err(LoadError::NotPortable { name: name() }),
        false => Ok(source),
    }
}

fn in_generic_form(source: Source) -> Result<Source, LoadError> {
    let Ok(text) = std::str::from_utf8(source.bytes()) else {
        return Ok(source);
    };
    match comb_stablehlo_text::generic_form(text) {
        Ok(Cow::Borrowed(_)) => Ok(source),
        Ok(Cow::Owned(text)) => Ok(Source::new(source.name(), text.into_bytes())),
        Err(error) => {
            let position = Position::at_byte(error.at, &source);
            let error = Diagnostic::error_at(position, error.to_string());
            Err(LoadError::Invalid(Diagnostics(vec![error])))
        }
    }
}

/// Makes spaces of the mark that some editors put in front of UTF-8, which keeps columns.
fn without_mark(source: Source) -> Source {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    match source.bytes().strip_prefix(MARK) {
        Some(rest) => Source::new(source.name(), [b"   ", rest].concat()),
        None => source,
    }
}

fn check_text(source: &Source) -> Result<(), LoadError> {
    let bytes = source.bytes();
    let Err(error) = std::str::from_utf8(bytes) else {
        return Ok(());
    };
    Err(LoadError::NotText {
        name: source.name().to_owned(),
        line: Position::at_byte(error.valid_up_to(), source).line,
    })
}
