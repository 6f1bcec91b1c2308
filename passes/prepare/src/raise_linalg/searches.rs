//! Searches for the greatest or least number and its place, as programs write `argmax`: an iteration compares its
//! number with the best so far, and if it is better, its place is taken, too. Two results are accumulated at
//! once.
//!
//! The fold takes pairs, and gives the first of the best numbers, wherever it is split. A NaN is never better. Where
//! it becomes the best number nevertheless, as `arith.maximumf` has it, no place is taken any more; so such a fold
//! takes along whether there was one.

use melior::{
    Error,
    ir::{
        OperationRef, Type, TypeLike, Value, ValueLike, attribute::IntegerAttribute,
        operation::OperationLike,
    },
};
use soac_dialect::{
    builder::{Builder, FloatPredicate, Predicate, Values},
    view::{definition, op_name, uses},
};

use super::nest::Nest;
use comb_kit::{element_types::element, neutral::Neutral};

/// A search, and the numbers of its results.
#[derive(Clone, Copy)]
pub(super) struct Search<'c, 'a> {
    /// The result that is the best number.
    pub(super) best: usize,
    /// The result that is its place.
    pub(super) place: usize,
    /// The number of an iteration.
    pub(super) number: Value<'c, 'a>,
    /// The place of an iteration.
    pub(super) own_place: Value<'c, 'a>,
    order: Order,
    keeping: Keeping,
}

/// Which of two different numbers is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Floats(FloatPredicate),
    Integers(Predicate),
}

/// How the best number is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeping {
    /// It is chosen as its place is.
    Choice,
    /// It is the extremum, by an op that is neither of numbers that are not.
    Extremum,
}

/// The searches among the results of an op.
pub(super) fn all<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    yielded: &[Value<'c, 'a>],
) -> Vec<Search<'c, 'a>> {
    let places = 0..yielded.len();
    let found = places.filter_map(|place| Search::of(nest, yielded, place));
    found.collect()
}

