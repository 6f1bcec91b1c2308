//! Numbers that decide when something is worth it, in one place: what was measured, or says what a
//! CPU is like, and is the same for all machines so far. A module here has the name of the one
//! that uses it. What differs between machines is a [fact](crate::FACTS); what an algorithm needs
//! to be right stays beside it.
//!
//! Each number has its unit, and says what it comes from. *Loops' work* is counted in
//! instructions: how many additions something takes as long as ([`instructions`]). "Not on record"
//! is said of numbers whose measurement nobody wrote down: who changes one should measure, and say
//! here what.

/// The bits of the vectors that passes make, on all CPUs, so that numbers are added in the same
/// order everywhere.
///
/// Unit: bits. From: Zen 3, one thread, vectors of 256 bits instead: `nbody` 5 % less
/// time, `shallowwater` 4 %; `blackscholes` 26 % more, `attention` 26 %, `lbm` 40 %.
pub const VECTOR_BITS: u64 = 512;

/// What ops take.
pub mod instructions {
    /// A division of floating-point numbers.
    ///
    /// Unit: additions. From: how much longer vectors of them take than an addition on current CPUs, roughly.
    pub const DIVISION: f64 = 10.0;

    /// A division of integers, for which CPUs have no vectors.
    ///
    /// Unit: additions. From: as [`DIVISION`].
    pub const INTEGER_DIVISION: f64 = 16.0;

    /// A square root.
    ///
    /// Unit: additions. From: as [`DIVISION`].
    pub const ROOT: f64 = 12.0;

    /// A function such as `exp`, as `comb-expand-math` makes it.
    ///
    /// Unit: additions. From: as [`DIVISION`].
    pub const FUNCTION: f64 = 16.0;

    /// A power, which is a logarithm and an exponential function.
    ///
    /// Unit: additions. From: as [`DIVISION`].
    pub const POWER: f64 = 2.0 * FUNCTION;

    /// A loop or a call in a function, if nothing is known of it.
    ///
    /// Unit: additions. From: an assumption, so that nothing of the kind is done twice.
    pub const LOOP: f64 = 64.0;
}

/// What an element may take to be computed where it is read, and again.
pub mod computable {
    /// More is computed once and stored.
    ///
    /// Unit: instructions. From: not on record.
    pub const CHEAP: f64 = 8.0;

    /// The same for a `backpermute` in another block: that of an array of indices or of one
    /// value. Loops over rows that read parts of other arrays may be ones that threads go
    /// through at the same time, which those that compute such parts are not.
    ///
    /// Unit: instructions. From: not on record.
    pub const TRIVIAL: f64 = 2.0;
}

/// What arrays cost that are stored. Fusion asks no machine, so that a program is fused alike for
/// all.
pub mod prices {
    /// What moving a byte to or from memory costs; in a cache it costs 1.
    ///
    /// Unit: bytes in a cache. From: not on record.
    pub const MEMORY: f64 = 10.0;

    /// A buffer with more bytes is in memory.
    ///
    /// Unit: bytes. From: half of a second cache; not on record.
    pub const CACHE: f64 = 262_144.0;
}

/// Concatenations along narrow rows, which become maps that choose.
pub mod columns {
    /// How many elements a row of the whole has at most.
    ///
    /// Unit: elements. From: longer rows are copied faster; how much is not on record.
    pub const WIDEST: i64 = 16;

    /// The same if elements have fewer bits than [`LARGE`].
    ///
    /// Unit: elements. From: as [`WIDEST`].
    pub const WIDEST_OF_SMALL: i64 = 6;

    /// Elements with fewer bits are small.
    ///
    /// Unit: bits. From: as [`WIDEST`].
    pub const LARGE: u64 = 32;

    /// A part as wide as this is copied in vectors.
    ///
    /// Unit: elements. From: as [`WIDEST`].
    pub const WIDE: i64 = 8;
}

/// How many iterations a vector has.
pub mod widths {
    /// Loops that are known to be shorter than this are not worth it.
    ///
    /// Unit: iterations. From: not on record.
    pub const SHORTEST: i64 = 8;

