/* comb's C API, in a host that registers everything more than once. */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "comb/comb.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

static const char *program =
    "func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
    "  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {\n"
    "    %b = arith.addf %a, %a : f32\n"
    "    soac.yield %b : f32\n"
    "  }\n"
    "  return %y : tensor<?xf32>\n"
    "}\n";

static void print(MlirStringRef text, void *stream) {
  fwrite(text.data, 1, text.length, stream);
}

static MlirStringRef string(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static MlirModule parse(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, string(program));
  assert(!mlirModuleIsNull(module));
  return module;
}

static void print_module(const char *title, MlirModule module) {
  printf("%s\n", title);
  mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
}

/* A pipeline as text; returns whether it ran. */
static int run(MlirContext context, MlirModule module, const char *pipeline) {
  MlirPassManager passes = mlirPassManagerCreate(context);
  int success =
      mlirLogicalResultIsSuccess(
          mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(passes),
                                string(pipeline), print, stdout)) &&
      mlirLogicalResultIsSuccess(
          mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(passes);
  return success;
}

/* Everything that the pipelines need, from comb. */
static void test_pipeline(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  combRegisterPipelineDialects(registry);
  combRegisterPipelineDialects(registry);
  combRegisterDialect(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  MlirModule module = parse(context);
  assert(run(context, module, "builtin.module(comb-cpu)"));
  print_module("after comb-cpu:", module);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

/* The dialect by its handle, upstream's dialects by hand; one pass. */
static void test_pass(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirDialectHandleRegisterDialect(combGetDialectHandle(), context);
  MlirDialect dialect =
      mlirDialectHandleLoadDialect(combGetDialectHandle(), context);
  print(mlirDialectGetNamespace(dialect), stdout);
  printf("\n");

  MlirModule module = parse(context);
  MlirPassManager passes = mlirPassManagerCreate(context);
  mlirPassManagerAddOwnedPass(passes, mlirCreateCombConvertSoacToLinalg());
  assert(mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module))));
  mlirPassManagerDestroy(passes);
  print_module("after convert-soac-to-linalg:", module);
  assert(!run(context, module, "builtin.module(no-such-pass)"));
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

int main(void) {
  mlirRegisterAllPasses();
  for (int i = 0; i < 2; ++i) {
    combRegisterPasses();
    combRegisterPipelines();
    mlirRegisterCombPasses();
    mlirRegisterAllPasses();
  }
  assert(strcmp(combGetVersion(), COMB_VERSION) == 0);
  test_pipeline();
  test_pass();
  return 0;
}
