//! What is computed again of what chunks keep of elements that they scatter ([`Record`]), or lanes.
//!
//! A scatter goes lane by lane. To take its place and new element out of vectors takes longer than to read again what
//! they are computed from, and to compute them, if that is little.
//!
//! Cost: linear in the ops that are computed again.

use comb_machine::tuning::record::LITTLE_FOR_LANES;
use melior::ir::{OperationRef, Value, operation::OperationLike};
use soac_dialect::{
    builder::Builder,
    view::{OpView, definition, op_name},
};

use super::{Emitted, Values, uniform};
use comb_fuse::fuse::work::instructions;
use comb_kit::{checks::facts::key, walk::op_key};
use comb_nest::nests::Nest;

use crate::{
    lanes::{
        Lanes,
        lambda::{Local, lookup},
    },
    nest_schedule::records::{Field, Record},
};

/// Puts the fields of a record among the values of a loop, and what is computed of them again.
pub(super) fn compute_again<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    record: &Record<'c, 'a>,
    fields: Values<'c, 'a>,
    values: &mut Local<'c, 'a>,
) {
    for (field, &value) in record.fields.iter().zip(&fields) {
        values.insert(key(field.value), Lanes::Uniform(value));
    }
    for &(value, position) in &record.same {
        values.insert(key(value), Lanes::Uniform(fields[position]));
    }
    for &op in &record.again {
        let copy = builder.copy(op, &mut |value| {
            lookup(values, value).uniform().unwrap_or(value)
        });
        for (old, new) in op.results().zip(copy.results()) {
            values.insert(key(old.into()), Lanes::Uniform(new.into()));
        }
    }
}

/// Reads a field again, at an iteration of the loop with an index.
pub(super) fn read_again<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    read: OperationRef<'c, 'a>,
    [index, iteration]: [Value<'c, 'a>; 2],
    values: &Local<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let operands = read.operands().map(|operand| match operand == index {
        true => Ok(iteration),
        false => uniform(read, lookup(values, operand)),
    });
    let operands = operands.collect::<Emitted<Values>>()?;
    Ok(builder.load(operands[0], &operands[1..])?)
}

/// How what a scatter needs is computed again for each lane.
pub(super) struct Again<'c, 'a> {
    record: Record<'c, 'a>,
    /// The index of the loop, and that of the first lane.
    index: [Value<'c, 'a>; 2],
}

impl<'c: 'a, 'a> Again<'c, 'a> {
    /// Nothing if it is no little, or is not read again where lanes are iterations of the loop around the scatter.
    pub(super) fn of(scatter: OperationRef<'c, 'a>, local: &Local<'c, 'a>) -> Option<Self> {
        let around = scatter.parent_operation();
        let nest = Nest::of(around.filter(|&op| op_name(op) == "nest.loop")?);
        let index = nest.index()?;
        let Lanes::Steps { first, step: 1 } = lookup(local, index) else {
            return None;
        };
        let record = Record::without_place(&nest, scatter)?;
        let work: f64 = record.again.iter().map(|&op| instructions(op)).sum();
        let is_uniform = |value| value == index || lookup(local, value).uniform().is_some();
        let can_be_read = |field: &Field<'c, 'a>| {
            let read = field.read.filter(|read| read.operands().all(is_uniform));
            field.value == index || read.is_some()
        };
        let is_computed = |value: Value<'c, 'a>| {
            let is_field = record.fields.iter().any(|field| field.value == value);
            let is_same = record.same.iter().any(|&(same, _)| same == value);
            let of_op = definition(value).map(op_key);
            let is_again = record.again.iter().any(|&op| Some(op_key(op)) == of_op);
            is_field || is_same || is_again || is_uniform(value)
        };
        let view = OpView::of(scatter);
        let mut needed = [0, 2]
            .into_iter()
            .flat_map(|group| &view.operands[view.group(group)]);
        let can_be = work <= LITTLE_FOR_LANES
            && record.fields.iter().all(can_be_read)
            && needed.all(|&value| is_computed(value));
        can_be.then_some(Self {
            record,
            index: [index, first],
        })
    }

    /// The values of a lane.
    pub(super) fn computed(
        &self,
        builder: &Builder<'c, 'a>,
        lane: Value<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Local<'c, 'a>> {
        let [index, first] = self.index;
        let iteration = builder.arithmetic("arith.addi", &[first, lane])?;
        let fields = self.record.fields.iter().map(|field| match field.read {
            Some(read) => read_again(builder, read, [index, iteration], local),
            None => Ok(iteration),
        });
        let fields = fields.collect::<Emitted<Values>>()?;
        let mut values = local.clone();
        values.insert(key(index), Lanes::Uniform(iteration));
        compute_again(builder, &self.record, fields, &mut values);
        Ok(values)
    }
}

/// The operands of an op in a group, each of which is one number.
pub(super) fn operands_of<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    group: usize,
    values: &Local<'c, 'a>,
) -> Emitted<'c, Values<'c, 'a>> {
    let view = OpView::of(op);
    let operands = view.operands[view.group(group)].iter();
    operands
        .map(|&operand| uniform(op, lookup(values, operand)))
        .collect()
}
