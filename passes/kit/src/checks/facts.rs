//! What is known of array sizes and `index` values.
//!
//! Sizes are traced back through the ops that give them (`soac` ops through
//! their descriptions), and values through constants, `tensor.dim`, sums and
//! differences, to *roots*: sizes and values of which nothing more is known.
//! What depends on roots is an [`Extent`] whose terms are numbered roots, so
//! that the dialect's own conditions decide what holds, and equal sizes are
//! equal extents. Arithmetic on extents wraps around just as that on `index`
//! values does.
//!
//! Every size and value is traced once, when its op is met in program order.

use std::collections::HashMap;

use melior::ir::{
    OperationRef, TypeLike, Value, ValueLike,
    attribute::IntegerAttribute,
    operation::OperationLike,
    r#type::{DimSize, RankedTensorType, ShapedTypeLike},
};
use soac_dialect::{
    cast::{Parts, cast},
    description::describe,
    extent::{Extent, Term},
    requirement::{Condition, Truth},
    slice::kept_dimensions,
    view::{OpView, argument_of, as_result, definition, op_name},
};

use super::{carried::before_loop, emit::integer_width};

/// A size or value that depends on more roots than these is a root itself, so
/// that long sums do not cost their length squared.
const MOST_TERMS: usize = 8;

/// A size or value of which nothing more is known.
#[derive(Clone, Copy)]
pub enum Root<'c, 'a> {
    /// The size of an array along an axis.
    Size(Value<'c, 'a>, usize),
    /// An `index` value.
    Value(Value<'c, 'a>),
}

/// What is known so far.
pub struct Facts<'c, 'a> {
    roots: Vec<Root<'c, 'a>>,
    sizes: HashMap<(usize, usize), Extent>,
    values: HashMap<usize, Extent>,
    trusting: bool,
}

/// The identity of a value.
pub fn key(value: Value) -> usize {
    value.to_raw().ptr as usize
}

