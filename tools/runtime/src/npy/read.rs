//! Reads one `.npy` file into an [`Array`] of an expected type.
//!
//! The header is checked against the expected type, and its promised size
//! against the file's, before any memory is taken for the data. The data of a
//! regular file then goes straight into the array. A pipe has no size to
//! compare with; its data is read piecewise, so a header that promises too
//! much costs no more memory than the pipe delivers.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use npyz::{Endianness, TypeChar, TypeStr};

use super::error::NpyError;
use super::header::{self, Header, HeaderError};
use crate::files;
use crate::sign::{Input, Sign};
use crate::signature::{ParameterPlace, ValueType};
use crate::{Array, ElementType, Value};

/// How much of a pipe is read at once.
const PIECE: u64 = 1 << 20;

/// The type a file must have, and the words in which messages say so.
#[derive(Clone, Debug)]
pub struct Expected {
    element: ElementType,
    shape: Vec<Option<usize>>,
    sign: Option<Sign>,
    clause: String,
}

impl Expected {
    /// What the parameter at `place` needs; rank 0 for a scalar.
    pub fn parameter(place: ParameterPlace<'_>) -> Expected {
        let sign = place.parameter.sign;
        Expected::new(&place.parameter.ty, sign, place.to_string())
    }

    /// A type that the caller needs.
    pub fn of_type(ty: &ValueType) -> Expected {
        Expected::new(ty, None, format!("the expected type is {ty}"))
    }

    fn new(ty: &ValueType, sign: Option<Sign>, clause: String) -> Expected {
        let shape = match ty {
            ValueType::Scalar(_) => Vec::new(),
            ValueType::Array { shape, .. } => shape.clone(),
        };
        Expected {
            element: ty.element(),
            shape,
            sign,
            clause,
        }
    }
}

/// Reads the array in the file at `path`.
pub fn read(path: &Path, expected: &Expected) -> Result<Array, NpyError> {
    Ok(read_file(path, expected)?.0)
}

/// Reads the value for a parameter: an array, or a scalar from a file of rank 0.
pub fn read_value(path: &Path, place: ParameterPlace<'_>) -> Result<Input, NpyError> {
    Ok(input(read_file(path, &Expected::parameter(place))?, place))
}

/// Reads the value for a parameter from standard input, to its end.
pub fn read_standard_input(place: ParameterPlace<'_>) -> Result<Input, NpyError> {
    read_member(io::stdin().lock(), Path::new("-"), place)
}

/// Reads the value for a parameter from a stream that messages call by a name.
pub(super) fn read_member(
    mut stream: impl Read,
    name: &Path,
    place: ParameterPlace<'_>,
) -> Result<Input, NpyError> {
    let expected = Expected::parameter(place);
    let reading = Reading::begin(&mut stream, name, &expected)?;
    let array = reading.read_stream(&mut stream)?;
    Ok(input((array, reading.sign()), place))
}

fn input((array, sign): (Array, Option<Sign>), place: ParameterPlace<'_>) -> Input {
    let value = match (&place.parameter.ty, array.get(0)) {
        (ValueType::Scalar(element), Some(scalar)) => Value::Scalar(*element, scalar),
        _ => Value::Array(array),
    };
    Input { value, sign }
}

fn read_file(path: &Path, expected: &Expected) -> Result<(Array, Option<Sign>), NpyError> {
    let unreadable = |source| NpyError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let mut file = files::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(unreadable(io::Error::from_raw_os_error(libc::EISDIR)));
    }
    let reading = Reading::begin(&mut file, path, expected)?;
    let array = if metadata.is_file() {
        reading.read_regular(&mut file, metadata.len())?
    } else {
        reading.read_stream(&mut file)?
    };
    Ok((array, reading.sign()))
}

/// Any byte but 0 is true to NumPy; compiled code relies on 0 and 1.
fn normalised(mut array: Array) -> Array {
    if array.element() == ElementType::I1 {
        for byte in array.bytes_mut() {
            *byte = u8::from(*byte != 0);
        }
    }
    array
}

struct Reading<'a> {
    path: &'a Path,
    expected: &'a Expected,
    header: Header,
}

