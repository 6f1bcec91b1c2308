//! `tensor.extract` at a combinator's own index reads element by element: the array becomes an
//! operand of the combinator, which fusion sees.
//!
//! The combinator is a `generate`, whose lambda is given the index, or a `map` that reads an array
//! of indices ([`own_dimension`]). The array is computed beside it, or it is read in any case, and no other element of it, as
//! a stencil does; its dimensions are the outer ones of the combinator's loops. If there are more loops, each of them reads the
//! array's element again. A `generate` that reads becomes a `map`, which gets the indices that it needs
//! from another `generate`.
//!
//! A check that such an index is inside of the loops holds, and is removed.
//!
//! Cost: linear in the size of the program.

use comb_fusion::size::Size as Extent;
use melior::ir::{
    BlockLike, BlockRef, OperationRef, TypeLike, Value, ValueLike, operation::OperationLike,
    r#type::IntegerType,
};
use soac_dialect::{
    builder::{Builder, Predicate, Size, Values},
    cast::{Arguments, Parts, cast},
    view::{OpView, argument_of, as_argument, as_result, definition, op_name, uses},
};

use super::{
    is_in_cluster,
    structured::{Shape, backpermute, kept_attributes, named},
};
use comb_kit::{
    element_types::element,
    inline_copy::inline_copy,
    pass_error::PassError,
    switches::Switches,
    target::rank_of,
    transformations::Transformation,
    walk::{ancestors, operations},
};

use crate::fuse::sizes::{Sizes, with_sizes};

/// Rewrites the combinators of a module: first all is decided, while nothing changes.
pub(super) fn rewrite<'c>(
    module: OperationRef<'c, '_>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    let mut found = vec![];
    with_sizes(module, &mut Sizes::default(), &mut |op, sizes| {
        let is_candidate = matches!(op_name(op), "soac.generate" | "soac.map");
        if is_candidate && !is_in_cluster(op) {
            found.extend(OwnElements::of(op, sizes));
        }
    });
    for own in found {
        if switches.applies(Transformation::OwnElements, own.op.location()) {
            own.read()?;
        }
    }
    Ok(())
}

/// What a combinator does at its own index.
struct OwnElements<'c, 'a> {
    op: OperationRef<'c, 'a>,
    /// Checks that the index is inside of the loops.
    checks: Vec<OperationRef<'c, 'a>>,
    /// Reads of arrays.
    extracts: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> OwnElements<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>, sizes: &mut Sizes<'c, 'a>) -> Option<Self> {
        let view = OpView::of(op);
        if view.integer("outer").is_some() || view.block().is_none() {
            return None;
        }
        let loops = loops(&view, sizes);
        let mut inside = operations(op);
        inside.retain(|inner| matches!(op_name(*inner), "soac.check" | "tensor.extract"));
        let (mut checks, mut extracts): (Vec<_>, Vec<_>) = inside
            .into_iter()
            .partition(|&inner| op_name(inner) == "soac.check");
        checks.retain(|&check| holds(check, op, &loops, sizes));
        let (own, others): (Vec<OperationRef>, Vec<OperationRef>) = extracts
            .iter()
            .partition(|&&extract| reads_own_element(extract, op, &loops, sizes));
        let is_also_read_elsewhere =
            |array: Option<Value>| others.iter().any(|other| other.operand_at(0) == array);
        extracts = own;
        extracts.retain(|extract| {
            let array = extract.operand_at(0);
            let is_always_read = extract.block() == view.block();
            array.is_some_and(|array| is_computed(array, op))
                || is_always_read && !is_also_read_elsewhere(array)
        });
        (!checks.is_empty() || !extracts.is_empty()).then_some(Self {
            op,
            checks,
            extracts,
        })
    }

    /// Removes the checks, and reads the arrays as operands.
    fn read(self) -> Result<(), PassError<'c>> {
        let view = OpView::of(self.op);
        let (Some(builder), Some(block)) = (Builder::before(self.op), view.block()) else {
            return Ok(());
        };
        for check in self.checks {
            builder.erase(check);
        }
        let given = block.argument_count();
        let mut arrays: Values = vec![];
        for extract in &self.extracts {
            let array: Value = extract.operand(0)?;
            let number = arrays.iter().position(|&other| other == array);
            if number.is_none() {
                arrays.push(array);
                block.add_argument(element(array.r#type()), view.location);
            }
            let argument = given + number.unwrap_or(arrays.len() - 1);
            builder.replace(*extract, &[block.argument(argument)?.into()]);
        }
        match arrays.is_empty() {
            true => Ok(()),
            false => reading(&builder, self.op, block, &arrays),
        }
    }
}

