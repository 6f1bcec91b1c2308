//===- Pipelines.cpp - comb's pass pipelines ------------------------------===//
//
// A pipeline is text (passes/src/pipelines.rs); here it is given to MLIR's
// registry, with the upstream passes that it names.
//
//===----------------------------------------------------------------------===//

#include "comb/Passes.h"

#include "mlir/CAPI/Support.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// The Rust side: the pipelines' count, each one's NUL-terminated name and
/// description, whether it goes down to machine code, and its text.
/// What kernels for a GPU become.
enum class GpuTarget : int32_t { emulate, nvvm, rocdl };

extern "C" {
struct CombPipelineOptions {
  /// The pass soac-fuse with its options, or nothing if it is off.
  MlirStringRef fusion;
  /// The pass comb-set-machine with its options.
  MlirStringRef machine;
  /// The pass comb-set-transformations with its options.
  MlirStringRef transformations;
  MlirStringRef math;
  /// The GPU that kernels are for, and the folder of its toolkit.
  MlirStringRef chip;
  MlirStringRef toolkit;
  bool unchecked;
  GpuTarget target;
};

size_t combRustPipelineCount();
const char *combRustPipelineName(size_t pipeline);
const char *combRustPipelineDescription(size_t pipeline);
bool combRustPipelineMakesCode(size_t pipeline);
bool combRustPipelineMakesKernels(size_t pipeline);
void combRustPipelineText(size_t pipeline, const CombPipelineOptions *options,
                          MlirStringCallback receive, void *data);
/// The names of upstream patterns that simplify wrongly.
void combRustUnsoundPatterns(MlirStringCallback receive, void *data);
}

namespace {

struct PipelineOptions : public PassPipelineOptions<PipelineOptions> {
  Option<bool> unchecked{
      *this, "unchecked",
      llvm::cl::desc("Take for granted that the program does not fail: no "
                     "run-time checks (behaviour is undefined if it does)"),
      llvm::cl::init(false)};
};

/// A pass with its options.
std::string textOf(std::unique_ptr<Pass> pass) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  pass->printAsTextualPipeline(stream);
  return text;
}

/// Those of soac-fuse, and those of the pipeline itself.
struct FusePipelineOptions : public PipelineOptions {
  comb::SoacFuseOptions defaults;
  Option<std::string> cost{*this, "cost",
                           llvm::cl::desc("What is to be as low as possible"),
                           llvm::cl::init(defaults.cost)};
  Option<std::string> algorithm{
      *this, "algorithm",
      llvm::cl::desc("How (see soac-fuse); pipelines down to machine code also "
                     "take 'off', which fuses nothing"),
      llvm::cl::init(defaults.algorithm)};
  Option<std::string> solver{*this, "solver",
                             llvm::cl::desc("What solves integer programs"),
                             llvm::cl::init(defaults.solver)};
  Option<std::string> formulation{*this, "formulation",
                                  llvm::cl::desc("The integer program"),
                                  llvm::cl::init(defaults.formulation)};
  Option<double> timeLimit{
      *this, "time-limit",
      llvm::cl::desc("After so many seconds, take the best answer known"),
      llvm::cl::init(defaults.timeLimit)};
  Option<int64_t> levels{*this, "levels",
                         llvm::cl::desc("How many loops may be shared"),
                         llvm::cl::init(defaults.levels)};
  Option<int64_t> maxArguments{
      *this, "max-arguments",
      llvm::cl::desc("How many arrays a cluster may read and write"),
      llvm::cl::init(defaults.maxArguments)};
  Option<int64_t> maxMemory{
      *this, "max-memory",
      llvm::cl::desc("How many bytes of arrays may be stored at a time"),
      llvm::cl::init(defaults.maxMemory)};
  Option<int64_t> solverMemory{
      *this, "solver-memory",
      llvm::cl::desc("How many MiB comb's own solver may take"),
      llvm::cl::init(defaults.solverMemory)};
  ListOption<std::string> extents{
      *this, "extent",
      llvm::cl::desc("NAME=N: how large a size usually is, for the cost")};
  Option<bool> recomputation{*this, "recomputation",
                             llvm::cl::desc("Pay for work that is done again"),
                             llvm::cl::init(defaults.recomputation)};

