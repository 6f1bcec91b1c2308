// Folds of arrays with more dimensions: rank 2 to 1 is a loop over rows with a loop inside, rank 2
// to 0 carries its accumulators through both.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: rows iota:i32[5,19]
// GIVES: result: tensor<5xi32> = [171 532 893 1254 1615]
// CALL-LABEL: rows zeros:i32[2,0]
// GIVES: result: tensor<2xi32> = [0 0]
// CALL-LABEL: rows zeros:i32[0,2]
// GIVES: result: tensor<0xi32> = []
func.func @rows(%x: tensor<?x?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<?xi32>
}

// CALL-LABEL: all iota:i32[5,19]
// GIVES: result: tensor<i32> = 4465
// CALL-LABEL: all zeros:i32[0,7]
// GIVES: result: tensor<i32> = 0
// CALL-LABEL: all zeros:i32[7,0]
// GIVES: result: tensor<i32> = 0
func.func @all(%x: tensor<?x?xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %s = soac.fold %x neutral %zero inner 2 : (tensor<?x?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

// The order holds over rows as well: the digits of a number, with the numbers of digits.

// CALL-LABEL: digits iota:i64[2,9]
// GIVES: result: tensor<i64> = 12345678901234567
func.func @digits(%x: tensor<?x?xi64>) -> tensor<i64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  %tens, %last = soac.map %x : (tensor<?x?xi64>) -> (tensor<?x?xi64>, tensor<?x?xi64>) (%a: i64) {
    %d = arith.remui %a, %ten : i64
    soac.yield %ten, %d : i64, i64
  }
  %p, %q = soac.fold %tens, %last neutral %one, %zero inner 2
      : (tensor<?x?xi64>, tensor<?x?xi64>, i64, i64) -> (tensor<i64>, tensor<i64>)
      (%p1: i64, %q1: i64, %p2: i64, %q2: i64) {
    %p3 = arith.muli %p1, %p2 : i64
    %s = arith.muli %p2, %q1 : i64
    %q3 = arith.addi %s, %q2 : i64
    soac.yield %p3, %q3 : i64, i64
  }
  return %q : tensor<i64>
}

// The fold of the folds of rows, in one loop over rows.

// CALL-LABEL: fold_of_fold iota:i32[6,10]
// GIVES: result: tensor<i32> = 545
func.func @fold_of_fold(%x: tensor<?x?xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %least = arith.constant -1 : i32
  %s = soac.fold %x neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %m = soac.fold %s neutral %least : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.maxsi %a, %b : i32
    soac.yield %c : i32
  }
  return %m : tensor<i32>
}
