//! The outermost loop, in chunks that threads work on at the same time.
//!
//! How long chunks are depends on sizes alone, and what they give is put together
//! in their order, so that no bit of a result depends on the number of threads.
//!
//! * Folds over the outermost loop are folded chunk by chunk, and then over the
//!   chunks.
//! * Scans and filters carry something from chunk to chunk ([`carries`](super::carries)).
//!
//! A loop with less work is one chunk, for which no thread is woken. If there are few chunks, they
//! are made [even](super::even).

use std::collections::BTreeMap;

use comb_machine::tuning::{
    VECTOR_BITS,
    chunks::{FEWEST, GATHERED, WHOLE_VECTORS},
};
use melior::ir::{Value, ValueLike};
use soac_dialect::builder::{Builder, Size};

use super::{
    carries::Chain,
    emitter::{Emitted, Emitter, Values},
    plan::{Item, Kind, LeafId, Loop, Plan, Source},
    read::swept::Swept,
    scatters::Version,
    widths::{vector_width, width},
};

/// Lanes of 32 bits, for which chunks are meant.
const LANES: i64 = VECTOR_BITS as i64 / 32;

/// Lanes of 64 bits. What has no vectors is treated as if it had these.
const FEWEST_LANES: i64 = VECTOR_BITS as i64 / 64;

/// Where the outermost loop is cut.
pub(super) struct Chunks<'c, 'a> {
    /// How many iterations a chunk has, but for the last.
    pub length: Value<'c, 'a>,
    pub count: Value<'c, 'a>,
    /// What the length is a multiple of.
    pub multiple: i64,
    /// How many iterations a block of a chunk has, if that is to be seen when the program runs.
    pub block: Option<Value<'c, 'a>>,
}

impl<'c, 'a> Chunks<'c, 'a> {
    /// The first iteration of a chunk. What it is a multiple of can be seen in the code, so
    /// that LLVM knows the last bits of indices.
    fn first(&self, builder: &Builder<'c, 'a>, chunk: Value<'c, 'a>) -> Emitted<'c, Value<'c, 'a>> {
        let multiple = builder.index(self.multiple)?;
        let groups = builder.arithmetic("arith.divui", &[self.length, multiple])?;
        let first = builder.arithmetic("arith.muli", &[chunk, groups])?;
        Ok(builder.arithmetic("arith.muli", &[first, multiple])?)
    }
}

