//! Combinators that apply a function: generate, map, fold, scans, filter; and
//! cross.
//!
//! Elements are computed in row-major order, folds and scans from the neutral
//! element on, and element after element.

use super::requirement::{same_shape, same_shapes};
use crate::call::Call;
use crate::element::Element;
use crate::failure::Failure;
use crate::shape;
use crate::value::{Array, Scalar, Value};

/// The elements of several arrays of one shape, as they are computed.
struct Results {
    elements: Vec<Element>,
    bits: Vec<Vec<u64>>,
}

impl Results {
    /// Results of the op's result types; `shape` says how large they will be.
    fn new(call: &mut Call, shapes: &[Vec<usize>]) -> Result<Results, Failure> {
        call.promise(shapes)?;
        let elements = call
            .op
            .results
            .iter()
            .map(|slot| slot.ty.element().ok_or_else(|| call.bug("gives no array")))
            .collect::<Result<_, _>>()?;
        let bits = shapes
            .iter()
            .map(|shape| call.begin(shape))
            .collect::<Result<_, _>>()?;
        Ok(Results { elements, bits })
    }

    fn push(&mut self, values: &[Value]) {
        for (bits, value) in self.bits.iter_mut().zip(values) {
            bits.extend(value.bits());
        }
    }

    fn finish(self, call: &Call, shapes: &[Vec<usize>]) -> Result<Vec<Value>, Failure> {
        self.elements
            .into_iter()
            .zip(self.bits)
            .zip(shapes)
            .map(|((element, bits), shape)| call.finish(element, shape, bits))
            .collect()
    }
}

fn for_each_result(call: &Call, shape: &[usize]) -> Vec<Vec<usize>> {
    vec![shape.to_vec(); call.op.results.len()]
}

pub(super) fn generate(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let sizes = call.mixed("static_sizes", call.group(0))?;
    let shape = call.sizes(&sizes, "size {}")?;
    let shapes = for_each_result(call, &shape);
    let mut results = Results::new(call, &shapes)?;
    for index in shape::indices(&shape) {
        let yielded = call.run(0, index_values(&index))?;
        results.push(&yielded);
    }
    results.finish(call, &shapes)
}

/// An index as values of type `index`.
pub(super) fn index_values(index: &[usize]) -> Vec<Value> {
    index
        .iter()
        .map(|&component| Value::Scalar(Scalar::index(component as i64)))
        .collect()
}

pub(super) fn map(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let operands = call.group(0);
    let inputs = call.arrays(operands.clone())?;
    let outer = match call.op.integer("outer") {
        Some(outer) => outer as usize,
        None => inputs[0].rank(),
    };
    let outer_shape = &inputs[0].shape()[..outer];
    for (other, input) in operands.clone().zip(&inputs).skip(1) {
        let what = format!("operands {} and {other}", operands.start);
        same_shape(call, outer_shape, &input.shape()[..outer], &what)?;
    }
    let inner_shapes = inner_shapes(call)?;
    let shapes: Vec<_> = inner_shapes
        .iter()
        .map(|inner| [outer_shape, inner].concat())
        .collect();
    let mut results = Results::new(call, &shapes)?;
    for index in shape::indices(outer_shape) {
        let arguments = inputs.iter().map(|input| input.inner(&index)).collect();
        let yielded = call.run(0, arguments)?;
        for (number, (value, inner)) in yielded.iter().zip(&inner_shapes).enumerate() {
            check_inner_shape(call, number, value.shape(), inner)?;
        }
        results.push(&yielded);
    }
    results.finish(call, &shapes)
}

/// That an iteration of a map yields an array of the shape that the op states.
pub(super) fn check_inner_shape(
    call: &Call,
    number: usize,
    shape: &[usize],
    stated: &[usize],
) -> Result<(), Failure> {
    for (axis, (size, stated)) in shape.iter().zip(stated).enumerate() {
        if size != stated {
            return Err(Failure::Program {
                location: call.terminator(0)?.location.clone(),
                message: format!(
                    "'{}' op yields array {number} with size {size} in dimension {axis}, \
                     but 'inner' says {stated}",
                    call.op.name
                ),
            });
        }
    }
    Ok(())
}

/// The shape that every iteration of a map must yield for each result.
pub(super) fn inner_shapes(call: &Call) -> Result<Vec<Vec<usize>>, Failure> {
    let given = call.indices(call.group(1))?;
    let mut given = call.sizes(&given, "inner size {}")?.into_iter();
    call.terminator(0)?
        .operands
        .iter()
        .map(|yielded| {
            let sizes = yielded.ty.sizes().iter();
            sizes
                .map(|size| size.or_else(|| given.next()))
                .collect::<Option<_>>()
                .ok_or_else(|| call.bug("has too few inner sizes"))
        })
        .collect()
}

