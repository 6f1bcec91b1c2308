// Gathers move places inside; scatters leave out what is outside.

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL{LITERAL}: rows iota:i32[3,2] [[1],[-4],[7]]
// GIVES: result: tensor<3x2xi32> = {{\[\[}}2 3] [0 1] [4 5]]
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=GATHER
// GATHER-LABEL: @rows
// GATHER: soac.gather
func.func @rows(%x: tensor<3x2xi32>, %at: tensor<3x1xi64>) -> tensor<3x2xi32> {
  %y = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi32>, tensor<3x1xi64>) -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}

// Windows of 2 x 2, the indices along the first dimension.
// CALL-LABEL{LITERAL}: windows iota:i32[3,4] [[0,1],[2,9]]
// GIVES: result: tensor<2x2x2xi32> = {{\[\[\[}}2 3] [6 7]]
// GIVES-SAME: {{\[\[}}6 7] [10 11]]]
func.func @windows(%x: tensor<3x4xi32>, %at: tensor<2x2xi64>) -> tensor<2x2x2xi32> {
  %y = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1]>, indices_are_sorted = false, slice_sizes = array<i64: 2, 2>}> : (tensor<3x4xi32>, tensor<2x2xi64>) -> tensor<2x2x2xi32>
  return %y : tensor<2x2x2xi32>
}

// CALL-LABEL{LITERAL}: add [1,1,1] [[0],[2],[5],[2],[-1]] [10,20,30,40,50]
// GIVES: result0: tensor<3xi32> = [11 1 61]
// GIVES: result1: tensor<3xi32> = [10 1 40]
// What is outside is added as 0, or replaces an element behind the array: there is no filter.
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=ALL
// ALL-LABEL: @add
// ALL-NOT: soac.generate
// ALL-NOT: soac.filter
// ALL: soac.scatter {{.*}} : (tensor<5xi32>, tensor<3xi32>, tensor<5xindex>) -> tensor<3xi32>
// ALL-NOT: soac.filter
// ALL: soac.scatter {{.*}} : (tensor<5xi32>, tensor<4xi32>, tensor<5xindex>) -> tensor<4xi32>
func.func @add(%x: tensor<3xi32>, %at: tensor<5x1xi64>, %u: tensor<5xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %s = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<5x1xi64>, tensor<5xi32>) -> tensor<3xi32>
  %t = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<5x1xi64>, tensor<5xi32>) -> tensor<3xi32>
  return %s, %t : tensor<3xi32>, tensor<3xi32>
}

// Few elements replace some of many: the array is not moved, and what is outside is filtered out.
// CALL-LABEL{LITERAL}: few iota:i32[2,4] [[1,2],[3,2]] [10,20]
// GIVES: result: tensor<2x4xi32> = {{\[\[}}0 1 2 3] [4 5 6 10]]
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=KEPT
// KEPT-LABEL: @few
// KEPT: soac.filter
// KEPT: soac.scatter {{.*}} : (tensor<?xi32>, tensor<2x4xi32>, tensor<?xindex>, tensor<?xindex>) -> tensor<2x4xi32>
func.func @few(%x: tensor<2x4xi32>, %at: tensor<2x2xi64>, %u: tensor<2xi32>) -> tensor<2x4xi32> {
  %t = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<2x4xi32>, tensor<2x2xi64>, tensor<2xi32>) -> tensor<2x4xi32>
  return %t : tensor<2x4xi32>
}

// Rows of two dimensions, some of them outside, the last one wins.
// CALL-LABEL{LITERAL}: rows_set iota:i32[2,2] [[1],[7],[1]] [[10,20],[30,40],[50,60]]
// GIVES: result: tensor<2x2xi32> = {{\[\[}}0 1] [50 60]]
func.func @rows_set(%x: tensor<2x2xi32>, %at: tensor<3x1xi64>, %u: tensor<3x2xi32>) -> tensor<2x2xi32> {
  %t = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<2x2xi32>, tensor<3x1xi64>, tensor<3x2xi32>) -> tensor<2x2xi32>
  return %t : tensor<2x2xi32>
}

// Rows are added; of a float that nothing is added to, not even its sign changes.
// CALL-LABEL{LITERAL}: rows_add [[-0.0,1.0],[2.0,3.0]] [[1],[-1],[2]] [[10.0,20.0],[30.0,40.0],[50.0,60.0]]
// GIVES: result: tensor<2x2xf32> = {{\[\[}}-0.0 1.0] [12.0 23.0]]
func.func @rows_add(%x: tensor<2x2xf32>, %at: tensor<3x1xi64>, %u: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %t = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<2x2xf32>, tensor<3x1xi64>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %t : tensor<2x2xf32>
}

// Indices of no numbers: every window begins at the first place.
// CALL-LABEL: first iota:i32[3] zeros:i64[2,0]
// GIVES: result: tensor<2x2xi32> = {{\[\[}}0 1] [0 1]]
func.func @first(%x: tensor<3xi32>, %at: tensor<2x0xi64>) -> tensor<2x2xi32> {
  %y = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2>}> : (tensor<3xi32>, tensor<2x0xi64>) -> tensor<2x2xi32>
  return %y : tensor<2x2xi32>
}
