//===- Bridge.h - From ODS hooks to their implementation in Rust ----------===//
//
// What ODS generates are C++ hooks; what they compute is written in Rust, in
// dialects/soac/src. The functions here hand over the op's parts through
// MLIR's C API. Nothing is decided here.
//
//===----------------------------------------------------------------------===//

#ifndef SOAC_BRIDGE_H
#define SOAC_BRIDGE_H

#include "mlir/IR/PatternMatch.h"
#include "soac/Soac.h"

namespace soac::bridge {

llvm::LogicalResult verify(mlir::Operation *op);

/// Of which of an op's values an attribute speaks, if not of the op.
enum class Holder : int32_t { op, parameter, result };

llvm::LogicalResult verifyAttribute(mlir::Operation *op, Holder holder,
                                    unsigned index,
                                    mlir::NamedAttribute attribute);

llvm::LogicalResult inferReturnTypes(llvm::StringRef name,
                                     mlir::MLIRContext *context,
                                     std::optional<mlir::Location> location,
                                     mlir::ValueRange operands,
                                     mlir::DictionaryAttr attributes,
                                     mlir::RegionRange regions,
                                     llvm::SmallVectorImpl<mlir::Type> &types);

bool areCompatible(mlir::TypeRange inferred, mlir::TypeRange actual);

llvm::LogicalResult
reifyResultShapes(mlir::Operation *op, mlir::OpBuilder &builder,
                  mlir::ReifiedRankedShapedTypeDims &shapes);

mlir::Speculation::Speculatability getSpeculatability(mlir::Operation *op);

void populateCanonicalizations(llvm::StringRef name,
                               mlir::RewritePatternSet &patterns);

llvm::LogicalResult fold(mlir::Operation *op,
                         llvm::ArrayRef<mlir::Attribute> operands,
                         llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

/// A lambda may run any number of times; none of its arguments is an operand,
/// and none of the op's results is a yielded value.
void lambdaSuccessors(mlir::Operation *op,
                      llvm::SmallVectorImpl<mlir::RegionSuccessor> &successors);

/// A cluster's body runs once, from its operands to its results.
void clusterSuccessors(
    mlir::Operation *op, mlir::RegionBranchPoint point,
    llvm::SmallVectorImpl<mlir::RegionSuccessor> &successors);

/// Adds the inherent attributes, which may still be in `properties`.
template <typename Op>
llvm::LogicalResult
inferReturnTypes(mlir::MLIRContext *context,
                 std::optional<mlir::Location> location,
                 mlir::ValueRange operands, mlir::DictionaryAttr attributes,
                 mlir::OpaqueProperties properties, mlir::RegionRange regions,
                 llvm::SmallVectorImpl<mlir::Type> &types) {
  mlir::NamedAttrList all(attributes);
  if constexpr (!std::is_same_v<typename Op::Properties,
                                mlir::EmptyProperties>) {
    if (properties) {
      auto &inherent = *properties.as<typename Op::Properties *>();
      if (auto attribute = Op::getPropertiesAsAttr(context, inherent))
        for (auto entry : llvm::cast<mlir::DictionaryAttr>(attribute))
          all.set(entry.getName(), entry.getValue());
    }
  }
  return inferReturnTypes(Op::getOperationName(), context, location, operands,
                          all.getDictionary(context), regions, types);
}

} // namespace soac::bridge

#endif // SOAC_BRIDGE_H
