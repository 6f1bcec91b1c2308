//! Hashes that are the same in every run and on every machine: FNV-1a (Fowler,
//! Noll and Vo).

use std::hash::{Hash, Hasher};

struct StableHasher(u64);

impl Hasher for StableHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// A hash of 64 bits.
pub(crate) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = StableHasher(0xcbf2_9ce4_8422_2325);
    value.hash(&mut hasher);
    hasher.finish()
}

/// A hash of 128 bits.
pub(crate) fn hash_words(words: &[u64]) -> u128 {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0100_0000_0000_0000_0000_013b;
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.fold(START, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(PRIME)
    })
}
