//! An `scf.while` in lanes: it runs until it has ended in all of them.
//!
//! ```text
//! while (x, y) = before(x)      active = lanes that count
//!   x = after(y)                while (x, results, active)
//!                                 holds, y = before(x)
//!                                 results = active ? y : results
//!                                 active = active and holds; while any
//!                                 x = after(y)
//! ```
//!
//! Only lanes that are active count inside: others neither read memory nor fail. Their results are what the loop
//! handed on when it ended there.
//!
//! Cost: as many rounds as the lane has that takes most.

use melior::ir::{BlockRef, OperationRef, Type, Value, ValueLike, operation::OperationLike};
use soac_dialect::builder::Builder;

use super::{
    Emitted, Lanes, Scope, internal,
    lambda::{InLanes, Local},
};
use comb_kit::{checks::facts::key, vectors::zero, walk::first_blocks};

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// What the loop gives in all lanes.
pub(super) fn while_loop<'c: 'a, 'a>(
    code: &mut impl InLanes<'c, 'a>,
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    operands: &[Lanes<'c, 'a>],
    local: &Local<'c, 'a>,
) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
    let scope = code.scope();
    let &[Some(before), Some(after)] = first_blocks(op).as_slice() else {
        return Err(internal(op.location(), "a loop has no body"));
    };
    let inits = operands.iter().map(|&init| scope.whole(builder, init));
    let inits = inits.collect::<Emitted<Values>>()?;
    let results: Vec<Type> = op.results().map(|result| result.r#type()).collect();
    let none = results.iter().map(|&number| {
        let none = zero(builder, number)?;
        scope.whole(builder, Lanes::Uniform(none))
    });
    let none = none.collect::<Emitted<Values>>()?;
    let active = scope.mask_value(builder)?;
    let (count, given) = (inits.len(), none.len());
    let state = [inits.as_slice(), none.as_slice(), &[active]].concat();

    let question = builder.region(&types(&state), "scf.condition", |builder, state| {
        let (arguments, known) = state.split_at(count);
        let (known, active) = (&known[..given], known[given]);
        let values = in_active(code, builder, (scope, active), (before, arguments), local)?;
        let (holds, handed_on) = values
            .split_first()
            .ok_or_else(|| internal(op.location(), "a loop has no condition"))?;
        let mut next = handed_on.to_vec();
        for (&now, &known) in handed_on.iter().zip(known) {
            next.push(builder.select(active, now, known)?);
        }
        let active = builder.arithmetic("arith.andi", &[active, *holds])?;
        next.push(active);
        let goes_on = builder.any_lane(active)?;
        Emitted::Ok([&[goes_on], next.as_slice()].concat())
    })?;
    let carried = [types(&none).as_slice(), &types(&state)[count..]].concat();
    let body = builder.region(&carried, "scf.yield", |builder, state| {
        let (arguments, kept) = state.split_at(given);
        let active = kept[given];
        let next = in_active(code, builder, (scope, active), (after, arguments), local)?;
        Emitted::Ok([next.as_slice(), kept].concat())
    })?;
    let made = builder.op("scf.while", &state, &carried, &[], vec![question, body])?;
    let given = made.results().skip(given).take(given);
    Ok(given
        .map(|value| scope.lanes(value.into(), false))
        .collect())
}

/// What a block of the loop makes of vectors, where only some lanes count.
fn in_active<'c: 'a, 'a>(
    code: &mut impl InLanes<'c, 'a>,
    builder: &Builder<'c, 'a>,
    (scope, active): (Scope<'c, 'a>, Value<'c, 'a>),
    (block, arguments): (BlockRef<'c, 'a>, &[Value<'c, 'a>]),
    local: &Local<'c, 'a>,
) -> Emitted<'c, Values<'c, 'a>> {
    let mut inside = local.clone();
    for (number, &value) in arguments.iter().enumerate() {
        let argument = melior::ir::BlockLike::argument(&block, number)?;
        inside.insert(key(argument.into()), scope.lanes(value, false));
    }
    let outer = code.set_scope(Scope {
        mask: Some(active),
        ..scope
    });
    let values = code.block(builder, block, &mut inside);
    code.set_scope(outer);
    let values = values?.into_iter().map(|lanes| scope.whole(builder, lanes));
    values.collect()
}

fn types<'c>(values: &[Value<'c, '_>]) -> Vec<Type<'c>> {
    values.iter().map(|value| value.r#type()).collect()
}
