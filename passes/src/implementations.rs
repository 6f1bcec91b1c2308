//! What runs each pass of Passes.td: a function that is called like the pass, with `_` for `-`.
//!
//! It takes the op that the pass runs on, then the pass's [options](crate::declared::options) if it has any, and
//! gives its [statistics](crate::declared::statistics) if it counts something.

use comb_cpu::{nest_schedule, parallel_to_openmp, sorts_to_loops};
use comb_fuse::fuse;
use comb_gpu::{host_to_runtime, join_kernels};
use comb_kit::{pass_error::PassError, set_machine, set_transformations, switches, walk::modules};
use comb_llvm::{check_lowered, compress_in_registers, convert_checks_to_llvm, expand_math};
use comb_memory::separate_arrays;
use comb_nest::soac_to_nest;
use comb_prepare::{convert_to_linalg, expand_ops, insert_checks, raise_linalg};
use melior::ir::{OperationRef, operation::OperationLike};

use crate::declared::{options, statistics};

pub(crate) use comb_cpu::{
    lower_copies::run as comb_lower_copies, nest_distribute::run as nest_distribute,
    nest_jam::run as nest_jam, nest_pack::run as nest_pack, nest_split::run as nest_split,
    nest_to_vectors::run as nest_to_vectors, nest_wavefront::run as nest_wavefront,
    skip_empty_loops::run as comb_skip_empty_loops,
};
pub(crate) use comb_fuse::erase_clusters::run as soac_erase_clusters;
pub(crate) use comb_gpu::{
    nest_schedule_gpu::run as nest_schedule_gpu, nest_to_gpu::run as convert_nest_to_gpu,
    order_scatters::run as gpu_order_scatters, sink_elements::run as gpu_sink_elements,
    sorts_to_maps::run as gpu_sorts_to_maps,
};
pub(crate) use comb_llvm::{
    balance_square_roots::run as comb_balance_square_roots,
    call_intrinsics::run as comb_call_intrinsics,
    convert_float_extrema_to_llvm::run as convert_float_extrema_to_llvm,
    expand_bf16_vectors::run as comb_expand_bf16_vectors,
    expand_bool_vectors::run as comb_expand_bool_vectors,
    expand_conversions::run as comb_expand_conversions, expand_extrema::run as comb_expand_extrema,
    expand_narrow_masks::run as comb_expand_narrow_masks,
    limit_unrolling::run as comb_limit_unrolling, reduce_strength::run as comb_reduce_strength,
    scope_allocas::run as comb_scope_allocas,
    widen_half_precision::run as comb_widen_half_precision,
};
pub(crate) use comb_memory::elide_copies::run as comb_elide_copies;
pub(crate) use comb_nest::nest_to_scf::run as nest_to_scf;
pub(crate) use comb_prepare::{
    check_program::run as comb_check_program, check_recursion::run as comb_check_recursion,
    count_loops::run as comb_count_loops, hoist_invariants::run as comb_hoist_invariants,
    lower_expansions::run as comb_lower_expansions,
    mark_entry_points::run as comb_mark_entry_points, narrow_switches::run as comb_narrow_switches,
    number_cases::run as comb_number_cases, replace_empty_arrays::run as comb_replace_empty_arrays,
    stablehlo::run as convert_stablehlo_to_soac,
};

type Done<'c, T = ()> = Result<T, PassError<'c>>;

/// Runs a pass on a module, and before on those inside it: what it declares and defines goes into
/// the module that needs it.
fn in_each<'c>(
    op: OperationRef<'c, '_>,
    mut pass: impl FnMut(OperationRef<'c, '_>) -> Done<'c>,
) -> Done<'c> {
    modules(op).into_iter().try_for_each(&mut pass)
}

pub(crate) fn soac_insert_checks<'c>(
    op: OperationRef<'c, '_>,
    options: options::SoacInsertChecks,
) -> Done<'c, statistics::SoacInsertChecks> {
    let counts = insert_checks::run(op, options.unchecked)?;
    Ok(statistics::SoacInsertChecks {
        checks_inserted: counts.inserted,
        checks_proven: counts.proven,
    })
}

/// The options of the pass, and its extents with commas between.
pub(crate) fn fusion_text<'t>(
    options: &'t options::SoacFuse,
    extents: &'t str,
) -> fuse::OptionsText<'t> {
    fuse::OptionsText {
        cost: &options.cost,
        algorithm: &options.algorithm,
        solver: &options.solver,
        formulation: &options.formulation,
        time_limit: options.time_limit,
        levels: options.levels,
        max_arguments: options.max_arguments,
        max_memory: options.max_memory,
        recomputation: options.recomputation,
        solver_memory: options.solver_memory,
        extents,
    }
}

pub(crate) fn soac_fuse<'c>(
    op: OperationRef<'c, '_>,
    options: options::SoacFuse,
) -> Done<'c, statistics::SoacFuse> {
    let extents = options.extents.join(",");
    let text = fusion_text(&options, &extents);
    let options = fuse::Options::from_text(&text);
    let options = options.map_err(|error| PassError::Unsupported {
        location: op.location(),
        message: format!("soac-fuse: {error}"),
    })?;
    let counts = fuse::run(op, &options)?;
    Ok(statistics::SoacFuse {
        clusters: counts.clusters,
        combinators: counts.combinators,
        unproven: counts.unproven,
    })
}

pub(crate) fn soac_desugar<'c>(
    op: OperationRef<'c, '_>,
    options: options::SoacDesugar,
) -> Done<'c> {
    comb_fuse::desugar::run(op, options.unchecked)
}

