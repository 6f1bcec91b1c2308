//! Which SPEC belongs to which parameter, and which path to which result:
//! `-i NAME=SPEC` and `-o NAME=PATH` held against a signature.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::sign::Input;
use crate::signature::{Parameter, Signature};
use crate::spec::{InputError, InputSpec, SpecError};

/// Why the options do not fit the signature. All are the caller's fault.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// There is no `=` in the option's value.
    #[error(
        "'{option} {text}' has no '='; write {option} NAME={kind}, where NAME is one of: {names}"
    )]
    NoName {
        /// `-i` or `-o`.
        option: &'static str,
        /// The option's value.
        text: String,
        /// `SPEC` or `PATH`.
        kind: &'static str,
        /// The names of the signature's parameters or results.
        names: String,
    },
    /// No parameter or result has the name.
    #[error("@{function} has no {what} '{name}'; its {what}s are: {names}")]
    UnknownName {
        /// The function.
        function: String,
        /// `parameter` or `result`.
        what: &'static str,
        /// The name given.
        name: String,
        /// The names there are.
        names: String,
    },
    /// A name was given twice.
    #[error("{what} '{name}' of @{function} is given twice; its {what}s are: {names}")]
    GivenTwice {
        /// The function.
        function: String,
        /// `parameter` or `result`.
        what: &'static str,
        /// The name.
        name: String,
        /// The names there are.
        names: String,
    },
    /// Parameters were given no value.
    #[error("no value for {missing} of @{}; give each parameter with -i NAME=SPEC\n  {signature}", signature.name)]
    Missing {
        /// The parameters without a value.
        missing: String,
        /// The function's signature.
        signature: Signature,
    },
    /// A path was given as empty.
    #[error("no path is given for result '{name}' of @{function}; write -o {name}=PATH")]
    EmptyPath {
        /// The function.
        function: String,
        /// The result.
        name: String,
    },
    /// Two results were to go to one file.
    #[error("results '{first}' and '{second}' of @{function} would be written to one file, '{}'", path.display())]
    SamePath {
        /// The function.
        function: String,
        /// A result.
        first: String,
        /// Another result.
        second: String,
        /// The file.
        path: PathBuf,
    },
    /// Two results were to go to standard output.
    #[error("standard output takes one result: '{first}' or '{second}' of @{function}")]
    StandardOutputTwice {
        /// The function.
        function: String,
        /// A result.
        first: String,
        /// Another result.
        second: String,
    },
    /// Standard input is needed twice.
    #[error("standard input can be read once: for '{first}', or for '{second}'")]
    StandardInputTwice {
        /// What reads it.
        first: String,
        /// What reads it, too.
        second: String,
    },
    /// A SPEC cannot be read.
    #[error("parameter '{name}' of @{function}: {source}")]
    Spec {
        /// The function.
        function: String,
        /// The parameter.
        name: String,
        /// What is wrong with the SPEC.
        source: SpecError,
    },
    /// A SPEC does not fit its parameter.
    #[error(transparent)]
    Input(#[from] InputError),
}

/// Where `-` goes.
pub const STANDARD_OUTPUT: &str = "/dev/stdout";

/// The SPEC for each parameter, in their order, from options `NAME=SPEC`.
/// Reads no file, but checks everything that can be checked without.
pub fn inputs(signature: &Signature, options: &[OsString]) -> Result<Vec<InputSpec>, BindError> {
    let texts = Side {
        signature,
        option: "-i",
        kind: "SPEC",
        what: "parameter",
        named: &signature.parameters,
    }
    .assign(options)?;
    check_nothing_missing(signature, &texts)?;
    let mut specs = Vec::with_capacity(texts.len());
    for (position, text) in texts.into_iter().flatten().enumerate() {
        let place = signature.place(position);
        let spec = InputSpec::parse(text).map_err(|source| BindError::Spec {
            function: signature.name.clone(),
            name: place.parameter.name.clone(),
            source,
        })?;
        spec.check(place)?;
        specs.push(spec);
    }
    check_standard_input(signature, &specs, None)?;
    Ok(specs)
}

/// Whether standard input is read once at most; `other` is what reads it besides.
pub fn check_standard_input(
    signature: &Signature,
    specs: &[InputSpec],
    other: Option<&str>,
) -> Result<(), BindError> {
    let parameters = signature.parameters.iter().zip(specs);
    let mut readers = other.into_iter().chain(
        parameters
            .filter(|(_, spec)| **spec == InputSpec::StandardInput)
            .map(|(parameter, _)| parameter.name.as_str()),
    );
    match (readers.next(), readers.next()) {
        (Some(first), Some(second)) => Err(BindError::StandardInputTwice {
            first: first.to_owned(),
            second: second.to_owned(),
        }),
        _ => Ok(()),
    }
}

