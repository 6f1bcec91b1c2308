//! An op being executed: its operands, attributes and regions, the arrays it
//! makes, and how it fails.

use std::ops::Range;

use crate::element::{Element, Type};
use crate::failure::Failure;
use crate::machine::{Frame, Machine};
use crate::memory::{Fault, Memory};
use crate::program::{Op, Region};
use crate::shape;
use crate::value::{Array, Scalar, Value};

/// In a list that mixes constants and values, stands for "the next value".
const DYNAMIC: i64 = i64::MIN;

/// No array has more elements, so that its bytes can be counted with 64 bits.
const MOST_ELEMENTS: u128 = 1 << 59;

/// An op being executed.
pub(crate) struct Call<'m, 'p> {
    pub(crate) machine: &'m mut Machine<'p>,
    pub(crate) frame: &'m mut Frame,
    pub(crate) op: &'p Op,
}

impl<'m, 'p> Call<'m, 'p> {
    pub(crate) fn new(machine: &'m mut Machine<'p>, frame: &'m mut Frame, op: &'p Op) -> Self {
        Call { machine, frame, op }
    }

    // Operands

    /// The value of an operand.
    pub(crate) fn value(&self, operand: usize) -> Result<Value, Failure> {
        self.op
            .operands
            .get(operand)
            .and_then(|slot| self.frame[slot.number].clone())
            .ok_or_else(|| self.bug(&format!("operand {operand} has no value")))
    }

    /// The values of some operands.
    pub(crate) fn values(&self, operands: Range<usize>) -> Result<Vec<Value>, Failure> {
        operands.map(|operand| self.value(operand)).collect()
    }

    /// The value of an operand, which is forgotten if nothing else needs it: what changes it
    /// then copies nothing.
    pub(crate) fn take(&mut self, operand: usize) -> Result<Value, Failure> {
        match self.op.operands.get(operand) {
            Some(slot) if slot.is_only_use => {
                let taken = self.frame[slot.number].take();
                taken.ok_or_else(|| self.bug(&format!("operand {operand} has no value")))
            }
            _ => self.value(operand),
        }
    }

    /// The same of some operands.
    pub(crate) fn take_all(&mut self, operands: Range<usize>) -> Result<Vec<Value>, Failure> {
        operands.map(|operand| self.take(operand)).collect()
    }

    /// An operand that is an array.
    pub(crate) fn array(&self, operand: usize) -> Result<Array, Failure> {
        match self.value(operand)? {
            Value::Array(array) => Ok(array),
            _ => Err(self.bug(&format!("operand {operand} is no array"))),
        }
    }

    /// Operands that are arrays.
    pub(crate) fn arrays(&self, operands: Range<usize>) -> Result<Vec<Array>, Failure> {
        operands.map(|operand| self.array(operand)).collect()
    }

    /// An operand that is memory.
    pub(crate) fn memory(&self, operand: usize) -> Result<Memory, Failure> {
        match self.value(operand)? {
            Value::Memory(memory) => Ok(memory),
            _ => Err(self.bug(&format!("operand {operand} is no memory"))),
        }
    }

    /// An operand that is a scalar.
    pub(crate) fn scalar(&self, operand: usize) -> Result<Scalar, Failure> {
        match self.value(operand)? {
            Value::Scalar(scalar) => Ok(scalar),
            _ => Err(self.bug(&format!("operand {operand} is no scalar"))),
        }
    }

    /// An operand that is an index.
    pub(crate) fn index(&self, operand: usize) -> Result<i64, Failure> {
        Ok(self.scalar(operand)?.signed() as i64)
    }

    /// Operands that are indices.
    pub(crate) fn indices(&self, operands: Range<usize>) -> Result<Vec<i64>, Failure> {
        operands.map(|operand| self.index(operand)).collect()
    }

    /// The positions of the operands in a group, as the op's definition orders
    /// the groups.
    pub(crate) fn group(&self, group: usize) -> Range<usize> {
        if !self.op.flag("operandSegmentSizes") {
            return 0..self.op.operands.len();
        }
        let sizes = self.op.integers("operandSegmentSizes");
        let size = |group: usize| sizes.get(group).copied().unwrap_or(0) as usize;
        let start = (0..group).map(size).sum();
        start..start + size(group)
    }

