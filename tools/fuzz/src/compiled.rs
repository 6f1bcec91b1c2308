//! How a random program is compiled, and what it gives when it runs in this process.
//!
//! A program's number says how: what is fused, how long chunks are, how many threads
//! there are, how hard LLVM optimises, and which transformations are off.

use std::{collections::BTreeSet, fmt, num::NonZeroU32};

use comb_driver::{
    Compiler,
    aot::{self, Build, Emit},
    code::{CodeOptions, Optimization},
    compile::{Compiled, PassOptions, compile},
    cpu::Cpu,
    entry,
    gpu::Gpu,
    jit::Executable,
    load,
    source::Source,
};
use comb_machine::Machine;
use comb_passes::{
    fuse::OptionsText,
    pipelines::{GpuTarget, fusion_pass},
    switches::Wanted,
    transformations::Transformation,
};
use comb_runtime::{Value, threads::set_thread_count};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use crate::program::Program;

/// In place of an algorithm: nothing is fused.
pub const UNFUSED: &str = "off";

/// The algorithm that fuses best.
const FUSED: &str = "ilp";

/// What says which combinators share loops; the optimum is tried most often.
const FUSIONS: [&str; 11] = [
    FUSED,
    FUSED,
    FUSED,
    FUSED,
    UNFUSED,
    "singleton",
    "greedy",
    "greedy-top-down",
    "greedy-bottom-up",
    "linear",
    "unintrusive",
];

/// About how many instructions a thread takes at a time: few, so that small arrays
/// are cut into many chunks.
const CHUNKS: [Option<i64>; 7] = [None, None, Some(1), Some(1), Some(20), Some(100), Some(300)];

/// How many bytes a result may have that is not written past the caches: none, so that small
/// arrays are written so; or the usual number.
const LARGE: [Option<i64>; 2] = [None, Some(0)];

/// Which part of the transformations is off, where some are.
const DISABLED: [f64; 4] = [0.05, 0.2, 0.5, 1.0];

const OPTIMIZATIONS: [Optimization; 5] = [
    Optimization::O2,
    Optimization::O2,
    Optimization::O3,
    Optimization::O1,
    Optimization::O0,
];

/// How a program is compiled, and run.
#[derive(Clone, Copy, Debug)]
pub struct Compilation {
    /// What is fused.
    pub fusion: &'static str,
    chunk: Option<i64>,
    large: Option<i64>,
    optimization: Optimization,
    /// How many threads there are.
    pub threads: NonZeroU32,
    /// A number that says which transformations are off; nothing if none is.
    disabled: Option<u64>,
    /// Whether kernels run on a GPU.
    gpu: bool,
}

/// Why a program gave no results.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It failed while it ran, as programs may.
    #[error("running: {0}")]
    Program(String),
    /// It could not be compiled, or did something that it must not do.
    #[error("{0}")]
    Fault(String),
}

impl RunError {
    /// An error of comb's own.
    pub fn fault(error: impl fmt::Display) -> Self {
        Self::Fault(error.to_string())
    }
}

impl fmt::Display for Compilation {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let level = self.optimization.to_string();
        write!(formatter, "--fusion {} -{level}", self.fusion)?;
        if let Some(chunk) = self.chunk {
            write!(formatter, " --chunk {chunk}")?;
        }
        if let Some(large) = self.large {
            write!(formatter, " --large {large}")?;
        }
        write!(formatter, " --threads {}", self.threads)?;
        let disabled: Vec<_> = self.disabled().iter().map(|one| one.name()).collect();
        if !disabled.is_empty() {
            write!(formatter, " --disable {}", disabled.join(","))?;
        }
        Ok(())
    }
}

