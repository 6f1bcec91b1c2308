//===- Bridge.cpp - From ODS hooks to their implementation in Rust --------===//

#include "soac/Bridge.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// The Rust side (dialects/soac/src/bridge.rs)
//===----------------------------------------------------------------------===//

extern "C" {

/// coefficient * (size of `operand` along `axis`), or, if `axis` is negative,
/// coefficient * (value of `operand`).
struct SoacTerm {
  int64_t coefficient;
  intptr_t operand;
  intptr_t axis;
};

struct SoacExtent {
  int64_t constant;
  intptr_t termCount;
  const SoacTerm *terms;
};

bool soacRustVerify(MlirOperation op, MlirAttribute attributes);

bool soacRustInferTypes(MlirStringRef name, MlirLocation location,
                        intptr_t operandCount, const MlirValue *operands,
                        MlirAttribute attributes, intptr_t regionCount,
                        const MlirRegion *regions,
                        void (*push)(MlirType, void *), void *types);

bool soacRustVerifyAttribute(MlirOperation op, int32_t holder, intptr_t index,
                             MlirStringRef name, MlirAttribute value);

bool soacRustReifyShapes(MlirOperation op, MlirAttribute attributes,
                         void (*push)(intptr_t, const SoacExtent *, void *),
                         void *shapes);

int32_t soacRustSpeculatability(MlirOperation op, MlirAttribute attributes);

void soacRustPopulateCanonicalizations(MlirStringRef name, MlirContext context,
                                       MlirRewritePatternSet patterns);

bool soacRustFold(MlirOperation op, MlirAttribute attributes,
                  intptr_t operandCount, const MlirAttribute *operands,
                  void (*pushValue)(MlirValue, void *), void *results);
}

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

static MlirAttribute attributesOf(Operation *op) {
  return wrap(Attribute(op->getAttrDictionary()));
}

LogicalResult soac::bridge::verify(Operation *op) {
  return success(soacRustVerify(wrap(op), attributesOf(op)));
}

LogicalResult soac::bridge::verifyAttribute(Operation *op, Holder holder,
                                            unsigned index,
                                            NamedAttribute attribute) {
  return success(soacRustVerifyAttribute(
      wrap(op), static_cast<int32_t>(holder), index,
      wrap(attribute.getName().getValue()), wrap(attribute.getValue())));
}

LogicalResult soac::bridge::inferReturnTypes(
    StringRef name, MLIRContext *context, std::optional<Location> location,
    ValueRange operands, DictionaryAttr attributes, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  SmallVector<MlirValue> wrappedOperands;
  for (Value operand : operands)
    wrappedOperands.push_back(wrap(operand));
  SmallVector<MlirRegion> wrappedRegions;
  for (Region *region : regions)
    wrappedRegions.push_back(wrap(region));
  auto push = [](MlirType type, void *types) {
    static_cast<SmallVectorImpl<Type> *>(types)->push_back(unwrap(type));
  };
  return success(soacRustInferTypes(
      wrap(name), wrap(location.value_or(UnknownLoc::get(context))),
      wrappedOperands.size(), wrappedOperands.data(),
      wrap(Attribute(attributes)), wrappedRegions.size(), wrappedRegions.data(),
      push, &types));
}

bool soac::bridge::areCompatible(TypeRange inferred, TypeRange actual) {
  return succeeded(verifyCompatibleShapes(inferred, actual)) &&
         llvm::all_of(llvm::zip_equal(inferred, actual), [](auto pair) {
           return getElementTypeOrSelf(std::get<0>(pair)) ==
                  getElementTypeOrSelf(std::get<1>(pair));
         });
}

/// The extent as an attribute, or as a value computed by `builder`.
static OpFoldResult materialize(const SoacExtent &extent, Operation *op,
                                OpBuilder &builder) {
  AffineExpr sum = builder.getAffineConstantExpr(extent.constant);
  SmallVector<OpFoldResult> symbols;
  for (const SoacTerm &term : llvm::ArrayRef(extent.terms, extent.termCount)) {
    Value operand = op->getOperand(term.operand);
    sum = sum + builder.getAffineSymbolExpr(symbols.size()) * term.coefficient;
    symbols.push_back(
        term.axis < 0
            ? OpFoldResult(operand)
            : tensor::getMixedSize(builder, op->getLoc(), operand, term.axis));
  }
  return affine::makeComposedFoldedAffineApply(
      builder, op->getLoc(), AffineMap::get(0, symbols.size(), sum), symbols);
}

LogicalResult
soac::bridge::reifyResultShapes(Operation *op, OpBuilder &builder,
                                ReifiedRankedShapedTypeDims &shapes) {
  struct State {
    Operation *op;
    OpBuilder &builder;
    ReifiedRankedShapedTypeDims &shapes;
  } state{op, builder, shapes};
  auto push = [](intptr_t rank, const SoacExtent *extents, void *opaque) {
    auto &state = *static_cast<State *>(opaque);
    auto &shape = state.shapes.emplace_back();
    for (const SoacExtent &extent : llvm::ArrayRef(extents, rank))
      shape.push_back(materialize(extent, state.op, state.builder));
  };
  return success(soacRustReifyShapes(wrap(op), attributesOf(op), push, &state));
}

Speculation::Speculatability soac::bridge::getSpeculatability(Operation *op) {
  switch (soacRustSpeculatability(wrap(op), attributesOf(op))) {
  case 0:
    return Speculation::NotSpeculatable;
  case 1:
    return Speculation::RecursivelySpeculatable;
  default:
    return Speculation::Speculatable;
  }
}

void soac::bridge::populateCanonicalizations(StringRef name,
                                             RewritePatternSet &patterns) {
  soacRustPopulateCanonicalizations(wrap(name), wrap(patterns.getContext()),
                                    wrap(&patterns));
}

/// Upstream's C API cannot label patterns.
extern "C" void soacLabelLastPattern(MlirRewritePatternSet patterns,
                                     MlirStringRef label) {
  unwrap(patterns)->getNativePatterns().back()->addDebugLabels(unwrap(label));
}

LogicalResult soac::bridge::fold(Operation *op, ArrayRef<Attribute> operands,
                                 SmallVectorImpl<OpFoldResult> &results) {
  SmallVector<MlirAttribute> wrapped;
  for (Attribute operand : operands)
    wrapped.push_back(wrap(operand));
  auto pushValue = [](MlirValue value, void *results) {
    static_cast<SmallVectorImpl<OpFoldResult> *>(results)->push_back(
        unwrap(value));
  };
  return success(soacRustFold(wrap(op), attributesOf(op), wrapped.size(),
                              wrapped.data(), pushValue, &results));
}

void soac::bridge::lambdaSuccessors(
    Operation *op, SmallVectorImpl<RegionSuccessor> &successors) {
  for (Region &region : op->getRegions())
    if (!region.empty())
      successors.push_back(RegionSuccessor(&region));
  successors.push_back(RegionSuccessor(op, op->getResults().take_front(0)));
}

void soac::bridge::clusterSuccessors(
    Operation *op, RegionBranchPoint point,
    SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.push_back(
        RegionSuccessor(&op->getRegion(0), op->getRegion(0).getArguments()));
  else
    successors.push_back(RegionSuccessor(op, op->getResults()));
}
