// Clusters inside of `scf.for`, `scf.while` and `scf.if`: a loop nest in each iteration, and arrays
// that are carried on.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: powers iota:i32[19] 4
// GIVES: result0: tensor<19xi32> = [0 16 32 48 64 80 96 112 128 144 160 176 192 208 224 240 256 272 288]
// GIVES: result1: tensor<i32> = 2565
// CALL-LABEL: powers iota:i32[3] 0
// GIVES: result0: tensor<3xi32> = [0 1 2]
// GIVES: result1: tensor<i32> = 0
// CALL-LABEL: powers zeros:i32[0] 2
// GIVES: result1: tensor<i32> = 0
func.func @powers(%x: tensor<?xi32>, %it: index) -> (tensor<?xi32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %y, %s = scf.for %i = %c0 to %it step %c1 iter_args(%a = %x, %s = %zero) -> (tensor<?xi32>, i32) {
    %b = soac.map %a : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %d = arith.addi %e, %e : i32
      soac.yield %d : i32
    }
    %sum = soac.fold %a neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%p: i32, %q: i32) {
      %r = arith.addi %p, %q : i32
      soac.yield %r : i32
    }
    %part = tensor.extract %sum[] : tensor<i32>
    %t = arith.addi %s, %part : i32
    scf.yield %b, %t : tensor<?xi32>, i32
  }
  %total = tensor.from_elements %s : tensor<i32>
  return %y, %total : tensor<?xi32>, tensor<i32>
}

// Elements that are halved until none is left: the array becomes shorter.

// CALL-LABEL: halves iota:i32[20]
// GIVES: result: index = 5
func.func @halves(%x: tensor<?xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %y, %n = scf.while (%a = %x, %k = %c0) : (tensor<?xi32>, index) -> (tensor<?xi32>, index) {
    %positive = soac.filter %a : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %keep = arith.cmpi sgt, %e, %zero : i32
      soac.yield %keep : i1
    }
    %size = tensor.dim %positive, %c0 : tensor<?xi32>
    %more = arith.cmpi ne, %size, %c0 : index
    scf.condition(%more) %positive, %k : tensor<?xi32>, index
  } do {
  ^bb0(%a: tensor<?xi32>, %k: index):
    %half = soac.map %a : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
      %h = arith.divui %e, %two : i32
      soac.yield %h : i32
    }
    %next = arith.addi %k, %c1 : index
    scf.yield %half, %next : tensor<?xi32>, index
  }
  return %n : index
}

// CALL-LABEL: either iota:i32[17] true
// GIVES: [1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17]
// CALL-LABEL: either iota:i32[17] false
// GIVES: [0 1 3 6 10 15 21 28 36 45 55 66 78 91 105 120 136]
func.func @either(%x: tensor<?xi32>, %c: i1) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %y = scf.if %c -> (tensor<?xi32>) {
    %z = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
      %b = arith.addi %a, %one : i32
      soac.yield %b : i32
    }
    scf.yield %z : tensor<?xi32>
  } else {
    %z = soac.scanl %x neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
      %d = arith.addi %a, %b : i32
      soac.yield %d : i32
    }
    scf.yield %z : tensor<?xi32>
  }
  return %y : tensor<?xi32>
}
