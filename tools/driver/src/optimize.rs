//! What LLVM does with a program before it generates code.
//!
//! LLVM's own pipelines are for code that people write: they go through it a hundred times,
//! since each pass may give others something to do. What comb gives LLVM has been inlined,
//! fused, vectorised, and cleaned up. So at the usual level there is a pipeline for such
//! code, with each of the passes once that do something for it:
//!
//! 1. Branches that are taken rarely are marked. Structures for memory are taken apart, and what
//!    is computed twice is computed once.
//! 2. Loops get the test at their end, and what does not change leaves them.
//! 3. Loops with few, known iterations are unrolled; loops over single elements get vectors.
//!
//! No loop is unrolled if it is not known how often it runs: comb's loops do enough in an
//! iteration, and unrolled eight times they took as long to compile as all the rest.
//!
//! Cost: about linear in the number of instructions.

use inkwell::{module::Module, passes::PassBuilderOptions, targets::TargetMachine};

use crate::code::{CodeError, Optimization};

/// Simplifies branches, without merging the blocks of loops.
const BRANCHES: &str = "simplifycfg<switch-range-to-icmp;keep-loops;speculate-blocks;\
     simplify-cond-branch>";

/// The same when loops need no more be known as such.
const LATE_BRANCHES: &str = "simplifycfg<switch-range-to-icmp;switch-to-lookup;no-keep-loops;\
     hoist-common-insts;sink-common-insts;speculate-blocks;simplify-cond-branch>";

/// Simplifies instructions, going through them once.
const INSTRUCTIONS: &str = "instcombine<max-iterations=1;no-verify-fixpoint>";

/// Moves things out of loops, and gives loops the test at their end.
const LOOPS: &str = "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,\
     loop-rotate<header-duplication>,licm<allowspeculation>,\
     simple-loop-unswitch<no-nontrivial;trivial>)";

/// Finds out how loops count, and unrolls those with few iterations.
const COUNTING: &str = "loop(loop-idiom,indvars,loop-deletion,loop-unroll-full)";

/// What is done before anything else: functions are inlined, and those go that nobody calls.
const CALLS: &str = "inferattrs,cgscc(inline),globaldce";

/// Optimises a module as hard as a level says.
pub(crate) fn optimize(
    module: &Module,
    machine: &TargetMachine,
    optimization: Optimization,
) -> Result<(), CodeError> {
    let passes = match optimization {
        Optimization::O2 => format!("{CALLS},{},globaldce", function_passes()),
        level => format!("default<{level}>"),
    };
    run_passes(module, machine, &passes)
}

/// The first half of the usual level: what concerns several functions.
pub(crate) fn optimize_calls(module: &Module, machine: &TargetMachine) -> Result<(), CodeError> {
    run_passes(module, machine, CALLS)
}

/// The second half: each function for itself, after other passes.
pub(crate) fn optimize_functions(
    module: &Module,
    machine: &TargetMachine,
    before: &str,
) -> Result<(), CodeError> {
    let passes = format!("{before},{},globaldce", function_passes());
    run_passes(module, machine, &passes)
}

/// The passes for what comb gives LLVM, once calls are inlined.
fn function_passes() -> String {
    let passes = [
        "lower-expect",
        "sroa<modify-cfg>",
        "early-cse<memssa>",
        BRANCHES,
        INSTRUCTIONS,
        LOOPS,
        BRANCHES,
        INSTRUCTIONS,
        COUNTING,
        "gvn",
        "dse",
        LATE_BRANCHES,
        "loop-vectorize",
        INSTRUCTIONS,
        "loop-unroll<O2;no-runtime>",
        BRANCHES,
    ];
    format!("function<eager-inv>({})", passes.join(","))
}

/// Runs passes in LLVM's syntax.
pub(crate) fn run_passes(
    module: &Module,
    machine: &TargetMachine,
    passes: &str,
) -> Result<(), CodeError> {
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_slp_vectorization(true);
    options.set_loop_interleaving(true);
    options.set_loop_unrolling(true);
    module
        .run_passes(passes, machine, options)
        .map_err(|error| CodeError::Llvm(error.to_string()))
}
