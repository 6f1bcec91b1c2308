// Where parts of an array are told apart by products, the program makes sure that these have not wrapped around. Here n m + 1 is 2
// modulo 2⁶⁴, with n = 7 and m = (3 · 2⁶⁴ + 1) / 7, and every second element is written where all are read.
//
// RUN: not comb run %s --entry large -i x=iota:i32[16] -i n=7 -i m=7905747460161236407 2>&1 | FileCheck %s
// CHECK: error: {{.*}}large.mlir:20:13: a part of an array cannot be told from others, whose places are computed of numbers that are too large: {{.*}}7905747460161236407
//
// RUN: comb run %s --entry large -i x=iota:i32[16] -i n=3 -i m=2 | FileCheck %s --check-prefix=SMALL
// SMALL: = [ 0  2  4  6  8 10 12 18 16 18 20 22 24 26 36 30]
func.func @large(%x: tensor<?xi32>, %n: index, %m: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %made = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %mine = soac.force %made : tensor<?xi32>
  %product = arith.muli %n, %m : index
  %stride = arith.addi %product, %c1 : index
  %l = scf.for %k = %c0 to %m step %c1 iter_args(%it = %mine) -> tensor<?xi32> {
    %part = soac.slice %it [0] [%n] [%stride] : (tensor<?xi32>) -> tensor<?xi32>
    %row = soac.slice %it [0] [%n] [1] : (tensor<?xi32>) -> tensor<?xi32>
    %new = soac.map %part, %row : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%d: i32, %e: i32) {
      %v = arith.addi %d, %e : i32
      soac.yield %v : i32
    }
    %w = soac.update %new into %it at [0] strides [%stride] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
    scf.yield %w : tensor<?xi32>
  }
  return %l : tensor<?xi32>
}

// What a proof does not need may be large: here no more than `most` elements of the diagonal are changed, and that is no limit.
//
// RUN: comb run %s --entry limited -i x=iota:i32[16] -i n=4 -i most=9223372036854775807 | FileCheck %s --check-prefix=LIMITED
// LIMITED: = [ 0  2  4  6  8 12 12 14 16 18 24 22 24 26 28 36]
func.func @limited(%x: tensor<?xi32>, %n: index, %most: index) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %made = soac.map %x : (tensor<?xi32>) -> tensor<?xi32> (%e: i32) {
    %v = arith.addi %e, %e : i32
    soac.yield %v : i32
  }
  %mine = soac.force %made : tensor<?xi32>
  %stride = arith.addi %n, %c1 : index
  %l = scf.for %k = %c0 to %c1 step %c1 iter_args(%it = %mine) -> tensor<?xi32> {
    %count = arith.minsi %n, %most : index
    %part = soac.slice %it [0] [%count] [%stride] : (tensor<?xi32>) -> tensor<?xi32>
    %row = soac.slice %it [0] [%count] [1] : (tensor<?xi32>) -> tensor<?xi32>
    %new = soac.map %part, %row : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32> (%d: i32, %e: i32) {
      %v = arith.addi %d, %e : i32
      soac.yield %v : i32
    }
    %w = soac.update %new into %it at [0] strides [%stride] : tensor<?xi32> into tensor<?xi32> -> tensor<?xi32>
    scf.yield %w : tensor<?xi32>
  }
  return %l : tensor<?xi32>
}
