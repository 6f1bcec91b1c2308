// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.rotate' op needs at least one array}}
  "soac.rotate"() <{static_amounts = array<i64>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

// More amounts than dimensions.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.rotate' op has 2 amounts for an array of 1 dimension}}
  %r = soac.rotate %x by [1, 1] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Inputs of different shapes.
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'soac.rotate' op operands 0 and 1 have different shapes: [4] and [5]}}
  %r:2 = soac.rotate %x, %y by [1] : (tensor<4xf32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.rotate' op has results (tensor<3xf32>), but its operands say (tensor<4xf32>)}}
  %r = soac.rotate %x by [1] : (tensor<4xf32>) -> tensor<3xf32>
  return
}
