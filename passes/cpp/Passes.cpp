//===- Passes.cpp - From pass classes to their implementation in Rust -----===//
//
// One class for each pass of Passes.td; each calls its Rust function. Nothing
// is decided here.
//
//===----------------------------------------------------------------------===//

#include "comb/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "nest/Nest.h"
#include "soac/Soac.h"

namespace comb {
#define GEN_PASS_DEF_SOACINSERTCHECKS
#define GEN_PASS_DEF_SOACFUSE
#define GEN_PASS_DEF_SOACERASECLUSTERS
#define GEN_PASS_DEF_SOACDESUGAR
#define GEN_PASS_DEF_COMBLIMITUNROLLING
#define GEN_PASS_DEF_COMBSETMACHINE
#define GEN_PASS_DEF_COMBSETTRANSFORMATIONS
#define GEN_PASS_DEF_COMBREDUCESTRENGTH
#define GEN_PASS_DEF_COMBBALANCESQUAREROOTS
#define GEN_PASS_DEF_COMBHOISTINVARIANTS
#define GEN_PASS_DEF_COMBCHECKPROGRAM
#define GEN_PASS_DEF_COMBEXPANDOPS
#define GEN_PASS_DEF_COMBSEPARATEARRAYS
#define GEN_PASS_DEF_COMBELIDECOPIES
#define GEN_PASS_DEF_COMBLOWERCOPIES
#define GEN_PASS_DEF_COMBDEFINEAFFINE
#define GEN_PASS_DEF_COMBLOWEREXPANSIONS
#define GEN_PASS_DEF_COMBNUMBERCASES
#define GEN_PASS_DEF_COMBREPLACEEMPTYARRAYS
#define GEN_PASS_DEF_COMBCHECKLOWERED
#define GEN_PASS_DEF_COMBCHECKRECURSION
#define GEN_PASS_DEF_COMBMARKENTRYPOINTS
#define GEN_PASS_DEF_COMBPARALLELTOOPENMP
#define GEN_PASS_DEF_COMBCOUNTLOOPS
#define GEN_PASS_DEF_COMBNARROWSWITCHES
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOSOAC
#define GEN_PASS_DEF_COMBRAISELINALG
#define GEN_PASS_DEF_SOACTONEST
#define GEN_PASS_DEF_CARRYBLOCKS
#define GEN_PASS_DEF_REUSEBLOCKS
#define GEN_PASS_DEF_SHORTCIRCUIT
#define GEN_PASS_DEF_NESTJAM
#define GEN_PASS_DEF_NESTWAVEFRONT
#define GEN_PASS_DEF_NESTDISTRIBUTE
#define GEN_PASS_DEF_NESTPACK
#define GEN_PASS_DEF_NESTSPLIT
#define GEN_PASS_DEF_NESTSCHEDULE
#define GEN_PASS_DEF_NESTSCHEDULEGPU
#define GEN_PASS_DEF_CONVERTNESTTOGPU
#define GEN_PASS_DEF_COMBCALLINTRINSICS
#define GEN_PASS_DEF_NESTTOVECTORS
#define GEN_PASS_DEF_NESTTOSCF
#define GEN_PASS_DEF_COMBSCOPEALLOCAS
#define GEN_PASS_DEF_COMBSKIPEMPTYLOOPS
#define GEN_PASS_DEF_COMBWIDENHALFPRECISION
#define GEN_PASS_DEF_COMBEXPANDMATH
#define GEN_PASS_DEF_COMBEXPANDBF16VECTORS
#define GEN_PASS_DEF_COMBEXPANDNARROWMASKS
#define GEN_PASS_DEF_COMBCOMPRESSINREGISTERS
#define GEN_PASS_DEF_COMBEXPANDBOOLVECTORS
#define GEN_PASS_DEF_COMBEXPANDCONVERSIONS
#define GEN_PASS_DEF_CONVERTFLOATEXTREMATOLLVM
#define GEN_PASS_DEF_CONVERTSOACTOLINALG
#define GEN_PASS_DEF_CONVERTSOACSORTSTOLOOPS
#define GEN_PASS_DEF_CONVERTSOACCHECKSTOLLVM
#include "comb/Passes.h.inc"
} // namespace comb

