//! Calls of the runtime library, and what they are given: numbers of 64 bits, addresses as well.

use std::cell::RefCell;
use std::collections::BTreeSet;

use comb_kit::{
    element_types::{array_element, bits, bits_in_memory},
    library_function::LibraryFunction,
    pass_error::PassError,
};
use melior::ir::{
    OperationRef, Type, TypeLike, Value, ValueLike,
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use soac_dialect::builder::{Builder, Values};

const fn function(name: &'static str, r#type: &'static str) -> LibraryFunction {
    LibraryFunction {
        name,
        r#type,
        takes_memory: false,
    }
}

/// Begins to use the GPU of a vendor.
pub(super) const OPEN: LibraryFunction = function("comb_device_open", "(i64) -> ()");

/// Copies bytes to the host: where to, where from, how many.
pub(super) const READ: LibraryFunction = function("comb_device_read", "(i64, i64, i64) -> ()");

/// Copies bytes to the GPU: where to, where from, how many.
pub(super) const WRITE: LibraryFunction = function("comb_device_write", "(i64, i64, i64) -> ()");

/// Where a constant is on the GPU: a slot of its own, where it is on the host, how many bytes.
pub(super) const CONSTANT: LibraryFunction =
    function("comb_device_constant", "(i64, i64, i64) -> i64");

/// Where kernels report, on the host: how many bytes.
pub(super) const REPORT: LibraryFunction = function("comb_device_report", "(i64) -> i64");

/// Waits for all kernels.
pub(super) const SYNCHRONIZE: LibraryFunction = function("comb_device_synchronize", "() -> ()");

/// Copies an array: words that describe both sides.
pub(super) const COPY: LibraryFunction = function("comb_device_copy", "(i64) -> ()");

/// Launches a kernel: slots of the code and of the kernel, the code, the kernel's name, the sizes of the grid, the parameters, and how
/// many.
pub(super) const LAUNCH: LibraryFunction = function(
    "comb_device_launch",
    "(i64, i64, i64, i64, i64, i64, i64) -> ()",
);

/// What MLIR says of constants in place of where memory was allocated.
const NOT_ALLOCATED: u64 = 0xdead_beef;

type Done<'c, T = ()> = Result<T, PassError<'c>>;

/// The runtime library, as a module uses it.
pub(super) struct Runtime<'c, 'a> {
    module: OperationRef<'c, 'a>,
    called: RefCell<BTreeSet<LibraryFunction>>,
}

impl<'c: 'a, 'a> Runtime<'c, 'a> {
    pub fn new(module: OperationRef<'c, 'a>) -> Self {
        Self {
            module,
            called: RefCell::default(),
        }
    }

    /// Calls a function that gives nothing.
    pub fn call(
        &self,
        builder: &Builder<'c, 'a>,
        function: LibraryFunction,
        operands: &[Value<'c, 'a>],
    ) -> Done<'c> {
        self.build(builder, function, operands, &[])?;
        Ok(())
    }

    /// Calls a function that gives a word.
    pub fn call_for_word(
        &self,
        builder: &Builder<'c, 'a>,
        function: LibraryFunction,
        operands: &[Value<'c, 'a>],
    ) -> Done<'c, Value<'c, 'a>> {
        let word = builder.integer_type(64);
        let call = self.build(builder, function, operands, &[word])?;
        Ok(call.result(0)?.into())
    }

    fn build(
        &self,
        builder: &Builder<'c, 'a>,
        function: LibraryFunction,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> Done<'c, OperationRef<'c, 'a>> {
        self.called.borrow_mut().insert(function);
        let callee = [("callee", builder.symbol(function.name))];
        Ok(builder.op("func.call", operands, results, &callee, vec![])?)
    }

    /// Declares what was called.
    pub fn declare(&self) -> Done<'c> {
        let called = self.called.borrow();
        called
            .iter()
            .try_for_each(|function| function.declare(self.module))
    }
}

/// A constant word.
pub(super) fn constant<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: u64,
) -> Done<'c, Value<'c, 'a>> {
    Ok(builder.integer(value as i64, builder.integer_type(64))?)
}

/// An index as a word.
pub(super) fn of_index<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    index: Value<'c, 'a>,
) -> Done<'c, Value<'c, 'a>> {
    let word = builder.integer_type(64);
    Ok(builder.value("arith.index_cast", &[index], word, &[])?)
}

/// A number in the first bytes of a word; nothing if it has more.
pub(super) fn of_number<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    number: Value<'c, 'a>,
) -> Done<'c, Option<Value<'c, 'a>>> {
    let r#type = number.r#type();
    let word = builder.integer_type(64);
    if r#type.is_index() {
        return of_index(builder, number).map(Some);
    }
    let width = bits(r#type);
    if width > 64 {
        return Ok(None);
    }
    let mut integer = number;
    if r#type.is_float() {
        let narrow = builder.integer_type(width as u32);
        integer = builder.value("arith.bitcast", &[number], narrow, &[])?;
    }
    if width < 64 {
        integer = builder.value("arith.extui", &[integer], word, &[])?;
    }
    Ok(Some(integer))
}

/// Where an array begins that has no offset, as memory of the host.
pub(super) fn address<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
) -> Done<'c, Value<'c, 'a>> {
    let name = "memref.extract_aligned_pointer_as_index";
    let index = builder.value(name, &[memory], builder.index_type(), &[])?;
    of_index(builder, index)
}

