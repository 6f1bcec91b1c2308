// Branches between blocks become `scf` ops before anything else: loops that are made of them can be
// compiled, and functions of several blocks be inlined into lambdas, in which they run in vectors.

// RUN: comb-opt %s --comb-prepare-fusion | FileCheck %s --implicit-check-not=" cf." --implicit-check-not=" call "
// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// An array is carried from block to block.

// CALL-LABEL: doubles iota:i32[7] 3
// GIVES: [0 8 16 24 32 40 48]
// CALL-LABEL: doubles iota:i32[2] 0
// GIVES: [0 1]
// CHECK-LABEL: func.func @doubles(
// CHECK:         scf.while
// CHECK:           soac.map
func.func @doubles(%x: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0, %x : index, tensor<?xi32>)
^loop(%i: index, %t: tensor<?xi32>):
  %goes_on = arith.cmpi slt, %i, %n : index
  cf.cond_br %goes_on, ^body, ^end
^body:
  %twice = soac.map %t : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %s = arith.addi %a, %a : i32
    soac.yield %s : i32
  }
  %next = arith.addi %i, %c1 : index
  cf.br ^loop(%next, %twice : index, tensor<?xi32>)
^end:
  return %t : tensor<?xi32>
}

// A loop with two ways out, and one block for each case of a switch.

// CALL-LABEL: steps 0
// GIVES: i32 = 100
// CALL-LABEL: steps 1
// GIVES: i32 = 200
// CALL-LABEL: steps 27
// GIVES: i32 = 111
// CALL-LABEL: steps -5
// GIVES: i32 = -1
// CHECK-LABEL: func.func @steps(
// CHECK:         scf.index_switch
// CHECK:         scf.while
func.func @steps(%start: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %most = arith.constant 1000 : i32
  %minus = arith.constant -1 : i32
  %hundred = arith.constant 100 : i32
  cf.switch %start : i32, [
    default: ^loop(%start, %zero : i32, i32),
    0: ^end(%hundred : i32),
    1: ^twice(%hundred : i32)
  ]
^twice(%h: i32):
  %d = arith.addi %h, %h : i32
  cf.br ^end(%d : i32)
^loop(%v: i32, %n: i32):
  %is_one = arith.cmpi eq, %v, %one : i32
  cf.cond_br %is_one, ^end(%n : i32), ^go_on
^go_on:
  %is_over = arith.cmpi sge, %n, %most : i32
  cf.cond_br %is_over, ^end(%minus : i32), ^step
^step:
  %odd = arith.andi %v, %one : i32
  %is_odd = arith.cmpi eq, %odd, %one : i32
  %more = arith.addi %n, %one : i32
  cf.cond_br %is_odd, ^odd, ^even
^odd:
  %triple = arith.muli %v, %three : i32
  %up = arith.addi %triple, %one : i32
  cf.br ^loop(%up, %more : i32, i32)
^even:
  %half = arith.divsi %v, %two : i32
  cf.br ^loop(%half, %more : i32, i32)
^end(%result: i32):
  return %result : i32
}

// A function that returns early, called in a lambda.

// CALL-LABEL: halves iota:i32[20]
// GIVES: [0 1 1 3 2 5 3 7 4 9 5 11 6 13 7 15 8 17 9 19]
// CHECK-LABEL: func.func @halves(
// CHECK:         soac.map
// CHECK:           scf.if
func.func @halves(%x: tensor<?xi32>) -> tensor<?xi32> {
  %r = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %h = func.call @half_of_even(%a) : (i32) -> i32
    soac.yield %h : i32
  }
  return %r : tensor<?xi32>
}
func.func private @half_of_even(%e: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %odd = arith.andi %e, %one : i32
  %is_odd = arith.cmpi eq, %odd, %one : i32
  cf.cond_br %is_odd, ^odd, ^even
^odd:
  return %e : i32
^even:
  %h = arith.divsi %e, %two : i32
  return %h : i32
}

// Arrays of different sizes, and an index that is only in range in the block that reads.

// CALL-LABEL: first iota:i32[3] 2
// GIVES: tensor<1xi32> = [2]
// CALL-LABEL: first iota:i32[3] 3
// GIVES: tensor<0xi32> = []
// CHECK-LABEL: func.func @first(
// CHECK:         scf.if
func.func @first(%x: tensor<?xi32>, %i: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %is_inside = arith.cmpi ult, %i, %n : index
  cf.cond_br %is_inside, ^inside, ^outside
^inside:
  %e = tensor.extract %x[%i] : tensor<?xi32>
  %one = soac.fill %e [%c1] : (i32) -> tensor<?xi32>
  return %one : tensor<?xi32>
^outside:
  %none = tensor.empty(%c0) : tensor<?xi32>
  return %none : tensor<?xi32>
}
