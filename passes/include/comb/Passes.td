//===- Passes.td - comb's passes ------------------------------------------===//
//
// Names, options and documentation of every pass. What a pass does is a Rust
// function (see passes/src), called by the bridge in passes/cpp.
//
//===----------------------------------------------------------------------===//

#ifndef COMB_PASSES_TD
#define COMB_PASSES_TD

include "mlir/Pass/PassBase.td"

def SoacInsertChecks : Pass<"soac-insert-checks", "::mlir::ModuleOp"> {
  let summary = "makes run-time checks explicit";
  let description = [{
    Inserts a `soac.check` in front of every op of the dialect for each of its
    requirements that is not known to hold when the program is compiled: shapes
    that must agree, sizes that must not be negative, slices that must lie
    inside their array. Indices of gathers and scatters are not touched; they
    are checked where they are used.

    Integer division, shifts, conversions from floating point and
    `tensor.extract` in functions that use the dialect get the defined behaviour
    that docs/semantics describes: a check, or arithmetic without undefined
    results.
  }];
  let statistics = [
    Statistic<"checksInserted", "checks-inserted", "Number of checks inserted">,
    Statistic<"checksProven", "checks-proven",
              "Number of requirements that are known to hold">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvertSoacToLinalg : Pass<"convert-soac-to-linalg", "::mlir::ModuleOp"> {
  let summary = "lowers combinators to linalg, scf and tensor ops";
  let description = [{
    Lowers every op of the dialect except `soac.check`, on tensors:
    structured ops to `linalg.generic`, the others to `scf` loops. Indices of
    gathers, scatters and backpermutes are checked in the loops unless the op is
    `unchecked`. Expects that `soac-insert-checks` has run; what an op requires
    of its operands is taken for granted.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def CombMarkEntryPoints : Pass<"comb-mark-entry-points", "::mlir::ModuleOp"> {
  let summary = "gives public functions the interface that callers rely on";
  let description = [{
    Public functions are what C programs and the tools call: they get MLIR's C
    interface (`llvm.emit_c_interface`), and their array arguments are marked
    `bufferization.writable = false`, so that a call never changes its inputs.
    Private functions stay as they are; bufferization decides for them.
  }];
}

def CombLowerCopies : Pass<"comb-lower-copies", "::mlir::ModuleOp"> {
  let summary = "lowers strided copies to loops";
  let description = [{
    Lowers every `memref.copy` whose source or target is not contiguous to a
    `linalg.generic`, which needs no library function and is optimised together
    with the code around it. Contiguous copies stay: they become `memcpy`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def ConvertSoacChecksToLLVM : Pass<"convert-soac-checks-to-llvm", "::mlir::ModuleOp"> {
  let summary = "lowers run-time checks to calls of the runtime library";
  let description = [{
    Lowers `soac.check` to a branch to `comb_runtime_fail`, a function of comb's
    runtime library that does not return. The message starts with the op's
    location.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

#endif // COMB_PASSES_TD
