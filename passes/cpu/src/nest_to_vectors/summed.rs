//! Loops that sum up what parts of another one add to scans and filters. They are nests in front of
//! that one, made of it:
//!
//! * one that does nothing else, with what is [needed](crate::nest_schedule::sums) for that: scans
//!   are folds, filters only count, and nothing is written but what is local to an iteration;
//! * one that does all that the other one does, with a fold beside each scan.
//!
//! Both put what they fold together in the same order, so that sums have the same bits.
//!
//! Cost: the code that is copied is there once more.

use std::collections::HashMap;

use melior::ir::{BlockLike, OperationRef, Value, ValueLike, operation::OperationLike};
use nest_dialect::{
    builder::{Combined, NestBuilder, YIELD},
    carried::{arguments, places},
    schedule::Schedule,
};
use soac_dialect::{
    builder::Builder,
    view::{OpView, definition, op_name},
};

use super::{Emitted, Values};
use comb_kit::{checks::facts::key, inline_copy::inline_copy};
use comb_nest::nests::{Nest, changed};

use crate::{lanes::internal, nest_schedule::sums::Stage};

/// A loop that sums up.
pub struct Summed<'c, 'a> {
    /// The loop.
    pub op: OperationRef<'c, 'a>,
    /// Where what it carries is among what the other loop carries.
    pub positions: Vec<usize>,
}

impl<'c: 'a, 'a> Summed<'c, 'a> {
    /// The loop that does nothing else, for a stage.
    pub fn of(nest: &Nest<'c, 'a>, stage: &Stage<'c, 'a>) -> Emitted<'c, Self> {
        Ok(Self {
            op: Copy::of(Contents::Needed(stage)).all(nest)?,
            positions: stage.needed.carried(nest.op),
        })
    }
}

/// A loop with a fold beside each of some scans, in the order of what the loop carries: what these
/// folds carry comes behind all that.
pub(super) fn with_sums<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    scans: &[OperationRef<'c, 'a>],
) -> Emitted<'c, OperationRef<'c, 'a>> {
    Copy::of(Contents::Beside(scans)).all(nest)
}

/// Where a loop or filter carries what some scans change.
fn beside<'c: 'a, 'a>(op: OperationRef<'c, 'a>, scans: &[OperationRef<'c, 'a>]) -> Vec<usize> {
    let changed = changed(op).into_iter();
    let changed = changed.filter(|changed| scans.contains(&changed.op));
    changed.flat_map(|changed| changed.positions).collect()
}

/// What a copy of a loop has.
enum Contents<'s, 'c, 'a> {
    /// What is needed for a stage.
    Needed(&'s Stage<'c, 'a>),
    /// Everything, and folds beside scans.
    Beside(&'s [OperationRef<'c, 'a>]),
}

impl<'c: 'a, 'a> Contents<'_, 'c, 'a> {
    fn has(&self, op: OperationRef<'c, 'a>) -> bool {
        match self {
            Self::Needed(stage) => stage.needed.has(op),
            Self::Beside(_) => true,
        }
    }

    /// What a loop or filter carries in the copy, too.
    fn carried(&self, op: OperationRef<'c, 'a>) -> Vec<usize> {
        match self {
            Self::Needed(stage) => stage.needed.carried(op),
            Self::Beside(_) => (0..arguments(op).len()).collect(),
        }
    }

    /// For which of it sums are carried beside.
    fn beside(&self, op: OperationRef<'c, 'a>) -> Vec<usize> {
        match self {
            Self::Needed(_) => vec![],
            Self::Beside(scans) => beside(op, scans),
        }
    }
}

/// Copies a loop.
struct Copy<'s, 'c, 'a> {
    contents: Contents<'s, 'c, 'a>,
    /// What has become of values.
    copied: HashMap<usize, Value<'c, 'a>>,
    /// The sums beside values that scans change.
    sums: HashMap<usize, Value<'c, 'a>>,
}

/// What a loop or filter carries in a copy.
struct Carried<'c, 'a> {
    copied: Vec<usize>,
    beside: Vec<usize>,
    inits: Values<'c, 'a>,
}

