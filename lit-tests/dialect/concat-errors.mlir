// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.concat' op needs at least one array}}
  "soac.concat"() <{dim = 0 : i64}> : () -> ()
  return
}

// -----

// A dimension that there is not.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.concat' op names dimension 1 of an array of 1 dimension}}
  %r = soac.concat %x, %x dim 1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

// A negative dimension.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.concat' op names dimension -1 of an array of 1 dimension}}
  %r = soac.concat %x, %x dim -1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

// Rank 0.
func.func @f(%x: tensor<f32>) {
  // expected-error @below {{'soac.concat' op names dimension 0 of an array of 0 dimensions}}
  %r = soac.concat %x, %x dim 0 : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// Different elements.
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{'soac.concat' op arrays must have the same elements: expected (f32, f32), got (f32, f64)}}
  %r = soac.concat %x, %y dim 0 : (tensor<4xf32>, tensor<4xf64>) -> tensor<8xf32>
  return
}

// -----

// Other dimensions that differ.
func.func @f(%x: tensor<2x4xf32>, %y: tensor<3x4xf32>) {
  // expected-error @below {{'soac.concat' op operands 0 and 1, apart from dimension 1, have different shapes: [2] and [3]}}
  %r = soac.concat %x, %y dim 1 : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

// Different ranks.
func.func @f(%x: tensor<2xf32>, %y: tensor<3x4xf32>) {
  // expected-error @below {{'soac.concat' op operands 0 and 1, apart from dimension 0, have different shapes: [] and [4]}}
  %r = soac.concat %x, %y dim 0 : (tensor<2xf32>, tensor<3x4xf32>) -> tensor<5xf32>
  return
}

// -----

// A result of another size.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.concat' op has results (tensor<4xf32>), but its operands say (tensor<8xf32>)}}
  %r = soac.concat %x, %x dim 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// No dimension.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.concat' op requires attribute 'dim'}}
  %r = "soac.concat"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}
