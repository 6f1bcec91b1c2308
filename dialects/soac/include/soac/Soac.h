//===- Soac.h - The soac dialect ------------------------------------------===//
//
// The generated C++ classes of the soac dialect and its ops.
//
//===----------------------------------------------------------------------===//

#ifndef SOAC_SOAC_H
#define SOAC_SOAC_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "soac/SoacDialect.h.inc"

#include "soac/SoacEnums.h.inc"

#include "soac/SoacInterfaces.h.inc"

#define GET_OP_CLASSES
#include "soac/SoacOps.h.inc"

#endif // SOAC_SOAC_H
