// RUN: comb-opt %s --split-input-file --verify-diagnostics

// Other elements.
func.func @f(%s: tensor<2xf64>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.update' op the source must have the elements of the destination: expected (f32), got (f64)}}
  %r = soac.update %s into %x at [0] strides [1] : tensor<2xf64> into tensor<9xf32> -> tensor<9xf32>
  return
}

// -----

// Another rank.
func.func @f(%s: tensor<2xf32>, %x: tensor<9x9xf32>) {
  // expected-error @below {{'soac.update' op writes tensor<2xf32> into tensor<9x9xf32>: they differ in rank}}
  %r = soac.update %s into %x at [0, 0] strides [1, 1] : tensor<2xf32> into tensor<9x9xf32> -> tensor<9x9xf32>
  return
}

// -----

// Too few offsets.
func.func @f(%s: tensor<2x2xf32>, %x: tensor<9x9xf32>) {
  // expected-error @below {{'soac.update' op needs one offset for each of 2 dimensions, got 1}}
  %r = soac.update %s into %x at [0] strides [1, 1] : tensor<2x2xf32> into tensor<9x9xf32> -> tensor<9x9xf32>
  return
}

// -----

// Too many strides.
func.func @f(%s: tensor<2xf32>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.update' op needs one stride for each of 1 dimension, got 2}}
  %r = soac.update %s into %x at [0] strides [1, 1] : tensor<2xf32> into tensor<9xf32> -> tensor<9xf32>
  return
}

// -----

// A stride of zero.
func.func @f(%s: tensor<2xf32>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.update' op the stride of dimension 0 is zero}}
  %r = soac.update %s into %x at [0] strides [0] : tensor<2xf32> into tensor<9xf32> -> tensor<9xf32>
  return
}

// -----

// A stride of zero is wrong even if unchecked.
func.func @f(%s: tensor<2xf32>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.update' op the stride of dimension 0 is zero}}
  %r = soac.update %s into %x at [0] strides [0] unchecked : tensor<2xf32> into tensor<9xf32> -> tensor<9xf32>
  return
}

// -----

// Behind the end.
func.func @f(%s: tensor<2xf32>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.update' op the slice with offset 8, size 2 and stride 1 leaves dimension 0 of size 9}}
  %r = soac.update %s into %x at [8] strides [1] : tensor<2xf32> into tensor<9xf32> -> tensor<9xf32>
  return
}

// -----

// In front of the beginning.
func.func @f(%s: tensor<2xf32>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.update' op the slice with offset 0, size 2 and stride -1 leaves dimension 0 of size 9}}
  %r = soac.update %s into %x at [0] strides [-1] : tensor<2xf32> into tensor<9xf32> -> tensor<9xf32>
  return
}

// -----

// In the second dimension.
func.func @f(%s: tensor<2x2xf32>, %x: tensor<?x9xf32>) {
  // expected-error @below {{'soac.update' op the slice with offset -1, size 2 and stride 1 leaves dimension 1 of size 9}}
  %r = soac.update %s into %x at [0, -1] strides [1, 1] : tensor<2x2xf32> into tensor<?x9xf32> -> tensor<?x9xf32>
  return
}

// -----

// A huge stride.
func.func @f(%s: tensor<9223372036854775807xi8>, %x: tensor<9xi8>) {
  // expected-error @below {{'soac.update' op the slice with offset 9223372036854775807, size 9223372036854775807 and stride 9223372036854775807 leaves dimension 0 of size 9}}
  %r = soac.update %s into %x at [9223372036854775807] strides [9223372036854775807] : tensor<9223372036854775807xi8> into tensor<9xi8> -> tensor<9xi8>
  return
}

// -----

// Fewer operands than entries left open.
func.func @f(%s: tensor<2xf32>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.update' op 'static_offsets' needs 1 operand for its dynamic entries, got 0}}
  %r = "soac.update"(%s, %x) <{static_offsets = array<i64: -9223372036854775808>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<2xf32>, tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// Two results.
func.func @f(%s: tensor<2xf32>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.update' op has results (tensor<9xf32>, tensor<9xf32>), but its operands say (tensor<9xf32>)}}
  %r:2 = "soac.update"(%s, %x) <{static_offsets = array<i64: 0>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<2xf32>, tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
  return
}

// -----

// Two sources.
func.func @f(%s: tensor<2xf32>, %x: tensor<9xf32>) {
  // expected-error @below {{'soac.update' op needs one source, got 2}}
  %r = "soac.update"(%s, %s, %x) <{static_offsets = array<i64: 0>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1, 0, 0>}> : (tensor<2xf32>, tensor<2xf32>, tensor<9xf32>) -> tensor<9xf32>
  return
}
