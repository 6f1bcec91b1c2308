//! Where the elements of a view lie in the memory that it is a view of.
//!
//! Cost: linear in the number of views of views.

use comb_lmad::{Polynomial, Symbol};
use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::Size,
    cast::{Parts, cast},
    view::{OpView, definition, op_name, stands_before, uses},
};

use super::numbers::Numbers;
use comb_kit::{checks::facts::constant, views::is_view};

/// A number that is linear in the index of a view.
#[derive(Clone)]
pub struct Component {
    /// The place of the first element.
    pub offset: Polynomial,
    /// What each component of the index is multiplied by.
    pub strides: Vec<Polynomial>,
}

impl Component {
    /// What it is at an index; nothing if a component that matters may be anything.
    pub fn at(&self, index: &[Option<Polynomial>]) -> Option<Polynomial> {
        let mut sum = self.offset.clone();
        for (stride, component) in self.strides.iter().zip(index) {
            if stride.as_constant() != Some(0) {
                sum = sum.checked_add(&stride.checked_mul(component.as_ref()?)?)?;
            }
        }
        Some(sum)
    }
}

/// Where elements lie.
#[derive(Clone)]
pub enum Layout {
    /// At an index: one component for each dimension.
    Index(Vec<Component>),
    /// At a place in memory that is filled row by row.
    Place(Component),
    /// Anywhere.
    Any,
}

/// An element of some memory, or where it may be.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Element {
    /// At an index; nothing where a component may be anything.
    Index(Vec<Option<Polynomial>>),
    /// At a place in memory that is filled row by row, which may be any.
    Place(Option<Polynomial>),
    /// Anywhere.
    Any,
}

impl Element {
    /// Whether it is one element, and no other.
    pub fn is_known(&self) -> bool {
        match self {
            Self::Index(index) => index.iter().all(Option::is_some),
            Self::Place(place) => place.is_some(),
            Self::Any => false,
        }
    }

    /// What it depends on.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> {
        let numbers = match self {
            Self::Index(index) => index.iter().flatten().collect(),
            Self::Place(place) => place.iter().collect(),
            Self::Any => vec![],
        };
        numbers.into_iter().flat_map(Polynomial::symbols)
    }

    /// The element some iterations of a loop later, if it is known where that is.
    pub fn later(&self, index: Symbol, iterations: i64) -> Option<Self> {
        let later = Polynomial::from(index).checked_add(&iterations.into())?;
        let moved = |number: &Option<Polynomial>| number.as_ref()?.checked_replace(index, &later);
        match self {
            Self::Index(index) => {
                let index: Option<Vec<_>> = index.iter().map(moved).collect();
                Some(Self::Index(index?.into_iter().map(Some).collect()))
            }
            Self::Place(place) => Some(Self::Place(Some(moved(place)?))),
            Self::Any => None,
        }
    }
}

impl Layout {
    /// The element at an index of the view.
    pub fn at(&self, index: &[Option<Polynomial>]) -> Element {
        match self {
            Self::Index(components) => {
                Element::Index(components.iter().map(|one| one.at(index)).collect())
            }
            Self::Place(place) => Element::Place(place.at(index)),
            Self::Any => Element::Any,
        }
    }

    /// The layout of a part, whose elements have these indices in the view.
    pub fn of_part(&self, index: &[Component]) -> Option<Self> {
        let through = |component: &Component| {
            let parts = index.first().map_or(0, |part| part.strides.len());
            let mut strides = vec![Polynomial::default(); parts];
            let mut offset = component.offset.clone();
            for (outer, part) in component.strides.iter().zip(index) {
                offset = offset.checked_add(&outer.checked_mul(&part.offset)?)?;
                for (sum, stride) in strides.iter_mut().zip(&part.strides) {
                    *sum = sum.checked_add(&outer.checked_mul(stride)?)?;
                }
            }
            Some(Component { offset, strides })
        };
        match self {
            Self::Index(components) => {
                let components = components.iter().map(through);
                Some(Self::Index(components.collect::<Option<_>>()?))
            }
            Self::Place(place) => Some(Self::Place(through(place)?)),
            Self::Any => None,
        }
    }

    /// The layout of a whole array of a rank.
    pub fn of_all(rank: usize) -> Self {
        let component = |dimension: usize| Component {
            offset: 0.into(),
            strides: (0..rank)
                .map(|other| i64::from(other == dimension).into())
                .collect(),
        };
        Self::Index((0..rank).map(component).collect())
    }
}