/// Operands of a fold or scan.
struct Reduction {
    inputs: Vec<Array>,
    neutrals: Vec<Value>,
}

impl Reduction {
    fn new(call: &Call) -> Result<Reduction, Failure> {
        Ok(Reduction {
            inputs: same_shapes(call, 0, "operands")?,
            neutrals: call.values(call.group(1))?,
        })
    }

    /// The elements at a row-major position.
    fn elements(&self, position: usize) -> Vec<Value> {
        self.inputs
            .iter()
            .map(|input| Value::Scalar(input.element_at(position)))
            .collect()
    }
}

pub(super) fn fold(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let reduction = Reduction::new(call)?;
    let shape = reduction.inputs[0].shape();
    let inner = call.op.integer("inner").unwrap_or(1) as usize;
    let (kept, folded) = shape.split_at(shape.len() - inner);
    let shapes = for_each_result(call, kept);
    let mut results = Results::new(call, &shapes)?;
    let row_size = shape::count(folded) as usize;
    for row in 0..shape::count(kept) as usize {
        let mut accumulators = reduction.neutrals.clone();
        for column in 0..row_size {
            let elements = reduction.elements(row * row_size + column);
            accumulators = call.run(0, [accumulators, elements].concat())?;
        }
        results.push(&accumulators);
    }
    results.finish(call, &shapes)
}

/// The number of rows along the innermost dimension, and their size.
fn rows(shape: &[usize]) -> (usize, usize) {
    match shape.split_last() {
        Some((&size, outer)) if size > 0 => (shape::count(outer) as usize, size),
        _ => (0, 0),
    }
}

pub(super) fn scan_left(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let reduction = Reduction::new(call)?;
    let shape = reduction.inputs[0].shape();
    let exclusive = call.op.flag("exclusive");
    let shapes = for_each_result(call, shape);
    let mut results = Results::new(call, &shapes)?;
    let (row_count, row_size) = rows(shape);
    for row in 0..row_count {
        let mut accumulators = reduction.neutrals.clone();
        for column in 0..row_size {
            let before = accumulators.clone();
            let elements = reduction.elements(row * row_size + column);
            accumulators = call.run(0, [accumulators, elements].concat())?;
            results.push(if exclusive { &before } else { &accumulators });
        }
    }
    results.finish(call, &shapes)
}

pub(super) fn scan_right(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let reduction = Reduction::new(call)?;
    let shape = reduction.inputs[0].shape();
    let exclusive = call.op.flag("exclusive");
    let shapes = for_each_result(call, shape);
    let mut results = Results::new(call, &shapes)?;
    let (row_count, row_size) = rows(shape);
    for row in 0..row_count {
        let mut accumulators = reduction.neutrals.clone();
        let mut from_the_right = vec![];
        for column in (0..row_size).rev() {
            let before = accumulators.clone();
            let elements = reduction.elements(row * row_size + column);
            accumulators = call.run(0, [elements, accumulators].concat())?;
            from_the_right.push(if exclusive {
                before
            } else {
                accumulators.clone()
            });
        }
        for values in from_the_right.iter().rev() {
            results.push(values);
        }
    }
    results.finish(call, &shapes)
}

pub(super) fn filter(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let inputs = same_shapes(call, 0, "operands")?;
    let mut kept = vec![];
    for position in 0..inputs[0].count() {
        let arguments = inputs
            .iter()
            .map(|input| Value::Scalar(input.element_at(position)))
            .collect();
        match call.run(0, arguments)?.as_slice() {
            [Value::Scalar(keep)] if keep.is_true() => kept.push(position),
            [Value::Scalar(_)] => {}
            _ => return Err(call.bug("has a predicate that yields no truth value")),
        }
    }
    inputs
        .iter()
        .map(|input| {
            let shape = [kept.len()];
            call.build(input.element(), &shape, |index| {
                input.bits()[kept[index[0]]]
            })
        })
        .collect()
}

pub(super) fn cross(call: &mut Call) -> Result<Vec<Value>, Failure> {
    let lefts = same_shapes(call, 0, "left arrays")?;
    let rights = same_shapes(call, 1, "right arrays")?;
    let shape = [lefts[0].shape(), rights[0].shape()].concat();
    let left_rank = lefts[0].rank();
    let mut results = vec![];
    for left in &lefts {
        results.push(call.build(left.element(), &shape, |index| {
            left.bits_at(&index[..left_rank])
        })?);
    }
    for right in &rights {
        results.push(call.build(right.element(), &shape, |index| {
            right.bits_at(&index[left_rank..])
        })?);
    }
    Ok(results)
}