impl<'c: 'a, 'a> Facts<'c, 'a> {
    /// Knows nothing yet; if `trusting`, takes for granted that the program
    /// does not fail.
    pub fn new(trusting: bool) -> Self {
        Self {
            roots: vec![],
            sizes: HashMap::new(),
            values: HashMap::new(),
            trusting,
        }
    }

    /// Whether it is taken for granted that the program does not fail.
    pub fn trusting(&self) -> bool {
        self.trusting
    }

    /// What a term of an extent stands for.
    pub fn root(&self, term: Term) -> Root<'c, 'a> {
        match term {
            Term::Value { operand } | Term::Size { operand, .. } => self.roots[operand],
        }
    }

    /// The array whose size a term stands for, if it is one.
    pub fn measured(&self, term: Term) -> Option<Value<'c, 'a>> {
        match self.root(term) {
            Root::Size(array, _) => Some(array),
            Root::Value(_) => None,
        }
    }

    fn new_root(&mut self, root: Root<'c, 'a>) -> Extent {
        self.roots.push(root);
        Extent::value(self.roots.len() - 1)
    }

    /// Traces the sizes and values that an op gives.
    pub fn learn(&mut self, op: OperationRef<'c, 'a>) {
        for result in op.results() {
            let value = Value::from(result);
            if value.r#type().is_index() {
                self.value(value);
            } else if let Some(array) = cast::<RankedTensorType>(value.r#type()) {
                for axis in 0..array.rank() {
                    self.size(value, axis);
                }
            }
        }
    }

    /// The size of an array.
    pub fn size(&mut self, array: Value<'c, 'a>, axis: usize) -> Extent {
        if let Some(size) = self.sizes.get(&(key(array), axis)) {
            return size.clone();
        }
        let size = self
            .traced_size(array, axis)
            .filter(|size| size.terms.len() <= MOST_TERMS)
            .unwrap_or_else(|| self.new_root(Root::Size(array, axis)));
        self.sizes.insert((key(array), axis), size.clone());
        size
    }

    /// The sizes of an array.
    pub fn shape(&mut self, array: Value<'c, 'a>) -> Vec<Extent> {
        let rank = cast::<RankedTensorType>(array.r#type()).map_or(0, |array| array.rank());
        (0..rank).map(|axis| self.size(array, axis)).collect()
    }

    fn traced_size(&mut self, array: Value<'c, 'a>, axis: usize) -> Option<Extent> {
        let r#type = cast::<RankedTensorType>(array.r#type())?;
        if let Ok(DimSize::Static(size)) = r#type.dim_size(axis) {
            return Some(Extent::constant(size as i64));
        }
        match definition(array) {
            Some(op) => self.size_of_result(op, array, axis),
            None => self.size_of_argument(array, axis),
        }
    }

    fn size_of_result(
        &mut self,
        op: OperationRef<'c, 'a>,
        array: Value<'c, 'a>,
        axis: usize,
    ) -> Option<Extent> {
        let view = OpView::of(op);
        let number = as_result(array)?.result_number();
        match view.name {
            "tensor.cast" | "tensor.bitcast" => Some(self.size(view.operands[0], axis)),
            "tensor.extract_slice" => {
                let array = cast::<RankedTensorType>(array.r#type())?;
                let dimension = *kept_dimensions(&view, &array)?.get(axis)?;
                let size = view.mixed("static_sizes", 2).get(dimension)?.clone();
                Some(self.resolve(&size, &view.operands))
            }
            "tensor.expand_shape" => {
                let size = output_shape(&view).get(axis)?.clone();
                Some(self.resolve(&size, &view.operands))
            }
            "linalg.pack" | "linalg.unpack" => Some(self.size(view.operands[1], axis)),
            // Structured ops of linalg write arrays that they are given last.
            name if name.starts_with("linalg.") => {
                let first = view.operands.len().checked_sub(op.result_count())?;
                Some(self.size(*view.operands.get(first + number)?, axis))
            }
            "scf.for" => Some(self.size(before_loop(array, axis)?, axis)),
            "tensor.insert" | "tensor.insert_slice" => Some(self.size(view.operands[1], axis)),
            "tensor.empty" | "tensor.generate" => {
                let dynamic = dynamic_before(array, axis)?;
                Some(self.value(*view.operands.get(dynamic)?))
            }
            "bufferization.alloc_tensor" => match view.group(0) {
                sizes if sizes.is_empty() => {
                    let copied = *view.operands[view.group(1)].first()?;
                    Some(self.size(copied, axis))
                }
                sizes => {
                    let size = sizes.start + dynamic_before(array, axis)?;
                    Some(self.value(*view.operands.get(size)?))
                }
            },
            "tensor.splat" => {
                let dynamic = dynamic_before(array, axis)?;
                Some(self.value(*view.operands.get(1 + dynamic)?))
            }
            "soac.filter" if number > 0 => {
                let first = op.result_at(0)?.into();
                Some(self.size(first, axis))
            }
            name if name.starts_with("soac.") => {
                let description = describe(&view).ok()?;
                let size = description.results.get(number)?.sizes.get(axis)?.clone()?;
                Some(self.resolve(&size, &view.operands))
            }
            _ => None,
        }
    }

    /// A cluster's arguments are its inputs; a map over outer dimensions takes
    /// the inner dimensions of its inputs; what a loop carries may keep its size.
    fn size_of_argument(&mut self, array: Value<'c, 'a>, axis: usize) -> Option<Extent> {
        if let Some(first) = before_loop(array, axis) {
            return Some(self.size(first, axis));
        }
        let (parent, number) = argument_of(array)?;
        let view = OpView::of(parent);
        let outer = match view.name {
            "soac.cluster" => 0,
            "soac.map" => usize::try_from(view.integer("outer")?).ok()?,
            _ => return None,
        };
        let input = *view.operands.get(number)?;
        Some(self.size(input, outer + axis))
    }

    /// An `index` value.
    pub fn value(&mut self, value: Value<'c, 'a>) -> Extent {
        if let Some(known) = self.values.get(&key(value)) {
            return known.clone();
        }
        let known = self
            .traced_value(value)
            .filter(|known| known.terms.len() <= MOST_TERMS)
            .unwrap_or_else(|| self.new_root(Root::Value(value)));
        self.values.insert(key(value), known.clone());
        known
    }

    fn traced_value(&mut self, value: Value<'c, 'a>) -> Option<Extent> {
        if let Some(constant) = constant(value) {
            return Some(Extent::constant(constant));
        }
        let op = definition(value)?;
        match op_name(op) {
            "tensor.dim" => {
                let array = op.operand_at(0)?;
                let rank = cast::<RankedTensorType>(array.r#type())?.rank();
                let axis = usize::try_from(constant(op.operand_at(1)?)?).ok()?;
                (axis < rank).then(|| self.size(array, axis))
            }
            "arith.addi" | "index.add" => {
                let [left, right] = self.operands(op)?;
                Some(&left + &right)
            }
            "arith.subi" | "index.sub" => {
                let [left, right] = self.operands(op)?;
                Some(&left - &right)
            }
            "arith.muli" | "index.mul" => {
                // Only of constants: a multiple of a size may wrap around.
                let [left, right] = self.operands(op)?;
                let product = left.as_constant()?.wrapping_mul(right.as_constant()?);
                Some(Extent::constant(product))
            }
            "arith.index_cast" => Some(Extent::constant(constant(op.operand_at(0)?)?)),
            _ => None,
        }
    }

    fn operands(&mut self, op: OperationRef<'c, 'a>) -> Option<[Extent; 2]> {
        let (left, right) = (op.operand_at(0)?, op.operand_at(1)?);
        Some([self.value(left), self.value(right)])
    }

    /// An extent over an op's operands, traced to roots.
    pub fn resolve(&mut self, extent: &Extent, operands: &[Value<'c, 'a>]) -> Extent {
        let mut sum = Extent::constant(extent.constant);
        for &(coefficient, term) in &extent.terms {
            let traced = match term {
                Term::Size { operand, axis } => self.size(operands[operand], axis),
                Term::Value { operand } => self.value(operands[operand]),
            };
            sum = &sum + &(&traced * coefficient);
        }
        sum
    }

    /// A condition over an op's operands, traced to roots.
    pub fn resolve_condition(
        &mut self,
        condition: &Condition,
        operands: &[Value<'c, 'a>],
    ) -> Condition {
        condition.map(|extent| self.resolve(extent, operands))
    }

    /// Whether a condition over roots is known to hold.
    pub fn holds(&self, condition: &Condition) -> bool {
        match condition {
            // The bound is the size of an array, so that it is not negative.
            Condition::AtMost(extent, bound) if extent == bound => true,
            Condition::NotNegative(extent) => {
                condition.truth() == Truth::Holds || self.is_size(extent)
            }
            _ => condition.truth() == Truth::Holds,
        }
    }

    /// Whether an extent is an array's size, plus nothing or a positive
    /// constant that is too small to wrap.
    fn is_size(&self, extent: &Extent) -> bool {
        (0..i64::from(i32::MAX)).contains(&extent.constant)
            && matches!(extent.terms[..], [(1, term)]
                if matches!(self.root(term), Root::Size(..)))
    }
}

/// The sizes that a `tensor.expand_shape` gives, over its operands.
pub fn output_shape(view: &OpView) -> Vec<Extent> {
    view.mixed_of("static_output_shape", 1..view.operands.len())
}

/// How many dynamic dimensions come before an axis of an array.
fn dynamic_before(array: Value, axis: usize) -> Option<usize> {
    let r#type = cast::<RankedTensorType>(array.r#type())?;
    Some(
        (0..axis)
            .filter(|&axis| !matches!(r#type.dim_size(axis), Ok(DimSize::Static(_))))
            .count(),
    )
}

/// The value of an integer or `index` constant of at most 64 bits.
pub fn constant(value: Value) -> Option<i64> {
    let op = definition(value)?;
    if !matches!(op_name(op), "arith.constant" | "index.constant") {
        return None;
    }
    integer_width(value.r#type()).filter(|&width| width <= 64)?;
    let attribute = op.attribute("value").ok()?;
    Some(IntegerAttribute::try_from(attribute).ok()?.value())
}