    /// How many vectors are folded at once, if there is little to compute.
    ///
    /// Unit: vectors. From: an addition takes about four cycles, and one can begin in each.
    pub const FOLDED_AT_ONCE: u64 = 4;

    /// With more ops than this, or ops that take as long as more additions, half as many: there
    /// is something to do while an addition takes its time.
    ///
    /// Unit: instructions. From: not on record.
    pub const LITTLE: usize = 8;

    /// With more than this, there is enough to do.
    ///
    /// Unit: instructions. From: not on record.
    pub const MORE: usize = 24;

    /// A scan has no more lanes: a scan puts its last lane into all lanes, and where these are 64
    /// bytes, LLVM 22 may not come to an end on CPUs with AVX512-VBMI.
    ///
    /// Unit: lanes. From: runs of LLVM 22.
    pub const MOST_SCANNED: u64 = 32;
}

/// The lengths of chunks.
pub mod chunks {
    /// What an iteration takes at least.
    ///
    /// Unit: instructions. From: not on record.
    pub const FEWEST: i64 = 8;

    /// What it takes to read an element at a place that an array in memory says, where
    /// instructions work on vectors.
    ///
    /// Unit: instructions. From: not on record.
    pub const GATHERED: i64 = 48;

    /// Chunks of single elements have a multiple of so many, for whole vectors.
    ///
    /// Unit: iterations. From: the lanes of four vectors of bytes, which are folded at once.
    pub const WHOLE_VECTORS: i64 = 256;
}

/// Few chunks, which are made even.
pub mod even {
    /// How many chunks are few.
    ///
    /// Unit: chunks. From: three take two threads as long as four; from where on it does not matter is not on
    /// record.
    pub const FEW: i64 = 64;
}

/// Positions that are computed a block ahead.
pub mod ahead {
    /// How many iterations a block has has: a multiple of all widths of
    /// vectors. The buffers of a few gathers fit the first cache.
    ///
    /// Unit: iterations. From: `simple2`: half of the time that it takes without blocks.
    pub const BLOCK: i64 = 1024;
}

/// Lines that are fetched where a segment begins.
pub mod prefetch {
    /// How far ahead: as long as reading so much takes, memory needs to answer.
    ///
    /// Unit: bytes. From: not on record.
    pub const AHEAD: i64 = 4096;
}

/// Lines of a stencil's next rows that are fetched.
pub mod rows_ahead {
    /// How far ahead.
    ///
    /// Unit: bytes. From: only with that are stores past the caches faster than others; other distances are not on
    /// record.
    pub const AHEAD: i64 = 4096;
}

/// Operands that are copied for products.
pub mod packing {
    /// With fewer rows, a copy is not worth it.
    ///
    /// Unit: rows. From: not on record.
    pub const FEWEST_ROWS: i64 = 16;

    /// The part of the last cache that an operand may have, beside the other operand and the
    /// result, before it is copied.
    ///
    /// Unit: 1 / part. From: products of `f32` matrices of 2048 × 2048, one thread of an AMD EPYC: a quarter of
    /// the time; of 1500 × 1500, five sixths; smaller ones take up to half as long again.
    pub const PART_OF_CACHES: i64 = 4;
}