impl<'a> Reading<'a> {
    /// Reads the header, which must be that of the expected type.
    fn begin(
        reader: &mut impl Read,
        path: &'a Path,
        expected: &'a Expected,
    ) -> Result<Self, NpyError> {
        let header = header::read(reader).map_err(|error| match error {
            HeaderError::Io(source) => NpyError::Unreadable {
                path: path.to_owned(),
                source,
            },
            HeaderError::NotNpy(found) => NpyError::NotNpy {
                path: path.to_owned(),
                found,
            },
            HeaderError::Bad(problem) => NpyError::BadHeader {
                path: path.to_owned(),
                problem,
            },
        })?;
        let reading = Reading {
            path,
            expected,
            header,
        };
        reading.check_type()?;
        Ok(reading)
    }

    /// How the file's integers are read.
    fn sign(&self) -> Option<Sign> {
        header::plain(&self.header.dtype).and_then(header::sign)
    }

    fn check_type(&self) -> Result<(), NpyError> {
        self.check_element()?;
        self.check_shape()?;
        if self.header.fortran_order && !self.is_one_line() {
            return Err(NpyError::FortranOrder {
                path: self.path.to_owned(),
                expected: self.expected.clause.clone(),
            });
        }
        Ok(())
    }

    fn check_element(&self) -> Result<(), NpyError> {
        let found = header::numpy_name(&self.header.dtype);
        let element = self.expected.element;
        match header::plain(&self.header.dtype) {
            Some(plain) if !holds(plain, element) || !self.fits_sign() => {
                Err(NpyError::ElementType {
                    path: self.path.to_owned(),
                    found,
                    expected: self.expected.clause.clone(),
                    advice: advice(plain, element, self.expected.sign),
                })
            }
            Some(plain) if plain.endianness() == Endianness::Big && element.byte_size() > 1 => {
                Err(NpyError::BigEndian {
                    path: self.path.to_owned(),
                    found,
                    expected: self.expected.clause.clone(),
                })
            }
            Some(_) => Ok(()),
            None => Err(NpyError::ElementType {
                path: self.path.to_owned(),
                found,
                expected: self.expected.clause.clone(),
                advice: "save each field as a file of its own".to_owned(),
            }),
        }
    }

    fn fits_sign(&self) -> bool {
        match (self.sign(), self.expected.sign) {
            (Some(found), Some(expected)) => found == expected,
            _ => true,
        }
    }

    fn check_shape(&self) -> Result<(), NpyError> {
        let found = &self.header.shape;
        let wanted = &self.expected.shape;
        if found.len() != wanted.len() {
            return Err(NpyError::Rank {
                path: self.path.to_owned(),
                found: found.len(),
                shape: self.shape_text(),
                expected: self.expected.clause.clone(),
                rank: wanted.len(),
            });
        }
        for (dimension, (&found, wanted)) in found.iter().zip(wanted).enumerate() {
            if let Some(size) = *wanted
                && found != size as u64
            {
                return Err(NpyError::Size {
                    path: self.path.to_owned(),
                    dimension,
                    found,
                    shape: self.shape_text(),
                    expected: self.expected.clause.clone(),
                    size,
                });
            }
        }
        Ok(())
    }

    /// Whether row-major and column-major order are the same.
    fn is_one_line(&self) -> bool {
        let shape = &self.header.shape;
        shape.contains(&0) || shape.iter().filter(|&&size| size != 1).count() <= 1
    }

    fn read_regular(&self, file: &mut File, file_size: u64) -> Result<Array, NpyError> {
        let found = file_size.saturating_sub(self.header.data_offset);
        let expected = self.data_size().ok_or_else(|| self.truncated(found))?;
        if found < expected {
            return Err(self.truncated(found));
        }
        if found > expected {
            return Err(self.trailing(expected, found));
        }
        let mut array = self.allocate()?;
        file.read_exact(array.bytes_mut())
            .map_err(|source| self.unreadable(source))?;
        Ok(normalised(array))
    }

    fn read_stream(&self, stream: &mut impl Read) -> Result<Array, NpyError> {
        let expected = self.data_size().unwrap_or(u64::MAX);
        let mut data = Vec::new();
        loop {
            let missing = expected.saturating_add(1) - data.len() as u64;
            let piece = missing.min(PIECE);
            if data.try_reserve(piece as usize).is_err() {
                return Err(self.unreadable(io::ErrorKind::OutOfMemory.into()));
            }
            let count = stream
                .take(piece)
                .read_to_end(&mut data)
                .map_err(|source| self.unreadable(source))?;
            if count == 0 || data.len() as u64 > expected {
                break;
            }
        }
        let found = data.len() as u64;
        if found < expected {
            return Err(self.truncated(found));
        }
        if found > expected {
            return Err(self.trailing(expected, found));
        }
        let mut array = self.allocate()?;
        array.bytes_mut().copy_from_slice(&data);
        Ok(normalised(array))
    }

