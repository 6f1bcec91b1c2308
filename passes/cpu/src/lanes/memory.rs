//! Vectors of lanes in memory: how an index lays them out, and how they are loaded and stored.

use melior::ir::{Type, Value, ValueLike, r#type::MemRefType, r#type::ShapedTypeLike};
use soac_dialect::{
    builder::{ALIGNMENT, Builder, Predicate},
    cast::Parts,
    view::{definition, memory_strides, op_name},
};

use super::{Emitted, Lanes, Scope};
use comb_kit::{
    element_types::bits_in_memory,
    vectors::{self, zero},
};

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// How lanes are laid out in memory.
pub enum Layout<'c, 'a> {
    /// All at one index.
    Point(Values<'c, 'a>),
    /// Next to each other, from this index on.
    Forwards(Values<'c, 'a>),
    /// Next to each other, the last lane first, from this index on.
    Backwards(Values<'c, 'a>),
    /// Anywhere.
    Scattered,
}

/// How an index lays out lanes.
pub fn layout<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    index: &[Lanes<'c, 'a>],
) -> Emitted<'c, Layout<'c, 'a>> {
    let uniform: Option<Values> = index.iter().map(|component| component.uniform()).collect();
    if let Some(index) = uniform {
        return Ok(Layout::Point(index));
    }
    let (last, outer) = index.split_last().expect("a point has no lanes");
    let outer: Option<Values> = outer.iter().map(|component| component.uniform()).collect();
    let (Some(mut index), &Lanes::Steps { first, step }) = (outer, last) else {
        return Ok(Layout::Scattered);
    };
    match step {
        1 => {
            index.push(first);
            Ok(Layout::Forwards(index))
        }
        -1 => {
            let back = builder.index(1 - scope.width as i64)?;
            index.push(builder.arithmetic("arith.addi", &[first, back])?);
            Ok(Layout::Backwards(index))
        }
        _ => Ok(Layout::Scattered),
    }
}

/// The element at one index, for all lanes: zero if none of them counts.
pub fn read_point<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Emitted<'c, Lanes<'c, 'a>> {
    let Some(mask) = scope.mask.filter(|&mask| left_over(mask).is_none()) else {
        return Ok(Lanes::Uniform(builder.load(memory, index)?));
    };
    let counts = match scope.is_vector() {
        true => builder.any_lane(mask)?,
        false => mask,
    };
    let element = element_type(memory)?;
    let value = builder.if_else(
        counts,
        &[element],
        |builder| Ok(vec![builder.load(memory, index)?]),
        |builder| Emitted::Ok(vec![zero(builder, element)?]),
    )?;
    Ok(Lanes::Uniform(value[0]))
}

/// Loads neighbours, in the lanes of a mask if there is one.
pub fn load_vector<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Emitted<'c, Value<'c, 'a>> {
    Ok(vectors::load(
        builder,
        memory,
        index,
        scope.width,
        scope.mask,
    )?)
}

/// Stores neighbours, in the lanes of a mask if there is one.
pub fn store_vector<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    value: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    Ok(vectors::store(builder, value, memory, index, scope.mask)?)
}

/// Whether vectors of numbers fill lines of the cache.
pub fn fills_lines(lanes: u64, bits: u64) -> bool {
    (lanes * bits / 8).is_multiple_of(ALIGNMENT as u64)
}

/// Whether elements that differ by one in the last component of their index are next to each
/// other in memory of a type.
pub fn has_neighbours(memory: Type) -> bool {
    let strides = memory_strides(memory);
    strides.is_some_and(|strides| strides.last() == Some(&1))
}

/// The address of the element at an index; of the first element without one.
pub fn address<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Emitted<'c, Value<'c, 'a>> {
    let r#type = builder.index_type();
    let (element, rank) = {
        let memory = MemRefType::try_from(memory.r#type())?;
        (memory.element(), memory.rank())
    };
    let base = MemRefType::contiguous(element, &[], None).into();
    let types: Vec<Type> = [vec![base], vec![r#type; 1 + 2 * rank]].concat();
    let parts = builder.op(
        "memref.extract_strided_metadata",
        &[memory],
        &types,
        &[],
        vec![],
    )?;
    let pointer = "memref.extract_aligned_pointer_as_index";
    let start = builder.value(pointer, &[parts.result(0)?.into()], r#type, &[])?;
    let mut elements: Value = parts.result(1)?.into();
    for (axis, &component) in index.iter().enumerate() {
        let stride = parts.result(2 + rank + axis)?.into();
        let distance = builder.arithmetic("arith.muli", &[component, stride])?;
        elements = builder.arithmetic("arith.addi", &[elements, distance])?;
    }
    let bytes = builder.index(bits_in_memory(element) as i64 / 8)?;
    let distance = builder.arithmetic("arith.muli", &[elements, bytes])?;
    Ok(builder.arithmetic("arith.addi", &[start, distance])?)
}

/// Writes whole vectors past the caches.
pub fn store_streaming<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    value: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    let operands = [&[value, memory], index].concat();
    let attributes = [
        ("nontemporal", builder.attribute("true")?),
        ("alignment", builder.number(ALIGNMENT)),
    ];
    builder.op("vector.store", &operands, &[], &attributes, vec![])?;
    Ok(())
}

/// Writes one lane after the other.
pub fn write_lanes<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Lanes<'c, 'a>],
    value: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    let element = element_type(memory)?;
    let index = index
        .iter()
        .map(|&component| scope.whole(builder, component))
        .collect::<Emitted<Values>>()?;
    each_lane(builder, scope, |builder, lane| {
        let point = index
            .iter()
            .map(|&component| Ok(builder.lane_at(component, lane, builder.index_type())?))
            .collect::<Emitted<Values>>()?;
        let value = builder.lane_at(value, lane, element)?;
        Ok(builder.store(value, memory, &point)?)
    })
}

