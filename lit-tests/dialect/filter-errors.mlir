// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.filter' op needs at least one array}}
  "soac.filter"() ({
    soac.yield
  }) : () -> ()
  return
}

// -----

// Rank 2.
func.func @f(%x: tensor<?x?xf32>, %c: i1) {
  // expected-error @below {{'soac.filter' op filters arrays of 1 dimension, not of 2}}
  %r = soac.filter %x : (tensor<?x?xf32>) -> tensor<?xf32> (%a: f32) {
    soac.yield %c : i1
  }
  return
}

// -----

// Rank 0.
func.func @f(%x: tensor<f32>, %c: i1) {
  // expected-error @below {{'soac.filter' op filters arrays of 1 dimension, not of 0}}
  %r = soac.filter %x : (tensor<f32>) -> tensor<?xf32> (%a: f32) {
    soac.yield %c : i1
  }
  return
}

// -----

// Inputs of different sizes.
func.func @f(%x: tensor<3xf32>, %y: tensor<4xi1>) {
  // expected-error @below {{'soac.filter' op operands 0 and 1 have different shapes: [3] and [4]}}
  %r:2 = soac.filter %x, %y : (tensor<3xf32>, tensor<4xi1>) -> (tensor<?xf32>, tensor<?xi1>) (%a: f32, %c: i1) {
    soac.yield %c : i1
  }
  return
}

// -----

// The predicate yields no truth value.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.filter' op has a lambda that yields (f32), expected (i1)}}
  %r = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// The predicate takes other elements.
func.func @f(%x: tensor<?xf32>, %c: i1) {
  // expected-error @below {{'soac.filter' op has a lambda of (f64), expected (f32)}}
  %r = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f64) {
    soac.yield %c : i1
  }
  return
}

// -----

// No yield.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.filter' op needs a lambda that ends with 'soac.yield'}}
  %r = soac.filter %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    ub.unreachable
  }
  return
}

// -----

// A result of static size.
func.func @f(%x: tensor<4xf32>, %c: i1) {
  // expected-error @below {{'soac.filter' op has a result of static size, tensor<4xf32>, but how many elements are kept is known only when it runs}}
  %r = soac.filter %x : (tensor<4xf32>) -> tensor<4xf32> (%a: f32) {
    soac.yield %c : i1
  }
  return
}

// -----

// A result too many.
func.func @f(%x: tensor<4xf32>, %c: i1) {
  // expected-error @below {{'soac.filter' op has results (tensor<?xf32>, tensor<?xf32>), but its operands say (tensor<?xf32>)}}
  %r:2 = soac.filter %x : (tensor<4xf32>) -> (tensor<?xf32>, tensor<?xf32>) (%a: f32) {
    soac.yield %c : i1
  }
  return
}
