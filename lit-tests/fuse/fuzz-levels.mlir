// Loops that are never shared keep their orders, too.

// RUN: comb-opt %s --comb-prepare-fusion '--soac-fuse=cost=clusters levels=1' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @scan(
// CHECK: soac.cluster
// CHECK: soac.scanr
// CHECK-NOT: soac.orders
// CHECK: return
func.func @scan(%xs: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %squares = soac.map %xs : (tensor<?x?xi32>) -> tensor<?x?xi32> (%x: i32) {
    %y = arith.muli %x, %x : i32
    soac.yield %y : i32
  }
  %sums = soac.scanr %squares neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?x?xi32>
      (%l: i32, %r: i32) {
    %s = arith.addi %l, %r : i32
    soac.yield %s : i32
  }
  return %sums : tensor<?x?xi32>
}

// -----

// CHECK-LABEL: func.func @transposed(
// CHECK: soac.cluster
// CHECK: soac.map {{.*}} {soac.orders = array<i64: 2, 2>}
// CHECK: soac.backpermute {{.*}} {label = 2 : i64}
func.func @transposed(%xs: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %squares = soac.map %xs : (tensor<?x?xi32>) -> tensor<?x?xi32> (%x: i32) {
    %y = arith.muli %x, %x : i32
    soac.yield %y : i32
  }
  %transposed = soac.transpose %squares [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return %transposed : tensor<?x?xi32>
}
