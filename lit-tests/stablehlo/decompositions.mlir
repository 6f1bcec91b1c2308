// Decompositions of matrices, as the specification has them and as JAX calls LAPACK.

// MLIR does not find functions that are called in regions of ops that it does not know.
// RUN: comb-opt %s --allow-unregistered-dialect --mlir-very-unsafe-disable-verifier-on-parsing --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// Only the lower triangle is read.
// CALL-LABEL{LITERAL}: lower [[[4,9],[2,5]],[[9,9],[3,17]]]
// GIVES: [2.0 0.0]
// GIVES: [1.0 2.0]
// GIVES: [3.0 0.0]
// GIVES: [1.0 4.0]
func.func @lower(%x: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %i = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x2x2xi32>
  %j = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<2x2x2xi32>
  %l = "stablehlo.cholesky"(%x) <{lower = true}> : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %in = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x2x2xi32>, tensor<2x2x2xi32>) -> tensor<2x2x2xi1>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x2x2xf32>}> : () -> tensor<2x2x2xf32>
  %y = "stablehlo.select"(%in, %l, %zero) : (tensor<2x2x2xi1>, tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %y : tensor<2x2x2xf32>
}

// The second pivot is negative. Of a matrix that is upper, only the upper triangle is read.
// CALL-LABEL{LITERAL}: codes [[4,2],[9,0]]
// GIVES: result0: tensor<2x2xf64> =
// GIVES: {{\[}}[2.0 1.0]
// GIVES: [9.0 nan]]
// GIVES: result1: tensor<i32> = 2
func.func @codes(%x: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>) {
  %y, %code = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_dpotrf_ffi"}> {mhlo.backend_config = {uplo = 85 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>)
  return %y, %code : tensor<2x2xf64>, tensor<i32>
}

// CALL-LABEL{LITERAL}: lu [[1,2],[4,4],[2,6]]
// GIVES: result0: tensor<3x2xf32> =
// GIVES: {{\[}}[4.0 4.0]
// GIVES: [0.5 4.0]
// GIVES: [0.25 0.25]]
// GIVES: result1: tensor<2xi32> = [2 3]
// GIVES: result2: tensor<i32> = 0
// CALL-LABEL{LITERAL}: lu [[0,2],[0,4],[0,8]]
// GIVES: {{\[}}[0.0 2.0]
// GIVES: [0.0 8.0]
// GIVES: [0.0 0.5]]
// GIVES: [1 3]
// GIVES: result2: tensor<i32> = 1
func.func @lu(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xi32>, tensor<i32>) {
  %y:3 = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_sgetrf_ffi"}> {mhlo.backend_config = {}} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xi32>, tensor<i32>)
  return %y#0, %y#1, %y#2 : tensor<3x2xf32>, tensor<2xi32>, tensor<i32>
}

// CALL-LABEL{LITERAL}: qr [[3,1],[4,2]]
// GIVES: result0: tensor<2x2xf64> =
// GIVES: {{\[}}[-0.6{{0*1?}} -0.8]
// GIVES: [-0.8 0.6]]
// GIVES: result1: tensor<2x2xf64> =
// GIVES: {{\[}}[-5.0 -2.2]
// GIVES: [0.5 {{0.4|0.39+}}]]
func.func @qr(%x: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xf64>) {
  %a, %factors = "stablehlo.custom_call"(%x) <{call_target_name = "lapack_dgeqrf_ffi"}> {mhlo.backend_config = {}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>)
  %q = "stablehlo.custom_call"(%a, %factors) <{call_target_name = "lapack_dorgqr_ffi"}> {mhlo.backend_config = {}} : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  return %q, %a : tensor<2x2xf64>, tensor<2x2xf64>
}

// CALL-LABEL{LITERAL}: left [[2,100],[1,4]] [[2,4],[9,10]]
// GIVES: {{\[}}[1.0 2.0]
// GIVES: [2.0 2.0]]
func.func @left(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %x = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %x : tensor<2x2xf32>
}

// CALL-LABEL{LITERAL}: right [[100,3],[100,100]] [[7,2],[1,1]]
// GIVES: {{\[}}[1.0 2.0]
// GIVES: [-2.0 1.0]]
func.func @right(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %x = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %x : tensor<2x2xf32>
}

// Functions are made once for each type, and have names of their own.
// RUN: FileCheck %s --check-prefix=NAMES --input-file=%t.mlir
// NAMES-COUNT-1: func.func private @lu_1(
// NAMES-NOT: @lu_2
