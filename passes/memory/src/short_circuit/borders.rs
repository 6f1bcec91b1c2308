//! Copies into an array that the source is computed from, as the interior of a stencil is: what is
//! written to is a new array, into which what the copy leaves is copied.
//!
//! The old array cannot be overwritten while the source is computed. So the source would be memory of
//! its own, and the copy a second pass over all of it. The border is less than that where it is thin: the
//! part begins at constant indices, and is more than a row. Whatever used the old array behind the copy
//! uses the new one: that must be all that its names are used for.
//!
//! Cost: linear in the number of uses of the old array.

use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use nest_dialect::{builder::NestBuilder, schedule::Schedule};
use soac_dialect::{
    builder::{Builder, Size, Values},
    cast::cast,
    view::{
        DYNAMIC, argument_of, defining_block, op_name, stands_before, strides_and_offset, uses,
    },
};

use super::{aliases::is_allocated, candidates::Candidate};
use comb_kit::{pass_error::PassError, views::is_view, walk::ancestors};
use comb_nest::elements::layouts::{Component, Layout, is_filled_by_rows};

type Made<'c, T> = Result<T, PassError<'c>>;

/// What is to be copied, and who uses the new array.
pub(super) struct Border<'c, 'a> {
    /// Where the part begins.
    offsets: Vec<i64>,
    /// What used the old array behind the copy, and as which operand.
    later: Vec<(OperationRef<'c, 'a>, usize)>,
}

impl<'c: 'a, 'a> Border<'c, 'a> {
    /// The border of the array that is copied into, if it can be copied to a new array.
    pub fn of(candidate: &Candidate<'c, 'a>) -> Option<Self> {
        let Layout::Index(components) = &candidate.layout else {
            return None;
        };
        let dest = candidate.dest;
        let offsets: Option<Vec<i64>> = components.iter().enumerate().map(offset).collect();
        let is_own = is_allocated(dest) || is_all_that_is_carried(dest);
        let is_here = defining_block(dest) == defining_block(candidate.source);
        match is_own && is_here && can_be_new(dest) && is_thin(candidate) {
            true => Some(Self {
                offsets: offsets?,
                later: later(candidate)?,
            }),
            false => None,
        }
    }

    /// Makes the new array, with the border of the old one, for all that used that one later.
    ///
    /// # Errors
    ///
    /// If MLIR rejects what was built.
    pub fn copied(
        &self,
        front: &Builder<'c, 'a>,
        candidate: &Candidate<'c, 'a>,
        part: &[Size<'c, 'a>],
    ) -> Made<'c, Value<'c, 'a>> {
        let old = candidate.dest;
        let whole = front.sizes(old)?;
        let new = front.allocate(&whole, MemRefType::try_from(old.r#type())?.element())?;
        let new = match new.r#type() == old.r#type() {
            true => new,
            false => front.value("memref.cast", &[new], old.r#type(), &[])?,
        };
        let slabs = slabs(front, &self.offsets, part, &whole)?;
        front.kernel(&[], |builder, _| {
            for slab in &slabs {
                copy(builder, slab, old, new, &[])?;
            }
            Made::Ok(vec![])
        })?;
        for &(user, operand) in &self.later {
            front.set_operand(user, operand, new);
        }
        Ok(new)
    }
}

