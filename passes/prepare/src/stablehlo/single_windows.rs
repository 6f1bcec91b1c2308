//! Gathers and scatters of a single window: slices and updates.

use melior::{
    Error,
    ir::{OperationRef, Value, operation::OperationLike},
};
use soac_dialect::builder::{Builder, Predicate, Size, Slice, Values, combinators::Bounds};

use super::{
    body::Body,
    constants::known,
    element::Array,
    gathers::{Places, clamped, index},
};
use comb_kit::pass_error::PassError;

/// Where a window begins in each dimension of the array that is indexed.
enum Starts<'c, 'a> {
    Known(Vec<i64>),
    Computed(Values<'c, 'a>),
}

/// A window, and where it is in an array.
pub(super) struct SingleWindow<'c, 'a> {
    starts: Starts<'c, 'a>,
    /// Its size in each dimension of the array.
    sizes: Vec<Size<'c, 'a>>,
}

impl<'c: 'a, 'a> SingleWindow<'c, 'a> {
    /// The window of these sizes, if the indices have one place for it. The operand of the op
    /// that has the indices is known by its number.
    pub(super) fn of(
        op: OperationRef<'c, 'a>,
        builder: &Builder<'c, 'a>,
        places: &Places,
        (number, indices): (usize, Value<'c, 'a>),
        sizes: &[Size<'c, 'a>],
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
        let sizes = sizes.to_vec();
        Ok(Some(Self { starts, sizes }))
    }

    /// The part of an array, with the room that windows have in it, that the window is when it has
    /// been moved inside; in another shape.
    pub(super) fn slice(
        &self,
        builder: &Builder<'c, 'a>,
        places: &Places,
        (array, rooms): (Value<'c, 'a>, &[Size<'c, 'a>]),
        shape: &[Size<'c, 'a>],
    ) -> Result<Values<'c, 'a>, PassError<'c>> {
        let mut offsets = vec![Size::Static(0); rooms.len()];
        for (number, &axis) in places.indexed.iter().enumerate() {
            let room = rooms[axis];
            let start = match (&self.starts, room.known()) {
                (_, Some(0)) => continue,
                (Starts::Known(starts), Some(room)) => {
                    offsets[axis] = Size::Static(starts[number].clamp(0, room as i64));
                    continue;
                }
                (Starts::Known(starts), None) => builder.index(starts[number])?,
                (Starts::Computed(starts), _) => starts[number],
            };
            let is_unsigned = places.is_unsigned;
            offsets[axis] = Size::Dynamic(clamped(builder, start, room, is_unsigned)?);
        }
        let slice = Slice::contiguous(offsets, self.sizes.clone());
        let part = builder.slice(&[array], &slice, Bounds::Unchecked)?;
        match self.sizes == shape {
            true => Ok(part),
            false => Ok(builder.reshape(&part, shape)?),
        }
    }

    /// Whether no part of the window alone can be outside an array.
    pub(super) fn fits(&self, places: &Places, array: &Array) -> bool {
        let mut indexed = places.indexed.iter().enumerate();
        let sizes = self.sizes.iter().zip(&array.sizes);
        let mut rooms = vec![];
        for (size, &whole) in sizes {
            let room = size.known().filter(|&size| size > 0);
            let Some(room) = room.and_then(|size| whole.checked_sub(size)) else {
                return false;
            };
            rooms.push(room as i64);
        }
        match &self.starts {
            Starts::Known(starts) => {
                indexed.all(|(number, &axis)| (0..=rooms[axis]).contains(&starts[number]))
            }
            Starts::Computed(_) => indexed.all(|(_, &axis)| self.sizes[axis] == Size::Static(1)),
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
        let mut sources = builder.reshape(updates, &self.sizes)?;
        let count = destinations.len();
        if is_inside.is_some() || !body.is_last(count) {
            let slice = Slice::contiguous(offsets.clone(), self.sizes.clone());
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
