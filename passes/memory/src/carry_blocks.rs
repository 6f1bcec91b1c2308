//! `comb-carry-blocks`: loops and branches give memory that is there before, where they can.
//!
//! In memory form, what an `scf.for` carries and an `scf.if` gives is a name of memory. Passes that ask
//! where an array is have to know which memory that is:
//!
//! * what a loop [hands on as it was](unchanged) is the memory that it is given;
//! * what a loop carries, and nobody else knows, it [overwrites](overwritten), and [hands on](moved) in another
//!   place without a copy;
//! * memory that each branch allocates is [allocated in front](branches), once, and both write there.
//!
//! [Casts](casts) that only hide what is known go, too. Inner loops and branches come first, so that outer
//! ones see what these have become.
//!
//! Cost: linear in the number of ops, and in what loops and branches carry.

mod branches;
pub mod casts;
mod moved;
pub mod overwritten;
pub mod own;
mod unchanged;

use comb_kit::{
    pass_error::PassError,
    remarks::{Kind, Remark},
    switches::{self, Switches},
    transformations::Transformation,
    walk::{ancestors, operations},
};
use melior::ir::{OperationRef, operation::OperationLike};
use overwritten::Dead;
use own::Carried;
use soac_dialect::{
    builder::Builder,
    text::{shown, symbol_bytes},
    view::op_name,
};

/// Does so in all of a module; gives how many loops and branches are others now.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<i64, PassError<'c>> {
    switches::with(module, |switches| {
        casts::look_through(module);
        let mut changed = 0;
        for op in operations(module).into_iter().rev() {
            changed += i64::from(in_op(op, switches)?);
        }
        casts::look_through(module);
        Ok(changed)
    })
}

fn in_op<'c: 'a, 'a>(op: OperationRef<'c, 'a>, switches: &Switches) -> Result<bool, PassError<'c>> {
    match op_name(op) {
        "scf.for" => {
            let pass = Pass::CARRY_BLOCKS;
            let is_moved = hand_on(op, switches)?;
            let is_overwritten = overwrite(op, switches, &pass, Dead::There)?;
            Ok(take_out(op, switches, &pass)? || is_moved || is_overwritten)
        }
        "scf.if" => {
            let Some(plan) = branches::plan(op) else {
                return Ok(false);
            };
            for refusal in &plan.refusals {
                missed(
                    op,
                    &format!("what branches give is allocated in each of them: {refusal}"),
                );
            }
            let is_done =
                plan.is_any() && switches.applies(Transformation::CarriedBlocks, op.location());
            if is_done {
                passed(op, "what branches give is allocated in front of them");
                branches::allocate_before(op, plan)?;
            }
            Ok(is_done)
        }
        _ => Ok(false),
    }
}

/// A pass, and the transformation that it makes of loops.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// What was done.
    pub transformation: Transformation,
}

impl Pass {
    const CARRY_BLOCKS: Self = Self {
        name: "comb-carry-blocks",
        transformation: Transformation::CarriedBlocks,
    };
}

/// Lets a loop hand on what it carries in other places.
fn hand_on<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    switches: &Switches,
) -> Result<bool, PassError<'c>> {
    let applies = || switches.applies(Transformation::CarriedBlocks, r#loop.location());
    let mut is_done = false;
    while let Some(moved) = Carried::of(r#loop).and_then(|carried| moved::moved(&carried)) {
        let Some(builder) = Builder::before(moved.new).filter(|_| applies()) else {
            return Ok(is_done);
        };
        passed(r#loop, "a loop hands on in another place what it carries");
        builder.erase(moved.copy);
        builder.replace(moved.new, &[moved.old]);
        is_done = true;
    }
    Ok(is_done)
}

/// Lets a loop overwrite what it carries.
pub fn overwrite<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    switches: &Switches,
    pass: &Pass,
    dead: Dead,
) -> Result<bool, PassError<'c>> {
    let mut is_done = false;
    let found = Carried::of(r#loop).map(|carried| overwritten::overwritten(&carried, dead));
    for found in found.into_iter().flatten() {
        match found {
            Err(refusal) => remark(
                r#loop,
                (pass.name, Kind::Missed, "NewBlock"),
                &format!("a loop computes what it hands on in new memory: {refusal}"),
            ),
            Ok(found) => {
                let applies = |_: &_| switches.applies(pass.transformation, r#loop.location());
                if let Some(builder) = Builder::before(found.new).filter(applies) {
                    let kind = (pass.name, Kind::Passed, "CarriedBlock");
                    remark(r#loop, kind, "a loop overwrites what it carries");
                    builder.replace(found.new, &[found.old]);
                    is_done = true;
                }
            }
        }
    }
    Ok(is_done)
}

/// Makes a loop that does not carry what it hands on as it was given; the old one is gone.
pub fn take_out<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    switches: &Switches,
    pass: &Pass,
) -> Result<bool, PassError<'c>> {
    let unchanged = unchanged::unchanged(r#loop);
    let applies = |_: &_| switches.applies(pass.transformation, r#loop.location());
    let Some(unchanged) = unchanged.filter(applies) else {
        return Ok(false);
    };
    let kind = (pass.name, Kind::Passed, "CarriedBlock");
    remark(r#loop, kind, "a loop hands on memory that it was given");
    unchanged::take_out(r#loop, &unchanged)?;
    Ok(true)
}

fn passed(op: OperationRef, message: &str) {
    let kind = (Pass::CARRY_BLOCKS.name, Kind::Passed, "CarriedBlock");
    remark(op, kind, message);
}

fn missed(op: OperationRef, message: &str) {
    let kind = (Pass::CARRY_BLOCKS.name, Kind::Missed, "NewBlock");
    remark(op, kind, message);
}

fn remark(op: OperationRef, (pass, kind, title): (&str, Kind, &str), message: &str) {
    let function = ancestors(op).find(|&op| op_name(op) == "func.func");
    let name = function.and_then(symbol_bytes).unwrap_or_default();
    let remark = Remark {
        pass,
        kind,
        name: title,
        function: &shown(name),
        location: op.location(),
    };
    remark.emit(&|| message.to_owned());
}
