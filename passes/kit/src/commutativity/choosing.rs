//! Functions of two tuples that choose: each result is a part of one of them, and which one depends on
//! comparisons of their parts alone, as for the place of the greatest element. Whether such a function is
//! commutative is found by trying.
//!
//! What is chosen depends on how the parts lie to each other, and on which of them are NaN. So two ranks for each
//! part of a tuple, and NaN, are all that there is to try for two tuples, and three ranks for three. Zeros of
//! both signs are equal here: which of them is the result may depend on the order.
//!
//! Where NaN is among the parts, many functions that are written for numbers (`a > b or a = b and i < j`) are not
//! even associative, so that no order is the right one. They count as commutative if they are so for numbers.
//! Those that are associative for NaN, too, have to be commutative for it.
//!
//! Cost: `4^(2 k)` evaluations for `k` results, `4^(3 k)` where NaN matters; `k` is no more than [`MOST`].

use melior::ir::{BlockLike, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    cast::{Arguments, Parts},
    view::{OpView, op_name},
};
use std::collections::HashMap;

use crate::checks::{emit::integer_width, facts::key};

/// So many results at most are tried.
const MOST: usize = 2;

/// A part of a tuple, or what is computed of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// How a number lies to others of its part.
    Rank(u8),
    Nan,
    Truth(bool),
}

/// What holds for two numbers.
#[derive(Clone, Copy)]
struct Relations {
    less: bool,
    equal: bool,
    greater: bool,
    /// One of them is NaN.
    unordered: bool,
}

/// An extremum of two numbers.
#[derive(Clone, Copy)]
struct Extremum {
    is_greatest: bool,
    /// Whether NaN is ignored.
    ignores_nan: bool,
}

/// An op; its operands are numbers of values that are known before.
enum Step {
    Constant(bool),
    Compare(Relations, [usize; 2]),
    Extremum(Extremum, [usize; 2]),
    Logic(fn(bool, bool) -> bool, [usize; 2]),
    Select([usize; 3]),
}

/// What a part of a tuple can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Float,
    Integer,
    Truth,
}

/// A function that chooses.
struct Choosing {
    kinds: Vec<Kind>,
    steps: Vec<Step>,
    yielded: Vec<usize>,
}

/// Whether a function of two tuples chooses, and does not mind their order.
pub(super) fn chooses_in_any_order(view: &OpView) -> bool {
    Choosing::of(view).is_some_and(|function| function.is_commutative())
}

impl Choosing {
    /// Nothing if the function does anything but choose.
    fn of(view: &OpView) -> Option<Self> {
        let (block, yielded) = (view.block()?, view.yielded()?);
        let count = yielded.len();
        if count > MOST || block.argument_count() != 2 * count {
            return None;
        }
        let mut reader = Reader::default();
        let mut kinds = vec![];
        for number in 0..2 * count {
            let argument: Value = block.argument_at(number)?.into();
            reader.add(argument, Some(number % count));
            kinds.push(kind(argument)?);
        }
        if kinds[..count] != kinds[count..] {
            return None;
        }
        kinds.truncate(count);
        let mut steps = vec![];
        let mut next = block.first_operation();
        while let Some(op) = next.filter(|&op| Some(op) != block.terminator()) {
            let (step, part) = reader.step(op)?;
            reader.add(op.result_at(0)?.into(), part);
            steps.push(step);
            next = op.next_in_block();
        }
        // Which part a result is of has to be its own, so that ranks can be compared.
        let yielded = yielded.into_iter().enumerate().map(|(number, value)| {
            let &place = reader.places.get(&key(value))?;
            let is_own = reader.parts[place] == Some(number);
            (is_own || kinds[number] == Kind::Truth).then_some(place)
        });
        Some(Self {
            yielded: yielded.collect::<Option<_>>()?,
            kinds,
            steps,
        })
    }

    fn is_commutative(&self) -> bool {
        let numbers = self.tuples(2, false);
        let all = self.tuples(2, true);
        let commute = |tuples: &[Vec<Known>]| {
            let mut pairs = pairs(tuples);
            pairs.all(|(one, other)| self.chosen(one, other) == self.chosen(other, one))
        };
        commute(&numbers) && (commute(&all) || !self.is_associative())
    }

