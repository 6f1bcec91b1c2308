// Loops inside those of a label: what is computed in them is complete behind them.

// RUN: comb-opt %s --comb-prepare-fusion '--soac-fuse=cost=manifest recomputation=false' -o %t
// RUN: FileCheck %s --input-file %t
// RUN: comb run --target interp %t --entry folded -i arg0=iota:i32[3] | FileCheck %s --check-prefix FOLDED
// RUN: comb run --target interp %t --entry rows -i arg0=iota:i32[3] -i arg1=iota:index[3] | FileCheck %s --check-prefix ROWS

// CHECK-LABEL: func.func @folded(
// CHECK: soac.orders = array<i64: 2, 2, 0>
// CHECK: soac.orders = array<i64: 2, 2>
// FOLDED: = 8
func.func @folded(%xs: tensor<3xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : index
  %one = arith.constant 1 : index
  %wide = soac.backpermute %xs [3, 2, 4] unchecked : (tensor<3xi32>) -> tensor<3x2x4xi32>
      (%i: index, %j: index, %k: index) {
    soac.yield %i : index
  }
  %sums = soac.fold %wide neutral %zero : (tensor<3x2x4xi32>, i32) -> tensor<3x2xi32>
      (%l: i32, %r: i32) {
    %s = arith.addi %l, %r : i32
    soac.yield %s : i32
  }
  %element = soac.backpermute %sums [] unchecked : (tensor<3x2xi32>) -> tensor<i32> () {
    soac.yield %two, %one : index, index
  }
  return %element : tensor<i32>
}

// CHECK-LABEL: func.func @rows(
// CHECK: soac.orders = array<i64: 2, 0>
// CHECK: soac.map {{.*}} outer 1 {soac.orders = array<i64: 2>}
// ROWS: [ 0  4 16]
func.func @rows(%xs: tensor<3xi32>, %is: tensor<3xindex>) -> tensor<3xi32> {
  %zero = arith.constant 0 : i32
  %wide = soac.backpermute %xs [3, 2] unchecked : (tensor<3xi32>) -> tensor<3x2xi32>
      (%i: index, %j: index) {
    soac.yield %i : index
  }
  %sums = soac.map %wide outer 1 : (tensor<3x2xi32>) -> tensor<3xi32> (%row: tensor<2xi32>) {
    %sum = soac.fold %row neutral %zero : (tensor<2xi32>, i32) -> tensor<i32>
        (%l: i32, %r: i32) {
      %s = arith.addi %l, %r : i32
      soac.yield %s : i32
    }
    %s = tensor.extract %sum[] : tensor<i32>
    %t = arith.muli %s, %s : i32
    soac.yield %t : i32
  }
  %some = soac.gather %sums at %is unchecked : (tensor<3xi32>, tensor<3xindex>) -> tensor<3xi32>
  return %some : tensor<3xi32>
}
