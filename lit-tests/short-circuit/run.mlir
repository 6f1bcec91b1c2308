// Programs whose arrays are placed by short-circuiting give what the interpreter gives.
//
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// A stencil in a loop over every second element of an array, which is no memory that is filled row by row.
// CALL-LABEL: every_second iota:i32[20] 2
// GIVES: [2 22 40 56 72 88 104 120 98 38]
func.func @every_second(%x: tensor<20xi32>, %it: index) -> tensor<10xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %made = soac.map %x : (tensor<20xi32>) -> tensor<20xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %mine = soac.force %made : tensor<20xi32>
  %s = tensor.extract_slice %mine[1][10][2] : tensor<20xi32> to tensor<10xi32>
  %l = scf.for %k = %c0 to %it step %c1 iter_args(%old = %s) -> tensor<10xi32> {
    %sl = soac.slice %old [0] [8] [1] : (tensor<10xi32>) -> tensor<8xi32>
    %sl3 = soac.slice %old [2] [8] [1] : (tensor<10xi32>) -> tensor<8xi32>
    %y = soac.map %sl, %sl3 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32> (%p: i32, %q: i32) {
      %v4 = arith.addi %p, %q : i32
      soac.yield %v4 : i32
    }
    %w = soac.update %y into %old at [1] strides [1] : tensor<8xi32> into tensor<10xi32> -> tensor<10xi32>
    scf.yield %w : tensor<10xi32>
  }
  return %l : tensor<10xi32>
}

// A size is only known not to be negative where there is an array of it: here, `k` is not.
// CALL-LABEL: sizes_in_branches iota:i32[7] 3 -1 iota:index[2]
// CALL-LABEL: sizes_in_branches iota:i32[7] 3 1 iota:index[2]
func.func @sizes_in_branches(%x: tensor<?xi32>, %m: index, %k: index, %g: tensor<?xindex>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10 : i32
  %made = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %mine = soac.force %made : tensor<?xi32>
  %sl = soac.slice %mine [0] [%m] [1] : (tensor<?xi32>) -> tensor<?xi32>
  %y = soac.map %sl : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.muli %e, %ten : i32
    soac.yield %v : i32
  }
  %o = arith.addi %m, %k : index
  %w = soac.update %y into %mine at [%o] strides [1] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  %pos = arith.cmpi sgt, %k, %c0 : index
  %r = scf.if %pos -> tensor<?xi32> {
    %i = soac.iota [%k] dim 0 : tensor<?xi32>
    %ii = soac.map %i : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %v = arith.muli %e, %e : i32
      soac.yield %v : i32
    }
    %if = soac.force %ii : tensor<?xi32>
    %s = soac.slice %if [0] [%k] [1] : (tensor<?xi32>) -> tensor<?xi32>
    %gs = soac.slice %g [0] [%k] [1] : (tensor<?xindex>) -> tensor<?xindex>
    %sc = soac.scatter %s into %w at %gs : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
    scf.yield %sc : tensor<?xi32>
  } else {
    scf.yield %w : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}

// Parts that are put in backwards, transposed, and in another shape.
// CALL-LABEL: turned iota:i32[2,3]
// GIVES: {{\[\[}}0 6] [2 8] [4 10]]]
// GIVES: [-1 10 8 6 4 2 0]
// CALL-LABEL: turned iota:i32[1,4]
// CALL-LABEL: turned iota:i32[3,0]
func.func @turned(%x: tensor<?x?xi32>) -> (tensor<2x?x?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant -1 : i32
  %m = tensor.dim %x, %c0 : tensor<?x?xi32>
  %n = tensor.dim %x, %c1 : tensor<?x?xi32>
  %size = arith.muli %m, %n : index
  %more = arith.addi %size, %c1 : index
  %twice = soac.map %x : (tensor<?x?xi32>) -> tensor<?x?xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %a = soac.force %twice : tensor<?x?xi32>
  %across = soac.transpose %a [1, 0] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %one = soac.reshape %across to [1, %n, %m] : (tensor<?x?xi32>) -> tensor<1x?x?xi32>
  %fill = soac.fill %none [2, %n, %m] : (i32) -> tensor<2x?x?xi32>
  %mine = soac.force %fill : tensor<2x?x?xi32>
  %w = soac.update %one into %mine at [1, 0, 0] strides [1, 1, 1] : tensor<1x?x?xi32> into tensor<2x?x?xi32> -> tensor<2x?x?xi32>
  %flat = soac.reshape %x to [%size] : (tensor<?x?xi32>) -> tensor<?xi32>
  %b = soac.map %flat : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %kept = soac.force %b : tensor<?xi32>
  %back = soac.reverse %kept dims [0] : (tensor<?xi32>) -> tensor<?xi32>
  %line = soac.fill %none [%more] : (i32) -> tensor<?xi32>
  %own = soac.force %line : tensor<?xi32>
  %v = soac.update %back into %own at [1] strides [1] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
  return %w, %v : tensor<2x?x?xi32>, tensor<?xi32>
}
