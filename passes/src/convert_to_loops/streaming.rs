//! Results that are written past the caches.
//!
//! A result that does not fit the caches only drives other things out of them, and
//! each of its lines is read before it is written. Vectors that fill whole lines can
//! go to memory at once. So the innermost loop over whole vectors is there twice, and the
//! size of the results says which one runs. Around and behind it, code is there once; a loop of
//! vectors that has loops or scans inside, or computes several [rows](super::jam), is there once,
//! too, and only its stores twice.
//!
//! The whole chunk is there twice in three cases. What filters keep does not fill whole lines: it
//! goes past the caches by way of buffers ([`kept`](super::kept)). A loop that reads an array from
//! both ends goes over it in another order ([`mirrored`](super::mirrored)). And of several loops
//! in a row, the first may be the one that [fetches rows ahead](super::rows_ahead), though another
//! one writes the result; also, too many addresses would be in registers. That is not so for
//! products of matrices ([`forms`](super::forms)).
//!
//! The runtime library sees to it that other threads see what a chunk wrote, when all chunks are
//! done (`tools/runtime/src/parallel.rs`).

use comb_machine::tuning::chunks::WHOLE_VECTORS;
use melior::ir::Value;
use soac_dialect::builder::{ALIGNMENT, Builder, Predicate, Size};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter, Place},
    lanes::memory::fills_lines,
    plan::{ArrayId, Item, Kind, Leaf, Loop},
    widths::{bits_in_memory, width},
};
use crate::transformations::Transformation;

