// Loops whose iterations repeat themselves.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: ring iota:i32[64] 5 10000
// GIVES: result0: tensor<i32> = 314696
// GIVES: result1: tensor<i32> = 63
// CALL-LABEL: ring iota:i32[5] 3 10001
// CALL-LABEL: ring iota:i32[100] 99 10001
// CALL-LABEL: ring iota:i32[1000] 0 4000
// CALL-LABEL: ring iota:i32[1000] 0 3999
// CALL-LABEL: ring iota:i32[1] 7 1
// CALL-LABEL: ring iota:i32[7] 7 0
// CALL-LABEL: ring iota:i32[0] 7 0
// CALL-LABEL: ring iota:i32[71] -130 10000
func.func @ring(%x: tensor<?xi32>, %k: index, %n: index) -> (tensor<i32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %least = arith.constant -2147483648 : i32
  %p = tensor.dim %x, %c0 : tensor<?xi32>
  %y = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %k : index
    %r = arith.remui %j, %p : index
    soac.yield %r : index
  }
  %s = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %m = soac.fold %y neutral %least : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.maxsi %a, %b : i32
    soac.yield %c : i32
  }
  return %s, %m : tensor<i32>, tensor<i32>
}

// Two indices, which may have the same period or not, and three numbers to fold.

// CALL-LABEL: wheels iota:i64[64] 31 63 3000
// CALL-LABEL: wheels iota:i64[64] 31 31 3000
// CALL-LABEL: wheels iota:i64[64] 31 15 3000
// CALL-LABEL: wheels iota:i64[64] 41 41 3000
// CALL-LABEL: wheels iota:i64[64] 0 0 3000
func.func @wheels(%x: tensor<?xi64>, %first: index, %second: index, %n: index)
    -> (tensor<i64>, tensor<i64>, tensor<i64>) {
  %zero = arith.constant 0 : i64
  %xs = soac.backpermute %x [%n] : (tensor<?xi64>) -> tensor<?xi64> (%i: index) {
    %r = arith.andi %i, %first : index
    soac.yield %r : index
  }
  %ys = soac.backpermute %x [%n] : (tensor<?xi64>) -> tensor<?xi64> (%i: index) {
    %c7 = arith.constant 7 : index
    %j = arith.addi %i, %c7 : index
    %r = arith.andi %second, %j : index
    soac.yield %r : index
  }
  %products = soac.map %xs, %ys : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64> (%a: i64, %b: i64) {
    %c = arith.muli %a, %b : i64
    soac.yield %c : i64
  }
  %s = soac.fold %xs neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  %t = soac.fold %ys neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  %u = soac.fold %products neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  return %s, %t, %u : tensor<i64>, tensor<i64>, tensor<i64>
}

// Remainders of negative numbers do not repeat those of others, and an index that overflows begins anew.

// CALL-LABEL: signed iota:i32[400] -150 9 2000
// CALL-LABEL: signed iota:i32[400] 150 9 2000
// CALL-LABEL: signed iota:i32[400] 150 -9 2000
// CALL-LABEL: signed iota:i32[400] 9223372036854775000 10 2000
// CALL-LABEL: unsigned iota:i32[400] -150 90 2000
// CALL-LABEL: unsigned iota:i32[400] -1500000 90 2000
func.func @signed(%x: tensor<?xi32>, %k: index, %d: index, %n: index) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %c200 = arith.constant 200 : index
  %y = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %k : index
    %r = arith.remsi %j, %d : index
    %s = arith.addi %r, %c200 : index
    soac.yield %s : index
  }
  %s = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

func.func @unsigned(%x: tensor<?xi32>, %k: index, %d: index, %n: index) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %y = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %k : index
    %r = arith.remui %j, %d : index
    soac.yield %r : index
  }
  %s = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

// The rows of a matrix, folded into one number for all: what was folded before goes on.

// CALL-LABEL: rows iota:i32[64] 70 1000
// CALL-LABEL: rows iota:i32[64] 3 300
// CALL-LABEL: rows iota:i32[64] 3 64
func.func @rows(%x: tensor<?xi32>, %n: index, %m: index) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %size = tensor.dim %x, %c0 : tensor<?xi32>
  %mask = arith.subi %size, %c1 : index
  %y = soac.backpermute %x [%n, %m] : (tensor<?xi32>) -> tensor<?x?xi32> (%i: index, %j: index) {
    %k = arith.addi %i, %j : index
    %r = arith.andi %k, %mask : index
    soac.yield %r : index
  }
  %z = soac.map %y : (tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32) {
    %b = arith.muli %a, %three : i32
    soac.yield %b : i32
  }
  %s = soac.fold %z neutral %zero inner 2 : (tensor<?x?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.xori %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

// What is read at the loop's own index does not repeat itself, and neither does a function of it.

// CALL-LABEL: beside iota:i32[16] iota:i32[1000]
// CALL-LABEL: index iota:i32[16] 1000
func.func @beside(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %p = tensor.dim %x, %c0 : tensor<?xi32>
  %n = tensor.dim %y, %c0 : tensor<?xi32>
  %xs = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %r = arith.remui %i, %p : index
    soac.yield %r : index
  }
  %products = soac.map %xs, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.muli %a, %b : i32
    soac.yield %c : i32
  }
  %s = soac.fold %products neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

func.func @index(%x: tensor<?xi32>, %n: index) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %p = tensor.dim %x, %c0 : tensor<?xi32>
  %xs = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %r = arith.remui %i, %p : index
    soac.yield %r : index
  }
  %weights = soac.generate [%n] : tensor<?xi32> (%i: index) {
    %r = arith.remui %i, %p : index
    %d = arith.subi %i, %r : index
    %w = arith.index_cast %d : index to i32
    soac.yield %w : i32
  }
  %products = soac.map %xs, %weights : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.muli %a, %b : i32
    soac.yield %c : i32
  }
  %s = soac.fold %products neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

// What is stored as well has an element for each iteration.

// CALL-LABEL: stored iota:i32[16] 1000
func.func @stored(%x: tensor<?xi32>, %n: index) -> (tensor<i32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %p = tensor.dim %x, %c0 : tensor<?xi32>
  %xs = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %r = arith.remui %i, %p : index
    soac.yield %r : index
  }
  %s = soac.fold %xs neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s, %xs : tensor<i32>, tensor<?xi32>
}
