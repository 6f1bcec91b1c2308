// RUN: comb-opt %s --split-input-file --verify-diagnostics

// Other elements.
func.func @f(%s: tensor<2xf64>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.lmad_update' op the source must have the elements of the destination: expected (f32), got (f64)}}
  %r = soac.lmad_update %s into %x offset [0] strides [1] : tensor<2xf64> into tensor<9xf32> -> tensor<9xf32>
  return
}

// -----

// Two offsets.
func.func @f(%s: tensor<2xf32>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.lmad_update' op needs one offset, got 2}}
  %r = soac.lmad_update %s into %x offset [0, 0] strides [1] : tensor<2xf32> into tensor<9xf32> -> tensor<9xf32>
  return
}

// -----

// A stride for each of the destination's dimensions.
func.func @f(%s: tensor<2xf32>, %x: tensor<3x3xf32>) {
  // expected-error @below {{'soac.lmad_update' op needs one stride for each of 1 dimension, got 2}}
  %r = soac.lmad_update %s into %x offset [0] strides [3, 1] : tensor<2xf32> into tensor<3x3xf32> -> tensor<3x3xf32>
  return
}

// -----

// Behind the end.
func.func @f(%s: tensor<4xf32>, %x: tensor<3x3xf32>) {
  // expected-error @below {{'soac.lmad_update' op the LMAD with offset 0, sizes [4] and strides [4] leaves the array of shape [3, 3]}}
  %r = soac.lmad_update %s into %x offset [0] strides [4] : tensor<4xf32> into tensor<3x3xf32> -> tensor<3x3xf32>
  return
}

// -----

// A result of another shape.
func.func @f(%s: tensor<2xf32>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.lmad_update' op has results (tensor<2xf32>), but its operands say (tensor<9xf32>)}}
  %r = soac.lmad_update %s into %x offset [0] strides [1] : tensor<2xf32> into tensor<9xf32> -> tensor<2xf32>
  return
}
