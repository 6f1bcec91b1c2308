//! Which loops that hold other loops compute several iterations at once.
//!
//! An innermost loop is made of vector code if there is any for what is in it
//! ([`widths`](super::widths)). Where it folds, and reads elements that are far apart, as
//! the columns of a matrix, that would be a gather for each vector, and each result has
//! to be folded over the lanes in the end. If the loop around it reads neighbours there,
//! its iterations get the *lanes* instead: every lane folds for itself, one element after
//! the other.
//!
//! If what such a loop reads as vectors is the same for all iterations of the loop around
//! it, as the right matrix of a product is for all rows of the left, then several of these
//! *rows* are computed at once ([`strands`](super::strands)): a vector that was read is used
//! for each of them, from a register.
//!
//! | | accumulators | reads for each multiply-add of a vector |
//! |---|---|---|
//! | lanes fold over the innermost loop | 4 | 2 vectors |
//! | lanes of the loop around it | 4 | 1 vector, ¼ number |
//! | and 8 rows | 16 | ⅛ vector, ½ number |
//!
//! Lanes go to an outer loop if
//! * what is in it has vector forms, and carries nothing through it but folds that are
//!   commutative; no scan, filter or scatter;
//! * in the innermost loops, all that is written is adjacent in the lanes, and all that is read is
//!   the same in all of them, or adjacent. As many reads may be apart, if they are adjacent in the
//!   innermost loop, as others are adjacent in the lanes and apart there: sums of the columns of a
//!   matrix and another one's transpose;
//! * something is read there that is apart in the innermost loop, or that is a window which
//!   slides, as in a convolution; or the innermost loop is known to be short. So a product of a
//!   matrix and a vector stays as it is;
//! * no row is in memory between its loops ([`rows`](super::rows)), of which each lane would
//!   need one.
//!
//! What is apart in the lanes, but the same for all rows, is copied into the order in which
//! the lanes read it ([`packing`](super::packing)); so is what is adjacent there, but apart in the
//! innermost loop, if it turns out to be large. A combinator is packed if all that it reads
//! is in arrays that are complete before, and the lanes and the innermost loop have a part in
//! different components of the index: then the copy is no larger than the operand, but for what
//! fills the last panel.
//!
//! Rows are computed together if what is in their loop carries nothing through it at all.
//! There are as many as make 16 accumulators with two vectors ([`Tile`]; fewer if the CPU has
//! fewer registers), and none if an iteration computes much, since the code is there once for
//! each row.
//!
//! Cost: linear in what [`slopes`](super::slopes) costs.

use std::collections::{BTreeMap, BTreeSet};

use comb_machine::tuning::{
    forms::{TILES, Tile},
    packing::FEWEST_ROWS,
    widths::{LITTLE, MORE, SHORTEST},
};

use super::{
    Options,
    applications::{Applications, Site},
    jam::Jams,
    packing::{self, Reason},
    plan::{Component, Item, Kind, Leaf, LeafId, Loop, LoopId, Plan, Source},
    slopes::{Access, InMemory, Neighbours, accesses},
    widths::{is_vectorizable, lanes_of_numbers, ops_in},
};
use crate::{commutativity::is_commutative, transformations::Transformation};

/// The tile that fits registers for so many vectors, together with what is read.
fn tile(registers: i64) -> Tile {
    let [larger @ .., least] = TILES;
    let fits = |&(least, _): &(i64, Tile)| registers >= least;
    larger.into_iter().find(fits).unwrap_or(least).1
}

/// What is computed at once in loops that hold other loops.
#[derive(Default)]
pub(super) struct Forms {
    lanes: BTreeMap<LoopId, u64>,
    rows: BTreeMap<LoopId, u64>,
    /// Innermost loops in those of rows.
    jammed: BTreeSet<LoopId>,
    /// The combinators that are packed.
    packed: BTreeMap<LeafId, Packing>,
}

/// For which loop of rows a combinator is packed, and why.
#[derive(Clone, Copy)]
struct Packing {
    rows: LoopId,
    reason: Reason,
}

