// What has no form as loops stays for `convert-soac-to-linalg`: maps over inner arrays, and
// updates that begin somewhere.

// RUN: comb-opt %s --comb-fuse --convert-soac-to-loops | FileCheck %s
// DEFINE: %{same} = %python %S/Inputs/same.py %s

// RUN: %{same} rows iota:i32[2,9] | FileCheck %s --check-prefix=ROWS
// ROWS: result: tensor<2xi32> = [36 117]
// CHECK-LABEL: func.func @rows(
// CHECK:         soac.map %{{.*}} outer 1
// CHECK:         return
func.func @rows(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %y = soac.map %x outer 1 : (tensor<?x?xi32>) -> tensor<?xi32> (%row: tensor<?xi32>) {
    %s = soac.fold %row neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
      %c = arith.addi %a, %b : i32
      soac.yield %c : i32
    }
    %e = tensor.extract %s[] : tensor<i32>
    soac.yield %e : i32
  }
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
