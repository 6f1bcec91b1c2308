//! Goes through the loops of a cluster.
//!
//! A loop that several combinators share is that of a cluster. The others are a
//! combinator's own. Either way, what a combinator carries from iteration to
//! iteration begins and ends with one of its loops: the accumulators of a fold
//! with its first reducing loop, those of a scan with its innermost one, the
//! number of elements that a filter has kept and the arrays that a scatter
//! updates with the outermost.

use super::cells::Cells;
use super::form::Kind;
use super::nest::{Member, Nest};
use super::plan::Plan;
use super::source::Origin;
use crate::call::{Call, has_claimed_sizes};
use crate::failure::Failure;
use crate::machine::{Frame, Machine};
use crate::value::{Scalar, Value};

/// A cluster that is running.
pub(super) struct Run<'r, 'm, 'p> {
    pub(super) machine: &'m mut Machine<'p>,
    pub(super) frame: &'m mut Frame,
    pub(super) plan: &'r Plan<'p>,
    /// The elements of each computed array.
    pub(super) cells: Vec<Cells>,
    /// What each leaf carries.
    pub(super) carried: Vec<Carried>,
    /// Where the loops are that run, the outermost first.
    pub(super) iteration: Vec<usize>,
    /// What each leaf that is a gather reads.
    pub(super) reads: Vec<Reads>,
}

/// What a gather reads.
pub(super) enum Reads {
    /// Nothing so far.
    Nothing,
    /// It is being found out.
    Pending,
    /// At an iteration, this index.
    At(Vec<usize>, Vec<usize>),
}

/// What a combinator carries from iteration to iteration.
#[derive(Default)]
pub(super) enum Carried {
    #[default]
    Nothing,
    Accumulators(Vec<Value>),
    Kept(Kept),
    Updated(Updated),
}

/// What a filter has done.
#[derive(Default)]
pub(super) struct Kept {
    /// How many elements it has kept.
    pub(super) count: usize,
    /// The last iteration at which it ran, and whether it kept the element.
    pub(super) decision: Option<(usize, bool)>,
}

/// The destinations of a scatter, as they are updated.
pub(super) struct Updated {
    pub(super) bits: Vec<Vec<u64>>,
    /// The latest source for each destination, by its row-major position.
    pub(super) latest: Vec<Option<usize>>,
}

/// Runs a cluster and gives its results.
pub(super) fn run<'p>(call: &mut Call<'_, 'p>, plan: &Plan<'p>) -> Result<Vec<Value>, Failure> {
    let mut run = Run {
        machine: call.machine,
        frame: call.frame,
        plan,
        cells: vec![],
        carried: plan.leaves.iter().map(|_| Carried::Nothing).collect(),
        iteration: vec![],
        reads: plan.leaves.iter().map(|_| Reads::Nothing).collect(),
    };
    run.allocate()?;
    run.nest(&plan.root)?;
    run.check_filtered()?;
    run.late()?;
    plan.root
        .yielded
        .iter()
        .map(|source| match &source.origin {
            Origin::Given(array) => Ok(Value::Array(array.clone())),
            Origin::Computed(array) => run.complete(*array),
        })
        .collect()
}

impl<'p> Run<'_, '_, 'p> {
    /// A leaf being executed.
    pub(super) fn call(&mut self, leaf: usize) -> Call<'_, 'p> {
        Call::new(self.machine, self.frame, self.plan.leaves[leaf].op)
    }

    // Loops

    fn nest(&mut self, nest: &Nest<'p>) -> Result<(), Failure> {
        let depth = nest.level - 1;
        for leaf in nest.leaves.clone() {
            self.begin(leaf, depth)?;
        }
        for iteration in 0..self.plan.length(nest) {
            self.machine.spend(&nest.op.location, 1)?;
            self.iteration.push(iteration);
            for member in &nest.members {
                match member {
                    Member::Leaf(leaf) => self.own_loops(*leaf)?,
                    Member::Nest(inner) => self.nest(inner)?,
                }
            }
            self.iteration.pop();
        }
        for leaf in nest.leaves.clone() {
            self.end(leaf, depth)?;
        }
        Ok(())
    }

