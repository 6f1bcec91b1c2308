// Sizes that are known only when the program runs, as jax.export has them of symbolic shapes.

// MLIR does not find functions that are called in regions of ops that it does not know.
// RUN: comb-opt %s --allow-unregistered-dialect --mlir-very-unsafe-disable-verifier-on-parsing --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL{LITERAL}: centred [[1,2,6],[0,0,9]]
// GIVES: {{\[\[}}-2.0 -1.0 3.0]
// GIVES: [-3.0 -3.0 6.0]]
func.func @centred(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %m = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x?xf32>) -> tensor<i32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<?x?xf32>) -> tensor<i32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m1 = "stablehlo.reshape"(%m) : (tensor<i32>) -> tensor<1xi32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %column = "stablehlo.concatenate"(%m1, %one) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %both = "stablehlo.concatenate"(%m1, %n1) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %sums = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %columns = "stablehlo.dynamic_broadcast_in_dim"(%sums, %column) <{broadcast_dimensions = array<i64: 0>}> : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
  %spread = "stablehlo.dynamic_broadcast_in_dim"(%columns, %both) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %f = "stablehlo.convert"(%n) : (tensor<i32>) -> tensor<f32>
  %counts = "stablehlo.dynamic_broadcast_in_dim"(%f, %both) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %means = "stablehlo.divide"(%spread, %counts) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = "stablehlo.subtract"(%x, %means) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CALL-LABEL{LITERAL}: product [[1,2],[3,4]] [[1,0,1],[0,1,1]]
// GIVES: {{\[\[}}1 2 3]
// GIVES: [3 4 7]]
// CALL-LABEL{LITERAL}: product [[1,2]] [[1],[2],[3]]
// GIVES: 'stablehlo.dot_general' op has dimensions that do not fit
func.func @product(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %z = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %z : tensor<?x?xi32>
}

// A window of a size that is computed moves inside, and is no larger than the whole.
// CALL-LABEL: window [1,2,3,4] 3 5
// GIVES: [2 3 4]
// CALL-LABEL: window [1,2,3,4] 5 0
// GIVES: 'stablehlo.dynamic_gather' op has a part that is larger than the whole
func.func @window(%x: tensor<?xi32>, %size: tensor<i32>, %start: tensor<i32>) -> tensor<?xi32> {
  %sizes = "stablehlo.reshape"(%size) : (tensor<i32>) -> tensor<1xi32>
  %starts = "stablehlo.reshape"(%start) : (tensor<i32>) -> tensor<1xi32>
  %y = "stablehlo.dynamic_gather"(%x, %starts, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>}> : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// Rows of a table, at indices that move inside.
// CALL-LABEL{LITERAL}: rows [[1,2],[3,4],[5,6]] [[2],[0],[9]]
// GIVES: {{\[\[}}5 6]
// GIVES: [1 2]
// GIVES: [5 6]]
func.func @rows(%x: tensor<?x2xi32>, %i: tensor<?x1xi32>) -> tensor<?x2xi32> {
  %y = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<?x2xi32>, tensor<?x1xi32>) -> tensor<?x2xi32>
  return %y : tensor<?x2xi32>
}

// Places outside are left out.
// CALL-LABEL{LITERAL}: counts [[1],[1],[7],[-1],[0]] [1,1,1,1,1]
// GIVES: [1 2 0]
func.func @counts(%i: tensor<?x1xi32>, %u: tensor<?xi32>) -> tensor<3xi32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<3xi32>}> : () -> tensor<3xi32>
  %y = "stablehlo.scatter"(%zero, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<?x1xi32>, tensor<?xi32>) -> tensor<3xi32>
  return %y : tensor<3xi32>
}

// CALL-LABEL: padded [1,2]
// GIVES: [0 1 2 0 0 0]
func.func @padded(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %y = "stablehlo.pad"(%x, %zero) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 3>, interior_padding = array<i64: 0>}> : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// What a program says of its sizes is checked.
// CALL-LABEL: numbered [10,20,30]
// GIVES: [10 21 32]
// CALL-LABEL: numbered [10]
// GIVES: at least two, not …
func.func @numbered(%x: tensor<?xi32>) -> tensor<?xi32> {
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xi32>) -> tensor<i32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %enough = "stablehlo.compare"(%n, %two) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  "stablehlo.custom_call"(%enough, %n) <{call_target_name = "shape_assertion", error_message = "at least two (= {0}), not {0}", has_side_effect = true}> : (tensor<i1>, tensor<i32>) -> ()
  %sizes = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %iota = "stablehlo.dynamic_iota"(%sizes) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xi32>
  %y = "stablehlo.add"(%x, %iota) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// CALL-LABEL: every [0,1,2,3,4,5,6] [1] [6] [2]
// GIVES: [1 3 5]
// CALL-LABEL: every [0,1,2] [1] [4] [1]
// GIVES: the slice with offset 1, size 3 and stride 1 leaves dimension 0 of size 3
// CALL-LABEL: every [0,1,2] [0] [1] [0]
// GIVES: 'stablehlo.real_dynamic_slice' op needs strides from 1 on
func.func @every(%x: tensor<?xi32>, %begin: tensor<1xi32>, %end: tensor<1xi32>, %stride: tensor<1xi32>) -> tensor<?xi32> {
  %y = "stablehlo.real_dynamic_slice"(%x, %begin, %end, %stride) : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// CALL-LABEL: around [7,8,9] [1] [2] [1]
// GIVES: [0 7 0 8 0 9 0 0]
// CALL-LABEL: around [] [1] [2] [1]
// GIVES: [0 0 0]
// CALL-LABEL: around [7] [-1] [2] [1]
// GIVES: 'stablehlo.dynamic_pad' op takes elements away, which is not supported
func.func @around(%x: tensor<?xi32>, %low: tensor<1xi32>, %high: tensor<1xi32>, %interior: tensor<1xi32>) -> tensor<?xi32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %y = "stablehlo.dynamic_pad"(%x, %zero, %low, %high, %interior) : (tensor<?xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// CALL-LABEL: part [1,2,3,4] 3
// GIVES: [3 4]
// CALL-LABEL: part [1] 0
// GIVES: 'stablehlo.dynamic_slice' op has a part that is larger than the whole
func.func @part(%x: tensor<?xi32>, %i: tensor<i32>) -> tensor<2xi32> {
  %y = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 2>}> : (tensor<?xi32>, tensor<i32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}

// A type may say a size that those of its operands do not.
// CALL-LABEL{LITERAL}: half [[1,2],[3,4]]
// GIVES: {{\[\[}}1 2 1 2]
// GIVES: [3 4 3 4]]
func.func @half(%x: tensor<?x?xi32>) -> tensor<?x4xi32> {
  %y = "stablehlo.concatenate"(%x, %x) <{dimension = 1 : i64}> : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x4xi32>
  return %y : tensor<?x4xi32>
}
