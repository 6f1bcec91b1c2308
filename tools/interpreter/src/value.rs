//! Values: typed scalars, and arrays of them, immutable and row-major or in memory.
//!
//! A scalar is its bits and its type; the elements of an array are words with
//! these bits lowest. Nothing is ever converted without an op that says so.

use std::fmt;
use std::sync::Arc;

use half::{bf16, f16};

use crate::element::{Element, Type};
use crate::memory::Memory;
use crate::shape;

/// A scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Scalar {
    element: Element,
    bits: u128,
}

impl Scalar {
    /// The scalar of these bits; those beyond the type's width are dropped.
    pub fn from_bits(element: Element, bits: impl Into<u128>) -> Scalar {
        Scalar {
            element,
            bits: bits.into() & element.mask(),
        }
    }

    /// An integer, wrapped to the type's width.
    pub fn integer(element: Element, value: i128) -> Scalar {
        Scalar::from_bits(element, value as u128)
    }

    /// An `index`.
    pub fn index(value: i64) -> Scalar {
        Scalar::from_bits(Element::Index, value as u64)
    }

    /// A truth value, of type `i1`.
    pub fn truth(value: bool) -> Scalar {
        Scalar::from_bits(Element::Integer(1), value)
    }

    /// An `f64` value rounded to nearest even, once, to a floating-point type.
    pub fn float(element: Element, value: f64) -> Scalar {
        let bits = crate::float::narrow(value, element, crate::float::Rounding::NearestEven);
        Scalar::from_bits(element, bits)
    }

    /// An `f32` value rounded to nearest even, once, to a floating-point type
    /// that is no wider.
    pub fn single(element: Element, value: f32) -> Scalar {
        match element {
            Element::F16 => Scalar::from_bits(element, f16::from_f32(value).to_bits()),
            Element::BF16 => Scalar::from_bits(element, bf16::from_f32(value).to_bits()),
            Element::F64 => Scalar::from_bits(element, f64::from(value).to_bits()),
            _ => Scalar::from_bits(element, value.to_bits()),
        }
    }

    /// The type.
    pub fn element(self) -> Element {
        self.element
    }

    /// The bits of a scalar that fits into arrays, in the lowest bits of a word.
    pub fn bits(self) -> u64 {
        self.bits as u64
    }

    /// The bits as a signed integer.
    pub fn signed(self) -> i128 {
        let unused = 128 - self.element.width();
        ((self.bits << unused) as i128) >> unused
    }

    /// The bits as an unsigned integer.
    pub fn unsigned(self) -> u128 {
        self.bits
    }

    /// Whether any bit is set: the value of an `i1`.
    pub fn is_true(self) -> bool {
        self.bits != 0
    }

    /// The value of a floating-point scalar; all of them are exact in an
    /// `f64`.
    pub fn to_f64(self) -> f64 {
        match self.element {
            Element::F16 => f16::from_bits(self.bits as u16).to_f64(),
            Element::BF16 => bf16::from_bits(self.bits as u16).to_f64(),
            Element::F32 => f64::from(f32::from_bits(self.bits as u32)),
            _ => f64::from_bits(self.bits as u64),
        }
    }

    /// The value of a floating-point scalar that is no wider than `f32`.
    pub fn to_f32(self) -> f32 {
        match self.element {
            Element::F32 => f32::from_bits(self.bits as u32),
            _ => self.to_f64() as f32,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if self.element.is_float() {
            write!(formatter, "{:?}", self.to_f64())
        } else {
            write!(formatter, "{}", self.signed())
        }
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{self} : {}", self.element)
    }
}

/// An immutable array; copies share the elements.
#[derive(Clone, PartialEq, Eq)]
pub struct Array {
    element: Element,
    shape: Vec<usize>,
    bits: Arc<[u64]>,
}

impl Array {
    /// An array of the bits of its elements in row-major order, or nothing if
    /// there are not as many as the shape says, or arrays have no such elements.
    pub fn new(element: Element, shape: Vec<usize>, bits: Vec<u64>) -> Option<Array> {
        let fits = element.fits_arrays() && shape::count(&shape) == bits.len() as u128;
        fits.then(|| Array {
            element,
            shape,
            bits: bits.into(),
        })
    }

    /// The type of the elements.
    pub fn element(&self) -> Element {
        self.element
    }

    /// The sizes, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.bits.len()
    }

    /// The bits of the elements in row-major order.
    pub fn bits(&self) -> &[u64] {
        &self.bits
    }

