//! Iterations in front of the first vector that fills lines of the cache.
//!
//! A result that is a part of a larger array may have rows that begin in the middle of
//! a line, as those of a stencil do behind the border. Vectors from there on would each
//! be written to two lines; and what the stencil reads at the same index, of an array
//! that is as large, would be in two lines as well. If rows of the larger array are
//! whole lines, all its rows have the same *lead*: the iterations as far as to the next
//! line. A loop computes these with a mask, and vectors begin where lines do.
//!
//! A loop has one lead, so it has none if results that it writes begin at different
//! distances from a line. A loop with a scan, a filter or a scatter has none either, nor
//! one whose lanes or rows are those of [`forms`](super::forms).
//!
//! So what is behind a lead can be written past the caches.
//!
//! Cost: linear in the number of combinators. There is one more copy of the code of a
//! loop that has a lead.

use melior::ir::Value;
use soac_dialect::builder::{ALIGNMENT, Builder, Size};

use super::{
    applications::Site,
    emitter::{Emitted, Emitter},
    plan::{ArrayId, Item, Kind, LeafId, Loop},
    widths::bits_in_memory,
};
use crate::{commutativity::is_commutative, transformations::Transformation};

/// The bounds of some iterations.
pub(super) type Bounds<'c, 'a> = [Value<'c, 'a>; 2];

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Decides how many iterations the leads of loops have, now that it is known where
    /// results are, and what is computed at once.
    pub fn choose_leads(&mut self) -> Emitted<'c, ()> {
        let plan = self.plan;
        plan.items.iter().try_for_each(|item| match item {
            Item::Loop(r#loop) => self.choose_lead(r#loop),
            Item::Leaf(_) => Ok(()),
        })?;
        self.note_what_stays_unaligned();
        Ok(())
    }

    /// Without a lead, what does not begin where a line does is not written in whole lines.
    fn note_what_stays_unaligned(&mut self) {
        for array in 0..self.places.len() {
            let leaf = &self.plan.leaves[self.plan.arrays[array].leaf];
            let r#loop = leaf.path.last().filter(|_| leaf.kind != Kind::Fold);
            let has_lead = r#loop.is_some_and(|id| self.leads.contains_key(id));
            let is_skewed = self.skews.contains_key(&array) && self.lead_of(array) > 0;
            if let Some(place) = &mut self.places[array] {
                place.is_aligned &= !is_skewed || has_lead;
            }
        }
    }

    fn choose_lead(&mut self, r#loop: &Loop<'c, 'a>) -> Emitted<'c, ()> {
        let mut leaves = vec![];
        for item in &r#loop.items {
            match item {
                Item::Loop(inner) => self.choose_lead(inner)?,
                Item::Leaf(leaf) => leaves.push(*leaf),
            }
        }
        let written = self.written_results(&leaves);
        let mut leads: Vec<i64> = written.iter().map(|&array| self.lead_of(array)).collect();
        leads.sort_unstable();
        leads.dedup();
        match leads.as_slice() {
            &[lead]
                if lead > 0
                    && self.may_have_lead(r#loop, &leaves)
                    && self.may_fill_lines(&written)
                    && self.applies(Transformation::Leads, Site::Loop(r#loop.id)) =>
            {
                let length = self.lead_if_rows_are_lines(lead, &written)?;
                self.leads.insert(r#loop.id, length);
            }
            _ => {}
        }
        Ok(())
    }

    /// The results that combinators write at each iteration.
    fn written_results(&self, leaves: &[LeafId]) -> Vec<ArrayId> {
        let leaves = leaves.iter().map(|&leaf| &self.plan.leaves[leaf]);
        let results = leaves.filter(|leaf| leaf.kind != Kind::Fold);
        let results = results.flat_map(|leaf| leaf.results());
        results
            .filter(|&array| self.places[array].is_some())
            .collect()
    }

    /// How many elements of a row are in front of its first whole line.
    fn lead_of(&self, array: ArrayId) -> i64 {
        let line = self.elements_of_line(array);
        let skew = self.skews.get(&array).copied().unwrap_or(0);
        (line - skew % line) % line
    }

    fn elements_of_line(&self, array: ArrayId) -> i64 {
        ALIGNMENT / self.bytes_of_element(array)
    }

    fn bytes_of_element(&self, array: ArrayId) -> i64 {
        bits_in_memory(self.plan.arrays[array].element) as i64 / 8
    }

    fn may_have_lead(&self, r#loop: &Loop<'c, 'a>, leaves: &[LeafId]) -> bool {
        let mut forms = [&self.forms, &self.forms_without_packing].into_iter();
        !forms.any(|forms| forms.is_at_once(r#loop.id))
            && leaves.len() == r#loop.items.len()
            && leaves.iter().all(|&leaf| {
                let leaf = &self.plan.leaves[leaf];
                match leaf.kind {
                    Kind::Generate | Kind::Map | Kind::Gather | Kind::Backpermute => true,
                    Kind::Fold => is_commutative(&leaf.view),
                    Kind::ScanLeft | Kind::ScanRight | Kind::Filter | Kind::Scatter => false,
                }
            })
    }

    /// Whether rows of the arrays that results are parts of are not known to be no whole
    /// lines.
    fn may_fill_lines(&self, results: &[ArrayId]) -> bool {
        results.iter().all(|&array| match self.row_of(array) {
            Some(Size::Static(row)) => row % self.elements_of_line(array) == 0,
            _ => true,
        })
    }

    /// How long rows are of the array that a result is a part of.
    fn row_of(&self, array: ArrayId) -> Option<Size<'c, 'a>> {
        self.places[array].as_ref()?.pitches.last().copied()
    }

    /// A lead, or nothing if the rows of the arrays that results are parts of are not
    /// whole lines.
    fn lead_if_rows_are_lines(&self, lead: i64, results: &[ArrayId]) -> Emitted<'c, Value<'c, 'a>> {
        let front = self.front;
        let mut length = front.index(lead)?;
        for &array in results {
            let Some(row) = self.row_of(array) else {
                continue;
            };
            let are_lines = self.is_whole_lines(row, self.bytes_of_element(array))?;
            length = front.select(are_lines, length, front.index(0)?)?;
        }
        Ok(length)
    }

    /// Iterations of a loop, cut behind its lead, if it has one.
    pub fn cut_behind_lead(
        &self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        [first, end]: Bounds<'c, 'a>,
    ) -> Emitted<'c, (Option<Bounds<'c, 'a>>, Bounds<'c, 'a>)> {
        let Some(&lead) = self.leads.get(&r#loop.id) else {
            return Ok((None, [first, end]));
        };
        let middle = builder.arithmetic("arith.addi", &[first, lead])?;
        let middle = builder.arithmetic("arith.minsi", &[middle, end])?;
        Ok((Some([first, middle]), [middle, end]))
    }
}
