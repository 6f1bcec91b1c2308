// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.backpermute %arg0 [%arg1] : (tensor<?xf32>) -> tensor<?xf32> (%arg3: index) {
// CHECK: soac.yield %1 : index
func.func @example(%x: tensor<?xf32>, %n: index, %last: index) -> tensor<?xf32> {
  %y = soac.backpermute %x [%n] : (tensor<?xf32>) -> tensor<?xf32>
      (%i: index) {
    %j = arith.subi %last, %i : index
    soac.yield %j : index
  }
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.backpermute %arg0, %arg1 [2, 3, 4] unchecked {mine} : (tensor<3x?xf32>, tensor<3x?xi8>) -> (tensor<2x3x4xf32>, tensor<2x3x4xi8>) (%arg2: index, %arg3: index, %arg4: index) {
// CHECK: soac.yield %arg3, %arg4 : index, index
func.func @several_arrays(%x: tensor<3x?xf32>, %y: tensor<3x?xi8>) -> (tensor<2x3x4xf32>, tensor<2x3x4xi8>) {
  %r:2 = soac.backpermute %x, %y [2, 3, 4] unchecked {mine}
      : (tensor<3x?xf32>, tensor<3x?xi8>) -> (tensor<2x3x4xf32>, tensor<2x3x4xi8>)
      (%i: index, %j: index, %k: index) {
    soac.yield %j, %k : index, index
  }
  return %r#0, %r#1 : tensor<2x3x4xf32>, tensor<2x3x4xi8>
}

// CHECK-LABEL: func.func @from_rank_zero(
// CHECK: %0 = soac.backpermute %arg0 [%arg1] : (tensor<f32>) -> tensor<?xf32> (%arg2: index) {
// CHECK: soac.yield
func.func @from_rank_zero(%x: tensor<f32>, %n: index) -> tensor<?xf32> {
  %r = soac.backpermute %x [%n] : (tensor<f32>) -> tensor<?xf32> (%i: index) {
    soac.yield
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @to_rank_zero(
// CHECK: %0 = soac.backpermute %arg0 [] : (tensor<?xf32>) -> tensor<f32> () {
// CHECK: soac.yield %arg1 : index
func.func @to_rank_zero(%x: tensor<?xf32>, %n: index) -> tensor<f32> {
  %r = soac.backpermute %x [] : (tensor<?xf32>) -> tensor<f32> () {
    soac.yield %n : index
  }
  return %r : tensor<f32>
}
