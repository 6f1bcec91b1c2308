// RUN: comb-opt %s --split-input-file --verify-diagnostics

// Yields a scalar.
func.func @f(%x: tensor<4xf32>, %s: f32) {
  // expected-error @below {{'soac.cluster' op yields f32, which is not an array}}
  %r = soac.cluster %x : (tensor<4xf32>) -> tensor<f32> (%a: tensor<4xf32>) {
    soac.yield %s : f32
  }
  return
}

// -----

// An order too few for the inputs.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.cluster' op has 2 inputs, but 1 order}}
  %r = soac.cluster %x, %x reads [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> (%a: tensor<4xf32>, %b: tensor<4xf32>) {
    soac.yield %a : tensor<4xf32>
  }
  return
}

// -----

// An order too many for the results.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.cluster' op has 1 result, but 2 orders}}
  %r = soac.cluster %x writes [0, 1] : (tensor<4xf32>) -> tensor<4xf32> (%a: tensor<4xf32>) {
    soac.yield %a : tensor<4xf32>
  }
  return
}

// -----

// An order that there is not.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.cluster' op has an unknown traversal order, -2}}
  %r = soac.cluster %x reads [-2] : (tensor<4xf32>) -> tensor<4xf32> (%a: tensor<4xf32>) {
    soac.yield %a : tensor<4xf32>
  }
  return
}

// -----

// Takes another type.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.cluster' op has a lambda of (tensor<?xf32>), expected (tensor<4xf32>)}}
  %r = soac.cluster %x : (tensor<4xf32>) -> tensor<?xf32> (%a: tensor<?xf32>) {
    soac.yield %a : tensor<?xf32>
  }
  return
}

// -----

// No yield.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.cluster' op needs a lambda that ends with 'soac.yield'}}
  %r = soac.cluster %x : (tensor<4xf32>) -> tensor<4xf32> (%a: tensor<4xf32>) {
    ub.unreachable
  }
  return
}

// -----

// A result of another type.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.cluster' op has results (tensor<4xf64>), but its operands say (tensor<4xf32>)}}
  %r = soac.cluster %x : (tensor<4xf32>) -> tensor<4xf64> (%a: tensor<4xf32>) {
    soac.yield %a : tensor<4xf32>
  }
  return
}

// -----

// A result that says more than the yield.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.cluster' op has results (tensor<4xf32>), but its operands say (tensor<?xf32>)}}
  %r = soac.cluster %x : (tensor<?xf32>) -> tensor<4xf32> (%a: tensor<?xf32>) {
    soac.yield %a : tensor<?xf32>
  }
  return
}
