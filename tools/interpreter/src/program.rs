//! A program as the interpreter executes it: functions, regions, blocks and
//! ops as plain data, without MLIR.
//!
//! Every SSA value of a function has a slot of its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::affine::AffineMap;
use crate::element::Type;
use crate::value::{Array, Value};

/// The functions of a module, and the memory that they share.
#[derive(Debug)]
pub struct Program {
    pub(crate) functions: BTreeMap<String, Function>,
    /// The arrays that memory of a name begins with.
    pub(crate) globals: BTreeMap<String, Array>,
    /// Kernels of GPUs, by what launches call them.
    pub(crate) kernels: BTreeMap<String, Arc<Function>>,
}

impl Program {
    /// A program that has nothing.
    pub(crate) const fn nothing() -> Program {
        Program {
            functions: BTreeMap::new(),
            globals: BTreeMap::new(),
            kernels: BTreeMap::new(),
        }
    }
}

/// A function.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) location: String,
    pub(crate) inputs: Vec<Type>,
    pub(crate) results: Vec<Type>,
    /// Nothing, if the function is only declared.
    pub(crate) body: Option<Region>,
    /// How many SSA values it has.
    pub(crate) slots: usize,
}

/// A region: blocks, the first of which is entered.
#[derive(Debug)]
pub(crate) struct Region {
    pub(crate) blocks: Vec<Block>,
}

/// A block.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) arguments: Vec<Slot>,
    pub(crate) ops: Vec<Op>,
}

/// An SSA value.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) number: usize,
    pub(crate) ty: Type,
    /// Whether the value is used here and nowhere else, in the block that defines it.
    pub(crate) is_only_use: bool,
}

/// An op.
#[derive(Debug)]
pub(crate) struct Op {
    pub(crate) name: String,
    pub(crate) location: String,
    /// Tells it from all other ops.
    pub(crate) number: usize,
    pub(crate) operands: Vec<Slot>,
    pub(crate) results: Vec<Slot>,
    pub(crate) attributes: BTreeMap<String, Attribute>,
    pub(crate) regions: Vec<Region>,
    /// Blocks of the region in which the op stands.
    pub(crate) successors: Vec<usize>,
}

/// An attribute.
#[derive(Clone, Debug)]
pub(crate) enum Attribute {
    Unit,
    /// An integer, sign-extended.
    Integer(i128),
    Float(f64),
    String(String),
    Symbol(String),
    Type(Type),
    /// An array of numbers of 32 or 64 bits.
    Integers(Vec<i64>),
    Array(Vec<Attribute>),
    Elements(Value),
    Map(AffineMap),
    /// Anything else, as MLIR writes it.
    Other(String),
}

impl Op {
    /// An integer attribute.
    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        match self.attributes.get(name)? {
            Attribute::Integer(value) => i64::try_from(*value).ok(),
            _ => None,
        }
    }

    /// Whether an attribute is there.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.attributes.contains_key(name)
    }

    /// An array of numbers; empty if it is not there.
    pub(crate) fn integers(&self, name: &str) -> &[i64] {
        match self.attributes.get(name) {
            Some(Attribute::Integers(values)) => values,
            _ => &[],
        }
    }
}
