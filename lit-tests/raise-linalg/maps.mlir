// Structured ops whose results are written once at each index: maps.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb-opt %s --comb-raise-linalg --canonicalize --cse | FileCheck %s --check-prefix=IR

// Named elementwise ops, of one array and of two.
// CALL-LABEL: named iota:f32[2,3] ones:f32[2,3]
// GIVES: result: tensor<2x3xf32> = {{\[\[}}-1.0 -2.0 -3.0] [-4.0 -5.0 -6.0]]
// IR-LABEL: func.func @named(
// IR-NOT:     = linalg
// IR:         soac.map %arg0, %arg1
// IR:           arith.addf
// IR:         soac.map
// IR:           arith.negf
func.func @named(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %s = linalg.add ins(%x, %y : tensor<?x3xf32>, tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %t = linalg.negf ins(%s : tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %t : tensor<?x3xf32>
}

// CALL-LABEL: mapped iota:i32[4] ones:i32[4]
// GIVES: result: tensor<4xi32> = [1 2 3 4]
// IR-LABEL: func.func @mapped(
// IR-NOT:     = linalg
// IR:         soac.map %arg0, %arg1
func.func @mapped(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %s = linalg.map { arith.addi } ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>)
  return %s : tensor<4xi32>
}

// CALL-LABEL: elementwise iota:f32[4]
// GIVES: result: tensor<4xf32> = [0.0 1.0 2.0 3.0]
// IR-LABEL: func.func @elementwise(
// IR-NOT:     = linalg
// IR:         soac.map %arg0
// IR:           math.absf
func.func @elementwise(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<abs> ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// A row is read again for each row, and a number for each element.
// CALL-LABEL: broadcasts iota:f32[2,3] iota:f32[3] ones:f32[] 2.0
// GIVES: result: tensor<2x3xf32> = {{\[\[}}3.0 5.0 7.0] [6.0 8.0 10.0]]
// IR-LABEL: func.func @broadcasts(
// IR-NOT:     = linalg
// IR:         %[[ROW:.*]] = soac.backpermute %arg1 {{.*}} unchecked
// IR-NEXT:      soac.yield %{{.*}} : index
// IR:         tensor.extract %arg2[]
// IR:         soac.map %arg0, %[[ROW]]
func.func @broadcasts(%x: tensor<?x?xf32>, %y: tensor<?xf32>, %z: tensor<f32>, %k: f32) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>,
                                        affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %z, %k : tensor<?x?xf32>, tensor<?xf32>, tensor<f32>, f32) outs(%x : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %old: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.addf %1, %d : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CALL-LABEL: broadcast iota:i32[3] 2
// GIVES: result: tensor<3x2xi32> = {{\[\[}}0 0] [1 1] [2 2]]
// CALL-LABEL: transpose iota:i32[2,3]
// GIVES: result: tensor<3x2xi32> = {{\[\[}}0 3] [1 4] [2 5]]
// IR-LABEL: func.func @broadcast(
// IR-NOT:     = linalg
// IR:         soac.backpermute %arg0
func.func @broadcast(%x: tensor<3xi32>, %n: index) -> tensor<3x?xi32> {
  %e = tensor.empty(%n) : tensor<3x?xi32>
  %r = linalg.broadcast ins(%x : tensor<3xi32>) outs(%e : tensor<3x?xi32>) dimensions = [1]
  return %r : tensor<3x?xi32>
}

// IR-LABEL: func.func @transpose(
// IR-NOT:     = linalg
// IR:         soac.backpermute %arg0
func.func @transpose(%x: tensor<2x3xi32>) -> tensor<3x2xi32> {
  %e = tensor.empty() : tensor<3x2xi32>
  %r = linalg.transpose ins(%x : tensor<2x3xi32>) outs(%e : tensor<3x2xi32>) permutation = [1, 0]
  return %r : tensor<3x2xi32>
}

// A fill, and a copy, of which nothing is left.
// IR-LABEL: func.func @fill(
// IR:         %[[F:.*]] = soac.fill %arg0 [%arg1] : (f32) -> tensor<?xf32>
// IR-NEXT:    return %[[F]]
func.func @fill(%x: f32, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %g = linalg.copy ins(%f : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %g : tensor<?xf32>
}

// What is there before is read; indices are, with arrays and without; there are several results, one of them
// transposed.
// CALL-LABEL: before iota:i64[2,3] iota:i64[3,2]
// GIVES: tensor<2x3xi64> = {{\[\[}}0 2 4] [4 6 8]]
// GIVES: tensor<3x2xi64> = {{\[\[}}0 30] [14 44] [28 58]]
// IR-LABEL: func.func @before(
// IR-NOT:     = linalg
// IR:         soac.iota
// IR:         soac.map
// IR:         soac.transpose
func.func @before(%x: tensor<2x3xi64>, %y: tensor<3x2xi64>) -> (tensor<2x3xi64>, tensor<3x2xi64>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>],
                         iterator_types = ["parallel", "parallel"]}
      outs(%x, %y : tensor<2x3xi64>, tensor<3x2xi64>) {
  ^bb0(%a: i64, %b: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ij = arith.addi %i, %j : index
    %k = arith.index_cast %ij : index to i64
    %0 = arith.addi %a, %k : i64
    %c9 = arith.constant 9 : i64
    %1 = arith.muli %a, %c9 : i64
    %2 = arith.addi %1, %b : i64
    %3 = arith.addi %2, %b : i64
    %4 = arith.addi %3, %k : i64
    linalg.yield %0, %4 : i64, i64
  } -> (tensor<2x3xi64>, tensor<3x2xi64>)
  return %r#0, %r#1 : tensor<2x3xi64>, tensor<3x2xi64>
}

// CALL-LABEL: indices 2
// GIVES: result: tensor<2x3xindex> = {{\[\[}}0 1 2] [10 11 12]]
// IR-LABEL: func.func @indices(
// IR-NOT:     = linalg
// IR:         soac.generate
func.func @indices(%n: index) -> tensor<?x3xindex> {
  %e = tensor.empty(%n) : tensor<?x3xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<?x3xindex>) {
  ^bb0(%a: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c10 = arith.constant 10 : index
    %t = arith.muli %i, %c10 : index
    %s = arith.addi %t, %j : index
    linalg.yield %s : index
  } -> tensor<?x3xindex>
  return %r : tensor<?x3xindex>
}

// An index in a branch, and one that is computed: divided, and constant.
// CALL-LABEL: branch iota:i32[3] iota:i32[1,4]
// GIVES: result: tensor<6xi32> = [3 4 6 4 6 7]
// IR-LABEL: func.func @branch(
// IR-NOT:     = linalg
func.func @branch(%x: tensor<3xi32>, %y: tensor<1x4xi32>) -> tensor<6xi32> {
  %e = tensor.empty() : tensor<6xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (0, 3)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x, %y : tensor<3xi32>, tensor<1x4xi32>) outs(%e : tensor<6xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %i = linalg.index 0 : index
    %c3 = arith.constant 3 : index
    %is_low = arith.cmpi ult, %i, %c3 : index
    %v = scf.if %is_low -> i32 {
      %k = arith.index_cast %i : index to i32
      scf.yield %k : i32
    } else {
      %k = arith.index_cast %i : index to i32
      %three = arith.constant 3 : i32
      %l = arith.subi %k, %three : i32
      scf.yield %l : i32
    }
    %u = arith.addi %v, %a : i32
    %s = arith.addi %u, %b : i32
    linalg.yield %s : i32
  } -> tensor<6xi32>
  return %r : tensor<6xi32>
}

// No dimensions: one iteration.
// CALL-LABEL: scalar ones:f32[]
// GIVES: result: tensor<f32> = 2.0
// CALL-LABEL: none 3
// GIVES: result: tensor<i32> = 3
// IR-LABEL: func.func @scalar(
// IR-NOT:     = linalg
// IR:         soac.map
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %r = linalg.add ins(%x, %x : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// IR-LABEL: func.func @none(
// IR-NOT:     = linalg
// IR:         tensor.from_elements
func.func @none(%x: i32) -> tensor<i32> {
  %e = tensor.empty() : tensor<i32>
  %r = linalg.fill ins(%x : i32) outs(%e : tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
