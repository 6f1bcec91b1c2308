//===- Nest.h - The nest dialect ------------------------------------------===//
//
// The generated C++ classes of the nest dialect and its ops.
//
//===----------------------------------------------------------------------===//

#ifndef NEST_NEST_H
#define NEST_NEST_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "nest/NestDialect.h.inc"

#define GET_OP_CLASSES
#include "nest/NestOps.h.inc"

#endif // NEST_NEST_H
