// Errors are not lost: what may fail is not computed in the order of a gather, which
// may leave elements out. It is fused with what needs all of it.

// RUN: comb-opt %s --comb-prepare-fusion '--soac-fuse=cost=reads+writes' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @division(
// CHECK-NOT: soac.cluster
func.func @division(%xs: tensor<?xi32>, %is: tensor<?xindex>) -> tensor<?xi32> {
  %seven = arith.constant 7 : i32
  %parts = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %y = arith.divsi %seven, %x : i32
    soac.yield %y : i32
  }
  %some = soac.gather %parts at %is unchecked
      : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %some : tensor<?xi32>
}

// -----

// CHECK-LABEL: func.func @index(
// CHECK-NOT: soac.cluster
func.func @index(%xs: tensor<?xi32>, %is: tensor<?xindex>, %js: tensor<?xindex>)
    -> tensor<?xi32> {
  %some = soac.gather %xs at %is : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %fewer = soac.gather %some at %js : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %fewer : tensor<?xi32>
}

// -----

// CHECK-LABEL: func.func @unchecked(
// CHECK: soac.cluster
// CHECK: soac.gather {{.*}} unchecked {label = 2 : i64, soac.orders = array<i64: 3>}
// CHECK: soac.gather {{.*}} {label = 3 : i64}
func.func @unchecked(%xs: tensor<?xi32>, %is: tensor<?xindex>, %js: tensor<?xindex>)
    -> tensor<?xi32> {
  %some = soac.gather %xs at %is unchecked : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %fewer = soac.gather %some at %js : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %fewer : tensor<?xi32>
}

// -----

// Checks in lambdas do not keep their order with others.

// CHECK-LABEL: func.func @two_clusters(
// CHECK: soac.cluster
// CHECK-COUNT-2: soac.map
// CHECK: soac.yield %{{.*}} : tensor<?xi32>
func.func @two_clusters(%xs: tensor<?xi32>, %ys: tensor<?xi32>)
    -> (tensor<?xi32>, tensor<?xi32>) {
  %seven = arith.constant 7 : i32
  %a = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %y = arith.divsi %seven, %x : i32
    soac.yield %y : i32
  }
  %b = soac.map %ys : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %y = arith.divsi %seven, %x : i32
    soac.yield %y : i32
  }
  %c = soac.map %a : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %y = arith.divsi %seven, %x : i32
    soac.yield %y : i32
  }
  return %b, %c : tensor<?xi32>, tensor<?xi32>
}
