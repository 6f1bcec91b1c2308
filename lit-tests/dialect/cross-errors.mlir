// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No left arrays.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.cross' op needs at least one left array}}
  %r = "soac.cross"(%x) <{operandSegmentSizes = array<i32: 0, 1>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// No right arrays.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.cross' op needs at least one right array}}
  %r = "soac.cross"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Left arrays of different shapes.
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'soac.cross' op left arrays 0 and 1 have different shapes: [4] and [5]}}
  %r:3 = soac.cross %x, %y by %x : (tensor<4xf32>, tensor<5xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

// Right arrays of different shapes.
func.func @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'soac.cross' op right arrays 0 and 1 have different shapes: [4] and [5]}}
  %r:3 = soac.cross %x by %x, %y : (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

// A result for the left array only.
func.func @f(%x: tensor<4xf32>) {
  // expected-error @below {{'soac.cross' op has results (tensor<4x4xf32>), but its operands say (tensor<4x4xf32>, tensor<4x4xf32>)}}
  %r = soac.cross %x by %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  return
}
