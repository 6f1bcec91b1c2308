// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.replicate' op needs at least one array}}
  "soac.replicate"() <{static_sizes = array<i64: 3>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

// A negative size.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.replicate' op size 0 is negative: -5}}
  %r = soac.replicate %x [-5] : (tensor<4xf32>) -> tensor<?x4xf32>
  return
}

// -----

// Inputs of different shapes.
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'soac.replicate' op operands 0 and 1 have different shapes: [4] and [5]}}
  %r:2 = soac.replicate %x, %y [2] : (tensor<4xf32>, tensor<5xf32>) -> (tensor<2x4xf32>, tensor<2x5xf32>)
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.replicate' op has results (tensor<4x2xf32>), but its operands say (tensor<2x4xf32>)}}
  %r = soac.replicate %x [2] : (tensor<4xf32>) -> tensor<4x2xf32>
  return
}
