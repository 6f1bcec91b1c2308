//! Types and parts of ops that may be there or not, asked for without a text of what is not.
//!
//! melior's own conversions and accessors give an error that has the type, or the whole op, as text. That takes
//! far longer than the question, and printing an op reads the module around it, which other passes may be
//! changing at the same time.

use melior::ir::{
    BlockLike, OperationRef, RegionRef, Type, TypeLike, Value,
    block::BlockArgument,
    operation::{OperationLike, OperationResult},
    r#type::{FunctionType, IntegerType, MemRefType, RankedTensorType, TupleType},
};

/// A kind of types.
pub trait Kind<'c>: TryFrom<Type<'c>> {
    /// Whether a type is of it.
    fn includes(r#type: Type<'c>) -> bool;
}

macro_rules! kinds {
    ($($kind:ident $is:ident;)+) => {
        $(impl<'c> Kind<'c> for $kind<'c> {
            fn includes(r#type: Type<'c>) -> bool {
                r#type.$is()
            }
        })+
    };
}

kinds! {
    FunctionType is_function;
    IntegerType is_integer;
    MemRefType is_mem_ref;
    RankedTensorType is_ranked_tensor;
    TupleType is_tuple;
}

/// A type as one of a kind, if it is of it.
pub fn cast<'c, K: Kind<'c>>(r#type: impl TypeLike<'c>) -> Option<K> {
    // SAFETY: the type is one of its context.
    let r#type = unsafe { Type::from_raw(r#type.to_raw()) };
    if !K::includes(r#type) {
        return None;
    }
    K::try_from(r#type).ok()
}

/// Whether a type is of a kind.
pub fn is_a<'c, K: Kind<'c>>(r#type: impl TypeLike<'c>) -> bool {
    cast::<K>(r#type).is_some()
}

/// The parts of an op.
pub trait Parts<'c, 'a> {
    /// The operand at a position.
    fn operand_at(&self, index: usize) -> Option<Value<'c, 'a>>;
    /// The result at a position.
    fn result_at(&self, index: usize) -> Option<OperationResult<'c, 'a>>;
    /// The region at a position.
    fn region_at(&self, index: usize) -> Option<RegionRef<'c, 'a>>;
}

impl<'c: 'a, 'a> Parts<'c, 'a> for OperationRef<'c, 'a> {
    fn operand_at(&self, index: usize) -> Option<Value<'c, 'a>> {
        let there = index < self.operand_count();
        there.then(|| self.operand(index).ok()).flatten()
    }

    fn result_at(&self, index: usize) -> Option<OperationResult<'c, 'a>> {
        let there = index < self.result_count();
        there.then(|| self.result(index).ok()).flatten()
    }

    fn region_at(&self, index: usize) -> Option<RegionRef<'c, 'a>> {
        let there = index < self.region_count();
        there.then(|| self.region(index).ok()).flatten()
    }
}

/// The arguments of a block.
pub trait Arguments<'c, 'a> {
    /// The argument at a position.
    fn argument_at(&self, index: usize) -> Option<BlockArgument<'c, 'a>>;
}

impl<'c: 'a, 'a, B: BlockLike<'c, 'a>> Arguments<'c, 'a> for B {
    fn argument_at(&self, index: usize) -> Option<BlockArgument<'c, 'a>> {
        let there = index < self.argument_count();
        there.then(|| self.argument(index).ok()).flatten()
    }
}