pub(crate) fn comb_set_machine<'c>(
    op: OperationRef<'c, '_>,
    options: options::CombSetMachine,
) -> Done<'c> {
    let gpu = Some(options.gpu.as_str()).filter(|gpu| !gpu.is_empty());
    let facts: Vec<_> = options.facts.iter().map(String::as_str).collect();
    set_machine::run(op, &options.cpu, gpu, &facts)
}

pub(crate) fn comb_set_transformations<'c>(
    op: OperationRef<'c, '_>,
    options: options::CombSetTransformations,
) -> Done<'c> {
    let disabled: Vec<_> = options.disabled.iter().map(String::as_str).collect();
    set_transformations::run(op, &disabled, options.limit)
}

pub(crate) fn comb_expand_ops<'c>(op: OperationRef<'c, '_>) -> Done<'c, statistics::CombExpandOps> {
    let ops_expanded = expand_ops::run(op)?;
    Ok(statistics::CombExpandOps { ops_expanded })
}

pub(crate) fn comb_separate_arrays<'c>(op: OperationRef<'c, '_>) -> Done<'c> {
    in_each(op, separate_arrays::run)
}

pub(crate) fn comb_define_affine<'c>(
    op: OperationRef<'c, '_>,
    options: options::CombDefineAffine,
) -> Done<'c> {
    comb_prepare::define_affine::run(op, options.unchecked)
}

pub(crate) fn comb_parallel_to_openmp<'c>(op: OperationRef<'c, '_>) -> Done<'c> {
    in_each(op, parallel_to_openmp::run)
}

pub(crate) fn comb_raise_linalg<'c>(
    op: OperationRef<'c, '_>,
    options: options::CombRaiseLinalg,
) -> Done<'c, statistics::CombRaiseLinalg> {
    let counts = raise_linalg::run(op, options.unchecked, options.remarks)?;
    Ok(statistics::CombRaiseLinalg {
        ops_raised: counts.raised,
        ops_left: counts.left,
    })
}

pub(crate) fn soac_to_nest<'c>(
    op: OperationRef<'c, '_>,
    options: options::SoacToNest,
) -> Done<'c, statistics::SoacToNest> {
    let counts = soac_to_nest::run(op, options.unchecked, options.required)?;
    Ok(statistics::SoacToNest {
        kernels: counts.kernels,
        left: counts.left,
        clusters_taken_apart: counts.taken_apart,
    })
}

pub(crate) fn comb_carry_blocks<'c>(op: OperationRef<'c, '_>) -> Done<'c, statistics::CarryBlocks> {
    let changed = comb_memory::carry_blocks::run(op)?;
    Ok(statistics::CarryBlocks { changed })
}

pub(crate) fn comb_short_circuit<'c>(
    op: OperationRef<'c, '_>,
) -> Done<'c, statistics::ShortCircuit> {
    let removed = comb_memory::short_circuit::run(op)?;
    Ok(statistics::ShortCircuit { removed })
}

pub(crate) fn comb_reuse_blocks<'c>(op: OperationRef<'c, '_>) -> Done<'c, statistics::ReuseBlocks> {
    let reused = comb_memory::reuse_blocks::run(op)?;
    Ok(statistics::ReuseBlocks { reused })
}

pub(crate) fn nest_schedule<'c>(
    op: OperationRef<'c, '_>,
    options: options::NestSchedule,
) -> Done<'c> {
    let may = nest_schedule::May {
        be_fast: !options.scalar,
        version: match options.versions {
            true => nest_schedule::choose::Versions::ALL,
            false => nest_schedule::choose::Versions::NONE,
        },
    };
    nest_schedule::run(op, may)
}

pub(crate) fn comb_expand_math<'c>(
    op: OperationRef<'c, '_>,
    options: options::CombExpandMath,
) -> Done<'c> {
    let mode = options.mode.parse();
    let mode = mode.map_err(|error: expand_math::UnknownMode| PassError::Unsupported {
        location: op.location(),
        message: format!("comb-expand-math: {error}"),
    })?;
    expand_math::run(op, mode)
}

pub(crate) fn comb_join_kernels<'c>(
    op: OperationRef<'c, '_>,
    options: options::CombJoinKernels,
) -> Done<'c> {
    join_kernels::run(op, &options.data_layout)
}

pub(crate) fn convert_gpu_host_to_runtime<'c>(
    op: OperationRef<'c, '_>,
    options: options::ConvertGPUHostToRuntime,
) -> Done<'c> {
    let vendor = host_to_runtime::vendor(&options.vendor);
    let vendor = vendor.map_err(|error| PassError::Unsupported {
        location: op.location(),
        message: format!("convert-gpu-host-to-runtime: {error}"),
    })?;
    host_to_runtime::run(op, vendor)
}

pub(crate) fn comb_check_lowered<'c>(
    op: OperationRef<'c, '_>,
    options: options::CombCheckLowered,
) -> Done<'c> {
    check_lowered::run(op, options.finished)?;
    match options.finished {
        true => switches::finish(op),
        false => Ok(()),
    }
}

pub(crate) fn comb_compress_in_registers<'c>(op: OperationRef<'c, '_>) -> Done<'c> {
    in_each(op, compress_in_registers::run)
}

pub(crate) fn convert_soac_to_linalg<'c>(
    op: OperationRef<'c, '_>,
    options: options::ConvertSoacToLinalg,
) -> Done<'c> {
    in_each(op, |module| {
        convert_to_linalg::run(module, options.unchecked)
    })
}

pub(crate) fn convert_soac_sorts_to_loops<'c>(op: OperationRef<'c, '_>) -> Done<'c> {
    in_each(op, sorts_to_loops::run)
}

pub(crate) fn convert_soac_checks_to_llvm<'c>(op: OperationRef<'c, '_>) -> Done<'c> {
    in_each(op, convert_checks_to_llvm::run)
}
