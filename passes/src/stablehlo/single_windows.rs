//! Gathers and scatters of a single window: slices and updates.

use melior::{
    Error,
    ir::{OperationRef, Value, operation::OperationLike},
};
use soac_dialect::builder::{Builder, Predicate, Size, Slice, Values, combinators::Bounds};

use super::{
    body::Body,
    constants::known,
    element::{Array, extents},
    gathers::{Places, clamped, index},
};
use crate::bridge::PassError;

/// Where a window begins in each dimension of the array that is indexed.
enum Starts<'c, 'a> {
    Known(Vec<i64>),
    Computed(Values<'c, 'a>),
}

/// A window, and where it is in an array.
pub(super) struct SingleWindow<'c, 'a> {
    starts: Starts<'c, 'a>,
    /// Its size in each dimension of the array.
    sizes: Vec<u64>,
}

impl<'c: 'a, 'a> SingleWindow<'c, 'a> {
    /// The window of these sizes, if the indices have one place for it. The operand of the op
    /// that has the indices is known by its number.
    pub(super) fn of(
        op: OperationRef<'c, 'a>,
        builder: &Builder<'c, 'a>,
        places: &Places,
        (number, indices): (usize, Value<'c, 'a>),
        sizes: Vec<u64>,
    ) -> Result<Option<Self>, PassError<'c>> {
        if !places.is_single() {
            return Ok(None);
        }
        let starts = match known(op.operand(number)?) {
            Some(starts) if starts.len() == places.indexed.len() => Starts::Known(starts),
            _ => Starts::Computed(
                (0..places.indexed.len())
                    .map(|number| {
                        let at: Values = match places.index_rank {
                            0 => vec![],
                            _ => vec![builder.index(number as i64)?],
                        };
                        index(builder, builder.extract(indices, &at)?, places.is_unsigned)
                    })
                    .collect::<Result<_, Error>>()?,
            ),
        };
        Ok(Some(Self { starts, sizes }))
    }

    /// The part of an array that the window is when it has been moved inside.
    pub(super) fn slice(
        &self,
        builder: &Builder<'c, 'a>,
        places: &Places,
        array: (Value<'c, 'a>, &Array<'c>),
        to: &Array<'c>,
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let (array, shape) = array;
        let mut offsets = vec![Size::Static(0); shape.rank()];
        for (number, &axis) in places.indexed.iter().enumerate() {
            let room = shape.sizes[axis] as i64 - self.sizes[axis] as i64;
            offsets[axis] = match &self.starts {
                _ if room == 0 => Size::Static(0),
                Starts::Known(starts) => Size::Static(starts[number].clamp(0, room)),
                Starts::Computed(starts) => {
                    Size::Dynamic(clamped(builder, starts[number], room, places.is_unsigned)?)
                }
            };
        }
        let slice = Slice::contiguous(offsets, extents(&self.sizes));
        let part = builder.slice(&[array], &slice, Bounds::Unchecked)?;
        match self.sizes == to.sizes {
            true => Ok(part),
            false => Ok(builder.reshape(&part, &to.extents())?),
        }
    }

    /// Whether no part of the window alone can be outside an array.
    pub(super) fn fits(&self, places: &Places, array: &Array) -> bool {
        let mut indexed = places.indexed.iter().enumerate();
        let fits_in = |axis: usize| self.sizes[axis] > 0 && self.sizes[axis] <= array.sizes[axis];
        if !(0..array.rank()).all(fits_in) {
            return false;
        }
        match &self.starts {
            Starts::Known(starts) => indexed.all(|(number, &axis)| {
                let room = array.sizes[axis] as i64 - self.sizes[axis] as i64;
                (0..=room).contains(&starts[number])
            }),
            Starts::Computed(_) => indexed.all(|(_, &axis)| self.sizes[axis] == 1),
        }
    }

    /// Arrays with the window combined with updates, or replaced by them.
    pub(super) fn update(
        &self,
        builder: &Builder<'c, 'a>,
        (places, array): (&Places, &Array<'c>),
        (destinations, updates): (&[Value<'c, 'a>], &[Value<'c, 'a>]),
        body: &Body<'c, 'a>,
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let (offsets, is_inside) = self.offsets(builder, places, array)?;
        let sizes = extents(&self.sizes);
        let mut sources = builder.reshape(updates, &sizes)?;
        let count = destinations.len();
        if is_inside.is_some() || !body.is_last(count) {
            let slice = Slice::contiguous(offsets.clone(), sizes);
            let old = builder.slice(destinations, &slice, Bounds::Unchecked)?;
            sources = builder.map(&[&old[..], &sources].concat(), |builder, values| {
                let new = body.build(builder, values)?;
                (new.iter().zip(values))
                    .map(|(&new, &old)| match is_inside {
                        Some(is_inside) => builder.select(is_inside, new, old),
                        None => Ok(new),
                    })
                    .collect()
            })?;
        }
        let ones = vec![Size::Static(1); array.rank()];
        let mut results = vec![];
        for (&source, &destination) in sources.iter().zip(destinations) {
            results.extend(builder.update(
                source,
                destination,
                &offsets,
                &ones,
                Bounds::Unchecked,
            )?);
        }
        Ok(results)
    }

    /// Where the window begins, or else the array; and whether it is inside, if that is not known.
    fn offsets(
        &self,
        builder: &Builder<'c, 'a>,
        places: &Places,
        array: &Array<'c>,
    ) -> Result<(Vec<Size<'c, 'a>>, Option<Value<'c, 'a>>), Error> {
        let mut offsets = vec![Size::Static(0); array.rank()];
        let mut all_inside = None;
        for (number, &axis) in places.indexed.iter().enumerate() {
            let start = match &self.starts {
                Starts::Known(starts) => {
                    offsets[axis] = Size::Static(starts[number]);
                    continue;
                }
                Starts::Computed(starts) => starts[number],
            };
            let size = builder.index(array.sizes[axis] as i64)?;
            let is_inside = builder.compare(Predicate::Ult, start, size)?;
            let start = builder.select(is_inside, start, builder.index(0)?)?;
            offsets[axis] = Size::Dynamic(start);
            all_inside = Some(match all_inside {
                None => is_inside,
                Some(others) => builder.arithmetic("arith.andi", &[others, is_inside])?,
            });
        }
        Ok((offsets, all_inside))
    }
}
