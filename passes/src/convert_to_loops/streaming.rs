//! Results that are written past the caches.
//!
//! A result that does not fit the caches only drives other things out of them, and
//! each of its lines is read before it is written. Vectors that fill whole lines can
//! go to memory at once. So the loops of a chunk are there twice, and the size of the
//! results says which one runs.

use melior::ir::{Value, ValueLike};
use soac_dialect::builder::{ALIGNMENT, Builder, Predicate, Size};

use super::{
    chunks::WHOLE_VECTORS,
    emitter::{Emitted, Emitter},
    plan::{Item, Loop},
    widths::{bits, width},
};

/// Results with more bytes than this do not fit the caches.
const LARGE: i64 = 1 << 25;

/// Results that may be written past the caches.
#[derive(Clone, Copy)]
pub(super) struct Streaming<'c, 'a> {
    /// Whether they are so large that they should be.
    is_worth_it: Value<'c, 'a>,
    /// Memory of a number that nobody reads.
    fence: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Whether results are so large that they would only drive other things out of the
    /// caches; nothing if they are not written in aligned vectors.
    pub fn streams(&self, r#loop: &Loop<'c, 'a>) -> Emitted<'c, Option<Streaming<'c, 'a>>> {
        let lanes = width(self.plan, r#loop) as i64;
        let places = self.places.iter().zip(&self.plan.arrays);
        let bytes: i64 = places
            .filter(|(place, _)| place.as_ref().is_some_and(|place| place.is_aligned))
            .map(|(_, array)| bits(array.element) as i64 / 8)
            .filter(|bytes| bytes * lanes % ALIGNMENT == 0)
            .sum();
        let is_cut_at_vectors = matches!(r#loop.items.first(), Some(Item::Leaf(_)));
        if bytes == 0 || lanes == 1 || !is_cut_at_vectors || self.budget(r#loop) <= WHOLE_VECTORS {
            return Ok(None);
        }
        let front = self.front;
        let length = front.size_value(r#loop.length)?;
        let large = front.index(LARGE / bytes)?;
        Ok(Some(Streaming {
            is_worth_it: front.compare(Predicate::Sgt, length, large)?,
            fence: front.allocate(&[Size::Static(1)], front.integer_type(64))?,
        }))
    }

    /// The iterations of a chunk.
    pub fn chunk_loop(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        bounds: [Value<'c, 'a>; 2],
        streaming: Option<Streaming<'c, 'a>>,
    ) -> Emitted<'c, ()> {
        let Some(streaming) = streaming else {
            return self.run_loop(builder, r#loop, bounds);
        };
        self.carrying(|this, carried| {
            let types: Vec<_> = carried.iter().map(|value| value.r#type()).collect();
            let this = std::cell::RefCell::new(this);
            let run = |builder: &Builder<'c, 'a>, streaming: bool| {
                let mut this = this.borrow_mut();
                let before = this.states.clone();
                this.streaming = streaming;
                let done = this.run_loop(builder, r#loop, bounds);
                this.streaming = false;
                let after = this.states.values().flatten().copied().collect();
                this.states = before;
                done.map(|()| after)
            };
            builder.if_else(
                streaming.is_worth_it,
                &types,
                |builder| {
                    let after = run(builder, true)?;
                    fence(builder, streaming.fence)?;
                    Ok(after)
                },
                |builder| run(builder, false),
            )
        })
    }
}

/// What is written past the caches becomes visible to other threads before all that
/// is written later, as it does at every atomic update.
fn fence<'c, 'a>(builder: &Builder<'c, 'a>, anything: Value<'c, 'a>) -> Emitted<'c, ()> {
    const ADD_INTEGERS: i64 = 1;
    let (zero, number) = (builder.index(0)?, builder.integer_type(64));
    let one = builder.integer(1, number)?;
    let kind = builder.number(ADD_INTEGERS);
    let operands = [one, anything, zero];
    builder.op(
        "memref.atomic_rmw",
        &operands,
        &[number],
        &[("kind", kind)],
        vec![],
    )?;
    Ok(())
}
