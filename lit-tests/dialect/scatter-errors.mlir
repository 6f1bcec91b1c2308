// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No sources.
func.func @f(%d: tensor<9xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op needs at least one source}}
  %r = "soac.scatter"(%d, %i) <{operandSegmentSizes = array<i32: 0, 1, 1>}> ({
  }) : (tensor<9xf32>, tensor<5xindex>) -> tensor<9xf32>
  return
}

// -----

// No destinations.
func.func @f(%x: tensor<5xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op needs at least one destination}}
  "soac.scatter"(%x, %i) <{operandSegmentSizes = array<i32: 1, 0, 1>}> ({
  }) : (tensor<5xf32>, tensor<5xindex>) -> ()
  return
}

// -----

// No index arrays.
func.func @f(%x: tensor<5xf32>, %d: tensor<9xf32>) {
  // expected-error @below {{'soac.scatter' op needs at least one index array}}
  %r = "soac.scatter"(%x, %d) <{operandSegmentSizes = array<i32: 1, 1, 0>}> ({
  }) : (tensor<5xf32>, tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// Other elements.
func.func @f(%x: tensor<5xf64>, %d: tensor<9xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op sources must have the elements of the destinations: expected (f32), got (f64)}}
  %r = soac.scatter %x into %d at %i : (tensor<5xf64>, tensor<9xf32>, tensor<5xindex>) -> tensor<9xf32>
  return
}

// -----

// Sources of different shapes.
func.func @f(%x: tensor<5xf32>, %y: tensor<6xf32>, %d: tensor<9xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op sources 0 and 1 have different shapes: [5] and [6]}}
  %r:2 = soac.scatter %x, %y into %d, %d at %i : (tensor<5xf32>, tensor<6xf32>, tensor<9xf32>, tensor<9xf32>, tensor<5xindex>) -> (tensor<9xf32>, tensor<9xf32>)
  return
}

// -----

// Destinations of different shapes.
func.func @f(%x: tensor<5xf32>, %d: tensor<9xf32>, %g: tensor<8xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op destinations 0 and 1 have different shapes: [9] and [8]}}
  %r:2 = soac.scatter %x, %x into %d, %g at %i : (tensor<5xf32>, tensor<5xf32>, tensor<9xf32>, tensor<8xf32>, tensor<5xindex>) -> (tensor<9xf32>, tensor<8xf32>)
  return
}

// -----

// An index array of another shape than the source.
func.func @f(%x: tensor<5xf32>, %d: tensor<9xf32>, %i: tensor<6xindex>) {
  // expected-error @below {{'soac.scatter' op source 0 and index array 0 have different shapes: [5] and [6]}}
  %r = soac.scatter %x into %d at %i : (tensor<5xf32>, tensor<9xf32>, tensor<6xindex>) -> tensor<9xf32>
  return
}

// -----

// Fewer index arrays than dimensions.
func.func @f(%x: tensor<5xf32>, %d: tensor<9x9xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op has 1 index array for a destination of 2 dimensions}}
  %r = soac.scatter %x into %d at %i : (tensor<5xf32>, tensor<9x9xf32>, tensor<5xindex>) -> tensor<9x9xf32>
  return
}

// -----

// `any_write` with a lambda.
func.func @f(%x: tensor<5xf32>, %d: tensor<9xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op combines elements, so 'any_write' has no meaning}}
  %r = soac.scatter %x into %d at %i any_write : (tensor<5xf32>, tensor<9xf32>, tensor<5xindex>) -> tensor<9xf32> (%a: f32, %b: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// A lambda of too few arguments.
func.func @f(%x: tensor<5xf32>, %d: tensor<9xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op has a lambda of (f32), expected (f32, f32)}}
  %r = soac.scatter %x into %d at %i : (tensor<5xf32>, tensor<9xf32>, tensor<5xindex>) -> tensor<9xf32> (%a: f32) {
    soac.yield %a : f32
  }
  return
}

// -----

// A lambda without arguments.
func.func @f(%x: tensor<5xf32>, %d: tensor<9xf32>, %i: tensor<5xindex>, %z: f32) {
  // expected-error @below {{'soac.scatter' op has a lambda of (), expected (f32, f32)}}
  %r = soac.scatter %x into %d at %i : (tensor<5xf32>, tensor<9xf32>, tensor<5xindex>) -> tensor<9xf32> () {
    soac.yield %z : f32
  }
  return
}

// -----

// Yields other elements.
func.func @f(%x: tensor<5xf32>, %d: tensor<9xf32>, %i: tensor<5xindex>, %z: f64) {
  // expected-error @below {{'soac.scatter' op has a lambda that yields (f64), expected (f32)}}
  %r = soac.scatter %x into %d at %i : (tensor<5xf32>, tensor<9xf32>, tensor<5xindex>) -> tensor<9xf32> (%a: f32, %b: f32) {
    soac.yield %z : f64
  }
  return
}

// -----

// No yield.
func.func @f(%x: tensor<5xf32>, %d: tensor<9xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op needs a lambda that ends with 'soac.yield'}}
  %r = soac.scatter %x into %d at %i : (tensor<5xf32>, tensor<9xf32>, tensor<5xindex>) -> tensor<9xf32> (%a: f32, %b: f32) {
    ub.unreachable
  }
  return
}

// -----

// Several blocks.
func.func @f(%x: tensor<5xf32>, %d: tensor<9xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op expects region #0 to have 0 or 1 blocks}}
  %r = soac.scatter %x into %d at %i : (tensor<5xf32>, tensor<9xf32>, tensor<5xindex>) -> tensor<9xf32> (%a: f32, %b: f32) {
    cf.br ^next
  ^next:
    soac.yield %a : f32
  }
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<5xf32>, %d: tensor<9xf32>, %i: tensor<5xindex>) {
  // expected-error @below {{'soac.scatter' op has results (tensor<5xf32>), but its operands say (tensor<9xf32>)}}
  %r = soac.scatter %x into %d at %i : (tensor<5xf32>, tensor<9xf32>, tensor<5xindex>) -> tensor<5xf32>
  return
}
