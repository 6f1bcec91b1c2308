//===- Pipelines.cpp - comb's pass pipelines ------------------------------===//
//
// A pipeline is text (passes/src/pipelines.rs); here it is given to MLIR's
// registry, with the upstream passes that it names.
//
//===----------------------------------------------------------------------===//

#include "comb/Passes.h"

#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

/// The Rust side: the pipelines' count, and each one's NUL-terminated name,
/// description and text.
extern "C" {
size_t combRustPipelineCount();
const char *combRustPipelineName(size_t pipeline);
const char *combRustPipelineDescription(size_t pipeline);
const char *combRustPipelineText(size_t pipeline, bool unchecked);
}

namespace {

struct PipelineOptions : public PassPipelineOptions<PipelineOptions> {
  Option<bool> unchecked{
      *this, "unchecked",
      llvm::cl::desc("Take for granted that the program does not fail: no "
                     "run-time checks (behaviour is undefined if it does)"),
      llvm::cl::init(false)};
};

} // namespace

extern "C" void combRegisterPipelines() {
  registerAllPasses();
  for (size_t pipeline = 0; pipeline < combRustPipelineCount(); ++pipeline) {
    StringRef name = combRustPipelineName(pipeline);
    if (PassPipelineInfo::lookup(name))
      continue;
    auto build = [pipeline](OpPassManager &manager, StringRef options,
                            function_ref<LogicalResult(const Twine &)> error) {
      PipelineOptions parsed;
      if (failed(parsed.parseFromString(options)))
        return failure();
      return parsePassPipeline(combRustPipelineText(pipeline, parsed.unchecked),
                               manager);
    };
    registerPassPipeline(
        name, combRustPipelineDescription(pipeline), build,
        [](function_ref<void(const detail::PassOptions &)> handle) {
          handle(PipelineOptions());
        });
  }
}
