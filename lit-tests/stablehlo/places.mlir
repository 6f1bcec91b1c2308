// Gathers move places inside; scatters leave out what is outside.

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.mlir
// DEFINE: %{same} = %python %S/../loops/Inputs/same.py %t.mlir

// RUN: %{same} rows 'iota:i32[3,2]' '[[1], [-4], [7]]' | FileCheck %s --check-prefix=ROWS
// ROWS: result: tensor<3x2xi32> = {{\[\[}}2 3] [0 1] [4 5]]
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=GATHER
// GATHER-LABEL: @rows
// GATHER: soac.gather
func.func @rows(%x: tensor<3x2xi32>, %at: tensor<3x1xi64>) -> tensor<3x2xi32> {
  %y = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi32>, tensor<3x1xi64>) -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}

// Windows of 2 x 2, the indices along the first dimension.
// RUN: %{same} windows 'iota:i32[3,4]' '[[0, 1], [2, 9]]' | FileCheck %s --check-prefix=WINDOWS
// WINDOWS: result: tensor<2x2x2xi32> = {{\[\[\[}}2 3] [6 7]]
// WINDOWS-NEXT: {{\[\[}}6 7] [10 11]]]
func.func @windows(%x: tensor<3x4xi32>, %at: tensor<2x2xi64>) -> tensor<2x2x2xi32> {
  %y = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1]>, indices_are_sorted = false, slice_sizes = array<i64: 2, 2>}> : (tensor<3x4xi32>, tensor<2x2xi64>) -> tensor<2x2x2xi32>
  return %y : tensor<2x2x2xi32>
}

// RUN: %{same} add '[1, 1, 1]' '[[0], [2], [5], [2], [-1]]' '[10, 20, 30, 40, 50]' | FileCheck %s --check-prefix=ADD
// ADD: result0: tensor<3xi32> = [11 1 61]
// ADD: result1: tensor<3xi32> = [10 1 40]
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

// Indices of no numbers: every window begins at the first place.
// RUN: %{same} first 'iota:i32[3]' 'zeros:i64[2,0]' | FileCheck %s --check-prefix=FIRST
// FIRST: result: tensor<2x2xi32> = {{\[\[}}0 1] [0 1]]
func.func @first(%x: tensor<3xi32>, %at: tensor<2x0xi64>) -> tensor<2x2xi32> {
  %y = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2>}> : (tensor<3xi32>, tensor<2x0xi64>) -> tensor<2x2xi32>
  return %y : tensor<2x2xi32>
}
