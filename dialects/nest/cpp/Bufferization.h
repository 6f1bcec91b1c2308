//===- Bufferization.h - From value form to memory form -------------------===//

#ifndef NEST_BUFFERIZATION_H
#define NEST_BUFFERIZATION_H

#include "mlir/IR/MLIRContext.h"

namespace nest {

/// Has the dialect's ops say what bufferization needs to know.
void attachBufferization(mlir::MLIRContext &context);

} // namespace nest

#endif // NEST_BUFFERIZATION_H
