//! Several iterations of a loop at once, each with code of its own: *strands*.
//!
//! The loops inside are there once for all strands (unroll and jam), if [`forms`](super::forms)
//! or [`jam`](super::jam) says that these read the same vectors. What such a loop carries is
//! what all strands carry. That reads are the same, the clean-up behind this pass finds out. Any
//! other loop inside runs for one strand after the other: it is in a loop over the strands, into
//! which what these have computed comes as vectors, with a lane for each strand.
//!
//! A strand has values and states of its own, and rows in memory. The emitter has those of
//! one strand at a time at hand, and the others here.

use melior::ir::{Value, ValueLike, r#type::MemRefType, r#type::ShapedTypeLike};
use soac_dialect::builder::{Builder, Predicate, Size, Slice};

use super::{
    emitter::{Emitted, Emitter, Iteration, Place, Values},
    lanes::memory::compare,
    lanes::{Lanes, Scope},
    layouts::{known, part_type, row_strides},
    nest::{States, whole_steps},
    plan::{ArrayId, Kind, LeafId, Loop},
};

/// What belongs to one of several iterations.
#[derive(Clone)]
pub(super) struct Strand<'c, 'a> {
    now: Iteration<'c, 'a>,
    states: States<'c, 'a>,
    rows: Vec<(ArrayId, Place<'c, 'a>)>,
}

/// Memory for the rows of all strands.
pub(super) struct Stack<'c, 'a> {
    /// Its first dimension is the number of the strand.
    pub memory: Value<'c, 'a>,
    /// A row, but for where it is.
    pub row: Place<'c, 'a>,
}

impl<'c: 'a, 'a> Stack<'c, 'a> {
    /// The row of a strand.
    pub fn row(
        &self,
        builder: &Builder<'c, 'a>,
        strand: Value<'c, 'a>,
    ) -> Emitted<'c, Place<'c, 'a>> {
        let sizes = &self.row.sizes;
        let strides = row_strides(sizes.iter().map(known));
        let element = MemRefType::try_from(self.memory.r#type())?.element();
        let r#type = part_type(builder, element, sizes, &strides, None)?;
        let mut firsts = vec![Size::Static(0); sizes.len() + 1];
        firsts[0] = Size::Dynamic(strand);
        let part = Slice::contiguous(firsts, [&[Size::Static(1)], sizes.as_slice()].concat());
        Ok(Place {
            memory: builder.part_of_memory(self.memory, &part, r#type)?,
            ..self.row.clone()
        })
    }
}

/// What belongs to all iterations that run at once.
pub(super) struct Moment<'c, 'a> {
    now: Iteration<'c, 'a>,
    states: States<'c, 'a>,
    strands: Vec<Strand<'c, 'a>>,
}

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Runs code for each strand, as if it were the only one.
    pub fn each_strand(
        &mut self,
        mut code: impl FnMut(&mut Self) -> Emitted<'c, ()>,
    ) -> Emitted<'c, ()> {
        let mut others = std::mem::take(&mut self.strands);
        let mut done = code(self);
        for strand in &mut others {
            if done.is_ok() {
                self.exchange(strand);
                done = code(self);
                self.exchange(strand);
            }
        }
        self.strands = others;
        done
    }

    fn exchange(&mut self, strand: &mut Strand<'c, 'a>) {
        std::mem::swap(&mut self.now, &mut strand.now);
        std::mem::swap(&mut self.states, &mut strand.states);
        for (array, place) in &mut strand.rows {
            if let Some(here) = &mut self.places[*array] {
                std::mem::swap(here, place);
            }
        }
    }

    /// What all strands carry.
    pub fn carried(&self) -> Values<'c, 'a> {
        let others = self.strands.iter().map(|strand| &strand.states);
        let states = std::iter::once(&self.states).chain(others);
        let values = states.flat_map(|states| states.values().flatten());
        values.copied().collect()
    }

    /// Makes values what the strands carry.
    pub fn set_carried(&mut self, values: &[Value<'c, 'a>]) {
        let mut values = values.iter();
        let others = self.strands.iter_mut().map(|strand| &mut strand.states);
        for states in std::iter::once(&mut self.states).chain(others) {
            for (slot, &value) in states.values_mut().flatten().zip(values.by_ref()) {
                *slot = value;
            }
        }
    }

    /// All that an iteration may change.
    pub fn moment(&self) -> Moment<'c, 'a> {
        Moment {
            now: self.now.clone(),
            states: self.states.clone(),
            strands: self.strands.clone(),
        }
    }

    pub fn return_to(&mut self, moment: Moment<'c, 'a>) {
        self.now = moment.now;
        self.states = moment.states;
        self.strands = moment.strands;
    }

    /// Runs code, and gives what it carries on; all is then as before.
    pub fn aside(
        &mut self,
        code: impl FnOnce(&mut Self) -> Emitted<'c, ()>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        let before = self.moment();
        let done = code(self);
        let after = self.carried();
        self.return_to(before);
        done.map(|()| after)
    }

    /// Iterations of a loop, `count` at once, and then one by one those that are left.
    pub fn rows_at_once(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        count: u64,
        [first, end]: [Value<'c, 'a>; 2],
    ) -> Emitted<'c, ()> {
        let step = builder.index(count as i64)?;
        let [whole_end, _] = whole_steps(builder, [first, end], step)?;
        self.carrying(|this, carried| {
            let bounds = [first, whole_end, step];
            builder.range_loop(bounds, carried, |builder, index, carried| {
                this.aside(|this| {
                    this.set_carried(carried);
                    this.copy_beside_rows(builder, r#loop, count, index)?;
                    this.begin_strands(builder, r#loop, count, index)?;
                    this.items(builder, &r#loop.items)?;
                    this.strands.clear();
                    Ok(())
                })
            })
        })?;
        self.one_by_one(builder, r#loop, [whole_end, end])
    }

    /// A loop for each strand by itself.
    pub fn strand_by_strand(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
    ) -> Emitted<'c, ()> {
        if self.strands.is_empty() {
            return self.whole_loop(builder, r#loop);
        }
        let scope = Scope {
            width: self.strands.len() as u64 + 1,
            mask: None,
        };
        let computed = self.differing_elements(builder, &scope)?;
        let folds = self.folds_of(r#loop);
        let begun = folds.iter().map(|&(_, neutral)| Lanes::Uniform(neutral));
        let begun = begun.map(|neutral| scope.whole(builder, neutral));
        let begun = begun.collect::<Emitted<Values>>()?;
        let count = builder.index(scope.width as i64)?;
        let folded = builder.for_loop(count, &begun, |builder, number, carried| {
            let before = self.moment();
            let places = self.places.clone();
            self.strands.clear();
            self.become_strand(builder, r#loop, number, &computed)?;
            self.whole_loop(builder, r#loop)?;
            let folded = folds.iter().zip(carried).map(|(&(array, _), &others)| {
                let element = self.now.elements[&array];
                with_lane(builder, &scope, others, number, element)
            });
            let folded = folded.collect::<Emitted<Values>>()?;
            self.places = places;
            self.return_to(before);
            Emitted::Ok(folded)
        })?;
        let mut number = 0;
        self.each_strand(|this| {
            for (&(array, neutral), &all) in folds.iter().zip(&folded) {
                let element = builder.lane(all, number, neutral.r#type())?;
                this.now.elements.insert(array, Lanes::Uniform(element));
            }
            number += 1;
            Ok(())
        })
    }

    /// The elements that are not the same in all strands, each as a vector.
    fn differing_elements(
        &self,
        builder: &Builder<'c, 'a>,
        scope: &Scope<'c, 'a>,
    ) -> Emitted<'c, Vec<(ArrayId, Value<'c, 'a>)>> {
        let mut differing = vec![];
        for (&array, element) in &self.now.elements {
            let others = self.strands.iter();
            let others = others.map(|strand| strand.now.elements.get(&array)?.uniform());
            let all: Option<Values> = std::iter::once(element.uniform()).chain(others).collect();
            let Some(all) = all.filter(|all| all.iter().any(|&other| other != all[0])) else {
                continue;
            };
            let r#type = scope.r#type(builder, all[0].r#type());
            let vector = builder.value("vector.from_elements", &all, r#type, &[])?;
            differing.push((array, vector));
        }
        Ok(differing)
    }

    /// What folds give when a loop is over, each with its neutral element.
    fn folds_of(&self, r#loop: &Loop<'c, 'a>) -> Vec<(ArrayId, Value<'c, 'a>)> {
        let leaves = self.leaves_in(r#loop).into_iter();
        let folds = leaves.filter(|&leaf| {
            self.plan.leaves[leaf].kind == Kind::Fold && self.begins(leaf, r#loop.level)
        });
        folds
            .flat_map(|leaf| self.plan.leaves[leaf].results().zip(self.neutrals(leaf)))
            .collect()
    }

    /// Makes the strand with a number the one at hand, in front of a loop.
    fn become_strand(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        number: Value<'c, 'a>,
        computed: &[(ArrayId, Value<'c, 'a>)],
    ) -> Emitted<'c, ()> {
        if let Some(Lanes::Uniform(first)) = self.now.index.pop() {
            let index = builder.arithmetic("arith.addi", &[first, number])?;
            self.now.index.push(Lanes::Uniform(index));
        }
        // They are of the first strand, and computed again.
        self.now.positions.clear();
        for &(array, vector) in computed {
            let r#type = self.plan.arrays[array].element;
            let element = builder.lane_at(vector, number, r#type)?;
            self.now.elements.insert(array, Lanes::Uniform(element));
        }
        let path = |leaf: LeafId| &self.plan.leaves[leaf].path;
        let inside = self.leaves_in(r#loop);
        let around = inside.first().map(|&leaf| &path(leaf)[..r#loop.level - 1]);
        for (&array, stack) in &self.stacks {
            let producer = self.plan.arrays[array].leaf;
            if around.is_some_and(|around| path(producer).starts_with(around)) {
                self.places[array] = Some(stack.row(builder, number)?);
            }
        }
        Ok(())
    }

    /// Strands for `count` iterations from an index on. None of them changes what is
    /// carried through the loop, so only the first one knows of it.
    fn begin_strands(
        &mut self,
        builder: &Builder<'c, 'a>,
        r#loop: &Loop<'c, 'a>,
        count: u64,
        first: Value<'c, 'a>,
    ) -> Emitted<'c, ()> {
        for number in 1..count as usize {
            let distance = builder.index(number as i64)?;
            let index = builder.arithmetic("arith.addi", &[first, distance])?;
            let mut now = self.now.clone();
            now.index.push(Lanes::Uniform(index));
            let stacked = self.stacks.iter().filter(|(array, _)| {
                let leaf = self.plan.arrays[**array].leaf;
                self.plan.leaves[leaf].path.contains(&r#loop.id)
            });
            let rows = stacked.map(|(&array, stack)| Ok((array, stack.row(builder, distance)?)));
            self.strands.push(Strand {
                now,
                states: States::new(),
                rows: rows.collect::<Emitted<_>>()?,
            });
        }
        self.now.index.push(Lanes::Uniform(first));
        Ok(())
    }
}

/// A vector with another element in one lane.
fn with_lane<'c, 'a>(
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
    vector: Value<'c, 'a>,
    lane: Value<'c, 'a>,
    element: Lanes<'c, 'a>,
) -> Emitted<'c, Value<'c, 'a>> {
    let lanes: Vec<i64> = (0..scope.width as i64).collect();
    let lanes = builder.index_vector(&lanes)?;
    let lane = scope.whole(builder, Lanes::Uniform(lane))?;
    let is_here = compare(builder, scope, Predicate::Eq, lanes, lane)?;
    let element = scope.whole(builder, element)?;
    Ok(builder.select(is_here, element, vector)?)
}
