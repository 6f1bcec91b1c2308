//! An op's parts: name, operands, attributes and regions.
//!
//! Result types are inferred before an op exists, from the same rules that
//! verify it afterwards; both look at the op through an [`OpView`].

use melior::ir::{
    Attribute, BlockRef, Location, OperationRef, RegionLike, RegionRef, Type, TypeLike, Value,
    ValueLike,
    attribute::{
        DenseI32ArrayAttribute, DenseI64ArrayAttribute, DictionaryAttribute, IntegerAttribute,
    },
    block::{BlockArgument, BlockLike},
    operation::{OperationLike, OperationMutLike, OperationRefMut, OperationResult},
    r#type::{MemRefType, RankedTensorType, ShapedTypeLike},
};
use std::ops::Range;

use crate::{
    builder::Size,
    cast::{Arguments, cast},
    extent::Extent,
    text::{as_name, bytes, identifier_bytes},
};

/// In a list that mixes constants and values, stands for "the next value".
pub const DYNAMIC: i64 = i64::MIN;

/// What an op is called whose name is no text. Such ops are not registered.
const NO_TEXT: &str = "(a name that is not UTF-8)";

/// An op's full name, such as `soac.map`.
pub fn op_name<'a>(op: OperationRef<'_, 'a>) -> &'a str {
    // SAFETY: op names are uniqued in the context, which outlives the op.
    let name = unsafe { bytes(mlir_sys::mlirIdentifierStr(op.name().to_raw())) };
    std::str::from_utf8(name).unwrap_or(NO_TEXT)
}

/// Whether an op computes arrays by the dialect: a combinator, another op on arrays, or a cluster.
pub fn is_combinator(op: OperationRef) -> bool {
    let name = op_name(op).strip_prefix("soac.");
    name.is_some_and(|name| !matches!(name, "check" | "yield" | "needed"))
}

/// The attributes of an op, by name. What has a name that is no text, which no op knows, is
/// left out.
pub fn named_attributes<'c>(op: OperationRef<'c, '_>) -> Vec<(&'c str, Attribute<'c>)> {
    op.attributes()
        .filter_map(|(name, attribute)| Some((as_name(identifier_bytes(name))?, attribute)))
        .collect()
}

/// The dialect of an op, as its name says.
pub fn dialect<'a>(op: OperationRef<'_, 'a>) -> &'a str {
    let name = op_name(op);
    name.split_once('.').map_or(name, |(dialect, _)| dialect)
}

