//! Arrays and scalars of a program, as the generator knows them.

use comb_runtime::ElementType;

/// All element types.
pub(crate) const ELEMENTS: &[ElementType] = &[
    ElementType::I1,
    ElementType::I8,
    ElementType::I16,
    ElementType::I32,
    ElementType::I64,
    ElementType::Index,
    ElementType::F16,
    ElementType::BF16,
    ElementType::F32,
    ElementType::F64,
];

/// A few of them.
pub(crate) const FEW_ELEMENTS: &[ElementType] =
    &[ElementType::I32, ElementType::Index, ElementType::F32];

/// A size as the generator knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// The running program's size is this.
    Known(usize),
    /// Only the running program knows; equal symbols are equal sizes.
    Symbol(usize),
}

/// A dimension of an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dim {
    pub size: Size,
    /// Whether the array's type says the size.
    pub is_static: bool,
}

/// An array of the program.
#[derive(Clone, Debug)]
pub(crate) struct ArrayVar {
    pub name: String,
    pub element: ElementType,
    pub dims: Vec<Dim>,
}

/// A scalar that a lambda can use.
#[derive(Clone, Debug)]
pub(crate) struct ScalarVar {
    pub name: String,
    pub element: ElementType,
}

impl ArrayVar {
    /// The type, as MLIR writes it.
    pub fn ty(&self) -> String {
        array_type(self.element, &self.dims)
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The sizes, if all are known.
    pub fn sizes(&self) -> Option<Vec<usize>> {
        self.dims
            .iter()
            .map(|dim| match dim.size {
                Size::Known(size) => Some(size),
                Size::Symbol(_) => None,
            })
            .collect()
    }

    pub fn has_shape_of(&self, other: &Self) -> bool {
        self.rank() == other.rank()
            && self
                .dims
                .iter()
                .zip(&other.dims)
                .all(|(dim, other)| dim.size == other.size)
    }
}

/// An array type, as MLIR writes it.
pub(crate) fn array_type(element: ElementType, dims: &[Dim]) -> String {
    let mut text = String::from("tensor<");
    for dim in dims {
        match dim {
            Dim {
                size: Size::Known(size),
                is_static: true,
            } => text += &format!("{size}x"),
            _ => text += "?x",
        }
    }
    text + element.name() + ">"
}
