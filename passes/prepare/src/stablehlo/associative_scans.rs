//! Scans that arrive unrolled, as `jax.lax.associative_scan` leaves them: combinations of pairs,
//! of pairs of pairs, and so on, and all interleaved.
//!
//! Phases: sums of two interleaved arrays are read as results of scans, the last ones first
//! ([`Levels`]); results of one scan are found together, and which ops nobody needs then
//! ([`Plan`]); when the first of the results is reached, one `soac.scanl` is built.
//!
//! The function has no neutral element in the program: unless it is an op that has one, a truth
//! value is scanned beside, which says whether there is an element yet.
//!
//! Source: Blelloch, "Prefix Sums and Their Applications", 1990, for the unrolled form.
//! Cost: linear in the number of ops.

mod levels;
mod parts;

use std::collections::{HashMap, HashSet};

use melior::ir::{BlockRef, OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Values, combinators::Scan},
    cast::Parts,
    view::{definition, dialect, op_name, uses},
};

use self::{
    levels::{Levels, Node},
    parts::{Interleaved, Number, axis_of},
};
use super::{
    Scope,
    body::Body,
    constants,
    element::{self, Array},
    reduce::{neutral_of, zero},
    shapes::moved_inside,
};
use comb_kit::{
    checks::facts::key,
    pass_error::PassError,
    walk::{op_key, operations},
};

/// The scans of a function that are unrolled in it.
#[derive(Default)]
pub(super) struct Plan<'c, 'a> {
    scans: Vec<Unrolled<'c, 'a>>,
    /// Which scan a value is a result of, and which result it is.
    results: HashMap<usize, (usize, usize)>,
    /// The ops that only results of scans use.
    unneeded: HashSet<usize>,
}

struct Unrolled<'c, 'a> {
    levels: Levels<'c, 'a>,
    /// The block that all results are in.
    block: Option<BlockRef<'c, 'a>>,
    /// The new values of all results, once they are built.
    built: Option<Values<'c, 'a>>,
}

impl<'c: 'a, 'a> Plan<'c, 'a> {
    /// Finds the scans that are unrolled in a function.
    pub(super) fn of(function: OperationRef<'c, 'a>) -> Self {
        let ops = operations(function);
        let mut plan = Self::default();
        let mut inside = HashSet::new();
        for &op in ops.iter().rev() {
            let is_sum = matches!(op_name(op), "stablehlo.add" | "stablehlo.or");
            let result = is_sum.then(|| op.result_at(0)).flatten();
            let value = result.filter(|&result| !inside.contains(&key(result.into())));
            value.and_then(|value| plan.add(value.into(), &mut inside));
        }
        plan.keep_possible(&ops);
        plan.find_unneeded(&ops);
        plan
    }

    /// Whether an op need not be converted.
    pub(super) fn leaves_out(&self, op: OperationRef<'c, 'a>) -> bool {
        self.unneeded.contains(&op_key(op))
    }

    /// Adds a value, if it is the result of a scan.
    fn add(&mut self, value: Value<'c, 'a>, inside: &mut HashSet<usize>) -> Option<()> {
        let axis = axis_of(value)?;
        Interleaved::of(value, axis)?;
        let block = definition(value)?.block();
        let mut known = self.scans.iter_mut().enumerate();
        let known = known.find_map(|(scan, unrolled)| {
            let levels = Some(&mut unrolled.levels).filter(|_| unrolled.block == block)?;
            Some((scan, levels.also(value)?))
        });
        let result = match known {
            Some(result) => result,
            None => {
                let levels = Levels::of(value, axis)?;
                self.scans.push(Unrolled {
                    levels,
                    block,
                    built: None,
                });
                (self.scans.len() - 1, 0)
            }
        };
        inside.extend(self.scans[result.0].levels.scans().map(key));
        self.results.insert(key(value), result);
        Some(())
    }

    /// Forgets scans of which a part is computed behind the first result.
    fn keep_possible(&mut self, ops: &[OperationRef<'c, 'a>]) {
        let mut seen = HashSet::new();
        let mut started = HashSet::new();
        let mut impossible = HashSet::new();
        for op in ops {
            for result in op.results() {
                let result = key(result.into());
                if let Some(&(scan, _)) = self.results.get(&result)
                    && started.insert(scan)
                {
                    let mut needed = self.scans[scan].levels.needed();
                    let is_there =
                        |value| definition(value).is_none() || seen.contains(&key(value));
                    if !needed.all(is_there) {
                        impossible.insert(scan);
                    }
                }
                seen.insert(result);
            }
        }
        self.results
            .retain(|_, (scan, _)| !impossible.contains(scan));
    }

    /// Finds ops that would have no users.
    fn find_unneeded(&mut self, ops: &[OperationRef<'c, 'a>]) {
        let planned: HashSet<usize> = self.results.values().map(|&(scan, _)| scan).collect();
        let needed = planned
            .iter()
            .flat_map(|&scan| self.scans[scan].levels.needed());
        let needed: HashSet<usize> = needed.map(key).collect();
        for &op in ops.iter().rev() {
            let is_simple = dialect(op) == "stablehlo" && op.region_count() == 0;
            let results: Values = op.results().map(Into::into).collect();
            let users: Vec<_> = results.iter().flat_map(|&result| uses(result)).collect();
            let is_scan = |user: OperationRef<'c, 'a>| {
                let mut results = user.results();
                results.any(|result| self.results.contains_key(&key(result.into())))
            };
            let is_unneeded = is_simple
                && op_name(op) != "stablehlo.custom_call"
                && !users.is_empty()
                && !results.iter().any(|&result| needed.contains(&key(result)))
                && users
                    .iter()
                    .all(|&(user, _)| self.leaves_out(user) || is_scan(user));
            if is_unneeded {
                self.unneeded.insert(op_key(op));
            }
        }
    }
}

