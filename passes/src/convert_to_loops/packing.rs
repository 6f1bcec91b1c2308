//! Copies of operands in the order in which lanes read them.
//!
//! The product of a matrix with a transposed one, `a bᵀ`, reads rows of both. For lanes
//! that are columns of the result, the elements of b at one iteration are far apart. They
//! are the same for all rows of a, so they are copied once, into memory in which they are
//! next to each other: what a combinator computes at iteration `(…, j, c)` is at `[c, j]`.
//!
//! [`forms`](super::forms) says which combinators are packed, and for which loop of rows.
//! The copy is as large as the loops over `j` and `c` are long, and takes about as long as
//! one row without lanes. So it is made if there are [`FEWEST_ROWS`]. If that is not known
//! before the program runs, there is code for both.
//!
//! Checks in what is packed are made while it is copied: if there are rows at all, they
//! would have been made for each.

use std::collections::BTreeSet;

use melior::ir::Value;
use soac_dialect::builder::{Builder, Predicate, Size};

use super::{
    emitter::{Emitted, Emitter, Place},
    lanes::Lanes,
    nest::States,
    plan::{Item, LeafId, Loop, LoopId},
};

/// With fewer rows, a copy is not worth it.
pub(super) const FEWEST_ROWS: i64 = 16;

/// How many columns a thread copies at a time.
const COLUMNS_AT_ONCE: i64 = 256;

/// A copy of what a combinator gives.
#[derive(Clone)]
pub(super) struct Packed<'c, 'a> {
    /// The loop of rows that all read it.
    rows: LoopId,
    /// One for each result.
    places: Vec<Place<'c, 'a>>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Copies what is packed for a loop of rows, in front of it, if there are enough rows.
    pub fn pack(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        in_parallel: bool,
    ) -> Emitted<'c, ()> {
        for leaf in self.forms.packed_for(r#loop) {
            let Some((columns, depth)) = self.loops_around(leaf, r#loop) else {
                continue;
            };
            let packed = self.allocate_packed(builder, leaf, r#loop, [depth, columns])?;
            let is_worth_it = self.is_worth_packing(builder, r#loop)?;
            let this = std::cell::RefCell::new(&mut *self);
            let fill = |builder: &Builder<'c, 'a>| {
                this.borrow_mut()
                    .fill(builder, leaf, &packed, [columns, depth], in_parallel)?;
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
            self.packed.insert(leaf, packed);
        }
        Ok(())
    }

    /// The loop of columns that a combinator is in, inside a loop of rows, and the
    /// innermost one.
    fn loops_around<'s>(
        &self,
        leaf: LeafId,
        rows: &'s Loop<'c, 'a>,
    ) -> Option<(&'s Loop<'c, 'a>, &'s Loop<'c, 'a>)> {
        let inside = |r#loop: &'s Loop<'c, 'a>| {
            let path = &self.plan.leaves[leaf].path;
            r#loop.items.iter().find_map(|item| match item {
                Item::Loop(inner) if path.contains(&inner.id) => Some(inner),
                _ => None,
            })
        };
        let columns = inside(rows)?;
        Some((columns, inside(columns)?))
    }

    /// Whether there are enough rows; nothing if that is known.
    fn is_worth_packing(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        match r#loop.length {
            Size::Static(_) => Ok(None),
            Size::Dynamic(length) => {
                let fewest = builder.index(FEWEST_ROWS)?;
                Ok(Some(builder.compare(Predicate::Sge, length, fewest)?))
            }
        }
    }

    fn allocate_packed(
        &self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        rows: &Loop<'c, 'a>,
        loops: [&Loop<'c, 'a>; 2],
    ) -> Emitted<'c, Packed<'c, 'a>> {
        let mut sizes = loops.map(|r#loop| r#loop.length);
        if let Some(condition) = self.is_worth_packing(builder, rows)? {
            let (all, none) = (builder.size_value(sizes[0])?, builder.index(0)?);
            sizes[0] = Size::Dynamic(builder.select(condition, all, none)?);
        }
        let results = self.plan.leaves[leaf].results();
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
        Ok(Packed {
            rows: rows.id,
            places: places.collect::<Emitted<_>>()?,
        })
    }

    /// Runs one combinator for all columns and depths, as for the first row.
    fn fill(
        &mut self,
        builder: &Builder<'c, 'a>,
        leaf: LeafId,
        packed: &Packed<'c, 'a>,
        [columns, depth]: [&Loop<'c, 'a>; 2],
        in_parallel: bool,
    ) -> Emitted<'c, ()> {
        let alone = with_only(columns, Item::Loop(with_only(depth, Item::Leaf(leaf))));
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
        let index = self.packed_index(leaf);
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
        let index = self.packed_index(leaf);
        for (array, place) in self.plan.leaves[leaf].results().zip(&packed.places) {
            if let Some(&element) = self.now.elements.get(&array) {
                self.write(builder, place, &index, element)?;
            }
        }
        Ok(())
    }

    fn packed_index(&self, leaf: LeafId) -> Vec<Lanes<'c, 'a>> {
        let depth = self.plan.leaves[leaf].path.len();
        vec![self.now.index[depth - 1], self.now.index[depth - 2]]
    }

    /// Whether what is packed for a loop of rows is there; nothing if it is known to be,
    /// or nothing is packed.
    pub fn decision_of_packing(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, Option<Value<'c, 'a>>> {
        let mut packed = self.packed.values();
        match packed.any(|packed| packed.rows == r#loop.id) {
            true => self.is_worth_packing(builder, r#loop),
            false => Ok(None),
        }
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