/// How many lanes count, if a mask is that of the lanes that are left over at the end of a loop. There is
/// no code for it to run if there are none.
pub fn left_over<'c: 'a, 'a>(mask: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let made = definition(mask).filter(|&op| op_name(op) == "vector.create_mask")?;
    made.operand_at(0)
}

/// Runs code for each lane that counts, in order.
pub fn each_lane<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    code: impl FnOnce(&Builder<'c, 'a>, Value<'c, 'a>) -> Emitted<'c, ()>,
) -> Emitted<'c, ()> {
    let width = builder.index(scope.width as i64)?;
    builder.for_loop(width, &[], |builder, lane, _| {
        let counts = match scope.mask {
            Some(mask) => Some(builder.lane_at(mask, lane, builder.integer_type(1))?),
            None => None,
        };
        let single = Scope {
            width: 1,
            mask: counts,
        };
        masked(builder, &single, |builder| code(builder, lane))?;
        Emitted::Ok(vec![])
    })?;
    Ok(())
}

/// Runs code for one lane, if it counts.
pub fn masked<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    code: impl FnOnce(&Builder<'c, 'a>) -> Emitted<'c, ()>,
) -> Emitted<'c, ()> {
    let Some(mask) = scope.mask else {
        return code(builder);
    };
    builder.if_else(
        mask,
        &[],
        |builder| {
            code(builder)?;
            Emitted::Ok(vec![])
        },
        |_| Ok(vec![]),
    )?;
    Ok(())
}

/// The lanes from the last to the first.
pub fn reversed<'c, 'a>(
    builder: &Builder<'c, 'a>,
    vector: Value<'c, 'a>,
    width: u64,
    element: Type<'c>,
) -> Emitted<'c, Value<'c, 'a>> {
    let positions: Vec<i64> = (0..width as i64).rev().collect();
    Ok(builder.shuffle(vector, vector, &positions, element)?)
}

/// A mask from its last lane to its first.
pub fn reversed_mask<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
) -> Emitted<'c, Scope<'c, 'a>> {
    let mask = match scope.mask {
        Some(mask) => Some(reversed(
            builder,
            mask,
            scope.width,
            builder.integer_type(1),
        )?),
        None => None,
    };
    Ok(Scope {
        width: scope.width,
        mask,
    })
}

/// Compares vectors of indices.
pub fn compare<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    predicate: Predicate,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let truth = scope.r#type(builder, builder.integer_type(1));
    let predicate = builder.number(predicate as i64);
    Ok(builder.value(
        "arith.cmpi",
        &[left, right],
        truth,
        &[("predicate", predicate)],
    )?)
}

/// The type of the elements of memory.
pub fn element_type<'c>(memory: Value<'c, '_>) -> Emitted<'c, Type<'c>> {
    Ok(MemRefType::try_from(memory.r#type())?.element())
}

/// Memory for so many elements, of the type that other memory has.
pub fn vector_in_memory<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    width: u64,
) -> Emitted<'c, Value<'c, 'a>> {
    let element = element_type(memory)?;
    let r#type = builder.r#type(&format!("memref<{width}x{element}>"))?;
    let attributes = [
        ("alignment", builder.number(ALIGNMENT)),
        ("operandSegmentSizes", builder.segments(&[0, 0])),
    ];
    Ok(builder.value("memref.alloca", &[], r#type, &attributes)?)
}

/// Asks for the line in which an element is.
pub fn fetch<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Emitted<'c, ()> {
    let attributes = [
        ("isWrite", builder.attribute("false")?),
        ("localityHint", builder.attribute("3 : i32")?),
        ("isDataCache", builder.attribute("true")?),
    ];
    let operands = [&[memory], index].concat();
    builder.op("memref.prefetch", &operands, &[], &attributes, vec![])?;
    Ok(())
}
