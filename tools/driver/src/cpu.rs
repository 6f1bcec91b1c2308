//! The CPU that code is for.

use comb_machine::{Architecture, Machine, of_target};
use inkwell::targets::{TargetMachine, TargetTriple};

use crate::{bridge, native};

/// A CPU, as LLVM describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// What LLVM calls it.
    pub name: String,
    /// The architecture.
    pub triple: String,
    /// What it has, and what LLVM is not to use, besides what its name says.
    pub features: String,
}

/// Why there is no code for a CPU, or none that runs here.
#[derive(Debug, thiserror::Error)]
pub enum CpuError {
    /// LLVM does not know the CPU: the caller's fault.
    #[error("LLVM has no CPU '{name}' for {triple}; `llc -march={} -mcpu=help` lists them", architecture(triple).replace('_', "-"))]
    Unknown {
        /// The name given.
        name: String,
        /// The target.
        triple: String,
    },
    /// This CPU has not all instructions of that one.
    #[error(
        "code for the CPU '{name}' does not run here: this one, {here}, has no {}; leave out --cpu, \
         name one whose instructions it has, or make a file by comb build --cpu {name}",
        missing.join(", ")
    )]
    NotHere {
        /// The name given.
        name: String,
        /// What LLVM calls this one.
        here: String,
        /// What LLVM calls the instructions.
        missing: Vec<String>,
    },
    /// LLVM has no code generator: the installation's fault.
    #[error("internal error: LLVM: {0}")]
    Llvm(String),
}

/// The name of the CPU that this runs on, on the command line.
const NATIVE: &str = "native";

impl Cpu {
    /// A CPU by LLVM's name; or this one, with all that it has.
    ///
    /// # Errors
    ///
    /// If LLVM does not know it.
    pub fn named(name: Option<&str>) -> Result<Self, CpuError> {
        native::initialize().map_err(CpuError::Llvm)?;
        let name = match name {
            None | Some(NATIVE) => return Ok(Self::host()),
            Some(name) => name.to_owned(),
        };
        let triple = default_triple();
        if !bridge::is_cpu(&triple, &name) {
            return Err(CpuError::Unknown { name, triple });
        }
        let features = corrections(&triple, &name).join(",");
        Ok(Self {
            name,
            triple,
            features,
        })
    }

    /// The CPU that this runs on.
    pub fn host() -> Self {
        let name = TargetMachine::get_host_cpu_name().to_string();
        let triple = default_triple();
        let mut features = vec![];
        let found = TargetMachine::get_host_cpu_features().to_string();
        features.extend((!found.is_empty()).then_some(found.as_str()));
        features.extend(corrections(&triple, &name));
        Self {
            features: features.join(","),
            name,
            triple,
        }
    }

    /// That of a code generator.
    pub(crate) fn of(generator: &TargetMachine) -> Self {
        Self {
            name: generator.get_cpu().to_string_lossy().into_owned(),
            triple: shown(&generator.get_triple()),
            features: generator
                .get_feature_string()
                .to_string_lossy()
                .into_owned(),
        }
    }

    /// What passes have to know of it. The architecture has been
    /// [initialised](native::initialize).
    pub fn machine(&self) -> Machine {
        let architecture = match architecture(&self.triple) {
            "x86_64" | "i386" | "i686" => Architecture::X86,
            "aarch64" | "arm64" => Architecture::AArch64,
            _ => Architecture::Other,
        };
        of_target(architecture, |feature| self.has(feature))
    }

    fn has(&self, feature: &str) -> bool {
        bridge::has_feature(&self.triple, &self.name, &self.features, feature)
    }

    /// Whether this machine has the instructions that LLVM makes use of.
    ///
    /// # Errors
    ///
    /// If it has not.
    pub fn runs_here(&self) -> Result<(), CpuError> {
        let here = Self::host();
        let found = TargetMachine::get_host_cpu_features().to_string();
        let absent = found
            .split(',')
            .filter_map(|feature| feature.strip_prefix('-'));
        let mut missing: Vec<_> = absent
            .filter(|feature| is_chosen(&self.triple, feature) && self.has(feature))
            .map(str::to_owned)
            .collect();
        missing.sort();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(CpuError::NotHere {
                name: self.name.clone(),
                here: here.name,
                missing,
            }),
        }
    }
}

fn default_triple() -> String {
    shown(&TargetMachine::get_default_triple())
}

fn shown(triple: &TargetTriple) -> String {
    triple.as_str().to_string_lossy().into_owned()
}

fn architecture(triple: &str) -> &str {
    triple.split('-').next().unwrap_or_default()
}

/// Features of x86 that LLVM makes use of without being told, by the beginning of their names. A
/// system may hide others, such as those for keys and virtual machines, and code still runs.
const CHOSEN: &[&str] = &[
    "adx",
    "amx",
    "avx",
    "bmi",
    "cmov",
    "cx16",
    "egpr",
    "f16c",
    "fma",
    "lzcnt",
    "ndd",
    "movbe",
    "popcnt",
    "sahf",
    "sse",
    "ssse3",
    "tbm",
    "vaes",
    "vpclmulqdq",
    "xop",
];

/// Whether LLVM may make use of a feature.
fn is_chosen(triple: &str, feature: &str) -> bool {
    !triple.starts_with("x86") || CHOSEN.iter().any(|&chosen| feature.starts_with(chosen))
}

/// Features that LLVM is not to use on x86:
///
/// * AVX512-VBMI: LLVM 22 may not come to an end where it permutes bytes with its instructions.
///   Without them that takes two or three instructions instead of one.
/// * The conversions to bf16, which lose subnormal numbers. comb converts by arithmetic; but LLVM
///   converts also where it only moves single numbers of bf16. Nor can it permute vectors of them.
const UNUSED: [&str; 3] = ["-avx512vbmi", "-avx512bf16", "-avxneconvert"];

/// Features that differ from those that LLVM gives a CPU. AMD's load the elements of a gather one
/// after the other, by microcode, in which they can do less at the same time than in loads of
/// their own.
fn corrections(triple: &str, cpu: &str) -> Vec<&'static str> {
    let mut features = vec![];
    if cpu.starts_with("znver") {
        features.push("+prefer-no-gather");
    }
    if triple.starts_with("x86") {
        features.extend(UNUSED);
    }
    features
}

#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use comb_machine::CPUS;

    use super::*;

    #[test]
    fn the_table_says_what_llvm_says() {
        for cpu in CPUS.iter().filter(|cpu| cpu.name != "default") {
            let known = Cpu::named(Some(cpu.name)).unwrap();
            assert_eq!(known.machine(), cpu.machine, "{}", cpu.name);
        }
    }

    #[test]
    fn this_cpu_runs_code_for_itself_and_for_the_least() {
        for name in [None, Some(NATIVE), Some("x86-64")] {
            Cpu::named(name).unwrap().runs_here().unwrap();
        }
    }

    #[test]
    fn no_cpu_runs_what_nobody_makes_any_more_and_what_is_new() {
        // XOP was given up before AVX-512 came.
        let run = |name| Cpu::named(Some(name)).unwrap().runs_here();
        let errors = ["bdver1", "skylake-avx512"].map(run);
        assert!(errors.iter().any(Result::is_err));
    }

    #[test]
    fn llvm_tells_what_it_does_not_know() {
        let error = Cpu::named(Some("z80")).unwrap_err().to_string();
        assert!(
            error.starts_with("LLVM has no CPU 'z80' for x86_64"),
            "{error}"
        );
        assert!(!Cpu::host().has("no-such-feature"));
    }
}
