// S6, S46: structured ops of linalg, named and generic: the shapes of their operands fit.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: matmul iota:f32[2,3] ones:f32[3,2]
// GIVES: result: tensor<2x2xf32> = {{\[\[}}3.0 3.0] [12.0 12.0]]
// CALL-LABEL: matmul iota:f32[2,4] ones:f32[3,2]
// GIVES: error: 'linalg.matmul' op operands 0 and 1 have shapes [2, 4] and [3, 2], which do not fit
func.func @matmul(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %y, %c1 : tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%i : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CALL-LABEL: add iota:f32[3] iota:f32[3]
// GIVES: result: tensor<3xf32> = [0.0 2.0 4.0]
// CALL-LABEL: add iota:f32[10] iota:f32[3]
// GIVES: error: 'linalg.add' op operands 0 and 1 have shapes [10] and [3], which do not fit
func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// Every other place, and some behind it: there has to be room.
// CALL-LABEL: conv iota:f32[7] ones:f32[3] 3
// GIVES: result: tensor<3xf32> = [3.0 9.0 15.0]
// CALL-LABEL: conv iota:f32[7] ones:f32[3] 4
// GIVES: error: 'linalg.generic' op operand 0 has shape [7], but dimension 0 is read and written outside by loops over [4, 3]
// CALL-LABEL: conv iota:f32[7] ones:f32[0] 9
// GIVES: result: tensor<9xf32> = [0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0]
func.func @conv(%x: tensor<?xf32>, %k: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2 + j)>, affine_map<(i, j) -> (j)>,
                                        affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%x, %k : tensor<?xf32>, tensor<?xf32>) outs(%i : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CALL-LABEL: image iota:f32[1,3,3,1] ones:f32[2,2,1,1] 2
// GIVES: 8.0] [12.0]
// CALL-LABEL: image iota:f32[1,3,3,1] ones:f32[2,2,1,1] 3
// GIVES: error: 'linalg.conv_2d_nhwc_hwcf' op operand 0 has shape [1, 3, 3, 1], but dimension 1 is read and written outside by loops over [1, 3, 3, 1, 2, 2, 1]
func.func @image(%x: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>, %n: index) -> tensor<1x?x?x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n, %n) : tensor<1x?x?x1xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<1x?x?x1xf32>) -> tensor<1x?x?x1xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>)
      outs(%i : tensor<1x?x?x1xf32>) -> tensor<1x?x?x1xf32>
  return %r : tensor<1x?x?x1xf32>
}

// Indices that go down, and in circles.
// CALL-LABEL: circle iota:i32[3] 5
// GIVES: result: tensor<5xi32> = [0 1 2 0 1]
// CALL-LABEL: circle iota:i32[2] 5
// GIVES: error: 'linalg.generic' op operand 0 has shape [2], but dimension 0 is read and written outside by loops over [5]
func.func @circle(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %e = tensor.empty(%n) : tensor<?xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 3)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    linalg.yield %a : i32
  } -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// CALL-LABEL: reduce iota:i32[2,3] zeros:i32[3]
// GIVES: result: tensor<3xi32> = [3 5 7]
// CALL-LABEL: reduce iota:i32[2,3] zeros:i32[2]
// GIVES: error: 'linalg.reduce' op operands 0 and 1 have shapes [2, 3] and [2], which do not fit
func.func @reduce(%x: tensor<?x?xi32>, %init: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.reduce ins(%x : tensor<?x?xi32>) outs(%init : tensor<?xi32>) dimensions = [0]
    (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      linalg.yield %s : i32
    }
  return %r : tensor<?xi32>
}

// CALL-LABEL: transpose iota:i32[2,3] zeros:i32[3,3]
// GIVES: error: 'linalg.transpose' op operands 0 and 1 have shapes [2, 3] and [3, 3], which do not fit
func.func @transpose(%x: tensor<?x?xi32>, %init: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %r = linalg.transpose ins(%x : tensor<?x?xi32>) outs(%init : tensor<?x?xi32>) permutation = [1, 0]
  return %r : tensor<?x?xi32>
}

// Shapes that are known to agree cost nothing.
// RUN: comb-opt %s --soac-insert-checks | FileCheck %s --check-prefix=PROVEN
// PROVEN-LABEL: func.func @proven(
// PROVEN-NOT:     soac.check {{.*}}linalg
func.func @proven(%x: tensor<?x8xf32>, %k: tensor<3xf32>) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.splat %z[%n] : tensor<?x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(r, i, j) -> (r, i + j)>, affine_map<(r, i, j) -> (j)>,
                                        affine_map<(r, i, j) -> (r, i)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<?x8xf32>, tensor<3xf32>) outs(%e : tensor<?x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  } -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}
