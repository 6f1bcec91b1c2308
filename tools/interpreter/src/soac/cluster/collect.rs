//! Goes over the bodies of a cluster and of those inside it, op by op:
//!
//! * What does not depend on elements that are computed in the cluster is
//!   executed: constants, sizes, checks. What depends on how many elements a
//!   filter keeps is put off until the loop is over.
//! * Combinators become leaves of the tree of loops, with their forms.
//! * Arguments and results of clusters, and casts, are other names of arrays.
//!
//! Lambdas may use only arrays that are complete.

use std::collections::{BTreeMap, BTreeSet};

use super::form::{Extent, Form};
use super::has_orders;
use super::nest::{ComputedArray, Leaf, Member, Nest};
use super::source::{Input, Origin, Source};
use crate::call::{Call, has_claimed_sizes};
use crate::failure::Failure;
use crate::machine::{Frame, Machine};
use crate::program::{Op, Slot};
use crate::tensor;
use crate::value::{Scalar, Value};

/// What is known of a cluster so far.
pub(super) struct Collector<'c, 'p> {
    machine: &'c mut Machine<'p>,
    frame: &'c mut Frame,
    /// What the arrays are that have names in the bodies, by slot.
    pub(super) sources: BTreeMap<usize, Source>,
    pub(super) leaves: Vec<Leaf<'p>>,
    pub(super) arrays: Vec<ComputedArray>,
    /// The gathers, by their labels.
    pub(super) labels: BTreeMap<i64, usize>,
    /// Ops to be executed when the loop is over.
    pub(super) late: Vec<&'p Op>,
    /// What these will give, by slot.
    late_values: BTreeSet<usize>,
    /// Results whose sizes are known when the loop is over.
    pub(super) late_claims: Vec<Claim<'p>>,
    path: Vec<usize>,
    clusters: usize,
}

/// A type that an array must fit, which is that of a result.
pub(super) struct Claim<'p> {
    pub(super) op: &'p Op,
    pub(super) result: usize,
    pub(super) array: usize,
}

impl<'c, 'p> Collector<'c, 'p> {
    pub(super) fn new(machine: &'c mut Machine<'p>, frame: &'c mut Frame) -> Self {
        Collector {
            machine,
            frame,
            sources: BTreeMap::new(),
            leaves: vec![],
            arrays: vec![],
            labels: BTreeMap::new(),
            late: vec![],
            late_values: BTreeSet::new(),
            late_claims: vec![],
            path: vec![],
            clusters: 0,
        }
    }

