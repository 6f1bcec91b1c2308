// Ops that are given sizes that are known; calls that say where arrays are.

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: sizes [5,6] [2,2]
// GIVES: result0: tensor<2x2xi32> = {{\[\[}}5 6] [5 6]]
// GIVES: result1: tensor<2x2xi32> = {{\[\[}}0 0] [1 1]]
// GIVES: result2: tensor<2x1xi32> = {{\[\[}}5] [6]]
// GIVES: result3: tensor<i32> = 2
func.func @sizes(%x: tensor<2xi32>, %s: tensor<2xi64>)
    -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<i32>) {
  %a = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  %b = "stablehlo.dynamic_iota"(%s) <{iota_dimension = 0 : i64}> : (tensor<2xi64>) -> tensor<2x2xi32>
  %c = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<2xi32>, tensor<2xi64>) -> tensor<2x1xi32>
  %d = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<2xi32>) -> tensor<i32>
  %e = "stablehlo.custom_call"(%c) <{call_target_name = "Sharding"}> : (tensor<2x1xi32>) -> tensor<2x1xi32>
  return %a, %b, %e, %d : tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<i32>
}
