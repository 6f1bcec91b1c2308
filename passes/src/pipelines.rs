//! comb's pass pipelines, as text in MLIR's syntax.

use std::str::FromStr;

use comb_fuse::fuse::OptionsText;
use comb_kit::upstream::canonicalize;
use thiserror::Error;

/// A named sequence of passes over a module.
pub struct Pipeline {
    /// The name on the command line.
    pub name: &'static str,
    /// One line of help.
    pub description: &'static str,
    parts: &'static [&'static [&'static [&'static str]]],
}

/// How a pipeline treats a program, for those of its passes that ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipelineOptions<'s> {
    /// Take for granted that the program does not fail.
    pub unchecked: bool,
    /// The pass `soac-fuse` with its options; nothing if it does not run.
    pub fusion: Option<&'s str>,
    /// The pass [`SET_MACHINE`], with its options.
    pub machine: &'s str,
    /// The pass [`SET_TRANSFORMATIONS`], with its options.
    pub transformations: &'s str,
    /// How accurate functions of the math dialect are: the mode of
    /// `comb-expand-math`.
    pub math: &'s str,
    /// What kernels for a GPU become.
    pub target: GpuTarget,
    /// The GPU that they are for, as LLVM calls it.
    pub chip: &'s str,
    /// The folder of the toolkit for that GPU; nothing if there is none.
    pub toolkit: &'s str,
    /// Whether code of kernels is in the form that a driver loads, and not to be read: it is the same for
    /// NVIDIA's GPUs.
    pub loadable: bool,
}

/// What kernels for a GPU become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GpuTarget {
    /// They stay ops of the dialect `gpu`, which can be emulated.
    #[default]
    Emulate,
    /// PTX, by way of the dialect `nvvm`.
    Nvvm,
    /// AMD's assembly, by way of the dialect `rocdl`.
    Rocdl,
}

impl GpuTarget {
    /// All, with their names.
    const NAMES: [(&'static str, Self); 3] = [
        ("emulate", Self::Emulate),
        ("nvvm", Self::Nvvm),
        ("rocdl", Self::Rocdl),
    ];

    /// The GPU that kernels are for if none is named, as LLVM calls it.
    pub fn usual_chip(self) -> &'static str {
        match self {
            Self::Emulate | Self::Nvvm => "sm_90",
            Self::Rocdl => "gfx942",
        }
    }

    /// Who makes the GPUs.
    fn vendor(self) -> &'static str {
        match self {
            Self::Emulate | Self::Nvvm => "nvidia",
            Self::Rocdl => "amd",
        }
    }

    /// The passes that say what kernels are for, and those that make code of them.
    fn passes(self, options: &PipelineOptions) -> [String; 3] {
        let PipelineOptions {
            chip,
            toolkit,
            loadable,
            ..
        } = options;
        let toolkit = match *toolkit {
            "" => String::new(),
            folder => format!(" toolkit={folder}"),
        };
        let lower = |conversion: &str| {
            format!(
                "gpu.module(convert-scf-to-cf,expand-strided-metadata,lower-affine,{conversion},\
                 reconcile-unrealized-casts)"
            )
        };
        let format = match self {
            Self::Rocdl if *loadable => "bin",
            _ => "isa",
        };
        let binary = format!("gpu-module-to-binary{{format={format}{toolkit}}}");
        match self {
            Self::Emulate => Default::default(),
            Self::Nvvm => [
                format!("comb-call-intrinsics,nvvm-attach-target{{chip={chip} O=3}}"),
                lower("convert-gpu-to-nvvm{index-bitwidth=64}"),
                binary,
            ],
            Self::Rocdl => [
                format!("rocdl-attach-target{{chip={chip} O=3}}"),
                lower(&format!(
                    "convert-gpu-to-rocdl{{chipset={chip} runtime=HIP index-bitwidth=64}}"
                )),
                binary,
            ],
        }
    }
}

impl FromStr for GpuTarget {
    type Err = UnknownTarget;

    fn from_str(name: &str) -> Result<Self, UnknownTarget> {
        let known = Self::NAMES.iter().find(|(known, _)| *known == name);
        known
            .map(|(_, target)| *target)
            .ok_or_else(|| UnknownTarget {
                name: name.to_owned(),
            })
    }
}

