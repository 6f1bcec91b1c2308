// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.fold' op needs at least one array}}
  "soac.fold"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    soac.yield
  }) : () -> ()
  return
}

// -----

// A neutral element of another type.
func.func @f(%x: tensor<?xf32>, %z: f64) {
  // expected-error @below {{'soac.fold' op needs a neutral element for each array: expected (f32), got (f64)}}
  %r = soac.fold %x neutral %z : (tensor<?xf32>, f64) -> tensor<f32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// Too few neutral elements.
func.func @f(%x: tensor<?xf32>, %z: f32) {
  // expected-error @below {{'soac.fold' op needs a neutral element for each array: expected (f32, f32), got (f32)}}
  %r:2 = soac.fold %x, %x neutral %z : (tensor<?xf32>, tensor<?xf32>, f32) -> (tensor<f32>, tensor<f32>) (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// More dimensions than there are.
func.func @f(%x: tensor<?xf32>, %z: f32) {
  // expected-error @below {{'soac.fold' op folds 2 inner dimensions of an array of 1 dimension}}
  %r = soac.fold %x neutral %z inner 2 : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// No dimension.
func.func @f(%x: tensor<?xf32>, %z: f32) {
  // expected-error @below {{'soac.fold' op folds 0 inner dimensions of an array of 1 dimension}}
  %r = soac.fold %x neutral %z inner 0 : (tensor<?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// A negative number of dimensions.
func.func @f(%x: tensor<?xf32>, %z: f32) {
  // expected-error @below {{'soac.fold' op folds -1 inner dimensions of an array of 1 dimension}}
  %r = soac.fold %x neutral %z inner -1 : (tensor<?xf32>, f32) -> tensor<?xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// An array of rank 0.
func.func @f(%x: tensor<f32>, %z: f32) {
  // expected-error @below {{'soac.fold' op folds 1 inner dimensions of an array of 0 dimensions}}
  %r = soac.fold %x neutral %z : (tensor<f32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// Inputs of different shapes.
func.func @f(%x: tensor<3xf32>, %y: tensor<4xf32>, %z: f32) {
  // expected-error @below {{'soac.fold' op operands 0 and 1 have different shapes: [3] and [4]}}
  %r:2 = soac.fold %x, %y neutral %z, %z : (tensor<3xf32>, tensor<4xf32>, f32, f32) -> (tensor<f32>, tensor<f32>) (%a: f32, %b: f32, %c: f32, %d: f32) {
    soac.yield %a, %b : f32, f32
  }
  return
}

// -----

// A lambda of elements only.
func.func @f(%x: tensor<?xf32>, %z: f32) {
  // expected-error @below {{'soac.fold' op has a lambda of (f32), expected (f32, f32)}}
  %r = soac.fold %x neutral %z : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// Yields too much.
func.func @f(%x: tensor<?xf32>, %z: f32) {
  // expected-error @below {{'soac.fold' op has a lambda that yields (f32, f32), expected (f32)}}
  %r = soac.fold %x neutral %z : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    soac.yield %a, %b : f32, f32
  }
  return
}

// -----

// No yield.
func.func @f(%x: tensor<?xf32>, %z: f32) {
  // expected-error @below {{'soac.fold' op needs a lambda that ends with 'soac.yield'}}
  %r = soac.fold %x neutral %z : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    ub.unreachable
  }
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<?x4xf32>, %z: f32) {
  // expected-error @below {{'soac.fold' op has results (tensor<?x4xf32>), but its operands say (tensor<?xf32>)}}
  %r = soac.fold %x neutral %z : (tensor<?x4xf32>, f32) -> tensor<?x4xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// `inner` is no integer.
func.func @f(%x: tensor<?xf32>, %z: f32) {
  // expected-error @below {{invalid properties {inner = "one", operandSegmentSizes = array<i32: 1, 1>} for op soac.fold: Invalid attribute `inner` in property conversion: "one"}}
  %r = "soac.fold"(%x, %z) <{inner = "one", operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: f32, %b: f32):
    soac.yield %a : f32
  }) : (tensor<?xf32>, f32) -> tensor<f32>
  return
}
