//! Arrays in memory that nobody reads. A tensor that nobody reads is a carried value that nobody
//! needs.

use melior::{
    RewriterBase,
    ir::{OperationRef, operation::OperationLike},
};
use soac_dialect::{
    cast::Parts,
    view::{op_name, uses},
};

/// What is only written is not needed, nor are the writes.
pub(super) fn never_read<'c, 'a>(
    op: OperationRef<'c, 'a>,
    rewriter: &RewriterBase<'c, 'a>,
) -> Option<()> {
    let users = uses(op.result_at(0)?.into());
    let only_writes = |&(user, operand): &(OperationRef, usize)| {
        op_name(user) == "nest.write" && operand == 1 && user.result_count() == 0
    };
    if !users.iter().all(only_writes) {
        return None;
    }
    for (user, _) in users {
        rewriter.erase_op(user);
    }
    rewriter.erase_op(op);
    Some(())
}
