// A result that goes into an array of which the loops read nothing that they write is computed in that
// array's memory: no memory for it, and no second pass.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Each row from the one before; nothing is known of where they are but that they are neighbours.

// CALL-LABEL: rows iota:i32[5] 3
// GIVES: result: tensor<4x5xi32> = {{\[\[}}0 1 2 3 4] [0 1 3 6 10] [0 1 4 10 20] [0 1 5 15 35]]
func.func @rows(%first: tensor<?xi32>, %n: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %width = tensor.dim %first, %c0 : tensor<?xi32>
  %height = arith.addi %n, %c1 : index
  %all = soac.replicate %first [%height] : (tensor<?xi32>) -> tensor<?x?xi32>
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%old = %all) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %row = soac.slice %old [%i, 0] [1, %width] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %sums = soac.scanl %row neutral %zero : (tensor<1x?xi32>, i32) -> tensor<1x?xi32> (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      soac.yield %s : i32
    }
    %y = soac.update %sums into %old at [%next, 0] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// An iteration may read the element that it writes: a row is taken off all below it.

// CALL-LABEL: eliminate 5
// GIVES: result: tensor<5x5xi32> = {{\[\[}}0 1 2 3 4] [1 1 1 1 1] [1 1 1 1 1] [1 1 1 1 1] [2 2 2 2 2]]
func.func @eliminate(%n: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : index
  %all = soac.generate [%n, %n] : tensor<?x?xi32> (%i: index, %j: index) {
    %s = arith.addi %i, %j : index
    %e = arith.index_cast %s : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %three step %c1 iter_args(%old = %all) -> tensor<?x?xi32> {
    %next = arith.addi %i, %c1 : index
    %left = arith.subi %n, %next : index
    %row = soac.slice %old [%i, 0] [1, %n] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %flat = soac.reshape %row to [%n] : (tensor<1x?xi32>) -> tensor<?xi32>
    %rows = soac.replicate %flat [%left] : (tensor<?xi32>) -> tensor<?x?xi32>
    %below = soac.slice %old [%next, 0] [%left, %n] [1, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
    %new = soac.map %below, %rows : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32, %b: i32) {
      %d = arith.subi %a, %b : i32
      soac.yield %d : i32
    }
    %y = soac.update %new into %old at [%next, 0] strides [1, 1] : tensor<?x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// Two parts from one loop, one behind the other. Where they overlap, the last one counts.

// CALL-LABEL: parts 3
// GIVES: result: tensor<3x4xi32> = {{\[\[}}0 1 2 3] [1 2 3 4] [0 2 4 6]]
func.func @parts(%n: index) -> tensor<?x4xi32> {
  %one = arith.constant 1 : i32
  %x = soac.generate [%n, 4] : tensor<?x4xi32> (%i: index, %j: index) {
    %s = arith.addi %i, %j : index
    %e = arith.index_cast %s : index to i32
    soac.yield %e : i32
  }
  %row = soac.slice %x [0, 0] [1, 4] [1, 1] : (tensor<?x4xi32>) -> tensor<1x4xi32>
  %more, %twice = soac.map %row : (tensor<1x4xi32>) -> (tensor<1x4xi32>, tensor<1x4xi32>) (%a: i32) {
    %b = arith.addi %a, %one : i32
    %c = arith.addi %a, %a : i32
    soac.yield %b, %c : i32, i32
  }
  %y = soac.update %more into %x at [1, 0] strides [1, 1] : tensor<1x4xi32> into tensor<?x4xi32> -> tensor<?x4xi32>
  %z = soac.update %twice into %y at [2, 0] strides [1, 1] : tensor<1x4xi32> into tensor<?x4xi32> -> tensor<?x4xi32>
  return %z : tensor<?x4xi32>
}

// CALL-LABEL: overlapping 3
// GIVES: result: tensor<3x4xi32> = {{\[\[}}0 1 2 3] [0 2 4 6] [2 3 4 5]]
func.func @overlapping(%n: index) -> tensor<?x4xi32> {
  %one = arith.constant 1 : i32
  %x = soac.generate [%n, 4] : tensor<?x4xi32> (%i: index, %j: index) {
    %s = arith.addi %i, %j : index
    %e = arith.index_cast %s : index to i32
    soac.yield %e : i32
  }
  %row = soac.slice %x [0, 0] [1, 4] [1, 1] : (tensor<?x4xi32>) -> tensor<1x4xi32>
  %more, %twice = soac.map %row : (tensor<1x4xi32>) -> (tensor<1x4xi32>, tensor<1x4xi32>) (%a: i32) {
    %b = arith.addi %a, %one : i32
    %c = arith.addi %a, %a : i32
    soac.yield %b, %c : i32, i32
  }
  %y = soac.update %more into %x at [1, 0] strides [1, 1] : tensor<1x4xi32> into tensor<?x4xi32> -> tensor<?x4xi32>
  %z = soac.update %twice into %y at [1, 0] strides [1, 1] : tensor<1x4xi32> into tensor<?x4xi32> -> tensor<?x4xi32>
  return %z : tensor<?x4xi32>
}

// A row that is turned round cannot be written where it is read.

// CALL-LABEL: turned iota:i32[4] 2
// GIVES: result: tensor<2x4xi32> = {{\[\[}}3 2 1 0] [3 2 1 0]]
func.func @turned(%first: tensor<?xi32>, %n: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = tensor.dim %first, %c0 : tensor<?xi32>
  %all = soac.replicate %first [%n] : (tensor<?xi32>) -> tensor<?x?xi32>
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%old = %all) -> tensor<?x?xi32> {
    %row = soac.slice %old [%i, 0] [1, %width] [1, 1] : (tensor<?x?xi32>) -> tensor<1x?xi32>
    %new = soac.reverse %row dims [1] : (tensor<1x?xi32>) -> tensor<1x?xi32>
    %y = soac.update %new into %old at [%i, 0] strides [1, 1] : tensor<1x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
    scf.yield %y : tensor<?x?xi32>
  }
  return %z : tensor<?x?xi32>
}

// Nor a row that may be the one that is read: here the last one is.

// CALL-LABEL: any 3 2
// GIVES: result: tensor<3x3xi32> = {{\[\[}}4 3 2] [4 3 2] [4 3 2]]
func.func @any(%n: index, %k: index) -> tensor<?x3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %all = soac.generate [%n, 3] : tensor<?x3xi32> (%i: index, %j: index) {
    %s = arith.addi %i, %j : index
    %e = arith.index_cast %s : index to i32
    soac.yield %e : i32
  }
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%old = %all) -> tensor<?x3xi32> {
    %row = soac.slice %old [%k, 0] [1, 3] [1, 1] : (tensor<?x3xi32>) -> tensor<1x3xi32>
    %new = soac.reverse %row dims [1] : (tensor<1x3xi32>) -> tensor<1x3xi32>
    %y = soac.update %new into %old at [%i, 0] strides [1, 1] : tensor<1x3xi32> into tensor<?x3xi32> -> tensor<?x3xi32>
    scf.yield %y : tensor<?x3xi32>
  }
  return %z : tensor<?x3xi32>
}

