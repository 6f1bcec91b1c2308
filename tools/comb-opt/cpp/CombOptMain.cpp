//===- CombOptMain.cpp - mlir-opt with comb's dialect and passes ----------===//

#include "comb/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "soac/Soac.h"

extern "C" int combOptMain(int argc, char **argv) {
  combRegisterPasses();
  combRegisterPipelines();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  registry.insert<soac::SoacDialect>();
  return mlir::failed(
      mlir::MlirOptMain(argc, argv, "comb optimizer driver\n", registry));
}
