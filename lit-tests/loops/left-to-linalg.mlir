// What has no form as loops stays for `convert-soac-to-linalg`: updates that begin somewhere, or
// backwards.

// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops | FileCheck %s
// DEFINE: %{same} = %python %S/Inputs/same.py %s

// RUN: %{same} backwards iota:i32[5] iota:i32[3] | FileCheck %s --check-prefix=BACKWARDS
// BACKWARDS: result: tensor<5xi32> = [4 1 2 3 0]
// CHECK-LABEL: func.func @backwards(
// CHECK:         = soac.update
// CHECK:         return
func.func @backwards(%x: tensor<?xi32>, %z: tensor<?xi32>) -> tensor<?xi32> {
  %d = soac.map %z : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.update %d into %x at [4] strides [-2] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// CHECK-LABEL: func.func @sum(
// CHECK-NOT:     soac.
// CHECK:         return
func.func @sum(%x: tensor<?xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}
