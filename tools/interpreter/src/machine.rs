//! Execution: functions, regions, blocks, and the limits of it all.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::call::{Call, has_claimed_sizes};
use crate::emulation::Thread;
use crate::failure::Failure;
use crate::memory::Memory;
use crate::program::{Block, Function, Op, Program, Region, Slot};
use crate::value::Value;
use crate::{
    affine, arith, control, elementwise, function, gpu, linalg, memref, nest, shape, soac,
    structured, tensor,
};

/// How much a program may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many ops may be executed and array elements made; any number if
    /// there is no limit.
    pub steps: Option<u64>,
    /// How many elements one array may have. An element takes eight bytes.
    pub elements: u64,
    /// How many calls and regions may be entered within each other. At most
    /// [`Limits::MOST_DEPTH`] is heeded.
    pub depth: usize,
    /// Whether blocks and threads of kernels run in the opposite order.
    pub backwards: bool,
}

impl Limits {
    /// The largest depth for which there is a stack.
    pub const MOST_DEPTH: usize = 10_000;
}

impl Default for Limits {
    /// Any number of steps, arrays of 1 GiB, and the largest depth.
    fn default() -> Self {
        Limits {
            steps: None,
            elements: 1 << 27,
            depth: Limits::MOST_DEPTH,
            backwards: false,
        }
    }
}

/// The values of a function's SSA values, by slot; none before they are
/// computed.
pub(crate) type Frame = Vec<Option<Value>>;

/// What executes a program.
pub(crate) struct Machine<'p> {
    program: &'p Program,
    limits: Limits,
    steps: u64,
    depth: usize,
    /// The memory of the program's globals that were named so far.
    globals: BTreeMap<String, Memory>,
    /// The iterations of the `linalg` ops being executed, the innermost last.
    pub(crate) iterations: Vec<Vec<usize>>,
    /// Which thread of a kernel it is, if it is one.
    pub(crate) thread: Option<Thread<'p>>,
}

/// Where execution goes after a block.
enum Exit {
    /// Out of the region, with these values.
    Leave(Vec<Value>),
    /// To a block of the region, with these arguments.
    Branch(usize, Vec<Value>),
}

impl<'p> Machine<'p> {
    pub(crate) fn new(program: &'p Program, limits: &Limits) -> Self {
        Machine {
            program,
            limits: limits.clone(),
            steps: 0,
            depth: 0,
            globals: BTreeMap::new(),
            iterations: vec![],
            thread: None,
        }
    }

