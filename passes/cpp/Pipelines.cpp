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
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

/// The Rust side: the pipelines' count, each one's NUL-terminated name and
/// description, and whether it goes down to machine code. Its text takes
/// options as names, each with its value, and is what is wrong with them if
/// they are: that returns whether they are good.
extern "C" {
size_t combRustPipelineCount();
const char *combRustPipelineName(size_t pipeline);
const char *combRustPipelineDescription(size_t pipeline);
bool combRustPipelineMakesCode(size_t pipeline);
bool combRustPipelineMakesKernels(size_t pipeline);
bool combRustPipelineText(size_t pipeline, const MlirStringRef (*options)[2],
                          size_t count, MlirStringCallback receive, void *data);
/// The names of upstream patterns that simplify wrongly.
void combRustUnsoundPatterns(MlirStringCallback receive, void *data);
}

namespace {

/// A pass with its options.
std::string textOf(std::unique_ptr<Pass> pass) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  pass->printAsTextualPipeline(stream);
  return text;
}

#include "comb/PipelineOptions.inc"

/// The options of a pipeline as Rust reads them.
class Texts {
public:
  void add(StringRef name, std::string text) {
    texts.emplace_back(name, std::move(text));
  }

  /// The text of a pipeline with them, or what is wrong with them.
  std::pair<std::string, bool> of(size_t pipeline) const {
    std::vector<std::array<MlirStringRef, 2>> pairs;
    for (const auto &[name, text] : texts)
      pairs.push_back(
          {wrap(name), mlirStringRefCreate(text.data(), text.size())});
    std::string text;
    auto receive = [](MlirStringRef part, void *text) {
      static_cast<std::string *>(text)->append(part.data, part.length);
    };
    auto *data = reinterpret_cast<const MlirStringRef(*)[2]>(pairs.data());
    bool good =
        combRustPipelineText(pipeline, data, pairs.size(), receive, &text);
    return {text, good};
  }

private:
  std::vector<std::pair<StringRef, std::string>> texts;
};

struct PipelineOptions : public PassPipelineOptions<PipelineOptions> {
  Option<bool> unchecked{
      *this, "unchecked",
      llvm::cl::desc("Take for granted that the program does not fail: no "
                     "run-time checks (behaviour is undefined if it does)"),
      llvm::cl::init(false)};
};

/// Those of comb-fuse.
struct FusePipelineOptions : public PipelineOptions {
  SoacFuseInPipeline fuse{*this};
};

/// Those of pipelines down to code for any machine.
struct LoweringPipelineOptions : public FusePipelineOptions {
  Option<std::string> fusion{*this, "fusion",
                             llvm::cl::desc("Another word for algorithm"),
                             llvm::cl::init("")};
  ListOption<std::string> facts{
      *this, "facts",
      llvm::cl::desc("KEY=VALUE: what is otherwise than with this machine")};
  CombSetTransformationsInPipeline transformations{*this};
  Option<std::string> math{
      *this, "math",
      llvm::cl::desc("How accurate functions of the math dialect are: precise, "
                     "fast (see comb-expand-math)"),
      llvm::cl::init("precise")};
};

/// Those of pipelines for CPUs.
struct CodePipelineOptions : public LoweringPipelineOptions {
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("The CPU that code is made for (see comb-set-machine)"),
      llvm::cl::init(comb::CombSetMachineOptions().cpu)};
};

/// Those of pipelines for GPUs.
struct KernelPipelineOptions : public LoweringPipelineOptions {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("What kernels become: emulate (they stay in the dialect "
                     "gpu, which can be emulated), nvvm (PTX), rocdl (AMD's "
                     "assembly)"),
      llvm::cl::init("emulate")};
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The GPU that code is made for (see comb-set-machine); "
                     "sm_90, or for rocdl gfx942, if none is named"),
      llvm::cl::init("")};
  Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc("The folder of the toolkit that rocdl needs"),
      llvm::cl::init("")};
};

void textsOf(PipelineOptions &options, Texts &texts) {
  texts.add("unchecked", options.unchecked ? "true" : "false");
}

void textsOf(LoweringPipelineOptions &options, Texts &texts) {
  textsOf(static_cast<PipelineOptions &>(options), texts);
  if (!options.fusion.empty())
    options.fuse.algorithm = options.fusion.getValue();
  if (options.fuse.algorithm != "off")
    texts.add("fusion", options.fuse.text());
  texts.add("transformations", options.transformations.text());
  texts.add("math", options.math);
}

void textsOf(CodePipelineOptions &options, Texts &texts) {
  textsOf(static_cast<LoweringPipelineOptions &>(options), texts);
  comb::CombSetMachineOptions machine;
  machine.cpu = options.cpu;
  machine.facts.assign(options.facts.begin(), options.facts.end());
  texts.add("machine", textOf(comb::createCombSetMachine(machine)));
}

void textsOf(KernelPipelineOptions &options, Texts &texts) {
  textsOf(static_cast<LoweringPipelineOptions &>(options), texts);
  texts.add("facts",
            llvm::join(options.facts.begin(), options.facts.end(), ","));
  texts.add("target", options.target);
  texts.add("chip", options.chip);
  texts.add("toolkit", options.toolkit);
}

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
        manager.addPass(comb::createSoacFuse(options.fuse.ofPass()));
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

template <typename Options> void registerPipeline(size_t pipeline) {
  registerPassPipeline(
      combRustPipelineName(pipeline), combRustPipelineDescription(pipeline),
      [pipeline](OpPassManager &manager, StringRef text,
                 function_ref<LogicalResult(const Twine &)> error) {
        Options options;
        if (failed(options.parseFromString(text)))
          return failure();
        Texts texts;
        textsOf(options, texts);
        auto [passes, good] = texts.of(pipeline);
        return good ? parsePassPipeline(passes, manager) : error(passes);
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
