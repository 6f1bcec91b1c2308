// S6, S47: amounts of tensor.pad may be negative: they leave out elements.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: pad iota:i32[5] -2 1
// GIVES: result: tensor<4xi32> = [2 3 4 7]
// CALL-LABEL: pad iota:i32[5] 1 -3
// GIVES: result: tensor<3xi32> = [7 0 1]
// CALL-LABEL: pad iota:i32[2] 4 -5
// GIVES: result: tensor<1xi32> = [7]
// CALL-LABEL: pad iota:i32[2] -9223372036854775808 9223372036854775807
// GIVES: result: tensor<1xi32> = [7]
// CALL-LABEL: pad iota:i32[2] 0 -3
// GIVES: error: 'tensor.pad' op dimension 0 of size 2 cannot be padded by 0 and -3
// RUN: not comb run %s --entry pad -i x=iota:i32[2] -i l=9223372036854775807 -i h=9223372036854775807 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: padding.mlir:[[@LINE+3]]:{{[0-9]+}}: 'tensor.pad' op dimension 0 of size 2 cannot be padded by 9223372036854775807 and 9223372036854775807
func.func @pad(%x: tensor<?xi32>, %l: index, %h: index) -> tensor<?xi32> {
  %z = arith.constant 7 : i32
  %p = tensor.pad %x low[%l] high[%h] {
  ^bb0(%i: index):
    tensor.yield %z : i32
  } : tensor<?xi32> to tensor<?xi32>
  return %p : tensor<?xi32>
}

// The region is asked for the place in the result; amounts may be constants, and the type claims a size.
// CALL-LABEL: rows iota:i32[2,3]
// GIVES: result: tensor<3x3xi32> = {{\[\[}}1 2 2] [4 5 102] [200 201 202]]
// CALL-LABEL: rows iota:i32[3,3]
// GIVES: error: 'tensor.pad' op size 4 of dimension 0 is not 3
func.func @rows(%x: tensor<?x?xi32>) -> tensor<3x?xi32> {
  %hundred = arith.constant 100 : index
  %c-1 = arith.constant -1 : index
  %p = tensor.pad %x low[0, %c-1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    %r = arith.muli %i, %hundred : index
    %s = arith.addi %r, %j : index
    %v = arith.index_cast %s : index to i32
    tensor.yield %v : i32
  } : tensor<?x?xi32> to tensor<3x?xi32>
  return %p : tensor<3x?xi32>
}

// S3: a region that may fail runs for places of the padding only.
// CALL-LABEL: fractions [5,6] 1 1
// GIVES: result: tensor<4xi32> = [0 5 6 6]
// CALL-LABEL: fractions [5,6] 0 1
// GIVES: result: tensor<3xi32> = [5 6 6]
// CALL-LABEL: fractions [5,6] -1 0
// GIVES: result: tensor<1xi32> = [6]
// CALL-LABEL: fractions [] 0 1
// GIVES: error: 'arith.divui' op division by zero
func.func @fractions(%x: tensor<?xi32>, %l: index, %h: index) -> tensor<?xi32> {
  %twelve = arith.constant 12 : index
  %p = tensor.pad %x low[%l] high[%h] {
  ^bb0(%i: index):
    %d = arith.subi %i, %l : index
    %q = arith.divui %twelve, %d : index
    %v = arith.index_cast %q : index to i32
    tensor.yield %v : i32
  } : tensor<?xi32> to tensor<?xi32>
  return %p : tensor<?xi32>
}

// CALL-LABEL{LITERAL}: nothing [[1,2],[3,4]]
// GIVES: result: tensor<1x1xi32> = {{\[\[}}4]]
func.func @nothing(%x: tensor<2x2xi32>) -> tensor<?x?xi32> {
  %c-1 = arith.constant -1 : index
  %p = tensor.pad %x low[%c-1, %c-1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %q = index.divu %i, %i
    %v = arith.index_cast %q : index to i32
    tensor.yield %v : i32
  } : tensor<2x2xi32> to tensor<?x?xi32>
  return %p : tensor<?x?xi32>
}
