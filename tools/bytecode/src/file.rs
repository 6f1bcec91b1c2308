//! The sections and tables of a file.

use crate::{
    MAGIC,
    cursor::Cursor,
    error::{Error, Fault},
};

/// The newest version of the format that is known.
const NEWEST: u64 = 6;
/// From this version on, dialects have versions.
const DIALECT_VERSIONS: u64 = 1;
/// From this version on, the dialect section says how many ops it names.
const OP_COUNT: u64 = 4;
/// From this version on, ops have properties, and names say whether the op was registered.
pub(crate) const PROPERTIES: u64 = 5;

/// Numbers of sections.
mod section {
    pub const STRINGS: usize = 0;
    pub const DIALECTS: usize = 1;
    pub const ENTRIES: usize = 2;
    pub const ENTRY_SIZES: usize = 3;
    pub const IR: usize = 4;
    pub const RESOURCES: usize = 5;
    pub const RESOURCE_SIZES: usize = 6;
    pub const DIALECT_VERSION: u8 = 7;
    pub const PROPERTIES: usize = 8;
    pub const COUNT: usize = 9;
}

/// The number of the section that holds ops.
pub(crate) const IR_SECTION: u8 = section::IR as u8;

/// A place in the table of attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttributeId(pub usize);

/// A place in the table of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub usize);

/// An op's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpName<'b> {
    /// The name of the dialect.
    pub dialect: &'b str,
    /// The name in the dialect.
    pub name: &'b str,
    /// Whether the writer knew the op: then its properties are its own, not an attribute.
    pub registered: bool,
}

/// An attribute or a type, not yet decoded.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'b> {
    /// The dialect it is of.
    pub dialect: &'b str,
    /// Whether the dialect encodes it, or it is text.
    pub encoded: bool,
    /// The encoding, or the text.
    pub data: Cursor<'b>,
}

/// A resource of a dialect, such as an array of weights.
#[derive(Clone, Copy, Debug)]
pub struct Resource<'b> {
    /// What the file calls it.
    pub key: &'b str,
    /// What is in it, if it is a sequence of bytes and not only declared.
    pub bytes: Option<&'b [u8]>,
}

/// The tables of a file.
#[derive(Debug)]
pub struct File<'b> {
    /// The version of the format.
    pub version: u64,
    /// What the writer calls itself.
    pub producer: String,
    /// The dialects that the file speaks of.
    pub dialects: Vec<&'b str>,
    strings: Vec<&'b [u8]>,
    op_names: Vec<OpName<'b>>,
    attributes: Vec<Entry<'b>>,
    types: Vec<Entry<'b>>,
    properties: Vec<Cursor<'b>>,
    resources: Vec<Resource<'b>>,
    ir: Cursor<'b>,
}

impl<'b> File<'b> {
    /// Reads the tables of a file.
    ///
    /// # Errors
    /// If they are damaged, or of a newer version of the format.
    pub fn read(bytes: &'b [u8]) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes, 0);
        if cursor.bytes(MAGIC.len() as u64)? != MAGIC {
            return Err(Fault::Damaged("it does not begin as bytecode does".into()).at(0));
        }
        let version = cursor.number()?;
        if version > NEWEST {
            return Err(Fault::NewerFormat(version).at(MAGIC.len()));
        }
        let producer = String::from_utf8_lossy(cursor.terminated()?).into_owned();
        let sections = sections(cursor)?;
        let strings = strings(needed(&sections, section::STRINGS)?)?;
        let (dialects, op_names) =
            dialects(needed(&sections, section::DIALECTS)?, &strings, version)?;
        let (attributes, types) = entries(
            needed(&sections, section::ENTRIES)?,
            needed(&sections, section::ENTRY_SIZES)?,
            &dialects,
        )?;
        let properties = match sections[section::PROPERTIES] {
            Some(section) => properties(section)?,
            None => vec![],
        };
        let resources = match (
            sections[section::RESOURCES],
            sections[section::RESOURCE_SIZES],
        ) {
            (Some(data), Some(sizes)) => resources(data, sizes, &strings, &dialects)?,
            (None, None) => vec![],
            _ => return Err(cursor.damaged("one of the two sections of resources is missing")),
        };
        Ok(Self {
            version,
            producer,
            ir: needed(&sections, section::IR)?,
            dialects,
            strings,
            op_names,
            attributes,
            types,
            properties,
            resources,
        })
    }

