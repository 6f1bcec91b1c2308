//! Whether an element is read before it is written, where both are done by one op.
//!
//! Cost: linear in the loops around both.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::view::{op_name, stands_before};

use super::{
    accesses::{Access, Scope},
    layouts::Element,
};
use comb_kit::walk::ancestors;

use crate::nests::length_of;

/// Whether an element of some memory that is read may only be written by the same iteration of all loops around both,
/// and later.
pub fn is_read_first<'c: 'a, 'a>(
    scope: &mut Scope<'_, 'c, 'a>,
    memory: Value<'c, 'a>,
    (read, place): (&Access<'c, 'a>, &Element),
    (write, written): (&Access<'c, 'a>, &Element),
) -> bool {
    let around = |access: &Access<'c, 'a>| {
        let mut path: Vec<OperationRef> = ancestors(access.op).collect();
        let end = path.iter().position(|&op| op == scope.op);
        path.truncate(end.map_or(0, |end| end + 1));
        path.reverse();
        path.push(access.op);
        path
    };
    let (reading, writing) = (around(read), around(write));
    let common = reading
        .iter()
        .zip(&writing)
        .take_while(|(one, other)| one == other);
    let common = common.count();
    for &op in &reading[..common] {
        let is_same = match op_name(op) {
            "nest.loop" if length_of(op) == Some(1) => true,
            "nest.loop" => {
                let mut inside = Scope {
                    numbers: scope.numbers,
                    op,
                };
                inside.differ_between_iterations(memory, (read.op, place), (write.op, written))
            }
            "nest.kernel" | "nest.keep" | "scf.if" => true,
            _ => false,
        };
        if !is_same {
            return false;
        }
    }
    match (reading.get(common), writing.get(common)) {
        (Some(&reader), Some(&writer)) => {
            reader.block() != writer.block() || stands_before(reader, writer)
        }
        _ => false,
    }
}