    /// A kernel of the program.
    pub(crate) fn kernel(&self, name: &str) -> Option<&'p Arc<Function>> {
        self.program.kernels.get(name)
    }

    /// The limits, less what was used so far.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            steps: self
                .limits
                .steps
                .map(|steps| steps.saturating_sub(self.steps)),
            ..self.limits.clone()
        }
    }

    /// A function of the program.
    pub(crate) fn function(&self, name: &str) -> Option<&'p Function> {
        self.program.functions.get(name)
    }

    /// The memory of a global of the program.
    pub(crate) fn global(&mut self, name: &str) -> Option<Memory> {
        if !self.globals.contains_key(name) {
            let initial = self.program.globals.get(name)?;
            self.globals
                .insert(name.to_owned(), Memory::holding(initial));
        }
        self.globals.get(name).cloned()
    }

    /// Calls a function that has a body.
    pub(crate) fn call(
        &mut self,
        function: &'p Function,
        body: &'p Region,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>, Failure> {
        let mut frame = vec![None; function.slots];
        self.region(&function.location, body, arguments, &mut frame)
    }

    /// Executes a region and gives the operands of the op that ends it.
    pub(crate) fn region(
        &mut self,
        location: &str,
        region: &'p Region,
        arguments: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<Vec<Value>, Failure> {
        if self.depth >= self.limits.depth.min(Limits::MOST_DEPTH) {
            return Err(Failure::Limit {
                location: location.to_owned(),
                what: format!(
                    "more than {} calls and regions in each other, where the interpreter ends; compiled \
                     programs go deeper",
                    self.depth
                ),
            });
        }
        self.depth += 1;
        let outcome = self.blocks(location, region, arguments, frame);
        self.depth -= 1;
        outcome
    }

    fn blocks(
        &mut self,
        location: &str,
        region: &'p Region,
        mut arguments: Vec<Value>,
        frame: &mut Frame,
    ) -> Result<Vec<Value>, Failure> {
        let mut block = 0;
        loop {
            let Some(current) = region.blocks.get(block) else {
                return Err(bug(location, "a region without blocks"));
            };
            bind(location, &current.arguments, arguments, frame)?;
            match self.block(location, current, frame)? {
                Exit::Leave(values) => return Ok(values),
                Exit::Branch(next, values) => (block, arguments) = (next, values),
            }
        }
    }

    fn block(
        &mut self,
        location: &str,
        block: &'p Block,
        frame: &mut Frame,
    ) -> Result<Exit, Failure> {
        let Some((last, ops)) = block.ops.split_last() else {
            return Err(bug(location, "a block without ops"));
        };
        for op in ops {
            self.execute(op, frame)?;
        }
        self.leave(last, frame)
    }

    /// Executes an op and gives its results their values.
    pub(crate) fn execute(&mut self, op: &'p Op, frame: &mut Frame) -> Result<(), Failure> {
        let values = self.evaluate(op, frame)?;
        define(op, values, frame)
    }

    /// Executes the op that ends a block.
    fn leave(&mut self, op: &'p Op, frame: &mut Frame) -> Result<Exit, Failure> {
        self.spend(&op.location, 1)?;
        let mut call = Call::new(self, frame, op);
        match op.name.as_str() {
            "func.return"
            | "gpu.return"
            | "memref.atomic_yield"
            | "soac.yield"
            | "nest.yield"
            | "scf.yield"
            | "scf.condition"
            | "scf.reduce"
            | "scf.reduce.return"
            | "scf.forall.in_parallel"
            | "tensor.yield"
            | "affine.yield"
            | "linalg.yield" => call.take_all(0..op.operands.len()).map(Exit::Leave),
            "ub.unreachable" => Err(call.undefined("is reached")),
            _ => control::branch(&call).map(|(block, values)| Exit::Branch(block, values)),
        }
    }

    fn evaluate(&mut self, op: &'p Op, frame: &mut Frame) -> Result<Vec<Value>, Failure> {
        self.spend(&op.location, 1)?;
        let mut call = Call::new(self, frame, op);
        let dialect = op.name.split('.').next().unwrap_or_default();
        match (dialect, op.name.as_str()) {
            (_, "arith.constant" | "index.constant" | "index.bool.constant" | "ub.poison") => {
                arith::constant(&mut call)
            }
            ("arith" | "math" | "index", _) => elementwise::evaluate(&mut call),
            ("soac", _) => soac::evaluate(&mut call),
            ("nest", _) => nest::evaluate(&mut call),
            ("tensor", _) | (_, "bufferization.alloc_tensor" | "memref.dim" | "memref.rank") => {
                tensor::evaluate(&mut call)
            }
            ("memref" | "bufferization", _) => memref::evaluate(&mut call),
            ("scf", _) => structured::evaluate(&mut call),
            ("func", _) => function::evaluate(&mut call),
            ("affine", _) => affine::evaluate(&mut call),
            ("linalg", _) => linalg::evaluate(&mut call),
            ("gpu", _) => gpu::evaluate(&mut call),
            ("cf", "cf.assert") => control::assert(&call),
            _ => Err(call.unknown_op()),
        }
    }

    /// Counts steps.
    pub(crate) fn spend(&mut self, location: &str, steps: u64) -> Result<(), Failure> {
        self.steps = self.steps.saturating_add(steps);
        match self.limits.steps {
            Some(limit) if self.steps > limit => Err(Failure::Limit {
                location: location.to_owned(),
                what: format!("more than {limit} steps"),
            }),
            _ => Ok(()),
        }
    }

    /// Counts the elements of an array that is to be made.
    pub(crate) fn allocate(&mut self, location: &str, shape: &[usize]) -> Result<usize, Failure> {
        let count = shape::count(shape);
        if count > self.limits.elements.into() {
            return Err(Failure::Limit {
                location: location.to_owned(),
                what: format!(
                    "an array of shape {shape:?} is larger than {} elements",
                    self.limits.elements
                ),
            });
        }
        self.spend(location, count as u64)?;
        Ok(count as usize)
    }
}

fn bug(location: &str, message: &str) -> Failure {
    Failure::Bug {
        location: location.to_owned(),
        message: message.to_owned(),
    }
}

/// Gives arguments their values.
fn bind(
    location: &str,
    slots: &[Slot],
    values: Vec<Value>,
    frame: &mut Frame,
) -> Result<(), Failure> {
    if slots.len() != values.len() {
        return Err(bug(location, "a wrong number of arguments"));
    }
    for (slot, value) in slots.iter().zip(values) {
        if !value.has_type(&slot.ty) {
            let message = format!("an argument of type {} is {}", slot.ty, value.ty());
            return Err(bug(location, &message));
        }
        frame[slot.number] = Some(value);
    }
    Ok(())
}

/// Gives results their values. That one has another shape than its type says
/// is the program's fault.
fn define(op: &Op, values: Vec<Value>, frame: &mut Frame) -> Result<(), Failure> {
    if op.results.len() != values.len() {
        let message = format!("'{}' op gives a wrong number of results", op.name);
        return Err(bug(&op.location, &message));
    }
    for (position, (slot, value)) in op.results.iter().zip(values).enumerate() {
        if !value.has_type(&slot.ty) {
            let same_kind = slot.ty.element() == Some(value.element())
                && slot.ty.sizes().len() == value.shape().len();
            if same_kind {
                let whose = format!(" of result {position}");
                has_claimed_sizes(op, &slot.ty, value.shape(), &whose)?;
            }
            let message = format!(
                "'{}' op gives {} instead of {}",
                op.name,
                value.ty(),
                slot.ty
            );
            return Err(bug(&op.location, &message));
        }
        frame[slot.number] = Some(value);
    }
    Ok(())
}
