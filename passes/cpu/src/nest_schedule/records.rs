//! What chunks keep of each element that they scatter until its bucket's turn has come: a pure function of
//! the loop.
//!
//! Kept are the place in the bucket, and the new elements. But if place and new elements are computed by a
//! little arithmetic from elements of arrays, these are kept instead, if they are no larger, and the rest is
//! computed again. What is known before the loop is not kept.
//!
//! Cost: linear in the ops that compute places and elements, quadratic in the arrays that these read.

use comb_machine::tuning::record::LITTLE;
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::view::{OpView, definition, op_name};

use super::{accesses::Access, known::is_known_before, scatters::bytes_of};
use comb_kit::walk::op_key;
use comb_nest::nests::{Nest, root};

/// The bytes of a place in a bucket.
const BYTES_OF_PLACE: u64 = 2;

/// What is kept of an element.
pub struct Record<'c, 'a> {
    /// Whether the place in the bucket is.
    pub has_place: bool,
    /// The values of the loop that are.
    pub fields: Vec<Field<'c, 'a>>,
    /// Values that are the same as one of these, and which.
    pub same: Vec<(Value<'c, 'a>, usize)>,
    /// The ops by which the rest is computed again, in order.
    pub again: Vec<OperationRef<'c, 'a>>,
}

/// A value of a loop that is kept.
pub struct Field<'c, 'a> {
    /// The value.
    pub value: Value<'c, 'a>,
    /// What reads it, at each iteration once, from an array that the loop does not write: it can be read
    /// again.
    pub read: Option<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Record<'c, 'a> {
    /// That of a scatter in a loop.
    pub fn of(nest: &Nest<'c, 'a>, scatter: OperationRef<'c, 'a>) -> Self {
        let kept = kept(nest, scatter);
        let bytes = |values: &[Value<'c, 'a>]| bytes_of(values.iter().map(|value| value.r#type()));
        let most = bytes(&kept) + BYTES_OF_PLACE;
        let is_small = |again: &Self| {
            let fields = again.fields.iter().map(|field| field.value);
            bytes(&fields.collect::<Vec<_>>()) <= most
        };
        Self::without_place(nest, scatter)
            .filter(is_small)
            .unwrap_or_else(|| Self {
                has_place: true,
                fields: fields(nest, scatter, kept),
                same: vec![],
                again: vec![],
            })
    }

    /// What place and new elements are computed from by a little arithmetic, however large it is.
    pub fn without_place(nest: &Nest<'c, 'a>, scatter: OperationRef<'c, 'a>) -> Option<Self> {
        let view = OpView::of(scatter);
        let index = view.operands[view.group(2)].iter().copied();
        let mut search = Search {
            nest,
            leaves: vec![],
            same: vec![],
            ops: vec![],
        };
        for value in index.chain(kept(nest, scatter)) {
            search.visit(value);
        }
        (search.work() <= LITTLE).then(|| Self {
            has_place: false,
            fields: fields(nest, scatter, search.leaves),
            same: search.same,
            again: search.ops,
        })
    }
}

/// The new elements that are not known before a loop.
fn kept<'c: 'a, 'a>(nest: &Nest<'c, 'a>, scatter: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let view = OpView::of(scatter);
    let new = view.operands[view.group(0)].iter().copied();
    new.filter(|&value| !is_known_before(nest, value)).collect()
}

fn fields<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    scatter: OperationRef<'c, 'a>,
    values: Vec<Value<'c, 'a>>,
) -> Vec<Field<'c, 'a>> {
    let field = |value| Field {
        value,
        read: read_again(nest, scatter, value),
    };
    values.into_iter().map(field).collect()
}

/// What values are computed from.
struct Search<'s, 'c, 'a> {
    nest: &'s Nest<'c, 'a>,
    /// What is no arithmetic.
    leaves: Vec<Value<'c, 'a>>,
    /// What is the same as one of these.
    same: Vec<(Value<'c, 'a>, usize)>,
    /// What is, in order.
    ops: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Search<'_, 'c, 'a> {
    fn visit(&mut self, value: Value<'c, 'a>) {
        if !self.nest.defines(value) || self.leaves.contains(&value) {
            return;
        }
        let arithmetic = definition(value)
            .filter(|&op| op_name(op).starts_with("arith.") && op.region_count() == 0);
        let Some(op) = arithmetic else {
            return self.add(value);
        };
        let is_there = self.ops.iter().any(|&other| op_key(other) == op_key(op));
        // What takes longer is not computed again.
        if is_there || self.work() > LITTLE {
            return;
        }
        for operand in op.operands() {
            self.visit(operand);
        }
        self.ops.push(op);
    }

    fn add(&mut self, value: Value<'c, 'a>) {
        let is_same = |&leaf: &Value<'c, 'a>| read_the_same(self.nest, leaf, value);
        match self.leaves.iter().position(is_same) {
            Some(position) => self.same.push((value, position)),
            None => self.leaves.push(value),
        }
    }

    fn work(&self) -> usize {
        let ops = self.ops.iter();
        ops.filter(|&&op| op_name(op) != "arith.constant").count()
    }
}

/// Whether two values are read at the same index of an array that a loop does not write.
fn read_the_same<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    one: Value<'c, 'a>,
    other: Value<'c, 'a>,
) -> bool {
    let read = |value| definition(value).filter(|&op| op_name(op) == "nest.read");
    let reads = read(one).zip(read(other));
    reads.is_some_and(|(one, other)| one.operands().eq(other.operands()) && is_input(nest, one))
}

/// Whether a loop does not write the array that an op reads.
fn is_input<'c: 'a, 'a>(nest: &Nest<'c, 'a>, read: OperationRef<'c, 'a>) -> bool {
    let mut writes = nest.deep_ops().into_iter().flat_map(Access::of);
    let array = read.operand(0).map(root);
    !writes.any(|access| access.is_write && Ok(access.root()) == array)
}

/// The op by which a value can be read again for each element that a scatter has: both are done once at
/// each iteration of the loop.
fn read_again<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    scatter: OperationRef<'c, 'a>,
    value: Value<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let read = definition(value).filter(|&op| op_name(op) == "nest.read")?;
    let mut operands = read.operands();
    let array = operands.next()?;
    let is_at_iteration =
        |component| Some(component) == nest.index() || is_known_before(nest, component);
    let is_once = [read, scatter]
        .iter()
        .all(|op| op.parent_operation() == Some(nest.op));
    let can_be =
        is_once && is_input(nest, read) && !nest.defines(array) && operands.all(is_at_iteration);
    can_be.then_some(read)
}
