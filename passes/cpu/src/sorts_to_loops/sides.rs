//! Whether two values are computed alike: the same ops compute one of the elements at the one place,
//! and the other of those at the other.

use std::collections::HashSet;

use comb_kit::{checks::facts::key as key_of, walk::op_key};
use melior::ir::{BlockRef, OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::view::{as_argument, definition, dialect, named_attributes, op_name};

/// Two values that are computed alike.
pub(super) struct Sides {
    /// Whether the value on the left is that of the second place.
    pub is_turned: bool,
    /// The array of whose elements alone bits are chosen or turned, as far as ops tell.
    pub array: Option<usize>,
    /// The ops that compute the value of the first place.
    pub ops: HashSet<usize>,
}

impl Sides {
    /// Compares what a function of elements of so many arrays computes; nothing if it is not alike, or
    /// is computed of nothing.
    pub fn of<'c: 'a, 'a>(
        [left, right]: [Value<'c, 'a>; 2],
        block: BlockRef<'c, 'a>,
        count: usize,
    ) -> Option<Self> {
        let mut reader = Reader {
            block,
            count,
            is_turned: None,
            seen: HashSet::new(),
            arrays: HashSet::new(),
            keeps_bits: true,
            ops: [HashSet::new(), HashSet::new()],
        };
        if !reader.are_alike(left, right) {
            return None;
        }
        let is_turned = reader.is_turned?;
        let [first, second] = reader.ops;
        let mut arrays = reader.arrays.into_iter();
        Some(Self {
            is_turned,
            array: match (arrays.next(), arrays.next()) {
                (Some(array), None) if reader.keeps_bits => Some(array),
                _ => None,
            },
            ops: if is_turned { second } else { first },
        })
    }
}

/// Reads both sides.
struct Reader<'c, 'a> {
    block: BlockRef<'c, 'a>,
    /// How many arrays there are.
    count: usize,
    /// Whether the value on the left is that of the second place; nothing if no element was met yet.
    is_turned: Option<bool>,
    /// Pairs of values that are known to be alike.
    seen: HashSet<(usize, usize)>,
    /// The arrays whose elements were met.
    arrays: HashSet<usize>,
    /// Whether all ops choose or turn bits.
    keeps_bits: bool,
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
        self.arrays.insert(left % self.count);
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
        self.keeps_bits &= keeps_bits(op_name(left));
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

/// Whether an op chooses bits, or turns some, so that most may stay what they are.
fn keeps_bits(name: &str) -> bool {
    matches!(
        name,
        "arith.constant"
            | "arith.select"
            | "arith.cmpf"
            | "arith.cmpi"
            | "arith.bitcast"
            | "arith.andi"
            | "arith.ori"
            | "arith.xori"
            | "arith.shrsi"
            | "arith.shrui"
    )
}
