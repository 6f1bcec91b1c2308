// Ops beside combinators that have a form for each element.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: sizes ones:f32[2,3] iota:index[2]
// GIVES: result: tensor<2xindex> = [2 3]
// CALL-LABEL: sizes ones:f32[2,3] iota:index[3]
// GIVES: error: 'tensor.dim' op dimension 2 is out of range [0, 2)
func.func @sizes(%x: tensor<?x?xf32>, %is: tensor<?xindex>) -> tensor<?xindex> {
  %r = soac.map %is : (tensor<?xindex>) -> tensor<?xindex> (%i: index) {
    %d = tensor.dim %x, %i : tensor<?x?xf32>
    soac.yield %d : index
  }
  return %r : tensor<?xindex>
}

// CALL-LABEL: long iota:index[3]
// GIVES: result0: tensor<3xindex> = [0 -1 -2]
// GIVES: result1: tensor<3xindex> = [0 0 1]
// GIVES: result2: tensor<3xi1> = [false false true]
func.func @long(%x: tensor<?xindex>) -> (tensor<?xindex>, tensor<?xindex>, tensor<?xi1>) {
  %c-1 = arith.constant -1 : index
  %a, %b, %c = soac.map %x : (tensor<?xindex>) -> (tensor<?xindex>, tensor<?xindex>, tensor<?xi1>) (%i: index) {
    %low, %high = arith.mului_extended %i, %c-1 : index
    %sum, %carry = arith.addui_extended %low, %low : index, i1
    %nothing = arith.constant 0 : index
    %less = arith.cmpi ult, %nothing, %high : index
    soac.yield %low, %high, %less : index, index, i1
  }
  return %a, %b, %c : tensor<?xindex>, tensor<?xindex>, tensor<?xi1>
}

// CALL-LABEL: arrays iota:index[3]
// GIVES: result0: tensor<3xindex> = [0 2 4]
// GIVES: result1: tensor<3xi1> = [false false false]
func.func @arrays(%x: tensor<?xindex>) -> (tensor<?xindex>, tensor<?xi1>) {
  %s, %o = arith.addui_extended %x, %x : tensor<?xindex>, tensor<?xi1>
  return %s, %o : tensor<?xindex>, tensor<?xi1>
}

// A dimension that an array does not have, of an array that a combinator makes.
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: no_dimension iota:i32[3]
// GIVES: 'tensor.dim' op dimension -1 is out of range [0, 1)
func.func @no_dimension(%x: tensor<?xi32>) -> index {
  %y = arith.addi %x, %x : tensor<?xi32>
  %axis = arith.constant -1 : index
  %r = tensor.dim %y, %axis : tensor<?xi32>
  return %r : index
}

// CALL-LABEL: allocated -1
// GIVES: 'bufferization.alloc_tensor' op size 0 is negative: -1
func.func @allocated(%n: index) -> index {
  %x = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %axis = arith.constant 0 : index
  %r = tensor.dim %x, %axis : tensor<?xf32>
  return %r : index
}
