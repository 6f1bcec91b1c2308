// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.force %arg0 : tensor<?xf32>
func.func @example(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.force %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// Arrays of different shapes.
// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:3 = soac.force %arg0, %arg1, %arg2 {mine} : tensor<?xf32>, tensor<3x4xi16>, tensor<index>
func.func @several_arrays(%x: tensor<?xf32>, %y: tensor<3x4xi16>, %z: tensor<index>)
    -> (tensor<?xf32>, tensor<3x4xi16>, tensor<index>) {
  %r:3 = soac.force %x, %y, %z {mine} : tensor<?xf32>, tensor<3x4xi16>, tensor<index>
  return %r#0, %r#1, %r#2 : tensor<?xf32>, tensor<3x4xi16>, tensor<index>
}
