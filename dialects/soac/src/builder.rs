//! Building IR inside existing IR: what passes and downstream compilers need
//! on top of melior's op builders.
//!
//! A [`Builder`] has a place and a location; every method inserts an op there.
//! Regions are built by closures, so that a body is written where its op is.
//! Each op of the dialect has a method ([`combinators`]).

pub mod combinators;
mod function;
mod memory;
mod vectors;

pub use memory::ALIGNMENT;

use melior::{
    Context, ContextRef, Error, IrRewriter,
    ir::{
        Attribute, Block, BlockLike, BlockRef, Identifier, Location, Operation, OperationRef,
        Region, RegionLike, Type, Value, ValueLike,
        attribute::{
            DenseI32ArrayAttribute, DenseI64ArrayAttribute, FlatSymbolRefAttribute, FloatAttribute,
            IntegerAttribute, StringAttribute,
        },
        operation::{OperationBuilder, OperationLike},
        r#type::{
            DimSize, FunctionType, IntegerType, MemRefType, RankedTensorType, ShapedTypeLike,
        },
    },
};

use crate::{
    cast::{Arguments, cast, is_a},
    view::{DYNAMIC, named_attributes, op_name},
};

/// Builds ops at a place in the IR.
#[derive(Clone, Copy)]
pub struct Builder<'c, 'a> {
    context: ContextRef<'c>,
    block: BlockRef<'c, 'a>,
    before: Option<OperationRef<'c, 'a>>,
    location: Location<'c>,
}

/// How an op's region gets its values: a body is given a builder and the
/// block's arguments, and returns the values that its terminator yields.
pub type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// The body of a loop nest: given the indices and what the loops carry, it
/// gives what they carry on.
pub type LoopBody<'s, 'c, 'a, E> = dyn FnMut(&Builder<'c, 'a>, &[Value<'c, 'a>], &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, E>
    + 's;

/// A size, offset or stride: known when the program is compiled, or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size<'c, 'a> {
    /// A constant.
    Static(i64),
    /// A value of type `index`.
    Dynamic(Value<'c, 'a>),
}

impl Size<'_, '_> {
    /// The size, if it is a constant.
    pub fn known(self) -> Option<u64> {
        match self {
            Self::Static(size) => u64::try_from(size).ok(),
            Self::Dynamic(_) => None,
        }
    }
}

/// How a `linalg.generic` goes over a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterator {
    /// Its iterations are independent.
    Parallel,
    /// Its iterations are combined.
    Reduction,
}

/// The parts of a `linalg.generic`; maps are in MLIR's syntax.
pub struct Generic<'s, 'c, 'a> {
    /// Arrays that are read.
    pub inputs: &'s [Value<'c, 'a>],
    /// Arrays that are written, of the result types.
    pub outputs: &'s [Value<'c, 'a>],
    /// An affine map for each input and then each output.
    pub maps: &'s [String],
    /// One for each dimension.
    pub iterators: &'s [Iterator],
}

impl<'c, 'a> Builder<'c, 'a> {
    /// Builds in front of an op, at its location.
    pub fn before(op: OperationRef<'c, 'a>) -> Option<Self> {
        Some(Self {
            context: op.context(),
            block: op.block()?,
            before: Some(op),
            location: op.location(),
        })
    }

    /// Builds behind an op that does not end its block, at its location.
    pub fn after(op: OperationRef<'c, 'a>) -> Option<Self> {
        let next = Self::before(op.next_in_block()?)?;
        Some(next.located(op.location()))
    }

    /// The same place, but another location.
    pub fn located(self, location: Location<'c>) -> Self {
        Self { location, ..self }
    }

    /// Builds at the end of a block.
    pub fn at_end(block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Self {
            context: location.context(),
            block,
            before: None,
            location,
        }
    }

    /// The location that ops are given.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// The block that ops are put into.
    pub fn block(&self) -> BlockRef<'c, 'a> {
        self.block
    }

