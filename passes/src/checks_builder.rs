//! Building IR at a place: ops by name, and the constants, comparisons and
//! checks that run-time checks are made of.
//!
//! The `unsafe` here is that of melior's context handles and of the C API's
//! mutations that melior does not wrap.

use melior::{
    ContextRef, Error,
    ir::{
        Attribute, Block, BlockRef, Identifier, Location, Operation, OperationRef, Region,
        RegionLike, Type, TypeLike, Value, ValueLike,
        attribute::{FloatAttribute, IntegerAttribute, StringAttribute},
        block::{BlockArgument, BlockLike},
        operation::{
            OperationBuilder, OperationLike, OperationMutLike, OperationRefMut, OperationResult,
        },
        r#type::IntegerType,
    },
};
use mlir_sys::mlirValueReplaceAllUsesExcept;

/// Predicates of `arith.cmpi`, as the dialect numbers them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Integers {
    /// Equal.
    Equal = 0,
    /// Not equal.
    NotEqual = 1,
    /// Signed less or equal.
    SignedAtMost = 3,
    /// Signed greater or equal.
    SignedAtLeast = 5,
    /// Unsigned less.
    UnsignedLess = 6,
}

/// Predicates of `arith.cmpf`, as the dialect numbers them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Floats {
    /// Ordered, and greater or equal.
    AtLeast = 3,
    /// Ordered, and less.
    Less = 4,
    /// Ordered, and less or equal.
    AtMost = 5,
    /// Neither is NaN.
    Ordered = 7,
}

/// A place in the program at which to build ops, all with one location.
#[derive(Clone, Copy)]
pub(crate) struct Builder<'c, 'a> {
    context: ContextRef<'c>,
    location: Location<'c>,
    block: BlockRef<'c, 'a>,
    before: Option<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// In front of an op, with its location; nothing if it is in no block.
    pub fn before(op: OperationRef<'c, 'a>) -> Option<Self> {
        Some(Self {
            context: op.context(),
            location: op.location(),
            block: op.block()?,
            before: Some(op),
        })
    }

    /// Behind an op that does not end its block, with its location.
    pub fn after(op: OperationRef<'c, 'a>) -> Option<Self> {
        Some(Self::before(op.next_in_block()?)?.located(op.location()))
    }

    /// At the end of a block.
    pub fn at_end(block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Self {
            context: location.context(),
            location,
            block,
            before: None,
        }
    }

    /// The same place, for ops with another location.
    pub fn located(self, location: Location<'c>) -> Self {
        Self { location, ..self }
    }

    /// Builds something that the context owns.
    ///
    /// The context's handle that melior's constructors take must not be kept;
    /// what they make lives as long as the context.
    fn with_context<T>(&self, build: impl FnOnce(&'c melior::Context) -> T) -> T {
        let context = self.context;
        // SAFETY: the reference is to the local handle, and used by the
        // constructor only.
        build(unsafe { context.to_ref() })
    }

    /// The type `index`.
    pub fn index_type(&self) -> Type<'c> {
        self.with_context(Type::index)
    }

