// Indices that are computed from the loop's index alone, such as `(i + k) mod n`, are nearly always
// those of neighbours. Whether they are is asked in every vector, when the program runs: of the first
// and the last lane, if the index goes up by at most one from lane to lane, and else of all.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: ring iota:i32[37] 5
// GIVES: [5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 0 1 2 3 4]
// CALL-LABEL: ring iota:i32[37] 36
// GIVES: [36 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35]
// CALL-LABEL: ring iota:i32[3] 2
// GIVES: [2 0 1]
func.func @ring(%x: tensor<?xi32>, %k: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %y = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %k : index
    %r = arith.remui %j, %n : index
    soac.yield %r : index
  }
  return %y : tensor<?xi32>
}

// On a torus, in both dimensions: the rows are uniform, the columns are asked for. The question is
// about places in memory, so the next row's first element is a neighbour of a row's last one.

// CALL-LABEL: torus iota:i32[3,17] 1 2
// GIVES: {{\[\[}}19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 17 18] [36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 34 35] [2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 0 1{{\]\]}}
func.func @torus(%x: tensor<?x?xi32>, %down: index, %right: index) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xi32>
  %m = tensor.dim %x, %c1 : tensor<?x?xi32>
  %y = soac.backpermute %x [%n, %m] : (tensor<?x?xi32>) -> tensor<?x?xi32> (%i: index, %j: index) {
    %k = arith.addi %i, %down : index
    %row = arith.remui %k, %n : index
    %l = arith.addi %j, %right : index
    %column = arith.remui %l, %m : index
    soac.yield %row, %column : index, index
  }
  return %y : tensor<?x?xi32>
}

// `rotate` says it itself.

// CALL-LABEL: rotated iota:i64[19]
// GIVES: [6 8 10 12 14 16 18 20 22 24 26 28 30 32 34 17 19 2 4]
// CALL-LABEL: rotated zeros:i64[0]
// GIVES: result: tensor<0xi64> = []
func.func @rotated(%x: tensor<?xi64>) -> tensor<?xi64> {
  %left = soac.rotate %x by [2] : (tensor<?xi64>) -> tensor<?xi64>
  %more = soac.rotate %x by [4] : (tensor<?xi64>) -> tensor<?xi64>
  %y = soac.map %left, %more : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64> (%a: i64, %b: i64) {
    %c = arith.addi %a, %b : i64
    soac.yield %c : i64
  }
  return %y : tensor<?xi64>
}

// Kept inside the array.

// CALL-LABEL: clamped iota:i32[37] 3
// GIVES: [0 0 0 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33]
// GIVES: [3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 36 36 36]
// CALL-LABEL: clamped iota:i32[70] 40
// GIVES: result
func.func @clamped(%x: tensor<?xi32>, %k: index) -> (tensor<?xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %last = arith.subi %n, %c1 : index
  %left = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.subi %i, %k : index
    %r = arith.maxsi %j, %c0 : index
    soac.yield %r : index
  }
  %right = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %k : index
    %r = arith.minsi %j, %last : index
    soac.yield %r : index
  }
  return %left, %right : tensor<?xi32>, tensor<?xi32>
}

// Wrapped around by a mask: a vector that is not a power of two less one makes jumps upwards.

// CALL-LABEL: masked iota:i32[64] 100 31
// GIVES: result
// CALL-LABEL: masked iota:i32[64] 100 21
// GIVES: [0 1 0 1 4 5 4 5 0 1 0 1 4 5 4 5 16 17 16 17 20 21 20 21 16 17
// CALL-LABEL: masked iota:i32[64] 100 48
// GIVES: [0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 16 16
func.func @masked(%x: tensor<?xi32>, %n: index, %mask: index) -> tensor<?xi32> {
  %y = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %r = arith.andi %i, %mask : index
    soac.yield %r : index
  }
  return %y : tensor<?xi32>
}

// A choice between two places, which changes inside a vector, and, unsigned, twice.

