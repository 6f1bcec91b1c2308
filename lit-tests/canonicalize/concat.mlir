// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT: return %arg0 : tensor<?x4xf32>
func.func @empty(%x: tensor<?x4xf32>, %e: tensor<0x4xf32>) -> tensor<?x4xf32> {
  %r = soac.concat %e, %x, %e dim 0 : (tensor<0x4xf32>, tensor<?x4xf32>, tensor<0x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @all_empty(
// CHECK-NEXT: return %arg0 : tensor<0x4xf32>
func.func @all_empty(%e: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %r = soac.concat %e, %e dim 0 : (tensor<0x4xf32>, tensor<0x4xf32>) -> tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}

// The second dimensions may differ, which is an error.
// CHECK-LABEL: func.func @not_empty_that_may_fail(
// CHECK-NEXT: %0 = soac.concat %arg0, %arg1 dim 0 : (tensor<?x4xf32>, tensor<0x?xf32>) -> tensor<?x4xf32>
// CHECK-NEXT: return %0 : tensor<?x4xf32>
func.func @not_empty_that_may_fail(%x: tensor<?x4xf32>, %e: tensor<0x?xf32>) -> tensor<?x4xf32> {
  %r = soac.concat %x, %e dim 0 : (tensor<?x4xf32>, tensor<0x?xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Empty in another dimension.
// CHECK-LABEL: func.func @not_empty_elsewhere(
// CHECK-NEXT: %0 = soac.concat %arg0, %arg1 dim 0 : (tensor<3x0xf32>, tensor<4x0xf32>) -> tensor<7x0xf32>
// CHECK-NEXT: return %0 : tensor<7x0xf32>
func.func @not_empty_elsewhere(%x: tensor<3x0xf32>, %y: tensor<4x0xf32>) -> tensor<7x0xf32> {
  %r = soac.concat %x, %y dim 0 : (tensor<3x0xf32>, tensor<4x0xf32>) -> tensor<7x0xf32>
  return %r : tensor<7x0xf32>
}

// CHECK-LABEL: func.func @nested(
// CHECK-NEXT: %0 = soac.concat %arg1, %arg0, %arg1, %arg0 dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: return %0 : tensor<?x?xf32>
func.func @nested(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = soac.concat %x, %y dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = soac.concat %y, %a, %x dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @not_another_dimension(
// CHECK-NEXT: %0 = soac.concat %arg0, %arg1 dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: %1 = soac.concat %0, %arg0 dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: return %1 : tensor<?x?xf32>
func.func @not_another_dimension(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = soac.concat %x, %y dim 1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = soac.concat %a, %x dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @not_used_twice(
// CHECK-NEXT: %0 = soac.concat %arg0, %arg1 dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: %1 = soac.concat %0, %0 dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: return %1 : tensor<?x?xf32>
func.func @not_used_twice(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = soac.concat %x, %y dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = soac.concat %a, %a dim 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}
