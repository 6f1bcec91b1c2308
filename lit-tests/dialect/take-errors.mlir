// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.take' op needs at least one array}}
  "soac.take"() <{static_counts = array<i64>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

// More counts than dimensions.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.take' op has 2 counts for an array of 1 dimension}}
  %r = soac.take %x [1, 1] : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

// More than there are.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.take' op count 5 is not between 0 and 4, the size of dimension 0}}
  %r = soac.take %x [5] : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

// A negative count.
func.func @f(%x: tensor<?x?xf32>) {
  // expected-error @below {{'soac.take' op count -1 is not between 0 and ?, the size of dimension 1}}
  %r = soac.take %x [0, -1] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return
}

// -----

// Inputs of different shapes.
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'soac.take' op operands 0 and 1 have different shapes: [4] and [5]}}
  %r:2 = soac.take %x, %y [2] : (tensor<4xf32>, tensor<5xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<10xf32>) {
  // expected-error @below {{'soac.take' op has results (tensor<10xf32>), but its operands say (tensor<3xf32>)}}
  %r = soac.take %x [3] : (tensor<10xf32>) -> tensor<10xf32>
  return
}