    /// The bytes of data that the header promises, if they can be counted.
    fn data_size(&self) -> Option<u64> {
        if self.header.shape.contains(&0) {
            return Some(0);
        }
        let size = self.expected.element.byte_size() as u64;
        self.header
            .shape
            .iter()
            .try_fold(size, |product, &size| product.checked_mul(size))
    }

    fn allocate(&self) -> Result<Array, NpyError> {
        let shape: Vec<usize> = self
            .header
            .shape
            .iter()
            .map(|&size| size as usize)
            .collect();
        Array::zeroed(self.expected.element, &shape).map_err(|source| NpyError::Memory {
            path: self.path.to_owned(),
            expected: self.expected.clause.clone(),
            source,
        })
    }

    fn shape_text(&self) -> String {
        python_tuple(&self.header.shape)
    }

    fn unreadable(&self, source: io::Error) -> NpyError {
        NpyError::Unreadable {
            path: self.path.to_owned(),
            source,
        }
    }

    fn truncated(&self, found: u64) -> NpyError {
        let expected = self
            .data_size()
            .map_or_else(|| "more than 2^64".to_owned(), |size| size.to_string());
        NpyError::Truncated {
            path: self.path.to_owned(),
            shape: self.shape_text(),
            element: header::numpy_name(&self.header.dtype),
            expected,
            found,
        }
    }

    fn trailing(&self, expected: u64, found: u64) -> NpyError {
        NpyError::TrailingData {
            path: self.path.to_owned(),
            shape: self.shape_text(),
            element: header::numpy_name(&self.header.dtype),
            expected,
            found,
        }
    }
}

fn python_tuple(shape: &[u64]) -> String {
    match shape {
        [size] => format!("({size},)"),
        _ => {
            let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
            format!("({})", sizes.join(", "))
        }
    }
}

/// Whether a file of this type can be read as `element`, byte order aside.
fn holds(plain: &TypeStr, element: ElementType) -> bool {
    if plain.size_field() != element.byte_size() as u64 {
        return false;
    }
    let is_integer = matches!(plain.type_char(), TypeChar::Int | TypeChar::Uint);
    match element {
        ElementType::I1 => plain.type_char() == TypeChar::Bool,
        ElementType::BF16 => is_integer || plain.type_char() == TypeChar::RawData,
        element if element.is_float() => plain.type_char() == TypeChar::Float,
        _ => is_integer,
    }
}

fn advice(plain: &TypeStr, element: ElementType, sign: Option<Sign>) -> String {
    match plain.type_char() {
        TypeChar::ByteStr | TypeChar::UnicodeStr | TypeChar::Object | TypeChar::RawData => {
            "save an array of numbers".to_owned()
        }
        TypeChar::Complex => "save x.real and x.imag as two files".to_owned(),
        _ => format!(
            "convert with x.astype({}) before numpy.save",
            numpy_type(element, sign)
        ),
    }
}

/// The Python expression for the NumPy type that is read as `element`.
fn numpy_type(element: ElementType, sign: Option<Sign>) -> &'static str {
    match element {
        ElementType::I8 if sign == Some(Sign::Unsigned) => "'uint8'",
        ElementType::I16 if sign == Some(Sign::Unsigned) => "'uint16'",
        ElementType::I32 if sign == Some(Sign::Unsigned) => "'uint32'",
        ElementType::I64 if sign == Some(Sign::Unsigned) => "'uint64'",
        ElementType::I1 => "'bool'",
        ElementType::I8 => "'int8'",
        ElementType::I16 => "'int16'",
        ElementType::I32 => "'int32'",
        ElementType::I64 | ElementType::Index => "'int64'",
        ElementType::F16 => "'float16'",
        ElementType::BF16 => "ml_dtypes.bfloat16",
        ElementType::F32 => "'float32'",
        ElementType::F64 => "'float64'",
    }
}
