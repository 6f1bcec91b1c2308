// An op that is no combinator may give scalars before arrays.

// RUN: comb-opt %s --comb-prepare-fusion --soac-fuse | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: scf.while
// CHECK: soac.cluster
// CHECK-COUNT-2: soac.map
func.func @main(%xs: tensor<?xi32>, %count: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %initial = arith.constant 0 : i32
  %left, %carried = scf.while (%i = %count, %a = %xs) : (index, tensor<?xi32>)
      -> (index, tensor<?xi32>) {
    %more = arith.cmpi sgt, %i, %zero : index
    scf.condition(%more) %i, %a : index, tensor<?xi32>
  } do {
  ^bb0(%i: index, %a: tensor<?xi32>):
    %next = arith.subi %i, %one : index
    %sums = soac.scanl %a neutral %initial : (tensor<?xi32>, i32) -> tensor<?xi32>
        (%l: i32, %r: i32) {
      %s = arith.addi %l, %r : i32
      soac.yield %s : i32
    }
    scf.yield %next, %sums : index, tensor<?xi32>
  }
  %squares = soac.map %carried : (tensor<?xi32>) -> tensor<?xi32> (%x: i32) {
    %y = arith.muli %x, %x : i32
    soac.yield %y : i32
  }
  %sums = soac.map %squares, %carried : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
      (%x: i32, %y: i32) {
    %z = arith.addi %x, %y : i32
    soac.yield %z : i32
  }
  return %sums : tensor<?xi32>
}
