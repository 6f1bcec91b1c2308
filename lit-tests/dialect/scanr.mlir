// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.scanr %arg0 neutral %arg1 : (tensor<?xi32>, i32) -> tensor<?xi32> (%arg2: i32, %arg3: i32) {
// CHECK: soac.yield %1 : i32
func.func @example(%x: tensor<?xi32>, %zero: i32) -> tensor<?xi32> {
  %remaining = soac.scanr %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%element: i32, %sum: i32) {
    %s = arith.addi %element, %sum : i32
    soac.yield %s : i32
  }
  return %remaining : tensor<?xi32>
}

// CHECK-LABEL: func.func @rows(
// CHECK: %0 = soac.scanr %arg0 neutral %arg1 : (tensor<3x?x8xf64>, f64) -> tensor<3x?x8xf64> (%arg2: f64, %arg3: f64) {
// CHECK: soac.yield %1 : f64
func.func @rows(%x: tensor<3x?x8xf64>, %zero: f64) -> tensor<3x?x8xf64> {
  %r = soac.scanr %x neutral %zero : (tensor<3x?x8xf64>, f64) -> tensor<3x?x8xf64> (%a: f64, %b: f64) {
    %s = arith.addf %a, %b : f64
    soac.yield %s : f64
  }
  return %r : tensor<3x?x8xf64>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.scanr %arg0, %arg1 neutral %arg2, %arg3 exclusive {mine} : (tensor<9xi1>, tensor<9xbf16>, i1, bf16) -> (tensor<9xi1>, tensor<9xbf16>) (%arg4: i1, %arg5: bf16, %arg6: i1, %arg7: bf16) {
// CHECK: soac.yield %1, %2 : i1, bf16
func.func @several_arrays(%x: tensor<9xi1>, %y: tensor<9xbf16>, %no: i1, %zero: bf16)
    -> (tensor<9xi1>, tensor<9xbf16>) {
  %r:2 = soac.scanr %x, %y neutral %no, %zero exclusive {mine}
      : (tensor<9xi1>, tensor<9xbf16>, i1, bf16) -> (tensor<9xi1>, tensor<9xbf16>)
      (%a: i1, %b: bf16, %c: i1, %d: bf16) {
    %o = arith.ori %a, %c : i1
    %s = arith.addf %b, %d : bf16
    soac.yield %o, %s : i1, bf16
  }
  return %r#0, %r#1 : tensor<9xi1>, tensor<9xbf16>
}
