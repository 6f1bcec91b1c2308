//! `comb-reuse-blocks`: memory that nobody needs any more is used again.
//!
//! An array that is allocated takes the memory of one of the same type and size that is [dead](life) by then. A map
//! of an array that nobody else needs goes into its memory: one op may use both, if it reads each element
//! before it is overwritten.
//!
//! So may a loop compute what it hands on [where what it carries is](crate::carry_blocks), which nobody needs then.
//!
//! Arrays take, in program order, the memory that has been dead for the shortest time, which is the most likely to
//! be in a cache. Arrays of one size that are allocated in one block, without names that loops carry, have lives
//! that are intervals: so there are never more blocks of a size than arrays of it that are needed at a time
//! (Gupta, Lee and Leung, An optimal solution for the channel-assignment problem, 1979).
//!
//! Memory is only used again by the thread that it is allocated by: within the iteration of a kernel's loop, or
//! outside of kernels. It is freed when its last array is dead.
//!
//! Functions with branches between blocks are left alone.
//!
//! Cost: quadratic in the number of allocations, times the uses of each.

mod first_copy;
pub mod life;
mod rotation;

use comb_kit::{
    pass_error::PassError,
    remarks::{Kind, Remark},
    switches::{self, Switches},
    transformations::Transformation,
    walk::{functions, operations},
};
use comb_nest::elements::{names::Names, numbers::Numbers};
use melior::ir::{
    OperationRef, Value, ValueLike,
    operation::OperationLike,
    r#type::{MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::Builder,
    cast::cast,
    text::{shown, symbol_bytes},
    view::{op_name, stands_before},
};

use crate::{
    carry_blocks::{Pass, overwrite, overwritten::Dead, take_out},
    short_circuit::{self, has_branches},
};
use life::{Life, Refusal, first_use, is_overwritten_in_order};
use rotation::Rotation;

/// Does so in all of a module; gives how many arrays have no memory of their own any more.
///
/// # Errors
///
/// If an op is not as MLIR says.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<i64, PassError<'c>> {
    switches::with(module, |switches| {
        let mut reused = 0;
        for function in functions(module)
            .into_iter()
            .filter(|&op| !has_branches(op))
        {
            reused += in_function(function, switches)?;
        }
        Ok(reused)
    })
}

fn in_function<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    switches: &Switches,
) -> Result<i64, PassError<'c>> {
    let mut reused = loops_in(function, switches)?;
    if reused > 0 {
        // The results of loops are known memory now, and may be computed where they are copied to.
        short_circuit::in_function(function, switches)?;
    }
    short_circuit::forward_all(function, switches)?;
    let mut allocations = operations(function);
    allocations.retain(|&op| op_name(op) == "memref.alloc");
    let mut kept = vec![];
    for new in allocations {
        let found = block_for(new, &kept)?;
        let applies = || switches.applies(Transformation::ReusedBlocks, new.location());
        let found = found.filter(|found| found.is_err() || applies());
        if let Some(found) = &found {
            let found = found
                .as_ref()
                .map(|_| "an array has memory that nobody needs any more");
            remark(function, new, &found);
        }
        match (found, Builder::before(new)) {
            (Some(Ok(block)), Some(builder)) => {
                builder.replace(new, &[block]);
                reused += 1;
            }
            _ => kept.push(new),
        }
    }
    Ok(reused)
}

/// Lets loops use memory again; gives how many arrays have no memory of their own any more.
fn loops_in<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    switches: &Switches,
) -> Result<i64, PassError<'c>> {
    let mut reused = 0;
    let pass = Pass {
        name: "comb-reuse-blocks",
        transformation: Transformation::ReusedBlocks,
    };
    // What stands beside a loop may go with it, but for other loops.
    let mut loops = operations(function);
    loops.retain(|&op| op_name(op) == "scf.for");
    for op in loops.into_iter().rev() {
        if overwrite(op, switches, &pass, Dead::ThereOrBefore)? {
            reused += 1;
            if take_out(op, switches, &pass)? {
                continue;
            }
        }
        let applies = |_: &_| switches.applies(Transformation::ReusedBlocks, op.location());
        if let Some(rotation) = Rotation::of(op, function).filter(applies) {
            remark(
                function,
                op,
                &Ok("a loop goes round blocks that are allocated in front of it"),
            );
            rotation.apply()?;
            reused += 1;
        }
    }
    Ok(reused)
}

/// Memory for an array, or why it is not that of the array that it is computed from.
type Found<'c, 'a> = Result<Value<'c, 'a>, Refusal>;

/// The memory that an array can have: the one that has been dead for the shortest time. Nothing if there is
/// none of its type and size.
fn block_for<'c: 'a, 'a>(
    new: OperationRef<'c, 'a>,
    allocations: &[OperationRef<'c, 'a>],
) -> Result<Option<Found<'c, 'a>>, PassError<'c>> {
    let array: Value = new.result(0)?.into();
    let Some(names) = Names::of(array) else {
        return Ok(None);
    };
    let (mut best, mut refusal) = (None, None);
    for &old in allocations {
        let block: Value = old.result(0)?.into();
        let mut numbers = Numbers::at(new);
        if block.r#type() != array.r#type() || !are_as_large(&mut numbers, block, array) {
            continue;
        }
        let life = Life::of(block, old);
        let Some((life, first)) = life.zip(first_use(new, &names, old)) else {
            continue;
        };
        let Some(last) = life.last.filter(|&last| !stands_before(first, last)) else {
            continue;
        };
        if last == first {
            let [from, to] = [(block, &life.names), (array, &names)];
            if let Err(reason) = is_overwritten_in_order(&mut numbers, first, from, to) {
                refusal = Some(reason);
                continue;
            }
        }
        if best.is_none_or(|(latest, _)| stands_before(latest, last)) {
            best = Some((last, block));
        }
    }
    let found = best.map(|(_, block)| Ok(block));
    Ok(found.or(refusal.map(Err)))
}

fn are_as_large<'c: 'a, 'a>(
    numbers: &mut Numbers<'c, 'a>,
    one: Value<'c, 'a>,
    other: Value<'c, 'a>,
) -> bool {
    let rank = cast::<MemRefType>(one.r#type()).map_or(0, |memory| memory.rank());
    (0..rank).all(|dimension| numbers.size(one, dimension) == numbers.size(other, dimension))
}

fn remark(function: OperationRef, op: OperationRef, found: &Result<&str, &Refusal>) {
    let name = symbol_bytes(function).unwrap_or_default();
    let (kind, title) = match found {
        Ok(_) => (Kind::Passed, "ReusedBlock"),
        Err(_) => (Kind::Missed, "NewBlock"),
    };
    let remark = Remark {
        pass: "comb-reuse-blocks",
        kind,
        name: title,
        function: &shown(name),
        location: op.location(),
    };
    remark.emit(&|| match found {
        Ok(message) => (*message).to_owned(),
        Err(refusal) => {
            format!("an array is not computed in the memory of another one: {refusal}")
        }
    });
}
