//! Kernels, and where a thread stands in one.

use comb_kit::walk::first_op;
use melior::ir::{BlockLike, BlockRef, OperationRef, Type, TypeLike, Value, ValueLike};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::{OpView, set_attribute},
};

use super::Emitted;

/// The arguments of a `gpu.launch` before its shared arrays.
const NUMBERS: usize = 12;

/// Arithmetic on counts, which are not negative.
pub(super) trait Counts<'c, 'a> {
    fn add(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>;
    fn subtract(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>;
    fn times(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>;
    fn quotient(&self, one: Value<'c, 'a>, by: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>;
    fn remainder(&self, one: Value<'c, 'a>, by: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>;
    fn least(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>;
    fn greatest(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>;
    /// How many parts of a size make a count: one at least.
    fn parts(&self, count: Value<'c, 'a>, size: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>;
}

impl<'c, 'a> Counts<'c, 'a> for Builder<'c, 'a> {
    fn add(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(self.arithmetic("arith.addi", &[one, other])?)
    }

    fn subtract(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(self.arithmetic("arith.subi", &[one, other])?)
    }

    fn times(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(self.arithmetic("arith.muli", &[one, other])?)
    }

    fn quotient(&self, one: Value<'c, 'a>, by: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(self.arithmetic("arith.divui", &[one, by])?)
    }

    fn remainder(&self, one: Value<'c, 'a>, by: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(self.arithmetic("arith.remui", &[one, by])?)
    }

    fn least(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(self.arithmetic("arith.minsi", &[one, other])?)
    }

    fn greatest(&self, one: Value<'c, 'a>, other: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        Ok(self.arithmetic("arith.maxsi", &[one, other])?)
    }

    fn parts(&self, count: Value<'c, 'a>, size: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let one = self.index(1)?;
        let last = self.subtract(self.greatest(count, one)?, one)?;
        self.add(self.quotient(last, size)?, one)
    }
}

/// How many blocks a kernel has, and how many threads each of them, along x, y and z.
#[derive(Clone, Copy)]
pub(crate) struct Sizes<'c, 'a> {
    pub blocks: [Value<'c, 'a>; 3],
    pub threads: [Value<'c, 'a>; 3],
}

impl<'c, 'a> Sizes<'c, 'a> {
    /// Along x only.
    pub fn line(
        builder: &Builder<'c, 'a>,
        blocks: Value<'c, 'a>,
        threads: Value<'c, 'a>,
    ) -> Emitted<'c, Self> {
        let one = builder.index(1)?;
        Ok(Self {
            blocks: [blocks, one, one],
            threads: [threads, one, one],
        })
    }
}

/// Where a thread stands in a kernel.
#[derive(Clone, Copy)]
pub(crate) struct Place<'c, 'a> {
    pub block: [Value<'c, 'a>; 3],
    pub thread: [Value<'c, 'a>; 3],
    /// How many blocks there are.
    pub blocks: [Value<'c, 'a>; 3],
    /// How many threads a block has.
    pub threads: [Value<'c, 'a>; 3],
    entry: BlockRef<'c, 'a>,
}

impl<'c: 'a, 'a> Place<'c, 'a> {
    /// An array that the threads of a block share.
    pub fn shared(
        &self,
        builder: &Builder<'c, 'a>,
        sizes: &[u64],
        element: Type<'c>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let sizes: String = sizes.iter().map(|size| format!("{size}x")).collect();
        let memory = format!("memref<{sizes}{element}, #gpu.address_space<workgroup>>");
        let memory = builder.r#type(&memory)?;
        Ok(self.entry.add_argument(memory, builder.location()))
    }

    /// The same, with blocks that stand elsewhere.
    pub fn at(&self, block: [Value<'c, 'a>; 3], blocks: [Value<'c, 'a>; 3]) -> Self {
        Self {
            block,
            blocks,
            ..*self
        }
    }

    /// Builds at the start of the kernel.
    pub fn front(&self, builder: &Builder<'c, 'a>) -> Builder<'c, 'a> {
        let front = first_op(self.entry).and_then(Builder::before);
        front.map_or(*builder, |front| front.located(builder.location()))
    }

    /// Whether this is the first thread of its block.
    pub fn is_first(&self, builder: &Builder<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let zero = builder.index(0)?;
        Ok(builder.compare(Predicate::Eq, self.thread[0], zero)?)
    }
}

/// Builds a kernel.
pub(crate) fn launch<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    sizes: Sizes<'c, 'a>,
    body: impl FnOnce(&Builder<'c, 'a>, &Place<'c, 'a>) -> Emitted<'c, ()>,
) -> Emitted<'c, OperationRef<'c, 'a>> {
    let arguments = [builder.index_type(); NUMBERS];
    let region = builder.region(&arguments, "gpu.terminator", |builder, numbers| {
        let three = |first: usize| [numbers[first], numbers[first + 1], numbers[first + 2]];
        let place = Place {
            block: three(0),
            thread: three(3),
            blocks: three(6),
            threads: three(9),
            entry: builder.block(),
        };
        body(builder, &place)?;
        Emitted::Ok(vec![])
    })?;
    let operands = [sizes.blocks, sizes.threads].concat();
    let segments = builder.segments(&[0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
    let attributes = [("operandSegmentSizes", segments)];
    Ok(builder.op("gpu.launch", &operands, &[], &attributes, vec![region])?)
}

/// Says at a kernel how many shared arrays it has.
pub(crate) fn count_shared<'c: 'a, 'a>(launch: OperationRef<'c, 'a>) {
    let (Some(block), Some(builder)) = (OpView::of(launch).block(), Builder::before(launch)) else {
        return;
    };
    let shared = block.argument_count() - NUMBERS;
    let count = builder.number(shared as i64);
    set_attribute(launch, "workgroup_attributions", count);
}

/// All threads of a block wait for each other, and see what has been written.
pub(super) fn barrier<'c: 'a, 'a>(builder: &Builder<'c, 'a>) -> Emitted<'c, ()> {
    builder.op("gpu.barrier", &[], &[], &[], vec![])?;
    Ok(())
}

/// Does something under a condition.
pub(super) fn only_if<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    body: impl FnOnce(&Builder<'c, 'a>) -> Emitted<'c, ()>,
) -> Emitted<'c, ()> {
    builder.if_else(
        condition,
        &[],
        |builder| {
            body(builder)?;
            Emitted::Ok(vec![])
        },
        |_| Ok(vec![]),
    )?;
    Ok(())
}

/// A number in a register as one or two of 32 bits, and back.
pub(super) fn words<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    each: &mut dyn FnMut(&Builder<'c, 'a>, Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>>,
) -> Emitted<'c, Value<'c, 'a>> {
    let r#type = value.r#type();
    let [word, long] = [32, 64].map(|bits| builder.integer_type(bits));
    let convert =
        |name, value, to| Ok::<_, super::PassError<'c>>(builder.value(name, &[value], to, &[])?);
    if r#type.is_f32() || r#type == word {
        return each(builder, value);
    }
    if r#type.is_index() {
        let integer = convert("arith.index_cast", value, long)?;
        let integer = words(builder, integer, each)?;
        return convert("arith.index_cast", integer, r#type);
    }
    if r#type.is_float() {
        let bits = comb_kit::element_types::bits(r#type) as u32;
        let integer = convert("arith.bitcast", value, builder.integer_type(bits))?;
        let integer = words(builder, integer, each)?;
        return convert("arith.bitcast", integer, r#type);
    }
    if r#type != long {
        let wide = convert("arith.extui", value, word)?;
        let wide = each(builder, wide)?;
        return convert("arith.trunci", wide, r#type);
    }
    let half = builder.integer(32, long)?;
    let high = builder.arithmetic("arith.shrui", &[value, half])?;
    let low = each(builder, convert("arith.trunci", value, word)?)?;
    let high = each(builder, convert("arith.trunci", high, word)?)?;
    let (low, high) = (
        convert("arith.extui", low, long)?,
        convert("arith.extui", high, long)?,
    );
    let high = builder.arithmetic("arith.shli", &[high, half])?;
    Ok(builder.arithmetic("arith.ori", &[low, high])?)
}
