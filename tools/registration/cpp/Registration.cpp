//===- Registration.cpp - What comb's MLIR tools know ---------------------===//

#include "comb/Registration.h"

#include "comb/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "nest/Nest.h"
#include "soac/Soac.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstdio>
#include <cstdlib>

/// Has LLVM's fatal errors, such as a full disk, reported like other errors.
extern "C" void combReportFatalErrors() {
  llvm::install_fatal_error_handler([](void *, const char *message, bool) {
    std::fprintf(stderr, "error: %s\n", message);
    std::_Exit(1);
  });
}

void comb::registerEverything(mlir::DialectRegistry &registry) {
  combRegisterPasses();
  combRegisterPipelines();
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  registry.insert<nest::NestDialect, soac::SoacDialect>();
}
