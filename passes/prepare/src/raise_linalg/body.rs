//! Copies of parts of a region: what some of its values are computed of.

use std::collections::{BTreeSet, HashMap, HashSet};

use comb_kit::{
    checks::facts::key,
    walk::{in_block_from, operations},
};
use melior::{
    Error,
    ir::{BlockLike, BlockRef, Operation, OperationRef, Value, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::Arguments,
    view::{OpView, op_name, set_operand},
};

/// The ops of a region that some values need.
pub(super) struct Part<'c, 'a> {
    /// Those ops.
    pub(super) ops: Vec<OperationRef<'c, 'a>>,
    /// The values.
    pub(super) values: Values<'c, 'a>,
    /// The arguments of the region that are needed, with their numbers.
    pub(super) arguments: Vec<(usize, Value<'c, 'a>)>,
    /// The loops of which the index is needed.
    pub(super) loops: Vec<usize>,
}

impl<'c: 'a, 'a> Part<'c, 'a> {
    /// What values need, and all that is checked.
    pub(super) fn of(block: BlockRef<'c, 'a>, values: &[Value<'c, 'a>]) -> Self {
        let mut needed: HashSet<usize> = values.iter().map(|&value| key(value)).collect();
        let mut ops: Vec<_> = in_block_from(block.first_operation())
            .filter(|op| op.next_in_block().is_some())
            .collect();
        ops.reverse();
        ops.retain(|&op| {
            let mut results = op.results().map(|result| key(result.into()));
            let is_needed =
                op.result_count() == 0 || results.any(|result| needed.contains(&result));
            if is_needed {
                needed.extend(read_by(op).into_iter().map(key));
            }
            is_needed
        });
        ops.reverse();
        let arguments = (0..block.argument_count())
            .filter_map(|number| Some((number, block.argument_at(number)?.into())))
            .filter(|&(_, argument)| needed.contains(&key(argument)))
            .collect();
        let loops: BTreeSet<usize> = ops.iter().filter_map(|&op| index_of(op)).collect();
        Self {
            ops,
            values: values.to_vec(),
            arguments,
            loops: loops.into_iter().collect(),
        }
    }

    /// Whether a value is needed that the region is given.
    pub(super) fn needs(&self, argument: usize) -> bool {
        self.arguments.iter().any(|&(number, _)| number == argument)
    }

    /// The values, computed by copies. What the arguments and the indices are is given in the order in
    /// which the part has them.
    pub(super) fn copy(
        &self,
        builder: &Builder<'c, 'a>,
        arguments: &[Value<'c, 'a>],
        indices: &[Value<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        let mut new: HashMap<usize, Value<'c, 'a>> = HashMap::new();
        for (&(_, old), &value) in self.arguments.iter().zip(arguments) {
            new.insert(key(old), value);
        }
        for &op in &self.ops {
            if let Some(r#loop) = index_of(op) {
                let place = self.loops.iter().position(|&other| other == r#loop);
                if let Some(&index) = place.and_then(|place| indices.get(place)) {
                    new.insert(key(op.result(0)?.into()), index);
                }
                continue;
            }
            let copy = builder.insert(Operation::clone(&op));
            for inner in with_inside(copy) {
                for (number, operand) in inner.operands().enumerate() {
                    if let Some(&value) = new.get(&key(operand)) {
                        set_operand(inner, number, value);
                    }
                }
            }
            for (old, result) in op.results().zip(copy.results()) {
                new.insert(key(old.into()), result.into());
            }
        }
        let value = |value: &Value<'c, 'a>| new.get(&key(*value)).copied().unwrap_or(*value);
        Ok(self.values.iter().map(value).collect())
    }
}

/// An op, and what is inside of it.
fn with_inside<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    [vec![op], operations(op)].concat()
}

/// What an op, and what is inside of it, reads.
fn read_by<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Values<'c, 'a> {
    let inside = with_inside(op).into_iter();
    inside
        .flat_map(|op| op.operands().collect::<Vec<_>>())
        .collect()
}

/// The loop of which an op gives the index.
fn index_of(op: OperationRef) -> Option<usize> {
    match op_name(op) {
        "linalg.index" => Some(OpView::of(op).integer("dim")? as usize),
        _ => None,
    }
}
