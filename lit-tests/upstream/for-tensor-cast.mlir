// The canonicaliser takes it that an array which a loop carries keeps the size that the loop begins
// with.

// RUN: %mlir_opt %s --canonicalize | FileCheck %s

func.func private @next() -> tensor<?xi32>

// CHECK-LABEL: func.func @f(
// CHECK:         scf.for {{.*}} -> (tensor<10xi32>)
// CHECK:           %[[NEXT:.*]] = func.call @next
// CHECK:           %[[CLAIM:.*]] = tensor.cast %[[NEXT]] : tensor<?xi32> to tensor<10xi32>
// CHECK:           scf.yield %[[CLAIM]]
func.func @f(%first: tensor<10xi32>, %rounds: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %known = tensor.cast %first : tensor<10xi32> to tensor<?xi32>
  %last = scf.for %i = %c0 to %rounds step %c1 iter_args(%b = %known) -> tensor<?xi32> {
    %next = func.call @next() : () -> tensor<?xi32>
    scf.yield %next : tensor<?xi32>
  }
  return %last : tensor<?xi32>
}
