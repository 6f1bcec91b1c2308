// RUN: comb-opt %s --split-input-file --verify-diagnostics

// S1, S8: Inputs of different static shapes.
func.func @f(%x: tensor<3xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{'soac.map' op operands 0 and 1 have different shapes: [3] and [4]}}
  %r = soac.map %x, %y : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// Inputs of different rank.
func.func @f(%x: tensor<?xf32>, %y: tensor<?x?xf32>) {
  // expected-error @below {{'soac.map' op operands 0 and 1 have different shapes: [?] and [?, ?]}}
  %r = soac.map %x, %y : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// No inputs.
func.func @f() {
  // expected-error @below {{'soac.map' op needs at least one array}}
  "soac.map"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    soac.yield
  }) : () -> ()
  return
}

// -----

// Too many outer dimensions.
func.func @f(%x: tensor<?x8xf32>) {
  // expected-error @below {{'soac.map' op maps over 3 outer dimensions of an array of 2 dimensions}}
  %r = soac.map %x outer 3 : (tensor<?x8xf32>) -> tensor<?x8xf32> (%a: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// The array of least rank decides.
func.func @f(%x: tensor<?x8xf32>, %y: tensor<?xf32>) {
  // expected-error @below {{'soac.map' op maps over 2 outer dimensions of an array of 1 dimension}}
  %r = soac.map %x, %y outer 2 : (tensor<?x8xf32>, tensor<?xf32>) -> tensor<?x8xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// No outer dimensions.
func.func @f(%x: tensor<f32>) {
  // expected-error @below {{'soac.map' op maps over 0 outer dimensions of an array of 0 dimensions}}
  %r = soac.map %x outer 0 : (tensor<f32>) -> tensor<f32> (%a: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// Outer dimensions that differ.
func.func @f(%x: tensor<3x8xf32>, %y: tensor<4x8xf32>) {
  // expected-error @below {{'soac.map' op operands 0 and 1 have different shapes: [3] and [4]}}
  %r = soac.map %x, %y outer 1 : (tensor<3x8xf32>, tensor<4x8xf32>) -> tensor<3xf32> (%a: tensor<8xf32>, %b: tensor<8xf32>) {
    %z = arith.constant 0.0 : f32
    soac.yield %z : f32
  }
  return
}

// -----

// Takes an inner array of another type.
func.func @f(%x: tensor<?x8xf32>, %z: f32) {
  // expected-error @below {{'soac.map' op has a lambda of (tensor<?xf32>), expected (tensor<8xf32>)}}
  %r = soac.map %x outer 1 : (tensor<?x8xf32>) -> tensor<?xf32> (%a: tensor<?xf32>) {
    soac.yield %z : f32
  }
  return
}

// -----

// Takes other elements.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.map' op has a lambda of (f64), expected (f32)}}
  %r = soac.map %x : (tensor<?xf32>) -> tensor<?xf64> (%a: f64) {
    soac.yield %a : f64
  }
  return
}

// -----

// Takes too few elements.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.map' op has a lambda of (f32), expected (f32, f32)}}
  %r = soac.map %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// Yields an array without `outer`.
func.func @f(%x: tensor<?xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{'soac.map' op yields an array, tensor<4xf32>, as an element; say over how many dimensions it maps with 'outer'}}
  %r = soac.map %x : (tensor<?xf32>) -> tensor<?x4xf32> (%a: f32) {
    soac.yield %y : tensor<4xf32>
  }
  return
}

// -----

// A dynamic inner size is not given.
func.func @f(%x: tensor<?x?xf32>) {
  // expected-error @below {{'soac.map' op yields arrays with 1 dynamic dimension, but 'inner' gives 0}}
  %r = soac.map %x outer 1 : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: tensor<?xf32>) {
    soac.yield %a : tensor<?xf32>
  }
  return
}

// -----

// Too many inner sizes.
func.func @f(%x: tensor<?x8xf32>, %n: index) {
  // expected-error @below {{'soac.map' op yields arrays with 0 dynamic dimensions, but 'inner' gives 1}}
  %r = soac.map %x outer 1 inner (%n) : (tensor<?x8xf32>) -> tensor<?x8xf32> (%a: tensor<8xf32>) {
    soac.yield %a : tensor<8xf32>
  }
  return
}

// -----

// Yields nothing.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.map' op yields nothing}}
  "soac.map"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%a: f32):
    soac.yield
  }) : (tensor<?xf32>) -> ()
  return
}

// -----

// Yields what no array holds.
func.func @f(%x: tensor<?xf32>, %c: complex<f32>) {
  // expected-error @below {{'soac.map' op yields complex<f32>; elements are i1 to i64, index, f16, bf16, f32 or f64}}
  %r = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    soac.yield %c : complex<f32>
  }
  return
}

// -----

// No yield.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.map' op needs a lambda that ends with 'soac.yield'}}
  %r = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    ub.unreachable
  }
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<3xf32>) {
  // expected-error @below {{'soac.map' op has results (tensor<3x3xf32>), but its operands say (tensor<3xf32>)}}
  %r = soac.map %x : (tensor<3xf32>) -> tensor<3x3xf32> (%a: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// An input that is no array.
func.func @f(%x: f32) {
  // expected-error @below {{'soac.map' op operand #0 must be variadic of array (ranked tensor without encoding) of i1 to i64, index, f16, bf16, f32 or f64 values, but got 'f32'}}
  %r = "soac.map"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%a: f32):
    soac.yield %a : f32
  }) : (f32) -> tensor<f32>
  return
}

// -----

// An input with an encoding.
func.func @f(%x: tensor<3xf32, "sparse">) {
  // expected-error @below {{'soac.map' op operand #0 must be variadic of array (ranked tensor without encoding) of i1 to i64, index, f16, bf16, f32 or f64 values, but got 'tensor<3xf32, "sparse">'}}
  %r = soac.map %x : (tensor<3xf32, "sparse">) -> tensor<3xf32> (%a: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// Segments that do not add up.
func.func @f(%x: tensor<3xf32>) {
  // expected-error @below {{'soac.map' op operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
  %r = "soac.map"(%x) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: f32):
    soac.yield %a : f32
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// Negative segments.
func.func @f(%x: tensor<3xf32>) {
  // expected-error @below {{'soac.map' op 'operandSegmentSizes' attribute cannot have negative elements}}
  %r = "soac.map"(%x) <{operandSegmentSizes = array<i32: 2, -1>}> ({
  ^bb0(%a: f32):
    soac.yield %a : f32
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return
}
