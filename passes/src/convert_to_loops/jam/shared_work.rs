//! How much rows have to compute in common: *value numbering* over several of them.
//!
//! What a row computes of vectors that the next row reads too, that row may compute as well: what
//! flows out of a cell of a grid flows into the one below it. If both rows are computed
//! together, this is computed once, by the clean-up behind this pass.
//!
//! Values of all rows get numbers, in the order in which they are computed. They have the same
//! number if they are
//! 1. elements of the same array at the same index, as polynomials over the loops' indices tell,
//! 2. the same value from outside, or
//! 3. results of equal ops, whose operands have the same numbers.
//!
//! All others have numbers of their own: indices that are no polynomials, arrays that outer loops
//! compute, and ops that contain others.
//!
//! Source: value numbering is from Cocke and Schwartz (Programming Languages and Their Compilers,
//! 1970).
//!
//! Cost: linear in the ops of a row and the number of rows.

use std::collections::{BTreeMap, HashMap};

use comb_lmad::Polynomial;
use melior::ir::{
    AttributeLike, BlockLike, BlockRef, OperationRef, Value, operation::OperationLike,
};
use soac_dialect::view::{OpView, op_name};

use super::super::{
    plan::{ArrayId, Item, Kind, LeafId, Loop, LoopId, Plan, Source},
    regions::{Index, Regions},
};
use crate::{
    checks::facts::key,
    fuse::work::instructions,
    walk::{in_block_from, operations},
};

/// A number of values that are known to be equal.
type Number = usize;

/// What tells that values are equal.
#[derive(PartialEq, Eq, Hash)]
enum Form<'a> {
    /// The element at an index of an array that is complete before.
    Element(usize, Index),
    /// A component of an index.
    Component(Polynomial),
    /// A value from outside.
    Outside(usize),
    /// A result of an op with such a name, such attributes and such operands.
    Result {
        name: &'a str,
        attributes: usize,
        operands: Vec<Number>,
        position: usize,
    },
}

/// How many additions an iteration of a loop takes as long as, for so many rows: each row by
/// itself, and all together.
pub(super) fn work_of_rows<'c: 'a, 'a>(
    plan: &Plan<'c, 'a>,
    regions: &mut Regions<'_, 'c, 'a>,
    [rows, inner]: [&Loop<'c, 'a>; 2],
    count: u64,
) -> [f64; 2] {
    let mut numbering = Numbering {
        plan,
        regions,
        rows: rows.id,
        row: 0,
        numbers: HashMap::new(),
        next: 0,
        work: 0.0,
    };
    numbering.iteration(inner);
    let alone = numbering.work * count as f64;
    for row in 1..count {
        numbering.row = row as i64;
        numbering.iteration(inner);
    }
    [alone, numbering.work]
}

struct Numbering<'r, 'p, 'c, 'a> {
    plan: &'r Plan<'c, 'a>,
    regions: &'r mut Regions<'p, 'c, 'a>,
    rows: LoopId,
    /// The row at hand.
    row: i64,
    numbers: HashMap<Form<'a>, Number>,
    next: Number,
    /// How many additions all that has numbers takes as long as.
    work: f64,
}

impl<'c: 'a, 'a> Numbering<'_, '_, 'c, 'a> {
    /// Numbers what the row at hand computes.
    fn iteration(&mut self, inner: &Loop<'c, 'a>) {
        let mut elements: BTreeMap<ArrayId, Number> = BTreeMap::new();
        for item in &inner.items {
            let Item::Leaf(leaf) = *item else { continue };
            let results = self.results(leaf, &elements);
            elements.extend(self.plan.leaves[leaf].results().zip(results));
        }
    }

    /// The elements that a combinator gives.
    fn results(&mut self, leaf: LeafId, elements: &BTreeMap<ArrayId, Number>) -> Vec<Number> {
        let (kind, view) = (self.plan.leaves[leaf].kind, &self.plan.leaves[leaf].view);
        let arguments = match kind {
            Kind::Generate => self.components(leaf),
            _ => {
                let operands = view.group(0);
                operands
                    .map(|operand| self.element(leaf, operand, elements))
                    .collect()
            }
        };
        match view.block() {
            Some(block) if kind != Kind::Backpermute => self.function(block, arguments),
            _ => arguments,
        }
    }

    /// The components of a combinator's index.
    fn components(&mut self, leaf: LeafId) -> Vec<Number> {
        let index = self
            .regions
            .index(leaf, self.plan.leaves[leaf].components.len());
        let index = self.regions.later(&index, self.rows, self.row);
        let mut numbers = vec![];
        for component in index {
            numbers.push(self.number(component.map(Form::Component)));
        }
        numbers
    }

    /// The element of an operand that a combinator reads.
    fn element(
        &mut self,
        leaf: LeafId,
        operand: usize,
        elements: &BTreeMap<ArrayId, Number>,
    ) -> Number {
        let plan = &self.plan.leaves[leaf];
        match plan.operands[operand] {
            Some(Source::Given(array)) => {
                let index = self.regions.read_at(leaf, operand);
                let index = self.regions.later(&index, self.rows, self.row);
                let is_known = index.iter().all(Option::is_some);
                self.number(is_known.then(|| Form::Element(key(array), index)))
            }
            Some(Source::Computed(array))
                if plan.kind != Kind::Backpermute && elements.contains_key(&array) =>
            {
                elements[&array]
            }
            _ => self.number(None),
        }
    }

    /// What a function gives.
    fn function(&mut self, block: BlockRef<'c, 'a>, arguments: Vec<Number>) -> Vec<Number> {
        let mut local: HashMap<usize, Number> = HashMap::new();
        for (position, number) in arguments.into_iter().enumerate() {
            if let Ok(argument) = block.argument(position) {
                local.insert(key(argument.into()), number);
            }
        }
        let mut yielded = vec![];
        for op in in_block_from(block.first_operation()) {
            let outside = |value: Value| Some(Form::Outside(key(value)));
            let numbers = op.operands().map(|value| match local.get(&key(value)) {
                Some(&number) => number,
                None => self.number(outside(value)),
            });
            yielded = numbers.collect();
            let results = self.computed(op, &yielded);
            let keys = op.results().map(|result| key(result.into()));
            local.extend(keys.zip(results));
        }
        yielded
    }

    /// The results of an op, whose work counts unless an equal one has been numbered.
    fn computed(&mut self, op: OperationRef<'c, 'a>, operands: &[Number]) -> Vec<Number> {
        let attributes = OpView::of(op).attributes.to_raw().ptr as usize;
        let form = |position| Form::Result {
            name: op_name(op),
            attributes,
            operands: operands.to_vec(),
            position,
        };
        let (has_others, next) = (op.region_count() > 0, self.next);
        let positions = 0..op.result_count();
        let results = positions.map(|position| self.number((!has_others).then(|| form(position))));
        let results = results.collect();
        if has_others || self.next != next {
            let all = operations(op).into_iter().chain([op]);
            self.work += all.map(instructions).sum::<f64>();
        }
        results
    }

    /// The number of what has a form, or of something that is equal to nothing else.
    fn number(&mut self, form: Option<Form<'a>>) -> Number {
        let next = self.next;
        let number = match form {
            Some(form) => *self.numbers.entry(form).or_insert(next),
            None => next,
        };
        self.next += usize::from(number == next);
        number
    }
}
