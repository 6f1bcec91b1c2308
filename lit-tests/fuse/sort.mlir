// A sort reads and writes whole rows: nothing is fused with it, nor through it.

// RUN: comb-opt %s --comb-fuse | FileCheck %s --implicit-check-not=" = soac."

// CHECK-LABEL: func.func @f(
// CHECK: = soac.map
// CHECK: = soac.sort
// CHECK: = soac.map

// RUN: comb run --target interp %s -i xs=[3,1,2] | FileCheck %s --check-prefix=VALUES
// VALUES: result: tensor<3xi32> = [4 6 8]

// RUN: comb explain %s | FileCheck %s --check-prefix=WHY
// WHY: sorted ('soac.sort') is never fused, and keeps ys apart from zs

func.func @f(%xs: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %ys = soac.map %xs : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.addi %a, %one : i32
    soac.yield %r : i32
  }
  %sorted = soac.sort %ys : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %before = arith.cmpi slt, %a, %b : i32
    soac.yield %before : i1
  }
  %zs = soac.map %sorted : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %r = arith.muli %a, %two : i32
    soac.yield %r : i32
  }
  return %zs : tensor<?xi32>
}
