//! What the C++ pass classes of cpp/Passes.cpp call.
//!
//! Every function catches panics and turns them into a located error and a
//! pass failure.

use std::{
    ffi::{CString, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
};

use melior::{
    StringRef,
    ir::{OperationRef, operation::OperationLike},
};
use mlir_sys::{MlirOperation, MlirStringRef};
use soac_dialect::{
    location::emit_error,
    text::{bytes, shown},
};

use crate::{
    balance_square_roots, call_intrinsics, carry_blocks, check_lowered, check_program,
    check_recursion, compress_in_registers, convert_checks_to_llvm, convert_float_extrema_to_llvm,
    convert_to_linalg, count_loops, define_affine, desugar, elide_copies, erase_clusters,
    expand_bf16_vectors, expand_bool_vectors, expand_conversions, expand_math, expand_narrow_masks,
    expand_ops, fuse, hoist_invariants, insert_checks, limit_unrolling, lower_copies,
    lower_expansions, mark_entry_points, narrow_switches, nest_distribute, nest_jam, nest_pack,
    nest_schedule, nest_schedule_gpu, nest_split, nest_to_gpu, nest_to_scf, nest_to_vectors,
    nest_wavefront, number_cases, parallel_to_openmp,
    pass_error::PassError,
    pipelines::{GpuTarget, PIPELINES, PipelineOptions},
    raise_linalg, reduce_strength, replace_empty_arrays, reuse_blocks, scope_allocas,
    separate_arrays, set_machine, set_transformations, short_circuit, skip_empty_loops,
    soac_to_nest, sorts_to_loops, stablehlo, switches, upstream,
    walk::modules,
    widen_half_precision,
};

/// An option of the C++ side.
///
/// # Safety
///
/// It must be alive.
unsafe fn string(text: MlirStringRef) -> String {
    // SAFETY: as the caller promises.
    shown(unsafe { bytes(text) })
}

/// Runs a pass on a module; a panic becomes an error at the module.
fn run<'c>(
    module: MlirOperation,
    pass: impl FnOnce(OperationRef<'c, '_>) -> Result<(), PassError<'c>>,
) -> bool {
    // SAFETY: the pass manager passes a live op.
    let module = unsafe { OperationRef::from_raw(module) };
    let location = module.location();
    match catch_unwind(AssertUnwindSafe(|| pass(module))) {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            error.emit(location);
            false
        }
        Err(_) => {
            emit_error(
                location,
                "internal error in a comb pass, please report it: it panicked",
            );
            false
        }
    }
}