    /// The context.
    pub fn context(&self) -> ContextRef<'c> {
        self.context
    }

    fn context_with_its_lifetime(&self) -> &'c Context {
        // SAFETY: the reference is to the handle in this builder; callers use
        // it while they borrow the builder, and keep only what belongs to the
        // context itself.
        unsafe { self.context.to_ref() }
    }

    /// The type `index`.
    pub fn index_type(&self) -> Type<'c> {
        Type::index(self.context_with_its_lifetime())
    }

    /// A signless integer type.
    pub fn integer_type(&self, width: u32) -> Type<'c> {
        IntegerType::new(self.context_with_its_lifetime(), width).into()
    }

    /// The type `f32`.
    pub fn f32_type(&self) -> Type<'c> {
        Type::float32(self.context_with_its_lifetime())
    }

    /// The type `f64`.
    pub fn f64_type(&self) -> Type<'c> {
        Type::float64(self.context_with_its_lifetime())
    }

    /// The type of functions from these types to those.
    pub fn function_type(&self, inputs: &[Type<'c>], results: &[Type<'c>]) -> Type<'c> {
        FunctionType::new(self.context_with_its_lifetime(), inputs, results).into()
    }

    /// An attribute in MLIR's syntax.
    ///
    /// # Errors
    ///
    /// If it does not parse.
    pub fn attribute(&self, source: &str) -> Result<Attribute<'c>, Error> {
        Attribute::parse(self.context_with_its_lifetime(), source)
            .ok_or_else(|| Error::AttributeParse(source.to_owned()))
    }

    /// A type in MLIR's syntax.
    ///
    /// # Errors
    ///
    /// If it does not parse.
    pub fn r#type(&self, source: &str) -> Result<Type<'c>, Error> {
        Type::parse(self.context_with_its_lifetime(), source)
            .ok_or_else(|| Error::TypeExpected("type in MLIR's syntax", source.to_owned()))
    }

    /// A flag.
    pub fn unit(&self) -> Attribute<'c> {
        Attribute::unit(self.context_with_its_lifetime())
    }

    /// A string.
    pub fn string(&self, text: &str) -> Attribute<'c> {
        StringAttribute::new(self.context_with_its_lifetime(), text).into()
    }

    /// A string of bytes that need not be text.
    pub fn bytes(&self, bytes: &[u8]) -> Attribute<'c> {
        let (data, length) = (bytes.as_ptr().cast(), bytes.len());
        let context = self.context_with_its_lifetime().to_raw();
        // SAFETY: the context copies the bytes, and owns the attribute.
        unsafe {
            let bytes = mlir_sys::MlirStringRef { data, length };
            Attribute::from_raw(mlir_sys::mlirStringAttrGet(context, bytes))
        }
    }

    /// A reference to a symbol.
    pub fn symbol(&self, name: &str) -> Attribute<'c> {
        FlatSymbolRefAttribute::new(self.context_with_its_lifetime(), name).into()
    }

    /// An integer of 64 bits.
    pub fn number(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.integer_type(64), value).into()
    }

    /// An array of integers, as ops with mixed lists have them.
    pub fn integers(&self, values: &[i64]) -> Attribute<'c> {
        DenseI64ArrayAttribute::new(self.context_with_its_lifetime(), values).into()
    }

    /// The sizes of an op's groups of operands.
    pub fn segments(&self, sizes: &[i32]) -> Attribute<'c> {
        DenseI32ArrayAttribute::new(self.context_with_its_lifetime(), sizes).into()
    }

    /// Inserts an op that exists already.
    pub fn insert(&self, op: Operation<'c>) -> OperationRef<'c, 'a> {
        match self.before {
            Some(next) => self.block.insert_operation_before(next, op),
            None => self.block.append_operation(op),
        }
    }

    /// Moves an op here from where it is.
    pub fn move_here(&self, op: OperationRef<'c, 'a>) {
        // SAFETY: the op and the place are alive and in blocks; moving changes
        // neither the op nor what refers to it.
        unsafe {
            match self.before {
                Some(next) => mlir_sys::mlirOperationMoveBefore(op.to_raw(), next.to_raw()),
                None => {
                    mlir_sys::mlirOperationRemoveFromParent(op.to_raw());
                    mlir_sys::mlirBlockAppendOwnedOperation(self.block.to_raw(), op.to_raw());
                }
            }
        }
    }

    /// Builds an op with the name and the attributes of another one.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn op_like(
        &self,
        model: OperationRef<'c, '_>,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        regions: Vec<Region<'c>>,
    ) -> Result<OperationRef<'c, 'a>, Error> {
        let attributes = named_attributes(model);
        self.op(op_name(model), operands, results, &attributes, regions)
    }

    /// Builds any op.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn op(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> Result<OperationRef<'c, 'a>, Error> {
        let attributes: Vec<_> = attributes
            .iter()
            .map(|&(name, attribute)| {
                let name = Identifier::new(self.context_with_its_lifetime(), name);
                (name, attribute)
            })
            .collect();
        let op = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(&attributes)
            .add_regions_vec(regions)
            .build()?;
        Ok(self.insert(op))
    }

    /// Builds an op with one result.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Value<'c, 'a>, Error> {
        let op = self.op(name, operands, &[result], attributes, vec![])?;
        Ok(op.result(0)?.into())
    }

    /// Builds an op whose result has the type of its first operand.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn arithmetic(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        self.value(name, operands, operands[0].r#type(), &[])
    }

    /// One of two values, or of two lanes each if they are vectors.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn select(
        &self,
        condition: Value<'c, 'a>,
        then: Value<'c, 'a>,
        otherwise: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let operands = [condition, then, otherwise];
        self.value("arith.select", &operands, then.r#type(), &[])
    }

    /// A constant of type `index` or of an integer type.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn integer(&self, value: i64, r#type: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let value = IntegerAttribute::new(r#type, value).into();
        self.value("arith.constant", &[], r#type, &[("value", value)])
    }

    /// A constant of type `index`.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn index(&self, value: i64) -> Result<Value<'c, 'a>, Error> {
        self.integer(value, self.index_type())
    }

    /// A floating-point constant.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn float(&self, value: f64, r#type: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let value = FloatAttribute::new(self.context_with_its_lifetime(), r#type, value).into();
        self.value("arith.constant", &[], r#type, &[("value", value)])
    }

    /// A size as a value.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn size_value(&self, size: Size<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        match size {
            Size::Static(size) => self.index(size),
            Size::Dynamic(value) => Ok(value),
        }
    }

    /// The sum of sizes: a constant, if all are.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn sum(
        &self,
        sizes: impl IntoIterator<Item = Size<'c, 'a>>,
    ) -> Result<Size<'c, 'a>, Error> {
        let mut sum = Size::Static(0);
        for size in sizes {
            sum = match (sum, size) {
                (Size::Static(0), other) | (other, Size::Static(0)) => other,
                (Size::Static(left), Size::Static(right)) => Size::Static(left + right),
                (left, right) => self.combined_sizes("arith.addi", left, right)?,
            };
        }
        Ok(sum)
    }

    /// The product of sizes: a constant, if all are.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn product(
        &self,
        sizes: impl IntoIterator<Item = Size<'c, 'a>>,
    ) -> Result<Size<'c, 'a>, Error> {
        let mut product = Size::Static(1);
        for size in sizes {
            product = match (product, size) {
                (Size::Static(1), other) | (other, Size::Static(1)) => other,
                (Size::Static(left), Size::Static(right)) => Size::Static(left * right),
                (left, right) => self.combined_sizes("arith.muli", left, right)?,
            };
        }
        Ok(product)
    }

    fn combined_sizes(
        &self,
        op: &str,
        left: Size<'c, 'a>,
        right: Size<'c, 'a>,
    ) -> Result<Size<'c, 'a>, Error> {
        let operands = [self.size_value(left)?, self.size_value(right)?];
        Ok(Size::Dynamic(self.arithmetic(op, &operands)?))
    }

    /// The size of an array along an axis.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn size(&self, array: Value<'c, 'a>, axis: usize) -> Result<Size<'c, 'a>, Error> {
        let (size, name) = match cast::<MemRefType>(array.r#type()) {
            Some(memory) => (memory.dim_size(axis)?, "memref.dim"),
            None => {
                let array = RankedTensorType::try_from(array.r#type())?;
                (array.dim_size(axis)?, "tensor.dim")
            }
        };
        match size {
            DimSize::Static(size) => Ok(Size::Static(size as i64)),
            DimSize::Dynamic => {
                let axis = self.index(axis as i64)?;
                let size = self.value(name, &[array, axis], self.index_type(), &[])?;
                Ok(Size::Dynamic(size))
            }
        }
    }

    /// The sizes of an array.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn sizes(&self, array: Value<'c, 'a>) -> Result<Vec<Size<'c, 'a>>, Error> {
        let rank = match cast::<MemRefType>(array.r#type()) {
            Some(memory) => memory.rank(),
            None => RankedTensorType::try_from(array.r#type())?.rank(),
        };
        (0..rank).map(|axis| self.size(array, axis)).collect()
    }

    /// Compares integers or indices; the predicate is that of `arith.cmpi`.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn compare(
        &self,
        predicate: Predicate,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let predicate = IntegerAttribute::new(self.integer_type(64), predicate as i64).into();
        self.value(
            "arith.cmpi",
            &[left, right],
            self.integer_type(1),
            &[("predicate", predicate)],
        )
    }

    /// Compares floating-point numbers, or vectors of them; the predicate is that
    /// of `arith.cmpf`.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn compare_floats(
        &self,
        predicate: FloatPredicate,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let predicate = IntegerAttribute::new(self.integer_type(64), predicate as i64).into();
        let name = Identifier::new(self.context_with_its_lifetime(), "predicate");
        let comparison = OperationBuilder::new("arith.cmpf", self.location)
            .add_operands(&[left, right])
            .add_attributes(&[(name, predicate)])
            .enable_result_type_inference()
            .build()?;
        Ok(self.insert(comparison).result(0)?.into())
    }

    /// An array of undefined elements.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn empty(&self, sizes: &[Size<'c, 'a>], element: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let (list, values) = mixed_list(sizes);
        let dimensions: Vec<u64> = list.iter().map(|&size| size as u64).collect();
        let r#type = RankedTensorType::new(&dimensions, element, None).into();
        self.value("tensor.empty", &values, r#type, &[])
    }

    /// The array as another type, of which it is known to be.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn cast(&self, array: Value<'c, 'a>, r#type: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        if array.r#type() == r#type {
            return Ok(array);
        }
        self.value("tensor.cast", &[array], r#type, &[])
    }

    /// An element of an array.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn extract(
        &self,
        array: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let element = RankedTensorType::try_from(array.r#type())?.element();
        let operands = [&[array], indices].concat();
        self.value("tensor.extract", &operands, element, &[])
    }

    /// The array with an element replaced.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn insert_element(
        &self,
        element: Value<'c, 'a>,
        array: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Result<Value<'c, 'a>, Error> {
        let operands = [&[element, array], indices].concat();
        self.value("tensor.insert", &operands, array.r#type(), &[])
    }

    /// A rectangular part of an array, of the given type, which may leave out
    /// dimensions of size 1.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn extract_slice(
        &self,
        array: Value<'c, 'a>,
        slice: &Slice<'c, 'a>,
        result: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let (operands, attributes) = self.slice_operands(&[array], slice);
        self.value("tensor.extract_slice", &operands, result, &attributes)
    }

    /// The array `into` with a rectangular part replaced.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn insert_slice(
        &self,
        array: Value<'c, 'a>,
        into: Value<'c, 'a>,
        slice: &Slice<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let (operands, attributes) = self.slice_operands(&[array, into], slice);
        self.value("tensor.insert_slice", &operands, into.r#type(), &attributes)
    }

    /// Replaces a rectangular part of an array that the iterations of an `scf.forall` share.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn insert_slice_in_parallel(
        &self,
        array: Value<'c, 'a>,
        into: Value<'c, 'a>,
        slice: &Slice<'c, 'a>,
    ) -> Result<(), Error> {
        let (operands, attributes) = self.slice_operands(&[array, into], slice);
        let name = "tensor.parallel_insert_slice";
        self.op(name, &operands, &[], &attributes, vec![])?;
        Ok(())
    }

    fn slice_operands(
        &self,
        arrays: &[Value<'c, 'a>],
        slice: &Slice<'c, 'a>,
    ) -> (Values<'c, 'a>, [(&'static str, Attribute<'c>); 4]) {
        let (offsets, offset_values) = mixed_list(&slice.offsets);
        let (sizes, size_values) = mixed_list(&slice.sizes);
        let (strides, stride_values) = mixed_list(&slice.strides);
        let mut segments = vec![1; arrays.len()];
        segments.extend(
            [&offset_values, &size_values, &stride_values].map(|values| values.len() as i32),
        );
        let attributes = [
            ("static_offsets", self.integers(&offsets)),
            ("static_sizes", self.integers(&sizes)),
            ("static_strides", self.integers(&strides)),
            ("operandSegmentSizes", self.segments(&segments)),
        ];
        let operands = [
            arrays,
            offset_values.as_slice(),
            size_values.as_slice(),
            stride_values.as_slice(),
        ]
        .concat();
        (operands, attributes)
    }

    /// A region of one block, filled by `body`, which returns what the
    /// terminator yields.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the terminator.
    pub fn region<E: From<Error>>(
        &self,
        arguments: &[Type<'c>],
        terminator: &str,
        body: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Region<'c>, E> {
        let typed: Vec<_> = arguments
            .iter()
            .map(|&argument| (argument, self.location))
            .collect();
        self.region_of(&typed, terminator, body)
    }

    /// A region whose arguments have places of their own.
    ///
    /// # Errors
    ///
    /// Those of [`Self::region`].
    pub fn region_of<E: From<Error>>(
        &self,
        arguments: &[(Type<'c>, Location<'c>)],
        terminator: &str,
        body: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Region<'c>, E> {
        let region = Region::new();
        let raw = region.append_block(Block::new(arguments)).to_raw();
        // SAFETY: the region owns the block; the region goes into an op that
        // is inserted into the IR, which lives for 'a.
        let block = unsafe { BlockRef::from_raw(raw) };
        let arguments: Values = (0..block.argument_count())
            .map(|index| block.argument(index).map(Into::into))
            .collect::<Result<_, Error>>()?;
        let builder = Builder::at_end(block, self.location);
        let yielded = body(&builder, &arguments)?;
        builder.op(terminator, &yielded, &[], &[], vec![])?;
        Ok(region)
    }

    /// A loop from 0 to `size`, carrying values.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the loop.
    pub fn for_loop<E: From<Error>>(
        &self,
        size: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E> {
        let (zero, one) = (self.index(0)?, self.index(1)?);
        self.range_loop([zero, size, one], carried, body)
    }

    /// A loop from a first index to before a last one, by a positive step,
    /// carrying values.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the loop.
    pub fn range_loop<E: From<Error>>(
        &self,
        first_end_step: [Value<'c, 'a>; 3],
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E> {
        let types: Vec<Type> = carried.iter().map(|value| value.r#type()).collect();
        let arguments = [&[self.index_type()], types.as_slice()].concat();
        let region = self.region(&arguments, "scf.yield", |builder, arguments| {
            body(builder, arguments[0], &arguments[1..])
        })?;
        let operands = [first_end_step.as_slice(), carried].concat();
        let op = self.op("scf.for", &operands, &types, &[], vec![region])?;
        Ok(op.results().map(Into::into).collect())
    }

    /// `scf.while`: runs the body as long as the condition holds of what is carried.
    ///
    /// # Errors
    ///
    /// Those of `condition` and `body`, or if MLIR rejects the loop.
    pub fn while_loop<E: From<Error>>(
        &self,
        carried: &[Value<'c, 'a>],
        condition: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, E>,
        body: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E> {
        let types: Vec<Type> = carried.iter().map(|value| value.r#type()).collect();
        let before = self.region(&types, "scf.condition", |builder, carried| {
            let holds = condition(builder, carried)?;
            Ok::<_, E>([&[holds], carried].concat())
        })?;
        let after = self.region(&types, "scf.yield", body)?;
        let op = self.op("scf.while", carried, &types, &[], vec![before, after])?;
        Ok(op.results().map(Into::into).collect())
    }

    /// Loops over all indices of a shape, in row-major order, carrying values.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects a loop.
    pub fn loop_nest<E: From<Error>>(
        &self,
        sizes: &[Value<'c, 'a>],
        carried: &[Value<'c, 'a>],
        body: &mut LoopBody<'_, 'c, 'a, E>,
    ) -> Result<Values<'c, 'a>, E> {
        self.loop_nest_from(sizes, &[], carried, body)
    }

    fn loop_nest_from<E: From<Error>>(
        &self,
        sizes: &[Value<'c, 'a>],
        outer: &[Value<'c, 'a>],
        carried: &[Value<'c, 'a>],
        body: &mut LoopBody<'_, 'c, 'a, E>,
    ) -> Result<Values<'c, 'a>, E> {
        let Some((&size, inner)) = sizes.split_first() else {
            return body(self, outer, carried);
        };
        self.for_loop(size, carried, |builder, index, carried| {
            let indices = [outer, &[index]].concat();
            builder.loop_nest_from(inner, &indices, carried, body)
        })
    }

    /// `scf.if` with values.
    ///
    /// # Errors
    ///
    /// Those of the bodies, or if MLIR rejects the op.
    pub fn if_else<E: From<Error>>(
        &self,
        condition: Value<'c, 'a>,
        results: &[Type<'c>],
        then: impl FnOnce(&Builder<'c, 'a>) -> Result<Values<'c, 'a>, E>,
        otherwise: impl FnOnce(&Builder<'c, 'a>) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E> {
        let regions = vec![
            self.region(&[], "scf.yield", |builder, _| then(builder))?,
            self.region(&[], "scf.yield", |builder, _| otherwise(builder))?,
        ];
        let op = self.op("scf.if", &[condition], results, &[], regions)?;
        Ok(op.results().map(Into::into).collect())
    }

    /// A `linalg.generic` on tensors or memory; its body is given the elements
    /// of inputs and outputs. On memory it has no results.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the op.
    pub fn generic<E: From<Error>>(
        &self,
        parts: &Generic<'_, 'c, 'a>,
        body: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E> {
        let operands = [parts.inputs, parts.outputs].concat();
        let elements = operands
            .iter()
            .map(|array| element_of(array.r#type()))
            .collect::<Result<Vec<_>, Error>>()?;
        let results: Vec<Type> = parts
            .outputs
            .iter()
            .map(|array| array.r#type())
            .filter(|&r#type| is_a::<RankedTensorType>(r#type))
            .collect();
        let region = self.region(&elements, "linalg.yield", body)?;
        let maps: Vec<String> = parts
            .maps
            .iter()
            .map(|map| format!("affine_map<{map}>"))
            .collect();
        let iterators: Vec<&str> = parts
            .iterators
            .iter()
            .map(|iterator| match iterator {
                Iterator::Parallel => "#linalg.iterator_type<parallel>",
                Iterator::Reduction => "#linalg.iterator_type<reduction>",
            })
            .collect();
        let attributes = [
            (
                "indexing_maps",
                self.attribute(&format!("[{}]", maps.join(", ")))?,
            ),
            (
                "iterator_types",
                self.attribute(&format!("[{}]", iterators.join(", ")))?,
            ),
            (
                "operandSegmentSizes",
                self.segments(&[parts.inputs.len() as i32, parts.outputs.len() as i32]),
            ),
        ];
        let op = self.op(
            "linalg.generic",
            &operands,
            &results,
            &attributes,
            vec![region],
        )?;
        Ok(op.results().map(Into::into).collect())
    }

    /// The index of the iteration of the enclosing `linalg.generic`.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    pub fn iteration_index(&self, dimension: usize) -> Result<Value<'c, 'a>, Error> {
        let dimension = IntegerAttribute::new(self.integer_type(64), dimension as i64).into();
        self.value(
            "linalg.index",
            &[],
            self.index_type(),
            &[("dim", dimension)],
        )
    }

    /// Moves the body of a lambda here: its arguments become the given values.
    /// Gives what it yields. The lambda's op must be erased afterwards.
    ///
    /// # Errors
    ///
    /// If the block has no terminator.
    pub fn inline(
        &self,
        lambda: BlockRef<'c, 'a>,
        arguments: &[Value<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        let terminator = lambda.terminator().ok_or(Error::BlockArgumentExpected(
            "a lambda that ends with a terminator".into(),
        ))?;
        let yielded: Values = terminator.operands().collect();
        // An argument that is yielded unchanged is replaced with the block's
        // arguments, so its value is looked up beforehand.
        let yielded = yielded
            .into_iter()
            .map(|value| argument_value(lambda, value, arguments).unwrap_or(value))
            .collect();
        let rewriter = IrRewriter::new(self.context_with_its_lifetime());
        let rewriter = rewriter.as_rewriter_base();
        rewriter.erase_op(terminator);
        match self.before {
            Some(next) => rewriter.inline_block_before(lambda, next, arguments),
            None => rewriter.merge_blocks(lambda, self.block, arguments),
        }
        Ok(yielded)
    }

    /// Makes everything that uses one value use another, apart from the op that
    /// computes the one from the other, if it is given.
    pub fn replace_uses(
        &self,
        from: Value<'c, 'a>,
        to: Value<'c, 'a>,
        computed_by: Option<OperationRef<'c, 'a>>,
    ) {
        let rewriter = IrRewriter::new(self.context_with_its_lifetime());
        let rewriter = rewriter.as_rewriter_base();
        match computed_by {
            Some(op) => rewriter.replace_all_uses_except(from, to, op),
            None => rewriter.replace_all_uses_with(from, to),
        }
    }

    /// Gives an op another operand.
    ///
    /// # Panics
    ///
    /// If the op has no operand there.
    pub fn set_operand(&self, op: OperationRef<'c, 'a>, position: usize, value: Value<'c, 'a>) {
        assert!(
            position < op.operand_count(),
            "an operand that is not there"
        );
        // SAFETY: the op is alive and has the operand; the value lives as long.
        unsafe {
            mlir_sys::mlirOperationSetOperand(op.to_raw(), position as isize, value.to_raw());
        }
    }

    /// Erases an op whose results nobody uses.
    pub fn erase(&self, op: OperationRef<'c, 'a>) {
        let rewriter = IrRewriter::new(self.context_with_its_lifetime());
        rewriter.as_rewriter_base().erase_op(op);
    }

    /// Replaces an op's results and erases it.
    pub fn replace(&self, op: OperationRef<'c, 'a>, values: &[Value<'c, 'a>]) {
        let rewriter = IrRewriter::new(self.context_with_its_lifetime());
        rewriter
            .as_rewriter_base()
            .replace_op_with_values(op, values);
    }
}

fn element_of<'c>(array: Type<'c>) -> Result<Type<'c>, Error> {
    match cast::<MemRefType>(array) {
        Some(memory) => Ok(memory.element()),
        None => Ok(RankedTensorType::try_from(array)?.element()),
    }
}

fn argument_value<'c, 'a>(
    block: BlockRef<'c, 'a>,
    value: Value<'c, 'a>,
    arguments: &[Value<'c, 'a>],
) -> Option<Value<'c, 'a>> {
    (0..block.argument_count())
        .find(|&index| {
            block
                .argument_at(index)
                .is_some_and(|argument| Value::from(argument) == value)
        })
        .map(|index| arguments[index])
}

/// The predicates of `arith.cmpi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
#[expect(missing_docs, reason = "MLIR's own names")]
pub enum Predicate {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Sle = 3,
    Sgt = 4,
    Sge = 5,
    Ult = 6,
    Ule = 7,
    Ugt = 8,
    Uge = 9,
}

/// The type of an array; `None` stands for a dynamic size.
pub fn array_type<'c>(sizes: &[Option<u64>], element: Type<'c>) -> Type<'c> {
    let sizes: Vec<u64> = sizes
        .iter()
        .map(|size| size.unwrap_or(DYNAMIC as u64))
        .collect();
    RankedTensorType::new(&sizes, element, None).into()
}

/// The predicates of `arith.cmpf`; those with `U` hold if an operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
#[expect(missing_docs, reason = "MLIR's own names")]
pub enum FloatPredicate {
    AlwaysFalse = 0,
    Oeq = 1,
    Ogt = 2,
    Oge = 3,
    Olt = 4,
    Ole = 5,
    One = 6,
    Ord = 7,
    Ueq = 8,
    Ugt = 9,
    Uge = 10,
    Ult = 11,
    Ule = 12,
    Une = 13,
    Uno = 14,
    AlwaysTrue = 15,
}

/// A rectangular part of an array.
#[derive(Clone)]
pub struct Slice<'c, 'a> {
    /// Where it starts in each dimension.
    pub offsets: Vec<Size<'c, 'a>>,
    /// How many elements it has in each dimension.
    pub sizes: Vec<Size<'c, 'a>>,
    /// How far they are apart.
    pub strides: Vec<Size<'c, 'a>>,
}

impl<'c, 'a> Slice<'c, 'a> {
    /// A part whose elements are next to each other.
    pub fn contiguous(offsets: Vec<Size<'c, 'a>>, sizes: Vec<Size<'c, 'a>>) -> Self {
        let strides = vec![Size::Static(1); offsets.len()];
        Self {
            offsets,
            sizes,
            strides,
        }
    }
}

/// Splits a mixed list into constants, with a marker for each value, and the
/// values.
pub fn mixed_list<'c, 'a>(sizes: &[Size<'c, 'a>]) -> (Vec<i64>, Values<'c, 'a>) {
    let mut values = vec![];
    let list = sizes
        .iter()
        .map(|size| match *size {
            Size::Static(size) => size,
            Size::Dynamic(value) => {
                values.push(value);
                DYNAMIC
            }
        })
        .collect();
    (list, values)
}
