//! Building kernels, and what is in them: methods of the [`Builder`] of `soac`.
//!
//! Bodies are closures, as those of the builder's other methods: each is given a builder and the
//! block's arguments, and returns what the terminator yields.

use melior::{
    Error,
    ir::{
        OperationRef, Region, Type, Value, ValueLike,
        operation::OperationLike,
        r#type::{MemRefType, RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::{Builder, Size, Values, array_type, mixed_list},
    cast::{cast, is_a},
    view::set_attribute,
};

use crate::{INDEPENDENT, schedule::Schedule};

/// What is folded, scanned or scattered, and how.
pub struct Combined<'s, 'c, 'a> {
    /// One or more values.
    pub values: &'s [Value<'c, 'a>],
    /// As many accumulators, which a loop carries.
    pub accumulators: &'s [Value<'c, 'a>],
    /// As many neutral elements.
    pub neutrals: &'s [Value<'c, 'a>],
}

/// Building ops of the dialect.
pub trait NestBuilder<'c: 'a, 'a> {
    /// A kernel that makes arrays of those that it is given.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the kernel.
    fn kernel<E: From<Error>>(
        &self,
        outputs: &[Value<'c, 'a>],
        body: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E>;

    /// A loop over indices below a length, which carries values. Its body is given the index and
    /// what is carried.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the loop.
    fn nest_loop<E: From<Error>>(
        &self,
        length: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E> {
        self.scheduled_loop(length, carried, None, body)
    }

    /// The same, with a schedule, if there is one.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the loop.
    fn scheduled_loop<E: From<Error>>(
        &self,
        length: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
        schedule: Option<Schedule>,
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E>;

    /// The same for iterations of another loop: if these are [independent](crate::INDEPENDENT), its own are.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the loop.
    fn loop_like<E: From<Error>>(
        &self,
        model: OperationRef<'c, 'a>,
        operands: (Value<'c, 'a>, &[Value<'c, 'a>]),
        schedule: Option<Schedule>,
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E>;

    /// What is done if a filter keeps something; its body is given the position of that and what
    /// is carried. Gives how many have been kept, and what is carried on.
    ///
    /// # Errors
    ///
    /// Those of `body`, or if MLIR rejects the op.
    fn keep<E: From<Error>>(
        &self,
        condition: Value<'c, 'a>,
        count: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<(Value<'c, 'a>, Values<'c, 'a>), E>;

    /// A new array for the iteration.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    fn local(&self, sizes: &[Size<'c, 'a>], element: Type<'c>) -> Result<Value<'c, 'a>, Error>;

    /// An element of an array.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it, as where it is no array.
    fn read(&self, array: Value<'c, 'a>, index: &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error>;

    /// Writes an element of an array; gives the array that this makes, if it is a tensor.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    fn write(
        &self,
        element: Value<'c, 'a>,
        array: Value<'c, 'a>,
        index: &[Value<'c, 'a>],
    ) -> Result<Option<Value<'c, 'a>>, Error>;

    /// Combines values with accumulators; gives what the accumulators are now.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    fn nest_fold(
        &self,
        combined: &Combined<'_, 'c, 'a>,
        operator: Region<'c>,
    ) -> Result<Values<'c, 'a>, Error>;

    /// The same with prefixes, which come first in what it gives.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    fn nest_scan(
        &self,
        combined: &Combined<'_, 'c, 'a>,
        exclusive: bool,
        right: bool,
        operator: Region<'c>,
    ) -> Result<[Values<'c, 'a>; 2], Error>;

    /// Writes or combines values at an index of arrays; gives the arrays that this makes, if they
    /// are tensors. Without an operator the region is empty.
    ///
    /// # Errors
    ///
    /// If MLIR rejects it.
    fn nest_scatter(
        &self,
        values: &[Value<'c, 'a>],
        dests: &[Value<'c, 'a>],
        index: &[Value<'c, 'a>],
        any_write: bool,
        operator: Region<'c>,
    ) -> Result<Values<'c, 'a>, Error>;
}

fn loop_op<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    (length, carried): (Value<'c, 'a>, &[Value<'c, 'a>]),
    schedule: Option<Schedule>,
    body: Region<'c>,
) -> Result<OperationRef<'c, 'a>, Error> {
    let operands = [&[length], carried].concat();
    let made = builder.op("nest.loop", &operands, &types(carried), &[], vec![body])?;
    if let Some(schedule) = schedule {
        schedule.write(made);
    }
    Ok(made)
}

impl<'c: 'a, 'a> NestBuilder<'c, 'a> for Builder<'c, 'a> {
    fn kernel<E: From<Error>>(
        &self,
        outputs: &[Value<'c, 'a>],
        body: impl FnOnce(&Builder<'c, 'a>, &[Value<'c, 'a>]) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E> {
        let types = types(outputs);
        let region = self.region(&types, YIELD, body)?;
        results(self.op("nest.kernel", outputs, &types, &[], vec![region])?)
    }

    fn scheduled_loop<E: From<Error>>(
        &self,
        length: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
        schedule: Option<Schedule>,
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E> {
        let region = self.body_with_index(carried, body)?;
        results(loop_op(self, (length, carried), schedule, region)?)
    }

    fn loop_like<E: From<Error>>(
        &self,
        model: OperationRef<'c, 'a>,
        (length, carried): (Value<'c, 'a>, &[Value<'c, 'a>]),
        schedule: Option<Schedule>,
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Values<'c, 'a>, E> {
        let region = self.body_with_index(carried, body)?;
        let made = loop_op(self, (length, carried), schedule, region)?;
        if model.has_attribute(INDEPENDENT) {
            set_attribute(made, INDEPENDENT, self.unit());
        }
        results(made)
    }

    fn keep<E: From<Error>>(
        &self,
        condition: Value<'c, 'a>,
        count: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<(Value<'c, 'a>, Values<'c, 'a>), E> {
        let region = self.body_with_index(carried, body)?;
        let operands = [&[condition, count], carried].concat();
        let types = [&[self.index_type()], types(carried).as_slice()].concat();
        let op = self.op("nest.keep", &operands, &types, &[], vec![region])?;
        let mut all: Values = results::<E>(op)?;
        let next = all.remove(0);
        Ok((next, all))
    }

    fn local(&self, sizes: &[Size<'c, 'a>], element: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let (constants, values) = mixed_list(sizes);
        let known: Vec<Option<u64>> = sizes.iter().map(|size| size.known()).collect();
        let attributes = [("static_sizes", self.integers(&constants))];
        self.value(
            "nest.local",
            &values,
            array_type(&known, element),
            &attributes,
        )
    }

    fn read(&self, array: Value<'c, 'a>, index: &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error> {
        let r#type = array.r#type();
        let element = match cast::<RankedTensorType>(r#type) {
            Some(tensor) => tensor.element(),
            None => MemRefType::try_from(r#type)?.element(),
        };
        self.value("nest.read", &[&[array], index].concat(), element, &[])
    }

    fn write(
        &self,
        element: Value<'c, 'a>,
        array: Value<'c, 'a>,
        index: &[Value<'c, 'a>],
    ) -> Result<Option<Value<'c, 'a>>, Error> {
        let operands = [&[element, array], index].concat();
        let op = self.op("nest.write", &operands, &tensors(&[array]), &[], vec![])?;
        Ok(op.results().next().map(Into::into))
    }

    fn nest_fold(
        &self,
        combined: &Combined<'_, 'c, 'a>,
        operator: Region<'c>,
    ) -> Result<Values<'c, 'a>, Error> {
        let (operands, segments) = combined.operands();
        let attributes = [("operandSegmentSizes", self.segments(&segments))];
        let types = types(combined.values);
        results(self.op("nest.fold", &operands, &types, &attributes, vec![operator])?)
    }

    fn nest_scan(
        &self,
        combined: &Combined<'_, 'c, 'a>,
        exclusive: bool,
        right: bool,
        operator: Region<'c>,
    ) -> Result<[Values<'c, 'a>; 2], Error> {
        let (operands, segments) = combined.operands();
        let mut attributes = vec![("operandSegmentSizes", self.segments(&segments))];
        attributes.extend(exclusive.then(|| ("exclusive", self.unit())));
        attributes.extend(right.then(|| ("right", self.unit())));
        let types = types(combined.values).repeat(2);
        let op = self.op("nest.scan", &operands, &types, &attributes, vec![operator])?;
        let mut prefixes: Values = results::<Error>(op)?;
        let accumulators = prefixes.split_off(combined.values.len());
        Ok([prefixes, accumulators])
    }

    fn nest_scatter(
        &self,
        values: &[Value<'c, 'a>],
        dests: &[Value<'c, 'a>],
        index: &[Value<'c, 'a>],
        any_write: bool,
        operator: Region<'c>,
    ) -> Result<Values<'c, 'a>, Error> {
        let operands = [values, dests, index].concat();
        let segments = [values.len(), dests.len(), index.len()].map(|count| count as i32);
        let mut attributes = vec![("operandSegmentSizes", self.segments(&segments))];
        attributes.extend(any_write.then(|| ("any_write", self.unit())));
        let types = tensors(dests);
        results(self.op(
            "nest.scatter",
            &operands,
            &types,
            &attributes,
            vec![operator],
        )?)
    }
}

/// The terminator of every body.
pub const YIELD: &str = "nest.yield";

/// A body that is given an index and what is carried.
trait Bodies<'c, 'a> {
    fn body_with_index<E: From<Error>>(
        &self,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Region<'c>, E>;
}

impl<'c: 'a, 'a> Bodies<'c, 'a> for Builder<'c, 'a> {
    fn body_with_index<E: From<Error>>(
        &self,
        carried: &[Value<'c, 'a>],
        body: impl FnOnce(
            &Builder<'c, 'a>,
            Value<'c, 'a>,
            &[Value<'c, 'a>],
        ) -> Result<Values<'c, 'a>, E>,
    ) -> Result<Region<'c>, E> {
        let arguments = [&[self.index_type()], types(carried).as_slice()].concat();
        self.region(&arguments, YIELD, |builder, arguments| {
            body(builder, arguments[0], &arguments[1..])
        })
    }
}

impl<'c, 'a> Combined<'_, 'c, 'a> {
    fn operands(&self) -> (Values<'c, 'a>, [i32; 3]) {
        let groups = [self.values, self.accumulators, self.neutrals];
        (groups.concat(), groups.map(|group| group.len() as i32))
    }
}

fn types<'c>(values: &[Value<'c, '_>]) -> Vec<Type<'c>> {
    values.iter().map(|value| value.r#type()).collect()
}

/// The types of those arrays that are tensors.
fn tensors<'c>(arrays: &[Value<'c, '_>]) -> Vec<Type<'c>> {
    let mut types = types(arrays);
    types.retain(|&r#type| is_a::<RankedTensorType>(r#type));
    types
}

fn results<'c: 'a, 'a, E>(op: OperationRef<'c, 'a>) -> Result<Values<'c, 'a>, E> {
    Ok(op.results().map(Into::into).collect())
}
