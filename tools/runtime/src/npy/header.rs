//! The header of a `.npy` file: magic, version, and a Python dictionary with
//! the element type, the order and the shape.
//!
//! `npyz` parses the dictionary with a backtracking, recursive grammar for all
//! Python literals, and multiplies sizes unchecked. So before it sees a header
//! from an unknown source, [`check_text`] bounds length and nesting, refuses
//! arithmetic in the literal, and checks that the product of all sizes fits.

use std::io::{self, Read};

use npyz::{DType, NpyHeader, Order, TypeChar, TypeStr};

use super::reason;
use crate::Sign;

/// NumPy's own limit. Headers of plain arrays take 128 bytes; structured types
/// take more.
const MAXIMUM_LENGTH: usize = 10_000;

/// A structured type inside a structured type needs 6. Each level may double
/// the time of parsing.
const MAXIMUM_NESTING: u32 = 8;

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// What a header says.
pub(super) struct Header {
    pub(super) dtype: DType,
    pub(super) shape: Vec<u64>,
    pub(super) fortran_order: bool,
    /// Where the data begins in the file.
    pub(super) data_offset: u64,
}

/// Why there is no header.
#[derive(Debug)]
pub(super) enum HeaderError {
    NotNpy(&'static str),
    Bad(String),
    Io(io::Error),
}

/// Reads the header and leaves the reader at the first byte of the data.
pub(super) fn read(reader: &mut impl Read) -> Result<Header, HeaderError> {
    let start = read_up_to(reader, 8)?;
    check_magic(&start)?;
    let length_size = match (start[6], start[7]) {
        (1, 0) => 2,
        (2 | 3, 0) => 4,
        (major, minor) => {
            return Err(HeaderError::Bad(format!(
                "version {major}.{minor} of the format is unknown"
            )));
        }
    };
    let length_bytes = read_up_to(reader, length_size)?;
    if length_bytes.len() < length_size {
        return Err(cut_short());
    }
    let length = length_bytes
        .iter()
        .rev()
        .fold(0, |length, &byte| length << 8 | usize::from(byte));
    if length > MAXIMUM_LENGTH {
        return Err(HeaderError::Bad(format!(
            "it is {length} bytes long, and {MAXIMUM_LENGTH} are allowed"
        )));
    }
    let text = read_up_to(reader, length)?;
    if text.len() < length {
        return Err(cut_short());
    }
    check_text(&text).map_err(HeaderError::Bad)?;
    let bytes = [start, length_bytes, text].concat();
    let header = NpyHeader::from_reader(&bytes[..])
        .map_err(|error| HeaderError::Bad(first_line(&reason(&error))))?;
    Ok(Header {
        dtype: header.dtype(),
        shape: header.shape().to_vec(),
        fortran_order: header.order() == Order::Fortran,
        data_offset: bytes.len() as u64,
    })
}

fn cut_short() -> HeaderError {
    HeaderError::Bad("the file ends inside it".to_owned())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn read_up_to(reader: &mut impl Read, length: usize) -> Result<Vec<u8>, HeaderError> {
    let mut bytes = Vec::new();
    reader
        .take(length as u64)
        .read_to_end(&mut bytes)
        .map_err(HeaderError::Io)?;
    Ok(bytes)
}

fn check_magic(start: &[u8]) -> Result<(), HeaderError> {
    if start.len() == 8 && start.starts_with(MAGIC) {
        return Ok(());
    }
    Err(HeaderError::NotNpy(if start.is_empty() {
        "it is empty"
    } else if start.starts_with(b"PK\x03\x04") {
        "it is a zip archive; if it is one of numpy.savez, let its name end in .npz"
    } else if MAGIC.starts_with(start) || start.starts_with(MAGIC) {
        "it ends after the first bytes"
    } else {
        "it does not begin with '\\x93NUMPY'; write the array with numpy.save"
    }))
}

/// Checks that the dictionary is safe to parse. It holds brackets, strings,
/// `True`, `False` and non-negative integers, and nothing else.
fn check_text(text: &[u8]) -> Result<(), String> {
    let mut nesting = 0_u32;
    let mut quote = None;
    let mut product = 1_u64;
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => return Err("it has an escape sequence in a string".to_owned()),
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => {
                nesting += 1;
                if byte == b'{' && nesting > 1 {
                    return Err("it has a dictionary inside another value".to_owned());
                }
                if nesting > MAXIMUM_NESTING {
                    return Err("its brackets are nested too deeply".to_owned());
                }
            }
            (None, b')' | b']' | b'}') => nesting = nesting.saturating_sub(1),
            (None, b'0'..=b'9') => {
                let mut number = Some(u64::from(byte - b'0'));
                while let Some(digit @ b'0'..=b'9') = bytes.peek().copied() {
                    bytes.next();
                    number = number
                        .and_then(|number| number.checked_mul(10))
                        .and_then(|number| number.checked_add(u64::from(digit - b'0')));
                }
                product = number
                    .and_then(|number| product.checked_mul(number.max(1)))
                    .ok_or("its sizes are too large to multiply")?;
            }
            (None, b'-') => return Err("it has a negative size".to_owned()),
            (None, b' ' | b',' | b':' | b'\n') => {}
            (None, byte) if byte.is_ascii_alphabetic() => {}
            (None, byte) => {
                return Err(format!("it has an unexpected '{}'", byte.escape_ascii()));
            }
        }
    }
    Ok(())
}

/// What NumPy calls the type.
pub(super) fn numpy_name(dtype: &DType) -> String {
    let DType::Plain(plain) = dtype else {
        return "structured records".to_owned();
    };
    let size = plain.size_field();
    let bits = u128::from(size) * 8;
    match plain.type_char() {
        TypeChar::Bool => "bool".to_owned(),
        TypeChar::Int => format!("int{bits}"),
        TypeChar::Uint => format!("uint{bits}"),
        TypeChar::Float => format!("float{bits}"),
        TypeChar::Complex => format!("complex{bits}"),
        TypeChar::TimeDelta => "timedelta64".to_owned(),
        TypeChar::DateTime => "datetime64".to_owned(),
        TypeChar::ByteStr => format!("byte strings of length {size}"),
        TypeChar::UnicodeStr => format!("strings of length {size}"),
        TypeChar::Object => "Python objects".to_owned(),
        _ if size == 2 => "raw 2-byte data (such as bfloat16)".to_owned(),
        _ => format!("raw data of {size} bytes each"),
    }
}

/// Whether the type is one of integers, and which.
pub(super) fn sign(plain: &TypeStr) -> Option<Sign> {
    match plain.type_char() {
        TypeChar::Int => Some(Sign::Signed),
        TypeChar::Uint => Some(Sign::Unsigned),
        _ => None,
    }
}

/// The type, if it is not a structured one.
pub(super) fn plain(dtype: &DType) -> Option<&TypeStr> {
    match dtype {
        DType::Plain(plain) => Some(plain),
        _ => None,
    }
}
