//! Rows of a stencil that are computed together: *unroll and jam*.
//!
//! A stencil reads several rows of an array for each row that it computes, and the next row
//! needs most of them again. If a few rows are computed at the same iterations of the loop over
//! columns, a vector that was read is used for each of them, from a register; and so is what is
//! added up of one row for all that need it.
//!
//! | | vectors read for each vector of life's nine cells |
//! |---|---|
//! | a row at a time | 9 |
//! | 2 rows | 6 |
//! | 4 rows | 4½ |
//!
//! 1. [`jams`] finds loops over rows. All that is in such a loop are innermost loops of vector
//!    code, which carry nothing and cannot fail. One of these holds for all of them:
//!    * They compute little, read several vectors for a row, and no more than ¾ of these if there
//!      are several rows at once, as polynomials over the loops' indices tell
//!      ([`regions`](super::regions)): the index at which a row reads is that of another row.
//!      There are 4 rows, or 2, so that all vectors that are read fit the registers.
//!    * They compute so much that they wait for that, and not for loads, and two rows at once save
//!      a tenth of it ([`shared_work`]).
//! 2. Each row is a [strand](super::strands), with the rows in memory that belong to it. The
//!    loops inside go through whole vectors, and then through those at both ends of the rows, in
//!    front of the first line and behind the last, with masks.
//! 3. At an iteration all rows are computed first, and then all are written ([`Write`]). So
//!    nothing is written between reads, and the clean-up behind this pass can tell which are
//!    the same. The loop asks once for all rows whether they are written
//!    [past the caches](super::streaming).
//! 4. The rows that are left over are computed one by one.
//!
//! Source: unroll-and-jam is from Allen and Cocke (A Catalogue of Optimizing Transformations,
//! 1972); to use it for registers, and to count what is read again, from Carr and Kennedy
//! (Improving the Ratio of Memory Operations to Floating-Point Operations in Loops, TOPLAS 1994).
//!
//! Cost: quadratic in the number of reads, linear in that of ops. The code of a loop is there four
//! times for whole vectors and four times for the ends, but for what is the same, and once more
//! each for the rows that are left over.

mod shared_work;

use std::collections::{BTreeMap, BTreeSet};

use comb_machine::tuning::{
    VECTOR_BITS,
    jam::{FEWEST_READS, LEAST_SAVED, LEAST_WORK, MOST_OPS, OTHER_REGISTERS, ROWS, ROWS_FOR_WORK},
};
use melior::ir::{Value, ValueLike};
use soac_dialect::{
    builder::{Builder, Predicate},
    view::op_name,
};

use self::shared_work::work_of_rows;
use super::{
    applications::{Applications, Site},
    emitter::{Emitted, Emitter, Place},
    lanes::Lanes,
    leads::Bounds,
    nest::whole_steps,
    plan::{Item, Kind, Leaf, Loop, LoopId, Plan, Source},
    regions::{Index, Regions},
    streaming::Stores,
    widths::{bits_in_memory, element, ops_in, width},
};
use crate::{checks::facts::key, transformations::Transformation, walk::operations};

/// Loops of which several iterations are computed together.
#[derive(Default)]
pub(super) struct Jams {
    /// The loops over rows, with the number of rows.
    pub rows: BTreeMap<LoopId, u64>,
    /// The loops inside them, which all rows go through at once.
    pub inner: BTreeSet<LoopId>,
}

/// An element that is to be written when all rows have been computed.
pub(super) struct Write<'c, 'a> {
    pub place: Place<'c, 'a>,
    pub index: Vec<Lanes<'c, 'a>>,
    pub element: Lanes<'c, 'a>,
}

/// The loops of a plan of which several iterations are computed together, given the number of
/// registers.
pub(super) fn jams<'c: 'a, 'a>(applications: &Applications<'_, 'c, 'a>, registers: i64) -> Jams {
    let mut jams = Jams::default();
    let plan = applications.plan;
    let mut search = Search {
        plan,
        applications,
        regions: Regions::of(plan),
        registers,
    };
    search.loops(&plan.items, &mut jams);
    jams
}

struct Search<'p, 'c, 'a> {
    plan: &'p Plan<'c, 'a>,
    applications: &'p Applications<'p, 'c, 'a>,
    regions: Regions<'p, 'c, 'a>,
    registers: i64,
}

/// Reads of whole vectors in an innermost loop.
struct Reads<'c, 'a> {
    /// The arrays, and the indices at an iteration, as far as these are known. None is there
    /// twice.
    known: Vec<(Value<'c, 'a>, Index)>,
    /// How many others there are.
    others: usize,
    /// How many registers the widest takes.
    registers: i64,
}

