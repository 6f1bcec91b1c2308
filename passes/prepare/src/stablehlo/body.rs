//! Regions that are functions of scalars, such as a reduction's.

use std::collections::HashMap;

use melior::{
    Error,
    ir::{
        BlockLike, BlockRef, OperationRef, RegionLike, Value, ValueLike, operation::OperationLike,
    },
};
use soac_dialect::{
    builder::{Builder, Values},
    cast::Parts,
    view::op_name,
};

use super::{
    Scope, constants, element, functions,
    scalar::{self, Scalar},
    unsupported,
};
use comb_kit::{checks::facts::key, pass_error::PassError};

/// A function of scalars.
pub(super) struct Body<'c, 'a> {
    steps: Vec<Step<'c>>,
    /// Values from outside, which come behind the arguments.
    captured: Values<'c, 'a>,
    yielded: Vec<usize>,
    arguments: usize,
}

/// A value, computed of others by their numbers.
struct Step<'c> {
    scalar: Scalar<'c>,
    operands: Vec<usize>,
}

/// The numbers of values while a body is read: the arguments, what is captured, the steps.
struct Reader<'s, 'c, 'a> {
    scope: &'s Scope<'c, 'a>,
    builder: &'s Builder<'c, 'a>,
    numbers: HashMap<usize, Number>,
    captured: Values<'c, 'a>,
    steps: Vec<(Scalar<'c>, Vec<Number>)>,
    /// How many calls this is inside.
    depth: usize,
}

/// So many calls may be inside one another.
const DEEPEST: usize = 32;

/// So many ops may be in a function of scalars, with those that it calls.
const MOST_STEPS: usize = 100_000;

#[derive(Clone, Copy)]
enum Number {
    Argument(usize),
    Captured(usize),
    Step(usize),
}

impl<'c: 'a, 'a> Body<'c, 'a> {
    /// Steps that are computed of values by their numbers: the arguments, what is captured, and
    /// the steps before.
    pub(super) fn new(
        arguments: usize,
        captured: Values<'c, 'a>,
        steps: Vec<(Scalar<'c>, Vec<usize>)>,
        yielded: Vec<usize>,
    ) -> Self {
        let step = |(scalar, operands)| Step { scalar, operands };
        Self {
            steps: steps.into_iter().map(step).collect(),
            captured,
            yielded,
            arguments,
        }
    }

    /// Reads the only region of an op. What it has from outside, constants too, is computed by
    /// the builder.
    ///
    /// # Errors
    ///
    /// If it has an op that is no function of scalars.
    pub(super) fn of(
        op: OperationRef<'c, 'a>,
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
    ) -> Result<Self, PassError<'c>> {
        Self::of_region(op, 0, builder, scope)
    }

    /// Reads one of the regions of an op.
    ///
    /// # Errors
    ///
    /// If it is not there, or has an op that is no function of scalars.
    pub(super) fn of_region(
        op: OperationRef<'c, 'a>,
        region: usize,
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
    ) -> Result<Self, PassError<'c>> {
        let region = op.region_at(region);
        let block = region.and_then(|region| region.first_block());
        let block = block.filter(|block| block.next_in_region().is_none());
        let block = block.ok_or_else(|| unsupported(op, "needs a region with one block"))?;
        Self::of_block(op, block, builder, scope)
    }

    /// Reads a function of the program.
    ///
    /// # Errors
    ///
    /// If it is not there, or has an op that is no function of scalars.
    pub(super) fn of_function(
        op: OperationRef<'c, 'a>,
        name: &[u8],
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
    ) -> Result<Self, PassError<'c>> {
        let function = scope.functions.get(name);
        let body = function.and_then(|function| function.region_at(0));
        let block = body.and_then(|body| body.first_block());
        let block = block.filter(|block| block.next_in_region().is_none());
        let block = block.ok_or_else(|| unsupported(op, "calls a function without a body"))?;
        Self::of_block(op, block, builder, scope)
    }

    fn of_block(
        op: OperationRef<'c, 'a>,
        block: BlockRef<'c, 'a>,
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
    ) -> Result<Self, PassError<'c>> {
        let mut reader = Reader {
            scope,
            builder,
            numbers: HashMap::new(),
            captured: vec![],
            steps: vec![],
            depth: 0,
        };
        let arguments = block.argument_count();
        for index in 0..arguments {
            let argument: Value = block.argument(index)?.into();
            if element::open(op, argument.r#type())?.rank() != 0 {
                return Err(unsupported(op, "has a function of arrays"));
            }
            reader
                .numbers
                .insert(key(argument), Number::Argument(index));
        }
        let yielded = reader.read(block)?;
        let captured = reader.captured.len();
        let flat = |number: Number| match number {
            Number::Argument(index) => index,
            Number::Captured(index) => arguments + index,
            Number::Step(index) => arguments + captured + index,
        };
        let flat = |numbers: Vec<Number>| numbers.into_iter().map(flat).collect();
        let steps = reader.steps.into_iter();
        let steps = steps.map(|(scalar, operands)| (scalar, flat(operands)));
        let steps = steps.collect();
        Ok(Self::new(arguments, reader.captured, steps, flat(yielded)))
    }

    /// The function of an op, if it takes and gives so many values.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub(super) fn with(
        self,
        op: OperationRef<'c, 'a>,
        arguments: usize,
        results: usize,
    ) -> Result<Self, PassError<'c>> {
        match self.arguments == arguments && self.yielded.len() == results {
            true => Ok(self),
            false => Err(unsupported(
                op,
                "has a function of other arguments or results",
            )),
        }
    }

    /// Whether it gives the last of twice as many arguments as they are.
    pub(super) fn is_last(&self, count: usize) -> bool {
        self.arguments == 2 * count && self.yielded.iter().copied().eq(count..2 * count)
    }

    /// The op that it is, on its two arguments in either order, if it is one.
    pub(super) fn single(&self) -> Option<Scalar<'c>> {
        let [step] = self.steps.as_slice() else {
            return None;
        };
        let mut operands = step.operands.clone();
        operands.sort_unstable();
        let is_all = self.captured.is_empty() && self.arguments == 2;
        (is_all && operands == [0, 1] && self.yielded == [2]).then_some(step.scalar)
    }

    /// Computes it.
    pub(super) fn build(
        &self,
        builder: &Builder<'c, 'a>,
        arguments: &[Value<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        let mut values = [arguments, &self.captured].concat();
        for step in &self.steps {
            let operands: Values = step.operands.iter().map(|&number| values[number]).collect();
            values.push(step.scalar.build(builder, &operands)?);
        }
        Ok(self.yielded.iter().map(|&number| values[number]).collect())
    }
}

