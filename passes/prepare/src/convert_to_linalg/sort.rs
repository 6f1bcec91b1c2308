//! Sorts: a merge sort of each row, from the bottom up.
//!
//! Runs of 1, 2, 4, … elements are merged, from the row at hand into another one of its size, in
//! one loop over all of it: where a pair of runs begins, the loop begins to read both.
//!
//! Cost: O(n log n) comparisons of a row of n elements.

use melior::{
    Error,
    ir::{BlockRef, Type, Value, r#type::ShapedTypeLike},
};
use soac_dialect::builder::{Builder, Predicate, Values};

use super::mapnest::{inner_array, store};
use comb_kit::{
    pass_error::PassError,
    target::{Target, array_type_of},
};

pub(super) fn sort<'c, 'a>(target: &Target<'c, 'a>) -> Result<Values<'c, 'a>, PassError<'c>> {
    let lambda = target.lambda()?;
    let inputs = target.group(0);
    let sizes = target.first_result_sizes()?;
    let Some((&length, outer_sizes)) = sizes.split_last() else {
        return Err(target.unsupported("sorts an array of 0 dimensions"));
    };
    let results = target.empty_results()?;
    target
        .builder
        .loop_nest(outer_sizes, &results, &mut |builder, outer, carried| {
            let rows = inputs
                .iter()
                .map(|&input| inner_array(builder, input, outer))
                .collect::<Result<Values, PassError>>()?;
            let sorted = sorted(builder, &rows, length, lambda)?;
            store(builder, &sorted, carried, outer)
        })
}

/// Rows of a length, sorted together.
fn sorted<'c, 'a>(
    builder: &Builder<'c, 'a>,
    rows: &[Value<'c, 'a>],
    length: Value<'c, 'a>,
    lambda: BlockRef<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let count = rows.len();
    let others = rows
        .iter()
        .map(|&row| Ok(builder.empty(&builder.sizes(row)?, array_type_of(row)?.element())?))
        .collect::<Result<Values, PassError>>()?;
    let one = builder.index(1)?;
    let carried = [&[one], rows, others.as_slice()].concat();
    let state = builder.while_loop(
        &carried,
        |builder, state| Ok::<_, PassError>(builder.compare(Predicate::Slt, state[0], length)?),
        |builder, state| {
            let (from, into) = state[1..].split_at(count);
            let merge = Merge {
                run: state[0],
                twice: builder.arithmetic("arith.addi", &[state[0], state[0]])?,
                from,
                length,
                lambda,
            };
            let merged = merge.all(builder, into)?;
            Ok([&[merge.twice], merged.as_slice(), from].concat())
        },
    )?;
    Ok(state[1..=count].to_vec())
}

/// Merges runs of one length to runs of twice that.
struct Merge<'s, 'c, 'a> {
    run: Value<'c, 'a>,
    twice: Value<'c, 'a>,
    from: &'s [Value<'c, 'a>],
    length: Value<'c, 'a>,
    lambda: BlockRef<'c, 'a>,
}

impl<'c, 'a> Merge<'_, 'c, 'a> {
    fn all(
        &self,
        builder: &Builder<'c, 'a>,
        into: &[Value<'c, 'a>],
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let zero = builder.index(0)?;
        let carried = [&[zero, zero], into].concat();
        let state = builder.for_loop(self.length, &carried, |builder, position, state| {
            self.step(builder, position, [state[0], state[1]], &state[2..])
        })?;
        Ok(state[2..].to_vec())
    }

    /// Puts the next element of a pair of runs in its place. Gives where both runs go on, and the
    /// arrays.
    fn step(
        &self,
        builder: &Builder<'c, 'a>,
        position: Value<'c, 'a>,
        next: [Value<'c, 'a>; 2],
        into: &[Value<'c, 'a>],
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let within = builder.arithmetic("arith.remui", &[position, self.twice])?;
        let start = builder.arithmetic("arith.subi", &[position, within])?;
        let middle = self.cut(builder, start, self.run)?;
        let end = self.cut(builder, start, self.twice)?;
        let is_start = builder.compare(Predicate::Eq, within, builder.index(0)?)?;
        let left = builder.select(is_start, start, next[0])?;
        let right = builder.select(is_start, middle, next[1])?;
        let takes_right = self.takes_right(builder, [left, middle], [right, end])?;
        let taken = builder.select(takes_right, right, left)?;
        let elements = self.elements(builder, taken)?;
        let into = store(builder, &elements, into, &[position])?;
        let one = builder.index(1)?;
        let left_on = builder.arithmetic("arith.addi", &[left, one])?;
        let right_on = builder.arithmetic("arith.addi", &[right, one])?;
        let left = builder.select(takes_right, left, left_on)?;
        let right = builder.select(takes_right, right_on, right)?;
        Ok([&[left, right], into.as_slice()].concat())
    }

    /// Where a run ends, or the row if that is earlier.
    fn cut(
        &self,
        builder: &Builder<'c, 'a>,
        start: Value<'c, 'a>,
        run: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let end = builder.arithmetic("arith.addi", &[start, run])?;
        builder.arithmetic("arith.minsi", &[end, self.length])
    }

    /// Whether the run on the right goes on: it goes before the one on the left, or that has ended.
    fn takes_right(
        &self,
        builder: &Builder<'c, 'a>,
        [left, left_end]: [Value<'c, 'a>; 2],
        [right, right_end]: [Value<'c, 'a>; 2],
    ) -> Result<Value<'c, 'a>, PassError<'c>> {
        let truth = [builder.integer_type(1)];
        let left_is_over = builder.compare(Predicate::Sge, left, left_end)?;
        let right_is_over = builder.compare(Predicate::Sge, right, right_end)?;
        let of_two = |builder: &Builder<'c, 'a>| {
            let first = self.elements(builder, right)?;
            let second = self.elements(builder, left)?;
            let arguments = [first, second].concat();
            Ok::<_, PassError>(builder.inline(self.lambda, &arguments)?)
        };
        let taken = builder.if_else(
            left_is_over,
            &truth,
            |builder| Ok::<_, PassError>(vec![boolean(builder, true, truth[0])?]),
            |builder| {
                let left_goes_on = |builder: &Builder<'c, 'a>| {
                    Ok::<_, PassError>(vec![boolean(builder, false, truth[0])?])
                };
                builder.if_else(right_is_over, &truth, left_goes_on, of_two)
            },
        )?;
        Ok(taken[0])
    }

    fn elements(
        &self,
        builder: &Builder<'c, 'a>,
        position: Value<'c, 'a>,
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let arrays = self.from.iter();
        arrays
            .map(|&array| Ok(builder.extract(array, &[position])?))
            .collect()
    }
}

fn boolean<'c, 'a>(
    builder: &Builder<'c, 'a>,
    value: bool,
    r#type: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    builder.integer(i64::from(value), r#type)
}
