// The order and the names of ops that do not depend on each other have no influence on
// what is fused.

// RUN: split-file %s %t
// RUN: comb-opt %t/one.mlir --comb-fuse | FileCheck %s --implicit-check-not=" = soac."
// RUN: comb-opt %t/other.mlir --comb-fuse | FileCheck %s --implicit-check-not=" = soac."
// RUN: comb explain %t/one.mlir | grep -E "^(ilp|greedy|singleton)" > %t/one.txt
// RUN: comb explain %t/other.mlir | grep -E "^(ilp|greedy|singleton)" > %t/other.txt
// RUN: diff %t/one.txt %t/other.txt

// CHECK: = soac.cluster {{.*}}reads [1] writes [1, 1] :
// CHECK:   = soac.map {{.*}}soac.orders = array<i64: 1>
// CHECK:   = soac.scanr
// CHECK: soac.yield {{.*}}: tensor
// CHECK: = soac.cluster {{.*}}reads [0, 0] writes [0] :
// CHECK:   = soac.scanl
// CHECK:   = soac.map
// CHECK: soac.yield {{.*}}: tensor

//--- one.mlir
func.func @f(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %bs = soac.scanl %as neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %cs = soac.scanr %as neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.addi %x, %y : i32
    soac.yield %r : i32
  }
  %ds = soac.map %bs, %cs : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%x: i32, %y: i32) {
    %r = arith.subi %x, %y : i32
    soac.yield %r : i32
  }
  return %ds : tensor<?xi32>
}

//--- other.mlir
func.func @f(%input: tensor<?xi32>) -> tensor<?xi32> {
  %none = arith.constant 0 : i32
  %doubled = soac.map %input : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %t = arith.addi %e, %e : i32
    soac.yield %t : i32
  }
  %after = soac.scanr %doubled neutral %none
      : (tensor<?xi32>, i32) -> tensor<?xi32> (%e: i32, %f: i32) {
    %t = arith.addi %e, %f : i32
    soac.yield %t : i32
  }
  %before = soac.scanl %doubled neutral %none
      : (tensor<?xi32>, i32) -> tensor<?xi32> (%e: i32, %f: i32) {
    %t = arith.addi %e, %f : i32
    soac.yield %t : i32
  }
  %result = soac.map %before, %after
      : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%e: i32, %f: i32) {
    %t = arith.subi %e, %f : i32
    soac.yield %t : i32
  }
  return %result : tensor<?xi32>
}
