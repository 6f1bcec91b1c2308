// Structured ops that combine iterations by an op that is associative: folds.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-opt %s --comb-raise-linalg --canonicalize --cse | FileCheck %s --check-prefix=IR

// Columns are summed; what was there before is added once.
// CALL-LABEL: columns iota:i32[2,3] iota:i32[3]
// GIVES: result: tensor<3xi32> = [3 6 9]
// IR-LABEL: func.func @columns(
// IR-NOT:     = linalg
// IR:         %[[T:.*]] = soac.backpermute %arg0
// IR:         %[[F:.*]] = soac.fold %[[T]] neutral %c0_i32
// IR:         soac.map %arg1, %[[F]]
func.func @columns(%x: tensor<2x3xi32>, %init: tensor<3xi32>) -> tensor<3xi32> {
  %r = linalg.reduce { arith.addi } ins(%x : tensor<2x3xi32>) outs(%init : tensor<3xi32>) dimensions = [0]
  return %r : tensor<3xi32>
}

// A fill with a neutral number is where the fold begins.
// CALL-LABEL: rows iota:f32[2,3]
// GIVES: result: tensor<2xf32> = [3.0 12.0]
// IR-LABEL: func.func @rows(
// IR-NOT:     = linalg
// IR:         %[[F:.*]] = soac.fold %arg0 neutral %cst
// IR-NOT:     soac.map
// IR:         return %[[F]]
func.func @rows(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<2x3xf32>) outs(%i : tensor<2xf32>) dimensions = [1]
  return %r : tensor<2xf32>
}

// All dimensions; a number that is not neutral; a dimension of size 1 is kept.
// CALL-LABEL: greatest iota:f32[2,3]
// GIVES: result: tensor<f32> = 7.0
// CALL-LABEL: kept iota:f32[2,3] ones:f32[2,1]
// GIVES: result: tensor<2x1xf32> = {{\[\[}}4.0] [13.0]]
// IR-LABEL: func.func @greatest(
// IR-NOT:     = linalg
// IR:         soac.fold %arg0 neutral %{{.*}} inner 2
// IR:           arith.maximumf
func.func @greatest(%x: tensor<?x?xf32>) -> tensor<f32> {
  %z = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.maximumf } ins(%x : tensor<?x?xf32>) outs(%i : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

// IR-LABEL: func.func @kept(
// IR-NOT:     = linalg
// IR:         %[[F:.*]] = soac.fold %arg0
// IR:         %[[I:.*]] = soac.reshape %arg1
// IR:         %[[M:.*]] = soac.map %[[I]], %[[F]]
// IR:         soac.reshape %[[M]]
func.func @kept(%x: tensor<2x3xf32>, %init: tensor<2x1xf32>) -> tensor<2x1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x3xf32>) outs(%init : tensor<2x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// Numbers of which the maximum is not NaN, and no others; no numbers at all.
// CALL-LABEL: numbers zeros:f32[2,0]
// GIVES: result: tensor<2xf32> = [-1.0 -1.0]
func.func @numbers(%x: tensor<2x?xf32>) -> tensor<2xf32> {
  %z = arith.constant -1.0 : f32
  %i = tensor.splat %z : tensor<2xf32>
  %r = linalg.reduce { arith.maxnumf } ins(%x : tensor<2x?xf32>) outs(%i : tensor<2xf32>) dimensions = [1]
  return %r : tensor<2xf32>
}

// Several results: sums and products of one set of loops, and elements beside them.
// CALL-LABEL: several iota:i64[2,3] zeros:i64[2] ones:i64[2] ones:i64[3,2]
// GIVES: tensor<2xi64> = [5 50]
// GIVES: tensor<2xi64> = [6 120]
// GIVES: tensor<3x2xi64> = {{\[\[}}1 4] [2 5] [3 6]]
// IR-LABEL: func.func @several(
// IR-NOT:     = linalg
// IR:         soac.fold
// IR:         soac.fold
func.func @several(%x: tensor<2x3xi64>, %i0: tensor<2xi64>, %i1: tensor<2xi64>, %i2: tensor<3x2xi64>)
    -> (tensor<2xi64>, tensor<2xi64>, tensor<3x2xi64>) {
  %r:3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>,
                                          affine_map<(i, j) -> (j, i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x3xi64>) outs(%i0, %i1, %i2 : tensor<2xi64>, tensor<2xi64>, tensor<3x2xi64>) {
  ^bb0(%a: i64, %s: i64, %p: i64, %o: i64):
    %q = arith.muli %a, %a : i64
    %0 = arith.addi %s, %q : i64
    %b = arith.addi %a, %o : i64
    %1 = arith.muli %p, %b : i64
    linalg.yield %0, %1, %b : i64, i64, i64
  } -> (tensor<2xi64>, tensor<2xi64>, tensor<3x2xi64>)
  return %r#0, %r#1, %r#2 : tensor<2xi64>, tensor<2xi64>, tensor<3x2xi64>
}

// A count needs no array, and a check stays in front of what it is about.
// CALL-LABEL: quotients iota:i32[3] ones:i32[3]
// GIVES: result: tensor<i32> = 3
// CALL-LABEL: quotients iota:i32[3] zeros:i32[3]
// GIVES: error: 'arith.divsi' op division by zero
// IR-LABEL: func.func @quotients(
// IR-NOT:     = linalg
func.func @quotients(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<i32> {
  %z = arith.constant 0 : i32
  %i = tensor.splat %z : tensor<i32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]}
      ins(%x, %y : tensor<?xi32>, tensor<?xi32>) outs(%i : tensor<i32>) {
  ^bb0(%a: i32, %b: i32, %s: i32):
    %q = arith.divsi %a, %b : i32
    %0 = arith.addi %q, %s : i32
    linalg.yield %0 : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}

// What is promised of sums in the order of the loops need not hold of others.
// IR-LABEL: func.func @promised(
// IR-NOT:     = linalg
// IR:         soac.fold
// IR:           arith.addi %{{[^ ]*}}, %{{[^ ]*}} : i8
// IR:         soac.fold
// IR:           arith.maximumf %{{.*}} fastmath<contract> : f32
// CALL-LABEL: promised [-100,100,100,-50] [1.0,2.0,3.0,inf]
// GIVES: result0: tensor<i8> = 50
// GIVES: result1: tensor<f32> = inf
func.func @promised(%x: tensor<?xi8>, %y: tensor<?xf32>) -> (tensor<i8>, tensor<f32>) {
  %zero = arith.constant 0 : i8
  %least = arith.constant -1.0 : f32
  %i = tensor.splat %zero : tensor<i8>
  %j = tensor.splat %least : tensor<f32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
                         iterator_types = ["reduction"]}
      ins(%x, %y : tensor<?xi8>, tensor<?xf32>) outs(%i, %j : tensor<i8>, tensor<f32>) {
  ^bb0(%a: i8, %b: f32, %s: i8, %t: f32):
    %0 = arith.addi %s, %a overflow<nsw> : i8
    %1 = arith.maximumf %t, %b fastmath<nnan,contract> : f32
    linalg.yield %0, %1 : i8, f32
  } -> (tensor<i8>, tensor<f32>)
  return %r#0, %r#1 : tensor<i8>, tensor<f32>
}
