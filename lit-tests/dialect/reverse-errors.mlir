// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.reverse' op needs at least one array}}
  "soac.reverse"() <{dims = array<i64: 0>}> : () -> ()
  return
}

// -----

// A dimension that there is not.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.reverse' op names dimension 1 of an array of 1 dimension}}
  %r = soac.reverse %x dims [1] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// A negative dimension.
func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @below {{'soac.reverse' op names dimension -1 of an array of 2 dimensions}}
  %r = soac.reverse %x dims [0, -1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// A dimension twice.
func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @below {{'soac.reverse' op names dimension 1 twice}}
  %r = soac.reverse %x dims [1, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// Inputs of different shapes.
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'soac.reverse' op operands 0 and 1 have different shapes: [4] and [5]}}
  %r:2 = soac.reverse %x, %y dims [0] : (tensor<4xf32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.reverse' op has results (tensor<5xf32>), but its operands say (tensor<4xf32>)}}
  %r = soac.reverse %x dims [0] : (tensor<4xf32>) -> tensor<5xf32>
  return
}
