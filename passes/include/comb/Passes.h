//===- Passes.h - comb's passes and pipelines -----------------------------===//

#ifndef COMB_PASSES_H
#define COMB_PASSES_H

#include "mlir/Pass/Pass.h"

#include <limits>

namespace comb {

#define GEN_PASS_DECL
#include "comb/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "comb/Passes.h.inc"

} // namespace comb

extern "C" {
/// Adds comb's passes to the registry of passes. More than once does no harm.
void combRegisterPasses();

/// Adds comb's pipelines, and the upstream passes they are made of. More than
/// once does no harm.
void combRegisterPipelines();
}

#endif // COMB_PASSES_H