/// Kernels become something that there is not: the user's fault.
#[derive(Debug, Error)]
#[error("unknown target '{name}': there are {}", GpuTarget::NAMES.map(|(known, _)| known).join(", "))]
pub struct UnknownTarget {
    /// What the user wrote.
    pub name: String,
}

/// The pass [`SET_MACHINE`] for a GPU, with facts with commas between.
pub fn set_gpu(chip: &str, facts: &str) -> String {
    match facts {
        "" => format!("{SET_MACHINE}{{gpu={chip}}}"),
        facts => format!("{SET_MACHINE}{{gpu={chip} facts={facts}}}"),
    }
}

/// In place of an algorithm: nothing is fused.
pub const NO_FUSION: &str = "off";

/// The pass that fuses, with options; nothing if the algorithm is [`NO_FUSION`].
pub fn fusion_pass(options: &OptionsText) -> Option<String> {
    let text = options.of_pass();
    (options.algorithm != NO_FUSION).then(|| format!("{FUSION}{{{text}}}"))
}

impl Pipeline {
    fn passes(&self) -> Vec<&'static str> {
        self.parts.concat().concat()
    }

    /// The pipeline in MLIR's syntax, without the anchor.
    pub fn text(&self, options: &PipelineOptions) -> String {
        text(&self.passes(), options)
    }

    /// Whether the pipeline makes kernels for GPUs, or a host of them.
    pub fn makes_kernels(&self) -> bool {
        let passes = self.passes();
        passes.contains(&BINARY) || passes.contains(&HOST)
    }

    /// Whether the pipeline goes down to machine code: it minds what is fused, and
    /// how functions of the math dialect are computed.
    pub fn makes_code(&self) -> bool {
        self.passes().contains(&EXPAND_MATH)
    }
}

/// A part of the way from combinators to the LLVM dialect, in MLIR's syntax, without the
/// anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it does.
    pub phase: Phase,
    /// Its passes.
    pub text: String,
}

/// What the parts of `comb-cpu` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Prepares the program, and says which combinators share loops.
    Fusion,
    /// Makes loops on memory, and of some of them work for several threads.
    Loops,
    /// Makes the LLVM dialect of them.
    Lowering,
}

/// The pipeline `comb-cpu` in parts, which one after the other are the same.
pub fn cpu_parts(options: &PipelineOptions) -> [Part; 3] {
    let parts: [(_, &[&[&[&str]]]); 3] = [
        (Phase::Fusion, &[BEFORE_FUSION, FUSED]),
        (Phase::Loops, &[CPU_LOOPS]),
        (Phase::Lowering, &[LLVM]),
    ];
    parts.map(|(phase, stages)| part(phase, stages, options))
}

fn part(phase: Phase, stages: &[&[&[&str]]], options: &PipelineOptions) -> Part {
    let text = text(&stages.concat().concat(), options);
    Part { phase, text }
}

/// The pipeline `comb-cpu`, pass by pass, each in MLIR's syntax.
pub fn cpu_passes(options: &PipelineOptions) -> Vec<String> {
    with_options(&CPU.concat().concat(), options)
}

/// The pipelines `comb-gpu` and `comb-gpu-host`, one after the other, in parts.
pub fn gpu_parts(options: &PipelineOptions) -> [Part; 3] {
    let parts: [(_, &[&[&[&str]]]); 3] = [
        (Phase::Fusion, &[BEFORE_FUSION, GPU_ORDER, FUSED]),
        (Phase::Loops, &[GPU_LOOPS, &[GPU_CODE]]),
        (Phase::Lowering, &[GPU_HOST]),
    ];
    parts.map(|(phase, stages)| part(phase, stages, options))
}

/// The pipeline `comb-gpu`, in MLIR's syntax.
pub fn gpu_text(options: &PipelineOptions) -> String {
    text(&GPU.concat().concat(), options)
}

/// Passes with their options, as one text.
fn text(passes: &[&str], options: &PipelineOptions) -> String {
    with_options(passes, options).join(",")
}

