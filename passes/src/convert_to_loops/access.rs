//! Reading and writing memory in all lanes.
//!
//! Neighbouring elements are read and written as a vector, backwards ones
//! reversed; others are gathered ([`gathers`](super::lanes::gathers)).

use melior::ir::Value;
use soac_dialect::builder::Builder;

use super::{
    applications::Site,
    emitter::{Emitted, Emitter, Place},
    lanes::{
        Lanes,
        gathers::gather,
        memory::{
            Layout, element_type, fills_lines, layout, load_vector, masked, read_point, reversed,
            reversed_mask, store_streaming, store_vector, write_lanes,
        },
    },
    streaming::Stores,
    widths::bits_in_memory,
};

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// The elements in memory at an index.
    pub fn read(
        &mut self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Lanes<'c, 'a>> {
        let scope = self.now.scope;
        let element = element_type(place.memory)?;
        match layout(builder, &scope, index)? {
            Layout::Point(index) => read_point(builder, &scope, place.memory, &index),
            Layout::Forwards(index) => {
                let value = load_vector(builder, &scope, place.memory, &index)?;
                Ok(scope.lanes(value, false))
            }
            Layout::Backwards(index) => {
                let turned = reversed_mask(builder, &scope)?;
                let value = load_vector(builder, &turned, place.memory, &index)?;
                let value = reversed(builder, value, scope.width, element)?;
                Ok(scope.lanes(value, false))
            }
            Layout::Scattered => {
                let applies = |transformation| self.applies(transformation, Site::Plan);
                gather(builder, &scope, &place.line(), index, &applies)
            }
        }
    }

    /// Writes elements to memory at an index, which goes up or down by one from
    /// lane to lane.
    pub fn write(
        &mut self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        index: &[Lanes<'c, 'a>],
        element: Lanes<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        let value = scope.whole(builder, element)?;
        match layout(builder, &scope, index)? {
            Layout::Forwards(index) => self.write_forwards(builder, place, &index, value),
            Layout::Backwards(index) => {
                let turned = reversed_mask(builder, &scope)?;
                let r#type = element_type(place.memory)?;
                let value = reversed(builder, value, scope.width, r#type)?;
                store_vector(builder, &turned, place.memory, &index, value)
            }
            Layout::Point(index) if !scope.is_vector() => masked(builder, &scope, |builder| {
                Ok(builder.store(value, place.memory, &index)?)
            }),
            Layout::Point(_) | Layout::Scattered => {
                write_lanes(builder, &scope, place.memory, index, value)
            }
        }
    }

    /// Writes a vector whose lanes are adjacent, into the caches or past them.
    fn write_forwards(
        &self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        index: &[Value<'c, 'a>],
        value: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let scope = self.now.scope;
        let bits = bits_in_memory(element_type(place.memory)?);
        let is_in_lines =
            scope.mask.is_none() && place.is_aligned && fills_lines(scope.width, bits);
        let cached = |builder: &_| store_vector(builder, &scope, place.memory, index, value);
        let streaming = |builder: &_| store_streaming(builder, place.memory, index, value);
        match self.stores {
            Stores::PastCaches if is_in_lines => streaming(builder),
            Stores::Either(streams) if is_in_lines => {
                let none = |done: Emitted<'c, ()>| done.map(|()| vec![]);
                builder.if_else(
                    streams,
                    &[],
                    |builder| none(streaming(builder)),
                    |builder| none(cached(builder)),
                )?;
                Ok(())
            }
            _ => cached(builder),
        }
    }
}