/// The memory that a value is a view of, and the view's layout in it.
pub fn layout<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    memory: Value<'c, 'a>,
) -> (Value<'c, 'a>, Layout) {
    let Some(view) = definition(memory).filter(|&op| is_view(op)) else {
        let all = MemRefType::try_from(memory.r#type());
        return (
            memory,
            all.map_or(Layout::Any, |all| Layout::of_all(all.rank())),
        );
    };
    let Some(source) = view.operand_at(0) else {
        return (memory, Layout::Any);
    };
    let (base, around) = layout(numbers, source);
    let seen = match op_name(view) {
        "memref.cast" => around,
        "memref.subview" => part(numbers, view, &around).unwrap_or(Layout::Any),
        "memref.reinterpret_cast" if base == source && is_filled_by_rows(base) => {
            let seen = OpView::of(view);
            let offsets = seen.mixed_values_of("static_offsets", seen.group(1));
            let strides = seen.mixed_values_of("static_strides", seen.group(3));
            Layout::Place(Component {
                offset: number(numbers, offsets[0]),
                strides: strides
                    .into_iter()
                    .map(|stride| number(numbers, stride))
                    .collect(),
            })
        }
        "memref.reshape" if base == source && is_filled_by_rows(base) => {
            reshaped(numbers, view, memory).unwrap_or(Layout::Any)
        }
        _ => Layout::Any,
    };
    (base, seen)
}

/// The layout of a `memref.reshape` of memory that is filled row by row: it is filled row by row, too.
fn reshaped<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    view: OperationRef<'c, 'a>,
    memory: Value<'c, 'a>,
) -> Option<Layout> {
    let rank = shape_of(view)?.len();
    let (mut pitch, mut strides) = (Polynomial::from(1), vec![]);
    for dimension in (0..rank).rev() {
        strides.push(pitch.clone());
        pitch = pitch.checked_mul(&numbers.size(memory, dimension))?;
    }
    strides.reverse();
    Some(Layout::Place(Component {
        offset: 0.into(),
        strides,
    }))
}

/// The sizes of a `memref.reshape`, if they are stored, once each, in front of it.
pub fn shape_of<'c: 'a, 'a>(view: OperationRef<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let shape = view.operand_at(1)?;
    let rank = cast::<MemRefType>(view.result_at(0)?.r#type())?.rank();
    let is_new =
        definition(shape).is_some_and(|op| matches!(op_name(op), "memref.alloc" | "memref.alloca"));
    let mut sizes = vec![None; rank];
    for (user, operand) in uses(shape) {
        match op_name(user) {
            "memref.store" if user.block() == view.block() && stands_before(user, view) => {
                let dimension = usize::try_from(constant(user.operand_at(2)?)?).ok()?;
                let size = sizes.get_mut(dimension)?;
                if size.is_some() {
                    return None;
                }
                *size = Some(user.operand_at(0)?);
            }
            "memref.reshape" if operand == 1 => {}
            _ => return None,
        }
    }
    sizes.into_iter().collect::<Option<_>>().filter(|_| is_new)
}

/// Ops that take any strided memory.
pub const TAKE_STRIDED: &[&str] = &[
    "memref.copy",
    "memref.dim",
    "memref.load",
    "memref.store",
    "nest.read",
    "nest.scatter",
    "nest.write",
];

/// Whether elements lie next to each other, row by row, from the start of the memory on.
pub fn is_filled_by_rows(memory: Value) -> bool {
    cast::<MemRefType>(memory.r#type())
        .is_some_and(|memory| memory.layout().to_string().starts_with("affine_map"))
}

fn number<'c: 'a, 'a>(numbers: &mut Numbers<'c, 'a>, size: Size<'c, 'a>) -> Polynomial {
    match size {
        Size::Static(size) => size.into(),
        Size::Dynamic(value) => numbers.of(value),
    }
}

/// The layout of a `memref.subview`.
fn part<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    op: OperationRef<'c, 'a>,
    around: &Layout,
) -> Option<Layout> {
    let view = OpView::of(op);
    let offsets = view.mixed_values_of("static_offsets", view.group(1));
    let strides = view.mixed_values_of("static_strides", view.group(3));
    let kept = kept_dimensions(&view)?;
    let mut parts = vec![];
    for (dimension, (&offset, &stride)) in offsets.iter().zip(&strides).enumerate() {
        let stride = number(numbers, stride);
        let own = |&kept: &usize| match kept == dimension {
            true => stride.clone(),
            false => 0.into(),
        };
        parts.push(Component {
            offset: number(numbers, offset),
            strides: kept.iter().map(own).collect(),
        });
    }
    around.of_part(&parts)
}

/// The dimensions that a `memref.subview` does not leave out, if that is clear.
fn kept_dimensions(view: &OpView) -> Option<Vec<usize>> {
    let sizes = view.integers("static_sizes");
    let result = cast::<MemRefType>(*view.result_types.first()?)?;
    if result.rank() == sizes.len() {
        return Some((0..sizes.len()).collect());
    }
    let kept: Vec<usize> = (0..sizes.len())
        .filter(|&dimension| sizes[dimension] != 1)
        .collect();
    (kept.len() == result.rank()).then_some(kept)
}
