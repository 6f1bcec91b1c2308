//! Writes a failing program so that it can be run again.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use comb_runtime::{Scalar, Value, npy};

use crate::{campaign::Defect, program::Program};

/// Why a program could not be saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// A folder or file cannot be written.
    #[error("cannot write '{}': {source}", path.display())]
    Write {
        /// What was to be written.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An input cannot be written.
    #[error(transparent)]
    Input(#[from] npy::WriteError),
}

/// Writes program, inputs and the command that runs it into a folder of its
/// own; gives the folder.
///
/// # Errors
///
/// If something cannot be written.
pub fn save(folder: &Path, program: &Program, defect: &Defect) -> Result<PathBuf, SaveError> {
    let folder = folder.join(program.name());
    fs::create_dir_all(&folder).map_err(|source| SaveError::Write {
        path: folder.clone(),
        source,
    })?;
    let mut command = String::from("comb run program.mlir");
    for parameter in &program.parameters {
        let value = match &parameter.value {
            array @ Value::Array(_) => {
                let file = format!("{}.npy", parameter.name);
                npy::write(&folder.join(&file), array)?;
                file
            }
            Value::Scalar(_, Scalar::Int(value)) => value.to_string(),
            Value::Scalar(_, Scalar::Float(value)) => value.to_string(),
        };
        command += &format!(" -i {}={value}", parameter.name);
    }
    let text = format!(
        "// {}\n// {command}\n{}",
        defect.reason.replace('\n', "\n// "),
        program.text()
    );
    let path = folder.join("program.mlir");
    fs::write(&path, text).map_err(|source| SaveError::Write { path, source })?;
    Ok(folder)
}
