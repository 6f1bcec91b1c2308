// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.rotate %arg0 by [1] : (tensor<?xf32>) -> tensor<?xf32>
func.func @example(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.rotate %x by [1] : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.rotate %arg0, %arg1 by [%arg2, -3] {mine} : (tensor<2x4xf32>, tensor<2x4xi8>) -> (tensor<2x4xf32>, tensor<2x4xi8>)
func.func @several_arrays(%x: tensor<2x4xf32>, %y: tensor<2x4xi8>, %k: index)
    -> (tensor<2x4xf32>, tensor<2x4xi8>) {
  %r:2 = soac.rotate %x, %y by [%k, -3] {mine}
      : (tensor<2x4xf32>, tensor<2x4xi8>) -> (tensor<2x4xf32>, tensor<2x4xi8>)
  return %r#0, %r#1 : tensor<2x4xf32>, tensor<2x4xi8>
}

// CHECK-LABEL: func.func @outer_dimension(
// CHECK: %0 = soac.rotate %arg0 by [100] : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
func.func @outer_dimension(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %r = soac.rotate %x by [100] : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %r : tensor<2x4x8xf32>
}