/// How whole vectors are written to memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stores<'c, 'a> {
    /// Into the caches.
    Cached,
    /// Past the caches, where they fill lines.
    PastCaches,
    /// Past the caches if a condition holds.
    Either(Value<'c, 'a>),
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Whether results are so large that they would only drive other things out of the
    /// caches; nothing if they are not written in aligned vectors.
    pub fn streams(&self, r#loop: &Loop<'c, 'a>) -> Emitted<'c, Option<Value<'c, 'a>>> {
        let is_cut_at_vectors = has_loops(r#loop) || self.budget(r#loop) > WHOLE_VECTORS;
        let kept = self.kept_arrays(r#loop).into_iter();
        let kept = kept.filter_map(|(array, _, bytes)| Some((self.places[array].as_ref()?, bytes)));
        let streams: Vec<_> = self.streamed(r#loop).into_iter().chain(kept).collect();
        let is_possible = !streams.is_empty() && is_cut_at_vectors;
        if !is_possible || !self.applies(Transformation::Streaming, Site::Loop(r#loop.id)) {
            return Ok(None);
        }
        let front = self.front;
        let large = front.index(self.options.machine.last_cache_bytes)?;
        let mut total = front.index(0)?;
        let mut rows: Vec<(Size, i64)> = vec![];
        for (place, bytes) in streams {
            total = front.arithmetic("arith.addi", &[total, self.bytes_of(place, bytes)?])?;
            let row = (place.pitches[place.pitches.len() - 1], bytes);
            if place.pitches.len() > 1 && !rows.contains(&row) {
                rows.push(row);
            }
        }
        let mut is_worth_it = front.compare(Predicate::Sgt, total, large)?;
        for (length, bytes) in rows {
            let is_aligned = self.is_whole_lines(length, bytes)?;
            is_worth_it = front.arithmetic("arith.andi", &[is_worth_it, is_aligned])?;
        }
        Ok(Some(is_worth_it))
    }

    /// The places of results that a loop writes in vectors that fill whole lines if the
    /// rows of memory do, and the bytes of their elements.
    fn streamed(&self, r#loop: &Loop<'c, 'a>) -> Vec<(&Place<'c, 'a>, i64)> {
        if has_loops(r#loop) {
            let inner = r#loop.items.iter().filter_map(|item| match item {
                Item::Loop(inner) => Some(self.streamed(inner)),
                Item::Leaf(_) => None,
            });
            return inner.flatten().collect();
        }
        let lanes = width(&self.applications, r#loop);
        self.plan
            .leaves_of(r#loop)
            .filter(|leaf| leaf.kind != Kind::Fold)
            .flat_map(|leaf| leaf.results())
            .filter(|&array| self.plan.arrays[array].clock.is_none())
            .filter_map(|array| self.in_lines(array, lanes))
            .collect()
    }

    /// The place of an array that is written in vectors which fill whole lines if its
    /// rows do, and the bytes of its elements.
    pub fn in_lines(&self, array: ArrayId, lanes: u64) -> Option<(&Place<'c, 'a>, i64)> {
        let place = self.places[array].as_ref()?;
        let bits = bits_in_memory(self.plan.arrays[array].element);
        let fills_lines = lanes > 1 && fills_lines(lanes, bits);
        (place.is_aligned && fills_lines).then_some((place, bits as i64 / 8))
    }

    /// How many bytes an array has.
    pub fn bytes_of(&self, place: &Place<'c, 'a>, bytes: i64) -> Emitted<'c, Value<'c, 'a>> {
        let front = self.front;
        place
            .sizes
            .iter()
            .try_fold(front.index(bytes)?, |product, &size| {
                let size = front.size_value(size)?;
                Ok(front.arithmetic("arith.muli", &[product, size])?)
            })
    }

    /// Whether so many elements fill whole lines.
    pub fn is_whole_lines(&self, elements: Size<'c, 'a>, bytes: i64) -> Emitted<'c, Value<'c, 'a>> {
        let front = self.front;
        let line = front.index(ALIGNMENT / bytes)?;
        let rest = front.arithmetic("arith.remui", &[front.size_value(elements)?, line])?;
        Ok(front.compare(Predicate::Eq, rest, front.index(0)?)?)
    }

    /// The iterations of a chunk, given whether results should be written past the caches.
    pub fn chunk_loop(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        bounds: [Value<'c, 'a>; 2],
        streams: Option<Value<'c, 'a>>,
    ) -> Emitted<'c, ()> {
        let Some(streams) = streams else {
            return self.run_chunk(builder, r#loop, bounds);
        };
        if self.may_choose_inside(r#loop) {
            return self.storing(Stores::Either(streams), |this| {
                this.run_loop(builder, r#loop, bounds)
            });
        }
        self.carrying_either(builder, streams, |this, builder, streams| {
            if !streams {
                return this.run_chunk(builder, r#loop, bounds);
            }
            this.storing(Stores::PastCaches, |this| {
                this.buffered_loop(builder, r#loop, bounds)
            })
        })
    }

    /// Whether a chunk is there once, and asks inside how to write results. Where indices wrap
    /// around, vectors that stay in the caches begin elsewhere than at lines.
    fn may_choose_inside(&self, r#loop: &Loop<'c, 'a>) -> bool {
        self.kept_arrays(r#loop).is_empty()
            && self.wrapping_leaves(r#loop).is_empty()
            && !self.reads_from_both_ends(r#loop)
            && (is_nest(r#loop) || self.is_at_once_inside(r#loop))
    }

    /// Whether rows or lanes of a loop, or of one inside, are computed at once.
    fn is_at_once_inside(&self, r#loop: &Loop<'c, 'a>) -> bool {
        self.forms.is_at_once(r#loop.id)
            || r#loop.items.iter().any(|item| match item {
                Item::Loop(inner) => self.is_at_once_inside(inner),
                Item::Leaf(_) => false,
            })
    }

    /// Makes code in which whole vectors are written in some way.
    pub fn storing<T>(
        &mut self,
        stores: Stores<'c, 'a>,
        code: impl FnOnce(&mut Self) -> Emitted<'c, T>,
    ) -> Emitted<'c, T> {
        let before = std::mem::replace(&mut self.stores, stores);
        let done = code(self);
        self.stores = before;
        done
    }

    /// Whole vectors of a loop, twice if it is to be seen when the program runs how the loop
    /// writes them.
    pub fn in_either_way(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        vectors: impl Fn(&mut Self, &Builder<'c, 'a>) -> Emitted<'c, ()>,
    ) -> Emitted<'c, ()> {
        match self.stores {
            Stores::Either(streams) if self.is_worth_two_loops(r#loop) => {
                self.carrying_either(builder, streams, |this, builder, streams| {
                    let stores = match streams {
                        true => Stores::PastCaches,
                        false => Stores::Cached,
                    };
                    this.storing(stores, |this| vectors(this, builder))
                })
            }
            _ => vectors(self, builder),
        }
    }

    /// Whether a loop of vectors is there twice. The iterations of a scan wait for each other, so
    /// there is time to ask at each store. Rows that are computed together are much code, and
    /// are written together, so they ask once for all.
    fn is_worth_two_loops(&self, r#loop: &Loop<'c, 'a>) -> bool {
        let has_scan = self.plan.leaves_of(r#loop).any(Leaf::is_scan);
        let is_jammed = self.forms.is_jammed(r#loop);
        !has_loops(r#loop) && !has_scan && !is_jammed && !self.streamed(r#loop).is_empty()
    }

    /// The iterations of a chunk that writes past the caches.
    fn buffered_loop(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        bounds: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        self.open_buffers(builder, r#loop, bounds)?;
        self.run_chunk(builder, r#loop, bounds)?;
        self.close_buffers(builder)
    }
}

/// Whether each loop has at most one loop inside.
fn is_nest(r#loop: &Loop) -> bool {
    let mut inner = r#loop.items.iter().filter_map(|item| match item {
        Item::Loop(inner) => Some(inner),
        Item::Leaf(_) => None,
    });
    inner.next().is_none_or(is_nest) && inner.next().is_none()
}

/// Whether there are loops in a loop.
fn has_loops(r#loop: &Loop) -> bool {
    let mut items = r#loop.items.iter();
    items.any(|item| matches!(item, Item::Loop(_)))
}
