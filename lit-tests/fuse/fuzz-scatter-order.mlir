// A scatter writes in the order of its sources, so that it does not go backwards
// with a right scan, unless its function does not mind.

// RUN: comb-opt %s --comb-prepare-fusion --soac-fuse=cost=clusters --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @difference(
// CHECK-NOT: soac.orders
// CHECK: soac.scatter
// CHECK-NOT: soac.orders
// CHECK: return
func.func @difference(%xs: tensor<?xf32>, %is: tensor<?xindex>, %into: tensor<3xf32>)
    -> (tensor<?xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %squares = soac.map %xs : (tensor<?xf32>) -> tensor<?xf32> (%x: f32) {
    %y = arith.mulf %x, %x : f32
    soac.yield %y : f32
  }
  %sums = soac.scanr %squares neutral %zero : (tensor<?xf32>, f32) -> tensor<?xf32>
      (%l: f32, %r: f32) {
    %s = arith.addf %l, %r : f32
    soac.yield %s : f32
  }
  %updated = soac.scatter %squares into %into at %is unchecked
      : (tensor<?xf32>, tensor<3xf32>, tensor<?xindex>) -> tensor<3xf32> (%old: f32, %new: f32) {
    %s = arith.subf %new, %old : f32
    soac.yield %s : f32
  }
  return %sums, %updated : tensor<?xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @sum(
// CHECK: soac.cluster {{.*}} writes [1, -1]
// CHECK: soac.map {{.*}} {soac.orders = array<i64: 1>}
// CHECK-DAG: soac.scanr
// CHECK-DAG: soac.scatter {{.*}} {soac.orders = array<i64: 1>}
func.func @sum(%xs: tensor<?xi32>, %is: tensor<?xindex>, %into: tensor<3xi32>)
    -> (tensor<?xi32>, tensor<3xi32>) {
  %zero = arith.constant 0 : i32
  %squares = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %y = arith.muli %x, %x : i32
    soac.yield %y : i32
  }
  %sums = soac.scanr %squares neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%l: i32, %r: i32) {
    %s = arith.addi %l, %r : i32
    soac.yield %s : i32
  }
  %updated = soac.scatter %squares into %into at %is unchecked
      : (tensor<?xi32>, tensor<3xi32>, tensor<?xindex>) -> tensor<3xi32> (%old: i32, %new: i32) {
    %s = arith.addi %new, %old : i32
    soac.yield %s : i32
  }
  return %sums, %updated : tensor<?xi32>, tensor<3xi32>
}

// -----

// It has an order for each dimension of the sources, however many there are of the
// destination.

// CHECK-LABEL: func.func @rows(
// CHECK: soac.scanr
// CHECK: soac.scatter {{.*}} {soac.orders = array<i64: 0, 1>}
func.func @rows(%xs: tensor<?x?xi32>, %is: tensor<?x?xindex>, %into: tensor<3xi32>)
    -> (tensor<?x?xi32>, tensor<3xi32>) {
  %zero = arith.constant 0 : i32
  %sums = soac.scanr %xs neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?x?xi32>
      (%l: i32, %r: i32) {
    %s = arith.addi %l, %r : i32
    soac.yield %s : i32
  }
  %updated = soac.scatter %sums into %into at %is unchecked
      : (tensor<?x?xi32>, tensor<3xi32>, tensor<?x?xindex>) -> tensor<3xi32>
      (%old: i32, %new: i32) {
    %s = arith.addi %new, %old : i32
    soac.yield %s : i32
  }
  return %sums, %updated : tensor<?x?xi32>, tensor<3xi32>
}
