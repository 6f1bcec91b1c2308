// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.reverse %arg0 dims [0] : (tensor<?xf32>) -> tensor<?xf32>
func.func @example(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.reverse %x dims [0] : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.reverse %arg0, %arg1 dims [2, 0] {mine} : (tensor<2x?x4xf32>, tensor<2x?x4xi8>) -> (tensor<2x?x4xf32>, tensor<2x?x4xi8>)
func.func @several_arrays(%x: tensor<2x?x4xf32>, %y: tensor<2x?x4xi8>)
    -> (tensor<2x?x4xf32>, tensor<2x?x4xi8>) {
  %r:2 = soac.reverse %x, %y dims [2, 0] {mine}
      : (tensor<2x?x4xf32>, tensor<2x?x4xi8>) -> (tensor<2x?x4xf32>, tensor<2x?x4xi8>)
  return %r#0, %r#1 : tensor<2x?x4xf32>, tensor<2x?x4xi8>
}