using namespace mlir;

//===----------------------------------------------------------------------===//
// The Rust side (passes/src/bridge.rs). Each returns whether it succeeded, and
// has emitted a diagnostic if not.
//===----------------------------------------------------------------------===//

extern "C" {
/// The options of soac-fuse, as text and numbers; 0 is no limit.
struct CombFuseOptions {
  MlirStringRef cost, algorithm, solver, formulation;
  double timeLimit;
  int64_t levels, maxArguments, maxMemory, solverMemory;
  MlirStringRef extents;
  bool recomputation;
};

bool combRustFuse(MlirOperation module, const CombFuseOptions *options,
                  int64_t *clusters, int64_t *combinators, int64_t *unproven);
bool combRustEraseClusters(MlirOperation module);
bool combRustInsertChecks(MlirOperation module, bool unchecked,
                          int64_t *inserted, int64_t *proven);
bool combRustDesugar(MlirOperation module, bool unchecked);
bool combRustLimitUnrolling(MlirOperation module);
bool combRustSetMachine(MlirOperation module, MlirStringRef cpu,
                        MlirStringRef gpu, MlirStringRef facts);
bool combRustSetTransformations(MlirOperation module, MlirStringRef disabled,
                                int64_t limit);
bool combRustReduceStrength(MlirOperation module);
bool combRustBalanceSquareRoots(MlirOperation module);
bool combRustHoistInvariants(MlirOperation module);
bool combRustCheckProgram(MlirOperation module);
bool combRustExpandOps(MlirOperation module, int64_t *expanded);
bool combRustSeparateArrays(MlirOperation module);
bool combRustElideCopies(MlirOperation module);
bool combRustLowerCopies(MlirOperation module);
bool combRustDefineAffine(MlirOperation module, bool unchecked);
bool combRustLowerExpansions(MlirOperation module);
bool combRustNumberCases(MlirOperation module);
bool combRustReplaceEmptyArrays(MlirOperation module);
bool combRustExpandMath(MlirOperation module, MlirStringRef mode);
bool combRustMarkEntryPoints(MlirOperation module);
bool combRustCheckLowered(MlirOperation module, bool finished);
bool combRustCheckRecursion(MlirOperation module);
bool combRustParallelToOpenMP(MlirOperation module);
bool combRustCountLoops(MlirOperation module);
bool combRustNarrowSwitches(MlirOperation module);

bool combRustConvertStablehloToSoac(MlirOperation module);
bool combRustRaiseLinalg(MlirOperation module, bool unchecked, int64_t *raised,
                         int64_t *left);
bool combRustSoacToNest(MlirOperation module, bool unchecked, bool required,
                        int64_t *kernels, int64_t *left, int64_t *apart);
bool combRustCarryBlocks(MlirOperation module, int64_t *changed);
bool combRustReuseBlocks(MlirOperation module, int64_t *reused);
bool combRustShortCircuit(MlirOperation module, int64_t *removed);
bool combRustNestJam(MlirOperation module);
bool combRustNestWavefront(MlirOperation module);
bool combRustNestDistribute(MlirOperation module);
bool combRustNestPack(MlirOperation module);
bool combRustNestSplit(MlirOperation module);
bool combRustNestSchedule(MlirOperation module, bool scalar, bool versions);
bool combRustNestToSCF(MlirOperation module);
bool combRustNestScheduleGPU(MlirOperation module);
bool combRustCallIntrinsics(MlirOperation module);
bool combRustConvertNestToGPU(MlirOperation module);
bool combRustNestToVectors(MlirOperation module);
bool combRustScopeAllocas(MlirOperation module);
bool combRustSkipEmptyLoops(MlirOperation module);
bool combRustWidenHalfPrecision(MlirOperation module);
bool combRustExpandBf16Vectors(MlirOperation module);
bool combRustExpandBoolVectors(MlirOperation module);
bool combRustExpandNarrowMasks(MlirOperation module);
bool combRustExpandConversions(MlirOperation module);
bool combRustCompressInRegisters(MlirOperation module);
bool combRustConvertFloatExtremaToLLVM(MlirOperation module);
bool combRustConvertSoacToLinalg(MlirOperation module, bool unchecked);
bool combRustConvertSoacSortsToLoops(MlirOperation module);
bool combRustConvertSoacChecksToLLVM(MlirOperation module);
}

