//! `soac.scatter` of what `soac.concat` joins along the first dimension: a scatter for each part,
//! one after the other into the same destination, so that nothing is joined in memory.
//!
//! Sources are written in row-major order, so all of a part comes before the next one. If one of the
//! sources and index arrays is joined of parts, the others are cut at the same places: one that is
//! joined of equally long parts consists of these, another one is read in pieces, and one whose parts are
//! not known to be as long is read where its parts are. If there are several, one whose parts are
//! computed here says where to cut.
//!
//! Cost: linear in the number of parts and of the arrays.

use comb_fusion::size::Size as Extent;
use melior::ir::{OperationRef, Value, ValueLike, operation::OperationLike};
use soac_dialect::{
    builder::{Builder, Predicate, Size, Values, array_type},
    view::{OpView, definition, dialect, op_name, set_operand, uses},
};

use super::{
    is_in_cluster,
    structured::{Shape, backpermute},
};
use comb_kit::{
    element_types::element, pass_error::PassError, switches::Switches,
    transformations::Transformation,
};

use crate::fuse::{
    sizes::{Sizes, with_sizes},
    wishes::is_bound,
};

/// The sources and the index arrays among a scatter's groups of operands, and the destinations.
const READ: [usize; 2] = [0, 2];
const DESTINATIONS: usize = 1;

/// Rewrites the scatters of a module: first all is decided, while nothing changes.
pub(super) fn rewrite<'c>(
    module: OperationRef<'c, '_>,
    switches: &Switches,
) -> Result<(), PassError<'c>> {
    let mut found = vec![];
    with_sizes(module, &mut Sizes::default(), &mut |op, sizes| {
        if op_name(op) == "soac.scatter" && !is_in_cluster(op) && !is_bound(op) {
            found.extend(Joined::of(op, sizes));
        }
    });
    for joined in found {
        if switches.applies(Transformation::ScattersOfParts, joined.op.location()) {
            joined.scatter_parts()?;
        }
    }
    Ok(())
}

/// How an array that a scatter reads is made of parts.
enum Source<'c, 'a> {
    Joined(Values<'c, 'a>),
    /// Of parts of other lengths.
    Uneven(Values<'c, 'a>),
    Whole(Value<'c, 'a>),
}

/// A scatter of what is joined.
struct Joined<'c, 'a> {
    op: OperationRef<'c, 'a>,
    /// What it reads, each with the operand's position.
    sources: Vec<(usize, Source<'c, 'a>)>,
    /// The parts of one of the arrays, which say how long parts are.
    model: Values<'c, 'a>,
}

impl<'c: 'a, 'a> Joined<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>, sizes: &mut Sizes<'c, 'a>) -> Option<Self> {
        let view = OpView::of(op);
        let positions: Vec<usize> = READ.iter().flat_map(|&group| view.group(group)).collect();
        let joined: Vec<Values> = positions
            .iter()
            .filter_map(|&position| parts(view.operands[position], op))
            .collect();
        let is_computed = |part: &Value<'c, 'a>| {
            definition(*part).is_some_and(|by| by.block() == op.block() && dialect(by) == "soac")
        };
        let computed = joined.iter().find(|parts| parts.iter().any(is_computed));
        let model = computed.or(joined.first())?.clone();
        let lengths = lengths(&model, sizes);
        let mut sources = vec![];
        for position in positions {
            let array = view.operands[position];
            let source = match parts(array, op) {
                Some(parts) if self::lengths(&parts, sizes) == lengths => Source::Joined(parts),
                Some(parts) => Source::Uneven(parts),
                None => Source::Whole(array),
            };
            sources.push((position, source));
        }
        Some(Self { op, sources, model })
    }

    /// Builds a scatter for each part.
    fn scatter_parts(self) -> Result<(), PassError<'c>> {
        let Some(builder) = Builder::before(self.op) else {
            return Ok(());
        };
        let destinations = OpView::of(self.op).group(DESTINATIONS);
        let mut written: Values = destinations
            .clone()
            .map(|position| self.op.operand(position))
            .collect::<Result<_, _>>()?;
        let mut start = Size::Static(0);
        for (number, &part) in self.model.iter().enumerate() {
            let length = builder.size(part, 0)?;
            let scatter = builder.copy(self.op, &mut |value| value);
            for (position, source) in &self.sources {
                let place = Builder::before(scatter).unwrap_or(builder);
                let piece = match source {
                    Source::Joined(parts) => parts[number],
                    Source::Whole(array) => piece(&place, *array, start, length)?,
                    Source::Uneven(parts) => piece_of_parts(&place, parts, start, length)?,
                };
                set_operand(scatter, *position, piece);
            }
            for (position, &array) in destinations.clone().zip(&written) {
                set_operand(scatter, position, array);
            }
            written = scatter.results().map(Value::from).collect();
            start = builder.sum([start, length])?;
        }
        builder.replace(self.op, &written);
        Ok(())
    }
}

