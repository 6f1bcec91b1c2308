//! Memory of computed arrays: that of results, and that of *rows*, which one loop
//! computes and another one reads inside the same outer loops.
//!
//! A row has the dimensions of its array whose loops are not shared, so that it is
//! small, and used again at every iteration of the loops that are.

use melior::ir::Value;
use soac_dialect::{
    builder::{Builder, Size, Slice},
    description::array_type,
};

use super::{
    emitter::{Emitted, Emitter, Place, internal},
    forms::Forms,
    jam::jams,
    layouts::known,
    plan::{ArrayId, Kind, Loop, Source},
    slopes::InMemory,
    strands::Stack,
};

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// The memory that scatters write to. It has to be found before any other, so
    /// that bufferization sees whatever is read of it later.
    pub fn find_destinations(&mut self) -> Emitted<'c, ()> {
        for leaf in &self.plan.leaves {
            if leaf.kind != Kind::Scatter {
                continue;
            }
            for (array, operand) in leaf.results().zip(leaf.view.group(1)) {
                let Some(Source::Given(dest)) = leaf.operands[operand] else {
                    return Err(internal(leaf.view.location, "its destination is computed"));
                };
                self.places[array] = Some(Place {
                    memory: self.front.buffer_to_write(dest)?,
                    sizes: self.front.sizes(dest)?,
                    pitches: self.front.sizes(dest)?,
                    skipped: 0,
                    is_read: false,
                    is_aligned: false,
                });
            }
        }
        Ok(())
    }

    /// Memory for what the op gives, where there is none yet.
    pub fn allocate_results(&mut self) -> Emitted<'c, ()> {
        for &source in &self.plan.yielded {
            let Source::Computed(array) = source else {
                continue;
            };
            let computed = &self.plan.arrays[array];
            if self.places[array].is_some() || self.plan.is_number_outside(array) {
                continue;
            }
            let is_read = self.plan.shared_loops(array).is_some();
            self.places[array] = Some(Place {
                memory: self.front.allocate(&computed.shape, computed.element)?,
                sizes: computed.shape.clone(),
                pitches: computed.shape.clone(),
                skipped: 0,
                is_read,
                is_aligned: !is_read,
            });
        }
        Ok(())
    }

    /// Finds the arrays of which rows are stored.
    pub fn plan_rows(&mut self) {
        for array in 0..self.plan.arrays.len() {
            let shared = self.plan.shared_loops(array);
            if let (None, Some(shared)) = (&self.places[array], shared) {
                let producer = &self.plan.leaves[self.plan.arrays[array].leaf];
                self.rows.push((array, producer.shared_dimensions(shared)));
            }
        }
    }

    /// Memory, here, for the rows that are used again at every iteration of a loop;
    /// without a loop, for arrays that several of the outermost loops use.
    pub fn allocate_rows(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: Option<&Loop<'c, 'a>>,
    ) -> Emitted<'c, ()> {
        for (array, skipped) in self.rows.clone() {
            let computed = &self.plan.arrays[array];
            let path = &self.plan.leaves[computed.leaf].path;
            let is_here = match r#loop {
                Some(r#loop) => skipped > 0 && path.contains(&r#loop.id),
                None => skipped == 0,
            };
            if !is_here {
                continue;
            }
            let sizes = computed.shape[skipped..].to_vec();
            let strands = self.rows_of(array);
            let all = match strands {
                1 => sizes.clone(),
                _ => [&[Size::Static(strands as i64)], sizes.as_slice()].concat(),
            };
            let memory = builder.allocate(&all, computed.element)?;
            let row = Place {
                memory,
                pitches: sizes.clone(),
                sizes,
                skipped,
                is_read: true,
                is_aligned: false,
            };
            self.places[array] = Some(match strands {
                1 => row,
                _ => {
                    let stack = Stack { memory, row };
                    let first = stack.row(builder, builder.index(0)?)?;
                    self.stacks.insert(array, stack);
                    first
                }
            });
        }
        Ok(())
    }

    /// How many rows of an array there are at once.
    fn rows_of(&self, array: ArrayId) -> u64 {
        let path = &self.plan.leaves[self.plan.arrays[array].leaf].path;
        let shared = self.plan.shared_loops(array).unwrap_or(0);
        let rows = path[..shared].iter().map(|&id| self.forms.rows_in(id));
        rows.max().unwrap_or(1)
    }

    /// Decides what is computed at once, now that it is known what is in memory.
    pub fn choose_forms(&mut self) {
        let arrays = 0..self.plan.arrays.len();
        let shared: Vec<_> = arrays
            .clone()
            .map(|array| self.plan.shared_loops(array))
            .collect();
        let is_row = |array: ArrayId| self.rows.iter().any(|(row, _)| *row == array);
        let in_memory = InMemory {
            read: shared.iter().map(Option::is_some).collect(),
            written: arrays
                .clone()
                .map(|array| self.places[array].is_some() || is_row(array))
                .collect(),
        };
        let rows: Vec<_> = arrays
            .map(|array| shared[array].filter(|_| is_row(array)))
            .collect();
        [self.forms, self.forms_without_packing] = Forms::of(
            self.plan,
            &self.applications,
            self.options,
            &in_memory,
            &rows,
        );
        if self.forms.is_plain() && self.forms_without_packing.is_plain() {
            self.forms
                .jam(jams(&self.applications, self.options.machine.registers()));
        }
    }

    /// A computed array, when all loops are over.
    pub fn array(&mut self, number: ArrayId) -> Emitted<'c, Value<'c, 'a>> {
        let front = self.front;
        let computed = &self.plan.arrays[number];
        let location = self.plan.leaves[computed.leaf].view.location;
        let place = self.places[number]
            .clone()
            .ok_or_else(|| internal(location, "a result has no memory"))?;
        let Some(filter) = computed.clock else {
            let sizes: Vec<Option<i64>> = place.sizes.iter().map(known).collect();
            let r#type = array_type(&sizes, computed.element);
            return Ok(front.array_in(place.memory, r#type, true)?);
        };
        // MLIR rejects views of memory that is known to be empty.
        if place.sizes.contains(&Size::Static(0)) {
            return Ok(front.empty(&place.sizes, computed.element)?);
        }
        let kept = self.states[&filter][0];
        let mut sizes = place.sizes.clone();
        sizes[0] = Size::Dynamic(kept);
        let types: Vec<Option<i64>> = sizes.iter().map(known).collect();
        let part = Slice::contiguous(vec![Size::Static(0); sizes.len()], sizes);
        let r#type = array_type(&types, computed.element);
        let memory = front.memory_type(r#type)?;
        let strided = front.strided_type(memory)?;
        let part = front.part_of_memory(place.memory, &part, strided)?;
        let part = front.value("memref.cast", &[part], memory, &[])?;
        Ok(front.array_in(part, r#type, true)?)
    }
}
