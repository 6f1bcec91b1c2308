//! Grids that have a thread, or team, for each iteration, so that none has to go on with another one: in place of grid-stride loops, which
//! take registers for the address of each access, so that few blocks fit onto a GPU.
//!
//! The axes y and z of a grid are short, so blocks stand along x only, and find out where they are.

use melior::ir::{OperationRef, Value, operation::OperationLike};
use nest_dialect::gpu_schedule::{Grid, MOST_BLOCKS_X};
use soac_dialect::builder::{Builder, Predicate};

use super::{
    Emitted,
    launch::{Counts, Place, Sizes},
};

/// How the axes of a grid are there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Axes {
    /// Each of its own; those along which there is no limit of blocks are whole, if they are x.
    Own,
    /// All along x, and whole.
    Line,
}

impl Axes {
    /// Those of some loops.
    pub fn of(grids: impl Iterator<Item = Grid> + Clone) -> Self {
        let has_limit = |grid: Grid| grid.blocks != MOST_BLOCKS_X || grid.tables > 0;
        match grids.clone().count() > 1 && !grids.clone().any(has_limit) {
            true => Self::Line,
            false => Self::Own,
        }
    }

    /// Whether there is a thread or team for each iteration of a loop.
    pub fn is_whole(self, grid: Grid) -> bool {
        let has_limit = grid.blocks != MOST_BLOCKS_X || grid.tables > 0;
        self == Self::Line || grid.axis == 0 && !has_limit
    }

    /// Makes sure that a GPU has so many blocks, and gives how they are launched.
    pub fn launched<'c: 'a, 'a>(
        self,
        builder: &Builder<'c, 'a>,
        op: OperationRef<'c, 'a>,
        sizes: Sizes<'c, 'a>,
    ) -> Emitted<'c, Sizes<'c, 'a>> {
        let [x, y, z] = sizes.blocks;
        let all = match self {
            Self::Own => return Ok(sizes),
            Self::Line => builder.times(builder.times(x, y)?, z)?,
        };
        require_blocks(builder, op, all)?;
        let one = builder.index(1)?;
        Ok(Sizes {
            blocks: [all, one, one],
            ..sizes
        })
    }

    /// Where a thread stands, if there are so many blocks along the axes.
    pub fn place<'c: 'a, 'a>(
        self,
        builder: &Builder<'c, 'a>,
        place: &Place<'c, 'a>,
        blocks: [Value<'c, 'a>; 3],
    ) -> Emitted<'c, Place<'c, 'a>> {
        if self == Self::Own {
            return Ok(*place);
        }
        // There are less than 2^31 blocks, and division is faster with 32 bits.
        let (word, index) = (builder.integer_type(32), builder.index_type());
        let narrow = |value| builder.value("arith.index_castui", &[value], word, &[]);
        let wide = |value| builder.value("arith.index_castui", &[value], index, &[]);
        let (x, y) = (narrow(blocks[0])?, narrow(blocks[1])?);
        let own = narrow(place.block[0])?;
        let row = builder.arithmetic("arith.divui", &[own, x])?;
        let along_x = builder.arithmetic("arith.remui", &[own, x])?;
        let along_z = builder.arithmetic("arith.divui", &[row, y])?;
        let along_y = builder.arithmetic("arith.remui", &[row, y])?;
        let block = [wide(along_x)?, wide(along_y)?, wide(along_z)?];
        Ok(place.at(block, blocks))
    }
}

/// That there are no more blocks than a GPU has along x. For one loop that is no limit: its threads are more than a
/// GPU's memory has bytes.
pub(super) fn require_blocks<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    blocks: Value<'c, 'a>,
) -> Emitted<'c, ()> {
    let most = builder.index(MOST_BLOCKS_X as i64)?;
    let holds = builder.compare(Predicate::Sle, blocks, most)?;
    let message = "loops need {} blocks of threads, and a grid of a GPU has at most {}";
    let message = [("message", builder.string(message))];
    let builder = builder.located(op.location());
    builder.op("soac.check", &[holds, blocks, most], &[], &message, vec![])?;
    Ok(())
}
