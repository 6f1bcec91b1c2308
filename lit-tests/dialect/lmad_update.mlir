// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.lmad_update %arg0 into %arg1 offset [0] strides [%arg2] : tensor<?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
func.func @example(%d: tensor<?xf32>, %x: tensor<?x?xf32>, %n_plus_1: index) -> tensor<?x?xf32> {
  %y = soac.lmad_update %d into %x offset [0] strides [%n_plus_1]
      : tensor<?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @static_shapes(
// CHECK: %0 = soac.lmad_update %arg0 into %arg1 offset [9] strides [-4, 0] {mine} : tensor<2x3xi32> into tensor<10xi32> -> tensor<10xi32>
func.func @static_shapes(%s: tensor<2x3xi32>, %x: tensor<10xi32>) -> tensor<10xi32> {
  %r = soac.lmad_update %s into %x offset [9] strides [-4, 0] {mine}
      : tensor<2x3xi32> into tensor<10xi32> -> tensor<10xi32>
  return %r : tensor<10xi32>
}

// CHECK-LABEL: func.func @dynamic_offset(
// CHECK: %0 = soac.lmad_update %arg0 into %arg1 offset [%arg2] strides [%arg3, 1] unchecked : tensor<?x?xi32> into tensor<?xi32> -> tensor<?xi32>
func.func @dynamic_offset(%s: tensor<?x?xi32>, %x: tensor<?xi32>, %o: index, %t: index) -> tensor<?xi32> {
  %r = soac.lmad_update %s into %x offset [%o] strides [%t, 1] unchecked
      : tensor<?x?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// CHECK-LABEL: func.func @one_point(
// CHECK: %0 = soac.lmad_update %arg0 into %arg1 offset [4] strides [] : tensor<f32> into tensor<3x3xf32> -> tensor<3x3xf32>
func.func @one_point(%s: tensor<f32>, %x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %r = soac.lmad_update %s into %x offset [4] strides [] : tensor<f32> into tensor<3x3xf32> -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
