// Extrema of vectors where some numbers are NaN, and of zeros of both signs: −0 is less than +0. Bits are compared,
// with −1 for any NaN.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES
// RUN: comb run %s --entry folded --disable extrema -i n=100 -i at=7 | FileCheck %s --check-prefix=OFF
// OFF: result0: i32 = -1

// At a position is NaN, and zeros of both signs are in all others.
func.func private @number(%i: index, %at: index) -> f32 {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %below = arith.constant -0.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %r = arith.remui %i, %c3 : index
  %first = arith.cmpi eq, %r, %c0 : index
  %signed = arith.select %first, %zero, %below : f32
  %is = arith.cmpi eq, %i, %at : index
  %x = arith.select %is, %nan, %signed : f32
  return %x : f32
}

func.func private @bits(%x: f32) -> i32 {
  %nan = arith.constant -1 : i32
  %is = arith.cmpf uno, %x, %x : f32
  %b = arith.bitcast %x : f32 to i32
  %r = arith.select %is, %nan, %b : i32
  return %r : i32
}

// CALL-LABEL: folded 100 100
// GIVES: result0: i32 = 0
// GIVES: result1: i32 = -2147483648
// CALL-LABEL: folded 100 7
// GIVES: result0: i32 = -1
// GIVES: result1: i32 = -1
// CALL-LABEL: folded 1000 999
// GIVES: result0: i32 = -1
// GIVES: result1: i32 = -1
// CALL-LABEL: folded 1 5
// GIVES: result0: i32 = 0
// GIVES: result1: i32 = 0
// CALL-LABEL: folded 0 0
// GIVES: result0: i32 = -8388608
// GIVES: result1: i32 = 2139095040
func.func @folded(%n: index {soac.name = "n"}, %at: index {soac.name = "at"}) -> (i32, i32) {
  %lowest = arith.constant 0xFF800000 : f32
  %highest = arith.constant 0x7F800000 : f32
  %x = soac.generate [%n] : tensor<?xf32> (%i: index) {
    %e = func.call @number(%i, %at) : (index, index) -> f32
    soac.yield %e : f32
  }
  %made = soac.force %x : tensor<?xf32>
  %max = soac.fold %made neutral %lowest : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %c = arith.maximumf %a, %b : f32
    soac.yield %c : f32
  }
  %min = soac.fold %made neutral %highest : (tensor<?xf32>, f32) -> tensor<f32> (%a: f32, %b: f32) {
    %c = arith.minimumf %b, %a : f32
    soac.yield %c : f32
  }
  %m = tensor.extract %max[] : tensor<f32>
  %l = tensor.extract %min[] : tensor<f32>
  %mb = func.call @bits(%m) : (f32) -> i32
  %lb = func.call @bits(%l) : (f32) -> i32
  return %mb, %lb : i32, i32
}

// Rows, in 64 bits: one has NaN.
// CALL-LABEL: rows 4 70 75
// GIVES: result: tensor<4xi32> = [0 -1 0 0]
func.func @rows(%m: index, %n: index, %at: index) -> tensor<?xi32> {
  %lowest = arith.constant 0xFFF0000000000000 : f64
  %x = soac.generate [%m, %n] : tensor<?x?xf64> (%i: index, %j: index) {
    %before = arith.muli %i, %n : index
    %k = arith.addi %before, %j : index
    %e = func.call @number(%k, %at) : (index, index) -> f32
    %d = arith.extf %e : f32 to f64
    soac.yield %d : f64
  }
  %made = soac.force %x : tensor<?x?xf64>
  %max = soac.fold %made neutral %lowest : (tensor<?x?xf64>, f64) -> tensor<?xf64> (%a: f64, %b: f64) {
    %c = arith.maximumf %a, %b : f64
    soac.yield %c : f64
  }
  %bits = soac.map %max : (tensor<?xf64>) -> tensor<?xi32> (%a: f64) {
    %f = arith.truncf %a : f64 to f32
    %b = func.call @bits(%f) : (f32) -> i32
    soac.yield %b : i32
  }
  return %bits : tensor<?xi32>
}

// Extrema of extrema, of which one is of another kind, or is needed twice.
// CALL-LABEL: trees 90 40
// GIVES: result: tensor<86xi32> = [-2147483648 -2147483648 0 -2147483648 -2147483648 0
func.func @trees(%n: index, %at: index) -> tensor<?xi32> {
  %c4 = arith.constant 4 : index
  %m = arith.subi %n, %c4 : index
  %x = soac.generate [%n] : tensor<?xf32> (%i: index) {
    %e = func.call @number(%i, %at) : (index, index) -> f32
    soac.yield %e : f32
  }
  %made = soac.force %x : tensor<?xf32>
  %p = soac.slice %made [0] [%m] [1] : (tensor<?xf32>) -> tensor<?xf32>
  %q = soac.slice %made [1] [%m] [1] : (tensor<?xf32>) -> tensor<?xf32>
  %r = soac.slice %made [2] [%m] [1] : (tensor<?xf32>) -> tensor<?xf32>
  %s = soac.slice %made [4] [%m] [1] : (tensor<?xf32>) -> tensor<?xf32>
  %y = soac.map %p, %q, %r, %s : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xi32>
      (%a: f32, %b: f32, %c: f32, %d: f32) {
    %ab = arith.maximumf %a, %b : f32
    %cd = arith.maximumf %c, %d : f32
    %all = arith.maximumf %ab, %cd : f32
    %least = arith.minimumf %all, %b : f32
    %again = arith.minimumf %least, %ab : f32
    %k = func.call @bits(%again) : (f32) -> i32
    soac.yield %k : i32
  }
  return %y : tensor<?xi32>
}
