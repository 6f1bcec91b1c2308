// What the user wants to share loops, or not.

// RUN: comb-opt %s --comb-fuse | FileCheck %s --implicit-check-not=" = soac."

// The last map is fused with what it reads.
// CHECK-LABEL: func.func @apart(
// CHECK: = soac.map
// CHECK: = soac.cluster {{.*}}reads [0] writes [0] :
// CHECK:   = soac.map
// CHECK:   = soac.map
// CHECK: soac.yield {{.*}}: tensor
func.func @apart(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %as = soac.map %xs {soac.apart = "pair"} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %bs = soac.map %as {soac.apart = "pair"} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  %cs = soac.map %bs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.shli %x, %x : i32
    soac.yield %r : i32
  }
  return %cs : tensor<?xi32>
}

// CHECK-LABEL: func.func @alone(
// CHECK: = soac.map
// CHECK: = soac.map
// CHECK: = soac.cluster {{.*}}reads [0] writes [0] :
// CHECK:   = soac.map
// CHECK:   = soac.map
// CHECK: soac.yield {{.*}}: tensor
func.func @alone(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %bs = soac.map %as {soac.alone} : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  %cs = soac.map %bs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.shli %x, %x : i32
    soac.yield %r : i32
  }
  %ds = soac.map %cs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.shrsi %x, %x : i32
    soac.yield %r : i32
  }
  return %ds : tensor<?xi32>
}

// One of the folds could be in either loop.
// CHECK-LABEL: func.func @late(
// CHECK: = soac.cluster {{.*}}reads [0] writes [0, -1] :
// CHECK:   = soac.map
// CHECK:   = soac.fold
// CHECK: soac.yield {{.*}}: tensor
// CHECK: = soac.cluster {{.*}}reads [0] writes [0, -1] :
// CHECK:   = soac.map
// CHECK:   = soac.fold
// CHECK: soac.yield {{.*}}: tensor
func.func @late(%xs: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %ys = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %total = soac.fold %ys neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %sum = tensor.extract %total[] : tensor<i32>
  %zs = soac.map %ys {soac.together = "late"} : (tensor<?xi32>) -> tensor<?xi32> (%y: i32) {
    %r = arith.addi %y, %sum : i32
    soac.yield %r : i32
  }
  %greatest = soac.fold %ys neutral %zero {soac.together = "late"}
      : (tensor<?xi32>, i32) -> tensor<i32> (%x: i32, %y: i32) {
    %r = arith.maxsi %x, %y : i32
    soac.yield %r : i32
  }
  return %zs, %greatest : tensor<?xi32>, tensor<i32>
}