// CALL-LABEL: chosen iota:i32[100] 50 5 0 40
// GIVES: [40 41 42 43 44 5 6 7 8 9 10 11
// CALL-LABEL: chosen iota:i32[100] 50 20 -3 17
// GIVES: [0 1 2 20 21 22 23
// CALL-LABEL: chosen iota:i32[100] 50 4 -3 1
// GIVES: [0 1 2 4 5 6 7 7 8 9 10 11 12
// CALL-LABEL: chosen iota:i32[100] 50 40 7 11
// GIVES: result
func.func @chosen(%x: tensor<?xi32>, %n: index, %limit: index, %shift: index, %far: index) -> tensor<?xi32> {
  %y = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %shift : index
    %inside = arith.cmpi ult, %j, %limit : index
    %k = arith.addi %i, %far : index
    %r = arith.select %inside, %k, %i : index
    soac.yield %r : index
  }
  return %y : tensor<?xi32>
}

// What depends on memory is not guided: it is gathered at once.

// A loop that only folds is cut where indices wrap around: no vector of a piece is asked for. There is a
// loop without pieces for indices that wrap around in each vector.

// CALL-LABEL: cyclic iota:i32[64] 5 1000 63
// GIVES: result: tensor<i32> = 31220
// CALL-LABEL: cyclic iota:i32[64] 5 1000 0
// GIVES: result: tensor<i32> = 0
// CALL-LABEL: cyclic iota:i32[64] 5 0 63
// GIVES: result: tensor<i32> = 0
// CALL-LABEL: cyclic iota:i32[256] 5 1000 191
// CALL-LABEL: cyclic iota:i32[300] 20 250 -1
func.func @cyclic(%x: tensor<?xi32>, %k: index, %n: index, %mask: index) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %y = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %k : index
    %r = arith.andi %j, %mask : index
    soac.yield %r : index
  }
  %s = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

// Several indices that wrap around at different iterations, by remainders; those of negative numbers
// fall where they reach zero.

// CALL-LABEL: wheels iota:i32[71] iota:i32[101] 3 500
// CALL-LABEL: wheels iota:i32[71] iota:i32[101] 100 1000
// CALL-LABEL: wheels iota:i32[5] iota:i32[101] 3 500
// CALL-LABEL: wheels iota:i32[0] iota:i32[101] 3 0
// CALL-LABEL: wheels iota:i32[0] iota:i32[101] 3 5
// GIVES: error: 'arith.remui' op division by zero
func.func @wheels(%x: tensor<?xi32>, %y: tensor<?xi32>, %k: index, %n: index) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %p = tensor.dim %x, %c0 : tensor<?xi32>
  %q = tensor.dim %y, %c0 : tensor<?xi32>
  %xs = soac.backpermute %x [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %j = arith.addi %i, %k : index
    %r = arith.remui %j, %p : index
    soac.yield %r : index
  }
  %ys = soac.backpermute %y [%n] : (tensor<?xi32>) -> tensor<?xi32> (%i: index) {
    %r = arith.remui %i, %q : index
    soac.yield %r : index
  }
  %products = soac.map %xs, %ys : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.muli %a, %b : i32
    soac.yield %c : i32
  }
  %s = soac.fold %products neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %s : tensor<i32>
}

// CALL-LABEL: signed iota:i32[400] -150 90 400
// CALL-LABEL: signed iota:i32[400] -500 70 1000
// CALL-LABEL: signed iota:i32[400] 5 -70 1000
// CALL-LABEL: signed iota:i32[400] 9223372036854775700 100 500
// CALL-LABEL: unsigned iota:i32[400] -150 90 400
// CALL-LABEL: unsigned iota:i32[400] -64 65 1000
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

// A loop over one dimension that reads a matrix, with an index that wraps around in each of its
// dimensions.

// CALL-LABEL: both iota:i32[5,17] 7
// GIVES: result: tensor<i32> = 208
// CALL-LABEL: both iota:i32[5,17] 200
// CALL-LABEL: both iota:i32[70,170] 1000
func.func @both(%x: tensor<?x?xi32>, %n: index) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %rows = tensor.dim %x, %c0 : tensor<?x?xi32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xi32>
  %y = soac.backpermute %x [%n] : (tensor<?x?xi32>) -> tensor<?xi32> (%i: index) {
    %row = arith.remui %i, %rows : index
    %column = arith.remui %i, %columns : index
    soac.yield %row, %column : index, index
  }
  %sum = soac.fold %y neutral %zero : (tensor<?xi32>, i32) -> tensor<i32> (%a: i32, %b: i32) {
    %s = arith.addi %a, %b : i32
    soac.yield %s : i32
  }
  return %sum : tensor<i32>
}
