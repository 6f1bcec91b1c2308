//! `comb-reduce-strength`: vectors of multiples of a loop's index, and those that are converted to
//! floating point, become sums that the loop carries.
//!
//! LLVM does that for numbers, but not for vectors: it computes `a * (i + lane) + b` anew in
//! each iteration, of a broadcast, a product and a sum. With an index that goes up by the same
//! step in each iteration, so does such a vector. So the loop carries it, and adds once.
//!
//! A broadcast takes the number from another register file, in the units that convert and add
//! floating-point numbers, too. So where those are what is computed of the vector, it is carried
//! even if there is no product in it.
//!
//! 1. In the body of an `scf.for`, find the vectors that are *affine* in the index: made of it
//!    by broadcasts, casts that keep the lowest bits, sums, and products with what is the same
//!    in all iterations.
//! 2. Of these, take the ones of which something else is computed, if there is a product in them
//!    and they fit a register, or if they are converted and fit a few. Their values at the first
//!    iteration, and what a step adds, are computed in front of the loop.
//!
//! Numbers wrap around, and so do their sums: the bits are the same.
//!
//! This is the reduction of operator strength of Cocke and Kennedy (An algorithm for
//! reduction of operator strength, 1977), for vectors.
//!
//! Cost: linear in the number of ops.

use std::collections::HashMap;

use comb_kit::{
    checks::facts::key,
    machine,
    pass_error::PassError,
    switches,
    transformations::Transformation,
    walk::{ancestors, first_block, operations},
};
use comb_machine::tuning::{VECTOR_BITS, reduce_strength::CONVERTED};
use melior::{
    Error,
    ir::{
        BlockLike, OperationRef, Type, TypeLike, Value, ValueLike, operation::OperationLike,
        r#type::IntegerType,
    },
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::{Arguments, Parts, cast},
    view::{argument_of, definition, op_name, uses, vector_element, vector_lanes},
};

/// Runs the pass on a module.
///
/// # Errors
///
/// If MLIR rejects a loop.
pub fn run<'c>(module: OperationRef<'c, '_>) -> Result<(), PassError<'c>> {
    let conversions = machine::of(module)?.conversions;
    switches::with(module, |switches| {
        let applies = |op: OperationRef<'c, '_>| {
            switches.applies(Transformation::ReduceStrength, op.location())
        };
        // Inner loops first: a loop that carries more is another op, with copies of what is inside.
        let loops = operations(module).into_iter().rev();
        for op in loops.filter(|&op| op_name(op) == "scf.for") {
            if let Some(affine) = Affine::of(op, conversions).filter(|_| applies(op)) {
                affine.carry()?;
            }
        }
        Ok(())
    })
}

/// What is affine in the index of a loop.
struct Affine<'c, 'a> {
    r#loop: OperationRef<'c, 'a>,
    index: Value<'c, 'a>,
    step: Value<'c, 'a>,
    /// Whether the CPU converts 64-bit integers.
    conversions: bool,
    /// Whether there is a product in a value, by key.
    products: HashMap<usize, bool>,
    /// In program order.
    values: Values<'c, 'a>,
}

