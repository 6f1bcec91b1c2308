// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.reshape' op needs at least one array}}
  "soac.reshape"() <{static_sizes = array<i64>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

// Another number of elements.
func.func @f(%x: tensor<6xf32>) {
  // expected-error @below {{'soac.reshape' op shapes [6] and [2, 4] have different numbers of elements}}
  %r = soac.reshape %x to [2, 4] : (tensor<6xf32>) -> tensor<2x4xf32>
  return
}

// -----

// A negative size.
func.func @f(%x: tensor<6xf32>) {
  // expected-error @below {{'soac.reshape' op size 0 is negative: -2}}
  %r = soac.reshape %x to [-2, -3] : (tensor<6xf32>) -> tensor<?x?xf32>
  return
}

// -----

// No elements out of some.
func.func @f(%x: tensor<6xf32>, %n: index) {
  // expected-error @below {{'soac.reshape' op shapes [6] and [?, 0] have different numbers of elements}}
  %r = soac.reshape %x to [%n, 0] : (tensor<6xf32>) -> tensor<?x0xf32>
  return
}

// -----

// Rank 0 has one element.
func.func @f(%x: tensor<2xf32>) {
  // expected-error @below {{'soac.reshape' op shapes [2] and [] have different numbers of elements}}
  %r = soac.reshape %x to [] : (tensor<2xf32>) -> tensor<f32>
  return
}

// -----

// Inputs of different shapes.
func.func @f(%x: tensor<4xf32>, %y: tensor<2x2xf32>) {
  // expected-error @below {{'soac.reshape' op operands 0 and 1 have different shapes: [4] and [2, 2]}}
  %r:2 = soac.reshape %x, %y to [4] : (tensor<4xf32>, tensor<2x2xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<6xf32>) {
  // expected-error @below {{'soac.reshape' op has results (tensor<3x2xf32>), but its operands say (tensor<2x3xf32>)}}
  %r = soac.reshape %x to [2, 3] : (tensor<6xf32>) -> tensor<3x2xf32>
  return
}