/// Passes with their options.
fn with_options(passes: &[&str], options: &PipelineOptions) -> Vec<String> {
    passes
        .iter()
        .filter(|&&pass| pass != FUSION || options.fusion.is_some())
        .filter(|&&pass| pass != CHECK_RECURSION || !options.unchecked)
        .filter(|&&pass| !OF_TARGETS.contains(&pass) || options.target != GpuTarget::Emulate)
        .map(|&pass| match pass {
            FUSION => options.fusion.unwrap_or(pass).to_owned(),
            SET_MACHINE => options.machine.to_owned(),
            SET_TRANSFORMATIONS => options.transformations.to_owned(),
            EXPAND_MATH => format!("{pass}{{mode={}}}", options.math),
            TO_CORE => {
                let rounds = text(CORE, options);
                format!("{pass}{{pipeline=\"{rounds}\" max-iterations={MOST_ROUNDS}}}")
            }
            RAISE_AGAIN => format!(
                "{RAISE_LINALG}{{remarks=false unchecked={}}}",
                options.unchecked
            ),
            CANONICALIZE => canonicalize(None, ""),
            CANONICALIZE_CORE => canonicalize(Some("soac-sugar"), ""),
            CANONICALIZE_MEMORY => canonicalize(None, "top-down=false"),
            REQUIRED_NESTS => format!(
                "{NESTS_PASS}{{required=true unchecked={}}}",
                options.unchecked
            ),
            JOIN if options.target == GpuTarget::Nvvm => {
                format!("{pass}{{data-layout={NVIDIA_LAYOUT}}}")
            }
            ATTACH => options.target.passes(options)[0].clone(),
            LOWER_KERNELS => options.target.passes(options)[1].clone(),
            BINARY => options.target.passes(options)[2].clone(),
            HOST => format!("{pass}{{vendor={}}}", options.target.vendor()),
            _ if options.unchecked && CHECKING.contains(&pass) => {
                format!("{pass}{{unchecked=true}}")
            }
            _ => pass.to_owned(),
        })
        .collect()
}

/// Says what machine the code is for.
pub const SET_MACHINE: &str = "comb-set-machine";

/// Says which optional transformations are off.
pub const SET_TRANSFORMATIONS: &str = "comb-set-transformations";

const EXPAND_MATH: &str = "comb-expand-math";

/// Bounds the stack that loops take.
const SCOPE_ALLOCAS: &str = "comb-scope-allocas";

/// Gives indices of the affine dialect a meaning for all divisors.
const DEFINE_AFFINE: &str = "comb-define-affine";

/// The passes that insert run-time checks, or mind those that are to come.
const CHECKING: &[&str] = &[
    NESTS_PASS,
    DEFINE_AFFINE,
    "soac-insert-checks",
    RAISE_LINALG,
    "soac-desugar",
    "convert-soac-to-linalg",
];

/// Replaces other compilers' ops that say how they are made of combinators.
const EXPAND_OPS: &str = "comb-expand-ops";

/// Makes combinators of what other compilers write.
const RAISE_LINALG: &str = "comb-raise-linalg";

/// The same, which says nothing of what stays once more.
const RAISE_AGAIN: &str = "comb-raise-linalg{again}";

/// Does not run loops over what has no elements.
const EMPTY_LOOPS: &str = "comb-skip-empty-loops";

/// Inserts run-time checks, and nothing else.
const CHECK_RECURSION: &str = "comb-check-recursion";

/// Makes loop nests of what is fused.
const NESTS_PASS: &str = "soac-to-nest";

/// The same, and there may be nothing else.
const REQUIRED_NESTS: &str = "soac-to-nest{required}";

/// Lowers what is no loop nest.
const SORTS: &str = "convert-soac-sorts-to-loops";

/// Says which combinators share loops.
const FUSION: &str = "soac-fuse";

/// Removes what the step before left behind.
const CLEAN_UP: &[&str] = &[CANONICALIZE, "cse"];

/// The canonicaliser, without upstream's patterns that are wrong.
const CANONICALIZE: &str = "canonicalize";

/// The same, which does not make sugar again.
const CANONICALIZE_CORE: &str = "canonicalize{core}";

/// Combinators to linalg, scf and tensor ops, with every run-time check.
const COMBINATORS: &[&str] = &[
    EXPAND_OPS,
    DEFINE_AFFINE,
    "soac-insert-checks",
    "convert-soac-to-linalg",
    "comb-replace-empty-arrays",
    "convert-tensor-to-linalg",
];

/// Combinators to loop nests, and what has no such form to loops, linalg and tensor ops.
const LOOPS: &[&str] = &[
    "comb-replace-empty-arrays",
    "convert-tensor-to-linalg",
    NESTS_PASS,
    SORTS,
    "convert-soac-to-linalg",
];

/// Sizes in terms of the inputs, so that equal ones are one value.
const SIZES: &str = "resolve-ranked-shaped-type-result-dims";

