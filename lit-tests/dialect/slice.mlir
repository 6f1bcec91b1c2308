// RUN: comb-opt %s | comb-opt | FileCheck %s
// RUN: comb-opt %s --mlir-print-op-generic | comb-opt | FileCheck %s
// RUN: comb-opt %s --emit-bytecode | comb-opt | FileCheck %s

// The example of the op's description.
// CHECK-LABEL: func.func @example(
// CHECK: %0 = soac.slice %arg0 [3] [2] [-2] : (tensor<10xf32>) -> tensor<2xf32>
func.func @example(%x: tensor<10xf32>) -> tensor<2xf32> {
  %y = soac.slice %x [3] [2] [-2] : (tensor<10xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @several_arrays(
// CHECK: %0:2 = soac.slice %arg0, %arg1 [%arg2, 0] [%arg3, 3] [%arg4, 4] unchecked {mine} : (tensor<?x9xf32>, tensor<?x9xi8>) -> (tensor<?x3xf32>, tensor<?x3xi8>)
func.func @several_arrays(%x: tensor<?x9xf32>, %y: tensor<?x9xi8>, %o: index, %n: index, %s: index)
    -> (tensor<?x3xf32>, tensor<?x3xi8>) {
  %r:2 = soac.slice %x, %y [%o, 0] [%n, 3] [%s, 4] unchecked {mine}
      : (tensor<?x9xf32>, tensor<?x9xi8>) -> (tensor<?x3xf32>, tensor<?x3xi8>)
  return %r#0, %r#1 : tensor<?x3xf32>, tensor<?x3xi8>
}

// CHECK-LABEL: func.func @stride_of_zero(
// CHECK: %0 = soac.slice %arg0 [2] [100] [0] : (tensor<3xi1>) -> tensor<100xi1>
func.func @stride_of_zero(%x: tensor<3xi1>) -> tensor<100xi1> {
  %r = soac.slice %x [2] [100] [0] : (tensor<3xi1>) -> tensor<100xi1>
  return %r : tensor<100xi1>
}

// CHECK-LABEL: func.func @no_points(
// CHECK: %0 = soac.slice %arg0 [77] [0] [1] : (tensor<3xi1>) -> tensor<0xi1>
func.func @no_points(%x: tensor<3xi1>) -> tensor<0xi1> {
  %r = soac.slice %x [77] [0] [1] : (tensor<3xi1>) -> tensor<0xi1>
  return %r : tensor<0xi1>
}

// CHECK-LABEL: func.func @rank_zero(
// CHECK: %0 = soac.slice %arg0 [] [] [] : (tensor<i1>) -> tensor<i1>
func.func @rank_zero(%x: tensor<i1>) -> tensor<i1> {
  %r = soac.slice %x [] [] [] : (tensor<i1>) -> tensor<i1>
  return %r : tensor<i1>
}
