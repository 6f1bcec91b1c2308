//! Writes `.npy` files, each whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use npyz::{DType, WriterBuilder};

use super::reason;
use crate::atomic_file::AtomicFile;
use crate::{ElementType, Scalar, Sign, Value};

/// Why a `.npy` file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write '{}': {}", path.display(), reason(source))]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Writes one value, its integers as signed ones. A scalar becomes an array of rank 0.
///
/// The file appears whole under its name or not at all; an existing file stays
/// as it was on failure.
pub fn write(path: &Path, value: &Value) -> Result<(), WriteError> {
    write_all(&[(path, value, Sign::Signed)])
}

/// Writes several values. None of the files takes its name before all of them
/// are written out.
pub fn write_all(outputs: &[(&Path, &Value, Sign)]) -> Result<(), WriteError> {
    let mut files = Vec::with_capacity(outputs.len());
    for (path, value, sign) in outputs {
        files.push((
            *path,
            write_uncommitted(path, value, *sign).map_err(|source| at(path, source))?,
        ));
    }
    for (path, file) in files {
        file.commit().map_err(|source| at(path, source))?;
    }
    Ok(())
}

/// Fails if a file at `path` can surely not be written, so that a long
/// computation need not end in that error. Changes nothing.
pub fn check_target(path: &Path) -> Result<(), WriteError> {
    AtomicFile::check_target(path).map_err(|source| at(path, source))
}

fn at(path: &Path, source: io::Error) -> WriteError {
    WriteError {
        path: path.to_owned(),
        source,
    }
}

fn write_uncommitted(path: &Path, value: &Value, sign: Sign) -> io::Result<AtomicFile> {
    let mut file = AtomicFile::create(path)?;
    match value {
        Value::Array(array) => {
            file.write_all(&header(array.element(), array.shape(), sign)?)?;
            file.write_all(array.bytes())?;
        }
        Value::Scalar(element, scalar) => {
            file.write_all(&header(*element, &[], sign)?)?;
            file.write_all(&scalar_bytes(*element, *scalar))?;
        }
    }
    Ok(file)
}

fn scalar_bytes(element: ElementType, scalar: Scalar) -> Vec<u8> {
    let mut bytes = vec![0; element.byte_size()];
    scalar.write(element, &mut bytes);
    bytes
}

fn header(element: ElementType, shape: &[usize], sign: Sign) -> io::Result<Vec<u8>> {
    let type_string = type_string(element, sign)
        .parse()
        .map_err(|error| io::Error::other(format!("{error}")))?;
    let shape: Vec<u64> = shape.iter().map(|&size| size as u64).collect();
    let mut bytes = Vec::new();
    npyz::WriteOptions::new_header_only()
        .dtype(DType::Plain(type_string))
        .shape(&shape)
        .writer(&mut bytes)
        .write_header_only()?;
    Ok(bytes)
}

fn type_string(element: ElementType, sign: Sign) -> &'static str {
    match (element, sign) {
        (ElementType::I8, Sign::Unsigned) => "|u1",
        (ElementType::I16, Sign::Unsigned) => "<u2",
        (ElementType::I32, Sign::Unsigned) => "<u4",
        (ElementType::I64, Sign::Unsigned) => "<u8",
        (ElementType::I1, _) => "|b1",
        (ElementType::I8, _) => "|i1",
        (ElementType::I16, _) => "<i2",
        (ElementType::I32, _) => "<i4",
        (ElementType::I64 | ElementType::Index, _) => "<i8",
        (ElementType::F16, _) => "<f2",
        (ElementType::BF16, _) => "<V2",
        (ElementType::F32, _) => "<f4",
        (ElementType::F64, _) => "<f8",
    }
}