// Nor where the old array is needed later.

// CALL-LABEL: later 3
// GIVES: result0: tensor<3x3xi32> = {{\[\[}}0 1 2] [0 1 2] [2 3 4]]
// GIVES: result1: i32 = 2
func.func @later(%n: index) -> (tensor<?x3xi32>, i32) {
  %c1 = arith.constant 1 : index
  %made = soac.generate [%n, 3] : tensor<?x3xi32> (%i: index, %j: index) {
    %s = arith.addi %i, %j : index
    %e = arith.index_cast %s : index to i32
    soac.yield %e : i32
  }
  %all = soac.force %made : tensor<?x3xi32>
  %row = soac.slice %all [0, 0] [1, 3] [1, 1] : (tensor<?x3xi32>) -> tensor<1x3xi32>
  %new = soac.map %row : (tensor<1x3xi32>) -> tensor<1x3xi32> (%a: i32) {
    soac.yield %a : i32
  }
  %y = soac.update %new into %all at [1, 0] strides [1, 1] : tensor<1x3xi32> into tensor<?x3xi32> -> tensor<?x3xi32>
  %e = tensor.extract %all[%c1, %c1] : tensor<?x3xi32>
  return %y, %e : tensor<?x3xi32>, i32
}

// Nor where a function reads it by itself.

// CALL-LABEL: captured 3
// GIVES: result: tensor<3x3xi32> = {{\[\[}}0 1 2] [0 2 4] [2 3 4]]
func.func @captured(%n: index) -> tensor<?x3xi32> {
  %c0 = arith.constant 0 : index
  %made = soac.generate [%n, 3] : tensor<?x3xi32> (%i: index, %j: index) {
    %s = arith.addi %i, %j : index
    %e = arith.index_cast %s : index to i32
    soac.yield %e : i32
  }
  %all = soac.force %made : tensor<?x3xi32>
  %row = soac.slice %all [0, 0] [1, 3] [1, 1] : (tensor<?x3xi32>) -> tensor<1x3xi32>
  %new = soac.map %row : (tensor<1x3xi32>) -> tensor<1x3xi32> (%a: i32) {
    %k = arith.index_cast %a : i32 to index
    %b = tensor.extract %all[%c0, %k] : tensor<?x3xi32>
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  %y = soac.update %new into %all at [1, 0] strides [1, 1] : tensor<1x3xi32> into tensor<?x3xi32> -> tensor<?x3xi32>
  return %y : tensor<?x3xi32>
}

// Where a part is outside, nothing is written.

// CALL-LABEL: outside 3 3
// GIVES: error: 'soac.update' op
// CALL-LABEL: outside 3 2
// GIVES: result: tensor<3x3xi32> = {{\[\[}}0 1 2] [1 2 3] [7 8 9]]
func.func @outside(%n: index, %k: index) -> tensor<?x3xi32> {
  %all = soac.generate [%n, 3] : tensor<?x3xi32> (%i: index, %j: index) {
    %s = arith.addi %i, %j : index
    %e = arith.index_cast %s : index to i32
    soac.yield %e : i32
  }
  %new = soac.generate [1, 3] : tensor<1x3xi32> (%i: index, %j: index) {
    %seven = arith.constant 7 : index
    %s = arith.addi %j, %seven : index
    %e = arith.index_cast %s : index to i32
    soac.yield %e : i32
  }
  %y = soac.update %new into %all at [%k, 0] strides [1, 1] : tensor<1x3xi32> into tensor<?x3xi32> -> tensor<?x3xi32>
  return %y : tensor<?x3xi32>
}
