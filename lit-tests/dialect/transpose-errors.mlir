// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.transpose' op needs at least one array}}
  "soac.transpose"() <{permutation = array<i64>}> : () -> ()
  return
}

// -----

// Too short.
func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @below {{'soac.transpose' op [0] is not a permutation of 2 dimensions}}
  %r = soac.transpose %x [0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// A dimension twice.
func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @below {{'soac.transpose' op [1, 1] is not a permutation of 2 dimensions}}
  %r = soac.transpose %x [1, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// A negative dimension.
func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @below {{'soac.transpose' op [-1, 0] is not a permutation of 2 dimensions}}
  %r = soac.transpose %x [-1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// Inputs of different shapes.
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'soac.transpose' op operands 0 and 1 have different shapes: [4] and [5]}}
  %r:2 = soac.transpose %x, %y [0] : (tensor<4xf32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<4x?xf32>) {
  // expected-error @below {{'soac.transpose' op has results (tensor<4x3xf32>), but its operands say (tensor<?x4xf32>)}}
  %r = soac.transpose %x [1, 0] : (tensor<4x?xf32>) -> tensor<4x3xf32>
  return
}
