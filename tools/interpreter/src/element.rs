//! The types of the values that the interpreter computes with.

use std::fmt;

/// The type of a scalar, or of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// A signless integer of 1 to 128 bits. Elements of arrays have at most 64;
    /// the wider ones are for the arithmetic of run-time checks.
    Integer(u32),
    /// An array index or size; 64 bits.
    Index,
    /// IEEE 754 binary16.
    F16,
    /// The upper half of an IEEE 754 binary32.
    BF16,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Element {
    /// The element type that MLIR writes so, if it is one.
    pub fn parse(name: &str) -> Option<Element> {
        match name {
            "index" => Some(Element::Index),
            "f16" => Some(Element::F16),
            "bf16" => Some(Element::BF16),
            "f32" => Some(Element::F32),
            "f64" => Some(Element::F64),
            _ => {
                let width = name.strip_prefix('i')?.parse().ok()?;
                (1..=128)
                    .contains(&width)
                    .then_some(Element::Integer(width))
            }
        }
    }

    /// The bits that a value has.
    pub fn width(self) -> u32 {
        match self {
            Element::Integer(width) => width,
            Element::F16 | Element::BF16 => 16,
            Element::F32 => 32,
            Element::Index | Element::F64 => 64,
        }
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        !matches!(self, Element::Integer(_) | Element::Index)
    }

    /// The bits that a value of the type may have set.
    pub fn mask(self) -> u128 {
        u128::MAX >> (128 - self.width())
    }

    /// Whether arrays may have elements of the type.
    pub fn fits_arrays(self) -> bool {
        self.width() <= 64
    }
}

impl fmt::Display for Element {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Element::Integer(width) => write!(formatter, "i{width}"),
            Element::Index => formatter.write_str("index"),
            Element::F16 => formatter.write_str("f16"),
            Element::BF16 => formatter.write_str("bf16"),
            Element::F32 => formatter.write_str("f32"),
            Element::F64 => formatter.write_str("f64"),
        }
    }
}

/// The type of an SSA value or of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A scalar.
    Scalar(Element),
    /// An array; sizes that the type leaves open are `None`.
    Array {
        /// The type of the elements.
        element: Element,
        /// The sizes, outermost first.
        sizes: Vec<Option<usize>>,
    },
    /// An array in memory; sizes that the type leaves open are `None`.
    Memory {
        /// The type of the elements.
        element: Element,
        /// The sizes, outermost first.
        sizes: Vec<Option<usize>>,
    },
    /// A function.
    Function {
        /// The types of its arguments.
        inputs: Vec<Type>,
        /// The types of its results.
        results: Vec<Type>,
    },
    /// A type that the interpreter does not know, as MLIR writes it.
    Unknown(String),
}

impl Type {
    /// The type of a scalar, or of an array's elements.
    pub fn element(&self) -> Option<Element> {
        match self {
            Type::Scalar(element) | Type::Array { element, .. } | Type::Memory { element, .. } => {
                Some(*element)
            }
            _ => None,
        }
    }

    /// The sizes of an array; none of a scalar.
    pub fn sizes(&self) -> &[Option<usize>] {
        match self {
            Type::Array { sizes, .. } | Type::Memory { sizes, .. } => sizes,
            _ => &[],
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Type::Scalar(element) => element.fmt(formatter),
            Type::Array { element, sizes } => write!(formatter, "tensor<{}{element}>", by(sizes)),
            Type::Memory { element, sizes } => write!(formatter, "memref<{}{element}>", by(sizes)),
            Type::Function { inputs, results } => {
                write!(formatter, "({}) -> ({})", list(inputs), list(results))
            }
            Type::Unknown(name) => formatter.write_str(name),
        }
    }
}

/// The sizes in front of the type of elements.
fn by(sizes: &[Option<usize>]) -> String {
    sizes
        .iter()
        .map(|size| match size {
            Some(size) => format!("{size}x"),
            None => "?x".to_owned(),
        })
        .collect()
}

fn list(types: &[Type]) -> String {
    types
        .iter()
        .map(Type::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}