/// Memory for one number of each chunk, or one more, for each part of a state.
pub(super) type PerChunk<'c, 'a> = BTreeMap<LeafId, Values<'c, 'a>>;

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// A loop in parallel, which is around all combinators.
    pub fn chunked(
        &mut self,
        front: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        chunks: &Chunks<'c, 'a>,
        version: &Version,
    ) -> Emitted<'c, ()> {
        let stages = self.plan.stages();
        let folds: Vec<LeafId> = (0..self.plan.leaves.len())
            .filter(|&leaf| self.plan.leaves[leaf].kind == Kind::Fold)
            .filter(|&leaf| self.begins(leaf, r#loop.level))
            .collect();
        let partial = self.per_chunk(front, &folds, chunks.count)?;
        let more = front.arithmetic("arith.addi", &[chunks.count, front.index(1)?])?;
        let carries = self.per_chunk(front, &stages.concat(), more)?;
        self.begin_chain(front, &carries)?;
        let flags = self.flags(front, chunks, stages.len())?;
        let is_alone = self.is_alone(front)?;
        let streams = self.streams(r#loop)?;
        let scatters = self.open_scatters(front, version, chunks)?;
        self.long_block = chunks.block;
        let schedule = if stages.is_empty() {
            "contiguous"
        } else {
            "interleaved"
        };
        front.parallel_loop(chunks.count, schedule, |builder, chunk| {
            self.allocate_rows(builder, Some(r#loop))?;
            let first = chunks.first(builder, chunk)?;
            let end = builder.arithmetic("arith.addi", &[first, chunks.length])?;
            let length = builder.size_value(r#loop.length)?;
            let end = builder.arithmetic("arith.minsi", &[end, length])?;
            let chain = Chain {
                r#loop,
                chunks,
                chunk,
                bounds: [first, end],
                carries: &carries,
                flags,
                is_alone,
            };
            self.begin_scatters(builder, &scatters, r#loop, chunk, chain.bounds)?;
            let mut states = self.begun(builder, r#loop)?;
            for (stage, leaves) in stages.iter().enumerate() {
                let known = self.stage(builder, &chain, stage, leaves, &states)?;
                states.extend(known);
            }
            self.states = states;
            self.chunk_loop(builder, r#loop, [first, end], streams)?;
            for &fold in &folds {
                store_all(builder, &self.states[&fold], &partial[&fold], chunk)?;
            }
            self.carry_on_alone(builder, &chain)?;
            self.end_chain(builder, &chain, &stages)?;
            self.end_scatters(builder, &scatters, chunk, chain.bounds)?;
            self.states.clear();
            self.ends_kept.clear();
            Emitted::Ok(())
        })?;
        self.long_block = None;
        self.finish_scatters(front, &scatters, chunks)?;
        for &fold in &folds {
            self.fold_chunks(front, fold, chunks.count, &partial[&fold])?;
        }
        for filter in stages.into_iter().flatten() {
            if self.plan.leaves[filter].kind == Kind::Filter {
                let kept = load_all(front, &carries[&filter], chunks.count)?;
                self.states.insert(filter, kept);
            }
        }
        Ok(())
    }

    /// Where a loop is cut, in which there may be scatters.
    pub fn cut(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        version: &Version,
    ) -> Emitted<'c, Chunks<'c, 'a>> {
        let multiple = self.multiple(r#loop);
        let mut length = self.chunk_length(builder, r#loop, multiple)?;
        if let Some(longer) = self.length_for_scatters(builder, version)? {
            length = builder.arithmetic("arith.maxsi", &[length, longer])?;
            if self.budget(r#loop) > WHOLE_VECTORS {
                length = rounded_up(builder, length, WHOLE_VECTORS)?;
            }
        }
        let long_blocks = self.long_blocks(builder, r#loop)?;
        if let Some(blocks) = long_blocks {
            length = blocks.chunk_length(builder, length)?;
        }
        let grain = self.forms.grain(r#loop);
        let length = rounded_up(builder, length, grain)?;
        let multiple = if multiple % grain == 0 { multiple } else { 1 };
        let total = builder.size_value(r#loop.length)?;
        let count = builder.arithmetic("arith.ceildivsi", &[total, length])?;
        let block = long_blocks.map(|blocks| blocks.block_length(builder, length));
        Ok(Chunks {
            length,
            count,
            multiple,
            block: block.transpose()?,
        })
    }

    /// What the length of chunks is a multiple of, if nothing else is asked for.
    fn multiple(&self, r#loop: &Loop<'c, 'a>) -> i64 {
        let is_of_elements = nests(self.plan, &r#loop.items).iter().all(Vec::is_empty);
        match is_of_elements && self.budget(r#loop) > WHOLE_VECTORS {
            true => WHOLE_VECTORS,
            false => 1,
        }
    }

    fn chunk_length(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        multiple: i64,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let budget = self.budget(r#loop);
        let nests = nests(self.plan, &r#loop.items);
        let known = nests.iter().map(|nest| known_product(nest));
        let known: Option<Vec<i64>> = known.collect();
        if let Some(known) = known {
            let product = known.into_iter().max().unwrap_or(1);
            let length = (budget / product).max(1);
            let most = builder.index(length - length % multiple)?;
            return self.even_length(builder, r#loop, most, multiple);
        }
        let product = greatest_product(builder, &nests)?;
        let length = builder.arithmetic("arith.divsi", &[builder.index(budget)?, product])?;
        let most = builder.arithmetic("arith.maxsi", &[length, builder.index(1)?])?;
        self.even_length(builder, r#loop, most, 1)
    }

    /// How many iterations of the innermost loop a chunk has.
    pub fn budget(&self, r#loop: &Loop<'c, 'a>) -> i64 {
        let fewest = match self.plan.stages().is_empty() {
            true => FEWEST_LANES,
            // These chunks depend on each other, so they are not cut as small.
            false => LANES,
        };
        let lanes = self.narrowest_lanes(r#loop).max(fewest);
        (self.options.machine.chunk_instructions / self.work(r#loop) * lanes / LANES).max(1)
    }

    /// About how many instructions an iteration of a loop takes without vectors, with all loops in it.
    pub fn work_of_iteration(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, Value<'c, 'a>> {
        let rounds = greatest_product(builder, &nests(self.plan, &r#loop.items))?;
        let work = builder.index(self.work(r#loop))?;
        Ok(builder.arithmetic("arith.muli", &[rounds, work])?)
    }

    /// Whether a loop has loops in it, be they in functions.
    pub fn has_nests(&self, r#loop: &Loop<'c, 'a>) -> bool {
        let nests = nests(self.plan, &r#loop.items);
        nests.iter().any(|nest| !nest.is_empty())
    }

    /// How many lanes the loops inside have, or the loop itself; the fewest of them.
    fn narrowest_lanes(&self, r#loop: &Loop<'c, 'a>) -> i64 {
        let inner = r#loop.items.iter().filter_map(|item| match item {
            Item::Loop(inner) => Some(self.narrowest_lanes(inner)),
            Item::Leaf(_) => None,
        });
        let own = || vector_width(self.plan, r#loop).min(width(&self.applications, r#loop)) as i64;
        inner.min().unwrap_or_else(own)
    }

    /// About how many instructions an iteration of the innermost loop takes.
    fn work(&self, r#loop: &Loop<'c, 'a>) -> i64 {
        let leaves = self.leaves_in(r#loop).into_iter();
        let leaves: Vec<_> = leaves.map(|leaf| &self.plan.leaves[leaf]).collect();
        let work: f64 = leaves.iter().map(|leaf| leaf.swept.instructions).sum();
        let is_given = |source: &Option<Source>| !matches!(source, Some(Source::Computed(_)));
        let gathers = leaves
            .iter()
            .filter(|leaf| leaf.kind == Kind::Gather && leaf.operands.iter().all(is_given));
        (work as i64 + gathers.count() as i64 * GATHERED).max(FEWEST)
    }

    /// Memory for the states of each chunk.
    pub fn per_chunk(
        &self,
        builder: &Builder<'c, 'a>,
        leaves: &[LeafId],
        count: Value<'c, 'a>,
    ) -> Emitted<'c, PerChunk<'c, 'a>> {
        leaves
            .iter()
            .map(|&leaf| {
                let parts = self
                    .chunk_state(builder, leaf)?
                    .into_iter()
                    .map(|part| Ok(builder.allocate(&[Size::Dynamic(count)], part.r#type())?))
                    .collect::<Emitted<Values>>()?;
                Ok((leaf, parts))
            })
            .collect()
    }

    /// What a state is before the first iteration.
    pub fn chunk_state(
        &self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
    ) -> Emitted<'c, Values<'c, 'a>> {
        match self.plan.leaves[leaf].kind {
            Kind::Filter => Ok(vec![builder.index(0)?]),
            _ => Ok(self.neutrals(leaf)),
        }
    }

    /// Folds what the chunks gave.
    fn fold_chunks(
        &mut self,
        builder: &Builder<'c, 'a>,
        fold: LeafId,
        count: Value<'c, 'a>,
        partial: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let neutrals = self.neutrals(fold);
        let folded = builder.for_loop(count, &neutrals, |builder, chunk, carried| {
            let part = load_all(builder, partial, chunk)?;
            self.combined(builder, fold, carried, &part)
        })?;
        self.states.insert(fold, folded);
        self.give_folded(builder, fold)
    }
}

/// The least multiple that is not less than a length. Of grains, such as rows that are computed at
/// once, none is cut apart.
pub(super) fn rounded_up<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    length: Value<'c, 'a>,
    multiple: i64,
) -> Emitted<'c, Value<'c, 'a>> {
    if multiple == 1 {
        return Ok(length);
    }
    let multiple = builder.index(multiple)?;
    let groups = builder.arithmetic("arith.ceildivsi", &[length, multiple])?;
    Ok(builder.arithmetic("arith.muli", &[groups, multiple])?)
}

pub(super) fn store_all<'c, 'a>(
    builder: &Builder<'c, 'a>,
    values: &[Value<'c, 'a>],
    memory: &[Value<'c, 'a>],
    index: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    for (&value, &memory) in values.iter().zip(memory) {
        builder.store(value, memory, &[index])?;
    }
    Ok(())
}

pub(super) fn load_all<'c, 'a>(
    builder: &Builder<'c, 'a>,
    memory: &[Value<'c, 'a>],
    index: Value<'c, 'a>,
) -> Emitted<'c, Values<'c, 'a>> {
    memory
        .iter()
        .map(|&memory| Ok(builder.load(memory, &[index])?))
        .collect()
}

/// The lengths of the nests of loops in a body, outermost first.
fn nests<'c, 'a>(plan: &Plan<'c, 'a>, items: &[Item<'c, 'a>]) -> Vec<Vec<Size<'c, 'a>>> {
    let mut found = Swept::default();
    for item in items {
        match item {
            Item::Leaf(leaf) => {
                let nests = &plan.leaves[*leaf].swept.nests;
                nests.iter().for_each(|nest| found.add(nest.clone()));
            }
            Item::Loop(inner) => {
                found.add(vec![inner.length]);
                for nest in nests(plan, &inner.items) {
                    found.add([vec![inner.length], nest].concat());
                }
            }
        }
    }
    found.nests
}

/// The greatest of the products of the lengths of nests, but 1 at least.
fn greatest_product<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    nests: &[Vec<Size<'c, 'a>>],
) -> Emitted<'c, Value<'c, 'a>> {
    let one = builder.index(1)?;
    nests.iter().try_fold(one, |greatest, nest| {
        let product = nest.iter().try_fold(one, |product, &size| {
            let size = builder.size_value(size)?;
            builder.arithmetic("arith.muli", &[product, size])
        })?;
        Ok(builder.arithmetic("arith.maxsi", &[product, greatest])?)
    })
}

/// The product of the lengths of a nest, if that is known.
fn known_product(nest: &[Size]) -> Option<i64> {
    nest.iter().try_fold(1, |product: i64, size| match size {
        Size::Static(size) => product.checked_mul((*size).max(1)),
        Size::Dynamic(_) => None,
    })
}
