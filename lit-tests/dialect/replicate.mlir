// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.replicate %arg0 [%arg1] : (tensor<4xf32>) -> tensor<?x4xf32>
func.func @example(%x: tensor<4xf32>, %n: index) -> tensor<?x4xf32> {
  %y = soac.replicate %x [%n] : (tensor<4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.replicate %arg0, %arg1 [2, 3] {mine} : (tensor<?xf32>, tensor<?xi1>) -> (tensor<2x3x?xf32>, tensor<2x3x?xi1>)
func.func @several_arrays(%x: tensor<?xf32>, %y: tensor<?xi1>) -> (tensor<2x3x?xf32>, tensor<2x3x?xi1>) {
  %r:2 = soac.replicate %x, %y [2, 3] {mine}
      : (tensor<?xf32>, tensor<?xi1>) -> (tensor<2x3x?xf32>, tensor<2x3x?xi1>)
  return %r#0, %r#1 : tensor<2x3x?xf32>, tensor<2x3x?xi1>
}

// CHECK-LABEL: func.func @rank_zero(
// CHECK: %0 = soac.replicate %arg0 [7] : (tensor<bf16>) -> tensor<7xbf16>
func.func @rank_zero(%x: tensor<bf16>) -> tensor<7xbf16> {
  %r = soac.replicate %x [7] : (tensor<bf16>) -> tensor<7xbf16>
  return %r : tensor<7xbf16>
}
