//! Copies of operands in the order in which lanes read them.
//!
//! The product of a matrix with a transposed one, `a bᵀ`, reads rows of both. For lanes
//! that are columns of the result, the elements of b at one iteration are far apart. They
//! are the same for all rows of a, so they are copied once, into memory in which they are
//! next to each other.
//!
//! As many columns as are computed at once are a *panel*: what a combinator computes at iteration
//! `(…, j, c)` is at `[j / width, c, j % width]`. So the innermost loop goes through a panel from one
//! line of the cache to the next, and what the CPU fetches ahead is what is read next. Without
//! panels, each of its lines would be in another page, and many in the same set of a cache.
//!
//! In the product with a matrix that is not transposed, `a b`, lanes read neighbours. But again each
//! line of the cache is in another page, if the matrix is wide. So b is copied into panels as well,
//! if it is large: one that fits the caches is not worth it.
//!
//! [`forms`](super::forms) says which combinators are packed, and for which loop of rows.
//! The copy is as large as the loops over `j` and `c` are long, but for what the last panel has
//! besides, and takes about as long as one row without lanes. So it is made if there are
//! [`FEWEST_ROWS`], and as many columns as a panel has, most of which would be empty otherwise. If
//! that is not known before the program runs, there is code for both.
//!
//! Checks in what is packed are made while it is copied: if there are rows at all, they
//! would have been made for each.
//!
//! Source: panels are those of Goto and van de Geijn (Anatomy of High-Performance Matrix
//! Multiplication, TOMS 2008).

use std::collections::BTreeSet;

use comb_machine::tuning::packing::{COLUMNS_AT_ONCE, FEWEST_ROWS, PART_OF_CACHES};
use melior::ir::Value;
use soac_dialect::builder::{Builder, Predicate, Size};

use super::{
    emitter::{Emitted, Emitter, Place, Values},
    lanes::Lanes,
    nest::States,
    plan::{Item, Leaf, LeafId, Loop, LoopId, Plan},
    widths::bits_in_memory,
};
use crate::checks::emit::Emit;

/// Why something is packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// What lanes read is apart.
    Apart,
    /// What one vector after the other is read from is, and it is large.
    Spread,
}

/// With fewer elements, what a combinator gives is not large, where arrays of so many bytes do not fit
/// the caches.
pub(super) fn fewest_elements(large: i64, plan: &Plan, leaf: &Leaf) -> i64 {
    let results = leaf.results().map(|array| plan.arrays[array].element);
    let bytes = results.map(|element| bits_in_memory(element) as i64 / 8);
    large / PART_OF_CACHES / bytes.sum::<i64>().max(1)
}

/// A copy of what a combinator gives.
#[derive(Clone)]
pub(super) struct Packed<'c, 'a> {
    /// The loop of rows that all read it.
    rows: LoopId,
    /// How many columns a panel has.
    width: i64,
    /// Whether it is packed at all; nothing if that is known.
    is_worth_it: Option<Value<'c, 'a>>,
    /// One for each result.
    places: Vec<Place<'c, 'a>>,
}

