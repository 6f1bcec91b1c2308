//===- CombLspServerMain.cpp - mlir-lsp-server with comb's dialect --------===//

#include "comb/Registration.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

extern "C" int combLspServerMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  comb::registerEverything(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
