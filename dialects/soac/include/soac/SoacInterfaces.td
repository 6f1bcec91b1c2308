//===- SoacInterfaces.td - What other dialects' ops may say ---------------===//
//
// Interfaces for ops of other compilers, by which they take part in fusion.
//
//===----------------------------------------------------------------------===//

#ifndef SOAC_INTERFACES_TD
#define SOAC_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Soac_ExpandsToSoac : OpInterface<"ExpandsToSoac"> {
  let cppNamespace = "::soac";
  let description = [{
    An op of another dialect that is made of combinators. The pass
    `comb-expand-ops`, which prepares programs for fusion, replaces it by them,
    so that it shares loops with its neighbours.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds what the op computes with `builder`, which is placed in front of
      the op, and gives a value for each of its results. A value has the type of
      its result; it may leave open sizes that the result's type says, and say
      others.

      What is built may be of any dialect that comb compiles, and ops with this
      interface may be among it. Its run-time checks are inserted later. The op
      itself must stay as it is. In case of failure, the implementation has said
      why.
    }],
    "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "expandToSoac",
    (ins "::mlir::OpBuilder &":$builder)>
  ];
}

#endif // SOAC_INTERFACES_TD
