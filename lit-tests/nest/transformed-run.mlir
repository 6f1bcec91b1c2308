// What is packed, cut, jammed, distributed, or left in lanes gives what it gives without: where there are
// enough rows, columns and iterations, and where there are not.
//
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Rows of both matrices.
// CALL-LABEL: transposed random:i32[17,7] random:i32[70,7]
// GIVES: result
// CALL-LABEL: transposed random:i32[15,7] random:i32[70,7]
// GIVES: result
// CALL-LABEL: transposed random:i32[33,5] random:i32[31,5]
// GIVES: result
// CALL-LABEL: transposed random:i32[16,0] random:i32[64,0]
// GIVES: result
// CALL-LABEL: transposed random:i32[0,3] random:i32[64,3]
// GIVES: result
func.func @transposed(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xi32>
  %n = tensor.dim %b, %c0 : tensor<?x?xi32>
  %r = soac.replicate %a [%n] : (tensor<?x?xi32>) -> tensor<?x?x?xi32>
  %as = soac.transpose %r [1, 0, 2] : (tensor<?x?x?xi32>) -> tensor<?x?x?xi32>
  %bs = soac.replicate %b [%m] : (tensor<?x?xi32>) -> tensor<?x?x?xi32>
  %p = soac.map %as, %bs : (tensor<?x?x?xi32>, tensor<?x?x?xi32>) -> tensor<?x?x?xi32> (%x: i32, %y: i32) {
    %z = arith.muli %x, %y : i32
    soac.yield %z : i32
  }
  %s = soac.fold %p neutral %zero : (tensor<?x?x?xi32>, i32) -> tensor<?x?xi32> (%x: i32, %y: i32) {
    %z = arith.addi %x, %y : i32
    soac.yield %z : i32
  }
  return %s : tensor<?x?xi32>
}

// Rows of an array, each begun at another element, and summed; sizes that wrap around often, and never.
// CALL-LABEL: rolled random:i32[130] 3 700
// GIVES: result
// CALL-LABEL: rolled random:i32[130] 3 128
// GIVES: result
// CALL-LABEL: rolled random:i32[5] 7 60
// GIVES: result
// CALL-LABEL: rolled random:i32[130] 140 0
// GIVES: result
func.func @rolled(%x: tensor<?xi32>, %m: index, %n: index) -> (tensor<?x?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xi32>
  %places = soac.generate [%m, %n] : tensor<?x?xindex> (%i: index, %j: index) {
    %sum = arith.addi %i, %j : index
    %place = arith.remui %sum, %size : index
    soac.yield %place : index
  }
  %all = soac.gather %x at %places : (tensor<?xi32>, tensor<?x?xindex>) -> tensor<?x?xi32>
  %sums = soac.fold %all neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %all, %sums : tensor<?x?xi32>, tensor<?xi32>
}

// Positions of gathers, more than a block of them.
// CALL-LABEL: positions random:i32(0..50)[2500] random:i32(0..60)[50] random:i32[60]
// GIVES: result
// CALL-LABEL: positions random:i32(0..50)[3] random:i32(0..60)[50] random:i32[60]
// GIVES: result
// CALL-LABEL: positions iota:i32[0] random:i32(0..60)[50] random:i32[60]
// GIVES: result
func.func @positions(%j: tensor<?xi32>, %i: tensor<?xi32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %p = soac.gather %i at %j : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %y = soac.gather %x at %p : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %y : tensor<?xi32>
}

// A position that is out of range is an error where it is.
// CALL-LABEL: positions random:i32(0..50)[1500] [0,1,2,3,4,60] random:i32[60]
// GIVES: 'soac.gather' op index {{.*}} is out of range

// The nearest of some centres, in lanes of points, and how many points have it.
// CALL-LABEL: nearest random:i32(0..100)[1500,3] random:i32(0..100)[5,3]
// GIVES: result
// CALL-LABEL: nearest random:i32(0..100)[7,3] random:i32(0..100)[5,3]
// GIVES: result
func.func @nearest(%x: tensor<?x3xi32>, %k: tensor<5x3xi32>) -> (tensor<?xi32>, tensor<5xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %most = arith.constant 0x7FFFFFFF : i32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xi32>
  %numbers = soac.iota [5] dim 0 : tensor<5xi32>
  %labels = soac.map %x outer 1 : (tensor<?x3xi32>) -> tensor<?xi32> (%point: tensor<3xi32>) {
    %points = soac.replicate %point [5] : (tensor<3xi32>) -> tensor<5x3xi32>
    %squares = soac.map %points, %k : (tensor<5x3xi32>, tensor<5x3xi32>) -> tensor<5x3xi32> (%a: i32, %b: i32) {
      %d = arith.subi %a, %b : i32
      %q = arith.muli %d, %d : i32
      soac.yield %q : i32
    }
    %distances = soac.fold %squares neutral %zero : (tensor<5x3xi32>, i32) -> tensor<5xi32> (%a: i32, %b: i32) {
      %s = arith.addi %a, %b : i32
      soac.yield %s : i32
    }
    %d, %at = soac.fold %distances, %numbers neutral %most, %most : (tensor<5xi32>, tensor<5xi32>, i32, i32) -> (tensor<i32>, tensor<i32>)
        (%a: i32, %i: i32, %b: i32, %j: i32) {
      %less = arith.cmpi slt, %a, %b : i32
      %equal = arith.cmpi eq, %a, %b : i32
      %before = arith.cmpi slt, %i, %j : i32
      %first = arith.andi %equal, %before : i1
      %keep = arith.ori %less, %first : i1
      %c = arith.select %keep, %a, %b : i32
      %l = arith.select %keep, %i, %j : i32
      soac.yield %c, %l : i32, i32
    }
    %label = tensor.extract %at[] : tensor<i32>
    soac.yield %label : i32
  }
  %none = soac.fill %zero [5] : (i32) -> tensor<5xi32>
  %ones = soac.fill %one [%n] : (i32) -> tensor<?xi32>
  %counts = soac.scatter %ones into %none at %labels : (tensor<?xi32>, tensor<5xi32>, tensor<?xi32>) -> tensor<5xi32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %labels, %counts : tensor<?xi32>, tensor<5xi32>
}

// Sums over rows and columns: accumulators stay in lanes behind each row.
// CALL-LABEL: whole random:i32[37,100]
// GIVES: result
// CALL-LABEL: whole random:i32[37,3]
// GIVES: result
// CALL-LABEL: whole random:i32[5,0]
// GIVES: result
func.func @whole(%x: tensor<?x?xi32>) -> (tensor<i32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %least = arith.constant 0x80000000 : i32
  %s = soac.fold %x neutral %zero inner 2 : (tensor<?x?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %t = arith.addi %a, %b : i32
    soac.yield %t : i32
  }
  %m = soac.fold %x neutral %least inner 2 : (tensor<?x?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %t = arith.maxsi %a, %b : i32
    soac.yield %t : i32
  }
  return %s, %m : tensor<i32>, tensor<i32>
}
