//! Copies that are read where they were copied from.
//!
//! An array that is only filled, and read, need not be there if nobody writes to what it is filled from until it is
//! read for the last time: what reads the copy reads the original, at the place that the element was
//! copied from. So a function that is mapped over blocks of a table reads these in the table, though blocks
//! are no arrays.
//!
//! A copy stays if it is what makes reads vectors: if elements next to each other in it are far apart in the
//! original, and loops of kernels read it.
//!
//! Cost: for each copy, that of [`decide`](super::decide); linear in the function for each one that goes.

use comb_kit::{
    pass_error::PassError,
    switches::Switches,
    transformations::Transformation,
    walk::{op_key, operations},
};
use comb_nest::elements::{layouts::Layout, numbers::Numbers};
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::view::{definition, op_name};
use std::collections::HashSet;

use super::{
    aliases::Aliases,
    candidates::{Candidate, filling},
    decide::may_read_there,
    place::read_there,
    remark,
};

/// Which copies are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    /// Those in the memory of an iteration.
    Local,
    /// All of them.
    All,
}

/// Does so in a function; gives how many copies went.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub(super) fn in_function<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    switches: &Switches,
    copies: Copies,
) -> Result<i64, PassError<'c>> {
    let (mut removed, mut refused) = (0, HashSet::new());
    let mut aliases = Aliases::of(function);
    loop {
        let found = operations(function).into_iter().find_map(|op| {
            let mut numbers = Numbers::at(op);
            let is_new = !refused.contains(&op_key(op));
            let filling = is_new.then(|| filling(&mut numbers, op))??;
            is_wanted(filling.source, copies).then_some((op, filling, numbers))
        });
        let Some((op, filling, mut numbers)) = found else {
            return Ok(removed);
        };
        numbers.learn_checks();
        let location = filling.copy.location();
        let readers = may_read_there(&filling, &mut numbers, &aliases);
        let readers = readers.ok().filter(|readers| {
            let applies = || switches.applies(Transformation::ForwardedCopies, location);
            pays(&filling, readers) && applies()
        });
        let Some(readers) = readers else {
            refused.insert(op_key(op));
            continue;
        };
        remark(
            function,
            &filling,
            Ok("a copy is read where it was copied from"),
        );
        read_there(&filling, &readers, &numbers)?;
        aliases = Aliases::of(function);
        removed += 1;
    }
}

fn is_wanted(array: Value, copies: Copies) -> bool {
    let is_local = definition(array).is_some_and(|op| op_name(op) == "nest.local");
    is_local || copies == Copies::All
}

/// Whether elements next to each other are so, too, in what they are copied from, or are not read as vectors.
fn pays<'c: 'a, 'a>(filling: &Candidate<'c, 'a>, readers: &[OperationRef<'c, 'a>]) -> bool {
    let Layout::Index(components) = &filling.layout else {
        return false;
    };
    let last = components.iter().enumerate().all(|(dimension, component)| {
        let stride = component.strides.last().map(|stride| stride.as_constant());
        let is_innermost = dimension + 1 == components.len();
        matches!(stride, None | Some(Some(0))) || is_innermost && stride == Some(Some(1))
    });
    last || readers.iter().all(|&reader| op_name(reader) != "nest.read")
}