/// Tiles of folds of products.
pub mod forms {
    /// How many vectors there are at once.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Tile {
        /// Accumulators.
        pub accumulators: u64,
        /// Vectors of a row, if several rows are computed at once.
        pub of_row: u64,
        /// Vectors in a loop without rows.
        pub alone: u64,
    }

    /// The most iterations of a loop that are jammed.
    ///
    /// Unit: iterations. From: two loops of four each share what sixteen accumulators need: eight vectors
    /// for sixteen multiply-adds.
    pub const MOST_JAMMED: u64 = 4;

    /// A loop that is known to have no more iterations, and that no other one is around, is jammed as a whole.
    ///
    /// Unit: iterations. From: what all iterations read goes through the caches once then: autocorrelations at
    /// sixteen distances of an array of 64 MiB take 0.5 of the time that they take eight at once.
    pub const MOST_AT_ONCE: u64 = 16;

    /// The same of a loop over rows, where the lanes are columns.
    ///
    /// Unit: iterations. From: with two vectors of a row, what eight rows need are sixteen accumulators; four
    /// vectors for four rows read as much for each product, but twice as much of what is not in the first cache.
    pub const MOST_ROWS: u64 = 8;

    /// A loop of so many iterations around one that may be of any length does not slide along it: it is itself
    /// the window.
    ///
    /// Unit: iterations. From: as few are a vector of the widest lanes, for which there are accumulators enough.
    pub const LONGEST_WINDOW: u64 = 64;

    /// The most vectors that are transposed together: elements of a row that a lane reads.
    ///
    /// Unit: vectors. From: a line of the cache has 16 elements of 32 bits, and there are 32 registers of
    /// AVX-512.
    pub const MOST_TRANSPOSED: u64 = 16;

    /// The fewest; fewer are gathered.
    ///
    /// Unit: vectors. From: two loads and a shuffle for each pair of elements are no faster than a gather.
    pub const FEWEST_TRANSPOSED: u64 = 4;

    /// The most ops of loops that are there once more for each vector of a transpose.
    ///
    /// Unit: ops. From: sixteen copies of more are longer than what is decoded once.
    pub const MOST_TRANSPOSED_OPS: usize = 24;

    /// The least registers for which there is a tile, and the tile, the largest first. What is
    /// read takes the registers that are left.
    ///
    /// Unit: vectors. From: how many registers there are: 32 of AVX-512, 16 of half of that of AVX, and 16 of
    /// a quarter of SSE.
    pub const TILES: [(i64, Tile); 3] = [
        (
            16,
            Tile {
                accumulators: 16,
                of_row: 2,
                alone: 4,
            },
        ),
        (
            8,
            Tile {
                accumulators: 6,
                of_row: 1,
                alone: 4,
            },
        ),
        (
            0,
            Tile {
                accumulators: 3,
                of_row: 1,
                alone: 2,
            },
        ),
    ];
}

/// Rows of stencils that are computed together.
pub mod jam {
    /// How many rows there may be at once, the best first.
    ///
    /// Unit: rows. From: the game of life: four need 18 vectors instead of 36, and a large board half of the time.
    pub const ROWS: [u64; 2] = [4, 2];

    /// With more ops in a loop than this for each row, there is enough to do while vectors are
    /// read.
    ///
    /// Unit: ops. From: not on record.
    pub const MOST_OPS: usize = 32;

    /// How many rows there are at once if that is for what they compute in common.
    ///
    /// Unit: rows. From: `shallowwater`: a tenth to an eighth less time out of a cache, a twentieth less out of memory.
    pub const ROWS_FOR_WORK: u64 = 2;

    /// How long a row takes then, at each iteration, at least.
    ///
    /// Unit: instructions. From: not on record.
    pub const LEAST_WORK: f64 = 32.0;

    /// What part of its work a row has to be spared, at least.
    ///
    /// Unit: part. From: as [`ROWS_FOR_WORK`].
    pub const LEAST_SAVED: f64 = 0.1;

    /// Rows that read fewer vectors do not wait for loads, but for what the caches give; and
    /// several rows at once are more that the CPU has to fetch ahead.
    ///
    /// Unit: vectors. From: not on record.
    pub const FEWEST_READS: usize = 5;

    /// So many registers are for other things than vectors that were read.
    ///
    /// Unit: vectors. From: not on record.
    pub const OTHER_REGISTERS: i64 = 4;
}

/// Loops that are cut where an index wraps around.
pub mod pieces {
    /// How many vectors a piece has at least, those of all accumulators together.
    ///
    /// Unit: vectors. From: a piece ends with a vector that is masked, so that half of two may be lost.
    pub const FEWEST_VECTORS: u64 = 2;
}