    /// The element at a row-major position.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn element_at(&self, position: usize) -> Scalar {
        Scalar::from_bits(self.element, self.bits[position])
    }

    /// The bits of the element at an index.
    ///
    /// # Panics
    ///
    /// If the index lies outside the shape.
    pub fn bits_at(&self, index: &[usize]) -> u64 {
        self.bits[shape::ravel(index, &self.shape)]
    }

    /// Replaces the element at a row-major position.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub(crate) fn set(&mut self, position: usize, value: Scalar) {
        Arc::make_mut(&mut self.bits)[position] = value.bits();
    }

    /// The elements in row-major order.
    pub fn scalars(&self) -> impl Iterator<Item = Scalar> + '_ {
        self.bits
            .iter()
            .map(|&bits| Scalar::from_bits(self.element, bits))
    }

    /// The same elements in another shape of as many elements.
    pub(crate) fn reshaped(&self, shape: Vec<usize>) -> Array {
        Array {
            element: self.element,
            shape,
            bits: self.bits.clone(),
        }
    }

    /// What remains when the outer dimensions are fixed at an index: an array,
    /// or an element if no dimension remains.
    ///
    /// # Panics
    ///
    /// If the index lies outside the shape.
    pub(crate) fn inner(&self, index: &[usize]) -> Value {
        let (outer, inner) = self.shape.split_at(index.len());
        let size = shape::count(inner) as usize;
        let start = shape::ravel(index, outer) * size;
        if inner.is_empty() {
            return Value::Scalar(self.element_at(start));
        }
        Value::Array(Array {
            element: self.element,
            shape: inner.to_vec(),
            bits: self.bits[start..start + size].into(),
        })
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let elements: Vec<_> = self.scalars().map(|scalar| scalar.to_string()).collect();
        write!(
            formatter,
            "{} [{}]",
            Value::Array(self.clone()).ty(),
            elements.join(", ")
        )
    }
}

/// A scalar or an array.
#[derive(Clone, PartialEq, Eq)]
pub enum Value {
    /// A scalar.
    Scalar(Scalar),
    /// An array.
    Array(Array),
    /// An array in memory.
    Memory(Memory),
}

impl Value {
    /// The type, with every size known.
    pub fn ty(&self) -> Type {
        match self {
            Value::Scalar(scalar) => Type::Scalar(scalar.element()),
            Value::Array(array) => Type::Array {
                element: array.element(),
                sizes: array.shape().iter().copied().map(Some).collect(),
            },
            Value::Memory(memory) => Type::Memory {
                element: memory.element(),
                sizes: memory.shape().iter().copied().map(Some).collect(),
            },
        }
    }

    /// The type of the scalar or of the array's elements.
    pub fn element(&self) -> Element {
        match self {
            Value::Scalar(scalar) => scalar.element(),
            Value::Array(array) => array.element(),
            Value::Memory(memory) => memory.element(),
        }
    }

    /// The sizes of the array; none of a scalar.
    pub fn shape(&self) -> &[usize] {
        match self {
            Value::Scalar(_) => &[],
            Value::Array(array) => array.shape(),
            Value::Memory(memory) => memory.shape(),
        }
    }

    /// The bits of the elements, or of the one scalar; none of memory that cannot be read.
    pub fn bits(&self) -> Vec<u64> {
        match self {
            Value::Scalar(scalar) => vec![scalar.bits()],
            Value::Array(array) => array.bits().to_vec(),
            Value::Memory(memory) => memory.bits(),
        }
    }

    /// The bits of the element at a row-major position, or of the one scalar.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub(crate) fn bits_at(&self, position: usize) -> u128 {
        match self {
            Value::Scalar(scalar) => scalar.unsigned(),
            Value::Array(array) => array.bits()[position].into(),
            Value::Memory(memory) => memory.bits()[position].into(),
        }
    }

    /// Whether the value is of a type, whose open sizes match any size.
    pub fn has_type(&self, ty: &Type) -> bool {
        let same_kind = matches!(
            (self, ty),
            (Value::Scalar(_), Type::Scalar(_))
                | (Value::Array(_), Type::Array { .. })
                | (Value::Memory(_), Type::Memory { .. })
        );
        let (sizes, shape) = (ty.sizes(), self.shape());
        same_kind
            && ty.element() == Some(self.element())
            && sizes.len() == shape.len()
            && sizes
                .iter()
                .zip(shape)
                .all(|(wanted, size)| wanted.is_none_or(|wanted| wanted == *size))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Scalar(scalar) => scalar.fmt(formatter),
            Value::Array(array) => array.fmt(formatter),
            Value::Memory(memory) => memory.fmt(formatter),
        }
    }
}
