//! Maps, of elements or of inner arrays.
//!
//! At each iteration the function is copied into the loop. An inner array that it takes is a
//! slice; one that it gives is written, element by element, where it belongs.

use melior::ir::{
    BlockLike, Value, ValueLike,
    r#type::{RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size, Slice, array_type},
    cast::cast,
};

use super::{
    assembled::{Places, write_each},
    loops::{Built, Nests},
};
use comb_kit::inline_copy::inline_copy;

use crate::cluster_loops::plan::{ArrayId, LeafId, Source};

impl<'c: 'a, 'a> Nests<'_, 'c, 'a> {
    /// An iteration of a map.
    pub fn map(&mut self, builder: &Builder<'c, 'a>, number: LeafId) -> Built<'c, ()> {
        let leaf = &self.plan.leaves[number];
        let index = self.index(builder, number, leaf.components.len())?;
        let block = leaf.view.block();
        let block = block.ok_or_else(|| self.internal(number, "there is no lambda"))?;
        let mut arguments = vec![];
        for (position, operand) in leaf.view.group(0).enumerate() {
            let r#type = block.argument(position)?.r#type();
            arguments.push(match cast::<RankedTensorType>(r#type) {
                Some(_) => {
                    let inner = self.inner_array(builder, number, operand, &index)?;
                    builder.cast(inner, r#type)?
                }
                None => self.element(builder, number, operand, &index)?,
            });
        }
        let given = inline_copy(builder, leaf.op, &arguments)?;
        for (array, value) in leaf.results().zip(given) {
            match self.plan.arrays[array].shape.len() == index.len() {
                true => {
                    self.now.elements.insert(array, value);
                    self.store(builder, number, array, value)?;
                }
                false => self.write_inner(builder, array, value, &index)?,
            }
        }
        Ok(())
    }

    /// The inner array of an operand at an index.
    fn inner_array(
        &self,
        builder: &Builder<'c, 'a>,
        number: LeafId,
        operand: usize,
        index: &[Value<'c, 'a>],
    ) -> Built<'c, Value<'c, 'a>> {
        let (array, index) = match self.plan.leaves[number].operands[operand] {
            Some(Source::Given(array)) => (array, index),
            Some(Source::Computed(array)) => {
                let skipped = self.storage[array].skipped();
                (self.stored(number, array)?, &index[skipped..])
            }
            None => return Err(self.internal(number, "an operand is no array")),
        };
        if index.is_empty() {
            return Ok(array);
        }
        let sizes = builder.sizes(array)?;
        let (outer, inner) = sizes.split_at(index.len());
        let mut offsets: Vec<Size> = index.iter().map(|&index| Size::Dynamic(index)).collect();
        offsets.resize(sizes.len(), Size::Static(0));
        let mut lengths = vec![Size::Static(1); outer.len()];
        lengths.extend_from_slice(inner);
        let known: Vec<Option<u64>> = inner.iter().map(|size| size.known()).collect();
        let element = RankedTensorType::try_from(array.r#type())?.element();
        let r#type = array_type(&known, element);
        let slice = Slice::contiguous(offsets, lengths);
        Ok(builder.extract_slice(array, &slice, r#type)?)
    }

    /// Writes an inner array where it belongs in a stored one.
    fn write_inner(
        &mut self,
        builder: &Builder<'c, 'a>,
        array: ArrayId,
        inner: Value<'c, 'a>,
        index: &[Value<'c, 'a>],
    ) -> Built<'c, ()> {
        let Some(&stored) = self.arrays.get(&array) else {
            return Ok(());
        };
        let skipped = self.storage[array].skipped().min(index.len());
        let outer = &index[skipped..];
        let place = |_: &Builder<'c, 'a>, inner: &[Value<'c, 'a>]| Ok([outer, inner].concat());
        let written = write_each(builder, inner, stored, Places::Distinct, &place)?;
        self.arrays.insert(array, written);
        Ok(())
    }
}
