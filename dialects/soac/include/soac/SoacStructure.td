//===- SoacStructure.td - Clusters, terminator and run-time checks --------===//

#ifndef SOAC_STRUCTURE_TD
#define SOAC_STRUCTURE_TD

include "soac/SoacDialect.td"

def Soac_ClusterOp : Soac_ArrayOp<"cluster", [
    SingleBlock, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<RegionBranchOpInterface,
                              ["getEntrySuccessorOperands"]>]> {
  let summary = "combinators that run as one loop nest";
  let description = [{
    The result of fusion: the combinators in its body run as one loop nest.
    They mean the same without the cluster, so that erasing it (its arguments
    replaced by the inputs, its results by the yielded arrays) gives the same
    program.

    `input_orders` (`reads`) and `output_orders` (`writes`), where given, say in
    which order the cluster's loop traverses each array: 0 left to right, 1
    right to left, 2 and above the label of a gather, -1 if it does not. A
    cluster inside a cluster shares one more loop, inside the other's.
    docs/src/clusters.md says what loops and orders mean.

    Example:

    ```mlir
    %z = soac.cluster %x : (tensor<?xf32>) -> tensor<?xf32> (%a: tensor<?xf32>) {
      %b = soac.map %a : (tensor<?xf32>) -> tensor<?xf32> (%e: f32) {
        %s = arith.addf %e, %e : f32
        soac.yield %s : f32
      }
      soac.yield %b : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Soac_Array>:$inputs,
                       OptionalAttr<DenseI64ArrayAttr>:$input_orders,
                       OptionalAttr<DenseI64ArrayAttr>:$output_orders);
  let results = (outs Variadic<Soac_Array>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($inputs^)? (`reads` $input_orders^)? (`writes` $output_orders^)? attr-dict
    `:` functional-type($inputs, results) custom<Lambda>($body)
  }];

  code clusterDefinition = [{
    void $cppClass::getSuccessorRegions(
        ::mlir::RegionBranchPoint point,
        ::llvm::SmallVectorImpl<::mlir::RegionSuccessor> &successors) {
      ::soac::bridge::clusterSuccessors(*this, point, successors);
    }
    ::mlir::OperandRange $cppClass::getEntrySuccessorOperands(
        ::mlir::RegionSuccessor) {
      return getInputs();
    }
  }];
  let extraClassDefinition = !strconcat(
      verifyDefinition, shapeDefinition, inferenceDefinition,
      canonicalizationDefinition, clusterDefinition);
}

def Soac_YieldOp : Soac_Op<"yield", [
    Pure, Terminator,
    ParentOneOf<["GenerateOp", "MapOp", "ScatterOp", "FoldOp", "ScanlOp",
                 "ScanrOp", "FilterOp", "SortOp", "BackpermuteOp",
                 "ClusterOp"]>,
    DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface,
                              ["getMutableSuccessorOperands"]>]> {
  let summary = "what a lambda returns";
  let description = [{
    Ends a lambda with the values that it returns.

    Example:

    ```mlir
    soac.yield %a, %b : f32, i32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Soac_CheckOp : Soac_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "a run-time check";
  let description = [{
    Ends the program with a message if the condition is false. Each `{}` in the
    message stands for the next of the values. Compiled code hands the message,
    with the op's location in front, to the runtime library's error handler.

    Example:

    ```mlir
    soac.check %equal, "sizes {} and {} differ" (%n, %m)
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message,
                       Variadic<Index>:$values);
  let hasCanonicalizer = 1;
  let assemblyFormat = [{
    $condition `,` $message (`(` $values^ `)`)? attr-dict
  }];
  let extraClassDefinition =
      !strconcat(verifyDefinition, canonicalizationDefinition);
}

#endif // SOAC_STRUCTURE_TD
