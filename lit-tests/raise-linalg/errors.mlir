// S8, S18, S46: operands that do not fit are errors of the op that was written, wherever the program runs.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: batch ones:f32[2,2,3] ones:f32[2,3,2] zeros:f32[2,2,2]
// GIVES: tensor<2x2x2xf32>
// CALL-LABEL: batch ones:f32[2,2,3] ones:f32[2,4,2] zeros:f32[2,2,2]
// GIVES: error: 'linalg.batch_matmul' op operands 0 and 1 have shapes [2, 2, 3] and [2, 4, 2], which do not fit
// CALL-LABEL: batch ones:f32[2,2,3] ones:f32[1,3,2] zeros:f32[2,2,2]
// GIVES: error: 'linalg.batch_matmul' op operands 0 and 1 have shapes [2, 2, 3] and [1, 3, 2], which do not fit
func.func @batch(%x: tensor<?x?x?xf32>, %y: tensor<?x?x?xf32>, %z: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %r = linalg.batch_matmul ins(%x, %y : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%z : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// CALL-LABEL: row iota:i32[2,3] ones:i32[4]
// GIVES: error: 'linalg.generic' op operands 0 and 1 have shapes [2, 3] and [4], which do not fit
// CALL-LABEL: row iota:i32[2,0] ones:i32[0]
// GIVES: tensor<2x0xi32> = []
func.func @row(%x: tensor<?x?xi32>, %y: tensor<?xi32>) -> tensor<?x?xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xi32>, tensor<?xi32>) outs(%x : tensor<?x?xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %s = arith.addi %a, %b : i32
    linalg.yield %s : i32
  } -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// What another op of linalg gives has the size of what it is written to.
// CALL-LABEL: behind iota:i32[3] 3
// GIVES: result: tensor<3xi32> = [5 6 7]
// CALL-LABEL: behind iota:i32[3] 2
// GIVES: error: 'linalg.add' op operands 0 and 1 have shapes [3] and [2], which do not fit
func.func @behind(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %five = arith.constant 5 : i32
  %e = tensor.empty(%n) : tensor<?xi32>
  %f = linalg.fill ins(%five : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %r = linalg.add ins(%x, %f : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// CALL-LABEL: joined iota:i32[2,3] iota:i32[2,4]
// GIVES: error: 'tensor.concat' op
func.func @joined(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %r = tensor.concat dim(0) %x, %y : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// CALL-LABEL: padded iota:i32[3] -4
// GIVES: error: 'tensor.pad' op dimension 0 of size 3 cannot be padded by -4 and 0
func.func @padded(%x: tensor<?xi32>, %low: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %r = tensor.pad %x low[%low] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : i32
  } : tensor<?xi32> to tensor<?xi32>
  return %r : tensor<?xi32>
}

// CALL-LABEL: inserted iota:i32[5] ones:i32[3] 2
// GIVES: error: 'tensor.insert_slice' op inserts an array of shape [3] as a slice of shape [2]
func.func @inserted(%x: tensor<?xi32>, %y: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %r = tensor.insert_slice %y into %x[0] [%n] [1] : tensor<?xi32> into tensor<?xi32>
  return %r : tensor<?xi32>
}

// Nothing is checked where the program is trusted.
// RUN: comb-opt %s --comb-raise-linalg=unchecked=true | not grep soac.check
// Nor again where checks are.
// RUN: comb-opt %s --soac-insert-checks -o %t
// RUN: grep -c soac.check %t > %t.before
// RUN: comb-opt %t --comb-raise-linalg | grep -c soac.check | diff - %t.before
