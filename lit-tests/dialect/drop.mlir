// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.drop %arg0 [1] : (tensor<10xf32>) -> tensor<9xf32>
func.func @example(%x: tensor<10xf32>) -> tensor<9xf32> {
  %y = soac.drop %x [1] : (tensor<10xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.drop %arg0, %arg1 [3, %arg2] {mine} : (tensor<9x9xf32>, tensor<9x9xi8>) -> (tensor<6x?xf32>, tensor<6x?xi8>)
func.func @several_arrays(%x: tensor<9x9xf32>, %y: tensor<9x9xi8>, %n: index)
    -> (tensor<6x?xf32>, tensor<6x?xi8>) {
  %r:2 = soac.drop %x, %y [3, %n] {mine}
      : (tensor<9x9xf32>, tensor<9x9xi8>) -> (tensor<6x?xf32>, tensor<6x?xi8>)
  return %r#0, %r#1 : tensor<6x?xf32>, tensor<6x?xi8>
}

// CHECK-LABEL: func.func @nothing_and_everything(
// CHECK: %0 = soac.drop %arg0 [0] : (tensor<9xf32>) -> tensor<9xf32>
// CHECK: %1 = soac.drop %arg0 [9] : (tensor<9xf32>) -> tensor<0xf32>
func.func @nothing_and_everything(%x: tensor<9xf32>) -> (tensor<9xf32>, tensor<0xf32>) {
  %a = soac.drop %x [0] : (tensor<9xf32>) -> tensor<9xf32>
  %b = soac.drop %x [9] : (tensor<9xf32>) -> tensor<0xf32>
  return %a, %b : tensor<9xf32>, tensor<0xf32>
}
