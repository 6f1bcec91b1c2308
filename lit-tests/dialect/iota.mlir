// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.iota [%arg0] dim 0 : tensor<?xindex>
func.func @example(%n: index) -> tensor<?xindex> {
  %i = soac.iota [%n] dim 0 : tensor<?xindex>
  return %i : tensor<?xindex>
}

// CHECK-LABEL: func.func @static_shapes(
// CHECK: %0 = soac.iota [3, 4] dim 0 : tensor<3x4xi1>
// CHECK: %1 = soac.iota [3, 4] dim 1 {mine} : tensor<3x4xi8>
// CHECK: %2 = soac.iota [3, 4] dim 1 : tensor<3x4xi64>
func.func @static_shapes() -> (tensor<3x4xi1>, tensor<3x4xi8>, tensor<3x4xi64>) {
  %a = soac.iota [3, 4] dim 0 : tensor<3x4xi1>
  %b = soac.iota [3, 4] dim 1 {mine} : tensor<3x4xi8>
  %c = soac.iota [3, 4] dim 1 : tensor<3x4xi64>
  return %a, %b, %c : tensor<3x4xi1>, tensor<3x4xi8>, tensor<3x4xi64>
}

// CHECK-LABEL: func.func @mixed_shape(
// CHECK: %0 = soac.iota [2, %arg0] dim 1 : tensor<2x?xi32>
func.func @mixed_shape(%n: index) -> tensor<2x?xi32> {
  %i = soac.iota [2, %n] dim 1 : tensor<2x?xi32>
  return %i : tensor<2x?xi32>
}