    /// A cluster with orders.
    pub(super) fn nest(&mut self, op: &'p Op) -> Result<Nest<'p>, Failure> {
        self.path.push(self.clusters);
        self.clusters += 1;
        let level = self.path.len();
        let first = self.leaves.len();
        let mut members = vec![];
        let yielded = self.body(op, Some(level), &mut members)?;
        self.path.pop();
        Ok(Nest {
            op,
            level,
            members,
            leaves: first..self.leaves.len(),
            yielded,
        })
    }

    /// The body of a cluster at a level, or of one without orders; gives what
    /// it yields, which the results of the op are from now on.
    fn body(
        &mut self,
        op: &'p Op,
        level: Option<usize>,
        members: &mut Vec<Member<'p>>,
    ) -> Result<Vec<Source>, Failure> {
        let call = Call::new(self.machine, self.frame, op);
        let block = op.regions.first().and_then(|region| region.blocks.first());
        let (last, ops, arguments) = block
            .and_then(|block| {
                let (last, ops) = block.ops.split_last()?;
                Some((last, ops, &block.arguments))
            })
            .ok_or_else(|| call.bug("has no body"))?;
        for (position, (argument, operand)) in arguments.iter().zip(&op.operands).enumerate() {
            let mut source = self.source(op, operand)?;
            if let (Some(level), true) = (level, op.flag("input_orders")) {
                let order = op.integers("input_orders").get(position).copied();
                source.inputs.push(Input {
                    cluster: place(op),
                    position,
                    level,
                    order: order.filter(|order| *order >= 0),
                });
            }
            self.name(argument, source);
        }
        for op in ops {
            self.member(op, members)?;
        }
        let yielded = last
            .operands
            .iter()
            .map(|slot| {
                let mut source = self.source(last, slot)?;
                let outside = |input: &Input| level.is_none_or(|level| input.level < level);
                source.inputs.retain(outside);
                Ok(source)
            })
            .collect::<Result<Vec<_>, _>>()?;
        for (result, source) in yielded.iter().enumerate() {
            self.name_result(op, result, source.clone())?;
        }
        Ok(yielded)
    }

    fn member(&mut self, op: &'p Op, members: &mut Vec<Member<'p>>) -> Result<(), Failure> {
        match op.name.as_str() {
            "soac.cluster" if has_orders(op) => members.push(Member::Nest(self.nest(op)?)),
            "soac.cluster" => {
                self.body(op, None, members)?;
            }
            "tensor.cast" if self.sources.contains_key(&op.operands[0].number) => {
                let source = self.source(op, &op.operands[0])?;
                self.name_result(op, 0, source)?;
            }
            "tensor.dim" if self.sources.contains_key(&op.operands[0].number) => self.size(op)?,
            name if name.starts_with("soac.") && name != "soac.check" => {
                members.push(Member::Leaf(self.leaves.len()));
                self.leaf(op)?;
            }
            _ => self.other(op)?,
        }
        Ok(())
    }

    // Names of arrays

    fn source(&mut self, op: &'p Op, slot: &Slot) -> Result<Source, Failure> {
        if let Some(source) = self.sources.get(&slot.number) {
            return Ok(source.clone());
        }
        match &self.frame[slot.number] {
            Some(Value::Array(array)) if !self.late_values.contains(&slot.number) => {
                Ok(Source::given(array.clone()))
            }
            _ => Err(Call::new(self.machine, self.frame, op).bug("uses what is no array")),
        }
    }

    fn name(&mut self, slot: &Slot, source: Source) {
        if let Origin::Given(array) = &source.origin {
            self.frame[slot.number] = Some(Value::Array(array.clone()));
        }
        self.sources.insert(slot.number, source);
    }

    /// Makes an array the result of an op, whose type it must fit.
    fn name_result(&mut self, op: &'p Op, result: usize, source: Source) -> Result<(), Failure> {
        let slot = &op.results[result];
        let extent = self.extent(&source);
        match source.as_computed() {
            Some(array) if extent.clock.is_some() => {
                self.late_claims.push(Claim { op, result, array });
            }
            _ => {
                let whose = format!(" of result {result}");
                has_claimed_sizes(op, &slot.ty, &extent.shape, &whose)?;
            }
        }
        self.name(slot, source);
        Ok(())
    }

    fn extent(&self, source: &Source) -> Extent {
        match &source.origin {
            Origin::Given(array) => Extent {
                shape: array.shape().to_vec(),
                clock: None,
            },
            Origin::Computed(number) => Extent {
                shape: self.arrays[*number].shape.clone(),
                clock: self.arrays[*number].clock,
            },
        }
    }

    // Ops that are no combinators

    /// The size of an array that may not be complete.
    fn size(&mut self, op: &'p Op) -> Result<(), Failure> {
        let source = self.source(op, &op.operands[0])?;
        let extent = self.extent(&source);
        if self.late_values.contains(&op.operands[1].number) {
            return self.put_off(op);
        }
        let call = Call::new(self.machine, self.frame, op);
        let dimension = tensor::dimension(&call, extent.shape.len())?;
        if dimension == 0 && extent.clock.is_some() {
            return self.put_off(op);
        }
        self.machine.spend(&op.location, 1)?;
        let size = Scalar::index(extent.shape[dimension] as i64);
        self.frame[op.results[0].number] = Some(Value::Scalar(size));
        Ok(())
    }

    fn other(&mut self, op: &'p Op) -> Result<(), Failure> {
        let mut uses = op.operands.iter().map(|slot| (slot, op)).collect();
        captures(op, &mut uses);
        self.check_complete(op, &uses)?;
        if uses
            .iter()
            .any(|(slot, _)| self.late_values.contains(&slot.number))
        {
            return self.put_off(op);
        }
        self.machine.execute(op, self.frame)
    }

    fn put_off(&mut self, op: &'p Op) -> Result<(), Failure> {
        self.late.push(op);
        let results = op.results.iter().map(|slot| slot.number);
        self.late_values.extend(results);
        Ok(())
    }

    /// That what an op uses at any position is complete, and that the clusters
    /// around say so.
    fn check_complete(&mut self, op: &'p Op, uses: &[(&'p Slot, &'p Op)]) -> Result<(), Failure> {
        for (slot, user) in uses {
            let Some(source) = self.sources.get(&slot.number) else {
                continue;
            };
            let what = if std::ptr::eq(*user, op) {
                "uses "
            } else if op.name.starts_with("soac.") {
                "has a lambda that uses "
            } else {
                "has a region that uses "
            };
            let error = match (source.as_computed(), source.ordered_input()) {
                (Some(array), _) => format!(
                    "{what}{}, which is computed in the same cluster",
                    described(&self.leaves, &self.arrays[array])
                ),
                (None, Some(input)) if user.name != "tensor.dim" => format!(
                    "{what}input {} of {}, which that reads in an order",
                    input.position, input.cluster
                ),
                _ => continue,
            };
            return Err(Call::new(self.machine, self.frame, op).error(&error));
        }
        Ok(())
    }

    // Combinators

    fn leaf(&mut self, op: &'p Op) -> Result<(), Failure> {
        let mut uses = vec![];
        captures(op, &mut uses);
        self.check_complete(op, &uses)?;
        let scalars = op.operands.iter().map(|slot| (slot, op));
        if uses
            .into_iter()
            .chain(scalars)
            .any(|(slot, _)| self.late_values.contains(&slot.number))
        {
            let call = Call::new(self.machine, self.frame, op);
            return Err(call.error(
                "needs to know how many elements a filter in the same cluster keeps before the \
                 loop is over",
            ));
        }
        let operands = op
            .operands
            .iter()
            .map(|slot| match slot.ty {
                crate::element::Type::Array { .. } => self.source(op, slot).map(Some),
                _ => Ok(None),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let extents: Vec<_> = operands
            .iter()
            .map(|source| source.as_ref().map(|source| self.extent(source)))
            .collect();
        let number = self.leaves.len();
        let call = Call::new(self.machine, self.frame, op);
        let form = Form::of(&call, &operands, &extents, number)?;
        if let Some(label) = op.integer("label")
            && self.labels.insert(label, number).is_some()
        {
            return Err(call.error(&format!(
                "has the label {label}, as another op of the cluster"
            )));
        }
        let leaf = Leaf {
            op,
            path: self.path.clone(),
            operands,
            first_result: self.arrays.len(),
            form,
        };
        self.leaves.push(leaf);
        self.results(number)
    }

    fn results(&mut self, number: usize) -> Result<(), Failure> {
        let op = self.leaves[number].op;
        for (result, slot) in op.results.iter().enumerate() {
            let form = &self.leaves[number].form;
            let array = ComputedArray {
                element: slot
                    .ty
                    .element()
                    .ok_or_else(|| Call::new(self.machine, self.frame, op).bug("gives no array"))?,
                leaf: number,
                result,
                shape: form.shapes[result].clone(),
                clock: form.result_clock,
            };
            let source = Source::computed(self.arrays.len());
            self.arrays.push(array);
            self.name_result(op, result, source)?;
        }
        Ok(())
    }
}

/// What the ops inside an op use, and which op does.
fn captures<'p>(op: &'p Op, uses: &mut Vec<(&'p Slot, &'p Op)>) {
    let blocks = op.regions.iter().flat_map(|region| &region.blocks);
    for inner in blocks.flat_map(|block| &block.ops) {
        uses.extend(inner.operands.iter().map(|slot| (slot, inner)));
        captures(inner, uses);
    }
}

/// An op, as messages about others call it.
fn place(op: &Op) -> String {
    format!("the '{}' op at {}", op.name, op.location)
}

/// An array, as messages call it.
pub(super) fn described(leaves: &[Leaf], array: &ComputedArray) -> String {
    let op = leaves[array.leaf].op;
    format!("result {} of {}", array.result, place(op))
}
