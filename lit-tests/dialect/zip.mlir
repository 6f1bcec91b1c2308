// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0:2 = soac.zip %arg0, %arg1 : tensor<?xf32>, tensor<?xi32>
func.func @example(%x: tensor<?xf32>, %y: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %a, %b = soac.zip %x, %y : tensor<?xf32>, tensor<?xi32>
  return %a, %b : tensor<?xf32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @one_array(
// CHECK: %0 = soac.zip %arg0 {mine} : tensor<2x3xf32>
func.func @one_array(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = soac.zip %x {mine} : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