impl<'c: 'a, 'a> Reader<'_, 'c, 'a> {
    /// Reads a block, and gives the numbers of what it yields.
    fn read(&mut self, block: BlockRef<'c, 'a>) -> Result<Vec<Number>, PassError<'c>> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            if next.is_none() {
                return self.operands(op);
            }
            if op_name(op) == "stablehlo.constant" {
                let constant = constants::constant(op, self.builder)?[0];
                let number = self.capture(constant)?;
                self.numbers.insert(key(op.result(0)?.into()), number);
                continue;
            }
            if op_name(op) == "func.call" {
                self.call(op)?;
                continue;
            }
            let is_scalar = element::result(op, 0)?.rank() == 0 && op.region_count() == 0;
            if !is_scalar {
                return Err(unsupported(op, "cannot be in a function of scalars"));
            }
            let operands = self.operands(op)?;
            self.steps.push((scalar::decide(op)?, operands));
            let number = Number::Step(self.steps.len() - 1);
            self.numbers.insert(key(op.result(0)?.into()), number);
        }
        Ok(vec![])
    }

    /// Reads what a called function computes.
    fn call(&mut self, op: OperationRef<'c, 'a>) -> Result<(), PassError<'c>> {
        let known = &self.scope.functions;
        let function = functions::callee(op).and_then(|name| known.get(name));
        let body = function.and_then(|function| function.region_at(0));
        let block = body.and_then(|body| body.first_block());
        let block = block.filter(|block| block.next_in_region().is_none());
        let block = block.ok_or_else(|| unsupported(op, "calls a function without a body"))?;
        let operands = self.operands(op)?;
        if self.depth == DEEPEST
            || self.steps.len() > MOST_STEPS
            || operands.len() != block.argument_count()
        {
            return Err(unsupported(op, "cannot be in a function of scalars"));
        }
        for (index, number) in operands.into_iter().enumerate() {
            let argument = block.argument(index)?.into();
            self.numbers.insert(key(argument), number);
        }
        self.depth += 1;
        let results = self.read(block)?;
        self.depth -= 1;
        for (result, number) in op.results().zip(results) {
            self.numbers.insert(key(result.into()), number);
        }
        Ok(())
    }

    fn operands(&mut self, op: OperationRef<'c, 'a>) -> Result<Vec<Number>, PassError<'c>> {
        let mut numbers = vec![];
        for operand in op.operands() {
            let known = self.numbers.get(&key(operand)).copied();
            let outside = self.scope.values.get(&key(operand)).copied();
            numbers.push(match (known, outside) {
                (Some(number), _) => number,
                (None, Some(array)) => self.capture(array)?,
                (None, None) => return Err(unsupported(op, "uses a value that was not converted")),
            });
        }
        Ok(numbers)
    }

    fn capture(&mut self, array: Value<'c, 'a>) -> Result<Number, PassError<'c>> {
        self.captured.push(self.builder.extract(array, &[])?);
        Ok(Number::Captured(self.captured.len() - 1))
    }
}
