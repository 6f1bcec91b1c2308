// The dialect's C++ classes in another compiler: building an op, looking at it,
// and a pass with options.

#include <cassert>

#include "comb/Passes.h"
#include "soac/Soac.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

int main() {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, soac::SoacDialect, soac::SoacDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  OpBuilder builder(&context);
  Location location = builder.getUnknownLoc();

  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  builder.setInsertionPointToEnd(module->getBody());
  auto type =
      RankedTensorType::get({ShapedType::kDynamic, 4}, builder.getF32Type());
  auto function = func::FuncOp::create(builder, location, "f",
                                       builder.getFunctionType({type}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  Value x = function.getArgument(0);

  // Result types are inferred.
  auto turned = soac::TransposeOp::create(builder, location, ValueRange{x},
                                          ArrayRef<int64_t>{1, 0},
                                          /*label=*/IntegerAttr());
  llvm::outs() << "transposed: " << turned.getResult(0).getType() << "\n";
  func::ReturnOp::create(builder, location);
  assert(succeeded(verify(*module)));

  // Type ids agree with the library's.
  unsigned found = 0;
  module->walk([&](soac::TransposeOp) { ++found; });
  Operation *op = turned;
  assert(found == 1 && isa<soac::TransposeOp>(op) && !isa<soac::MapOp>(op));
  assert(isa<InferTypeOpInterface>(op) && isMemoryEffectFree(op));

  PassManager passes(&context);
  passes.addPass(comb::createSoacInsertChecks());
  passes.addPass(comb::createConvertSoacToLinalg());
  if (failed(passes.run(*module)))
    return 1;
  llvm::outs() << *module << "\n";
}
