//! `comb-expand-extrema`: extrema of vectors of floating-point numbers, for CPUs that have an instruction for all but
//! NaN.
//!
//! `arith.maximumf` takes −0 for less than +0, and gives NaN if one of its operands is. x86's `vmaxps` does neither:
//! LLVM sorts the operands by sign before, and selects NaN behind it, which are six instructions, one waiting for
//! another. AVX-512 has `vrangeps`, which minds the sign of zero, and ignores NaN.
//!
//! 1. **Folds.** A loop that carries an extremum, and needs it for nothing else, carries it as if there were no NaN,
//!    and beside it a mask of the lanes in which there was some: two vectors that are folded are compared at once,
//!    and no extremum waits for that. Behind the loop these lanes become NaN.
//! 2. Other extrema are that instruction, and so are extrema of extrema; where one of the operands of all is NaN the result
//!    is: two vectors are compared at once.
//!
//! It is always the same NaN.
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, VRANGEPS.
//! Cost: linear in the number of ops.

use std::collections::HashSet;

use comb_kit::{
    machine,
    pass_error::PassError,
    switches,
    transformations::Transformation,
    vectors::{call, joined},
    walk::{first_block, op_key, operations},
};
use melior::{
    Error,
    ir::{OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike},
};
use soac_dialect::{
    builder::{Builder, FloatPredicate},
    cast::{Arguments, Parts},
    view::{definition, op_name, uses, vector_element, vector_lanes},
};

type Values<'c, 'a> = Vec<Value<'c, 'a>>;

/// The operands of an `scf.for` before what it carries.
const BOUNDS: usize = 3;

/// Rounding as usual, as the intrinsics of 512 bits have it in an operand.
const CURRENT_ROUNDING: i64 = 4;

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects what was built.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let machine = machine::of(module)?;
    if !machine.ranges {
        return Ok(());
    }
    let bits = machine.vector_bits.unsigned_abs();
    switches::with(module, |switches| {
        let applies = |op: OperationRef| switches.applies(Transformation::Extrema, op.location());
        let loops = operations(module).into_iter().rev();
        for op in loops.filter(|&op| op_name(op) == "scf.for") {
            let folds = folds(op, bits);
            if !folds.is_empty() && applies(op) {
                carry_masks(op, &folds, bits)?;
            }
        }
        // The last one of extrema of extrema comes first, and takes the others with it.
        let used = |op: &OperationRef| op.results().any(|result| !uses(result.into()).is_empty());
        let extrema = operations(module).into_iter().filter(used);
        let extrema: Vec<_> = extrema.filter_map(|op| Extremum::of(op, bits)).collect();
        let mut taken = HashSet::new();
        for extremum in extrema.into_iter().rev() {
            if taken.contains(&op_key(extremum.op)) {
                continue;
            }
            let tree = extremum.tree(bits);
            taken.extend(tree.iter().map(|inner| op_key(inner.op)));
            if applies(extremum.op) {
                expand(&tree, bits)?;
            }
        }
        Ok(())
    })
}

/// An extremum of two vectors.
#[derive(Clone, Copy)]
struct Extremum<'c, 'a> {
    op: OperationRef<'c, 'a>,
    is_greatest: bool,
    operands: [Value<'c, 'a>; 2],
}

/// An extremum that a loop carries.
struct Fold<'c, 'a> {
    /// Where it is among what the loop carries.
    position: usize,
    /// The extrema, each of which takes what the one before gives.
    chain: Vec<Extremum<'c, 'a>>,
    /// What is folded.
    elements: Values<'c, 'a>,
}

impl<'c: 'a, 'a> Extremum<'c, 'a> {
    /// Nothing if NaN is ruled out, or there is no instruction for such vectors.
    fn of(op: OperationRef<'c, 'a>, bits: u64) -> Option<Self> {
        let is_greatest = match op_name(op) {
            "arith.maximumf" => true,
            "arith.minimumf" => false,
            _ => return None,
        };
        let operands = [op.operand_at(0)?, op.operand_at(1)?];
        let flags = op.attribute("fastmath").map(|flags| flags.to_string());
        let no_nan = flags.is_ok_and(|flags| flags.contains("nnan") || flags.contains("fast>"));
        (!no_nan && Pieces::of(operands[0].r#type(), bits).is_some()).then_some(Self {
            op,
            is_greatest,
            operands,
        })
    }

    /// The extremum, behind those of the same kind that it is of and that nothing else needs.
    fn tree(&self, bits: u64) -> Vec<Self> {
        let mut tree = vec![];
        for operand in self.operands {
            let inner = definition(operand).and_then(|op| Self::of(op, bits));
            let inner = inner.filter(|inner| {
                inner.is_greatest == self.is_greatest
                    && inner.op.block() == self.op.block()
                    && uses(operand).len() == 1
            });
            if let Some(inner) = inner {
                tree.extend(inner.tree(bits));
            }
        }
        tree.push(*self);
        tree
    }
}