    /// The loops of a leaf inside of those that are running.
    fn own_loops(&mut self, leaf: usize) -> Result<(), Failure> {
        let depth = self.iteration.len();
        let Some(&length) = self.plan.loops[leaf].lengths.get(depth) else {
            return if self.is_active(leaf)? {
                self.step(leaf)
            } else {
                Ok(())
            };
        };
        self.begin(leaf, depth)?;
        for iteration in 0..length {
            self.iteration.push(iteration);
            self.own_loops(leaf)?;
            self.iteration.pop();
        }
        self.end(leaf, depth)
    }

    /// Whether a leaf runs at this iteration of the outermost loop: whether the
    /// filter that decides has kept an element.
    pub(super) fn is_active(&self, leaf: usize) -> Result<bool, Failure> {
        let Some(filter) = self.plan.clock(leaf) else {
            return Ok(true);
        };
        if !self.is_active(filter)? {
            return Ok(false);
        }
        match &self.carried[filter] {
            Carried::Kept(Kept {
                decision: Some((iteration, keeps)),
                ..
            }) if Some(iteration) == self.iteration.first() => Ok(*keeps),
            _ => {
                let filter = self.plan.leaves[filter].op;
                Err(self.plan.leaves[leaf].error(&format!(
                    "runs before the '{}' op at {}, which decides whether it does",
                    filter.name, filter.location
                )))
            }
        }
    }

    /// The number of elements that a filter has kept before the one that it has
    /// kept at this iteration.
    pub(super) fn latest(&self, filter: usize) -> usize {
        self.kept(filter).saturating_sub(1)
    }

    fn kept(&self, filter: usize) -> usize {
        match &self.carried[filter] {
            Carried::Kept(kept) => kept.count,
            _ => 0,
        }
    }

    // What is carried

    /// Begins what a leaf carries through its loop at a depth.
    fn begin(&mut self, leaf: usize, depth: usize) -> Result<(), Failure> {
        if depth > 0 && !self.is_active(leaf)? {
            return Ok(());
        }
        let outer = self.plan.loops[leaf].outer;
        let carried = match self.plan.leaves[leaf].form.kind {
            Kind::Fold if depth == outer => Carried::Accumulators(self.neutrals(leaf)?),
            Kind::ScanLeft | Kind::ScanRight if depth + 1 == outer => {
                Carried::Accumulators(self.neutrals(leaf)?)
            }
            Kind::Filter if depth == 0 => Carried::Kept(Kept::default()),
            Kind::Scatter { .. } if depth == 0 => Carried::Updated(self.destinations(leaf)?),
            _ => return Ok(()),
        };
        self.carried[leaf] = carried;
        Ok(())
    }

    fn neutrals(&mut self, leaf: usize) -> Result<Vec<Value>, Failure> {
        let call = self.call(leaf);
        call.values(call.group(1))
    }

    fn destinations(&mut self, leaf: usize) -> Result<Updated, Failure> {
        let call = self.call(leaf);
        let dests = call.group(1);
        let mut bits = vec![];
        for dest in dests {
            match self.plan.leaves[leaf].operands[dest]
                .as_ref()
                .map(|source| &source.origin)
            {
                Some(Origin::Given(array)) => bits.push(array.bits().to_vec()),
                _ => return Err(self.plan.leaves[leaf].bug("has no complete destination")),
            }
        }
        let count = bits.first().map_or(0, Vec::len);
        Ok(Updated {
            bits,
            latest: vec![None; count],
        })
    }

    /// Ends what a leaf carries through its loop at a depth.
    fn end(&mut self, leaf: usize, depth: usize) -> Result<(), Failure> {
        if depth > 0 && !self.is_active(leaf)? {
            return Ok(());
        }
        let plan = self.plan;
        let form = &plan.leaves[leaf].form;
        match (&form.kind, &self.carried[leaf]) {
            (Kind::Fold, Carried::Accumulators(results)) if depth == plan.loops[leaf].outer => {
                let results = results.clone();
                let index = self.index(leaf, form.ordered.len())?;
                self.store(leaf, &index, &results)
            }
            (Kind::Scatter { .. }, Carried::Updated(_)) if depth == 0 => self.store_updated(leaf),
            _ => Ok(()),
        }
    }

    fn store_updated(&mut self, leaf: usize) -> Result<(), Failure> {
        let Carried::Updated(updated) = std::mem::take(&mut self.carried[leaf]) else {
            return Ok(());
        };
        let first = self.plan.leaves[leaf].first_result;
        for (result, bits) in updated.bits.iter().enumerate() {
            self.cells[first + result].set(&[], 0, bits);
        }
        Ok(())
    }

