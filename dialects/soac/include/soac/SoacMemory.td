//===- SoacMemory.td - Arrays whose memory is read ------------------------===//
//
// What convert-soac-sorts-to-loops says of arrays whose memory its loops read,
// until bufferization knows where each array is.
//
//===----------------------------------------------------------------------===//

#ifndef SOAC_MEMORY_TD
#define SOAC_MEMORY_TD

include "soac/SoacDialect.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"

// The op has effects, so that nothing removes it, moves it or makes one of two
// that look the same.
def Soac_NeededOp : Op<Soac_Dialect, "needed", [
    MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<BufferizableOpInterface,
        ["bufferizesToMemoryRead", "bufferizesToMemoryWrite",
         "getAliasingValues", "bufferize"]>]> {
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
  let extraClassDefinition = [{
    bool $cppClass::bufferizesToMemoryRead(
        ::mlir::OpOperand &, const ::mlir::bufferization::AnalysisState &) {
      return true;
    }
    bool $cppClass::bufferizesToMemoryWrite(
        ::mlir::OpOperand &, const ::mlir::bufferization::AnalysisState &) {
      return false;
    }
    ::mlir::bufferization::AliasingValueList $cppClass::getAliasingValues(
        ::mlir::OpOperand &, const ::mlir::bufferization::AnalysisState &) {
      return {};
    }
  }];
}

#endif // SOAC_MEMORY_TD
