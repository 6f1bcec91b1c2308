//! The machines of targets, as LLVM describes these.

use crate::machine::Machine;

/// An architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// x86, with what LLVM calls features.
    X86,
    /// AArch64, for which nothing was measured.
    AArch64,
    /// One that is not known.
    Other,
}

/// The machine of a CPU, given whether it has a feature.
pub fn of_target(architecture: Architecture, has: impl Fn(&str) -> bool) -> Machine {
    match architecture {
        Architecture::X86 => of_x86(has),
        Architecture::AArch64 => Machine { fma: true, ..OTHER },
        Architecture::Other => OTHER,
    }
}

/// A machine of which little is known: 32 registers of 128 bits, as AArch64 has them.
const OTHER: Machine = Machine {
    vector_bits: 128,
    vector_registers: 32,
    masked_bits: 32,
    compress: false,
    ..Machine::DEFAULT
};

fn of_x86(has: impl Fn(&str) -> bool) -> Machine {
    let [avx, avx512] = [has("avx"), has("avx512f")];
    let (vector_bits, vector_registers, masked_bits) = match (avx512, avx) {
        (true, _) => (512, 32, 8),
        (false, true) => (256, 16, 32),
        (false, false) => (128, 16, 0),
    };
    Machine {
        vector_bits,
        vector_registers,
        masked_bits,
        fma: has("fma"),
        compress: avx512,
        permutes: has("avx2"),
        conversions: has("avx512dq"),
        estimates: avx512,
        ranges: has("avx512dq") && has("avx512vl"),
        ..Machine::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_as_wide_as_features_say() {
        let machine =
            |features: &[&str]| of_target(Architecture::X86, |name| features.contains(&name));
        let bits = |features: &[&str]| machine(features).vector_bits;
        assert_eq!(bits(&[]), 128);
        assert_eq!(bits(&["avx"]), 256);
        assert_eq!(bits(&["avx", "avx2", "avx512f"]), 512);
        assert!(!machine(&["avx", "avx512f"]).conversions);
        assert!(machine(&["avx", "avx512f", "avx512dq"]).conversions);
    }

    #[test]
    fn what_is_not_known_multiplies_and_adds_apart() {
        assert!(of_target(Architecture::AArch64, |_| false).fma);
        assert!(!of_target(Architecture::Other, |_| false).fma);
    }
}
