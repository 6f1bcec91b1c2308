//===- Registration.cpp - What comb's MLIR tools know ---------------------===//

#include "comb/Registration.h"

#include "comb/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "soac/Soac.h"

void comb::registerEverything(mlir::DialectRegistry &registry) {
  combRegisterPasses();
  combRegisterPipelines();
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  registry.insert<soac::SoacDialect>();
}
