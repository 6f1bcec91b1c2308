//! Checks of the ops of `linalg` on whole arrays that have no indexing maps: `linalg.pack` and `linalg.unpack`,
//! whose tiles make up the array, and `linalg.softmax`, whose operands have one shape.

use melior::{
    Error,
    ir::{
        Value, ValueLike,
        r#type::{RankedTensorType, ShapedTypeLike},
    },
};
use soac_dialect::{
    builder::Predicate,
    cast::is_a,
    extent::Extent,
    requirement::{Condition, placeholders},
    view::OpView,
};

use super::{emit::Emit, site::Site};

/// How an array is packed into tiles.
pub struct Packing {
    /// The operand that has tiles.
    pub packed: usize,
    /// The operand that has none.
    pub plain: usize,
    /// The operand that fills the rest of the last tiles.
    pub padding: Option<usize>,
    /// For each outer dimension of the packed array, the plain array's.
    pub outer: Vec<usize>,
    /// For each inner dimension of the packed array, the plain array's.
    pub inner: Vec<usize>,
    /// The operands that are sizes of tiles.
    sizes: std::ops::Range<usize>,
}

impl Packing {
    /// Reads an op; nothing if it is another one, or works on memory.
    pub fn of(view: &OpView) -> Option<Self> {
        let (packed, plain, padding, sizes) = match view.name {
            "linalg.pack" => (1, 0, view.group(2).next(), view.group(3)),
            "linalg.unpack" => (0, 1, None, 2..view.operands.len()),
            _ => return None,
        };
        let rank = view.array(plain)?.rank();
        let axes = |name| -> Vec<usize> {
            let axes = view.integers(name).into_iter();
            axes.map(|axis| axis as usize).collect()
        };
        let outer = match axes("outer_dims_perm") {
            outer if outer.is_empty() => (0..rank).collect(),
            outer => outer,
        };
        let inner = axes("inner_dims_pos");
        let is_whole = outer.len() == rank && view.array(packed)?.rank() == rank + inner.len();
        is_whole.then_some(Self {
            packed,
            plain,
            padding,
            outer,
            inner,
            sizes,
        })
    }

    /// The packed array's dimension that goes over the elements of tiles, for a dimension of the plain
    /// array.
    pub fn within(&self, axis: usize) -> Option<usize> {
        let tile = self.inner.iter().position(|&other| other == axis)?;
        Some(self.outer.len() + tile)
    }

    /// Whether each dimension of an array is known to be of whole tiles.
    pub fn is_whole(&self, plain: &[Option<i64>], packed: &[Option<i64>]) -> bool {
        self.outer.iter().enumerate().all(|(place, &axis)| {
            let Some(within) = self.within(axis) else {
                return true;
            };
            match (plain[axis], packed[place], packed[within]) {
                (Some(size), Some(count), Some(tile)) => count.checked_mul(tile) == Some(size),
                _ => false,
            }
        })
    }
}

/// Checks in front of an op.
pub fn check_op<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<(), Error> {
    let is_array = |operand: &Value| is_a::<RankedTensorType>(operand.r#type());
    if view.name == "linalg.softmax" && view.operands.iter().all(is_array) {
        return check_softmax(site, view);
    }
    match Packing::of(view) {
        Some(packing) => check_tiles(site, view, &packing),
        None => Ok(()),
    }
}

fn check_softmax<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
) -> Result<(), Error> {
    let shapes = [0, 1].map(|operand| site.facts.shape(view.operands[operand]));
    let [from, to] = &shapes;
    let condition = Condition::SameShape(from.clone(), to.clone());
    site.require_showing(&condition, &do_not_fit([0, 1], &shapes), &shapes.concat())
}

/// As many tiles as it takes, and no more; without padding, whole ones.
fn check_tiles<'c: 'a, 'a>(
    site: &mut Site<'c, 'a, '_>,
    view: &OpView<'c, 'a>,
    packing: &Packing,
) -> Result<(), Error> {
    let operands = [packing.plain, packing.packed];
    let shapes = operands.map(|operand| site.facts.shape(view.operands[operand]));
    let [plain, packed] = &shapes;
    let sizes = view.mixed_of("static_inner_tiles", packing.sizes.clone());
    let sizes: Vec<Extent> = sizes
        .iter()
        .map(|size| site.facts.resolve(size, &view.operands))
        .collect();
    let (mut left, mut right) = (packed[packing.outer.len()..].to_vec(), sizes);
    let mut tiles = vec![];
    for (place, &axis) in packing.outer.iter().enumerate() {
        match packing.within(axis) {
            None => {
                left.push(packed[place].clone());
                right.push(plain[axis].clone());
            }
            Some(within) => tiles.push([&plain[axis], &packed[place], &packed[within]]),
        }
    }
    let message = do_not_fit(operands, &shapes);
    let shown = shapes.concat();
    site.require_showing(&Condition::SameShape(left, right), &message, &shown)?;
    let is_open = view.name == "linalg.unpack" || packing.padding.is_some();
    tiles.retain(|tile| !is_known(tile, is_open));
    if tiles.is_empty() || site.is_trusted() {
        return Ok(());
    }
    let mut conditions = vec![];
    for [size, count, tile] in tiles {
        let [size, count, tile] = [site.value(size)?, site.value(count)?, site.value(tile)?];
        // Both are sizes of one array, so that the product does not wrap around.
        let length = site.builder.binary("arith.muli", count, tile)?;
        let rest = site.builder.binary("arith.subi", length, size)?;
        let most = match is_open {
            true => tile,
            false => site.builder.index(1)?,
        };
        conditions.push(site.builder.compare(Predicate::Ult, rest, most)?);
    }
    let holds = site.builder.all(&conditions)?;
    site.check(holds, &message, &shown)
}

/// Whether so many tiles are known to make up a dimension.
fn is_known([size, count, tile]: &[&Extent; 3], is_open: bool) -> bool {
    let constants = [size, count, tile].map(|extent| extent.as_constant());
    let [Some(size), Some(count), Some(tile)] = constants else {
        return false;
    };
    let most = if is_open { tile } else { 1 };
    let rest = count
        .checked_mul(tile)
        .and_then(|length| length.checked_sub(size));
    rest.is_some_and(|rest| (0..most).contains(&rest))
}

fn do_not_fit([left, right]: [usize; 2], shapes: &[Vec<Extent>; 2]) -> String {
    format!(
        "operands {left} and {right} have shapes {} and {}, which do not fit",
        placeholders(shapes[0].len()),
        placeholders(shapes[1].len())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tile_begins_inside() {
        let known = |sizes: [i64; 3], is_open| {
            let [size, count, tile] = sizes.map(Extent::constant);
            is_known(&[&size, &count, &tile], is_open)
        };
        assert!(known([7, 3, 3], true) && !known([7, 3, 3], false));
        assert!(known([9, 3, 3], true) && known([9, 3, 3], false));
        assert!(!known([6, 3, 3], true) && !known([10, 3, 3], true));
        assert!(!known([0, 0, 0], true) && known([0, 0, 3], true));
    }
}
