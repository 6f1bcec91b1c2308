// An op that writes no elements, or some, is given new memory: the others are not those of its destination.

// RUN: %mlir_opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @no_iteration(
// CHECK:         %[[NEW:.*]] = memref.alloc()
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic {{.*}} outs(%[[NEW]] :
// CHECK:         return %[[NEW]]
func.func @no_iteration(%x: tensor<4x0xf32>, %from: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x0xf32>) outs(%from : tensor<4xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %r, %from : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @every_other(
// CHECK:         %[[NEW:.*]] = memref.alloc()
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic {{.*}} outs(%[[NEW]] :
// CHECK:         return %[[NEW]]
func.func @every_other(%x: tensor<4xf32>, %from: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%from : tensor<7xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  } -> tensor<7xf32>
  return %r, %from : tensor<7xf32>, tensor<7xf32>
}
