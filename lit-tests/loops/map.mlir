// Maps: a chunk runs in whole vectors, and what is left
// over is one more vector in which some lanes do not count.

// 37 elements are two vectors of 16 and 5 elements. In chunks of 10 there is a rest in each.
//
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: map iota:i32[37]
// GIVES: result: tensor<37xi32> = [1 4 7 10 13 16 19 22 25 28 31 34 37 40 43 46 49 52 55 58 61 64 67 70 73 76 79 82 85 88 91 94 97 100 103 106 109]
// CALL-LABEL: map zeros:i32[0]
// GIVES: result: tensor<0xi32> = []
func.func @map(%x: tensor<?xi32>) -> tensor<?xi32> {
  %three = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %three : i32
    %c = arith.addi %b, %one : i32
    soac.yield %c : i32
  }
  return %y : tensor<?xi32>
}

// An array between two combinators of a cluster is in registers only.
//
// CALL-LABEL: two iota:f32[100]
func.func @two(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = soac.map %x : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.addf %a, %a : f32
    soac.yield %b : f32
  }
  %z = soac.map %y : (tensor<?xf32>) -> tensor<?xf32> (%a: f32) {
    %b = arith.mulf %a, %a : f32
    soac.yield %b : f32
  }
  return %z : tensor<?xf32>
}

// A matrix.
//
// CALL-LABEL: matrix iota:f32[7,37]
// CALL-LABEL: matrix zeros:f32[3,0]
// GIVES: result: tensor<3x0xf32> = []
// CALL-LABEL: matrix zeros:f32[0,3]
// GIVES: tensor<0x3xf32>
func.func @matrix(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = soac.map %x : (tensor<?x?xf32>) -> tensor<?x?xf32> (%a: f32) {
    %b = arith.negf %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<?x?xf32>
}

// Arrays of known lengths.
//
// CALL-LABEL: short iota:f32[100]
// CALL-LABEL: very_short iota:f32[7]
func.func @short(%x: tensor<100xf32>) -> tensor<100xf32> {
  %y = soac.map %x : (tensor<100xf32>) -> tensor<100xf32> (%a: f32) {
    %b = arith.negf %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<100xf32>
}

func.func @very_short(%x: tensor<7xf32>) -> tensor<7xf32> {
  %y = soac.map %x : (tensor<7xf32>) -> tensor<7xf32> (%a: f32) {
    %b = arith.negf %a : f32
    soac.yield %b : f32
  }
  return %y : tensor<7xf32>
}
