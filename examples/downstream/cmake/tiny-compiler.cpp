// A compiler with comb in it: reads MLIR with combinators, compiles them, and
// writes LLVM IR.
//
//   tiny-compiler FILE.mlir

#include "comb/Passes.h"
#include "soac/Soac.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 2)
    return llvm::errs() << "usage: tiny-compiler FILE.mlir\n", 2;

  // What the compiler knows: MLIR's dialects, and comb's.
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registry.insert<soac::SoacDialect>();
  combRegisterPasses();
  combRegisterPipelines();
  mlir::MLIRContext context(registry);

  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto module =
      mlir::parseSourceFile<mlir::ModuleOp>(argv[1], sources, &context);
  if (!module)
    return 1;

  // The dialect's ops are C++ classes.
  module->walk([](soac::MapOp map) {
    map.emitRemark() << "a map of " << map.getInputs().size() << " arrays";
  });

  mlir::PassManager passes(&context);
  if (failed(mlir::parsePassPipeline("comb-cpu", passes)) ||
      failed(passes.run(*module)))
    return 1;

  llvm::LLVMContext llvmContext;
  auto code = mlir::translateModuleToLLVMIR(*module, llvmContext, argv[1]);
  if (!code)
    return 1;
  code->print(llvm::outs(), /*AAW=*/nullptr);
}