/// A program for fusion. Ops that are made of combinators are replaced by them before anybody has to know
/// what they do. Branches between blocks become `scf` ops, since loops of `scf` are
/// what can be compiled, and functions of one block what can be inlined into lambdas.
/// Fusion sees the combinators of one function, so
/// functions are inlined, and those that nobody calls any more are removed. Nothing
/// is simplified before `soac-insert-checks` has given arithmetic its meaning, which
/// MLIR takes for undefined in places, and has made errors explicit (`lower-affine` simplifies, too,
/// so loops are counted before and after it), so that no pass
/// has to mind them. Ops of `linalg` become combinators behind the checks of their shapes. Combinators that cannot fail, and whose inputs a loop does not
/// change, leave the loop while they still say what they are: an unchecked read must
/// not leave the branch that makes it right.
const PREPARATION: &[&str] = &[
    "comb-check-program",
    EXPAND_OPS,
    "comb-number-cases",
    "lift-cf-to-scf",
    "inline{default-pipeline=}",
    "symbol-dce",
    DEFINE_AFFINE,
    "soac-insert-checks",
    RAISE_LINALG,
    "comb-count-loops",
    "lower-affine",
    "comb-count-loops",
    CANONICALIZE,
    "cse",
    "comb-hoist-invariants",
    TO_CORE,
];

/// The passes of [`CORE`] until none of them changes anything, so that a program that is prepared again stays as it
/// is.
const TO_CORE: &str = "composite-fixed-point-pass";

/// How often they run at most. Two or three times is usual: what one pass makes is work for another, and the
/// last time nothing is left to be done.
const MOST_ROUNDS: usize = 10;

/// From array ops of any dialect to the few combinators that fusion knows. Simplification makes array ops, such as an
/// `arith.select` of a branch; functions that nobody calls any more go; sizes are told in terms of the inputs; numbers
/// that were made leave loops. What is left behind is removed without making sugar again.
const CORE: &[&str] = &[
    RAISE_AGAIN,
    "symbol-dce",
    "lower-affine",
    "soac-desugar",
    SIZES,
    "comb-hoist-invariants",
    CANONICALIZE_CORE,
    "cse",
];

/// Tensors to memory: in place where nobody can tell.
const BUFFERS: &[&str] = &[
    "comb-separate-arrays",
    "one-shot-bufferize{bufferize-function-boundaries \
     allow-return-allocs-from-loops \
     function-boundary-type-conversion=identity-layout-map}",
];

/// Arrays share memory. They are computed where they would be copied to before loops are given memory that is there,
/// since a new array with the border of an old one is a second block of such a loop, and once more for what is
/// known then.
const BLOCKS: &[&str] = &[
    "comb-short-circuit",
    "comb-carry-blocks",
    "comb-short-circuit",
    "comb-reuse-blocks",
];

/// Loop nests become loops, as is best for the machine.
const NESTS: &[&str] = &[
    "nest-schedule",
    "nest-distribute",
    "nest-split",
    "nest-pack",
    "nest-schedule{versions=false}",
    "nest-jam",
    "nest-wavefront",
    "nest-to-vectors",
];

/// Combinators to linalg, scf and tensor ops, without checks, which are there already.
const REST: &[&str] = &[
    "comb-replace-empty-arrays",
    "convert-tensor-to-linalg",
    "convert-soac-to-linalg",
];

/// Puts the arrays of a program with loop nests into memory, as `comb-cpu` does, and leaves the nests.
pub fn nests_in_memory() -> String {
    [REST, BUFFERS, BLOCKS].concat().join(",")
}

/// The passes that make loop nests in memory of a program, as `comb-cpu` does, and those that let arrays share memory
/// there; for those who explain what becomes of it.
pub fn explained(fusion: &OptionsText) -> [String; 2] {
    let fusion = fusion_pass(fusion).map_or_else(String::new, |pass| format!("{pass},"));
    let marks = MARKS.join(",");
    let form = [REST, BUFFERS].concat().join(",");
    [
        format!("{marks},comb-prepare-fusion,{fusion}soac-to-nest,{form}"),
        BLOCKS.join(","),
    ]
}

/// Arguments that loops only read are not copied.
const FEWER_COPIES: &[&str] = &["comb-elide-copies"];

/// The canonicaliser, for memory. From the bottom up: what nobody uses goes first, and of many
/// equal constants each is looked at once.
const CANONICALIZE_MEMORY: &str = "canonicalize{memory}";

