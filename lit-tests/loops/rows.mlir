// Rows that one inner loop computes and another reads: a row is in memory, and the same memory is
// used for the next one.

// RUN: comb-fuzz same %s | FileCheck %s --check-prefixes=CALL,GIVES

// Each element as a share of its row, in thousandths, and as what it is above the row's least
// element. The differences are a row in memory; the sums are in registers.

// CALL-LABEL: shares iota:i32[3,5]
// GIVES: result: tensor<3x5xi32> = {{\[\[}}0 100 200 300 400] [0 100 200 300 400] [0 100 200 300 400]]
// CALL-LABEL: shares iota:i32[1,21]
// GIVES: {{\[\[}}0 4 9 14 19 23 28 33 38 42 47 52 57 61 66 71 76 80 85 90 95]]
// CALL-LABEL: shares zeros:i32[2,0]
// GIVES: result: tensor<2x0xi32> = []
// CALL-LABEL: shares zeros:i32[0,2]
// GIVES: tensor<0x2xi32>
func.func @shares(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %thousand = arith.constant 1000 : i32
  %most = arith.constant 2147483647 : i32
  %n = tensor.dim %x, %c0 : tensor<?x?xi32>
  %m = tensor.dim %x, %c1 : tensor<?x?xi32>
  %least = soac.fold %x neutral %most : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.minsi %a, %b : i32
    soac.yield %c : i32
  }
  %wide = soac.backpermute %least [%n, %m] : (tensor<?xi32>) -> tensor<?x?xi32>
      (%i: index, %j: index) {
    soac.yield %i : index
  }
  %d = soac.map %x, %wide : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %c = arith.subi %a, %b : i32
    soac.yield %c : i32
  }
  %sums = soac.fold %d neutral %zero : (tensor<?x?xi32>, i32) -> tensor<?xi32> (%a: i32, %b: i32) {
    %c = arith.addi %a, %b : i32
    soac.yield %c : i32
  }
  %all = soac.backpermute %sums [%n, %m] : (tensor<?xi32>) -> tensor<?x?xi32>
      (%i: index, %j: index) {
    soac.yield %i : index
  }
  %y = soac.map %d, %all : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32> (%a: i32, %b: i32) {
    %t = arith.muli %a, %thousand : i32
    %c = arith.divui %t, %b : i32
    soac.yield %c : i32
  }
  return %y : tensor<?x?xi32>
}