/// How many bytes an element of an array has in memory.
pub(super) fn element_bytes(memory: Value) -> u64 {
    array_element(memory.r#type()).map_or(0, |element| bits_in_memory(element) / 8)
}

/// How an array lies in memory, in words.
pub(super) struct Layout<'c, 'a> {
    pub aligned: Value<'c, 'a>,
    /// In elements.
    pub offset: Value<'c, 'a>,
    pub sizes: Values<'c, 'a>,
    /// In elements.
    pub strides: Values<'c, 'a>,
}

impl<'c: 'a, 'a> Layout<'c, 'a> {
    pub fn of(builder: &Builder<'c, 'a>, memory: Value<'c, 'a>) -> Done<'c, Self> {
        let r#type = MemRefType::try_from(memory.r#type())?;
        let rank = r#type.rank();
        let base = MemRefType::contiguous(r#type.element(), &[], None);
        let mut results = vec![base.into()];
        results.extend(vec![builder.index_type(); 1 + 2 * rank]);
        let name = "memref.extract_strided_metadata";
        let op = builder.op(name, &[memory], &results, &[], vec![])?;
        let words = (1..results.len())
            .map(|position| of_index(builder, op.result(position)?.into()))
            .collect::<Done<Values>>()?;
        Ok(Self {
            aligned: address(builder, memory)?,
            offset: words[0],
            sizes: words[1..=rank].to_vec(),
            strides: words[1 + rank..].to_vec(),
        })
    }

    /// Where the element at an index is; of no index, the first.
    pub fn address_of(
        &self,
        builder: &Builder<'c, 'a>,
        index: &[Value<'c, 'a>],
        bytes: u64,
    ) -> Done<'c, Value<'c, 'a>> {
        let mut distance = self.offset;
        for (&index, &stride) in index.iter().zip(&self.strides) {
            let index = of_index(builder, index)?;
            let product = builder.arithmetic("arith.muli", &[index, stride])?;
            distance = builder.arithmetic("arith.addi", &[distance, product])?;
        }
        let bytes = constant(builder, bytes)?;
        let distance = builder.arithmetic("arith.muli", &[distance, bytes])?;
        Ok(builder.arithmetic("arith.addi", &[self.aligned, distance])?)
    }
}

/// Memory of the host for some numbers, on the stack.
pub(super) fn room<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    sizes: &[i64],
    element: Type<'c>,
) -> Done<'c, Value<'c, 'a>> {
    let r#type = MemRefType::contiguous(element, sizes, None).into();
    let segments = [("operandSegmentSizes", builder.segments(&[0, 0]))];
    Ok(builder.value("memref.alloca", &[], r#type, &segments)?)
}

/// Words in memory of the host, and where.
pub(super) fn in_memory<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    words: &[Value<'c, 'a>],
) -> Done<'c, Value<'c, 'a>> {
    let memory = room(builder, &[words.len() as i64], builder.integer_type(64))?;
    for (position, &word) in words.iter().enumerate() {
        builder.store(word, memory, &[builder.index(position as i64)?])?;
    }
    address(builder, memory)
}

/// Where a symbol is.
pub(super) fn address_of_symbol<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    name: &str,
) -> Done<'c, Value<'c, 'a>> {
    let pointer = builder.r#type("!llvm.ptr")?;
    let global = [("global_name", builder.symbol(name))];
    let pointer = builder.value("llvm.mlir.addressof", &[], pointer, &global)?;
    let word = builder.integer_type(64);
    Ok(builder.value("llvm.ptrtoint", &[pointer], word, &[])?)
}

/// A dense array of known sizes at an address.
pub(super) fn described<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    place: Value<'c, 'a>,
    r#type: Type<'c>,
) -> Done<'c, Value<'c, 'a>> {
    let sizes = static_sizes(&MemRefType::try_from(r#type)?);
    let rank = sizes.len();
    let lists = match rank {
        0 => String::new(),
        _ => format!(", array<{rank} x i64>, array<{rank} x i64>"),
    };
    let described = builder.r#type(&format!("!llvm.struct<(ptr, ptr, i64{lists})>"))?;
    let pointer = builder.r#type("!llvm.ptr")?;
    let to_pointer =
        |word| Ok::<_, PassError>(builder.value("llvm.inttoptr", &[word], pointer, &[])?);
    let mut strides = vec![1; rank];
    for axis in (1..rank).rev() {
        strides[axis - 1] = strides[axis] * sizes[axis];
    }
    let mut fields = vec![
        (vec![0], to_pointer(constant(builder, NOT_ALLOCATED)?)?),
        (vec![1], to_pointer(place)?),
        (vec![2], constant(builder, 0)?),
    ];
    for (field, numbers) in [(3, &sizes), (4, &strides)] {
        for (axis, &number) in numbers.iter().enumerate() {
            let number = constant(builder, number as u64)?;
            fields.push((vec![field, axis as i64], number));
        }
    }
    let mut value = builder.value("llvm.mlir.poison", &[], described, &[])?;
    for (position, field) in fields {
        let position = [("position", builder.integers(&position))];
        value = builder.value("llvm.insertvalue", &[value, field], described, &position)?;
    }
    Ok(builder.value("builtin.unrealized_conversion_cast", &[value], r#type, &[])?)
}

/// The sizes of an array that its type says.
pub(super) fn static_sizes(r#type: &MemRefType) -> Vec<i64> {
    let size = |axis| match r#type.dim_size(axis) {
        Ok(DimSize::Static(size)) => size as i64,
        _ => 0,
    };
    (0..r#type.rank()).map(size).collect()
}
