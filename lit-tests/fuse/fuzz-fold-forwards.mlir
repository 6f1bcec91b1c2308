// The loops in which a fold reduces go forwards: it does not share them with a right
// scan, whatever that would save.

// RUN: comb-opt %s --comb-prepare-fusion '--soac-fuse=cost=clusters' | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: soac.scanr
// CHECK-NOT: soac.cluster {{.*}} writes [-1, 1]
// CHECK-NOT: soac.cluster {{.*}} writes [1, -1]
// CHECK: return
func.func @main(%xs: tensor<?xi32>) -> (tensor<i32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %squares = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %y = arith.muli %x, %x : i32
    soac.yield %y : i32
  }
  %sum = soac.fold %squares neutral %zero : (tensor<?xi32>, i32) -> tensor<i32>
      (%l: i32, %r: i32) {
    %s = arith.addi %l, %r : i32
    soac.yield %s : i32
  }
  %sums = soac.scanr %squares neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%l: i32, %r: i32) {
    %s = arith.addi %l, %r : i32
    soac.yield %s : i32
  }
  return %sum, %sums : tensor<i32>, tensor<?xi32>
}