  comb::SoacFuseOptions ofPass() const {
    comb::SoacFuseOptions options;
    options.cost = cost;
    options.algorithm = algorithm;
    options.solver = solver;
    options.formulation = formulation;
    options.timeLimit = timeLimit;
    options.levels = levels;
    options.maxArguments = maxArguments;
    options.maxMemory = maxMemory;
    options.solverMemory = solverMemory;
    options.extents.assign(extents.begin(), extents.end());
    options.recomputation = recomputation;
    return options;
  }

  /// The pass with its options.
  std::string text() const { return textOf(comb::createSoacFuse(ofPass())); }
};

/// Those of pipelines down to code for any machine.
struct LoweringPipelineOptions : public FusePipelineOptions {
  Option<std::string> fusion{*this, "fusion",
                             llvm::cl::desc("Another word for algorithm"),
                             llvm::cl::init("")};
  ListOption<std::string> facts{
      *this, "facts",
      llvm::cl::desc("KEY=VALUE: what is otherwise than with this machine")};
  ListOption<std::string> disabled{
      *this, "disable",
      llvm::cl::desc("Transformations that are off (see "
                     "comb-set-transformations)")};
  Option<int64_t> limit{
      *this, "limit",
      llvm::cl::desc("How often the others are applied in all; -1 is no limit"),
      llvm::cl::init(comb::CombSetTransformationsOptions().limit)};
  Option<std::string> math{
      *this, "math",
      llvm::cl::desc("How accurate functions of the math dialect are: precise, "
                     "fast (see comb-expand-math)"),
      llvm::cl::init("precise")};

  /// The pass comb-set-transformations with its options.
  std::string transformations() const {
    comb::CombSetTransformationsOptions options;
    options.disabled.assign(disabled.begin(), disabled.end());
    options.limit = limit;
    return textOf(comb::createCombSetTransformations(options));
  }
};

/// Those of pipelines for CPUs.
struct CodePipelineOptions : public LoweringPipelineOptions {
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("The CPU that code is made for (see comb-set-machine)"),
      llvm::cl::init(comb::CombSetMachineOptions().cpu)};

  /// The pass comb-set-machine with its options.
  std::string machine() const {
    comb::CombSetMachineOptions options;
    options.cpu = cpu;
    options.facts.assign(facts.begin(), facts.end());
    return textOf(comb::createCombSetMachine(options));
  }
};

/// Those of pipelines for GPUs.
struct KernelPipelineOptions : public LoweringPipelineOptions {
  Option<GpuTarget> target{
      *this, "target", llvm::cl::desc("What kernels become"),
      llvm::cl::values(
          clEnumValN(GpuTarget::emulate, "emulate",
                     "they stay in the dialect gpu, which can be emulated"),
          clEnumValN(GpuTarget::nvvm, "nvvm", "PTX"),
          clEnumValN(GpuTarget::rocdl, "rocdl", "AMD's assembly")),
      llvm::cl::init(GpuTarget::emulate)};
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The GPU that code is made for (see comb-set-machine); "
                     "sm_90, or for rocdl gfx942, if none is named"),
      llvm::cl::init("")};
  Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc("The folder of the toolkit that rocdl needs"),
      llvm::cl::init("")};

  std::string gpu() const {
    if (!chip.empty())
      return chip;
    return target == GpuTarget::rocdl ? "gfx942" : "sm_90";
  }

  /// The pass comb-set-machine with its options.
  std::string machine() const {
    comb::CombSetMachineOptions options;
    options.gpu = gpu();
    options.facts.assign(facts.begin(), facts.end());
    return textOf(comb::createCombSetMachine(options));
  }
};

void registerFusePipeline() {
  constexpr StringLiteral name = "comb-fuse";
  if (PassPipelineInfo::lookup(name))
    return;
  registerPassPipeline(
      name, "prepares a program for fusion, and fuses it: see soac-fuse",
      [](OpPassManager &manager, StringRef text,
         function_ref<LogicalResult(const Twine &)> error) {
        FusePipelineOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        StringRef unchecked = options.unchecked ? "true" : "false";
        if (failed(parsePassPipeline(
                ("comb-prepare-fusion{unchecked=" + unchecked + "}").str(),
                manager)))
          return failure();
        manager.addPass(comb::createSoacFuse(options.ofPass()));
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)> handle) {
        handle(FusePipelineOptions());
      });
}

/// Those of canonicalize that comb needs.
struct CanonicalizePipelineOptions
    : public PassPipelineOptions<CanonicalizePipelineOptions> {
  ListOption<std::string> disabledPatterns{
      *this, "disable-patterns",
      llvm::cl::desc("Labels of further patterns that are off")};
  Option<bool> topDown{
      *this, "top-down",
      llvm::cl::desc("Look at ops before those inside of them and behind them"),
      llvm::cl::init(true)};
};

