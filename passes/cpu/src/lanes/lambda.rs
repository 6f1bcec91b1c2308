//! The functions of combinators, in all lanes.
//!
//! An op whose operands are the same in all lanes is copied. Arithmetic on others
//! becomes arithmetic on vectors. In an `scf.if` whose condition differs between
//! lanes both branches run, each for its own lanes. An `scf.while` [runs until it has ended in all
//! lanes](super::while_loop). Elements of arrays are read
//! from memory. A check asks whether it holds in all lanes, and only if not, in
//! which.

use std::collections::HashMap;

use melior::ir::{
    Attribute, BlockLike, BlockRef, OperationRef, Type, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::{
    builder::Builder,
    view::{OpView, op_name, vector_element},
};

use super::{
    Emitted, Lanes, Scope, divides, ends::Ends, internal, is_elementwise, memory::masked, stepping,
    while_loop::while_loop,
};
use comb_kit::{
    checks::facts::key,
    walk::{first_blocks, operations},
};

/// The values in a function that are not the same as outside, by identity.
pub type Local<'c, 'a> = HashMap<usize, Lanes<'c, 'a>>;

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// What makes code in lanes: it says which lanes there are, and what becomes of ops that are no
/// arithmetic.
pub trait InLanes<'c: 'a, 'a>: Sized {
    /// The lanes at hand.
    fn scope(&self) -> Scope<'c, 'a>;

    /// Goes on in other lanes; gives those before.
    fn set_scope(&mut self, scope: Scope<'c, 'a>) -> Scope<'c, 'a>;

    /// What an op gives that is neither arithmetic nor a branch nor a check; nothing if it is.
    fn other_op(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Option<Vec<Lanes<'c, 'a>>>>;

    /// What an op's lambda yields for these arguments, if values from outside have become others.
    fn lambda_with(
        &mut self,
        builder: &Builder<'c, 'a>,
        view: &OpView<'c, 'a>,
        arguments: &[Lanes<'c, 'a>],
        mut local: Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let block = view.block();
        let block = block.ok_or_else(|| internal(view.location, "there is no lambda"))?;
        for (position, &argument) in arguments.iter().enumerate() {
            local.insert(key(block.argument(position)?.into()), argument);
        }
        self.block(builder, block, &mut local)
    }

    /// What the ops of a block make of what they are given, and what the last one hands on.
    fn block(
        &mut self,
        builder: &Builder<'c, 'a>,
        block: BlockRef<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            if next.is_none() {
                return Ok(op.operands().map(|value| lookup(local, value)).collect());
            }
            self.op(&builder.located(op.location()), op, local)?;
        }
        Ok(vec![])
    }

    /// One op in all lanes.
    fn op(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        local: &mut Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let operands: Vec<Lanes> = op.operands().map(|value| lookup(local, value)).collect();
        let results = match op_name(op) {
            "soac.check" => {
                let message = op.attribute("message")?;
                return self.check(builder, operands[0], &operands[1..], message);
            }
            "scf.if" if !is_opaque(op) => self.branches(builder, op, operands[0], local)?,
            "scf.for" if self.scope().is_vector() && has_uniform_bounds(&operands) => {
                self.in_turn(builder, op, &operands, local)?
            }
            "scf.while" if self.scope().is_vector() => {
                while_loop(self, builder, op, &operands, local)?
            }
            _ => match self.other_op(builder, op, &operands, local)? {
                Some(results) => results,
                None => self.computation(builder, op, &operands, local)?,
            },
        };
        for (position, lanes) in results.into_iter().enumerate() {
            local.insert(key(op.result(position)?.into()), lanes);
        }
        Ok(())
    }

    /// Arithmetic, on numbers or on vectors.
    fn computation(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let scope = self.scope();
        let is_uniform = operands.iter().all(|operand| operand.uniform().is_some());
        if is_uniform && !(divides(op) && scope.mask.is_some()) {
            let copy = builder.copy(op, &mut |value| {
                let lanes = local.get(&key(value)).and_then(|lanes| lanes.uniform());
                lanes.unwrap_or(value)
            });
            return Ok(copy
                .results()
                .map(|result| Lanes::Uniform(result.into()))
                .collect());
        }
        let name = op_name(op);
        if let Some(steps) = stepping(builder, name, operands)? {
            return Ok(vec![steps]);
        }
        if !is_elementwise(name) {
            return Err(internal(op.location(), "an op has no form for vectors"));
        }
        let guided = operands.iter().all(|operand| operand.is_guided());
        let mut wide = operands
            .iter()
            .map(|&operand| scope.whole(builder, operand))
            .collect::<Emitted<Values>>()?;
        if divides(op)
            && let Some(mask) = scope.mask
        {
            wide[1] = divisor(builder, &scope, mask, wide[1], op)?;
        }
        let types: Vec<Type> = op
            .results()
            .map(|result| scope.r#type(builder, result.r#type()))
            .collect();
        let computed = builder.op_like(op, &wide, &types, vec![])?;
        let ends = match guided {
            true => Ends::of_op(builder, &scope, op, operands)?,
            false => None,
        };
        Ok(computed
            .results()
            .map(|result| scope.lanes(result.into(), guided).with_ends(ends))
            .collect())
    }

    /// An `scf.for` that runs as often in all lanes: what it carries differs between lanes.
    fn in_turn(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let scope = self.scope();
        let block = OpView::of(op).block();
        let block = block.ok_or_else(|| internal(op.location(), "there is no body"))?;
        let whole = |builder: &Builder<'c, 'a>, lanes: Vec<Lanes<'c, 'a>>| {
            let whole = lanes.into_iter().map(|lanes| scope.whole(builder, lanes));
            whole.collect::<Emitted<Values>>()
        };
        let bounds = operands[..3].iter().filter_map(|bound| bound.uniform());
        let bounds: Values = bounds.collect();
        let &[first, end, step] = bounds.as_slice() else {
            return Err(internal(
                op.location(),
                "a loop is not as long in all lanes",
            ));
        };
        let inits = whole(builder, operands[3..].to_vec())?;
        let states = builder.range_loop([first, end, step], &inits, |builder, index, states| {
            let mut inside = local.clone();
            inside.insert(key(block.argument(0)?.into()), Lanes::Uniform(index));
            for (number, &state) in states.iter().enumerate() {
                let argument = block.argument(number + 1)?;
                inside.insert(key(argument.into()), scope.lanes(state, false));
            }
            let yielded = self.block(builder, block, &mut inside)?;
            whole(builder, yielded)
        })?;
        let lanes = states.into_iter().map(|state| scope.lanes(state, false));
        Ok(lanes.collect())
    }

    /// An `scf.if`.
    fn branches(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        condition: Lanes<'c, 'a>,
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let scope = self.scope();
        let types: Vec<Type> = op
            .results()
            .map(|result| scope.r#type(builder, result.r#type()))
            .collect();
        match condition.uniform() {
            Some(condition) => self.one_branch(builder, op, condition, &types, local),
            None => self.both_branches(builder, op, condition, &types, local),
        }
    }

    /// An `scf.if` whose condition is the same in all lanes.
    fn one_branch(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        condition: Value<'c, 'a>,
        types: &[Type<'c>],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let scope = self.scope();
        let blocks = first_blocks(op);
        let this = std::cell::RefCell::new(self);
        let run = |builder: &Builder<'c, 'a>, branch: usize| {
            let Some(block) = blocks.get(branch).copied().flatten() else {
                return Ok(vec![]);
            };
            let yielded = this
                .borrow_mut()
                .block(builder, block, &mut local.clone())?;
            let whole = yielded.into_iter().map(|lanes| scope.whole(builder, lanes));
            whole.collect::<Emitted<Values>>()
        };
        let results = builder.if_else(
            condition,
            types,
            |builder| run(builder, 0),
            |builder| run(builder, 1),
        )?;
        Ok(results
            .into_iter()
            .map(|value| scope.lanes(value, false))
            .collect())
    }

    /// An `scf.if` whose condition differs between lanes.
    fn both_branches(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        condition: Lanes<'c, 'a>,
        types: &[Type<'c>],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let scope = self.scope();
        let condition = scope.whole(builder, condition)?;
        let inverse = inverse(builder, &scope, condition)?;
        let mut yielded = vec![];
        for (block, mask) in first_blocks(op).into_iter().zip([condition, inverse]) {
            let Some(block) = block else { continue };
            self.set_scope(scope.and(builder, mask)?);
            let values = self.block(builder, block, &mut local.clone());
            self.set_scope(scope);
            yielded.push(values?);
        }
        let [then, otherwise] = yielded.as_slice() else {
            return Ok(vec![]);
        };
        then.iter()
            .zip(otherwise)
            .zip(types)
            .map(|((&then, &otherwise), &r#type)| {
                let guided = then.is_guided() && otherwise.is_guided();
                let operands = [
                    condition,
                    scope.whole(builder, then)?,
                    scope.whole(builder, otherwise)?,
                ];
                let value = builder.value("arith.select", &operands, r#type, &[])?;
                Ok(scope.lanes(value, guided))
            })
            .collect()
    }

    /// Ends the program with a message unless a condition holds in all lanes that
    /// count.
    fn check(
        &mut self,
        builder: &Builder<'c, 'a>,
        condition: Lanes<'c, 'a>,
        values: &[Lanes<'c, 'a>],
        message: Attribute<'c>,
    ) -> Emitted<'c, ()> {
        let scope = self.scope();
        let all = std::iter::once(&condition).chain(values);
        let single: Option<Values> = all.map(|value| value.uniform()).collect();
        if let Some(operands) = single {
            let counts = match scope.mask {
                Some(mask) if scope.is_vector() => Some(builder.any_lane(mask)?),
                mask => mask,
            };
            let once = Scope {
                width: 1,
                mask: counts,
            };
            return masked(builder, &once, |builder| {
                emit_check(builder, &operands, message)
            });
        }
        let mut holds = scope.whole(builder, condition)?;
        if let Some(mask) = scope.mask {
            let outside = inverse(builder, &scope, mask)?;
            holds = builder.arithmetic("arith.ori", &[holds, outside])?;
        }
        let all = builder.all_lanes(holds)?;
        let fails = inverse(builder, &Scope::single(), all)?;
        builder.if_else(
            fails,
            &[],
            |builder| {
                check_lanes(builder, &scope, holds, values, message)?;
                Emitted::Ok(vec![])
            },
            |_| Ok(vec![]),
        )?;
        Ok(())
    }
}

/// Checks one lane after the other.
fn check_lanes<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    holds: Value<'c, 'a>,
    values: &[Lanes<'c, 'a>],
    message: Attribute<'c>,
) -> Emitted<'c, ()> {
    let mut vectors = vec![holds];
    for &value in values {
        vectors.push(scope.whole(builder, value)?);
    }
    let width = builder.index(scope.width as i64)?;
    builder.for_loop(width, &[], |builder, lane, _| {
        let operands = vectors
            .iter()
            .map(|&vector| {
                let element = vector_element(vector.r#type()).unwrap_or(vector.r#type());
                Ok(builder.lane_at(vector, lane, element)?)
            })
            .collect::<Emitted<Values>>()?;
        emit_check(builder, &operands, message)?;
        Emitted::Ok(vec![])
    })?;
    Ok(())
}

/// The truth values that others are not.
fn inverse<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    truth: Value<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let all = builder.integer(1, builder.integer_type(1))?;
    let all = scope.whole(builder, Lanes::Uniform(all))?;
    Ok(builder.arithmetic("arith.xori", &[truth, all])?)
}

/// A value in all lanes.
pub fn lookup<'c, 'a>(local: &Local<'c, 'a>, value: Value<'c, 'a>) -> Lanes<'c, 'a> {
    let known = local.get(&key(value)).copied();
    known.unwrap_or(Lanes::Uniform(value))
}

fn emit_check<'c, 'a>(
    builder: &Builder<'c, 'a>,
    operands: &[Value<'c, 'a>],
    message: Attribute<'c>,
) -> Emitted<'c, ()> {
    builder.op("soac.check", operands, &[], &[("message", message)], vec![])?;
    Ok(())
}

/// A divisor that is 1 in lanes that do not count.
fn divisor<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    mask: Value<'c, 'a>,
    divisor: Value<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let one = builder.integer(1, op.result(0)?.r#type())?;
    let one = scope.whole(builder, Lanes::Uniform(one))?;
    Ok(builder.select(mask, divisor, one)?)
}

/// Whether the bounds and the step of an `scf.for` are the same in all lanes.
fn has_uniform_bounds(operands: &[Lanes]) -> bool {
    operands
        .iter()
        .take(3)
        .all(|bound| bound.uniform().is_some())
}

/// Whether there is something in an op that only runs for one lane at a time.
fn is_opaque<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> bool {
    operations(op).into_iter().any(|inner| {
        let name = op_name(inner);
        inner.regions().next().is_some() && name != "scf.if" && !name.starts_with("nest.")
    })
}
