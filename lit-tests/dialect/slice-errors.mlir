// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.slice' op needs at least one array}}
  "soac.slice"() <{static_offsets = array<i64>, static_sizes = array<i64>, static_strides = array<i64>, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> : () -> ()
  return
}

// -----

// Too few offsets.
func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @below {{'soac.slice' op needs one offset for each of 2 dimensions, got 1}}
  %r = soac.slice %x [0] [2, 2] [1, 1] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

// Too few sizes.
func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @below {{'soac.slice' op needs one size for each of 2 dimensions, got 1}}
  %r = soac.slice %x [0, 0] [2] [1, 1] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

// Too many strides.
func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @below {{'soac.slice' op needs one stride for each of 2 dimensions, got 3}}
  %r = soac.slice %x [0, 0] [2, 2] [1, 1, 1] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  return
}

// -----

// A negative size.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.slice' op size 0 is negative: -2}}
  %r = soac.slice %x [0] [-2] [1] : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

// Behind the end.
func.func @f(%x: tensor<10xf32>) {
  // expected-error @below {{'soac.slice' op the slice with offset 2, size 5 and stride 2 leaves dimension 0 of size 10}}
  %r = soac.slice %x [2] [5] [2] : (tensor<10xf32>) -> tensor<5xf32>
  return
}

// -----

// In front of the beginning.
func.func @f(%x: tensor<10xf32>) {
  // expected-error @below {{'soac.slice' op the slice with offset 3, size 3 and stride -2 leaves dimension 0 of size 10}}
  %r = soac.slice %x [3] [3] [-2] : (tensor<10xf32>) -> tensor<3xf32>
  return
}

// -----

// Of an empty array.
func.func @f(%x: tensor<0xf32>) {
  // expected-error @below {{'soac.slice' op the slice with offset 0, size 1 and stride 0 leaves dimension 0 of size 0}}
  %r = soac.slice %x [0] [1] [0] : (tensor<0xf32>) -> tensor<1xf32>
  return
}

// -----

// Inputs of different shapes.
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'soac.slice' op operands 0 and 1 have different shapes: [4] and [5]}}
  %r:2 = soac.slice %x, %y [0] [2] [1] : (tensor<4xf32>, tensor<5xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<10xf32>) {
  // expected-error @below {{'soac.slice' op has results (tensor<4xf32>), but its operands say (tensor<3xf32>)}}
  %r = soac.slice %x [3] [3] [2] : (tensor<10xf32>) -> tensor<4xf32>
  return
}
