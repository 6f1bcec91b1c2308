// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.transpose %arg0 [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
func.func @example(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %y = soac.transpose %x [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.transpose %arg0, %arg1 [2, 0, 1] {mine} : (tensor<2x?x4xf32>, tensor<2x?x4xi8>) -> (tensor<4x2x?xf32>, tensor<4x2x?xi8>)
func.func @several_arrays(%x: tensor<2x?x4xf32>, %y: tensor<2x?x4xi8>)
    -> (tensor<4x2x?xf32>, tensor<4x2x?xi8>) {
  %r:2 = soac.transpose %x, %y [2, 0, 1] {mine}
      : (tensor<2x?x4xf32>, tensor<2x?x4xi8>) -> (tensor<4x2x?xf32>, tensor<4x2x?xi8>)
  return %r#0, %r#1 : tensor<4x2x?xf32>, tensor<4x2x?xi8>
}

// CHECK-LABEL: func.func @rank_zero(
// CHECK: %0 = soac.transpose %arg0 [] : (tensor<i1>) -> tensor<i1>
func.func @rank_zero(%x: tensor<i1>) -> tensor<i1> {
  %r = soac.transpose %x [] : (tensor<i1>) -> tensor<i1>
  return %r : tensor<i1>
}
