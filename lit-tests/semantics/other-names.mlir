// S26: an array keeps its elements, whatever other names it has.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: switch iota:i32[3] ones:i32[3] 3 77
// GIVES: result0: tensor<3xi32> = [77 1 2]
// GIVES-NEXT: result1: tensor<3xi32> = [0 1 2]
// GIVES-NEXT: result2: tensor<3xi32> = [1 1 1]
// CALL-LABEL: switch iota:i32[3] ones:i32[3] 4 77
// GIVES: result0: tensor<3xi32> = [77 1 1]
// GIVES-NEXT: result1: tensor<3xi32> = [0 1 2]
// GIVES-NEXT: result2: tensor<3xi32> = [1 1 1]
func.func @switch(%x: tensor<?xi32>, %y: tensor<?xi32>, %k: index, %v: i32) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : index
  %one, %number = scf.index_switch %k -> tensor<?xi32>, i32
  case 3 { scf.yield %x, %v : tensor<?xi32>, i32 }
  case 5 { scf.yield %x, %v : tensor<?xi32>, i32 }
  default { scf.yield %y, %v : tensor<?xi32>, i32 }
  %r = tensor.insert %number into %one[%zero] : tensor<?xi32>
  return %r, %x, %y : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// The array that a scatter writes to is an unread destination later.
// CALL-LABEL: destination iota:i32[4] 4
// GIVES: result0: tensor<4xi32> = [0 1 4 9]
// GIVES-NEXT: result1: tensor<4xi32> = [7 14 28 56]
// GIVES-NEXT: result2: tensor<4xi32> = [0 1 2 3]
func.func @destination(%x: tensor<?xi32>, %n: index) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %seven = arith.constant 7 : i32
  %new = tensor.empty(%n) : tensor<?xi32>
  %old = linalg.fill ins(%seven : i32) outs(%new : tensor<?xi32>) -> tensor<?xi32>
  %shifted = arith.shli %old, %x : tensor<?xi32>
  %places = arith.index_cast %x : tensor<?xi32> to tensor<?xindex>
  %s = soac.scatter %x into %old at %places : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %m = linalg.map ins(%s, %shifted : tensor<?xi32>, tensor<?xi32>) outs(%old : tensor<?xi32>) (%p: i32, %q: i32, %o: i32) {
    %z = arith.muli %p, %p : i32
    linalg.yield %z : i32
  }
  return %m, %shifted, %s : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// The same in a loop, by the name that it has there.
// CALL-LABEL: in_a_loop iota:i32[4] 2
// GIVES: result0: tensor<4xi32> = [5 5 5 5]
// GIVES-NEXT: result1: tensor<4xi32> = [0 1 2 3]
func.func @in_a_loop(%x: tensor<?xi32>, %n: index) -> (tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : i32
  %size = tensor.dim %x, %zero : tensor<?xi32>
  %old = soac.fill %five [%size] : (i32) -> tensor<?xi32>
  %places = arith.index_cast %x : tensor<?xi32> to tensor<?xindex>
  %s = soac.scatter %x into %old at %places : (tensor<?xi32>, tensor<?xi32>, tensor<?xindex>) -> tensor<?xi32>
  %r = scf.for %i = %zero to %n step %one iter_args(%carried = %old) -> tensor<?xi32> {
    %filled = linalg.fill ins(%five : i32) outs(%carried : tensor<?xi32>) -> tensor<?xi32>
    scf.yield %filled : tensor<?xi32>
  }
  return %r, %s : tensor<?xi32>, tensor<?xi32>
}

// A loop passes on an array from outside, and writes to it in the next iteration.
// CALL-LABEL: outside iota:i32[2] ones:i32[2] 2 77
// GIVES: result0: tensor<2xi32> = [77 1]
// GIVES-NEXT: result1: tensor<2xi32> = [0 1]
// GIVES-NEXT: result2: tensor<2xi32> = [0 1]
// GIVES-NEXT: result3: tensor<2xi32> = [1 1]
func.func @outside(%x: tensor<?xi32>, %y: tensor<?xi32>, %n: index, %v: i32) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %i, %r, %s = scf.while (%k = %zero, %w = %y) : (index, tensor<?xi32>) -> (index, tensor<?xi32>, tensor<?xi32>) {
    %new = tensor.insert %v into %w[%zero] : tensor<?xi32>
    %more = arith.cmpi slt, %k, %n : index
    scf.condition(%more) %k, %new, %x : index, tensor<?xi32>, tensor<?xi32>
  } do {
  ^bb0(%k: index, %a: tensor<?xi32>, %b: tensor<?xi32>):
    %next = arith.addi %k, %one : index
    scf.yield %next, %b : index, tensor<?xi32>
  }
  return %r, %s, %x, %y : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
