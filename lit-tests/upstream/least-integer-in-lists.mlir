// The constant, which says that no constant is there, is written into the list of strides. That ends
// with a crash, or with an error of the verifier.
// RUN: rm -f %t.failed
// RUN: %mlir_opt %s --canonicalize || touch %t.failed
// RUN: test -e %t.failed

func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %k = arith.constant -9223372036854775808 : index
  %c1 = arith.constant 1 : index
  %r = tensor.extract_slice %x[%c1] [%c1] [%k] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
