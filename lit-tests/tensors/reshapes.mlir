// S6: what arrays are reshaped to, joined to and made of has sizes that fit.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: expand iota:i32[6] 2
// GIVES: result: tensor<2x3xi32> = {{\[\[}}0 1 2] [3 4 5]]
// CALL-LABEL: expand iota:i32[4] 5
// GIVES: error: 'tensor.expand_shape' op dimension 0 of size 4 is not expanded to [5, 3]
// CALL-LABEL: expand iota:i32[4] -9223372036854775808
// GIVES: error: 'tensor.expand_shape' op size 0 is negative: -9223372036854775808
func.func @expand(%x: tensor<?xi32>, %n: index) -> tensor<?x3xi32> {
  %b = tensor.expand_shape %x [[0, 1]] output_shape [%n, 3] : tensor<?xi32> into tensor<?x3xi32>
  return %b : tensor<?x3xi32>
}

// Sizes that never fit are an error only where the op runs.
// CALL-LABEL: misfit iota:i32[2] false
// GIVES: result: index = 0
// CALL-LABEL: misfit iota:i32[2] true
// GIVES: error: 'tensor.expand_shape' op dimension 0 of size 1 is not expanded to [1, 2]
func.func @misfit(%x: tensor<?xi32>, %runs: i1) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = tensor.extract_slice %x[0] [%c1] [1] : tensor<?xi32> to tensor<?xi32>
  %n = scf.if %runs -> (index) {
    %b = tensor.expand_shape %one [[0, 1]] output_shape [1, %c2] : tensor<?xi32> into tensor<1x?xi32>
    %m = tensor.dim %b, %c1 : tensor<1x?xi32>
    scf.yield %m : index
  } else {
    scf.yield %c0 : index
  }
  return %n : index
}

// CALL-LABEL: reshape iota:i32[6] iota:i32[2]
// GIVES: error: 'tensor.reshape' op size 1 of dimension 1 is not 3
// CALL-LABEL: reshape iota:i32[3] ones:i32[2]
// GIVES: error: 'tensor.reshape' op size 1 of dimension 1 is not 3
// CALL-LABEL: reshape zeros:i32[0] iota:i32[2]
// GIVES: error: 'tensor.reshape' op size 1 of dimension 1 is not 3
func.func @reshape(%x: tensor<?xi32>, %s: tensor<2xi32>) -> tensor<?x3xi32> {
  %b = tensor.reshape %x(%s) : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x3xi32>
  return %b : tensor<?x3xi32>
}

// Sizes that are not known may be other ones, though both types say the same of them.
// CALL-LABEL: turned iota:i32[2,3] [3,2]
// GIVES: result0: tensor<3x2xi32> = {{\[\[}}0 2] [4 6] [8 10]]
// GIVES: result1: tensor<3x2xi32> = {{\[\[}}0 1] [2 3] [4 5]]
// CALL-LABEL: turned zeros:i32[0,3] [2,0]
// GIVES: result0: tensor<2x0xi32>
func.func @turned(%x: tensor<?x?xi32>, %s: tensor<2xindex>) -> (tensor<?x?xi32>, tensor<?x?xi32>) {
  %b = tensor.reshape %x(%s) : (tensor<?x?xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  %c = arith.addi %b, %b : tensor<?x?xi32>
  return %c, %b : tensor<?x?xi32>, tensor<?x?xi32>
}

// CALL-LABEL: no_rows zeros:i32[0,3] [0,5]
// GIVES: result0: tensor<0x5xi32>
func.func @no_rows(%x: tensor<0x?xi32>, %s: tensor<2xindex>) -> (tensor<0x?xi32>, tensor<0x?xi32>) {
  %b = tensor.reshape %x(%s) : (tensor<0x?xi32>, tensor<2xindex>) -> tensor<0x?xi32>
  %c = arith.addi %b, %b : tensor<0x?xi32>
  return %c, %b : tensor<0x?xi32>, tensor<0x?xi32>
}

// CALL-LABEL: rows iota:i32[6] ones:index[2]
// GIVES: error: 'tensor.reshape' op shapes [6] and [1, 1] have different numbers of elements
// CALL-LABEL: rows iota:i32[1] ones:index[2]
// GIVES: result: tensor<1x1xi32> = {{\[\[}}0]]
func.func @rows(%x: tensor<?xi32>, %s: tensor<2xindex>) -> tensor<?x?xi32> {
  %b = tensor.reshape %x(%s) : (tensor<?xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  return %b : tensor<?x?xi32>
}

// CALL-LABEL: concat iota:i32[1,2] iota:i32[2,2]
// GIVES: result: tensor<3x2xi32> = {{\[\[}}0 1] [0 1] [2 3]]
// CALL-LABEL: concat iota:i32[1,2] iota:i32[2,3]
// GIVES: error: 'tensor.concat' op operands 0 and 1, apart from dimension 0, have different shapes: [1, 2] and [2, 3]
// CALL-LABEL: concat iota:i32[1,2] iota:i32[1,2]
// GIVES: error: 'tensor.concat' op size 2 of dimension 0 is not 3
func.func @concat(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>) -> tensor<3x?xi32> {
  %b = tensor.concat dim(0) %x, %y : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<3x?xi32>
  return %b : tensor<3x?xi32>
}

// CALL-LABEL: splat 4 2
// GIVES: result: tensor<2x2xi32> = {{\[\[}}4 4] [4 4]]
// CALL-LABEL: splat 4 -1
// GIVES: error: 'tensor.splat' op size 0 is negative: -1
func.func @splat(%x: i32, %n: index) -> tensor<?x2xi32> {
  %b = tensor.splat %x[%n] : tensor<?x2xi32>
  return %b : tensor<?x2xi32>
}

// CALL-LABEL: bits ones:f32[2]
// GIVES: result: tensor<2xi32> = [1065353216 1065353216]
func.func @bits(%x: tensor<?xf32>) -> tensor<2xi32> {
  %b = tensor.bitcast %x : tensor<?xf32> to tensor<2xi32>
  return %b : tensor<2xi32>
}
