// From the second iteration on, the array that is written to is the first one from outside, which is read
// later; yet it is written to in place. `comb-separate-arrays` is there for that.

// RUN: %mlir_opt %s --one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops test-analysis-only" | FileCheck %s
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
// CHECK: scf.condition{{.*}} {__inplace_operands_attr__ = ["none", "true", "true"]}
func.func @f(%x: tensor<1xi32>, %y: tensor<1xi32>, %k: i1, %v: i32) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) {
  %zero = arith.constant 0 : index
  %r, %s = scf.while (%w = %y) : (tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>) {
    %n = tensor.insert %v into %w[%zero] : tensor<1xi32>
    scf.condition(%k) %n, %x : tensor<1xi32>, tensor<1xi32>
  } do {
  ^bb0(%a: tensor<1xi32>, %b: tensor<1xi32>):
    scf.yield %b : tensor<1xi32>
  }
  return %r, %s, %x : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>
}
