// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// Rearranged arrays of one value.

// CHECK-LABEL: func.func @all(
// CHECK-NEXT: %0 = soac.fill %arg0 [%arg1, 4] : (f32) -> tensor<?x4xf32>
// CHECK-NEXT: %1 = soac.fill %arg0 [4, %arg1] : (f32) -> tensor<4x?xf32>
// CHECK-NEXT: %2 = soac.fill %arg0 [4, %arg1] : (f32) -> tensor<4x?xf32>
// CHECK-NEXT: %3 = soac.fill %arg0 [2, %arg1] : (f32) -> tensor<2x?xf32>
// CHECK-NEXT: %4 = soac.fill %arg0 [1, %arg1] : (f32) -> tensor<1x?xf32>
// CHECK-NEXT: %5 = soac.fill %arg0 [3, 4, %arg1] : (f32) -> tensor<3x4x?xf32>
// CHECK-NEXT: return %0, %1, %2, %3, %4, %5 : tensor<?x4xf32>, tensor<4x?xf32>, tensor<4x?xf32>, tensor<2x?xf32>, tensor<1x?xf32>, tensor<3x4x?xf32>
func.func @all(%v: f32, %n: index)
    -> (tensor<?x4xf32>, tensor<4x?xf32>, tensor<4x?xf32>, tensor<2x?xf32>, tensor<1x?xf32>, tensor<3x4x?xf32>) {
  %x = soac.fill %v [4, %n] : (f32) -> tensor<4x?xf32>
  %a = soac.transpose %x [1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  %b = soac.reverse %x dims [0] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %c = soac.rotate %x by [%n] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %d = soac.take %x [2] : (tensor<4x?xf32>) -> tensor<2x?xf32>
  %e = soac.drop %x [3] : (tensor<4x?xf32>) -> tensor<1x?xf32>
  %f = soac.replicate %x [3] : (tensor<4x?xf32>) -> tensor<3x4x?xf32>
  return %a, %b, %c, %d, %e, %f
      : tensor<?x4xf32>, tensor<4x?xf32>, tensor<4x?xf32>, tensor<2x?xf32>, tensor<1x?xf32>, tensor<3x4x?xf32>
}

// CHECK-LABEL: func.func @static(
// CHECK-NEXT: %0:2 = soac.fill %arg0, %arg1 [2, 3] : (f32, i1) -> (tensor<2x3xf32>, tensor<2x3xi1>)
// CHECK-NEXT: %1 = soac.fill %arg0 [2] : (f32) -> tensor<2xf32>
// CHECK-NEXT: return %0#0, %0#1, %1 : tensor<2x3xf32>, tensor<2x3xi1>, tensor<2xf32>
func.func @static(%v: f32, %w: i1) -> (tensor<2x3xf32>, tensor<2x3xi1>, tensor<2xf32>) {
  %x:2 = soac.fill %v, %w [6] : (f32, i1) -> (tensor<6xf32>, tensor<6xi1>)
  %a:2 = soac.reshape %x#0, %x#1 to [2, 3] : (tensor<6xf32>, tensor<6xi1>) -> (tensor<2x3xf32>, tensor<2x3xi1>)
  %b = soac.slice %x#0 [5] [2] [-3] : (tensor<6xf32>) -> tensor<2xf32>
  return %a#0, %a#1, %b : tensor<2x3xf32>, tensor<2x3xi1>, tensor<2xf32>
}

// CHECK-LABEL: func.func @not_what_may_fail(
// CHECK-NEXT: %0 = soac.fill %arg0 [%arg1] : (f32) -> tensor<?xf32>
// CHECK-NEXT: %1 = soac.take %0 [%arg2] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: %2 = soac.reshape %0 to [%arg2] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %1, %2 : tensor<?xf32>, tensor<?xf32>
func.func @not_what_may_fail(%v: f32, %n: index, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %x = soac.fill %v [%n] : (f32) -> tensor<?xf32>
  %a = soac.take %x [%m] : (tensor<?xf32>) -> tensor<?xf32>
  %b = soac.reshape %x to [%m] : (tensor<?xf32>) -> tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}
