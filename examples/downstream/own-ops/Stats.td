// A dialect with array ops of its own, which say how they are made of
// combinators.

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "soac/SoacInterfaces.td"

def Stats_Dialect : Dialect {
  let name = "stats";
  let cppNamespace = "::stats";
  // Whose ops are built.
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::soac::SoacDialect"];
}

class Stats_Op<string mnemonic>
    : Op<Stats_Dialect, mnemonic,
         [Pure, DeclareOpInterfaceMethods<Soac_ExpandsToSoac>]> {
  let arguments = (ins 1DTensorOf<[F32]>:$x);
  let results = (outs F32:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Stats_SumOfSquaresOp : Stats_Op<"sum_of_squares">;
def Stats_NormOp : Stats_Op<"norm">;

// For each mistake that an implementation can make.
def Stats_MistakenOp : Stats_Op<"mistaken"> {
  let arguments = (ins StrAttr:$mistake, 1DTensorOf<[F32]>:$x);
  let assemblyFormat = "$mistake $x attr-dict `:` type($x)";
}
