// Arrays that are read or written backwards: as a vector from the lower end on, whose lanes are
// turned round.

// A scan from the right goes backwards, and so does the map before it in the same loop.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// CALL-LABEL: scanr iota:i32[37]
// GIVES: result: tensor<37xi32> = [1332 1332 1330 1326 1320 1312 1302 1290 1276 1260 1242 1222 1200 1176 1150 1122 1092 1060 1026  990  952  912  870  826  780  732  682  630  576  520 462  402  340  276  210  142   72]
// CALL-LABEL: scanr zeros:i32[0]
// GIVES: result: tensor<0xi32> = []
func.func @scanr(%x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %doubled = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%a: i32) {
    %b = arith.addi %a, %a : i32
    soac.yield %b : i32
  }
  %sums = soac.scanr %doubled neutral %zero : (tensor<?xi32>, i32) -> tensor<?xi32>
      (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  return %sums : tensor<?xi32>
}

// Reversed reads of an input, with nothing in between, and with something computed between.

// CALL-LABEL: reverse iota:i64[21]
// GIVES: result0: {{.*}} = [20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0]
// GIVES: [41 38 35 32 29 26 23 20 17 14 11 8 5 2 -1 -4 -7 -10 -13 -16 -19]
// CALL-LABEL: reverse zeros:i64[0]
// GIVES: result0: tensor<0xi64> = []
func.func @reverse(%x: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %r = soac.reverse %x dims [0] : (tensor<?xi64>) -> tensor<?xi64>
  %doubled = soac.map %x : (tensor<?xi64>) -> tensor<?xi64> (%a: i64) {
    %b = arith.muli %a, %two : i64
    %c = arith.addi %b, %one : i64
    soac.yield %c : i64
  }
  %s = soac.reverse %doubled dims [0] : (tensor<?xi64>) -> tensor<?xi64>
  %t = soac.map %s, %x : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64> (%a: i64, %b: i64) {
    %c = arith.subi %a, %b : i64
    soac.yield %c : i64
  }
  return %r, %t : tensor<?xi64>, tensor<?xi64>
}

// The same with the columns of a matrix, and with both dimensions.

// CALL-LABEL: rows iota:i32[2,19]
// GIVES: result0: tensor<2x19xi32> = {{\[\[}}18 17 16 15 14 13 12 11 10  9  8  7  6  5  4  3  2  1  0] [37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19{{\]\]}}
// GIVES-NEXT: result1: tensor<2x19xi32> = {{\[\[}}37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21 20 19] [18 17 16 15 14 13 12 11 10  9  8  7  6  5  4  3  2  1  0{{\]\]}}
func.func @rows(%x: tensor<?x?xi32>) -> (tensor<?x?xi32>, tensor<?x?xi32>) {
  %r = soac.reverse %x dims [1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %s = soac.reverse %x dims [0, 1] : (tensor<?x?xi32>) -> tensor<?x?xi32>
  return %r, %s : tensor<?x?xi32>, tensor<?x?xi32>
}

// Steps that LLVM must not take for ones that never wrap around: a slice of every element, and of
// every second and third one, in both directions.

// CALL-LABEL: steps iota:i32[41] 40 -1 -3
// GIVES: result0: {{.*}} = [1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 33 35 37 39]
// GIVES-NEXT: result1: {{.*}} = [39 37 35 33 31 29 27 25 23 21 19 17 15 13 11 9 7 5 3 1]
// GIVES-NEXT: result2: {{.*}} = [40 39 38 37 36 35 34 33 32 31 30 29 28 27 26 25 24 23 22 21]
// GIVES-NEXT: result3: tensor<10xi32> = [40 37 34 31 28 25 22 19 16 13]
func.func @steps(%x: tensor<?xi32>, %last: index, %back: index, %far: index)
    -> (tensor<20xi32>, tensor<20xi32>, tensor<20xi32>, tensor<10xi32>) {
  %a = soac.slice %x [1] [20] [2] : (tensor<?xi32>) -> tensor<20xi32>
  %b = soac.slice %x [39] [20] [-2] : (tensor<?xi32>) -> tensor<20xi32>
  %c = soac.slice %x [%last] [20] [%back] : (tensor<?xi32>) -> tensor<20xi32>
  %d = soac.slice %x [%last] [10] [%far] : (tensor<?xi32>) -> tensor<10xi32>
  return %a, %b, %c, %d : tensor<20xi32>, tensor<20xi32>, tensor<20xi32>, tensor<10xi32>
}
