// Reductions with an initial value that is not neutral, of several arrays, over windows; products.

// MLIR does not find functions that are called in regions of ops that it does not know.
// RUN: comb-opt %s --allow-unregistered-dialect --mlir-very-unsafe-disable-verifier-on-parsing --convert-stablehlo-to-soac -o %t.mlir
// RUN: comb-fuzz same %t.mlir --calls %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: initial iota:i32[2,3] 100
// GIVES: result: tensor<3xi32> = [103 105 107]
func.func @initial(%x: tensor<2x3xi32>, %i: tensor<i32>) -> tensor<3xi32> {
  %s = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = func.call @plus(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  return %s : tensor<3xi32>
}

func.func private @plus(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %c = "stablehlo.add"(%b, %a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %c : tensor<i32>
}

// The place of the greatest element.
// CALL-LABEL: place [3,9,4,9]
// GIVES: result0: tensor<i32> = 9
// GIVES: result1: tensor<i32> = 1
func.func @place(%x: tensor<4xi32>) -> (tensor<i32>, tensor<i32>) {
  %p = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
  %l = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
  %z = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %p, %l, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %i: tensor<i32>, %b: tensor<i32>, %j: tensor<i32>):
    %g = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %e = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %f = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %h = "stablehlo.and"(%e, %f) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %o = "stablehlo.or"(%g, %h) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %v = "stablehlo.select"(%g, %a, %b) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = "stablehlo.select"(%o, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%v, %w) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
}

// Windows that grow are a scan.
// CALL-LABEL: windows [1,2,3,4]
// GIVES: result0: tensor<4xi32> = [1 3 6 10]
// GIVES: result1: tensor<4xi32> = [10 9 7 4]
// GIVES: result2: tensor<2xi32> = [3 7]
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=SCAN
// SCAN-LABEL: @windows
// SCAN: soac.scanl
// SCAN: soac.scanr
func.func @windows(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<2xi32>) {
  %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %a = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 4>, padding = dense<[[3, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %c = "stablehlo.add"(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %b = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 4>, padding = dense<[[0, 3]]> : tensor<1x2xi64>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %c = "stablehlo.add"(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %w = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %c = "stablehlo.add"(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  return %a, %b, %w : tensor<4xi32>, tensor<4xi32>, tensor<2xi32>
}

// CALL-LABEL: products iota:i32[2,3] iota:i32[3,2]
// GIVES: result0: tensor<2x2xi32> = {{\[\[}}10 13] [28 40]]
// GIVES: result1: tensor<3xi32> = [3 14 33]
func.func @products(%x: tensor<2x3xi32>, %y: tensor<3x2xi32>) -> (tensor<2x2xi32>, tensor<3xi32>) {
  %a = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  %t = "stablehlo.transpose"(%y) <{permutation = array<i64: 1, 0>}> : (tensor<3x2xi32>) -> tensor<2x3xi32>
  %b = "stablehlo.dot_general"(%x, %t) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<3xi32>
  return %a, %b : tensor<2x2xi32>, tensor<3xi32>
}

// CALL-LABEL{LITERAL}: convolution [[[1],[2],[3],[4]]] [[[1]],[[10]]]
// GIVES: result0: tensor<1x5x1xi32> = {{\[\[\[}}10] [21] [32] [43] [4]]]
// GIVES: result1: tensor<1x2x1xi32> = {{\[\[\[}}12] [34]]]
func.func @convolution(%x: tensor<1x4x1xi32>, %k: tensor<2x1x1xi32>) -> (tensor<1x5x1xi32>, tensor<1x2x1xi32>) {
  %a = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, padding = dense<1> : tensor<1x2xi64>}> : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x5x1xi32>
  %b = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, window_reversal = array<i1: true>, window_strides = array<i64: 2>}> : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>
  return %a, %b : tensor<1x5x1xi32>, tensor<1x2x1xi32>
}

// Sums of floats of 16 bits are rounded once.
// CALL-LABEL{LITERAL}: narrow [[256,1,-256]] [[1],[1],[1]]
// GIVES: result: tensor<1x1xbf16> = {{\[\[}}1.0]]
func.func @narrow(%x: tensor<1x3xbf16>, %y: tensor<3x1xbf16>) -> tensor<1x1xbf16> {
  %a = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<1x3xbf16>, tensor<3x1xbf16>) -> tensor<1x1xbf16>
  return %a : tensor<1x1xbf16>
}

// Of a function that is not the same in another order, here x * a + b after x * c + d, elements
// are in the order that they have in the array, however dimensions are listed.
// CALL-LABEL{LITERAL}: composed [[2,3],[5,7]] [[1,2],[3,4]]
// GIVES: result0: tensor<i32> = 210
// GIVES: result1: tensor<i32> = 200
func.func @composed(%x: tensor<2x2xi32>, %y: tensor<2x2xi32>) -> (tensor<i32>, tensor<i32>) {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %f, %o = "stablehlo.reduce"(%x, %y, %one, %zero) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = "stablehlo.multiply"(%a, %c) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %q = "stablehlo.multiply"(%b, %c) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %s = "stablehlo.add"(%q, %d) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%p, %s) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %f, %o : tensor<i32>, tensor<i32>
}

// A called function may have no op of StableHLO.
// CALL-LABEL: kept [5,6] [1,1] [7,8]
// GIVES: result: tensor<2xi32> = [5 6]
func.func @kept(%x: tensor<2xi32>, %i: tensor<2xi32>, %u: tensor<2xi32>) -> tensor<2xi32> {
  %s = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = func.call @first(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }) : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %s : tensor<2xi32>
}
func.func private @first(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  return %a : tensor<i32>
}
