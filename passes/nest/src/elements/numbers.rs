//! Numbers of a function as polynomials over what is not a sum, difference or product; and back.
//!
//! Cost: linear in the ops that compute a number, [`DEPTH`] of them in a row at most.

use std::collections::HashMap;

use comb_lmad::{Bounds, Polynomial, Symbol};
use melior::ir::{
    OperationRef, Value, ValueLike,
    r#type::{DimSize, MemRefType, ShapedTypeLike},
};
use soac_dialect::{
    builder::{Builder, Size},
    cast::{Parts, cast},
    view::{argument_of, definition, op_name},
};

use super::{
    assumptions::Assumptions,
    facts::{Comparison, comparisons},
    layouts::shape_of,
};
use comb_kit::{
    checks::facts::{constant, key},
    element_types::MOST_ELEMENTS,
    pass_error::PassError,
    ranges::range,
    walk::is_there_before,
};

/// How many ops in a row are looked through.
const DEPTH: usize = 32;

/// What is computed of numbers below this does not wrap around.
const LARGEST: i128 = 1 << 62;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug)]
pub enum Leaf<'c, 'a> {
    /// A value that is not looked through.
    Value(Value<'c, 'a>),
    /// How large memory is in a dimension, where nothing else says so.
    Size(Value<'c, 'a>, usize),
    /// How often a loop runs that goes over elements, by itself.
    Count(Value<'c, 'a>),
}

impl<'c, 'a> Leaf<'c, 'a> {
    /// The value that has to be there for it to be known.
    pub fn value(self) -> Value<'c, 'a> {
        match self {
            Self::Value(value) | Self::Size(value, _) | Self::Count(value) => value,
        }
    }

    fn name(self) -> (usize, Option<usize>) {
        match self {
            Self::Value(value) => (key(value), None),
            Self::Size(memory, dimension) => (key(memory), Some(dimension)),
            Self::Count(length) => (key(length), Some(usize::MAX)),
        }
    }
}

/// What is known of a function's numbers.
pub struct Numbers<'c, 'a> {
    /// What is known is so whenever this op is executed.
    at: OperationRef<'c, 'a>,
    pub(super) leaves: Vec<Leaf<'c, 'a>>,
    symbols: HashMap<(usize, Option<usize>), Symbol>,
    known: HashMap<usize, Polynomial>,
    /// Of symbols that are no larger than the size of an array can be.
    pub bounds: Bounds,
    /// What may be taken to be so, if that is asked when the program runs.
    pub assumptions: Option<Assumptions>,
}