    /// A signless integer type.
    pub fn integer_type(&self, width: u32) -> Type<'c> {
        self.with_context(|context| IntegerType::new(context, width).into())
    }

    /// A type or attribute-like thing in MLIR's syntax.
    pub fn parse_type(&self, text: &str) -> Result<Type<'c>, Error> {
        self.with_context(|context| Type::parse(context, text))
            .ok_or(Error::OperationBuild)
    }

    /// An attribute in MLIR's syntax.
    pub fn parse_attribute(&self, text: &str) -> Result<Attribute<'c>, Error> {
        self.with_context(|context| Attribute::parse(context, text))
            .ok_or(Error::OperationBuild)
    }

    /// A string attribute.
    pub fn string(&self, text: &str) -> Attribute<'c> {
        self.with_context(|context| StringAttribute::new(context, text).into())
    }

    /// A 64-bit integer attribute.
    pub fn integer_attribute(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.integer_type(64), value).into()
    }

    /// Builds an op without regions.
    pub fn op(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, Attribute<'c>)],
        results: &[Type<'c>],
    ) -> Result<OperationRef<'c, 'a>, Error> {
        self.op_with_regions(name, operands, attributes, results, vec![])
    }

    /// Builds an op.
    pub fn op_with_regions(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, Attribute<'c>)],
        results: &[Type<'c>],
        regions: Vec<Region<'c>>,
    ) -> Result<OperationRef<'c, 'a>, Error> {
        let attributes: Vec<_> = attributes
            .iter()
            .map(|&(name, attribute)| {
                let name = self.with_context(|context| Identifier::new(context, name));
                (name, attribute)
            })
            .collect();
        let op = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_attributes(&attributes)
            .add_results(results)
            .add_regions_vec(regions)
            .build()?;
        Ok(self.insert(op))
    }

    fn insert(&self, op: Operation<'c>) -> OperationRef<'c, 'a> {
        match self.before {
            Some(before) => self.block.insert_operation_before(before, op),
            None => self.block.append_operation(op),
        }
    }

    /// Builds an op with one result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, Attribute<'c>)],
        result: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let op = self.op(name, operands, attributes, &[result])?;
        Ok(op.result(0)?.into())
    }

    /// `arith.constant` of an integer or `index` type; wrapped to its width.
    pub fn constant(&self, r#type: Type<'c>, value: i64) -> Result<Value<'c, 'a>, Error> {
        let narrow = IntegerType::try_from(r#type).map_or(true, |integer| integer.width() <= 64);
        let attribute = if narrow {
            IntegerAttribute::new(r#type, value).into()
        } else {
            self.parse_attribute(&format!("{value} : {type}"))?
        };
        self.value("arith.constant", &[], &[("value", attribute)], r#type)
    }

    /// `arith.constant` of type `index`.
    pub fn index(&self, value: i64) -> Result<Value<'c, 'a>, Error> {
        self.constant(self.index_type(), value)
    }

    /// `arith.constant` of a floating-point type.
    pub fn float(&self, r#type: Type<'c>, value: f64) -> Result<Value<'c, 'a>, Error> {
        let attribute =
            self.with_context(|context| FloatAttribute::new(context, r#type, value).into());
        self.value("arith.constant", &[], &[("value", attribute)], r#type)
    }

    /// An op on two values of one type that gives a third.
    pub fn binary(
        &self,
        name: &str,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        self.value(name, &[left, right], &[], left.r#type())
    }

    /// `arith.cmpi`.
    pub fn compare(
        &self,
        predicate: Integers,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let predicate = self.integer_attribute(predicate as i64);
        let attributes = [("predicate", predicate)];
        self.value(
            "arith.cmpi",
            &[left, right],
            &attributes,
            self.integer_type(1),
        )
    }

    /// `arith.cmpf`.
    pub fn compare_floats(
        &self,
        predicate: Floats,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let predicate = self.integer_attribute(predicate as i64);
        let attributes = [("predicate", predicate)];
        self.value(
            "arith.cmpf",
            &[left, right],
            &attributes,
            self.integer_type(1),
        )
    }

    /// `arith.select`.
    pub fn select(
        &self,
        condition: Value<'c, 'a>,
        one: Value<'c, 'a>,
        other: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        self.value("arith.select", &[condition, one, other], &[], one.r#type())
    }

    /// Conjunction of conditions; true if there are none.
    pub fn all(&self, conditions: &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error> {
        match conditions {
            [] => self.constant(self.integer_type(1), 1),
            [first, rest @ ..] => rest.iter().try_fold(*first, |all, &condition| {
                self.binary("arith.andi", all, condition)
            }),
        }
    }

    /// `tensor.dim` along a constant dimension.
    pub fn dim(&self, array: Value<'c, 'a>, axis: usize) -> Result<Value<'c, 'a>, Error> {
        let axis = self.index(axis as i64)?;
        self.value("tensor.dim", &[array, axis], &[], self.index_type())
    }

    /// `soac.check`.
    pub fn check(
        &self,
        condition: Value<'c, 'a>,
        message: &str,
        values: &[Value<'c, 'a>],
    ) -> Result<(), Error> {
        let operands = [&[condition], values].concat();
        let message = self.string(message);
        self.op("soac.check", &operands, &[("message", message)], &[])?;
        Ok(())
    }

    /// `llvm.mlir.constant` of 64 bits.
    pub fn long(&self, value: i64) -> Result<Value<'c, 'a>, Error> {
        let attributes = [("value", self.integer_attribute(value))];
        self.value(
            "llvm.mlir.constant",
            &[],
            &attributes,
            self.integer_type(64),
        )
    }

    /// A region of one block without arguments, filled by `fill`.
    pub fn region(
        &self,
        fill: impl FnOnce(Builder<'c, 'a>) -> Result<(), Error>,
    ) -> Result<Region<'c>, Error> {
        self.region_with_arguments(&[], |builder, _| fill(builder))
    }

    /// A region of one block, filled by `fill`, which gets the arguments.
    pub fn region_with_arguments(
        &self,
        types: &[Type<'c>],
        fill: impl FnOnce(Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<(), Error>,
    ) -> Result<Region<'c>, Error> {
        let arguments: Vec<_> = types
            .iter()
            .map(|&r#type| (r#type, self.location))
            .collect();
        let region = Region::new();
        let block = region.append_block(Block::new(&arguments)).to_raw();
        // SAFETY: the block is the region's, which becomes part of the program
        // that 'a stands for, or is dropped with everything in it.
        let block: BlockRef<'c, 'a> = unsafe { BlockRef::from_raw(block) };
        let arguments = (0..types.len())
            .map(|number| Ok(block.argument(number)?.into()))
            .collect::<Result<Vec<_>, Error>>()?;
        fill(Builder::at_end(block, self.location), &arguments)?;
        Ok(region)
    }
}

/// Makes an op take another operand.
pub(crate) fn set_operand<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    index: usize,
    value: Value<'c, 'a>,
) {
    // SAFETY: the op is alive, and nothing else refers to its operands.
    let mut op = unsafe { OperationRefMut::from_raw(op.to_raw()) };
    op.set_operand(index, value);
}

/// Makes everything that uses one value use another, except the ops that define
/// `computed`.
pub(crate) fn replace_uses<'c: 'a, 'a>(
    of: Value<'c, 'a>,
    with: Value<'c, 'a>,
    computed: &[Value<'c, 'a>],
) {
    let mut exceptions: Vec<_> = computed
        .iter()
        .filter_map(|&value| Some(definition(value)?.to_raw()))
        .collect();
    // SAFETY: both values and the op are alive.
    unsafe {
        mlirValueReplaceAllUsesExcept(
            of.to_raw(),
            with.to_raw(),
            exceptions.len() as isize,
            exceptions.as_mut_ptr(),
        );
    }
}

/// Removes an op without uses from the program. Its handles are dead then.
pub(crate) fn erase(op: OperationRef) {
    // SAFETY: the op is alive, has no uses, and its callers walk a list of ops
    // that they collected before and look at each once.
    unsafe {
        OperationRefMut::from_raw(op.to_raw()).remove_from_parent();
        drop(Operation::from_raw(op.to_raw()));
    }
}

/// The full name of an op.
pub(crate) fn name_of(op: OperationRef) -> String {
    op.name()
        .as_string_ref()
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// The op that defines a value, unless it is a block argument.
pub(crate) fn definition<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    Some(OperationResult::try_from(value).ok()?.owner())
}

/// The op whose region a block argument belongs to, and the argument's
/// position; nothing if the value is an op's result.
pub(crate) fn argument_of<'c: 'a, 'a>(
    value: Value<'c, 'a>,
) -> Option<(OperationRef<'c, 'a>, usize)> {
    let argument = BlockArgument::try_from(value).ok()?;
    let parent = argument.owner().parent_operation()?;
    // SAFETY: the op is alive as long as the value, which is part of it; only
    // the handle that it was found through is not.
    let parent = unsafe { OperationRef::from_raw(parent.to_raw()) };
    Some((parent, argument.argument_number()))
}

/// All ops inside an op, outer ones first, in program order.
pub(crate) fn operations<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = vec![];
    collect(op, &mut found);
    found
}

fn collect<'c: 'a, 'a>(op: OperationRef<'c, 'a>, found: &mut Vec<OperationRef<'c, 'a>>) {
    for region in op.regions() {
        let mut block = region.first_block();
        while let Some(current) = block {
            let mut inner = current.first_operation();
            while let Some(op) = inner {
                found.push(op);
                collect(op, found);
                inner = op.next_in_block();
            }
            block = current.next_in_region();
        }
    }
}

/// Whether a type is a signless integer or `index`, with its width in bits
/// (that of `index` is 64).
pub(crate) fn integer_width(r#type: Type) -> Option<u32> {
    if r#type.is_index() {
        return Some(64);
    }
    IntegerType::try_from(r#type)
        .ok()
        .map(|integer| integer.width())
}
