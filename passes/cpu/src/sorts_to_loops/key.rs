//! What a sort's function compares: numbers that it computes alike of the elements at both places.
//!
//! The function is a comparison, `<` or `>`, of two values that are alike ([`Sides`]); or that of a
//! first number, and another such function where the first numbers are equal. NaNs aside, such
//! numbers give a strict weak order, whatever they are.
//!
//! Cost: linear in the size of the function, for each number.

use std::collections::HashSet;

use melior::ir::{
    BlockLike, BlockRef, OperationRef, Type, TypeLike, Value, ValueLike,
    attribute::IntegerAttribute, operation::OperationLike, r#type::IntegerType,
};
use soac_dialect::{
    builder::{FloatPredicate, Predicate},
    cast::{Parts, cast},
    view::{OpView, as_argument, definition, op_name},
};

use super::sides::Sides;

/// How many bits all numbers have at most.
const MOST_BITS: u32 = 128;

/// How bits are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As integers with a sign.
    Signed,
    /// As integers without a sign.
    Unsigned,
    /// As floating-point numbers.
    Float,
}

/// An element that may have the bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Which array it is of.
    pub array: usize,
    /// Whether it has them, whatever it is.
    pub is_certain: bool,
}

/// A number that decides which elements go first.
pub struct Key<'c, 'a> {
    /// How it is compared.
    pub order: Order,
    /// Whether greater ones go first.
    pub falls: bool,
    /// Its width in bits.
    pub width: u32,
    /// What the function computes of the elements at the first place.
    pub value: Value<'c, 'a>,
    /// The element that may have its bits, if one may.
    pub origin: Option<Origin>,
}

/// The numbers that decide: each where those before it are equal.
pub struct Keys<'c, 'a> {
    /// They, the first to decide first.
    pub list: Vec<Key<'c, 'a>>,
    /// The function's block.
    pub block: BlockRef<'c, 'a>,
    /// The ops that compute them.
    pub ops: HashSet<usize>,
}

