//! How large the linear program of a block is, before it is built.

use std::time::Duration;

/// A pair of reads that may be one takes so many bytes at most at a level: its columns,
/// and rows of some terms each, here and in HiGHS.
pub(crate) const MOST_BYTES_OF_A_SHARED_READ: usize = 1500;

/// The same for a pair of producer and consumer.
const BYTES_OF_A_PAIR: usize = 1000;

/// The same for a use.
const BYTES_OF_A_USE: usize = 200;

/// What a term of a row takes, here and in HiGHS.
pub(crate) const BYTES_OF_A_TERM: usize = 150;

/// About how long it takes to build what takes so many bytes.
const TIME_FOR_A_BYTE: Duration = Duration::from_nanos(10);

/// The size of a block's linear program.
#[derive(Clone, Copy)]
pub(crate) struct ModelSize {
    /// About how many bytes it takes.
    pub bytes: usize,
}

impl ModelSize {
    /// The size for so many pairs, reads that may be one, and uses.
    pub fn new(levels: usize, pairs: usize, shared_reads: usize, uses: usize) -> Self {
        let of_level = pairs * BYTES_OF_A_PAIR
            + shared_reads * MOST_BYTES_OF_A_SHARED_READ
            + uses * BYTES_OF_A_USE;
        Self {
            bytes: levels * of_level,
        }
    }

    /// About how long it takes to build it.
    pub fn time(self) -> Duration {
        TIME_FOR_A_BYTE.mul_f64(self.bytes as f64)
    }
}
