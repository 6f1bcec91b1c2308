//! `comb import`: prints a front end's program as combinators.

use std::path::Path;

use comb_driver::{
    Compiler, aot,
    load::{self, Program},
    print::{self, Places},
};
use comb_runtime::files::Files;

use crate::{
    failure::Failure,
    options::{ImportForm, ImportOptions},
};

/// Why nothing is printed.
#[derive(Debug, thiserror::Error)]
pub enum ImportFailure {
    #[error("'{file}' is no portable artifact, whose StableHLO could be printed")]
    NoArtifact { file: String },
}

/// Runs the command.
pub fn import(options: &ImportOptions) -> Result<(), Failure> {
    let output = options.output.as_deref();
    let output = output.filter(|&path| path != Path::new("-"));
    if let Some(path) = output {
        let mut files = Files::default();
        files.reads(&options.file);
        files.writes(path)?;
    }
    let text = match options.to {
        ImportForm::Soac => combinators(options)?,
        ImportForm::Stablehlo => stablehlo(options)?,
    };
    match output {
        Some(path) => Ok(aot::write_text(path, text.as_bytes())?),
        None => crate::print(&text),
    }
}

fn combinators(options: &ImportOptions) -> Result<String, Failure> {
    let places = match options.no_places {
        true => Places::Hidden,
        false => Places::Shown,
    };
    let compiler = Compiler::new();
    let Program {
        module, warnings, ..
    } = load::load(&compiler, &options.file)?;
    eprint!("{warnings}");
    Ok(print::text(&module, places)?)
}

fn stablehlo(options: &ImportOptions) -> Result<String, Failure> {
    let source = load::stablehlo_of(load::source(&options.file)?)?;
    let text = String::from_utf8(source.bytes().to_vec());
    let text = text.map_err(|_| ImportFailure::NoArtifact {
        file: source.name().to_owned(),
    });
    Ok(text?)
}
