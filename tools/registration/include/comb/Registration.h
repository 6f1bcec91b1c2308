//===- Registration.h - What comb's MLIR tools know -----------------------===//

#ifndef COMB_REGISTRATION_H
#define COMB_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace comb {

/// Registers comb's passes and pipelines and those of MLIR, and adds comb's
/// dialect, those of MLIR and their extensions to the registry.
void registerEverything(mlir::DialectRegistry &registry);

} // namespace comb

#endif // COMB_REGISTRATION_H