impl Forms {
    /// The forms with and without packing.
    pub fn of<'c: 'a, 'a>(
        plan: &Plan<'c, 'a>,
        applications: &Applications<'_, 'c, 'a>,
        options: Options,
        in_memory: &InMemory,
        is_row: &[Option<usize>],
    ) -> [Self; 2] {
        let [packed, mut other] = [true, false]
            .map(|packs| Self::with_packing(plan, applications, options, in_memory, is_row, packs));
        // Where lanes would gather, it runs only if there are few rows.
        other
            .rows
            .retain(|&rows, _| packed.packs_for(rows, Reason::Spread));
        [packed, other]
    }

    fn pack(&mut self, leaves: impl IntoIterator<Item = LeafId>, rows: &Loop, reason: Reason) {
        let rows = rows.id;
        let leaves = leaves.into_iter();
        self.packed
            .extend(leaves.map(|leaf| (leaf, Packing { rows, reason })));
    }

    /// Whether something is packed for a loop of rows, and for this reason.
    fn packs_for(&self, rows: LoopId, reason: Reason) -> bool {
        let mut packed = self.packed.values();
        packed.any(|packing| packing.rows == rows && packing.reason == reason)
    }

    fn with_packing<'c: 'a, 'a>(
        plan: &Plan<'c, 'a>,
        applications: &Applications<'_, 'c, 'a>,
        options: Options,
        in_memory: &InMemory,
        is_row: &[Option<usize>],
        packs: bool,
    ) -> Self {
        let mut chooser = Chooser {
            plan,
            applications,
            tile: tile(options.machine.registers()),
            large: options.machine.last_cache_bytes,
            accesses: accesses(plan, in_memory),
            in_memory,
            is_row,
            packs,
        };
        let mut forms = Self::default();
        chooser.choose(&plan.items, &mut forms);
        forms
    }

    /// Computes rows of stencils together as well.
    pub fn jam(&mut self, jams: Jams) {
        self.rows.extend(jams.rows);
        self.jammed.extend(jams.inner);
    }

    /// Whether a loop is an innermost one that several rows of a stencil go through at once.
    pub fn is_jammed(&self, r#loop: &Loop) -> bool {
        self.jammed.contains(&r#loop.id)
    }

    /// Whether nothing is computed at once but in innermost loops.
    pub fn is_plain(&self) -> bool {
        self.lanes.is_empty() && self.rows.is_empty()
    }

    /// How many lanes a loop has that holds loops, if it has any.
    pub fn lanes(&self, r#loop: &Loop) -> Option<u64> {
        self.lanes.get(&r#loop.id).copied()
    }

    /// How many iterations of a loop are rows that are computed at once.
    pub fn rows(&self, r#loop: &Loop) -> Option<u64> {
        self.rows.get(&r#loop.id).copied()
    }

    /// How many iterations of the loop with a number there are at once.
    pub fn rows_in(&self, r#loop: LoopId) -> u64 {
        self.rows.get(&r#loop).copied().unwrap_or(1)
    }

    /// Whether a loop with a number has lanes, though it holds loops.
    pub fn has_lanes(&self, r#loop: LoopId) -> bool {
        self.lanes.contains_key(&r#loop)
    }

    /// Whether several iterations of the loop with a number are computed at once, though it
    /// holds loops.
    pub fn is_at_once(&self, r#loop: LoopId) -> bool {
        self.lanes.contains_key(&r#loop) || self.rows.contains_key(&r#loop)
    }

    /// The combinators that are packed for a loop of rows, and why.
    pub fn packed_for(&self, r#loop: &Loop) -> Vec<(LeafId, Reason)> {
        let packed = self.packed.iter();
        let here = packed.filter(|(_, packing)| packing.rows == r#loop.id);
        here.map(|(&leaf, packing)| (leaf, packing.reason))
            .collect()
    }

    /// A number of iterations that a chunk of a loop has a multiple of.
    pub fn grain(&self, r#loop: &Loop) -> i64 {
        let at_once = self.lanes(r#loop).or(self.rows(r#loop));
        at_once.unwrap_or(1) as i64
    }
}

struct Chooser<'p, 'c, 'a> {
    plan: &'p Plan<'c, 'a>,
    applications: &'p Applications<'p, 'c, 'a>,
    tile: Tile,
    /// Arrays of so many bytes do not fit the caches.
    large: i64,
    accesses: Vec<Access<'c, 'a>>,
    in_memory: &'p InMemory,
    /// For each array, how many of its loops it shares with what reads it from memory.
    is_row: &'p [Option<usize>],
    /// Whether operands may be packed.
    packs: bool,
}

impl<'c: 'a, 'a> Chooser<'_, 'c, 'a> {
    fn applies(&self, transformation: Transformation, r#loop: &Loop<'c, 'a>) -> bool {
        self.applications
            .applies(transformation, Site::Loop(r#loop.id))
    }

    fn choose(&mut self, items: &[Item<'c, 'a>], forms: &mut Forms) {
        for item in items {
            let Item::Loop(r#loop) = item else { continue };
            if self.gets_lanes(r#loop) && self.applies(Transformation::OuterLanes, r#loop) {
                let lanes = self.lanes(r#loop, self.vectors(r#loop));
                forms.lanes.insert(r#loop.id, lanes);
                continue;
            }
            self.choose(&r#loop.items, forms);
            if self.packs {
                self.choose_packed(r#loop, forms);
            }
            self.choose_rows(r#loop, forms);
            if self.packs {
                self.choose_spread(r#loop, forms);
            }
        }
    }

    /// Gives lanes to the loops in a loop of rows that could have them if something were
    /// packed.
    fn choose_packed(&mut self, rows: &Loop<'c, 'a>, forms: &mut Forms) {
        if !are_enough(rows) || !self.is_independent(rows) {
            return;
        }
        for inner in inner_loops(&rows.items) {
            let packed = self.apart(inner);
            let is_new = !forms.lanes.contains_key(&inner.id);
            let can_be = packed
                .iter()
                .all(|&leaf| self.is_packable(leaf, rows, inner));
            let panel = self.lanes(inner, self.tile.of_row);
            let are_wide = are_at_least(panel, inner);
            let is_little = self.ops(inner) <= LITTLE;
            if !is_new || packed.is_empty() || !can_be || !are_wide || !is_little {
                continue;
            }
            let unpacked = self.accesses.clone();
            self.accesses
                .retain(|access| access.is_write || !packed.contains(&access.leaf));
            let depth = inner.level;
            let copies = packed.iter();
            let copies = copies.map(|&leaf| Access::at_loops(leaf, self.plan, [depth, depth - 1]));
            self.accesses.extend(copies);
            if self.gets_lanes(inner)
                && self.is_shared(rows, inner)
                && self.applies(Transformation::OuterLanes, inner)
                && self.applies(Transformation::Packing, rows)
            {
                forms
                    .lanes
                    .insert(inner.id, self.lanes(inner, self.tile.alone));
                forms.pack(packed, rows, Reason::Apart);
            } else {
                self.accesses = unpacked;
            }
        }
    }

    /// Packs what lanes read as vectors that are apart in the innermost loop, for a loop of rows
    /// that are computed at once.
    fn choose_spread(&self, rows: &Loop<'c, 'a>, forms: &mut Forms) {
        let has_rows = forms.rows.contains_key(&rows.id);
        if !has_rows || !are_enough(rows) || forms.packs_for(rows.id, Reason::Apart) {
            return;
        }
        let with_lanes = inner_loops(&rows.items).filter(|inner| {
            let panel = forms.lanes(inner);
            panel.is_some_and(|panel| are_at_least(panel, inner))
        });
        let leaves: Vec<LeafId> = with_lanes
            .flat_map(|columns| {
                let spread = self.spread(columns).into_iter();
                spread.filter(|&leaf| {
                    self.is_packable(leaf, rows, columns) && self.may_be_large(leaf, columns)
                })
            })
            .collect();
        if !leaves.is_empty() && self.applies(Transformation::Packing, rows) {
            forms.pack(leaves, rows, Reason::Spread);
        }
    }

    /// The combinators in the loop inside a loop of columns that read what is adjacent there, but
    /// apart inside.
    fn spread(&self, columns: &Loop<'c, 'a>) -> BTreeSet<LeafId> {
        let [across, along] = [columns.level - 1, columns.level];
        let reads = self
            .deep_accesses(columns)
            .filter(|access| !access.is_write);
        let spread = reads.filter(|read| {
            read.neighbours(across) == Neighbours::Adjacent
                && read.neighbours(along) == Neighbours::Apart
                && read.separates(across, along)
        });
        spread.map(|read| read.leaf).collect()
    }

    /// Whether what a combinator gives in the loop inside a loop of columns is not known to fit the
    /// caches.
    fn may_be_large(&self, number: LeafId, columns: &Loop<'c, 'a>) -> bool {
        let leaf = &self.plan.leaves[number];
        let depth = inner_loops(&columns.items).find(|inner| leaf.path.contains(&inner.id));
        let length = |r#loop: &Loop| r#loop.length.known();
        let known = length(columns).zip(depth.and_then(length));
        let least = packing::fewest_elements(self.large, self.plan, leaf) as u64;
        known.is_none_or(|(columns, depth)| columns.saturating_mul(depth) >= least)
    }

    /// The combinators that read what is apart in a loop, in the loops inside.
    fn apart(&self, r#loop: &Loop<'c, 'a>) -> BTreeSet<LeafId> {
        let reads = self.deep_accesses(r#loop).filter(|access| !access.is_write);
        let apart = reads.filter(|read| read.neighbours(r#loop.level - 1) == Neighbours::Apart);
        apart.map(|read| read.leaf).collect()
    }

    /// Whether what a combinator gives in the loop inside a loop of columns is the same for
    /// all rows, and computed from arrays that are complete.
    fn is_packable(&self, number: LeafId, rows: &Loop<'c, 'a>, columns: &Loop<'c, 'a>) -> bool {
        let leaf = &self.plan.leaves[number];
        let is_given = |operand: &Option<Source>| !matches!(operand, Some(Source::Computed(_)));
        let gathers = leaf
            .components
            .iter()
            .filter_map(|component| match component {
                Component::Label(label) => Some(self.plan.labels.get(label)),
                Component::Loop { .. } => None,
            });
        let mut positions = gathers.map(|gather| {
            gather.is_some_and(|&gather| self.plan.leaves[gather].operands.iter().all(is_given))
        });
        let mut reads = self.accesses.iter().filter(|access| access.leaf == number);
        matches!(leaf.kind, Kind::Gather | Kind::Backpermute | Kind::Map)
            && leaf.path.len() == columns.level + 1
            && leaf.operands.iter().all(is_given)
            && positions.all(|is_given| is_given)
            && leaf.results().all(|array| !self.in_memory.written[array])
            && reads.all(|read| {
                let position = columns.level - 1;
                let is_apart = read.neighbours(position) == Neighbours::Apart;
                read.neighbours(rows.level - 1) == Neighbours::Same
                    && (!is_apart || read.separates(position, position + 1))
            })
    }

    /// Makes iterations of a loop rows that are computed at once, if that is worth it.
    fn choose_rows(&self, r#loop: &Loop<'c, 'a>, forms: &mut Forms) {
        let shared: Vec<&Loop> = inner_loops(&r#loop.items)
            .filter(|inner| forms.lanes.contains_key(&inner.id) && self.is_shared(r#loop, inner))
            .collect();
        let accumulators = shared.iter().map(|inner| self.accumulators(inner)).max();
        let Some(accumulators) = accumulators else {
            return;
        };
        let rows = self.tile.accumulators / self.tile.of_row / accumulators.max(1);
        let are_many = are_at_least(rows, r#loop);
        let is_little = shared.iter().all(|inner| self.ops(inner) <= LITTLE);
        if rows < 2 || !are_many || !is_little || !self.is_independent(r#loop) {
            return;
        }
        if !self.applies(Transformation::Rows, r#loop) {
            return;
        }
        forms.rows.insert(r#loop.id, rows);
        for inner in shared {
            let lanes = self.lanes(inner, self.tile.of_row * accumulators);
            forms.lanes.insert(inner.id, lanes);
        }
    }

    /// Whether the iterations of a loop get lanes, though there are loops in it.
    fn gets_lanes(&self, r#loop: &Loop<'c, 'a>) -> bool {
        let position = r#loop.level - 1;
        let has_loops = inner_loops(&r#loop.items).next().is_some();
        has_loops
            && is_long(r#loop)
            && self
                .leaves(r#loop)
                .all(|leaf| is_vectorizable(self.plan, leaf) && may_have_lanes(leaf, r#loop.level))
            && !self.has_row(r#loop.id, position)
            && self.has_few_apart(r#loop)
            && self.writes(r#loop).all(|write| {
                self.plan.leaves[write.leaf].outer < r#loop.level
                    || write.neighbours(position) == Neighbours::Adjacent
            })
            && self.is_worth_it(r#loop)
    }

    /// Whether nothing is apart in the lanes of a loop, or no more reads are than are apart in the
    /// innermost loops: each lane goes along a line of memory then, where lanes of the innermost
    /// loops would each take a number of another line.
    fn has_few_apart(&self, r#loop: &Loop<'c, 'a>) -> bool {
        let lanes = r#loop.level - 1;
        let are = |access: &Access, in_lanes, innermost| {
            let last = self.plan.leaves[access.leaf].path.len() - 1;
            !access.is_write
                && access.neighbours(lanes) == in_lanes
                && access.neighbours(last) == innermost
        };
        let (mut apart, mut along, mut across) = (0, 0, 0);
        for access in self.deep_accesses(r#loop) {
            apart += usize::from(access.neighbours(lanes) == Neighbours::Apart);
            along += usize::from(are(access, Neighbours::Apart, Neighbours::Adjacent));
            across += usize::from(are(access, Neighbours::Adjacent, Neighbours::Apart));
        }
        apart == along && along <= across
    }

    /// How many vectors the lanes of a loop that holds loops are, with little to do. If each lane
    /// goes along a line of memory, lines of more than one vector would not stay in the first
    /// cache.
    fn vectors(&self, r#loop: &Loop<'c, 'a>) -> u64 {
        let lanes = r#loop.level - 1;
        let mut accesses = self.deep_accesses(r#loop);
        match accesses.any(|access| access.neighbours(lanes) == Neighbours::Apart) {
            true => 1,
            false => self.tile.alone,
        }
    }

    /// Whether the innermost loops would better not have the lanes.
    fn is_worth_it(&self, r#loop: &Loop<'c, 'a>) -> bool {
        let lanes = r#loop.level - 1;
        let mut reads = self.deep_accesses(r#loop).filter(|access| !access.is_write);
        let fits_better = reads.any(|read| {
            let innermost = self.plan.leaves[read.leaf].path.len() - 1;
            let is_adjacent = |position| read.neighbours(position) == Neighbours::Adjacent;
            let is_apart = read.neighbours(innermost) == Neighbours::Apart;
            is_apart || (is_adjacent(lanes) && is_adjacent(innermost))
        });
        fits_better || inner_loops(&r#loop.items).all(|inner| !is_long(inner))
    }

    /// Whether vectors that are read in a loop are the same for all iterations of the
    /// loop around it.
    fn is_shared(&self, outer: &Loop<'c, 'a>, inner: &Loop<'c, 'a>) -> bool {
        self.deep_accesses(inner).any(|access| {
            !access.is_write
                && access.neighbours(inner.level - 1) == Neighbours::Adjacent
                && access.neighbours(outer.level - 1) == Neighbours::Same
        })
    }

    /// Whether iterations of a loop neither depend on each other nor are counted.
    fn is_independent(&self, r#loop: &Loop<'c, 'a>) -> bool {
        self.leaves(r#loop).all(|leaf| {
            leaf.clock.is_none()
                && !leaf.has_inner_arrays()
                && match leaf.kind {
                    Kind::Filter | Kind::Scatter => false,
                    Kind::Fold => leaf.outer >= r#loop.level,
                    Kind::ScanLeft | Kind::ScanRight => leaf.lengths.len() > r#loop.level,
                    _ => true,
                }
        })
    }

    /// How many accumulators a lane has in the innermost loops.
    fn accumulators(&self, r#loop: &Loop<'c, 'a>) -> u64 {
        let folds = self.leaves(r#loop).filter(|leaf| leaf.kind == Kind::Fold);
        let inside = folds.filter(|leaf| leaf.path.len() > r#loop.level);
        inside.map(|leaf| leaf.view.result_types.len() as u64).sum()
    }

    /// How many iterations of a loop are computed at once, if there are so many
    /// accumulators and not much to do.
    fn lanes(&self, r#loop: &Loop<'c, 'a>, vectors: u64) -> u64 {
        let leaves: Vec<&Leaf> = self.leaves(r#loop).collect();
        let most = match self.ops(r#loop) {
            ops if ops <= LITTLE => vectors,
            ops if ops <= MORE => vectors / 2,
            _ => 1,
        };
        let vectors = (most / self.accumulators(r#loop).max(1)).max(1);
        lanes_of_numbers(&leaves) * (1 << vectors.ilog2())
    }

    /// How many ops there are in the innermost loops.
    fn ops(&self, r#loop: &Loop<'c, 'a>) -> usize {
        let leaves = self.leaves(r#loop);
        ops_in(leaves.filter(|leaf| leaf.path.len() > r#loop.level))
    }

    /// Whether a row in memory belongs to one iteration of a loop.
    fn has_row(&self, r#loop: LoopId, position: usize) -> bool {
        self.plan
            .arrays
            .iter()
            .zip(self.is_row)
            .any(|(array, row)| {
                let path = &self.plan.leaves[array.leaf].path;
                path.contains(&r#loop) && row.is_some_and(|shared| shared > position)
            })
    }

    fn leaves(&self, r#loop: &Loop<'c, 'a>) -> impl Iterator<Item = &Leaf<'c, 'a>> {
        let id = r#loop.id;
        let leaves = self.plan.leaves.iter();
        leaves.filter(move |leaf| leaf.path.contains(&id))
    }

    /// What is read, or written at each iteration, in the loops inside a loop.
    fn deep_accesses(&self, r#loop: &Loop<'c, 'a>) -> impl Iterator<Item = &Access<'c, 'a>> {
        let (id, level) = (r#loop.id, r#loop.level);
        self.accesses.iter().filter(move |access| {
            let leaf = &self.plan.leaves[access.leaf];
            leaf.path.contains(&id)
                && leaf.path.len() > level
                && !(access.is_write && leaf.kind == Kind::Fold)
        })
    }

    fn writes(&self, r#loop: &Loop<'c, 'a>) -> impl Iterator<Item = &Access<'c, 'a>> {
        let id = r#loop.id;
        let writes = self.accesses.iter().filter(|access| access.is_write);
        writes.filter(move |write| self.plan.leaves[write.leaf].path.contains(&id))
    }
}

fn inner_loops<'s, 'c, 'a>(items: &'s [Item<'c, 'a>]) -> impl Iterator<Item = &'s Loop<'c, 'a>> {
    items.iter().filter_map(|item| match item {
        Item::Loop(inner) => Some(inner),
        Item::Leaf(_) => None,
    })
}

/// Whether there are not known to be too few rows for packing.
fn are_enough(rows: &Loop) -> bool {
    are_at_least(FEWEST_ROWS as u64, rows)
}

/// Whether a loop is not known to have fewer iterations.
fn are_at_least(fewest: u64, r#loop: &Loop) -> bool {
    r#loop.length.known().is_none_or(|length| length >= fewest)
}

/// Whether a loop is not known to be too short for lanes.
fn is_long(r#loop: &Loop) -> bool {
    are_at_least(SHORTEST as u64, r#loop)
}

/// Whether iterations of a loop of a level may be lanes, as far as a combinator in it is
/// concerned: nothing is carried from one to the next, or it is folded in any order.
fn may_have_lanes(leaf: &Leaf, level: usize) -> bool {
    leaf.clock.is_none()
        && match leaf.kind {
            Kind::Filter | Kind::Scatter | Kind::ScanLeft | Kind::ScanRight => false,
            Kind::Fold => leaf.outer >= level || is_commutative(&leaf.view),
            _ => true,
        }
}
