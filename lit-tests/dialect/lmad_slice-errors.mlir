// RUN: comb-opt %s --split-input-file --verify-diagnostics

// Two offsets.
func.func @f(%x: tensor<9xf32>) {
  // expected-error @below {{'soac.lmad_slice' op needs one offset, got 2}}
  %r = soac.lmad_slice %x offset [0, 0] sizes [2] strides [1] : tensor<9xf32> -> tensor<2xf32>
  return
}

// -----

// No offset.
func.func @f(%x: tensor<9xf32>) {
  // expected-error @below {{'soac.lmad_slice' op needs one offset, got 0}}
  %r = soac.lmad_slice %x offset [] sizes [2] strides [1] : tensor<9xf32> -> tensor<2xf32>
  return
}

// -----

// Too few strides.
func.func @f(%x: tensor<9xf32>) {
  // expected-error @below {{'soac.lmad_slice' op needs one stride for each of 2 dimensions, got 1}}
  %r = soac.lmad_slice %x offset [0] sizes [2, 2] strides [1] : tensor<9xf32> -> tensor<2x2xf32>
  return
}

// -----

// A negative size.
func.func @f(%x: tensor<9xf32>) {
  // expected-error @below {{'soac.lmad_slice' op size 1 is negative: -2}}
  %r = soac.lmad_slice %x offset [0] sizes [2, -2] strides [1, 1] : tensor<9xf32> -> tensor<2x?xf32>
  return
}

// -----

// Behind the end.
func.func @f(%x: tensor<3x3xf32>) {
  // expected-error @below {{'soac.lmad_slice' op the LMAD with offset 0, sizes [3, 2] and strides [4, 1] leaves the array of shape [3, 3]}}
  %r = soac.lmad_slice %x offset [0] sizes [3, 2] strides [4, 1] : tensor<3x3xf32> -> tensor<3x2xf32>
  return
}

// -----

// In front of the beginning.
func.func @f(%x: tensor<9xf32>) {
  // expected-error @below {{'soac.lmad_slice' op the LMAD with offset 2, sizes [4] and strides [-1] leaves the array of shape [9]}}
  %r = soac.lmad_slice %x offset [2] sizes [4] strides [-1] : tensor<9xf32> -> tensor<4xf32>
  return
}

// -----

// A point of an empty array.
func.func @f(%x: tensor<0xf32>) {
  // expected-error @below {{'soac.lmad_slice' op the LMAD with offset 0, sizes [] and strides [] leaves the array of shape [0]}}
  %r = soac.lmad_slice %x offset [0] sizes [] strides [] : tensor<0xf32> -> tensor<f32>
  return
}

// -----

// Huge sizes and strides.
func.func @f(%x: tensor<9xi8>) {
  // expected-error @below {{'soac.lmad_slice' op the LMAD with offset 0, sizes [9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807] and strides [9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807] leaves the array of shape [9]}}
  %r = soac.lmad_slice %x offset [0] sizes [9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807] strides [9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807] : tensor<9xi8> -> tensor<?x?x?x?x?xi8>
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<9xf32>) {
  // expected-error @below {{'soac.lmad_slice' op has results (tensor<3xf32>), but its operands say (tensor<2xf32>)}}
  %r = soac.lmad_slice %x offset [0] sizes [2] strides [1] : tensor<9xf32> -> tensor<3xf32>
  return
}