/// The new value of an op, if it is the result of an unrolled scan.
pub(super) fn result<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    builder: &Builder<'c, 'a>,
    scope: &mut Scope<'c, 'a>,
) -> Result<Option<Value<'c, 'a>>, PassError<'c>> {
    let old = op.result_at(0).map(|result| key(result.into()));
    let Some(&(scan, index)) = old.and_then(|old| scope.scans.results.get(&old)) else {
        return Ok(None);
    };
    if let Some(built) = &scope.scans.scans[scan].built {
        return Ok(Some(built[index]));
    }
    let built = build(op, &scope.scans.scans[scan].levels, builder, scope)?;
    let value = built[index];
    scope.scans.scans[scan].built = Some(built);
    Ok(Some(value))
}

/// A scan, in place of the first of its results.
fn build<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    levels: &Levels<'c, 'a>,
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
) -> Result<Values<'c, 'a>, PassError<'c>> {
    let arrays = levels.arrays().map(|old| scope.value(op, old));
    let arrays = arrays.collect::<Result<Values, _>>()?;
    let forms = levels.arrays().map(|old| element::array(op, old.r#type()));
    let forms = forms.collect::<Result<Vec<_>, _>>()?;
    let body = body(op, levels, builder, scope)?;
    let form = (forms[0].rank(), levels.axis);
    let own = neutral_of(builder, &body, forms[0].element)?;
    Ok(moved_inside(builder, &arrays, form, |arrays| match own {
        Some(neutral) => builder.scanl(arrays, &[neutral], Scan::Inclusive, |builder, values| {
            body.build(builder, values)
        }),
        None => beside_presence(builder, arrays, &forms, &body),
    })?)
}

/// A scan of arrays by a function without a neutral element, beside whether there is an element.
fn beside_presence<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    arrays: &[Value<'c, 'a>],
    forms: &[Array<'c>],
    body: &Body<'c, 'a>,
) -> Result<Values<'c, 'a>, melior::Error> {
    let truth = builder.integer_type(1);
    let (yes, no) = (builder.integer(1, truth)?, builder.integer(0, truth)?);
    let present = builder.fill(&[yes], &builder.sizes(arrays[0])?)?;
    let zeros = forms.iter().map(|form| zero(builder, form.element));
    let zeros = zeros.collect::<Result<Values, _>>()?;
    let neutrals = [&[no], &zeros[..]].concat();
    let inputs = [&present[..], arrays].concat();
    let scans = builder.scanl(&inputs, &neutrals, Scan::Inclusive, |builder, values| {
        let (left, right) = values.split_at(inputs.len());
        let both = body.build(builder, &[&left[1..], &right[1..]].concat())?;
        let mut yielded = vec![builder.arithmetic("arith.ori", &[left[0], right[0]])?];
        for (index, &both) in both.iter().enumerate() {
            let from_left = builder.select(right[0], both, left[index + 1])?;
            yielded.push(builder.select(left[0], from_left, right[index + 1])?);
        }
        Ok::<_, melior::Error>(yielded)
    })?;
    Ok(scans[1..].to_vec())
}

/// The function of all arrays' left elements, and then the right ones.
fn body<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    levels: &Levels<'c, 'a>,
    builder: &Builder<'c, 'a>,
    scope: &Scope<'c, 'a>,
) -> Result<Body<'c, 'a>, PassError<'c>> {
    let count = levels.arrays().count();
    let captured = levels.numbers().map(|number| match number {
        Number::Constant(op) => {
            let place = vec![builder.index(0)?; element::result(op, 0)?.rank()];
            let constant = constants::constant(op, builder)?[0];
            Ok::<_, PassError>(builder.extract(constant, &place)?)
        }
        Number::Broadcast(old) => Ok(builder.extract(scope.value(op, old)?, &[])?),
    });
    let captured = captured.collect::<Result<Values, _>>()?;
    let (mut numbers, mut steps, mut next) = (vec![], vec![], 2 * count);
    let first_step = next + captured.len();
    for node in &levels.nodes {
        numbers.push(match node {
            Node::Left(index) => *index,
            Node::Right(index) => count + index,
            Node::Number(_) => {
                next += 1;
                next - 1
            }
            Node::Step(scalar, operands) => {
                let operands = operands.iter().map(|&operand| numbers[operand]).collect();
                steps.push((*scalar, operands));
                first_step + steps.len() - 1
            }
        });
    }
    let yielded = levels.results().map(|node| numbers[node]).collect();
    Ok(Body::new(2 * count, captured, steps, yielded))
}
