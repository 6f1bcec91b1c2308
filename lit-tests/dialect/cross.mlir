// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0:2 = soac.cross %arg0 by %arg1 : (tensor<?xf32>, tensor<8xi32>) -> (tensor<?x8xf32>, tensor<?x8xi32>)
func.func @example(%x: tensor<?xf32>, %y: tensor<8xi32>) -> (tensor<?x8xf32>, tensor<?x8xi32>) {
  %xs, %ys = soac.cross %x by %y
      : (tensor<?xf32>, tensor<8xi32>) -> (tensor<?x8xf32>, tensor<?x8xi32>)
  return %xs, %ys : tensor<?x8xf32>, tensor<?x8xi32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:4 = soac.cross %arg0, %arg1 by %arg2, %arg3 {mine} : (tensor<2xf32>, tensor<2xi1>, tensor<?x3xi8>, tensor<?x3xindex>) -> (tensor<2x?x3xf32>, tensor<2x?x3xi1>, tensor<2x?x3xi8>, tensor<2x?x3xindex>)
func.func @several_arrays(%a: tensor<2xf32>, %b: tensor<2xi1>, %c: tensor<?x3xi8>, %d: tensor<?x3xindex>)
    -> (tensor<2x?x3xf32>, tensor<2x?x3xi1>, tensor<2x?x3xi8>, tensor<2x?x3xindex>) {
  %r:4 = soac.cross %a, %b by %c, %d {mine}
      : (tensor<2xf32>, tensor<2xi1>, tensor<?x3xi8>, tensor<?x3xindex>)
      -> (tensor<2x?x3xf32>, tensor<2x?x3xi1>, tensor<2x?x3xi8>, tensor<2x?x3xindex>)
  return %r#0, %r#1, %r#2, %r#3
      : tensor<2x?x3xf32>, tensor<2x?x3xi1>, tensor<2x?x3xi8>, tensor<2x?x3xindex>
}

// CHECK-LABEL: func.func @rank_zero(
// CHECK: %0:2 = soac.cross %arg0 by %arg1 : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<i1>)
func.func @rank_zero(%a: tensor<f32>, %b: tensor<i1>) -> (tensor<f32>, tensor<i1>) {
  %r:2 = soac.cross %a by %b : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<i1>)
  return %r#0, %r#1 : tensor<f32>, tensor<i1>
}