    /// Whether three tuples give the same, whichever two are combined first.
    fn is_associative(&self) -> bool {
        let all = self.tuples(3, true);
        pairs(&all).all(|(one, two)| {
            let first = self.chosen(one, two);
            all.iter().all(|three| {
                self.chosen(&first, three) == self.chosen(one, &self.chosen(two, three))
            })
        })
    }

    /// All tuples of numbers with so many ranks, and NaN.
    fn tuples(&self, ranks: u8, with_nan: bool) -> Vec<Vec<Known>> {
        let mut tuples = vec![vec![]];
        for &kind in &self.kinds {
            let mut parts: Vec<Known> = match kind {
                Kind::Truth => [false, true].map(Known::Truth).to_vec(),
                _ => (0..ranks).map(Known::Rank).collect(),
            };
            if kind == Kind::Float && with_nan {
                parts.push(Known::Nan);
            }
            let longer = tuples.iter().flat_map(|tuple| {
                let parts = parts.iter();
                parts.map(move |&part| [tuple.as_slice(), &[part]].concat())
            });
            tuples = longer.collect();
        }
        tuples
    }

    /// What it makes of two tuples.
    fn chosen(&self, one: &[Known], other: &[Known]) -> Vec<Known> {
        let mut known = [one, other].concat();
        for step in &self.steps {
            let value = step.value(&known);
            known.push(value);
        }
        self.yielded.iter().map(|&place| known[place]).collect()
    }
}

fn pairs(tuples: &[Vec<Known>]) -> impl Iterator<Item = (&Vec<Known>, &Vec<Known>)> {
    tuples
        .iter()
        .flat_map(move |one| tuples.iter().map(move |other| (one, other)))
}

fn kind(value: Value) -> Option<Kind> {
    match integer_width(value.r#type()) {
        Some(1) => Some(Kind::Truth),
        Some(_) => Some(Kind::Integer),
        None => value.r#type().is_float().then_some(Kind::Float),
    }
}

/// What is known of the values of a function while its ops are read.
#[derive(Default)]
struct Reader {
    places: HashMap<usize, usize>,
    /// The part of a tuple that a value is of; nothing for truth values that were computed.
    parts: Vec<Option<usize>>,
    /// Whether integers of a part are compared as signed ones.
    signed: HashMap<usize, bool>,
}

impl Reader {
    fn add(&mut self, value: Value, part: Option<usize>) {
        self.places.insert(key(value), self.parts.len());
        self.parts.push(part);
    }

    /// What an op does, and of which part its result is.
    fn step(&mut self, op: OperationRef) -> Option<(Step, Option<usize>)> {
        let name = op_name(op);
        if name == "arith.constant" {
            let value = op.attribute("value").ok()?.to_string();
            return matches!(value.as_str(), "true" | "false")
                .then(|| (Step::Constant(value == "true"), None));
        }
        let operands: Option<Vec<usize>> = op
            .operands()
            .map(|value| self.places.get(&key(value)).copied())
            .collect();
        let operands = operands?;
        if let Ok([condition, one, other]) = <[usize; 3]>::try_from(operands.as_slice()) {
            let part = self.parts[one];
            let is_choice = name == "arith.select" && part == self.parts[other];
            return is_choice.then_some((Step::Select([condition, one, other]), part));
        }
        let pair = <[usize; 2]>::try_from(operands.as_slice()).ok()?;
        if let Some(logic) = logic(name) {
            let is_truth = op
                .results()
                .all(|result| kind(result.into()) == Some(Kind::Truth));
            return is_truth.then_some((Step::Logic(logic, pair), None));
        }
        let part = self.parts[pair[0]].filter(|&part| self.parts[pair[1]] == Some(part))?;
        if kind(op.operand_at(0)?) == Some(Kind::Truth) {
            return None;
        }
        match name {
            "arith.cmpf" => Some((Step::Compare(relations(float_predicate(op)?), pair), None)),
            "arith.cmpi" => {
                let (predicate, signed) = integer_predicate(op)?;
                self.is_compared(part, signed)
                    .then(|| (Step::Compare(relations(predicate), pair), None))
            }
            _ => {
                let (extremum, signed) = extremum(name)?;
                self.is_compared(part, signed)
                    .then_some((Step::Extremum(extremum, pair), Some(part)))
            }
        }
    }

    /// Whether a part can be compared by signs, or without: it is not compared in another way elsewhere.
    fn is_compared(&mut self, part: usize, signed: Option<bool>) -> bool {
        signed.is_none_or(|signed| *self.signed.entry(part).or_insert(signed) == signed)
    }
}

