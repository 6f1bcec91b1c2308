//! `comb-balance-square-roots`: some of a loop's square roots are computed by multiplications,
//! while the CPU takes the others.
//!
//! A CPU has one unit for divisions and square roots. It takes as long for a vector as others for ten
//! to twenty multiplications, which can be done at the same time, but of which there often are few.
//! So a loop may wait for that unit, and for nothing else. Here:
//!
//! 1. *Count* what the ops of an innermost loop take: those of that unit, and all others ([`work`]).
//! 2. *Choose* how many roots are computed by multiplications, of those in one iteration or in two,
//!    so that the longer of both takes the least time. Too little gained is not worth it.
//! 3. *Two iterations* at once, if that was chosen: a loop does pairs of them, and the one that was
//!    there does what is left. Their order, and with it all results, stay the same.
//! 4. *Replace* as many roots, spread evenly, by [multiplications](root). They are rounded
//!    correctly: the bits are the same.
//!
//! Cost: linear in the number of ops, times the depth of loops.

mod root;
mod work;

use comb_kit::{
    checks::facts::constant,
    inline_copy::inline_copy,
    loop_annotation::{Advice, advise, is_advised},
    machine,
    pass_error::PassError,
    switches,
    transformations::Transformation,
    walk::{first_block, in_block_from, operations},
};
use melior::{
    Error,
    ir::{BlockLike, OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike},
};
use root::Root;
use soac_dialect::{
    builder::{Builder, Predicate, Values},
    cast::Parts,
    view::{op_name, set_operand},
};
use work::Work;

/// Loops of all kinds.
const LOOPS: &[&str] = &["scf.for", "scf.while", "scf.parallel"];

/// The operand of an `scf.for` behind its bounds and its step.
const FIRST_CARRIED: usize = 3;

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    if !machine::of(module)?.estimates {
        return Ok(());
    }
    switches::with(module, |switches| {
        for op in operations(module) {
            if op_name(op) != "scf.for" || operations(op).into_iter().any(is_loop) {
                continue;
            }
            let choice = Work::of(op).and_then(|work| work.choose(can_be_paired(op)));
            let applies = || switches.applies(Transformation::BalanceSquareRoots, op.location());
            let Some(choice) = choice.filter(|_| applies()) else {
                continue;
            };
            let r#loop = match choice.iterations {
                1 => op,
                _ => in_pairs(op)?,
            };
            replace_roots(r#loop, choice.replaced)?;
        }
        Ok(())
    })
}

fn is_loop(op: OperationRef) -> bool {
    LOOPS.contains(&op_name(op))
}

/// The square roots in a loop that can be replaced: those not in branches.
fn roots<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> Vec<Root<'c, 'a>> {
    let ops = in_block_from(first_block(r#loop).and_then(|body| body.first_operation()));
    ops.filter_map(Root::of).collect()
}

/// Replaces so many of a loop's square roots, spread evenly.
fn replace_roots<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>, replaced: usize) -> Result<(), Error> {
    let roots = roots(r#loop);
    let before = |position: usize| position * replaced / roots.len();
    for (position, root) in roots.iter().enumerate() {
        if before(position + 1) > before(position) {
            root.replace()?;
        }
    }
    Ok(())
}

/// Whether two iterations of a loop can be made one: it counts in signed indices, by a known step
/// that can be doubled, and nothing was decided on its iterations before.
fn can_be_paired(r#loop: OperationRef) -> bool {
    let steps = 1..=i64::from(i32::MAX);
    let step = r#loop.operand_at(2);
    let step = step.filter(|step| step.r#type().is_index());
    let is_known = step
        .and_then(constant)
        .is_some_and(|step| steps.contains(&step));
    is_known && !r#loop.has_attribute("unsignedCmp") && !is_advised(r#loop)
}

/// Makes a loop do its iterations in pairs; the old one behind it does what is left. Gives the new
/// one.
fn in_pairs<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>) -> Result<OperationRef<'c, 'a>, Error> {
    let builder = Builder::before(r#loop).ok_or(Error::OperationBuild)?;
    let operands: Values = r#loop.operands().collect();
    let &[first, end, step, ref carried @ ..] = operands.as_slice() else {
        return Err(Error::OperationBuild);
    };
    let pair = builder.arithmetic("arith.addi", &[step, step])?;
    let middle = end_of_pairs(&builder, first, end, pair)?;
    let types: Vec<Type> = carried.iter().map(|value| value.r#type()).collect();
    let arguments = [&[builder.index_type()], types.as_slice()].concat();
    let region = builder.region::<Error>(&arguments, "scf.yield", |builder, arguments| {
        let (index, carried) = (arguments[0], &arguments[1..]);
        let next = builder.arithmetic("arith.addi", &[index, step])?;
        let carried = inline_copy(builder, r#loop, &[&[index], carried].concat())?;
        inline_copy(builder, r#loop, &[&[next], carried.as_slice()].concat())
    })?;
    let operands = [&[first, middle, pair], carried].concat();
    let pairs = builder.op("scf.for", &operands, &types, &[], vec![region])?;
    set_operand(r#loop, 0, middle);
    for (position, result) in pairs.results().enumerate() {
        set_operand(r#loop, FIRST_CARRIED + position, result.into());
    }
    advise(r#loop, Advice::NoUnrolling)?;
    Ok(pairs)
}

/// Where the last whole pair of iterations ends.
fn end_of_pairs<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    first: Value<'c, 'a>,
    end: Value<'c, 'a>,
    pair: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let zero = builder.index(0)?;
    let distance = builder.arithmetic("arith.subi", &[end, first])?;
    let is_before = builder.compare(Predicate::Slt, first, end)?;
    let distance = builder.select(is_before, distance, zero)?;
    let rest = builder.arithmetic("arith.remui", &[distance, pair])?;
    let pairs = builder.arithmetic("arith.subi", &[distance, rest])?;
    builder.arithmetic("arith.addi", &[first, pairs])
}
