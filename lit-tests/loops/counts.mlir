// A fold that adds up truth values counts the bits of masks: what else a loop computes with decides how many lanes
// it has, and not the numbers in which it counts.

// RUN: comb explain --loops --cpu skylake-avx512 %s | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-LABEL: in newlines
// EXPLAIN: 64 lanes: numbers of 8 bits
// EXPLAIN-LABEL: in counted_and_summed
// EXPLAIN: 16 lanes: numbers of 32 bits

// RUN: comb-opt %s --comb-cpu='cpu=skylake-avx512' | FileCheck %s --check-prefix=CODE
// CODE-LABEL: func @newlines
// CODE-NOT: vector<64xi64>
// CODE: llvm.intr.ctpop

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: newlines iota:i8[1000]
// GIVES: result: i64 = 4
// CALL-LABEL: newlines iota:i8[11]
// GIVES: result: i64 = 1
// CALL-LABEL: newlines zeros:i8[0]
// GIVES: result: i64 = 0
func.func @newlines(%x: tensor<?xi8>) -> i64 {
  %zero = arith.constant 0 : i64
  %newline = arith.constant 10 : i8
  %is = soac.map %x : (tensor<?xi8>) -> tensor<?xi64> (%c: i8) {
    %line = arith.cmpi eq, %c, %newline : i8
    %l = arith.extui %line : i1 to i64
    soac.yield %l : i64
  }
  %lines = soac.fold %is neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  %n = tensor.extract %lines[] : tensor<i64>
  return %n : i64
}

// Two counts by one operator, and a sum beside them.
// CALL-LABEL: counted_and_summed iota:i32[777]
// GIVES: result0: i64 = 259
// GIVES: result1: i64 = 377
// GIVES: result2: i32 = 301476
func.func @counted_and_summed(%x: tensor<?xi32>) -> (i64, i64, i32) {
  %zero = arith.constant 0 : i64
  %z = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %limit = arith.constant 400 : i32
  %ts, %gs = soac.map %x : (tensor<?xi32>) -> (tensor<?xi64>, tensor<?xi64>) (%a: i32) {
    %r = arith.remui %a, %three : i32
    %is = arith.cmpi eq, %r, %z : i32
    %greater = arith.cmpi sge, %a, %limit : i32
    %t = arith.extui %is : i1 to i64
    %g = arith.extui %greater : i1 to i64
    soac.yield %t, %g : i64, i64
  }
  %t, %g = soac.fold %ts, %gs neutral %zero, %zero : (tensor<?xi64>, tensor<?xi64>, i64, i64) -> (tensor<i64>, tensor<i64>)
      (%a: i64, %b: i64, %c: i64, %d: i64) {
    %ac = arith.addi %a, %c : i64
    %bd = arith.addi %d, %b : i64
    soac.yield %ac, %bd : i64, i64
  }
  %sum = soac.fold %x neutral %z : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  %n = tensor.extract %t[] : tensor<i64>
  %m = tensor.extract %g[] : tensor<i64>
  %s = tensor.extract %sum[] : tensor<i32>
  return %n, %m, %s : i64, i64, i32
}

// Of bytes that are written, and made wider a second time, in all rows; and of each row.
// CALL-LABEL: edges iota:i8[13,70]
// GIVES: result0: tensor<13x70xi8>
// GIVES: result1: i64 = 256
// GIVES: result2: tensor<13xi64> = [6 58 0 0 30 34 0 0 54 10 0 8 56]
func.func @edges(%x: tensor<?x?xi8>) -> (tensor<?x?xi8>, i64, tensor<?xi64>) {
  %zero = arith.constant 0 : i64
  %limit = arith.constant 63 : i8
  %edges = soac.map %x : (tensor<?x?xi8>) -> tensor<?x?xi8> (%c: i8) {
    %is = arith.cmpi sgt, %c, %limit : i8
    %e = arith.extui %is : i1 to i8
    soac.yield %e : i8
  }
  %ones = soac.map %edges : (tensor<?x?xi8>) -> tensor<?x?xi64> (%e: i8) {
    %v = arith.extui %e : i8 to i64
    soac.yield %v : i64
  }
  %rows = soac.fold %ones neutral %zero : (tensor<?x?xi64>, i64) -> tensor<?xi64> (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  %sum = soac.fold %ones neutral %zero inner 2 : (tensor<?x?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  %n = tensor.extract %sum[] : tensor<i64>
  return %edges, %n, %rows : tensor<?x?xi8>, i64, tensor<?xi64>
}

// Of what a filter keeps.
// CALL-LABEL: kept iota:i16[300]
// GIVES: result: i64 = 60
func.func @kept(%x: tensor<?xi16>) -> i64 {
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : i16
  %five = arith.constant 5 : i16
  %hundred = arith.constant 100 : i16
  %k = soac.filter %x : (tensor<?xi16>) -> tensor<?xi16> (%a: i16) {
    %r = arith.remui %a, %five : i16
    %is = arith.cmpi eq, %r, %c0 : i16
    soac.yield %is : i1
  }
  %ones = soac.map %k : (tensor<?xi16>) -> tensor<?xi64> (%a: i16) {
    %is = arith.cmpi sge, %a, %c0 : i16
    %e = arith.extui %is : i1 to i64
    soac.yield %e : i64
  }
  %sum = soac.fold %ones neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  %n = tensor.extract %sum[] : tensor<i64>
  return %n : i64
}