    /// The ops, not yet read.
    pub(crate) fn ir(&self) -> Cursor<'b> {
        self.ir
    }

    /// How many attributes there are.
    #[must_use]
    pub fn attribute_count(&self) -> usize {
        self.attributes.len()
    }

    /// How many types there are.
    #[must_use]
    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    /// An attribute, not yet decoded.
    #[must_use]
    pub fn attribute(&self, id: AttributeId) -> Entry<'b> {
        self.attributes[id.0]
    }

    /// A type, not yet decoded.
    #[must_use]
    pub fn r#type(&self, id: TypeId) -> Entry<'b> {
        self.types[id.0]
    }

    /// Reads the number of an attribute.
    pub fn attribute_id(&self, cursor: &mut Cursor) -> Result<AttributeId, Error> {
        let index = cursor.number()?;
        index_in(&self.attributes, "attribute", index, cursor.at()).map(AttributeId)
    }

    /// Reads the number of an attribute that may be missing.
    pub fn optional_attribute_id(&self, cursor: &mut Cursor) -> Result<Option<AttributeId>, Error> {
        let (index, is_there) = cursor.flagged()?;
        is_there
            .then(|| index_in(&self.attributes, "attribute", index, cursor.at()).map(AttributeId))
            .transpose()
    }

    /// Reads the number of a type.
    pub fn type_id(&self, cursor: &mut Cursor) -> Result<TypeId, Error> {
        let index = cursor.number()?;
        self.type_at(index, cursor.at())
    }

    /// The type of a number that was read at a place.
    pub(crate) fn type_at(&self, index: u64, at: usize) -> Result<TypeId, Error> {
        index_in(&self.types, "type", index, at).map(TypeId)
    }

    /// Reads the number of a string.
    pub fn string(&self, cursor: &mut Cursor) -> Result<&'b [u8], Error> {
        let index = cursor.number()?;
        Ok(self.strings[index_in(&self.strings, "string", index, cursor.at())?])
    }

    /// Reads the number of an op's name.
    pub fn op_name(&self, cursor: &mut Cursor) -> Result<OpName<'b>, Error> {
        let index = cursor.number()?;
        Ok(self.op_names[index_in(&self.op_names, "name of an op", index, cursor.at())?])
    }

    /// Reads the number of an op's properties.
    pub fn op_properties(&self, cursor: &mut Cursor) -> Result<Cursor<'b>, Error> {
        let index = cursor.number()?;
        Ok(self.properties[index_in(&self.properties, "properties", index, cursor.at())?])
    }

    /// Reads the number of a resource.
    pub fn resource(&self, cursor: &mut Cursor) -> Result<Resource<'b>, Error> {
        let index = cursor.number()?;
        Ok(self.resources[index_in(&self.resources, "resource", index, cursor.at())?])
    }
}

/// A number that a table has an entry for.
fn index_in<T>(table: &[T], what: &'static str, index: u64, at: usize) -> Result<usize, Error> {
    let found = usize::try_from(index)
        .ok()
        .filter(|&index| index < table.len());
    let count = table.len();
    found.ok_or_else(|| Fault::NoEntry { what, index, count }.at(at))
}

type Sections<'b> = [Option<Cursor<'b>>; section::COUNT];

fn sections(mut cursor: Cursor<'_>) -> Result<Sections<'_>, Error> {
    let mut sections = [None; section::COUNT];
    while !cursor.is_empty() {
        let (id, section) = cursor.section()?;
        match sections.get_mut(usize::from(id)) {
            Some(place @ None) => *place = Some(section),
            Some(_) => return Err(cursor.damaged(format!("there are two sections {id}"))),
            None => return Err(cursor.damaged(format!("there is no kind {id} of section"))),
        }
    }
    Ok(sections)
}

fn needed<'b>(sections: &Sections<'b>, id: usize) -> Result<Cursor<'b>, Error> {
    sections[id].ok_or_else(|| Fault::Damaged(format!("section {id} is missing")).at(0))
}

/// Strings, each with a 0 at its end; their sizes come first, the last string's first.
fn strings(mut cursor: Cursor<'_>) -> Result<Vec<&[u8]>, Error> {
    let mut sizes = cursor.list(Cursor::number)?;
    sizes.reverse();
    let strings = sizes.into_iter().map(|size| {
        let string = cursor.bytes(size)?;
        let ended = string.strip_suffix(&[0]);
        ended.ok_or_else(|| cursor.damaged("a string does not end"))
    });
    let strings = strings.collect::<Result<_, _>>()?;
    emptied(&cursor, "strings")?;
    Ok(strings)
}

fn emptied(cursor: &Cursor, what: &str) -> Result<(), Error> {
    match cursor.is_empty() {
        true => Ok(()),
        false => Err(cursor.damaged(format!("bytes are left after the {what}"))),
    }
}

