// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.update %arg0 into %arg1 at [%arg2, 0] strides [1, 1] : tensor<1x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
func.func @example(%row: tensor<1x?xf32>, %x: tensor<?x?xf32>, %i: index) -> tensor<?x?xf32> {
  %y = soac.update %row into %x at [%i, 0] strides [1, 1]
      : tensor<1x?xf32> into tensor<?x?xf32> -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @static_shapes(
// CHECK: %0 = soac.update %arg0 into %arg1 at [8] strides [-3] : tensor<3xi64> into tensor<9xi64> -> tensor<9xi64>
func.func @static_shapes(%s: tensor<3xi64>, %x: tensor<9xi64>) -> tensor<9xi64> {
  %r = soac.update %s into %x at [8] strides [-3] : tensor<3xi64> into tensor<9xi64> -> tensor<9xi64>
  return %r : tensor<9xi64>
}

// CHECK-LABEL: func.func @dynamic_everything(
// CHECK: %0 = soac.update %arg0 into %arg1 at [%arg2, %arg3] strides [%arg4, 1] unchecked {mine} : tensor<?x?xi8> into tensor<?x?xi8> -> tensor<?x?xi8>
func.func @dynamic_everything(%s: tensor<?x?xi8>, %x: tensor<?x?xi8>, %o: index, %p: index, %q: index)
    -> tensor<?x?xi8> {
  %r = soac.update %s into %x at [%o, %p] strides [%q, 1] unchecked {mine}
      : tensor<?x?xi8> into tensor<?x?xi8> -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}

// CHECK-LABEL: func.func @rank_zero(
// CHECK: %0 = soac.update %arg0 into %arg1 at [] strides [] : tensor<f32> into tensor<f32> -> tensor<f32>
func.func @rank_zero(%s: tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %r = soac.update %s into %x at [] strides [] : tensor<f32> into tensor<f32> -> tensor<f32>
  return %r : tensor<f32>
}
