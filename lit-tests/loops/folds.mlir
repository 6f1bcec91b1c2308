// Folds in vector code. If the function is commutative, every lane folds its own elements, in four
// vectors at once if there is little to compute; else neighbours are folded, which keeps the order.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: sum iota:i32[101]
// GIVES: result: tensor<i32> = 5050
// CALL-LABEL: sum iota:i32[64]
// GIVES: result: tensor<i32> = 2016
// CALL-LABEL: sum iota:i32[7]
// GIVES: result: tensor<i32> = 21
// CALL-LABEL: sum zeros:i32[0]
// GIVES: result: tensor<i32> = 0
func.func @sum(%x: tensor<?xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

// Not commutative: the composition of affine functions x -> p x + q. Applying x -> 2 x + i for
// i = 0, 1, 2, … gives p = 2^n and q = 2^n - n - 1, in 32 bits.

// CALL-LABEL: affine iota:i32[21]
// GIVES: result0: tensor<i32> = 2097152
// GIVES: result1: tensor<i32> = 2097130
// CALL-LABEL: affine iota:i32[5]
// GIVES: result0: tensor<i32> = 32
// GIVES: result1: tensor<i32> = 26
func.func @affine(%x: tensor<?xi32>) -> (tensor<i32>, tensor<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %twos = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    soac.yield %two : i32
  }
  %p, %q = soac.fold %twos, %x neutral %one, %zero
      : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<i32>, tensor<i32>)
      (%p1: i32, %q1: i32, %p2: i32, %q2: i32) {
    %p3 = arith.muli %p1, %p2 : i32
    %s = arith.muli %p2, %q1 : i32
    %q3 = arith.addi %s, %q2 : i32
    soac.yield %p3, %q3 : i32, i32
  }
  return %p, %q : tensor<i32>, tensor<i32>
}

// Several results, each with a commutative function of its own.

// CALL-LABEL: extremes random:i32[77]:3
// CALL-LABEL: extremes iota:i32[77]
// GIVES: result0: tensor<i32> = 0
// GIVES: result1: tensor<i32> = 76
// CALL-LABEL: extremes zeros:i32[0]
// GIVES: result0: tensor<i32> = 2147483647
func.func @extremes(%x: tensor<?xi32>) -> (tensor<i32>, tensor<i32>) {
  %least = arith.constant -2147483648 : i32
  %most = arith.constant 2147483647 : i32
  %l, %g = soac.fold %x, %x neutral %most, %least
      : (tensor<?xi32>, tensor<?xi32>, i32, i32) -> (tensor<i32>, tensor<i32>)
      (%l1: i32, %g1: i32, %l2: i32, %g2: i32) {
    %l3 = arith.minsi %l1, %l2 : i32
    %g3 = arith.maxsi %g1, %g2 : i32
    soac.yield %l3, %g3 : i32, i32
  }
  return %l, %g : tensor<i32>, tensor<i32>
}

// The first of the largest elements, which depends on the order.

// CALL-LABEL: where random:i32[200]:5
// CALL-LABEL: where ones:i32[50]
// GIVES: result: tensor<index> = 0
func.func @where(%x: tensor<?xi32>) -> tensor<index> {
  %c0 = arith.constant 0 : index
  %least = arith.constant -2147483648 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %i = soac.iota [%n] dim 0 : tensor<?xindex>
  %g, %w = soac.fold %x, %i neutral %least, %c0
      : (tensor<?xi32>, tensor<?xindex>, i32, index) -> (tensor<i32>, tensor<index>)
      (%a: i32, %j: index, %b: i32, %k: index) {
    %keep = arith.cmpi sge, %a, %b : i32
    %c = arith.select %keep, %a, %b : i32
    %l = arith.select %keep, %j, %k : index
    soac.yield %c, %l : i32, index
  }
  return %w : tensor<index>
}

// A fold and a map of the same array share its loop: then there are no four vectors at once.

// CALL-LABEL: both iota:i32[20]
// GIVES: result0: tensor<i32> = 190
// GIVES: result1: {{.*}} = [0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 36 38]
func.func @both(%x: tensor<?xi32>) -> (tensor<i32>, tensor<?xi32>) {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  return %s, %y : tensor<i32>, tensor<?xi32>
}

// Over chunks: the same bits with any number of threads.
