//! Loops, branches and calls.

use melior::ir::{
    BlockLike, BlockRef, OperationRef, Region, RegionLike, Type, Value, ValueLike,
    attribute::{FlatSymbolRefAttribute, StringAttribute},
    operation::OperationLike,
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::Parts,
};

use super::{Scope, convert_block, element, gathers::index, loops::Counted, unsupported};
use comb_kit::pass_error::PassError;

/// `stablehlo.while`.
pub(super) fn r#while<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    scope: &mut Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let types = types(op)?;
    let (condition, body) = (block(op, 0)?, block(op, 1)?);
    let counts = [condition, body].map(|block| block.argument_count());
    if types.len() != operands.len() || counts != [operands.len(); 2] {
        return Err(unsupported(op, "needs regions of what it carries"));
    }
    if let Some(counted) = Counted::of(condition, body) {
        return counted.build(builder, operands, body, scope);
    }
    let before = builder.region(&types, "scf.condition", |builder, arguments| {
        scope.enter(condition, arguments)?;
        let goes_on = convert_block(condition, builder, scope)?;
        let [goes_on] = goes_on.as_slice() else {
            return Err(unsupported(op, "needs one condition"));
        };
        let goes_on = builder.extract(*goes_on, &[])?;
        Ok([&[goes_on], arguments].concat())
    })?;
    let after = builder.region(&types, "scf.yield", |builder, arguments| {
        scope.enter(body, arguments)?;
        convert_block(body, builder, scope)
    })?;
    let r#loop = builder.op("scf.while", operands, &types, &[], vec![before, after])?;
    Ok(r#loop.results().map(Into::into).collect())
}

/// `stablehlo.if`.
pub(super) fn r#if<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    scope: &mut Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let condition = selector(op, builder, operands)?;
    let regions = branches(op, builder, scope, [0, 1])?;
    let branch = builder.op("scf.if", &[condition], &types(op)?, &[], regions)?;
    Ok(branch.results().map(Into::into).collect())
}

/// `stablehlo.case`: a number that is none of a branch takes the last one.
pub(super) fn case<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    scope: &mut Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let last = op.region_count().checked_sub(1);
    let last = last.ok_or_else(|| unsupported(op, "needs a branch"))?;
    let number = selector(op, builder, operands)?;
    let index = index(builder, number, false)?;
    let regions = branches(op, builder, scope, [last].into_iter().chain(0..last))?;
    let cases: Vec<i64> = (0..last as i64).collect();
    let attributes = [("cases", builder.integers(&cases))];
    let types = types(op)?;
    let switch = builder.op("scf.index_switch", &[index], &types, &attributes, regions)?;
    Ok(switch.results().map(Into::into).collect())
}

/// The number that says which branch runs.
fn selector<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, PassError<'c>> {
    match operands {
        [array] if element::operand(op, 0)?.rank() == 0 => Ok(builder.extract(*array, &[])?),
        _ => Err(unsupported(op, "needs one operand without dimensions")),
    }
}

/// The regions of branches, in some order.
fn branches<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
    order: impl IntoIterator<Item = usize>,
) -> Result<Vec<Region<'c>>, PassError<'c>> {
    let mut regions = vec![];
    for branch in order {
        let block = block(op, branch)?;
        regions.push(builder.region(&[], "scf.yield", |builder, _| {
            convert_block(block, builder, scope)
        })?);
    }
    Ok(regions)
}

/// Calls, and ops that are said to be as good as a call.
pub(super) fn call<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let callee = ["callee", "decomposition"]
        .into_iter()
        .find_map(|name| op.attribute(name).ok())
        .filter(|&callee| FlatSymbolRefAttribute::try_from(callee).is_ok());
    let callee = callee.ok_or_else(|| unsupported(op, "needs the name of a function"))?;
    let call = builder.op(
        "func.call",
        operands,
        &types(op)?,
        &[("callee", callee)],
        vec![],
    )?;
    Ok(call.results().map(Into::into).collect())
}

/// Whether a call says on which devices arrays are, and computes nothing.
pub(super) fn places_only(op: OperationRef) -> bool {
    let is_sharding = target(op).is_some_and(|target| target == "Sharding");
    let operands = op.operands().map(|operand| operand.r#type());
    let results = op.results().map(|result| result.r#type());
    is_sharding && operands.eq(results)
}

/// What a `stablehlo.custom_call` calls.
pub(super) fn target<'c>(op: OperationRef<'c, '_>) -> Option<&'c str> {
    let target = op.attribute("call_target_name").ok()?;
    Some(StringAttribute::try_from(target).ok()?.value())
}

/// The types of an op's new results.
fn types<'c>(op: OperationRef<'c, '_>) -> Result<Vec<Type<'c>>, PassError<'c>> {
    (0..op.result_count())
        .map(|index| Ok(element::open_result(op, index)?.r#type()))
        .collect()
}

fn block<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    index: usize,
) -> Result<BlockRef<'c, 'a>, PassError<'c>> {
    let region = op.region_at(index);
    let block = region.and_then(|region| region.first_block());
    let block = block.filter(|block| block.next_in_region().is_none());
    block.ok_or_else(|| unsupported(op, "needs regions with a block each"))
}
