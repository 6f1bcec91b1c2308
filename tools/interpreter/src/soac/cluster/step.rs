//! What each combinator does at an iteration: it reads the elements that belong
//! to the iteration, and computes one, as the combinators that run alone do.

use super::form::Kind;
use super::run::{Carried, Run};
use crate::call::Call;
use crate::failure::Failure;
use crate::shape;
use crate::soac::combinators::{check_inner_shape, index_values};
use crate::value::{Scalar, Value};

impl Run<'_, '_, '_> {
    /// One iteration of the innermost loop of a leaf.
    pub(super) fn step(&mut self, leaf: usize) -> Result<(), Failure> {
        let plan = self.plan;
        let (op, form) = (plan.leaves[leaf].op, &plan.leaves[leaf].form);
        self.machine.spend(&op.location, 1)?;
        if let Kind::Gather(_) = form.kind {
            return self.gather(leaf);
        }
        let index = self.index(leaf, plan.loops[leaf].components.len())?;
        match &form.kind {
            Kind::Generate => {
                let results = self.call(leaf).run(0, index_values(&index))?;
                self.store(leaf, &index, &results)
            }
            Kind::Iota { dim } => {
                let element = plan.arrays[plan.leaves[leaf].first_result].element;
                let value = Scalar::integer(element, index[*dim] as i128);
                self.store(leaf, &index, &[Value::Scalar(value)])
            }
            Kind::Fill => {
                let call = self.call(leaf);
                let values = call.values(call.group(0))?;
                self.store(leaf, &index, &values)
            }
            Kind::Zip => {
                let elements = self.elements(leaf, 0, &index)?;
                self.store(leaf, &index, &elements)
            }
            Kind::Map { inner } => self.map(leaf, &index, inner),
            Kind::Cross { left_rank } => self.cross(leaf, &index, *left_rank),
            Kind::Fold => self.fold(leaf, &index),
            Kind::ScanLeft => self.scan(leaf, &index, false),
            Kind::ScanRight => self.scan(leaf, &index, true),
            Kind::Filter => self.filter(leaf, &index),
            Kind::Scatter { in_any_order } => self.scatter(leaf, &index, *in_any_order),
            Kind::Gather(_) => Ok(()),
        }
    }

    /// The elements of a group of operands at an index.
    fn elements(
        &mut self,
        leaf: usize,
        group: usize,
        index: &[usize],
    ) -> Result<Vec<Value>, Failure> {
        let operands = self.call(leaf).group(group);
        operands
            .map(|operand| self.element(leaf, operand, index).map(Value::Scalar))
            .collect()
    }

    fn map(&mut self, leaf: usize, index: &[usize], inner: &[Vec<usize>]) -> Result<(), Failure> {
        let operands = self.call(leaf).group(0);
        let arguments = operands
            .map(|operand| self.inner(leaf, operand, index))
            .collect::<Result<_, _>>()?;
        let mut call = self.call(leaf);
        let results = call.run(0, arguments)?;
        for (number, (value, stated)) in results.iter().zip(inner).enumerate() {
            check_inner_shape(&call, number, value.shape(), stated)?;
        }
        self.store(leaf, index, &results)
    }

    fn cross(&mut self, leaf: usize, index: &[usize], left_rank: usize) -> Result<(), Failure> {
        let (left, right) = index.split_at(left_rank);
        let mut results = self.elements(leaf, 0, left)?;
        results.extend(self.elements(leaf, 1, right)?);
        self.store(leaf, index, &results)
    }

    fn gather(&mut self, leaf: usize) -> Result<(), Failure> {
        let source = self.read_index(leaf)?;
        let elements = self.elements(leaf, 0, &source)?;
        let index = self.index(leaf, self.plan.leaves[leaf].form.ordered.len())?;
        self.store(leaf, &index, &elements)
    }

    fn accumulators(&mut self, leaf: usize) -> Result<Vec<Value>, Failure> {
        match &self.carried[leaf] {
            Carried::Accumulators(values) => Ok(values.clone()),
            _ => Err(self.plan.leaves[leaf].bug("has no accumulators")),
        }
    }

    fn fold(&mut self, leaf: usize, index: &[usize]) -> Result<(), Failure> {
        let elements = self.elements(leaf, 0, index)?;
        let before = self.accumulators(leaf)?;
        let after = self.call(leaf).run(0, [before, elements].concat())?;
        self.carried[leaf] = Carried::Accumulators(after);
        Ok(())
    }

    fn scan(&mut self, leaf: usize, index: &[usize], from_right: bool) -> Result<(), Failure> {
        let elements = self.elements(leaf, 0, index)?;
        let before = self.accumulators(leaf)?;
        let arguments = if from_right {
            [elements, before.clone()].concat()
        } else {
            [before.clone(), elements].concat()
        };
        let mut call = self.call(leaf);
        let exclusive = call.op.flag("exclusive");
        let after = call.run(0, arguments)?;
        self.store(leaf, index, if exclusive { &before } else { &after })?;
        self.carried[leaf] = Carried::Accumulators(after);
        Ok(())
    }

    fn filter(&mut self, leaf: usize, index: &[usize]) -> Result<(), Failure> {
        let elements = self.elements(leaf, 0, index)?;
        let mut call = self.call(leaf);
        let keeps = match call.run(0, elements.clone())?.as_slice() {
            [Value::Scalar(keep)] => keep.is_true(),
            _ => return Err(call.bug("has a predicate that yields no truth value")),
        };
        let iteration = self.iteration[0];
        let Carried::Kept(kept) = &mut self.carried[leaf] else {
            return Err(self.plan.leaves[leaf].bug("counts nothing"));
        };
        kept.decision = Some((iteration, keeps));
        if !keeps {
            return Ok(());
        }
        kept.count += 1;
        let position = kept.count - 1;
        self.store(leaf, &[position], &elements)
    }

    fn scatter(&mut self, leaf: usize, index: &[usize], in_any_order: bool) -> Result<(), Failure> {
        let plan = self.plan;
        let shape = &plan.leaves[leaf].form.shapes[0];
        let new = self.elements(leaf, 0, index)?;
        let target = self.target(leaf, index, shape)?;
        let source = shape::ravel(index, &plan.leaves[leaf].form.ordered);
        let Carried::Updated(mut updated) = std::mem::take(&mut self.carried[leaf]) else {
            return Err(plan.leaves[leaf].bug("has no destinations"));
        };
        let mut call = self.call(leaf);
        let combines = combines(&call);
        let latest = updated.latest[target].replace(source);
        if !combines && !in_any_order && latest.is_some_and(|latest| latest > source) {
            return Err(call.error(&format!(
                "writes element {:?} twice, and not in the order of its sources",
                shape::unravel(target, shape)
            )));
        }
        let new = if combines {
            let elements = plan.arrays[plan.leaves[leaf].first_result..].iter();
            let old =
                updated.bits.iter().zip(elements).map(|(bits, array)| {
                    Value::Scalar(Scalar::from_bits(array.element, bits[target]))
                });
            call.run(0, old.chain(new).collect())?
        } else {
            new
        };
        for (bits, value) in updated.bits.iter_mut().zip(&new) {
            bits[target] = value.bits()[0];
        }
        self.carried[leaf] = Carried::Updated(updated);
        Ok(())
    }

    /// The row-major position of the destination for a source.
    fn target(&mut self, leaf: usize, index: &[usize], shape: &[usize]) -> Result<usize, Failure> {
        let operands = self.call(leaf).group(2);
        let target = operands
            .map(|operand| Ok(self.element(leaf, operand, index)?.signed() as i64))
            .collect::<Result<Vec<_>, _>>()?;
        let target = self.call(leaf).all_in_range(&target, shape)?;
        Ok(shape::ravel(&target, shape))
    }
}

/// Whether a scatter has a function.
fn combines(call: &Call) -> bool {
    let region = call.op.regions.first();
    region.is_some_and(|region| !region.blocks.is_empty())
}