/// Gathers that are loaded lane by lane.
pub mod gathers_by_lane {
    /// More lanes than this would be much code.
    ///
    /// Unit: lanes. From: the size of code.
    pub const MOST_LANES: u64 = 16;
}

/// Scans of vectors.
pub mod fold {
    /// What a shuffle between all lanes takes.
    ///
    /// Unit: instructions. From: not on record.
    pub const SHUFFLE: f64 = 4.0;
}

/// How threads share scatters.
pub mod scatters {
    /// Destinations with fewer bytes than this are in a cache while one thread goes through the
    /// elements in order, which is faster than to partition them for two.
    ///
    /// Unit: bytes. From: two threads; sizes are not on record.
    pub const LARGE: i64 = 1 << 23;

    /// Destinations have at most so many times as many places as there are elements, if these are
    /// partitioned.
    ///
    /// Unit: places. From: not on record.
    pub const PLACES_OF_AN_ELEMENT: i64 = 16;

    /// An iteration with so much work for each element that is scattered is shared, whatever
    /// the size of the destination: threads then put elements into records, and one puts these to
    /// their places.
    ///
    /// Unit: instructions. From: k-means: records take about a tenth of that, which is as much as the instructions do if
    /// they are all vectors'.
    pub const WORK_OF_AN_ELEMENT: i64 = 128;
}

/// Scatters whose destinations are cut into buckets.
pub mod partition {
    /// The part of the second cache that a bucket has.
    ///
    /// Unit: 1 / part. From: a bucket and its records share the cache; other parts are not on record.
    pub const PART_OF_CACHE: i64 = 2;

    /// The part of a chunk's work that a bucket's places are worth.
    ///
    /// Unit: 1 / part. From: not on record.
    pub const CHUNK_SHARE: i64 = 4;

    /// How many records a chunk has for a bucket, on average, at least; fewer if chunks are to be
    /// small.
    ///
    /// Unit: records. From: not on record.
    pub const RECORDS: i64 = 512;
}

/// Records of scatters.
pub mod record {
    /// More ops than this are not computed again.
    ///
    /// Unit: ops. From: not on record.
    pub const LITTLE: usize = 8;

    /// What takes more than this is taken out of vectors for each lane, and not computed again.
    ///
    /// Unit: instructions. From: Intel Xeon with AVX-512: `histogram`, small array, one thread, takes a fifth longer if
    /// places come out of vectors.
    pub const LITTLE_FOR_LANES: f64 = 3.0;
}

/// Tables of scatters.
pub mod tables {
    /// The most bytes that the tables of a scatter take.
    ///
    /// Unit: bytes. From: a bound on memory.
    pub const MEMORY: i64 = 1 << 26;

    /// The most tables of a scatter.
    ///
    /// Unit: tables. From: not on record.
    pub const MOST: i64 = 128;

    /// A chunk has so many times as many elements as a table, so that the tables are a small part
    /// of the work.
    ///
    /// Unit: elements. From: not on record.
    pub const ELEMENTS_OF_A_PLACE: i64 = 8;

    /// Places that a thread combines at a time.
    ///
    /// Unit: places. From: not on record.
    pub const BLOCK: i64 = 4096;
}

/// Sorts.
pub mod sorts {
    /// How many elements a thread sorts by merging, at a time, for the work of a chunk.
    ///
    /// Unit: instructions an element. From: not on record.
    pub const MERGED: i64 = 1 << 5;

    /// How many elements a thread sorts by digits at least, for the work of a chunk.
    ///
    /// Unit: instructions an element. From: not on record.
    pub const PARTED: i64 = 1 << 2;

    /// How many elements a row has at least that is sorted by digits, for the work of a chunk.
    ///
    /// Unit: instructions an element. From: not on record; with the usual chunk that are 2048 elements.
    pub const LONG: i64 = 1 << 7;

    /// How many elements are sorted by insertion.
    ///
    /// Unit: elements. From: not on record.
    pub const RUN: i64 = 16;

    /// In how many parts a row is at most.
    ///
    /// Unit: parts. From: not on record.
    pub const MOST_PARTS: i64 = 16;

