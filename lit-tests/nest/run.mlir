// Loop nests give what combinators give: interpreted, as tensors and as memory, and compiled one iteration
// after the other.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: filters iota:i32[40]
// GIVES: result0: tensor<6xi32> = [1 9 25 49 81 121]
// GIVES: result1: tensor<i32> = 286
// CALL-LABEL: filters zeros:i32[0]
// GIVES: result0: tensor<0xi32> = []
func.func @filters(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 150 : i32
  %p = soac.filter %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %odd = arith.andi %e, %one : i32
    %keep = arith.cmpi ne, %odd, %zero : i32
    soac.yield %keep : i1
  }
  %s = soac.map %p : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %m = arith.muli %e, %e : i32
    soac.yield %m : i32
  }
  %q = soac.filter %s : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %keep = arith.cmpi slt, %e, %limit : i32
    soac.yield %keep : i1
  }
  %f = soac.fold %q neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %e: i32) {
    %m = arith.addi %a, %e : i32
    soac.yield %m : i32
  }
  return %q, %f : tensor<?xi32>, tensor<i32>
}

// CALL-LABEL: scans iota:i32[5]
// GIVES: result0: tensor<5xi32> = [0 0 1 3 6]
// GIVES: result1: tensor<5xi32> = [10 10 9 7 4]
// CALL-LABEL: scans zeros:i32[0]
func.func @scans(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %l = soac.scanl %x neutral %zero exclusive : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %e: i32) {
    %m = arith.addi %a, %e : i32
    soac.yield %m : i32
  }
  %r = soac.scanr %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%e: i32, %a: i32) {
    %m = arith.addi %e, %a : i32
    soac.yield %m : i32
  }
  return %l, %r : tensor<?xi32>, tensor<?xi32>
}

// The last element that names a place wins, and the other array stays as it was.
// CALL-LABEL: scatters zeros:i32[4] iota:i32[3] [3,1,3]
// GIVES: result0: tensor<4xi32> = [0 1 0 2]
// GIVES: result1: tensor<4xi32> = [0 1 0 2]
// GIVES: result2: tensor<4xi32> = [0 0 0 0]
// CALL-LABEL: scatters zeros:i32[4] iota:i32[3] [3,4,3]
// GIVES: error: 'soac.scatter' op index 4 is out of range [0, 4) in dimension 0
func.func @scatters(%x: tensor<?xi32>, %v: tensor<?xi32>, %at: tensor<?xindex>)
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %s = soac.scatter %v into %x at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %h = soac.scatter %v into %x at %at : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
      (%old: i32, %new: i32) {
    %m = arith.addi %old, %new : i32
    soac.yield %m : i32
  }
  return %s, %h, %x : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// A map over rows that gives rows, of which it makes arrays.
// CALL-LABEL: rows iota:i32[2,3]
// GIVES: tensor<2x3xi32> = {{\[}}[0 1 3] [3 7 12]]
func.func @rows(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<?x?xi32>
  %zero = arith.constant 0 : i32
  %r = soac.map %x outer 1 inner (%n) : (tensor<?x?xi32>) -> tensor<?x?xi32> (%row: tensor<?xi32>) {
    %s = soac.scanl %row neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %e: i32) {
      %m = arith.addi %a, %e : i32
      soac.yield %m : i32
    }
    soac.yield %s : tensor<?xi32>
  }
  return %r : tensor<?x?xi32>
}

// One element is scattered into a row: there is no loop around it but that over the rows.
// CALL-LABEL: one_in_each_row iota:i32[2,4] [3,1]
// GIVES: tensor<2x4xi32> = {{\[}}[0 1 2 7] [4 7 6 7]]
func.func @one_in_each_row(%x: tensor<?x4xi32>, %at: tensor<?xindex>) -> tensor<?x4xi32> {
  %r = soac.map %x, %at outer 1 : (tensor<?x4xi32>, tensor<?xindex>) -> tensor<?x4xi32>
      (%row: tensor<4xi32>, %i: index) {
    %v = arith.constant dense<7> : tensor<i32>
    %p = tensor.from_elements %i : tensor<index>
    %s = soac.scatter %v into %row at %p : (tensor<i32>, tensor<4xi32>, tensor<index>) -> tensor<4xi32>
    soac.yield %s : tensor<4xi32>
  }
  return %r : tensor<?x4xi32>
}

// Arrays that are put together, and one into another, forwards, backwards, and by places in the flat
// array.
// CALL-LABEL: parts iota:i32[2,3] ones:i32[2,3]
// GIVES: result0: tensor<2x6xi32> = {{\[}}[0 1 2 1 1 1] [3 4 5 1 1 1]]
// GIVES: result1: tensor<2x6xi32> = {{\[}}[0 5 2 4 1 3] [3 2 5 1 1 0]]
// GIVES: result2: tensor<2x6xi32> = {{\[}}[0 1 2 1 1 1] [0 1 2 3 4 5]]
func.func @parts(%x: tensor<?x?xi32>, %y: tensor<?x?xi32>)
    -> (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>) {
  %joined = soac.concat %x, %y dim 1 : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  %updated = soac.update %x into %joined at [1, 5] strides [-1, -2]
      : tensor<?x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
  %flat = soac.lmad_update %x into %joined offset [6] strides [3, 1]
      : tensor<?x?xi32> into tensor<?x?xi32> -> tensor<?x?xi32>
  return %joined, %updated, %flat : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>
}
