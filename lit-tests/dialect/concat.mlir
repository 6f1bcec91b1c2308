// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.concat %arg0, %arg1 dim 0 : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
func.func @example(%a: tensor<?x4xf32>, %b: tensor<2x4xf32>) -> tensor<?x4xf32> {
  %c = soac.concat %a, %b dim 0
      : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @static_shapes(
// CHECK: %0 = soac.concat %arg0, %arg1, %arg2 dim 1 {mine} : (tensor<2x3xi1>, tensor<2x0xi1>, tensor<2x4xi1>) -> tensor<2x7xi1>
func.func @static_shapes(%a: tensor<2x3xi1>, %b: tensor<2x0xi1>, %c: tensor<2x4xi1>) -> tensor<2x7xi1> {
  %r = soac.concat %a, %b, %c dim 1 {mine}
      : (tensor<2x3xi1>, tensor<2x0xi1>, tensor<2x4xi1>) -> tensor<2x7xi1>
  return %r : tensor<2x7xi1>
}

// CHECK-LABEL: func.func @one_array(
// CHECK: %0 = soac.concat %arg0 dim 0 : (tensor<?xindex>) -> tensor<?xindex>
func.func @one_array(%a: tensor<?xindex>) -> tensor<?xindex> {
  %r = soac.concat %a dim 0 : (tensor<?xindex>) -> tensor<?xindex>
  return %r : tensor<?xindex>
}
