// What has effects stays where it is, and what it reads is stored.

// RUN: comb-opt %s --comb-fuse | FileCheck %s --implicit-check-not=" = soac."

func.func private @sum(tensor<?xi32>) -> i32
func.func private @log(i32)

// CHECK-LABEL: func.func @reads(
// CHECK: = soac.map
// CHECK: = soac.external @sum
// CHECK: = soac.map
func.func @reads(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  %sum = soac.external @sum(%as) effects none : (tensor<?xi32>) -> i32
  %bs = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %sum : i32
    soac.yield %r : i32
  }
  return %bs : tensor<?xi32>
}

// Nothing is between these maps that one of them needs.
// CHECK-LABEL: func.func @beside(
// CHECK: soac.external @log
// CHECK: = soac.cluster {{.*}}reads [0] writes [0] :
// CHECK:   = soac.map
// CHECK:   = soac.map
// CHECK: soac.yield {{.*}}: tensor
func.func @beside(%xs: tensor<?xi32>, %n: i32) -> tensor<?xi32> {
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  soac.external @log(%n) : (i32) -> ()
  %bs = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  return %bs : tensor<?xi32>
}

// Effects stay in their order.
// CHECK-LABEL: func.func @order(
// CHECK: soac.external @log(%arg1)
// CHECK: soac.external @log(%arg2)
// CHECK: = soac.cluster {{.*}}reads [0] writes [0] :
// CHECK:   = soac.map
// CHECK:   = soac.map
// CHECK: soac.yield {{.*}}: tensor
// CHECK: soac.external @log(%arg1)
func.func @order(%xs: tensor<?xi32>, %n: i32, %m: i32) -> tensor<?xi32> {
  soac.external @log(%n) : (i32) -> ()
  %as = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.addi %x, %x : i32
    soac.yield %r : i32
  }
  soac.external @log(%m) : (i32) -> ()
  %bs = soac.map %as : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %r = arith.muli %x, %x : i32
    soac.yield %r : i32
  }
  soac.external @log(%n) : (i32) -> ()
  return %bs : tensor<?xi32>
}
