// A program as torch-mlir writes them: rows of a table, a layer, and the place of the greatest number of each row.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// CALL-LABEL: classes [1,0,3] random:f32[4,5]:1 random:f32[5,7]:2 random:f32[7]:3
// GIVES: result: tensor<3xi64> = [2 2 2]
// CALL-LABEL: classes [1,0,4] random:f32[4,5]:1 random:f32[5,7]:2 random:f32[7]:3
// GIVES: error: 'tensor.extract' op index 4 is out of range [0, 4) in dimension 0
// CALL-LABEL: classes [1,0,3] random:f32[4,5]:1 random:f32[6,7]:2 random:f32[7]:3
// GIVES: error: 'linalg.matmul' op operands 0 and 1 have shapes [3, 5] and [6, 7], which do not fit

// All of it is one loop over the rows.
// RUN: comb-opt %s --comb-fuse | FileCheck %s --strict-whitespace
// CHECK:{{^    [^ ].*}} soac.cluster
// CHECK-NOT:{{^    [^ ].*}} = soac
// CHECK:{{^}}    return

#id = affine_map<(i, j) -> (i, j)>
func.func @classes(%ids: tensor<?xi64>, %table: tensor<?x?xf32>, %w: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi64>
  %d = tensor.dim %table, %c1 : tensor<?x?xf32>
  %o = tensor.dim %w, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %d) : tensor<?x?xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, #id], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<?xi64>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%id: i64, %old: f32):
    %k = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%k, %j] : tensor<?x?xf32>
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %f = tensor.empty(%n, %o) : tensor<?x?xf32>
  %i = linalg.fill ins(%z : f32) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%i : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j)>, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%a: f32, %bb: f32, %old: f32):
    %s = arith.addf %a, %bb : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %g = tensor.empty(%n) : tensor<?xf32>
  %h = tensor.empty(%n) : tensor<?xi64>
  %i1 = linalg.fill ins(%least : f32) outs(%g : tensor<?xf32>) -> tensor<?xf32>
  %j1 = linalg.fill ins(%zero : i64) outs(%h : tensor<?xi64>) -> tensor<?xi64>
  %r:2 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<?x?xf32>) outs(%i1, %j1 : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%a: f32, %best: f32, %place: i64):
    %k = linalg.index 1 : index
    %l = arith.index_cast %k : index to i64
    %mm = arith.maximumf %a, %best : f32
    %c = arith.cmpf ogt, %a, %best : f32
    %p = arith.select %c, %l, %place : i64
    linalg.yield %mm, %p : f32, i64
  } -> (tensor<?xf32>, tensor<?xi64>)
  return %r#1 : tensor<?xi64>
}
