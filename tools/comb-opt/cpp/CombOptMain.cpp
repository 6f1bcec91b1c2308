//===- CombOptMain.cpp - mlir-opt with comb's dialect and passes ----------===//

#include "comb/Registration.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

extern "C" int combOptMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  comb::registerEverything(registry);
  return mlir::failed(
      mlir::MlirOptMain(argc, argv, "comb optimizer driver\n", registry));
}