namespace {

struct InsertChecks : public comb::impl::SoacInsertChecksBase<InsertChecks> {
  using SoacInsertChecksBase::SoacInsertChecksBase;

  void runOnOperation() final {
    int64_t inserted = 0, proven = 0;
    if (!combRustInsertChecks(wrap(getOperation().getOperation()), unchecked,
                              &inserted, &proven))
      signalPassFailure();
    checksInserted += inserted;
    checksProven += proven;
  }
};

struct Fuse : public comb::impl::SoacFuseBase<Fuse> {
  using SoacFuseBase::SoacFuseBase;

  void runOnOperation() final {
    auto text = [](const std::string &text) {
      return mlirStringRefCreate(text.data(), text.size());
    };
    std::string joined = llvm::join(extents.begin(), extents.end(), ",");
    CombFuseOptions options{text(cost),        text(algorithm), text(solver),
                            text(formulation), timeLimit,       levels,
                            maxArguments,      maxMemory,       solverMemory,
                            text(joined),      recomputation};
    int64_t written = 0, seen = 0, unknown = 0;
    if (!combRustFuse(wrap(getOperation().getOperation()), &options, &written,
                      &seen, &unknown))
      signalPassFailure();
    clusters += written;
    combinators += seen;
    unproven += unknown;
  }
};

struct EraseClusters : public comb::impl::SoacEraseClustersBase<EraseClusters> {
  void runOnOperation() final {
    if (!combRustEraseClusters(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct Desugar : public comb::impl::SoacDesugarBase<Desugar> {
  using SoacDesugarBase::SoacDesugarBase;

  void runOnOperation() final {
    if (!combRustDesugar(wrap(getOperation().getOperation()), unchecked))
      signalPassFailure();
  }
};

struct LimitUnrolling
    : public comb::impl::CombLimitUnrollingBase<LimitUnrolling> {
  using CombLimitUnrollingBase::CombLimitUnrollingBase;

  void runOnOperation() final {
    if (!combRustLimitUnrolling(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct SetMachine : public comb::impl::CombSetMachineBase<SetMachine> {
  using CombSetMachineBase::CombSetMachineBase;

  void runOnOperation() final {
    auto text = [](const std::string &text) {
      return mlirStringRefCreate(text.data(), text.size());
    };
    std::string joined = llvm::join(facts.begin(), facts.end(), ",");
    if (!combRustSetMachine(wrap(getOperation().getOperation()), text(cpu),
                            text(gpu), text(joined)))
      signalPassFailure();
  }
};

struct SetTransformations
    : public comb::impl::CombSetTransformationsBase<SetTransformations> {
  using CombSetTransformationsBase::CombSetTransformationsBase;

  void runOnOperation() final {
    std::string names = llvm::join(disabled.begin(), disabled.end(), ",");
    if (!combRustSetTransformations(
            wrap(getOperation().getOperation()),
            mlirStringRefCreate(names.data(), names.size()), limit))
      signalPassFailure();
  }
};

struct ReduceStrength
    : public comb::impl::CombReduceStrengthBase<ReduceStrength> {
  using CombReduceStrengthBase::CombReduceStrengthBase;

  void runOnOperation() final {
    if (!combRustReduceStrength(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct BalanceSquareRoots
    : public comb::impl::CombBalanceSquareRootsBase<BalanceSquareRoots> {
  using CombBalanceSquareRootsBase::CombBalanceSquareRootsBase;

  void runOnOperation() final {
    if (!combRustBalanceSquareRoots(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct HoistInvariants
    : public comb::impl::CombHoistInvariantsBase<HoistInvariants> {
  using CombHoistInvariantsBase::CombHoistInvariantsBase;

  void runOnOperation() final {
    if (!combRustHoistInvariants(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct CheckProgram : public comb::impl::CombCheckProgramBase<CheckProgram> {
  using CombCheckProgramBase::CombCheckProgramBase;

  void runOnOperation() final {
    if (!combRustCheckProgram(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ExpandOps : public comb::impl::CombExpandOpsBase<ExpandOps> {
  using CombExpandOpsBase::CombExpandOpsBase;

  void runOnOperation() final {
    int64_t expanded = 0;
    if (!combRustExpandOps(wrap(getOperation().getOperation()), &expanded))
      signalPassFailure();
    opsExpanded += expanded;
  }
};

struct SeparateArrays
    : public comb::impl::CombSeparateArraysBase<SeparateArrays> {
  using CombSeparateArraysBase::CombSeparateArraysBase;

  void runOnOperation() final {
    if (!combRustSeparateArrays(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ElideCopies : public comb::impl::CombElideCopiesBase<ElideCopies> {
  using CombElideCopiesBase::CombElideCopiesBase;

  void runOnOperation() final {
    if (!combRustElideCopies(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct LowerCopies : public comb::impl::CombLowerCopiesBase<LowerCopies> {
  using CombLowerCopiesBase::CombLowerCopiesBase;

  void runOnOperation() final {
    if (!combRustLowerCopies(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct LowerExpansions
    : public comb::impl::CombLowerExpansionsBase<LowerExpansions> {
  using CombLowerExpansionsBase::CombLowerExpansionsBase;

  void runOnOperation() final {
    if (!combRustLowerExpansions(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ReplaceEmptyArrays
    : public comb::impl::CombReplaceEmptyArraysBase<ReplaceEmptyArrays> {
  using CombReplaceEmptyArraysBase::CombReplaceEmptyArraysBase;

  void runOnOperation() final {
    if (!combRustReplaceEmptyArrays(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct NumberCases : public comb::impl::CombNumberCasesBase<NumberCases> {
  using CombNumberCasesBase::CombNumberCasesBase;

  void runOnOperation() final {
    if (!combRustNumberCases(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct DefineAffine : public comb::impl::CombDefineAffineBase<DefineAffine> {
  using CombDefineAffineBase::CombDefineAffineBase;

  void runOnOperation() final {
    if (!combRustDefineAffine(wrap(getOperation().getOperation()), unchecked))
      signalPassFailure();
  }
};

struct WidenHalfPrecision
    : public comb::impl::CombWidenHalfPrecisionBase<WidenHalfPrecision> {
  using CombWidenHalfPrecisionBase::CombWidenHalfPrecisionBase;

  void runOnOperation() final {
    if (!combRustWidenHalfPrecision(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ExpandMath : public comb::impl::CombExpandMathBase<ExpandMath> {
  using CombExpandMathBase::CombExpandMathBase;

  void runOnOperation() final {
    MlirStringRef text = mlirStringRefCreate(mode.data(), mode.size());
    if (!combRustExpandMath(wrap(getOperation().getOperation()), text))
      signalPassFailure();
  }
};

struct MarkEntryPoints
    : public comb::impl::CombMarkEntryPointsBase<MarkEntryPoints> {
  using CombMarkEntryPointsBase::CombMarkEntryPointsBase;

  void runOnOperation() final {
    if (!combRustMarkEntryPoints(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct CheckLowered : public comb::impl::CombCheckLoweredBase<CheckLowered> {
  using CombCheckLoweredBase::CombCheckLoweredBase;

  void runOnOperation() final {
    if (!combRustCheckLowered(wrap(getOperation().getOperation()), finished))
      signalPassFailure();
  }
};

struct CheckRecursion
    : public comb::impl::CombCheckRecursionBase<CheckRecursion> {
  using CombCheckRecursionBase::CombCheckRecursionBase;

  void runOnOperation() final {
    if (!combRustCheckRecursion(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ParallelToOpenMP
    : public comb::impl::CombParallelToOpenMPBase<ParallelToOpenMP> {
  using CombParallelToOpenMPBase::CombParallelToOpenMPBase;

  void runOnOperation() final {
    if (!combRustParallelToOpenMP(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct CountLoops : public comb::impl::CombCountLoopsBase<CountLoops> {
  using CombCountLoopsBase::CombCountLoopsBase;

  void runOnOperation() final {
    if (!combRustCountLoops(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct StablehloToSoac
    : public comb::impl::ConvertStablehloToSoacBase<StablehloToSoac> {
  using ConvertStablehloToSoacBase::ConvertStablehloToSoacBase;

  void runOnOperation() final {
    if (!combRustConvertStablehloToSoac(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct RaiseLinalg : public comb::impl::CombRaiseLinalgBase<RaiseLinalg> {
  using CombRaiseLinalgBase::CombRaiseLinalgBase;

  void runOnOperation() final {
    int64_t raised = 0, left = 0;
    if (!combRustRaiseLinalg(wrap(getOperation().getOperation()), unchecked,
                             &raised, &left))
      signalPassFailure();
    opsRaised += raised;
    opsLeft += left;
  }
};

struct SoacToNest : public comb::impl::SoacToNestBase<SoacToNest> {
  using SoacToNestBase::SoacToNestBase;

  void runOnOperation() final {
    int64_t made = 0, stay = 0, apart = 0;
    if (!combRustSoacToNest(wrap(getOperation().getOperation()), unchecked,
                            required, &made, &stay, &apart))
      signalPassFailure();
    kernels += made;
    left += stay;
    clustersTakenApart += apart;
  }
};

struct CarryBlocks : public comb::impl::CarryBlocksBase<CarryBlocks> {
  using CarryBlocksBase::CarryBlocksBase;

  void runOnOperation() final {
    int64_t others = 0;
    if (!combRustCarryBlocks(wrap(getOperation().getOperation()), &others))
      signalPassFailure();
    changed += others;
  }
};

struct ShortCircuit : public comb::impl::ShortCircuitBase<ShortCircuit> {
  using ShortCircuitBase::ShortCircuitBase;

  void runOnOperation() final {
    int64_t gone = 0;
    if (!combRustShortCircuit(wrap(getOperation().getOperation()), &gone))
      signalPassFailure();
    removed += gone;
  }
};

struct ReuseBlocks : public comb::impl::ReuseBlocksBase<ReuseBlocks> {
  using ReuseBlocksBase::ReuseBlocksBase;

  void runOnOperation() final {
    int64_t again = 0;
    if (!combRustReuseBlocks(wrap(getOperation().getOperation()), &again))
      signalPassFailure();
    reused += again;
  }
};

struct NestJam : public comb::impl::NestJamBase<NestJam> {
  using NestJamBase::NestJamBase;

  void runOnOperation() final {
    if (!combRustNestJam(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct NestWavefront : public comb::impl::NestWavefrontBase<NestWavefront> {
  using NestWavefrontBase::NestWavefrontBase;

  void runOnOperation() final {
    if (!combRustNestWavefront(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct NestDistribute : public comb::impl::NestDistributeBase<NestDistribute> {
  using NestDistributeBase::NestDistributeBase;

  void runOnOperation() final {
    if (!combRustNestDistribute(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct NestPack : public comb::impl::NestPackBase<NestPack> {
  using NestPackBase::NestPackBase;

  void runOnOperation() final {
    if (!combRustNestPack(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct NestSplit : public comb::impl::NestSplitBase<NestSplit> {
  using NestSplitBase::NestSplitBase;

  void runOnOperation() final {
    if (!combRustNestSplit(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct NestSchedule : public comb::impl::NestScheduleBase<NestSchedule> {
  using NestScheduleBase::NestScheduleBase;

  void runOnOperation() final {
    if (!combRustNestSchedule(wrap(getOperation().getOperation()), scalar,
                              versions))
      signalPassFailure();
  }
};

struct NestScheduleGPU
    : public comb::impl::NestScheduleGPUBase<NestScheduleGPU> {
  using NestScheduleGPUBase::NestScheduleGPUBase;

  void runOnOperation() final {
    if (!combRustNestScheduleGPU(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

/// A kernel reads and writes memory, and neither allocates nor frees any.
/// Upstream says nothing of that, and without it memory has no owners.
struct LaunchEffects
    : public MemoryEffectOpInterface::ExternalModel<LaunchEffects,
                                                    gpu::LaunchFuncOp> {
  void
  getEffects(Operation *,
             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
                 &effects) const {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
};

struct ConvertNestToGPU
    : public comb::impl::ConvertNestToGPUBase<ConvertNestToGPU> {
  using ConvertNestToGPUBase::ConvertNestToGPUBase;

  LogicalResult initialize(MLIRContext *context) final {
    context->getOrLoadDialect<gpu::GPUDialect>();
    std::optional<RegisteredOperationName> name =
        RegisteredOperationName::lookup(gpu::LaunchFuncOp::getOperationName(),
                                        context);
    if (name && !name->hasInterface<MemoryEffectOpInterface>())
      gpu::LaunchFuncOp::attachInterface<LaunchEffects>(*context);
    return success();
  }

  void runOnOperation() final {
    if (!combRustConvertNestToGPU(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct CallIntrinsics
    : public comb::impl::CombCallIntrinsicsBase<CallIntrinsics> {
  using CombCallIntrinsicsBase::CombCallIntrinsicsBase;

  void runOnOperation() final {
    if (!combRustCallIntrinsics(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct NestToVectors : public comb::impl::NestToVectorsBase<NestToVectors> {
  using NestToVectorsBase::NestToVectorsBase;

  void runOnOperation() final {
    if (!combRustNestToVectors(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct NestToSCF : public comb::impl::NestToSCFBase<NestToSCF> {
  using NestToSCFBase::NestToSCFBase;

  void runOnOperation() final {
    if (!combRustNestToSCF(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct NarrowSwitches
    : public comb::impl::CombNarrowSwitchesBase<NarrowSwitches> {
  using CombNarrowSwitchesBase::CombNarrowSwitchesBase;

  void runOnOperation() final {
    if (!combRustNarrowSwitches(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ScopeAllocas : public comb::impl::CombScopeAllocasBase<ScopeAllocas> {
  using CombScopeAllocasBase::CombScopeAllocasBase;

  void runOnOperation() final {
    if (!combRustScopeAllocas(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct SkipEmptyLoops
    : public comb::impl::CombSkipEmptyLoopsBase<SkipEmptyLoops> {
  using CombSkipEmptyLoopsBase::CombSkipEmptyLoopsBase;

  void runOnOperation() final {
    if (!combRustSkipEmptyLoops(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ExpandBf16Vectors
    : public comb::impl::CombExpandBf16VectorsBase<ExpandBf16Vectors> {
  using CombExpandBf16VectorsBase::CombExpandBf16VectorsBase;

  void runOnOperation() final {
    if (!combRustExpandBf16Vectors(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ExpandNarrowMasks
    : public comb::impl::CombExpandNarrowMasksBase<ExpandNarrowMasks> {
  using CombExpandNarrowMasksBase::CombExpandNarrowMasksBase;

  void runOnOperation() final {
    if (!combRustExpandNarrowMasks(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct CompressInRegisters
    : public comb::impl::CombCompressInRegistersBase<CompressInRegisters> {
  using CombCompressInRegistersBase::CombCompressInRegistersBase;

  void runOnOperation() final {
    if (!combRustCompressInRegisters(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ExpandBoolVectors
    : public comb::impl::CombExpandBoolVectorsBase<ExpandBoolVectors> {
  using CombExpandBoolVectorsBase::CombExpandBoolVectorsBase;

  void runOnOperation() final {
    if (!combRustExpandBoolVectors(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct ExpandConversions
    : public comb::impl::CombExpandConversionsBase<ExpandConversions> {
  using CombExpandConversionsBase::CombExpandConversionsBase;

  void runOnOperation() final {
    if (!combRustExpandConversions(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct FloatExtremaToLLVM
    : public comb::impl::ConvertFloatExtremaToLLVMBase<FloatExtremaToLLVM> {
  using ConvertFloatExtremaToLLVMBase::ConvertFloatExtremaToLLVMBase;

  void runOnOperation() final {
    if (!combRustConvertFloatExtremaToLLVM(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct SoacToLinalg : public comb::impl::ConvertSoacToLinalgBase<SoacToLinalg> {
  using ConvertSoacToLinalgBase::ConvertSoacToLinalgBase;

  void runOnOperation() final {
    if (!combRustConvertSoacToLinalg(wrap(getOperation().getOperation()),
                                     unchecked))
      signalPassFailure();
  }
};

struct SoacSortsToLoops
    : public comb::impl::ConvertSoacSortsToLoopsBase<SoacSortsToLoops> {
  using ConvertSoacSortsToLoopsBase::ConvertSoacSortsToLoopsBase;

  void runOnOperation() final {
    if (!combRustConvertSoacSortsToLoops(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

struct SoacChecksToLLVM
    : public comb::impl::ConvertSoacChecksToLLVMBase<SoacChecksToLLVM> {
  using ConvertSoacChecksToLLVMBase::ConvertSoacChecksToLLVMBase;

  void runOnOperation() final {
    if (!combRustConvertSoacChecksToLLVM(wrap(getOperation().getOperation())))
      signalPassFailure();
  }
};

} // namespace

/// Whether the op, or one inside it, reads or writes memory, or may.
extern "C" bool combHasEffects(MlirOperation op) {
  return !isMemoryEffectFree(unwrap(op));
}

/// Whether the op has no effects, and MLIR takes it to be harmless where the
/// program does not get to.
extern "C" bool combIsSpeculatable(MlirOperation op) {
  return isMemoryEffectFree(unwrap(op)) && isSpeculatable(unwrap(op));
}

/// Whether the op says how it is made of combinators.
extern "C" bool combExpandsToSoac(MlirOperation op) {
  return isa<soac::ExpandsToSoac>(unwrap(op));
}

/// Has the op build its results in front of it; returns whether it did.
extern "C" bool combExpandToSoac(MlirOperation op,
                                 void (*push)(MlirValue, void *),
                                 void *values) {
  OpBuilder builder(unwrap(op));
  auto results = cast<soac::ExpandsToSoac>(unwrap(op)).expandToSoac(builder);
  if (failed(results) || llvm::is_contained(*results, Value()))
    return false;
  for (Value result : *results)
    push(wrap(result), values);
  return true;
}

//===----------------------------------------------------------------------===//
// Remarks, which the C API does not have
//===----------------------------------------------------------------------===//

/// Emits a remark of a pass: what was done (0), missed (1), or found out (2).
/// Its text is asked for only if somebody wants such remarks; returns
/// whether.
extern "C" bool combEmitRemark(int32_t kind, MlirStringRef pass,
                               MlirLocation location, MlirStringRef name,
                               MlirStringRef function,
                               void (*text)(void *, MlirStringCallback, void *),
                               void *data) {
  auto options = remark::RemarkOpts::name(unwrap(name))
                     .category(unwrap(pass))
                     .function(unwrap(function));
  Location place = unwrap(location);
  auto emitted = kind == 0   ? remark::passed(place, options)
                 : kind == 1 ? remark::missed(place, options)
                             : remark::analysis(place, options);
  bool wanted = false;
  auto write = [&] {
    wanted = true;
    std::string written;
    auto add = [](MlirStringRef part, void *written) {
      static_cast<std::string *>(written)->append(part.data, part.length);
    };
    text(data, add, &written);
    return written;
  };
  emitted << remark::detail::LazyTextBuild{"Remark", write};
  return wanted;
}

extern "C" void combReport(MlirLocation location, MlirStringRef message) {
  emitRemark(unwrap(location)) << unwrap(message);
}

extern "C" void combRegisterPasses() {
  // Another copy of comb in the process may have registered its own: a host
  // that contains comb and also loads the plugin.
  if (!PassInfo::lookup("convert-soac-to-linalg"))
    comb::registerCombPasses();
}

//===----------------------------------------------------------------------===//
// The C API: mlirCreateComb… and mlirRegisterComb…
//===----------------------------------------------------------------------===//

using namespace comb;

#include "comb/Passes.capi.h.inc"

#include "comb/Passes.capi.cpp.inc"
