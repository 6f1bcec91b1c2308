// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.scanr' op needs at least one array}}
  "soac.scanr"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    soac.yield
  }) : () -> ()
  return
}

// -----

// A neutral element of another type.
func.func @f(%x: tensor<?xf32>, %z: i32) {
  // expected-error @below {{'soac.scanr' op needs a neutral element for each array: expected (f32), got (i32)}}
  %r = soac.scanr %x neutral %z : (tensor<?xf32>, i32) -> tensor<?xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// An array of rank 0.
func.func @f(%x: tensor<f32>, %z: f32) {
  // expected-error @below {{'soac.scanr' op scans an array of 0 dimensions}}
  %r = soac.scanr %x neutral %z : (tensor<f32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// Inputs of different shapes.
func.func @f(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: f32) {
  // expected-error @below {{'soac.scanr' op operands 0 and 1 have different shapes: [3] and [4]}}
  %r:2 = soac.scanr %x, %y neutral %z, %z : (tensor<3xf32>, tensor<4xf32>, f32, f32) -> (tensor<3xf32>, tensor<4xf32>) (%a: f32, %b: f32, %c: f32, %d: f32) {
    soac.yield %a, %b : f32, f32
  }
  return
}

// -----

// A lambda of too few arguments.
func.func @f(%x: tensor<?xf32>, %z: f32) {
  // expected-error @below {{'soac.scanr' op has a lambda of (f32), expected (f32, f32)}}
  %r = soac.scanr %x neutral %z : (tensor<?xf32>, f32) -> tensor<?xf32> (%a: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// Yields other elements.
func.func @f(%x: tensor<?xf32>, %z: f32, %q: i1) {
  // expected-error @below {{'soac.scanr' op has a lambda that yields (i1), expected (f32)}}
  %r = soac.scanr %x neutral %z : (tensor<?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    soac.yield %q : i1
  }
  return
}

// -----

// No yield.
func.func @f(%x: tensor<?xf32>, %z: f32) {
  // expected-error @below {{'soac.scanr' op needs a lambda that ends with 'soac.yield'}}
  %r = soac.scanr %x neutral %z : (tensor<?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    ub.unreachable
  }
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<4xf32>, %z: f32) {
  // expected-error @below {{'soac.scanr' op has results (tensor<5xf32>), but its operands say (tensor<4xf32>)}}
  %r = soac.scanr %x neutral %z : (tensor<4xf32>, f32) -> tensor<5xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}