impl<'c: 'a, 'a> Affine<'c, 'a> {
    /// Nothing if the loop has no vectors to carry.
    fn of(r#loop: OperationRef<'c, 'a>, conversions: bool) -> Option<Self> {
        let body = first_block(r#loop)?;
        let index = Value::from(body.argument_at(0)?);
        if !index.r#type().is_index() {
            return None;
        }
        let mut affine = Self {
            r#loop,
            index,
            step: r#loop.operand_at(2)?,
            conversions,
            products: HashMap::from([(key(index), false)]),
            values: vec![],
        };
        let mut next = body.first_operation();
        while let Some(op) = next {
            if let Some(has_product) = affine.product_in(op) {
                let value = op.result_at(0)?.into();
                affine.products.insert(key(value), has_product);
                affine.values.push(value);
            }
            next = op.next_in_block();
        }
        let mut values = std::mem::take(&mut affine.values);
        values.retain(|&value| affine.is_worth_it(value));
        affine.values = values;
        (!affine.values.is_empty()).then_some(affine)
    }

    /// Whether a value takes long to compute, and is needed.
    fn is_worth_it(&self, value: Value<'c, 'a>) -> bool {
        let is_product = self.products[&key(value)]
            && fits_registers(value.r#type(), 1)
            && uses(value).iter().any(|&(user, _)| !self.gives(user));
        is_product || self.is_converted(value)
    }

    /// Whether a value is converted to floating point by an instruction. (Other conversions of an
    /// index take it apart: see `comb-expand-conversions`.)
    fn is_converted(&self, value: Value<'c, 'a>) -> bool {
        let is_conversion = |op| matches!(op_name(op), "arith.sitofp" | "arith.uitofp");
        let registers = match self.conversions {
            true => CONVERTED,
            false if bits(value.r#type()) == Some(64) => return false,
            false => 1,
        };
        fits_registers(value.r#type(), registers)
            && uses(value).iter().any(|&(user, _)| is_conversion(user))
    }

    /// Whether an op gives an affine value.
    fn gives(&self, op: OperationRef<'c, 'a>) -> bool {
        let result = op.result_at(0);
        result.is_some_and(|result| self.products.contains_key(&key(result.into())))
    }

    /// Whether there is a product in what an op gives; nothing if it is not affine.
    fn product_in(&self, op: OperationRef<'c, 'a>) -> Option<bool> {
        let operands: Values = op.operands().collect();
        let of = |value: &Value| self.products.get(&key(*value)).copied();
        let known: Vec<bool> = operands.iter().filter_map(of).collect();
        let others_stay = || {
            let mut others = operands.iter().filter(|value| of(value).is_none());
            others.all(|&value| self.stays(value))
        };
        match (op_name(op), known.as_slice(), operands.as_slice()) {
            ("vector.broadcast" | "arith.trunci", &[has_product], _) => Some(has_product),
            ("arith.index_cast", &[has_product], &[operand]) => {
                let result = op.result_at(0)?.r#type();
                keeps_lowest_bits(operand.r#type(), result).then_some(has_product)
            }
            ("arith.addi", &[_, ..], _) => others_stay().then(|| known.contains(&true)),
            ("arith.subi", &[_, ..], &[left, _]) => {
                (of(&left).is_some() && others_stay()).then(|| known.contains(&true))
            }
            ("arith.muli", &[_], _) => others_stay().then_some(true),
            _ => None,
        }
    }

    /// Whether a value comes from outside of the loop.
    fn stays(&self, value: Value<'c, 'a>) -> bool {
        let is_inside = |op| op == self.r#loop || ancestors(op).any(|op| op == self.r#loop);
        let owner = definition(value).or_else(|| Some(argument_of(value)?.0));
        owner.is_some_and(|op| !is_inside(op))
    }

    /// Makes the loop carry them.
    fn carry(&self) -> Result<(), PassError<'c>> {
        let r#loop = self.r#loop;
        let builder = Builder::before(r#loop).ok_or(Error::OperationBuild)?;
        let body = first_block(r#loop).ok_or(Error::OperationBuild)?;
        let (mut first, mut steps) = (HashMap::new(), HashMap::new());
        first.insert(key(self.index), r#loop.operand(0)?);
        steps.insert(key(self.index), self.step);
        let mut operands: Values = r#loop.operands().collect();
        let mut added = vec![];
        for &value in &self.values {
            operands.push(self.at_first(&builder, value, &mut first)?);
            added.push(self.in_a_step(&builder, value, &mut steps)?);
        }
        let types: Vec<Type> = operands[3..].iter().map(|value| value.r#type()).collect();
        let arguments = [&[builder.index_type()], types.as_slice()].concat();
        let old = types.len() - self.values.len();
        let region =
            builder.region::<PassError>(&arguments, "scf.yield", |builder, arguments| {
                let (before, carried) = arguments.split_at(1 + old);
                let mut yielded = builder.inline(body, before)?;
                for (&value, &carried) in self.values.iter().zip(carried) {
                    builder.replace_uses(value, carried, None);
                }
                for ((&value, &carried), &step) in self.values.iter().zip(carried).zip(&added) {
                    for number in &mut yielded {
                        if *number == value {
                            *number = carried;
                        }
                    }
                    yielded.push(builder.arithmetic("arith.addi", &[carried, step])?);
                }
                Ok(yielded)
            })?;
        let new = builder.op_like(r#loop, &operands, &types, vec![region])?;
        let results: Values = new.results().take(old).map(Into::into).collect();
        builder.replace(r#loop, &results);
        Ok(())
    }

    /// An affine value at the first iteration.
    fn at_first(
        &self,
        builder: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        known: &mut HashMap<usize, Value<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, Error> {
        if let Some(&first) = known.get(&key(value)) {
            return Ok(first);
        }
        let Some(op) = definition(value).filter(|_| self.products.contains_key(&key(value))) else {
            return Ok(value);
        };
        let operands: Values = op.operands().collect();
        let operands = operands.into_iter();
        let operands = operands.map(|operand| self.at_first(builder, operand, known));
        let operands = operands.collect::<Result<Values, Error>>()?;
        let first = builder.op_like(op, &operands, &[value.r#type()], vec![])?;
        let first = first.result(0)?.into();
        known.insert(key(value), first);
        Ok(first)
    }

    /// What a step adds to an affine value.
    fn in_a_step(
        &self,
        builder: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        known: &mut HashMap<usize, Value<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, Error> {
        if let Some(&step) = known.get(&key(value)) {
            return Ok(step);
        }
        let op = definition(value).ok_or(Error::OperationBuild)?;
        let is_product = op_name(op) == "arith.muli";
        let mut operands = vec![];
        for operand in op.operands().collect::<Values>() {
            if self.products.contains_key(&key(operand)) {
                operands.push(self.in_a_step(builder, operand, known)?);
            } else if is_product {
                operands.push(operand);
            }
        }
        let step = match (op_name(op), operands.as_slice()) {
            // What stays adds nothing.
            ("arith.addi" | "arith.subi", &[step]) => step,
            (name, operands) => builder.value(name, operands, value.r#type(), &[])?,
        };
        known.insert(key(value), step);
        Ok(step)
    }
}

/// Whether a cast between `index` and another type keeps the lowest bits, whatever the others
/// are.
fn keeps_lowest_bits(from: Type, to: Type) -> bool {
    match bits(from).zip(bits(to)) {
        Some((from, to)) => to <= from,
        None => false,
    }
}

/// How many bits a number has, or each of a vector.
fn bits(r#type: Type) -> Option<u64> {
    let number = vector_element(r#type).unwrap_or(r#type);
    match number.is_index() {
        true => Some(64),
        false => Some(u64::from(cast::<IntegerType>(number)?.width())),
    }
}

/// Whether a type is that of vectors that fit so many registers.
fn fits_registers(r#type: Type, registers: u64) -> bool {
    let lanes = vector_lanes(r#type);
    let size = lanes.zip(bits(r#type)).map(|(lanes, bits)| lanes * bits);
    size.is_some_and(|size| size <= registers * VECTOR_BITS)
}