/// Removes what bufferization left behind.
const CLEAN_UP_MEMORY: &[&str] = &[CANONICALIZE_MEMORY, "cse"];

/// Every block of memory is freed by its owner: `buffer-deallocation-pipeline`
/// with the canonicaliser above.
const DEALLOCATION: &[&str] = &[
    "expand-realloc{emit-deallocs=false}",
    CANONICALIZE_MEMORY,
    "ownership-based-buffer-deallocation",
    CANONICALIZE_MEMORY,
    "buffer-deallocation-simplification",
    "bufferization-lower-deallocations",
    "cse",
    CANONICALIZE_MEMORY,
];

/// Loops that run on several threads; what they and recursions take from the stack.
const THREADS: &[&str] = &[
    CHECK_RECURSION,
    EMPTY_LOOPS,
    "comb-parallel-to-openmp",
    SCOPE_ALLOCAS,
];

/// Loops, memory and arithmetic to the LLVM dialect. Half-precision functions
/// and bf16 arithmetic are computed in f32 and rounded; functions that LLVM has no
/// instruction for become arithmetic.
const LLVM: &[&[&str]] = &[LLVM_BEFORE_MEMORY, MEMORY, LLVM_BEHIND_MEMORY];

/// Memory to LLVM's.
const MEMORY: &[&str] = &["finalize-memref-to-llvm"];

/// The same for the host of a GPU, whose arrays are in the GPU's memory.
const GPU_HOST: &[&[&str]] = &[
    &["convert-bufferization-to-memref", HOST, CHECK_RECURSION],
    LLVM_BEFORE_MEMORY,
    &["finalize-memref-to-llvm{use-generic-functions=true}"],
    LLVM_BEHIND_MEMORY,
];

/// What comes before memory is LLVM's.
const LLVM_BEFORE_MEMORY: &[&str] = &[
    "convert-bufferization-to-memref",
    "comb-lower-copies",
    "comb-expand-narrow-masks",
    "convert-linalg-to-loops",
    EMPTY_LOOPS,
    "convert-soac-checks-to-llvm",
    "convert-math-to-funcs",
    "comb-widen-half-precision",
    EXPAND_MATH,
    "comb-expand-extrema",
    "convert-float-extrema-to-llvm",
    "arith-expand{include-bf16=true}",
    "convert-vector-to-scf",
    "comb-lower-expansions",
    "expand-strided-metadata",
    "lower-affine",
    "comb-reduce-strength",
    "comb-limit-unrolling",
    "comb-balance-square-roots",
    "comb-narrow-switches",
    "convert-scf-to-cf",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "comb-expand-bool-vectors",
    "comb-expand-bf16-vectors",
    "comb-expand-conversions",
    "comb-compress-in-registers",
    "convert-vector-to-llvm",
    "convert-arith-to-llvm",
    "convert-index-to-llvm",
];

/// What comes behind.
const LLVM_BEHIND_MEMORY: &[&str] = &[
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
    SCOPE_ALLOCAS,
    "comb-check-lowered{finished=true}",
];

/// How LLVM's back-end for NVIDIA's GPUs has memory. Upstream's conversion does not say so, unlike the one for
/// AMD's, and LLVM then takes numbers of 64 bits to be aligned to 32 only, and reads them in halves.
const NVIDIA_LAYOUT: &str = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";

/// Puts kernels together.
const JOIN: &str = "comb-join-kernels";

/// Makes the host call the runtime library.
const HOST: &str = "convert-gpu-host-to-runtime";

/// Says what kernels are for.
const ATTACH: &str = "nvvm-attach-target";

/// Makes LLVM's dialect for GPUs of kernels.
const LOWER_KERNELS: &str = "convert-gpu-to-nvvm";

/// Makes code of kernels.
const BINARY: &str = "gpu-module-to-binary";

/// All combinators become loop nests; what is left of other ops is refused later.
const GPU_NESTS: &[&str] = &[
    "gpu-sorts-to-maps",
    "comb-replace-empty-arrays",
    "convert-tensor-to-linalg",
    REQUIRED_NESTS,
    "convert-soac-to-linalg",
];

/// Loop nests in memory to kernels.
const KERNELS: &[&str] = &[
    CANONICALIZE_MEMORY,
    "cse",
    "nest-schedule-gpu",
    "convert-nest-to-gpu",
    CANONICALIZE_MEMORY,
    "cse",
    "gpu-sink-elements",
    CANONICALIZE_MEMORY,
    "cse",
    "gpu-launch-sink-index-computations",
    "gpu-kernel-outlining",
];

