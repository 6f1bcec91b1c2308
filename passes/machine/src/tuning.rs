//! Numbers that were found by measuring.

/// The bits of the vectors that passes make.
pub const VECTOR_BITS: u64 = 512;
