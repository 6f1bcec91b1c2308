//! What a region holds: the library's word, and the values that the chunks use from
//! outside.

use std::collections::HashMap;

use melior::{
    Error,
    ir::{
        BlockLike, Location, Operation, OperationRef, Type, TypeLike, Value, ValueLike,
        attribute::TypeAttribute,
        r#type::{MemRefType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::Builder,
    cast::cast,
    view::{definition, op_name, vector_rank},
};

use super::unsupported;
use comb_fuse::fuse::captures::captured;
use comb_kit::{checks::facts::key, pass_error::PassError, walk::first_block};

/// Ops that are repeated in the chunk function instead of passing their result.
const CONSTANTS: &[&str] = &["arith.constant", "llvm.mlir.constant", "memref.get_global"];

/// What the region of a loop holds.
pub(super) struct RegionLayout<'c, 'a> {
    /// Ops whose result the loop uses, to be repeated.
    constants: Vec<OperationRef<'c, 'a>>,
    /// The values to be stored, with the types they are stored as.
    values: Vec<(Value<'c, 'a>, Type<'c>)>,
    /// The struct: first the library's word.
    r#type: Type<'c>,
}

impl<'c: 'a, 'a> RegionLayout<'c, 'a> {
    /// Lays out what a loop uses.
    pub fn new(op: OperationRef<'c, 'a>) -> Result<Self, PassError<'c>> {
        let builder = Builder::before(op).ok_or(Error::OperationBuild)?;
        let mut constants = vec![];
        let mut values = vec![];
        let mut fields = vec!["ptr".to_owned()];
        for value in captured(op) {
            match definition(value) {
                Some(definition) if CONSTANTS.contains(&op_name(definition)) => {
                    constants.push(definition);
                }
                _ => {
                    let stored = stored_type(value.r#type()).ok_or_else(|| {
                        let message = format!(
                            "uses a value of type {} from outside, which cannot be passed to \
                             its chunks",
                            value.r#type()
                        );
                        unsupported(op, &message)
                    })?;
                    values.push((value, builder.r#type(&stored)?));
                    fields.push(stored);
                }
            }
        }
        let r#type = builder.r#type(&format!("!llvm.struct<({})>", fields.join(", ")))?;
        Ok(Self {
            constants,
            values,
            r#type,
        })
    }

    /// Makes room for the region at the start of a function, so that a loop around it
    /// takes no more of the stack in every iteration.
    pub fn allocate(
        &self,
        function: OperationRef<'c, 'a>,
        location: Location<'c>,
    ) -> Result<Value<'c, 'a>, PassError<'c>> {
        let start = first_block(function).and_then(|block| block.first_operation());
        let builder = start
            .and_then(Builder::before)
            .ok_or(Error::OperationBuild)?;
        let builder = builder.located(location);
        let word = builder.integer_type(64);
        let one = ("value", builder.number(1));
        let one = builder.value("llvm.mlir.constant", &[], word, &[one])?;
        let element = ("elem_type", TypeAttribute::new(self.r#type).into());
        Ok(builder.value("llvm.alloca", &[one], pointer(&builder)?, &[element])?)
    }

    /// Stores null for the library, and the values.
    pub fn fill(
        &self,
        builder: &Builder<'c, 'a>,
        region: Value<'c, 'a>,
    ) -> Result<(), PassError<'c>> {
        let null = builder.value("llvm.mlir.zero", &[], pointer(builder)?, &[])?;
        builder.op("llvm.store", &[null, region], &[], &[], vec![])?;
        for (position, &(value, r#type)) in self.values.iter().enumerate() {
            let address = self.field(builder, region, position)?;
            let stored = convert(builder, value, r#type)?;
            builder.op("llvm.store", &[stored, address], &[], &[], vec![])?;
        }
        Ok(())
    }

    /// What stands for each value in the chunk function.
    pub fn read_back(
        &self,
        builder: &Builder<'c, 'a>,
        region: Value<'c, 'a>,
    ) -> Result<HashMap<usize, Value<'c, 'a>>, PassError<'c>> {
        let mut inside = HashMap::new();
        for &constant in &self.constants {
            let copy = builder.insert(Operation::clone(&constant));
            inside.insert(key(constant.result(0)?.into()), copy.result(0)?.into());
        }
        for (position, &(value, r#type)) in self.values.iter().enumerate() {
            let address = self.field(builder, region, position)?;
            let stored = builder.value("llvm.load", &[address], r#type, &[])?;
            inside.insert(key(value), convert(builder, stored, value.r#type())?);
        }
        Ok(inside)
    }

    /// The address of a value's field.
    fn field(
        &self,
        builder: &Builder<'c, 'a>,
        region: Value<'c, 'a>,
        position: usize,
    ) -> Result<Value<'c, 'a>, Error> {
        let attributes = [
            (
                "rawConstantIndices",
                builder.segments(&[0, position as i32 + 1]),
            ),
            ("elem_type", TypeAttribute::new(self.r#type).into()),
        ];
        builder.value(
            "llvm.getelementptr",
            &[region],
            pointer(builder)?,
            &attributes,
        )
    }
}

fn pointer<'c>(builder: &Builder<'c, '_>) -> Result<Type<'c>, Error> {
    builder.r#type("!llvm.ptr")
}

/// The value as MLIR's conversion to LLVM sees it, or back.
fn convert<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    if value.r#type() == r#type {
        return Ok(value);
    }
    builder.value("builtin.unrealized_conversion_cast", &[value], r#type, &[])
}

/// The type that MLIR's conversion to LLVM gives a type, as text; nothing if it is
/// none of those that loops over memory use.
fn stored_type(r#type: Type) -> Option<String> {
    let text = r#type.to_string();
    if r#type.is_index() {
        return Some("i64".into());
    }
    if let Some(memory) = cast::<MemRefType>(r#type) {
        let rank = memory.rank();
        return memory.memory_space().is_none().then(|| match rank {
            0 => "!llvm.struct<(ptr, ptr, i64)>".to_owned(),
            _ => format!("!llvm.struct<(ptr, ptr, i64, array<{rank} x i64>, array<{rank} x i64>)>"),
        });
    }
    let plain = r#type.is_integer()
        || r#type.is_float()
        || vector_rank(r#type) == Some(1)
        || text.starts_with("!llvm.");
    plain.then(|| text.replace("xindex>", "xi64>"))
}
