//===- NestReductions.h - What is tried of loop nests ---------------------===//

#ifndef COMB_NEST_REDUCTIONS_H
#define COMB_NEST_REDUCTIONS_H

#include "mlir/IR/DialectRegistry.h"

namespace comb {

/// Has the reducer leave out ops that change what is carried: kernels, loops,
/// filters, folds, scans and writes.
void addNestReductions(mlir::DialectRegistry &registry);

} // namespace comb

#endif // COMB_NEST_REDUCTIONS_H
