//===- SoacMemory.td - Arrays that loops read and overwrite ---------------===//
//
// What convert-soac-to-loops says of arrays whose memory its loops use, until
// bufferization knows where each array is.
//
//===----------------------------------------------------------------------===//

#ifndef SOAC_MEMORY_TD
#define SOAC_MEMORY_TD

include "soac/SoacDialect.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"

// Both ops have effects, so that nothing removes them, moves them or makes one
// of two that look the same.
class Soac_MemoryOp<string mnemonic, list<Trait> traits = []>
    : Op<Soac_Dialect, mnemonic, !listconcat([
          MemoryEffects<[MemRead, MemWrite]>,
          DeclareOpInterfaceMethods<BufferizableOpInterface,
              ["bufferizesToMemoryRead", "bufferizesToMemoryWrite",
               "getAliasingValues", "bufferize"]>], traits)> {
  code analysisDefinition = [{
    bool $cppClass::bufferizesToMemoryRead(
        ::mlir::OpOperand &, const ::mlir::bufferization::AnalysisState &) {
      return true;
    }
    ::mlir::bufferization::AliasingValueList $cppClass::getAliasingValues(
        ::mlir::OpOperand &, const ::mlir::bufferization::AnalysisState &) {
      return {};
    }
  }];
}

def Soac_ClaimOp : Soac_MemoryOp<"claim", [
    SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let summary = "the memory of an array, to be overwritten";
  let description = [{
    The contiguous memory of an array, for code that writes to it. Bufferization
    gives the array's own memory if nobody needs the array behind this op, and a
    copy if somebody does. Each op claims memory of its own, also where two of
    them have the same array.

    `bufferization.to_buffer` would be taken for an op that only computes: two
    of the same array would become one, and two writers would write to the same
    memory.

    Example:

    ```mlir
    %memory = soac.claim %array : tensor<?xf32> to memref<?xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$array);
  let results = (outs AnyStridedMemRef:$memory);
  let assemblyFormat = [{
    $array attr-dict `:` type($array) `to` type($memory)
  }];
  let extraClassDefinition = !strconcat(analysisDefinition, [{
    bool $cppClass::bufferizesToMemoryWrite(
        ::mlir::OpOperand &, const ::mlir::bufferization::AnalysisState &) {
      return true;
    }
  }]);
}

def Soac_NeededOp : Soac_MemoryOp<"needed"> {
  let summary = "arrays whose memory is read up to here";
  let description = [{
    Says that code in front of this op reads the memory of these arrays. So
    bufferization does not let anything before it write to that memory, however
    the ops have been moved or merged that the code has the memory from. The op
    does nothing.

    Example:

    ```mlir
    %memory = bufferization.to_buffer %array read_only : tensor<?xf32> to memref<?xf32>
    %element = memref.load %memory[%i] : memref<?xf32>
    soac.needed %array : tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$arrays);
  let assemblyFormat = "$arrays attr-dict `:` type($arrays)";
  let extraClassDefinition = !strconcat(analysisDefinition, [{
    bool $cppClass::bufferizesToMemoryWrite(
        ::mlir::OpOperand &, const ::mlir::bufferization::AnalysisState &) {
      return false;
    }
  }]);
}

#endif // SOAC_MEMORY_TD
