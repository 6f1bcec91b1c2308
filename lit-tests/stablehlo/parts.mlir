// Parts of arrays: places outside move inside, negative padding takes elements away.

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: dynamic iota:i32[3,4] 1 9 -5
// GIVES: result0: tensor<2x2xi32> = {{\[\[}}6 7] [10 11]]
// GIVES: result1: tensor<3x4xi32> = {{\[\[}}0 1 2 3] [6 7 6 7] [10 11 10 11]]
func.func @dynamic(%x: tensor<3x4xi32>, %i: tensor<i64>, %j: tensor<i64>, %k: tensor<i64>)
    -> (tensor<2x2xi32>, tensor<3x4xi32>) {
  %p = "stablehlo.dynamic_slice"(%x, %i, %j) <{slice_sizes = array<i64: 2, 2>}> : (tensor<3x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  %u = "stablehlo.dynamic_update_slice"(%x, %p, %i, %k) : (tensor<3x4xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<3x4xi32>
  return %p, %u : tensor<2x2xi32>, tensor<3x4xi32>
}

// CALL-LABEL: pad [1,2,3,4]
// GIVES: result0: tensor<9xi32> = [9 1 9 2 9 3 9 4 9]
// GIVES: result1: tensor<3xi32> = [9 3 9]
// GIVES: result2: tensor<2xi32> = [9 9]
// GIVES: result3: tensor<2xi32> = [2 4]
func.func @pad(%x: tensor<4xi32>) -> (tensor<9xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>) {
  %n = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> tensor<i32>
  %a = "stablehlo.pad"(%x, %n) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 1>}> : (tensor<4xi32>, tensor<i32>) -> tensor<9xi32>
  %b = "stablehlo.pad"(%x, %n) <{edge_padding_low = array<i64: -3>, edge_padding_high = array<i64: -1>, interior_padding = array<i64: 1>}> : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  %c = "stablehlo.pad"(%x, %n) <{edge_padding_low = array<i64: -7>, edge_padding_high = array<i64: 5>, interior_padding = array<i64: 0>}> : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %d = "stablehlo.slice"(%x) <{start_indices = array<i64: 1>, limit_indices = array<i64: 4>, strides = array<i64: 2>}> : (tensor<4xi32>) -> tensor<2xi32>
  return %a, %b, %c, %d : tensor<9xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>
}

// Scatters into an array without dimensions combine all updates.
// CALL-LABEL{LITERAL}: scatter_into_one 5 [[1,2],[3,4]]
// GIVES: result0: tensor<i32> = 15
// GIVES: result1: tensor<i32> = 4
func.func @scatter_into_one(%x: tensor<i32>, %u: tensor<2x2xi32>) -> (tensor<i32>, tensor<i32>) {
  %i = "stablehlo.constant"() <{value = dense<> : tensor<2x2x0xi32>}> : () -> tensor<2x2x0xi32>
  %s = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<i32>, tensor<2x2x0xi32>, tensor<2x2xi32>) -> tensor<i32>
  %l = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<i32>, tensor<2x2x0xi32>, tensor<2x2xi32>) -> tensor<i32>
  return %s, %l : tensor<i32>, tensor<i32>
}

// A gather of no elements.
// CALL-LABEL{LITERAL}: gather_nothing [[1,2],[3,4]] zeros:i32[0,3]
// GIVES: result: tensor<0x3x1xi32> = []
func.func @gather_nothing(%x: tensor<2x2xi32>, %i: tensor<0x3xi32>) -> tensor<0x3x1xi32> {
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false}> : (tensor<2x2xi32>, tensor<0x3xi32>) -> tensor<0x3x1xi32>
  return %g : tensor<0x3x1xi32>
}

// Places behind the greatest index are not those at the beginning.
// CALL-LABEL: far [1,2,3] [18446744073709551614,1,9223372036854775807] iota:i32[3,3]
// GIVES: result: tensor<3xi32> = [1 3 4]
func.func @far(%x: tensor<3xi32>, %i: tensor<3xui64>, %u: tensor<3x3xi32>) -> tensor<3xi32> {
  %s = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<3xui64>, tensor<3x3xi32>) -> tensor<3xi32>
  return %s : tensor<3xi32>
}
