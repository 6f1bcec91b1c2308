//! Ops, regions, blocks and values.

use crate::{
    cursor::Cursor,
    error::Error,
    file::{AttributeId, File, IR_SECTION, OpName, PROPERTIES, TypeId},
};

/// From this version on, isolated regions are sections.
const ISOLATED_SECTIONS: u64 = 2;
/// From this version on, the order of a value's uses is kept.
const USE_ORDERS: u64 = 3;
/// From this version on, a block's argument says whether it has a place.
const ELIDED_PLACES: u64 = 4;
/// How deep regions may be nested.
const MAX_DEPTH: usize = 200;

/// Parts that an op can have, each a bit.
mod part {
    pub const ATTRIBUTES: u8 = 1;
    pub const RESULTS: u8 = 2;
    pub const OPERANDS: u8 = 4;
    pub const SUCCESSORS: u8 = 8;
    pub const REGIONS: u8 = 16;
    pub const USE_ORDERS: u8 = 32;
    pub const PROPERTIES: u8 = 64;
}

/// A value, numbered in all the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueId(pub usize);

/// What is said of an op beside its attributes.
#[derive(Clone, Copy, Debug)]
pub enum Properties<'b> {
    /// In the op's own encoding.
    Encoded(Cursor<'b>),
    /// As an attribute, of an op that the writer did not know.
    Attribute(AttributeId),
}

/// An op.
#[derive(Debug)]
pub struct Op<'b> {
    /// Bytes from the beginning of the file.
    pub at: usize,
    /// The name.
    pub name: OpName<'b>,
    /// The place in the source.
    pub location: AttributeId,
    /// A dictionary.
    pub attributes: Option<AttributeId>,
    /// What the op's own class keeps.
    pub properties: Option<Properties<'b>>,
    /// The values it makes.
    pub results: Vec<(ValueId, TypeId)>,
    /// The values it uses.
    pub operands: Vec<ValueId>,
    /// The blocks it may go to, numbered in its region.
    pub successors: Vec<usize>,
    /// The regions.
    pub regions: Vec<Region<'b>>,
}

/// A list of blocks.
#[derive(Debug, Default)]
pub struct Region<'b> {
    /// The blocks.
    pub blocks: Vec<Block<'b>>,
}

/// A list of ops.
#[derive(Debug, Default)]
pub struct Block<'b> {
    /// What the block is given.
    pub arguments: Vec<Argument>,
    /// The ops.
    pub ops: Vec<Op<'b>>,
}

/// A block's argument.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// The value.
    pub value: ValueId,
    /// Its type.
    pub r#type: TypeId,
    /// The place in the source, if it is known.
    pub location: Option<AttributeId>,
}

/// All ops of a file and the types of its values.
#[derive(Debug)]
pub struct Program<'b> {
    /// The outermost ops, usually one module.
    pub ops: Vec<Op<'b>>,
    types: Vec<TypeId>,
}

impl Program<'_> {
    /// The type of a value.
    #[must_use]
    pub fn type_of(&self, value: ValueId) -> TypeId {
        self.types[value.0]
    }
}

/// Reads all ops.
///
/// # Errors
/// If they are damaged, or regions are nested too deep.
pub fn read<'b>(file: &File<'b>) -> Result<Program<'b>, Error> {
    let mut reader = Reader {
        file,
        types: vec![],
        scopes: vec![Scope::default()],
        depth: 0,
    };
    let mut cursor = file.ir();
    let block = reader.block(&mut cursor, 1)?;
    if !cursor.is_empty() {
        return Err(cursor.damaged("bytes are left after the ops"));
    }
    reader.types_of_values(cursor).map(|types| Program {
        ops: block.ops,
        types,
    })
}

/// The values that are seen in a region that is isolated from those around it. An op may use a
/// value before it is made.
#[derive(Debug, Default)]
struct Scope {
    /// The values by their numbers in the scope, if they were made or used already.
    values: Vec<Option<ValueId>>,
    /// For each region that is being read, the number of the next value.
    next: Vec<usize>,
}

