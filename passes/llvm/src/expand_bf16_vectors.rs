//! Moves vectors of `bf16` as vectors of `i16`.
//!
//! Few CPUs have instructions for `bf16`. For the others LLVM calls a function for each
//! lane of a vector that is shuffled, or loaded with a mask, even if nothing is computed
//! with it. When `arith-expand` has made arithmetic of integers and `f32` of all that is
//! computed, vectors of `bf16` are only moved, and then they can be vectors of `i16`.
//!
//! 1. Values: what an op that only moves them gives, and what blocks take, gets the new
//!    type. What any other op gives is cast to it.
//! 2. Operands: memory is seen as memory of `i16`, single numbers are cast, and other ops
//!    are given what they took before.
//!
//! The view of the memory is a cast that lowerings to the LLVM dialect leave nothing of,
//! so this runs next to them.
//!
//! Cost: linear in the number of ops.

use comb_kit::{
    other_elements::{seen_as, vector_of},
    pass_error::PassError,
    walk::operations,
};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, Type, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::{builder::Builder, view::op_name};

/// Ops that move elements, in vectors, in memory and one by one.
const MOVES: &[&str] = &[
    "vector.broadcast",
    "vector.compressstore",
    "vector.extract",
    "vector.from_elements",
    "vector.gather",
    "vector.insert",
    "vector.load",
    "vector.maskedload",
    "vector.maskedstore",
    "vector.shape_cast",
    "vector.shuffle",
    "vector.store",
];

/// Ops that hand on what they are given. So do branches of all dialects.
const HAND_ON: &[&str] = &[
    "arith.select",
    "scf.condition",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
    "ub.poison",
];

/// Rewrites the vectors of a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let ops = operations(module);
    let Some(builder) = ops.first().copied().and_then(Builder::before) else {
        return Ok(());
    };
    let types = Types::new(builder)?;
    let taken: Vec<Vec<Type>> = ops.iter().map(|&op| operand_types(op)).collect();
    types.change_arguments(module)?;
    for &op in &ops {
        types.change_arguments(op)?;
        types.change_results(op)?;
    }
    for (op, taken) in ops.into_iter().zip(taken) {
        types.change_operands(op, &taken)?;
    }
    Ok(())
}

fn operand_types<'c>(op: OperationRef<'c, '_>) -> Vec<Type<'c>> {
    op.operands().map(|operand| operand.r#type()).collect()
}

/// What happens to an op.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Moves,
    HandsOn,
    /// Its types stay.
    Other,
}

fn role(op: OperationRef) -> Role {
    let name = op_name(op);
    if MOVES.contains(&name) {
        Role::Moves
    } else if HAND_ON.contains(&name) || op.successor_count() > 0 {
        Role::HandsOn
    } else {
        Role::Other
    }
}

/// The types that matter.
struct Types<'c, 'm> {
    builder: Builder<'c, 'm>,
    bf16: Type<'c>,
    i16: Type<'c>,
}

impl<'c, 'm> Types<'c, 'm> {
    fn new(builder: Builder<'c, 'm>) -> Result<Self, PassError<'c>> {
        Ok(Self {
            builder,
            bf16: builder.r#type("bf16")?,
            i16: builder.integer_type(16),
        })
    }

    /// The type of a vector of `bf16`, as integers; nothing for any other type.
    fn of_vector(&self, r#type: Type<'c>) -> Result<Option<Type<'c>>, PassError<'c>> {
        Ok(vector_of(&self.builder, r#type, self.bf16, self.i16)?)
    }

    fn change_arguments(&self, op: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
        for region in op.regions() {
            let mut is_first = true;
            let mut next = region.first_block();
            while let Some(block) = next {
                let stays = is_first && role(op) == Role::Other;
                self.change_arguments_of(block, stays)?;
                is_first = false;
                next = block.next_in_region();
            }
        }
        Ok(())
    }

    fn change_arguments_of(
        &self,
        block: BlockRef<'c, '_>,
        stays: bool,
    ) -> Result<(), PassError<'c>> {
        for position in 0..block.argument_count() {
            let argument = Value::from(block.argument(position)?);
            let Some(integers) = self.of_vector(argument.r#type())? else {
                continue;
            };
            match block.first_operation().and_then(Builder::before) {
                Some(builder) if stays => cast(&builder, argument, integers)?,
                _ => argument.set_type(integers),
            }
        }
        Ok(())
    }

    fn change_results(&self, op: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
        let role = role(op);
        for result in op.results() {
            let result = Value::from(result);
            let vector = self.of_vector(result.r#type())?;
            match (vector, Builder::after(op)) {
                (Some(integers), Some(builder)) if role == Role::Other => {
                    cast(&builder, result, integers)?;
                }
                (Some(integers), _) => result.set_type(integers),
                (None, Some(builder)) if role == Role::Moves && result.r#type() == self.bf16 => {
                    result.set_type(self.i16);
                    cast(&builder, result, self.bf16)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Changes the operands of an op, which had certain types before.
    fn change_operands(
        &self,
        op: OperationRef<'c, '_>,
        taken: &[Type<'c>],
    ) -> Result<(), PassError<'c>> {
        let Some(builder) = Builder::before(op) else {
            return Ok(());
        };
        let role = role(op);
        let operands: Vec<Value> = op.operands().collect();
        for (position, (&operand, &before)) in operands.iter().zip(taken).enumerate() {
            let is_vector = self.of_vector(before)?.is_some();
            let as_memory = seen_as(before, self.bf16, self.i16);
            let changed = match (role, as_memory) {
                (Role::Other, _) if is_vector => value(&builder, BITCAST, operand, before)?,
                (Role::Moves, Some(memory)) => value(&builder, VIEW, operand, memory)?,
                (Role::Moves, None) if before == self.bf16 => {
                    value(&builder, BITCAST, operand, self.i16)?
                }
                _ => continue,
            };
            builder.set_operand(op, position, changed);
        }
        Ok(())
    }
}

const BITCAST: &str = "arith.bitcast";
const VIEW: &str = "builtin.unrealized_conversion_cast";

fn value<'c, 'a>(
    builder: &Builder<'c, 'a>,
    op: &str,
    operand: Value<'c, 'a>,
    result: Type<'c>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    Ok(builder.value(op, &[operand], result, &[])?)
}

/// Makes all that uses a value use the same bits as another type.
fn cast<'c, 'a>(
    builder: &Builder<'c, 'a>,
    from: Value<'c, 'a>,
    to: Type<'c>,
) -> Result<(), PassError<'c>> {
    let cast = builder.op(BITCAST, &[from], &[to], &[], vec![])?;
    builder.replace_uses(from, cast.result(0)?.into(), Some(cast));
    Ok(())
}
