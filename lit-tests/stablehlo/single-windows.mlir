// Gathers and scatters of one window are slices and updates.

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// RUN: FileCheck %s --input-file %t.mlir --check-prefix=OPS
// OPS-NOT: soac.filter
// OPS-NOT: soac.backpermute
// OPS-LABEL: @outside
// OPS: soac.filter

// x.at[1:-1].set(u), with a constant that is computed in parts.
// CALL-LABEL: constant iota:i32[4] [7,8]
// GIVES: result: tensor<4xi32> = [0 7 8 3]
func.func @constant(%x: tensor<4xi32>, %u: tensor<2xi32>) -> tensor<4xi32> {
  %c = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %at = "stablehlo.broadcast_in_dim"(%c) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
  %s = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, indices_are_sorted = true, unique_indices = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<4xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<4xi32>
  return %s : tensor<4xi32>
}

// x.at[i].add(u): nothing happens outside.
// CALL-LABEL: row iota:i32[2,2] [1] [10,20]
// GIVES: result: tensor<2x2xi32> = {{\[\[}}0 1] [12 23]]
// CALL-LABEL: row iota:i32[2,2] [2] [10,20]
// GIVES: result: tensor<2x2xi32> = {{\[\[}}0 1] [2 3]]
// CALL-LABEL: row iota:i32[2,2] [-1] [10,20]
// GIVES: result: tensor<2x2xi32> = {{\[\[}}0 1] [2 3]]
func.func @row(%x: tensor<2x2xi32>, %at: tensor<1xi32>, %u: tensor<2xi32>) -> tensor<2x2xi32> {
  %s = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, indices_are_sorted = true, unique_indices = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<2x2xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  return %s : tensor<2x2xi32>
}

// CALL-LABEL: gathered iota:i32[3,4] [1,9]
// GIVES: result: tensor<2xi32> = [6 7]
func.func @gathered(%x: tensor<3x4xi32>, %at: tensor<2xi32>) -> tensor<2xi32> {
  %y = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x4xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}

// A window that is not inside as a whole is scattered element by element.
// CALL-LABEL: outside iota:i32[4] [7,8]
// GIVES: result: tensor<4xi32> = [0 1 2 7]
func.func @outside(%x: tensor<4xi32>, %u: tensor<2xi32>) -> tensor<4xi32> {
  %at = "stablehlo.constant"() <{value = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, indices_are_sorted = true, unique_indices = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<4xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<4xi32>
  return %s : tensor<4xi32>
}
