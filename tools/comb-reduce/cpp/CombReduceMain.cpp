//===- CombReduceMain.cpp - mlir-reduce with comb's dialect and passes ----===//

#include "NestReductions.h"
#include "comb/Registration.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

extern "C" int combReduceMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  comb::registerEverything(registry);
  comb::addNestReductions(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
