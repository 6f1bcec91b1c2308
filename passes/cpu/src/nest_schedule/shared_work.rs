//! How much rows have to compute in common: *value numbering* over several iterations of a loop.
//!
//! What a row computes of vectors that the next row reads too, that row may compute as well: what
//! flows out of a cell of a grid flows into the one below it. If both rows are computed together, this is
//! computed once, by the clean-up behind the vectoriser.
//!
//! Values of all rows get numbers, in the order in which they are computed. They have the same number if
//! they are
//! 1. elements of the same array at the same index, as polynomials over the loops' indices tell,
//! 2. the same value from outside, or the same polynomial, or
//! 3. results of equal ops, whose operands have the same numbers.
//!
//! All others have numbers of their own.
//!
//! Source: value numbering is from Cocke and Schwartz (Programming Languages and Their Compilers, 1970).
//!
//! Cost: linear in the ops of a row and the number of rows.

use std::collections::HashMap;

use comb_lmad::Polynomial;
use melior::ir::{
    AttributeLike, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike,
};
use soac_dialect::view::{OpView, op_name};

use super::rows::Rows;
use comb_fuse::fuse::work::instructions;
use comb_kit::{checks::facts::key, walk::operations};
use comb_nest::{elements::layouts::Element, nests::Nest};

/// A number of values that are known to be equal.
type Number = usize;

/// What tells that values are equal.
#[derive(PartialEq, Eq, Hash)]
enum Form<'a> {
    /// The element of an array that the loop does not write.
    Element(usize, Element),
    /// A number of the type of indices.
    Index(Polynomial),
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

/// How many additions an iteration of a loop inside takes as long as, for so many rows: each row by
/// itself, and all together.
pub(super) fn work_of_rows<'c: 'a, 'a>(
    rows: &mut Rows<'_, 'c, 'a>,
    inner: &Nest<'c, 'a>,
    count: u64,
) -> [f64; 2] {
    let mut numbering = Numbering {
        rows,
        numbers: HashMap::new(),
        next: 0,
        work: 0.0,
    };
    numbering.iteration(inner, 0);
    let alone = numbering.work * count as f64;
    for row in 1..count {
        numbering.iteration(inner, row as i64);
    }
    [alone, numbering.work]
}

struct Numbering<'r, 's, 'c, 'a> {
    rows: &'r mut Rows<'s, 'c, 'a>,
    numbers: HashMap<Form<'a>, Number>,
    next: Number,
    /// How many additions all that has numbers takes as long as.
    work: f64,
}

impl<'c: 'a, 'a> Numbering<'_, '_, 'c, 'a> {
    /// Numbers what a row computes.
    fn iteration(&mut self, inner: &Nest<'c, 'a>, row: i64) {
        let mut known: HashMap<usize, Number> = HashMap::new();
        let ops = inner.ops.iter();
        let in_body = ops.filter(|op| op.parent_operation() == Some(inner.op));
        for &op in in_body.filter(|op| op.result_count() > 0) {
            let results = self.results(op, row, &mut known);
            let keys = op.results().map(|result| key(result.into()));
            known.extend(keys.zip(results));
        }
    }

    fn results(
        &mut self,
        op: OperationRef<'c, 'a>,
        row: i64,
        known: &mut HashMap<usize, Number>,
    ) -> Vec<Number> {
        if op_name(op) == "nest.read" {
            let form = self.rows.element(op, row);
            return vec![self.number(form.map(|(array, element)| Form::Element(array, element)))];
        }
        let operands = op.operands().map(|value| self.value(value, row, known));
        let operands: Vec<Number> = operands.collect();
        self.computed(op, &operands)
    }

    fn value(
        &mut self,
        value: Value<'c, 'a>,
        row: i64,
        known: &mut HashMap<usize, Number>,
    ) -> Number {
        if let Some(&number) = known.get(&key(value)) {
            return number;
        }
        let form = match self.rows.defines(value) {
            false => Some(Form::Outside(key(value))),
            true if value.r#type().is_index() => self.rows.index_at(value, row).map(Form::Index),
            true => None,
        };
        let number = self.number(form);
        known.insert(key(value), number);
        number
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
        let is_index = op.results().all(|result| result.r#type().is_index());
        if !is_index && (has_others || self.next != next) {
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
