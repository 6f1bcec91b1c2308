// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.filter %arg0 : (tensor<?xf32>) -> tensor<?xf32> (%arg2: f32) {
// CHECK: soac.yield %1 : i1
func.func @example(%x: tensor<?xf32>, %zero: f32) -> tensor<?xf32> {
  %positive = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %keep = arith.cmpf ogt, %a, %zero : f32
    soac.yield %keep : i1
  }
  return %positive : tensor<?xf32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.filter %arg0, %arg1 {mine} : (tensor<9xf32>, tensor<9xi1>) -> (tensor<?xf32>, tensor<?xi1>) (%arg2: f32, %arg3: i1) {
// CHECK: soac.yield %arg3 : i1
func.func @several_arrays(%x: tensor<9xf32>, %y: tensor<9xi1>) -> (tensor<?xf32>, tensor<?xi1>) {
  %r:2 = soac.filter %x, %y {mine} : (tensor<9xf32>, tensor<9xi1>) -> (tensor<?xf32>, tensor<?xi1>)
      (%a: f32, %keep: i1) {
    soac.yield %keep : i1
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi1>
}