/// A combinator that is to be packed, with the loops that it is in.
struct Operand<'s, 'c, 'a> {
    leaf: LeafId,
    reason: Reason,
    columns: &'s Loop<'c, 'a>,
    depth: &'s Loop<'c, 'a>,
    /// How many columns are computed at once.
    width: i64,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Copies what is packed for a loop of rows, in front of it, if there are enough rows
    /// and columns.
    pub fn pack(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        in_parallel: bool,
    ) -> Emitted<'c, ()> {
        let leaves = self.forms.packed_for(r#loop).into_iter();
        let operands: Vec<Operand> = leaves
            .filter_map(|(leaf, reason)| self.operand(leaf, reason, r#loop))
            .collect();
        if operands.is_empty() {
            return Ok(());
        }
        let is_worth_it = self.is_worth_packing(builder, r#loop, &operands)?;
        for operand in operands {
            let packed = Packed {
                rows: r#loop.id,
                width: operand.width,
                is_worth_it,
                places: self.allocate_packed(builder, &operand, is_worth_it)?,
            };
            let this = std::cell::RefCell::new(&mut *self);
            let fill = |builder: &Builder<'c, 'a>| {
                this.borrow_mut()
                    .fill(builder, &operand, &packed, in_parallel)?;
                Emitted::Ok(vec![])
            };
            match is_worth_it {
                Some(condition) => {
                    builder.if_else(condition, &[], fill, |_| Ok(vec![]))?;
                }
                None => {
                    fill(builder)?;
                }
            }
            self.packed.insert(operand.leaf, packed);
        }
        Ok(())
    }

    /// A combinator that is packed for a loop of rows, with the loop of columns inside, and the
    /// innermost one.
    fn operand<'s>(
        &self,
        leaf: LeafId,
        reason: Reason,
        rows: &'s Loop<'c, 'a>,
    ) -> Option<Operand<'s, 'c, 'a>> {
        let inside = |r#loop: &'s Loop<'c, 'a>| {
            let path = &self.plan.leaves[leaf].path;
            r#loop.items.iter().find_map(|item| match item {
                Item::Loop(inner) if path.contains(&inner.id) => Some(inner),
                _ => None,
            })
        };
        let columns = inside(rows)?;
        Some(Operand {
            leaf,
            reason,
            columns,
            depth: inside(columns)?,
            width: self.forms.lanes(columns)? as i64,
        })
    }

    /// Whether there are enough rows and columns, and elements where these must be many; nothing if
    /// that is known.
    fn is_worth_packing(
        &self,
        builder: &Builder<'c, 'a>,
        rows: &Loop<'c, 'a>,
        operands: &[Operand<'_, 'c, 'a>],
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        let mut least: Vec<(Size, i64)> = vec![];
        let mut require = |size: Size<'c, 'a>, fewest: i64| {
            let wanted = (size, fewest);
            if size.known().is_none() && !least.contains(&wanted) {
                least.push(wanted);
            }
        };
        require(rows.length, FEWEST_ROWS);
        for operand in operands {
            require(operand.columns.length, operand.width);
            if let Some(elements) = self.unknown_elements(builder, operand)? {
                let leaf = &self.plan.leaves[operand.leaf];
                require(
                    elements,
                    fewest_elements(self.options.machine.last_cache_bytes, self.plan, leaf),
                );
            }
        }
        let enough = least.into_iter().map(|(size, fewest)| {
            let size = builder.size_value(size)?;
            builder.compare(Predicate::Sge, size, builder.index(fewest)?)
        });
        let enough = enough.collect::<Result<Values, _>>()?;
        match enough.is_empty() {
            true => Ok(None),
            false => Ok(Some(builder.all(&enough)?)),
        }
    }

    /// How many elements an operand has, if it is packed only if there are many, and that is not
    /// known.
    fn unknown_elements(
        &self,
        builder: &Builder<'c, 'a>,
        operand: &Operand<'_, 'c, 'a>,
    ) -> Emitted<'c, Option<Size<'c, 'a>>> {
        let lengths = [operand.columns.length, operand.depth.length];
        let are_known = lengths.iter().all(|length| length.known().is_some());
        if operand.reason == Reason::Apart || are_known {
            return Ok(None);
        }
        let lengths = [
            builder.size_value(lengths[0])?,
            builder.size_value(lengths[1])?,
        ];
        let elements = builder.arithmetic("arith.muli", &lengths)?;
        Ok(Some(Size::Dynamic(elements)))
    }

    fn allocate_packed(
        &self,
        builder: &Builder<'c, 'a>,
        operand: &Operand<'_, 'c, 'a>,
        is_worth_it: Option<Value<'c, 'a>>,
    ) -> Emitted<'c, Vec<Place<'c, 'a>>> {
        let width = operand.width;
        let mut panels = match operand.columns.length {
            Size::Static(length) => Size::Static((length + width - 1) / width),
            Size::Dynamic(length) => {
                let operands = [length, builder.index(width)?];
                Size::Dynamic(builder.arithmetic("arith.ceildivsi", &operands)?)
            }
        };
        if let Some(condition) = is_worth_it {
            let (all, none) = (builder.size_value(panels)?, builder.index(0)?);
            panels = Size::Dynamic(builder.select(condition, all, none)?);
        }
        let sizes = [panels, operand.depth.length, Size::Static(width)];
        let results = self.plan.leaves[operand.leaf].results();
        let places = results.map(|array| {
            let element = self.plan.arrays[array].element;
            Ok(Place {
                memory: builder.allocate(&sizes, element)?,
                sizes: sizes.to_vec(),
                pitches: sizes.to_vec(),
                skipped: 0,
                is_read: true,
                is_aligned: false,
            })
        });
        places.collect()
    }

    /// Runs one combinator for all columns and depths, as for the first row.
    fn fill(
        &mut self,
        builder: &Builder<'c, 'a>,
        operand: &Operand<'_, 'c, 'a>,
        packed: &Packed<'c, 'a>,
        in_parallel: bool,
    ) -> Emitted<'c, ()> {
        let &Operand { leaf, columns, .. } = operand;
        let alone = with_only(operand.depth, Item::Leaf(leaf));
        let alone = with_only(columns, Item::Loop(alone));
        let before = self.moment();
        let selected = self.selected.replace(BTreeSet::from([leaf]));
        self.states = States::new();
        let first_row = builder.index(0)?;
        self.now.index.push(Lanes::Uniform(first_row));
        self.packing = Some(packed.clone());
        let length = builder.size_value(columns.length)?;
        let done = match in_parallel {
            true => self.fill_in_parallel(builder, &alone, length),
            false => self.run_loop(builder, &alone, [first_row, length]),
        };
        self.packing = None;
        self.selected = selected;
        self.return_to(before);
        done
    }

    fn fill_in_parallel(
        &mut self,
        builder: &Builder<'c, 'a>,
        columns: &Loop<'c, 'a>,
        length: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        let step = builder.index(COLUMNS_AT_ONCE)?;
        let count = builder.arithmetic("arith.ceildivsi", &[length, step])?;
        builder.parallel_loop(count, "contiguous", |builder, chunk| {
            let first = builder.arithmetic("arith.muli", &[chunk, step])?;
            let end = builder.arithmetic("arith.addi", &[first, step])?;
            let end = builder.arithmetic("arith.minsi", &[end, length])?;
            self.run_loop(builder, columns, [first, end])
        })
    }

    /// What a combinator gives at this iteration, if it is packed: it is read there, or
    /// put there once it is computed. Gives whether it was read.
    pub fn read_packed(&mut self, builder: &Builder<'c, 'a>, leaf: LeafId) -> Emitted<'c, bool> {
        let Some(packed) = self.packed.get(&leaf).cloned() else {
            return Ok(false);
        };
        let index = self.packed_index(builder, leaf, packed.width)?;
        let places = packed.places.iter();
        let values = places.map(|place| self.read(builder, place, &index));
        let values = values.collect::<Emitted<Vec<_>>>()?;
        self.give(builder, leaf, &values)?;
        Ok(true)
    }

    /// Puts what a combinator computed where it is read.
    pub fn write_packed(&mut self, builder: &Builder<'c, 'a>, leaf: LeafId) -> Emitted<'c, ()> {
        let Some(packed) = self.packing.clone() else {
            return Ok(());
        };
        let index = self.packed_index(builder, leaf, packed.width)?;
        for (array, place) in self.plan.leaves[leaf].results().zip(&packed.places) {
            if let Some(&element) = self.now.elements.get(&array) {
                self.write(builder, place, &index, element)?;
            }
        }
        Ok(())
    }

    /// Where what a combinator gives at this iteration is packed. Lanes begin where a panel does, as
    /// loops with lanes have neither leads nor other chunks than of whole vectors.
    fn packed_index(
        &self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        width: i64,
    ) -> Emitted<'c, Vec<Lanes<'c, 'a>>> {
        let depth = self.plan.leaves[leaf].path.len();
        let [column, at_depth] = [depth - 2, depth - 1].map(|level| self.now.index[level]);
        let width = builder.index(width)?;
        let part = |name, column| builder.arithmetic(name, &[column, width]);
        let (first, within) = match column {
            Lanes::Uniform(column) => (column, Lanes::Uniform(part("arith.remui", column)?)),
            Lanes::Steps { first, step } => {
                let begin = builder.index(0)?;
                (first, Lanes::Steps { first: begin, step })
            }
            Lanes::Vector { .. } => unreachable!("the index of a loop goes up in steps"),
        };
        let panel = Lanes::Uniform(part("arith.divui", first)?);
        Ok(vec![panel, at_depth, within])
    }

    /// Whether what is packed for a loop of rows is there; nothing if it is known to be,
    /// or nothing is packed.
    pub fn decision_of_packing(&self, r#loop: &Loop<'c, 'a>) -> Option<Value<'c, 'a>> {
        let mut packed = self.packed.values();
        packed
            .find(|packed| packed.rows == r#loop.id)
            .and_then(|packed| packed.is_worth_it)
    }

    /// Some iterations of a loop of rows: those that read what is packed, if it is, and
    /// those that do not.
    pub fn packed_or_not(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        is_packed: Value<'c, 'a>,
        bounds: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        self.carrying_either(builder, is_packed, |this, builder, is_packed| {
            if is_packed {
                return this.run_in_form(builder, r#loop, bounds);
            }
            let packed = std::mem::take(&mut this.packed);
            this.exchange_forms();
            let done = this.run_in_form(builder, r#loop, bounds);
            this.exchange_forms();
            this.packed = packed;
            done
        })
    }

    fn exchange_forms(&mut self) {
        std::mem::swap(&mut self.forms, &mut self.forms_without_packing);
    }
}

/// A loop with only one thing in it.
fn with_only<'c, 'a>(r#loop: &Loop<'c, 'a>, item: Item<'c, 'a>) -> Loop<'c, 'a> {
    Loop {
        id: r#loop.id,
        level: r#loop.level,
        length: r#loop.length,
        items: vec![item],
    }
}
