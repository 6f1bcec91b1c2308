//! Where arrays of an iteration are. Small ones of a known size are on the chip: in registers of a
//! thread, or in memory that a block shares. Others are in memory, in which each thread or team has a
//! part of its own.

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Size, Slice},
    view::{OpView, op_name, uses},
};

use super::{
    Emitted,
    grid::{before_loop, cannot},
    launch::Place,
};
use comb_cpu::nest_schedule::accesses::Access;
use comb_kit::element_types::{array_element, known_bytes};
use comb_nest::{nest_to_scf::lower, nests::Nest};

/// The most bytes of an array that a thread has in registers, or next to them.
const OF_THREAD: u64 = 1024;

/// The most bytes of all arrays together that the threads of a block share.
const OF_BLOCK: u64 = 32 << 10;

/// Ops that may use an array, wherever it is.
const ACCESSES: &[&str] = &[
    "memref.dim",
    "memref.load",
    "nest.read",
    "nest.scatter",
    "nest.write",
];

/// Whose the arrays of an iteration are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// Those of one thread.
    Thread,
    /// Those of all threads of a warp or block.
    Team,
}

enum Storage<'c, 'a> {
    /// On the chip, for a thread alone.
    Registers,
    /// On the chip, for a block.
    Shared,
    /// In memory, of which each owner has a part.
    Memory(Value<'c, 'a>, Vec<Size<'c, 'a>>),
}

/// The arrays of iterations of a loop.
pub(super) struct Locals<'c, 'a> {
    arrays: Vec<(OperationRef<'c, 'a>, Storage<'c, 'a>)>,
    /// What is scattered to these only, for which there is no need of atomics.
    scatters: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Locals<'c, 'a> {
    /// Decides by their sizes where they are, and takes memory for so many owners.
    pub fn of(
        builder: &Builder<'c, 'a>,
        nest: &Nest<'c, 'a>,
        owners: Value<'c, 'a>,
        owner: Owner,
    ) -> Emitted<'c, Self> {
        let (mut arrays, mut shared) = (vec![], 0);
        for op in nest.deep_ops() {
            if op_name(op) != "nest.local" {
                continue;
            }
            let array: Type = op.result(0)?.r#type();
            let bytes = known_bytes(array).unwrap_or(u64::MAX);
            let storage = match owner {
                Owner::Thread if bytes <= OF_THREAD => Storage::Registers,
                Owner::Team if bytes <= OF_BLOCK - shared => {
                    shared += bytes;
                    Storage::Shared
                }
                _ => in_memory(builder, nest, op, owners)?,
            };
            require_accesses(op)?;
            arrays.push((op, storage));
        }
        let mut scatters = nest.deep_ops();
        scatters.retain(|&op| {
            let mut accesses = Access::of(op).into_iter();
            op_name(op) == "nest.scatter" && accesses.all(|access| access.is_local_to(nest))
        });
        Ok(Self { arrays, scatters })
    }

    pub fn is_empty(&self) -> bool {
        self.arrays.is_empty()
    }

    /// Puts an owner's arrays in their places.
    pub fn place(
        &self,
        end: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        owner: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for (op, storage) in &self.arrays {
            let Some(here) = Builder::before(*op) else {
                continue;
            };
            let array: Type = op.result(0)?.r#type();
            let memory = match storage {
                Storage::Registers => {
                    let front = place.front(end);
                    let segments = front.segments(&[0, 0]);
                    let attributes = [("operandSegmentSizes", segments)];
                    front.value("memref.alloca", &[], array, &attributes)?
                }
                Storage::Shared => {
                    let view = OpView::of(*op);
                    let sizes = view.integers("static_sizes");
                    let sizes: Vec<u64> = sizes.iter().map(|size| size.unsigned_abs()).collect();
                    let element = array_element(array).unwrap_or(array);
                    place.shared(end, &sizes, element)?
                }
                Storage::Memory(memory, sizes) => part(&here, *memory, sizes, owner, array)?,
            };
            here.replace(*op, &[memory]);
        }
        self.scatters.iter().try_for_each(|&op| lower(op))
    }
}

fn in_memory<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nest: &Nest<'c, 'a>,
    op: OperationRef<'c, 'a>,
    owners: Value<'c, 'a>,
) -> Emitted<'c, Storage<'c, 'a>> {
    let view = OpView::of(op);
    let sizes = view.mixed_values_of("static_sizes", 0..view.operands.len());
    let known = sizes.into_iter().map(|size| match size {
        Size::Dynamic(value) => before_loop(builder, value, nest)
            .map(Size::Dynamic)
            .ok_or_else(|| cannot(nest.op, "the size of an array depends on the iteration")),
        size => Ok(size),
    });
    let known = known.collect::<Emitted<Vec<Size>>>()?;
    let array = view.result_types[0];
    let element = array_element(array).unwrap_or(array);
    let all = [&[Size::Dynamic(owners)], known.as_slice()].concat();
    Ok(Storage::Memory(builder.allocate(&all, element)?, known))
}

/// An owner's part of memory.
fn part<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    sizes: &[Size<'c, 'a>],
    owner: Value<'c, 'a>,
    array: Type<'c>,
) -> Emitted<'c, Value<'c, 'a>> {
    let element = array_element(array).unwrap_or(array);
    let shape: String = sizes
        .iter()
        .map(|size| match size.known() {
            Some(size) => format!("{size}x"),
            None => "?x".to_owned(),
        })
        .collect();
    let mut strides = vec![Some(1_u64)];
    for size in sizes.iter().skip(1).rev() {
        let inner = strides.last().copied().flatten();
        strides.push(inner.zip(size.known()).map(|(inner, size)| inner * size));
    }
    strides.truncate(sizes.len());
    let strides: Vec<String> = strides
        .iter()
        .rev()
        .map(|stride| stride.map_or("?".to_owned(), |stride| stride.to_string()))
        .collect();
    let strides = strides.join(", ");
    let part = format!("memref<{shape}{element}, strided<[{strides}], offset: ?>>");
    let part = builder.r#type(&part)?;
    let offsets = std::iter::once(Size::Dynamic(owner))
        .chain(sizes.iter().map(|_| Size::Static(0)))
        .collect();
    let sizes = [&[Size::Static(1)], sizes].concat();
    let slice = Slice::contiguous(offsets, sizes);
    Ok(builder.part_of_memory(memory, &slice, part)?)
}

/// An array whose place has another type may only be used by accesses.
fn require_accesses<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
    let users = uses(op.result(0)?.into());
    let other = users
        .into_iter()
        .find(|(user, _)| !ACCESSES.contains(&op_name(*user)));
    match other {
        Some((user, _)) => Err(cannot(
            user,
            format!(
                "'{}' op uses an array of an iteration, which has no form on a GPU yet",
                op_name(user)
            ),
        )),
        None => Ok(()),
    }
}