impl<'c: 'a, 'a> Numbers<'c, 'a> {
    /// Nothing is known but that an op is executed.
    pub fn at(op: OperationRef<'c, 'a>) -> Self {
        Self {
            at: op,
            leaves: vec![],
            symbols: HashMap::new(),
            known: HashMap::new(),
            bounds: Bounds::default(),
            assumptions: None,
        }
    }

    /// Learns what the checks say that are made before.
    pub fn learn_checks(&mut self) {
        let comparisons = comparisons(self.at);
        for comparison in &comparisons {
            self.learn_range(comparison, &comparisons);
        }
        for comparison in &comparisons {
            self.learn_least(comparison);
        }
    }

    /// Indices that checks say are equal.
    pub fn equal_indices(&mut self) -> Vec<(Polynomial, Polynomial)> {
        let comparisons = comparisons(self.at);
        let is_other_way = |one: &Comparison<'c, 'a>, other: &Comparison<'c, 'a>| {
            one.less == other.more && one.more == other.less && one.distance + other.distance == 0
        };
        let equal = comparisons.iter().filter(|one| {
            one.distance == 0 && comparisons.iter().any(|other| is_other_way(one, other))
        });
        let pairs = equal.map(|one| (self.of(one.less), self.of(one.more)));
        pairs.collect()
    }

    /// A value that is known not to be negative, and not to be larger than an array.
    fn learn_range(&mut self, lower: &Comparison<'c, 'a>, all: &[Comparison<'c, 'a>]) {
        let least = constant(lower.less).and_then(|least| least.checked_add(lower.distance));
        let Some(least) = least.filter(|&least| least >= 0) else {
            return;
        };
        let is_small = |upper: &Comparison<'c, 'a>| {
            let greatest = constant(upper.more);
            upper.less == lower.more && greatest.is_some_and(|most| most <= MOST_ELEMENTS)
        };
        if all.iter().any(is_small)
            && let Some(symbol) = only_symbol(&self.of(lower.more))
        {
            self.bounds.at_least(symbol, least);
        }
    }

    /// How small a symbol may be, as a comparison of numbers that are not large says.
    fn learn_least(&mut self, comparison: &Comparison<'c, 'a>) {
        let [less, more] = [comparison.less, comparison.more].map(|value| self.of(value));
        let is_small = |number: &Polynomial| {
            number.symbols().all(|symbol| self.bounds.has(symbol))
                && number.magnitude(MOST_ELEMENTS.into()) < LARGEST
        };
        if !is_small(&less) || !is_small(&more) {
            return;
        }
        let positive = more.checked_sub(&less);
        let positive =
            positive.and_then(|number| number.checked_add(&(1 - comparison.distance).into()));
        if let Some(positive) = positive {
            self.bounds.positive(&positive);
        }
    }

    /// What a symbol stands for.
    pub fn leaf(&self, symbol: Symbol) -> Leaf<'c, 'a> {
        self.leaves[symbol.0]
    }

    /// A number.
    pub fn of(&mut self, value: Value<'c, 'a>) -> Polynomial {
        self.at_depth(value, DEPTH)
    }

    fn at_depth(&mut self, value: Value<'c, 'a>, depth: usize) -> Polynomial {
        if let Some(known) = self.known.get(&key(value)) {
            return known.clone();
        }
        let computed = match (constant(value), definition(value), depth.checked_sub(1)) {
            (Some(constant), ..) => Some(constant.into()),
            _ if is_of_one_iteration(value) => Some(0.into()),
            (None, Some(op), Some(depth)) => self.computed(op, depth),
            _ => None,
        };
        let number = computed.unwrap_or_else(|| self.symbol(Leaf::Value(value)).into());
        self.known.insert(key(value), number.clone());
        number
    }

    fn computed(&mut self, op: OperationRef<'c, 'a>, depth: usize) -> Option<Polynomial> {
        let mut part = |position: usize| Some(self.at_depth(op.operand_at(position)?, depth));
        match op_name(op) {
            "arith.addi" => part(0)?.checked_add(&part(1)?),
            "arith.subi" => part(0)?.checked_sub(&part(1)?),
            "arith.muli" => part(0)?.checked_mul(&part(1)?),
            "memref.dim" => {
                let dimension = usize::try_from(constant(op.operand_at(1)?)?).ok()?;
                Some(self.size(op.operand_at(0)?, dimension))
            }
            _ => None,
        }
    }

    /// How large memory is in a dimension.
    pub fn size(&mut self, memory: Value<'c, 'a>, dimension: usize) -> Polynomial {
        match size_of(memory, dimension) {
            Some(Size::Static(size)) => size.into(),
            Some(Size::Dynamic(size)) => {
                let number = self.of(size);
                // The size of what exists is no negative number, and not large.
                let exists = is_there_before(memory, self.at);
                if let Some(only) = only_symbol(&number).filter(|_| exists) {
                    self.bounds.at_least(only, 0);
                }
                number
            }
            None => match self.size_of_either(memory, dimension) {
                Some(size) => size,
                None => self.symbol(Leaf::Size(memory, dimension)).into(),
            },
        }
    }

    /// The same, by itself if it is computed of numbers that may be large, and it is not assumed that they are
    /// not.
    pub fn bounded_size(&mut self, memory: Value<'c, 'a>, dimension: usize) -> Polynomial {
        let number = self.size(memory, dimension);
        match size_of(memory, dimension) {
            _ if self.assumptions.is_some() => number,
            Some(Size::Dynamic(size)) if !number.symbols().all(|one| self.bounds.has(one)) => {
                self.count(size).into()
            }
            _ => number,
        }
    }

    /// How often a loop runs that goes over elements of memory: no more often than there are some.
    pub fn count(&mut self, length: Value<'c, 'a>) -> Symbol {
        self.symbol(Leaf::Count(length))
    }

    /// How large memory is that is one of two blocks of the same size.
    fn size_of_either(&mut self, memory: Value<'c, 'a>, dimension: usize) -> Option<Polynomial> {
        let op = definition(memory).filter(|&op| op_name(op) == "arith.select")?;
        let one = self.size(op.operand_at(1)?, dimension);
        let other = self.size(op.operand_at(2)?, dimension);
        (one == other).then_some(one)
    }

    /// The index of a loop.
    pub fn index(&mut self, argument: Value<'c, 'a>) -> Symbol {
        self.symbol(Leaf::Value(argument))
    }

    fn symbol(&mut self, leaf: Leaf<'c, 'a>) -> Symbol {
        if let Some(&known) = self.symbols.get(&leaf.name()) {
            return known;
        }
        let symbol = Symbol(self.leaves.len());
        self.leaves.push(leaf);
        self.symbols.insert(leaf.name(), symbol);
        if let Some(least) = least(leaf) {
            self.bounds.at_least(symbol, least);
        }
        symbol
    }

    /// Computes a number.
    ///
    /// # Errors
    ///
    /// If MLIR rejects what was built.
    pub fn emit(
        &self,
        builder: &Builder<'c, 'a>,
        number: &Polynomial,
    ) -> Result<Size<'c, 'a>, PassError<'c>> {
        if let Some(constant) = number.as_constant() {
            return Ok(Size::Static(constant as i64));
        }
        let mut sum = None;
        for (coefficient, symbols) in number.terms() {
            let mut term = match symbols.is_empty() || coefficient != 1 {
                true => Some(builder.index(coefficient as i64)?),
                false => None,
            };
            for symbol in symbols {
                let factor = match self.leaf(symbol) {
                    Leaf::Value(value) | Leaf::Count(value) => value,
                    Leaf::Size(memory, dimension) => {
                        builder.size_value(builder.size(memory, dimension)?)?
                    }
                };
                term = Some(match term {
                    Some(term) => builder.arithmetic("arith.muli", &[term, factor])?,
                    None => factor,
                });
            }
            sum = match (sum, term) {
                (Some(sum), Some(term)) => Some(builder.arithmetic("arith.addi", &[sum, term])?),
                (sum, term) => sum.or(term),
            };
        }
        match sum {
            Some(sum) => Ok(Size::Dynamic(sum)),
            None => Ok(Size::Static(0)),
        }
    }
}

