//! Memory that both branches of an `scf.if` allocate and give: it is allocated in front of them.
//!
//! How large it is has to be known there. What may end the program in a branch, a check above all, may stand
//! in front of an allocation only if that is as large as an array that exists: nothing is allocated in a size that
//! a check refuses.
//!
//! Cost: linear in the ops of the branches.

use comb_kit::{
    pass_error::PassError,
    walk::{first_blocks, in_block_from, is_there_before, operations},
};
use comb_lmad::Polynomial;
use comb_nest::elements::numbers::Numbers;
use melior::ir::{
    BlockLike, BlockRef, OperationRef, Type, Value, ValueLike,
    operation::OperationLike,
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Values},
    cast::Parts,
    view::{definition, op_name},
};
use thiserror::Error;

use crate::{carry_blocks::casts::uncast, short_circuit::ahead::is_quiet};

/// What is to be allocated in front of a branch.
pub(super) struct Plan<'c, 'a> {
    numbers: Numbers<'c, 'a>,
    /// For each result, in order, if it is.
    blocks: Vec<Option<Block<'c, 'a>>>,
    /// Why others are not that both branches allocate.
    pub refusals: Vec<Refusal>,
}

/// Why what both branches allocate is not allocated in front of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum Refusal {
    #[error("they allocate memory of different types")]
    Types,
    #[error("its size is computed in a branch")]
    Size,
    #[error("a check in a branch has to be made before")]
    Check,
}

/// A block of memory in the place of two.
struct Block<'c, 'a> {
    allocations: [OperationRef<'c, 'a>; 2],
    /// How large it is in each dimension, if either branch is taken.
    sizes: Vec<[Polynomial; 2]>,
}

/// What can be allocated in front of a branch; nothing if there is nothing that both sides allocate.
pub(super) fn plan<'c: 'a, 'a>(branch: OperationRef<'c, 'a>) -> Option<Plan<'c, 'a>> {
    let sides: Option<Vec<BlockRef>> = first_blocks(branch).into_iter().collect();
    let [then, otherwise] = sides?.try_into().ok()?;
    let mut numbers = Numbers::at(branch);
    numbers.learn_checks();
    let (mut blocks, mut refusals) = (vec![], vec![]);
    for number in 0..branch.result_count() {
        let pair = allocation(then, number).zip(allocation(otherwise, number));
        let block = pair.map(|(one, other)| Block::of(branch, [one, other], &mut numbers));
        blocks.push(match block.transpose() {
            Ok(block) => block,
            Err(refusal) => {
                refusals.push(refusal);
                None
            }
        });
    }
    let is_any = blocks.iter().any(Option::is_some) || !refusals.is_empty();
    is_any.then_some(Plan {
        numbers,
        blocks,
        refusals,
    })
}

impl Plan<'_, '_> {
    /// Whether anything can be.
    pub fn is_any(&self) -> bool {
        self.blocks.iter().any(Option::is_some)
    }
}

/// The allocation of what a branch gives, if that is its own, and given once.
fn allocation<'c: 'a, 'a>(block: BlockRef<'c, 'a>, number: usize) -> Option<OperationRef<'c, 'a>> {
    let end = block.terminator()?;
    let given = uncast(end.operand_at(number)?);
    let times = end.operands().filter(|&other| uncast(other) == given);
    let allocation =
        definition(given).filter(|&op| matches!(op_name(op), "memref.alloc" | "nest.local"))?;
    (times.count() == 1 && allocation.block() == Some(block)).then_some(allocation)
}

impl<'c: 'a, 'a> Block<'c, 'a> {
    fn of(
        branch: OperationRef<'c, 'a>,
        allocations: [OperationRef<'c, 'a>; 2],
        numbers: &mut Numbers<'c, 'a>,
    ) -> Result<Self, Refusal> {
        let [one, other] = allocations.map(|op| op.result(0).map(Value::from));
        let (Ok(one), Ok(other)) = (one, other) else {
            return Err(Refusal::Types);
        };
        let [kind, other_kind] = allocations.map(op_name);
        if one.r#type() != other.r#type() || kind != other_kind {
            return Err(Refusal::Types);
        }
        let memory = MemRefType::try_from(one.r#type()).map_err(|_| Refusal::Types)?;
        let mut sizes = vec![];
        for dimension in 0..memory.rank() {
            let pair = [one, other].map(|name| numbers.size(name, dimension));
            let is_known = |symbol| is_there_before(numbers.leaf(symbol).value(), branch);
            if !pair.iter().flat_map(Polynomial::symbols).all(is_known) {
                return Err(Refusal::Size);
            }
            sizes.push(pair);
        }
        let can_move = |side: usize| {
            let own: Vec<&Polynomial> = sizes.iter().map(|pair| &pair[side]).collect();
            comes_first(allocations[side]) || are_plain(&own, numbers)
        };
        match can_move(0) && can_move(1) {
            true => Ok(Self { allocations, sizes }),
            false => Err(Refusal::Check),
        }
    }
}

