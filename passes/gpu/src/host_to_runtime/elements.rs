//! Elements of arrays that the host reads and writes.
//!
//! Of a small array, whose size its type says, all is copied when the host reads an element, and other reads take theirs from the copy, until something
//! may have changed the array. What is written to all elements of one, one op behind the other, is copied at once, too.

use comb_kit::{
    element_types::known_bytes,
    pass_error::PassError,
    walk::{blocks, ops_of},
};
use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::cast,
    view::{integer_constant, op_name},
};

use super::on_host::OnHost;
use super::own_functions;
use super::runtime::{Layout, READ, Runtime, WRITE, address, constant, element_bytes, room};

/// No larger array is copied for the sake of one element.
const MOST_BYTES: u64 = 512;

type Done<'c, T = ()> = Result<T, PassError<'c>>;

/// Converts all reads and writes of elements in functions of a module.
pub(super) fn convert<'c: 'a, 'a>(
    module: OperationRef<'c, 'a>,
    on_host: &OnHost<'c, 'a>,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    own_functions(module)
        .into_iter()
        .try_for_each(|function| convert_in(function, on_host, runtime))
}

fn convert_in<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    on_host: &OnHost<'c, 'a>,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    for block in blocks(op) {
        // From inside out, so that what is built here is not looked at.
        for op in ops_of(block) {
            convert_in(op, on_host, runtime)?;
        }
        convert_reads(&ops_of(block), on_host, runtime)?;
        convert_writes(&ops_of(block), on_host, runtime)?;
    }
    Ok(())
}

/// The sizes of a small dense array that its type says.
fn small_sizes(memory: Value) -> Option<Vec<i64>> {
    let r#type = cast::<MemRefType>(memory.r#type())?;
    let is_small = known_bytes(memory.r#type()).is_some_and(|bytes| bytes <= MOST_BYTES);
    let size = |axis| match r#type.dim_size(axis) {
        Ok(DimSize::Static(size)) => Some(size as i64),
        _ => None,
    };
    let is_dense = r#type.affine_map().is_identity();
    (is_small && is_dense).then(|| (0..r#type.rank()).map(size).collect())?
}

/// Copies of arrays that are as the arrays are now.
type Copies<'c, 'a> = Vec<(Value<'c, 'a>, Value<'c, 'a>)>;

fn convert_reads<'c: 'a, 'a>(
    ops: &[OperationRef<'c, 'a>],
    on_host: &OnHost<'c, 'a>,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    let mut copies: Copies = vec![];
    for &op in ops {
        if op_name(op) != "memref.load" {
            if may_change_arrays(op) {
                copies.clear();
            }
            continue;
        }
        let memory = op.operand(0)?;
        let Some(builder) = Builder::before(op).filter(|_| !on_host.has(memory)) else {
            continue;
        };
        let index: Values = op.operands().skip(1).collect();
        let value = match small_sizes(memory) {
            Some(sizes) => {
                let known = copies.iter().find(|(of, _)| *of == memory);
                let copy = match known {
                    Some(&(_, copy)) => copy,
                    None => copy_to_host(&builder, memory, &sizes, runtime)?,
                };
                copies.push((memory, copy));
                builder.load(copy, &index)?
            }
            None => read_element(&builder, memory, &index, runtime)?,
        };
        builder.replace(op, &[value]);
    }
    Ok(())
}

/// Whether an op may change arrays on the GPU.
fn may_change_arrays(op: OperationRef) -> bool {
    let name = op_name(op);
    let only_numbers = name.starts_with("arith.") || name.starts_with("math.");
    let leaves_arrays = matches!(
        name,
        "memref.alloc" | "memref.alloca" | "memref.dim" | "soac.check"
    );
    !only_numbers && !leaves_arrays
}

fn copy_to_host<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    sizes: &[i64],
    runtime: &Runtime<'c, 'a>,
) -> Done<'c, Value<'c, 'a>> {
    let element = MemRefType::try_from(memory.r#type())?.element();
    let copy = room(builder, sizes, element)?;
    let bytes = constant(builder, known_bytes(memory.r#type()).unwrap_or_default())?;
    let operands = [address(builder, copy)?, address(builder, memory)?, bytes];
    runtime.call(builder, READ, &operands)?;
    Ok(copy)
}

fn read_element<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
    runtime: &Runtime<'c, 'a>,
) -> Done<'c, Value<'c, 'a>> {
    let element = MemRefType::try_from(memory.r#type())?.element();
    let bytes = element_bytes(memory);
    let copy = room(builder, &[], element)?;
    let place = Layout::of(builder, memory)?.address_of(builder, index, bytes)?;
    let operands = [address(builder, copy)?, place, constant(builder, bytes)?];
    runtime.call(builder, READ, &operands)?;
    Ok(builder.load(copy, &[])?)
}

fn convert_writes<'c: 'a, 'a>(
    ops: &[OperationRef<'c, 'a>],
    on_host: &OnHost<'c, 'a>,
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    let mut rest = ops;
    while let Some((&op, behind)) = rest.split_first() {
        rest = behind;
        if op_name(op) != "memref.store" || on_host.has(op.operand(1)?) {
            continue;
        }
        let memory = op.operand(1)?;
        match small_sizes(memory) {
            Some(sizes) => {
                let (stores, others) = stores_of_all(op, behind, &sizes);
                match stores {
                    Some(stores) => {
                        write_all(&stores, memory, &sizes, runtime)?;
                        rest = others;
                    }
                    None => write_element(op, runtime)?,
                }
            }
            None => write_element(op, runtime)?,
        }
    }
    Ok(())
}