/// The symbol that a number is.
fn only_symbol(number: &Polynomial) -> Option<Symbol> {
    let symbol = number.symbols().next();
    symbol.filter(|&symbol| *number == Polynomial::from(symbol))
}

/// Whether a value is the index of a loop that runs once, if at all.
pub fn is_of_one_iteration(value: Value) -> bool {
    argument_of(value).is_some_and(|(op, argument)| {
        let length = op.operand_at(0).and_then(constant);
        op_name(op) == "nest.loop" && argument == 0 && length.is_some_and(|length| length <= 1)
    })
}

/// The least that a number can be, if it is known not to be large.
fn least(leaf: Leaf) -> Option<i64> {
    let Leaf::Value(value) = leaf else {
        return Some(0);
    };
    if let Some((op, 0)) = argument_of(value)
        && op_name(op) == "nest.loop"
    {
        return Some(0);
    }
    let range = range(value)?;
    let is_small = range.greatest <= MOST_ELEMENTS.into();
    is_small.then(|| i64::try_from(range.least).ok())?
}

/// How large memory is in a dimension, if that is said where it is made.
fn size_of<'c: 'a, 'a>(memory: Value<'c, 'a>, dimension: usize) -> Option<Size<'c, 'a>> {
    let r#type = cast::<MemRefType>(memory.r#type())?;
    if let Ok(DimSize::Static(size)) = r#type.dim_size(dimension) {
        return Some(Size::Static(size as i64));
    }
    let op = definition(memory)?;
    let is_dynamic = |&before: &usize| r#type.dim_size(before) == Ok(DimSize::Dynamic);
    let dynamic = (0..dimension).filter(is_dynamic);
    match op_name(op) {
        "memref.alloc" | "nest.local" => Some(Size::Dynamic(op.operand_at(dynamic.count())?)),
        "memref.cast" => size_of(op.operand_at(0)?, dimension),
        "memref.reshape" => Some(Size::Dynamic(*shape_of(op)?.get(dimension)?)),
        _ => None,
    }
}
