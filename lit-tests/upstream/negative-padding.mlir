// The array is inserted at -1.
// RUN: not %mlir_opt %s --convert-tensor-to-linalg 2>&1 | FileCheck %s

// CHECK: error: expected offsets to be non-negative, but got -1
func.func @f(%x: tensor<4xf32>, %z: f32) -> tensor<3xf32> {
  %r = tensor.pad %x low[-1] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}
