// Folds of arrays that do not fit the caches: of one, of several, of rows, of overlapping vectors, and of what is
// written as well.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: sum iota:i32[1000]
// GIVES: result: tensor<i32> = 499500
func.func @sum(%x: tensor<?xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %sum = soac.fold %x neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %sum : tensor<i32>
}

// Both arrays count; rows of matrices are where their rows are.

// CALL-LABEL: products iota:i64[30,101] iota:i64[30,101]
func.func @products(%x: tensor<?x?xi64>, %y: tensor<?x?xi64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : i64
  %products = soac.map %x, %y : (tensor<?x?xi64>, tensor<?x?xi64>) -> tensor<?x?xi64>
      (%a: i64, %b: i64) {
    %p = arith.muli %a, %b : i64
    soac.yield %p : i64
  }
  %sums = soac.fold %products neutral %zero : (tensor<?x?xi64>, i64) -> tensor<?xi64>
      (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  return %sums : tensor<?xi64>
}

// CALL-LABEL: bytes random:i8[500]:1 iota:i64[500] iota:i64[500] iota:i64[500] iota:i64[500]
func.func @bytes(%x: tensor<?xi8>, %y: tensor<?xi64>, %z: tensor<?xi64>, %u: tensor<?xi64>,
                 %v: tensor<?xi64>) -> tensor<i64> {
  %zero = arith.constant 0 : i64
  %w = soac.map %x, %y, %z, %u, %v
      : (tensor<?xi8>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
      (%a: i8, %b: i64, %c: i64, %d: i64, %e: i64) {
    %f = arith.extsi %a : i8 to i64
    %g = arith.muli %b, %f : i64
    %h = arith.muli %c, %f : i64
    %i = arith.muli %d, %f : i64
    %j = arith.muli %e, %f : i64
    %k = arith.addi %g, %h : i64
    %l = arith.addi %i, %j : i64
    %m = arith.addi %k, %l : i64
    soac.yield %m : i64
  }
  %sum = soac.fold %w neutral %zero : (tensor<?xi64>, i64) -> tensor<i64> (%a: i64, %b: i64) {
    %s = arith.addi %a, %b : i64
    soac.yield %s : i64
  }
  return %sum : tensor<i64>
}

// CALL-LABEL: differences iota:i32[500]
func.func @differences(%x: tensor<?xi32>) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %m = arith.subi %n, %c1 : index
  %y = soac.generate [%m] : tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %c1 : index
    %a = tensor.extract %x[%i] : tensor<?xi32>
    %b = tensor.extract %x[%j] : tensor<?xi32>
    %d = arith.subi %b, %a : i32
    soac.yield %d : i32
  }
  %sum = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %sum : tensor<i32>
}

// CALL-LABEL: cubes iota:i32[500]
func.func @cubes(%x: tensor<?xi32>) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.muli %a, %a : i32
    %c = arith.muli %a, %b : i32
    soac.yield %c : i32
  }
  %sum = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %sum : tensor<i32>
}

// An array is written.

// CALL-LABEL: next iota:i32[500]
func.func @next(%x: tensor<?xi32>) -> tensor<?xi32> {
  %one = arith.constant 1 : i32
  %y = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %one : i32
    soac.yield %b : i32
  }
  return %y : tensor<?xi32>
}
