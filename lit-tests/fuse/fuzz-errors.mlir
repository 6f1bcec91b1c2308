// S4: an element that nothing reads need not be computed, even if that would fail.

// RUN: comb-opt %s --comb-prepare-fusion '--soac-fuse=cost=reads+writes' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @element(
// CHECK: soac.cluster
// CHECK: soac.map {{.*}}soac.orders = array<i64: 2>
// CHECK: soac.check
// CHECK: soac.gather {{.*}}label = 2
func.func @element(%xs: tensor<?xindex>, %ys: tensor<?xi32>, %is: tensor<?xindex>) -> tensor<?xi32> {
  %parts = soac.map %xs : (tensor<?xindex>) -> tensor<?xi32> (%x: index) {
    %y = tensor.extract %ys[%x] : tensor<?xi32>
    soac.yield %y : i32
  }
  %some = soac.gather %parts at %is : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  return %some : tensor<?xi32>
}

// -----

// CHECK-LABEL: func.func @index(
// CHECK: soac.cluster
// CHECK: soac.gather {{.*}} {label = 2 : i64, soac.orders = array<i64: 3>}
// CHECK: soac.gather {{.*}} {label = 3 : i64}
func.func @index(%xs: tensor<?xi32>, %is: tensor<?xindex>, %js: tensor<?xindex>)
    -> tensor<?xi32> {
  %some = soac.gather %xs at %is : (tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
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
