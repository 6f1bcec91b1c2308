//! Casts of memory to less that is known of it, which bufferization inserts: what uses elements uses
//! those of the memory itself. Casts that nobody uses then go.
//!
//! Cost: linear in the number of ops.

use comb_kit::walk::operations;
use comb_nest::elements::layouts::TAKE_STRIDED;
use melior::ir::{OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    cast::Parts,
    view::{definition, op_name, set_operand, uses},
};

/// Takes casts away from in front of reads and writes.
pub fn look_through<'c: 'a, 'a>(root: OperationRef<'c, 'a>) {
    let ops = operations(root);
    for &op in ops
        .iter()
        .filter(|&&op| TAKE_STRIDED.contains(&op_name(op)))
    {
        for position in 0..op.operand_count() {
            let operand = op.operand_at(position);
            let source = operand.map(uncast).filter(|source| is_ranked(*source));
            if let Some(source) = source.filter(|&source| Some(source) != operand) {
                set_operand(op, position, source);
            }
        }
    }
    for &op in ops.iter().rev().filter(|&&op| op_name(op) == "memref.cast") {
        let result = op.result(0).map(Value::from);
        let is_needless = result.is_ok_and(|result| uses(result).is_empty());
        if let Some(builder) = Builder::before(op).filter(|_| is_needless) {
            builder.erase(op);
        }
    }
}

/// The memory that a name is a cast of, or casts of casts.
pub(super) fn uncast<'c: 'a, 'a>(name: Value<'c, 'a>) -> Value<'c, 'a> {
    let cast = definition(name).filter(|&op| op_name(op) == "memref.cast");
    let source = cast.and_then(|cast| cast.operand_at(0));
    source.map_or(name, uncast)
}

fn is_ranked(memory: Value) -> bool {
    memory.r#type().is_mem_ref()
}
