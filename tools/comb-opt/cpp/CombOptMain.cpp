//===- CombOptMain.cpp - mlir-opt with comb's dialect and passes ----------===//

#include "comb/Registration.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace mlir;

namespace {
/// A program as the parser takes it (src/input.rs).
struct Input {
  /// Bytes that live as long as the process.
  const char *bytes;
  size_t size;
  bool isStablehlo;
};
} // namespace

/// Looks at a file's content; false if it is refused, which has been said.
extern "C" bool combOptInput(const char *name, size_t nameSize,
                             const char *bytes, size_t size, Input *input);

/// Says what the author of a program that was refused may have meant.
extern "C" void combOptHints(const char *name, size_t nameSize,
                             const char *bytes, size_t size);

/// Whether the driver knows what MLIR's parser was to take.
static bool canHint(int argc, char **argv, const MlirOptMainConfig &config) {
  auto loadsDialects = [](StringRef argument) {
    return argument.ltrim('-').starts_with("load-dialect-plugin");
  };
  return !config.shouldAllowUnregisteredDialects() &&
         !config.shouldVerifyDiagnostics() &&
         config.inputSplitMarker().empty() &&
         none_of(ArrayRef(argv, argc), loadsDialects);
}

/// The program to be parsed. Programs in StableHLO, of which MLIR knows no
/// dialect, are verified when a pass has converted them.
static std::unique_ptr<MemoryBuffer> open(StringRef name,
                                          MlirOptMainConfig &config) {
  if (name == "-" && sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to "
              "interrupt)\n";
  std::string message;
  std::unique_ptr<MemoryBuffer> file = openInputFile(name, &message);
  if (!file) {
    WithColor::error() << message << "\n";
    return nullptr;
  }
  Input input;
  StringRef content = file->getBuffer();
  StringRef shown = file->getBufferIdentifier();
  if (!combOptInput(shown.data(), shown.size(), content.data(), content.size(),
                    &input))
    return nullptr;
  if (input.isStablehlo)
    config.allowUnregisteredDialects(true).verifyOnParsing(false);
  return MemoryBuffer::getMemBufferCopy(StringRef(input.bytes, input.size),
                                        shown);
}

/// MlirOptMain, with another way to open the input.
static LogicalResult run(int argc, char **argv) {
  InitLLVM initLLVM(argc, argv);
  DialectRegistry registry;
  comb::registerEverything(registry);
  auto [inputName, outputName] = registerAndParseCLIOptions(
      argc, argv, "comb optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return MlirOptMain(argc, argv, inputName, outputName, registry);
  std::unique_ptr<MemoryBuffer> buffer = open(inputName, config);
  if (!buffer)
    return failure();
  std::string message;
  std::unique_ptr<ToolOutputFile> output = openOutputFile(outputName, &message);
  if (!output) {
    WithColor::error() << message << "\n";
    return failure();
  }
  std::unique_ptr<MemoryBuffer> copy = MemoryBuffer::getMemBufferCopy(
      buffer->getBuffer(), buffer->getBufferIdentifier());
  if (failed(MlirOptMain(output->os(), std::move(buffer), registry, config))) {
    StringRef name = copy->getBufferIdentifier(), text = copy->getBuffer();
    if (canHint(argc, argv, config))
      combOptHints(name.data(), name.size(), text.data(), text.size());
    return failure();
  }
  output->keep();
  return success();
}

extern "C" int combOptMain(int argc, char **argv) {
  return asMainReturnCode(run(argc, argv));
}
