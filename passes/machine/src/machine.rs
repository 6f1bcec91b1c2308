//! A machine.

use crate::tuning;

/// What passes know of the CPU that code is made for.
///
/// What each fact means is said in [`FACTS`](crate::FACTS).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Machine {
    pub vector_bits: i64,
    pub vector_registers: i64,
    pub masked_bits: i64,
    pub line_bytes: i64,
    pub first_cache_bytes: i64,
    pub second_cache_bytes: i64,
    pub last_cache_bytes: i64,
    pub chunk_instructions: i64,
    pub fma: bool,
    pub compress: bool,
    pub permutes: bool,
    pub conversions: bool,
    pub estimates: bool,
    pub ranges: bool,
}

impl Machine {
    /// What is taken for granted if nobody says what code is for: vectors of 512 bits, with masks
    /// for all elements, and no instruction that only some CPUs have.
    pub const DEFAULT: Self = Self {
        vector_bits: 512,
        vector_registers: 32,
        masked_bits: 8,
        line_bytes: 64,
        first_cache_bytes: 32 << 10,
        second_cache_bytes: 512 << 10,
        last_cache_bytes: 32 << 20,
        chunk_instructions: 1 << 18,
        fma: false,
        compress: true,
        permutes: false,
        conversions: true,
        estimates: false,
        ranges: false,
    };

    /// How many vectors of the code that passes make fit the registers.
    pub fn registers(&self) -> i64 {
        self.register_bits() / tuning::VECTOR_BITS as i64
    }

    /// How many bits all registers for vectors have together.
    pub fn register_bits(&self) -> i64 {
        self.vector_registers.saturating_mul(self.vector_bits)
    }

    /// The least bits of elements that can be loaded and stored with a mask.
    pub fn least_masked_bits(&self) -> u64 {
        match self.masked_bits {
            0 => u64::MAX,
            bits => bits.unsigned_abs(),
        }
    }

    /// Whether one instruction writes a line of the cache.
    pub fn writes_lines(&self) -> bool {
        self.vector_bits >= 8 * self.line_bytes
    }

    /// Whether lanes are packed by permuting them as a table says.
    pub fn packs_by_table(&self) -> bool {
        self.permutes && !self.compress
    }

    /// What this machine has instructions for and another one has not, where passes write the
    /// instructions themselves: LLVM makes code of all else for any CPU.
    pub fn beyond(&self, other: &Self) -> Option<&'static str> {
        let facts = [
            ("permutes", self.packs_by_table() && !other.permutes),
            ("estimates", self.estimates && !other.estimates),
            ("ranges", self.ranges && !other.ranges),
        ];
        let mut beyond = facts.into_iter().filter(|&(_, is_beyond)| is_beyond);
        beyond.next().map(|(key, _)| key)
    }
}

impl Default for Machine {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    fn named(name: &str) -> Machine {
        find(name).expect("the table has it").machine
    }

    #[test]
    fn registers_are_counted_in_vectors_of_the_code() {
        assert_eq!(Machine::DEFAULT.registers(), 32);
        assert_eq!(named("haswell").registers(), 8);
        assert_eq!(named("x86-64").registers(), 4);
    }

    #[test]
    fn a_line_takes_two_vectors_of_avx() {
        assert!(named("skylake-avx512").writes_lines());
        assert!(!named("haswell").writes_lines());
    }

    #[test]
    fn what_cannot_be_compressed_is_permuted() {
        assert!(named("haswell").packs_by_table());
        assert!(!named("skylake-avx512").packs_by_table());
        assert!(!named("x86-64").packs_by_table());
    }

    #[test]
    fn only_instructions_that_passes_write_are_beyond_a_machine() {
        let [wide, narrow] = [named("skylake-avx512"), named("x86-64")];
        assert_eq!(wide.beyond(&narrow), Some("estimates"));
        assert_eq!(named("haswell").beyond(&narrow), Some("permutes"));
        assert_eq!(named("haswell").beyond(&wide), None);
        let masked = Machine {
            masked_bits: 8,
            ..narrow
        };
        assert_eq!(masked.beyond(&narrow), None);
    }
}
