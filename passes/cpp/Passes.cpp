//===- Passes.cpp - From pass classes to their implementation in Rust -----===//
//
// One class for each pass of Passes.td, which passes/build/cpp.rs generates;
// each calls its Rust function. Nothing is decided here.
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
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "nest/Nest.h"
#include "soac/Soac.h"

namespace comb {
#include "comb/PassDefinitions.inc"
#include "comb/Passes.h.inc"
} // namespace comb

using namespace mlir;

/// The Rust side (passes/src/bridge.rs): runs the pass of a name on an op, with
/// a dictionary of options, and tells what it counted. Returns whether it
/// succeeded; it has emitted a diagnostic if not.
extern "C" bool combRustRunPass(MlirStringRef pass, MlirOperation op,
                                MlirAttribute options,
                                void (*count)(MlirStringRef, int64_t, void *),
                                void *data);

namespace {

/// The options of a pass, by their names.
class Options {
public:
  explicit Options(MLIRContext &context) : builder(&context) {}

  void add(StringRef name, bool value) {
    attributes.set(name, builder.getBoolAttr(value));
  }
  void add(StringRef name, int64_t value) {
    attributes.set(name, builder.getI64IntegerAttr(value));
  }
  void add(StringRef name, double value) {
    attributes.set(name, builder.getF64FloatAttr(value));
  }
  void add(StringRef name, const std::string &value) {
    attributes.set(name, builder.getStringAttr(value));
  }
  void addList(StringRef name, ArrayRef<std::string> values) {
    SmallVector<StringRef> texts(values.begin(), values.end());
    attributes.set(name, builder.getStrArrayAttr(texts));
  }

  DictionaryAttr dictionary() const {
    return attributes.getDictionary(builder.getContext());
  }

private:
  Builder builder;
  NamedAttrList attributes;
};

/// Runs a pass in Rust, and has it count what is to be counted.
template <typename SomePass>
bool runInRust(SomePass &pass, Operation *op, const Options &options) {
  auto count = [](MlirStringRef name, int64_t number, void *pass) {
    static_cast<SomePass *>(pass)->count(unwrap(name), number);
  };
  StringRef name = SomePass::getArgumentName();
  return combRustRunPass(wrap(name), wrap(op), wrap(options.dictionary()),
                         count, &pass);
}

/// What a pass needs of a context before it runs: nothing, for most.
template <typename> struct Preparation {
  static void run(MLIRContext *) {}
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

struct ConvertNestToGPU;
template <> struct Preparation<ConvertNestToGPU> {
  static void run(MLIRContext *context) {
    context->getOrLoadDialect<gpu::GPUDialect>();
    std::optional<RegisteredOperationName> name =
        RegisteredOperationName::lookup(gpu::LaunchFuncOp::getOperationName(),
                                        context);
    if (name && !name->hasInterface<MemoryEffectOpInterface>())
      gpu::LaunchFuncOp::attachInterface<LaunchEffects>(*context);
  }
};

#include "comb/PassClasses.inc"

} // namespace

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
