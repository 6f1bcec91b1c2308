//! Lowers copies between memory that is not contiguous to loops.
//!
//! Upstream's lowering calls a function of its runner's library for them. Here, rows whose
//! elements are adjacent on both sides are copied in vectors: whole ones, and one with a
//! mask for what is left over. LLVM would make vectors of a loop over elements, too, but of
//! code several times as long, which first asks whether the rows overlap. Other copies become
//! `linalg.generic`; so do those of a single row, such as what lies beside a row that a
//! stencil computes, which is often a single element.
//!
//! Cost: linear in the number of ops.

use comb_kit::{
    pass_error::PassError,
    switches::{self, Switches},
    transformations::Transformation,
    vectors,
    walk::operations,
};
use comb_machine::tuning::VECTOR_BITS;
use melior::ir::{
    OperationRef, Type, TypeLike, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, IntegerType, MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Generic, Iterator, Predicate, Values},
    cast::cast,
    view::op_name,
};

/// Lowers the strided copies of a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    switches::with(module, |switches| {
        let ops = operations(module);
        for copy in ops.into_iter().filter(|&op| op_name(op) == "memref.copy") {
            let contiguous = copy.operands().all(|memory| is_contiguous(memory.r#type()));
            if !contiguous {
                lower(copy, switches)?;
            }
        }
        Ok(())
    })
}

fn is_contiguous(memory: Type) -> bool {
    cast::<MemRefType>(memory).is_some_and(|memory| memory.affine_map().is_identity())
}

fn lower<'c>(copy: OperationRef<'c, '_>, switches: &Switches) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(copy) else {
        return Ok(());
    };
    let (source, target) = (copy.operand(0)?, copy.operand(1)?);
    let r#type = MemRefType::try_from(source.r#type())?;
    let has_rows = [source, target]
        .iter()
        .all(|memory| has_rows(memory.r#type()));
    let applies = || switches.applies(Transformation::CopiesInVectors, copy.location());
    match lanes(r#type.element()).filter(|_| has_rows && applies()) {
        Some(lanes) => copy_rows(&builder, source, target, lanes)?,
        None => copy_elements(&builder, source, target, r#type.rank())?,
    }
    builder.replace(copy, &[]);
    Ok(())
}

/// Whether there are several rows, of adjacent elements.
fn has_rows(memory: Type) -> bool {
    let Some(memory) = cast::<MemRefType>(memory) else {
        return false;
    };
    let is_one = |axis| matches!(memory.dim_size(axis), Ok(DimSize::Static(1)));
    let is_row = (0..memory.rank().saturating_sub(1)).all(is_one);
    !is_row && memory.strides_and_offset().0.last() == Some(&1)
}

/// How many elements a vector has, if there are vectors of them. An `i1` has a byte.
fn lanes(element: Type) -> Option<u64> {
    let bits = match cast::<IntegerType>(element) {
        Some(integer) => match integer.width() {
            1 => 8,
            width @ (8 | 16 | 32 | 64) => u64::from(width),
            _ => return None,
        },
        None if element.is_f32() => 32,
        None if element.is_f64() || element.is_index() => 64,
        None => return None,
    };
    Some(VECTOR_BITS / bits)
}

fn copy_rows<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    source: Value<'c, 'a>,
    target: Value<'c, 'a>,
    lanes: u64,
) -> Result<(), PassError<'c>> {
    let rank = MemRefType::try_from(source.r#type())?.rank();
    let mut sizes = (0..rank)
        .map(|axis| {
            let axis = builder.index(axis as i64)?;
            builder.value("memref.dim", &[source, axis], builder.index_type(), &[])
        })
        .collect::<Result<Values, _>>()?;
    let Some(length) = sizes.pop() else {
        return Ok(());
    };
    let [step, zero] = [builder.index(lanes as i64)?, builder.index(0)?];
    let left_over = builder.arithmetic("arith.remui", &[length, step])?;
    let whole = builder.arithmetic("arith.subi", &[length, left_over])?;
    let is_left_over = builder.compare(Predicate::Ne, left_over, zero)?;
    builder.loop_nest(&sizes, &[], &mut |builder, row, _| {
        builder.range_loop([zero, whole, step], &[], |builder, place, _| {
            let index = [row, &[place]].concat();
            copy_vector(builder, source, target, &index, lanes, None)?;
            Ok::<_, PassError>(vec![])
        })?;
        builder.if_else(
            is_left_over,
            &[],
            |builder| {
                let index = [row, &[whole]].concat();
                let mask = builder.vector_type(lanes, builder.integer_type(1));
                let mask = builder.value("vector.create_mask", &[left_over], mask, &[])?;
                copy_vector(builder, source, target, &index, lanes, Some(mask))?;
                Ok::<_, PassError>(vec![])
            },
            |_| Ok(vec![]),
        )
    })?;
    Ok(())
}

/// Copies a vector, or the lanes of it that are in a mask.
fn copy_vector<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    source: Value<'c, 'a>,
    target: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    lanes: u64,
    mask: Option<Value<'c, 'a>>,
) -> Result<(), PassError<'c>> {
    let vector = vectors::load(builder, source, index, lanes, mask)?;
    Ok(vectors::store(builder, vector, target, index, mask)?)
}

fn copy_elements<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    source: Value<'c, 'a>,
    target: Value<'c, 'a>,
    rank: usize,
) -> Result<(), PassError<'c>> {
    let dims: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
    let identity = format!("({0}) -> ({0})", dims.join(", "));
    let parts = Generic {
        inputs: &[source],
        outputs: &[target],
        maps: &[identity.clone(), identity],
        iterators: &vec![Iterator::Parallel; rank],
    };
    builder.generic::<melior::Error>(&parts, |_, elements| Ok(vec![elements[0]]))?;
    Ok(())
}
