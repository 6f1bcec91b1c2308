// Integers: without sign where the type says so, with the specification's division by zero and
// shifts by the width or more.

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: unsigned [200,7,5] [100,0,9]
// GIVES: result0: tensor<3xui8> = [2 255 0]
// GIVES: result1: tensor<3xui8> = [0 7 5]
// GIVES: result2: tensor<3xui8> = [200 7 9]
// GIVES: result3: tensor<3xi1> = [false false true]
// GIVES: result4: tensor<3xf32> = [200.0 7.0 5.0]
func.func @unsigned(%x: tensor<3xui8>, %y: tensor<3xui8>)
    -> (tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<3xi1>, tensor<3xf32>) {
  %q = "stablehlo.divide"(%x, %y) : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %r = "stablehlo.remainder"(%x, %y) : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %m = "stablehlo.maximum"(%x, %y) : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %l = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  %f = "stablehlo.convert"(%x) : (tensor<3xui8>) -> tensor<3xf32>
  return %q, %r, %m, %l, %f : tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<3xi1>, tensor<3xf32>
}

// CALL-LABEL: signed [-7,7,-7] [2,0,40]
// GIVES: result0: tensor<3xi32> = [-3 -1 0]
// GIVES: result1: tensor<3xi32> = [-1 7 -7]
// GIVES: result2: tensor<3xi32> = [-28 7 0]
// GIVES: result3: tensor<3xi32> = [-2 7 -1]
// GIVES: result4: tensor<3xi32> = [1073741822 7 0]
func.func @signed(%x: tensor<3xi32>, %y: tensor<3xi32>)
    -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %q = "stablehlo.divide"(%x, %y) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %r = "stablehlo.remainder"(%x, %y) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %l = "stablehlo.shift_left"(%x, %y) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %a = "stablehlo.shift_right_arithmetic"(%x, %y) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %s = "stablehlo.shift_right_logical"(%x, %y) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %q, %r, %l, %a, %s : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}

// CALL-LABEL: constants
// GIVES: result0: tensor<3xui8> = [200 1 255]
// GIVES: result1: tensor<2xui16> = [65535 65535]
func.func @constants() -> (tensor<3xui8>, tensor<2xui16>) {
  %c = "stablehlo.constant"() <{value = dense<[200, 1, 255]> : tensor<3xui8>}> : () -> tensor<3xui8>
  %s = "stablehlo.constant"() <{value = dense<65535> : tensor<2xui16>}> : () -> tensor<2xui16>
  return %c, %s : tensor<3xui8>, tensor<2xui16>
}

// An exponent without sign may be large.
// CALL-LABEL: powers [3,3,2,0,255] [5,129,200,0,255]
// GIVES: result: tensor<5xui8> = [243 3 0 1 255]
func.func @powers(%x: tensor<5xui8>, %y: tensor<5xui8>) -> tensor<5xui8> {
  %p = "stablehlo.power"(%x, %y) : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  return %p : tensor<5xui8>
}

// CALL-LABEL: signed_powers [0,0,2,-1,-1,1,3] [-1,0,-1,-3,-2,-5,3]
// GIVES: result: tensor<7xi32> = [0 1 0 -1 1 1 27]
func.func @signed_powers(%x: tensor<7xi32>, %y: tensor<7xi32>) -> tensor<7xi32> {
  %p = "stablehlo.power"(%x, %y) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  return %p : tensor<7xi32>
}

// Results have the sign of their type, whatever parameters have.
// CALL-LABEL: signs [200,1]
// GIVES: result0: tensor<2xi8> = [-56 1]
// GIVES: result1: tensor<2xui8> = [200 1]
// GIVES: result2: tensor<2xi16> = [200 1]
func.func @signs(%x: tensor<2xui8>) -> (tensor<2xi8>, tensor<2xui8>, tensor<2xi16>) {
  %s = "stablehlo.convert"(%x) : (tensor<2xui8>) -> tensor<2xi8>
  %w = "stablehlo.convert"(%x) : (tensor<2xui8>) -> tensor<2xi16>
  return %s, %x, %w : tensor<2xi8>, tensor<2xui8>, tensor<2xi16>
}

// The bits of wide elements are an innermost dimension of narrow ones, the least significant first.
// CALL-LABEL: narrowed [1.0,-2.0] [258,-1]
// GIVES: result0: tensor<2x2xi16> = {{\[\[}}0 16256] [0 -16384]]
// GIVES: result1: tensor<2x4xui8> = {{\[\[}}2 1 0 0] [255 255 255 255]]
func.func @narrowed(%x: tensor<2xf32>, %y: tensor<2xi32>) -> (tensor<2x2xi16>, tensor<2x4xui8>) {
  %a = "stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<2x2xi16>
  %b = "stablehlo.bitcast_convert"(%y) : (tensor<2xi32>) -> tensor<2x4xui8>
  return %a, %b : tensor<2x2xi16>, tensor<2x4xui8>
}

// CALL-LABEL: widened [0,0,0,63] iota:i32[2,2]
// GIVES: result0: tensor<f32> = 0.5
// GIVES: result1: tensor<2xui64> = [4294967296 12884901890]
func.func @widened(%x: tensor<4xui8>, %y: tensor<2x2xi32>) -> (tensor<f32>, tensor<2xui64>) {
  %a = "stablehlo.bitcast_convert"(%x) : (tensor<4xui8>) -> tensor<f32>
  %b = "stablehlo.bitcast_convert"(%y) : (tensor<2x2xi32>) -> tensor<2xui64>
  return %a, %b : tensor<f32>, tensor<2xui64>
}
