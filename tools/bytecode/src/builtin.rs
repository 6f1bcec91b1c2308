//! How the dialect `builtin` encodes its attributes and types.

use crate::{
    cursor::Cursor,
    error::{Error, Fault},
    file::{AttributeId, File, TypeId},
    model::{self, Attribute, Location, Part, Sign, Type},
};

/// Decodes all attributes and types of `builtin`, and looks at the text of others.
///
/// # Errors
/// Says which is damaged.
pub fn check(file: &File) -> Result<(), Error> {
    let known = |entry: crate::Entry| entry.dialect == "builtin" || !entry.encoded;
    for id in (0..file.attribute_count()).map(AttributeId) {
        if known(file.attribute(id)) {
            tolerant(model::attribute(file, id))?;
        }
    }
    for id in (0..file.type_count()).map(TypeId) {
        if known(file.r#type(id)) {
            tolerant(model::r#type(file, id))?;
        }
    }
    Ok(())
}

/// What is not supported here may be whole.
fn tolerant<T>(decoded: Result<T, Error>) -> Result<(), Error> {
    match decoded {
        Err(error) if !matches!(error.fault, Fault::Unsupported(_)) => Err(error),
        _ => Ok(()),
    }
}

/// Decodes an attribute.
pub(crate) fn attribute<'b>(
    file: &File<'b>,
    cursor: &mut Cursor<'b>,
) -> Result<Attribute<'b>, Error> {
    let id = |cursor: &mut Cursor<'b>| file.attribute_id(cursor);
    Ok(match cursor.number()? {
        0 => Attribute::Array(cursor.list(id)?),
        1 => Attribute::Dictionary(cursor.list(|cursor| Ok((id(cursor)?, id(cursor)?)))?),
        2 => Attribute::String(file.string(cursor)?),
        3 => {
            file.string(cursor)?;
            Attribute::Other("string", vec![Part::Type(file.type_id(cursor)?)])
        }
        4 => Attribute::Symbol(id(cursor)?, vec![]),
        5 => Attribute::Symbol(id(cursor)?, cursor.list(id)?),
        6 => Attribute::Type(file.type_id(cursor)?),
        7 => Attribute::Unit,
        8 | 9 => {
            let r#type = file.type_id(cursor)?;
            let bits = model::bits(file, cursor, r#type)?;
            Attribute::Number { bits, r#type }
        }
        10 => Attribute::Location(Location::CallSite {
            callee: id(cursor)?,
            caller: id(cursor)?,
        }),
        11 => Attribute::Location(Location::File {
            name: id(cursor)?,
            line: cursor.number()?,
            column: cursor.number()?,
        }),
        12 => Attribute::Location(Location::Fused(cursor.list(id)?, None)),
        13 => {
            let places = cursor.list(id)?;
            let said = Some(id(cursor)?);
            Attribute::Location(Location::Fused(places, said))
        }
        14 => Attribute::Location(Location::Name(id(cursor)?, id(cursor)?)),
        15 => Attribute::Location(Location::Unknown),
        16 => {
            let r#type = file.type_id(cursor)?;
            let resource = file.resource(cursor)?;
            Attribute::Resource {
                r#type,
                key: resource.key,
                bytes: resource.bytes,
            }
        }
        17 => {
            let element = file.type_id(cursor)?;
            cursor.number()?;
            let bytes = blob(cursor)?;
            Attribute::List { element, bytes }
        }
        18 => Attribute::Elements {
            r#type: file.type_id(cursor)?,
            bytes: blob(cursor)?,
        },
        19 => {
            let r#type = Part::Type(file.type_id(cursor)?);
            let is_splat = cursor.number()? != 0;
            let string = |cursor: &mut Cursor<'b>| file.string(cursor);
            match is_splat {
                true => string(cursor).map(|_| ())?,
                false => {
                    while !cursor.is_empty() {
                        string(cursor)?;
                    }
                }
            }
            Attribute::Other("strings", vec![r#type])
        }
        20 => Attribute::Other(
            "sparse",
            vec![
                Part::Type(file.type_id(cursor)?),
                Part::Attribute(id(cursor)?),
                Part::Attribute(id(cursor)?),
            ],
        ),
        21 => Attribute::Other("distinct", vec![Part::Attribute(id(cursor)?)]),
        22 => {
            let name = id(cursor)?;
            let place = cursor.list(Cursor::number)?;
            Attribute::Location(Location::File {
                name,
                line: place.first().copied().unwrap_or(0),
                column: place.get(1).copied().unwrap_or(0),
            })
        }
        code => return Err(cursor.damaged(format!("there is no kind {code} of attribute"))),
    })
}

/// Bytes after how many they are.
pub(crate) fn blob<'b>(cursor: &mut Cursor<'b>) -> Result<&'b [u8], Error> {
    let size = cursor.number()?;
    cursor.bytes(size)
}

/// Decodes a type.
pub(crate) fn r#type<'b>(file: &File<'b>, cursor: &mut Cursor<'b>) -> Result<Type<'b>, Error> {
    let id = |cursor: &mut Cursor<'b>| file.type_id(cursor);
    let shape = |cursor: &mut Cursor<'b>| cursor.list(Cursor::signed);
    let memref = |parts| Type::Other("memref", parts);
    Ok(match cursor.number()? {
        0 => integer(cursor)?,
        1 => Type::Index,
        2 => Type::Function(cursor.list(id)?, cursor.list(id)?),
        3 => Type::Float("bf16", 16),
        4 => Type::Float("f16", 16),
        5 => Type::Float("f32", 32),
        6 => Type::Float("f64", 64),
        7 => Type::Float("f80", 80),
        8 => Type::Float("f128", 128),
        9 => Type::Complex(id(cursor)?),
        10 => {
            shape(cursor)?;
            memref(vec![
                Part::Type(id(cursor)?),
                Part::Attribute(file.attribute_id(cursor)?),
            ])
        }
        11 => {
            let space = Part::Attribute(file.attribute_id(cursor)?);
            shape(cursor)?;
            memref(vec![
                space,
                Part::Type(id(cursor)?),
                Part::Attribute(file.attribute_id(cursor)?),
            ])
        }
        12 => Type::None,
        13 => Type::Tensor {
            encoding: None,
            shape: shape(cursor)?,
            element: id(cursor)?,
        },
        14 => Type::Tensor {
            encoding: Some(file.attribute_id(cursor)?),
            shape: shape(cursor)?,
            element: id(cursor)?,
        },
        15 => Type::Tuple(cursor.list(id)?),
        16 => memref(vec![Part::Type(id(cursor)?)]),
        17 => memref(vec![
            Part::Attribute(file.attribute_id(cursor)?),
            Part::Type(id(cursor)?),
        ]),
        18 => Type::UnrankedTensor(id(cursor)?),
        19 => {
            shape(cursor)?;
            Type::Other("vector", vec![Part::Type(id(cursor)?)])
        }
        20 => {
            cursor.list(Cursor::number)?;
            shape(cursor)?;
            Type::Other("vector", vec![Part::Type(id(cursor)?)])
        }
        code => return Err(cursor.damaged(format!("there is no kind {code} of type"))),
    })
}

fn integer<'b>(cursor: &mut Cursor) -> Result<Type<'b>, Error> {
    /// MLIR's limit.
    const WIDEST: u64 = (1 << 24) - 1;
    let number = cursor.number()?;
    let sign = match number & 3 {
        0 => Sign::Signless,
        1 => Sign::Signed,
        2 => Sign::Unsigned,
        _ => return Err(cursor.damaged("a type of integers has no such sign")),
    };
    match number >> 2 {
        width if width <= WIDEST => Ok(Type::Integer(width, sign)),
        width => Err(cursor.damaged(format!("there are no integers of {width} bits"))),
    }
}
