// Functions that `math` does not have.

// RUN: comb-opt %s --allow-unregistered-dialect --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: gamma [0.5,-2.5,0,1,100.5,inf,nan]
// GIVES: result0: tensor<7xf32> = [0.5723649 -0.056243718 inf 0.0 361.43555 inf nan]
// GIVES: result1: tensor<7xf32> = [-1.96351 1.1031567 nan -0.5772157 4.6051745 inf nan]
func.func @gamma(%x: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %a = "chlo.lgamma"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  %b = "chlo.digamma"(%x) : (tensor<7xf32>) -> tensor<7xf32>
  return %a, %b : tensor<7xf32>, tensor<7xf32>
}

// CALL-LABEL: zeta [2,3,2,1,0.5] [1,0.5,-1,3,2]
// GIVES: result0: tensor<5xf32> = [1.644934 8.414398 inf inf nan]
// GIVES: result1: tensor<5xf32> = [-2.4041138 97.40909 nan 0.39493406 nan]
func.func @zeta(%x: tensor<5xf32>, %q: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %a = "chlo.zeta"(%x, %q) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %b = "chlo.polygamma"(%x, %q) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %a, %b : tensor<5xf32>, tensor<5xf32>
}

// CALL-LABEL: single [0,0.5,-0.9999,1,2]
// GIVES: result0: tensor<5xf32> = [0.0 0.47693628 -2.7510355 inf nan]
// GIVES: result1: tensor<5xf32> = [0.0 0.1564208 -0.20790543 0.20791042 0.21526928]
// CALL-LABEL: double [0,0.5,-0.9999,1,2]
// GIVES: result0: tensor<5xf64> = [0.0 0.47693627620446{{[0-9]+}} -2.75106390571{{[0-9]+}} inf nan]
// GIVES: result1: tensor<5xf64> = [0.0 0.15642080318487{{[0-9]+}} -0.20790542072288{{[0-9]+}} 0.20791041534970{{[0-9]+}} 0.2152692892489{{[0-9]+}}]
func.func @single(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %a = "chlo.erf_inv"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  %b = "chlo.bessel_i1e"(%x) : (tensor<5xf32>) -> tensor<5xf32>
  return %a, %b : tensor<5xf32>, tensor<5xf32>
}
func.func @double(%x: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>) {
  %a = "chlo.erf_inv"(%x) : (tensor<5xf64>) -> tensor<5xf64>
  %b = "chlo.bessel_i1e"(%x) : (tensor<5xf64>) -> tensor<5xf64>
  return %a, %b : tensor<5xf64>, tensor<5xf64>
}

// CALL-LABEL: next [0,-0,1,-1,65504,2,nan] [1,-1,2,0,inf,2,1]
// GIVES: result: tensor<7xf16> = [6e-8 -6e-8 1.001 -0.9995 inf 2.0 nan]
func.func @next(%x: tensor<7xf16>, %y: tensor<7xf16>) -> tensor<7xf16> {
  %a = "chlo.next_after"(%x, %y) : (tensor<7xf16>, tensor<7xf16>) -> tensor<7xf16>
  return %a : tensor<7xf16>
}

// To bfloat16, and to numbers with few exponents.
// CALL-LABEL: reduced [1.00390625,1.01171875,1e10,1e-10,-0.3,nan]
// GIVES: result0: tensor<6xf32> = [1.0 1.015625 9999221000.0 1.0004442e-10 -0.30078125 nan]
// GIVES: result1: tensor<6xf32> = [1.0 1.0 inf 0.0 -0.3125 nan]
func.func @reduced(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %a = "stablehlo.reduce_precision"(%x) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<6xf32>) -> tensor<6xf32>
  %b = "stablehlo.reduce_precision"(%x) <{exponent_bits = 4 : i32, mantissa_bits = 3 : i32}> : (tensor<6xf32>) -> tensor<6xf32>
  return %a, %b : tensor<6xf32>, tensor<6xf32>
}
