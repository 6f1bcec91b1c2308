// What the switch gives is one of the two arrays, and both are read later; yet it is written to in place.
// `comb-separate-arrays` is there for that.

// RUN: %mlir_opt %s --one-shot-bufferize="bufferize-function-boundaries test-analysis-only" | FileCheck %s
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "true", "none"]}
func.func @f(%x: tensor<?xi32>, %y: tensor<?xi32>, %k: index, %v: i32) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : index
  %one = scf.index_switch %k -> tensor<?xi32>
  case 3 { scf.yield %x : tensor<?xi32> }
  default { scf.yield %y : tensor<?xi32> }
  %r = tensor.insert %v into %one[%zero] : tensor<?xi32>
  return %r, %x, %y : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
