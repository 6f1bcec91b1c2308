//! `comb-carry-blocks`: loops and branches give memory that is there before, where they can.
//!
//! In memory form, what an `scf.for` carries and an `scf.if` gives is a name of memory. Passes that ask
//! where an array is have to know which memory that is:
//!
//! * what a loop [hands on as it was](unchanged) is the memory that it is given;
//! * memory that each branch allocates is [allocated in front](branches), once, and both write there.
//!
//! [Casts](casts) that only hide what is known go, too. Inner loops and branches come first, so that outer
//! ones see what these have become.
//!
//! Cost: linear in the number of ops, and in what loops and branches carry.

mod branches;
pub(crate) mod casts;
mod unchanged;

use melior::ir::{OperationRef, operation::OperationLike};
use soac_dialect::{
    text::{shown, symbol_bytes},
    view::op_name,
};

use crate::{
    pass_error::PassError,
    remarks::{Kind, Remark},
    switches::{self, Switches},
    transformations::Transformation,
    walk::{ancestors, operations},
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
    let applies = || switches.applies(Transformation::CarriedBlocks, op.location());
    match op_name(op) {
        "scf.for" => {
            let unchanged = unchanged::unchanged(op).filter(|_| applies());
            if let Some(unchanged) = &unchanged {
                remark(op, Ok("a loop hands on memory that it was given"));
                unchanged::take_out(op, unchanged)?;
            }
            Ok(unchanged.is_some())
        }
        "scf.if" => {
            let Some(plan) = branches::plan(op) else {
                return Ok(false);
            };
            for refusal in &plan.refusals {
                remark(op, Err(*refusal));
            }
            let is_done = plan.is_any() && applies();
            if is_done {
                remark(op, Ok("what branches give is allocated in front of them"));
                branches::allocate_before(op, plan)?;
            }
            Ok(is_done)
        }
        _ => Ok(false),
    }
}

fn remark(op: OperationRef, done: Result<&str, branches::Refusal>) {
    let function = ancestors(op).find(|&op| op_name(op) == "func.func");
    let name = function.and_then(symbol_bytes).unwrap_or_default();
    let (kind, title) = match done {
        Ok(_) => (Kind::Passed, "CarriedBlock"),
        Err(_) => (Kind::Missed, "BlocksInBranches"),
    };
    let remark = Remark {
        pass: "comb-carry-blocks",
        kind,
        name: title,
        function: &shown(name),
        location: op.location(),
    };
    remark.emit(&|| match done {
        Ok(message) => message.to_owned(),
        Err(refusal) => format!("what branches give is allocated in each of them: {refusal}"),
    });
}