impl<'s, 'c: 'a, 'a> Copy<'s, 'c, 'a> {
    fn of(contents: Contents<'s, 'c, 'a>) -> Self {
        Self {
            contents,
            copied: HashMap::new(),
            sums: HashMap::new(),
        }
    }

    /// The whole loop, in front of it.
    fn all(mut self, nest: &Nest<'c, 'a>) -> Emitted<'c, OperationRef<'c, 'a>> {
        let none = || internal(nest.op.location(), "a part of a loop cannot be summed up");
        let front = Builder::before(nest.op).ok_or_else(none)?;
        let made = self.nest_loop(&front, nest.op)?;
        let op = made.first().and_then(|&value| definition(value));
        op.ok_or_else(none)
    }

    fn copy_of(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.copied.get(&key(value)).copied().unwrap_or(value)
    }

    /// The sum beside a value; before a loop it is any of its type.
    fn sum(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        self.sums.get(&key(value)).copied().unwrap_or(value)
    }

    /// A loop with what is needed of it; gives its results.
    fn nest_loop(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> Emitted<'c, Values<'c, 'a>> {
        // A lead in front of lines of the cache would put elements together in another order.
        let schedule = Schedule::of(op).ok().flatten().map(|schedule| Schedule {
            chunk: None,
            stream: None,
            ..schedule
        });
        let length = self.copy_of(op.operand(0)?);
        let carried = self.carried(op)?;
        let index = super::arguments(op)?[0];
        let results = builder.loop_like(
            op,
            (length, &carried.inits),
            schedule,
            |builder, new, states| {
                self.copied.insert(key(index), new);
                self.body(builder, op, &carried, states)
            },
        )?;
        self.note_results(op, &carried, &results)?;
        Ok(results)
    }

    fn keep(&mut self, builder: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        let (condition, count) = (self.copy_of(op.operand(0)?), op.operand(1)?);
        // Where nobody asks how many are kept, nothing carries that.
        let count = match self.copied.get(&key(count)) {
            Some(&count) => count,
            None => builder.index(0)?,
        };
        let carried = self.carried(op)?;
        let position = super::arguments(op)?[0];
        let (next, results) =
            builder.keep(condition, count, &carried.inits, |builder, new, states| {
                self.copied.insert(key(position), new);
                self.body(builder, op, &carried, states)
            })?;
        self.copied.insert(key(op.result(0)?.into()), next);
        self.note_results(op, &carried, &results)
    }

    fn carried(&self, op: OperationRef<'c, 'a>) -> Emitted<'c, Carried<'c, 'a>> {
        let first = places(op).map_or(0, |places| places.operand);
        let (copied, beside) = (self.contents.carried(op), self.contents.beside(op));
        let mut inits = vec![];
        for position in &copied {
            inits.push(self.copy_of(op.operand(first + position)?));
        }
        for position in &beside {
            inits.push(self.sum(op.operand(first + position)?));
        }
        Ok(Carried {
            copied,
            beside,
            inits,
        })
    }

    /// Notes what has become of the things that a loop or filter carries, and the sums beside.
    fn note(&mut self, carried: &Carried<'c, 'a>, old: &[Value<'c, 'a>], new: &[Value<'c, 'a>]) {
        let (copied, beside) = new.split_at(carried.copied.len());
        for (&position, &new) in carried.copied.iter().zip(copied) {
            self.copied.insert(key(old[position]), new);
        }
        for (&position, &new) in carried.beside.iter().zip(beside) {
            self.sums.insert(key(old[position]), new);
        }
    }

    fn note_results(
        &mut self,
        op: OperationRef<'c, 'a>,
        carried: &Carried<'c, 'a>,
        results: &[Value<'c, 'a>],
    ) -> Emitted<'c, ()> {
        let first = places(op).map_or(0, |places| places.result);
        let old: Values = op.results().skip(first).map(Into::into).collect();
        self.note(carried, &old, results);
        Ok(())
    }

    /// The body of a loop or filter; gives what it hands on.
    fn body(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        carried: &Carried<'c, 'a>,
        states: &[Value<'c, 'a>],
    ) -> Emitted<'c, Values<'c, 'a>> {
        self.note(carried, &arguments(op), states);
        let block = OpView::of(op).block();
        let mut next = block.and_then(|block| block.first_operation());
        let mut handed = vec![];
        while let Some(op) = next {
            next = op.next_in_block();
            if next.is_some() {
                if self.contents.has(op) {
                    self.op(&builder.located(op.location()), op)?;
                }
                continue;
            }
            for &position in &carried.copied {
                handed.push(self.copy_of(op.operand(position)?));
            }
            for &position in &carried.beside {
                handed.push(self.sum(op.operand(position)?));
            }
        }
        Ok(handed)
    }

    fn op(&mut self, builder: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        match op_name(op) {
            "nest.loop" => {
                self.nest_loop(builder, op)?;
            }
            "nest.keep" => self.keep(builder, op)?,
            "nest.scan" => self.scan(builder, op)?,
            _ => {
                self.copy(builder, op);
            }
        }
        Ok(())
    }

    fn copy(
        &mut self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
    ) -> OperationRef<'c, 'a> {
        let copy = builder.copy(op, &mut |value| self.copy_of(value));
        for (old, new) in op.results().zip(copy.results()) {
            self.copied.insert(key(old.into()), new.into());
        }
        copy
    }

    /// A scan: a fold in place of it, or beside it.
    fn scan(&mut self, builder: &Builder<'c, 'a>, op: OperationRef<'c, 'a>) -> Emitted<'c, ()> {
        let scan = self.copy(builder, op);
        let view = OpView::of(op);
        let accumulators = &view.operands[view.group(1)];
        let results: Values = op
            .results()
            .skip(accumulators.len())
            .map(Into::into)
            .collect();
        match self.contents {
            Contents::Needed(stage) if stage.summed.iter().any(|summed| summed.op == op) => {
                let into: Values = accumulators
                    .iter()
                    .map(|&value| self.copy_of(value))
                    .collect();
                let folded = fold(builder, scan, &into)?;
                builder.erase(scan);
                let pairs = results.into_iter().zip(folded);
                self.copied.extend(pairs.map(|(old, new)| (key(old), new)));
            }
            Contents::Beside(scans) if scans.contains(&op) => {
                let into: Values = accumulators.iter().map(|&value| self.sum(value)).collect();
                let folded = fold(builder, scan, &into)?;
                let pairs = results.into_iter().zip(folded);
                self.sums.extend(pairs.map(|(old, new)| (key(old), new)));
            }
            _ => {}
        }
        Ok(())
    }
}