impl Compilation {
    /// That of the program of a number.
    pub fn of(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed.rotate_left(32));
        Self {
            fusion: FUSIONS.choose(&mut rng).expect("not empty"),
            chunk: *CHUNKS.choose(&mut rng).expect("not empty"),
            large: *LARGE.choose(&mut rng).expect("not empty"),
            optimization: *OPTIMIZATIONS.choose(&mut rng).expect("not empty"),
            threads: NonZeroU32::new(rng.random_range(1..=8)).unwrap_or(NonZeroU32::MIN),
            disabled: rng.random_ratio(1, 3).then(|| rng.random()),
            gpu: false,
        }
    }

    /// The same, with kernels on a GPU.
    pub fn for_gpu(self) -> Self {
        Self { gpu: true, ..self }
    }

    /// The transformations that are off: few, many, or all.
    fn disabled(&self) -> BTreeSet<Transformation> {
        let Some(number) = self.disabled else {
            return BTreeSet::new();
        };
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        let share = *DISABLED.choose(&mut rng).expect("not empty");
        let all = Transformation::ALL.iter().copied();
        all.filter(|_| rng.random_bool(share)).collect()
    }

    /// What passes take the machine to be: that of a CPU as to instructions that they write
    /// themselves, and otherwise one that has more of everything.
    fn machine(&self, cpu: Machine) -> Machine {
        let default = Machine::DEFAULT;
        Machine {
            chunk_instructions: self.chunk.unwrap_or(default.chunk_instructions),
            last_cache_bytes: self.large.unwrap_or(default.last_cache_bytes),
            compress: !cpu.packs_by_table(),
            permutes: cpu.permutes,
            estimates: cpu.estimates,
            ranges: cpu.ranges,
            ..default
        }
    }

    /// How code is generated.
    pub fn code(&self) -> CodeOptions {
        CodeOptions {
            optimization: self.optimization,
            ..CodeOptions::default()
        }
    }

    /// Compiles a program to the LLVM dialect, for a CPU as LLVM calls it, or for this one.
    ///
    /// # Errors
    ///
    /// If that fails, which is a fault.
    pub fn compile<'c>(
        &self,
        compiler: &'c Compiler,
        program: &Program,
        cpu: Option<&str>,
    ) -> Result<Compiled<'c>, RunError> {
        let name = format!("{}.mlir", program.name());
        let source = Source::new(name, program.text());
        let parsed = load::parse(compiler, source).map_err(RunError::fault)?;
        let signature = entry::choose(&parsed, Some("main")).map_err(RunError::fault)?;
        let cpu = Cpu::named(cpu).map_err(RunError::fault)?;
        let options = PassOptions {
            fusion: fusion_pass(&OptionsText {
                algorithm: self.fusion,
                ..OptionsText::default()
            }),
            machine: self.machine(cpu.machine()),
            cpu: cpu.name,
            transformations: Wanted {
                disabled: self.disabled(),
                limit: None,
            },
            verify_each: true,
            gpu: self.gpu.then(|| Gpu {
                target: GpuTarget::Nvvm,
                chip: GpuTarget::Nvvm.usual_chip().to_owned(),
                toolkit: String::new(),
            }),
            ..PassOptions::default()
        };
        compile(compiler, parsed, vec![signature], "comb", options).map_err(RunError::fault)
    }

    /// Compiles a program to an object for a CPU, as LLVM calls it.
    ///
    /// # Errors
    ///
    /// If that fails, which is a fault.
    pub fn object(
        &self,
        compiler: &Compiler,
        program: &Program,
        cpu: &str,
    ) -> Result<(), RunError> {
        let folder = tempfile::tempdir().map_err(RunError::fault)?;
        let code = CodeOptions {
            cpu: Some(cpu.to_owned()),
            ..self.code()
        };
        let compiled = self.compile(compiler, program, Some(cpu))?;
        let object = folder.path().join("program.o");
        let build = Build::new(&object, Some(Emit::Object), code, &[]).map_err(RunError::fault)?;
        aot::build(compiler, &compiled, &build).map_err(RunError::fault)?;
        Ok(())
    }

    /// Compiles a program, and runs it in this process.
    ///
    /// # Errors
    ///
    /// If one of the two fails.
    pub fn run(&self, compiler: &Compiler, program: &Program) -> Result<Vec<Value>, RunError> {
        let compiled = self.compile(compiler, program, None)?;
        let executable =
            Executable::new(compiler, &compiled, &self.code(), &[]).map_err(RunError::fault)?;
        set_thread_count(self.threads).map_err(RunError::fault)?;
        let function = executable.function("main").map_err(RunError::fault)?;
        let inputs = program.inputs().map_err(RunError::fault)?;
        function
            .call(&inputs)
            .map_err(|error| RunError::Program(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_ways_to_compile_are_used() {
        let ways: Vec<Compilation> = (0..1000).map(Compilation::of).collect();
        let count = |of: &dyn Fn(&Compilation) -> String| {
            ways.iter().map(of).collect::<BTreeSet<_>>().len()
        };
        let fusions: BTreeSet<&str> = FUSIONS.into_iter().collect();
        assert_eq!(count(&|way| way.fusion.to_owned()), fusions.len());
        assert_eq!(count(&|way| format!("{:?}", way.chunk)), 5);
        assert_eq!(count(&|way| format!("{:?}", way.large)), 2);
        assert_eq!(count(&|way| way.optimization.to_string()), 4);
        assert_eq!(count(&|way| way.threads.to_string()), 8);
    }
}
