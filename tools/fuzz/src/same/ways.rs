//! The ways in which calls are made.
//!
//! Loop nests are interpreted in both forms, and compiled to one iteration after the other. Else, ways differ in
//! what is fused, in the number of threads, in how hard LLVM optimises, and in the machine that loops are scheduled
//! for: one whose caches no array fits; one whose chunks have 20 iterations (for the least work that an iteration
//! can have), which are not whole vectors, whose caches arrays of more than 512 bytes do not fit, and whose filters
//! write whole vectors, to be packed by a table; and one whose chunks have one iteration, and whose registers are
//! those of CPUs without AVX-512. Once no optional transformation is on, and once, in chunks of 20 iterations, one is
//! off that is another for each function.

use std::{collections::BTreeSet, fmt, num::NonZeroU32};

use comb_driver::{
    code::{CodeOptions, Optimization},
    compile::PassOptions,
    cpu::{Cpu, CpuError},
};
use comb_machine::Machine;
use comb_passes::{
    fuse::OptionsText,
    pipelines::{fusion_pass, nests_in_memory},
    switches::Wanted,
    transformations::Transformation,
};

/// One way.
pub(super) struct Way {
    name: String,
    /// Passes that run first, in MLIR's syntax.
    pub(super) passes: String,
    /// How what they give is compiled; nothing if it is interpreted.
    pub(super) compiled: Option<Compiled>,
    /// The only function that is called so, if it is not for all.
    only: Option<String>,
}

/// How a program is compiled, and run.
#[derive(Clone)]
pub(super) struct Compiled {
    algorithm: &'static str,
    machine: Machine,
    optimization: Optimization,
    pub(super) threads: NonZeroU32,
    disabled: BTreeSet<Transformation>,
}

impl fmt::Display for Way {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

impl Way {
    /// Whether a function is called so.
    pub(super) fn is_for(&self, entry: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == entry)
    }
}

impl Compiled {
    const DEFAULT: Self = Self {
        algorithm: "ilp",
        machine: Machine::DEFAULT,
        optimization: Optimization::O2,
        threads: NonZeroU32::MIN,
        disabled: BTreeSet::new(),
    };

    /// How code is generated.
    pub(super) fn code(&self) -> CodeOptions {
        CodeOptions {
            optimization: self.optimization,
            ..CodeOptions::default()
        }
    }

    /// The passes, for a CPU as LLVM calls it, or for this one. They write only instructions that it has.
    ///
    /// # Errors
    ///
    /// If there is no such CPU.
    pub(super) fn pass_options(&self, cpu: Option<&str>) -> Result<PassOptions, CpuError> {
        let cpu = Cpu::named(cpu)?;
        let its = cpu.machine();
        let machine = match self.machine == Machine::DEFAULT {
            true => its,
            false => Machine {
                permutes: self.machine.permutes && its.permutes,
                ..self.machine
            },
        };
        Ok(PassOptions {
            fusion: fusion_pass(&OptionsText {
                algorithm: self.algorithm,
                ..OptionsText::default()
            }),
            machine,
            cpu: cpu.name,
            transformations: Wanted {
                disabled: self.disabled.clone(),
                limit: None,
            },
            ..PassOptions::default()
        })
    }
}

const NESTS: &str = "comb-fuse,soac-to-nest";

/// What a program has that writes into the memory of an array itself. That must be bufferized before anything is
/// simplified, so its loop nests are not interpreted.
const WRITER: &str = "bufferization.to_buffer";

/// All ways for functions of a program.
pub(super) fn ways<'n>(text: &str, entries: impl Iterator<Item = &'n str>) -> Vec<Way> {
    let mut ways = vec![];
    if !text.contains(WRITER) {
        ways.extend(as_nests());
    }
    ways.extend(compiled());
    let entries: BTreeSet<&str> = entries.collect();
    ways.extend(entries.into_iter().map(without_one));
    ways
}

fn as_nests() -> [Way; 3] {
    let way = |name: &str, passes, compiled| Way {
        name: name.to_owned(),
        passes,
        compiled,
        only: None,
    };
    [
        way("nests of tensors", NESTS.to_owned(), None),
        way(
            "nests in memory",
            format!("{NESTS},{}", nests_in_memory()),
            None,
        ),
        way(
            "nests without a schedule",
            format!("{NESTS},nest-schedule{{scalar}}"),
            Some(Compiled::DEFAULT),
        ),
    ]
}

fn compiled() -> [Way; 5] {
    let all = Transformation::ALL.iter().copied().collect();
    let way = |name: &str, compiled| Way {
        name: name.to_owned(),
        passes: String::new(),
        compiled: Some(compiled),
        only: None,
    };
    [
        way(
            "--disable all -O 0",
            Compiled {
                optimization: Optimization::O0,
                disabled: all,
                ..Compiled::DEFAULT
            },
        ),
        way(
            "-O 3 --threads 3",
            Compiled {
                optimization: Optimization::O3,
                ..on_threads(3)
            },
        ),
        way(
            "past the caches, --fusion greedy --threads 2",
            Compiled {
                algorithm: "greedy",
                machine: Machine {
                    last_cache_bytes: 0,
                    ..Machine::DEFAULT
                },
                ..on_threads(2)
            },
        ),
        way(
            "short chunks, -O 3 --threads 3",
            Compiled {
                optimization: Optimization::O3,
                ..in_short_chunks()
            },
        ),
        way(
            "shortest chunks, --threads 8",
            Compiled {
                machine: Machine {
                    chunk_instructions: 1,
                    last_cache_bytes: 512,
                    vector_bits: 128,
                    masked_bits: 32,
                    ..Machine::DEFAULT
                },
                ..on_threads(8)
            },
        ),
    ]
}

fn on_threads(count: u32) -> Compiled {
    Compiled {
        threads: NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN),
        ..Compiled::DEFAULT
    }
}

fn in_short_chunks() -> Compiled {
    Compiled {
        machine: Machine {
            chunk_instructions: 160,
            last_cache_bytes: 512,
            permutes: true,
            compress: false,
            ..Machine::DEFAULT
        },
        ..on_threads(3)
    }
}

/// The way without one transformation, for a function.
fn without_one(entry: &str) -> Way {
    let sum: usize = entry.bytes().map(usize::from).sum();
    let off = Transformation::ALL[sum % Transformation::ALL.len()];
    Way {
        name: format!("short chunks, --disable {} --threads 3", off.name()),
        passes: String::new(),
        compiled: Some(Compiled {
            disabled: BTreeSet::from([off]),
            ..in_short_chunks()
        }),
        only: Some(entry.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_has_a_way_of_its_own() {
        let count = |text, entries: &[&str]| ways(text, entries.iter().copied()).len();
        assert_eq!(count("", &["f", "f", "g"]), 10);
        assert_eq!(count("bufferization.to_buffer %x", &["f"]), 6);
        let ways = ways("", ["f", "g"].into_iter());
        assert_eq!(ways.iter().filter(|way| way.is_for("f")).count(), 9);
    }
}
