// The greatest or least numbers of rows and their places.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-opt %s --comb-raise-linalg --canonicalize --cse | FileCheck %s --check-prefix=IR

// As torch-mlir writes argmax. The first of several is found; NaN ends the search.
// CALL-LABEL{LITERAL}: greatest [[1.0,3.0,3.0,2.0],[nan,1.0,5.0,6.0],[-inf,-inf,-inf,-inf],[4.0,nan,7.0,9.0],[1.0,4.0,nan,9.0]]
// GIVES: result0: tensor<5xf32> = [3.0 nan -inf nan nan]
// GIVES: result1: tensor<5xi64> = [1 0 0 0 1]
// IR-LABEL: func.func @greatest(
// IR-NOT:     = linalg
// IR:         %[[C:.*]]:3 = soac.map
// IR:         soac.fold %[[C]]#0, %[[C]]#1, %[[C]]#2
func.func @greatest(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = tensor.empty(%n) : tensor<?xi64>
  %i = linalg.fill ins(%least : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %j = linalg.fill ins(%zero : i64) outs(%f : tensor<?xi64>) -> tensor<?xi64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%i, %j : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%a: f32, %best: f32, %place: i64):
    %k = linalg.index 1 : index
    %l = arith.index_cast %k : index to i64
    %m = arith.maximumf %a, %best : f32
    %c = arith.cmpf ogt, %a, %best : f32
    %p = arith.select %c, %l, %place : i64
    linalg.yield %m, %p : f32, i64
  } -> (tensor<?xf32>, tensor<?xi64>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi64>
}

// The least number is chosen as its place is: NaN is passed over. What was there before may be better.
// CALL-LABEL{LITERAL}: least [[1.0,-3.0,3.0],[nan,1.0,nan],[nan,-nan,8.0]] [0.5,nan,7.0] [10,20,30]
// GIVES: result0: tensor<3xf32> = [-3.0 nan 7.0]
// GIVES: result1: tensor<3xi32> = [1 20 30]
// IR-LABEL: func.func @least(
// IR-NOT:     = linalg
// IR:         %[[C:.*]]:2 = soac.map
// IR:         soac.fold %[[C]]#0, %[[C]]#1
func.func @least(%x: tensor<3x3xf32>, %i: tensor<3xf32>, %j: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x3xf32>) outs(%i, %j : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%a: f32, %best: f32, %place: i32):
    %k = linalg.index 1 : index
    %l = arith.index_cast %k : index to i32
    %c = arith.cmpf ogt, %best, %a : f32
    %m = arith.select %c, %a, %best : f32
    %p = arith.select %c, %l, %place : i32
    linalg.yield %m, %p : f32, i32
  } -> (tensor<3xf32>, tensor<3xi32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xi32>
}

// Integers without a sign, of columns, and the greatest one of all.
// CALL-LABEL{LITERAL}: columns [[1,-3],[4,-1],[4,7]]
// GIVES: result0: tensor<2xi32> = [4 -1]
// GIVES: result1: tensor<2xindex> = [1 1]
// IR-LABEL: func.func @columns(
// IR-NOT:     = linalg
func.func @columns(%x: tensor<3x2xi32>) -> (tensor<2xi32>, tensor<2xindex>) {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : index
  %i = tensor.splat %zero : tensor<2xi32>
  %j = tensor.splat %none : tensor<2xindex>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>],
                         iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<3x2xi32>) outs(%j, %i : tensor<2xindex>, tensor<2xi32>) {
  ^bb0(%a: i32, %place: index, %best: i32):
    %k = linalg.index 0 : index
    %c = arith.cmpi ugt, %a, %best : i32
    %m = arith.maxui %a, %best : i32
    %p = arith.select %c, %k, %place : index
    linalg.yield %p, %m : index, i32
  } -> (tensor<2xindex>, tensor<2xi32>)
  return %r#1, %r#0 : tensor<2xi32>, tensor<2xindex>
}

// The last of several is no such search.
// IR-LABEL: func.func @last(
// IR:         = linalg.generic
func.func @last(%x: tensor<?xf32>, %i: tensor<f32>, %j: tensor<index>) -> tensor<index> {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
                         iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%i, %j : tensor<f32>, tensor<index>) {
  ^bb0(%a: f32, %best: f32, %place: index):
    %k = linalg.index 0 : index
    %c = arith.cmpf oge, %a, %best : f32
    %m = arith.maximumf %a, %best : f32
    %p = arith.select %c, %k, %place : index
    linalg.yield %m, %p : f32, index
  } -> (tensor<f32>, tensor<index>)
  return %r#1 : tensor<index>
}