/// Whether new memory can have the type of some memory.
fn can_be_new(memory: Value) -> bool {
    let is_unknown = |(strides, offset): (Vec<i64>, i64)| {
        offset == DYNAMIC && strides.iter().all(|&stride| stride == DYNAMIC)
    };
    is_filled_by_rows(memory) || strides_and_offset(memory.r#type()).is_some_and(is_unknown)
}

/// Whether an argument of an `scf.for` is memory that has no other name in the loop, or behind it, but for
/// the loop's result.
fn is_all_that_is_carried<'c: 'a, 'a>(memory: Value<'c, 'a>) -> bool {
    /// The bounds and the step.
    const BOUNDS: usize = 3;
    let Some((r#loop, argument)) = argument_of(memory) else {
        return false;
    };
    if op_name(r#loop) != "scf.for" || argument == 0 {
        return false;
    }
    let Ok(init) = r#loop.operand(BOUNDS + argument - 1) else {
        return false;
    };
    let is_before = |(user, operand): (OperationRef<'c, 'a>, usize)| {
        let is_init = user == r#loop && operand == BOUNDS + argument - 1;
        let around = std::iter::once(user).chain(ancestors(user));
        let mut here = around.filter(|op| op.block() == r#loop.block());
        let stands = here.next().is_some_and(|op| stands_before(op, r#loop));
        is_init || stands && makes_no_name(user)
    };
    let is_own = is_allocated(init) || is_all_that_is_carried(init);
    is_own && uses(init).into_iter().all(is_before)
}

/// Where a part begins along a dimension, if it is the same dimension of the part, without steps, and
/// that is known.
fn offset((dimension, component): (usize, &Component)) -> Option<i64> {
    let strides = component.strides.iter().enumerate();
    let mut strides =
        strides.map(|(other, stride)| stride.as_constant() == Some(i128::from(other == dimension)));
    let offset = i64::try_from(component.offset.as_constant()?).ok()?;
    (offset >= 0 && strides.all(|is_own| is_own)).then_some(offset)
}

/// Whether the part is most of the array, as far as types tell.
fn is_thin(candidate: &Candidate) -> bool {
    let [part, whole] = [candidate.source, candidate.dest].map(|memory| {
        let memory = cast::<MemRefType>(memory.r#type())?;
        let sizes = (0..memory.rank()).map(|dimension| memory.dim_size(dimension).ok());
        sizes.collect::<Option<Vec<_>>>()
    });
    let (Some(part), Some(whole)) = (part, whole) else {
        return false;
    };
    let mut pairs = part.iter().zip(&whole);
    part.len() == whole.len()
        && pairs.all(|pair| match pair {
            (DimSize::Static(part), DimSize::Static(whole)) => 2 * part >= *whole,
            (DimSize::Dynamic, DimSize::Dynamic) => true,
            _ => false,
        })
}

/// What uses the array behind the copy; nothing if it has names that may be used there.
fn later<'c: 'a, 'a>(candidate: &Candidate<'c, 'a>) -> Option<Vec<(OperationRef<'c, 'a>, usize)>> {
    let &Candidate { copy, dest, .. } = candidate;
    let block = defining_block(dest);
    let in_block = |op: OperationRef<'c, 'a>| {
        let mut around = std::iter::once(op).chain(ancestors(op));
        around.find(|op| op.block() == block)
    };
    let here = in_block(copy)?;
    let mut later = vec![];
    for (user, operand) in uses(dest) {
        let is_own = std::iter::once(user)
            .chain(ancestors(user))
            .any(|op| op == copy);
        let place = in_block(user)?;
        if is_own {
            continue;
        }
        if place == here {
            return None;
        }
        match stands_before(here, place) {
            true => later.push((user, operand)),
            false if makes_no_name(user) => {}
            false => return None,
        }
    }
    Some(later)
}

/// Whether what an op does with memory ends with it.
fn makes_no_name(op: OperationRef) -> bool {
    let name = op_name(op);
    !is_view(op)
        && (name.starts_with("nest.")
            || name.starts_with("linalg.")
            || matches!(
                name,
                "memref.copy" | "memref.dim" | "memref.load" | "memref.store"
            ))
}

/// A slab of an array, as far as it goes along one dimension.
#[derive(Clone, Copy)]
struct Extent<'c, 'a> {
    first: Value<'c, 'a>,
    length: Value<'c, 'a>,
    /// Whether it is the thickness of a border.
    is_thin: bool,
}

type Slab<'c, 'a> = Vec<Extent<'c, 'a>>;

/// What lies around a part: before and behind it along each dimension, in the dimensions before that one
/// as far as the part goes. A part without elements may begin anywhere, also where there is nothing.
fn slabs<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    offsets: &[i64],
    part: &[Size<'c, 'a>],
    whole: &[Size<'c, 'a>],
) -> Made<'c, Vec<Slab<'c, 'a>>> {
    let extent = |first, length, is_thin| Extent {
        first,
        length,
        is_thin,
    };
    let zero = builder.index(0)?;
    let whole = values(builder, whole)?;
    let part = values(builder, part)?;
    let (mut outer, mut slabs): (Slab, Vec<Slab>) = (vec![], vec![]);
    for (dimension, &all) in whole.iter().enumerate() {
        let offset = builder.index(offsets[dimension])?;
        let start = builder.arithmetic("arith.minsi", &[offset, all])?;
        let end = builder.arithmetic("arith.addi", &[offset, part[dimension]])?;
        let end = builder.arithmetic("arith.minsi", &[end, all])?;
        let behind = builder.arithmetic("arith.subi", &[all, end])?;
        for (first, length) in [(zero, start), (end, behind)] {
            let mut slab = outer.clone();
            slab.push(extent(first, length, true));
            let inner = whole[dimension + 1..].iter();
            slab.extend(inner.map(|&size| extent(zero, size, false)));
            slabs.push(slab);
        }
        let length = builder.arithmetic("arith.subi", &[end, start])?;
        outer.push(extent(start, length, false));
    }
    Ok(slabs)
}

fn values<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    sizes: &[Size<'c, 'a>],
) -> Made<'c, Values<'c, 'a>> {
    let sizes = sizes.iter();
    sizes.map(|&size| Ok(builder.size_value(size)?)).collect()
}

/// Copies a slab, of which outer components of the index are given. Along its thickness, lanes would take longer
/// than one element after the other.
fn copy<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    slab: &[Extent<'c, 'a>],
    from: Value<'c, 'a>,
    into: Value<'c, 'a>,
    index: &[Value<'c, 'a>],
) -> Made<'c, ()> {
    let Some((&extent, inner)) = slab.split_first() else {
        let element = builder.read(from, index)?;
        builder.write(element, into, index)?;
        return Ok(());
    };
    let schedule = (extent.is_thin && inner.is_empty()).then(Schedule::default);
    builder.scheduled_loop(extent.length, &[], schedule, |builder, component, _| {
        let component = builder.arithmetic("arith.addi", &[extent.first, component])?;
        let index = [index, &[component]].concat();
        copy(builder, inner, from, into, &index)?;
        Made::Ok(vec![])
    })?;
    Ok(())
}