/// Whether nothing that may end the program stands in front of an op in its block.
fn comes_first(op: OperationRef) -> bool {
    let first = op.block().and_then(|block| block.first_operation());
    let mut before = in_block_from(first).take_while(|&other| other != op);
    before.all(|op| is_quiet(op) && !has_check(op))
}

fn has_check(op: OperationRef) -> bool {
    let mut all = std::iter::once(op).chain(operations(op));
    all.any(|op| op_name(op) == "soac.check")
}

/// Whether sizes are written in the program, but for one, which is the size of an array that exists.
fn are_plain(sizes: &[&Polynomial], numbers: &Numbers) -> bool {
    let mut unknown = sizes.iter().filter(|size| size.as_constant().is_none());
    let is_size = |size: &Polynomial| {
        let mut symbols = size.symbols();
        let only = symbols.next().filter(|_| symbols.next().is_none());
        only.is_some_and(|only| {
            *size == Polynomial::from(only) && numbers.bounds.is_less(&(-1).into(), size)
        })
    };
    unknown.next().is_none_or(|size| is_size(size)) && unknown.next().is_none()
}

/// Allocates what was planned, and makes a branch that does not give it.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn allocate_before<'c: 'a, 'a>(
    branch: OperationRef<'c, 'a>,
    plan: Plan<'c, 'a>,
) -> Result<(), PassError<'c>> {
    let Some(builder) = Builder::before(branch) else {
        return Ok(());
    };
    let condition = branch.operand(0)?;
    let mut blocks = vec![];
    for block in &plan.blocks {
        let block = match block {
            Some(block) => Some(allocated(&builder, condition, block, &plan.numbers)?),
            None => None,
        };
        blocks.push(block);
    }
    let kept = |values: Values<'c, 'a>| -> Values<'c, 'a> {
        let values = values.into_iter().zip(&blocks);
        values
            .filter(|(_, block)| block.is_none())
            .map(|(value, _)| value)
            .collect()
    };
    let mut regions = vec![];
    for block in first_blocks(branch).into_iter().flatten() {
        regions.push(builder.region(&[], "scf.yield", |builder, _| {
            Ok::<_, PassError>(kept(builder.inline(block, &[])?))
        })?);
    }
    let results = kept(branch.results().map(Into::into).collect());
    let types: Vec<Type> = results.iter().map(|value| value.r#type()).collect();
    let new = builder.op_like(branch, &[condition], &types, regions)?;
    let mut given = new.results().map(Value::from);
    let mut values = vec![];
    for (result, &block) in branch.results().zip(&blocks) {
        let r#type = Value::from(result).r#type();
        values.push(match block {
            None => given.next().ok_or(melior::Error::OperationBuild)?,
            Some(block) if block.r#type() == r#type => block,
            Some(block) => builder.value("memref.cast", &[block], r#type, &[])?,
        });
    }
    builder.replace(branch, &values);
    Ok(())
}

/// One block in the place of two.
fn allocated<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    condition: Value<'c, 'a>,
    block: &Block<'c, 'a>,
    numbers: &Numbers<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let mut sizes = vec![];
    for [one, other] in &block.sizes {
        let size = numbers.emit(builder, one)?;
        sizes.push(match one == other {
            true => size,
            false => {
                let other = numbers.emit(builder, other)?;
                let [one, other] = [size, other].map(|size| builder.size_value(size));
                Size::Dynamic(builder.select(condition, one?, other?)?)
            }
        });
    }
    let model = block.allocations[0];
    let r#type = model.result(0)?.r#type();
    let memory = MemRefType::try_from(r#type)?;
    let mut operands = vec![];
    for (dimension, &size) in sizes.iter().enumerate() {
        if memory.dim_size(dimension)? == DimSize::Dynamic {
            operands.push(builder.size_value(size)?);
        }
    }
    let new = builder.op_like(model, &operands, &[r#type], vec![])?;
    let new: Value = new.result(0)?.into();
    for allocation in block.allocations {
        builder.replace(allocation, &[new]);
    }
    Ok(new)
}