    // Arrays

    fn allocate(&mut self) -> Result<(), Failure> {
        let plan = self.plan;
        for array in &plan.arrays {
            let (leaf, loops) = (&plan.leaves[array.leaf], &plan.loops[array.leaf]);
            // A scatter computes its results at once, when its loop is over.
            let dimensions = match leaf.form.kind {
                Kind::Scatter { .. } => 0,
                _ => leaf.form.ordered.len(),
            };
            let (indices, inner) = array.shape.split_at(dimensions);
            let outer = if loops.has_label() {
                &loops.lengths[..loops.outer]
            } else {
                indices
            };
            self.call(array.leaf).begin(&[outer, inner].concat())?;
            let cells = Cells::new(outer, inner, loops.has_label());
            self.cells.push(cells);
        }
        Ok(())
    }

    /// Writes what a leaf computes at an index.
    pub(super) fn store(
        &mut self,
        leaf: usize,
        index: &[usize],
        results: &[Value],
    ) -> Result<(), Failure> {
        let plan = self.plan;
        let (first, loops) = (plan.leaves[leaf].first_result, &plan.loops[leaf]);
        for (cells, value) in self.cells[first..].iter_mut().zip(results) {
            let is_new = if loops.has_label() {
                let shape = &plan.leaves[leaf].form.ordered;
                let position = crate::shape::ravel(index, shape);
                cells.set(&self.iteration[..loops.outer], position, &value.bits())
            } else {
                cells.set(index, 0, &value.bits())
            };
            if !is_new {
                return Err(plan.leaves[leaf].bug(&format!("computes element {index:?} twice")));
            }
        }
        Ok(())
    }

    // The end

    /// That what was read together with the results of filters is as large.
    fn check_filtered(&mut self) -> Result<(), Failure> {
        for leaf in &self.plan.leaves {
            let Some(filter) = leaf.form.clock else {
                continue;
            };
            let kept = self.kept(filter);
            for &operand in &leaf.form.as_large_as_clock {
                let Some(Origin::Given(array)) =
                    leaf.operands[operand].as_ref().map(|source| &source.origin)
                else {
                    continue;
                };
                let size = array.shape()[0];
                if size != kept {
                    return Err(leaf.error(&format!(
                        "reads operand {operand}, which has {size} elements, with the results of \
                         a filter that keeps {kept}"
                    )));
                }
            }
        }
        for claim in &self.plan.late_claims {
            let ty = &claim.op.results[claim.result].ty;
            let whose = format!(" of result {}", claim.result);
            has_claimed_sizes(claim.op, ty, &self.shape(claim.array), &whose)?;
        }
        Ok(())
    }

    /// Executes what depends on how many elements filters have kept.
    fn late(&mut self) -> Result<(), Failure> {
        let plan = self.plan;
        for op in &plan.late {
            let source = op
                .operands
                .first()
                .and_then(|slot| plan.sources.get(&slot.number));
            match source.and_then(|source| source.as_computed()) {
                Some(array) if op.name == "tensor.dim" => {
                    self.machine.spend(&op.location, 1)?;
                    let shape = self.shape(array);
                    let call = Call::new(self.machine, self.frame, op);
                    let dimension = crate::tensor::dimension(&call, shape.len())?;
                    let size = Scalar::index(shape[dimension] as i64);
                    self.frame[op.results[0].number] = Some(Value::Scalar(size));
                }
                _ => self.machine.execute(op, self.frame)?,
            }
        }
        Ok(())
    }

    /// The shape of an array, once filters have decided.
    fn shape(&self, number: usize) -> Vec<usize> {
        let array = &self.plan.arrays[number];
        let mut shape = array.shape.clone();
        if let Some(filter) = array.clock {
            shape[0] = self.kept(filter);
        }
        shape
    }

    /// An array all of whose elements are computed.
    fn complete(&mut self, number: usize) -> Result<Value, Failure> {
        let array = &self.plan.arrays[number];
        let kept = array.clock.map(|filter| self.kept(filter));
        let shape = self.shape(number);
        let bits = self.cells[number].all(kept).ok_or_else(|| {
            self.plan.leaves[array.leaf].bug("has not computed all elements of a result")
        })?;
        self.call(array.leaf).finish(array.element, &shape, bits)
    }
}
