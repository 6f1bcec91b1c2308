//! comb's passes with their default options, for melior's pass managers.
//!
//! Passes with other options are built from text, by
//! [`parse_pass_pipeline`](melior::utility::parse_pass_pipeline).

use melior::pass::Pass;
use mlir_sys::MlirPass;

macro_rules! passes {
    ($($(#[doc = $doc:literal])+ $name:ident = $create:ident;)+) => {
        unsafe extern "C" {
            $(fn $create() -> MlirPass;)+
        }

        $(
            $(#[doc = $doc])+
            pub fn $name() -> Pass {
                // SAFETY: the function is generated from Passes.td; it takes
                // nothing and gives a new pass, which the caller owns.
                unsafe { Pass::from_raw($create()) }
            }
        )+
    };
}

passes! {
    /// `soac-insert-checks`: makes run-time checks explicit.
    insert_checks = mlirCreateCombSoacInsertChecks;
    /// `soac-fuse`: puts combinators that are to share loops into clusters.
    fuse = mlirCreateCombSoacFuse;
    /// `soac-erase-clusters`: takes combinators out of clusters.
    erase_clusters = mlirCreateCombSoacEraseClusters;
    /// `soac-desugar`: rewrites structured combinators to the core ones.
    desugar = mlirCreateCombSoacDesugar;
    /// `comb-mark-entry-points`: gives public functions the interface that
    /// callers rely on.
    mark_entry_points = mlirCreateCombCombMarkEntryPoints;
    /// `comb-check-lowered`: refuses ops that comb-cpu does not lower.
    check_lowered = mlirCreateCombCombCheckLowered;
    /// `convert-soac-to-linalg`: lowers combinators to linalg, scf and tensor
    /// ops.
    convert_soac_to_linalg = mlirCreateCombConvertSoacToLinalg;
    /// `convert-soac-sorts-to-loops`: lowers sorts to loops on memory.
    convert_soac_sorts_to_loops = mlirCreateCombConvertSoacSortsToLoops;
    /// `comb-limit-unrolling`: lets LLVM unroll only loops for which that is worth it.
    limit_unrolling = mlirCreateCombCombLimitUnrolling;
    /// `comb-set-machine`: says at the module what machine its code is for.
    set_machine = mlirCreateCombCombSetMachine;
    /// `comb-reduce-strength`: lets loops carry vectors of multiples of their index.
    reduce_strength = mlirCreateCombCombReduceStrength;
    /// `comb-balance-square-roots`: computes some of a loop's square roots by multiplications.
    balance_square_roots = mlirCreateCombCombBalanceSquareRoots;
    /// `comb-hoist-invariants`: what cannot fail, and does not change, leaves loops.
    hoist_invariants = mlirCreateCombCombHoistInvariants;
    /// `comb-check-program`: refuses what later passes do not survive.
    check_program = mlirCreateCombCombCheckProgram;
    /// `comb-expand-ops`: replaces ops of other dialects that are made of combinators.
    expand_ops = mlirCreateCombCombExpandOps;
    /// `comb-separate-arrays`: what loops carry, and functions give, are different arrays.
    separate_arrays = mlirCreateCombCombSeparateArrays;
    /// `comb-elide-copies`: removes copies of arguments that nobody writes to.
    elide_copies = mlirCreateCombCombElideCopies;
    /// `comb-lower-copies`: lowers strided copies to loops.
    lower_copies = mlirCreateCombCombLowerCopies;
    /// `comb-lower-expansions`: lowers expansions of memory to several sizes known at run time.
    lower_expansions = mlirCreateCombCombLowerExpansions;
    /// `comb-replace-empty-arrays`: makes new arrays of parts and shapes of empty ones.
    replace_empty_arrays = mlirCreateCombCombReplaceEmptyArrays;
    /// `comb-check-recursion`: a recursion that is too deep is a run-time error.
    check_recursion = mlirCreateCombCombCheckRecursion;
    /// `comb-parallel-to-openmp`: runs loops over chunks on several threads.
    parallel_to_openmp = mlirCreateCombCombParallelToOpenMP;
    /// `comb-count-loops`: loops that may run to the end of their type count their iterations.
    count_loops = mlirCreateCombCombCountLoops;
    /// `comb-define-affine`: computes indices of the affine dialect by `arith`, with checks.
    define_affine = mlirCreateCombCombDefineAffine;
    /// `comb-number-cases`: numbers the cases of branches that have no form in `scf`.
    number_cases = mlirCreateCombCombNumberCases;
    /// `convert-stablehlo-to-soac`: makes combinators of StableHLO.
    convert_stablehlo_to_soac = mlirCreateCombConvertStablehloToSoac;
    /// `comb-raise-linalg`: makes combinators of ops of `linalg` and `tensor`.
    raise_linalg = mlirCreateCombCombRaiseLinalg;
    /// `comb-narrow-switches`: switches look at all bits.
    narrow_switches = mlirCreateCombCombNarrowSwitches;
    /// `comb-scope-allocas`: bounds the stack that loops take.
    scope_allocas = mlirCreateCombCombScopeAllocas;
    /// `comb-skip-empty-loops`: does not run loops whose iterations do nothing.
    skip_empty_loops = mlirCreateCombCombSkipEmptyLoops;
    /// `comb-widen-half-precision`: computes half-precision arithmetic in a
    /// wider type.
    widen_half_precision = mlirCreateCombCombWidenHalfPrecision;
    /// `comb-expand-math`: replaces functions of the math dialect by
    /// arithmetic.
    expand_math = mlirCreateCombCombExpandMath;
    /// `comb-expand-bf16-vectors`: moves vectors of `bf16` as vectors of `i16`.
    expand_bf16_vectors = mlirCreateCombCombExpandBf16Vectors;
    /// `comb-expand-bool-vectors`: loads and stores vectors of `i1` as bytes.
    expand_bool_vectors = mlirCreateCombCombExpandBoolVectors;
    /// `comb-expand-narrow-masks`: loads and stores the first lanes of vectors of narrow numbers
    /// without masks.
    expand_narrow_masks = mlirCreateCombCombExpandNarrowMasks;
    /// `comb-expand-conversions`: converts vectors of 64-bit integers to floating point by
    /// arithmetic.
    expand_conversions = mlirCreateCombCombExpandConversions;
    /// `comb-compress-in-registers`: packs a filter's vectors before they are written.
    compress_in_registers = mlirCreateCombCombCompressInRegisters;
    /// `convert-float-extrema-to-llvm`: lowers maxima and minima of
    /// floating-point numbers.
    convert_float_extrema_to_llvm = mlirCreateCombConvertFloatExtremaToLLVM;
    /// `convert-soac-checks-to-llvm`: lowers run-time checks to calls of the
    /// runtime library.
    convert_soac_checks_to_llvm = mlirCreateCombConvertSoacChecksToLLVM;
}
