// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The examples of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.sort %arg0 : (tensor<?xi32>) -> tensor<?xi32> (%arg1: i32, %arg2: i32) {
// CHECK: soac.yield %1 : i1
func.func @example(%x: tensor<?xi32>) -> tensor<?xi32> {
  %sorted = soac.sort %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %before = arith.cmpi slt, %a, %b : i32
    soac.yield %before : i1
  }
  return %sorted : tensor<?xi32>
}

// CHECK-LABEL: func.func @places(
// CHECK: %0:2 = soac.sort %arg0, %arg1 {mine} : (tensor<3x?xf32>, tensor<3x?xindex>) -> (tensor<3x?xf32>, tensor<3x?xindex>) (%arg2: f32, %arg3: index, %arg4: f32, %arg5: index) {
// CHECK: soac.yield %1 : i1
func.func @places(%x: tensor<3x?xf32>, %indices: tensor<3x?xindex>)
    -> (tensor<3x?xf32>, tensor<3x?xindex>) {
  %keys, %places = soac.sort %x, %indices {mine}
      : (tensor<3x?xf32>, tensor<3x?xindex>) -> (tensor<3x?xf32>, tensor<3x?xindex>)
      (%a: f32, %i: index, %b: f32, %j: index) {
    %before = arith.cmpf ogt, %a, %b : f32
    soac.yield %before : i1
  }
  return %keys, %places : tensor<3x?xf32>, tensor<3x?xindex>
}
