/* The same compiler in C: reads MLIR with combinators, and writes the LLVM
 * dialect.
 *
 *   c-compiler FILE.mlir
 */

#include <stdbool.h>
#include <stdio.h>

#include "comb/comb.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

static void print(MlirStringRef text, void *stream) {
  fwrite(text.data, 1, text.length, stream);
}

/* Returns false, with a message, if the program cannot be compiled. */
static bool compile(MlirContext context, MlirOperation module) {
  MlirPassManager passes = mlirPassManagerCreate(context);
  MlirLogicalResult result = mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(passes),
      mlirStringRefCreateFromCString("builtin.module(comb-cpu)"), print,
      stderr);
  if (mlirLogicalResultIsSuccess(result))
    result = mlirPassManagerRunOnOp(passes, module);
  mlirPassManagerDestroy(passes);
  return mlirLogicalResultIsSuccess(result);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: c-compiler FILE.mlir\n");
    return 2;
  }

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  combRegisterPipelineDialects(registry);
  combRegisterPasses();
  combRegisterPipelines();
  MlirContext context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);

  MlirModule module = mlirModuleCreateParseFromFile(
      context, mlirStringRefCreateFromCString(argv[1]));
  bool compiled = false;
  if (!mlirModuleIsNull(module)) {
    compiled = compile(context, mlirModuleGetOperation(module));
    if (compiled)
      mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return compiled ? 0 : 1;
}