/// The arrays that an array is joined of along the first dimension, for the scatter only.
fn parts<'c: 'a, 'a>(array: Value<'c, 'a>, reader: OperationRef<'c, 'a>) -> Option<Values<'c, 'a>> {
    let concat = definition(array).filter(|&op| op_name(op) == "soac.concat")?;
    let view = OpView::of(concat);
    let is_needed_besides = uses(array).into_iter().any(|(user, _)| user != reader);
    let parts = view.operands[view.group(0)].to_vec();
    (view.integer("dim") == Some(0) && !is_needed_besides && parts.len() > 1).then_some(parts)
}

fn lengths<'c: 'a, 'a>(parts: &[Value<'c, 'a>], sizes: &mut Sizes<'c, 'a>) -> Vec<Extent> {
    parts
        .iter()
        .map(|&part| sizes.shape(part).swap_remove(0))
        .collect()
}

/// Some rows of an array.
fn piece<'c, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    start: Size<'c, 'a>,
    length: Size<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let mut sizes = builder.sizes(array)?;
    sizes[0] = length;
    let known: Vec<_> = sizes.iter().map(|size| size.known()).collect();
    let shape = Shape {
        sizes: &sizes,
        types: &[array_type(&known, element(array.r#type()))],
        attributes: &[],
    };
    let rows = backpermute(builder, &[array], &shape, |builder, index| {
        let mut index = index.to_vec();
        index[0] = match builder.sum([start, Size::Dynamic(index[0])])? {
            Size::Dynamic(place) => place,
            Size::Static(place) => builder.index(place)?,
        };
        Ok(index)
    })?;
    Ok(rows[0])
}

/// Some rows of what arrays are if they are joined.
fn piece_of_parts<'c, 'a>(
    builder: &Builder<'c, 'a>,
    parts: &[Value<'c, 'a>],
    start: Size<'c, 'a>,
    length: Size<'c, 'a>,
) -> Result<Value<'c, 'a>, PassError<'c>> {
    let mut sizes = builder.sizes(parts[0])?;
    sizes[0] = length;
    let lengths: Vec<Size> = parts
        .iter()
        .map(|&part| builder.size(part, 0))
        .collect::<Result<_, _>>()?;
    let lengths: Values = lengths
        .into_iter()
        .map(|length| builder.size_value(length))
        .collect::<Result<_, _>>()?;
    let rows = builder.generate(&sizes, |builder, index| {
        let row = match start {
            Size::Static(0) => index[0],
            start => builder.arithmetic("arith.addi", &[index[0], builder.size_value(start)?])?,
        };
        Ok(vec![element_at(
            builder,
            parts,
            &lengths,
            row,
            &index[1..],
        )?])
    })?;
    Ok(rows[0])
}

/// The element in a row of what arrays are if they are joined.
fn element_at<'c, 'a>(
    builder: &Builder<'c, 'a>,
    parts: &[Value<'c, 'a>],
    lengths: &[Value<'c, 'a>],
    row: Value<'c, 'a>,
    columns: &[Value<'c, 'a>],
) -> Result<Value<'c, 'a>, melior::Error> {
    let at =
        |builder: &Builder<'c, 'a>, row| builder.extract(parts[0], &[&[row], columns].concat());
    if parts.len() == 1 {
        return at(builder, row);
    }
    let is_here = builder.compare(Predicate::Slt, row, lengths[0])?;
    let element = element(parts[0].r#type());
    let chosen = builder.if_else::<melior::Error>(
        is_here,
        &[element],
        |builder| Ok(vec![at(builder, row)?]),
        |builder| {
            let rest = builder.arithmetic("arith.subi", &[row, lengths[0]])?;
            let behind = element_at(builder, &parts[1..], &lengths[1..], rest, columns)?;
            Ok(vec![behind])
        },
    )?;
    Ok(chosen[0])
}
