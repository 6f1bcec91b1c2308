//! Attributes and types, decoded one level deep: what they are made of is given by numbers.

use crate::{
    builtin,
    cursor::Cursor,
    error::{Error, Fault},
    file::{AttributeId, Entry, File, TypeId},
    vhlo,
};

/// The size of a dimension that is not known.
pub const DYNAMIC: i64 = i64::MIN;

/// What an attribute or a type consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// An attribute.
    Attribute(AttributeId),
    /// A type.
    Type(TypeId),
}

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attribute<'b> {
    /// In assembly format.
    Text(&'b str),
    /// `[a, b]`.
    Array(Vec<AttributeId>),
    /// `{a = b}`; keys are strings.
    Dictionary(Vec<(AttributeId, AttributeId)>),
    /// `"a"`.
    String(&'b [u8]),
    /// `@a::@b`; names are strings, inner ones symbols.
    Symbol(AttributeId, Vec<AttributeId>),
    /// A type.
    Type(TypeId),
    /// `unit`.
    Unit,
    /// `true` or `false`.
    Bool(bool),
    /// An integer or a float, by its bits.
    Number {
        /// The bits, as many as the type has.
        bits: u64,
        /// A type of integers or floats, or `index`.
        r#type: TypeId,
    },
    /// `dense<…>`.
    Elements {
        /// A tensor.
        r#type: TypeId,
        /// All elements in order, or one that all are equal to.
        bytes: &'b [u8],
    },
    /// `array<…>`.
    List {
        /// The elements' type.
        element: TypeId,
        /// The elements in order.
        bytes: &'b [u8],
    },
    /// `dense_resource<…>`.
    Resource {
        /// A tensor.
        r#type: TypeId,
        /// What the file calls it.
        key: &'b str,
        /// The elements in order, if the file has them.
        bytes: Option<&'b [u8]>,
    },
    /// A case of an enumeration of StableHLO, such as `#stablehlo<comparison_direction GT>`.
    Case {
        /// The enumeration.
        kind: &'static str,
        /// The case.
        case: &'static str,
    },
    /// Upper bounds of dynamic sizes: `#stablehlo.bounds<4, ?>`.
    Bounds(Vec<i64>),
    /// A result of a `custom_call` that is an operand, or a part of one.
    OperandAlias {
        /// The place in the tuple of results.
        output: Vec<i64>,
        /// The operand.
        operand: i64,
        /// The place in the operand's tuple.
        part: Vec<i64>,
    },
    /// A place in the source.
    Location(Location),
    /// One that no op in reach reads.
    Other(&'static str, Vec<Part>),
    /// One of a dialect that is not known.
    Unread(&'b str),
}

/// A place in the source. Names are strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// Not known.
    Unknown,
    /// A place in a file.
    File {
        /// The file's name.
        name: AttributeId,
        /// Counted from 1.
        line: u64,
        /// Counted from 1.
        column: u64,
    },
    /// Something with a name, at a place.
    Name(AttributeId, AttributeId),
    /// Something that is called from a place.
    CallSite {
        /// What is called.
        callee: AttributeId,
        /// Where.
        caller: AttributeId,
    },
    /// Several places in one, and what else is said of it.
    Fused(Vec<AttributeId>, Option<AttributeId>),
}

/// Whether integers have a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Ops decide: `i32`.
    Signless,
    /// `si32`.
    Signed,
    /// `ui32`.
    Unsigned,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type<'b> {
    /// In assembly format.
    Text(&'b str),
    /// Integers of a width in bits.
    Integer(u64, Sign),
    /// Floats, by their name and width in bits.
    Float(&'static str, u64),
    /// `index`.
    Index,
    /// `none`.
    None,
    /// Pairs of floats.
    Complex(TypeId),
    /// An array.
    Tensor {
        /// The sizes; [`DYNAMIC`] if not known.
        shape: Vec<i64>,
        /// The elements' type.
        element: TypeId,
        /// What else is said of it.
        encoding: Option<AttributeId>,
    },
    /// An array of unknown rank.
    UnrankedTensor(TypeId),
    /// Several values in one.
    Tuple(Vec<TypeId>),
    /// A function.
    Function(Vec<TypeId>, Vec<TypeId>),
    /// One that comb does not compute with, such as quantized numbers.
    Other(&'static str, Vec<Part>),
    /// One of a dialect that is not known.
    Unread(&'b str),
}

/// Decodes an attribute.
///
/// # Errors
/// If it is damaged.
pub fn attribute<'b>(file: &File<'b>, id: AttributeId) -> Result<Attribute<'b>, Error> {
    let entry = file.attribute(id);
    decode(entry, Attribute::Text, |cursor| match entry.dialect {
        "builtin" => builtin::attribute(file, cursor),
        "vhlo" => vhlo::attribute(file, cursor),
        dialect => unread(cursor, Attribute::Unread(dialect)),
    })
}

/// Decodes a type.
///
/// # Errors
/// If it is damaged.
pub fn r#type<'b>(file: &File<'b>, id: TypeId) -> Result<Type<'b>, Error> {
    let entry = file.r#type(id);
    decode(entry, Type::Text, |cursor| match entry.dialect {
        "builtin" => builtin::r#type(file, cursor),
        "vhlo" => vhlo::r#type(file, cursor),
        dialect => unread(cursor, Type::Unread(dialect)),
    })
}

/// What is encoded by a dialect that is not known.
fn unread<T>(cursor: &mut Cursor, value: T) -> Result<T, Error> {
    cursor.bytes(cursor.left() as u64)?;
    Ok(value)
}

fn decode<'b, T>(
    entry: Entry<'b>,
    text: impl Fn(&'b str) -> T,
    encoded: impl Fn(&mut Cursor<'b>) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut cursor = entry.data;
    let value = match entry.encoded {
        true => encoded(&mut cursor)?,
        false => {
            let bytes = cursor.terminated()?;
            let valid = str::from_utf8(bytes);
            text(valid.map_err(|_| cursor.damaged("an attribute or type is not UTF-8"))?)
        }
    };
    match cursor.is_empty() {
        true => Ok(value),
        false => Err(cursor.damaged("bytes are left after an attribute or type")),
    }
}

/// The bits of a number of a type: up to 8 in a byte, more as a signed number.
pub(crate) fn bits(file: &File, cursor: &mut Cursor, id: TypeId) -> Result<u64, Error> {
    let width = width(file, id)?;
    let width = width.ok_or_else(|| cursor.damaged("a number is of no type of numbers"))?;
    match width {
        0..=8 => Ok(cursor.byte()?.into()),
        9..=64 => Ok(cursor.signed()? as u64 & (u64::MAX >> (64 - width))),
        _ => {
            let what = format!("numbers of {width} bits are not supported");
            Err(Fault::Unsupported(what).at(cursor.at()))
        }
    }
}

/// How many bits a type of numbers has.
pub(crate) fn width(file: &File, id: TypeId) -> Result<Option<u64>, Error> {
    Ok(match r#type(file, id)? {
        Type::Integer(width, _) | Type::Float(_, width) => Some(width),
        Type::Index => Some(64),
        _ => None,
    })
}