/// Expands extrema of extrema, the last of which gives the result.
fn expand(tree: &[Extremum], bits: u64) -> Result<(), Error> {
    let is_inner = |value| {
        let op = definition(value);
        tree.iter().any(|extremum| Some(extremum.op) == op)
    };
    let operands = tree.iter().flat_map(|extremum| extremum.operands);
    let leaves: Values = operands.filter(|&operand| !is_inner(operand)).collect();
    let last = tree.last().ok_or(Error::OperationBuild)?.op;
    let builder = Builder::before(last).ok_or(Error::OperationBuild)?;
    let is_nan = has_nan(&builder, &leaves, None)?;
    let numbers = ignore_nan(tree, bits)?;
    let value = or_nan(&builder, is_nan, numbers)?;
    builder.replace(last, &[value]);
    Ok(())
}

/// Has extrema ignore NaN, of which the last is of all others; gives what this one would be, and leaves it.
fn ignore_nan<'c: 'a, 'a>(extrema: &[Extremum<'c, 'a>], bits: u64) -> Result<Value<'c, 'a>, Error> {
    let mut last = None;
    for extremum in extrema {
        if let Some((op, value)) = last {
            Builder::before(op)
                .ok_or(Error::OperationBuild)?
                .replace(op, &[value]);
        }
        let op = extremum.op;
        let builder = Builder::before(op).ok_or(Error::OperationBuild)?;
        let operands = [op.operand(0)?, op.operand(1)?];
        let pieces = Pieces::of(operands[0].r#type(), bits).ok_or(Error::OperationBuild)?;
        let value = pieces.range(&builder, extremum.is_greatest, operands)?;
        last = Some((op, value));
    }
    last.map(|(_, value)| value).ok_or(Error::OperationBuild)
}

/// The lanes in which a mask is true, or one of some vectors is NaN: two of them are compared at once.
fn has_nan<'c, 'a>(
    builder: &Builder<'c, 'a>,
    vectors: &[Value<'c, 'a>],
    mut mask: Option<Value<'c, 'a>>,
) -> Result<Value<'c, 'a>, Error> {
    for pair in vectors.chunks(2) {
        let is_nan = builder.compare_floats(FloatPredicate::Uno, pair[0], pair[pair.len() - 1])?;
        mask = Some(match mask {
            Some(mask) => builder.arithmetic("arith.ori", &[mask, is_nan])?,
            None => is_nan,
        });
    }
    mask.ok_or(Error::OperationBuild)
}

