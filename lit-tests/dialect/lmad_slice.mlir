// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.lmad_slice %arg0 offset [0] sizes [%arg1] strides [%arg2] : tensor<?x?xf32> -> tensor<?xf32>
func.func @example(%x: tensor<?x?xf32>, %n: index, %n_plus_1: index) -> tensor<?xf32> {
  %d = soac.lmad_slice %x offset [0] sizes [%n] strides [%n_plus_1]
      : tensor<?x?xf32> -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// CHECK-LABEL: func.func @static_shapes(
// CHECK: %0 = soac.lmad_slice %arg0 offset [9] sizes [2, 3] strides [-4, 0] : tensor<10xi32> -> tensor<2x3xi32>
func.func @static_shapes(%x: tensor<10xi32>) -> tensor<2x3xi32> {
  %r = soac.lmad_slice %x offset [9] sizes [2, 3] strides [-4, 0]
      : tensor<10xi32> -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @dynamic_offset(
// CHECK: %0 = soac.lmad_slice %arg0 offset [%arg1] sizes [4, %arg2] strides [%arg1, 1] unchecked {mine} : tensor<?xi32> -> tensor<4x?xi32>
func.func @dynamic_offset(%x: tensor<?xi32>, %o: index, %s: index) -> tensor<4x?xi32> {
  %r = soac.lmad_slice %x offset [%o] sizes [4, %s] strides [%o, 1] unchecked {mine}
      : tensor<?xi32> -> tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}

// CHECK-LABEL: func.func @one_point(
// CHECK: %0 = soac.lmad_slice %arg0 offset [4] sizes [] strides [] : tensor<3x3xf32> -> tensor<f32>
func.func @one_point(%x: tensor<3x3xf32>) -> tensor<f32> {
  %r = soac.lmad_slice %x offset [4] sizes [] strides [] : tensor<3x3xf32> -> tensor<f32>
  return %r : tensor<f32>
}
