//! The index at which a combinator is at the current iteration, and that at which a gather
//! reads, with its check.

use melior::ir::Value;
use soac_dialect::builder::{Builder, Predicate, Values};

use super::{
    loops::{Built, Nests},
    steps::as_indices,
};
use comb_kit::inline_copy::inline_copy;
use comb_prepare::convert_to_linalg::indexing::out_of_range;

use crate::cluster_loops::{
    plan::{Component, Kind, LeafId, Source},
    read::rank,
};

impl<'c: 'a, 'a> Nests<'_, 'c, 'a> {
    /// The first components of a combinator's index at the current iteration.
    pub fn index(
        &mut self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        rank: usize,
    ) -> Built<'c, Values<'c, 'a>> {
        let leaf = &self.plan.leaves[number];
        let mut index = vec![];
        for (dimension, &component) in leaf.components[..rank].iter().enumerate() {
            let kept = leaf.clock.filter(|_| dimension == 0);
            let kept = kept.and_then(|filter| self.now.kept.get(&filter).copied());
            index.push(match component {
                Component::Label(label) => {
                    let gather = self.plan.labels.get(&label).copied();
                    let gather =
                        gather.ok_or_else(|| self.internal(number, "no gather has its label"))?;
                    self.position(builder, gather)?[dimension]
                }
                Component::Loop {
                    position,
                    backwards,
                } => match kept {
                    Some(kept) => kept,
                    None if backwards => self.backwards(builder, number, position)?,
                    None => self.now.index[position],
                },
            });
        }
        Ok(index)
    }

    /// The index of a loop that goes over an array from its end.
    fn backwards(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        position: usize,
    ) -> Built<'c, Value<'c, 'a>> {
        let length = self.plan.leaves[number].lengths[position];
        let length = length.or_else(|| self.plan.length_at(position));
        let length = length.ok_or_else(|| self.internal(number, "its loop has no length"))?;
        let length = builder.size_value(length)?;
        let last = builder.arithmetic("arith.subi", &[length, builder.index(1)?])?;
        Ok(builder.arithmetic("arith.subi", &[last, self.now.index[position]])?)
    }

    /// The index at which a gather reads at the current iteration. It is computed and checked
    /// once for all in its order.
    pub fn position(
        &mut self,
        builder: &Builder<'c, 'a>,
        gather: LeafId,
    ) -> Built<'c, Values<'c, 'a>> {
        if let Some(position) = self.now.positions.get(&gather) {
            return Ok(position.clone());
        }
        let leaf = &self.plan.leaves[gather];
        let builder = &builder.located(leaf.view.location);
        let source = leaf.view.group(0).start;
        let source_rank = rank(leaf.view.operand_type(source));
        let result_rank = rank(leaf.view.result_types[0]);
        let index = self.index(builder, gather, result_rank)?;
        let (position, computed) = match leaf.kind {
            Kind::Backpermute => (inline_copy(builder, leaf.op, &index)?, source_rank),
            _ => {
                let components = leaf.view.group(1).len();
                let outer = result_rank + components - source_rank;
                let indices = self.elements(builder, gather, 1, &index[..outer])?;
                let mut position = as_indices(builder, &indices)?;
                position.extend_from_slice(&index[outer..]);
                (position, components)
            }
        };
        if !self.unchecked && !leaf.view.flag("unchecked") {
            for (dimension, &index) in position[..computed].iter().enumerate() {
                let size = self.size_of_operand(builder, gather, source, dimension)?;
                self.check_index(builder, leaf.view.name, index, size, dimension)?;
            }
        }
        self.now.positions.insert(gather, position.clone());
        Ok(position)
    }

    /// A size of an array that a combinator reads or updates.
    pub fn size_of_operand(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        operand: usize,
        axis: usize,
    ) -> Built<'c, Value<'c, 'a>> {
        let size = match self.plan.leaves[number].operands[operand] {
            Some(Source::Computed(array)) => self.plan.arrays[array].shape[axis],
            Some(Source::Given(array)) => builder.size(array, axis)?,
            None => return Err(self.internal(number, "an operand is no array")),
        };
        Ok(builder.size_value(size)?)
    }

    /// Ends the program unless `0 <= index < size`.
    pub fn check_index(
        &self,
        builder: &Builder<'c, 'a>,
        op: &str,
        index: Value<'c, 'a>,
        size: Value<'c, 'a>,
        dimension: usize,
    ) -> Built<'c, ()> {
        // A negative index is a large one.
        let inside = builder.compare(Predicate::Ult, index, size)?;
        let message = builder.string(&out_of_range(op, dimension));
        let operands = [inside, index, size];
        builder.op(
            "soac.check",
            &operands,
            &[],
            &[("message", message)],
            vec![],
        )?;
        Ok(())
    }
}
