/*===- comb/comb.h - comb's C API
 * -------------------------------------------===*
 *
 * comb in a compiler that is written in C, in C++, or in any language with a
 * foreign-function interface. Link libcomb_plugin.so (in CMake: Comb::comb) and
 * LLVM 22's libMLIR.so; programs that call MLIR's C API link that as well
 * (Comb::mlir-c).
 *
 * The C++ classes of the dialect are in soac/Soac.h, the passes with their
 * options in comb/Passes.h.
 *
 *===----------------------------------------------------------------------===*/

#ifndef COMB_COMB_H
#define COMB_COMB_H

#include "mlir-c/IR.h"

#include "comb/Version.h"

/* mlirCreateComb...() for each pass, with the default options, and
 * mlirRegisterComb...(). Passes with other options are built from text: see
 * mlirParsePassPipeline. */
#include "comb/Passes.capi.h.inc"

#ifdef __cplusplus
extern "C" {
#endif

/* The soac dialect's handle, for mlirDialectHandleLoadDialect and the like. */
MLIR_CAPI_EXPORTED MlirDialectHandle combGetDialectHandle(void);

/* Adds the soac dialect to a registry, unless it is there already. */
MLIR_CAPI_EXPORTED void combRegisterDialect(MlirDialectRegistry registry);

/* Adds the soac dialect and everything that comb's pipelines need of MLIR:
 * its dialects, with the interfaces for bufferization and inlining. A compiler
 * that registers all of MLIR's dialects and extensions needs only
 * combRegisterDialect. */
MLIR_CAPI_EXPORTED void
combRegisterPipelineDialects(MlirDialectRegistry registry);

/* Makes comb's passes known to mlirParsePassPipeline. */
MLIR_CAPI_EXPORTED void combRegisterPasses(void);

/* Makes comb's pipelines (such as comb-cpu) known to mlirParsePassPipeline,
 * with the upstream passes that they are made of. Call combRegisterPasses
 * too. */
MLIR_CAPI_EXPORTED void combRegisterPipelines(void);

/* The library's version; COMB_VERSION is that of the header. */
MLIR_CAPI_EXPORTED const char *combGetVersion(void);

#ifdef __cplusplus
}
#endif

#endif /* COMB_COMB_H */
