// RUN: comb-opt %s --split-input-file --verify-diagnostics

// No sources.
func.func @f(%i: tensor<?xindex>) {
  // expected-error @below {{'soac.gather' op needs at least one source}}
  "soac.gather"(%i) <{operandSegmentSizes = array<i32: 0, 1>}> : (tensor<?xindex>) -> ()
  return
}

// -----

// No index arrays.
func.func @f(%x: tensor<?xf32>) {
  // expected-error @below {{'soac.gather' op needs at least one index array}}
  %r = "soac.gather"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// Sources of different shapes.
func.func @f(%x: tensor<3xf32>, %y: tensor<4xf32>, %i: tensor<?xindex>) {
  // expected-error @below {{'soac.gather' op sources 0 and 1 have different shapes: [3] and [4]}}
  %r:2 = soac.gather %x, %y at %i : (tensor<3xf32>, tensor<4xf32>, tensor<?xindex>) -> (tensor<?xf32>, tensor<?xf32>)
  return
}

// -----

// Index arrays of different shapes.
func.func @f(%x: tensor<3x3xf32>, %i: tensor<4xindex>, %j: tensor<5xindex>) {
  // expected-error @below {{'soac.gather' op index arrays 0 and 1 have different shapes: [4] and [5]}}
  %r = soac.gather %x at %i, %j : (tensor<3x3xf32>, tensor<4xindex>, tensor<5xindex>) -> tensor<4xf32>
  return
}

// -----

// More index arrays than dimensions.
func.func @f(%x: tensor<3xf32>, %i: tensor<4xindex>) {
  // expected-error @below {{'soac.gather' op has 2 index arrays for a source of 1 dimension}}
  %r = soac.gather %x at %i, %i : (tensor<3xf32>, tensor<4xindex>, tensor<4xindex>) -> tensor<4xf32>
  return
}

// -----

// A label that is an order.
func.func @f(%x: tensor<3xf32>, %i: tensor<4xindex>) {
  // expected-error @below {{'soac.gather' op has a label below 2; 0 and 1 are the orders left and right}}
  %r = soac.gather %x at %i {label = 1 : i64} : (tensor<3xf32>, tensor<4xindex>) -> tensor<4xf32>
  return
}

// -----

// Indices that are no integers.
func.func @f(%x: tensor<3xf32>, %i: tensor<4xf32>) {
  // expected-error @below {{'soac.gather' op operand #1 must be variadic of array (ranked tensor without encoding) of i8, i16, i32, i64 or index values, but got 'tensor<4xf32>'}}
  %r = soac.gather %x at %i : (tensor<3xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Indices of a width that is not supported.
func.func @f(%x: tensor<3xf32>, %i: tensor<4xi7>) {
  // expected-error @below {{'soac.gather' op operand #1 must be variadic of array (ranked tensor without encoding) of i8, i16, i32, i64 or index values, but got 'tensor<4xi7>'}}
  %r = soac.gather %x at %i : (tensor<3xf32>, tensor<4xi7>) -> tensor<4xf32>
  return
}

// -----

// A result of another shape.
func.func @f(%x: tensor<3x5xf32>, %i: tensor<4xindex>) {
  // expected-error @below {{'soac.gather' op has results (tensor<4xf32>), but its operands say (tensor<4x5xf32>)}}
  %r = soac.gather %x at %i : (tensor<3x5xf32>, tensor<4xindex>) -> tensor<4xf32>
  return
}

// -----

// A label that is no integer.
func.func @f(%x: tensor<3xf32>, %i: tensor<4xindex>) {
  // expected-error @below {{custom op 'soac.gather' 'soac.gather' op attribute 'label' failed to satisfy constraint: 64-bit signless integer attribute}}
  %r = soac.gather %x at %i {label = "a"} : (tensor<3xf32>, tensor<4xindex>) -> tensor<4xf32>
  return
}
