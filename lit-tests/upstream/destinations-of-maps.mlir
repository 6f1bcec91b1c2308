// A map that reads its destination is given new memory, and reads what is there.

// RUN: %mlir_opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK:         %[[NEW:.*]] = memref.alloc()
// CHECK-NOT:     memref.copy
// CHECK:         linalg.map ins(%{{.*}}) outs(%[[NEW]] :
// CHECK:           (%[[A:.*]]: f32, %[[OLD:.*]]: f32)
// CHECK:           arith.subf %[[A]], %[[OLD]]
// CHECK:         return %[[NEW]]
func.func @f(%x: tensor<4xf32>, %from: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%from : tensor<4xf32>) (%a: f32, %old: f32) {
    %difference = arith.subf %a, %old : f32
    linalg.yield %difference : f32
  }
  return %r, %from : tensor<4xf32>, tensor<4xf32>
}
