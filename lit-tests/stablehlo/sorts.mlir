// Sorts of any dimension, by a function of pairs, and the greatest elements.

// MLIR does not find functions that are called in regions of ops that it does not know.
// RUN: comb-opt %s --allow-unregistered-dialect --mlir-very-unsafe-disable-verifier-on-parsing --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL{LITERAL}: columns [[3,1],[2,5],[3,0]] [[1,2],[3,4],[5,6]]
// GIVES: result0: tensor<3x2xi32> =
// GIVES: {{\[}}[3 5]
// GIVES: [3 1]
// GIVES: [2 0]]
// GIVES: result1: tensor<3x2xi8> =
// GIVES: {{\[}}[1 4]
// GIVES: [5 2]
// GIVES: [3 6]]
func.func @columns(%x: tensor<3x2xi32>, %y: tensor<3x2xi8>) -> (tensor<3x2xi32>, tensor<3x2xi8>) {
  %r:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i8>, %d: tensor<i8>):
    %e = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%e) : (tensor<i1>) -> ()
  }) : (tensor<3x2xi32>, tensor<3x2xi8>) -> (tensor<3x2xi32>, tensor<3x2xi8>)
  return %r#0, %r#1 : tensor<3x2xi32>, tensor<3x2xi8>
}

// CALL-LABEL{LITERAL}: top [[1,nan,7,3,-2],[5,5,5,-inf,inf]]
// GIVES: result0: tensor<2x3xf32> =
// GIVES: {{\[}}[nan 7.0 3.0]
// GIVES: [inf 5.0 5.0]]
// GIVES: result1: tensor<2x3xi32> =
// GIVES: {{\[}}[1 2 3]
// GIVES: [4 0 1]]
func.func @top(%x: tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %r:2 = "chlo.top_k"(%x) <{k = 3 : i64}> : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %r#0, %r#1 : tensor<2x3xf32>, tensor<2x3xi32>
}
