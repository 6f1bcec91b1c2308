// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.backpermute' op needs at least one array}}
  "soac.backpermute"() <{static_sizes = array<i64>, operandSegmentSizes = array<i32: 0, 0>}> ({
    soac.yield
  }) : () -> ()
  return
}

// -----

// A negative size.
func.func @f(%x: tensor<6xf32>) {
  // expected-error @below {{'soac.backpermute' op size 0 is negative: -2}}
  %r = soac.backpermute %x [-2] : (tensor<6xf32>) -> tensor<?xf32> (%i: index) {
    soac.yield %i : index
  }
  return
}

// -----

// An argument too few.
func.func @f(%x: tensor<6xf32>) {
  // expected-error @below {{'soac.backpermute' op has a lambda of (index), expected (index, index)}}
  %r = soac.backpermute %x [2, 2] : (tensor<6xf32>) -> tensor<2x2xf32> (%i: index) {
    soac.yield %i : index
  }
  return
}

// -----

// An index too few.
func.func @f(%x: tensor<6x6xf32>) {
  // expected-error @below {{'soac.backpermute' op has a lambda that yields (index), expected (index, index)}}
  %r = soac.backpermute %x [2] : (tensor<6x6xf32>) -> tensor<2xf32> (%i: index) {
    soac.yield %i : index
  }
  return
}

// -----

// Yields no index.
func.func @f(%x: tensor<6xf32>, %j: i64) {
  // expected-error @below {{'soac.backpermute' op has a lambda that yields (i64), expected (index)}}
  %r = soac.backpermute %x [2] : (tensor<6xf32>) -> tensor<2xf32> (%i: index) {
    soac.yield %j : i64
  }
  return
}

// -----

// No yield.
func.func @f(%x: tensor<6xf32>) {
  // expected-error @below {{'soac.backpermute' op needs a lambda that ends with 'soac.yield'}}
  %r = soac.backpermute %x [2] : (tensor<6xf32>) -> tensor<2xf32> (%i: index) {
    ub.unreachable
  }
  return
}

// -----

// Inputs of different shapes.
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'soac.backpermute' op operands 0 and 1 have different shapes: [4] and [5]}}
  %r:2 = soac.backpermute %x, %y [2] : (tensor<4xf32>, tensor<5xf32>) -> (tensor<2xf32>, tensor<2xf32>) (%i: index) {
    soac.yield %i : index
  }
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<6xf32>) {
  // expected-error @below {{'soac.backpermute' op has results (tensor<6xf32>), but its operands say (tensor<2xf32>)}}
  %r = soac.backpermute %x [2] : (tensor<6xf32>) -> tensor<6xf32> (%i: index) {
    soac.yield %i : index
  }
  return
}
