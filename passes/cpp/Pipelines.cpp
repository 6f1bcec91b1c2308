//===- Pipelines.cpp - comb's pass pipelines ------------------------------===//
//
// A pipeline is text (passes/src/pipelines.rs); here it is given to MLIR's
// registry, with the upstream passes that it names.
//
//===----------------------------------------------------------------------===//

#include "comb/Passes.h"

#include "mlir-c/Support.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

/// The Rust side: the pipelines' count, and each one's NUL-terminated name,
/// description and text.
extern "C" {
size_t combRustPipelineCount();
const char *combRustPipelineName(size_t pipeline);
const char *combRustPipelineDescription(size_t pipeline);
/// Whether the pipeline has the options `math` and `fma`.
bool combRustPipelineExpandsMath(size_t pipeline);
void combRustPipelineText(size_t pipeline, bool unchecked, MlirStringRef math,
                          bool fma, MlirStringCallback write, void *data);
}

namespace {

struct PipelineOptions : public PassPipelineOptions<PipelineOptions> {
  Option<bool> unchecked{
      *this, "unchecked",
      llvm::cl::desc("Take for granted that the program does not fail: no "
                     "run-time checks (behaviour is undefined if it does)"),
      llvm::cl::init(false)};
};

/// Those of pipelines down to machine code.
struct CodePipelineOptions : public PipelineOptions {
  Option<std::string> math{
      *this, "math",
      llvm::cl::desc("How accurate functions of the math dialect are: precise, "
                     "fast (see comb-expand-math)"),
      llvm::cl::init("precise")};
  Option<bool> fma{
      *this, "fma",
      llvm::cl::desc("Take the CPU to multiply and add in one instruction"),
      llvm::cl::init(false)};
};

std::string pipelineText(size_t pipeline, bool unchecked, StringRef math,
                         bool fma) {
  std::string text;
  auto write = [](MlirStringRef part, void *text) {
    static_cast<std::string *>(text)->append(part.data, part.length);
  };
  combRustPipelineText(pipeline, unchecked,
                       mlirStringRefCreate(math.data(), math.size()), fma,
                       write, &text);
  return text;
}

LogicalResult buildPipeline(size_t pipeline, OpPassManager &manager,
                            StringRef options) {
  if (!combRustPipelineExpandsMath(pipeline)) {
    PipelineOptions parsed;
    if (failed(parsed.parseFromString(options)))
      return failure();
    return parsePassPipeline(
        pipelineText(pipeline, parsed.unchecked, "", false), manager);
  }
  CodePipelineOptions parsed;
  if (failed(parsed.parseFromString(options)))
    return failure();
  return parsePassPipeline(
      pipelineText(pipeline, parsed.unchecked, parsed.math, parsed.fma),
      manager);
}

/// Those of soac-fuse that are asked for often, and those of the pipeline
/// itself.
struct FusePipelineOptions : public PassPipelineOptions<FusePipelineOptions> {
  comb::SoacFuseOptions defaults;
  Option<bool> unchecked{
      *this, "unchecked",
      llvm::cl::desc("Take for granted that the program does not fail: no "
                     "run-time checks (behaviour is undefined if it does)"),
      llvm::cl::init(false)};
  Option<std::string> cost{*this, "cost",
                           llvm::cl::desc("What is to be as low as possible"),
                           llvm::cl::init(defaults.cost)};
  Option<std::string> algorithm{*this, "algorithm", llvm::cl::desc("How"),
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
  Option<bool> recomputation{*this, "recomputation",
                             llvm::cl::desc("Pay for work that is done again"),
                             llvm::cl::init(defaults.recomputation)};

  comb::SoacFuseOptions ofPass() const {
    return {cost,   algorithm,    solver,    formulation,  timeLimit,
            levels, maxArguments, maxMemory, recomputation};
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

} // namespace

extern "C" void combRegisterPipelines() {
  registerAllPasses();
  for (size_t pipeline = 0; pipeline < combRustPipelineCount(); ++pipeline) {
    StringRef name = combRustPipelineName(pipeline);
    if (PassPipelineInfo::lookup(name))
      continue;
    auto build = [pipeline](OpPassManager &manager, StringRef options,
                            function_ref<LogicalResult(const Twine &)> error) {
      return buildPipeline(pipeline, manager, options);
    };
    registerPassPipeline(
        name, combRustPipelineDescription(pipeline), build,
        [pipeline](function_ref<void(const detail::PassOptions &)> handle) {
          if (combRustPipelineExpandsMath(pipeline))
            handle(CodePipelineOptions());
          else
            handle(PipelineOptions());
        });
  }
  registerFusePipeline();
}