/// The names of patterns hold commas, at which a pipeline's text would be
/// split.
void registerCanonicalizePipeline() {
  constexpr StringLiteral name = "comb-canonicalize";
  if (PassPipelineInfo::lookup(name))
    return;
  registerPassPipeline(
      name, "canonicalize, without upstream's patterns that are wrong",
      [](OpPassManager &manager, StringRef text,
         function_ref<LogicalResult(const Twine &)> error) {
        CanonicalizePipelineOptions options;
        if (failed(options.parseFromString(text)))
          return failure();
        std::vector<std::string> disabled(options.disabledPatterns.begin(),
                                          options.disabledPatterns.end());
        auto receive = [](MlirStringRef pattern, void *disabled) {
          static_cast<std::vector<std::string> *>(disabled)->emplace_back(
              pattern.data, pattern.length);
        };
        combRustUnsoundPatterns(receive, &disabled);
        GreedyRewriteConfig config;
        config.setUseTopDownTraversal(options.topDown);
        manager.addPass(createCanonicalizerPass(config, disabled));
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)> handle) {
        handle(CanonicalizePipelineOptions());
      });
}

LogicalResult build(size_t pipeline, const CombPipelineOptions &options,
                    OpPassManager &manager) {
  std::string text;
  auto receive = [](MlirStringRef part, void *text) {
    static_cast<std::string *>(text)->append(part.data, part.length);
  };
  combRustPipelineText(pipeline, &options, receive, &text);
  return parsePassPipeline(text, manager);
}

LogicalResult build(size_t pipeline, const PipelineOptions &options,
                    OpPassManager &manager) {
  CombPipelineOptions others{};
  others.unchecked = options.unchecked;
  return build(pipeline, others, manager);
}

MlirStringRef reference(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

/// A pipeline with the options that those for all machines have, and others.
LogicalResult build(size_t pipeline, LoweringPipelineOptions &options,
                    CombPipelineOptions others, OpPassManager &manager) {
  if (!options.fusion.empty())
    options.algorithm = options.fusion.getValue();
  std::string fusion =
      options.algorithm == "off" ? std::string() : options.text();
  std::string transformations = options.transformations();
  others.fusion = reference(fusion);
  others.transformations = reference(transformations);
  others.math = reference(options.math);
  others.unchecked = options.unchecked;
  return build(pipeline, others, manager);
}

LogicalResult build(size_t pipeline, CodePipelineOptions &options,
                    OpPassManager &manager) {
  std::string machine = options.machine();
  CombPipelineOptions others{};
  others.machine = reference(machine);
  return build(pipeline, options, others, manager);
}

LogicalResult build(size_t pipeline, KernelPipelineOptions &options,
                    OpPassManager &manager) {
  std::string machine = options.machine();
  std::string chip = options.gpu();
  CombPipelineOptions others{};
  others.machine = reference(machine);
  others.target = options.target;
  others.chip = reference(chip);
  others.toolkit = reference(options.toolkit);
  return build(pipeline, options, others, manager);
}

template <typename Options> void registerPipeline(size_t pipeline) {
  registerPassPipeline(
      combRustPipelineName(pipeline), combRustPipelineDescription(pipeline),
      [pipeline](OpPassManager &manager, StringRef text,
                 function_ref<LogicalResult(const Twine &)> error) {
        Options options;
        if (failed(options.parseFromString(text)))
          return failure();
        return build(pipeline, options, manager);
      },
      [](function_ref<void(const detail::PassOptions &)> handle) {
        handle(Options());
      });
}

} // namespace

extern "C" void combRegisterPipelines() {
  registerAllPasses();
  registerCanonicalizePipeline();
  for (size_t pipeline = 0; pipeline < combRustPipelineCount(); ++pipeline) {
    if (PassPipelineInfo::lookup(combRustPipelineName(pipeline)))
      continue;
    if (combRustPipelineMakesKernels(pipeline))
      registerPipeline<KernelPipelineOptions>(pipeline);
    else if (combRustPipelineMakesCode(pipeline))
      registerPipeline<CodePipelineOptions>(pipeline);
    else
      registerPipeline<PipelineOptions>(pipeline);
  }
  registerFusePipeline();
}
