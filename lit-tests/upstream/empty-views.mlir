// Arrays without elements are joined, or get another shape, by views that the verifier rejects.
// `comb-replace-empty-arrays` is there for that.

// RUN: not %mlir_opt %s --one-shot-bufferize=bufferize-function-boundaries --split-input-file 2>&1 | FileCheck %s

// CHECK: error: offset 0 is out-of-bounds: 3 >= 3
func.func @concat(%x: tensor<3x2xi32>, %y: tensor<0x2xi32>) -> tensor<3x2xi32> {
  %r = tensor.concat dim(0) %x, %y : (tensor<3x2xi32>, tensor<0x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// -----

// CHECK: error: 'memref.collapse_shape' op collapsed dim (0) must be dynamic
func.func @collapse(%x: tensor<0x?xf32>) -> tensor<?xf32> {
  %r = tensor.collapse_shape %x [[0, 1]] : tensor<0x?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
}
