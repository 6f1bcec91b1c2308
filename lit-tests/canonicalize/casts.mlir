// RUN: comb-opt %s --canonicalize=test-convergence | FileCheck %s

// Operands are taken as they were before a cast forgot a size.

// CHECK-LABEL: func.func @map(
// CHECK-NEXT: %0 = soac.map %arg0, %arg1 : (tensor<3xf32>, tensor<?xf32>) -> tensor<3xf32> (%arg2: f32, %arg3: f32) {
// CHECK-NEXT: %1 = arith.addf %arg2, %arg3 : f32
// CHECK-NEXT: soac.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<3xf32> to tensor<?xf32>
// CHECK-NEXT: return %cast : tensor<?xf32>
func.func @map(%x: tensor<3xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  %r = soac.map %c, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: %0 = soac.transpose %arg0 [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %1 = soac.reverse %0 dims [0] : (tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %cast = tensor.cast %1 : tensor<4x3xf32> to tensor<?x?xf32>
// CHECK-NEXT: return %cast : tensor<?x?xf32>
func.func @chain(%x: tensor<3x4xf32>) -> tensor<?x?xf32> {
  %c = tensor.cast %x : tensor<3x4xf32> to tensor<?x?xf32>
  %t = soac.transpose %c [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = soac.reverse %t dims [0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @not_two_shapes(
// CHECK-NEXT: %cast = tensor.cast %arg0 : tensor<3xf32> to tensor<?xf32>
// CHECK-NEXT: %0 = soac.map %cast, %arg1 : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32> (%arg2: f32, %arg3: f32) {
// CHECK-NEXT: %1 = arith.addf %arg2, %arg3 : f32
// CHECK-NEXT: soac.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @not_two_shapes(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
  %c = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  %r = soac.map %c, %y : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    soac.yield %s : f32
  }
  return %r : tensor<?xf32>
}

// A cast to a more precise type says something that may fail.
// CHECK-LABEL: func.func @not_precise(
// CHECK-NEXT: %cast = tensor.cast %arg0 : tensor<?xf32> to tensor<3xf32>
// CHECK-NEXT: %0 = soac.reverse %cast dims [0] : (tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT: return %0 : tensor<3xf32>
func.func @not_precise(%x: tensor<?xf32>) -> tensor<3xf32> {
  %c = tensor.cast %x : tensor<?xf32> to tensor<3xf32>
  %r = soac.reverse %c dims [0] : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// The lambda takes arrays of the type as it is.
// CHECK-LABEL: func.func @not_inner_arrays(
// CHECK-NEXT: %cast = tensor.cast %arg0 : tensor<3x4xf32> to tensor<?x?xf32>
// CHECK-NEXT: %0 = soac.map %cast outer 1 inner(%arg1) : (tensor<?x?xf32>) -> tensor<?x?xf32> (%arg2: tensor<?xf32>) {
// CHECK-NEXT: %1 = soac.reverse %arg2 dims [0] : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: soac.yield %1 : tensor<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<?x?xf32>
func.func @not_inner_arrays(%x: tensor<3x4xf32>, %n: index) -> tensor<?x?xf32> {
  %c = tensor.cast %x : tensor<3x4xf32> to tensor<?x?xf32>
  %r = soac.map %c outer 1 inner (%n) : (tensor<?x?xf32>) -> tensor<?x?xf32> (%row: tensor<?xf32>) {
    %s = soac.reverse %row dims [0] : (tensor<?xf32>) -> tensor<?xf32>
    soac.yield %s : tensor<?xf32>
  }
  return %r : tensor<?x?xf32>
}