/// The lengths of a combinator's loops.
fn loops<'c: 'a, 'a>(view: &OpView<'c, 'a>, sizes: &mut Sizes<'c, 'a>) -> Vec<Extent> {
    match view.mnemonic() {
        "map" => sizes.shape(view.operands[0]),
        _ => view
            .mixed("static_sizes", 0)
            .iter()
            .map(|size| sizes.resolve(size, &view.operands))
            .collect(),
    }
}

/// Whether an op in a combinator's lambda reads an array from outside at
/// the index of its outer loops, of which the array has all.
fn reads_own_element<'c: 'a, 'a>(
    extract: OperationRef<'c, 'a>,
    op: OperationRef<'c, 'a>,
    loops: &[Extent],
    sizes: &mut Sizes<'c, 'a>,
) -> bool {
    let Some(array) = extract.operand_at(0) else {
        return false;
    };
    if op_name(extract) != "tensor.extract" || !is_outside(array, op) {
        return false;
    }
    let shape = sizes.shape(array);
    let mut index = extract.operands().skip(1).enumerate();
    !shape.is_empty()
        && shape.len() <= loops.len()
        && loops[..shape.len()] == shape
        && index.all(|(dim, index)| own_dimension(index, op, loops) == Some(dim))
}

/// Whether a combinator in the same block computes an array.
fn is_computed(array: Value, op: OperationRef) -> bool {
    definition(array).is_some_and(|by| op_name(by).starts_with("soac.") && by.block() == op.block())
}

/// Whether an array is there in front of a combinator.
fn is_outside(array: Value, op: OperationRef) -> bool {
    let is_inside =
        |within: OperationRef| within == op || ancestors(within).any(|outer| outer == op);
    match argument_of(array) {
        Some((owner, _)) => !is_inside(owner),
        None => definition(array).is_some_and(|by| !is_inside(by)),
    }
}

/// The loop of a combinator whose index a value in its lambda is.
fn own_dimension<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    op: OperationRef<'c, 'a>,
    loops: &[Extent],
) -> Option<usize> {
    if let Some(narrow) = cast_operand(value, loops) {
        return own_dimension(narrow, op, loops);
    }
    let argument = as_argument(value)?;
    let view = OpView::of(op);
    if argument.owner() != view.block()? {
        return None;
    }
    let number = argument.argument_number();
    match view.mnemonic() {
        "generate" => (number < loops.len()).then_some(number),
        _ => {
            let input = *view.operands.get(number)?;
            let by = definition(input).filter(|&by| op_name(by) == "soac.generate")?;
            let yielded = OpView::of(by).yielded()?;
            own_dimension(yielded[as_result(input)?.result_number()], by, loops)
        }
    }
}

/// What a value is computed from, if that is an index less than the length of any loop, and
/// computing it changes only the type.
fn cast_operand<'c: 'a, 'a>(value: Value<'c, 'a>, loops: &[Extent]) -> Option<Value<'c, 'a>> {
    let op = definition(value)?;
    let operand: Value = op.operand_at(0)?;
    let width = |value: Value<'c, 'a>| match cast::<IntegerType>(value.r#type()) {
        Some(integer) => integer.width(),
        None => 64,
    };
    let bits = width(operand).min(width(value));
    let fits = bits >= 64
        || loops.iter().all(|size| {
            size.as_constant()
                .is_some_and(|size| size < 1 << (bits - 1))
        });
    let casts = matches!(
        op_name(op),
        "arith.index_cast" | "arith.extsi" | "arith.trunci"
    );
    (casts && fits).then_some(operand)
}