struct Reader<'f, 'b> {
    file: &'f File<'b>,
    /// The types of values, if they have been made already.
    types: Vec<Option<TypeId>>,
    scopes: Vec<Scope>,
    depth: usize,
}

impl<'b> Reader<'_, 'b> {
    fn types_of_values(self, cursor: Cursor) -> Result<Vec<TypeId>, Error> {
        let types: Option<Vec<_>> = self.types.into_iter().collect();
        types.ok_or_else(|| cursor.damaged("a value is used, but not made"))
    }

    fn region(&mut self, cursor: &mut Cursor<'b>) -> Result<Region<'b>, Error> {
        let blocks = cursor.count()?;
        if blocks == 0 {
            return Ok(Region::default());
        }
        let values = cursor.count()?;
        let scope = self.scope(cursor)?;
        let start = scope.values.len();
        scope.next.push(start);
        scope.values.resize(start + values, None);
        let blocks = (0..blocks).map(|_| self.block(cursor, blocks));
        let blocks = blocks.collect::<Result<_, _>>()?;
        let scope = self.scope(cursor)?;
        scope.values.truncate(start);
        scope.next.pop();
        Ok(Region { blocks })
    }

    fn scope(&mut self, cursor: &Cursor) -> Result<&mut Scope, Error> {
        let scope = self.scopes.last_mut();
        scope.ok_or_else(|| cursor.damaged("a value is in no region"))
    }

    fn block(&mut self, cursor: &mut Cursor<'b>, blocks: usize) -> Result<Block<'b>, Error> {
        let (ops, has_arguments) = cursor.flagged()?;
        let ops = cursor.bounded(ops)?;
        let mut arguments = vec![];
        if has_arguments {
            arguments = cursor.list(|cursor| self.argument(cursor))?;
            if self.file.version >= USE_ORDERS && cursor.byte()? != 0 {
                use_orders(cursor, arguments.len())?;
            }
        }
        let ops = (0..ops).map(|_| self.op(cursor, blocks));
        let ops = ops.collect::<Result<_, _>>()?;
        Ok(Block { arguments, ops })
    }

    fn argument(&mut self, cursor: &mut Cursor<'b>) -> Result<Argument, Error> {
        let file = self.file;
        let (r#type, has_place) = match file.version < ELIDED_PLACES {
            true => (file.type_id(cursor)?, true),
            false => {
                let (index, has_place) = cursor.flagged()?;
                (file.type_at(index, cursor.at())?, has_place)
            }
        };
        let location = has_place.then(|| file.attribute_id(cursor)).transpose()?;
        Ok(Argument {
            value: self.define(cursor, r#type)?,
            r#type,
            location,
        })
    }

    /// The next value of the region.
    fn define(&mut self, cursor: &Cursor, r#type: TypeId) -> Result<ValueId, Error> {
        let fresh = ValueId(self.types.len());
        let scope = self.scope(cursor)?;
        let next = scope.next.last_mut();
        let place = next.and_then(|next| {
            let place = scope.values.get_mut(*next);
            *next += 1;
            place
        });
        let Some(place) = place else {
            return Err(cursor.damaged("a region has more values than it says"));
        };
        let value = *place.get_or_insert(fresh);
        if value == fresh {
            self.types.push(Some(r#type));
        } else {
            self.types[value.0] = Some(r#type);
        }
        Ok(value)
    }

    fn operand(&mut self, cursor: &mut Cursor<'b>) -> Result<ValueId, Error> {
        let index = cursor.number()?;
        let fresh = ValueId(self.types.len());
        let scope = self.scope(cursor)?;
        let place = usize::try_from(index).ok();
        let place = place.and_then(|index| scope.values.get_mut(index));
        let place = place.ok_or_else(|| cursor.damaged(format!("there is no value {index}")))?;
        let value = *place.get_or_insert(fresh);
        if value == fresh {
            self.types.push(None);
        }
        Ok(value)
    }

    fn op(&mut self, cursor: &mut Cursor<'b>, blocks: usize) -> Result<Op<'b>, Error> {
        let file = self.file;
        let at = cursor.at();
        let name = file.op_name(cursor)?;
        let parts = cursor.byte()?;
        let has = |part| parts & part != 0;
        let location = file.attribute_id(cursor)?;
        let attributes = has(part::ATTRIBUTES).then(|| file.attribute_id(cursor));
        let attributes = attributes.transpose()?;
        let properties = has(part::PROPERTIES).then(|| self.properties(cursor, name));
        let properties = properties.transpose()?;
        let result_types = match has(part::RESULTS) {
            true => cursor.list(|cursor| file.type_id(cursor))?,
            false => vec![],
        };
        let operands = match has(part::OPERANDS) {
            true => cursor.list(|cursor| self.operand(cursor))?,
            false => vec![],
        };
        let successors = match has(part::SUCCESSORS) {
            true => cursor.list(|cursor| successor(cursor, blocks))?,
            false => vec![],
        };
        if has(part::USE_ORDERS) && file.version >= USE_ORDERS {
            use_orders(cursor, result_types.len())?;
        }
        let regions = match has(part::REGIONS) {
            true => Some(cursor.flagged()?),
            false => None,
        };
        let results = result_types
            .into_iter()
            .map(|r#type| Ok((self.define(cursor, r#type)?, r#type)));
        let results = results.collect::<Result<_, Error>>()?;
        let regions = match regions {
            Some((count, isolated)) => self.regions(cursor, count, isolated)?,
            None => vec![],
        };
        Ok(Op {
            at,
            name,
            location,
            attributes,
            properties,
            results,
            operands,
            successors,
            regions,
        })
    }

    fn properties(&self, cursor: &mut Cursor<'b>, name: OpName) -> Result<Properties<'b>, Error> {
        if self.file.version < PROPERTIES {
            return Err(cursor.damaged("an op has properties, which the version does not know"));
        }
        Ok(match name.registered {
            true => Properties::Encoded(self.file.op_properties(cursor)?),
            false => Properties::Attribute(self.file.attribute_id(cursor)?),
        })
    }

    fn regions(
        &mut self,
        cursor: &mut Cursor<'b>,
        count: u64,
        isolated: bool,
    ) -> Result<Vec<Region<'b>>, Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(cursor.damaged(format!("regions are nested more than {MAX_DEPTH} deep")));
        }
        let regions = match isolated {
            true => {
                self.scopes.push(Scope::default());
                let regions = self.isolated(cursor, count)?;
                self.scopes.pop();
                regions
            }
            false => self.plain(cursor, count)?,
        };
        self.depth -= 1;
        Ok(regions)
    }

    fn isolated(&mut self, cursor: &mut Cursor<'b>, count: u64) -> Result<Vec<Region<'b>>, Error> {
        if self.file.version < ISOLATED_SECTIONS {
            return self.plain(cursor, count);
        }
        let (id, mut section) = cursor.section()?;
        if id != IR_SECTION {
            return Err(cursor.damaged("a region's section is of another kind"));
        }
        let regions = self.plain(&mut section, count)?;
        match section.is_empty() {
            true => Ok(regions),
            false => Err(section.damaged("bytes are left after a region")),
        }
    }

    fn plain(&mut self, cursor: &mut Cursor<'b>, count: u64) -> Result<Vec<Region<'b>>, Error> {
        let count = cursor.bounded(count)?;
        (0..count).map(|_| self.region(cursor)).collect()
    }
}

fn successor(cursor: &mut Cursor, blocks: usize) -> Result<usize, Error> {
    let index = cursor.number()?;
    let block = usize::try_from(index).ok().filter(|&block| block < blocks);
    block.ok_or_else(|| cursor.damaged(format!("there is no block {index}")))
}

/// Reads over the orders of the uses of some of an op's results or a block's arguments.
fn use_orders(cursor: &mut Cursor, values: usize) -> Result<(), Error> {
    let count = match values > 1 {
        true => cursor.count()?,
        false => 1,
    };
    for _ in 0..count {
        if values > 1 {
            cursor.number()?;
        }
        let (indices, _) = cursor.flagged()?;
        for _ in 0..cursor.bounded(indices)? {
            cursor.number()?;
        }
    }
    Ok(())
}