    /// A list that mixes constants (in an attribute) and operands.
    pub(crate) fn mixed(
        &self,
        attribute: &str,
        mut operands: Range<usize>,
    ) -> Result<Vec<i64>, Failure> {
        self.op
            .integers(attribute)
            .iter()
            .map(|&entry| match entry {
                DYNAMIC => self.index(operands.next().unwrap_or(usize::MAX)),
                _ => Ok(entry),
            })
            .collect()
    }

    /// Sizes, which must not be negative. A `{}` in what the message calls them
    /// stands for the position.
    pub(crate) fn sizes(&self, sizes: &[i64], what: &str) -> Result<Vec<usize>, Failure> {
        sizes
            .iter()
            .enumerate()
            .map(|(position, &size)| {
                usize::try_from(size).map_err(|_| {
                    let what = what.replace("{}", &position.to_string());
                    self.error(&format!("{what} is negative: {size}"))
                })
            })
            .collect()
    }

    // Regions

    /// Executes a region of the op and gives the operands of the op that ends
    /// it.
    pub(crate) fn run(
        &mut self,
        region: usize,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>, Failure> {
        let op = self.op;
        let region = op
            .regions
            .get(region)
            .ok_or_else(|| self.bug("a region is missing"))?;
        self.run_region(region, arguments)
    }

    /// Executes a region that the op reaches.
    pub(crate) fn run_region(
        &mut self,
        region: &'p Region,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>, Failure> {
        self.machine
            .region(&self.op.location, region, arguments, self.frame)
    }

    /// The op that ends the first block of a region.
    pub(crate) fn terminator(&self, region: usize) -> Result<&'p Op, Failure> {
        self.op
            .regions
            .get(region)
            .and_then(|region| region.blocks.first()?.ops.last())
            .ok_or_else(|| self.bug("a region without an end"))
    }

    // Arrays

    /// What must hold of the shapes of an op's results before it does anything:
    /// that their elements can be counted, and that they are what the result
    /// types claim.
    pub(crate) fn promise(&self, shapes: &[Vec<usize>]) -> Result<(), Failure> {
        for shape in shapes {
            self.countable(shape)?;
        }
        for (number, (slot, shape)) in self.op.results.iter().zip(shapes).enumerate() {
            has_claimed_sizes(self.op, &slot.ty, shape, &format!(" of result {number}"))?;
        }
        Ok(())
    }

    /// That the elements of a shape can be counted. Sizes of zero do not make up
    /// for others that are too large, so that what holds of an array holds of
    /// its parts: those of the operands are fine.
    pub(crate) fn countable(&self, shape: &[usize]) -> Result<(), Failure> {
        let count = shape.iter().fold(1, |count: u128, &size| {
            count.saturating_mul(size.max(1) as u128)
        });
        let is_known = |operand| match self.value(operand) {
            Ok(array) => is_part(shape, array.shape()),
            Err(_) => false,
        };
        if count <= MOST_ELEMENTS || (0..self.op.operands.len()).any(is_known) {
            return Ok(());
        }
        Err(self.error(&format!(
            "gives an array of shape {shape:?}, which has too many elements"
        )))
    }

    /// Makes an array of the elements that a function gives for each index.
    pub(crate) fn build(
        &mut self,
        element: Element,
        shape: &[usize],
        bits_at: impl Fn(&[usize]) -> u64,
    ) -> Result<Value, Failure> {
        self.countable(shape)?;
        self.machine.allocate(&self.op.location, shape)?;
        let bits = shape::indices(shape).map(|index| bits_at(&index)).collect();
        self.finish(element, shape, bits)
    }

    /// Room for the elements of an array.
    pub(crate) fn begin(&mut self, shape: &[usize]) -> Result<Vec<u64>, Failure> {
        self.countable(shape)?;
        self.machine.allocate(&self.op.location, shape)?;
        Ok(vec![])
    }

    /// The array of these elements.
    pub(crate) fn finish(
        &self,
        element: Element,
        shape: &[usize],
        bits: Vec<u64>,
    ) -> Result<Value, Failure> {
        Array::new(element, shape.to_vec(), bits)
            .map(Value::Array)
            .ok_or_else(|| self.bug("an array with a wrong number of elements"))
    }