impl<'c: 'a, 'a> Keys<'c, 'a> {
    /// The keys of a sort, if it has some.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let view = OpView::of(op);
        let &[before] = view.yielded()?.as_slice() else {
            return None;
        };
        let mut keys = Self {
            list: vec![],
            block: view.block()?,
            ops: HashSet::new(),
        };
        let mut rest = Some(before);
        while let Some(before) = rest {
            let (comparison, next) = parted(before)?;
            keys.add(comparison, view.operands.len())?;
            rest = next;
        }
        let is_simple = keys.list.len() == 1 || !keys.reads_bf16(view.operands.len());
        (is_simple && keys.width() <= MOST_BITS).then_some(keys)
    }

    /// Whether there are arrays of bf16. LLVM 22 generates no code that reads the sign of a single number
    /// of bf16 (`FGETSIGN`) and has more to do with it, as words of several numbers do.
    fn reads_bf16(&self, count: usize) -> bool {
        (0..count).any(|array| {
            let element = self.block.argument(array);
            element.is_ok_and(|element| element.r#type().is_bf16())
        })
    }

    /// How many bits they have together.
    pub fn width(&self) -> u32 {
        self.list.iter().map(|key| key.width).sum()
    }

    /// Adds what a comparison compares, of elements of so many arrays.
    fn add(&mut self, comparison: OperationRef<'c, 'a>, count: usize) -> Option<()> {
        let (order, falls) = order_of(comparison)?;
        let [left, right] = operands(comparison)?;
        let sides = Sides::of([left, right], self.block, count)?;
        let value = if sides.is_turned { right } else { left };
        let width = width_of(value.r#type())?;
        let is_element = as_argument(value).is_some_and(|value| value.owner() == self.block);
        let origin = sides.array.filter(|&array| {
            let element = self.block.argument(array).map(|element| element.r#type());
            element.is_ok_and(|element| !element.is_bf16() && width_of(element) == Some(width))
        });
        self.list.push(Key {
            order,
            falls: falls ^ sides.is_turned,
            width,
            value,
            origin: origin.map(|array| Origin {
                array,
                is_certain: is_element && order != Order::Float,
            }),
        });
        self.ops.extend(sides.ops);
        Some(())
    }
}

/// A comparison, and what decides behind it, if anything.
type Parted<'c, 'a> = (OperationRef<'c, 'a>, Option<Value<'c, 'a>>);

/// The first comparison that decides, and what decides if it finds both sides equal: `a < b`,
/// `a < b | (a == b & rest)`, `a == b ? rest : a < b`, or `a != b ? a < b : rest`.
fn parted<'c: 'a, 'a>(before: Value<'c, 'a>) -> Option<Parted<'c, 'a>> {
    let op = definition(before)?;
    let (first, rest) = match op_name(op) {
        "arith.ori" => either(operands(op)?, |first, both| {
            let both = definition(both).filter(|&both| op_name(both) == "arith.andi")?;
            let first = definition(first)?;
            either(operands(both)?, |equal, rest| {
                (equality(equal, first) == Some(true)).then_some((first, rest))
            })
        })?,
        "arith.select" => {
            let condition = op.operand_at(0)?;
            let [then, otherwise] = [op.operand_at(1)?, op.operand_at(2)?];
            either([then, otherwise], |first, rest| {
                let first = definition(first)?;
                let is_equality = equality(condition, first)?;
                (is_equality == (rest == then)).then_some((first, rest))
            })?
        }
        _ => return Some((op, None)),
    };
    Some((first, Some(rest)))
}

/// What two values have, in one order or the other.
fn either<V: Copy, T>([first, second]: [V; 2], read: impl Fn(V, V) -> Option<T>) -> Option<T> {
    read(first, second).or_else(|| read(second, first))
}

/// Whether a value is that what a comparison compares is equal, or that it is not; nothing if it is
/// something else.
fn equality(value: Value, comparison: OperationRef) -> Option<bool> {
    const EQ: i64 = Predicate::Eq as i64;
    const NE: i64 = Predicate::Ne as i64;
    const OEQ: i64 = FloatPredicate::Oeq as i64;
    const UNE: i64 = FloatPredicate::Une as i64;
    let op = definition(value)?;
    let is_equality = match (op_name(op), predicate(op)?) {
        ("arith.cmpi", EQ) | ("arith.cmpf", OEQ) => true,
        ("arith.cmpi", NE) | ("arith.cmpf", UNE) => false,
        _ => return None,
    };
    let [left, right] = operands(op)?;
    let compared = operands(comparison)?;
    (compared == [left, right] || compared == [right, left]).then_some(is_equality)
}

/// The two operands of an op.
fn operands<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<[Value<'c, 'a>; 2]> {
    (op.operand_count() == 2).then_some([op.operand_at(0)?, op.operand_at(1)?])
}

/// The predicate of a comparison.
fn predicate(op: OperationRef) -> Option<i64> {
    let predicate = IntegerAttribute::try_from(op.attribute("predicate").ok()?).ok()?;
    Some(predicate.value())
}

/// What an op compares, and whether the greater goes first; nothing if it compares otherwise.
fn order_of(op: OperationRef) -> Option<(Order, bool)> {
    const SLT: i64 = Predicate::Slt as i64;
    const SGT: i64 = Predicate::Sgt as i64;
    const ULT: i64 = Predicate::Ult as i64;
    const UGT: i64 = Predicate::Ugt as i64;
    const OLT: i64 = FloatPredicate::Olt as i64;
    const OGT: i64 = FloatPredicate::Ogt as i64;
    Some(match (op_name(op), predicate(op)?) {
        ("arith.cmpi", SLT) => (Order::Signed, false),
        ("arith.cmpi", SGT) => (Order::Signed, true),
        ("arith.cmpi", ULT) => (Order::Unsigned, false),
        ("arith.cmpi", UGT) => (Order::Unsigned, true),
        ("arith.cmpf", OLT) => (Order::Float, false),
        ("arith.cmpf", OGT) => (Order::Float, true),
        _ => return None,
    })
}

/// The width of a number.
pub(super) fn width_of(r#type: Type) -> Option<u32> {
    match cast::<IntegerType>(r#type) {
        Some(integer) => Some(integer.width()).filter(|&width| width <= 64),
        _ if r#type.is_index() || r#type.is_f64() => Some(64),
        _ if r#type.is_f32() => Some(32),
        _ if r#type.is_f16() || r#type.is_bf16() => Some(16),
        _ => None,
    }
}