fn logic(name: &str) -> Option<fn(bool, bool) -> bool> {
    match name {
        "arith.andi" => Some(|one, other| one & other),
        "arith.ori" => Some(|one, other| one | other),
        "arith.xori" => Some(|one, other| one ^ other),
        _ => None,
    }
}

/// The relations that a comparison is true for: bits for less, equal, greater and unordered.
fn relations(bits: u8) -> Relations {
    let has = |bit: u8| bits & bit != 0;
    Relations {
        less: has(LESS),
        equal: has(EQUAL),
        greater: has(GREATER),
        unordered: has(UNORDERED),
    }
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

fn predicate(op: OperationRef) -> Option<usize> {
    let attribute = op.attribute("predicate").ok()?;
    let number = melior::ir::attribute::IntegerAttribute::try_from(attribute).ok()?;
    usize::try_from(number.value()).ok()
}

/// Those of `arith.cmpf`, in the order of its predicates: each is true for some relations.
fn float_predicate(op: OperationRef) -> Option<u8> {
    const ORDERED: [u8; 8] = [
        0,
        EQUAL,
        GREATER,
        GREATER | EQUAL,
        LESS,
        LESS | EQUAL,
        LESS | GREATER,
        LESS | EQUAL | GREATER,
    ];
    match predicate(op)? {
        number @ 0..=7 => Some(ORDERED[number]),
        8 => Some(UNORDERED | EQUAL),
        9 => Some(UNORDERED | GREATER),
        10 => Some(UNORDERED | GREATER | EQUAL),
        11 => Some(UNORDERED | LESS),
        12 => Some(UNORDERED | LESS | EQUAL),
        13 => Some(UNORDERED | LESS | GREATER),
        14 => Some(UNORDERED),
        15 => Some(UNORDERED | LESS | EQUAL | GREATER),
        _ => None,
    }
}

/// Those of `arith.cmpi`, and whether it compares signed numbers, if that matters.
fn integer_predicate(op: OperationRef) -> Option<(u8, Option<bool>)> {
    Some(match predicate(op)? {
        0 => (EQUAL, None),
        1 => (LESS | GREATER, None),
        2 => (LESS, Some(true)),
        3 => (LESS | EQUAL, Some(true)),
        4 => (GREATER, Some(true)),
        5 => (GREATER | EQUAL, Some(true)),
        6 => (LESS, Some(false)),
        7 => (LESS | EQUAL, Some(false)),
        8 => (GREATER, Some(false)),
        9 => (GREATER | EQUAL, Some(false)),
        _ => return None,
    })
}

/// An op that is an extremum, and whether it compares signed numbers, if that matters.
fn extremum(name: &str) -> Option<(Extremum, Option<bool>)> {
    let (is_greatest, ignores_nan, signed) = match name {
        "arith.maxsi" => (true, false, Some(true)),
        "arith.minsi" => (false, false, Some(true)),
        "arith.maxui" => (true, false, Some(false)),
        "arith.minui" => (false, false, Some(false)),
        "arith.maximumf" => (true, false, None),
        "arith.minimumf" => (false, false, None),
        "arith.maxnumf" => (true, true, None),
        "arith.minnumf" => (false, true, None),
        _ => return None,
    };
    let extremum = Extremum {
        is_greatest,
        ignores_nan,
    };
    Some((extremum, signed))
}

impl Step {
    fn value(&self, known: &[Known]) -> Known {
        let truth = |place: usize| known[place] == Known::Truth(true);
        match self {
            Self::Constant(value) => Known::Truth(*value),
            Self::Compare(relations, [one, other]) => {
                Known::Truth(relations.hold(known[*one], known[*other]))
            }
            Self::Extremum(extremum, [one, other]) => extremum.of(known[*one], known[*other]),
            Self::Logic(logic, [one, other]) => Known::Truth(logic(truth(*one), truth(*other))),
            Self::Select([condition, one, other]) => match truth(*condition) {
                true => known[*one],
                false => known[*other],
            },
        }
    }
}

impl Relations {
    fn hold(self, one: Known, other: Known) -> bool {
        let (Known::Rank(one), Known::Rank(other)) = (one, other) else {
            return self.unordered;
        };
        match one.cmp(&other) {
            std::cmp::Ordering::Less => self.less,
            std::cmp::Ordering::Equal => self.equal,
            std::cmp::Ordering::Greater => self.greater,
        }
    }
}

impl Extremum {
    fn of(self, one: Known, other: Known) -> Known {
        match (one, other) {
            (Known::Rank(left), Known::Rank(right)) => match (left > right) == self.is_greatest {
                true => one,
                false => other,
            },
            (Known::Nan, number) | (number, Known::Nan) if self.ignores_nan => number,
            _ => Known::Nan,
        }
    }
}

#[cfg(test)]
mod tests {
    use melior::{Context, dialect::DialectRegistry, ir::Module, utility::register_all_dialects};

    use super::*;
    use crate::walk::operations;

    /// Whether the operator of a fold of numbers and their places is commutative, that is given by its lines.
    fn is_free(lines: &str) -> bool {
        let registry = DialectRegistry::new();
        register_all_dialects(&registry);
        soac_dialect::register(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        let text = format!(
            "func.func @f(%x: tensor<?xf32>, %y: tensor<?xi32>, %z: f32, %o: i32) -> (tensor<f32>, tensor<i32>) {{
               %r:2 = soac.fold %x, %y neutral %z, %o : (tensor<?xf32>, tensor<?xi32>, f32, i32) -> (tensor<f32>, tensor<i32>)
                   (%a: f32, %i: i32, %b: f32, %j: i32) {{
                 {lines}
               }}
               return %r#0, %r#1 : tensor<f32>, tensor<i32>
             }}"
        );
        let module = Module::parse(&context, &text).expect("the text is a program");
        let ops = operations(module.as_operation());
        let fold = ops.into_iter().find(|&op| op_name(op) == "soac.fold");
        chooses_in_any_order(&OpView::of(fold.expect("there is a fold")))
    }

    /// The greatest, and of equal ones that with the least place; or as other comparisons say.
    fn greatest(greater: &str, equal: &str, before: &str) -> String {
        format!(
            "%greater = arith.cmpf {greater}, %a, %b : f32
             %equal = arith.cmpf {equal}, %a, %b : f32
             %before = arith.cmpi {before}, %i, %j : i32
             %first = arith.andi %equal, %before : i1
             %keep = arith.ori %greater, %first : i1
             %c = arith.select %keep, %a, %b : f32
             %k = arith.select %keep, %i, %j : i32
             soac.yield %c, %k : f32, i32"
        )
    }

    #[test]
    fn places_of_extrema_do_not_depend_on_the_order() {
        assert!(is_free(&greatest("ogt", "oeq", "slt")));
        assert!(is_free(&greatest("olt", "oeq", "sle")));
        assert!(is_free(&greatest("ugt", "oeq", "ugt")));
    }

    #[test]
    fn what_is_first_depends_on_the_order() {
        assert!(!is_free(&greatest("oge", "oeq", "slt")));
        assert!(!is_free(
            "%greater = arith.cmpf oge, %a, %b : f32
             %c = arith.select %greater, %a, %b : f32
             %k = arith.select %greater, %i, %j : i32
             soac.yield %c, %k : f32, i32"
        ));
        assert!(!is_free("soac.yield %a, %i : f32, i32"));
    }

    #[test]
    fn nan_matters_where_the_function_is_associative_for_it() {
        let first_nan = "%nan = arith.cmpf une, %a, %a : f32
             %greater = arith.cmpf ogt, %a, %b : f32
             %value = arith.ori %nan, %greater : i1
             %equal = arith.cmpf oeq, %a, %b : f32
             %before = arith.cmpi slt, %i, %j : i32
             %first = arith.andi %equal, %before : i1
             %place = arith.ori %value, %first : i1
             %c = arith.select %value, %a, %b : f32
             %k = arith.select %place, %i, %j : i32
             soac.yield %c, %k : f32, i32";
        assert!(!is_free(first_nan));
    }

    #[test]
    fn what_computes_or_compares_in_two_ways_does_not_choose() {
        let both =
            greatest("ogt", "oeq", "slt").replace("andi %equal, %before", "andi %equal, %other");
        let both = format!("%other = arith.cmpi ult, %i, %j : i32\n{both}");
        assert!(!is_free(&both));
        assert!(!is_free(
            "%c = arith.maximumf %a, %b : f32
             %k = arith.addi %i, %j : i32
             soac.yield %c, %k : f32, i32"
        ));
        assert!(is_free(
            "%c = arith.maximumf %a, %b : f32
             %k = arith.minsi %i, %j : i32
             soac.yield %c, %k : f32, i32"
        ));
    }
}
