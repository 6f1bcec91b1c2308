// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.reshape %arg0 to [%arg1, 4] : (tensor<?xf32>) -> tensor<?x4xf32>
func.func @example(%x: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %y = soac.reshape %x to [%n, 4] : (tensor<?xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.reshape %arg0, %arg1 to [2, 3] {mine} : (tensor<6xf32>, tensor<6xi8>) -> (tensor<2x3xf32>, tensor<2x3xi8>)
func.func @several_arrays(%x: tensor<6xf32>, %y: tensor<6xi8>) -> (tensor<2x3xf32>, tensor<2x3xi8>) {
  %r:2 = soac.reshape %x, %y to [2, 3] {mine}
      : (tensor<6xf32>, tensor<6xi8>) -> (tensor<2x3xf32>, tensor<2x3xi8>)
  return %r#0, %r#1 : tensor<2x3xf32>, tensor<2x3xi8>
}

// CHECK-LABEL: func.func @to_rank_zero(
// CHECK: %0 = soac.reshape %arg0 to [] : (tensor<1x1xf32>) -> tensor<f32>
func.func @to_rank_zero(%x: tensor<1x1xf32>) -> tensor<f32> {
  %r = soac.reshape %x to [] : (tensor<1x1xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @from_rank_zero(
// CHECK: %0 = soac.reshape %arg0 to [1] : (tensor<f32>) -> tensor<1xf32>
func.func @from_rank_zero(%x: tensor<f32>) -> tensor<1xf32> {
  %r = soac.reshape %x to [1] : (tensor<f32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// CHECK-LABEL: func.func @empty(
// CHECK: %0 = soac.reshape %arg0 to [7, 0] : (tensor<0x5xf32>) -> tensor<7x0xf32>
func.func @empty(%x: tensor<0x5xf32>) -> tensor<7x0xf32> {
  %r = soac.reshape %x to [7, 0] : (tensor<0x5xf32>) -> tensor<7x0xf32>
  return %r : tensor<7x0xf32>
}
