//! A structured op as a nest of loops: what it reads and writes at which indices, and how often its loops
//! run.

use melior::{
    Error,
    ir::{Attribute, BlockRef, OperationRef, Value, ValueLike, attribute::ArrayAttribute},
};
use soac_dialect::{
    builder::{Builder, Size, Values, combinators::Bounds},
    cast::Arguments,
    view::OpView,
};

use super::reason::Reason;
use comb_kit::{
    checks::{
        affine::{Expression, Operator, indexing_maps},
        elementwise::{is_array, is_element},
    },
    known_sizes::known_size,
};

/// A structured op on arrays.
pub(super) struct Nest<'c, 'a> {
    /// Its operands, those that are only read first.
    pub(super) operands: Values<'c, 'a>,
    /// How each operand is indexed.
    pub(super) indices: Vec<Vec<Expression>>,
    /// How many operands are only read.
    pub(super) inputs: usize,
    /// Its region.
    pub(super) block: BlockRef<'c, 'a>,
    /// The loops that the op itself says to be parallel; none if it does not say it.
    pub(super) parallel: Vec<usize>,
    /// The operand and the dimension that say how often each loop runs.
    sized: Vec<(usize, usize)>,
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// Reads an op.
    ///
    /// # Errors
    ///
    /// Why combinators do not express its loops.
    pub(super) fn of(op: OperationRef<'c, 'a>) -> Result<Self, Reason> {
        let view = OpView::of(op);
        let maps = indexing_maps(op).ok_or(Reason::NoMaps)?;
        let block = view.block().ok_or(Reason::NoMaps)?;
        let inputs = view.operands.len().checked_sub(view.result_types.len());
        let inputs = inputs.ok_or(Reason::NoMaps)?;
        if maps.len() != view.operands.len() {
            return Err(Reason::NoMaps);
        }
        for (operand, value) in view.operands.iter().enumerate() {
            let r#type = value.r#type();
            let is_number = operand < inputs && is_element(r#type);
            if !is_array(r#type) && !is_number {
                let found = r#type.to_string();
                return Err(Reason::Operand { operand, found });
            }
        }
        let loops = maps.first().map_or(0, |map| map.loops);
        let indices: Vec<_> = maps.into_iter().map(|map| map.indices).collect();
        let divided = indices
            .iter()
            .position(|list| !list.iter().all(is_linear_or_positive));
        if let Some(operand) = divided {
            return Err(Reason::Divided(operand));
        }
        Ok(Self {
            sized: sized(&view.operands, &indices, loops)?,
            parallel: parallel_loops(view.attribute("iterator_types")),
            operands: view.operands,
            indices,
            inputs,
            block,
        })
    }

    /// How many loops there are.
    pub(super) fn loops(&self) -> usize {
        self.sized.len()
    }

    /// The argument of the region that an operand's elements are; nothing if it has none.
    pub(super) fn argument(&self, operand: usize) -> Option<Value<'c, 'a>> {
        self.block.argument_at(operand).map(Into::into)
    }

    /// How often some loops run.
    pub(super) fn sizes(
        &self,
        builder: &Builder<'c, 'a>,
        loops: &[usize],
    ) -> Result<Vec<Size<'c, 'a>>, Error> {
        let size = |&r#loop: &usize| {
            let (operand, axis) = self.sized[r#loop];
            builder.size(self.operands[operand], axis)
        };
        loops.iter().map(size).collect()
    }

    /// How often a loop runs, if it is known.
    pub(super) fn known_size(&self, r#loop: usize) -> Option<i64> {
        let (operand, axis) = self.sized[r#loop];
        known_size(self.operands[operand], axis)
    }

    /// An operand's elements for each iteration of some loops, in their order: the array itself, or one
    /// that is read at other indices. An array without dimensions, or a number, is a number.
    pub(super) fn spread(
        &self,
        builder: &Builder<'c, 'a>,
        operand: usize,
        loops: &[usize],
    ) -> Result<Value<'c, 'a>, Error> {
        let (array, indices) = (self.operands[operand], &self.indices[operand]);
        let is_own = loops.iter().map(|&r#loop| Expression::Loop(r#loop));
        if !is_array(array.r#type()) || is_own.eq(indices.iter().cloned()) {
            return Ok(array);
        }
        if indices.is_empty() {
            return builder.extract(array, &[]);
        }
        let sizes = self.sizes(builder, loops)?;
        let spread =
            builder.backpermute(&[array], &sizes, Bounds::Unchecked, |builder, place| {
                let mut values = vec![None; self.loops()];
                for (&r#loop, &index) in loops.iter().zip(place) {
                    values[r#loop] = Some(index);
                }
                indices
                    .iter()
                    .map(|index| value(builder, index, &values))
                    .collect()
            })?;
        Ok(spread[0])
    }
}

/// The value of an index, of those of the loops.
fn value<'c, 'a>(
    builder: &Builder<'c, 'a>,
    index: &Expression,
    loops: &[Option<Value<'c, 'a>>],
) -> Result<Value<'c, 'a>, Error> {
    let (operator, sides) = match index {
        Expression::Loop(number) => return loops[*number].ok_or(Error::OperationBuild),
        Expression::Constant(value) => return builder.index(*value),
        Expression::Binary(operator, sides) => (*operator, sides),
    };
    let left = value(builder, &sides.0, loops)?;
    let right = value(builder, &sides.1, loops)?;
    let name = match operator {
        Operator::Add => "arith.addi",
        Operator::Multiply => "arith.muli",
        Operator::Modulo => "arith.remui",
        Operator::FloorDivide => "arith.divui",
        Operator::CeilDivide => "arith.ceildivui",
    };
    builder.arithmetic(name, &[left, right])
}

/// Whether an index is divided only where it is not negative.
fn is_linear_or_positive(index: &Expression) -> bool {
    match index {
        Expression::Loop(_) | Expression::Constant(_) => true,
        Expression::Binary(Operator::Add | Operator::Multiply, sides) => {
            is_linear_or_positive(&sides.0) && is_linear_or_positive(&sides.1)
        }
        Expression::Binary(_, sides) => is_not_negative(&sides.0) && is_not_negative(&sides.1),
    }
}

fn is_not_negative(index: &Expression) -> bool {
    match index {
        Expression::Loop(_) => true,
        Expression::Constant(value) => *value >= 0,
        Expression::Binary(_, sides) => is_not_negative(&sides.0) && is_not_negative(&sides.1),
    }
}

/// The operand's dimension that says how often each loop runs: a known one, or else the first.
fn sized(
    operands: &[Value],
    indices: &[Vec<Expression>],
    loops: usize,
) -> Result<Vec<(usize, usize)>, Reason> {
    let mut found: Vec<Option<(usize, usize)>> = vec![None; loops];
    for (operand, list) in indices.iter().enumerate() {
        for (axis, index) in list.iter().enumerate() {
            let Expression::Loop(r#loop) = index else {
                continue;
            };
            let is_known =
                |(operand, axis): (usize, usize)| known_size(operands[operand], axis).is_some();
            let place = &mut found[*r#loop];
            let has_better = place.is_some_and(|old| is_known(old) || !is_known((operand, axis)));
            if !has_better {
                *place = Some((operand, axis));
            }
        }
    }
    let sized = found.into_iter().enumerate();
    sized
        .map(|(r#loop, place)| place.ok_or(Reason::Unsized(r#loop)))
        .collect()
}

/// The loops that a list of kinds has as parallel.
fn parallel_loops(kinds: Option<Attribute>) -> Vec<usize> {
    let kinds = kinds.and_then(|kinds| ArrayAttribute::try_from(kinds).ok());
    let Some(kinds) = kinds else {
        return vec![];
    };
    (0..kinds.len())
        .filter(|&r#loop| {
            let kind = kinds.element(r#loop);
            kind.is_ok_and(|kind| kind.to_string().contains("parallel"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(operator: Operator, left: Expression, right: i64) -> Expression {
        Expression::Binary(operator, Box::new((left, Expression::Constant(right))))
    }

    #[test]
    fn an_index_may_be_divided_where_it_is_not_negative() {
        let before = binary(Operator::Add, Expression::Loop(0), -1);
        let behind = binary(Operator::Add, Expression::Loop(0), 1);
        assert!(is_linear_or_positive(&before));
        for division in [
            Operator::Modulo,
            Operator::FloorDivide,
            Operator::CeilDivide,
        ] {
            assert!(!is_linear_or_positive(&binary(division, before.clone(), 2)));
            assert!(is_linear_or_positive(&binary(division, behind.clone(), 2)));
        }
    }
}
