//! The table of CPUs.
//!
//! A CPU has the facts of its instruction set, and those that were measured on it. What its caches
//! hold is the same for all so far: the sizes are those that passes were tuned with.

use crate::machine::Machine;

/// A CPU of the table.
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    /// What LLVM calls it; or `default`.
    pub name: &'static str,
    /// What is known of it.
    pub machine: Machine,
}

/// A CPU of the table, by name.
pub fn find(name: &str) -> Option<&'static Cpu> {
    CPUS.iter().find(|cpu| cpu.name == name)
}

/// x86 with SSE2, and no more that passes ask for.
const SSE: Machine = Machine {
    vector_bits: 128,
    vector_registers: 16,
    masked_bits: 0,
    compress: false,
    conversions: false,
    ..Machine::DEFAULT
};

const AVX: Machine = Machine {
    vector_bits: 256,
    masked_bits: 32,
    ..SSE
};

/// AVX2, with which all CPUs have fused multiply-add.
const AVX2: Machine = Machine {
    fma: true,
    permutes: true,
    ..AVX
};

/// AVX-512 with the parts that all CPUs of today have: F, BW, CD, DQ, VL.
const AVX512: Machine = Machine {
    vector_bits: 512,
    vector_registers: 32,
    masked_bits: 8,
    compress: true,
    conversions: true,
    estimates: true,
    ranges: true,
    ..AVX2
};

const fn cpu(name: &'static str, machine: Machine) -> Cpu {
    Cpu { name, machine }
}

/// All CPUs. Others than these can be named to `comb`: their facts follow from LLVM's features.
pub static CPUS: &[Cpu] = &[
    cpu("default", Machine::DEFAULT),
    cpu("x86-64", SSE),
    cpu("x86-64-v2", SSE),
    cpu("x86-64-v3", AVX2),
    cpu("x86-64-v4", AVX512),
    cpu("nehalem", SSE),
    cpu("westmere", SSE),
    cpu("sandybridge", AVX),
    cpu("ivybridge", AVX),
    cpu("haswell", AVX2),
    cpu("broadwell", AVX2),
    cpu("skylake", AVX2),
    cpu("alderlake", AVX2),
    cpu("skylake-avx512", AVX512),
    cpu("cascadelake", AVX512),
    cpu("icelake-client", AVX512),
    cpu("icelake-server", AVX512),
    cpu("tigerlake", AVX512),
    cpu("sapphirerapids", AVX512),
    cpu("emeraldrapids", AVX512),
    cpu("graniterapids", AVX512),
    cpu("znver1", AVX2),
    cpu("znver2", AVX2),
    cpu("znver3", AVX2),
    cpu("znver4", AVX512),
    cpu("znver5", AVX512),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_is_there_once() {
        for cpu in CPUS {
            let same = CPUS.iter().filter(|other| other.name == cpu.name);
            assert_eq!(same.count(), 1, "{}", cpu.name);
        }
    }

    #[test]
    fn the_first_cpu_is_what_is_taken_for_granted() {
        assert_eq!(CPUS[0].machine, Machine::default());
    }
}
