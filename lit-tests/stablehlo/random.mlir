// Random bits are those of XLA's Philox, for whole blocks and others, and for elements of all widths; the counter may run over
// into the key's half.

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: words [5,9]
// GIVES: result0: tensor<2xui64> = [5 11]
// GIVES: result1: tensor<5xui32> = [209387248 2186151673 3180873510 1854507780 2571302373]
func.func @words(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>) {
  %n, %b = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  return %n, %b : tensor<2xui64>, tensor<5xui32>
}

// CALL-LABEL: widths [5,9]
// GIVES: result0: tensor<ui64> = 9389449939840073456
// GIVES: result1: tensor<2x2xui8> = {{\[\[}}240 249] [38 4]]
func.func @widths(%s: tensor<2xui64>) -> (tensor<ui64>, tensor<2x2xui8>) {
  %n, %b = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui64>)
  %m, %c = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui8>)
  return %b, %c : tensor<ui64>, tensor<2x2xui8>
}

// CALL-LABEL: runs_over [7,18446744073709551615]
// GIVES: result0: tensor<2xui64> = [7 1]
// GIVES: result1: tensor<5xui32> = [3825527345 2929620239 4033760259 866587273 2720144846]
func.func @runs_over(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>) {
  %n, %b = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  return %n, %b : tensor<2xui64>, tensor<5xui32>
}
