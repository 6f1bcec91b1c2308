//! How large arrays are, and how long the loops over them.

use melior::ir::{Value, ValueLike};
use soac_dialect::{
    builder::{Builder, Size},
    description::{Description, describe},
    extent::{Extent, Term},
    view::OpView,
};

use super::{NotPlanned, Planned, Reader, rank};
use comb_kit::checks::facts::key;

use crate::cluster_loops::plan::{Kind, Source};

/// The loops that a combinator needs.
pub(super) struct Domain<'c, 'a> {
    /// The sizes of the dimensions that have an order.
    pub ordered: Vec<Size<'c, 'a>>,
    /// The lengths of loops inside those.
    pub further: Vec<Size<'c, 'a>>,
}

impl<'c: 'a, 'a> Reader<'c, 'a> {
    /// The loops that a combinator needs.
    pub(super) fn domain(
        &mut self,
        view: &OpView<'c, 'a>,
        kind: Kind,
        operands: &[Option<Source<'c, 'a>>],
    ) -> Planned<Domain<'c, 'a>> {
        let result_rank = view.result_types.first().map_or(0, |&result| rank(result));
        match kind {
            Kind::Generate | Kind::Gather | Kind::Backpermute => {
                let description = describe(view).map_err(|_| NotPlanned::Invalid)?;
                let result = description.results.first().ok_or(NotPlanned::Invalid)?;
                let ordered = self.sizes_of(&result.sizes, operands, view)?;
                let source = match kind {
                    Kind::Generate => 0,
                    _ => rank(view.operand_type(view.group(0).start)),
                };
                let further = source.saturating_sub(ordered.len());
                Ok(Domain {
                    ordered,
                    further: vec![Size::Static(1); further],
                })
            }
            _ => {
                let first = operands
                    .first()
                    .copied()
                    .flatten()
                    .ok_or(NotPlanned::Invalid)?;
                let mut ordered = self.shape(first)?;
                let outer = match kind {
                    Kind::Fold => result_rank,
                    Kind::Map => outer_dimensions(view, ordered.len()),
                    _ => ordered.len(),
                };
                let inner = ordered.split_off(outer);
                let further = match kind {
                    Kind::Fold => inner,
                    _ => vec![],
                };
                Ok(Domain { ordered, further })
            }
        }
    }

    /// The shapes of a combinator's results. A size that is not known in advance, as
    /// that of what a filter keeps, is at most that of the loop.
    pub(super) fn shapes(
        &mut self,
        description: &Description<'c>,
        operands: &[Option<Source<'c, 'a>>],
        view: &OpView<'c, 'a>,
        ordered: &[Size<'c, 'a>],
    ) -> Planned<Vec<Vec<Size<'c, 'a>>>> {
        description
            .results
            .iter()
            .map(|result| {
                if result.sizes.iter().any(Option::is_none) && ordered.len() == result.sizes.len() {
                    return Ok(ordered.to_vec());
                }
                self.sizes_of(&result.sizes, operands, view)
            })
            .collect()
    }

    fn sizes_of(
        &mut self,
        sizes: &[Option<Extent>],
        operands: &[Option<Source<'c, 'a>>],
        view: &OpView<'c, 'a>,
    ) -> Planned<Vec<Size<'c, 'a>>> {
        sizes
            .iter()
            .map(|size| self.extent(size.as_ref().ok_or(NotPlanned::Invalid)?, operands, view))
            .collect()
    }

    /// The value of a sum of sizes, computed in front of the loops.
    fn extent(
        &mut self,
        extent: &Extent,
        operands: &[Option<Source<'c, 'a>>],
        view: &OpView<'c, 'a>,
    ) -> Planned<Size<'c, 'a>> {
        let front = self.front;
        sum(&front, extent, |term| match term {
            Term::Value { operand } => Ok(Size::Dynamic(view.operands[operand])),
            Term::Size { operand, axis } => {
                let source = operands[operand].ok_or(NotPlanned::Invalid)?;
                let shape = self.shape(source)?;
                shape.get(axis).copied().ok_or(NotPlanned::Invalid)
            }
        })
    }

    pub(super) fn shape(&mut self, source: Source<'c, 'a>) -> Planned<Vec<Size<'c, 'a>>> {
        match source {
            Source::Computed(array) => Ok(self.arrays[array].shape.clone()),
            Source::Given(array) => (0..rank(array.r#type()))
                .map(|axis| {
                    if let Some(&size) = self.sizes.get(&(key(array), axis)) {
                        return Ok(size);
                    }
                    let size = self.front.size(array, axis)?;
                    self.sizes.insert((key(array), axis), size);
                    Ok(size)
                })
                .collect(),
        }
    }
}

/// The value of an extent whose terms have the given values.
pub fn sum<'c, 'a, E: From<melior::Error>>(
    builder: &Builder<'c, 'a>,
    extent: &Extent,
    mut value_of: impl FnMut(Term) -> Result<Size<'c, 'a>, E>,
) -> Result<Size<'c, 'a>, E> {
    let mut constant = extent.constant;
    let mut sum: Option<Value> = None;
    for &(coefficient, term) in &extent.terms {
        match value_of(term)? {
            Size::Static(size) => constant += coefficient * size,
            Size::Dynamic(value) => {
                let part = match coefficient {
                    1 => value,
                    _ => builder.arithmetic("arith.muli", &[value, builder.index(coefficient)?])?,
                };
                sum = Some(match sum {
                    Some(sum) => builder.arithmetic("arith.addi", &[sum, part])?,
                    None => part,
                });
            }
        }
    }
    Ok(match sum {
        None => Size::Static(constant),
        Some(sum) if constant == 0 => Size::Dynamic(sum),
        Some(sum) => {
            let constant = builder.index(constant)?;
            Size::Dynamic(builder.arithmetic("arith.addi", &[sum, constant])?)
        }
    })
}

/// How many dimensions a map goes over.
pub(super) fn outer_dimensions(view: &OpView, rank: usize) -> usize {
    let outer = view
        .integer("outer")
        .and_then(|outer| usize::try_from(outer).ok());
    outer.map_or(rank, |outer| outer.min(rank))
}
