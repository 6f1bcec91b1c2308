//===- Bridge.cpp - What MLIR's C API and Rust lack -----------------------===//
//
// Parsing from memory under a file's name, the names of ops and CPUs, what LLVM
// calls when there is no memory, what it is at work on, and how it orders the
// instructions of large blocks. Nothing else is decided here.
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>
#include <cstring>
#include <new>

using namespace mlir;

/// Parses text or bytecode. The copy is aligned as bytecode wants it. Verifier
/// errors do not print the op, which may be the whole module.
extern "C" MlirModule combParseModule(MlirContext context, MlirStringRef source,
                                      MlirStringRef name, bool verify) {
  unwrap(context)->printOpOnDiagnostic(false);
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      source.length, unwrap(name), llvm::Align(4096));
  if (!buffer)
    return {nullptr};
  std::memcpy(buffer->getBufferStart(), source.data, source.length);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  ParserConfig config(unwrap(context), verify);
  return wrap(parseSourceFile<ModuleOp>(sources, config).release());
}

/// Gives the names of all dialects, and of the ops of some of them, which are
/// loaded for it.
extern "C" void combVocabulary(MlirContext wrapped, intptr_t count,
                               const MlirStringRef *dialects,
                               void (*push)(bool isOp, MlirStringRef, void *),
                               void *target) {
  MLIRContext *context = unwrap(wrapped);
  for (StringRef name : context->getAvailableDialects())
    push(false, wrap(name), target);
  for (const MlirStringRef &name : llvm::ArrayRef(dialects, count))
    context->getOrLoadDialect(unwrap(name));
  for (RegisteredOperationName name : context->getRegisteredOperations())
    push(true, wrap(name.getStringRef()), target);
}

/// Whether LLVM knows the CPU of a registered target.
static std::unique_ptr<llvm::MCSubtargetInfo>
subtarget(const llvm::Triple &triple, StringRef cpu, StringRef features) {
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(triple, cpu, features));
}

extern "C" bool combIsCpu(MlirStringRef triple, MlirStringRef cpu) {
  auto info = subtarget(llvm::Triple(unwrap(triple)), "", "");
  return info && info->isCPUStringValid(unwrap(cpu));
}

/// Whether a CPU with additional features has another one that LLVM knows.
extern "C" bool combHasFeature(MlirStringRef triple, MlirStringRef cpu,
                               MlirStringRef features, MlirStringRef feature) {
  auto info =
      subtarget(llvm::Triple(unwrap(triple)), unwrap(cpu), unwrap(features));
  auto isAsked = [&](const llvm::SubtargetFeatureKV &known) {
    return unwrap(feature) == known.Key;
  };
  return info && llvm::any_of(info->getAllProcessorFeatures(), isAsked) &&
         info->checkFeatures(("+" + unwrap(feature)).str());
}

/// Calls a function that does not return when LLVM or C++ has no memory.
extern "C" void combOnOutOfMemory(void (*handler)()) {
  static void (*installed)() = nullptr;
  installed = handler;
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { installed(); });
  std::set_new_handler(handler);
}

/// Writes what LLVM is at work on in this thread, innermost first, a line each,
/// as far as it fits. May be called by a signal handler.
extern "C" size_t combWorkOfThread(char *text, size_t size) {
  llvm::SmallString<1024> work;
  llvm::raw_svector_ostream stream(work);
  auto *entry = static_cast<const llvm::PrettyStackTraceEntry *>(
      llvm::SavePrettyStackState());
  for (; entry && work.size() < size; entry = entry->getNextEntry())
    entry->print(stream);
  size_t length = std::min(size, work.size());
  std::memcpy(text, work.data(), length);
  return length;
}