    /// The bits of a digit if words of 17 to 32 bits move, and nothing else.
    ///
    /// Unit: bits. From: places that are written in turn have to fit the caches; three passes and not four.
    pub const LONG_DIGIT: u32 = 11;

    /// The bits of other digits.
    ///
    /// Unit: bits. From: as [`LONG_DIGIT`], where more moves.
    pub const DIGIT: u32 = 8;
}

/// Threads that follow each other through the rows of a table.
pub mod wavefronts {
    /// Fewer rounds are not worth it.
    ///
    /// Unit: rounds. From: not on record.
    pub const FEWEST_ROUNDS: i64 = 32;

    /// Less work than so many chunks is not worth it.
    ///
    /// Unit: chunks. From: not on record.
    pub const FEWEST_CHUNKS: i64 = 4;

    /// There is a number for each range and round of what a scan carries: with more rounds, these
    /// would take too much memory.
    ///
    /// Unit: rounds. From: a bound on memory.
    pub const MOST_ROUNDS: i64 = 1 << 20;

    /// A thread waits so many times at least for each range.
    ///
    /// Unit: rounds. From: not on record.
    pub const FEWEST_WAITS: i64 = 4;

    /// Ranges are whole vectors, and whole lines of the cache, if they begin with one.
    ///
    /// Unit: columns. From: the lanes of a vector of bytes, which fill a line.
    pub const COLUMNS_TOGETHER: i64 = 64;
}

/// Polynomials.
pub mod polynomial {
    /// From so many coefficients on, a polynomial may be computed by halves.
    ///
    /// Unit: coefficients. From: `blackscholes`: 14 % less time by that and by other shorter ways.
    pub const LONG: usize = 9;
}

/// Square roots that are multiplications.
pub mod balance_square_roots {
    /// What the unit for divisions and square roots takes for a vector that is divided, of `f32`
    /// and of `f64`.
    ///
    /// Unit: multiplications of a vector of 512 bits. From: AMD's fourth generation.
    pub const DIVISION: [f64; 2] = [6.0, 9.0];

    /// The same for a root.
    ///
    /// Unit: multiplications of a vector of 512 bits. From: AMD's fourth generation.
    pub const ROOT: [f64; 2] = [10.0, 16.0];

    /// What a root takes by multiplications, of `f32` and of `f64`.
    ///
    /// Unit: multiplications of a vector of 512 bits. From: a count of its ops.
    pub const REPLACED: [f64; 2] = [11.0, 17.0];

    /// The least part of a loop's time that is worth it.
    ///
    /// Unit: part. From: not on record; `nbody` takes 0.82 of the time, a map of roots 0.53 (`f32`: 0.64).
    pub const LEAST_SAVED: f64 = 0.15;
}

/// Vectors that loops carry.
pub mod reduce_strength {
    /// How many registers of 512 bits a vector may take that is converted, on CPUs that convert 64-bit
    /// integers. Others have half as many registers, half as long: there, one.
    ///
    /// Unit: registers. From: `greedyTopDownBad` in a cache, AVX-512, one thread: 10 % less time.
    pub const CONVERTED: u64 = 4;
}

/// Loops that LLVM may unroll.
pub mod limit_unrolling {
    /// How many iterations a loop and those in it have at most.
    ///
    /// Unit: iterations. From: windows of a few elements are unrolled; not on record.
    pub const FEW: i64 = 16;
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_number_has_a_unit_and_an_origin() {
        let mut said = String::new();
        let mut count = 0;
        for line in include_str!("tuning.rs").lines().map(str::trim) {
            if let Some(text) = line.strip_prefix("///") {
                said.push_str(text);
            } else if let Some(name) = line.strip_prefix("pub const ") {
                let unit = said.find(" Unit: ");
                let from = said.find(" From: ");
                assert!(unit.is_some() && unit < from, "{name}");
                count += 1;
                said.clear();
            } else {
                said.clear();
            }
        }
        assert!(count > 60, "{count}");
    }
}
