// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.force' op needs at least one array}}
  "soac.force"() : () -> ()
  return
}

// -----

// A result of another type.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.force' op has results (tensor<5xf32>), but its operands say (tensor<4xf32>)}}
  %r = "soac.force"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

// A scalar.
func.func @f(%x: f32) {
  // expected-error @below {{'soac.force' op operand 0 is not an array: f32}}
  %r = soac.force %x : f32
  return
}