/// The stores that write all elements of an array, if they follow each other from one on, and the ops behind.
fn stores_of_all<'s, 'c: 'a, 'a>(
    first: OperationRef<'c, 'a>,
    behind: &'s [OperationRef<'c, 'a>],
    sizes: &[i64],
) -> (
    Option<Vec<OperationRef<'c, 'a>>>,
    &'s [OperationRef<'c, 'a>],
) {
    let count: i64 = sizes.iter().product();
    let mut is_written = vec![false; count as usize];
    let mut stores = vec![];
    let memory = first.operand(1).ok();
    let ops = std::iter::once(first).chain(behind.iter().copied());
    for (position, op) in ops.enumerate() {
        let is_number = op_name(op).starts_with("arith.");
        if op_name(op) == "memref.store" && op.operand(1).ok() == memory {
            match place(op, sizes).and_then(|place| is_written.get_mut(place)) {
                Some(is_written) => *is_written = true,
                None => break,
            }
            stores.push(op);
        } else if !is_number {
            break;
        }
        if is_written.iter().all(|&is_written| is_written) {
            return (Some(stores), &behind[position..]);
        }
    }
    (None, behind)
}

/// Which element of a dense array is written, if that is known.
fn place(store: OperationRef, sizes: &[i64]) -> Option<usize> {
    let mut place = 0;
    for (index, &size) in store.operands().skip(2).zip(sizes) {
        let index = integer_constant(index).filter(|index| (0..size).contains(index))?;
        place = place * size + index;
    }
    usize::try_from(place).ok()
}

fn write_all<'c: 'a, 'a>(
    stores: &[OperationRef<'c, 'a>],
    memory: Value<'c, 'a>,
    sizes: &[i64],
    runtime: &Runtime<'c, 'a>,
) -> Done<'c> {
    let ends = (stores.first(), stores.last());
    let (Some(&first), Some(&last)) = ends else {
        return Ok(());
    };
    let (Some(front), Some(behind)) = (Builder::before(first), Builder::after(last)) else {
        return Ok(());
    };
    let element = MemRefType::try_from(memory.r#type())?.element();
    let copy = room(&front, sizes, element)?;
    for &store in stores {
        front.set_operand(store, 1, copy);
    }
    let bytes = constant(&behind, known_bytes(memory.r#type()).unwrap_or_default())?;
    let operands = [address(&behind, memory)?, address(&behind, copy)?, bytes];
    runtime.call(&behind, WRITE, &operands)
}

fn write_element<'c: 'a, 'a>(store: OperationRef<'c, 'a>, runtime: &Runtime<'c, 'a>) -> Done<'c> {
    let Some(builder) = Builder::before(store) else {
        return Ok(());
    };
    let [value, memory] = [store.operand(0)?, store.operand(1)?];
    let index: Values = store.operands().skip(2).collect();
    let bytes = element_bytes(memory);
    let copy = room(&builder, &[], value.r#type())?;
    builder.store(value, copy, &[])?;
    let place = Layout::of(&builder, memory)?.address_of(&builder, &index, bytes)?;
    let operands = [place, address(&builder, copy)?, constant(&builder, bytes)?];
    runtime.call(&builder, WRITE, &operands)?;
    builder.erase(store);
    Ok(())
}
