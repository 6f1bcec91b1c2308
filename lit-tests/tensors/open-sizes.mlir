// Sizes that are known only at run time.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: expand iota:i32[6] 2 3
// GIVES: result0: tensor<2x3xi32> = {{\[}}[0 1 2] [3 4 5]]
// GIVES-NEXT: result1: tensor<1x2x1x3xi32> =
// CALL-LABEL: expand iota:i32[6] 4 2
// GIVES: 'tensor.expand_shape' op dimension 0 of size 6 is not expanded to [4, 2]
func.func @expand(%x: tensor<?xi32>, %n: index, %m: index) -> (tensor<?x?xi32>, tensor<?x?x1x?xi32>) {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%n, %m] : tensor<?xi32> into tensor<?x?xi32>
  %one = arith.constant 1 : index
  %s = tensor.expand_shape %x [[0, 1, 2, 3]] output_shape [%one, %n, 1, %m] : tensor<?xi32> into tensor<?x?x1x?xi32>
  return %r, %s : tensor<?x?xi32>, tensor<?x?x1x?xi32>
}

// Every second row of an array.
// CALL-LABEL: slice iota:i32[8,2] 2 2
// GIVES: [0 1 4 5 8 9 12 13]
func.func @slice(%x: tensor<?x?xi32>, %n: index, %m: index) -> tensor<?xi32> {
  %four = arith.muli %n, %m : index
  %two = arith.constant 2 : index
  %s = tensor.extract_slice %x[0, 0] [%four, %two] [2, 1] : tensor<?x?xi32> to tensor<?x?xi32>
  %r = tensor.expand_shape %s [[0, 1], [2]] output_shape [%n, %m, %two] : tensor<?x?xi32> into tensor<?x?x?xi32>
  %c = tensor.collapse_shape %r [[0, 1, 2]] : tensor<?x?x?xi32> into tensor<?xi32>
  return %c : tensor<?xi32>
}

// S13: a scalar chooses among arrays of other shapes.
// CALL-LABEL: choose true iota:i32[3] iota:i32[5]
// GIVES: result: tensor<3xi32> = [0 2 4]
// CALL-LABEL: choose false iota:i32[3] iota:i32[5]
// GIVES: result: tensor<5xi32> = [0 2 4 6 8]
func.func @choose(%first: i1, %x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %z = arith.select %first, %x, %y : tensor<?xi32>
  %r = arith.addi %z, %z : tensor<?xi32>
  return %r : tensor<?xi32>
}

// The op knows sizes that its type does not.
// CALL-LABEL: known [1,2,3,4,5]
// GIVES: result: tensor<1x5xi32> = {{\[\[}}1 2 3 4 5]]
// CALL-LABEL: known [1,2]
// GIVES: 'tensor.expand_shape' op dimension 0 of size 2 is not expanded to [1, 5]
func.func @known(%x: tensor<?xi32>) -> tensor<?x?xi32> {
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%one, %five] : tensor<?xi32> into tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}
