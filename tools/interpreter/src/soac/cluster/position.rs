//! Where a combinator is at an iteration of its loops, and what a gather reads
//! there.

use super::form::{Kind, Reading};
use super::loops::Component;
use super::run::{Reads, Run};
use crate::failure::Failure;
use crate::soac::combinators::index_values;
use crate::value::{Scalar, Value};

impl Run<'_, '_, '_> {
    /// The outer components of a leaf's index at the current iteration.
    pub(super) fn index(&mut self, leaf: usize, rank: usize) -> Result<Vec<usize>, Failure> {
        let plan = self.plan;
        let components = &plan.loops[leaf].components[..rank];
        let mut read: Option<(i64, Vec<usize>)> = None;
        let mut index = vec![];
        for (dimension, component) in components.iter().enumerate() {
            index.push(match *component {
                Component::Loop { .. } => self.component(leaf, dimension),
                Component::Label(label) => {
                    let source = match read.take() {
                        Some((known, source)) if known == label => source,
                        _ => self.read_by_label(leaf, label)?,
                    };
                    let component = source[dimension];
                    let size = plan.leaves[leaf].form.ordered[dimension];
                    if component >= size {
                        return Err(plan.leaves[leaf].error(&format!(
                            "has size {size} in dimension {dimension}, but in its order, that of \
                             label {label}, index {component} comes"
                        )));
                    }
                    read = Some((label, source));
                    component
                }
            });
        }
        Ok(index)
    }

    /// A component of a leaf's index for a dimension that has a loop of its
    /// own. Where a filter decides how large that is, it is the number of the
    /// elements kept before.
    pub(super) fn component(&self, leaf: usize, dimension: usize) -> usize {
        let (form, loops) = (&self.plan.leaves[leaf].form, &self.plan.loops[leaf]);
        match loops.components[dimension] {
            Component::Loop {
                position,
                backwards,
            } => match form.clock {
                Some(filter) if dimension == 0 => self.latest(filter),
                _ if backwards => loops.lengths[position] - 1 - self.iteration[position],
                _ => self.iteration[position],
            },
            Component::Label(_) => 0,
        }
    }

    /// What the gather with a label reads at the current iteration of a leaf
    /// that is in its order.
    pub(super) fn read_by_label(&mut self, leaf: usize, label: i64) -> Result<Vec<usize>, Failure> {
        let plan = self.plan;
        let gather = plan.labels[&label];
        let theirs = &plan.loops[gather].lengths;
        let is_at_iteration = self.iteration.len() >= theirs.len()
            && self
                .iteration
                .iter()
                .zip(theirs)
                .all(|(at, length)| at < length)
            && self.is_active(gather)?;
        if !is_at_iteration {
            return Err(plan.leaves[leaf].error(&format!(
                "is not in the order of label {label}: it has other loops"
            )));
        }
        self.read_index(gather)
    }

    /// The index that a gather reads at the current iteration. It is found once
    /// for all that ask: gathers whose indices are in the orders of others would
    /// ask ever more often.
    pub(super) fn read_index(&mut self, gather: usize) -> Result<Vec<usize>, Failure> {
        let plan = self.plan;
        let loops = plan.loops[gather].lengths.len();
        match &self.reads[gather] {
            Reads::Nothing => {}
            Reads::Pending => {
                return Err(plan.leaves[gather].error(
                    "has index arrays that are read in an order that depends on themselves",
                ));
            }
            Reads::At(iteration, index) if *iteration == self.iteration[..loops] => {
                return Ok(index.clone());
            }
            Reads::At(..) => {}
        }
        self.reads[gather] = Reads::Pending;
        let index = self.find_read_index(gather)?;
        self.reads[gather] = Reads::At(self.iteration[..loops].to_vec(), index.clone());
        Ok(index)
    }

    fn find_read_index(&mut self, gather: usize) -> Result<Vec<usize>, Failure> {
        let plan = self.plan;
        let leaf = &plan.leaves[gather];
        let index = self.index(gather, leaf.form.ordered.len())?;
        let source = &leaf.form.source;
        match &leaf.form.kind {
            Kind::Gather(Reading::Indices) => {
                let operands = self.call(gather).group(1);
                let (outer, inner) = index.split_at(index.len() + operands.len() - source.len());
                let components = operands
                    .map(|operand| self.element(gather, operand, outer))
                    .collect::<Result<Vec<_>, _>>()?;
                let target = self.in_source(gather, &components)?;
                Ok([target.as_slice(), inner].concat())
            }
            Kind::Gather(Reading::Lambda) => {
                let yielded = self.call(gather).run(0, index_values(&index))?;
                let components = yielded
                    .iter()
                    .map(|component| match component {
                        Value::Scalar(component) => Ok(*component),
                        _ => Err(leaf.bug("has a lambda that yields no index")),
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                self.in_source(gather, &components)
            }
            Kind::Gather(Reading::Arranged(arrangement)) => Ok(arrangement.source(&index)),
            Kind::Cross { left_rank } => Ok(index[*left_rank..].to_vec()),
            _ => Err(leaf.bug("has a label, but is no gather")),
        }
    }

    /// Components of an index, if they are inside of what a gather reads.
    fn in_source(&mut self, gather: usize, components: &[Scalar]) -> Result<Vec<usize>, Failure> {
        let components: Vec<i64> = components
            .iter()
            .map(|component| component.signed() as i64)
            .collect();
        let source = &self.plan.leaves[gather].form.source;
        self.call(gather).all_in_range(&components, source)
    }
}
