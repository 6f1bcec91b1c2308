// RUN: comb-opt %s -split-input-file -verify-diagnostics

// Errors of the compiler. Indices of the `tensor` ops are in checks/errors.mlir.

// S1, S8
func.func @shapes(%x: tensor<3xi32>, %y: tensor<4xi32>) -> tensor<3xi32> {
  // expected-error @+1 {{'soac.map' op operands 0 and 1 have different shapes: [3] and [4]}}
  %z = soac.map %x, %y : (tensor<3xi32>, tensor<4xi32>) -> tensor<3xi32> (%a: i32, %b: i32) {
    soac.yield %a : i32
  }
  return %z : tensor<3xi32>
}

// -----

// S9
func.func @one(%x: tensor<3xi32>, %y: tensor<1xi32>) -> tensor<3xi32> {
  // expected-error @+1 {{'soac.map' op operands 0 and 1 have different shapes: [3] and [1]}}
  %z = soac.map %x, %y : (tensor<3xi32>, tensor<1xi32>) -> tensor<3xi32> (%a: i32, %b: i32) {
    soac.yield %a : i32
  }
  return %z : tensor<3xi32>
}

// -----

// S21
func.func @stride(%x: tensor<9xi32>, %v: tensor<2xi32>) -> tensor<9xi32> {
  // expected-error @+1 {{'soac.update' op the stride of dimension 0 is zero}}
  %y = soac.update %v into %x at [0] strides [0] : tensor<2xi32> into tensor<9xi32> -> tensor<9xi32>
  return %y : tensor<9xi32>
}

// -----

// S43
func.func @elements(%n: index) -> tensor<?xi65> {
  // expected-error @+1 {{i65}}
  %x = soac.iota [%n] dim 0 : tensor<?xi65>
  return %x : tensor<?xi65>
}
