// One column is copied, but all of the array becomes the result.

// RUN: %mlir_opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-SAME:      %[[X:.*]]: tensor<4x3xf32>, %{{.*}}: tensor<4x3xf32>)
// CHECK:         return %[[X]]
func.func @f(%x: tensor<4x3xf32>, %from: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i, 0)>, affine_map<(i) -> (i, 0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4x3xf32>) outs(%from : tensor<4x3xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
