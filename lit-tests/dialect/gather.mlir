// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The examples of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.gather %arg0 at %arg1 : (tensor<?xf32>, tensor<10xindex>) -> tensor<10xf32>
func.func @example(%x: tensor<?xf32>, %is: tensor<10xindex>) -> tensor<10xf32> {
  %y = soac.gather %x at %is
      : (tensor<?xf32>, tensor<10xindex>) -> tensor<10xf32>
  return %y : tensor<10xf32>
}

// CHECK-LABEL: func.func @example_rows(
// CHECK: %0 = soac.gather %arg0 at %arg1 : (tensor<1000x64xf32>, tensor<?xi32>) -> tensor<?x64xf32>
func.func @example_rows(%table: tensor<1000x64xf32>, %words: tensor<?xi32>) -> tensor<?x64xf32> {
  %rows = soac.gather %table at %words
      : (tensor<1000x64xf32>, tensor<?xi32>) -> tensor<?x64xf32>
  return %rows : tensor<?x64xf32>
}

// CHECK-LABEL: func.func @several_sources(
// CHECK: %0:2 = soac.gather %arg0, %arg1 at %arg2 : (tensor<?xf32>, tensor<?xi1>, tensor<2x3xi64>) -> (tensor<2x3xf32>, tensor<2x3xi1>)
func.func @several_sources(%x: tensor<?xf32>, %y: tensor<?xi1>, %is: tensor<2x3xi64>)
    -> (tensor<2x3xf32>, tensor<2x3xi1>) {
  %r:2 = soac.gather %x, %y at %is
      : (tensor<?xf32>, tensor<?xi1>, tensor<2x3xi64>) -> (tensor<2x3xf32>, tensor<2x3xi1>)
  return %r#0, %r#1 : tensor<2x3xf32>, tensor<2x3xi1>
}

// CHECK-LABEL: func.func @an_index_for_each_dimension(
// CHECK: %0 = soac.gather %arg0 at %arg1, %arg2 : (tensor<?x?xf32>, tensor<?xi8>, tensor<?xi16>) -> tensor<?xf32>
func.func @an_index_for_each_dimension(%x: tensor<?x?xf32>, %is: tensor<?xi8>, %js: tensor<?xi16>)
    -> tensor<?xf32> {
  %r = soac.gather %x at %is, %js
      : (tensor<?x?xf32>, tensor<?xi8>, tensor<?xi16>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @rank_zero_index(
// CHECK: %0 = soac.gather %arg0 at %arg1 : (tensor<4x?xf32>, tensor<index>) -> tensor<?xf32>
func.func @rank_zero_index(%x: tensor<4x?xf32>, %i: tensor<index>) -> tensor<?xf32> {
  %r = soac.gather %x at %i : (tensor<4x?xf32>, tensor<index>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @unchecked(
// CHECK: %0 = soac.gather %arg0 at %arg1 unchecked : (tensor<4xf32>, tensor<9xindex>) -> tensor<9xf32>
func.func @unchecked(%x: tensor<4xf32>, %is: tensor<9xindex>) -> tensor<9xf32> {
  %r = soac.gather %x at %is unchecked : (tensor<4xf32>, tensor<9xindex>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// CHECK-LABEL: func.func @label(
// CHECK: %0 = soac.gather %arg0 at %arg1 unchecked {label = 2 : i64} : (tensor<4xf32>, tensor<9xindex>) -> tensor<9xf32>
func.func @label(%x: tensor<4xf32>, %is: tensor<9xindex>) -> tensor<9xf32> {
  %r = soac.gather %x at %is unchecked {label = 2 : i64}
      : (tensor<4xf32>, tensor<9xindex>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}
