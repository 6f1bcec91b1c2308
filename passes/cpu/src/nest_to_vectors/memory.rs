//! Reading and writing memory in all lanes, and scatters.
//!
//! Neighbouring elements are read and written as vectors, backwards ones reversed. Others are
//! gathered where the memory is one line of elements, and else taken one by one.

use melior::ir::{OperationRef, Value, ValueLike, r#type::MemRefType};
use soac_dialect::{builder::Builder, view::OpView};

use super::{
    Emitted, Values, Vectors,
    combine::capture,
    records::{Again, operands_of},
    uniform,
};
use comb_kit::vectors::zero;

use crate::lanes::{
    Lanes, Scope,
    gathers::{Line, gather},
    lambda::Local,
    memory::{
        Layout, each_lane, element_type, has_neighbours, layout, load_vector, masked, read_point,
        reversed, reversed_mask, store_streaming, store_vector, vector_in_memory, write_lanes,
    },
    operator::Operator,
};

impl<'c: 'a, 'a> Vectors<'c, 'a> {
    /// The elements at an index.
    pub(super) fn read(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        memory: Value<'c, 'a>,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, Lanes<'c, 'a>> {
        let scope = self.scope;
        let element = element_type(memory)?;
        if let Some(lanes) = self.loaded_together(builder, op, memory, index)? {
            return Ok(lanes);
        }
        match layout(builder, &scope, index)? {
            Layout::Point(index) => read_point(builder, &scope, memory, &index),
            Layout::Forwards(index) if has_neighbours(memory.r#type()) => {
                let value = load_vector(builder, &scope, memory, &index)?;
                Ok(scope.lanes(value, false))
            }
            Layout::Backwards(index) if has_neighbours(memory.r#type()) => {
                let turned = reversed_mask(builder, &scope)?;
                let value = load_vector(builder, &turned, memory, &index)?;
                let value = reversed(builder, value, scope.width, element)?;
                Ok(scope.lanes(value, false))
            }
            _ if is_line(memory)? => {
                let pitches = builder.sizes(memory)?;
                let line = Line { memory, pitches };
                let applies = |transformation| self.applies(transformation, op);
                gather(builder, &scope, &line, index, &applies)
            }
            _ => read_lanes(builder, &scope, memory, index),
        }
    }

    /// Writes elements at an index.
    pub(super) fn write(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        element: Lanes<'c, 'a>,
        memory: Value<'c, 'a>,
        index: &[Lanes<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let scope = self.scope;
        let value = scope.whole(builder, element)?;
        if let Some(before) = self.kept_before(op) {
            return self.write_kept(builder, op, memory, before, value);
        }
        match layout(builder, &scope, index)? {
            Layout::Forwards(index) if self.goes_past_caches(op) => {
                store_streaming(builder, memory, &index, value)
            }
            Layout::Forwards(index) if has_neighbours(memory.r#type()) => {
                store_vector(builder, &scope, memory, &index, value)
            }
            Layout::Backwards(index) if has_neighbours(memory.r#type()) => {
                let turned = reversed_mask(builder, &scope)?;
                let value = reversed(builder, value, scope.width, element_type(memory)?)?;
                store_vector(builder, &turned, memory, &index, value)
            }
            Layout::Point(index) if !scope.is_vector() => masked(builder, &scope, |builder| {
                Ok(builder.store(value, memory, &index)?)
            }),
            _ => write_lanes(builder, &scope, memory, index, value),
        }
    }

    /// Writes or combines elements at computed places, one lane after the other.
    pub(super) fn scatter(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        operands: &[Lanes<'c, 'a>],
        local: &Local<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let view = OpView::of(op);
        let operator = Operator::of(op, vec![], false).capturing(capture(op, local));
        let dests = operands[view.group(1)].iter();
        let dests = dests.map(|&dest| uniform(op, dest));
        let dests = dests.collect::<Emitted<Values>>()?;
        let (values, index) = (&operands[view.group(0)], &operands[view.group(2)]);
        if let Some(log) = self.log_of(op) {
            return self.note(builder, &log, index, local);
        }
        let scope = self.scope;
        if !scope.is_vector() {
            let [values, index] = [values, index].map(|lanes| {
                let single = lanes.iter().map(|&lanes| uniform(op, lanes));
                single.collect::<Emitted<Values>>()
            });
            let (values, index) = (values?, index?);
            return masked(builder, &scope, |builder| {
                self.put(builder, &operator, &values, &dests, &index)
            });
        }
        if let Some(again) = Again::of(op, local) {
            return each_lane(builder, &scope, |builder, lane| {
                let computed = again.computed(builder, lane, local)?;
                let [values, index] = [0, 2].map(|group| operands_of(op, group, &computed));
                self.put(builder, &operator, &values?, &dests, &index?)
            });
        }
        let all = values.iter().chain(index);
        let wide = all.map(|&lanes| scope.whole(builder, lanes));
        let wide = wide.collect::<Emitted<Values>>()?;
        let types: Vec<_> = view.operands[view.group(0)]
            .iter()
            .chain(&view.operands[view.group(2)])
            .map(|value| value.r#type())
            .collect();
        each_lane(builder, &scope, |builder, lane| {
            let single = wide.iter().zip(&types);
            let single = single.map(|(&wide, &r#type)| Ok(builder.lane_at(wide, lane, r#type)?));
            let single = single.collect::<Emitted<Values>>()?;
            let (values, index) = single.split_at(dests.len());
            self.put(builder, &operator, values, &dests, index)
        })
    }
}

/// Whether memory is one line of elements in the order of their index.
pub(super) fn is_line<'c>(memory: Value<'c, '_>) -> Emitted<'c, bool> {
    let layout = MemRefType::try_from(memory.r#type())?.layout().to_string();
    Ok(layout.starts_with("affine_map"))
}

/// Elements anywhere, one lane after the other.
fn read_lanes<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    memory: Value<'c, 'a>,
    index: &[Lanes<'c, 'a>],
) -> Emitted<'c, Lanes<'c, 'a>> {
    let element = element_type(memory)?;
    let index = index
        .iter()
        .map(|&component| scope.whole(builder, component));
    let index = index.collect::<Emitted<Values>>()?;
    let none = builder.broadcast(zero(builder, element)?, scope.width)?;
    let r#type = none.r#type();
    let buffer = vector_in_memory(builder, memory, scope.width)?;
    let zero_index = builder.index(0)?;
    store_vector(
        builder,
        &Scope {
            width: scope.width,
            mask: None,
        },
        buffer,
        &[zero_index],
        none,
    )?;
    each_lane(builder, scope, |builder, lane| {
        let point = index.iter();
        let point = point.map(|&at| Ok(builder.lane_at(at, lane, builder.index_type())?));
        let value = builder.load(memory, &point.collect::<Emitted<Values>>()?)?;
        Ok(builder.store(value, buffer, &[lane])?)
    })?;
    let operands = [buffer, zero_index];
    let value = builder.value("vector.load", &operands, r#type, &[])?;
    Ok(scope.lanes(value, false))
}