/// The files that the SPECs name.
pub fn files(specs: &[InputSpec]) -> impl Iterator<Item = &PathBuf> {
    specs.iter().filter_map(|spec| match spec {
        InputSpec::File(path) | InputSpec::Member { archive: path, .. } => Some(path),
        InputSpec::StandardInput | InputSpec::Literal(_) | InputSpec::Generated { .. } => None,
    })
}

/// The values that the SPECs stand for, in the order of the parameters.
pub fn load(signature: &Signature, specs: &[InputSpec]) -> Result<Vec<Input>, InputError> {
    specs
        .iter()
        .enumerate()
        .map(|(position, spec)| spec.load(signature.place(position)))
        .collect()
}

/// The path for each result that has one, in their order, from options
/// `NAME=PATH`. `-` is standard output, which takes one result.
pub fn outputs(
    signature: &Signature,
    options: &[OsString],
) -> Result<Vec<Option<PathBuf>>, BindError> {
    let texts = Side {
        signature,
        option: "-o",
        kind: "PATH",
        what: "result",
        named: &signature.results,
    }
    .assign(options)?;
    let mut paths: Vec<Option<PathBuf>> = Vec::with_capacity(texts.len());
    for (result, text) in signature.results.iter().zip(texts) {
        if text.is_some_and(OsStr::is_empty) {
            return Err(BindError::EmptyPath {
                function: signature.name.clone(),
                name: result.name.clone(),
            });
        }
        let path = text.map(|text| match text == OsStr::new("-") {
            true => PathBuf::from(STANDARD_OUTPUT),
            false => PathBuf::from(text),
        });
        if let Some(path) = &path
            && let Some(first) = paths.iter().position(|other| other.as_ref() == Some(path))
        {
            let function = signature.name.clone();
            let first = signature.results[first].name.clone();
            let second = result.name.clone();
            if path == Path::new(STANDARD_OUTPUT) {
                return Err(BindError::StandardOutputTwice {
                    function,
                    first,
                    second,
                });
            }
            if !path.starts_with("/dev") {
                return Err(BindError::SamePath {
                    function,
                    first,
                    second,
                    path: path.clone(),
                });
            }
        }
        paths.push(path);
    }
    Ok(paths)
}

/// The parameters or the results of a signature, and what options call them.
struct Side<'a> {
    signature: &'a Signature,
    option: &'static str,
    kind: &'static str,
    what: &'static str,
    named: &'a [Parameter],
}

impl<'a> Side<'a> {
    fn assign(&self, options: &'a [OsString]) -> Result<Vec<Option<&'a OsStr>>, BindError> {
        let mut texts = vec![None; self.named.len()];
        for option in options {
            let (name, text) = split(option).ok_or_else(|| BindError::NoName {
                option: self.option,
                text: option.to_string_lossy().into_owned(),
                kind: self.kind,
                names: self.names(),
            })?;
            let position = self
                .named
                .iter()
                .position(|parameter| OsStr::new(&parameter.name) == name)
                .ok_or_else(|| BindError::UnknownName {
                    function: self.signature.name.clone(),
                    what: self.what,
                    name: name.to_string_lossy().into_owned(),
                    names: self.names(),
                })?;
            if texts[position].replace(text).is_some() {
                return Err(BindError::GivenTwice {
                    function: self.signature.name.clone(),
                    what: self.what,
                    name: name.to_string_lossy().into_owned(),
                    names: self.names(),
                });
            }
        }
        Ok(texts)
    }

    fn names(&self) -> String {
        if self.named.is_empty() {
            return "(none)".to_owned();
        }
        let names: Vec<String> = self.named.iter().map(Parameter::to_string).collect();
        names.join(", ")
    }
}

/// What stands in front of the first `=`, and behind it.
fn split(option: &OsStr) -> Option<(&OsStr, &OsStr)> {
    let bytes = option.as_bytes();
    let position = bytes.iter().position(|&byte| byte == b'=')?;
    let part = OsStr::from_bytes;
    Some((part(&bytes[..position]), part(&bytes[position + 1..])))
}

fn check_nothing_missing(signature: &Signature, texts: &[Option<&OsStr>]) -> Result<(), BindError> {
    let missing: Vec<String> = signature
        .parameters
        .iter()
        .zip(texts)
        .filter(|(_, text)| text.is_none())
        .map(|(parameter, _)| format!("'{}'", parameter.name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let noun = if missing.len() == 1 {
        "parameter"
    } else {
        "parameters"
    };
    Err(BindError::Missing {
        missing: format!("{noun} {}", missing.join(", ")),
        signature: signature.clone(),
    })
}