/// Whether a check in a combinator's lambda says that an index of the loops is less than the length
/// of the loop.
fn holds<'c: 'a, 'a>(
    check: OperationRef<'c, 'a>,
    op: OperationRef<'c, 'a>,
    loops: &[Extent],
    sizes: &mut Sizes<'c, 'a>,
) -> bool {
    let condition = check.operand_at(0).and_then(definition);
    let Some(compares) = condition.filter(|&compares| is_unsigned_less(compares)) else {
        return false;
    };
    let (Ok(index), Ok(bound)) = (compares.operand(0), compares.operand(1)) else {
        return false;
    };
    own_dimension(index, op, loops).is_some_and(|dim| sizes.value(bound) == loops[dim])
}

fn is_unsigned_less(op: OperationRef) -> bool {
    op_name(op) == "arith.cmpi"
        && OpView::of(op).integer("predicate") == Some(Predicate::Ult as i64)
        && op
            .operand_at(0)
            .is_some_and(|value| value.r#type().is_index())
}

/// Replaces a combinator, whose lambda has got further arguments, by a map that gives them the
/// elements of the arrays.
fn reading<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    arrays: &[Value<'c, 'a>],
) -> Result<(), PassError<'c>> {
    let view = OpView::of(op);
    let given = block.argument_count() - arrays.len();
    let is_map = view.mnemonic() == "map";
    let sizes: Vec<Size> = match is_map {
        true => builder.sizes(view.operands[0])?,
        false => view.given_sizes().unwrap_or_default(),
    };
    let kept: Vec<usize> = (0..given)
        .filter(|&number| {
            is_map
                || block
                    .argument_at(number)
                    .is_some_and(|argument| !uses(argument.into()).is_empty())
        })
        .collect();
    let mut inputs: Values = match is_map {
        true => view.operands[view.group(0)].to_vec(),
        false if kept.is_empty() => vec![],
        false => builder.generate(&sizes, |_, index| {
            Ok(kept.iter().map(|&number| index[number]).collect())
        })?,
    };
    for &array in arrays {
        inputs.push(spread(builder, array, &sizes)?);
    }
    let types: Vec<_> = inputs.iter().map(|input| element(input.r#type())).collect();
    let region = builder.region::<PassError>(&types, "soac.yield", |builder, values| {
        let mut all: Values = vec![];
        let mut values = values.iter().copied();
        for number in 0..block.argument_count() {
            let is_given = number >= given || kept.contains(&number);
            all.push(match is_given.then(|| values.next()) {
                Some(Some(value)) => value,
                _ => builder.index(0)?,
            });
        }
        Ok(inline_copy(builder, op, &all)?)
    })?;
    let attributes = kept_attributes(op);
    let mut attributes = named(&attributes);
    let segments = builder.segments(&[inputs.len() as i32, 0]);
    attributes.push(("operandSegmentSizes", segments));
    let types = &view.result_types;
    let new = builder.op("soac.map", &inputs, types, &attributes, vec![region])?;
    let results: Values = new.results().map(Into::into).collect();
    builder.replace(op, &results);
    Ok(())
}

/// An array with further loops inside of its own, which read its elements again.
fn spread<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    sizes: &[Size<'c, 'a>],
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let rank = rank_of(array)?;
    if rank == sizes.len() {
        return Ok(array);
    }
    let known: Vec<_> = sizes.iter().map(|size| size.known()).collect();
    let shape = Shape {
        sizes,
        types: &[soac_dialect::builder::array_type(
            &known,
            element(array.r#type()),
        )],
        attributes: &[],
    };
    let arrays = backpermute(builder, &[array], &shape, |_, index| {
        Ok(index[..rank].to_vec())
    })?;
    Ok(arrays[0])
}