/// The number of dimensions of a vector type; nothing for other types.
pub fn vector_rank(r#type: Type) -> Option<usize> {
    // SAFETY: the type is a vector type, which is shaped and has a rank.
    r#type
        .is_vector()
        .then(|| unsafe { mlir_sys::mlirShapedTypeGetRank(r#type.to_raw()) as usize })
}

/// How many lanes a vector of one dimension has; nothing for other types.
pub fn vector_lanes(r#type: Type) -> Option<u64> {
    let is_flat = vector_rank(r#type) == Some(1);
    // SAFETY: the type is a vector type, which is shaped and has one dimension.
    is_flat.then(|| unsafe { mlir_sys::mlirShapedTypeGetDimSize(r#type.to_raw(), 0) as u64 })
}

/// The type of a vector's elements; nothing for other types.
pub fn vector_element<'c>(r#type: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: the type is a vector type, which is shaped and has elements.
    r#type
        .is_vector()
        .then(|| unsafe { Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(r#type.to_raw())) })
}

/// How far apart elements are in memory, in elements, one number for each dimension: [`i64::MIN`]
/// where that is known only when the program runs. Nothing for other types, and for memory that is
/// not laid out in strides.
pub fn memory_strides(r#type: Type) -> Option<Vec<i64>> {
    strides_and_offset(r#type).map(|(strides, _)| strides)
}

/// Where the first element is in memory, in elements, and how far apart elements are, as
/// [`memory_strides`] says.
pub fn strides_and_offset(r#type: Type) -> Option<(Vec<i64>, i64)> {
    let memory = cast::<MemRefType>(r#type)?;
    let (mut strides, mut offset) = (vec![0; memory.rank()], 0);
    // SAFETY: the type is a memref, which has as many strides as dimensions.
    let result = unsafe {
        mlir_sys::mlirMemRefTypeGetStridesAndOffset(
            r#type.to_raw(),
            strides.as_mut_ptr(),
            &raw mut offset,
        )
    };
    (result.value != 0).then_some((strides, offset))
}

/// A value as an op's result, if it is one. (`OperationResult::try_from` prints
/// the value into its error, which takes long and needs IR that is valid.)
pub fn as_result<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationResult<'c, 'a>> {
    if !value.is_operation_result() {
        return None;
    }
    OperationResult::try_from(value).ok()
}

/// A value as a block's argument, if it is one.
pub fn as_argument<'c, 'a>(value: Value<'c, 'a>) -> Option<BlockArgument<'c, 'a>> {
    if !value.is_block_argument() {
        return None;
    }
    BlockArgument::try_from(value).ok()
}

/// The op that defines a value, unless it is a block argument.
pub fn definition<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    Some(as_result(value)?.owner())
}

/// The op whose region a block argument belongs to, and the argument's
/// position; nothing if the value is an op's result.
pub fn argument_of<'c, 'a>(value: Value<'c, 'a>) -> Option<(OperationRef<'c, 'a>, usize)> {
    let argument = as_argument(value)?;
    let parent = argument.owner().parent_operation()?;
    // SAFETY: the value is part of the op, which is alive as long; only the
    // handle that it was found through is not.
    let parent = unsafe { OperationRef::from_raw(parent.to_raw()) };
    Some((parent, argument.argument_number()))
}

/// The value of a constant of type `index` or of an integer type.
pub fn integer_constant(value: Value) -> Option<i64> {
    let op = definition(value)?;
    if !matches!(op_name(op), "arith.constant" | "index.constant") {
        return None;
    }
    let value = IntegerAttribute::try_from(op.attribute("value").ok()?).ok()?;
    Some(value.value())
}

/// Whether an op stands before another one, in the same block.
pub fn stands_before(op: OperationRef, other: OperationRef) -> bool {
    if op.block() != other.block() || op.block().is_none() {
        return false;
    }
    // SAFETY: both ops are alive, and in the same block.
    unsafe { mlir_sys::mlirOperationIsBeforeInBlock(op.to_raw(), other.to_raw()) }
}

/// Makes an op take another operand.
pub fn set_operand<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize, value: Value<'c, 'a>) {
    // SAFETY: the op is alive; nothing keeps a reference to its operands.
    let mut op = unsafe { OperationRefMut::from_raw(op.to_raw()) };
    op.set_operand(index, value);
}

/// Makes an op take other operands.
pub fn set_operands<'c: 'a, 'a>(op: OperationRef<'c, 'a>, values: &[Value<'c, 'a>]) {
    let values: Vec<_> = values.iter().map(|value| value.to_raw()).collect();
    // SAFETY: the op and the values are alive; nothing keeps a reference to its operands.
    unsafe {
        mlir_sys::mlirOperationSetOperands(op.to_raw(), values.len() as isize, values.as_ptr());
    }
}

/// Gives an op an attribute, in place of one of that name.
pub fn set_attribute<'c: 'a, 'a>(op: OperationRef<'c, 'a>, name: &str, value: Attribute<'c>) {
    // SAFETY: the op is alive; nothing keeps a reference to its attributes.
    let mut op = unsafe { OperationRefMut::from_raw(op.to_raw()) };
    op.set_attribute(name, value);
}

/// Whether an op is in a cluster.
pub fn is_in_cluster(op: OperationRef) -> bool {
    std::iter::successors(op.parent_operation(), |op| op.parent_operation())
        .any(|op| op_name(op) == "soac.cluster")
}

/// Takes an attribute of an op away, if it is there.
pub fn remove_attribute(op: OperationRef, name: &str) {
    // SAFETY: the op is alive; nothing keeps a reference to its attributes.
    let mut op = unsafe { OperationRefMut::from_raw(op.to_raw()) };
    if op.has_attribute(name) {
        // It is there, so that it can be removed.
        let _ = op.remove_attribute(name);
    }
}

/// The ops that use a value, each with the operand's position.
pub fn uses<'c: 'a, 'a>(value: Value<'c, 'a>) -> Vec<(OperationRef<'c, 'a>, usize)> {
    let mut found = vec![];
    // SAFETY: the value is alive, and so is what uses it; nothing changes the
    // list while it is walked.
    unsafe {
        let mut next = mlir_sys::mlirValueGetFirstUse(value.to_raw());
        while !mlir_sys::mlirOpOperandIsNull(next) {
            let owner = OperationRef::from_raw(mlir_sys::mlirOpOperandGetOwner(next));
            let position = mlir_sys::mlirOpOperandGetOperandNumber(next);
            found.push((owner, position as usize));
            next = mlir_sys::mlirOpOperandGetNextUse(next);
        }
    }
    found
}

/// Whether a value is an operand once.
pub fn is_used_once(value: Value) -> bool {
    // SAFETY: the value is alive, and so is what uses it.
    unsafe {
        let first = mlir_sys::mlirValueGetFirstUse(value.to_raw());
        !mlir_sys::mlirOpOperandIsNull(first)
            && mlir_sys::mlirOpOperandIsNull(mlir_sys::mlirOpOperandGetNextUse(first))
    }
}

/// The block that a value is an argument of, or in which it is computed.
pub fn defining_block<'c, 'a>(value: Value<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    match as_argument(value) {
        // SAFETY: the block is alive as long as its argument.
        Some(argument) => Some(unsafe { BlockRef::from_raw(argument.owner().to_raw()) }),
        None => definition(value)?.block(),
    }
}

/// The mixed lists of an op of the dialect, and of slices of `tensor`: the attribute with the
/// constants, and the group of operands with the values.
pub fn mixed_lists(name: &str) -> &'static [(&'static str, usize)] {
    match name {
        "soac.generate" | "soac.iota" => &[("static_sizes", 0)],
        "soac.fill" | "soac.replicate" | "soac.reshape" | "soac.backpermute" => {
            &[("static_sizes", 1)]
        }
        "soac.rotate" => &[("static_amounts", 1)],
        "soac.take" | "soac.drop" => &[("static_counts", 1)],
        "soac.slice" | "tensor.extract_slice" => &[
            ("static_offsets", 1),
            ("static_sizes", 2),
            ("static_strides", 3),
        ],
        "tensor.insert_slice" | "tensor.parallel_insert_slice" => &[
            ("static_offsets", 2),
            ("static_sizes", 3),
            ("static_strides", 4),
        ],
        "soac.update" => &[("static_offsets", 2), ("static_strides", 3)],
        "soac.lmad_slice" => &[
            ("static_offset", 1),
            ("static_sizes", 2),
            ("static_strides", 3),
        ],
        "soac.lmad_update" => &[("static_offset", 2), ("static_strides", 3)],
        _ => &[],
    }
}

/// The parts of an op that its results depend on.
#[derive(Clone)]
pub struct OpView<'c, 'a> {
    /// The full name, such as `soac.map`.
    pub name: &'a str,
    /// Where the op comes from.
    pub location: Location<'c>,
    /// All operands, in the order of their groups.
    pub operands: Vec<Value<'c, 'a>>,
    /// All attributes, inherent ones included.
    pub attributes: DictionaryAttribute<'c>,
    /// The result types; none while they are being inferred.
    pub result_types: Vec<Type<'c>>,
    /// The lambdas.
    pub regions: Vec<RegionRef<'c, 'a>>,
}

impl<'c, 'a> OpView<'c, 'a> {
    /// Looks at an existing op of the dialect.
    pub fn of(op: OperationRef<'c, 'a>) -> Self {
        let attributes: Vec<_> = op.attributes().collect();
        let context = op.context();
        // SAFETY: the reference, which is to the local handle, is used here
        // only; the dictionary lives as long as the context.
        let attributes = DictionaryAttribute::new(unsafe { context.to_ref() }, &attributes);
        Self::with_attributes(op, attributes)
    }

    /// Looks at an existing op whose dictionary of attributes is known.
    pub(crate) fn with_attributes(
        op: OperationRef<'c, 'a>,
        attributes: DictionaryAttribute<'c>,
    ) -> Self {
        Self {
            name: op_name(op),
            location: op.location(),
            operands: op.operands().collect(),
            attributes,
            result_types: op.results().map(|result| result.r#type()).collect(),
            regions: op.regions().collect(),
        }
    }

    /// The name without the dialect's prefix.
    pub fn mnemonic(&self) -> &'a str {
        self.name.strip_prefix("soac.").unwrap_or(self.name)
    }

    /// An attribute, if it is there.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'c>> {
        self.attributes.element_by_name(name)
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// An integer attribute, if it is there.
    pub fn integer(&self, name: &str) -> Option<i64> {
        IntegerAttribute::try_from(self.attribute(name)?)
            .ok()
            .map(|attribute| attribute.signed_value())
    }

    /// An array of integers; empty if it is not there.
    pub fn integers(&self, name: &str) -> Vec<i64> {
        let Some(Ok(array)) = self.attribute(name).map(DenseI64ArrayAttribute::try_from) else {
            return vec![];
        };
        (0..array.len())
            .filter_map(|index| array.element(index).ok())
            .collect()
    }

    /// The positions of the operands in a group, as the op's definition orders
    /// the groups.
    pub fn group(&self, index: usize) -> Range<usize> {
        let Some(Ok(segments)) = self
            .attribute("operandSegmentSizes")
            .map(DenseI32ArrayAttribute::try_from)
        else {
            return 0..self.operands.len();
        };
        let size = |group| segments.element(group).unwrap_or(0).max(0) as usize;
        let start: usize = (0..index).map(size).sum();
        let start = start.min(self.operands.len());
        start..(start + size(index)).min(self.operands.len())
    }

    /// Where an operand is given first.
    pub(crate) fn first_position(&self, operand: usize) -> usize {
        self.operands
            .iter()
            .position(|other| *other == self.operands[operand])
            .unwrap_or(operand)
    }

    /// The type of an operand.
    pub fn operand_type(&self, operand: usize) -> Type<'c> {
        self.operands[operand].r#type()
    }

    /// The type of an array operand, or nothing if it is not an array.
    pub fn array(&self, operand: usize) -> Option<RankedTensorType<'c>> {
        cast::<RankedTensorType>(self.operand_type(operand))
    }

    /// The sizes of an array operand; none if it is not an array.
    pub fn sizes(&self, operand: usize) -> Vec<Extent> {
        let rank = self.array(operand).map_or(0, |array| array.rank());
        (0..rank)
            .map(|axis| Extent::size(self, operand, axis))
            .collect()
    }

    /// A list that mixes constants (in an attribute) and the operands of a
    /// group.
    pub fn mixed(&self, attribute: &str, group: usize) -> Vec<Extent> {
        self.mixed_of(attribute, self.group(group))
    }

    /// The same list, with the values themselves.
    pub fn mixed_values(&self, attribute: &str, group: usize) -> Vec<Size<'c, 'a>> {
        self.mixed_values_of(attribute, self.group(group))
    }

    /// The sizes that an op of the dialect is given for what it makes, if it is given any.
    pub fn given_sizes(&self) -> Option<Vec<Size<'c, 'a>>> {
        let lists = mixed_lists(self.name).iter();
        let (attribute, group) = lists.copied().find(|(list, _)| *list == "static_sizes")?;
        Some(self.mixed_values(attribute, group))
    }

    /// A list that mixes constants (in an attribute) and some of the operands, with the values
    /// themselves.
    pub fn mixed_values_of(&self, attribute: &str, values: Range<usize>) -> Vec<Size<'c, 'a>> {
        let mut values = self.operands[values].iter();
        self.integers(attribute)
            .into_iter()
            .filter_map(|constant| match constant {
                DYNAMIC => values.next().map(|&value| Size::Dynamic(value)),
                _ => Some(Size::Static(constant)),
            })
            .collect()
    }

    /// A list that mixes constants (in an attribute) and some of the operands.
    pub fn mixed_of(&self, attribute: &str, mut values: Range<usize>) -> Vec<Extent> {
        self.integers(attribute)
            .into_iter()
            .filter_map(|constant| match constant {
                DYNAMIC => values
                    .next()
                    .map(|value| Extent::value(self.first_position(value))),
                _ => Some(Extent::constant(constant)),
            })
            .collect()
    }

    /// How many of a mixed list's entries are left to values.
    pub fn dynamic_entries(&self, attribute: &str) -> usize {
        self.integers(attribute)
            .iter()
            .filter(|&&entry| entry == DYNAMIC)
            .count()
    }

    /// The lambda's body, or nothing without a lambda.
    pub fn block(&self) -> Option<BlockRef<'c, 'a>> {
        let block = self.regions.first()?.first_block()?;
        // SAFETY: the block belongs to the op, which lives for 'a.
        Some(unsafe { BlockRef::from_raw(block.to_raw()) })
    }

    /// The types of a lambda's arguments, or nothing without a lambda.
    pub fn lambda_arguments(&self) -> Option<Vec<Type<'c>>> {
        let block = self.block()?;
        Some(
            (0..block.argument_count())
                .filter_map(|index| block.argument_at(index))
                .map(|argument| argument.r#type())
                .collect(),
        )
    }

    /// The values that the lambda yields, or nothing without a lambda that
    /// ends with `soac.yield`.
    pub fn yielded(&self) -> Option<Vec<Value<'c, 'a>>> {
        let block = self.block()?;
        let terminator = block.terminator()?;
        matches!(
            identifier_bytes(terminator.name()),
            b"soac.yield" | b"nest.yield"
        )
        .then(|| terminator.operands().collect())
    }
}