/// What only becomes of kernels that are not emulated.
const OF_TARGETS: &[&str] = &[KERNEL_ARITHMETIC, JOIN, ATTACH, LOWER_KERNELS, BINARY];

/// Arithmetic in kernels that are not emulated, to what LLVM's back-ends have.
const KERNEL_ARITHMETIC: &str = "convert-float-extrema-to-llvm,arith-expand{include-bf16=true}";

/// Kernels to code: arithmetic first, as for CPUs.
const GPU_CODE: &[&str] = &[
    "comb-widen-half-precision",
    EXPAND_MATH,
    KERNEL_ARITHMETIC,
    "cse",
    JOIN,
    ATTACH,
    LOWER_KERNELS,
    BINARY,
];

/// What the code that calls a program has to know of its functions.
const MARKS: &[&str] = &["comb-mark-entry-points"];

/// Refuses what nobody lowers. Ops that fold, or that nobody needs, are gone.
const KNOWN: &[&str] = &["comb-check-lowered"];

/// What passes have to know of the machine, and which transformations are off.
const MACHINE: &[&str] = &[SET_MACHINE, SET_TRANSFORMATIONS];

/// From a program to what may be fused.
const BEFORE_FUSION: &[&[&str]] = &[MACHINE, MARKS, PREPARATION];

/// From there to what is fused.
const FUSED: &[&[&str]] = &[&[FUSION], KNOWN];

/// What comes between for a GPU, whose threads keep no order.
const GPU_ORDER: &[&[&str]] = &[&["gpu-order-scatters"]];

/// From what is fused to loops on memory.
const CPU_LOOPS: &[&[&str]] = &[
    LOOPS,
    BUFFERS,
    BLOCKS,
    NESTS,
    FEWER_COPIES,
    CLEAN_UP_MEMORY,
    DEALLOCATION,
    THREADS,
];

/// From what is fused to kernels, as ops, and their host.
const GPU_LOOPS: &[&[&str]] = &[GPU_NESTS, BUFFERS, BLOCKS, KERNELS, DEALLOCATION];

/// From a program to the LLVM dialect.
const CPU: &[&[&[&str]]] = &[BEFORE_FUSION, FUSED, CPU_LOOPS, LLVM];

/// From a program to kernels and their host.
const GPU: &[&[&[&str]]] = &[BEFORE_FUSION, GPU_ORDER, FUSED, GPU_LOOPS, &[GPU_CODE]];

/// All pipelines.
pub static PIPELINES: &[Pipeline] = &[
    Pipeline {
        name: "comb-prepare-fusion",
        description: "rewrites a program to the few combinators that fusion knows, \
                      with run-time checks",
        parts: &[&[PREPARATION]],
    },
    Pipeline {
        name: "comb-to-linalg",
        description: "lowers soac to linalg, scf and tensor ops, with run-time checks",
        parts: &[&[COMBINATORS, CLEAN_UP, &[SIZES], CLEAN_UP]],
    },
    Pipeline {
        name: "comb-cpu",
        description: "lowers soac to the LLVM dialect for CPUs",
        parts: CPU,
    },
    Pipeline {
        name: "comb-gpu",
        description: "lowers soac to kernels for GPUs, and a host that launches them",
        parts: GPU,
    },
    Pipeline {
        name: "comb-gpu-host",
        description: "lowers the host of kernels to the LLVM dialect, with calls of comb's \
                      runtime library",
        parts: &[GPU_HOST],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_the_pipeline() {
        for fusion in [Some("soac-fuse{cost=reads}"), None] {
            let options = PipelineOptions {
                unchecked: fusion.is_none(),
                fusion,
                machine: "comb-set-machine{cpu=haswell}",
                transformations: "comb-set-transformations{disable=packing}",
                math: "precise",
                target: GpuTarget::default(),
                chip: "",
                toolkit: "",
                loadable: false,
            };
            let whole = PIPELINES
                .iter()
                .find(|pipeline| pipeline.name == "comb-cpu");
            let parts = cpu_parts(&options).map(|part| part.text).join(",");
            assert_eq!(whole.unwrap().text(&options), parts);
            assert_eq!(cpu_passes(&options).join(","), parts);
        }
    }
}
