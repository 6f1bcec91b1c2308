// Windows over arrays, and scatters into arrays, whose sizes are known only when the program runs.

// RUN: comb import --to stablehlo %s -o %t.generic.mlir
// RUN: comb import --no-places %t.generic.mlir -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// Places of windows are counted, also where there are none.
// CALL-LABEL: pool [1,5,2,4,3,0]
// GIVES: [5 4 3]
// CALL-LABEL: pool [1,5,2]
// GIVES: [5]
// CALL-LABEL: pool [1]
// GIVES: []
func.func @pool(%x: tensor<?xi32>) -> tensor<?xi32> {
  %lowest = stablehlo.constant dense<-2147483648> : tensor<i32>
  %y = "stablehlo.reduce_window"(%x, %lowest) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// Padding, and windows with gaps.
// CALL-LABEL: sums [1,2,3,4]
// GIVES: [2 4 6 3]
// CALL-LABEL: sums []
// GIVES: []
func.func @sums(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2>, window_dilations = array<i64: 2>, padding = dense<1> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// A scan along a dimension that is known.
// CALL-LABEL{LITERAL}: scan [[1,2,3],[4,5,6]]
// GIVES: {{\[\[}}1 3 6]
// GIVES: [4 9 15]]
func.func @scan(%x: tensor<?x3xi32>) -> tensor<?x3xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 3>, padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<?x3xi32>, tensor<i32>) -> tensor<?x3xi32>
  return %y : tensor<?x3xi32>
}

// CALL-LABEL{LITERAL}: convolution [[[1],[2],[3]],[[0],[1],[0]]] [[[1]],[[10]]]
// GIVES: {{\[\[}}
// GIVES: 21]
// GIVES: [32]]
// GIVES: [10]
// GIVES: [1]]]
func.func @convolution(%x: tensor<?x?x1xi32>, %k: tensor<2x1x1xi32>) -> tensor<?x?x1xi32> {
  %y = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x1xi32>, tensor<2x1x1xi32>) -> tensor<?x?x1xi32>
  return %y : tensor<?x?x1xi32>
}

// What is outside is left out, also of an array without elements.
// CALL-LABEL{LITERAL}: add [1,2,3] [[1],[7],[1],[-1]]
// GIVES: [1 22 3]
// CALL-LABEL{LITERAL}: add [] [[0]]
// GIVES: []
func.func @add(%x: tensor<?xi32>, %i: tensor<?x1xi32>) -> tensor<?xi32> {
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %n = stablehlo.get_dimension_size %i, dim = 0 : (tensor<?x1xi32>) -> tensor<i32>
  %count = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %u = stablehlo.dynamic_broadcast_in_dim %ten, %count, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %y = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<?xi32>, tensor<?x1xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// One element, and one row.
// CALL-LABEL{LITERAL}: set [[1,2],[3,4]] 1
// GIVES: {{\[\[}}1 2]
// GIVES: [0 0]]
// CALL-LABEL{LITERAL}: set [[1,2],[3,4]] 2
// GIVES: {{\[\[}}1 2]
// GIVES: [3 4]]
func.func @set(%x: tensor<?x2xi32>, %i: tensor<i32>) -> tensor<?x2xi32> {
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %at = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
  %y = "stablehlo.scatter"(%x, %at, %zeros) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<?x2xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x2xi32>
  return %y : tensor<?x2xi32>
}

// CALL-LABEL: element [1,2] 1
// GIVES: [1 7]
// CALL-LABEL: element [] 0
// GIVES: []
func.func @element(%x: tensor<?xi32>, %i: tensor<i32>) -> tensor<?xi32> {
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %at = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
  %y = "stablehlo.scatter"(%x, %at, %seven) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<?xi32>, tensor<1xi32>, tensor<i32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// Windows whose sizes are operands, as jnp.cumsum has them along a symbolic dimension.
// CALL-LABEL{LITERAL}: grows [[1,2,3],[4,5,6]] 3 2
// GIVES: {{\[\[}}1 3 6]
// GIVES: [4 9 15]]
// CALL-LABEL{LITERAL}: grows [[1,2,3],[4,5,6]] 2 2
// GIVES: 'stablehlo.custom_call' op has windows that are computed and do not grow by an element from place to place, which are not supported
// CALL-LABEL{LITERAL}: grows [[1,2,3],[4,5,6]] 3 1
// GIVES: 'stablehlo.custom_call' op has windows that are computed and do not grow by an element from place to place, which are not supported
func.func private @sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.add %a, %b : tensor<i32>
  return %c : tensor<i32>
}
func.func @grows(%x: tensor<?x?xi32>, %size: tensor<i32>, %low: tensor<i32>) -> tensor<?x?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %none = stablehlo.constant dense<0> : tensor<1x2xi32>
  %length = stablehlo.reshape %size : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %one, %length, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %nothing = stablehlo.constant dense<0> : tensor<1xi32>
  %front = stablehlo.reshape %low : (tensor<i32>) -> tensor<1xi32>
  %pair = stablehlo.concatenate %front, %nothing, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %row = stablehlo.reshape %pair : (tensor<2xi32>) -> tensor<1x2xi32>
  %padding = stablehlo.concatenate %none, %row, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %y = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %sizes, %ones, %ones, %ones, %padding) {called_computations = [@sum]} : (tensor<?x?xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xi32>
  return %y : tensor<?x?xi32>
}

// CALL-LABEL: constant_windows [1,2,3,4]
// GIVES: [3 5 7]
func.func @constant_windows(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<1xi32>
  %padding = stablehlo.constant dense<0> : tensor<1x2xi32>
  %y = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %two, %ones, %ones, %ones, %padding) {called_computations = [@sum]} : (tensor<?xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}
