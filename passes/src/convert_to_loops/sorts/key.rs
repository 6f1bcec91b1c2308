//! What a sort's function compares: a number that it computes alike of the elements at both places.
//!
//! The function is a comparison, `<` or `>`, of two values. They are alike if the same ops compute one
//! of the elements at the one place, and the other of those at the other. NaNs aside, such a number
//! gives a strict weak order, whatever it is.
//!
//! Cost: linear in the size of the function.

use std::collections::HashSet;

use melior::ir::{
    BlockRef, OperationRef, Type, TypeLike, Value, ValueLike, attribute::IntegerAttribute,
    operation::OperationLike, r#type::IntegerType,
};
use soac_dialect::{
    builder::{FloatPredicate, Predicate},
    view::{OpView, as_argument, definition, dialect, named_attributes, op_name},
};

use crate::{checks::facts::key as key_of, walk::op_key};

/// How bits are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Signed,
    Unsigned,
    Float,
}

/// A number that decides which elements go first.
pub(super) struct Key<'c, 'a> {
    pub order: Order,
    /// Whether greater ones go first.
    pub falls: bool,
    /// Its width in bits.
    pub width: u32,
    pub r#type: Type<'c>,
    /// What the function computes of the elements at the first place.
    pub value: Value<'c, 'a>,
    /// The array of which it is the element, if nothing is computed: it says all about that.
    pub array: Option<usize>,
    /// The function's block.
    pub block: BlockRef<'c, 'a>,
    /// The ops that compute it.
    pub ops: HashSet<usize>,
}

impl<'c: 'a, 'a> Key<'c, 'a> {
    /// The key of a sort, if it has one.
    pub fn of(op: OperationRef<'c, 'a>) -> Option<Self> {
        let view = OpView::of(op);
        let &[before] = view.yielded()?.as_slice() else {
            return None;
        };
        let comparison = definition(before)?;
        let (order, mut falls) = order_of(comparison)?;
        let [left, right] = [comparison.operand(0).ok()?, comparison.operand(1).ok()?];
        let mut reader = Reader {
            block: view.block()?,
            count: view.operands.len(),
            is_turned: None,
            seen: HashSet::new(),
            ops: [HashSet::new(), HashSet::new()],
        };
        if !reader.are_alike(left, right) {
            return None;
        }
        // A function of nothing is no key.
        let is_turned = reader.is_turned?;
        falls ^= is_turned;
        let value = if is_turned { right } else { left };
        let argument = as_argument(value).filter(|argument| argument.owner() == reader.block);
        let [first, second] = reader.ops;
        Some(Self {
            order,
            falls,
            width: width_of(value.r#type())?,
            r#type: value.r#type(),
            value,
            array: argument.map(|argument| argument.argument_number()),
            block: reader.block,
            ops: if is_turned { second } else { first },
        })
    }
}

/// What an op compares, and whether the greater goes first; nothing if it compares otherwise.
fn order_of(op: OperationRef) -> Option<(Order, bool)> {
    const SLT: i64 = Predicate::Slt as i64;
    const SGT: i64 = Predicate::Sgt as i64;
    const ULT: i64 = Predicate::Ult as i64;
    const UGT: i64 = Predicate::Ugt as i64;
    const OLT: i64 = FloatPredicate::Olt as i64;
    const OGT: i64 = FloatPredicate::Ogt as i64;
    let predicate = IntegerAttribute::try_from(op.attribute("predicate").ok()?).ok()?;
    Some(match (op_name(op), predicate.value()) {
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
fn width_of(r#type: Type) -> Option<u32> {
    match IntegerType::try_from(r#type) {
        Ok(integer) => Some(integer.width()).filter(|&width| width <= 64),
        _ if r#type.is_index() || r#type.is_f64() => Some(64),
        _ if r#type.is_f32() => Some(32),
        _ if r#type.is_f16() || r#type.is_bf16() => Some(16),
        _ => None,
    }
}

/// Compares what is computed of the elements at both places.
struct Reader<'c, 'a> {
    block: BlockRef<'c, 'a>,
    /// How many arrays there are.
    count: usize,
    /// Whether the value on the left is that of the second place; nothing if no element was met yet.
    is_turned: Option<bool>,
    /// Pairs of values that are known to be alike.
    seen: HashSet<(usize, usize)>,
    /// The ops on the left, and on the right.
    ops: [HashSet<usize>; 2],
}

impl<'c: 'a, 'a> Reader<'c, 'a> {
    fn are_alike(&mut self, left: Value<'c, 'a>, right: Value<'c, 'a>) -> bool {
        if !self.seen.insert((key_of(left), key_of(right))) {
            return true;
        }
        let arguments = [self.argument(left), self.argument(right)];
        if let [Some(left), Some(right)] = arguments {
            return self.is_pair(left, right);
        }
        match [self.inside(left), self.inside(right)] {
            [None, None] => arguments == [None, None] && left == right,
            [Some(first), Some(second)] => self.do_alike(first, second),
            _ => false,
        }
    }

    /// Whether arguments are elements of one array, those on the left always of one place.
    fn is_pair(&mut self, left: usize, right: usize) -> bool {
        let is_turned = left >= self.count;
        left % self.count == right % self.count
            && left != right
            && *self.is_turned.get_or_insert(is_turned) == is_turned
    }

    /// Whether two ops compute the same of operands that are alike.
    fn do_alike(&mut self, left: OperationRef<'c, 'a>, right: OperationRef<'c, 'a>) -> bool {
        let computes = matches!(dialect(left), "arith" | "math") && left.region_count() == 0;
        let types = |op: OperationRef<'c, 'a>| {
            let results = op.results();
            results.map(|result| result.r#type()).collect::<Vec<_>>()
        };
        self.ops[0].insert(op_key(left));
        self.ops[1].insert(op_key(right));
        computes
            && op_name(left) == op_name(right)
            && left.result_count() == 1
            && types(left) == types(right)
            && named_attributes(left) == named_attributes(right)
            && left.operand_count() == right.operand_count()
            && left
                .operands()
                .zip(right.operands())
                .all(|(left, right)| self.are_alike(left, right))
    }

    /// The number of an argument of the function.
    fn argument(&self, value: Value<'c, 'a>) -> Option<usize> {
        let argument = as_argument(value)?;
        (argument.owner() == self.block).then(|| argument.argument_number())
    }

    /// The op of the function that defines a value.
    fn inside(&self, value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        definition(value).filter(|op| op.block() == Some(self.block))
    }
}
