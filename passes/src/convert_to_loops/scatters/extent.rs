//! How many elements a scatter has, and how many places its destination.

use melior::ir::Value;
use soac_dialect::builder::Builder;

use crate::convert_to_loops::{
    emitter::{Emitted, Emitter, internal},
    plan::LeafId,
};

/// Sizes of a scatter.
pub(super) struct Extent<'c, 'a> {
    /// How often the loop runs that is cut into chunks.
    pub iterations: Value<'c, 'a>,
    /// How many elements there are in an iteration of it.
    pub inner: Value<'c, 'a>,
    /// How many elements there are.
    pub elements: Value<'c, 'a>,
    /// How many elements the destination has.
    pub places: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Extent<'c, 'a> {
    /// How many iterations of that loop have so many elements.
    pub fn iterations_with(
        &self,
        builder: &Builder<'c, 'a>,
        elements: Value<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let one = builder.index(1)?;
        let inner = builder.arithmetic("arith.maxsi", &[self.inner, one])?;
        Ok(builder.arithmetic("arith.ceildivsi", &[elements, inner])?)
    }
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// The sizes of a scatter, in front of the loop that is cut into chunks. Loops
    /// around it run once.
    pub(super) fn extent(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
    ) -> Emitted<'c, Extent<'c, 'a>> {
        let leaf = &self.plan.leaves[number];
        let mut lengths = vec![];
        for &length in &leaf.lengths {
            let length =
                length.ok_or_else(|| internal(leaf.view.location, "its loop has no length"))?;
            lengths.push(builder.size_value(length)?);
        }
        let sizes = self.destination(number)?.remove(0).sizes;
        let sizes = sizes
            .into_iter()
            .map(|size| Ok(builder.size_value(size)?))
            .collect::<Emitted<Vec<_>>>()?;
        let product = |values: &[Value<'c, 'a>]| -> Emitted<'c, Value<'c, 'a>> {
            let mut product = match values.first() {
                Some(&first) => first,
                None => builder.index(1)?,
            };
            for &value in values.iter().skip(1) {
                product = builder.arithmetic("arith.muli", &[product, value])?;
            }
            Ok(product)
        };
        let level = self.now.index.len();
        let (outer, inner) = lengths.split_at(lengths.len().min(level + 1));
        Ok(Extent {
            iterations: product(outer)?,
            inner: product(inner)?,
            elements: product(&lengths)?,
            places: product(&sizes)?,
        })
    }
}