fn name_at<'b>(strings: &[&'b [u8]], index: u64, at: usize) -> Result<&'b str, Error> {
    let bytes = strings[index_in(strings, "string", index, at)?];
    str::from_utf8(bytes).map_err(|_| Fault::Damaged("a name is not UTF-8".into()).at(at))
}

type Names<'b> = (Vec<&'b str>, Vec<OpName<'b>>);

fn dialects<'b>(
    mut cursor: Cursor<'b>,
    strings: &[&'b [u8]],
    version: u64,
) -> Result<Names<'b>, Error> {
    let dialects = cursor.list(|cursor| {
        if version < DIALECT_VERSIONS {
            let index = cursor.number()?;
            return name_at(strings, index, cursor.at());
        }
        let (index, is_versioned) = cursor.flagged()?;
        if is_versioned && cursor.section()?.0 != section::DIALECT_VERSION {
            return Err(cursor.damaged("a dialect's version is missing"));
        }
        name_at(strings, index, cursor.at())
    })?;
    if version >= OP_COUNT {
        cursor.number()?;
    }
    let mut names = vec![];
    while !cursor.is_empty() {
        let dialect = cursor.number()?;
        let dialect = dialects[index_in(&dialects, "dialect", dialect, cursor.at())?];
        names.extend(cursor.list(|cursor| {
            let (index, registered) = match version < PROPERTIES {
                true => (cursor.number()?, false),
                false => cursor.flagged()?,
            };
            let name = name_at(strings, index, cursor.at())?;
            Ok(OpName {
                dialect,
                name,
                registered,
            })
        })?);
    }
    Ok((dialects, names))
}

type Entries<'b> = (Vec<Entry<'b>>, Vec<Entry<'b>>);

/// Attributes, then types, in groups by dialect.
fn entries<'b>(
    mut data: Cursor<'b>,
    mut sizes: Cursor<'b>,
    dialects: &[&'b str],
) -> Result<Entries<'b>, Error> {
    let counts = [sizes.number()?, sizes.number()?];
    let [attributes, types] = counts.map(|count| {
        let mut entries = vec![];
        let count = sizes.bounded(count)?;
        while entries.len() < count {
            let dialect = sizes.number()?;
            let dialect = dialects[index_in(dialects, "dialect", dialect, sizes.at())?];
            entries.extend(sizes.list(|sizes| {
                let (size, encoded) = sizes.flagged()?;
                let data = data.part(size)?;
                Ok(Entry {
                    dialect,
                    encoded,
                    data,
                })
            })?);
        }
        match entries.len() == count {
            true => Ok(entries),
            false => Err(sizes.damaged("a group is larger than its table")),
        }
    });
    let tables = (attributes?, types?);
    emptied(&data, "attributes and types")?;
    emptied(&sizes, "sizes of attributes and types")?;
    Ok(tables)
}

fn properties(mut cursor: Cursor<'_>) -> Result<Vec<Cursor<'_>>, Error> {
    let properties = cursor.list(|cursor| {
        let size = cursor.number()?;
        cursor.part(size)
    })?;
    emptied(&cursor, "properties")?;
    Ok(properties)
}

/// The kind of resource that is a sequence of bytes.
const BLOB: u8 = 0;

fn resources<'b>(
    mut data: Cursor<'b>,
    mut sizes: Cursor<'b>,
    strings: &[&'b [u8]],
    dialects: &[&str],
) -> Result<Vec<Resource<'b>>, Error> {
    let mut group = |sizes: &mut Cursor<'b>| {
        sizes.list(|sizes| {
            let key = sizes.number()?;
            let key = name_at(strings, key, sizes.at())?;
            let size = sizes.number()?;
            let kind = sizes.byte()?;
            let value = data.part(size)?;
            let bytes = (kind == BLOB && !value.is_empty()).then(|| blob(value));
            let bytes = bytes.transpose()?;
            Ok(Resource { key, bytes })
        })
    };
    for _ in 0..sizes.count()? {
        let provider = sizes.number()?;
        name_at(strings, provider, sizes.at())?;
        group(&mut sizes)?;
    }
    let mut resources = vec![];
    while !sizes.is_empty() {
        let dialect = sizes.number()?;
        index_in(dialects, "dialect", dialect, sizes.at())?;
        resources.extend(group(&mut sizes)?);
    }
    emptied(&data, "resources")?;
    Ok(resources)
}

/// Aligned bytes.
fn blob(mut cursor: Cursor<'_>) -> Result<&[u8], Error> {
    let alignment = cursor.number()?;
    let size = cursor.number()?;
    cursor.align(alignment)?;
    let bytes = cursor.bytes(size)?;
    emptied(&cursor, "bytes of a resource")?;
    Ok(bytes)
}