impl<'c: 'a, 'a> Search<'c, 'a> {
    /// The search that a result is the place of.
    fn of(nest: &Nest<'c, 'a>, yielded: &[Value<'c, 'a>], place: usize) -> Option<Self> {
        let choice = definition(yielded[place]).filter(|&op| op_name(op) == "arith.select")?;
        let accumulator = |result: usize| nest.argument(nest.inputs + result);
        let [condition, own_place, otherwise] = operands(choice)?;
        if Some(otherwise) != accumulator(place) || uses(otherwise).len() != 1 {
            return None;
        }
        let comparison = definition(condition)?;
        let sides = operands::<2>(comparison)?;
        let best = (0..yielded.len())
            .find(|&result| sides.iter().any(|&side| Some(side) == accumulator(result)))?;
        let before = accumulator(best)?;
        let is_first = sides[0] == before;
        let number = sides[usize::from(is_first)];
        let order = Order::of(comparison, is_first)?;
        let keeper = definition(yielded[best])?;
        let keeping = match op_name(keeper) {
            "arith.select" if operands(keeper)? == [condition, number, before] => Keeping::Choice,
            name if name == order.extremum()? => {
                let sides = operands::<2>(keeper)?;
                let is_same = sides == [number, before] || sides == [before, number];
                is_same.then_some(Keeping::Extremum)?
            }
            _ => return None,
        };
        let mut users = uses(before).into_iter().map(|(user, _)| user);
        let is_search = users.all(|user| user == comparison || user == keeper)
            && nest.indices[nest.inputs + best] == nest.indices[nest.inputs + place]
            && number != before;
        is_search.then_some(Self {
            best,
            place,
            number,
            own_place,
            order,
            keeping,
        })
    }

    /// The best numbers and their places, of arrays of both and of what they were before.
    pub(super) fn build(
        &self,
        builder: &Builder<'c, 'a>,
        arrays: [Value<'c, 'a>; 2],
        before: [Value<'c, 'a>; 2],
        inner: usize,
    ) -> Result<[Value<'c, 'a>; 2], Error> {
        let (number, place) = (element(arrays[0].r#type()), element(arrays[1].r#type()));
        let worst = self.order.worst(builder, number)?;
        let nowhere = match place.is_float() {
            true => builder.float(0.0, place)?,
            false => builder.integer(0, place)?,
        };
        let candidates = builder.map(&arrays, |builder, pair| {
            self.candidate(builder, [pair[0], pair[1]], [worst, nowhere])
        })?;
        let mut neutrals = vec![worst, nowhere];
        if self.minds_nan() {
            neutrals.push(builder.integer(0, builder.integer_type(1))?);
        }
        let count = neutrals.len();
        let folds = builder.fold_inner(&candidates, &neutrals, inner, |builder, values| {
            let (left, right) = values.split_at(count);
            self.better(builder, left, right)
        })?;
        let results = builder.map(&[&before[..], &folds].concat(), |builder, values| {
            let (before, folds) = values.split_at(2);
            self.last(builder, before, folds)
        })?;
        Ok([results[0], results[1]])
    }

    /// Whether it matters that there was a NaN.
    fn minds_nan(&self) -> bool {
        self.keeping == Keeping::Extremum && matches!(self.order, Order::Floats(_))
    }

    /// An iteration's number and place, as those that are never better say them: the worst number, nowhere.
    fn candidate(
        &self,
        builder: &Builder<'c, 'a>,
        [number, place]: [Value<'c, 'a>; 2],
        [worst, nowhere]: [Value<'c, 'a>; 2],
    ) -> Result<Values<'c, 'a>, Error> {
        let is_better = self.order.compare(builder, number, worst)?;
        let place = builder.select(is_better, place, nowhere)?;
        let Order::Floats(_) = self.order else {
            return Ok(vec![number, place]);
        };
        let mut candidate = vec![builder.select(is_better, number, worst)?, place];
        if self.minds_nan() {
            candidate.push(builder.compare_floats(FloatPredicate::Uno, number, number)?);
        }
        Ok(candidate)
    }

    /// The better one of two numbers with their places: the left one if they are equal, or if there was a NaN.
    fn better(
        &self,
        builder: &Builder<'c, 'a>,
        left: &[Value<'c, 'a>],
        right: &[Value<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        let is_better = self.order.compare(builder, right[0], left[0])?;
        if !self.minds_nan() {
            return Ok(vec![
                builder.select(is_better, right[0], left[0])?,
                builder.select(is_better, right[1], left[1])?,
            ]);
        }
        let had_nan = left[2];
        let extremum = self.order.extremum().ok_or(Error::OperationBuild)?;
        let extremum = builder.arithmetic(extremum, &[right[0], left[0]])?;
        let place = builder.select(is_better, right[1], left[1])?;
        Ok(vec![
            builder.select(had_nan, left[0], extremum)?,
            builder.select(had_nan, left[1], place)?,
            builder.arithmetic("arith.ori", &[had_nan, right[2]])?,
        ])
    }

    /// What is best in the end, of what was before and of the fold.
    fn last(
        &self,
        builder: &Builder<'c, 'a>,
        before: &[Value<'c, 'a>],
        folds: &[Value<'c, 'a>],
    ) -> Result<Values<'c, 'a>, Error> {
        let is_better = self.order.compare(builder, folds[0], before[0])?;
        let place = builder.select(is_better, folds[1], before[1])?;
        let best = match (self.keeping, self.order.extremum()) {
            (Keeping::Extremum, Some(name)) => builder.arithmetic(name, &[folds[0], before[0]])?,
            _ => builder.select(is_better, folds[0], before[0])?,
        };
        let best = match folds {
            [_, _, had_nan] => {
                let nan = builder.float(f64::NAN, best.r#type())?;
                builder.select(*had_nan, nan, best)?
            }
            _ => best,
        };
        Ok(vec![best, place])
    }
}

impl Order {
    /// How a comparison of an iteration's number with the best so far orders numbers, or of the best so far with
    /// the number.
    fn of(comparison: OperationRef, best_is_first: bool) -> Option<Self> {
        let predicate = comparison.attribute("predicate").ok()?;
        let predicate = IntegerAttribute::try_from(predicate).ok()?.value();
        let floats = [FloatPredicate::Ogt, FloatPredicate::Olt];
        let signed = [Predicate::Sgt, Predicate::Slt];
        let unsigned = [Predicate::Ugt, Predicate::Ult];
        let turned = |place: usize| if best_is_first { 1 - place } else { place };
        match op_name(comparison) {
            "arith.cmpf" => {
                let place = floats.iter().position(|&other| other as i64 == predicate)?;
                Some(Self::Floats(floats[turned(place)]))
            }
            "arith.cmpi" => [signed, unsigned].into_iter().find_map(|pair| {
                let place = pair.iter().position(|&other| other as i64 == predicate)?;
                Some(Self::Integers(pair[turned(place)]))
            }),
            _ => None,
        }
    }

    /// The op that gives the better number of two.
    fn extremum(self) -> Option<&'static str> {
        Some(match self {
            Self::Floats(FloatPredicate::Ogt) => "arith.maximumf",
            Self::Floats(FloatPredicate::Olt) => "arith.minimumf",
            Self::Integers(Predicate::Sgt) => "arith.maxsi",
            Self::Integers(Predicate::Slt) => "arith.minsi",
            Self::Integers(Predicate::Ugt) => "arith.maxui",
            Self::Integers(Predicate::Ult) => "arith.minui",
            _ => return None,
        })
    }

    /// The number that none is worse than.
    fn worst<'c, 'a>(
        self,
        builder: &Builder<'c, 'a>,
        r#type: Type<'c>,
    ) -> Result<Value<'c, 'a>, Error> {
        let neutral = self.extremum().and_then(|op| Neutral::of(op, r#type));
        neutral.ok_or(Error::OperationBuild)?.build(builder, r#type)
    }

    /// Whether a number is better than another one.
    fn compare<'c, 'a>(
        self,
        builder: &Builder<'c, 'a>,
        number: Value<'c, 'a>,
        other: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        match self {
            Self::Floats(predicate) => builder.compare_floats(predicate, number, other),
            Self::Integers(predicate) => builder.compare(predicate, number, other),
        }
    }
}

/// The operands of an op that has so many.
fn operands<'c: 'a, 'a, const COUNT: usize>(
    op: OperationRef<'c, 'a>,
) -> Option<[Value<'c, 'a>; COUNT]> {
    op.operands().collect::<Vec<_>>().try_into().ok()
}
