// The gradient of pooling by a maximum; convolutions with groups of batches.

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// Windows overlap, and of equal elements the first is chosen.
// CALL-LABEL: overlapping [1,5,5,2,7] [10,20,30,40] 1
// GIVES: result: tensor<5xi32> = [1 31 31 1 41]
func.func @overlapping(%x: tensor<5xi32>, %s: tensor<4xi32>, %i: tensor<i32>) -> tensor<5xi32> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<5xi32>, tensor<4xi32>, tensor<i32>) -> tensor<5xi32>
  return %y : tensor<5xi32>
}

// Padding is never chosen, and a window that has nothing else scatters nothing.
// CALL-LABEL{LITERAL}: padded [[-5,-2],[-3,-4]] [[1,2],[3,4]] 0
// GIVES: result: tensor<2x2xi32> = {{\[\[}}0 2] [0 0]]
func.func @padded(%x: tensor<2x2xi32>, %s: tensor<2x2xi32>, %i: tensor<i32>) -> tensor<2x2xi32> {
  %y = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 2], [2, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  return %y : tensor<2x2xi32>
}

// The first half of the batch is for the first feature.
// CALL-LABEL{LITERAL}: groups [[[1],[2]],[[3],[4]]] [[[1,10]]]
// GIVES: result: tensor<1x2x2xi32> = {{\[\[\[}}1 30] [2 40]]]
func.func @groups(%x: tensor<2x2x1xi32>, %k: tensor<1x1x2xi32>) -> tensor<1x2x2xi32> {
  %a = "stablehlo.convolution"(%x, %k) <{batch_group_count = 2 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}> : (tensor<2x2x1xi32>, tensor<1x1x2xi32>) -> tensor<1x2x2xi32>
  return %a : tensor<1x2x2xi32>
}

// Padding may move an array without changing its size.
// CALL-LABEL: shifted [1,2,3]
// GIVES: result0: tensor<3xi32> = [2 3 0]
// GIVES: result1: tensor<3xi32> = [1 0 2]
func.func @shifted(%x: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %s = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1>, padding = dense<[[-1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  %d = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1>, base_dilations = array<i64: 2>, padding = dense<[[0, -2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %s, %d : tensor<3xi32>, tensor<3xi32>
}