/// Runs a pass on a module, and before on those inside it: what it declares and defines goes into
/// the module that needs it.
fn run_in_each<'c>(
    module: MlirOperation,
    mut pass: impl FnMut(OperationRef<'c, '_>) -> Result<(), PassError<'c>>,
) -> bool {
    run(module, |module| {
        modules(module).into_iter().try_for_each(&mut pass)
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustInsertChecks(
    module: MlirOperation,
    unchecked: bool,
    inserted: &mut i64,
    proven: &mut i64,
) -> bool {
    run(module, |module| {
        let counts = insert_checks::run(module, unchecked)?;
        *inserted = counts.inserted;
        *proven = counts.proven;
        Ok(())
    })
}

/// The options of `soac-fuse`, as the pass has them; 0 is no limit.
#[repr(C)]
struct FuseOptions {
    cost: MlirStringRef,
    algorithm: MlirStringRef,
    solver: MlirStringRef,
    formulation: MlirStringRef,
    time_limit: f64,
    levels: i64,
    max_arguments: i64,
    max_memory: i64,
    solver_memory: i64,
    extents: MlirStringRef,
    recomputation: bool,
}

#[unsafe(no_mangle)]
extern "C" fn combRustFuse(
    module: MlirOperation,
    options: &FuseOptions,
    clusters: &mut i64,
    combinators: &mut i64,
    unproven: &mut i64,
) -> bool {
    // SAFETY: the strings belong to the pass, which is running.
    let text = |text: MlirStringRef| unsafe { string(text) };
    run(module, |module| {
        let [cost, algorithm, solver, formulation, extents] = [
            options.cost,
            options.algorithm,
            options.solver,
            options.formulation,
            options.extents,
        ]
        .map(text);
        let options = fuse::Options::from_text(&fuse::OptionsText {
            cost: &cost,
            algorithm: &algorithm,
            solver: &solver,
            formulation: &formulation,
            time_limit: options.time_limit,
            levels: options.levels,
            max_arguments: options.max_arguments,
            max_memory: options.max_memory,
            recomputation: options.recomputation,
            solver_memory: options.solver_memory,
            extents: &extents,
        });
        let options = options.map_err(|error| PassError::Unsupported {
            location: module.location(),
            message: format!("soac-fuse: {error}"),
        })?;
        let counts = fuse::run(module, &options)?;
        *clusters = counts.clusters;
        *combinators = counts.combinators;
        *unproven = counts.unproven;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustEraseClusters(module: MlirOperation) -> bool {
    run(module, erase_clusters::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustLimitUnrolling(module: MlirOperation) -> bool {
    run(module, limit_unrolling::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustSetMachine(
    module: MlirOperation,
    cpu: MlirStringRef,
    gpu: MlirStringRef,
    facts: MlirStringRef,
) -> bool {
    // SAFETY: the strings belong to the pass, which is running.
    let [cpu, gpu, facts] = [cpu, gpu, facts].map(|text| unsafe { string(text) });
    let gpu = Some(gpu.as_str()).filter(|gpu| !gpu.is_empty());
    let facts: Vec<_> = facts.split_terminator(',').collect();
    run(module, |module| set_machine::run(module, &cpu, gpu, &facts))
}

#[unsafe(no_mangle)]
extern "C" fn combRustSetTransformations(
    module: MlirOperation,
    disabled: MlirStringRef,
    limit: i64,
) -> bool {
    // SAFETY: the string belongs to the pass, which is running.
    let disabled = unsafe { string(disabled) };
    let disabled: Vec<_> = disabled.split_terminator(',').collect();
    run(module, |module| {
        set_transformations::run(module, &disabled, limit)
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustReduceStrength(module: MlirOperation) -> bool {
    run(module, reduce_strength::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustBalanceSquareRoots(module: MlirOperation) -> bool {
    run(module, balance_square_roots::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustHoistInvariants(module: MlirOperation) -> bool {
    run(module, hoist_invariants::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustCheckProgram(module: MlirOperation) -> bool {
    run(module, check_program::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustExpandOps(module: MlirOperation, expanded: &mut i64) -> bool {
    run(module, |module| {
        *expanded = expand_ops::run(module)?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustSeparateArrays(module: MlirOperation) -> bool {
    run_in_each(module, separate_arrays::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustElideCopies(module: MlirOperation) -> bool {
    run(module, elide_copies::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustLowerCopies(module: MlirOperation) -> bool {
    run(module, lower_copies::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustLowerExpansions(module: MlirOperation) -> bool {
    run(module, lower_expansions::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustReplaceEmptyArrays(module: MlirOperation) -> bool {
    run(module, replace_empty_arrays::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustNumberCases(module: MlirOperation) -> bool {
    run(module, number_cases::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustDefineAffine(module: MlirOperation, unchecked: bool) -> bool {
    run(module, |module| define_affine::run(module, unchecked))
}

#[unsafe(no_mangle)]
extern "C" fn combRustWidenHalfPrecision(module: MlirOperation) -> bool {
    run(module, widen_half_precision::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustCheckRecursion(module: MlirOperation) -> bool {
    run(module, check_recursion::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustParallelToOpenMP(module: MlirOperation) -> bool {
    run_in_each(module, parallel_to_openmp::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustCountLoops(module: MlirOperation) -> bool {
    run(module, count_loops::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustConvertStablehloToSoac(module: MlirOperation) -> bool {
    run(module, stablehlo::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustRaiseLinalg(
    module: MlirOperation,
    unchecked: bool,
    raised: &mut i64,
    left: &mut i64,
) -> bool {
    run(module, |module| {
        let counts = raise_linalg::run(module, unchecked)?;
        *raised = counts.raised;
        *left = counts.left;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustSoacToNest(
    module: MlirOperation,
    unchecked: bool,
    required: bool,
    kernels: &mut i64,
    left: &mut i64,
    apart: &mut i64,
) -> bool {
    run(module, |module| {
        let counts = soac_to_nest::run(module, unchecked, required)?;
        *kernels = counts.kernels;
        *left = counts.left;
        *apart = counts.taken_apart;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustCarryBlocks(module: MlirOperation, changed: &mut i64) -> bool {
    run(module, |module| {
        *changed = carry_blocks::run(module)?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustShortCircuit(module: MlirOperation, removed: &mut i64) -> bool {
    run(module, |module| {
        *removed = short_circuit::run(module)?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustReuseBlocks(module: MlirOperation, reused: &mut i64) -> bool {
    run(module, |module| {
        *reused = reuse_blocks::run(module)?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustNestJam(module: MlirOperation) -> bool {
    run(module, nest_jam::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustNestWavefront(module: MlirOperation) -> bool {
    run(module, nest_wavefront::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustNestDistribute(module: MlirOperation) -> bool {
    run(module, nest_distribute::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustNestPack(module: MlirOperation) -> bool {
    run(module, nest_pack::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustNestSplit(module: MlirOperation) -> bool {
    run(module, nest_split::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustNestSchedule(module: MlirOperation, scalar: bool, versions: bool) -> bool {
    let may = nest_schedule::May {
        be_fast: !scalar,
        version: match versions {
            true => nest_schedule::choose::Versions::ALL,
            false => nest_schedule::choose::Versions::NONE,
        },
    };
    run(module, |module| nest_schedule::run(module, may))
}

#[unsafe(no_mangle)]
extern "C" fn combRustNestScheduleGPU(module: MlirOperation) -> bool {
    run(module, nest_schedule_gpu::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustCallIntrinsics(module: MlirOperation) -> bool {
    run(module, call_intrinsics::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustConvertNestToGPU(module: MlirOperation) -> bool {
    run(module, nest_to_gpu::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustNestToVectors(module: MlirOperation) -> bool {
    run(module, nest_to_vectors::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustNestToSCF(module: MlirOperation) -> bool {
    run(module, nest_to_scf::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustNarrowSwitches(module: MlirOperation) -> bool {
    run(module, narrow_switches::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustScopeAllocas(module: MlirOperation) -> bool {
    run(module, scope_allocas::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustSkipEmptyLoops(module: MlirOperation) -> bool {
    run(module, skip_empty_loops::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustExpandMath(module: MlirOperation, mode: MlirStringRef) -> bool {
    // SAFETY: the string belongs to the pass, which is running.
    let mode = unsafe { string(mode) };
    run(module, |module| {
        let mode = mode.parse();
        let mode = mode.map_err(|error: expand_math::UnknownMode| PassError::Unsupported {
            location: module.location(),
            message: format!("comb-expand-math: {error}"),
        })?;
        expand_math::run(module, mode)
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustCheckLowered(module: MlirOperation, finished: bool) -> bool {
    run(module, |module| {
        check_lowered::run(module, finished)?;
        match finished {
            true => switches::finish(module),
            false => Ok(()),
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn combRustMarkEntryPoints(module: MlirOperation) -> bool {
    run(module, mark_entry_points::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustExpandBf16Vectors(module: MlirOperation) -> bool {
    run(module, expand_bf16_vectors::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustExpandNarrowMasks(module: MlirOperation) -> bool {
    run(module, expand_narrow_masks::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustCompressInRegisters(module: MlirOperation) -> bool {
    run_in_each(module, compress_in_registers::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustExpandBoolVectors(module: MlirOperation) -> bool {
    run(module, expand_bool_vectors::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustExpandConversions(module: MlirOperation) -> bool {
    run(module, expand_conversions::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustConvertFloatExtremaToLLVM(module: MlirOperation) -> bool {
    run(module, convert_float_extrema_to_llvm::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustConvertSoacToLinalg(module: MlirOperation, unchecked: bool) -> bool {
    run_in_each(module, |module| convert_to_linalg::run(module, unchecked))
}

#[unsafe(no_mangle)]
extern "C" fn combRustConvertSoacSortsToLoops(module: MlirOperation) -> bool {
    run_in_each(module, sorts_to_loops::run)
}

#[unsafe(no_mangle)]
extern "C" fn combRustDesugar(module: MlirOperation, unchecked: bool) -> bool {
    run(module, |module| desugar::run(module, unchecked))
}

#[unsafe(no_mangle)]
extern "C" fn combRustConvertSoacChecksToLLVM(module: MlirOperation) -> bool {
    run_in_each(module, convert_checks_to_llvm::run)
}

/// The pipelines' names and descriptions as C strings, which live as long as the
/// process.
fn pipeline_strings() -> &'static [[CString; 2]] {
    static STRINGS: std::sync::OnceLock<Vec<[CString; 2]>> = std::sync::OnceLock::new();
    STRINGS.get_or_init(|| {
        let strings = PIPELINES.iter().map(|pipeline| {
            [pipeline.name, pipeline.description]
                .map(|text| CString::new(text).expect("pipelines contain no NUL"))
        });
        strings.collect()
    })
}

/// The options of a pipeline, as it has them.
#[repr(C)]
struct CombPipelineOptions {
    fusion: MlirStringRef,
    machine: MlirStringRef,
    transformations: MlirStringRef,
    math: MlirStringRef,
    chip: MlirStringRef,
    toolkit: MlirStringRef,
    unchecked: bool,
    target: i32,
}

#[unsafe(no_mangle)]
extern "C" fn combRustPipelineCount() -> usize {
    PIPELINES.len()
}

#[unsafe(no_mangle)]
extern "C" fn combRustPipelineName(pipeline: usize) -> *const c_char {
    pipeline_strings()[pipeline][0].as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn combRustPipelineDescription(pipeline: usize) -> *const c_char {
    pipeline_strings()[pipeline][1].as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn combRustPipelineMakesKernels(pipeline: usize) -> bool {
    PIPELINES[pipeline].makes_kernels()
}

#[unsafe(no_mangle)]
extern "C" fn combRustPipelineMakesCode(pipeline: usize) -> bool {
    PIPELINES[pipeline].makes_code()
}

/// Gives the names of upstream's patterns that are wrong to a function.
#[unsafe(no_mangle)]
extern "C" fn combRustUnsoundPatterns(
    receive: extern "C" fn(MlirStringRef, *mut c_void),
    data: *mut c_void,
) {
    for pattern in upstream::patterns_off() {
        receive(StringRef::new(pattern).to_raw(), data);
    }
}

/// Gives a pipeline's text to a function.
#[unsafe(no_mangle)]
extern "C" fn combRustPipelineText(
    pipeline: usize,
    options: &CombPipelineOptions,
    receive: extern "C" fn(MlirStringRef, *mut c_void),
    data: *mut c_void,
) {
    // SAFETY: the caller keeps the strings while this runs.
    let text = |text| unsafe { string(text) };
    let [fusion, machine, transformations, math, chip, toolkit] = [
        options.fusion,
        options.machine,
        options.transformations,
        options.math,
        options.chip,
        options.toolkit,
    ]
    .map(text);
    let text = PIPELINES[pipeline].text(&PipelineOptions {
        unchecked: options.unchecked,
        fusion: Some(fusion.as_str()).filter(|fusion| !fusion.is_empty()),
        machine: &machine,
        transformations: &transformations,
        math: &math,
        target: GpuTarget::ALL
            .get(options.target as usize)
            .copied()
            .unwrap_or_default(),
        chip: &chip,
        toolkit: &toolkit,
    });
    receive(StringRef::new(&text).to_raw(), data);
}
