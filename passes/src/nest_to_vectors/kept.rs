//! What filters keep: of a vector, the lanes that are kept go next to each other.

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::{builder::Builder, view::OpView};

use super::{Emitted, Values, Vectors, arguments, uniform};
use crate::{
    checks::facts::key,
    lanes::{
        Lanes, internal,
        lambda::{InLanes, Local},
    },
    vectors::number_of,
};

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// What is done for the lanes that are kept; gives how many have been kept now, and what the
    /// body carries on.
    pub(super) fn keep(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        match self.scope.is_vector() {
            true => self.keep_lanes(builder, op, operands, local),
            false => self.keep_one(builder, op, operands, local),
        }
    }

    fn keep_one(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let given = operands.iter().map(|&lanes| uniform(op, lanes));
        let given = given.collect::<Emitted<Values>>()?;
        let (condition, given) = (given[0], &given[1..]);
        let types: Vec<Type> = given.iter().map(|value| value.r#type()).collect();
        let kept = builder.if_else(
            condition,
            &types,
            |builder| {
                let next = builder.arithmetic("arith.addi", &[given[0], builder.index(1)?])?;
                let given = given.iter().map(|&value| Lanes::Uniform(value));
                let yielded = self.kept_body(builder, op, given, local)?;
                let yielded = yielded.into_iter().map(|lanes| uniform(op, lanes));
                std::iter::once(Ok(next)).chain(yielded).collect()
            },
            |_| Emitted::Ok(given.to_vec()),
        )?;
        Ok(kept.into_iter().map(Lanes::Uniform).collect())
    }

    fn keep_lanes(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let condition = self.scope.whole(builder, operands[0])?;
        let before = uniform(op, operands[1])?;
        let scope = self.scope.and(builder, condition)?;
        let outer = self.set_scope(scope);
        self.kept.insert(key(arguments(op)?[0]), before);
        let given = operands[1..].iter().copied();
        let yielded = self.kept_body(builder, op, given, local);
        self.set_scope(outer);
        let mask = scope.mask_value(builder)?;
        let count = number_of(builder, mask, scope.width, "math.ctpop")?;
        let next = builder.arithmetic("arith.addi", &[before, count])?;
        Ok(std::iter::once(Lanes::Uniform(next))
            .chain(yielded?)
            .collect())
    }

    fn kept_body(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        given: impl Iterator<Item = Lanes<'c, 'a>>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        for (argument, lanes) in arguments(op)?.into_iter().zip(given) {
            local.insert(key(argument), lanes);
        }
        let block = OpView::of(op).block();
        let block = block.ok_or_else(|| internal(op.location(), "there is no body"))?;
        self.block(builder, block, local)
    }

    /// How many elements were kept before the lanes at hand, if a write is of what is kept.
    pub(super) fn kept_before(&self, write: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
        let position = write.operand(2).ok()?;
        let is_vector = self.scope.is_vector() && write.operand_count() == 3;
        is_vector.then(|| self.kept.get(&key(position)).copied())?
    }

    /// Writes the lanes that count next to each other.
    pub(super) fn write_kept(
        &self,
        builder: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        before: Value<'c, 'a>,
        value: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let mask = self.scope.mask_value(builder)?;
        let operands = [memory, before, mask, value];
        builder.op("vector.compressstore", &operands, &[], &[], vec![])?;
        Ok(())
    }
}
