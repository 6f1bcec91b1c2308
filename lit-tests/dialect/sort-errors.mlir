// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.sort' op needs at least one array}}
  "soac.sort"() ({
    soac.yield
  }) : () -> ()
  return
}

// -----

// Rank 0.
func.func @f(%x: tensor<f32>, %c: i1) {
  // expected-error @below {{'soac.sort' op sorts an array of 0 dimensions}}
  %r = soac.sort %x : (tensor<f32>) -> tensor<f32> (%a: f32, %b: f32) {
    soac.yield %c : i1
  }
  return
}

// -----

// Inputs of different sizes.
func.func @f(%x: tensor<3xf32>, %y: tensor<4xi1>) {
  // expected-error @below {{'soac.sort' op operands 0 and 1 have different shapes: [3] and [4]}}
  %r:2 = soac.sort %x, %y : (tensor<3xf32>, tensor<4xi1>) -> (tensor<3xf32>, tensor<4xi1>) (%a: f32, %c: i1, %b: f32, %d: i1) {
    soac.yield %c : i1
  }
  return
}

// -----

// The function yields no truth value.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.sort' op has a lambda that yields (f32), expected (i1)}}
  %r = soac.sort %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// The function takes the elements of one place only.
func.func @f(%x: tensor<?xf32>, %c: i1) {
  // expected-error @below {{'soac.sort' op has a lambda of (f32), expected (f32, f32)}}
  %r = soac.sort %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    soac.yield %c : i1
  }
  return
}

// -----

// Pairs in place of the elements of one place after those of the other.
func.func @f(%x: tensor<?xf32>, %y: tensor<?xi8>, %c: i1) {
  // expected-error @below {{'soac.sort' op has a lambda of (f32, f32, i8, i8), expected (f32, i8, f32, i8)}}
  %r:2 = soac.sort %x, %y : (tensor<?xf32>, tensor<?xi8>) -> (tensor<?xf32>, tensor<?xi8>) (%a: f32, %b: f32, %i: i8, %j: i8) {
    soac.yield %c : i1
  }
  return
}

// -----

// No yield.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.sort' op needs a lambda that ends with 'soac.yield'}}
  %r = soac.sort %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    ub.unreachable
  }
  return
}

// -----

// A result too many.
func.func @f(%x: tensor<4xf32>, %c: i1) {
  // expected-error @below {{'soac.sort' op has results (tensor<4xf32>, tensor<4xf32>), but its operands say (tensor<4xf32>)}}
  %r:2 = soac.sort %x : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) (%a: f32, %b: f32) {
    soac.yield %c : i1
  }
  return
}