/// A vector, NaN in the lanes of a mask.
fn or_nan<'c, 'a>(
    builder: &Builder<'c, 'a>,
    mask: Value<'c, 'a>,
    vector: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let element = vector_element(vector.r#type()).ok_or(Error::OperationBuild)?;
    let nan = builder.float(f64::NAN, element)?;
    let nan = builder.broadcast(nan, vector_lanes(vector.r#type()).unwrap_or(1))?;
    builder.select(mask, nan, vector)
}

/// The extrema that a loop carries, and needs for nothing else.
fn folds<'c: 'a, 'a>(r#loop: OperationRef<'c, 'a>, bits: u64) -> Vec<Fold<'c, 'a>> {
    let count = r#loop.operand_count().saturating_sub(BOUNDS);
    (0..count)
        .filter_map(|position| fold(r#loop, position, bits))
        .collect()
}

fn fold<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    position: usize,
    bits: u64,
) -> Option<Fold<'c, 'a>> {
    let body = first_block(r#loop)?;
    let (mut value, mut chain, mut elements): (_, Vec<Extremum>, Values) =
        (Value::from(body.argument_at(1 + position)?), vec![], vec![]);
    loop {
        let &[(user, operand)] = uses(value).as_slice() else {
            return None;
        };
        if user.parent_operation() != Some(r#loop) {
            return None;
        }
        if op_name(user) == "scf.yield" {
            let is_carried_on = operand == position && !chain.is_empty();
            return is_carried_on.then_some(Fold {
                position,
                chain,
                elements,
            });
        }
        let extremum = Extremum::of(user, bits)?;
        let is_same = chain
            .first()
            .is_none_or(|first| first.is_greatest == extremum.is_greatest);
        if !is_same {
            return None;
        }
        elements.push(extremum.operands[1 - operand]);
        value = user.result_at(0)?.into();
        chain.push(extremum);
    }
}

/// Makes a loop carry extrema without NaN, and masks of the lanes with NaN.
fn carry_masks<'c: 'a, 'a>(
    r#loop: OperationRef<'c, 'a>,
    folds: &[Fold<'c, 'a>],
    bits: u64,
) -> Result<(), PassError<'c>> {
    let builder = Builder::before(r#loop).ok_or(Error::OperationBuild)?;
    let body = first_block(r#loop).ok_or(Error::OperationBuild)?;
    let mut operands: Values = r#loop.operands().collect();
    for fold in folds {
        let first = operands[BOUNDS + fold.position];
        operands.push(builder.compare_floats(FloatPredicate::Uno, first, first)?);
    }
    let types: Vec<Type> = operands[BOUNDS..]
        .iter()
        .map(|value| value.r#type())
        .collect();
    let arguments = [&[operands[0].r#type()], types.as_slice()].concat();
    let old = types.len() - folds.len();
    let region = builder.region::<PassError>(&arguments, "scf.yield", |builder, arguments| {
        let (before, masks) = arguments.split_at(1 + old);
        let mut yielded = builder.inline(body, before)?;
        for (fold, &mask) in folds.iter().zip(masks) {
            yielded.push(has_nan(builder, &fold.elements, Some(mask))?);
            yielded[fold.position] = ignore_nan(&fold.chain, bits)?;
            if let Some(last) = fold.chain.last() {
                builder.erase(last.op);
            }
        }
        Ok(yielded)
    })?;
    let new = builder.op_like(r#loop, &operands, &types, vec![region])?;
    let mut results: Values = new.results().map(Into::into).collect();
    let masks = results.split_off(old);
    for (fold, mask) in folds.iter().zip(masks) {
        results[fold.position] = or_nan(&builder, mask, results[fold.position])?;
    }
    builder.replace(r#loop, &results);
    Ok(())
}

/// How vectors are put together from those that fit registers.
struct Pieces<'c> {
    element: Type<'c>,
    /// How many lanes a vector has.
    lanes: u64,
    /// How many lanes each piece has.
    of_piece: u64,
}

impl<'c> Pieces<'c> {
    /// Nothing if there is no instruction for such numbers, or so few.
    fn of(r#type: Type<'c>, register_bits: u64) -> Option<Self> {
        let (lanes, element) = (vector_lanes(r#type)?, vector_element(r#type)?);
        let bits = match () {
            () if element.is_f32() => 32,
            () if element.is_f64() => 64,
            () => return None,
        };
        let of_piece = lanes.min(register_bits / bits);
        let is_register = matches!(of_piece * bits, 128 | 256 | 512);
        (is_register && lanes.is_multiple_of(of_piece)).then_some(Self {
            element,
            lanes,
            of_piece,
        })
    }

    /// The extremum of the numbers among two.
    fn range<'a>(
        &self,
        builder: &Builder<'c, 'a>,
        is_greatest: bool,
        operands: [Value<'c, 'a>; 2],
    ) -> Result<Value<'c, 'a>, Error>
    where
        'c: 'a,
    {
        if self.of_piece == self.lanes {
            return self.call(builder, is_greatest, operands);
        }
        let mut parts = vec![];
        for first in (0..self.lanes).step_by(self.of_piece as usize) {
            let lanes: Vec<i64> = (first..first + self.of_piece)
                .map(|lane| lane as i64)
                .collect();
            let part = |vector| builder.shuffle(vector, vector, &lanes, self.element);
            let [left, right] = operands.map(part);
            parts.push(self.call(builder, is_greatest, [left?, right?])?);
        }
        while parts.len() > 1 {
            let pairs = parts.chunks(2);
            let pairs = pairs.map(|pair| joined(builder, pair[0], pair[1], self.element));
            parts = pairs.collect::<Result<_, _>>()?;
        }
        Ok(parts.remove(0))
    }

    fn call<'a>(
        &self,
        builder: &Builder<'c, 'a>,
        is_greatest: bool,
        [left, right]: [Value<'c, 'a>; 2],
    ) -> Result<Value<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let (letter, bits) = match self.element.is_f32() {
            true => ("ps", 32 * self.of_piece),
            false => ("pd", 64 * self.of_piece),
        };
        let name = format!("llvm.x86.avx512.mask.range.{letter}.{bits}");
        // The sign is that of the comparison's result: bits 2 and 3. Bit 0 is for the greatest.
        let kind = 4 + i64::from(is_greatest);
        let mask_bits = self.of_piece.max(8) as u32;
        let number = |value, bits| builder.integer(value, builder.integer_type(bits));
        let mut operands = vec![left, right, number(kind, 32)?, left, number(-1, mask_bits)?];
        if bits == 512 {
            operands.push(number(CURRENT_ROUNDING, 32)?);
        }
        call(builder, &name, &operands, left.r#type())
    }
}
