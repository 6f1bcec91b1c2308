//! What filters keep: of a vector, the lanes that are kept go next to each other.
//!
//! Where they are packed by a table, whole vectors are written, since stores with masks take long on some of
//! these CPUs, and there is none for narrow numbers (`comb-compress-in-registers`). What comes
//! behind those that are kept is overwritten by the next vector: it has to be the chunk's own. So it is up to
//! what the next chunk keeps. A chunk knows where that begins, since it tells the next one. The last one, and
//! one thread alone, may write up to the end of the memory. So only the last few
//! elements of a chunk are packed into a vector in memory, and copied one by one.

use std::collections::HashSet;

use melior::ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate},
    cast::Parts,
    view::{OpView, argument_of, definition, op_name, uses},
};

use super::{Emitted, Values, Vectors, arguments, uniform};
use comb_kit::{
    checks::facts::key,
    vectors::{HAS_ROOM, number_of},
    walk::{op_key, operations},
};

use crate::lanes::{
    Lanes, internal,
    lambda::{InLanes, Local},
    memory::vector_in_memory,
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
        let position = write.operand_at(2)?;
        let is_vector = self.scope.is_vector() && write.operand_count() == 3;
        is_vector.then(|| self.kept.get(&key(position)).copied())?
    }

    /// Writes the lanes that count next to each other, as a write says.
    pub(super) fn write_kept(
        &self,
        builder: &Builder<'c, 'a>,
        write: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        before: Value<'c, 'a>,
        value: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let mask = self.scope.mask_value(builder)?;
        let packed = |builder: &Builder<'c, 'a>, memory, before, has_room: bool| {
            let operands = [memory, before, mask, value];
            let attributes: &[_] = match has_room {
                true => &[(HAS_ROOM, builder.unit())],
                false => &[],
            };
            builder.op("vector.compressstore", &operands, &[], attributes, vec![])?;
            Emitted::Ok(())
        };
        let Some(end) = self.end_of_room(builder, write, memory)? else {
            return packed(builder, memory, before, false);
        };
        let width = builder.index(self.scope.width as i64)?;
        let last = builder.arithmetic("arith.addi", &[before, width])?;
        let has_room = builder.compare(Predicate::Sle, last, end)?;
        let none = |done: Emitted<'c, ()>| done.map(|()| vec![]);
        builder.if_else(
            has_room,
            &[],
            |builder| none(packed(builder, memory, before, true)),
            |builder| {
                let (zero, one) = (builder.index(0)?, builder.index(1)?);
                let line = vector_in_memory(builder, memory, self.scope.width)?;
                packed(builder, line, zero, true)?;
                let count = number_of(builder, mask, self.scope.width, "math.ctpop")?;
                builder.range_loop([zero, count, one], &[], |builder, lane, _| {
                    let element = builder.load(line, &[lane])?;
                    let index = builder.arithmetic("arith.addi", &[before, lane])?;
                    builder.store(element, memory, &[index])?;
                    Emitted::Ok(vec![])
                })
            },
        )?;
        Ok(())
    }

    /// The index up to which a filter may write what it likes behind what it has kept, if it packs by a
    /// table: the end of memory that is there for it alone, or where the next chunk begins.
    fn end_of_room(
        &self,
        builder: &Builder<'c, 'a>,
        write: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        if !self.with_room.contains(&op_key(write)) {
            return Ok(None);
        }
        let size = builder.size_value(builder.sizes(memory)?[0])?;
        let Some(ends) = &self.ends_kept else {
            return Ok(Some(size));
        };
        let counted = write.operand_at(2).and_then(argument_of);
        let counted = counted.and_then(|(keep, _)| keep.operand_at(1));
        match counted.and_then(|counted| ends.get(&key(counted))) {
            Some(&end) => Ok(Some(builder.arithmetic("arith.minsi", &[size, end])?)),
            None => Ok(None),
        }
    }
}

/// The writes of a kernel into new memory that nothing else writes to, or reads in the kernel.
pub(super) fn alone_in_memory<'c: 'a, 'a>(kernel: OperationRef<'c, 'a>) -> HashSet<usize> {
    let mut writes = operations(kernel);
    writes.retain(|&op| op_name(op) == "nest.write" && is_alone(op));
    writes.into_iter().map(op_key).collect()
}

fn is_alone<'c: 'a, 'a>(write: OperationRef<'c, 'a>) -> bool {
    const READERS: &[&str] = &[
        "memref.cast",
        "memref.dealloc",
        "memref.dim",
        "memref.subview",
    ];
    let memory = write.operand_at(1);
    let new =
        memory.filter(|&memory| definition(memory).is_some_and(|op| op_name(op) == "memref.alloc"));
    new.is_some_and(|memory| {
        let mut users = uses(memory).into_iter();
        users.all(|(user, _)| user == write || READERS.contains(&op_name(user)))
    })
}
