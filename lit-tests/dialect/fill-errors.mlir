// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No value.
func.func @f() {
  // expected-error @below {{'soac.fill' op needs at least one value}}
  "soac.fill"() <{static_sizes = array<i64: 3>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

// A negative size.
func.func @f(%z: f32) {
  // expected-error @below {{'soac.fill' op size 1 is negative: -1}}
  %r = soac.fill %z [2, -1] : (f32) -> tensor<2x?xf32>
  return
}

// -----

// An array as value.
func.func @f(%z: tensor<3xf32>) {
  // expected-error @below {{'soac.fill' op operand #0 must be variadic of i1 to i64, index, f16, bf16, f32 or f64, but got 'tensor<3xf32>'}}
  %r = soac.fill %z [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// A result of other elements.
func.func @f(%z: f32) {
  // expected-error @below {{'soac.fill' op has results (tensor<2xf64>), but its operands say (tensor<2xf32>)}}
  %r = soac.fill %z [2] : (f32) -> tensor<2xf64>
  return
}

// -----

// More operands than entries left open.
func.func @f(%z: f32, %n: index) {
  // expected-error @below {{'soac.fill' op 'static_sizes' needs 0 operands for its dynamic entries, got 1}}
  %r = "soac.fill"(%z, %n) <{static_sizes = array<i64: 3>, operandSegmentSizes = array<i32: 1, 1>}> : (f32, index) -> tensor<3xf32>
  return
}
