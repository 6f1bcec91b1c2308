// What has no form as one loop nest.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-opt %s --soac-to-nest --remarks-filter=soac-to-nest -o /dev/null 2>&1 | FileCheck %s

// Updates that begin somewhere, or backwards, have one.

// CALL-LABEL: backwards iota:i32[5] iota:i32[3]
// GIVES: result: tensor<5xi32> = [4 1 2 3 0]
func.func @backwards(%x: tensor<?xi32>, %z: tensor<?xi32>) -> tensor<?xi32> {
  %d = soac.map %z : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %y = soac.update %d into %x at [4] strides [-2] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// A cluster with a `reshape`, which `soac-fuse` does not make, has no form as a loop nest. It is taken apart, and its
// maps become nests one by one.
// CHECK: taken-apart.mlir:[[@LINE+6]]:{{[0-9]+}}: remark: [Missed] TakenApart

// CALL-LABEL: taken_apart iota:i32[2,8]
// GIVES: result: tensor<16xi32> = [1 4 9 16 25 36 49 64 81 100 121 144 169 196 225 256]
func.func @taken_apart(%x: tensor<2x8xi32>) -> tensor<16xi32> {
  %one = arith.constant 1 : i32
  %all = soac.cluster %x reads [2] writes [0] : (tensor<2x8xi32>) -> tensor<16xi32> (%a: tensor<2x8xi32>) {
    %flat = soac.cluster %a reads [2] writes [-1] : (tensor<2x8xi32>) -> tensor<16xi32> (%b: tensor<2x8xi32>) {
      %c = soac.map %b {soac.orders = array<i64: 2, 2>} : (tensor<2x8xi32>) -> tensor<2x8xi32> (%e: i32) {
        %next = arith.addi %e, %one : i32
        soac.yield %next : i32
      }
      %d = soac.reshape %c to [16] {label = 2 : i64} : (tensor<2x8xi32>) -> tensor<16xi32>
      soac.yield %d : tensor<16xi32>
    }
    %squares = soac.map %flat : (tensor<16xi32>) -> tensor<16xi32> (%e: i32) {
      %square = arith.muli %e, %e : i32
      soac.yield %square : i32
    }
    soac.yield %squares : tensor<16xi32>
  }
  return %all : tensor<16xi32>
}

// Two gathers that would have to run in the order of each other, which the interpreter refuses.
// CHECK: taken-apart.mlir:[[@LINE+2]]:{{[0-9]+}}: remark: [Missed] TakenApart
func.func @circular(%x: tensor<?xi32>, %i: tensor<?xi32>, %j: tensor<?xi32>) -> tensor<?xi32> {
  %all = soac.cluster %x, %i, %j reads [-1, -1, -1] writes [-1] : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<?xi32>) {
    %near = soac.gather %a at %b {label = 2 : i64, soac.orders = array<i64: 3>} : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    %far = soac.gather %near at %c {label = 3 : i64, soac.orders = array<i64: 2>} : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    soac.yield %far : tensor<?xi32>
  }
  return %all : tensor<?xi32>
}