    /// Makes memory whose elements are not defined.
    pub(crate) fn new_memory(
        &mut self,
        element: Element,
        shape: &[usize],
    ) -> Result<Memory, Failure> {
        self.countable(shape)?;
        self.machine.allocate(&self.op.location, shape)?;
        Ok(Memory::new(element, shape))
    }

    /// All components of an index of which the program has promised that it is in range.
    pub(crate) fn promised_index(
        &self,
        index: &[i64],
        shape: &[usize],
    ) -> Result<Vec<usize>, Failure> {
        let mut components = vec![];
        for (dimension, (&component, &size)) in index.iter().zip(shape).enumerate() {
            let inside = usize::try_from(component)
                .ok()
                .filter(|&inside| inside < size);
            components.push(inside.ok_or_else(|| {
                self.undefined(&format!(
                    "index {component} is out of range [0, {size}) in dimension {dimension}"
                ))
            })?);
        }
        Ok(components)
    }

    /// An index, or an error if it is out of range.
    pub(crate) fn in_range(
        &self,
        index: i64,
        size: usize,
        dimension: usize,
    ) -> Result<usize, Failure> {
        usize::try_from(index)
            .ok()
            .filter(|&index| index < size)
            .ok_or_else(|| {
                self.violation(&format!(
                    "index {index} is out of range [0, {size}) in dimension {dimension}"
                ))
            })
    }

    /// All components of an index, or an error if one is out of range.
    pub(crate) fn all_in_range(
        &self,
        index: &[i64],
        shape: &[usize],
    ) -> Result<Vec<usize>, Failure> {
        index
            .iter()
            .zip(shape)
            .enumerate()
            .map(|(dimension, (&index, &size))| self.in_range(index, size, dimension))
            .collect()
    }

    // Failures

    /// A run-time error that the language defines.
    pub(crate) fn error(&self, message: &str) -> Failure {
        Failure::Program {
            location: self.op.location.clone(),
            message: format!("'{}' op {message}", self.op.name),
        }
    }

    /// What an op does not allow, unless it is `unchecked` and the program has
    /// promised that it does not happen.
    pub(crate) fn violation(&self, message: &str) -> Failure {
        if self.op.flag("unchecked") {
            self.undefined(message)
        } else {
            self.error(message)
        }
    }

    /// A promise that the program broke.
    pub(crate) fn undefined(&self, message: &str) -> Failure {
        Failure::Undefined {
            location: self.op.location.clone(),
            message: format!("'{}' op {message}", self.op.name),
        }
    }

    /// What a program does with memory though it promised not to.
    pub(crate) fn fault(&self, fault: Fault) -> Failure {
        self.undefined(&fault.to_string())
    }

    /// Something that the interpreter does not know.
    pub(crate) fn unsupported(&self, what: impl Into<String>) -> Failure {
        Failure::Unsupported {
            location: self.op.location.clone(),
            what: what.into(),
        }
    }

    /// The op is one that the interpreter does not know.
    pub(crate) fn unknown_op(&self) -> Failure {
        self.unsupported(format!("the op '{}'", self.op.name))
    }

    /// A mistake in the interpreter.
    pub(crate) fn bug(&self, message: &str) -> Failure {
        Failure::Bug {
            location: self.op.location.clone(),
            message: format!("'{}' op {message}", self.op.name),
        }
    }
}

/// Whether each of the sizes is one of an array's, none of which is used twice.
fn is_part(sizes: &[usize], array: &[usize]) -> bool {
    let mut rest = array.to_vec();
    sizes.iter().all(|size| {
        *size == 1
            || rest
                .iter()
                .position(|other| other == size)
                .map(|position| rest.swap_remove(position))
                .is_some()
    })
}

/// That a shape has the sizes that a type states; `whose` is what the message
/// says they belong to.
pub(crate) fn has_claimed_sizes(
    op: &Op,
    ty: &Type,
    shape: &[usize],
    whose: &str,
) -> Result<(), Failure> {
    for (axis, (claimed, size)) in ty.sizes().iter().zip(shape).enumerate() {
        if let Some(claimed) = claimed.filter(|claimed| claimed != size) {
            return Err(Failure::Program {
                location: op.location.clone(),
                message: format!(
                    "'{}' op size {size} of dimension {axis}{whose} is not {claimed}",
                    op.name
                ),
            });
        }
    }
    Ok(())
}
