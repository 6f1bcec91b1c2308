//===- Dialect.cpp - The soac dialect -------------------------------------===//

#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/InliningUtils.h"
#include "soac/Assembly.h"
#include "soac/Bridge.h"
#include "soac/Soac.h"

using namespace mlir;

#include "soac/SoacDialect.cpp.inc"

#include "soac/SoacEnums.cpp.inc"

#include "soac/SoacInterfaces.cpp.inc"

using soac::parseLambda;
using soac::parseOptionalLambda;
using soac::printLambda;
using soac::printOptionalLambda;

#define GET_OP_CLASSES
#include "soac/SoacOps.cpp.inc"

namespace {

/// Functions with combinators can be inlined anywhere, also into lambdas.
struct SoacInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

void soac::SoacDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "soac/SoacOps.cpp.inc"
      >();
  addInterfaces<SoacInliner>();
}

LogicalResult
soac::SoacDialect::verifyOperationAttribute(Operation *op,
                                            NamedAttribute attribute) {
  return bridge::verifyAttribute(op, bridge::Holder::op, 0, attribute);
}

LogicalResult soac::SoacDialect::verifyRegionArgAttribute(
    Operation *op, unsigned, unsigned index, NamedAttribute attribute) {
  return bridge::verifyAttribute(op, bridge::Holder::parameter, index,
                                 attribute);
}

LogicalResult soac::SoacDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned index, NamedAttribute attribute) {
  return bridge::verifyAttribute(op, bridge::Holder::result, index, attribute);
}

MutableOperandRange
soac::YieldOp::getMutableSuccessorOperands(RegionSuccessor successor) {
  if (successor.isParent() && isa<ClusterOp>((*this)->getParentOp()))
    return getValuesMutable();
  return MutableOperandRange(*this, /*start=*/0, /*length=*/0);
}

void soac::ExternalOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto declared = static_cast<uint32_t>(getEffects());
  if (declared & static_cast<uint32_t>(ExternalEffects::read))
    effects.emplace_back(MemoryEffects::Read::get());
  if (declared & static_cast<uint32_t>(ExternalEffects::write))
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult
soac::NeededOp::bufferize(RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &,
                          bufferization::BufferizationState &) {
  rewriter.eraseOp(*this);
  return success();
}

LogicalResult
soac::ExternalOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getCalleeAttr());
  if (!function)
    return emitOpError("callee ") << getCalleeAttr() << " is not a function";
  auto type =
      FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
  if (function.getFunctionType() != type)
    return emitOpError("calls ")
           << getCalleeAttr() << " as " << type << ", but it is declared "
           << function.getFunctionType();
  return success();
}

extern "C" void soacRegisterDialect(MlirDialectRegistry registry) {
  // Another copy of the dialect in the process may be registered already: a
  // host that contains the dialect and also loads the plugin. MLIR aborts if
  // the second one is inserted.
  if (!unwrap(registry)->getDialectAllocator(
          soac::SoacDialect::getDialectNamespace()))
    unwrap(registry)->insert<soac::SoacDialect>();
}

extern "C" {
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Soac, soac);
}
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Soac, soac, ::soac::SoacDialect)