impl<'p, 'c: 'a, 'a> Search<'p, 'c, 'a> {
    fn loops(&mut self, items: &[Item<'c, 'a>], jams: &mut Jams) {
        for item in items {
            let Item::Loop(r#loop) = item else { continue };
            let Some(inner) = self.loops_of_rows(r#loop) else {
                self.loops(&r#loop.items, jams);
                continue;
            };
            let jam = || {
                self.applications
                    .applies(Transformation::Jam, Site::Loop(r#loop.id))
            };
            if let Some(rows) = self.rows(r#loop, &inner).filter(|_| jam()) {
                jams.rows.insert(r#loop.id, rows);
                jams.inner.extend(inner.iter().map(|inner| inner.id));
            }
        }
    }

    /// The loops in a loop, if it may be one over rows: several iterations can be computed
    /// together.
    fn loops_of_rows<'l>(&self, r#loop: &'l Loop<'c, 'a>) -> Option<Vec<&'l Loop<'c, 'a>>> {
        let inner = r#loop.items.iter().map(|item| match item {
            Item::Loop(inner) if width(self.applications, inner) > 1 => Some(inner),
            _ => None,
        });
        let inner: Vec<&Loop> = inner.collect::<Option<_>>()?;
        let may_be = |inner: &&Loop<'c, 'a>| self.plan.leaves_of(inner).all(is_free);
        (!inner.is_empty() && inner.iter().all(may_be)).then_some(inner)
    }

    /// How many rows are computed together, if that is worth it.
    fn rows(&mut self, r#loop: &Loop<'c, 'a>, inner: &[&Loop<'c, 'a>]) -> Option<u64> {
        let for_reads = self.rows_for_reads(r#loop, inner);
        for_reads.or_else(|| {
            let is_worth_it = has_rows(r#loop, ROWS_FOR_WORK) && self.saves_work(r#loop, inner);
            is_worth_it.then_some(ROWS_FOR_WORK)
        })
    }

    /// The same if that is for what rows read.
    fn rows_for_reads(&mut self, r#loop: &Loop<'c, 'a>, inner: &[&Loop<'c, 'a>]) -> Option<u64> {
        let ops = |inner: &&Loop<'c, 'a>| ops_in(self.plan.leaves_of(inner));
        if inner.iter().map(ops).any(|ops| ops > MOST_OPS) {
            return None;
        }
        let reads: Vec<Reads> = inner
            .iter()
            .map(|inner| self.reads(r#loop, inner))
            .collect();
        ROWS.into_iter().find(|&rows| {
            has_rows(r#loop, rows)
                && reads
                    .iter()
                    .all(|reads| self.saves_reads(reads, r#loop.id, rows))
        })
    }

    /// Whether rows compute much, and enough of it in common.
    fn saves_work(&mut self, rows: &Loop<'c, 'a>, inner: &[&Loop<'c, 'a>]) -> bool {
        let work = inner
            .iter()
            .map(|inner| work_of_rows(self.plan, &mut self.regions, [rows, inner], ROWS_FOR_WORK));
        let [alone, together] = work.fold([0.0; 2], |[alone, together], work| {
            [alone + work[0], together + work[1]]
        });
        alone > LEAST_WORK * ROWS_FOR_WORK as f64 && together <= (1.0 - LEAST_SAVED) * alone
    }

    /// Whether so many rows read enough of the same vectors, and all of these fit the registers.
    fn saves_reads(&mut self, reads: &Reads<'c, 'a>, rows: LoopId, count: u64) -> bool {
        let alone = reads.known.len() + reads.others;
        let together = self.reads_of_rows(reads, rows, count);
        let fit = together as i64 * reads.registers + OTHER_REGISTERS <= self.registers;
        alone >= FEWEST_READS && 4 * together <= 3 * alone * count as usize && fit
    }

    /// What an innermost loop reads that is another vector for each row.
    fn reads(&mut self, rows: &Loop<'c, 'a>, inner: &Loop<'c, 'a>) -> Reads<'c, 'a> {
        let plan = self.plan;
        let lanes = width(self.applications, inner);
        let mut found = Reads {
            known: vec![],
            others: 0,
            registers: 1,
        };
        for array in given_arrays(plan, inner) {
            let bits = lanes * bits_in_memory(element(array.r#type()));
            let registers = bits.div_ceil(VECTOR_BITS) as i64;
            found.registers = found.registers.max(registers);
            for read in self.regions.reads(array) {
                if plan.leaves[read.leaf].path.last() != Some(&inner.id) {
                    continue;
                }
                let known = (array, read.index);
                let loops = [rows.id, inner.id];
                let is_vector = loops.map(|r#loop| self.regions.changes_with(&known.1, r#loop));
                if !known.1.iter().all(Option::is_some) {
                    found.others += 1;
                } else if is_vector == [true, true] && !found.known.contains(&known) {
                    found.known.push(known);
                }
            }
        }
        found
    }

    /// How many vectors an iteration reads for so many rows.
    fn reads_of_rows(&mut self, reads: &Reads<'c, 'a>, rows: LoopId, count: u64) -> usize {
        let mut together: Vec<(Value, Index)> = vec![];
        for (array, index) in &reads.known {
            for row in 0..count {
                let read = (*array, self.regions.later(index, rows, row as i64));
                if !together.contains(&read) {
                    together.push(read);
                }
            }
        }
        together.len() + reads.others * count as usize
    }
}

/// Whether a loop may have so many iterations.
fn has_rows(r#loop: &Loop, rows: u64) -> bool {
    r#loop.length.known().is_none_or(|length| length >= rows)
}

/// The arrays that combinators in an innermost loop read, and which are complete before.
fn given_arrays<'c: 'a, 'a>(plan: &Plan<'c, 'a>, inner: &Loop<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut arrays: BTreeMap<usize, Value> = BTreeMap::new();
    let operands = plan.leaves_of(inner).flat_map(|leaf| &leaf.operands);
    for operand in operands {
        if let &Some(Source::Given(array)) = operand {
            arrays.insert(key(array), array);
        }
    }
    arrays.into_values().collect()
}

/// Whether iterations of a combinator may run in any order, and cannot fail.
fn is_free(leaf: &Leaf) -> bool {
    let is_safe = match leaf.kind {
        Kind::Generate => true,
        Kind::Map => !leaf.is_map_of_arrays(),
        Kind::Backpermute => leaf.view.flag("unchecked"),
        _ => false,
    };
    let mut ops = operations(leaf.op).into_iter();
    is_safe
        && leaf.clock.is_none()
        && !leaf.has_inner_arrays()
        && ops.all(|op| !matches!(op_name(op), "soac.check" | "tensor.extract"))
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Iterations of a loop inside one over rows: whole vectors, and then both ends.
    pub fn vectors_of_rows(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        bounds: Bounds<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let (lead, [first, end]) = self.cut_behind_lead(builder, r#loop, bounds)?;
        let step = builder.index(lanes as i64)?;
        let [whole_end, _] = whole_steps(builder, [first, end], step)?;
        self.whole_vectors(builder, r#loop, lanes, [first, whole_end])?;
        match lead {
            Some(lead) => self.ends_of_rows(builder, r#loop, lanes, [lead, [whole_end, end]]),
            None => self.masked(builder, r#loop, lanes, [whole_end, end]),
        }
    }

    /// Iterations at both ends of rows, by the same code.
    fn ends_of_rows(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        lanes: u64,
        [lead, behind]: [Bounds<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        self.carrying(|this, carried| {
            builder.for_loop(builder.index(2)?, carried, |builder, number, carried| {
                let is_lead = builder.compare(Predicate::Eq, number, builder.index(0)?)?;
                let first = builder.select(is_lead, lead[0], behind[0])?;
                let end = builder.select(is_lead, lead[1], behind[1])?;
                this.aside(|this| {
                    this.set_carried(carried);
                    this.masked(builder, r#loop, lanes, [first, end])
                })
            })
        })
    }

    /// Runs the body of a loop. If it is for several rows, what it writes is written when all
    /// of them are computed.
    pub fn items_then_writes(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, ()> {
        if self.strands.is_empty() || !self.forms.is_jammed(r#loop) {
            return self.items(builder, &r#loop.items);
        }
        self.writes = Some(vec![]);
        let done = self.items(builder, &r#loop.items);
        let writes = self.writes.take().unwrap_or_default();
        done?;
        match self.stores {
            Stores::Either(streams) if self.now.scope.mask.is_none() => {
                self.write_either_way(builder, r#loop, &writes, streams)
            }
            _ => self.write_all(builder, &writes),
        }
    }

    /// Writes whole vectors into the caches, or past them if a condition holds; then the rows
    /// below are fetched.
    fn write_either_way(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        writes: &[Write<'c, 'a>],
        streams: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let rows_ahead = self.rows_ahead(builder, r#loop);
        let (lanes, rows) = (self.now.scope.width, self.strands.len() + 1);
        self.carrying_either(builder, streams, |this, builder, streams| match streams {
            true => {
                this.storing(Stores::PastCaches, |this| this.write_all(builder, writes))?;
                let mut ahead = rows_ahead.iter();
                ahead.try_for_each(|ahead| ahead.fetch(builder, lanes, rows))
            }
            false => this.storing(Stores::Cached, |this| this.write_all(builder, writes)),
        })
    }

    fn write_all(
        &mut self,
        builder: &Builder<'c, 'a>,
        writes: &[Write<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let mut writes = writes.iter();
        writes.try_for_each(|write| self.write(builder, &write.place, &write.index, write.element))
    }
}