/// A fold of what a scan takes, into other accumulators.
fn fold<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    scan: OperationRef<'c, 'a>,
    accumulators: &[Value<'c, 'a>],
) -> Emitted<'c, Values<'c, 'a>> {
    let view = OpView::of(scan);
    let [values, neutrals] = [0, 2].map(|group| &view.operands[view.group(group)]);
    let both = accumulators.iter().chain(values);
    let types: Vec<_> = both.map(|value| value.r#type()).collect();
    let operator = builder.region(&types, YIELD, |builder, arguments| {
        let (before, value) = arguments.split_at(accumulators.len());
        let arguments = match view.flag("right") {
            true => [value, before].concat(),
            false => arguments.to_vec(),
        };
        Emitted::Ok(inline_copy(builder, scan, &arguments)?)
    })?;
    let combined = Combined {
        values,
        accumulators,
        neutrals,
    };
    Ok(builder.nest_fold(&combined, operator)?)
}

#[cfg(test)]
mod tests {
    use melior::ir::Module;

    use super::*;
    use crate::nest_schedule::sums::stages;
    use comb_kit::walk::operations;
    use comb_nest::dialects::context;
    use comb_nest::nests::kernels;

    /// The ops of the loops that sum up chunks of a loop which scans numbers, and filters those at
    /// which something is positive.
    fn summed(tested: &str) -> Vec<Vec<String>> {
        let text = format!(
            "func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %m: index, %z: f32) {{
               %c0 = arith.constant 0 : index
               nest.kernel {{
                 %r:2 = nest.loop %i to %m carry(%s = %z : f32, %k = %c0 : index) {{
                   %x = nest.read %a[%i] : memref<?xf32>
                   %p, %t = nest.scan %x into %s neutral %z : f32 (%l: f32, %u: f32) {{
                     %v = arith.addf %l, %u : f32
                     nest.yield %v : f32
                   }}
                   nest.write %p into %b[%i] : memref<?xf32>
                   %d = arith.cmpf ogt, {tested}, %z : f32
                   %e = math.exp %x : f32
                   %n = nest.keep %q if %d from %k {{
                     nest.write %e into %c[%q] : memref<?xf32>
                     nest.yield
                   }}
                   nest.yield %t, %n : f32, index
                 }}
                 nest.yield
               }}
               return
             }}"
        );
        let context = context();
        let module = Module::parse(&context, &text).expect("the text is a program");
        let kernel = kernels(module.as_operation())[0];
        let nest = &Nest::in_kernel(kernel)[0];
        let stages = stages(nest).expect("chunks can be summed up");
        let loops = stages.iter().map(|stage| {
            let summed = Summed::of(nest, stage).expect("the loop is valid");
            let ops = operations(summed.op).into_iter();
            ops.map(|op| op_name(op).to_owned()).collect()
        });
        let loops = loops.collect();
        assert!(module.as_operation().verify());
        loops
    }

    #[test]
    fn what_does_not_need_each_other_is_summed_up_at_once() {
        let expected = [[
            "nest.read",
            "nest.fold",
            "arith.addf",
            "nest.yield",
            "arith.cmpf",
            "nest.keep",
            "nest.yield",
            "nest.yield",
        ]];
        assert_eq!(summed("%x"), expected);
    }

    #[test]
    fn what_a_scan_gives_is_summed_up_behind_it() {
        let [scan, filter] = &summed("%p")[..] else {
            panic!("there are two stages");
        };
        assert_eq!(
            scan[..],
            [
                "nest.read",
                "nest.fold",
                "arith.addf",
                "nest.yield",
                "nest.yield"
            ]
        );
        assert!(filter.contains(&"nest.scan".to_owned()));
        assert!(!filter.contains(&"nest.write".to_owned()));
    }
}
