// Loops that never run, or stop at a check, around what must not leave them.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: read iota:i64[3] 0 1000000000000
// GIVES: result: i64 = 0
// CALL-LABEL: read iota:i64[3] 2 1000000000000
// GIVES: error: 'tensor.extract' op index 1000000000000 is out of range [0, 3) in dimension 0
// CALL-LABEL: read iota:i64[3] 2 2
// GIVES: result: i64 = 4
func.func @read(%x: tensor<?xi64>, %n: index, %k: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %e = tensor.extract %x[%k] : tensor<?xi64>
    %t = arith.addi %e, %s : i64
    scf.yield %t : i64
  }
  return %r : i64
}

// An array of a size that is claimed.
// CALL-LABEL: claim iota:i64[3] 0
// GIVES: result: i64 = 0
// CALL-LABEL: claim iota:i64[3] 1
// GIVES: error: 'tensor.cast' op size 3 of dimension 0 is not 4000000
func.func @claim(%x: tensor<?xi64>, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %y = tensor.cast %x : tensor<?xi64> to tensor<4000000xi64>
    %z = soac.reverse %y dims [0] : (tensor<4000000xi64>) -> tensor<4000000xi64>
    %e = tensor.extract %z[%c0] : tensor<4000000xi64>
    %t = arith.addi %e, %s : i64
    scf.yield %t : i64
  }
  return %r : i64
}

// CALL-LABEL: remainder 0 0
// GIVES: result0: index = 0
// GIVES: result1: i32 = 0
// CALL-LABEL: remainder 2 0
// GIVES: error: 'arith.remui' op division by zero
func.func @remainder(%n: index, %k: index) -> (index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %d = arith.index_cast %k : index to i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0, %u = %zero) -> (index, i32) {
    %m = arith.remui %seven, %k : index
    %t = arith.addi %m, %s : index
    %o = arith.remsi %d, %d : i32
    %v = arith.addi %o, %u : i32
    scf.yield %t, %v : index, i32
  }
  return %r#0, %r#1 : index, i32
}

// A part of an array in the lambda of a map, and a loop with a condition.
// CALL-LABEL: part iota:i64[2,3] 7 false
// GIVES: result: tensor<2xi64> = [0 3]
// CALL-LABEL: part iota:i64[2,3] 7 true
// GIVES: error: 'tensor.extract_slice' op the slice with offset 7, size 2 and stride 1 leaves dimension 0 of size 3
func.func @part(%x: tensor<?x?xi64>, %k: index, %c: i1) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %r = soac.map %x outer 1 : (tensor<?x?xi64>) -> tensor<?xi64> (%row: tensor<?xi64>) {
    %first = tensor.extract %row[%c0] : tensor<?xi64>
    %e = scf.while (%s = %first) : (i64) -> i64 {
      scf.condition(%c) %s : i64
    } do {
    ^bb0(%s: i64):
      %p = tensor.extract_slice %row[%k] [2] [1] : tensor<?xi64> to tensor<2xi64>
      %sum = soac.fold %p neutral %zero : (tensor<2xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
        %t = arith.addi %a, %b : i64
        soac.yield %t : i64
      }
      %q = tensor.extract %sum[] : tensor<i64>
      scf.yield %q : i64
    }
    soac.yield %e : i64
  }
  return %r : tensor<?xi64>
}
